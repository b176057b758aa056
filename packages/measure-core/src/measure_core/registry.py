"""Metrics by short name: the entry points of group ``measure_core.metrics``.

Names are listed without importing anything; a class is imported when its name is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from measure_core.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "Registered", "find_metric", "registered"]

GROUP = "measure_core.metrics"


@dataclass(frozen=True, slots=True)
class Registered:
    """A metric that has a short name.

    Attributes
    ----------
    name : str
        The short name.
    target : str
        Its class path.
    distribution, version : str
        Who offers it.
    """

    name: str
    target: str
    distribution: str
    version: str


def registered() -> list[Registered]:
    """List the registered metrics; nothing is imported.

    Returns
    -------
    list of Registered
        Those of this package first, then by name. A name that two distributions offer is there twice.
    """
    from importlib.metadata import entry_points

    found = {_registered(point) for point in entry_points(group=GROUP)}
    return sorted(found, key=lambda one: (one.distribution != "measure-core", one.name, one.distribution))


def _registered(point: EntryPoint) -> Registered:
    target = point.value.partition("[")[0].replace(":", ".").replace(" ", "")  # without extras
    dist = point.dist
    return Registered(point.name, target, dist.name if dist else "?", dist.version if dist else "?")


def find_metric(name: str) -> str:
    """Find the class path of a registered metric.

    Parameters
    ----------
    name : str
        Its short name.

    Returns
    -------
    str
        Its class path.

    Raises
    ------
    ConfigError
        If the name is unknown, or two distributions claim it.
    """
    from measure_core.inputs.names import near

    every = registered()
    found = [one for one in every if one.name == name]
    if len(found) == 1:
        return found[0].target
    if found:
        owners = " and ".join(one.distribution for one in found)
        raise ConfigError(f"the metric name {name!r} is claimed by {owners}", fixes=["name the class: `_target_: …`"])
    names = [one.name for one in every]
    raise ConfigError(
        f"there is no metric called {name!r}",
        fixes=[near(name, names) or "`measure list` shows what there is; your own class is `{_target_: pkg.Class}`"],
    )
