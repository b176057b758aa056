"""The measure stage: SCP files aligned by ID and a measure.yaml in; measures.json with signatures and intervals out.

Examples
--------
>>> from measure_core import AbsMetrics
>>> class Lines(AbsMetrics):
...     def __call__(self, data, test_name, output_dir):
...         return {"lines": len(data["utt_id"])}
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from measure_core.__about__ import __version__

if TYPE_CHECKING:
    from measure_core.contract import Field
    from measure_core.errors import CompareError, ConfigError, InputError, MeasureError, MetricError, OutputError
    from measure_core.inputs import load_inputs
    from measure_core.metric import AbsMetric, AbsMetrics, BaseMetric
    from measure_core.runner import measure

__all__ = [
    "AbsMetric",
    "AbsMetrics",
    "BaseMetric",
    "CompareError",
    "ConfigError",
    "Field",
    "InputError",
    "MeasureError",
    "MetricError",
    "OutputError",
    "__version__",
    "load_inputs",
    "measure",
]

_HOMES = {
    **dict.fromkeys(("AbsMetric", "AbsMetrics", "BaseMetric"), "measure_core.metric"),
    **dict.fromkeys(
        ("CompareError", "ConfigError", "InputError", "MeasureError", "MetricError", "OutputError"),
        "measure_core.errors",
    ),
    "Field": "measure_core.contract",
    "load_inputs": "measure_core.inputs",
    "measure": "measure_core.runner",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for (PEP 562), so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
