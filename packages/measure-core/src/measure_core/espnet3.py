"""ESPnet3's module paths, so that metric files that import its base classes load without it.

The names are answered only where nobody else does: the finder stands last, hence an installed ESPnet3 wins, and a
module that it has dropped is still found beside it. Nothing of ESPnet is imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

__all__ = ["espnet3_names", "import_path"]

_PACKAGES = ("espnet3", "espnet3.components", "espnet3.components.metrics")
_MODULES = {
    "espnet3.components.metrics.abs_metric": ("AbsMetrics", "AbsMetric"),
    "espnet3.components.metrics.base_metric": ("BaseMetric",),
    "espnet3.contract": ("Field",),
}


class _Loader(Loader):
    """Makes a module with our classes."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002  (the interface of a loader)
        return None

    def exec_module(self, module: ModuleType) -> None:
        ours = importlib.import_module("measure_core")
        for name in _MODULES.get(module.__name__, ()):
            setattr(module, name, getattr(ours, name))


class _Finder(MetaPathFinder):
    """Answers ESPnet3's names."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname in _MODULES or fullname in _PACKAGES:
            return ModuleSpec(fullname, _LOADER, is_package=fullname in _PACKAGES)
        return None


_LOADER = _Loader()


@contextmanager
def espnet3_names(*, are_wanted: bool = True) -> Iterator[None]:
    """Answer ESPnet3's names for a while.

    Parameters
    ----------
    are_wanted : bool, default True
        Whether to do so at all.

    Yields
    ------
    None
        The names are answered.
    """
    if not are_wanted:
        yield
        return
    finder = _Finder()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in (*_PACKAGES, *_MODULES):
            module = sys.modules.get(name)
            if module is not None and module.__spec__ is not None and module.__spec__.loader is _LOADER:
                del sys.modules[name]
                parent, _, child = name.rpartition(".")
                vars(sys.modules.get(parent, module)).pop(child, None)  # a real package keeps its own names only


@contextmanager
def import_path(folder: Path) -> Iterator[None]:
    """Import from a folder for a while, and forget afterwards what was imported from it.

    Parameters
    ----------
    folder : Path
        Stands last on the import path.

    Yields
    ------
    None
        The folder is on the path.
    """
    place = str(folder.resolve())
    is_new = place not in sys.path
    before = set(sys.modules)
    if is_new:
        sys.path.append(place)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        if is_new and place in sys.path:
            new = set(sys.modules) - before
            tops = {name for name in new if "." not in name and _is_from(sys.modules[name], place)}
            for name in new:
                if name.partition(".")[0] in tops:
                    del sys.modules[name]
            sys.path.remove(place)


def _is_from(module: ModuleType, place: str) -> bool:
    """Tell whether a top-level module lies right in a folder; an environment below the folder is none of its own."""
    file = getattr(module, "__file__", None)
    packages = list(getattr(module, "__path__", ()))
    return any(os.path.dirname(one) == place for one in (packages or [file or ""]))
