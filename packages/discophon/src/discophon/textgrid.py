"""TextGrids of units and phones, to be looked at in Praat (needs ``discophon[textgrid]``)."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from discophon.errors import DatasetError, FormatError, MissingFileError, UsageError
from discophon.languages import SILENCE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import polars as pl

    StrPath = os.PathLike[str] | str

__all__ = ["Interval", "add_tier", "intervals", "read_textgrid", "write_comparison", "write_textgrids"]

_SUFFIX = ".TextGrid"
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
        If a sequence is empty (nothing is written then), the step is not positive, praatio is not installed, or a name
        cannot be the name of a tier or of a file.
    FormatError
        If a file that is there is no TextGrid.
    DatasetError
        If a file cannot be written.
    """
    empty = [file_id for file_id, sequence in sequences.items() if not len(sequence)]
    if empty:
        raise UsageError(f"{len(empty)} files have no tokens, such as {empty[0]!r}; leave them out")
    tiers = {file_id: intervals(sequence, step_in_ms=step_in_ms) for file_id, sequence in sequences.items()}
    for file_id, tier in tiers.items():
        add_tier(outdir, file_id, tier_name, tier)


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
        File to write, ``.TextGrid``.
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
        If a sequence is empty, both names are the same, or praatio is not installed.
    DatasetError
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
    grid = _textgrid().Textgrid()
    for name, tier in tiers.items():
        _put(grid, name, tier)
    _save(grid, os.fspath(path))


def add_tier(outdir: StrPath, file_id: str, tier_name: str, tier: Sequence[Interval]) -> None:
    """Put a tier into the TextGrid of a file; make the TextGrid if there is none.

    Parameters
    ----------
    outdir : path-like or str
        Folder of the TextGrids; made if it is not there.
    file_id : str
        The file: ``{file_id}.TextGrid``.
    tier_name : str
        Name of the tier; one of this name is replaced.
    tier : sequence of Interval
        Sorted, without overlap, at least one.

    Raises
    ------
    UsageError
        If praatio is not installed, or a name cannot be the name of a tier or of a file.
    FormatError
        If the file that is there is no TextGrid.
    DatasetError
        If it cannot be written.
    """
    folder = os.fspath(outdir)
    if not file_id or file_id.startswith(".") or os.path.basename(file_id) != file_id:
        raise UsageError(f"the file id {file_id!r} is not a plain name, so no file can be named after it")
    if not tier:
        raise UsageError(f"{file_id}: there is no interval to write")
    grid_class = _textgrid().Textgrid
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: the folder cannot be made: {error.strerror}; give another") from error
    path = os.path.join(folder, f"{file_id}{_SUFFIX}")
    grid = _open(path) if os.path.exists(path) else grid_class()
    _put(grid, tier_name, tier)
    _save(grid, path)


def read_textgrid(path: StrPath) -> dict[str, pl.DataFrame]:
    """Read the interval tiers of a TextGrid, or of all TextGrids of a folder.

    Parameters
    ----------
    path : path-like or str
        A file, or a folder, which means every ``.TextGrid`` file directly in it.

    Returns
    -------
    dict of str to polars.DataFrame
        For every tier, by name, its intervals with the columns ``text``, ``start`` and ``end`` (seconds) and
        ``fileid`` (name of the file without its suffix); files in sorted order. An empty text becomes ``SIL``.

    Raises
    ------
    UsageError
        If praatio is not installed.
    MissingFileError
        If there is no such file or folder, or no TextGrid in the folder.
    FormatError
        If a file is no TextGrid.
    """
    import polars as pl

    tiers: dict[str, list[tuple[str, float, float, str]]] = {}
    interval_tier = _textgrid().IntervalTier
    for file in _files(os.fspath(path)):
        grid = _open(file)
        file_id = os.path.splitext(os.path.basename(file))[0]
        for name in grid.tierNames:
            tier = grid.getTier(name)
            if isinstance(tier, interval_tier):
                rows = tiers.setdefault(name, [])
                rows += [(entry.label or SILENCE, entry.start, entry.end, file_id) for entry in tier.entries]
    schema = {"text": pl.String, "start": pl.Float64, "end": pl.Float64, "fileid": pl.String}
    return {name: pl.DataFrame(rows, schema=schema, orient="row") for name, rows in tiers.items()}


def _files(path: str) -> list[str]:
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        raise MissingFileError(f"{path}: no such file or folder; check the path")
    names = sorted(name for name in os.listdir(path) if name.endswith(_SUFFIX) and not name.startswith("."))
    if not names:
        raise MissingFileError(f"{path}: no {_SUFFIX} file in this folder; give the folder that holds them")
    return [os.path.join(path, name) for name in names]


def _textgrid() -> Any:  # noqa: ANN401 - praatio is not typed
    try:
        from praatio import textgrid
    except ModuleNotFoundError as error:
        raise UsageError("TextGrids need praatio; install it with: pip install 'discophon[textgrid]'") from error
    return textgrid


def _open(path: str) -> Any:  # noqa: ANN401 - praatio's Textgrid
    from praatio.utilities.errors import PraatioException

    try:
        return _textgrid().openTextgrid(path, includeEmptyIntervals=True, reportingMode="silence")
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror or error}") from error
    except UnicodeError as error:
        raise FormatError(path, None, "not UTF-8 or UTF-16 text", "save it from Praat as UTF-8") from error
    except (PraatioException, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        first = str(error).splitlines()[:1]
        what = f"not a TextGrid that can be read: {first[0] if first else type(error).__name__}"
        raise FormatError(path, None, what, "open it in Praat and save it as a text file") from error


def _put(grid: Any, name: str, tier: Iterable[Interval]) -> None:  # noqa: ANN401 - praatio's Textgrid
    """Add a tier, or replace the one of its name; the whole grows with it."""
    module = _textgrid()
    _check_text("tier name", name)
    entries = list(tier)
    for _, _, text in entries:
        _check_text("label", text)
    made = module.IntervalTier(name, [module.constants.Interval(*entry) for entry in entries], 0.0, entries[-1].end)
    if name in grid.tierNames:
        grid.replaceTier(name, made, reportingMode="silence")
    else:
        grid.addTier(made, reportingMode="silence")
    for each in grid.tiers:  # Praat wants one span for all
        each.maxTimestamp = grid.maxTimestamp


def _check_text(noun: str, text: str) -> None:
    """Refuse what would not read back."""
    if text != text.strip() or any(character in text for character in "\r\n\0") or (noun == "tier name" and not text):
        raise UsageError(f"the {noun} {text!r} is empty, or has a line break or a blank at an end")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the {noun} {text!r} is not text that UTF-8 can hold") from None


def _save(grid: Any, path: str) -> None:  # noqa: ANN401 - praatio's Textgrid
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        grid.save(part, format="long_textgrid", includeBlankSpaces=False, reportingMode="silence")
        os.replace(part, path)
    except OSError as error:
        raise DatasetError(f"{path}: cannot be written: {error.strerror}; give another path") from error
    finally:
        if os.path.exists(part):
            os.unlink(part)
