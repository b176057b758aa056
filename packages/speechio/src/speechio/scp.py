"""Tables of an ID and a value, one pair a line: SCP files, and the machinery of all Kaldi tables.

The first run of spaces and tabs splits a line; the value keeps its inner blanks, and an ID alone has an empty
value. Blank lines are skipped; there are no comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from speechio.errors import FormatError, Report, WriteError
from speechio.fields import BLANK, CONTROL, describe, hidden, number, number_fault, span_of, split, warn_hidden
from speechio.text import StrPath, display_name, read_lines
from speechio.write import check_id, check_value, write_lines

if TYPE_CHECKING:
    from speechio.errors import Span

__all__ = ["SCP", "Entry", "Items", "Table", "TableParser", "iter_scp", "read_scp", "write_scp"]

Value = TypeVar("Value")

_GAP = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class Entry(Generic[Value]):
    """One line of a table; unpacks into ID and value.

    Attributes
    ----------
    id : str
        First field.
    value : object
        The rest of the line: text, a number, … as the table has it.
    """

    id: str
    value: Value

    def __class_getitem__(cls, _: object) -> object:
        return cls  # an alias would set an attribute on its instances, which frozen slots of 3.11 cannot take

    def __iter__(self) -> Iterator[Any]:
        yield self.id
        yield self.value


Items = Mapping[str, Value] | Iterable[tuple[str, Value] | Entry[Value]]
"""What a writer of tables takes: a mapping, pairs or entries."""

ParseValue = Callable[[Report, str, str], Value]
"""Makes a value of (report, ID, rest of the line); tells the report of faults."""


class Table(Generic[Value]):
    """What one kind of table is like, and its three functions.

    Parameters
    ----------
    name : str
        Name of the kind, usually that of the file.
    parse : callable
        Makes a value of (report, ID, rest of the line); tells the report of faults.
    form : callable
        Makes the rest of the line of a value; raises `ValueError` for one that cannot be written.
    kind : {"text", "id", "fixed"}, default "text"
        What the rest of the line is. Free text may have Unicode blanks (T108), IDs (S004) and others (T008)
        may not.
    """

    def __init__(
        self,
        name: str,
        parse: ParseValue[Value],
        form: Callable[[Value], str],
        kind: Literal["text", "id", "fixed"] = "text",
    ) -> None:
        self.name = name
        self.parse = parse
        self.form = form
        self.kind = kind

    def iter(self, path: StrPath, *, encoding: str | None = None) -> Iterator[Entry[Value]]:
        """Read the table entry by entry; the IDs so far are remembered, since they must not repeat.

        Parameters
        ----------
        path : path-like or str
            File, gzip or not; ``-`` is standard input.
        encoding : str, optional
            What the file is in, if not UTF-8.

        Yields
        ------
        Entry
            ID and value, in the order of the file.

        Raises
        ------
        FormatError
            At the first line that is wrong.
        InputError
            If the file cannot be opened or read.
        UsageError
            If `encoding` is unknown.
        """
        parser = TableParser(self, Report(display_name(path)))
        for _, key, value in parser.rows(path, encoding):
            yield Entry(key, value)

    def read(self, path: StrPath, *, encoding: str | None = None) -> dict[str, Value]:
        """Read the whole table.

        Parameters
        ----------
        path : path-like or str
            File, gzip or not; ``-`` is standard input.
        encoding : str, optional
            What the file is in, if not UTF-8.

        Returns
        -------
        dict
            Value of each ID, in the order of the file.

        Raises
        ------
        FormatError
            At the first line that is wrong.
        InputError
            If the file cannot be opened or read.
        UsageError
            If `encoding` is unknown.
        """
        parser = TableParser(self, Report(display_name(path)))
        return {key: value for _, key, value in parser.rows(path, encoding)}

    def write(self, path: StrPath, records: Items[Value], *, sort: bool = False) -> None:
        """Write the table in its strictest form: one blank after the ID, LF, UTF-8.

        Parameters
        ----------
        path : path-like or str
            File; written under another name first, then renamed. ``-`` is standard output.
        records : mapping, or iterable of pairs or entries
            IDs and values.
        sort : bool, default False
            Sort by ID as the C locale does.

        Raises
        ------
        WriteError
            If a pair would not read back: an ID twice or with a blank, a line break in a value.
        InputError
            If the file cannot be written.
        """
        pairs: Iterable[Any] = records.items() if isinstance(records, Mapping) else records
        if sort:
            pairs = sorted(((key, value) for key, value in pairs), key=lambda pair: str(pair[0]))
        write_lines(path, self.lines(display_name(path), pairs))

    def lines(self, name: str, pairs: Iterable[tuple[str, Value]]) -> Iterator[str]:
        """Give lines that read back as the same pairs.

        Parameters
        ----------
        name : str
            Name of the file in messages.
        pairs : iterable of pairs
            IDs and values.

        Yields
        ------
        str
            Line without its end.

        Raises
        ------
        WriteError
            If a pair would not read back.
        """
        parser = TableParser(self, Report(name))
        for i, (key, value) in enumerate(pairs, 1):
            try:
                check_id("ID", key)
                rest = self.form(value)
                check_value(f"value of {key}", rest)
                text = f"{key} {rest}" if rest else key
                parser.report.at(i)
                parser.parse(text)
            except FormatError as error:
                raise WriteError(name, i, error.what, error.fix) from None
            except ValueError as error:
                raise WriteError(name, i, str(error)) from None
            yield text


class TableParser(Generic[Value]):
    """Parse lines of one table; tell a `Report` of everything that is wrong with them.

    Parameters
    ----------
    table : Table
        What the table is like.
    report : Report
        Where faults go.

    Attributes
    ----------
    line_of : dict of str to int
        Line of each ID so far.
    meant : set of str
        Words of the lines that have errors: IDs and values that they may mean. Only a check gets beyond the first.
    has_bare : bool
        Whether one of these lines is a single word, so that nobody knows what value it means.
    """

    def __init__(self, table: Table[Value], report: Report) -> None:
        self.table = table
        self.report = report
        self.line_of: dict[str, int] = {}
        self.meant: set[str] = set()
        self.has_bare = False
        self._previous = ""

    def rows(self, path: StrPath, encoding: str | None = None) -> Iterator[tuple[int, str, Value]]:
        """Give the lines without errors.

        Parameters
        ----------
        path : path-like or str
            File.
        encoding : str, optional
            What the file is in, if not UTF-8.

        Yields
        ------
        line : int
            Line, from 1.
        key : str
            ID.
        value : object
            Value.

        Raises
        ------
        FormatError
            At the first error when the file is read; for faults of the text layer always.
        """
        for line, text in read_lines(path, self.report, encoding):
            row = self.parse(text)
            if row is not None:
                yield line, row[0], row[1]

    def parse(self, text: str) -> tuple[str, Value] | None:
        """Parse a line.

        Parameters
        ----------
        text : str
            The line.

        Returns
        -------
        tuple of str and value, or None
            None for a blank line, and for a wrong one when the file is only checked.

        Raises
        ------
        FormatError
            When the line is wrong and the file is read.
        """
        report = self.report
        n_errors = report.n_errors
        bare = text.strip(" \t")
        if not bare:
            return None
        gap = _GAP.search(bare)
        key, rest = (bare, "") if gap is None else (bare[: gap.start()], bare[gap.end() :])
        if text[0] in " \t":
            report.warning("S106", f"there is a blank before the ID {key!r}", "remove it", (0, 1))
        if hidden(text):
            self._hidden(text, key, rest)
        start = text.index(key)
        column = len(text.rstrip(" \t")) - len(rest)
        report.span = (column, column + len(rest)) if rest else (start, start + len(key))
        value = self.table.parse(report, key, rest) if report.n_errors == n_errors else None
        first = self.line_of.setdefault(key, report.line or 0)
        if first != report.line:
            what = f"the ID {key!r} is on line {first} already"
            report.error("S002", what, "remove or rename one of them", span_of(text, 0))
        if report.n_errors != n_errors:
            words = split(BLANK.sub(" ", text))
            self.meant.update(words)
            self.has_bare = self.has_bare or len(words) < 2
            return None
        if key < self._previous:
            what = f"{key!r} comes after {self._previous!r}: not sorted by bytes, as the C locale sorts"
            fix = "LC_ALL=C sort IN > OUT, for tools that want it; speechio itself reads any order"
            report.warning("S103", what, fix, span_of(text, 0))
        self._previous = key
        return key, value  # type: ignore[return-value]  # the parser of the value told no error

    def _hidden(self, text: str, key: str, rest: str) -> None:
        """Look for Unicode blanks and control characters."""
        report = self.report
        start = text.index(key)
        found = BLANK.search(key)
        if found is not None:
            self._blank("S004", f"the ID {key!r}", found, start)
        found = CONTROL.search(key)
        if found is not None:
            warn_hidden(report, found.group(), start + found.start(), f"the ID {key!r}")
        column = len(text.rstrip(" \t")) - len(rest)
        if self.table.kind == "text":
            warn_hidden(report, rest, column)
        else:
            found = BLANK.search(rest)
            if found is not None:
                self._blank("S004" if self.table.kind == "id" else "T008", f"the field {rest!r}", found, column)

    def _blank(self, code: str, where: str, found: re.Match[str], start: int) -> None:
        what = f"{where} has {describe(found.group())}, which separates nothing"
        span: Span = (start + found.start(), start + found.end())
        self.report.error(code, what, "replace it by a plain space, or remove it", span)


def _parse_text(report: Report, key: str, rest: str) -> str:  # noqa: ARG001 (all value parsers take these)
    return rest


SCP: Table[str] = Table("scp", _parse_text, str)
"""Plain SCP: the value is text, and may be empty."""

iter_scp, write_scp = SCP.iter, SCP.write


@overload
def read_scp(path: StrPath, *, value: None = None, encoding: str | None = None) -> dict[str, str]: ...
@overload
def read_scp(path: StrPath, *, value: Callable[[str], Value], encoding: str | None = None) -> dict[str, Value]: ...
def read_scp(
    path: StrPath, *, value: Callable[[str], Any] | None = None, encoding: str | None = None
) -> dict[str, Any]:
    """Read a whole SCP file.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    value : callable, optional
        Makes a value of the text; may raise `ValueError`. ``float`` takes decimal numbers only, no
        ``nan``, ``inf`` or ``1_000``.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    dict
        Value of each ID, in the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong; S008 where `value` refuses the text.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    if value is None:
        return SCP.read(path, encoding=encoding)
    return Table("scp", _converter(value), str).read(path, encoding=encoding)


def _converter(value: Callable[[str], Any]) -> ParseValue[Any]:
    """Make a parser of values that takes decimal numbers only for ``float``."""

    def parse(report: Report, key: str, rest: str) -> object:
        if value is float:
            parsed = number(rest)
            if parsed is None:
                what, fix = number_fault(rest)
                report.error("S008", f"the value of {key} is {what}", fix)
            return parsed
        try:
            return value(rest)
        except ValueError as error:
            name = getattr(value, "__name__", repr(value))
            report.error("S008", f"the value of {key}, {rest!r}, is refused by {name}: {error}")
            return None

    return parse
