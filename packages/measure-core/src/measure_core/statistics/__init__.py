"""How certain a rate is, and whether two systems differ: pure functions on counts and tokens.

Names are loaded where they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from measure_core.statistics.discordant import McNemar, mcnemar
    from measure_core.statistics.matched_pairs import Mapsswe, mapsswe
    from measure_core.statistics.multiple import holm
    from measure_core.statistics.resampling import Difference, Interval, bootstrap, error_rate, paired_bootstrap
    from measure_core.statistics.units import speakers, sum_by_unit

__all__ = [
    "Difference",
    "Interval",
    "Mapsswe",
    "McNemar",
    "bootstrap",
    "error_rate",
    "holm",
    "mapsswe",
    "mcnemar",
    "paired_bootstrap",
    "speakers",
    "sum_by_unit",
]

_MODULES = {
    "discordant": ("McNemar", "mcnemar"),
    "matched_pairs": ("Mapsswe", "mapsswe"),
    "multiple": ("holm",),
    "resampling": ("Difference", "Interval", "bootstrap", "error_rate", "paired_bootstrap"),
    "units": ("speakers", "sum_by_unit"),
}


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    for module, names in _MODULES.items():
        if name in names:
            value: object = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
