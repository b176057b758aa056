"""Which format a file is in: from its name, else from its content."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from speechio.data_dir import DIR_FILES
from speechio.errors import FormatError, Report, UsageError
from speechio.fields import number, split
from speechio.kaldi import TABLES
from speechio.rttm_line import is_comment
from speechio.rttm_types import SUBTYPES
from speechio.text import StrPath, display_name, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FORMATS", "guess_format"]

FORMATS = ("rttm", "uem", *TABLES, "language", "jsonl", "kaldi-dir")
"""Names of all formats, as ``--format`` takes them."""

_BY_SUFFIX = {".rttm": "rttm", ".uem": "uem", ".jsonl": "jsonl", ".scp": "scp"}


def guess_format(path: StrPath) -> tuple[str, str]:
    """Guess the format of a file.

    Parameters
    ----------
    path : path-like or str
        File or directory. The content is looked at only where the name does not tell.

    Returns
    -------
    format : str
        One of `FORMATS`.
    source : {"name", "content"}
        What told it.

    Raises
    ------
    InputError
        If the content is needed and cannot be read.
    UsageError
        If the content is needed and can be read only once: standard input, a pipe, a device.
    """
    if os.fspath(path) == "-":
        raise UsageError("standard input needs its format named (--format)")
    name = os.path.basename(os.fspath(path))
    name = name.removesuffix(".gz")
    if os.path.isdir(path):
        return "kaldi-dir", "name"
    if name in TABLES or name in DIR_FILES:
        return name, "name"
    known = _BY_SUFFIX.get(os.path.splitext(name)[1].lower())
    if known is not None:
        return known, "name"
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(f"{display_name(path)} is no regular file and needs its format named (--format)")
    return _from_content(path), "content"


def _from_content(path: StrPath) -> str:
    """Look at the first line that is neither blank nor a comment."""
    lines = read_lines(path, Report(display_name(path)))
    try:
        text = next(_records(lines), "")
    except FormatError:
        return "scp"
    fields = split(text)
    if not fields:
        return "scp"
    if fields[0][0] in "{[":
        return "jsonl"
    if fields[0].upper() in SUBTYPES and len(fields) >= 5:
        return "rttm"
    if len(fields) == 4 and number(fields[2]) is not None and number(fields[3]) is not None:
        return "uem" if len(fields[1]) == 1 else "segments"
    return "scp"


def _records(lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    return (text for _, text in lines if not is_comment(text))
