"""Parsed records for the command line: as JSON values, or as the lines of the strictest form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from speechio.errors import Report, UsageError
from speechio.guess import FORMATS
from speechio.kaldi import TABLES, read_language
from speechio.scp import TableParser
from speechio.segments import Segment
from speechio.text import StrPath, display_name
from speechio.wav_scp import WavLocation

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["dump_json", "dump_lines"]

_RTTM = ("type", "file", "channel", "onset", "duration", "ortho", "subtype", "speaker", "confidence", "slat")


def dump_json(path: StrPath, format: str, *, pad: bool = False, sample_rate: float | None = None) -> Any:  # noqa: A002, ANN401
    """Read a file and give its records as values of JSON.

    Parameters
    ----------
    path : path-like or str
        File or directory; ``-`` is standard input.
    format : str
        One of `speechio.guess.FORMATS`.
    pad : bool, default False
        As in `speechio.read_rttm`.
    sample_rate : float, optional
        As in `speechio.read_rttm`, in Hz.

    Returns
    -------
    list or dict or str
        A list of records; of a directory a dict of file to list; of ``language`` the token.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If the format is unknown.
    """
    if format == "rttm":
        from speechio.rttm import iter_rttm

        records = iter_rttm(path, pad=pad, sample_rate=sample_rate)
        return [{name: getattr(record, name) for name in _RTTM} for record in records]
    if format == "uem":
        from speechio.uem import iter_uem

        names = ("file", "channel", "start", "end")
        return [{name: getattr(record, name) for name in names} for record in iter_uem(path)]
    if format == "jsonl":
        from speechio.jsonl import read_jsonl

        return read_jsonl(path)
    if format == "language":
        return read_language(path)
    if format == "kaldi-dir":
        from speechio.data_dir import agree, load

        tables = load(path, None)
        agree(tables)
        return {
            name: [_json(key, value) for key, value in table.values.items()]
            if name != "language"
            else table.values["language"]
            for name, table in tables.items()
        }
    parser = TableParser(_table(format), Report(display_name(path)))
    return [_json(key, value) for _, key, value in parser.rows(path)]


def dump_lines(
    path: StrPath,
    format: str,  # noqa: A002
    *,
    pad: bool = False,
    sample_rate: float | None = None,
) -> Iterator[str]:
    """Read a file and give its records as lines of the strictest form; numbers are written as they are.

    Parameters
    ----------
    path : path-like or str
        File or directory; ``-`` is standard input.
    format : str
        One of `speechio.guess.FORMATS`.
    pad : bool, default False
        As in `speechio.read_rttm`.
    sample_rate : float, optional
        As in `speechio.read_rttm`, in Hz.

    Yields
    ------
    str
        Line without its end; those of a directory begin with the name of the file and a tab.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If the format is unknown.
    """
    if format == "rttm":
        from speechio.rttm import iter_rttm
        from speechio.rttm_write import RttmWriter

        yield from RttmWriter(display_name(path), None).lines(
            iter_rttm(path, exact=True, pad=pad, sample_rate=sample_rate)
        )
    elif format == "uem":
        from speechio.uem import iter_uem, uem_lines

        yield from uem_lines(display_name(path), iter_uem(path, exact=True), None)
    elif format == "jsonl":
        from speechio.jsonl import iter_jsonl, jsonl_lines

        yield from jsonl_lines(display_name(path), iter_jsonl(path))
    elif format == "language":
        yield read_language(path)
    elif format == "kaldi-dir":
        from speechio.data_dir import agree, load

        tables = load(path, None)
        agree(tables)
        for name, loaded in tables.items():
            if name == "language":
                yield f"{name}\t{loaded.values['language']}"
            else:
                for line in TABLES[name].lines(name, loaded.values.items()):
                    yield f"{name}\t{line}"
    else:
        table = _table(format)
        rows = TableParser(table, Report(display_name(path))).rows(path)
        yield from table.lines(display_name(path), ((key, value) for _, key, value in rows))


def _table(format: str) -> Any:  # noqa: A002, ANN401 (a table of any value)
    if format not in TABLES:
        raise UsageError(f"unknown format {format!r}; formats: {' '.join(FORMATS)}")
    return TABLES[format]


def _json(key: str, value: object) -> Any:  # noqa: ANN401
    """Give a line of a table as JSON: a record that has its ID as an object, any other as a pair."""
    if isinstance(value, WavLocation):
        names = ("id", "kind", "path", "command", "offset", "range")
        return {name: getattr(value, name) for name in names if getattr(value, name) is not None}
    if isinstance(value, Segment):
        segment = {"utt": value.utt, "rec": value.rec, "start": value.start, "end": value.end}
        return segment if value.channel is None else {**segment, "channel": value.channel}
    return [key, list(value) if isinstance(value, tuple) else value]
