"""JSONL: one JSON object a line. Blank lines are skipped; ``NaN`` and a key twice are refused."""

from __future__ import annotations

import json
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any

from speechio.errors import FormatError, Report, WriteError
from speechio.fields import hidden, warn_hidden
from speechio.text import StrPath, display_name, read_lines
from speechio.write import write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["JsonlParser", "iter_jsonl", "read_jsonl", "write_jsonl"]

_BLANKS = " \t"
_NAMES: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


class _RefusedError(ValueError):
    """What the hooks of the decoder raise; has a code and a fix."""

    def __init__(self, code: str, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.fix = fix


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _RefusedError("J005", f"the key {twice!r} is in one object twice", "keep one of them")
    return made


def _constant(name: str) -> float:
    raise _RefusedError("J004", f"{name} is not JSON", "write null, and say elsewhere why there is no number")


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _RefusedError("J004", f"the number {text} is too large for a float, hence Infinity", "")
    return value


_DECODER = JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


class JsonlParser:
    """Parse lines of one JSONL file; tell a `Report` of everything that is wrong with them.

    Parameters
    ----------
    report : Report
        Where faults go.
    id_field : str, optional
        Field whose values must differ from line to line.
    schema : mapping of str to type or tuple of types, optional
        Fields that every object must have, and their types. An `int` passes for `float`, a `bool` does not.
    """

    def __init__(
        self,
        report: Report,
        *,
        id_field: str | None = None,
        schema: Mapping[str, type | tuple[type, ...]] | None = None,
    ) -> None:
        self.report = report
        self.id_field = id_field
        self.schema: dict[str, Any] = dict(schema or {})
        self._line_of: dict[str, int] = {}

    def rows(self, path: StrPath, encoding: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
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
        record : dict
            The object.

        Raises
        ------
        FormatError
            At the first error when the file is read; J006 and faults of the text layer always.
        """
        lines = ((number, text) for number, text in read_lines(path, self.report, encoding) if text.strip(_BLANKS))
        first = next(lines, None)
        if first is None:
            return
        # Whether the file is one array or one spread object shows at its first two lines.
        source = self.report.source
        second = None if _is_object(first[1]) else next(lines, None)
        self._refuse_one_value(first, second, source)
        for number, text in filter(None, (first, second)):
            self.report.at(number, text)
            record = self.parse(text)
            if record is not None:
                yield number, record
        for number, text in lines:
            record = self.parse(text)
            if record is not None:
                yield number, record

    def parse(self, text: str) -> dict[str, Any] | None:
        """Parse a line.

        Parameters
        ----------
        text : str
            The line, not blank.

        Returns
        -------
        dict or None
            The object; None when the line is wrong and the file is only checked.

        Raises
        ------
        FormatError
            When the line is wrong and the file is read.
        """
        report = self.report
        n_errors = report.n_errors
        record = self._decode(text)
        if record is None:
            return None
        if hidden(text):
            warn_hidden(report, text)
        self._look(record)
        return record if report.n_errors == n_errors else None

    def _decode(self, text: str) -> dict[str, Any] | None:
        report = self.report
        start = len(text) - len(text.lstrip(_BLANKS))
        try:
            value, end = _DECODER.raw_decode(text, start)
        except JSONDecodeError as error:
            what = f"not JSON at column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
            report.error("J001", what, "", (error.pos, error.pos + 1))
            return None
        except _RefusedError as error:
            report.error(error.code, str(error), error.fix)
            return None
        except RecursionError:
            report.error("J001", "not JSON at column 1 that can be read: nested too deeply", "")
            return None
        except ValueError:
            report.error("J001", "not JSON that can be read: a number has thousands of digits", "write it shorter")
            return None
        rest = text[end:].strip(_BLANKS)
        if rest:
            self._second_value(text, end)
        elif not isinstance(value, dict):
            report.error("J003", f"{_name_of(value)}, not an object", "write one object a line: {…}")
        elif "\\ud" in text.lower() and not _is_encodable(value):
            report.error("J001", "not JSON at some column: half of a surrogate pair, no character", "")
        else:
            return value
        return None

    def _second_value(self, text: str, end: int) -> None:
        column = end + len(text[end:]) - len(text[end:].lstrip(_BLANKS)) + 1
        try:
            _DECODER.raw_decode(text, column - 1)
        except (ValueError, RecursionError):
            what = f"not JSON at column {column}: there is more after the value"
            self.report.error("J001", what, "", (column - 1, column))
        else:
            what = f"two values or more on one line; the second begins at column {column}"
            self.report.error("J002", what, "break the line there", (column - 1, column))

    def _look(self, record: dict[str, Any]) -> None:
        """Compare an object with the schema and the IDs so far."""
        for field, wanted in self.schema.items():
            types = wanted if isinstance(wanted, tuple) else (wanted,)
            names = " or ".join(_NAMES.get(kind, kind.__name__) for kind in types)
            if field not in record:
                self.report.error("J008", f"the field {field!r} is missing; it must be {names}")
            elif not _fits(record[field], types):
                self.report.error("J008", f"the field {field!r} is {_name_of(record[field])}; it must be {names}")
        if self.id_field is not None:
            if self.id_field not in record:
                self.report.error("J008", f"the field {self.id_field!r} is missing; it names the record")
                return
            value = json.dumps(record[self.id_field], sort_keys=True)
            first = self._line_of.setdefault(value, self.report.line or 0)
            if first != self.report.line:
                self.report.error("J007", f"the {self.id_field} {value} is on line {first} already")

    def _refuse_one_value(self, first: tuple[int, str], second: tuple[int, str] | None, source: str | None) -> None:
        """Raise J006 if the file is one array or one object over many lines."""
        text = first[1].strip(_BLANKS)
        if text[0] not in "[{":
            return
        is_array = text[0] == "["
        try:
            _DECODER.raw_decode(text)
            is_spread = False
        except JSONDecodeError as error:
            is_spread = error.pos >= len(text)
        except (ValueError, RecursionError):
            return
        goes_on = second is not None and (is_array or not second[1].lstrip(_BLANKS).startswith("{"))
        if (is_spread and goes_on) or (is_array and not is_spread and second is None):
            kind = "array" if is_array else "object over several lines"
            what = f"the file is one JSON {kind}, not JSONL: one object per line is wanted"
            fix = "jq -c '.[]' IN > OUT" if is_array else "jq -c . IN > OUT"
            raise FormatError(self.report.path, first[0], "J006", what, fix, source)


def _is_object(text: str) -> bool:
    """Say whether a line looks like a whole object, so that the next one need not be seen."""
    bare = text.strip(_BLANKS)
    return bare.startswith("{") and bare.endswith("}") and len(bare) > 1


def _is_encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _fits(value: object, types: tuple[type, ...]) -> bool:
    if isinstance(value, bool):
        return bool in types
    return isinstance(value, types) or (float in types and isinstance(value, int))


def _name_of(value: object) -> str:
    return _NAMES.get(type(value), type(value).__name__)


def iter_jsonl(
    path: StrPath,
    *,
    id_field: str | None = None,
    schema: Mapping[str, type | tuple[type, ...]] | None = None,
    encoding: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Read a JSONL file object by object.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    id_field : str, optional
        Field whose values must differ from line to line.
    schema : mapping of str to type or tuple of types, optional
        Fields that every object must have, and their types. An `int` passes for `float`, a `bool` does not.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    dict
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
    parser = JsonlParser(Report(display_name(path)), id_field=id_field, schema=schema)
    for _, record in parser.rows(path, encoding):
        yield record


def read_jsonl(
    path: StrPath,
    *,
    id_field: str | None = None,
    schema: Mapping[str, type | tuple[type, ...]] | None = None,
    encoding: str | None = None,
) -> list[dict[str, Any]]:
    """Read a whole JSONL file.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    id_field : str, optional
        Field whose values must differ from line to line.
    schema : mapping of str to type or tuple of types, optional
        Fields that every object must have, and their types. An `int` passes for `float`, a `bool` does not.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    list of dict
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
    return list(iter_jsonl(path, id_field=id_field, schema=schema, encoding=encoding))


def write_jsonl(path: StrPath, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSONL file: one object a line, text as it is, no NaN.

    Parameters
    ----------
    path : path-like or str
        File; written under another name first, then renamed. ``-`` is standard output.
    records : iterable of mapping
        What to write.

    Raises
    ------
    WriteError
        If a record is no object, or has something that JSON has not: NaN, infinity, half of a surrogate pair,
        a key that is not text.
    InputError
        If the file cannot be written.
    """
    write_lines(path, jsonl_lines(display_name(path), records))


def jsonl_lines(name: str, records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for i, record in enumerate(records, 1):
        try:
            text = json.dumps(dict(record), ensure_ascii=False, allow_nan=False)
            text.encode()
            is_same = _DECODER.decode(text) == dict(record)
        except (ValueError, TypeError, RecursionError) as error:
            raise WriteError(name, i, f"it is not JSON: {error}") from None
        if not is_same:
            raise WriteError(name, i, "it would not read back the same: a key that is not text, or a tuple")
        yield text
