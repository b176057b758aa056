"""Pictures: scores against ratings, a speaker's vowels, correlations of a run (needs matplotlib)."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from pathbench.errors import InputError, UsageError, import_extra
from pathbench.published import column_of
from pathbench.render import figure as shown
from pathbench.render import make_folder
from pathbench.table import distinct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pathbench.correlation import Correlation
    from pathbench.table import Row

__all__ = ["check_path", "heatmap", "save", "scatter"]

_SUFFIXES = (".png", ".svg")
_INK, _LINE, _SOFT = "#1b4965", "#c8553d", "#8a8a8a"
_LABELLED = 40  # points; more labels than that hide them


def check_path(path: str) -> None:
    """Refuse a name that is not that of a picture.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    UsageError
        If it ends otherwise.
    """
    if not path.lower().endswith(_SUFFIXES):
        raise UsageError(f"{path}: a picture is a .png or a .svg file; fix: give such a name")


def save(figure: Any, path: str) -> None:  # noqa: ANN401 (a matplotlib Figure)
    """Write a figure; the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    path : str
        Where to write, ``.png`` or ``.svg``.

    Raises
    ------
    UsageError
        If the path has another suffix.
    InputError
        If the file cannot be written.
    """
    check_path(path)
    matplotlib = import_extra("matplotlib", "plot", "a picture")
    folder, suffix = os.path.dirname(path), os.path.splitext(path)[1].lower()
    if folder:
        make_folder(folder)
    temporary = f"{path}.{os.getpid()}{suffix}"
    try:
        with matplotlib.rc_context({"svg.hashsalt": "pathbench"}), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a name in letters that the font lacks is drawn as boxes
            figure.savefig(temporary, dpi=150, metadata={"Date": None} if suffix == ".svg" else {})
        os.replace(temporary, path)
    except OSError as error:
        what = error.strerror or error
        raise InputError(f"{path}: cannot be written: {what}; fix: give a place you may write to") from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _axes(width: float, height: float) -> tuple[Any, Any]:
    """Make an empty picture, in inches, with two spines."""
    figure = import_extra("matplotlib.figure", "plot", "a picture").Figure((width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _plain(*texts: Any) -> None:  # noqa: ANN401 (matplotlib texts)
    """Take texts as they are: a dollar sign in a name begins no formula."""
    for text in texts:
        text.set_parse_math(False)


def scatter(
    found: Correlation,
    ratings: Mapping[str, float],
    scores: Mapping[str, float],
    title: str = "",
    unit: str = "speakers",
) -> Any:  # noqa: ANN401
    """Draw scores against ratings, with the line of least squares and the names of speakers.

    Parameters
    ----------
    found : Correlation
        What was computed: its speakers (or utterances) are drawn, its figures are written above them.
    ratings, scores : mapping of str to float
        Rating and score of each.
    title : str, default ""
        What the picture shows, such as the dataset.
    unit : {"speakers", "utterances"}, default "speakers"
        What the points are.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If there are fewer than two.
    MissingDependencyError
        If matplotlib is not installed.
    """
    import numpy as np

    if len(found.ids) < 2:
        what = f"{title or found.metric}: {len(found.ids)} {unit} have a rating and a score"
        raise InputError(f"{what}; fix: two are needed")
    x = np.array([ratings[key] for key in found.ids])
    y = np.array([scores[key] for key in found.ids])
    figure, axes = _axes(6.4, 4.8)
    if not found.reason:
        slope, offset = np.polyfit(x - x.mean(), y, 1)
        ends = np.array([x.min(), x.max()])
        axes.plot(ends, slope * (ends - x.mean()) + offset, color=_LINE, linewidth=1.6, zorder=1)
    axes.scatter(x, y, s=34, color=_INK, edgecolor="white", linewidth=0.6, zorder=2)
    if len(found.ids) <= _LABELLED:
        for key, across, up in zip(found.ids, x.tolist(), y.tolist(), strict=True):
            label = axes.annotate(key, (across, up), xytext=(5, 4), textcoords="offset points", fontsize=8, color=_SOFT)
            _plain(label)
    axes.margins(0.08)
    _plain(axes.set_xlabel(f"rating of the {unit.removesuffix('s')}"), axes.set_ylabel(found.metric))
    words = found.reason or f"PCC {shown(found.pcc, 2)}"
    if found.low == found.low:
        words += f" (95 %: {shown(found.low, 2)} to {shown(found.high, 2)})"
    heading = axes.set_title(f"{title}\n{words}, {found.n} {unit}".lstrip(), fontsize=10, loc="left")
    _plain(heading)
    return figure


def _label(name: str) -> str:
    """Name a dataset in few letters."""
    return column_of(name) or " ".join(part for part in name.split("/") if part != "pathological") or name


def heatmap(rows: Sequence[Row], columns: Sequence[str]) -> Any:  # noqa: ANN401
    """Draw the table of correlations: metrics down, datasets across, and the mean.

    Parameters
    ----------
    rows : sequence of Row
        The table; its cells are turned so that more is better.
    columns : sequence of str
        The datasets.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If there is nothing to draw.
    MissingDependencyError
        If matplotlib is not installed.
    """
    import numpy as np

    if not rows or not columns:
        raise InputError("there are no correlations to draw; fix: name the results of a run that computed some")
    has_mean = len(columns) > 1
    cells = [[*(row.cells.get(name, np.nan) for name in columns), *([row.avg] * has_mean)] for row in rows]
    values = np.array(cells, dtype=np.float64)
    labels = [*distinct(map(_label, columns), "mean"), *(["mean"] * has_mean)]
    longest = max(map(len, labels))
    figure, axes = _axes(2.6 + 0.62 * len(labels), 1.2 + 0.36 * len(rows) + 0.055 * longest)
    image = axes.imshow(np.ma.masked_invalid(values), cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_yticks(range(len(rows)), [row.metric for row in rows])
    axes.set_xticks(range(len(labels)), labels, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_xticks(np.arange(len(labels) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    _plain(*axes.get_xticklabels(), *axes.get_yticklabels())
    for (down, across), value in np.ndenumerate(values):
        text = "" if np.isnan(value) else shown(float(value), 2)
        colour = "white" if abs(value) > 0.6 else "black"
        axes.text(across, down, text, ha="center", va="center", fontsize=8.5, color=colour)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label("PCC, more is better")
    return figure
