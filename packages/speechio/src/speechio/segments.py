"""``segments``: which part of a recording an utterance is, ``utt rec start end [channel]``, in seconds."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from speechio.columns import ColumnTable, TextColumn, or_nan, or_none
from speechio.errors import Report
from speechio.fields import Number, number, number_fault, split
from speechio.rttm_line import Time
from speechio.scp import Table, TableParser
from speechio.text import StrPath, display_name
from speechio.write import check_id, format_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

__all__ = ["Segment", "SegmentTable", "iter_segments", "read_segments", "segments_table", "write_segments"]


@dataclass(frozen=True, slots=True)
class Segment(Generic[Time]):
    """One line of ``segments``.

    Attributes
    ----------
    utt, rec : str
        Utterance and recording.
    start : float or Decimal
        Seconds, >= 0.
    end : float or Decimal or None
        Seconds, > `start`; None, written ``-1``, is the end of the recording.
    channel : int or None
        Channel, from 0.
    """

    utt: str
    rec: str
    start: Time
    end: Time | None
    channel: int | None = None

    def __class_getitem__(cls, _: object) -> object:
        return cls  # an alias would set an attribute on its instances, which frozen slots of 3.11 cannot take


class SegmentTable(ColumnTable["Segment[float]"]):
    """Segments in columns; a sequence of `Segment`.

    Attributes
    ----------
    utt, rec : TextColumn
        Utterance and recording.
    start, end : array of float64
        Seconds; the end is NaN where it is that of the recording.
    channel : array of int32
        Channel; -1 where none is given.
    line : array of int64
        Line of each segment, from 1.
    """

    __slots__ = ("channel", "end", "rec", "start", "utt")

    def __init__(self) -> None:
        super().__init__()
        self.utt = TextColumn()
        self.rec = TextColumn()
        self.start: array[float] = array("d")
        self.end: array[float] = array("d")
        self.channel: array[int] = array("i")

    def append(self, record: Segment[float], line: int) -> None:
        """Add a segment.

        Parameters
        ----------
        record : Segment
            The segment.
        line : int
            Its line.
        """
        self.line.append(line)
        self.utt.append(record.utt)
        self.rec.append(record.rec)
        self.start.append(record.start)
        self.end.append(or_nan(record.end))
        self.channel.append(-1 if record.channel is None else record.channel)

    def record(self, row: int) -> Segment[float]:
        """Make the record of a row.

        Parameters
        ----------
        row : int
            Row, from 0.

        Returns
        -------
        Segment
            The same as `iter_segments` gives for this line.
        """
        channel = self.channel[row]
        return Segment(
            self.utt[row] or "",
            self.rec[row] or "",
            self.start[row],
            or_none(self.end[row]),
            None if channel < 0 else channel,
        )


def segments_table(*, exact: bool = False) -> Table[Segment[Any]]:
    """Say what ``segments`` is like.

    Parameters
    ----------
    exact : bool, default False
        Give times as `decimal.Decimal`.

    Returns
    -------
    Table of Segment
        The table.
    """
    if exact:
        from decimal import Decimal

        return Table("segments", lambda report, key, rest: _parse(report, key, rest, Decimal), _form(None), "fixed")
    return Table("segments", lambda report, key, rest: _parse(report, key, rest, float), _form(None), "fixed")


def _parse(report: Report, key: str, rest: str, kind: Any) -> Segment[Any]:  # noqa: ANN401 (float or Decimal)
    fields = split(rest)
    if not 3 <= len(fields) <= 4:
        n_fields = len(fields) + 1
        what = f"{n_fields} field{'s' * (n_fields != 1)}, wanted 4 or 5: utterance recording start end [channel]"
        report.error("K011", what)
        return Segment(key, "", 0.0, None)
    start, end = (
        _time(report, key, noun, field, kind) for noun, field in zip(("start", "end"), fields[1:], strict=False)
    )
    if start is not None and start < 0:
        report.error("K012", f"the start of {key} is {fields[1]}; it must not be negative")
    elif end == -1:
        what = f"the end of {key} is {fields[2]}: until the end of the recording"
        report.warning("K113", what, "write the time itself; Kaldi's extractor takes -1, its validator refuses it")
        end = None
    elif start is not None and end is not None and not start < end:
        what = f"the end of {key}, {fields[2]}, is not after its start, {fields[1]}"
        report.error("K012", what, "the third and fourth fields are start and end, in seconds")
    channel = fields[3] if len(fields) == 4 else None
    if channel is not None and not (channel.isascii() and channel.isdigit() and len(channel) < 10):
        report.error("K011", f"the channel of {key} is {channel!r}, not a whole number", "count channels from 0")
        channel = None
    return Segment(key, fields[0], start, end, None if channel is None else int(channel))


def _time(report: Report, key: str, noun: str, field: str, kind: Any) -> Number:  # noqa: ANN401
    if number(field) is None:
        what, fix = number_fault(field)
        report.error("K012", f"the {noun} of {key} is {what}", fix)
        return None
    return kind(field)


def _form(digits: int | None) -> Any:  # noqa: ANN401 (a callable)
    """Make the function that gives the rest of a line."""

    def form(record: Segment[Any]) -> str:
        check_id("recording", record.rec)
        end = "-1" if record.end is None else format_time(record.end, digits)
        if record.end is not None and number(end) == -1:
            raise ValueError(f"the end of {record.utt} is {end}, the mark of an open end; None is written so")
        channel = "" if record.channel is None else f" {record.channel}"
        return f"{record.rec} {format_time(record.start, digits)} {end}{channel}"

    return form


@overload
def iter_segments(
    path: StrPath, *, exact: Literal[False] = False, encoding: str | None = None
) -> Iterator[Segment[float]]: ...
@overload
def iter_segments(
    path: StrPath, *, exact: Literal[True], encoding: str | None = None
) -> Iterator[Segment[Decimal]]: ...
def iter_segments(path: StrPath, *, exact: bool = False, encoding: str | None = None) -> Iterator[Segment[Any]]:
    """Read a ``segments`` file segment by segment; the IDs so far are remembered, since they must not repeat.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    exact : bool, default False
        Give times as `decimal.Decimal`, so that writing back changes nothing.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    Segment
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
    for _, _, record in TableParser(segments_table(exact=exact), Report(display_name(path))).rows(path, encoding):
        yield record


def read_segments(path: StrPath, *, encoding: str | None = None) -> SegmentTable:
    """Read a ``segments`` file into columns.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    SegmentTable
        All segments, in the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    table = SegmentTable()
    for line, _, record in TableParser(segments_table(), Report(display_name(path))).rows(path, encoding):
        table.append(record, line)
    return table


def write_segments(
    path: StrPath, records: Iterable[Segment[Any]], *, digits: int | None = None, sort: bool = False
) -> None:
    """Write a ``segments`` file.

    Parameters
    ----------
    path : path-like or str
        File; written under another name first, then renamed. ``-`` is standard output.
    records : iterable of Segment
        What to write, e.g. a `SegmentTable`.
    digits : int or None, optional
        Decimals of the times; None writes the shortest exact form. A `Decimal` is always written as it is.
    sort : bool, default False
        Sort by utterance as the C locale does.

    Raises
    ------
    WriteError
        If a segment would not read back: an ID with a blank, an end that is not after the start.
    InputError
        If the file cannot be written.
    """
    table = Table("segments", segments_table().parse, _form(digits), "fixed")
    table.write(path, ((record.utt, record) for record in records), sort=sort)
