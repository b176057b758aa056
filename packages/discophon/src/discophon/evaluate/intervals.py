"""How far a score depends on the files that happen to be in the split: bootstrap intervals over files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from discophon.checks import check_choice, check_whole
from discophon.errors import UndefinedScoreError, UsageError
from discophon.evaluate.segmentation import r_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discophon.evaluate.result import DiscoveryResult, Metric

    FloatArray = NDArray[np.float64]

__all__ = ["INTERVAL_METRICS", "Interval", "interval"]

INTERVAL_METRICS: tuple[Metric, ...] = ("per", "f1", "r_val")
"""Scores that are ratios of sums over files. PNMI is none: it belongs to the table of all counts."""


class Interval(NamedTuple):
    """Two ends of an interval."""

    low: float
    high: float


def interval(
    result: DiscoveryResult, metric: Metric, *, level: float = 0.95, samples: int = 1000, seed: int = 0
) -> Interval:
    """Give the interval that a score falls into when files are drawn again and again.

    Parameters
    ----------
    result : DiscoveryResult
        A result for which the score was asked.
    metric : {"per", "f1", "r_val"}
        The score.
    level : float, default 0.95
        Share of the draws that fall into the interval.
    samples : int, default 1000
        Number of draws.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Interval
        Quantiles of the draws in which the score is defined.

    Raises
    ------
    UndefinedScoreError
        If the score is defined in no draw.
    UsageError
        If an argument cannot be used, or the score was not asked for.

    Notes
    -----
    As many files as there are, drawn with replacement; the phones that units stand for stay as they are. Source:
    M. Bisani and H. Ney, "Bootstrap estimates for confidence intervals in ASR performance evaluation", ICASSP 2004.
    """
    check_choice("metric", metric, INTERVAL_METRICS)
    result.check_asked(metric)
    if not 0.0 < level < 1.0:
        raise UsageError(f"level is {level!r}; it must be between 0 and 1")
    n_files = len(result.files)
    dice = np.random.default_rng(check_whole("seed", seed, least=0, most=2**63))
    times = dice.multinomial(n_files, np.full(n_files, 1 / n_files), size=check_whole("samples", samples, most=100_000))
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = _scores(result, metric, times.astype(np.float64))
    scores = scores[np.isfinite(scores)]
    if not len(scores):
        raise UndefinedScoreError(f"{metric} is undefined in every draw")
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def _scores(result: DiscoveryResult, metric: Metric, times: FloatArray) -> FloatArray:
    """Give the score of every draw, from how many times each file is in it."""
    if metric == "per":
        rates: FloatArray = (times @ result.errors) / (times @ result.lengths)
        return rates
    hits, found, wanted = times @ result.hits, times @ result.n_found, times @ result.n_wanted
    scores: FloatArray = 2 * hits / (found + wanted) if metric == "f1" else r_value(hits / wanted, found / wanted - 1)
    return scores
