"""The text that ``mdeval compare`` and ``mdeval explain`` print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdeval.tables import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdeval.compare import Comparison
    from mdeval.explain import ErrorStretch, Explanation

__all__ = ["comparison_text", "explanation_text"]


def _percent(rate: float | None) -> str:
    return "NA" if rate is None else f"{100 * rate:.2f}%"


def comparison_text(comparison: Comparison, *, per_recording: bool) -> str:
    """Write a comparison for people.

    Parameters
    ----------
    comparison : Comparison
        Two systems.
    per_recording : bool
        A row for every recording too.

    Returns
    -------
    str
        Tables.
    """
    first, other = comparison.first, comparison.other
    rows = []
    for row in comparison.rows:
        test = row.test
        low, high = test.interval.low, test.interval.high
        interval = "NA" if low != low else f"{100 * low:+.2f} to {100 * high:+.2f}"
        verdict = row.better or "no difference shown"
        name = "DER" if row.part == "der" else row.part.replace("_", " ")
        cells = [name, _percent(row.first), _percent(row.other), f"{100 * test.difference:+.2f}", interval]
        rows.append([*cells, f"{test.p_value:.4g}", verdict])
    test = comparison.rows[0].test
    level = f"{100 * test.interval.level:g}% interval"
    text = aligned(["rate", first, other, "difference", level, "p", "better"], rows)
    if per_recording:
        pairs = []
        for (file_id, channel), (a, b) in comparison.per_recording.items():
            difference = "NA" if a is None or b is None else f"{100 * (b - a):+.2f}"
            pairs.append([file_id, channel, _percent(a), _percent(b), difference])
        text += "\n" + aligned(["recording", "channel", first, other, "difference"], pairs, left=2)
    return (
        f"{text}difference: {other} minus {first}, in points of the scored speaker time; interval from"
        f" {test.interval.samples} resamples of the recordings (seed {test.interval.seed}),"
        f" p from {test.permutations} permutations\nsignature: {comparison.signature}\n"
    )


def explanation_text(explanations: Sequence[Explanation], worst: Sequence[ErrorStretch], signature: str) -> str:
    """Write where the errors are, for people.

    Parameters
    ----------
    explanations : sequence of Explanation
        One per recording.
    worst : sequence of ErrorStretch
        The errors that cost most.
    signature : str
        What the scores were computed with.

    Returns
    -------
    str
        The worst errors, then for each recording its speakers and who meets whom.
    """
    heading = ["recording", "error", "onset", "offset", "costs", "reference", "system"]
    rows = [
        [
            e.file_id,
            e.kind,
            f"{e.onset:.2f}",
            f"{e.offset:.2f}",
            f"{e.lost:.2f} s",
            ", ".join(e.reference) or "-",
            ", ".join(e.system) or "-",
        ]
        for e in worst
    ]
    parts = ["The errors that cost most\n\n" + aligned(heading, rows, left=2)]
    parts += [_recording_text(explanation) for explanation in explanations]
    note = (
        "Times per speaker: missed while no system speaker is active, confused while others than the partner are. Where"
        " turns overlap they do not add up to the parts of the error rate.\n"
    )
    return "\n".join([*parts, note + f"signature: {signature}\n"])


def _recording_text(explanation: Explanation) -> str:
    title = f"{explanation.file_id}, channel {explanation.channel}\n\n"
    refs = [
        [s.speaker, s.partner or "-", f"{s.time:.2f}", f"{s.missed:.2f}", f"{s.confused:.2f}"]
        for s in explanation.ref_speakers
    ]
    systems = [[s.speaker, s.partner or "-", f"{s.time:.2f}", f"{s.false_alarm:.2f}"] for s in explanation.sys_speakers]
    names = [s.speaker for s in explanation.sys_speakers]
    matrix = [
        [ref.speaker, *(f"{explanation.overlaps.get((ref.speaker, name), 0.0):.2f}" for name in names)]
        for ref in explanation.ref_speakers
    ]
    return title + "\n".join(
        [
            aligned(["reference speaker", "mapped to", "time (s)", "missed", "confused"], refs, left=2),
            aligned(["system speaker", "mapped to", "time (s)", "false alarm"], systems, left=2),
            aligned(["shared time (s)", *names], matrix),
        ]
    )
