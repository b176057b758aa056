"""TextGrids of units and phones, to be looked at in Praat (needs ``discophon[textgrid]``)."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from discophon.errors import DatasetError, FormatError, MissingFileError, UsageError
from discophon.grids import SUFFIX, load_praatio, open_grid, put_tier, render_grid
from discophon.languages import SILENCE
from discophon.writing import write_all, write_bytes

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import polars as pl

    StrPath = os.PathLike[str] | str

__all__ = ["Interval", "add_tiers", "intervals", "read_textgrid", "write_comparison", "write_textgrids"]

_MS_PER_SECOND = 1000


class Interval(NamedTuple):
    """A label and its time.

    Attributes
    ----------
    start, end : float
        Seconds.
    text : str
        The label.
    """

    start: float
    end: float
    text: str


def intervals(sequence: Sequence[Hashable], *, step_in_ms: int) -> list[Interval]:
    """Make one interval of every run of equal tokens.

    Parameters
    ----------
    sequence : sequence of hashable
        Units or phones, one per step.
    step_in_ms : int
        Time per token, in milliseconds.

    Returns
    -------
    list of Interval
        From 0 on, without gaps; times are index times step, in seconds.

    Raises
    ------
    UsageError
        If the step is not positive.

    Examples
    --------
    >>> [tuple(interval) for interval in intervals(["a", "a", "b"], step_in_ms=20)]
    [(0.0, 0.04, 'a'), (0.04, 0.06, 'b')]
    """
    if step_in_ms <= 0:
        raise UsageError(f"a step of {step_in_ms} ms: it must be above 0")
    found, index = [], 0
    for token, run in groupby(sequence):
        start, index = index, index + sum(1 for _ in run)
        found.append(Interval(start * step_in_ms / _MS_PER_SECOND, index * step_in_ms / _MS_PER_SECOND, str(token)))
    return found


def write_textgrids(
    sequences: Mapping[str, Sequence[Hashable]], outdir: StrPath, *, tier_name: str, step_in_ms: int
) -> None:
    """Write units or phones as one TextGrid per file.

    Parameters
    ----------
    sequences : mapping of str to sequence
        Units or phones of every file, as the readers of `discophon.data` give them.
    outdir : path-like or str
        Folder for the TextGrids, ``{file id}.TextGrid``; made if it is not there.
    tier_name : str
        Tier for them. A file that is there already keeps its other tiers; a tier of this name is replaced.
    step_in_ms : int
        Time per token, in milliseconds.

    Raises
    ------
    UsageError
        If a sequence is empty, the step is not positive, praatio is not installed, or a name
        cannot be the name of a tier or of a file.
    FormatError
        If a file that is there is no TextGrid.
    DatasetError, speechio.InputError
        If the folder cannot be made, a file cannot be written, or two names lead to one file.

    Notes
    -----
    All TextGrids are made, and put beside their places, before the first one changes. What fails by then changes no
    file. Where the system does not let one take its place after that, the message names those that have.
    """
    empty = [file_id for file_id, sequence in sequences.items() if not len(sequence)]
    if empty:
        raise UsageError(f"{len(empty)} files have no tokens, such as {empty[0]!r}; leave them out")
    tiers = {file_id: intervals(sequence, step_in_ms=step_in_ms) for file_id, sequence in sequences.items()}
    add_tiers(outdir, tiers, tier_name)


def write_comparison(
    path: StrPath,
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    step_phones: int = 10,
    step_units: int = 20,
    names: tuple[str, str] = ("gold", "predicted"),
) -> None:
    """Write gold and predicted phones of one utterance as two tiers of a new TextGrid.

    Parameters
    ----------
    path : path-like or str
        File to write, ``.TextGrid``; ``-`` is standard output.
    gold : sequence of str
        Gold phones, one per `step_phones`.
    predicted : sequence of str
        Phones that the units are mapped to, one per `step_units`.
    step_phones, step_units : int, default 10 and 20
        Time per gold phone and per unit, in milliseconds.
    names : tuple of str, default ("gold", "predicted")
        Names of the tiers.

    Raises
    ------
    UsageError
        If a sequence is empty, both names are the same, a label would not read back, or praatio is not installed.
    speechio.InputError
        If the file cannot be written.
    """
    if not len(gold) or not len(predicted):
        raise UsageError("there are no phones to write; give both sequences")
    if names[0] == names[1]:
        raise UsageError(f"both tiers are named {names[0]!r}; give two names")
    tiers = {
        names[0]: intervals(gold, step_in_ms=step_phones),
        names[1]: intervals(predicted, step_in_ms=step_units),
    }
    grid = load_praatio().Textgrid()
    for name, tier in tiers.items():
        put_tier(grid, name, tier)
    place = os.fspath(path)
    write_bytes(place, render_grid(grid, place))


def add_tiers(outdir: StrPath, tiers: Mapping[str, Sequence[Interval]], tier_name: str) -> None:
    """Put a tier into the TextGrid of every file; make the TextGrids that are not there.

    Parameters
    ----------
    outdir : path-like or str
        Folder of the TextGrids; made if it is not there.
    tiers : mapping of str to sequence of Interval
        For every file, ``{file id}.TextGrid``, the intervals: sorted, without overlap, at least one.
    tier_name : str
        Name of the tier; one of this name is replaced.

    Raises
    ------
    UsageError
        If praatio is not installed, or a name cannot be the name of a tier or of a file.
    FormatError
        If a file that is there is no TextGrid.
    DatasetError, speechio.InputError
        If the folder cannot be made, a file cannot be written, or two names lead to one file.

    Notes
    -----
    Files change as `write_textgrids` says.
    """
    folder = os.fspath(outdir)
    grid_class = load_praatio().Textgrid
    texts: dict[str, bytes] = {}
    for file_id, tier in tiers.items():
        if not file_id or file_id.startswith(".") or os.path.basename(file_id) != file_id or "\0" in file_id:
            raise UsageError(f"the file id {file_id!r} is not a plain name, so no file can be named after it")
        if not tier:
            raise UsageError(f"{file_id}: there is no interval to write")
        path = os.path.join(folder, f"{file_id}{SUFFIX}")
        grid = open_grid(path) if os.path.exists(path) else grid_class()
        put_tier(grid, tier_name, tier)
        texts[path] = render_grid(grid, path)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: the folder cannot be made: {error.strerror}; give another") from error
    write_all(texts)


def read_textgrid(path: StrPath) -> dict[str, pl.DataFrame]:
    """Read a TextGrid, or all TextGrids of a folder.

    Parameters
    ----------
    path : path-like or str
        A file, or a folder, which means every ``.TextGrid`` file directly in it.

    Returns
    -------
    dict of str to polars.DataFrame
        For every tier, by name, its intervals with the columns ``text``, ``start`` and ``end`` (seconds) and
        ``fileid`` (name of the file without its suffix), or its points with ``text``, ``pos`` (seconds) and
        ``fileid``; files in sorted order. An empty text becomes ``SIL``, that of an interval between others too.

    Raises
    ------
    UsageError
        If praatio is not installed.
    MissingFileError
        If there is no such file or folder, or no TextGrid in the folder.
    FormatError
        If a file is no TextGrid, or a tier has intervals in one file and points in another.
    DatasetError
        If the folder cannot be read.
    """
    import polars as pl

    tiers: dict[str, list[tuple[Any, ...]]] = {}
    times: dict[str, tuple[str, ...]] = {}
    interval_tier = load_praatio().IntervalTier
    for file in _files(os.fspath(path)):
        grid = open_grid(file)
        file_id = os.path.splitext(os.path.basename(file))[0]
        for name in grid.tierNames:
            tier = grid.getTier(name)
            wanted = ("start", "end") if isinstance(tier, interval_tier) else ("pos",)
            if times.setdefault(name, wanted) != wanted:
                what = f"the tier {name!r} has intervals in one file and points in another"
                raise FormatError(file, None, what, "rename one of them, or read the files one by one")
            rows = tiers.setdefault(name, [])
            rows += [(entry.label or SILENCE, *entry[:-1], file_id) for entry in tier.entries]
    return {
        name: pl.DataFrame(
            rows,
            schema={"text": pl.String, **dict.fromkeys(times[name], pl.Float64), "fileid": pl.String},
            orient="row",
        )
        for name, rows in tiers.items()
    }


def _files(path: str) -> list[str]:
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        raise MissingFileError(f"{path}: no such file or folder; check the path")
    try:
        names = sorted(name for name in os.listdir(path) if name.endswith(SUFFIX) and not name.startswith("."))
    except OSError as error:
        raise DatasetError(f"{path}: cannot be looked into: {error.strerror}; give a folder you may read") from error
    if not names:
        raise MissingFileError(f"{path}: no {SUFFIX} file in this folder; give the folder that holds them")
    return [os.path.join(path, name) for name in names]
