"""What a run is to do: test sets, metrics, inputs and options, checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

from measure_core.config.document import node_at, plain
from measure_core.contract import class_path
from measure_core.errors import ConfigError, InputError, MeasureError, combined
from measure_core.inputs.names import bound, near, test_dir

if TYPE_CHECKING:
    from measure_core.config.document import Document
    from measure_core.inputs.align import OnMismatch
    from measure_core.interface import Interface

__all__ = ["Entry", "NonFinite", "Options", "Plan", "plan"]

NonFinite = Literal["null", "error", "literal"]
"""What is written for a number that is not finite."""

_RESULTS = {"infer_dir": "measures.json", "inference_dir": "metrics.json"}
_ENTRY_KEYS = ("metric", "inputs", "name", "interface", "per_utterance")
_STATISTICS_KEYS = ("bootstrap", "seed", "level", "by", "separator", "utt2spk")
_TOP_KEYS = ("metrics", *_RESULTS, "dataset", "test_sets", "results_file", "statistics", "nonfinite", "per_utterance")


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of a run may choose.

    Parameters
    ----------
    test_sets : sequence of str, optional
        Only these; those of the configuration by default.
    metrics : sequence of str, optional
        Only those with these keys, names or short names.
    on_mismatch : {"error", "intersect", "empty"}, default "error"
        What to do when files do not have the same IDs.
    allow_targets : sequence of str, optional
        Targets that may be built whatever they are.
    espnet3_names : bool, default True
        Whether ESPnet3's module paths give our base classes where ESPnet3 has none.
    per_utterance : bool, default False
        Write tables of utterances for every metric that can.
    keep_going : bool, default False
        Go on with the other metrics after one has failed.
    resume : bool, default False
        Take over results whose signature, configuration and inputs have not changed.
    jobs : int, default 1
        Processes.
    engine : {"local", "dask"}, default "local"
        Where they run.
    scheduler : str, optional
        ``HOST:PORT`` of a Dask scheduler.
    limit : int, optional
        Only this many utterances of each test set.
    """

    test_sets: Sequence[str] = ()
    metrics: Sequence[str] = ()
    on_mismatch: OnMismatch = "error"
    allow_targets: Sequence[str] = ()
    espnet3_names: bool = True
    per_utterance: bool = False
    keep_going: bool = False
    resume: bool = False
    jobs: int = 1
    engine: Literal["local", "dask"] = "local"
    scheduler: str | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Entry:
    """One metric of a run.

    Attributes
    ----------
    index : int
        Its place in `metrics`.
    where : str
        That place in words, with file and line.
    key : str
        Its key in the results.
    config : dict
        Its resolved configuration, with ``_target_``.
    metric : object
        The metric.
    interface : {"lists", "paths"}
        What it gets.
    inputs : dict of str to str
        Alias to name of the SCP file.
    per_utterance : bool
        Whether rows of utterances are written.
    """

    index: int
    where: str
    key: str
    config: dict[str, Any]
    metric: Any
    interface: Interface
    inputs: dict[str, str]
    per_utterance: bool = False


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
    """

    root: Path
    results: Path
    test_sets: list[str]
    are_discovered: bool
    entries: list[Entry]
    statistics: dict[str, Any] = field(default_factory=dict)
    nonfinite: NonFinite = "null"
    options: Options = field(default_factory=Options)


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
    faults: list[MeasureError] = []

    def tried(step: Any, *arguments: Any) -> Any:
        try:
            return step(*arguments)
        except MeasureError as fault:
            faults.append(fault)
            return None

    root = tried(_root, document)
    names = tried(_test_sets, document, root[1], options) if root else None
    entries = tried(_entries, document, options) or []
    statistics = tried(_statistics, document)
    nonfinite = tried(_choice, document, "nonfinite", get_args(NonFinite))
    tried(_choice, document, "per_utterance", (True, False))
    if faults:
        raise combined(faults)
    results = plain(document, "results_file") or _RESULTS[root[0]]
    if not isinstance(results, str) or PurePath(results).name != results:
        raise ConfigError(f"{document.where('results_file')}: {results!r} is no name of a file in {root[1]}")
    assert root is not None  # faults were raised
    assert names is not None
    test_sets, are_discovered = names
    if options.limit is not None:  # a dry look does not write over results
        results = f"{PurePath(results).stem}.limit.json"
    return Plan(
        root[1], root[1] / results, test_sets, are_discovered, entries, statistics or {}, nonfinite or "null", options
    )


def _root(document: Document) -> tuple[str, Path]:
    """Find the root of the inference results, and the key that names it."""
    given = [key for key in _RESULTS if plain(document, key) is not None]
    if len(given) != 1:
        where = document.where()
        if given:
            raise ConfigError(f"{where}: infer_dir and inference_dir are both given", fixes=["remove one of them"])
        hint = near("infer_dir", [str(key) for key in document.config])
        raise ConfigError(
            f"{where}: neither infer_dir nor inference_dir is given",
            [hint] if hint else [],
            ["add `infer_dir: DIR`, the directory that has one directory per test set"],
        )
    key = given[0]
    value = plain(document, key)
    if not isinstance(value, str):
        raise ConfigError(f"{document.where(key)}: {value!r} is no directory")
    root = Path(value)
    if not root.is_dir():
        beside = document.folder / root
        hint = f"there is {beside}: run from {document.folder}, or write the whole path" if beside.is_dir() else ""
        raise ConfigError(
            f"{document.where(key)}: {root} is not a directory ({key})",
            fixes=[hint or "run the inference first, or correct the path; it is taken from the current directory"],
        )
    return key, root


def _test_sets(document: Document, root: Path, options: Options) -> tuple[list[str], bool]:
    """Find the names of the test sets, and whether they had to be discovered."""
    sections = _names(document)
    are_discovered = not sections
    if are_discovered:
        sections = sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("."))
        if not sections:
            raise ConfigError(f"{root} has no test set: no directory in it", fixes=["run the inference first"])
    wanted = list(options.test_sets) or plain(document, "test_sets") or []
    if isinstance(wanted, str):
        wanted = [wanted]
    unknown = [name for name in wanted if name not in sections]
    if unknown:
        hint = near(str(unknown[0]), sections)
        what = f"there is no test set {', '.join(map(str, unknown))}"
        raise ConfigError(what, [f"there is: {' '.join(sections)}"], [hint] if hint else [])
    chosen = [name for name in sections if name in wanted] if wanted else sections
    missing: list[MeasureError] = []
    for name in chosen:
        try:
            test_dir(root, name)
        except MeasureError as fault:
            missing.append(fault)
    if missing:
        raise combined(missing)
    return chosen, are_discovered


def _names(document: Document) -> list[str]:
    """Give the names in `dataset.test`; nothing else of `dataset` is looked at."""
    tests = node_at(document, "dataset", "test")
    if not isinstance(tests, Sequence):
        return []
    found: list[str] = []
    for i in range(len(tests)):
        where = document.where("dataset", "test", i)
        is_mapping = isinstance(node_at(document, "dataset", "test", i), Mapping)
        name = plain(document, "dataset", "test", i, "name") if is_mapping else None
        if not isinstance(name, str) or not name:
            raise ConfigError(f"{where}: a test set needs a `name`", fixes=["write `- name: test-clean`"])
        if PurePath(name).name != name or name in (".", "..") or "\0" in name:
            raise ConfigError(f"{where}: the test set {name!r} is not one path component", fixes=["name a directory"])
        if name in found:
            raise ConfigError(f"{where}: the test set {name} is there twice", fixes=["remove one of them"])
        found.append(name)
    return found


def _entries(document: Document, options: Options) -> list[Entry]:
    """Build every metric; list the faults of all of them together."""
    faults: list[MeasureError] = []
    entries = []
    for index in range(_n_entries(document)):
        try:
            entries.append(_entry(document, index, options))
        except MeasureError as fault:
            faults.append(fault)
    if faults:
        raise combined(faults)
    by_key: dict[str, Entry] = {}
    for entry in entries:
        other = by_key.setdefault(entry.key, entry)
        if other is not entry:
            what = f"{other.where} and {entry.where} both have the key {entry.key}"
            faults.append(ConfigError(what, fixes=["give one a `name:`, which then is its key"]))
    if faults:
        raise combined(faults)
    return _chosen(entries, options.metrics) if options.metrics else entries


def _n_entries(document: Document) -> int:
    """Give the number of entries of `metrics`, at least one."""
    node = node_at(document, "metrics")
    if isinstance(node, Sequence) and len(node):
        return len(node)
    hint = near("metrics", [str(key) for key in document.config if key not in _TOP_KEYS])
    raise ConfigError(
        f"{document.where('metrics')}: `metrics` is missing or empty"
        if not hint
        else f"{document.where()}: no `metrics`",
        [hint] if hint else [],
        ["add a list: `metrics: [{metric: wer}]`; `measure list` shows what there is"],
    )


def _entry(document: Document, index: int, options: Options) -> Entry:
    """Build one metric; its faults name its place."""
    from measure_core.config.build import build, resolved_metric

    where = document.where("metrics", index)
    path, line = document.at("metrics", index)
    try:
        _check_keys(document, index)
        section = {key: plain(document, "metrics", index, key) for key in _ENTRY_KEYS}
        _check_values(section)
        config = resolved_metric(section["metric"])
        metric, interface = build(config, section["interface"], options.allow_targets)
        inputs = _inputs(section["inputs"], metric)
    except (ConfigError, InputError) as fault:
        headline = fault.what if fault.what.startswith("metrics[") else f"{where}: {fault.what}"
        raise type(fault)(headline, fault.facts, fault.fixes, path=path, line=line) from fault
    wants_rows = (section["per_utterance"], options.per_utterance, plain(document, "per_utterance"), metric)
    is_wanted = any(one is True or getattr(one, "per_utterance", False) is True for one in wants_rows)
    return Entry(index, where, section["name"] or class_path(metric), config, metric, interface, inputs, is_wanted)


def _check_values(section: Mapping[str, Any]) -> None:
    """Check the values of an entry that are ours."""
    if section["name"] is not None and (not isinstance(section["name"], str) or not section["name"]):
        raise ConfigError(f"name is {section['name']!r}; a text is wanted", fixes=["quote it"])
    if section["per_utterance"] not in (None, True, False):
        raise ConfigError(f"per_utterance is {section['per_utterance']!r}; true or false is wanted")


def _check_keys(document: Document, index: int) -> None:
    """Refuse keys that are neither ours nor referred to by an interpolation."""
    from omegaconf import OmegaConf

    node = node_at(document, "metrics", index)
    if not isinstance(node, Mapping):
        raise ConfigError("an entry is a mapping", fixes=["write `- metric: wer`, or `- metric: {_target_: …}`"])
    text = OmegaConf.to_yaml(document.config)
    for key in node:
        if key in _ENTRY_KEYS or re.search(r"\$\{[^}]*\b" + re.escape(str(key)) + r"\}", text):
            continue
        fixes = [near(str(key), _ENTRY_KEYS) or "remove it"]
        raise ConfigError(f"unknown key {key!r}; an entry has {', '.join(_ENTRY_KEYS)}", fixes=fixes)
    if "metric" not in node:
        raise ConfigError("there is no `metric`", fixes=["write `metric: wer`, or `metric: {_target_: …}`"])


def _inputs(given: Any, metric: Any) -> dict[str, str]:
    """Find the inputs of a metric: those given, or those it names itself."""
    from measure_core.contract import check_declaration, check_inputs
    from measure_core.metric import BaseMetric

    is_declared = check_declaration(metric, is_required=True) if isinstance(metric, BaseMetric) else _declares(metric)
    if given is None:
        names = _own_inputs(metric, is_declared=is_declared)
        if not names:
            what = f"{class_path(metric)} does not name its inputs (ref_key, hyp_key)"
            raise ConfigError(what, fixes=["add `inputs: {ref: ref, hyp: hyp}` to the entry"])
        given = names
    found = bound(given, "inputs")
    lacking = [key for key in getattr(metric, "input_keys", ()) if key not in found]
    if lacking:
        what = f"{class_path(metric)} needs the input {' and '.join(lacking)}"
        raise ConfigError(what, [f"`inputs` has {', '.join(found)}"], ["the aliases are the names before the colons"])
    if is_declared:
        check_inputs(metric, list(found))
    return found


def _declares(metric: Any) -> bool:
    """Tell whether a class that is not ours declares fields."""
    from measure_core.contract import check_declaration

    inputs = getattr(type(metric), "inputs", None)
    if not isinstance(inputs, tuple) or not all(hasattr(one, "kind") for one in inputs):
        return False
    return check_declaration(metric, is_required=False)


def _own_inputs(metric: Any, *, is_declared: bool) -> list[str]:
    if is_declared:
        return [one.name for one in metric.inputs if not one.optional]
    named = getattr(metric, "input_keys", None)
    if named:
        return list(named)
    keys = [getattr(metric, attribute, None) for attribute in ("ref_key", "hyp_key")]
    return [key for key in keys if isinstance(key, str)] if all(isinstance(key, str) for key in keys) else []


def _chosen(entries: list[Entry], wanted: Sequence[str]) -> list[Entry]:
    """Keep the entries whose key, class name or short name was asked for."""
    names = {
        entry.key: {entry.key, entry.key.rpartition(".")[2], getattr(entry.metric, "name", None)} for entry in entries
    }
    unknown = [word for word in wanted if not any(word in known for known in names.values())]
    if unknown:
        known = sorted(names)
        raise ConfigError(
            f"there is no metric {', '.join(unknown)} in the configuration", [f"there is: {', '.join(known)}"]
        )
    return [entry for entry in entries if names[entry.key] & set(wanted)]


def _choice(document: Document, key: str, choices: Sequence[Any]) -> Any:
    value = plain(document, key)
    if value is not None and not any(value is one or value == one for one in choices):
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
    unknown = [str(key) for key in value if key not in _STATISTICS_KEYS]
    if unknown:
        hint = near(unknown[0], _STATISTICS_KEYS)
        raise ConfigError(f"{where}: unknown key {', '.join(unknown)}", [hint] if hint else [])
    limits = {"bootstrap": (1, 10_000_000), "seed": (0, 2**63)}
    for key, (low, high) in limits.items():
        number = value.get(key, low)
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ConfigError(f"{where}: {key} is {number!r}; a whole number from {low} to {high} is wanted")
    level = value.get("level", 0.95)
    if not isinstance(level, float) or not 0 < level < 1:
        raise ConfigError(f"{where}: level is {level!r}; a number between 0 and 1 is wanted")
    if value.get("by", "utterance") not in ("utterance", "speaker"):
        raise ConfigError(f"{where}: by is {value['by']!r}; utterance or speaker is wanted")
    return dict(value)
