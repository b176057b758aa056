"""Text from files and from the command line, made fit to be shown."""

from __future__ import annotations

import re

__all__ = ["drawable", "printable"]

_NOT_DRAWN = re.compile("[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Show what a terminal would obey as dots; a name that is not UTF-8 shows its bytes.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        Text without control characters and line breaks.
    """
    text = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else "·" for c in text)


def drawable(text: str) -> str:
    r"""Show what no picture can hold as replacement characters: control characters, and bytes that are not UTF-8.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        Text that XML can hold; line breaks stay.

    Examples
    --------
    >>> drawable("a\x01b\udcff")
    'a\ufffdb\ufffd'
    """
    return _NOT_DRAWN.sub("\ufffd", text)
