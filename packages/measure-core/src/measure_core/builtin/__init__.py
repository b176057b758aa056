"""Built-in metrics: errors of words, characters, phones and pieces; exact matches, keywords, speed.

All take lists of strings (the list interface) and offer the counting protocol of `measure_core.builtin.counts`. Their
class path ``measure_core.builtin.WER`` is their key in a results file. Names are loaded where they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from measure_core.builtin.counts import CountedMetric, Counts
    from measure_core.builtin.exact import ExactMatch
    from measure_core.builtin.information import MER, WIL, WIP
    from measure_core.builtin.keywords import KeywordAccuracy
    from measure_core.builtin.rates import CER, PER, TER, WER
    from measure_core.builtin.real_time import RTF

__all__ = [
    "CER",
    "MER",
    "PER",
    "RTF",
    "TER",
    "WER",
    "WIL",
    "WIP",
    "CountedMetric",
    "Counts",
    "ExactMatch",
    "KeywordAccuracy",
]

_MODULES = {
    "counts": ("CountedMetric", "Counts"),
    "exact": ("ExactMatch",),
    "information": ("MER", "WIL", "WIP"),
    "keywords": ("KeywordAccuracy",),
    "rates": ("CER", "PER", "TER", "WER"),
    "real_time": ("RTF",),
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
