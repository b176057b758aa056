"""The entries of `metrics`: which class, which inputs, which key in the results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from measure_core.config.build import build, resolved_metric
from measure_core.config.document import node_at, plain
from measure_core.contract import check_declaration, check_inputs, class_path, names_said, said
from measure_core.errors import ConfigError, Faults, MeasureError, combined
from measure_core.inputs.names import bound, near
from measure_core.metric import BaseMetric

if TYPE_CHECKING:
    from measure_core.config.document import Document
    from measure_core.config.options import Options
    from measure_core.interface import Interface

__all__ = ["Entry", "chosen", "entries"]

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


def entries(document: Document, options: Options, *, per_utterance: bool) -> tuple[list[Entry], Faults]:
    """Build every metric of a configuration.

    Parameters
    ----------
    document : Document
        The configuration.
    options : Options
        What the caller chose.
    per_utterance : bool
        Whether the configuration wants rows of every metric.

    Returns
    -------
    found : list of Entry
        In the order of the configuration; those that can be built.
    faults : Faults
        What is wrong with the others, and two with one key.
    """
    faults = Faults()
    found: list[Entry] = []
    by_key: dict[str, Entry] = {}
    for index in range(faults.tried(lambda: _n_entries(document)) or 0):
        entry = faults.tried(partial(_entry, document, index, options, per_utterance=per_utterance))
        if entry is None:
            continue
        found.append(entry)
        other = by_key.setdefault(entry.key, entry)
        if other is not entry:
            what = f"{other.where} and {entry.where} both have the key {entry.key}"
            faults.append(ConfigError(what, fixes=["give one a `name:`, which then is its key"]))
    return found, faults


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


def _entry(document: Document, index: int, options: Options, *, per_utterance: bool) -> Entry:
    """Build one metric; all its faults are told together, with its place."""
    where = document.where("metrics", index)
    faults = Faults()

    def value(key: str) -> Any:
        return plain(document, "metrics", index, key)

    node = faults.tried(lambda: _node(document, index))
    if node is None:
        raise _placed(faults, document, index)
    faults.tried(lambda: _check_keys(document, node))
    name = faults.tried(lambda: _name(value("name")))
    wants_rows = faults.tried(lambda: _wants_rows(value("per_utterance")))
    said_interface = faults.tried(lambda: _interface(value("interface")))
    given = faults.tried(lambda: {} if value("inputs") is None else bound(value("inputs"), "inputs"))
    config = faults.tried(lambda: resolved_metric(value("metric"))) if "metric" in node else None
    built = None if config is None else faults.tried(lambda: build(config, said_interface, options.allow_targets))
    inputs = None if built is None or given is None else faults.tried(lambda: _inputs(given, built[0]))
    own = None if built is None else faults.tried(lambda: said(built[0], "per_utterance"))
    if faults or config is None or built is None or inputs is None:
        raise _placed(faults, document, index)
    metric, interface = built
    is_wanted = True in (wants_rows, options.per_utterance, per_utterance) or own is True
    return Entry(index, where, name or class_path(metric), config, metric, interface, inputs, is_wanted)


def _placed(faults: Faults, document: Document, index: int) -> MeasureError:
    """Say of which entry faults are."""
    where = document.where("metrics", index)
    path, line = document.at("metrics", index)
    placed: list[MeasureError] = []
    for fault in faults:
        headline = fault.what if fault.what.startswith("metrics[") else f"{where}: {fault.what}"
        placed.append(type(fault)(headline, fault.facts, fault.fixes, path=path, line=line))
        placed[-1].__cause__ = fault
    return combined(placed)


def _name(value: Any) -> str | None:
    if value is not None and (not isinstance(value, str) or not value):
        raise ConfigError(f"name is {value!r}; a text is wanted", fixes=["quote it"])
    return value


def _wants_rows(value: Any) -> bool:
    if not isinstance(value, (bool, type(None))):
        raise ConfigError(f"per_utterance is {value!r}; true or false is wanted")
    return value is True


def _interface(value: Any) -> Interface | None:
    if value is not None and value not in ("lists", "paths"):
        raise ConfigError(f"interface is {value!r}; it is `lists` or `paths`")
    return None if value is None else "lists" if value == "lists" else "paths"


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
    faults = Faults()
    for key in node:
        if key in _ENTRY_KEYS or re.search(r"\$\{[^}]*\b" + re.escape(str(key)) + r"\}", text):
            continue
        fixes = [near(str(key), _ENTRY_KEYS) or "remove it"]
        faults.append(ConfigError(f"unknown key {key!r}; an entry has {', '.join(_ENTRY_KEYS)}", fixes=fixes))
    if "metric" not in node:
        faults.append(ConfigError("there is no `metric`", fixes=["write `metric: wer`, or `metric: {_target_: …}`"]))
    faults.told()


def _inputs(found: dict[str, str], metric: Any) -> dict[str, str]:
    """Find the inputs of a metric: those given, or else those it names itself."""
    is_declared = check_declaration(metric, is_required=True) if isinstance(metric, BaseMetric) else _declares(metric)
    if not found:
        names = _own_inputs(metric, is_declared=is_declared)
        if not names:
            what = f"{class_path(metric)} does not name its inputs (ref_key, hyp_key)"
            raise ConfigError(what, fixes=["add `inputs: {ref: ref, hyp: hyp}` to the entry"])
        found = bound(names, "inputs")
    lacking = [key for key in names_said(metric, "input_keys") if key not in found]
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
    keys = [said(metric, attribute) for attribute in ("ref_key", "hyp_key")]
    return names_said(metric, "input_keys") or (keys if all(isinstance(key, str) for key in keys) else [])


def chosen(found: list[Entry], wanted: Sequence[str], *, are_all: bool) -> list[Entry]:
    """Keep the entries whose key, class name or short name was asked for.

    Parameters
    ----------
    found : list of Entry
        The entries.
    wanted : sequence of str
        Names; empty for all of them.
    are_all : bool
        Whether the configuration has no others, so that a name which none of them has is wrong.

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
    names = {entry.key: {entry.key, entry.key.rpartition(".")[2], str(said(entry.metric, "name"))} for entry in found}
    unknown = [word for word in wanted if not any(word in known for known in names.values())]
    if unknown and are_all:
        known = sorted(names)
        raise ConfigError(
            f"there is no metric {', '.join(unknown)} in the configuration", [f"there is: {', '.join(known)}"]
        )
    return [entry for entry in found if names[entry.key] & set(wanted)]
