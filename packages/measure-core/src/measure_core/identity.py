"""Everything a result depends on, so that two results with equal ones need not be computed twice."""

from __future__ import annotations

import ast
import hashlib
import inspect
import math
import os
import stat
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from measure_core.__about__ import __version__
from measure_core.contract import said
from measure_core.errors import InputError, MeasureError
from measure_core.inputs.columns import read_column
from measure_core.inputs.names import resolve
from measure_core.inputs.prepared import digest
from measure_core.work import is_counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan
    from measure_core.inputs.columns import Column

__all__ = ["Identities", "code_digest", "stamp"]

_N_LOOKED_AT = 1000
"""Values of an input that are looked at to find out whether it names files."""


class Identities:
    """The identities of the results of a run; made before its inputs are read, asked before anything is computed.

    Parameters
    ----------
    plan : Plan
        The run.
    folder : Path
        Directory of the configuration: what classes import from it is looked at as well.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder.resolve()
        self._before: dict[Path, tuple[int, ...] | None] = {}
        self._inputs: dict[Path, dict[str, Any]] = {}
        self._files: dict[Path, str | None] = {}
        self._codes: dict[str, str | None] = {}
        for entry in plan.entries:
            for test_name in plan.test_sets:
                for path in self._paths(entry, test_name).values():
                    self._before[path] = _state(path)

    def _paths(self, entry: Entry, test_name: str) -> dict[str, Path]:
        """Give the input files of a pair; none if one is missing, which reading them tells."""
        try:
            return resolve(self.plan.root, test_name, entry.inputs, "")
        except MeasureError:
            return {}

    def of(self, entry: Entry, test_name: str, columns: Mapping[str, Column]) -> dict[str, Any]:
        """Give the identity of the result of a metric on a test set.

        Parameters
        ----------
        entry : Entry
            The metric.
        test_name : str
            Name of the test set.
        columns : mapping of str to Column
            Its inputs.

        Returns
        -------
        dict
            Plain JSON values without a number that is not finite.

        Raises
        ------
        InputError
            If a file cannot be read, or was changed since the run began to read it.
        """
        return self._identity(entry, test_name, {alias: (one.path, one) for alias, one in columns.items()})

    def of_other(self, entry: Entry, test_name: str) -> dict[str, Any]:
        """Give the identity of a result that is not to be computed, so that its inputs have not been read.

        Parameters
        ----------
        entry : Entry
            The metric.
        test_name : str
            Name of the test set.

        Returns
        -------
        dict
            As `of` gives it.

        Raises
        ------
        InputError
            If an input is missing or wrong.
        """
        paths = resolve(self.plan.root, test_name, entry.inputs, f"metric {entry.key} on {test_name}")
        return self._identity(entry, test_name, {alias: (path, None) for alias, path in paths.items()})

    def _identity(
        self, entry: Entry, test_name: str, sources: Mapping[str, tuple[Path, Column | None]]
    ) -> dict[str, Any]:
        plan, metric = self.plan, entry.metric
        if entry.key not in self._codes:
            self._codes[entry.key] = code_digest(metric, entry.config, self.folder)
        folders = (Path(), plan.root, plan.root / test_name)
        named = {text: stamp(Path(text)) for text in _texts(entry.config)}
        return {
            "measure_core": __version__,
            "class_version": _version(metric),
            "code_sha256": self._codes[entry.key],
            "config": _plain(entry.config),
            "interface": entry.interface,
            "config_files": {text: list(found) for text, found in named.items() if found},
            "choices": said(metric, "signature") if is_counted(metric) else None,
            "inputs": {
                alias: self._input(path, column, None if is_counted(metric) else folders)
                for alias, (path, column) in sources.items()
            },
            "on_mismatch": plan.options.on_mismatch,
            "limit": plan.options.limit,
            "statistics": _plain(plan.statistics) | self._speakers(metric),
            "nonfinite": plan.nonfinite,
        }

    def _input(self, path: Path, column: Column | None, folders: Sequence[Path] | None) -> dict[str, Any]:
        """Tell what an input file holds, and, where there are folders, the files that its values name."""
        if path not in self._inputs:
            before = self._before.setdefault(path, _state(path))
            column = column or read_column(path)
            shown = os.path.relpath(path, self.plan.root)
            self._inputs[path] = {"path": shown, "sha256": digest(path), "lines": len(column)}
            if _state(path) != before:
                raise InputError(
                    f"{path}: the file was changed while it was being read",
                    fixes=["run again when nothing writes it any more"],
                    path=str(path),
                )
        if folders is None:
            return self._inputs[path]
        if path not in self._files:
            self._files[path] = _files_digest(column or read_column(path), folders)
        return self._inputs[path] | {"files": self._files[path]}

    def _speakers(self, metric: object) -> dict[str, str]:
        """Give the digest of the file of speakers where intervals are made with it."""
        wanted = self.plan.statistics
        path = wanted.get("utt2spk")
        is_used = "bootstrap" in wanted and wanted.get("by") == "speaker" and is_counted(metric)
        return {"utt2spk_sha256": digest(Path(path))} if is_used and isinstance(path, str) else {}


def code_digest(metric: object, config: Mapping[str, Any], folder: Path) -> str | None:
    """Give the SHA-256 of the source files that make a metric, and of the versions of their packages.

    Parameters
    ----------
    metric : object
        The metric.
    config : mapping
        Its resolved configuration; the classes that it names are looked at, too.
    folder : Path
        Directory of the configuration: what source files in it import from it is looked at, too.

    Returns
    -------
    str or None
        Hexadecimal digits; None where there is no source file.
    """
    texts = list(_texts(config))
    named = [found for text in texts if (found := _loaded(text)) is not None]
    bases = [base for one in (type(metric), *named) for base in getattr(one, "__mro__", (one,))]
    # of what a path names, also the module it names it in, which may have it from elsewhere
    places = [module for text in texts if (module := sys.modules.get(_module_of(text))) is not None]
    files: set[Path] = set()
    to_do = {file for one in (*bases, *places) if (file := _source(one)) is not None}
    while to_do:
        file = to_do.pop()
        files.add(file)
        to_do |= {*_imported(file, folder), *_packages(file, folder)} - files
    digests = sorted((file.name, digest(file)) for file in files if file.is_file())
    packages = {sys.modules.get(str(base.__module__).partition(".")[0]) for base in bases}
    versions = sorted(str(vars(one).get("__version__")) for one in packages if one is not None)
    return hashlib.sha256(repr((digests, versions)).encode()).hexdigest() if digests else None


def _texts(value: Any) -> Iterator[str]:
    """Give all text in a configuration, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


def _loaded(path: str) -> Any:
    """Give the class or function that a dotted path names, without importing anything; None for any other text."""
    module = _module_of(path)
    rest = path[len(module) + 1 :]
    found: Any = sys.modules.get(module)
    try:
        for name in rest.split(".") if rest else ():
            found = getattr(found, name, None)
    except Exception:  # noqa: BLE001  (a module may give its attributes when asked, and fail)
        return None
    return found if inspect.isclass(found) or inspect.isfunction(found) else None


def _module_of(path: str) -> str:
    """Give the longest beginning of a dotted path that is a loaded module; nothing for any other text."""
    module = path if path.replace(".", "_").isidentifier() else ""
    while module and module not in sys.modules:
        module = module.rpartition(".")[0]
    return module


def _packages(source: Path, folder: Path) -> Iterator[Path]:
    """Give the files of the packages that a source file in a folder is part of."""
    if source.is_relative_to(folder):
        inside = (place for place in source.parents if place != folder and place.is_relative_to(folder))
        yield from filter(Path.is_file, (place / "__init__.py" for place in inside))


def _source(found: Any) -> Path | None:
    try:
        file = inspect.getsourcefile(found)
    except (TypeError, OSError):  # built in, or made without a file
        return None
    return Path(file).resolve() if file else None


def _imported(source: Path, folder: Path) -> Iterator[Path]:
    """Give the source files in a folder that a source file in it imports, anywhere in its code."""
    if not source.is_relative_to(folder):
        return
    try:
        with warnings.catch_warnings():  # Python tells of odd escapes when it imports the file
            warnings.simplefilter("ignore")
            tree = ast.parse(source.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return
    for node in ast.walk(tree):
        base, names = folder, [""]
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = source.parents[min(node.level, len(source.parents)) - 1] if node.level else folder
            names = [node.module or "", *(f"{node.module or ''}.{one.name}" for one in node.names)]
        for name in names:
            parts = [part for part in name.split(".") if part]
            for place in (base.joinpath(*parts[: n + 1]) for n in range(len(parts))):
                yield from filter(Path.is_file, (place.with_name(f"{place.name}.py"), place / "__init__.py"))


def _files_digest(column: Column, folders: Sequence[Path]) -> str | None:
    """Give one digest of sizes and times of the files that the values of an input name; None if they name none."""
    places = np.unique(np.linspace(0, len(column) - 1, _N_LOOKED_AT).astype(np.int64))
    if not any(_stamp_in(value, folders) for value in column.take(places)):
        return None
    found = hashlib.sha256()
    for value in dict.fromkeys(column.take(slice(None))):
        found.update(f"{value}\0{_stamp_in(value, folders)}\n".encode(errors="surrogateescape"))
    return found.hexdigest()


def _stamp_in(value: str, folders: Sequence[Path]) -> tuple[int, ...] | None:
    """Give size and time of a file, looked for in some folders."""
    return next((found for folder in folders if (found := stamp(folder / value)) is not None), None)


def stamp(path: Path) -> tuple[int, ...] | None:
    """Give size and time of a file.

    Parameters
    ----------
    path : Path
        Any path.

    Returns
    -------
    tuple of int or None
        None if there is no such file.
    """
    state = _state(path)
    return state[:2] if state else None


def _state(path: Path) -> tuple[int, ...] | None:
    """Give size and time of a file, and what else tells that another one has taken its place."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    is_file = stat.S_ISREG(status.st_mode)
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino) if is_file else None


def _version(metric: object) -> str | None:
    version = getattr(type(metric), "version", None) or getattr(type(metric), "__version__", None)
    return version if isinstance(version, str) else None


def _plain(value: Any) -> Any:
    """Give a configuration as JSON; what JSON does not have is told as YAML tells it."""
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else repr(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return {f"!!{type(value).__name__}": repr(value)}
