"""What is known about each result beside the result itself: ``measures.meta.json``.

The results file holds results and nothing else, so that readers of its old shape keep working.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure_core.__about__ import __version__
from measure_core.errors import InputError
from measure_core.inputs.prepared import digest
from measure_core.results import dumped, read_json, write_text
from measure_core.work import is_counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan
    from measure_core.inputs.align import AlignedColumns

__all__ = ["Records", "code_digest", "earlier", "identity", "inputs_are_same", "meta_path", "partial_path"]

SCHEMA_VERSION = "1.0"

Records = dict[str, dict[str, dict[str, Any]]]
"""By key of the metric and name of the test set."""


def meta_path(results: Path) -> Path:
    """Give the path of the metadata beside a results file."""
    return results.with_name(f"{results.stem}.meta.json")


def partial_path(results: Path) -> Path:
    """Give the path of the results of a run that was not finished."""
    return results.with_name(f"{results.stem}.partial.json")


def code_digest(metric: object) -> str | None:
    """Give the SHA-256 of the source file of a metric's class.

    Parameters
    ----------
    metric : object
        The metric.

    Returns
    -------
    str or None
        Hexadecimal digits; None where there is no source file.
    """
    try:
        path = inspect.getsourcefile(type(metric))
        return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else None
    except (TypeError, OSError):
        return None


def identity(plan: Plan, entry: Entry, aligned: AlignedColumns, digests: dict[Path, str]) -> dict[str, Any]:
    """Give everything a result depends on.

    Parameters
    ----------
    plan : Plan
        The run.
    entry : Entry
        The metric.
    aligned : AlignedColumns
        Its inputs.
    digests : dict of Path to str
        SHA-256 of files, filled as needed.

    Returns
    -------
    dict
        Two results with equal ones need not be computed twice.
    """
    inputs: dict[str, dict[str, Any]] = {}
    for alias, (column, _) in aligned.columns.items():
        if column.path not in digests:
            digests[column.path] = digest(column.path)
        path = os.path.relpath(column.path, plan.root)
        inputs[alias] = {"path": path, "sha256": digests[column.path], "lines": len(column)}
        if not is_counted(entry.metric):
            inputs[alias]["files"] = _files_digest(aligned, alias, (Path(), plan.root, column.path.parent))
    return {
        "measure_core": __version__,
        "class_version": _version(entry.metric),
        "class_sha256": code_digest(entry.metric),
        "config": entry.config,
        "choices": entry.metric.signature if is_counted(entry.metric) else None,
        "inputs": inputs,
        "on_mismatch": plan.options.on_mismatch,
        "limit": plan.options.limit,
        "statistics": plan.statistics,
        "nonfinite": plan.nonfinite,
    }


def _files_digest(aligned: AlignedColumns, alias: str, folders: Sequence[Path]) -> str | None:
    """Give one digest of sizes and times of the files that the values of an input name; None if they name none."""
    column, _ = aligned.columns[alias]
    if _stamp(column.take(slice(0, 1))[0], folders) is None:
        return None
    found = hashlib.sha256()
    for value in dict.fromkeys(column.take(slice(None))):
        found.update(f"{value}\0{_stamp(value, folders)}\n".encode(errors="surrogateescape"))
    return found.hexdigest()


def _stamp(value: str, folders: Sequence[Path]) -> tuple[int, int] | None:
    """Give size and time of a file, looked for in some folders."""
    for folder in folders:
        try:
            status = os.stat(folder / value)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(status.st_mode):
            return status.st_size, status.st_mtime_ns
    return None


def _version(metric: object) -> str | None:
    version = getattr(type(metric), "version", None) or getattr(type(metric), "__version__", None)
    return version if isinstance(version, str) else None


def inputs_are_same(root: Path, record: Mapping[str, Any]) -> bool:
    """Tell whether the inputs of an earlier result are what they were.

    Parameters
    ----------
    root : Path
        Root of the inference results.
    record : mapping
        The record of the result.

    Returns
    -------
    bool
        Whether every file has the same content.
    """
    inputs = record.get("identity", {}).get("inputs", {})
    try:
        return all(digest(root / one["path"]) == one["sha256"] for one in inputs.values())
    except InputError:
        return False


def write_all(results: Mapping[str, Any], records: Records, path: Path) -> None:
    """Write results and their metadata.

    Parameters
    ----------
    results : mapping
        By key and test set.
    records : Records
        The same.
    path : Path
        The results file.

    Raises
    ------
    MeasureError
        If a file cannot be written.
    """
    document = {
        "schema_version": SCHEMA_VERSION,
        "measure_core": __version__,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "results": path.name,
        "records": records,
    }
    write_text(meta_path(path), dumped(document) + "\n")
    write_text(path, dumped(results))


def earlier(results: Path) -> tuple[dict[str, dict[str, Any]], Records]:
    """Read what an earlier run left: results and metadata, of a whole run or of a part of one.

    Parameters
    ----------
    results : Path
        The results file of this run.

    Returns
    -------
    found : dict
        Results by key and test set.
    records : Records
        Their metadata.

    Raises
    ------
    InputError
        If a file is there and cannot be read.
    """
    found: dict[str, dict[str, Any]] = {}
    records: Records = {}
    for path in (results, partial_path(results)):
        if not path.exists() or not meta_path(path).exists():
            continue
        of_file = read_json(path)
        meta = read_json(meta_path(path))
        known = meta.get("records", {}) if isinstance(meta, dict) else {}
        for key, sets in of_file.items() if isinstance(of_file, dict) and isinstance(known, dict) else ():
            for test_name, result in sets.items() if isinstance(sets, dict) else ():
                record = known.get(key, {}).get(test_name)
                if isinstance(record, dict):
                    found.setdefault(key, {})[test_name] = result
                    records.setdefault(key, {})[test_name] = record
    return found, records
