"""Pictures of what units stand for and where they put boundaries (needs matplotlib)."""

from __future__ import annotations

import io
import os
import warnings
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from discophon.errors import UsageError
from discophon.languages import SILENCE
from discophon.printable import drawable
from discophon.writing import write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from discophon.evaluate import LabelledMatrix

    IntArray = NDArray[np.int64]

__all__ = ["SUFFIXES", "check_suffix", "heatmap", "save", "segmentation"]

SUFFIXES = (".png", ".svg", ".pdf")
"""What pictures can be written as."""

_FOUND, _MISSED, _EXTRA = "#009e73", "#d55e00", "#e69f00"
_SILENCE = "#e4e4e4"
_BANDS = ("#cfe0f3", "#e6eff9")
_MOST_NAMED_UNITS = 80
_LINE_SECONDS = 2.0
_NARROWEST = 0.009  # seconds that a label needs at least
_MOST_LETTERS = 6
_UNITS, _PREDICTED, _GOLD = 0, 1, 2  # heights of the tiers
_MS = 1000
_MOST_ROWS = 60


def _figure(width: float, height: float) -> Figure:
    """Make an empty picture, in inches."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError("pictures need matplotlib; install it with: pip install matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def heatmap(cooccurrence: LabelledMatrix, *, title: str = "") -> Figure:
    """Draw which phones the frames of each unit belong to.

    Parameters
    ----------
    cooccurrence : LabelledMatrix of int, shape (phones, units)
        Counts of `discophon.evaluate.cooccurrence_matrix`.
    title : str, default ""
        What is shown.

    Returns
    -------
    matplotlib.figure.Figure
        Rows are the phones that occur, the most frequent on top, with their share of all frames at the right. Columns
        are the units that occur, in the order of their most probable phone, so good units make a diagonal. The colour
        is the share of the phone in the frames of the unit.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or the counts are all zero.
    """
    from discophon.evaluate import probability_phone_given_unit

    totals = np.asarray(cooccurrence.values).sum(axis=1)
    n_rows = int(np.count_nonzero(totals))
    if not n_rows:
        raise UsageError("the counts are all zero, so there is nothing to draw")
    shares = probability_phone_given_unit(cooccurrence)
    values = np.asarray(shares.values)[totals > 0]
    names = [drawable(name) for name, total in zip(cooccurrence.phones, totals, strict=True) if total]
    n_columns = values.shape[1]
    width = min(16.0, 4.0 + 0.16 * max(n_columns, 24))
    figure = _figure(width, 1.8 + 0.2 * n_rows)
    axes, margin = figure.subplots(1, 2, sharey=True, width_ratios=(width - 2.4, 1.2))
    image = axes.imshow(values, aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="none")
    _separate_groups(axes, values.argmax(axis=0))
    axes.set_yticks(range(n_rows), names, fontsize=9)
    _name_units(axes, shares.units, n_all=len(cooccurrence.units))
    axes.set_ylabel("phones by frequency")
    if title:
        axes.set_title(drawable(title), loc="left", parse_math=False)
    margin.barh(range(n_rows), 100 * totals[totals > 0] / totals.sum(), color="#7f9fbf", height=0.8)
    margin.set_xlabel("% of frames")
    margin.tick_params(axis="y", length=0, labelleft=False)
    margin.spines[["top", "right"]].set_visible(False)
    figure.colorbar(image, ax=margin, label="share of the phone in the unit", shrink=0.8, aspect=30)
    _plain_text(figure)
    return figure


def _separate_groups(axes: Axes, rows: IntArray) -> None:
    """Draw a thin line wherever the units of one phone end."""
    for column in np.flatnonzero(np.diff(rows)) + 0.5:
        axes.axvline(column, color="0.82", linewidth=0.5)


def _name_units(axes: Axes, units: Sequence[int], *, n_all: int) -> None:
    label = f"units by their most probable phone ({len(units)} of {n_all} occur)"
    if len(units) <= _MOST_NAMED_UNITS:
        axes.set_xticks(range(len(units)), [str(unit) for unit in units], rotation=90, fontsize=7)
    else:
        axes.set_xticks([])
    axes.set_xlabel(label)


def _plain_text(figure: Figure) -> None:
    """Let a dollar sign in a name begin no formula."""
    for axes in figure.axes:
        for label in (*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts):
            label.set_parse_math(False)


def segmentation(
    gold: Sequence[str],
    predicted: Sequence[str],
    units: Sequence[int],
    *,
    step_phones: int = 10,
    step_units: int = 20,
    margin_in_ms: int = 20,
    start: float = 0.0,
    end: float | None = None,
    title: str = "",
) -> Figure:
    """Draw one utterance: its gold phones, the phones its units stand for, the units, and the boundaries.

    Parameters
    ----------
    gold : sequence of str
        Gold phones, one per `step_phones`.
    predicted : sequence of str
        Phones that the units are mapped to, one per `step_units`.
    units : sequence of int
        The units.
    step_phones, step_units : int, default 10 and 20
        Time per gold phone and per unit, in milliseconds.
    margin_in_ms : int, default 20
        Half-width of the window around a gold boundary, in milliseconds.
    start, end : float, default 0.0 and the end of the utterance
        Show this part, in seconds.
    title : str, default ""
        What is shown.

    Returns
    -------
    matplotlib.figure.Figure
        Lines of two seconds. A gold boundary is found (green) when a predicted one lies in its window, else missed
        (red); a predicted boundary that finds none, or one that another has found, is extra (orange). A dash is
        a unit whose phone does not occur. The counts are those of the part that is shown.

    Raises
    ------
    UsageError
        If matplotlib is not installed, a time is no time, there is nothing to show, or more than two minutes.
    """
    if len(predicted) != len(units):
        raise UsageError(f"{len(predicted)} predicted phones for {len(units)} units; there must be one per unit")
    whole = max(len(gold) * step_phones, len(units) * step_units) / _MS
    last = whole if end is None else min(end, whole)
    for name, time in (("start", start), ("end", last)):
        if not time >= 0:
            raise UsageError(f"{name} is {time:g} s; it must be at least 0")
    if start >= last:
        raise UsageError(f"from {start:g} s to {last:g} s nothing is left to show; the utterance is {whole:g} s long")
    n_lines = -int(-(last - start) // _LINE_SECONDS)
    if n_lines > _MOST_ROWS:
        most = _MOST_ROWS * _LINE_SECONDS
        raise UsageError(f"{last - start:g} s do not fit into one picture; show a part of at most {most:g} s")
    figure = _figure(14, 1.0 + 1.35 * n_lines)
    rows = figure.subplots(n_lines, 1, squeeze=False)[:, 0]
    found = _boundaries(gold, predicted, step_phones=step_phones, step_units=step_units, margin=margin_in_ms)
    found = _between(found, start, last)
    tiers = {
        _UNITS: ("units", units, step_units),
        _PREDICTED: ("predicted", predicted, step_units),
        _GOLD: ("gold", gold, step_phones),
    }
    for i, axes in enumerate(rows):
        left = start + i * _LINE_SECONDS
        right = left + (_LINE_SECONDS if n_lines > 1 else last - start)
        for height, (_, sequence, step) in tiers.items():
            _draw_tier(axes, sequence, step, height, left, min(right, last))
        _draw_boundaries(axes, _between(found, left, right))
        axes.set_xlim(left, right)
        axes.set_ylim(-0.5, len(tiers) - 0.5)
        axes.set_yticks(list(tiers), [name for name, _, _ in tiers.values()])
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right", "left"]].set_visible(False)
    rows[-1].set_xlabel("time (s)")
    if title:
        rows[0].set_title(drawable(title), loc="left", parse_math=False)
    _legend(figure, found)
    _plain_text(figure)
    return figure


_Boundaries = dict[str, tuple[str, dict[int, "IntArray"]]]
"""From what is said of boundaries to their colour and, for each tier that has such, their times in milliseconds."""


def _boundaries(
    gold: Sequence[str], predicted: Sequence[str], *, step_phones: int, step_units: int, margin: int
) -> _Boundaries:
    """Sort the boundaries of one file into found, missed and extra ones."""
    from discophon.evaluate.segmentation import boundaries, window_edges
    from discophon.sequences import phones_from_mapping

    wanted = boundaries(*_codes(phones_from_mapping({"": gold})), step_phones)
    _, made = boundaries(*_codes(phones_from_mapping({"": predicted})), step_units)
    lower, upper = window_edges(wanted, margin=margin, windows="disjoint")
    first = np.searchsorted(made, lower, side="left")
    hits = np.searchsorted(made, upper, side="right") > first
    is_extra = np.ones(len(made), np.bool_)
    is_extra[first[hits]] = False  # the first in a window finds its boundary
    return {
        "found": (_FOUND, {_GOLD: wanted[1][hits], _PREDICTED: made[~is_extra]}),
        "missed": (_MISSED, {_GOLD: wanted[1][~hits]}),
        "extra": (_EXTRA, {_PREDICTED: made[is_extra]}),
    }


def _between(found: _Boundaries, left: float, right: float) -> _Boundaries:
    """Give the boundaries from one time to another, in seconds."""
    return {
        name: (colour, {tier: times[(times >= left * _MS) & (times <= right * _MS)] for tier, times in of.items()})
        for name, (colour, of) in found.items()
    }


def _codes(sequences: Any) -> tuple[IntArray, IntArray]:  # noqa: ANN401 - PhoneSequences
    return sequences.codes, sequences.starts


def _draw_tier(axes: Axes, sequence: Sequence[object], step: int, height: int, left: float, right: float) -> None:
    """Draw the runs of equal tokens that lie in a part of the utterance."""
    spans, colours = [], []
    for i, (label, onset, offset) in enumerate(_runs(sequence, step, left, right)):
        begin, stop = max(onset, left), min(offset, right)
        spans.append((begin, stop - begin))
        colours.append(_SILENCE if label == SILENCE else _BANDS[i % 2])
        if stop - begin >= _NARROWEST:
            _write_label(axes, label, (begin + stop) / 2, height, stop - begin)
    axes.broken_barh(spans, (height - 0.43, 0.86), facecolors=colours, linewidth=0).set_in_layout(False)


def _runs(sequence: Sequence[object], step: int, left: float, right: float) -> Iterator[tuple[str, float, float]]:
    """Give the label, begin and end in seconds of the runs of equal tokens, as far as they lie in a part."""
    index = int(left * _MS / step)
    for label, run in groupby(map(str, sequence[index : int(right * _MS / step) + 1])):
        onset, index = index * step / _MS, index + sum(1 for _ in run)
        if onset < right and index * step / _MS > left:
            yield label, onset, index * step / _MS


def _write_label(axes: Axes, label: str, time: float, height: int, width: float) -> None:
    """Write the label of a run into its middle."""
    size = 6.5 if height == _UNITS else 9
    is_upright = len(label) > 2 and width < 0.0012 * size * len(label)
    shown = "—" if label.startswith("<missing-") else drawable(label)[:_MOST_LETTERS]
    text = axes.text(time, height, shown, ha="center", va="center", rotation=90 * is_upright, fontsize=size)
    text.set_in_layout(False)  # it lies within its line: to ask each label for its place takes longer than drawing


def _draw_boundaries(axes: Axes, found: _Boundaries) -> None:
    for colour, times_of in found.values():
        for height, times in times_of.items():
            axes.vlines(times / _MS, height - 0.46, height + 0.46, color=colour, linewidth=2)


def _legend(figure: Figure, found: _Boundaries) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, linewidth=2, label=f"{name} ({len(next(iter(times_of.values())))})")
        for name, (colour, times_of) in found.items()
    ]
    figure.legend(handles=handles, loc="outside upper right", ncols=3, frameon=False)


def check_suffix(path: str) -> str:
    """Refuse a path that is not that of a picture.

    Parameters
    ----------
    path : str
        Where to write.

    Returns
    -------
    str
        The suffix, in lower case.

    Raises
    ------
    UsageError
        If it is none of `SUFFIXES`.
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path}: a picture is a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    return suffix


def save(figure: Figure, path: os.PathLike[str] | str) -> None:
    """Write a picture; the same picture gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    path : path-like or str
        Where to write, ``.png``, ``.svg`` or ``.pdf``.

    Raises
    ------
    UsageError
        If the path has another suffix.
    speechio.InputError
        If the file cannot be written.
    """
    suffix = check_suffix(os.fspath(path))
    from matplotlib import rc_context

    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
    data = io.BytesIO()
    with rc_context({"svg.hashsalt": "discophon"}), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name in letters that the font lacks is drawn as boxes
        figure.savefig(data, format=suffix.removeprefix("."), dpi=150, metadata=metadata)
    write_bytes(path, data.getbuffer())
