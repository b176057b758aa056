"""Results and what is known about them in one document, as ``--json`` prints it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from measure_core.__about__ import __version__
from measure_core.errors import InputError
from measure_core.records import read_results

if TYPE_CHECKING:
    from pathlib import Path

    from measure_core.records import Records

__all__ = ["document_of", "find_results", "read_document"]

SCHEMA_VERSION = "1.0"
_NAMES = ("measures.json", "metrics.json")

logger = logging.getLogger(__name__)


def document_of(
    results: Mapping[str, Mapping[str, Any]], records: Records, path: str, *, is_whole: bool = True
) -> dict[str, Any]:
    """Put results and their metadata together.

    Parameters
    ----------
    results : mapping
        By key of the metric and name of the test set.
    records : mapping
        The same; may lack any.
    path : str
        The results file.
    is_whole : bool, default True
        Whether nothing is missing.

    Returns
    -------
    dict
        One item of ``scores`` per metric and test set.
    """
    scores = []
    for key, sets in results.items():
        for test_name, result in sets.items():
            record = records.get(key, {}).get(test_name, {})
            scores.append(
                {
                    "metric": key,
                    "test_set": test_name,
                    "result": result,
                    "signature": record.get("signature"),
                    "utterances": record.get("utterances"),
                    "rates": record.get("rates", []),
                    "intervals": record.get("intervals", {}),
                    "warnings": record.get("warnings", []),
                }
            )
    return {
        "schema_version": SCHEMA_VERSION,
        "measure_core": __version__,
        "results_file": path,
        "is_whole": is_whole,
        "scores": scores,
    }


def find_results(place: Path) -> Path:
    """Find the results file of a run.

    Parameters
    ----------
    place : Path
        The file, or an inference directory.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If there is none, or two.
    """
    if not place.is_dir():
        return place
    found = [place / name for name in _NAMES if (place / name).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{place} has {' and '.join(_NAMES)}", fixes=["name the one you mean"], path=str(place))
    partial = sorted(place.glob("*.partial.json"))
    hint = f"there is {partial[0]}, of a run that failed: name it to see it" if partial else "run `measure run` first"
    raise InputError(f"{place} has no {' or '.join(_NAMES)}", fixes=[hint], path=str(place))


def read_document(place: Path) -> dict[str, Any]:
    """Read results and their metadata.

    Parameters
    ----------
    place : Path
        Results file or inference directory.

    Returns
    -------
    dict
        As `document_of` gives it.

    Raises
    ------
    InputError
        If there is no results file or it has another shape.
    """
    path = find_results(place)
    results, records, why = read_results(path)
    if not isinstance(results, Mapping) or not all(isinstance(sets, Mapping) for sets in results.values()):
        raise InputError(f"{path} is no results file: {{metric: {{test set: result}}}} is wanted", path=str(path))
    if why:
        logger.warning("%s: the results are shown without metadata; `measure run` writes both", why)
    return document_of(results, records, str(path), is_whole=".partial." not in path.name)
