"""Reading gold alignments: ``#file onset offset #phone``, one phone a line, times in seconds as decimal text.

Times are compared exactly, as whole milliseconds: the first entry of a file begins at 0 and every duration is a
whole number of steps, so a file without faults has no finer time. Whole columns are checked at once; only when that
finds a fault is the file gone through row by row, to say where.
"""

from __future__ import annotations

import os
import re
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discophon.checks import check_whole
from discophon.errors import FormatError, MissingFileError, UsageError
from discophon.sequences import PhoneSequences, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from speechio.errors import Report

    IntArray = NDArray[np.int64]
    StrPath = os.PathLike[str] | str

__all__ = ["COLUMNS", "read_alignment", "read_text_lines"]

COLUMNS = ("#file", "onset", "offset", "#phone")
"""Names of the columns, as the header must have them; others are ignored and the order is free."""

LONGEST = 86_400
"""A day: the longest file, in seconds. What is longer has times in another unit."""

_TIME = re.compile(r"(?=\.?[0-9])0*[0-9]{0,20}(?:\.[0-9]{0,20}0*)?")
_WHOLE_MS = re.compile(r"(?=\.?[0-9])0*([0-9]{0,9})(?:\.([0-9]{0,3})0*)?")  # zeros at the ends say nothing
_DIGITS = 50  # enough for sums of times as `_TIME` has them
_HEADER_FIX = f"the first line must be the header '{' '.join(COLUMNS)}', words separated by one space"


class _Columns(NamedTuple):
    """The four columns of an alignment as text, and the line of each row."""

    files: list[str]
    onsets: list[str]
    offsets: list[str]
    phones: list[str]
    lines: list[int]


class _Row(NamedTuple):
    line: int
    file: str
    onset: Decimal
    offset: Decimal
    phone: str


def read_alignment(path: StrPath, *, step_in_ms: int = 10) -> PhoneSequences:
    """Read a gold alignment into flat arrays.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    step_in_ms : int, default 10
        Time per phone in the result, in milliseconds; a divisor of 1000.

    Returns
    -------
    PhoneSequences
        Files in sorted order, with one phone per step.

    Raises
    ------
    FormatError
        If the header or a row breaks the format, or entries do not follow each other from 0 in whole steps.
    MissingFileError
        If there is no such file.
    UsageError
        If `step_in_ms` does not divide 1000.
    speechio.SpeechioError
        If the file cannot be read as UTF-8 text.
    """
    if 1000 % check_whole("step_in_ms", step_in_ms):
        raise UsageError(f"step_in_ms is {step_in_ms!r}; it must be a whole number that divides 1000, such as 10 or 20")
    name = os.fspath(path)
    columns = _columns(name, read_text_lines(path))
    onsets, offsets = _milliseconds(columns.onsets), _milliseconds(columns.offsets)
    if onsets is None or offsets is None or "" in columns.phones or "" in columns.files:
        raise _find_fault(name, columns, step_in_ms)
    files = sorted(set(columns.files))
    number = {file: index for index, file in enumerate(files)}
    of_file = np.fromiter(map(number.__getitem__, columns.files), np.int64, len(columns.files))
    order = np.lexsort((onsets, of_file))
    of_file, onsets, offsets = of_file[order], onsets[order], offsets[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = of_file[1:] != of_file[:-1]
    is_long = offsets.max() > LONGEST * 1000
    before = np.where(is_first, 0, np.roll(offsets, 1))
    durations = offsets - onsets
    if is_long or (onsets != before).any() or (durations < step_in_ms).any() or (durations % step_in_ms).any():
        raise _find_fault(name, columns, step_in_ms)
    phones = [columns.phones[row] for row in order.tolist()]
    labels = {label: code for code, label in enumerate(dict.fromkeys(phones))}
    codes = np.fromiter(map(labels.__getitem__, phones), np.int64, len(phones))
    ends = np.append(np.flatnonzero(is_first)[1:], len(order)) - 1
    lengths = (offsets[ends] // step_in_ms).tolist()
    return PhoneSequences(tuple(files), starts_of(lengths), np.repeat(codes, durations // step_in_ms), tuple(labels))


def read_text_lines(path: StrPath) -> list[str]:
    """Give the lines of a text file, gzip or not, without their ends.

    Parameters
    ----------
    path : path-like or str
        File; ``-`` is standard input.

    Returns
    -------
    list of str
        All lines; blank ones are there too.

    Raises
    ------
    MissingFileError
        If there is no such file.
    speechio.SpeechioError
        If the file cannot be read as UTF-8 text.
    """
    from speechio.errors import Report
    from speechio.text import display_name, read_blocks

    check_exists(path)
    report = Report(display_name(path))
    lines: list[str] = []
    for number, data in read_blocks(path, report):
        lines += _lines_of(number, data, report)
    return lines


def _lines_of(number: int, data: bytes, report: Report) -> list[str]:
    """Split a block of whole lines; only what is not plain text goes the careful way, line by line."""
    if data.endswith(b"\n") and b"\r" not in data and b"\0" not in data:
        try:
            return data[:-1].decode().split("\n")
        except UnicodeDecodeError:
            pass
    from speechio.text import block_lines

    return [text for _, text in block_lines(number, data, report)]


def check_exists(path: StrPath) -> None:
    """Refuse a path at which there is nothing.

    Parameters
    ----------
    path : path-like or str
        File; ``-`` is standard input and always there.

    Raises
    ------
    MissingFileError
        If there is no such file.
    """
    name = os.fspath(path)
    if name != "-" and "\0" not in name and not os.path.exists(name):
        raise MissingFileError(f"{name}: no such file; check the path")


def _columns(name: str, lines: list[str]) -> _Columns:
    """Take the four columns out of the lines, by the names in the header."""
    header = lines[0].split(" ") if lines else []
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise FormatError(name, 1, f"the header has no column {' and no column '.join(missing)}", _HEADER_FIX)
    twice = [column for column in COLUMNS if header.count(column) > 1]
    if twice:
        raise FormatError(name, 1, f"the header has the column {twice[0]} twice", _HEADER_FIX)
    numbers = list(range(2, len(lines) + 1))
    rows = lines[1:]
    if "" in rows:
        numbers = [number for number, row in zip(numbers, rows, strict=True) if row]
        rows = [row for row in rows if row]
    if not rows:
        raise FormatError(name, None, "there is no row after the header", "one phone a line is wanted")
    width = len(header)
    if {row.count(" ") for row in rows} != {width - 1}:
        raise _wrong_width(name, header, rows, numbers)
    fields = " ".join(rows).split(" ")
    files, onsets, offsets, phones = (fields[header.index(column) :: width] for column in COLUMNS)
    return _Columns(files, onsets, offsets, phones, numbers)


def _wrong_width(name: str, header: list[str], rows: list[str], numbers: list[int]) -> FormatError:
    line, row = next((n, r) for n, r in zip(numbers, rows, strict=True) if r.count(" ") != len(header) - 1)
    what = f"{row.count(' ') + 1} fields where the header has {len(header)}: {row[:100]!r}"
    fix = "separate fields by one space, without a space at the end; no field may be empty or contain a space"
    return FormatError(name, line, what, fix)


def _milliseconds(texts: list[str]) -> IntArray | None:
    """Turn times in seconds into whole milliseconds; nothing when one of them is no such time."""
    value: dict[str, int] = {}
    for text in set(texts):  # the same times come again in every file
        match = _WHOLE_MS.fullmatch(text)
        if match is None:
            return None
        value[text] = int(match[1] or "0") * 1000 + int((match[2] or "").ljust(3, "0"))
    return np.fromiter(map(value.__getitem__, texts), np.int64, len(texts))


def _find_fault(name: str, columns: _Columns, step_in_ms: int) -> FormatError:
    """Go through a file with a fault row by row, and say where it is."""
    rows = sorted(_rows(name, columns), key=lambda row: (row.file, row.onset))
    before: _Row | None = None
    with localcontext(prec=_DIGITS):
        for row in rows:
            fault = _fault_between(before, row, Decimal(step_in_ms) / 1000)
            if fault is not None:
                return FormatError(name, row.line, f"file {row.file!r}: {fault[0]}", fault[1])
            before = row
    raise AssertionError("a fault was found in the columns but in no row")


def _rows(name: str, columns: _Columns) -> Iterator[_Row]:
    """Give the rows with times as exact decimals; raise at what is no time or is empty."""
    for file, onset, offset, phone, line in zip(*columns, strict=True):
        for column, text in zip(COLUMNS, (file, onset, offset, phone), strict=True):
            if not text:
                raise FormatError(name, line, f"the field {column} is empty", "every row needs all four fields")
        for column, text in (("onset", onset), ("offset", offset)):
            if not _TIME.fullmatch(text):
                what = f"the {column} {text!r} is no time"
                raise FormatError(name, line, what, "write seconds with a decimal point, such as 1.25")
        yield _Row(line, file, Decimal(onset), Decimal(offset), phone)


def _fault_between(before: _Row | None, row: _Row, step: Decimal) -> tuple[str, str] | None:
    """Say what is wrong with a row that follows another, and what to do about it."""
    if before is None or before.file != row.file:
        if row.onset != 0:
            return (
                f"the first entry begins at {row.onset} s, not at 0",
                "begin with an entry at 0, SIL if it is silence",
            )
    elif row.onset != before.offset:
        kind = "a gap" if row.onset > before.offset else "an overlap"
        what = f"{kind}: the entry begins at {row.onset} s, the one before it (line {before.line}) ends at"
        return f"{what} {before.offset} s", "entries must follow each other without gap or overlap"
    duration = row.offset - row.onset
    what = f"the entry lasts {_in_ms(duration)} ms"
    if duration < step:
        return f"{what}, less than a step of {_in_ms(step)} ms", "merge it with a neighbour"
    if duration % step:
        return f"{what}, not a whole number of steps of {_in_ms(step)} ms", "round the times"
    if row.offset > LONGEST:
        return f"the entry ends at {row.offset} s, which is longer than a day", "write times in seconds"
    return None


def _in_ms(seconds: Decimal) -> str:
    return f"{(seconds * 1000).normalize():f}"
