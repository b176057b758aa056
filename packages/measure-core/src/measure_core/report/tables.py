"""Tables of results: text, Markdown, CSV, LaTeX. The only place that rounds."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from measure_core.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FORMATS", "aligned", "formatted", "table"]

HEADER = ["metric", "test set", "score", "value", "interval", "utterances"]
_LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
          "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}",
          "|": r"\textbar{}", "[": "{[}", "*": "{*}"}  # fmt: skip
"""The last two would be arguments of the end of the row before."""
_MARKUP = re.compile(r"[\\|`*<>\[\]]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown reads as more than a character; underlines inside words are not."""
_WIDEST = 60
_ELSEWHERE = "(see the file)"
"""Stands for a value that is no number or text."""


def table(document: Mapping[str, Any]) -> str:
    """Give results as text, with the signatures below.

    Parameters
    ----------
    document : mapping
        As `measure_core.report.document` makes it.

    Returns
    -------
    str
        Lines.
    """
    rows = list(_rows(document))
    lines = aligned([HEADER, *rows], right=(3, 5))
    lines.append("-" * max(map(len, lines)))
    signatures: dict[str, list[str]] = {}
    for score in document["scores"]:
        signatures.setdefault(score["signature"] or "(none)", []).append(f"{score['metric']} on {score['test_set']}")
    if len(signatures) == 1:
        lines += [f"signature: {printable(signature)}" for signature in signatures]
    else:
        lines += [printable(f"signature of {', '.join(places)}: {one}") for one, places in signatures.items()]
    if not document["is_whole"]:
        lines.append("not whole: something failed")
    return "\n".join(lines)


def _rows(document: Mapping[str, Any]) -> Iterator[list[str]]:
    for score in document["scores"]:
        n = "" if score["utterances"] is None else str(score["utterances"])
        cells = list(_numbers(score["result"], score["rates"], score["intervals"])) or [("", _ELSEWHERE, "")]
        for i, (name, value, interval) in enumerate(cells):
            place = [score["metric"], score["test_set"]] if i == 0 else ["", ""]
            yield [*map(printable, (*place, name)), value, interval, n if i == 0 else ""]


def _numbers(result: Any, rates: Sequence[str], intervals: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give name, value and interval of what a result holds; what is nested is not shown."""
    pairs = result.items() if isinstance(result, Mapping) else [("", result)]
    for name, value in pairs:
        if isinstance(value, (Mapping, list)):
            yield name, _ELSEWHERE, ""
            continue
        is_rate = name in rates
        one = intervals.get(name)
        told = f"{_cell(one['low'], is_rate)} to {_cell(one['high'], is_rate)}" if isinstance(one, Mapping) else ""
        yield name, _cell(value, is_rate), told


def _cell(value: Any, is_rate: bool) -> str:
    """Give a value as people read it."""
    if value is None:
        return "undefined"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return printable(str(value), _WIDEST)
    if is_rate and math.isfinite(value):
        return f"{100 * value:.2f}%"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Align columns of text.

    Parameters
    ----------
    rows : sequence of sequence of str
        A header and rows.
    right : sequence of int, optional
        Columns that are aligned to the right.

    Returns
    -------
    list of str
        Lines, with a rule after the header.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _markdown(document: Mapping[str, Any]) -> str:
    def row(cells: Sequence[str]) -> str:
        return "| " + " | ".join(_MARKUP.sub(r"\\\g<0>", cell) for cell in cells) + " |"

    rule = "|" + "|".join(" ---: " if name in ("value", "utterances") else " --- " for name in HEADER) + "|"
    return "\n".join([row(HEADER), rule, *map(row, _filled(document))])


def _csv(document: Mapping[str, Any]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["metric", "test_set", "score", "value", "low", "high", "utterances", "signature"])
    for score in document["scores"]:
        result = score["result"]
        place = [printable(score["metric"]), printable(score["test_set"])]
        for name, value in (result.items() or [("", {})]) if isinstance(result, Mapping) else [("", result)]:
            one = score["intervals"].get(name) or {}
            ends = [one.get("low", ""), one.get("high", "")]
            value = _ELSEWHERE if isinstance(value, (Mapping, list)) else value
            shown = "" if value is None else printable(value) if isinstance(value, str) else value
            signature = printable(score["signature"] or "")
            writer.writerow([*place, printable(name), shown, *ends, score["utterances"], signature])
    return stream.getvalue().rstrip("\n")


def _latex(document: Mapping[str, Any]) -> str:
    def row(cells: Sequence[str]) -> str:
        escaped = ("".join(_LATEX.get(character, character) for character in cell) for cell in cells)
        return " & ".join(escaped) + r" \\"

    return "\n".join(
        [
            r"\begin{tabular}{lllrlr}",
            r"\hline",
            row(HEADER),
            r"\hline",
            *map(row, _filled(document)),
            r"\hline",
            r"\end{tabular}",
        ]
    )


def _filled(document: Mapping[str, Any]) -> Iterator[list[str]]:
    """Give rows in which metric and test set stand every time."""
    place = ["", ""]
    for row in _rows(document):
        place = [new or old for new, old in zip(row[:2], place, strict=True)]
        yield [*place, *row[2:]]


FORMATS = {"text": table, "md": _markdown, "csv": _csv, "latex": _latex}


def formatted(document: Mapping[str, Any], form: str) -> str:
    """Give results in one of the formats.

    Parameters
    ----------
    document : mapping
        As `measure_core.report.document` makes it.
    form : {"text", "md", "csv", "latex"}
        The format.

    Returns
    -------
    str
        Text without a newline at the end.
    """
    return FORMATS[form](document)
