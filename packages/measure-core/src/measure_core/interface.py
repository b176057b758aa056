"""Which of the two interfaces an object has: lists, or paths. Structural, so that no base class is needed."""

from __future__ import annotations

import inspect
import logging
from typing import Any, Literal

from measure_core.contract import class_path, said
from measure_core.errors import ConfigError
from measure_core.metric import AbsMetrics, BaseMetric

__all__ = ["Interface", "interface_of", "is_metric_class"]

logger = logging.getLogger(__name__)

Interface = Literal["lists", "paths"]
_INTERFACES: tuple[Interface, ...] = ("lists", "paths")
_ESPNET3 = {"AbsMetrics": "lists", "AbsMetric": "lists", "BaseMetric": "paths"}


def is_metric_class(cls: type) -> bool:
    """Tell whether objects of a class would be metrics.

    Parameters
    ----------
    cls : type
        The class.

    Returns
    -------
    bool
        Whether it defines ``__call__``, or ``update`` and ``compute``.
    """
    return _defines(cls, "__call__") or _is_updated(cls)


def _defines(cls: type, name: str) -> bool:
    return any(name in vars(base) for base in cls.__mro__ if base is not object)


def _is_updated(cls: type) -> bool:
    return all(callable(getattr(cls, name, None)) for name in ("update", "compute"))


def interface_of(metric: object, wanted: str | None = None) -> Interface:
    """Find the interface of a metric.

    Parameters
    ----------
    metric : object
        The metric.
    wanted : str, optional
        What the configuration says; a class attribute ``measure_interface`` says the same.

    Returns
    -------
    {"lists", "paths"}
        Whether it gets lists of strings, or the paths of SCP files.

    Raises
    ------
    ConfigError
        If it has neither interface.
    """
    chosen = wanted if wanted is not None else said(metric, "measure_interface")
    found, why = (chosen, "it is said so") if chosen is not None else _found(metric)
    if found not in _INTERFACES:
        raise ConfigError(f"{class_path(metric)}: interface is {found!r}; it is `lists` or `paths`")
    if not callable(metric) and (found == "lists" or not _is_updated(type(metric))):
        lacking = "no `__call__`" if found == "lists" else "neither `__call__` nor `update`/`compute`"
        what = f"`{class_path(metric)}` is not a metric with the interface {found}: it has {lacking}"
        raise ConfigError(what, fixes=["define `def __call__(self, data, test_name, output_dir)`, or mend `interface`"])
    logger.debug("%s has the interface %s: %s", class_path(metric), found, why)
    return next(one for one in _INTERFACES if one == found)


def _found(metric: object) -> tuple[Interface, str]:
    """Find the interface by what the class is made of."""
    cls = type(metric)
    if isinstance(metric, AbsMetrics):
        return "lists", "it derives from AbsMetrics"
    if isinstance(metric, BaseMetric):
        return "paths", "it derives from BaseMetric"
    for base in cls.__mro__:
        if str(base.__module__).startswith("espnet3.") and base.__name__ in _ESPNET3:
            of_base: Interface = "lists" if _ESPNET3[base.__name__] == "lists" else "paths"
            return of_base, f"it derives from {base.__module__}.{base.__name__}"
    if _is_updated(cls):
        return "paths", "it has update and compute"
    if callable(metric):
        return ("paths", "its first parameter is paths") if _takes_paths(metric) else ("lists", "it is callable")
    raise ConfigError(f"`{class_path(metric)}` is not a metric: it has neither `__call__` nor `update`/`compute`")


def _takes_paths(metric: Any) -> bool:
    """Tell whether the annotation of the first parameter mentions paths."""
    try:
        first, *_ = inspect.signature(metric).parameters.values()
    except (TypeError, ValueError):  # nothing to be known, or no parameter
        return False
    return "Path" in str(first.annotation)
