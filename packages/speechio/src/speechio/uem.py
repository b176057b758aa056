"""UEM, NIST's regions to be scored: ``file channel start end``.

Times are seconds. Several regions of one file and channel are normal; they may touch and must not overlap.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from speechio.columns import ColumnTable, TextColumn
from speechio.errors import FormatError, Report, WriteError
from speechio.fields import BLANK, Number, describe, hidden, number, number_fault, span_of, split, warn_hidden
from speechio.rttm_line import Time, is_comment
from speechio.shown import seconds
from speechio.text import StrPath, display_name, read_lines
from speechio.write import check_not_comment, check_token, format_time, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

__all__ = ["UemParser", "UemRecord", "UemTable", "iter_uem", "read_uem", "strip_name", "write_uem"]

_FIELDS = ("file", "channel", "start", "end")


@dataclass(frozen=True, slots=True)
class UemRecord(Generic[Time]):
    """One region to be scored.

    Attributes
    ----------
    file, channel : str
        Recording and channel; always text.
    start, end : float or Decimal
        Seconds, ``0 <= start < end``.
    """

    file: str
    channel: str
    start: Time
    end: Time

    def __class_getitem__(cls, _: object) -> object:
        return cls  # an alias would set an attribute on its instances, which frozen slots of 3.11 cannot take


class UemTable(ColumnTable["UemRecord[float]"]):
    """Regions of a UEM file in columns; a sequence of `UemRecord`.

    Attributes
    ----------
    file, channel : TextColumn
        Recording and channel.
    start, end : array of float64
        Seconds.
    line : array of int64
        Line of each region, from 1.
    """

    __slots__ = ("channel", "end", "file", "start")

    def __init__(self) -> None:
        super().__init__()
        self.file = TextColumn()
        self.channel = TextColumn()
        self.start: array[float] = array("d")
        self.end: array[float] = array("d")

    def append(self, record: UemRecord[float], line: int) -> None:
        """Add a region.

        Parameters
        ----------
        record : UemRecord
            The region.
        line : int
            Its line.
        """
        self.line.append(line)
        self.file.append(record.file)
        self.channel.append(record.channel)
        self.start.append(record.start)
        self.end.append(record.end)

    def record(self, row: int) -> UemRecord[float]:
        """Make the record of a row.

        Parameters
        ----------
        row : int
            Row, from 0.

        Returns
        -------
        UemRecord
            The same as `iter_uem` gives for this line.
        """
        return UemRecord(self.file[row] or "", self.channel[row] or "", self.start[row], self.end[row])


def strip_name(name: str) -> str:
    """Remove directories, and everything from the first dot to the next, as md-eval does.

    Parameters
    ----------
    name : str
        File name of a UEM line.

    Returns
    -------
    str
        The bare name.

    Examples
    --------
    >>> strip_name("audio/rec1.sph"), strip_name("a.b.c")
    ('rec1', 'a.c')
    """
    base = name.rsplit("/", 1)[-1]
    head, dot, tail = base.partition(".")
    return head + tail[tail.find(".") :] if dot and "." in tail else head


class UemParser:
    """Parse lines of one UEM file; tell a `Report` of everything that is wrong with them.

    Parameters
    ----------
    report : Report
        Where faults go; must stand at the line.
    strip_names : bool, default False
        Give names as `strip_name` does.
    exact : bool, default False
        Give times as `decimal.Decimal`.
    """

    def __init__(self, report: Report, *, strip_names: bool = False, exact: bool = False) -> None:
        self.report = report
        self.strip_names = strip_names
        self._regions: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
        self._decimal: Any = None
        if exact:
            from decimal import Decimal

            self._decimal = Decimal

    def parse(self, text: str) -> UemRecord[Any] | None:
        """Parse a line that has a region.

        Parameters
        ----------
        text : str
            The line, neither blank nor a comment.

        Returns
        -------
        UemRecord or None
            The region; None when the line is wrong and the file is only checked.

        Raises
        ------
        FormatError
            When the line is wrong and the file is read.
        """
        report = self.report
        n_errors = report.n_errors
        fields = split(text)
        if len(fields) != 4:
            what = f"{len(fields)} field{'s' * (len(fields) != 1)}, wanted 4: file channel start end"
            report.error("U001", what, "a name with a blank (space)?" if len(fields) > 4 else "")
            return None
        if hidden(text):
            for i in (0, 1):
                span = span_of(text, i)
                warn_hidden(report, fields[i], span[0] if span else 0, f"the {_FIELDS[i]} {fields[i]!r}")
        start = self._time(text, 2, fields[2])
        end = self._time(text, 3, fields[3])
        if start is not None and start < 0:
            fix = "times count from the start of the recording"
            report.error("U006", f"start is {fields[2]}; it must not be negative", fix, span_of(text, 2))
        elif start is not None and end is not None and not start < end:
            what = f"the region from {fields[2]} to {fields[3]} is {'empty' if start == end else 'reversed'}"
            fix = "the end must be after the start; the fourth field is the end, not a duration"
            report.error("U004", what, fix, span_of(text, 2, 3))
        if "/" in fields[0] or "." in fields[0]:
            what = f"the file name {fields[0]} has a directory or a suffix, which NIST tools strip"
            report.warning(
                "U107",
                what,
                f"write {strip_name(fields[0])}, or read with strip_names=True",
                span_of(text, 0),
            )
        name = strip_name(fields[0]) if self.strip_names else fields[0]
        if report.n_errors == n_errors:
            self._overlap(text, (name, fields[1].lower()), number(fields[2]) or 0.0, number(fields[3]) or 0.0)
        if report.n_errors != n_errors:
            return None
        return UemRecord(name, fields[1], start, end)

    def _time(self, text: str, i: int, field: str) -> Number:
        value = number(field)
        if value is not None:
            return value if self._decimal is None else self._decimal(field)
        found = BLANK.search(field)
        if found is not None:
            what = f"the {_FIELDS[i]} has {describe(found.group())}, which separates nothing"
            self.report.error("T008", what, "replace it by a plain space, or remove it", span_of(text, i))
        else:
            what, fix = number_fault(field)
            self.report.error("U003", f"{_FIELDS[i]} is {what}", fix, span_of(text, i))
        return None

    def _overlap(self, text: str, key: tuple[str, str], start: float, end: float) -> None:
        """Keep a region; refuse it when it overlaps one of the same file and channel."""
        regions = self._regions.setdefault(key, [])
        place = bisect(regions, (start, end, 0))
        for other_start, other_end, line in regions[max(0, place - 1) : place + 1]:
            if start < other_end and other_start < end:
                other = f"{seconds(other_start)} to {seconds(other_end)} on line {line}"
                what = f"the region {seconds(start)} to {seconds(end)} of {key[0]}, channel {key[1]}, overlaps {other}"
                self.report.error("U005", what, "merge the regions, or mend their times", span_of(text, 2, 3))
                return
        regions.insert(place, (start, end, self.report.line or 0))


@overload
def iter_uem(
    path: StrPath, *, exact: Literal[False] = False, strip_names: bool = False, encoding: str | None = None
) -> Iterator[UemRecord[float]]: ...
@overload
def iter_uem(
    path: StrPath, *, exact: Literal[True], strip_names: bool = False, encoding: str | None = None
) -> Iterator[UemRecord[Decimal]]: ...
def iter_uem(
    path: StrPath, *, exact: bool = False, strip_names: bool = False, encoding: str | None = None
) -> Iterator[UemRecord[Any]]:
    """Read a UEM file region by region; the regions so far are remembered, since they must not overlap.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    exact : bool, default False
        Give times as `decimal.Decimal`, so that writing back changes nothing.
    strip_names : bool, default False
        Remove directories, and everything from the first dot to the next, as md-eval does.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    UemRecord
        In the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    report = Report(display_name(path))
    parser = UemParser(report, strip_names=strip_names, exact=exact)
    for _, text in read_lines(path, report, encoding):
        record = None if is_comment(text) else parser.parse(text)
        if record is not None:
            yield record


def read_uem(path: StrPath, *, strip_names: bool = False, encoding: str | None = None) -> UemTable:
    """Read a UEM file into columns.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    strip_names : bool, default False
        Remove directories, and everything from the first dot to the next, as md-eval does.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    UemTable
        All regions, in the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    report = Report(display_name(path))
    parser = UemParser(report, strip_names=strip_names)
    table = UemTable()
    for line, text in read_lines(path, report, encoding):
        record = None if is_comment(text) else parser.parse(text)
        if record is not None:
            table.append(record, line)
    return table


def write_uem(path: StrPath, records: Iterable[UemRecord[Any]], *, digits: int | None = 3, sort: bool = False) -> None:
    """Write a UEM file in its strictest form.

    Parameters
    ----------
    path : path-like or str
        File; written under another name first, then renamed. ``-`` is standard output.
    records : iterable of UemRecord
        What to write, e.g. a `UemTable`.
    digits : int or None, default 3
        Decimals of the times; None writes the shortest exact form. A `Decimal` is always written as it is.
    sort : bool, default False
        Sort by file, channel and start.

    Raises
    ------
    WriteError
        If a region would not read back: a name with a blank, an empty region, one that overlaps another.
    InputError
        If the file cannot be written.
    """
    if sort:
        records = sorted(records, key=lambda region: (region.file, region.channel, region.start))
    write_lines(path, uem_lines(display_name(path), records, digits))


def uem_lines(name: str, records: Iterable[UemRecord[Any]], digits: int | None) -> Iterator[str]:
    """Give lines that read back as the same regions."""
    parser = UemParser(Report(name))
    for i, record in enumerate(records, 1):
        try:
            check_token("file", record.file)
            check_token("channel", record.channel)
            check_not_comment(record.file)
            text = " ".join(
                (
                    record.file,
                    record.channel,
                    format_time(record.start, digits),
                    format_time(record.end, digits),
                )
            )
            parser.report.at(i)
            parser.parse(text)
        except FormatError as error:
            raise WriteError(name, i, error.what, error.fix) from None
        except ValueError as error:
            raise WriteError(name, i, str(error)) from None
        yield text
