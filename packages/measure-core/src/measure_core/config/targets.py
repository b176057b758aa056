"""What a `_target_` may name, found before anything is called.

The outer target must be a class that offers a metric interface; one nested in its arguments must be a class, and not
of a module that reaches the system. Functions are refused: a configuration file is data, it does not run commands.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from measure_core.errors import ConfigError
from measure_core.inputs.names import near
from measure_core.interface import is_metric_class

__all__ = ["BARRED", "barred", "check_targets", "locate"]

HARMLESS = frozenset("collections datetime decimal fractions pathlib random statistics string".split())
"""The modules of the standard library whose classes do nothing but hold values."""

BARRED = (sys.stdlib_module_names | set(sys.builtin_module_names)) - HARMLESS - {"__main__"}
"""Modules none of whose objects may be a target: the rest of the standard library reaches files, sockets, processes."""

_BARRED_CLASSES = frozenset({"numpy.memmap", "numpy.core.memmap", "numpy.lib.npyio.DataSource", "numpy.DataSource"})

_HYDRA_KEYS = frozenset({"_target_", "_args_", "_partial_", "_convert_", "_recursive_"})
_N_PATHS = 6


def locate(target: str) -> Any:
    """Import what a dotted path names.

    Parameters
    ----------
    target : str
        Module path and name.

    Returns
    -------
    object
        What it names.

    Raises
    ------
    ConfigError
        If a module or an attribute is not there, or a module fails to import; says which, and near names.
    """
    parts = target.split(".")
    if not all(part.isidentifier() for part in parts):
        raise ConfigError(f"`_target_: {target}` is not a dotted path", fixes=["write package.module.Class"])
    found: Any = _module(parts[0], target)
    for i, part in enumerate(parts[1:], 1):
        here = ".".join(parts[:i])
        if hasattr(found, part):
            found = getattr(found, part)
        elif isinstance(found, ModuleType) and hasattr(found, "__path__"):
            found = _module(f"{here}.{part}", target, found)
        else:
            raise _no_attribute(found, here, part, target)
    return found


def _module(name: str, target: str, parent: ModuleType | None = None) -> ModuleType:
    """Import a module; tell one that is not there from one that fails."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if fault.name == name and parent is not None:
            raise _no_attribute(parent, parent.__name__, name.rpartition(".")[2], target) from fault
        if fault.name == name:
            paths = [path or "." for path in sys.path]
            shown = [*paths[:_N_PATHS], "…", *paths[-1:]] if len(paths) > _N_PATHS + 1 else paths
            raise ConfigError(
                f"`_target_: {target}`: there is no module {name}",
                [f"searched: {' '.join(shown)}"],
                [
                    near(name, sorted({*sys.stdlib_module_names, *sys.modules}))
                    or "install it, or put it beside the file"
                ],
            ) from fault
        raise ConfigError(
            f"`_target_: {target}`: importing {name} failed: there is no module {fault.name}",
            fixes=[f"install {fault.name}, which {name} imports"],
        ) from fault
    except (Exception, SystemExit) as fault:
        raise ConfigError(
            f"`_target_: {target}`: importing {name} failed: {type(fault).__name__}: {fault}",
            fixes=[f"`python -c 'import {name}'` shows where; --verbose shows it too"],
        ) from fault


def _no_attribute(owner: Any, here: str, part: str, target: str) -> ConfigError:
    names = [name for name in dir(owner) if not name.startswith("_")]
    if target.startswith("espnet") and not getattr(owner, "__file__", None):  # ours stands in for what is not installed
        return ConfigError(f"`_target_: {target}`: ESPnet is not installed", fixes=["pip install espnet"])
    return ConfigError(
        f"`_target_: {target}`: {here} has no {part}",
        [f"{here} is {owner.__file__}"] if getattr(owner, "__file__", None) else [],
        [near(part, names) or f"check the name; {here} has {', '.join(names[:10])}"],
    )


def check_targets(node: Any, allowed: Sequence[str] = ()) -> list[ConfigError]:
    """Check the targets of a metric and its arguments, without calling anything.

    Parameters
    ----------
    node : mapping
        The resolved configuration of the metric, with ``_target_``.
    allowed : sequence of str
        Targets the user has allowed, whatever they are.

    Returns
    -------
    list of ConfigError
        What is wrong, outermost first.
    """
    faults = list(_faults(node, allowed, is_outer=True))
    if node.get("_partial_"):
        what = f"`{node['_target_']}` with `_partial_: true` is no metric, but what would make one"
        faults.append(ConfigError(what, fixes=["remove `_partial_`"]))
    return faults


def _faults(node: Any, allowed: Sequence[str], *, is_outer: bool) -> list[ConfigError]:
    if isinstance(node, Mapping):
        own = _faults_of_target(node, allowed, is_outer=is_outer) if "_target_" in node else []
        return own + [fault for value in node.values() for fault in _faults(value, allowed, is_outer=False)]
    if isinstance(node, list):
        return [fault for value in node for fault in _faults(value, allowed, is_outer=False)]
    return []


def _faults_of_target(node: Mapping[str, Any], allowed: Sequence[str], *, is_outer: bool) -> list[ConfigError]:
    target = node["_target_"]
    if not isinstance(target, str):
        return [ConfigError(f"`_target_` is {target!r}; the dotted path of a class is wanted")]
    if target in allowed:
        return []
    why = barred(target)
    if why:
        return [_refused(target, why)]
    try:
        found = locate(target)
    except ConfigError as fault:
        return [fault]
    if not isinstance(found, type):
        return [_refused(target, f"it is {_kind(found)}; a class is wanted")]
    why = barred(target, found)
    if why:
        return [_refused(target, why)]
    faults = []
    if is_outer and not is_metric_class(found):
        what = f"`{target}` is not a metric: it has neither `__call__` nor `update`/`compute`"
        faults.append(ConfigError(what, fixes=["name a class with `def __call__(self, data, test_name, output_dir)`"]))
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        what = f"`{target}` is abstract: it does not define {', '.join(f'`{name}`' for name in missing)}"
        faults.append(ConfigError(what, fixes=["define what is missing in the class"]))
    refusal = None if missing else _fault_of_arguments(found, target, node)
    return [*faults, refusal] if refusal else faults


def barred(path: str, found: type | None = None) -> str:
    """Say why a class may not be built of a configuration.

    Parameters
    ----------
    path : str
        Its path as it is written; enough to refuse most without importing anything.
    found : type, optional
        The class.

    Returns
    -------
    str
        The reason; empty if there is none.
    """
    names = [path, *([f"{found.__module__}.{found.__qualname__}"] if found is not None else [])]
    for name in names:
        if name.partition(".")[0] in BARRED or name in _BARRED_CLASSES:
            return f"nothing of {name.rpartition('.')[0] or name} may be a target"
    return ""


def _kind(found: object) -> str:
    """Tell what something is that is no class."""
    if inspect.ismethod(found):
        return "a method"
    if inspect.isroutine(found):
        return "a function"
    return "a module" if isinstance(found, ModuleType) else f"an object of the class {type(found).__qualname__}"


def _refused(target: str, why: str) -> ConfigError:
    fixes = [  # Hydra has a list of its own; what is on it is told when it is asked
        "call it in a class of your own, and name that",
        f"or, if you know what it does: --allow-target {target} (Hydra, which builds it, may refuse it all the same)",
    ]
    return ConfigError(f"`_target_: {target}` is refused: {why}", ["nothing of it was called"], fixes)


def _fault_of_arguments(cls: type, target: str, node: Mapping[str, Any]) -> ConfigError | None:
    """Bind the arguments to the constructor."""
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):
        return None
    given = {key: value for key, value in node.items() if key not in _HYDRA_KEYS}
    positional = [] if node.get("_args_") is None else node["_args_"]
    if not isinstance(positional, list):
        return ConfigError(f"`{target}`: `_args_` is {positional!r}; a list is wanted", fixes=["write `_args_: […]`"])
    bind = signature.bind_partial if node.get("_partial_") else signature.bind
    try:
        bind(*positional, **given)
    except TypeError as fault:
        accepted = [
            name for name, one in signature.parameters.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]
        unknown = [key for key in given if key not in accepted]
        hints = [hint for key in unknown if (hint := near(key, accepted))]
        return ConfigError(
            f"`{target}` does not take these arguments: {fault}",
            [f"given: {', '.join(map(str, given)) or 'none'}", f"accepted: {', '.join(accepted) or 'none'}"],
            hints or ["give the arguments that the constructor takes"],
        )
    return None
