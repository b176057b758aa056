"""How certain a pooled error rate is: bootstrap over recordings, and tests for two systems on the same recordings.

Only the numerator and the denominator of each recording are needed. The pooled rate is their ratio of sums, so
intervals are about the rate that is reported, not about a mean of rates.

Source: B. Efron and R. Tibshirani, *An Introduction to the Bootstrap*, 1993; M. Bisani and H. Ney, "Bootstrap
estimates for confidence intervals in ASR performance evaluation", ICASSP 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mdeval.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Interval", "PairedTest", "bootstrap", "paired_test"]

_PERMUTATIONS = 10_000
_MOST_SAMPLES = 10_000_000
_BLOCK = 1 << 22
"""Most cells of a matrix of draws held at once."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a pooled rate.

    Parameters
    ----------
    low, high : float
        Its ends, fractions.
    level : float
        Its nominal coverage, between 0 and 1.
    samples : int
        How many resamples it was made from.
    seed : int
        Seed of the draws.
    """

    low: float
    high: float
    level: float
    samples: int
    seed: int


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two systems on the same recordings.

    Parameters
    ----------
    difference : float
        Pooled rate of the second minus that of the first.
    interval : Interval
        Of the difference, from resampling the same recordings for both.
    sign_changes : float
        Share of resamples in which the difference has the other sign or vanishes.
    p_value : float
        Of the permutation test: how often swapping the systems at random gives a difference as large.
    permutations : int
        How many swaps were looked at; all of them when there are fewer than the number to draw.
    """

    difference: float
    interval: Interval
    sign_changes: float
    p_value: float
    permutations: int


def _ratios(weights: NDArray[np.int64] | NDArray[np.bool_], numerators: Floats, denominators: Floats) -> Floats:
    """Pool with weights, shape (draws, recordings); NaN where nothing is left to divide by."""
    whole = weights @ denominators
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Floats = np.where(whole > 0, (weights @ numerators) / whole, np.nan)
    return ratios


def _draws(n: int, samples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Count how often each of n recordings is drawn in each resample, in blocks of shape (resamples, n)."""
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // n)
    for first in range(0, samples, rows):
        drawn = rng.integers(0, n, (min(rows, samples - first), n))
        counts = np.zeros(drawn.shape, np.int64)
        np.add.at(counts, (np.arange(len(drawn))[:, None], drawn), 1)
        yield counts


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if not len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bootstrap(
    numerators: Sequence[float],
    denominators: Sequence[float],
    *,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 0,
) -> Interval:
    """Give the percentile interval of a pooled rate, resampling recordings with replacement.

    Parameters
    ----------
    numerators, denominators : sequence of float, length (recordings,)
        Sums of each recording.
    level : float, default 0.95
        Nominal coverage, between 0 and 1.
    samples : int, default 1000
        Number of resamples, > 0.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Interval
        Fractions; not a number if no resample has anything to divide by.

    Raises
    ------
    UsageError
        If there are fewer than two recordings, the lengths differ, or another argument is out of range.
    """
    top, bottom = _checked(numerators, denominators, level, samples, seed)
    ratios = np.concatenate([_ratios(counts, top, bottom) for counts in _draws(len(top), samples, seed)])
    low, high = _percentiles(ratios, level)
    return Interval(low, high, level, samples, seed)


def paired_test(
    numerators: tuple[Sequence[float], Sequence[float]],
    denominators: tuple[Sequence[float], Sequence[float]],
    *,
    level: float = 0.95,
    samples: int = 1000,
    permutations: int = _PERMUTATIONS,
    seed: int = 0,
) -> PairedTest:
    """Compare two systems on the same recordings.

    Parameters
    ----------
    numerators, denominators : (sequence of float, sequence of float)
        Sums of each recording for the first and the second system, recordings in the same order.
    level, samples, seed
        As in `bootstrap`.
    permutations : int, default 10000
        Number of random swaps; with fewer than that many different ones, all are looked at and p is exact.

    Returns
    -------
    PairedTest
        Difference, interval and p-value.

    Raises
    ------
    UsageError
        As `bootstrap`, or if no recording has anything to divide by.
    """
    a, whole_a = _checked(numerators[0], denominators[0], level, samples, seed)
    b, whole_b = _checked(numerators[1], denominators[1], level, samples, seed)
    if len(a) != len(b):
        raise UsageError(f"the two systems have {len(a)} and {len(b)} recordings; they must be the same ones")
    if not whole_a.sum() or not whole_b.sum():
        raise UsageError("no time is scored, so there is no rate to compare")
    difference = float(b.sum() / whole_b.sum() - a.sum() / whole_a.sum())
    blocks = (_ratios(n, b, whole_b) - _ratios(n, a, whole_a) for n in _draws(len(a), samples, seed))
    differences = np.concatenate(list(blocks))
    known = differences[~np.isnan(differences)]
    changes = float(np.mean(known * np.sign(difference) <= 0)) if difference and len(known) else 1.0
    p_value, n = _permute((a, whole_a), (b, whole_b), difference, permutations, seed)
    low, high = _percentiles(differences, level)
    return PairedTest(difference, Interval(low, high, level, samples, seed), changes, p_value, n)


def _permute(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], difference: float, permutations: int, seed: int
) -> tuple[float, int]:
    """Swap the systems in random subsets of the recordings; in all subsets when these are few."""
    n = len(first[0])
    exact = n < 60 and 2**n < permutations
    total = 2**n if exact else permutations
    rng = np.random.default_rng(seed)
    extreme = 0
    # sums of the same times in another order differ by rounding, and must count as equal
    rounding = 1e-12 * (first[0].sum() / first[1].sum() + second[0].sum() / second[1].sum())
    step = max(1, _BLOCK // n)
    for start in range(0, total, step):
        size = min(step, total - start)
        if exact:
            swap = (np.arange(start, start + size)[:, None] >> np.arange(n) & 1).astype(bool)
        else:
            swap = rng.integers(0, 2, (size, n)).astype(bool)
        mixed_a = _pooled(swap, first, second)
        mixed_b = _pooled(~swap, first, second)
        extreme += int(np.sum(np.abs(mixed_b - mixed_a) >= abs(difference) - rounding))
    return (extreme / total if exact else (1 + extreme) / (1 + total)), total


def _pooled(swap: NDArray[np.bool_], first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats:
    """Pool the first system's sums, with the second's where `swap` says so."""
    top = ~swap @ first[0] + swap @ second[0]
    whole = ~swap @ first[1] + swap @ second[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled: Floats = np.where(whole > 0, top / whole, np.nan)
    return pooled


def _checked(
    numerators: Sequence[float], denominators: Sequence[float], level: float, samples: int, seed: int
) -> tuple[Floats, Floats]:
    top, bottom = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    if len(top) != len(bottom):
        raise UsageError(f"{len(top)} numerators and {len(bottom)} denominators; there must be one each per recording")
    if len(top) < 2:
        raise UsageError(f"resampling recordings needs two or more; there is {'one' if len(top) else 'none'}")
    if not 0 < level < 1:
        raise UsageError(f"confidence level is {level!r}; it must lie between 0 and 1, for example 0.95")
    if samples < 1:
        raise UsageError(f"number of resamples is {samples!r}; it must be at least 1")
    if samples > _MOST_SAMPLES:
        raise UsageError(f"number of resamples (samples) is {samples!r}; {_MOST_SAMPLES} are plenty")
    if seed < 0:
        raise UsageError(f"seed is {seed!r}; it must be 0 or more")
    return top, bottom
