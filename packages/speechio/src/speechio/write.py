"""Writing: whole files or none, and values that read back."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
import sys
from typing import IO, TYPE_CHECKING

from speechio.errors import InputError
from speechio.fields import BLANK, Number, describe, is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from gzip import GzipFile

    from speechio.text import StrPath

__all__ = [
    "check_id",
    "check_not_comment",
    "check_text",
    "check_token",
    "check_value",
    "format_number",
    "format_time",
    "write_lines",
    "write_token",
]

_log = logging.getLogger(__name__)

_NOT_IN_TOKEN = re.compile(r"[ \t\r\n\0]")
_LINES_AT_ONCE = 10_000

STDOUT = "<stdout>"
"""Name of standard output in messages."""


def write_lines(path: StrPath, lines: Iterable[str]) -> None:
    """Write lines as UTF-8 with LF; the file is there whole or, after a fault, as it was before.

    Parameters
    ----------
    path : path-like or str
        File; ``-`` is standard output. A name that ends in ``.gz`` is written as gzip, without name and time,
        so that the same lines give the same bytes.
    lines : iterable of str
        Lines without their ends.

    Raises
    ------
    InputError
        If the file cannot be written.

    Notes
    -----
    The lines go to a file beside `path`, which then takes its place. A symbolic link stays one; what it points
    to is written. A file with several names (hard links) is written under the given one; the others keep the
    content as it was, since such names are mostly copies to go back to, and a warning is logged.
    """
    name = os.fspath(path)
    if name == "-":
        if sys.stdout is None:
            raise InputError(STDOUT, "is closed", "name a file")
        try:
            _write_to(sys.stdout.buffer, lines)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(STDOUT, f"cannot be written: {error.strerror or error}", "", error.errno) from error
        return
    target = os.path.realpath(name)
    is_gzip = any(end.lower().endswith(".gz") for end in (name, target))
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            _write_file(target, lines, is_gzip=is_gzip)
        else:
            _replace(name, target, lines, is_gzip=is_gzip)
    except OSError as error:
        raise InputError(name, f"cannot be written: {error.strerror or error}", "", error.errno) from error


def _replace(name: str, target: str, lines: Iterable[str], *, is_gzip: bool) -> None:
    """Write a file beside the target and let it take the place of the target."""
    if os.path.islink(target):  # it has no end, hence is one of links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    place = f"{target}.{os.getpid()}.part"
    n_names = 1
    try:
        _write_file(place, lines, is_gzip=is_gzip)
        if os.path.exists(target):
            before = os.stat(target)
            n_names = before.st_nlink
            os.chmod(place, stat.S_IMODE(before.st_mode))
        os.replace(place, target)
    finally:
        if os.path.exists(place):
            os.unlink(place)
    if n_names > 1:
        _log.warning(
            "%s was one of %d names of one file (hard links); it is a file of its own now, and the content under "
            "the other %s is as it was before",
            name,
            n_names,
            "name" if n_names == 2 else "names",
        )


def _write_file(place: str, lines: Iterable[str], *, is_gzip: bool) -> None:
    with open(place, "wb") as stream:
        if not is_gzip:
            _write_to(stream, lines)
            return
        from gzip import GzipFile

        with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as packed:
            _write_to(packed, lines)


def _write_to(stream: IO[bytes] | GzipFile, lines: Iterable[str]) -> None:
    waiting: list[str] = []
    for line in lines:
        waiting.append(line)
        if len(waiting) == _LINES_AT_ONCE:
            stream.write(("\n".join(waiting) + "\n").encode())
            waiting.clear()
    if waiting:
        stream.write(("\n".join(waiting) + "\n").encode())


def write_token(noun: str, value: str | None) -> str:
    """Give a field that is one token; None is ``<NA>``.

    Parameters
    ----------
    noun : str
        What the field is, for the message.
    value : str or None
        Its value.

    Returns
    -------
    str
        The field as written.

    Raises
    ------
    ValueError
        If the value is empty, has a blank or a line break, or would read back as missing.
    """
    if value is None:
        return "<NA>"
    if not value:
        raise ValueError(f"the {noun} is empty; None is written as <NA>")
    if is_missing(value):
        raise ValueError(f"the {noun} is the text {value!r}, which reads back as missing; use None")
    check_token(noun, value)
    return value


def check_token(noun: str, value: str) -> None:
    """Refuse a text that is not one field.

    Parameters
    ----------
    noun : str
        What the field is, for the message.
    value : str
        Its value.

    Raises
    ------
    ValueError
        If the value is empty, has a blank or a line break, or cannot be written as UTF-8.
    """
    if not value:
        raise ValueError(f"the {noun} is empty")
    if _NOT_IN_TOKEN.search(value):
        raise ValueError(f"the {noun} {value!r} has a blank (space) or a line break; replace it, e.g. by '_'")
    check_text(noun, value)


def check_text(noun: str, value: str) -> None:
    """Refuse a text that cannot stand in a line.

    Parameters
    ----------
    noun : str
        What the text is, for the message.
    value : str
        The text.

    Raises
    ------
    ValueError
        If it has a line break, a NUL or half of a surrogate pair.
    """
    if "\n" in value or "\r" in value or "\0" in value:
        raise ValueError(f"the {noun} {value!r} has a line break or a NUL")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"the {noun} {value!r} has half of a surrogate pair; it is no UTF-8") from None


def check_value(noun: str, value: str) -> None:
    """Refuse a text that cannot be the value of a table.

    Parameters
    ----------
    noun : str
        What the text is, for the message.
    value : str
        The text.

    Raises
    ------
    ValueError
        If it has a line break, or a blank at its begin or end, which reading removes.
    """
    check_text(noun, value)
    if value != value.strip(" \t"):
        raise ValueError(f"the {noun} begins or ends with a blank, which reading removes")


def check_not_comment(name: str) -> None:
    """Refuse a name that makes a comment of the line that it begins.

    Parameters
    ----------
    name : str
        First field of a line.

    Raises
    ------
    ValueError
        If it begins with ``;`` or ``#``, or with a byte order mark.
    """
    if name.startswith((";", "#", "\ufeff")):
        raise ValueError(f"the name {name!r} at the start of a line would not read back: it begins a comment")


def check_id(noun: str, value: str) -> None:
    """Refuse a text that cannot be the ID of a table.

    Parameters
    ----------
    noun : str
        What the ID is of, for the message.
    value : str
        The ID.

    Raises
    ------
    ValueError
        If it is not one field, or has a Unicode blank.
    """
    check_token(noun, value)
    found = BLANK.search(value)
    if found is not None:
        raise ValueError(f"the {noun} {value!r} has {describe(found.group())}")


def format_number(value: Number) -> str:
    """Write a number in its shortest exact form.

    Parameters
    ----------
    value : int, float or Decimal
        The number.

    Returns
    -------
    str
        Digits, with a decimal point where there is a fraction, never an exponent.

    Raises
    ------
    ValueError
        If it is not finite.

    Examples
    --------
    >>> format_number(1e-05), format_number(3.0)
    ('0.00001', '3.0')
    """
    from decimal import Decimal

    if isinstance(value, bool) or not (isinstance(value, Decimal) or hasattr(value, "__float__")):
        raise ValueError(f"{value!r} is no number")
    if isinstance(value, Decimal):
        exact = value
    elif hasattr(value, "__index__"):  # whole numbers, those of numpy included
        exact = Decimal(int(value))
    else:
        exact = Decimal(repr(float(value)))
    if not exact.is_finite():
        raise ValueError(f"the number {value} is not finite")
    return format(exact, "f")


def format_time(value: Number, digits: int | None) -> str:
    """Write a time.

    Parameters
    ----------
    value : int, float or Decimal
        Seconds.
    digits : int or None
        Decimals of a float; None for the shortest exact form. A `Decimal` is written as it is.

    Returns
    -------
    str
        The number; never a negative zero, which is no time.

    Raises
    ------
    ValueError
        If it is not finite.
    """
    if digits is None or not isinstance(value, (int, float)):
        text = format_number(value)
    else:
        text = f"{value:.{digits}f}"
        if text.strip("-.0123456789"):
            raise ValueError(f"the time {value} is not finite")
    return text.removeprefix("-") if text.startswith("-") and not text.strip("-.0") else text
