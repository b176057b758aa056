"""Tables as text, Markdown and CSV. Only here are numbers rounded for people."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from typing import TYPE_CHECKING, Any

from pathbench.errors import InputError
from speechio.write import write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "SCHEMA_VERSION",
    "csv_text",
    "document",
    "figure",
    "grid",
    "make_folder",
    "markdown",
    "number",
    "refuse_overwriting",
    "write_text",
]

SCHEMA_VERSION = "1.0"
"""Version of the JSON documents."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def figure(value: float | None, digits: int = 4) -> str:
    """Write a number for people.

    Parameters
    ----------
    value : float or None
        The number.
    digits : int, default 4
        Decimals.

    Returns
    -------
    str
        ``N/A`` for None and NaN; never minus zero.

    Examples
    --------
    >>> figure(0.53085), figure(float("nan")), figure(-0.00001)
    ('0.5309', 'N/A', '0.0000')
    """
    if value is None or math.isnan(value):
        return "N/A"
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def number(value: float | None) -> float | None:
    """Give a number as JSON takes it: None for NaN and infinities.

    Parameters
    ----------
    value : float or None
        The number.

    Returns
    -------
    float or None
        The same, or None.
    """
    return value if value is not None and math.isfinite(value) else None


def grid(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Write a table as aligned text.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of sequence of str
        Cells.
    left : int, default 1
        How many columns are flush left; the others are flush right.

    Returns
    -------
    str
        Lines, each with its end.

    Examples
    --------
    >>> print(grid(["metric", "PCC"], [["cpp", "0.53"]]), end="")
    metric   PCC
    ------  ----
    cpp     0.53
    """
    lines = [[*header], *([_visible(cell) for cell in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])

    def padded(cells: Sequence[str]) -> str:
        shown = [
            cell + " " * (width - _width(cell)) if i < left else " " * (width - _width(cell)) + cell
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(shown).rstrip()

    return "".join(f"{padded(line)}\n" for line in lines)


def _visible(text: str) -> str:
    """Replace control characters, which names from files may have: they would move the cursor of a terminal."""
    return _CONTROL.sub("?", text)


def _width(text: str) -> int:
    """Count the columns a text takes on a terminal."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Write a table as Markdown; what would be markup in a cell is escaped.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of sequence of str
        Cells.
    left : int, default 1
        How many columns are flush left.

    Returns
    -------
    str
        Lines, each with its end.
    """
    rule = ["---" if i < left else "---:" for i in range(len(header))]
    lines = [[_escaped(cell) for cell in header], rule, *([_escaped(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _escaped(cell: str) -> str:
    return re.sub(r"([\\|<>*_`\[\]])", r"\\\1", _visible(cell))


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV, with LF.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of sequence of object
        Cells; None is an empty one, floats have all their digits.

    Returns
    -------
    str
        The text.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()


def document(signature: str, content: dict[str, Any]) -> str:
    """Write a JSON document.

    Parameters
    ----------
    signature : str
        What the results were computed with.
    content : dict
        The rest.

    Returns
    -------
    str
        The text.
    """
    whole = {"schema_version": SCHEMA_VERSION, "signature": signature, **content}
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: str, text: str, inputs: Sequence[str] = ()) -> None:
    """Write a file, under another name first; its folder is made if need be.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard output.
    text : str
        Its content.
    inputs : sequence of str, optional
        Files that must not be written over.

    Raises
    ------
    InputError
        If the file is an input.
    speechio.SpeechioError
        If it cannot be written.
    """
    refuse_overwriting(path, inputs)
    folder = os.path.dirname(path)
    if folder and path != "-":
        make_folder(folder)
    # a name of a file need not be UTF-8; what is written is, and in JSON reads back as the same name
    lines = text.encode("utf-8", "backslashreplace").decode().split("\n")
    write_lines(path, lines[:-1] if lines[-1] == "" else lines)


def make_folder(path: str) -> None:
    """Make a folder, and those above it.

    Parameters
    ----------
    path : str
        The folder.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: the folder cannot be made: {what}; fix: name a place you may write to") from error


def refuse_overwriting(path: str, inputs: Sequence[str]) -> None:
    """Refuse to write over a file that is read.

    Parameters
    ----------
    path : str
        What would be written.
    inputs : sequence of str
        What is read.

    Raises
    ------
    InputError
        If they are the same file.
    """
    for name in inputs:
        try:
            same = path != "-" and os.path.exists(path) and os.path.samefile(path, name)
        except (OSError, ValueError):
            same = False
        if same:
            raise InputError(f"{path}: is an input and would be written over; fix: give another path")
