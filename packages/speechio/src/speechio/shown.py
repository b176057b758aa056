"""How faults are shown: what stands in a message, the line cut to a readable width, the caret under the fault."""

from __future__ import annotations

import re

__all__ = ["Span", "render", "seconds", "shorten"]

Span = tuple[int, int]
"""First column and the column after the last, counted from 0, in characters of a line."""

_EXCERPT_WIDTH = 110
_WORD_WIDTH = 160
_TEXT_WIDTH = 500
_LONG_WORD = re.compile(rf"\S{{{_WORD_WIDTH + 1},}}")


def shorten(text: str) -> str:
    """Cut a message to a readable length: its long words first, then the whole, each in its middle.

    Parameters
    ----------
    text : str
        Message; it may quote fields of any length.

    Returns
    -------
    str
        The same text when it has no word of more than 160 characters and 500 at most, else one that is so.

    Examples
    --------
    >>> len(shorten("the ID " + "x" * 10_000 + " is on line 1 already"))
    188
    """
    if len(text) <= _WORD_WIDTH:
        return text
    text = _LONG_WORD.sub(_shorter_word, text)
    if len(text) <= _TEXT_WIDTH:
        return text
    return _LONG_WORD.sub(_shorter_word, _without_middle(text, _TEXT_WIDTH))


def seconds(value: float) -> str:
    """Write a time in a message: whole seconds without a point, else all the digits that it has.

    Parameters
    ----------
    value : float
        Seconds.

    Returns
    -------
    str
        Two times are written alike only when they are the same.

    Examples
    --------
    >>> seconds(2.0), seconds(12345.678)
    ('2', '12345.678')
    """
    return repr(value).removesuffix(".0")


def _shorter_word(found: re.Match[str]) -> str:
    return _without_middle(found[0], _WORD_WIDTH)


def _without_middle(text: str, width: int) -> str:
    half = width // 2
    return f"{text[:half]}…{text[half + 1 - width :]}"


def render(
    path: str,
    line: int | None,
    code: str,
    what: str,
    fix: str = "",
    source: str | None = None,
    span: Span | None = None,
) -> str:
    """Write a fault as it is shown: place, code, what; the line; a caret; the fix.

    Parameters
    ----------
    path : str
        File in messages.
    line : int or None
        Line, counted from 1.
    code : str
        Stable code.
    what : str
        What is wrong.
    fix : str, default ""
        What to do about it.
    source : str, optional
        The line itself; cut to a readable width around the fault.
    span : tuple of int, optional
        Columns of the fault in `source`.

    Returns
    -------
    str
        One to four lines without a line break at the end.
    """
    place = path if line is None else f"{path}:{line}"
    shown = [f"{place}: {code} {_printable(what)}"]
    if source is not None:
        shown += _excerpt(source, span)
    if fix:
        shown.append(f"  fix: {_printable(fix)}")
    return "\n".join(shown)


def _excerpt(source: str, span: Span | None) -> list[str]:
    """Show a line, cut if it is long, and a caret under the columns of a fault."""
    start, end = span or (0, 0)
    first = max(0, min(start - _EXCERPT_WIDTH // 2, len(source) - _EXCERPT_WIDTH))
    last = first + _EXCERPT_WIDTH
    head, tail = ("…" if first else ""), ("…" if last < len(source) else "")
    window = "".join(_visible(character) for character in source[first:last])
    lines = [f"  {head}{window}{tail}".rstrip()]
    if span is not None:
        before = _width(head + window[: start - first])
        under = _width(window[start - first : max(end, start + 1) - first])
        lines.append("  " + " " * before + "^" * max(under, 1))
    return lines


def _printable(text: str) -> str:
    """Show what a terminal would obey, or not show, as dots."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    """Give a character that takes its own place when shown."""
    if character == "\t":
        return " "
    return character if character.isprintable() else "·"


def _width(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "FW" else 1 for c in text)
