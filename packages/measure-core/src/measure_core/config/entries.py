"""The entries of `metrics`: which class, which inputs, which key in the results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from measure_core.config.build import build, resolved_metric
from measure_core.config.document import node_at, plain
from measure_core.contract import check_declaration, check_inputs, class_path
from measure_core.errors import ConfigError, InputError, MeasureError, combined
from measure_core.inputs.names import bound, near
from measure_core.metric import BaseMetric

if TYPE_CHECKING:
    from collections.abc import Callable

    from measure_core.config.document import Document
    from measure_core.config.options import Options
    from measure_core.interface import Interface

__all__ = ["Entry", "chosen", "entries"]

_T = TypeVar("_T")
_ENTRY_KEYS = ("metric", "inputs", "name", "interface", "per_utterance")


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


def entries(document: Document, options: Options) -> tuple[list[Entry], list[MeasureError]]:
    """Build every metric of a configuration.

    Parameters
    ----------
    document : Document
        The configuration.
    options : Options
        What the caller chose.

    Returns
    -------
    found : list of Entry
        In the order of the configuration; those that can be built.
    faults : list of MeasureError
        What is wrong with the others.
    """
    faults: list[MeasureError] = []
    by_key: dict[str, Entry] = {}
    try:
        n_entries = _n_entries(document)
    except MeasureError as fault:
        return [], [fault]
    for index in range(n_entries):
        try:
            entry = _entry(document, index, options)
        except MeasureError as fault:
            faults.append(fault)
            continue
        other = by_key.setdefault(entry.key, entry)
        if other is not entry:
            what = f"{other.where} and {entry.where} both have the key {entry.key}"
            faults.append(ConfigError(what, fixes=["give one a `name:`, which then is its key"]))
    return list(by_key.values()), faults


def _n_entries(document: Document) -> int:
    """Give the number of entries of `metrics`, at least one."""
    node = node_at(document, "metrics")
    if isinstance(node, Sequence) and not isinstance(node, str) and len(node):
        return len(node)
    fixes = ["add a list: `metrics: [{metric: wer}]`; `measure list` shows what there is"]
    hint = near("metrics", [str(key) for key in document.config if key != "metrics"])
    if node is None and hint:
        raise ConfigError(f"{document.where()}: no `metrics`", [hint], fixes)
    kind = "missing or empty" if node is None or node in ("", [], {}) else f"a {_kind(node)}; it must be a list"
    raise ConfigError(f"{document.where('metrics')}: `metrics` is {kind}", fixes=fixes)


def _kind(value: Any) -> str:
    """Name the kind of a value of a configuration."""
    kinds = {str: "text", bool: "truth value", int: "number", float: "number"}
    return "mapping" if isinstance(value, Mapping) else kinds.get(type(value), type(value).__name__)


def _entry(document: Document, index: int, options: Options) -> Entry:
    """Build one metric; all its faults are told together, with its place."""
    where = document.where("metrics", index)
    path, line = document.at("metrics", index)
    faults: list[MeasureError] = []

    def tried(step: Callable[..., _T], *arguments: Any) -> _T | None:
        try:
            return step(*arguments)
        except (ConfigError, InputError) as fault:
            for part in fault.each():
                headline = part.what if part.what.startswith("metrics[") else f"{where}: {part.what}"
                faults.append(type(part)(headline, part.facts, part.fixes, path=path, line=line))
                faults[-1].__cause__ = part
            return None

    node = tried(_node, document, index)
    if node is None:
        raise combined(faults)
    tried(_check_keys, document, node)
    section = {key: tried(plain, document, "metrics", index, key) for key in _ENTRY_KEYS}
    tried(_check_values, section)
    config = tried(resolved_metric, section["metric"]) if "metric" in node else None
    built = None if config is None else tried(build, config, section["interface"], options.allow_targets)
    given = None if section["inputs"] is None else tried(bound, section["inputs"], "inputs")
    inputs = None
    if built is not None and (given is not None or section["inputs"] is None):
        inputs = tried(_inputs, given, built[0])
    if faults:
        raise combined(faults)
    assert config is not None  # faults were raised
    assert built is not None
    assert inputs is not None
    metric, interface = built
    wants_rows = (section["per_utterance"], options.per_utterance, plain(document, "per_utterance"), metric)
    is_wanted = any(one is True or getattr(one, "per_utterance", False) is True for one in wants_rows)
    return Entry(index, where, section["name"] or class_path(metric), config, metric, interface, inputs, is_wanted)


def _check_values(section: Mapping[str, Any]) -> None:
    """Check the values of an entry that are ours."""
    faults: list[MeasureError] = []
    if section["name"] is not None and (not isinstance(section["name"], str) or not section["name"]):
        faults.append(ConfigError(f"name is {section['name']!r}; a text is wanted", fixes=["quote it"]))
    if not isinstance(section["per_utterance"], (bool, type(None))):
        faults.append(ConfigError(f"per_utterance is {section['per_utterance']!r}; true or false is wanted"))
    if faults:
        raise combined(faults)


def _node(document: Document, index: int) -> Mapping[Any, Any]:
    """Give an entry as it is written."""
    node = node_at(document, "metrics", index)
    if not isinstance(node, Mapping):
        raise ConfigError("an entry is a mapping", fixes=["write `- metric: wer`, or `- metric: {_target_: …}`"])
    return node


def _check_keys(document: Document, node: Mapping[Any, Any]) -> None:
    """Refuse keys that are neither ours nor referred to by an interpolation."""
    from omegaconf import OmegaConf

    text = OmegaConf.to_yaml(document.config)
    faults: list[MeasureError] = []
    for key in node:
        if key in _ENTRY_KEYS or re.search(r"\$\{[^}]*\b" + re.escape(str(key)) + r"\}", text):
            continue
        fixes = [near(str(key), _ENTRY_KEYS) or "remove it"]
        faults.append(ConfigError(f"unknown key {key!r}; an entry has {', '.join(_ENTRY_KEYS)}", fixes=fixes))
    if "metric" not in node:
        faults.append(ConfigError("there is no `metric`", fixes=["write `metric: wer`, or `metric: {_target_: …}`"]))
    if faults:
        raise combined(faults)


def _inputs(found: dict[str, str] | None, metric: Any) -> dict[str, str]:
    """Find the inputs of a metric: those given, or those it names itself."""
    is_declared = check_declaration(metric, is_required=True) if isinstance(metric, BaseMetric) else _declares(metric)
    if found is None:
        names = _own_inputs(metric, is_declared=is_declared)
        if not names:
            what = f"{class_path(metric)} does not name its inputs (ref_key, hyp_key)"
            raise ConfigError(what, fixes=["add `inputs: {ref: ref, hyp: hyp}` to the entry"])
        found = bound(names, "inputs")
    lacking = [key for key in getattr(metric, "input_keys", ()) if key not in found]
    if lacking:
        what = f"{class_path(metric)} needs the input {' and '.join(lacking)}"
        raise ConfigError(what, [f"`inputs` has {', '.join(found)}"], ["the aliases are the names before the colons"])
    if is_declared:
        check_inputs(metric, list(found))
    return found


def _declares(metric: Any) -> bool:
    """Tell whether a class that is not ours declares fields."""
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


def chosen(found: list[Entry], wanted: Sequence[str]) -> list[Entry]:
    """Keep the entries whose key, class name or short name was asked for.

    Parameters
    ----------
    found : list of Entry
        All entries.
    wanted : sequence of str
        Names; empty for all of them.

    Returns
    -------
    list of Entry
        In the order of the configuration.

    Raises
    ------
    ConfigError
        If a name is not there.
    """
    if not wanted:
        return found
    names = {
        entry.key: {entry.key, entry.key.rpartition(".")[2], getattr(entry.metric, "name", None)} for entry in found
    }
    unknown = [word for word in wanted if not any(word in known for known in names.values())]
    if unknown:
        known = sorted(names)
        raise ConfigError(
            f"there is no metric {', '.join(unknown)} in the configuration", [f"there is: {', '.join(known)}"]
        )
    return [entry for entry in found if names[entry.key] & set(wanted)]
