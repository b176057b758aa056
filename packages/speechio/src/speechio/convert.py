"""Changing files: what ``speechio fix`` and ``speechio convert`` do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from speechio.data_dir import DIR_FILES
from speechio.errors import FormatError, InputError, Report, UsageError
from speechio.fields import split
from speechio.kaldi import TABLES, read_reco2dur, read_utt2spk
from speechio.rttm_line import RttmRecord
from speechio.segments import iter_segments
from speechio.text import StrPath, display_name, read_lines
from speechio.write import format_number, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

__all__ = ["fix_file", "jsonl_to_scp", "scp_to_jsonl", "segments_to_rttm"]


def fix_file(path: StrPath, out: StrPath, format: str) -> None:  # noqa: A002
    """Mend what can be mended without losing anything: mark, line ends, sorting, blanks at line ends.

    Tables of an ID and a value are sorted by ID as the C locale sorts, and their blank lines go. The files of
    a directory are mended one by one. Everything else stays as it is, faults too.

    Parameters
    ----------
    path : path-like or str
        File or directory; ``-`` is standard input.
    out : path-like or str
        Where to write; ``-`` is standard output.
    format : str
        One of `speechio.guess.FORMATS`.

    Raises
    ------
    FormatError
        For faults of the text layer, which cannot be mended so.
    InputError
        If a file cannot be read or written, or a data directory is none.
    UsageError
        If a directory is to be written to standard output.
    """
    if format == "kaldi-dir":
        if os.fspath(out) == "-":
            raise UsageError("a data directory cannot be written to standard output; name a directory")
        names = _files_of(os.fspath(path))
        try:
            os.makedirs(out, exist_ok=True)
        except OSError as error:
            raise InputError(os.fspath(out), f"cannot be made: {error.strerror}", "", error.errno) from error
        for name in names:
            fix_file(os.path.join(path, name), os.path.join(out, name), name)
        return
    lines = [text.rstrip(" \t") for _, text in read_lines(path, Report(display_name(path)))]
    if format in TABLES:
        lines = sorted((text for text in lines if text), key=lambda text: split(text)[0])
    write_lines(out, lines)


def _files_of(folder: str) -> list[str]:
    """Give the known files of a data directory; there must be one."""
    try:
        present = set(os.listdir(folder))
    except (OSError, ValueError) as error:
        raise InputError(folder, f"is no directory that can be read: {error}") from None
    names = [name for name in DIR_FILES if name in present]
    if not names:
        raise InputError(folder, "is a directory without any file of a Kaldi data directory", "name a file in it")
    return names


def segments_to_rttm(path: StrPath) -> Iterator[RttmRecord[Decimal]]:
    """Turn ``segments`` and ``utt2spk`` into turns.

    Parameters
    ----------
    path : path-like or str
        Data directory, or its ``segments``; ``utt2spk`` is beside it, ``reco2dur`` where a segment is open.

    Yields
    ------
    RttmRecord
        One SPEAKER record a segment. Channels of segments count from 0, those of RTTM from 1.

    Raises
    ------
    FormatError
        If a file is wrong, a segment has no speaker, or an open one no known end.
    InputError
        If a file cannot be read.
    """
    from decimal import Decimal

    given = os.fspath(path)
    folder = given if os.path.isdir(given) else os.path.dirname(given)
    file = os.path.join(folder, "segments") if folder == given else given
    speakers = read_utt2spk(os.path.join(folder, "utt2spk"))
    lengths_file = os.path.join(folder, "reco2dur")
    lengths = read_reco2dur(lengths_file) if os.path.exists(lengths_file) else {}
    for segment in iter_segments(file, exact=True):
        if segment.utt not in speakers:
            what = f"the utterance {segment.utt} has no speaker in utt2spk"
            raise FormatError(file, None, "K031", what, "add it to utt2spk")
        end = segment.end
        if end is None:
            if segment.rec not in lengths:
                what = f"the segment {segment.utt} goes to the end of {segment.rec}, whose duration is not known"
                raise FormatError(file, None, "K113", what, "add reco2dur")
            end = Decimal(repr(lengths[segment.rec]))
        channel = "1" if segment.channel is None else str(segment.channel + 1)
        yield RttmRecord(
            "SPEAKER", segment.rec, channel, segment.start, end - segment.start, speaker=speakers[segment.utt]
        )


def scp_to_jsonl(path: StrPath, id_field: str, value_field: str) -> Iterator[dict[str, Any]]:
    """Turn the lines of an SCP file into objects of two fields.

    Parameters
    ----------
    path : path-like or str
        SCP file.
    id_field, value_field : str
        Names of the two fields.

    Yields
    ------
    dict
        ID and value.

    Raises
    ------
    FormatError
        If the file is wrong.
    InputError
        If it cannot be read.
    UsageError
        If the two names are the same.
    """
    from speechio.scp import iter_scp

    if id_field == value_field:
        raise UsageError(f"ID and value are both named {id_field!r}")
    for key, value in iter_scp(path):
        yield {id_field: key, value_field: value}


def jsonl_to_scp(path: StrPath, id_field: str, value_field: str) -> Iterator[tuple[str, str]]:
    """Turn objects that have exactly two fields into IDs and values; nothing is dropped.

    Parameters
    ----------
    path : path-like or str
        JSONL file.
    id_field, value_field : str
        Names of the two fields. Text stays as it is, numbers are written in digits.

    Yields
    ------
    id : str
        ID.
    value : str
        Value.

    Raises
    ------
    FormatError
        If the file is wrong, has other fields, or values that are neither text nor numbers.
    InputError
        If it cannot be read.
    """
    from speechio.jsonl import JsonlParser

    report = Report(display_name(path))
    for line, record in JsonlParser(report, id_field=id_field, schema={value_field: (str, float)}).rows(path):
        others = sorted(set(record) - {id_field, value_field})
        report.at(line, report.source)
        if others:
            what = f"the field {others[0]!r} has no place in an SCP file, which has an ID and a value"
            report.error("J008", what, "remove it first, or name the two fields: --id-field, --value-field")
        key = record[id_field]
        if not isinstance(key, str):
            report.error("J008", f"the field {id_field!r} is {key!r}, not text; it is the ID", "write it as text")
        value = record[value_field]
        yield key, value if isinstance(value, str) else format_number(value)
