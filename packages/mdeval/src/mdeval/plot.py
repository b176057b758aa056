"""Pictures of where the errors are (needs ``mdeval[plot]``)."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from mdeval.cells import Cells
from mdeval.errors import InputError, UsageError
from mdeval.explain import CONFUSION, FALSE_ALARM, MISSED, explain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdeval.recording import Recording
    from mdeval.result import DiarizationResult
    from mdeval.zones import Region

__all__ = ["bars", "timeline"]

_COLOURS = {MISSED: "#d55e00", FALSE_ALARM: "#e69f00", CONFUSION: "#cc79a7"}
_SPEAKERS = ("#0072b2", "#009e73", "#56b4e9", "#7a5195", "#2f4b7c", "#8c8c00", "#665191", "#4d4d4d")
_UNMAPPED = "#b0b0b0"
_SUFFIXES = (".png", ".svg")


def _figure(width: float, height: float) -> tuple[Any, Any]:
    """Make an empty picture, in inches."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError("pictures need matplotlib; install it with: pip install 'mdeval[plot]'") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _save(figure: Any, path: str) -> None:  # noqa: ANN401 - a matplotlib Figure
    if not path.lower().endswith(_SUFFIXES):
        raise UsageError(f"{path}: a picture is a .png or a .svg file")
    suffix = os.path.splitext(path)[1].lower()
    from matplotlib import rc_context

    temporary = f"{path}.{os.getpid()}{suffix}"
    try:
        # neither date nor random names in the file: the same input gives the same bytes
        with rc_context({"svg.hashsalt": "mdeval"}), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a name in letters that the font lacks is drawn as boxes
            figure.savefig(temporary, dpi=150, metadata={"Date": None} if suffix == ".svg" else {})
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; give another path") from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _label_rows(axes: Any, names: Sequence[str]) -> None:  # noqa: ANN401 - matplotlib Axes
    """Name the rows; a dollar sign in a name begins no formula."""
    axes.set_yticks(range(len(names)), names)
    for label in axes.get_yticklabels():
        label.set_parse_math(False)


def timeline(
    recording: Recording,
    mapping: dict[str, str],
    path: str,
    *,
    collar: float = 0.0,
    ignore_overlap: bool = False,
    start: float | None = None,
    end: float | None = None,
) -> None:
    """Draw a recording: reference turns, system turns in the colours of their partners, errors, unscored zones.

    Parameters
    ----------
    recording : Recording
        The recording.
    mapping : dict of str to str
        Its speaker map.
    path : str
        Where to write, ``.png`` or ``.svg``.
    collar : float, default 0.0
        Half-width of the zone around each reference boundary that is not scored, in seconds.
    ignore_overlap : bool, default False
        Whether overlapped reference speech is left out.
    start, end : float, optional
        Show this part only, in seconds.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or the path has another suffix.
    InputError
        If the file cannot be written.
    """
    cells = Cells(recording, collar=collar, ignore_overlap=ignore_overlap)
    refs, systems = sorted(cells.ref_names), _by_partner(cells.sys_names, mapping)
    colour = {name: _SPEAKERS[i % len(_SPEAKERS)] for i, name in enumerate(refs)}
    back = {system: ref for ref, system in mapping.items()}
    rows = [("error", "errors"), *(("sys", name) for name in reversed(systems)), *(("ref", n) for n in reversed(refs))]
    height = {row: i for i, row in enumerate(rows)}
    figure, axes = _figure(12, 1.4 + 0.32 * len(rows))
    for side, turns in (("ref", cells.ref), ("sys", cells.system)):
        for name in dict.fromkeys(name for _, _, name in turns):
            spans = [(onset, offset - onset) for onset, offset, speaker in turns if speaker == name]
            fill = colour[name] if side == "ref" else colour.get(back.get(name, ""), _UNMAPPED)
            axes.broken_barh(spans, (height[side, name] - 0.4, 0.8), facecolors=fill)
    explanation = explain(recording, mapping, collar=collar, ignore_overlap=ignore_overlap)
    for i, (kind, fill) in enumerate(_COLOURS.items()):
        spans = [(e.onset, e.offset - e.onset) for e in explanation.errors if e.kind == kind]
        axes.broken_barh(spans, (-0.4 + 0.27 * i, 0.26), facecolors=fill, label=kind)
    first, last = _extent(cells, recording.uem)
    gaps = [(onset, offset - onset) for onset, offset in _gaps(cells.regions, first, last)]
    if gaps:
        style = {"facecolors": (0.5, 0.5, 0.5, 0.12), "hatch": "///", "edgecolors": (0.4, 0.4, 0.4, 0.5)}
        axes.broken_barh(gaps, (-0.5, len(rows)), linewidth=0, label="not scored", **style)
    axes.axhline(0.5, color="black", linewidth=0.8)
    axes.axhline(len(systems) + 0.5, color="black", linewidth=0.8)
    labels = {"error": "errors", "sys": "system", "ref": "reference"}
    _label_rows(axes, [name if side == "error" else f"{labels[side]} {name}" for side, name in rows])
    left, right = first if start is None else start, last if end is None else end
    if left >= right:
        given = " ".join(f"--{name} {t:g}" for name, t in (("start", start), ("end", end)) if t is not None)
        raise UsageError(f"{given}: nothing is left to show; the recording is from {first:g} s to {last:g} s")
    axes.set_xlim(left, right)
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel("time (s)")
    axes.set_title(f"{recording.key[0]}, channel {recording.key[1]}", loc="left", parse_math=False)
    figure.legend(loc="outside upper right", ncols=4, frameon=False)
    _save(figure, path)


def _by_partner(systems: Sequence[str], mapping: dict[str, str]) -> list[str]:
    """Sort system speakers by the reference speaker they are mapped to; those without come last."""
    back = {system: ref for ref, system in mapping.items()}
    return sorted(systems, key=lambda name: (name not in back, back.get(name, ""), name))


def _extent(cells: Cells, uem: Sequence[Region]) -> tuple[float, float]:
    edges = [t for onset, offset, _ in (*cells.ref, *cells.system) for t in (onset, offset)]
    edges += [t for region in uem for t in region]
    return min(edges, default=0.0), max(edges, default=1.0)


def _gaps(regions: Sequence[Region], start: float, end: float) -> Iterator[Region]:
    """Give what lies between regions."""
    for onset, offset in regions:
        if onset > start:
            yield start, onset
        start = max(start, offset)
    if start < end:
        yield start, end


def bars(result: DiarizationResult, path: str) -> None:
    """Draw the error rate of every recording, in its parts, with the pooled rate and its interval.

    Parameters
    ----------
    result : DiarizationResult
        The scores.
    path : str
        Where to write, ``.png`` or ``.svg``.

    Raises
    ------
    UsageError, InputError
        As `timeline`.
    UndefinedScoreError
        If no speaker time is scored at all.
    """
    scored = [s for s in result.recordings if s.counts.der is not None]
    scored.sort(key=lambda s: s.counts.der or 0.0)
    names = [s.file_id if s.channel == "1" else f"{s.file_id} {s.channel}" for s in scored]
    figure, axes = _figure(8, 1.4 + 0.24 * max(len(scored), 4))
    left = [0.0] * len(scored)
    fields = {MISSED: "missed_speaker_time", FALSE_ALARM: "falarm_speaker_time", CONFUSION: "speaker_error_time"}
    for kind, field in fields.items():
        widths = [100 * getattr(s.counts, field) / s.counts.scored_speaker_time for s in scored]
        axes.barh(range(len(scored)), widths, left=left, color=_COLOURS[kind], label=kind, height=0.75)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.axvline(100 * result.der, color="black", linewidth=1, label=f"all: {100 * result.der:.2f}%")
    if len(scored) > 1:
        interval = result.confidence()
        label = f"{100 * interval.level:g}% interval"
        axes.axvspan(100 * interval.low, 100 * interval.high, color="0.87", zorder=0, linewidth=0, label=label)
    _label_rows(axes, names)
    axes.set_ylim(-0.6, len(scored) - 0.4)
    axes.set_xlabel("diarization error rate (% of scored speaker time)")
    figure.legend(loc="outside upper center", ncols=5, frameon=False)
    _save(figure, path)
