"""The phoneme discovery benchmark: discrete units and gold phones in, PNMI, PER, boundary F1 and R-value out.

Names are loaded where they are first used, so that ``import discophon`` costs little.
"""

from __future__ import annotations

import logging
from importlib import import_module

from discophon.__about__ import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from discophon.benchmark import benchmark_discovery
    from discophon.data import read_gold_annotations, read_submitted_units
    from discophon.errors import DatasetError, DiscophonError, NoPredictionsError
    from discophon.evaluate import DiscoveryResult, discover, phoneme_discovery
    from discophon.languages import Language, get_language

__all__ = [
    "DatasetError",
    "DiscophonError",
    "DiscoveryResult",
    "Language",
    "NoPredictionsError",
    "__version__",
    "benchmark_discovery",
    "discover",
    "get_language",
    "phoneme_discovery",
    "read_gold_annotations",
    "read_submitted_units",
]

_MODULES = {
    "benchmark": ("benchmark_discovery",),
    "data": ("read_gold_annotations", "read_submitted_units"),
    "errors": ("DatasetError", "DiscophonError", "NoPredictionsError"),
    "evaluate": ("DiscoveryResult", "discover", "phoneme_discovery"),
    "languages": ("Language", "get_language"),
}


logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    for module, names in _MODULES.items():
        if name in names:
            value: object = getattr(import_module(f"discophon.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'discophon' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
