"""Bootstrap of rates that are made of sums: percentile intervals, and the difference of two systems.

Units (utterances, or speakers after `measure_core.statistics.units.sum_by_unit`) are drawn with replacement, as many as
there are, and the rate is taken of the sums of each draw. No matrix of all draws by all units is made.

Source: M. Bisani and H. Ney, "Bootstrap estimates for confidence intervals in ASR performance evaluation", ICASSP 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from measure_core.errors import ConfigError

__all__ = ["Difference", "Interval", "Rates", "bootstrap", "error_rate", "paired_bootstrap"]

Floats = NDArray[np.float64]
Rates = Callable[[Mapping[str, Floats]], Mapping[str, Floats]]
"""From the sums of draws to their rates, both by name; NaN where there is nothing to divide by."""

_BLOCK_CELLS = 1 << 22
_MOST_DRAWS = 10_000_000
_UNITS_PER_GROUP = 20
"""Drawing how often a group of equal units comes up costs about as much as drawing so many units."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval.

    Parameters
    ----------
    low, high : float
        Its ends.
    level : float
        Its nominal coverage, between 0 and 1.
    draws : int
        Number of draws.
    seed : int
        Seed of the generator, ``numpy.random.default_rng(seed)``.
    """

    low: float
    high: float
    level: float
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems on the same draws.

    Parameters
    ----------
    difference : float
        Rate of A minus rate of B on all units.
    interval : Interval
        Of the difference.
    a_lower, b_lower : float
        Fraction of the draws in which the rate of A (of B) is the lower one; the rest are ties.
    """

    difference: float
    interval: Interval
    a_lower: float
    b_lower: float


def error_rate(totals: Mapping[str, Floats]) -> dict[str, Floats]:
    """Divide ``errors`` by ``tokens``; the `Rates` of a plain error rate.

    Parameters
    ----------
    totals : mapping of str to ndarray of float64
        Sums named ``errors`` and ``tokens``, of any one shape.

    Returns
    -------
    dict of str to ndarray of float64
        The quotient under ``rate``; NaN where there are no tokens.
    """
    errors, tokens = np.asarray(totals["errors"], np.float64), np.asarray(totals["tokens"], np.float64)
    return {"rate": np.divide(errors, tokens, out=np.full(np.shape(errors), np.nan), where=tokens > 0)}


def bootstrap(
    columns: Mapping[str, NDArray[np.int64] | Floats],
    rates: Rates = error_rate,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Give the percentile interval of every rate.

    Parameters
    ----------
    columns : mapping of str to ndarray, shape (units,)
        What `rates` needs, per unit.
    rates : callable, default `error_rate`
        From sums of the columns to rates.
    level : float, default 0.95
        Nominal coverage, between 0 and 1.
    draws : int, default 10000
        Number of draws, > 0.
    seed : int, default 0
        Seed of the generator, >= 0.

    Returns
    -------
    dict of str to Interval
        Name of the rate to its interval. Draws with nothing to divide by are left out; so is a rate of which there is
        no other draw, or whose sums are too large to be numbers. There is none at all if a column adds up to no finite
        number.

    Raises
    ------
    ConfigError
        If there is no unit, or an argument is out of range.

    Examples
    --------
    >>> bootstrap({"errors": np.array([0, 1, 2]), "tokens": np.array([4, 4, 4])}, draws=1000)["rate"]
    Interval(low=0.0, high=0.5, level=0.95, draws=1000, seed=0)
    """
    _check(level, draws, seed)
    if not _are_finite(columns):
        return {}
    with np.errstate(over="ignore", invalid="ignore"):
        drawn = rates(_sums_of_draws(columns, draws, seed))
    known = {name: values[~np.isnan(values)] for name, values in drawn.items()}
    finite = {name: values for name, values in known.items() if len(values) and np.isfinite(values).all()}
    return {name: _interval(values, level, draws, seed) for name, values in finite.items()}


def paired_bootstrap(
    a: Mapping[str, NDArray[np.int64] | Floats],
    b: Mapping[str, NDArray[np.int64] | Floats],
    rates: Rates = error_rate,
    key: str = "rate",
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Difference:
    """Compare one rate of two systems, the same units drawn for both.

    Parameters
    ----------
    a, b : mapping of str to ndarray, shape (units,)
        What `rates` needs, per unit, units in the same order.
    rates : callable, default `error_rate`
        From sums of the columns to rates.
    key : str, default "rate"
        Which of the rates.
    level, draws, seed
        As in `bootstrap`.

    Returns
    -------
    Difference
        Of A minus B.

    Raises
    ------
    ConfigError
        As `bootstrap`, and if the systems have different numbers of units, no draw has a rate for both, or sums
        are not finite.
    """
    _check(level, draws, seed)
    both = {**_renamed("a", a), **_renamed("b", b)}
    with np.errstate(over="ignore", invalid="ignore"):
        sums = _sums_of_draws(both, draws, seed)
        drawn_a = rates({name: sums[f"a.{name}"] for name in a})[key]
        drawn_b = rates({name: sums[f"b.{name}"] for name in b})[key]
        difference = drawn_a - drawn_b
    known = difference[~np.isnan(difference)]
    if not _are_finite(both) or np.isinf(known).any():
        raise ConfigError(f"there is no {key} to compare: what is added up for it is not finite")
    if not len(known):
        raise ConfigError(f"there is no {key} to compare: no utterance has anything to divide by")
    return Difference(
        _whole(a, rates, key) - _whole(b, rates, key),
        _interval(known, level, draws, seed),
        float(np.count_nonzero(known < 0) / len(known)),
        float(np.count_nonzero(known > 0) / len(known)),
    )


def _whole(columns: Mapping[str, NDArray[np.int64] | Floats], rates: Rates, key: str) -> float:
    """Give the rate of all units."""
    totals = {name: np.asarray(column, np.float64).sum(keepdims=True) for name, column in columns.items()}
    return float(rates(totals)[key].item())


def _are_finite(columns: Mapping[str, NDArray[np.int64] | Floats]) -> bool:
    """Tell whether every column adds up to a finite number."""
    with np.errstate(over="ignore", invalid="ignore"):
        return all(bool(np.isfinite(np.sum(column, dtype=np.float64))) for column in columns.values())


def _renamed(side: str, columns: Mapping[str, NDArray[np.int64] | Floats]) -> dict[str, NDArray[np.int64] | Floats]:
    return {f"{side}.{name}": column for name, column in columns.items()}


def _sums_of_draws(columns: Mapping[str, NDArray[np.int64] | Floats], draws: int, seed: int) -> dict[str, Floats]:
    """Give the sum of each column in each draw."""
    sizes = sorted({len(column) for column in columns.values()})
    if len(sizes) != 1:
        raise ConfigError(f"the columns to resample have {sizes} units; they must have the same ones")
    if not sizes[0]:
        raise ConfigError("there is nothing to resample: no utterance")
    units = np.column_stack([np.asarray(column, np.float64) for column in columns.values()])
    rng = np.random.default_rng(seed)
    groups, group_sizes = np.unique(units, axis=0, return_counts=True)
    is_grouped = len(groups) * _UNITS_PER_GROUP <= len(units)
    sums = _of_groups(groups, group_sizes, draws, rng) if is_grouped else _of_units(units, draws, rng)
    return dict(zip(columns, sums.T, strict=True))


def _of_groups(groups: Floats, group_sizes: NDArray[np.int64], draws: int, rng: np.random.Generator) -> Floats:
    """Draw how often each group of equal units comes up, which is multinomial: the same draw in fewer numbers."""
    n = int(group_sizes.sum())
    sums = np.empty((draws, groups.shape[1]))
    block = max(1, _BLOCK_CELLS // len(groups))
    for first in range(0, draws, block):
        part = sums[first : first + block]
        part[:] = rng.multinomial(n, group_sizes / n, len(part)) @ groups
    return sums


def _of_units(units: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draw the units one by one."""
    n = len(units)
    ones = np.ones(n)
    sums = np.empty((draws, units.shape[1]))
    for one_draw in sums:
        one_draw[:] = ones @ units.take(rng.integers(0, n, n), axis=0)
    return sums


def _interval(values: Floats, level: float, draws: int, seed: int) -> Interval:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, draws, seed)


def _check(level: float, draws: object, seed: object) -> None:
    if not 0 < level < 1:
        raise ConfigError(f"confidence level is {level!r}; it must lie between 0 and 1, for example 0.95")
    if not isinstance(draws, int) or not 1 <= draws <= _MOST_DRAWS:
        raise ConfigError(f"number of draws is {draws!r}; it must be a whole number from 1 to {_MOST_DRAWS}")
    if not isinstance(seed, int) or seed < 0:
        raise ConfigError(f"seed is {seed!r}; it must be a whole number, 0 or more")
