"""Text from files and from the command line, made fit to be shown."""

from __future__ import annotations

import re

__all__ = ["drawable", "harmless", "printable", "said"]

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LONGEST = 300
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


def harmless(text: str) -> str:
    r"""Show what a terminal would obey as dots; lines stay, and so do names that are not UTF-8.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        Text that a terminal only shows.

    Examples
    --------
    >>> harmless("a\x1b[2J\nb")
    'a·[2J\nb'
    """
    return _OBEYED.sub("·", text)


def said(error: object) -> str:
    r"""Give what a library, the system or a server says of a fault as a part of a message of ours.

    Parameters
    ----------
    error : object
        An exception, or whatever stands for the reason.

    Returns
    -------
    str
        One line, printable, not endless; the name of the class where nothing is said.

    Examples
    --------
    >>> said(ValueError("no tar:\n- gz: \x1b[2J"))
    'no tar: - gz: ·[2J'
    """
    text = printable(" ".join(str(error).split())).rstrip(".") or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
