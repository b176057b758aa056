"""RTTM, NIST's format of turns, words and metadata: ``SPEAKER rec 1 0.5 2.25 <NA> <NA> anna <NA> <NA>``.

Times are seconds. ``<NA>`` is None (NaN in a column of numbers); every other text stays text. Lines that are
blank or begin with ``;`` or ``#`` have no record. `read_rttm` takes normal SPEAKER lines in blocks
(`speechio.rttm_block`); everything else goes through the careful parser (`speechio.rttm_line`), with the same
result.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Literal, overload

from speechio.columns import ColumnTable, TextColumn, or_nan, or_none
from speechio.errors import Report, UsageError
from speechio.rttm_line import LineParser, RttmRecord, is_comment
from speechio.rttm_types import SUBTYPES
from speechio.text import StrPath, block_lines, display_name, read_blocks, read_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from decimal import Decimal

__all__ = ["RttmRecord", "RttmTable", "iter_rttm", "read_rttm", "write_rttm"]


class RttmTable(ColumnTable["RttmRecord[float]"]):
    """Records of an RTTM file in columns; a sequence of `RttmRecord`.

    Attributes
    ----------
    type, file, channel, ortho, subtype, speaker : TextColumn
        Text fields; None for ``<NA>``.
    onset, duration : array of float64
        Seconds; NaN where the type has none.
    confidence, slat : array of float64
        NaN where missing.
    line : array of int64
        Line of each record, from 1.
    """

    __slots__ = (
        "channel",
        "confidence",
        "duration",
        "file",
        "onset",
        "ortho",
        "slat",
        "speaker",
        "subtype",
        "type",
    )

    def __init__(self) -> None:
        super().__init__()
        self.type = TextColumn()
        self.file = TextColumn()
        self.channel = TextColumn()
        self.onset: array[float] = array("d")
        self.duration: array[float] = array("d")
        self.ortho = TextColumn()
        self.subtype = TextColumn()
        self.speaker = TextColumn()
        self.confidence: array[float] = array("d")
        self.slat: array[float] = array("d")

    def append(self, record: RttmRecord[float], line: int) -> None:
        """Add a record.

        Parameters
        ----------
        record : RttmRecord
            The record.
        line : int
            Its line.
        """
        self.line.append(line)
        self.type.append(record.type)
        self.file.append(record.file)
        self.channel.append(record.channel)
        self.onset.append(or_nan(record.onset))
        self.duration.append(or_nan(record.duration))
        self.ortho.append(record.ortho)
        self.subtype.append(record.subtype)
        self.speaker.append(record.speaker)
        self.confidence.append(or_nan(record.confidence))
        self.slat.append(or_nan(record.slat))

    def record(self, row: int) -> RttmRecord[float]:
        """Make the record of a row.

        Parameters
        ----------
        row : int
            Row, from 0.

        Returns
        -------
        RttmRecord
            The same as `iter_rttm` gives for this line.
        """
        return RttmRecord(
            self.type[row] or "",
            self.file[row],
            self.channel[row],
            or_none(self.onset[row]),
            or_none(self.duration[row]),
            self.ortho[row],
            self.subtype[row],
            self.speaker[row],
            or_none(self.confidence[row]),
            or_none(self.slat[row]),
        )


@overload
def iter_rttm(
    path: StrPath,
    *,
    exact: Literal[False] = False,
    types: Collection[str] | None = None,
    pad: bool = False,
    sample_rate: float | None = None,
    encoding: str | None = None,
) -> Iterator[RttmRecord[float]]: ...
@overload
def iter_rttm(
    path: StrPath,
    *,
    exact: Literal[True],
    types: Collection[str] | None = None,
    pad: bool = False,
    sample_rate: float | None = None,
    encoding: str | None = None,
) -> Iterator[RttmRecord[Decimal]]: ...
def iter_rttm(
    path: StrPath,
    *,
    exact: bool = False,
    types: Collection[str] | None = None,
    pad: bool = False,
    sample_rate: float | None = None,
    encoding: str | None = None,
) -> Iterator[RttmRecord[Any]]:
    """Read an RTTM file record by record.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    exact : bool, default False
        Give numbers as `decimal.Decimal`, so that writing back changes nothing.
    types : collection of str, optional
        Give records of these types only, e.g. ``("SPEAKER",)``. The other lines must be right all the same.
    pad : bool, default False
        Fill missing trailing fields of a SPEAKER line that has at least eight.
    sample_rate : float, optional
        Times are sample counts; divide them by this rate, in Hz.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    RttmRecord
        In the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `types`, `sample_rate` or `encoding` make no sense.
    """
    wanted = _wanted(types, sample_rate)
    report = Report(display_name(path))
    parser = LineParser(report, pad=pad, sample_rate=sample_rate, exact=exact)
    for _, text in read_lines(path, report, encoding):
        if not is_comment(text):
            record = parser.parse(text)
            if record is not None and record.type in wanted:
                yield record


def read_rttm(
    path: StrPath,
    *,
    types: Collection[str] | None = None,
    pad: bool = False,
    sample_rate: float | None = None,
    encoding: str | None = None,
) -> RttmTable:
    """Read an RTTM file into columns.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    types : collection of str, optional
        Keep records of these types only, e.g. ``("SPEAKER",)``. The other lines must be right all the same.
    pad : bool, default False
        Fill missing trailing fields of a SPEAKER line that has at least eight.
    sample_rate : float, optional
        Times are sample counts; divide them by this rate, in Hz.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    RttmTable
        All records, in the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `types`, `sample_rate` or `encoding` make no sense.
    """
    from speechio.rttm_block import take_block

    wanted = _wanted(types, sample_rate)
    report = Report(display_name(path))
    parser = LineParser(report, pad=pad, sample_rate=sample_rate)
    table = RttmTable()
    for first, data in read_blocks(path, report, encoding):
        if "SPEAKER" in wanted and take_block(table, first, data, sample_rate):
            continue
        for line, text in block_lines(first, data, report):
            if not is_comment(text):
                report.at(line, text)
                record = parser.parse(text)
                if record is not None and record.type in wanted:
                    table.append(record, line)
    return table


def write_rttm(
    path: StrPath, records: Iterable[RttmRecord[Any]], *, digits: int | None = 3, sort: bool = False
) -> None:
    """Write an RTTM file in its strictest form: ten fields, one blank between them, LF.

    Parameters
    ----------
    path : path-like or str
        File; written under another name first, then renamed. ``-`` is standard output.
    records : iterable of RttmRecord
        What to write, e.g. an `RttmTable`.
    digits : int or None, default 3
        Decimals of the times; None writes the shortest exact form. A `Decimal` is always written as it is.
    sort : bool, default False
        Sort by file, channel, onset, duration, type and speaker.

    Raises
    ------
    WriteError
        If a record would not read back: an empty name or one with a blank, a negative or infinite time.
    InputError
        If the file cannot be written.
    """
    from speechio.rttm_write import RttmWriter
    from speechio.write import write_lines

    if sort:
        records = sorted(records, key=_sort_key)
    name = display_name(path)
    write_lines(path, RttmWriter(name, digits).lines(records))


def _wanted(types: Collection[str] | None, sample_rate: float | None) -> Collection[str]:
    """Look at the arguments of a reader and give the types that are wanted."""
    if sample_rate is not None and not 0 < sample_rate < float("inf"):
        raise UsageError(f"sample_rate is {sample_rate}; it must be positive")
    if types is None:
        return SUBTYPES
    if isinstance(types, str):
        raise UsageError(f"types is {types!r}; give a tuple, ({types!r},)")
    unknown = sorted(set(types) - set(SUBTYPES))
    if unknown:
        raise UsageError(f"unknown record type {unknown[0]!r}; types: {' '.join(SUBTYPES)}")
    return frozenset(types)


def _sort_key(record: RttmRecord[Any]) -> tuple[Any, ...]:
    times = (-1 if record.onset is None else record.onset, -1 if record.duration is None else record.duration)
    return (record.file or "", record.channel or "", *times, record.type, record.speaker or "")
