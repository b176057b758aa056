"""What is known about each result beside the result itself: ``measures.meta.json``.

The results file holds results and nothing else, so that readers of its old shape keep working.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from measure_core.__about__ import __version__
from measure_core.errors import InputError
from measure_core.inputs.stream import is_regular
from measure_core.results import as_json, dumped, encoded, read_json, read_json_and_digest, write_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Known", "Pair", "Records", "earlier", "meta_path", "partial_path", "read_results", "write_all"]

SCHEMA_VERSION = "1.0"
_ENDS = ("low", "high")

logger = logging.getLogger(__name__)

Records = dict[str, dict[str, dict[str, Any]]]
"""By key of the metric and name of the test set."""

Pair = tuple[str, str]
"""Key of a metric and name of a test set."""


class Known(NamedTuple):
    """A result of an earlier run.

    Attributes
    ----------
    result : object
        Plain JSON values.
    record : dict or None
        What is known about it; None if nothing is.
    """

    result: Any
    record: dict[str, Any] | None


def meta_path(results: Path) -> Path:
    """Give the path of the metadata beside a results file."""
    return results.with_name(f"{results.stem}.meta.json")


def partial_path(results: Path) -> Path:
    """Give the path of the results of a run that was not finished."""
    return results.with_name(f"{results.stem}.partial.json")


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
    text = dumped(results)
    document = {
        "schema_version": SCHEMA_VERSION,
        "measure_core": __version__,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "results": path.name,
        "results_sha256": hashlib.sha256(encoded(text)).hexdigest(),
        "records": records,
    }
    # two files cannot be replaced at once: whoever reads them compares the digest
    write_text(meta_path(path), dumped(as_json(document)[0]) + "\n")
    write_text(path, text)


def read_results(path: Path) -> tuple[Any, Records, str]:
    """Read a results file and the metadata beside it.

    Parameters
    ----------
    path : Path
        The results file.

    Returns
    -------
    results : object
        Its content.
    records : Records
        The metadata; empty if there are none, they have another shape, or they are not of these results.
    why : str
        Why there are none although there is a file; empty if nothing is odd.

    Raises
    ------
    InputError
        If the results file cannot be read.
    """
    results, sha256 = read_json_and_digest(path)
    place = meta_path(path)
    if not is_regular(place):
        return results, {}, ""
    try:
        meta = read_json(place)
    except InputError as fault:
        return results, {}, fault.what
    records = meta.get("records") if isinstance(meta, Mapping) else None
    if not isinstance(records, Mapping) or not all(map(_is_record, _values(records))):
        return results, {}, f"{place} has another shape than ours"
    if meta.get("results_sha256") != sha256:
        return results, {}, f"{place} is of other results than {path.name} holds"
    return results, dict(records), ""


def _values(records: Mapping[str, Any]) -> Iterator[Any]:
    """Give every record, or what stands where records should."""
    for sets in records.values():
        yield from sets.values() if isinstance(sets, Mapping) else [sets]


def _is_record(record: Any) -> bool:
    """Tell whether a record has the shape that is read here."""

    def is_interval(one: Any) -> bool:
        return isinstance(one, Mapping) and all(isinstance(one.get(end), (int, float, type(None))) for end in _ENDS)

    def are_texts(some: Any) -> bool:
        return isinstance(some, list) and all(isinstance(one, str) for one in some)

    return (
        isinstance(record, Mapping)
        and isinstance(record.get("signature"), (str, type(None)))
        and isinstance(record.get("utterances"), (int, type(None)))
        and isinstance(record.get("identity", {}), Mapping)
        and are_texts(record.get("rates", []))
        and are_texts(record.get("warnings", []))
        and isinstance(record.get("intervals", {}), Mapping)
        and all(map(is_interval, record.get("intervals", {}).values()))
    )


def earlier(results: Path) -> dict[Pair, list[Known]]:
    """Read what earlier runs left: results and metadata, of a whole run and of a part of one.

    Parameters
    ----------
    results : Path
        The results file of this run.

    Returns
    -------
    dict
        By key and test set; the newest first. What cannot be read counts as absent.
    """
    found: dict[Pair, list[Known]] = {}
    for path in (partial_path(results), results):
        if not is_regular(path):  # a pipe or a device is only written to
            continue
        try:
            of_file, records, why = read_results(path)
        except InputError as fault:
            of_file, records, why = {}, {}, fault.what
        if why:
            logger.debug("%s: so nothing is known about earlier results", why)
        for key, sets in of_file.items() if isinstance(of_file, dict) else ():
            for test_name, result in sets.items() if isinstance(sets, dict) else ():
                record = records.get(key, {}).get(test_name)
                found.setdefault((key, test_name), []).append(Known(result, record))
    return found
