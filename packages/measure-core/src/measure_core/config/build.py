"""Build a metric of its configuration, by Hydra's rules, after its targets have been checked."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from measure_core.config.targets import check_targets
from measure_core.errors import ConfigError, Faults, MeasureError
from measure_core.interface import interface_of
from measure_core.registry import find_metric, registered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measure_core.interface import Interface

__all__ = ["build", "resolved_metric"]

logger = logging.getLogger(__name__)


def resolved_metric(section: object) -> dict[str, Any]:
    """Give the configuration of a metric with its class path.

    Parameters
    ----------
    section : str or mapping
        What `metric` is in an entry: a registered name, or a mapping with one or a class path as ``_target_``.

    Returns
    -------
    dict
        With ``_target_``.

    Raises
    ------
    ConfigError
        If it is neither.
    """
    if isinstance(section, str):
        return {"_target_": find_metric(section)}
    if isinstance(section, Mapping) and "_target_" in section:
        target = section["_target_"]
        if isinstance(target, str) and ("." not in target or any(one.name == target for one in registered())):
            return {**section, "_target_": find_metric(target)}
        return dict(section)
    raise ConfigError(
        "`metric` has no `_target_`" if isinstance(section, Mapping) else f"`metric` is {section!r}",
        fixes=["write `metric: wer`, or `metric: {_target_: package.module.Class}`"],
    )


def build(config: Mapping[str, Any], interface: Interface | None, allowed: Sequence[str]) -> tuple[Any, Interface]:
    """Build a metric.

    Parameters
    ----------
    config : mapping
        Its resolved configuration, with ``_target_``.
    interface : {"lists", "paths"} or None
        What the entry says about its interface.
    allowed : sequence of str
        Targets the user has allowed, whatever they are.

    Returns
    -------
    metric : object
        The metric.
    interface : {"lists", "paths"}
        What it gets.

    Raises
    ------
    ConfigError
        If a target may not be built, cannot be built, or is no metric.
    """
    Faults(check_targets(config, allowed)).told()
    metric = _instantiated(config)
    return metric, interface_of(metric, interface)


def _instantiated(config: Mapping[str, Any]) -> Any:
    from hydra.errors import HydraException
    from hydra.utils import instantiate
    from omegaconf import OmegaConf

    target = config["_target_"]
    where = _interpolation(config)
    if where:
        raise ConfigError(
            f"`{target}` cannot be built: its argument {where} still holds '${{' after it has been resolved",
            ["Hydra would resolve it a second time, and what is built must be what was checked"],
            ["give a text without '${'"],
        )
    try:
        return instantiate(OmegaConf.create(dict(config)))
    except HydraException as fault:
        cause = fault.__cause__ or fault
        if isinstance(cause, MeasureError):
            raise cause from fault
        refused = re.search(r"Target '([^']+)'.* is blocklisted", str(fault))
        if refused:
            raise ConfigError(
                f"`{target}` cannot be built: Hydra, which builds it, refuses `_target_: {refused[1]}`",
                ["--allow-target does not change that"],
                ["call it in a class of your own, and name that"],
            ) from fault
        raise ConfigError(
            f"`{target}` cannot be built: {type(cause).__name__}: {cause}",
            fixes=["correct its arguments; --verbose shows where it happened"],
        ) from fault
    except (Exception, SystemExit) as fault:
        raise ConfigError(f"`{target}` cannot be built: {type(fault).__name__}: {fault}") from fault


def _interpolation(value: Any, path: str = "") -> str:
    """Find the place of a text that looks like an interpolation; empty if there is none."""
    if isinstance(value, Mapping):
        places = (_interpolation(one, f"{path}.{key}" if path else str(key)) for key, one in value.items())
    elif isinstance(value, list):
        places = (_interpolation(one, f"{path}[{i}]") for i, one in enumerate(value))
    else:
        return path if isinstance(value, str) and "${" in value else ""
    return next(filter(None, places), "")
