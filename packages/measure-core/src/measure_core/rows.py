"""Tables of utterances: one file of JSON lines per metric and test set, and whether it belongs to a result."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import TYPE_CHECKING, Any

from measure_core.errors import InputError, OutputError
from measure_core.inputs.prepared import digest
from measure_core.inputs.stream import is_regular
from measure_core.results import as_json, encoded, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from measure_core.config.plan import Plan

__all__ = ["are_there", "remove_rows", "rows_path", "write_rows"]

_WIDEST = 200
"""Bytes of a key that stand in the name of a file; most systems take 255 in all."""


def rows_path(plan: Plan, key: str, test_name: str) -> Path:
    """Give the path of the table of utterances of a metric.

    Parameters
    ----------
    plan : Plan
        The run.
    key : str
        Key of the metric.
    test_name : str
        Name of the test set.

    Returns
    -------
    Path
        JSON lines in the directory of the test set; another one for every key, and for a dry look.
    """
    name = _file_name(key, [one.key for one in plan.configured])
    end = "jsonl" if plan.options.limit is None else "limit.jsonl"
    return plan.root / test_name / "measure" / f"{name}.{end}"


def _file_name(key: str, keys: Iterable[str]) -> str:
    """Make a name of a key: the key itself where it can be one, else with a digest of it."""
    name = "".join(c if c in "._-" or unicodedata.category(c)[0] in "LMN" else "_" for c in key)
    name = name.encode()[:_WIDEST].decode(errors="ignore")
    is_shared = any(other != key and _folded(other) == _folded(key) for other in keys)
    if name == key and not is_shared and not name.startswith(".") and not name.endswith(".limit"):
        return name
    return f"{name.lstrip('.')}-{hashlib.sha256(key.encode(errors='surrogatepass')).hexdigest()[:8]}"


def _folded(key: str) -> str:
    """Give what some file systems take a name for."""
    return unicodedata.normalize("NFC", key).casefold()


def write_rows(plan: Plan, path: Path, rows: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str], list[str]]:
    """Write a table of utterances. It is JSON: a number that is not finite becomes null, unless that is an error.

    Parameters
    ----------
    plan : Plan
        The run.
    path : Path
        The file.
    rows : iterable of mapping
        What is known about each utterance.

    Returns
    -------
    record : dict
        Path below the root and SHA-256, for the record of the result.
    nonfinite_paths : list of str
        Where a number is not finite.

    Raises
    ------
    MetricError
        If a row is not JSON.
    OutputError
        If the file cannot be written.
    """
    lines, nonfinite_paths = [], []
    for row in rows:
        value, paths = as_json(row, "error" if plan.nonfinite == "error" else "null")
        lines.append(json.dumps(value, ensure_ascii=False) + "\n")
        nonfinite_paths += [f"{one} of {row['id']}" for one in paths]
    text = "".join(lines)
    write_text(path, text)
    record = {"path": path.relative_to(plan.root).as_posix(), "sha256": hashlib.sha256(encoded(text)).hexdigest()}
    return record, nonfinite_paths


def are_there(plan: Plan, path: Path, record: Mapping[str, Any]) -> bool:
    """Tell whether a file holds the rows of a result.

    Parameters
    ----------
    plan : Plan
        The run.
    path : Path
        Where its rows belong.
    record : mapping
        The record of the result.

    Returns
    -------
    bool
        Whether it is the file that was written with the result.
    """
    rows = record.get("per_utterance")
    if not isinstance(rows, dict) or rows.get("path") != path.relative_to(plan.root).as_posix():
        return False
    try:
        return is_regular(path) and digest(path) == rows.get("sha256")
    except InputError:
        return False


def remove_rows(path: Path) -> None:
    """Remove rows that do not belong to the result any more.

    Parameters
    ----------
    path : Path
        The file; it may be absent.

    Raises
    ------
    OutputError
        If it cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as fault:
        raise OutputError(f"{path}: old rows cannot be removed: {fault.strerror or fault}") from fault
