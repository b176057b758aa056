"""The table as Markdown, HTML, CSV or JSON; the only place that rounds."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from typing import TYPE_CHECKING, Any

from discophon.__about__ import SCHEMA_VERSION
from discophon.errors import UsageError
from discophon.languages import all_languages

if TYPE_CHECKING:
    from collections.abc import Callable

    from discophon.leaderboard.table import Cell, Column, Leaderboard

__all__ = ["FORMATS", "render"]

_LABELS = {"pnmi": "PNMI", "per": "PER", "f1": "F1", "r_val": "R-value"}
_ARROWS = {1: " ↑", -1: " ↓", 0: ""}
_NOTHING = "—"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&$])")

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #1c1c1c; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead tr:last-child th { border-bottom: 2px solid #1c1c1c; }
thead tr:first-child th { text-align: center; border-bottom: 1px solid #b0b0b0; }
tbody tr:nth-child(even) { background: #f4f6f8; }
td.best { font-weight: 700; color: #00634a; }
small, footer { color: #666; }
footer { margin-top: 1rem; font-size: 13px; overflow-wrap: anywhere; }
"""


def render(table: Leaderboard, form: str) -> str:
    """Write a table as text.

    Parameters
    ----------
    table : Leaderboard
        The table.
    form : {"md", "html", "csv", "json"}
        Markdown and HTML have percentages with two decimals, CSV and JSON fractions in full precision.

    Returns
    -------
    str
        The text, without a line break at the end. Names are escaped as the format wants.

    Raises
    ------
    UsageError
        If there is no such format.
    """
    if form not in FORMATS:
        raise UsageError(f"unknown format {form!r}; there are {', '.join(FORMATS)}")
    return FORMATS[form](table)


def _label(metric: str) -> str:
    return _LABELS.get(metric, metric.replace("_", " "))


def _scope(column: Column) -> str:
    names = {language.iso_639_3: language.name for language in all_languages()}
    if column.scope in names:
        return names[column.scope]
    n = len(column.languages)
    return f"{column.scope} languages" + (f", {n} of {column.n_all}" if n < column.n_all else "")


def _figure(cell: Cell, column: Column) -> tuple[str, str]:
    """Give a score as a percentage, and what to say about languages that the system lacks."""
    if cell.score is None:
        return _NOTHING, ""
    n = len(column.languages)
    return f"{100 * cell.score:.2f}", f"{cell.n_languages}/{n}" if cell.n_languages < n else ""


def _notes(table: Leaderboard) -> list[str]:
    notes = [f"Means over languages, on the {table.split} split of each, in per cent; the best of each column is bold."]
    if any(_figure(cell, column)[1] for row in table.cells for cell, column in zip(row, table.columns, strict=True)):
        notes.append("A fraction says how many of the languages a system has; its mean is over those, and never best.")
    if len(table.signatures) > 1:
        notes.append(f"Not scored alike: {'; '.join(table.signatures)}.")
    if table.n_unsigned:
        notes.append(f"{table.n_unsigned} of {len(table.systems)} systems come without a signature.")
    notes.append(f"Signature: {table.signature}")
    return notes


def _markdown(table: Leaderboard) -> str:
    def safe(text: str) -> str:
        return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))

    heads = [f"{_label(column.metric)}{_ARROWS[column.direction]} ({_scope(column)})" for column in table.columns]
    lines = ["| system | " + " | ".join(map(safe, heads)) + " |", "|:--|" + "--:|" * len(heads)]
    for system, row in zip(table.systems, table.cells, strict=True):
        shown = []
        for cell, column in zip(row, table.columns, strict=True):
            figure, part = _figure(cell, column)
            shown.append((f"**{figure}**" if cell.is_best else figure) + (f" ({part})" if part else ""))
        lines.append(f"| {safe(system.name)} | " + " | ".join(shown) + " |")
    return "\n".join([*lines, "", *(f"{safe(note)}  " for note in _notes(table))]).rstrip()


def _html(table: Leaderboard) -> str:
    groups: list[tuple[str, int]] = []
    for column in table.columns:
        scope = _scope(column)
        if groups and groups[-1][0] == scope:
            groups[-1] = (scope, groups[-1][1] + 1)
        else:
            groups.append((scope, 1))
    top = "".join(f'<th colspan="{n}" scope="colgroup">{html.escape(scope)}</th>' for scope, n in groups)
    heads = "".join(
        f'<th scope="col">{html.escape(_label(column.metric))}{_ARROWS[column.direction]}</th>'
        for column in table.columns
    )
    body = "\n".join(
        f"<tr><td>{html.escape(system.name)}</td>"
        + "".join(_html_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
        + "</tr>"
        for system, row in zip(table.systems, table.cells, strict=True)
    )
    notes = "<br>\n".join(html.escape(note) for note in _notes(table))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Phoneme discovery</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Phoneme discovery</h1>\n"
        f'<div><table>\n<thead>\n<tr><th></th>{top}</tr>\n<tr><th scope="col">system</th>{heads}</tr>\n</thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>\n<footer>{notes}</footer>\n</body>\n</html>"
    )


def _html_cell(cell: Cell, column: Column) -> str:
    figure, part = _figure(cell, column)
    kind = ' class="best"' if cell.is_best else ""
    return f"<td{kind}>{figure}" + (f" <small>{part}</small>" if part else "") + "</td>"


def _csv(table: Leaderboard) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["system", "metric", "scope", "split", "score", "n_languages", "is_best", "signature"])
    for system, row in zip(table.systems, table.cells, strict=True):
        for cell, column in zip(row, table.columns, strict=True):
            score = "" if cell.score is None else repr(cell.score)
            writer.writerow(
                [
                    system.name,
                    column.metric,
                    column.scope,
                    table.split,
                    score,
                    cell.n_languages,
                    str(cell.is_best).lower(),
                    system.signature or "",
                ]
            )
    return text.getvalue().rstrip("\n")


def _json(table: Leaderboard) -> str:
    def cells(row: tuple[Cell, ...]) -> list[dict[str, Any]]:
        return [
            {
                "metric": column.metric,
                "scope": column.scope,
                "score": cell.score,
                "n_languages": cell.n_languages,
                "is_best": cell.is_best,
            }
            for cell, column in zip(row, table.columns, strict=True)
        ]

    document = {
        "schema_version": SCHEMA_VERSION,
        "signature": table.signature,
        "split": table.split,
        "columns": [
            {"metric": column.metric, "scope": column.scope, "languages": list(column.languages)}
            for column in table.columns
        ],
        "systems": [
            {"name": system.name, "signature": system.signature, "cells": cells(row)}
            for system, row in zip(table.systems, table.cells, strict=True)
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


FORMATS: dict[str, Callable[[Leaderboard], str]] = {"md": _markdown, "html": _html, "csv": _csv, "json": _json}
"""What a table can be written as."""
