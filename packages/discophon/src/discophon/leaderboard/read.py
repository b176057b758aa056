"""Reading the result files of several systems."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discophon.errors import FormatError, MissingFileError, UsageError
from discophon.languages import all_languages
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Key = tuple[str, str, str]
    Row = tuple[int | None, Mapping[str, Any]]

__all__ = ["System", "read_systems"]

_FIELDS = ("language", "split", "metric", "score")
_SUFFIXES = (".jsonl", ".csv", ".json", ".parquet")
_SPLITS = ("dev", "test")
_LARGEST = 1e9  # no score comes near, and no mean of such scores overflows
_SHOWN = 30
_FIX = "give a file that discophon benchmark wrote"


@dataclass(frozen=True, slots=True)
class System:
    """The scores of one system.

    Attributes
    ----------
    name : str
        What the table calls it.
    path : str
        File that the scores come from.
    signature : str or None
        Every choice that changes a score; None where the file does not say.
    scores : dict of (str, str, str) to float
        From language (ISO 639-3), split and metric to the score, a fraction.
    """

    name: str
    path: str
    signature: str | None
    scores: dict[Key, float]


def read_systems(paths: Sequence[os.PathLike[str] | str], *, names: Sequence[str] = ()) -> list[System]:
    """Read result files, one system each.

    Parameters
    ----------
    paths : sequence of path-like or str
        Files that ``discophon benchmark`` wrote, or folders, which mean every ``.jsonl``, ``.csv``, ``.json`` and
        ``.parquet`` file in them, sorted by name. ``-`` is standard input, one JSON object a line.
    names : sequence of str, optional
        Names of the systems, in the order of the files; by default as much of the path as tells them apart.

    Returns
    -------
    list of System
        In the order of the files.

    Raises
    ------
    UsageError
        If there are not as many names as files, two systems have one name, or standard input is named twice.
    MissingFileError
        If there is no such file, or no result file in a folder.
    FormatError, speechio.SpeechioError
        If a file holds no results, or one score twice.
    """
    files = [file for path in paths for file in _files(os.fspath(path))]
    if files.count("-") > 1:
        raise UsageError("standard input (-) is named twice, and can be read once; name files for the other systems")
    if names and len(names) != len(files):
        raise UsageError(f"{len(names)} names for {len(files)} systems; name each of them, in the order of the files")
    chosen = list(names) or _short_names(files)
    twice = next((name for name in chosen if chosen.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two systems are named {twice!r}; give each its own name with --name")
    return [_read(file, name) for file, name in zip(files, chosen, strict=True)]


def _files(path: str) -> list[str]:
    if path == "-":
        return [path]
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise MissingFileError(f"{path}: no such file; check the path")
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(_SUFFIXES) and not name.startswith("."))
    if not names:
        raise MissingFileError(f"{path}: no result file ({', '.join(_SUFFIXES)}) in this folder; {_FIX}")
    return [os.path.join(path, name) for name in names]


def _short_names(paths: Sequence[str]) -> list[str]:
    """Name systems after their files, with as much of the path as tells them apart."""
    parts = [["stdin"] if path == "-" else os.path.splitext(os.path.normpath(path))[0].split(os.sep) for path in paths]
    for depth in range(1, max(map(len, parts), default=1) + 1):
        names = ["/".join(part[-depth:]) for part in parts]
        if len(set(names)) == len(names):
            return names
    return [os.path.normpath(path) for path in paths]


def _read(path: str, name: str) -> System:
    from speechio.text import display_name

    suffix = os.path.splitext(path)[1].lower()
    readers: dict[str, Callable[[str], tuple[Iterator[Row], str | None]]] = {
        ".csv": _csv_rows,
        ".json": _json_rows,
        ".parquet": _parquet_rows,
    }
    rows, signature = readers.get(suffix, _jsonl_rows)(path)
    shown = display_name(path)
    scores: dict[Key, float] = {}
    for line, row in rows:
        key, score = _checked(shown, line, row)
        if key in scores:  # even with one value: the other rows may be of two ways to score
            what = f"the {key[2]} of {key[0]} {key[1]} is there twice: {scores[key]} and {score}"
            raise FormatError(shown, line, what, "keep the results of one run; rows are appended to a .jsonl file")
        scores[key] = score
    if not scores:
        raise FormatError(shown, None, "there are no scores in it", _FIX)
    return System(name, path, signature, scores)


def _checked(path: str, line: int | None, row: Mapping[str, Any]) -> tuple[Key, float]:
    """Look at one row."""
    missing = [field for field in _FIELDS if row.get(field) in (None, "")]
    if missing:
        raise FormatError(path, line, f"a row has no {' and no '.join(missing)}", _FIX)
    language, split, metric = (str(row[field]) for field in _FIELDS[:3])
    known = [each.iso_639_3 for each in all_languages()]
    if language not in known:
        raise FormatError(path, line, f"unknown language {language!r}", f"it is one of {', '.join(known)}")
    if split not in _SPLITS:
        raise FormatError(path, line, f"unknown split {split!r}", f"it is {' or '.join(_SPLITS)}")
    score = row["score"]
    if isinstance(score, bool) or not isinstance(score, int | float) or score != score:  # or NaN
        raise FormatError(path, line, f"the score {score!r} is not a number", _FIX)
    if abs(score) > _LARGEST:
        told = repr(score)
        shown = told if len(told) <= _SHOWN else f"of {len(told)} digits"
        raise FormatError(path, line, f"the score {shown} is too large for a fraction", _FIX)
    return (language, split, metric), float(score)


def _jsonl_rows(path: str) -> tuple[Iterator[Row], str | None]:
    from speechio.errors import Report
    from speechio.jsonl import JsonlParser
    from speechio.text import display_name

    return JsonlParser(Report(display_name(path))).rows(path), None


def _csv_rows(path: str) -> tuple[Iterator[Row], str | None]:
    from speechio.errors import Report
    from speechio.text import read_lines

    lines = ((line, _csv_fields(path, line, text)) for line, text in read_lines(path, Report(path)) if text)
    _, names = next(lines, (1, []))
    absent = [field for field in _FIELDS if field not in names]
    if absent:
        raise FormatError(path, 1, f"there is no column {' and no column '.join(absent)}", _FIX)
    return ((line, _csv_row(path, line, names, fields)) for line, fields in lines), None


def _csv_fields(path: str, line: int, text: str) -> list[str]:
    """Take a line apart; by itself, so that a quote left open takes no other lines with it."""
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:
        raise FormatError(path, line, f"not CSV: {error}", _FIX) from error


def _csv_row(path: str, line: int, names: list[str], fields: list[str]) -> dict[str, Any]:
    if len(fields) != len(names):
        raise FormatError(path, line, f"{len(fields)} fields where the header has {len(names)}", _FIX)
    row: dict[str, Any] = dict(zip(names, fields, strict=True))
    return row | {"score": _number(row["score"])}


def _number(text: str) -> float | str | None:
    try:
        return float(text) if text and "_" not in text else text
    except ValueError:
        return text


def _json_rows(path: str) -> tuple[Iterator[Row], str | None]:
    from speechio.errors import Report
    from speechio.text import read_lines

    text = "\n".join(line for _, line in read_lines(path, Report(path)))
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, getattr(error, "lineno", None), f"not JSON: {said(error)}", _FIX) from error
    rows = document.get("scores") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FormatError(path, None, "not a document with a list of scores", _FIX)
    signature = document.get("signature")
    return ((None, row) for row in rows), signature if isinstance(signature, str) else None


def _parquet_rows(path: str) -> tuple[Iterator[Row], str | None]:
    import polars as pl

    faults = (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException)  # damaged metadata makes it panic
    try:
        table = pl.read_parquet(path)
    except faults as error:
        raise FormatError(path, None, f"not a parquet file that can be read: {said(error)}", _FIX) from error
    return ((None, row) for row in table.iter_rows(named=True)), None
