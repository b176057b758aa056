"""Fields of a line: splitting, numbers, characters that cannot be seen."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from speechio.errors import Report, Span

__all__ = [
    "BLANK",
    "CONTROL",
    "Number",
    "describe",
    "hidden",
    "is_missing",
    "number",
    "number_fault",
    "span_of",
    "split",
    "warn_hidden",
]

Number = Any
"""A `float` or a `decimal.Decimal`, as the caller asked; the public readers say which."""

_TOKEN = re.compile(r"[^ \t]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")

BLANK = re.compile("[\x85\xa0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]")
"""Blanks, line separators and zero-width blanks of Unicode; none of them separates fields or lines."""

CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Control characters other than tab, line feed, carriage return and NUL."""


def split(text: str) -> list[str]:
    r"""Split a line at runs of space and tab, and at nothing else.

    Parameters
    ----------
    text : str
        A line without its end.

    Returns
    -------
    list of str
        The fields.

    Examples
    --------
    >>> split("a \tb\u00a0c ")
    ['a', 'b\xa0c']
    """
    return _TOKEN.findall(text)


def span_of(text: str, first: int, last: int | None = None) -> Span | None:
    """Give the columns of a field, or of a row of fields.

    Parameters
    ----------
    text : str
        A line without its end.
    first : int
        Field, counted from 0.
    last : int, optional
        Last field of the row; `first` when not given.

    Returns
    -------
    tuple of int or None
        First column and the column after the last; None when there is no such field.
    """
    matches = list(_TOKEN.finditer(text))
    last = first if last is None else last
    if not 0 <= first <= last < len(matches):
        return None
    return matches[first].start(), matches[last].end()


def is_missing(field: str) -> bool:
    """Say whether a field is ``<NA>``, in any case of its letters.

    Parameters
    ----------
    field : str
        Field of a line.

    Returns
    -------
    bool
        True for ``<NA>``, ``<na>``, …

    Examples
    --------
    >>> is_missing("<Na>"), is_missing("NA")
    (True, False)
    """
    return len(field) == 4 and field.upper() == "<NA>"


def number(text: str) -> float | None:
    """Read a decimal number.

    Parameters
    ----------
    text : str
        ``[+-]digits[.digits][e±d]``, also ``.5`` and ``5.``.

    Returns
    -------
    float or None
        The number; None when the text is none, or does not fit into a float.

    Examples
    --------
    >>> number("-1e2"), number("nan"), number("1_000")
    (-100.0, None, None)
    """
    if _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if isfinite(value) else None


def number_fault(text: str) -> tuple[str, str]:
    """Say why a text is not a number.

    Parameters
    ----------
    text : str
        What `number` refused.

    Returns
    -------
    what : str
        Words that continue "onset is ", e.g. ``'1,5', not a number``.
    fix : str
        What to do about it; may be empty.
    """
    what = f"{text!r}, not a number"
    if "," in text:
        return what, "use a decimal point, and no commas between thousands"
    if ":" in text:
        return what, "give seconds, not hours and minutes"
    if text.lstrip("+-").lower() in ("nan", "inf", "infinity"):
        return what, "give a finite number"
    if _NUMBER.fullmatch(text):
        return f"{text!r}, too large a number", ""
    if is_missing(text):
        return "missing (<NA>)", "give a number"
    return what, "give digits with a decimal point, such as 12.5"


def describe(character: str) -> str:
    r"""Name a character that cannot be seen.

    Parameters
    ----------
    character : str
        One character.

    Returns
    -------
    str
        Code point and name.

    Examples
    --------
    >>> describe("\u3000")
    'U+3000 (ideographic space)'
    """
    from unicodedata import name

    point = f"U+{ord(character):04X}"
    known = name(character, "").lower()
    return f"{point} ({known})" if known else point


def hidden(text: str) -> bool:
    """Say whether a line has characters that cannot be seen, tab and space aside.

    Parameters
    ----------
    text : str
        A line without its end.

    Returns
    -------
    bool
        True when there is a Unicode blank or a control character.
    """
    if text.isascii() and (text.isprintable() or text.replace("\t", " ").isprintable()):
        return False
    return BLANK.search(text) is not None or CONTROL.search(text) is not None


def warn_hidden(report: Report, text: str, start: int = 0, where: str = "the text") -> None:
    """Warn of the first Unicode blank (T108) and the first control character (T111) of a text.

    Parameters
    ----------
    report : Report
        Where the warnings go; stands at the line.
    text : str
        The text, the whole line or a part of it.
    start : int, default 0
        Column at which `text` begins in the line.
    where : str, default "the text"
        What the text is, for the message.
    """
    found = BLANK.search(text)
    if found is not None:
        column = start + found.start()
        what = f"{where} has {describe(found.group())} at column {column + 1}; it is kept and separates nothing"
        report.warning("T108", what, "replace it by a plain space, or remove it", (column, column + 1))
    found = CONTROL.search(text)
    if found is not None:
        column = start + found.start()
        what = f"{where} has the control character {describe(found.group())} at column {column + 1}"
        report.warning("T111", what, "remove it", (column, column + 1))
