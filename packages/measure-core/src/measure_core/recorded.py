"""A finished run, read back: its inputs and its metrics, made again of what its metadata say.

A results file is data, also one that somebody else made: only registered metrics are built of it, and nothing that it
names by a class path.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from measure_core.config.targets import locate
from measure_core.errors import CompareError, MeasureError, printable
from measure_core.identity import stamp
from measure_core.inputs.align import OnMismatch, align_columns
from measure_core.inputs.columns import read_column
from measure_core.inputs.prepared import digest
from measure_core.inputs.stream import is_regular
from measure_core.normalise.parse import STEP_NAMES
from measure_core.records import meta_path, read_results
from measure_core.registry import registered
from measure_core.report.document import find_results
from measure_core.results import as_json
from measure_core.work import is_counted

__all__ = ["RecordedRun", "names_of", "rebuilt", "recorded_run"]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measure_core.records import Records

_IGNORED_KEYS = frozenset({"_target_", "_convert_", "_recursive_"})
_FIXES = ["run `measure run` again"]
_TEXTS = ("by", "separator", "utt2spk", "utt2spk_sha256")


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run.

    Attributes
    ----------
    path : Path
        Its results file.
    results, records : dict
        By key of the metric and name of the test set.
    """

    path: Path
    results: Mapping[str, Any]
    records: Records

    def data(self, record: Mapping[str, Any], where: str) -> dict[str, list[str]]:
        """Load the inputs of a result, which must not have changed.

        Parameters
        ----------
        record : mapping
            What is known about the result.
        where : str
            Metric and test set, for messages.

        Returns
        -------
        dict of str to list of str
            ``utt_id`` and every alias.

        Raises
        ------
        CompareError
            If a file has changed.
        InputError
            If it cannot be read.
        """
        identity = record["identity"]
        columns = {}
        for alias, one in identity["inputs"].items():
            path = self.path.parent / one["path"]
            self.check_file(path, one["sha256"], where)
            columns[alias] = read_column(path)
        aligned = align_columns(columns, where, identity.get("on_mismatch", "error"))
        limit = identity.get("limit")
        return (aligned if limit is None else aligned.first(limit)).lists()

    def check_file(self, path: Path, sha256: str, where: str) -> None:
        """Refuse a file that is not what it was when it was scored; `CompareError`."""
        if path.exists() and not is_regular(path):
            raise CompareError(f"{where}: {path} is no regular file")
        if digest(path) != sha256:
            what = f"{where}: {path} has changed since {self.path} was written"
            raise CompareError(what, fixes=_FIXES)

    def check_choices(self, record: Mapping[str, Any], metric: Any, where: str) -> None:
        """Refuse a metric that is not what it was, as when a file it reads has changed; `CompareError`."""
        identity = record["identity"]
        was = identity.get("choices")
        if not isinstance(was, str) or _without_version(was) == _without_version(metric.signature):
            return
        files = identity.get("config_files")
        files = files if isinstance(files, Mapping) else {}
        changed = [text for text, was_then in files.items() if list(stamp(Path(text)) or ()) != was_then]
        subject = f"{' and '.join(changed)} {'has' if len(changed) == 1 else 'have'}" if changed else "the metric has"
        what = f"{where}: {subject} changed since {self.path} was written"
        raise CompareError(what, [f"then: {printable(was)}", f"now:  {metric.signature}"], _FIXES)

    def check_result(self, key: str, test_name: str, counted: Mapping[str, Any]) -> None:
        """Refuse what was counted again and is not what the results file says; `CompareError`."""
        there, _ = as_json(self.results.get(key, {}).get(test_name))
        now, _ = as_json(counted)
        there = there if isinstance(there, Mapping) else {}
        facts = [
            f"{name}: {printable(str(there.get(name)))} there, {value} now"
            for name, value in now.items()
            if not _is_about(there.get(name), value)
        ]
        if facts:
            what = f"{key} on {test_name}: counting again gives another result than {self.path} has"
            raise CompareError(what, facts, _FIXES)


def _without_version(signature: str) -> str:
    """Give the choices of a metric; whether another version counts in the same way, its result tells."""
    return "|".join(part for part in signature.split("|") if not part.startswith("v:"))


def _is_about(left: Any, right: Any) -> bool:
    """Tell whether two values are equal; numbers, up to the order of summing."""
    are_numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    return math.isclose(left, right, rel_tol=1e-9) if are_numbers else bool(left == right)


def recorded_run(place: Path) -> RecordedRun:
    """Read what is known about the results of a run.

    Parameters
    ----------
    place : Path
        Results file or inference directory.

    Returns
    -------
    RecordedRun
        What its metadata say, of a shape that can be relied on.

    Raises
    ------
    CompareError
        If there are no metadata, or they have another shape.
    InputError
        If there is no results file.
    """
    path = find_results(place)
    results, records, why = read_results(path)
    if why or not records:
        raise CompareError(why or f"{path}: there is no {meta_path(path).name} beside it", fixes=_FIXES)
    if not isinstance(results, Mapping) or not all(isinstance(sets, Mapping) for sets in results.values()):
        raise CompareError(f"{path} has another shape than ours", fixes=_FIXES)
    if not all(_is_whole(record) for sets in records.values() for record in sets.values()):
        raise CompareError(f"{meta_path(path)} has another shape than ours", fixes=_FIXES)
    return RecordedRun(path, results, records)


def _is_whole(record: Mapping[str, Any]) -> bool:
    """Tell whether a record with rates says what scoring again needs."""
    if not record.get("rates"):
        return True
    identity = record.get("identity", {})
    config, inputs, statistics = (identity.get(key) for key in ("config", "inputs", "statistics"))
    limit = identity.get("limit")
    return (
        isinstance(record.get("signature"), str)
        and isinstance(config, Mapping)
        and isinstance(config.get("_target_"), str)
        and isinstance(inputs, Mapping)
        and bool(inputs)
        and all(isinstance(one, Mapping) and _are_texts(one, ("path", "sha256")) for one in inputs.values())
        and all("\0" not in one["path"] for one in inputs.values())
        and identity.get("on_mismatch", "error") in get_args(OnMismatch)
        and (limit is None or (type(limit) is int and limit > 0))
        and isinstance(statistics, Mapping)
        and _are_texts(statistics, [key for key in _TEXTS if key in statistics])
    )


def _are_texts(values: Mapping[str, Any], keys: Sequence[str]) -> bool:
    return all(isinstance(values.get(key), str) for key in keys)


def names_of(key: str, records: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Give what a metric may be called on the command line.

    Parameters
    ----------
    key : str
        Its key in the results.
    records : mapping
        Its records, by test set.

    Returns
    -------
    set of str
        The key, the name of the class, the short name.
    """
    configs = (one.get("identity", {}).get("config") for one in records.values())
    targets = {config.get("_target_") for config in configs if isinstance(config, Mapping)}
    return {key, key.rpartition(".")[2], *(one.name for one in registered() if one.target in targets)}


def rebuilt(record: Mapping[str, Any]) -> Any:
    """Build the metric of a result again.

    Parameters
    ----------
    record : mapping
        What is known about the result.

    Returns
    -------
    object
        A metric that counts.

    Raises
    ------
    CompareError
        If it is not one of the registered metrics, would build other classes, or does not count utterances.
    """
    config = record["identity"]["config"]
    target = config["_target_"]
    if target not in {one.target for one in registered()}:
        raise CompareError(f"{target} is no registered metric, and only these are built of a results file")
    options = {key: value for key, value in config.items() if key not in _IGNORED_KEYS}
    if any(key.startswith("_") for key in options) or _named_classes(options) or _own_steps(options):
        raise CompareError(f"{target} is given other classes, which are not built of a results file")
    try:
        metric = locate(target)(**options)
    except MeasureError as fault:
        raise CompareError(f"the metric cannot be built: {fault.what}", fault.facts, fault.fixes) from fault
    except (TypeError, ValueError, OSError) as fault:
        raise CompareError(f"the metric cannot be built: {type(fault).__name__}: {fault}") from fault
    if not is_counted(metric):
        raise CompareError(f"{target} does not count utterances")
    return metric


def _named_classes(value: Any) -> bool:
    """Tell whether a configuration has a target anywhere."""
    if isinstance(value, Mapping):
        return "_target_" in value or any(map(_named_classes, value.values()))
    return isinstance(value, list) and any(map(_named_classes, value))


def _own_steps(options: Mapping[str, Any]) -> bool:
    """Tell whether a step of the normalisation is a class of the user."""
    steps = options.get("normalise")
    names = [
        name
        for step in (steps if isinstance(steps, list) else [])
        for name in (step if isinstance(step, Mapping) else [step])
    ]
    return any(name not in STEP_NAMES for name in names)
