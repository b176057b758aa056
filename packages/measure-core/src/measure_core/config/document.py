"""A configuration file as a document: YAML with places, `defaults`, overrides and interpolation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure_core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from omegaconf import DictConfig

__all__ = ["Document", "load_document", "node_at", "plain"]

Place = tuple[Any, ...]
"""Keys and list indices that lead to a node."""

_MOST_OF_ALIASES = 10_000
"""Values that aliases may repeat; a few lines of aliases of aliases could stand for billions."""


@dataclass(frozen=True)
class Document:
    """A configuration that was read and merged.

    Attributes
    ----------
    config : DictConfig
        The document; interpolations are not resolved yet.
    path : Path or None
        Its file; None if it was given as a mapping.
    lines : dict
        File and line of every node, by its place.
    """

    config: DictConfig
    path: Path | None = None
    lines: dict[Place, tuple[Path, int]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The directory of the file, else the current one."""
        return self.path.parent if self.path else Path()

    def at(self, *place: Any) -> tuple[str | None, int | None]:
        """Find the file and line of a node, or of the nearest one around it."""
        for end in range(len(place), -1, -1):
            if place[:end] in self.lines:
                path, line = self.lines[place[:end]]
                return str(path), line
        return (str(self.path) if self.path else None), None

    def where(self, *place: Any) -> str:
        """Name a node in messages: its place, with the file and line."""
        words = ""
        for part in place:
            words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else str(part)
        path, line = self.at(*place)
        spot = ":".join(str(part) for part in (path, line) if part is not None)
        return f"{words} ({spot})" if words and spot else words or spot or "configuration"


def load_document(
    source: os.PathLike[str] | str | Mapping[str, Any] | DictConfig, overrides: Sequence[str] = ()
) -> Document:
    """Read a configuration.

    Parameters
    ----------
    source : path-like, str, mapping or DictConfig
        A YAML file, or its content.
    overrides : sequence of str
        ``key=value``, the key with dots; applied after the defaults.

    Returns
    -------
    Document
        What was read.

    Raises
    ------
    ConfigError
        If it cannot be read, is no YAML mapping, has a key twice, or an override makes no sense.
    """
    from omegaconf import OmegaConf

    given: Any = source
    if OmegaConf.is_list(given):
        raise ConfigError("the configuration is a list; a mapping is wanted")
    if OmegaConf.is_dict(given):
        document = Document(given.copy())
    elif isinstance(given, Mapping):
        document = Document(OmegaConf.create(dict(given)))
    else:
        path = Path(given)
        config, lines = _merged(path, ())
        document = Document(config, path, lines)
    for override in overrides:
        _override(document.config, override)
    return document


def plain(document: Document, *place: Any) -> Any:
    """Give a node as plain Python values, with everything in it resolved.

    Parameters
    ----------
    document : Document
        The configuration.
    *place : str or int
        Keys and list indices that lead to the node.

    Returns
    -------
    object
        Mappings, lists and values; None if there is no such node.

    Raises
    ------
    ConfigError
        If an interpolation leads nowhere or a value is missing; names both.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    node: Any = document.config
    try:
        for part in place:
            if node is None or (isinstance(part, str) and part not in node):
                return None
            node = node[part]
        return OmegaConf.to_container(node, resolve=True, throw_on_missing=True) if OmegaConf.is_config(node) else node
    except OmegaConfBaseException as fault:
        raise _unresolved(document, place, fault) from fault
    except (TypeError, IndexError, KeyError, RecursionError) as fault:
        raise ConfigError(f"{document.where(*place)}: cannot be read: {fault}") from fault


def node_at(document: Document, *place: Any) -> Any:
    """Give a node as it is: interpolations that lead to it are resolved, those in it are not.

    Parameters
    ----------
    document : Document
        The configuration.
    *place : str or int
        Keys and list indices that lead to the node.

    Returns
    -------
    object
        A mapping, a list or a value; None if it is null or not there.

    Raises
    ------
    ConfigError
        If an interpolation leads nowhere, a value is missing, or the way to the node goes through a mere value.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    node: Any = document.config
    try:
        for depth, part in enumerate(place):
            if node is None:
                return None
            is_right = OmegaConf.is_list(node) if isinstance(part, int) else OmegaConf.is_dict(node)
            if not is_right:
                wanted = "list" if isinstance(part, int) else "mapping"
                raise ConfigError(f"{document.where(*place[:depth])}: a {wanted} is wanted")
            if not isinstance(part, int) and part not in list(node):
                return None
            node = node[part]
    except OmegaConfBaseException as fault:
        raise _unresolved(document, place, fault) from fault
    return node


def _unresolved(document: Document, place: Place, fault: Any) -> ConfigError:
    """Say which interpolation leads nowhere, and in which key it stands."""
    first = str(fault).splitlines()[0]
    key = str(fault.full_key or ".".join(map(str, place)))
    parts = tuple(int(part) if part.isdigit() else part for part in key.replace("[", ".").replace("]", "").split("."))
    path, line = document.at(*parts)
    return ConfigError(
        f"{document.where(*parts)}: {first}",
        [f"the key is {key}"],
        ["define what is missing in the file, with --set, or in the environment"],
        path=path,
        line=line,
    )


def _merged(path: Path, before: tuple[Path, ...]) -> tuple[DictConfig, dict[Place, tuple[Path, int]]]:
    """Read a file and merge it with the files its `defaults` name."""
    from omegaconf import OmegaConf

    if path.resolve() in before:
        raise ConfigError(f"{path}: `defaults` lead back to this file", path=str(path))
    config, lines = _read(path)
    content: Any = OmegaConf.to_container(config)
    names = content.get("defaults")
    if names is None:
        return config, lines
    del config["defaults"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(
            f"{path}: `defaults` is a list of names of YAML files beside this one",
            fixes=["write `defaults: [base, _self_]` for base.yaml, then this file"],
            path=str(path),
            line=lines.get(("defaults",), (path, None))[1],
        )
    if "_self_" not in names:
        names = [*names, "_self_"]
    merged: Any = OmegaConf.create()
    all_lines: dict[Place, tuple[Path, int]] = {}
    for i, name in enumerate(names):
        if name == "_self_":
            other, other_lines = config, lines
        else:
            file = path.parent / (name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
            if not os.path.exists(file):
                line = lines.get(("defaults", i), (path, None))[1]
                what = f"{path}:{line}: `defaults` names {name!r}, but there is no file {file}"
                raise ConfigError(what, fixes=["name a YAML file beside this one"], path=str(path), line=line)
            other, other_lines = _merged(file, (*before, path.resolve()))
        merged = OmegaConf.merge(merged, other)
        all_lines.update(other_lines)
    return merged, all_lines


def _read(path: Path) -> tuple[DictConfig, dict[Place, tuple[Path, int]]]:
    """Read one YAML file, with the line of every node."""
    import yaml
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    text = _text(path)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is None:
            return OmegaConf.create(), {}
        _check_size(root, path, {})
        lines = {place: (path, line) for place, line in _lines(root, (), path)}
        config = OmegaConf.create(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = mark.line + 1 if mark else None
        problem = getattr(fault, "problem", None) or getattr(fault, "reason", None) or str(fault).splitlines()[0]
        where = f"{path}:{line}" if line else str(path)
        raise ConfigError(
            f"{where}: not YAML: {problem}",
            fixes=["check indentation, colons and quotes on this line and the one before"],
            path=str(path),
            line=line,
        ) from fault
    except (OmegaConfBaseException, RecursionError, ValueError, AttributeError) as fault:
        if isinstance(fault, ConfigError):
            raise
        raise ConfigError(f"{path}: {str(fault).splitlines()[0]}", path=str(path)) from fault
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError(
            f"{path}: a mapping is wanted at the top, with infer_dir and metrics",
            fixes=["`measure init DIR` writes one to begin with"],
            path=str(path),
        )
    return config, lines  # type: ignore[return-value]


def _text(path: Path) -> str:
    """Read the text of a file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError as fault:
        raise ConfigError(f"{path}: no such file", fixes=["check the path"], path=str(path)) from fault
    except (OSError, ValueError) as fault:
        raise ConfigError(f"{path}: cannot be read: {getattr(fault, 'strerror', None) or fault}") from fault
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        raise ConfigError(
            f"{path}:{line}: not UTF-8: byte 0x{raw[fault.start]:02x}",
            fixes=["save the file as UTF-8"],
            path=str(path),
            line=line,
        ) from fault


def _lines(node: Any, place: Place, path: Path) -> Iterator[tuple[Place, int]]:
    """Give the line of a YAML node and of all below it; a key twice in one mapping is refused."""
    import yaml

    yield place, node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for i, child in enumerate(node.value):
            yield from _lines(child, (*place, i), path)
    elif isinstance(node, yaml.MappingNode):
        seen: dict[Hashable, int] = {}
        for key, child in node.value:
            line = key.start_mark.line + 1
            name = key.value if isinstance(key, yaml.ScalarNode) else str(key.value)
            if name in seen and name != "<<":
                where = ".".join(map(str, (*place, name)))
                raise ConfigError(
                    f"{path}:{line}: the key {where} is on line {seen[name]} already",
                    fixes=["remove or rename one of them"],
                    path=str(path),
                    line=line,
                )
            seen[name] = line
            yield (*place, name), line
            yield from ((spot, at) for spot, at in _lines(child, (*place, name), path) if spot != (*place, name))


def _check_size(node: Any, path: Path, sizes: dict[int, int]) -> int:
    """Count a YAML node and all below it, aliases as often as they are used; refuse aliases without end."""
    import yaml

    known = sizes.get(id(node))
    if known is None:
        sizes[id(node)] = 0  # until it is known
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        parts = node.value if isinstance(node, yaml.SequenceNode) else [part for pair in pairs for part in pair]
        known = sizes[id(node)] = 1 + sum(_check_size(part, path, sizes) for part in parts)
    if not known:
        raise ConfigError(f"{path}: an alias of the file contains itself", path=str(path))
    if known > len(sizes) + _MOST_OF_ALIASES:
        what = f"{path}: the aliases of the file stand for more than {_MOST_OF_ALIASES} values"
        raise ConfigError(what, fixes=["write what is meant without aliases of aliases"], path=str(path))
    return known


def _override(config: DictConfig, override: str) -> None:
    """Apply ``key=value``."""
    import yaml
    from omegaconf import OmegaConf
    from omegaconf._utils import get_yaml_loader
    from omegaconf.errors import OmegaConfBaseException

    key, sign, text = override.partition("=")
    key = key.strip().lstrip("+")
    if not sign or not key:
        raise ConfigError(f"--set {override}: KEY=VALUE is wanted", fixes=["for instance --set metrics.0.name=raw"])
    try:
        value = yaml.load(text, Loader=get_yaml_loader())  # noqa: S506  (OmegaConf's own loader, a safe one)
        OmegaConf.update(config, key, value, merge=False, force_add=True)
    except yaml.YAMLError as fault:
        raise ConfigError(f"--set {override}: the value is not YAML: {text}") from fault
    except (OmegaConfBaseException, IndexError, KeyError, TypeError, ValueError, AssertionError) as fault:
        raise ConfigError(f"--set {override}: there is no place {key}: {str(fault).splitlines()[0]}") from fault
