"""Which code computes a score: hashes of the source files that an evaluator of other people is made of."""

from __future__ import annotations

import ast
import hashlib
import inspect
import logging
import os
import secrets
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import TYPE_CHECKING

from pathbench.__about__ import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

__all__ = ["installed", "is_ours", "loose_modules", "signed", "version_of"]

log = logging.getLogger(__name__)


def is_ours(cls: type) -> bool:
    """Tell whether a class is one of this package."""
    return cls.__module__.partition(".")[0] == "pathbench"


def installed(distribution: str) -> str:
    """Give the version of a distribution; ``none`` if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "none"


def version_of(cls: type) -> str:
    """State which code a class of other people runs.

    Parameters
    ----------
    cls : type
        The class.

    Returns
    -------
    str
        Version of the distribution it comes from, if any, and a hash of its module and of those modules beside it,
        or in its package, that it imports. A class whose source cannot be read, such as one typed at a prompt, gets
        another version each time, so that its scores are never taken from an earlier run.
    """
    owner, source = _owner(cls), _source(cls)
    parts = [f"{owner}={installed(owner)}"] if owner else []
    if not source:
        log.warning("the source of %s cannot be read, so its scores are computed anew in every run", cls.__qualname__)
        return " ".join([*parts, f"source=unknown-{secrets.token_hex(8)}"])
    return " ".join([*parts, f"source={source}"])


def _source(cls: type) -> str:
    """Hash the source files of a class; empty if they cannot be read."""
    found = hashlib.sha256()
    paths = _paths(cls)
    try:
        for path in paths:
            with open(path, "rb") as stream:
                found.update(hashlib.file_digest(stream, "sha256").digest())
    except OSError:
        return ""
    return found.hexdigest()[:16] if paths else ""


def signed(parts: Sequence[object]) -> tuple[str, str]:
    """State in a signature whose code computes.

    Parameters
    ----------
    parts : sequence of object
        An evaluator, and what it consists of that has code of its own.

    Returns
    -------
    beginning, end : str
        Distribution (for a module that none brings, its name) and version; the hash of the source of every class that
        is not of this package, and this package's version if the evaluator itself is not.

    Examples
    --------
    >>> from pathbench import CPPEvaluator
    >>> signed([CPPEvaluator()]) == (f"pathbench|v:{__version__}", "")
    True
    """
    first = type(parts[0])
    others = {cls: _source(cls) or "unknown" for cls in map(type, parts) if not is_ours(cls)}
    sources = "".join(f"|source:{'' if cls is first else f'{cls.__name__}='}{source}" for cls, source in others.items())
    if is_ours(first):
        return f"pathbench|v:{__version__}", sources
    owner = _owner(first)
    name = owner or first.__module__.partition(".")[0]
    return f"{name}|v:{installed(owner) if owner else 'none'}", f"|pathbench:{__version__}{sources}"


def loose_modules(cls: type) -> list[ModuleType]:
    """List the modules of a class that no distribution brings, so that another machine may lack them.

    Parameters
    ----------
    cls : type
        The class.

    Returns
    -------
    list of module
        That of the class and those beside it that it imports, as far as they are imported.
    """
    # what __main__ holds is sent whole anyway
    if is_ours(cls) or _owner(cls) or cls.__module__ in ("__main__", "builtins"):
        return []
    paths = set(_paths(cls))
    modules = list(sys.modules.values())
    return [one for one in modules if isinstance(_file(one), str) and os.path.abspath(str(_file(one))) in paths]


def _owner(cls: type) -> str:
    return packages_distributions().get(cls.__module__.partition(".")[0], [""])[0]


def _file(module: ModuleType | None) -> str | None:
    return getattr(module, "__file__", None)


def _paths(cls: type) -> list[str]:
    """List the source files of a class: its module, and what that imports from its package or its folder."""
    module = inspect.getmodule(cls)
    is_typed = cls.__module__ == "__main__" and hasattr(sys, "ps1")  # at a prompt a class can be made again
    path = _file(module)
    if module is None or path is None or is_typed or not path.endswith(".py"):
        return []
    path = os.path.abspath(path)
    parents = module.__name__.split(".")[: None if os.path.basename(path) == "__init__.py" else -1]
    root = os.path.dirname(path)
    for _ in parents:
        root = os.path.dirname(root)
    within = parents[0] if parents else "" if not _owner(cls) else module.__name__
    found: list[str] = []
    waiting = [path]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.append(one)
            waiting += _imported(one, root, within)
    return sorted(found)


def _imported(path: str, root: str, within: str) -> Iterator[str]:
    """Give the files below a root that a file imports, of one package or, where none is named, of any."""
    try:
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read())
    except (OSError, SyntaxError, ValueError):
        return
    here = os.path.relpath(os.path.dirname(path), root).split(os.sep)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*(part for part in above if part != os.curdir), *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
        else:
            continue
        for name in filter(None, names):
            if not within or name.partition(".")[0] == within:
                yield from _files(name, root)


def _files(name: str, root: str) -> Iterator[str]:
    """Give the files that are run when a module below a root is imported."""
    parts = name.split(".")
    for i in range(1, len(parts) + 1):
        stem = os.path.join(root, *parts[:i])
        yield from filter(os.path.isfile, (os.path.join(stem, "__init__.py"), f"{stem}.py"))
