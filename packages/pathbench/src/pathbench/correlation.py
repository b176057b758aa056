"""How well scores follow ratings: Pearson and Spearman, with an interval from resampled speakers.

Everything here is a pure function on numbers. A correlation that does not exist (two values, or one side constant)
is NaN and says why; nothing is warned about or dropped on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = [
    "DRAWS",
    "LEVEL",
    "MOST_DRAWS",
    "Complete",
    "Correlation",
    "correlate",
    "interval",
    "pearson",
    "ranks",
    "utterance_level",
]

DRAWS = 10_000
"""How often the speakers are drawn anew for an interval."""

MOST_DRAWS = 1_000_000
"""How often they may be, at most, in a command."""

LEVEL = 0.95
"""What part of the resampled correlations an interval holds."""

Complete = Literal["all", "per-metric"]
"""Which utterances count: those that every metric has a score for, or for each metric its own."""

_AT_ONCE = 1_000_000  # numbers drawn at a time, so that memory does not grow with the draws
_LEAST_VALID = 0.5


@dataclass(frozen=True, slots=True)
class Correlation:
    """How one metric correlates with the ratings.

    Attributes
    ----------
    metric : str
        Name of the metric.
    pcc : float
        Pearson's correlation; NaN if it does not exist.
    spearman : float
        Spearman's rank correlation; NaN if it does not exist.
    n : int
        Number of speakers (of utterances at utterance level) it is computed over.
    low, high : float
        Bootstrap interval of `pcc`; NaN if there is none.
    reason : str
        Why `pcc` is NaN; empty if it is a number.
    ids : tuple of str
        The speakers or utterances, sorted.
    """

    metric: str
    pcc: float
    spearman: float
    n: int
    low: float = float("nan")
    high: float = float("nan")
    reason: str = ""
    ids: tuple[str, ...] = ()


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Correlate two lists of numbers.

    Parameters
    ----------
    x, y : array-like of float, shape (n,)
        Paired values, finite.

    Returns
    -------
    float
        In [-1, 1]; NaN with fewer than two pairs or where one side is constant.

    Examples
    --------
    >>> round(pearson([1, 3, 4], [1, 2, 4]), 6)
    0.928571
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(first) < 2 or _is_constant(first) or _is_constant(second):
        return float("nan")
    first, second = _deviations(first), _deviations(second)
    product = float(first @ second) / float(np.sqrt((first @ first) * (second @ second)))
    return min(1.0, max(-1.0, product))


def ranks(values: ArrayLike) -> Floats:
    """Rank numbers from 1; equal ones share the mean of their ranks.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        Numbers without NaN.

    Returns
    -------
    ndarray of float64, shape (n,)
        Their ranks.

    Examples
    --------
    >>> ranks([3.0, 1.0, 3.0]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place], dtype=np.float64)


def interval(
    x: ArrayLike,
    y: ArrayLike,
    groups: Sequence[str] | None = None,
    *,
    draws: int = DRAWS,
    level: float = LEVEL,
    seed: int = 0,
) -> tuple[float, float]:
    """Give the percentile bootstrap interval of Pearson's correlation.

    Parameters
    ----------
    x, y : array-like of float, shape (n,)
        Paired values.
    groups : sequence of str, optional
        Speaker of each pair. Speakers are drawn, with all their pairs; by default every pair is a speaker of its own.
    draws : int, default 10_000
        Number of resamples; 0 for no interval.
    level : float, default 0.95
        Part of the resampled correlations inside the interval.
    seed : int, default 0
        Seed of the draws: the same input gives the same interval.

    Returns
    -------
    low, high : float
        The interval; NaN with fewer than three speakers, or when more than half of the resamples are constant.

    Notes
    -----
    B. Efron: Bootstrap methods: another look at the jackknife. Annals of Statistics 7, 1979. Resamples in which one
    side is constant have no correlation and are left out.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    nothing = (float("nan"), float("nan"))
    if draws < 1 or len(first) < 2 or _is_constant(first) or _is_constant(second):
        return nothing
    of = np.arange(len(first)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    n_speakers = int(of.max()) + 1
    if n_speakers < 3:
        return nothing
    first, second = _standard(first), _standard(second)
    summed = _by_group(of, first, second, n_speakers)
    ends = [end for values in (first, second) for end in _ends_by_group(of, values, n_speakers)]
    generator = np.random.default_rng(seed)
    found = []
    at_once = max(1, _AT_ONCE // n_speakers)
    for start in range(0, draws, at_once):
        chosen = generator.integers(0, n_speakers, (min(at_once, draws - start), n_speakers))
        found.append(_resampled(chosen, summed, ends))
    values = np.concatenate(found)
    values = values[~np.isnan(values)]
    if len(values) < _LEAST_VALID * draws:
        return nothing
    tail = 50.0 * (1.0 - level)
    low, high = np.percentile(values, [tail, 100.0 - tail]).tolist()
    return float(low), float(high)


def correlate(
    metric: str,
    ratings: Mapping[str, float],
    scores: Mapping[str, float],
    groups: Mapping[str, str] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Correlation:
    """Correlate the scores of one metric with ratings, over the ids that both have, sorted.

    Parameters
    ----------
    metric : str
        Name of the metric.
    ratings, scores : mapping of str to float
        Values by speaker (or utterance); finite.
    groups : mapping of str to str, optional
        Speaker of each utterance, for the interval.
    draws : int, default 10_000
        Resamples of the interval.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Correlation
        With fewer than two ids or a constant side `pcc` is NaN and `reason` says so.

    Examples
    --------
    >>> found = correlate("m", {"A": 1.0, "B": 3.0, "C": 4.0}, {"A": 1.0, "B": 2.0, "C": 4.0})
    >>> round(found.pcc, 4), found.spearman, found.n
    (0.9286, 1.0, 3)
    >>> correlate("m", {"A": 1.0, "B": 3.0}, {"A": 2.0, "B": 2.0}).reason
    'the scores are constant'
    """
    ids = tuple(sorted(ratings.keys() & scores.keys()))
    x = np.array([ratings[key] for key in ids], dtype=np.float64)
    y = np.array([scores[key] for key in ids], dtype=np.float64)
    reason = _no_correlation(x, y)
    if reason:
        return Correlation(metric, float("nan"), float("nan"), len(ids), reason=reason, ids=ids)
    of = None if groups is None else [groups[key] for key in ids]
    low, high = interval(x, y, of, draws=draws, seed=seed)
    return Correlation(metric, pearson(x, y), pearson(ranks(x), ranks(y)), len(ids), low, high, ids=ids)


def utterance_level(
    ratings: Mapping[str, float],
    scores: Mapping[str, Mapping[str, float | None]],
    speakers: Mapping[str, str] | None = None,
    *,
    complete: Complete = "all",
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Correlation]:
    """Correlate metrics with the ratings of single utterances.

    Parameters
    ----------
    ratings : mapping of str to float
        Rating by utterance; finite.
    scores : mapping of str to mapping
        For each metric its value by utterance; None or NaN where there is none.
    speakers : mapping of str to str, optional
        Speaker by utterance: the interval then resamples speakers, not utterances.
    complete : {"all", "per-metric"}, default "all"
        Which utterances count: those that *every* metric has a score for, or for each metric its own.
    draws : int, default 10_000
        Resamples of the interval.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    list of Correlation
        One for each metric, in their order.

    Examples
    --------
    >>> rated = {"a": 1.0, "b": 2.0, "c": 3.0}
    >>> values = {"m": {"a": 1.0, "b": 2.0, "c": 4.0}, "n": {"a": 1.0, "b": None, "c": 0.0}}
    >>> [(found.metric, found.n) for found in utterance_level(rated, values)]
    [('m', 2), ('n', 2)]
    >>> [(found.metric, found.n) for found in utterance_level(rated, values, complete="per-metric")]
    [('m', 3), ('n', 2)]
    """
    numbers = {
        metric: {key: value for key, value in values.items() if value is not None and np.isfinite(value)}
        for metric, values in scores.items()
    }
    kept = set(ratings) if speakers is None else ratings.keys() & speakers.keys()
    if complete == "all":
        for values in numbers.values():
            kept &= values.keys()
    chosen = {key: ratings[key] for key in kept}
    return [correlate(metric, chosen, values, speakers, draws=draws, seed=seed) for metric, values in numbers.items()]


def _no_correlation(x: Floats, y: Floats) -> str:
    if len(x) < 2:
        return "fewer than two values in common"
    if _is_constant(x):
        return "the ratings are constant"
    return "the scores are constant" if _is_constant(y) else ""


def _is_constant(values: Floats) -> bool:
    return bool((values == values[0]).all())


def _deviations(values: Floats) -> Floats:
    """Subtract the mean, scaled so that squares stay in range, and only by powers of two, which round nothing."""
    deviations = _scaled(values)
    deviations = deviations - deviations.mean()
    return _scaled(deviations - deviations.mean())  # the second time takes away what the first mean was rounded by


def _scaled(values: Floats) -> Floats:
    """Bring the largest magnitude into [0.5, 1)."""
    exponent = np.frexp(np.abs(values).max())[1]
    return np.asarray(np.ldexp(values, -exponent), dtype=np.float64)


def _standard(values: Floats) -> Floats:
    deviations = _deviations(values)
    return np.asarray(deviations / np.sqrt(np.mean(deviations**2)), dtype=np.float64)


class _Groups(NamedTuple):
    """What the pairs of each speaker add to a correlation, each of shape (speakers,).

    Sums of squares and products are about the means of the speaker, so that no digits are lost in their differences.
    """

    weight: Floats
    x: Floats
    y: Floats
    xx: Floats
    yy: Floats
    xy: Floats


def _by_group(of: Ints, x: Floats, y: Floats, n: int) -> _Groups:
    """Take the pairs of every speaker together."""

    def sums(values: Floats) -> Floats:
        return np.asarray(np.bincount(of, values, n), dtype=np.float64)

    weight = sums(np.ones_like(x))
    mean_x, mean_y = sums(x) / weight, sums(y) / weight
    x, y = x - mean_x[of], y - mean_y[of]
    return _Groups(weight, mean_x, mean_y, sums(x * x), sums(y * y), sums(x * y))


def _ends_by_group(of: Ints, values: Floats, n: int) -> tuple[Floats, Floats]:
    """Give the least and the largest value of every speaker."""
    least, largest = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(least, of, values)
    np.maximum.at(largest, of, values)
    return least, largest


def _resampled(chosen: Ints, groups: _Groups, ends: Sequence[Floats]) -> Floats:
    """Compute the correlation of every resample; NaN where one side is constant."""
    n_rows, n = chosen.shape
    flat = (chosen + n * np.arange(n_rows)[:, None]).ravel()
    times = np.bincount(flat, minlength=n_rows * n).reshape(n_rows, n)  # how often each speaker was drawn
    weights = times * groups.weight
    total = weights.sum(axis=1)
    x = groups.x - (weights @ groups.x / total)[:, None]
    y = groups.y - (weights @ groups.y / total)[:, None]
    xx = times @ groups.xx + np.einsum("rs,rs,rs->r", weights, x, x)
    yy = times @ groups.yy + np.einsum("rs,rs,rs->r", weights, y, y)
    xy = times @ groups.xy + np.einsum("rs,rs,rs->r", weights, x, y)
    least_x, most_x, least_y, most_y = ends
    varies = (least_x[chosen].min(1) < most_x[chosen].max(1)) & (least_y[chosen].min(1) < most_y[chosen].max(1))
    varies &= (xx > 0.0) & (yy > 0.0)
    result = np.full(n_rows, np.nan)
    result[varies] = np.clip(xy[varies] / (np.sqrt(xx[varies]) * np.sqrt(yy[varies])), -1.0, 1.0)
    return result
