"""What `mdeval.score` takes: paths, tables, columns, plain rows. All become a `Side` or a `Uem`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdeval.errors import UsageError
from mdeval.nist import ascii_lower
from mdeval.pool import read_side, read_uem
from mdeval.recording import Uem, record
from mdeval.side import Side
from mdeval.sources import LARGE_BYTES, expand, size_of
from mdeval.strict import add_table, uem_from_table
from mdeval.zones import SPEAKER
from speechio.rttm import RttmTable
from speechio.uem import UemRecord, UemTable

if TYPE_CHECKING:
    from mdeval.recording import Key

__all__ = ["ONE_RECORDING", "RegionsLike", "TurnsLike", "sides_from", "uem_from_any"]

ONE_RECORDING = ("recording", "1")
"""File and channel of turns that come without."""

TurnsLike = Any
"""A path, several paths, an `RttmTable`, what `load_rttm` gives, columns by name, or rows (onset, offset, speaker)."""

RegionsLike = Any
"""A path, a `UemTable`, what `load_uem` gives, or rows (start, end) for the one recording."""


def sides_from(reference: TurnsLike, system: TurnsLike) -> tuple[Side, Side]:
    """Bring both sides into one form.

    Parameters
    ----------
    reference, system : TurnsLike
        The turns of either side.

    Returns
    -------
    reference, system : Side
        Both small or both large.

    Raises
    ------
    UsageError
        If one is of no kind known here, or has impossible times.
    InputError, speechio.SpeechioError
        If a file cannot be read.
    """
    paths = [_paths(reference), _paths(system)]
    # columns are quicker at any size once numpy is there; loading it pays from some size on
    large = "numpy" in sys.modules or sum(size_of(p) for p in paths if p is not None) > LARGE_BYTES
    sides = [
        read_side(p, strict=True, large=large) if p is not None else _side_from_memory(source, large=large)
        for p, source in zip(paths, (reference, system), strict=True)
    ]
    return sides[0], sides[1]


def _paths(source: TurnsLike) -> list[str] | None:
    """Give the files of a source that consists of paths, else None."""
    if isinstance(source, str | os.PathLike):
        return expand(os.fspath(source))
    if isinstance(source, list | tuple) and source and all(isinstance(p, str | os.PathLike) for p in source):
        return [file for path in source for file in expand(os.fspath(path))]
    return None


def _side_from_memory(source: TurnsLike, *, large: bool) -> Side:
    side = Side()
    if isinstance(source, RttmTable):
        add_table(source, "table", side)
    elif isinstance(source, Mapping) and all(isinstance(v, Mapping) for v in source.values()):
        _add_nested(source, side)
    elif isinstance(source, Mapping) or hasattr(source, "columns"):
        _add_columns(source, side)
    elif isinstance(source, Iterable):
        for row in source:
            if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 3:
                raise UsageError(f"a turn is (onset, offset, speaker), not {row!r}")
            onset, offset, speaker = row
            start = _seconds(onset)
            _add_turn(side, ONE_RECORDING, start, _seconds(offset) - start, str(speaker))
    else:
        raise UsageError(f"turns come as a path, a table, columns or rows, not as {type(source).__name__}")
    if large:
        side.to_columns()
    return side


def _add_nested(data: Mapping[str, Mapping[str, Any]], side: Side) -> None:
    """Add what `load_rttm` gives."""
    try:
        rows = [
            (file_id, channel, kind, item["TBEG"], item["TDUR"], item["SPKR"], item)
            for file_id, channels in data.items()
            for channel, kinds in channels.items()
            for kind, items in kinds.items()
            for item in items
        ]
    except (AttributeError, KeyError, TypeError) as error:
        raise UsageError(f"turns by file and channel must be as load_rttm gives them; {error} is missing") from error
    for file_id, channel, kind, onset, duration, speaker, item in rows:
        key = (str(file_id), ascii_lower(str(channel)))
        if kind == "SPKR-INFO":
            side.add_type(key, speaker, item["SUBT"])
        elif kind == SPEAKER:
            _add_turn(side, key, _seconds(onset), _seconds(duration), str(speaker))
        else:
            name = ascii_lower(item["WORD"]) if kind == "LEXEME" else str(speaker)
            side.add(key, record(_seconds(onset), _seconds(duration), kind, name))
    side.end_of_file()


def _add_columns(data: TurnsLike, side: Side) -> None:
    """Add turns from columns: onset, duration or offset, speaker, and perhaps file and channel."""
    names = list(data.columns) if hasattr(data, "columns") else list(data)
    last = "duration" if "duration" in names else "offset"
    missing = {"onset", last, "speaker"} - set(names)
    if missing:
        raise UsageError(f"turns need the columns onset, duration (or offset) and speaker; {sorted(missing)} missing")
    columns = [_column(data, name) for name in ("onset", last, "speaker")]
    n = len(columns[0])
    files = _column(data, "file") if "file" in names else [ONE_RECORDING[0]] * n
    channels = _column(data, "channel") if "channel" in names else [ONE_RECORDING[1]] * n
    if len({n, *map(len, columns), len(files), len(channels)}) > 1:
        raise UsageError("the columns of the turns differ in length")
    for onset, end, speaker, file_id, channel in zip(*columns, files, channels, strict=True):
        start = _seconds(onset)
        duration = _seconds(end) if last == "duration" else _seconds(end) - start
        _add_turn(side, (str(file_id), ascii_lower(str(channel))), start, duration, str(speaker))


def _column(data: TurnsLike, name: str) -> list[Any]:
    column = data[name]
    if isinstance(column, str) or not isinstance(column, Iterable):
        raise UsageError(f"column {name} is {column!r}; it must hold a value for every turn")
    return list(column)


def _seconds(value: Any) -> float:  # noqa: ANN401 - whatever a user gives
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{value!r} is no time in seconds") from error


def _add_turn(side: Side, key: Key, onset: float, duration: float, speaker: str) -> None:
    if not (abs(onset) < float("inf") and 0 <= duration < float("inf")):
        raise UsageError(
            f"turn of speaker {speaker} at {onset!r} s lasts {duration!r} s; times must be finite and durations must"
            " not be negative"
        )
    side.add(key, record(onset, duration, SPEAKER, speaker))


def uem_from_any(source: RegionsLike) -> Uem | None:
    """Bring regions to evaluate into one form.

    Parameters
    ----------
    source : RegionsLike
        The regions; None for those inferred from the reference.

    Returns
    -------
    Uem or None
        The regions.

    Raises
    ------
    UsageError, InputError, speechio.SpeechioError
        If it is of no kind known here, or a region is impossible.
    """
    if source is None:
        return None
    if isinstance(source, str | os.PathLike):
        return read_uem(os.fspath(source), [], strict=True)
    if isinstance(source, UemTable):
        return uem_from_table(source)
    try:
        if isinstance(source, Mapping):
            records = [
                UemRecord(str(file_id), str(channel), float(start), float(end))
                for file_id, channels in source.items()
                for channel, regions in channels.items()
                for start, end in regions
            ]
        else:
            records = [UemRecord(*ONE_RECORDING, float(start), float(end)) for start, end in source]
    except (AttributeError, TypeError, ValueError) as error:
        raise UsageError(f"regions come as a path, a table or rows (start, end) in seconds, not so: {error}") from error
    for item in records:
        if not float("-inf") < item.start < item.end < float("inf"):
            region = f"{item.start:g} to {item.end:g}"
            raise UsageError(f"UEM region {region}: it must be finite and end after it begins")
    return uem_from_table(records)
