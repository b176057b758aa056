"""What a run is to do: test sets, metrics, inputs and options, checked before anything is read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, get_args

from measure_core.config.document import node_at, plain
from measure_core.config.entries import chosen, entries
from measure_core.config.options import NonFinite, Options
from measure_core.errors import ConfigError, Faults, MeasureError, combined
from measure_core.inputs.names import near, test_dir

if TYPE_CHECKING:
    from measure_core.config.document import Document
    from measure_core.config.entries import Entry

__all__ = ["Plan", "draft", "plan"]

_RESULTS = {"infer_dir": "measures.json", "inference_dir": "metrics.json"}
_OURS = (".partial.json", ".meta.json", ".limit.json")
_STATISTICS_KEYS = ("bootstrap", "seed", "level", "by", "separator", "utt2spk")


@dataclass(frozen=True)
class Plan:
    """A run, checked as far as it can be without reading an SCP file.

    Attributes
    ----------
    root : Path
        Root of the inference results.
    results : Path
        The results file.
    test_sets : list of str
        Names, in the order of the results.
    are_discovered : bool
        Whether the test sets were found as directories, not named.
    entries : list of Entry
        The metrics, in the order of the results.
    statistics : dict
        What the configuration says about intervals.
    nonfinite : {"null", "error", "literal"}
        What is written for a number that is not finite.
    options : Options
        What the caller chose.
    configured : list of Entry
        All metrics of the configuration, also those that were not chosen.
    configured_sets : list of str
        All its test sets, likewise.
    """

    root: Path
    results: Path
    test_sets: list[str]
    are_discovered: bool
    entries: list[Entry]
    statistics: dict[str, Any] = field(default_factory=dict)
    nonfinite: NonFinite = "null"
    options: Options = field(default_factory=Options)
    configured: list[Entry] = field(default_factory=list)
    configured_sets: list[str] = field(default_factory=list)


def plan(document: Document, options: Options) -> Plan:
    """Check a configuration and build its metrics.

    Parameters
    ----------
    document : Document
        The configuration.
    options : Options
        What the caller chose.

    Returns
    -------
    Plan
        What to do.

    Raises
    ------
    ConfigError, InputError
        If anything is wrong; several faults are listed together.
    """
    found, faults = draft(document, options)
    if faults or found is None:
        raise combined(faults)
    return found


def draft(document: Document, options: Options) -> tuple[Plan | None, list[MeasureError]]:
    """Plan what can be planned of a configuration that may have faults.

    Parameters
    ----------
    document : Document
        The configuration.
    options : Options
        What the caller chose.

    Returns
    -------
    found : Plan or None
        A plan of the test sets and metrics in which nothing is wrong; None if the inference results are not found.
    faults : list of MeasureError
        What is wrong with the rest.
    """
    faults = Faults()
    root = faults.tried(lambda: _root(document))
    names = faults.tried(lambda: _test_sets(document, root[1] if root else None, options, faults))
    per_utterance = faults.tried(lambda: _choice(document, "per_utterance", (True, False)))
    every, entry_faults = entries(document, options, per_utterance=per_utterance is True)
    faults += entry_faults
    found = faults.tried(lambda: chosen(every, options.metrics, are_all=not entry_faults))
    results = faults.tried(lambda: _results_file(document))
    statistics = faults.tried(lambda: _statistics(document))
    nonfinite = faults.tried(lambda: _choice(document, "nonfinite", get_args(NonFinite)))
    if root is None:
        return None, faults
    test_sets, are_discovered, sections = names or ([], False, [])
    results = results or _RESULTS[root[0]]
    if options.limit is not None:  # a dry look does not write over results
        results = f"{PurePath(results).stem}.limit.json"
    planned = Plan(
        root[1],
        root[1] / results,
        test_sets,
        are_discovered,
        found or [],
        statistics or {},
        nonfinite or "null",
        options,
        every,
        sections,
    )
    return planned, faults


def _results_file(document: Document) -> str | None:
    """Check the name of the results file, where one is given: none that a run writes for something else."""
    name = plain(document, "results_file")
    if name is None or name == "":
        return None
    where = document.where("results_file")
    if not isinstance(name, str) or PurePath(name).name != name or name == ".." or "\0" in name:
        raise ConfigError(f"{where}: {name!r} is no name of a file", fixes=["write a name without a directory"])
    if name.lower().endswith(_OURS):
        what = f"{where}: {name!r} is a name of a file that is written beside the results"
        raise ConfigError(what, fixes=[f"choose one that does not end in {', '.join(_OURS)}"])
    return name


def _root(document: Document) -> tuple[str, Path]:
    """Find the root of the inference results, and the key that names it."""
    given = [key for key in _RESULTS if plain(document, key) is not None]
    if len(given) != 1:
        where = document.where()
        if given:
            raise ConfigError(f"{where}: infer_dir and inference_dir are both given", fixes=["remove one of them"])
        empty = next((key for key in _RESULTS if key in document.config), None)
        if empty:
            fixes = ["name the directory that has one directory per test set"]
            raise ConfigError(f"{document.where(empty)}: {empty} is empty", fixes=fixes)
        hint = near("infer_dir", [str(key) for key in document.config])
        raise ConfigError(
            f"{where}: neither infer_dir nor inference_dir is given",
            [hint] if hint else [],
            ["add `infer_dir: DIR`, the directory that has one directory per test set"],
        )
    key = given[0]
    value = plain(document, key)
    if not isinstance(value, str) or not value:
        what = f"{document.where(key)}: {value!r} is no directory ({key})"
        raise ConfigError(
            what, fixes=["name the directory of the inference results, in quotes if it looks like a number"]
        )
    root = Path(value)
    if not os.path.isdir(root):
        beside = document.folder / root
        hint = (
            f"there is {beside}: run from {document.folder}, or write the whole path" if os.path.isdir(beside) else ""
        )
        raise ConfigError(
            f"{document.where(key)}: {root} is not a directory ({key})",
            fixes=[hint or "run the inference first, or correct the path; it is taken from the current directory"],
        )
    return key, root


def _test_sets(
    document: Document, root: Path | None, options: Options, faults: Faults
) -> tuple[list[str], bool, list[str]]:
    """Find the names of the test sets, whether they had to be discovered, and those of all there are."""
    n_faults = len(faults)
    sections = faults.tried(lambda: _names(document, faults)) or []
    wanted = list(options.test_sets) or faults.tried(lambda: _only(document)) or []
    if root is None:
        return [], False, []
    are_discovered = not sections and len(faults) == n_faults
    if are_discovered:
        sections = _folders(root)
    unknown = [name for name in wanted if name not in sections]
    if unknown and len(faults) == n_faults:
        hint = near(unknown[0], sections)
        what = f"there is no test set {', '.join(unknown)}"
        raise ConfigError(what, [f"there is: {' '.join(sections)}"], [hint] if hint else [])
    wanted_sets = [name for name in sections if name in wanted] if wanted else sections
    there = [name for name in wanted_sets if faults.tried(partial(test_dir, root, name))]
    return there, are_discovered, sections


def _folders(root: Path) -> list[str]:
    """Find the test sets of a root, at least one."""
    try:
        found = sorted(one.name for one in os.scandir(root) if one.is_dir() and not one.name.startswith("."))
    except OSError as fault:
        raise ConfigError(f"{root}: cannot be read: {fault.strerror or fault}", fixes=["make it readable"]) from fault
    if not found:
        raise ConfigError(f"{root} has no test set: no directory in it", fixes=["run the inference first"])
    return found


def _only(document: Document) -> list[str]:
    """Give the names in `test_sets`, which restricts a run."""
    value = plain(document, "test_sets")
    names = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        what = f"{document.where('test_sets')}: {value!r} is no list of names of test sets"
        raise ConfigError(what, fixes=["write `test_sets: [test-clean]`; quote what looks like a number"])
    return names


def _names(document: Document, faults: Faults) -> list[str]:
    """Give the names in `dataset.test`; nothing else of `dataset` is looked at."""
    tests = node_at(document, "dataset", "test")
    if tests is None:
        return []
    if not isinstance(tests, Sequence) or isinstance(tests, str):
        what = f"{document.where('dataset', 'test')}: a list of test sets is wanted"
        raise ConfigError(what, fixes=["write `test: [{name: test-clean}]`; without it, every directory is a test set"])
    found: list[str] = []
    for i in range(len(tests)):
        name = faults.tried(partial(_name, document, i, found))
        found += [name] if name else []
    return found


def _name(document: Document, i: int, before: Sequence[str]) -> str:
    """Give the name of one test set."""
    where = document.where("dataset", "test", i)
    is_mapping = isinstance(node_at(document, "dataset", "test", i), Mapping)
    name = node_at(document, "dataset", "test", i, "name") if is_mapping else None
    if name is not None and not isinstance(name, str):
        fix = f'quote it: `- name: "{name}"`'
        raise ConfigError(f"{where}: the name of a test set is {name!r}; a text is wanted", fixes=[fix])
    if not name:
        raise ConfigError(f"{where}: a test set needs a `name`", fixes=["write `- name: test-clean`"])
    if PurePath(name).name != name or name in (".", "..") or "\0" in name:
        raise ConfigError(f"{where}: the test set {name!r} is not one path component", fixes=["name a directory"])
    if name in before:
        raise ConfigError(f"{where}: the test set {name} is there twice", fixes=["remove one of them"])
    return name


def _choice(document: Document, key: str, choices: Sequence[Any]) -> Any:
    value = plain(document, key)
    if value is not None and not any(type(value) is type(one) and value == one for one in choices):
        quoted = "; quote it: 'null'" if key == "nonfinite" else ""
        raise ConfigError(f"{document.where(key)}: {value!r} is none of {', '.join(map(str, choices))}{quoted}")
    return value


def _statistics(document: Document) -> dict[str, Any]:
    """Check what the configuration says about intervals."""
    value = plain(document, "statistics")
    if value is None:
        return {}
    where = document.where("statistics")
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where}: a mapping is wanted", fixes=["write `statistics: {bootstrap: 10000, seed: 0}`"])
    faults = Faults()
    unknown = [str(key) for key in value if key not in _STATISTICS_KEYS]
    if unknown:
        hint = near(unknown[0], _STATISTICS_KEYS)
        faults.append(ConfigError(f"{where}: unknown key {', '.join(unknown)}", [hint] if hint else []))
    limits = {"bootstrap": (1, 10_000_000), "seed": (0, 2**63)}
    for key, (low, high) in limits.items():
        number = value.get(key, low)
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            what = f"{where}: {key} is {number!r}; a whole number from {low} to {high} is wanted"
            faults.append(ConfigError(what))
    level = value.get("level", 0.95)
    if not isinstance(level, float) or not 0 < level < 1:
        faults.append(ConfigError(f"{where}: level is {level!r}; a number between 0 and 1 is wanted"))
    if value.get("by", "utterance") not in ("utterance", "speaker"):
        faults.append(ConfigError(f"{where}: by is {value['by']!r}; utterance or speaker is wanted"))
    for key in ("separator", "utt2spk"):
        if key in value and (not isinstance(value[key], str) or not value[key]):
            what = f"{where}: {key} is {value[key]!r}; a text is wanted"
            faults.append(ConfigError(what, fixes=["quote it, or remove it"]))
    faults.told()
    return dict(value)
