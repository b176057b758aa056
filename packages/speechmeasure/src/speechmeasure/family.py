"""Which packages belong to the family, and which version of each is installed.

A member's version is a literal in its ``__about__`` module. That module alone is run to read it: neither the
package nor its dependencies are imported, so asking for all versions stays cheap, however heavy a member is.
"""

from __future__ import annotations

import importlib.util
from importlib.machinery import PathFinder

from speechmeasure.__about__ import __version__

_MEMBERS = ("speechio", "mdeval", "discophon", "pathbench", "measure_core")


def members() -> tuple[str, ...]:
    """Name the packages of the family.

    Returns
    -------
    tuple of str
        Import names; a package stands after those it depends on.
    """
    return _MEMBERS


def versions() -> dict[str, str]:
    """Read the installed version of every package of the family.

    Returns
    -------
    dict of str to str
        Import name to version: this package first, then the members in the order of `members`.

    Raises
    ------
    ModuleNotFoundError
        If a member is not installed, or if what bears its name is another project's package.
    """
    return {"speechmeasure": __version__} | {name: _version_of(name) for name in _MEMBERS}


def _version_of(name: str) -> str:
    package = importlib.util.find_spec(name)
    if package is None:
        msg = f"{name} is not installed; install it beside speechmeasure, from the same release"
        raise ModuleNotFoundError(msg, name=name)
    about = PathFinder.find_spec(f"{name}.__about__", package.submodule_search_locations)
    if about is None or about.loader is None:
        msg = (
            f"{name} at {package.origin} is not of this family: another project's package of the same name; "
            f"uninstall it and install {name} from the same place as speechmeasure"
        )
        raise ModuleNotFoundError(msg, name=name)
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return str(module.__version__)
