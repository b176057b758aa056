"""Our own outputs: a compact table for people, JSON and CSV for programs."""

from __future__ import annotations

from mdeval.counts import FIELDS, add_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mdeval.counts import Counts, RecordingScore
    from mdeval.metric_run import Figures
    from mdeval.statistics import Interval

__all__ = ["SCHEMA_VERSION", "Extras", "aligned", "as_csv", "as_document", "as_json", "as_table"]

SCHEMA_VERSION = "1.0"
_UNDEFINED = "no speaker time is scored"
_ALL = "ALL"


class Extras:
    """What was asked for beside the error rate.

    Parameters
    ----------
    figures : Figures, optional
        Of the metrics named.
    interval : Interval, optional
        Confidence interval of the error rate.
    """

    __slots__ = ("figures", "interval")

    def __init__(self, figures: Figures | None = None, interval: Interval | None = None) -> None:
        self.figures = figures
        self.interval = interval


_NOTHING = Extras()


def as_table(scores: Sequence[RecordingScore], signature: str, *, per_file: bool, extras: Extras = _NOTHING) -> str:
    """Write a table for people.

    Parameters
    ----------
    scores : sequence of RecordingScore
        The recordings in byte order.
    signature : str
        Printed below the table.
    per_file : bool
        A row for every recording too, not only for all of them.
    extras : Extras, optional
        Metrics, in place of the table of the error rate, and its interval.

    Returns
    -------
    str
        Aligned text. Rates are per cent of the scored speaker time; ``NA`` is undefined.
    """
    if extras.figures is not None:
        return _metrics_table(extras.figures, per_file=per_file) + _interval_line(extras) + f"signature: {signature}\n"
    heading = ["recording", "channel", "speaker time", "missed", "false alarm", "confusion", "DER"]
    rows = [[s.file_id, s.channel, *_cells(s.counts)] for s in scores] if per_file else []
    total = [_ALL, "", *_cells(add_up(scores)[0])]
    return aligned(heading, rows, total, left=2) + _interval_line(extras) + f"signature: {signature}\n"


def _interval_line(extras: Extras) -> str:
    interval = extras.interval
    if interval is None:
        return ""
    if interval.low != interval.low:
        return f"{100 * interval.level:g}% interval of the DER: NA\n"
    return (
        f"{100 * interval.level:g}% interval of the DER: {100 * interval.low:.2f}% to {100 * interval.high:.2f}%"
        f" ({interval.samples} resamples of the recordings, seed {interval.seed})\n"
    )


def _metrics_table(figures: Figures, *, per_file: bool) -> str:
    """Write the metrics: one below the other, each recording beside the whole when asked for."""
    keys = list(figures.per_recording) if per_file else []
    heading = ["figure", _ALL, *(f"{file_id} {channel}" for file_id, channel in keys)]
    rows = [
        [name, _figure(value), *(_figure(figures.per_recording[key].get(name)) for key in keys)]
        for name, value in figures.overall.items()
    ]
    return aligned(heading, rows)


def _figure(value: float | int | None) -> str:
    if value is None:
        return "NA"
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def aligned(
    heading: Sequence[str], rows: Sequence[Sequence[str]], total: Sequence[str] | None = None, *, left: int = 1
) -> str:
    """Write a table in aligned columns.

    Parameters
    ----------
    heading : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        The cells.
    total : sequence of str, optional
        A last row, set apart.
    left : int, default 1
        How many columns are aligned to the left; the others are numbers.

    Returns
    -------
    str
        The table.
    """
    everything = [heading, *rows, *([total] if total else [])]
    widths = [max(len(row[i]) for row in everything) for i in range(len(heading))]
    rule = "  ".join("-" * width for width in widths)

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, range(len(row)), strict=True)
        return "  ".join(cell.ljust(w) if i < left else cell.rjust(w) for cell, w, i in cells).rstrip()

    lines = [line(heading), rule, *(line(row) for row in rows)]
    if total:
        lines += [rule] if rows else []
        lines.append(line(total))
    return "\n".join(lines) + "\n"


def _cells(counts: Counts) -> list[str]:
    whole = counts.scored_speaker_time
    parts = (
        counts.missed_speaker_time,
        counts.falarm_speaker_time,
        counts.speaker_error_time,
        counts.error_time,
    )
    return [f"{whole:.2f} s", *(f"{100 * part / whole:.2f}%" if whole else "NA" for part in parts)]


def as_document(
    scores: Sequence[RecordingScore],
    signature: str,
    *,
    collar: float,
    ignore_overlap: bool,
    uem: str,
    warnings: Sequence[str] = (),
    extras: Extras = _NOTHING,
) -> dict[str, Any]:
    """Give everything as one document, times in seconds and rates as fractions, at full precision.

    Parameters
    ----------
    scores : sequence of RecordingScore
        The recordings in byte order.
    signature : str
        Of the error rates.
    collar : float
        Half-width of the collar, in seconds.
    ignore_overlap : bool
        Whether overlapped reference speech was left out.
    uem : str
        Where the evaluated regions came from.
    warnings : sequence of str, default ()
        What was said on standard error.
    extras : Extras, optional
        Metrics and interval.

    Returns
    -------
    dict
        What ``--json`` prints. An undefined error rate is None, with the reason beside it.
    """
    recordings = [
        {"file": s.file_id, "channel": s.channel, **_values(s.counts), "mapping": dict(sorted(s.mapping.items()))}
        for s in scores
    ]
    document = {
        "schema_version": SCHEMA_VERSION,
        "signature": signature,
        "collar": collar,
        "overlap": "excluded" if ignore_overlap else "scored",
        "uem": uem,
        "overall": _values(add_up(scores)[0]),
        "recordings": recordings,
        "warnings": list(warnings),
    }
    if extras.figures is not None:
        per_recording = extras.figures.per_recording.items()
        document["metrics"] = {
            "overall": extras.figures.overall,
            "recordings": [{"file": f, "channel": c, **columns} for (f, c), columns in per_recording],
        }
    if extras.interval is not None:
        interval = extras.interval
        document["confidence"] = {
            "low": _or_none(interval.low),
            "high": _or_none(interval.high),
            "level": interval.level,
            "samples": interval.samples,
            "seed": interval.seed,
        }
    return document


def _or_none(value: float) -> float | None:
    return None if value != value else value


def as_json(document: dict[str, Any]) -> str:
    """Write a document as JSON."""
    import json

    return json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _values(counts: Counts) -> dict[str, float | int | str | None]:
    values: dict[str, float | int | str | None] = {**counts.to_dict()}
    if counts.der is None:
        values["reason"] = _UNDEFINED
    return values


def as_csv(scores: Sequence[RecordingScore], signature: str, *, per_file: bool, extras: Extras = _NOTHING) -> str:
    """Write CSV: the columns of the JSON, a row for all recordings last (file ``ALL``).

    Parameters
    ----------
    scores : sequence of RecordingScore
        The recordings in byte order.
    signature : str
        Last column of every row.
    per_file : bool
        A row for every recording too.
    extras : Extras, optional
        Metrics, as further columns.

    Returns
    -------
    str
        The rows, the first one with the names. An undefined error rate is ``NA``.
    """
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    figures = extras.figures
    more = [name for name in figures.overall if name not in (*FIELDS, "der")] if figures else []
    writer.writerow(["file", "channel", *FIELDS, "der", *more, "signature"])
    rows = [(s.file_id, s.channel, s.counts) for s in scores] if per_file else []
    for file_id, channel, counts in [*rows, (_ALL, "", add_up(scores)[0])]:
        columns: Mapping[str, float | int | None] = {}
        if figures:
            columns = figures.per_recording.get((file_id, channel), {}) if channel else figures.overall
        values = [*counts.to_dict().values(), *(columns.get(name) for name in more)]
        writer.writerow([file_id, channel, *("NA" if value is None else value for value in values), signature])
    return out.getvalue()
