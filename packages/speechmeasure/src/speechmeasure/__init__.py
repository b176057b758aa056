"""The family of speech evaluation packages under one name.

``import speechmeasure`` costs next to nothing: each member is imported when it is first asked for, as an
attribute of this module. Nothing that a member needs lives here: each can be installed and used without it.

Examples
--------
>>> import speechmeasure
>>> speechmeasure.members()
('speechio', 'mdeval', 'discophon', 'pathbench', 'measure_core')
>>> speechmeasure.speechio.__name__
'speechio'
>>> sorted(speechmeasure.versions())
['discophon', 'mdeval', 'measure_core', 'pathbench', 'speechio', 'speechmeasure']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from speechmeasure.__about__ import __version__
from speechmeasure.family import members, versions

if TYPE_CHECKING:
    from types import ModuleType

    import discophon as discophon
    import mdeval as mdeval
    import measure_core as measure_core
    import pathbench as pathbench
    import speechio as speechio

__all__ = ["__version__", "discophon", "mdeval", "measure_core", "members", "pathbench", "speechio", "versions"]


def __getattr__(name: str) -> ModuleType:
    """Import a member of the family when it is first asked for (PEP 562)."""
    if name in members():
        return importlib.import_module(name)
    msg = f"module {__name__!r} has no attribute {name!r}; its members are {', '.join(members())}"
    raise AttributeError(msg, name=name)


def __dir__() -> list[str]:
    """List the public names, so that completion shows members not imported yet."""
    return sorted(__all__)
