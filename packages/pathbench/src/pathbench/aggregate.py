"""From scores of utterances to scores of speakers, and which speakers a correlation is computed over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["ALLOWLIST", "base_name", "common_speakers", "speaker_values", "speakers_of"]

ALLOWLIST = frozenset({"spk2age", "wada_snr"})
"""Metrics that may lack speakers without taking them from the others: each is correlated over its own speakers."""


def base_name(metric: str) -> str:
    """Give the name of a metric without the kind of its references.

    Parameters
    ----------
    metric : str
        Name as in results.

    Returns
    -------
    str
        Name of the evaluator.

    Examples
    --------
    >>> base_name("p_estoi_control"), base_name("cpp")
    ('p_estoi', 'cpp')
    """
    for suffix in ("_control", "_all"):
        if metric.endswith(suffix):
            return metric.removesuffix(suffix)
    return metric


def speaker_values(
    values: Iterable[tuple[str, float | None]], *, first: bool = False
) -> tuple[dict[str, float], list[str]]:
    """Average the scores of each speaker's utterances.

    Parameters
    ----------
    values : iterable of (str, float or None)
        Speaker and score of each utterance; None counts for nothing, NaN is left out of the mean.
    first : bool, default False
        Take the first score that is not None, as for what is looked up or computed by speaker.

    Returns
    -------
    values : dict of str to float
        Value by speaker, sorted by speaker.
    undefined : list of str
        Speakers left out because all their scores are NaN, sorted.

    Examples
    --------
    >>> nan = float("nan")
    >>> speaker_values([("B", 2.0), ("A", 1.0), ("A", None), ("A", nan), ("A", 2.0), ("C", nan)])
    ({'A': 1.5, 'B': 2.0}, ['C'])
    """
    of: dict[str, list[float]] = {}
    for speaker, value in values:
        if value is not None and not (first and speaker in of):
            of.setdefault(speaker, []).append(value)
    found: dict[str, float] = {}
    undefined = []
    for speaker in sorted(of):
        numbers = [value for value in of[speaker] if not math.isnan(value)]
        if numbers:
            found[speaker] = _mean(numbers)
        else:
            undefined.append(speaker)
    return found, undefined


def _mean(numbers: Sequence[float]) -> float:
    """Average numbers, whose sum may be too large for a float."""
    if not all(map(math.isfinite, numbers)):
        return sum(numbers)
    try:
        return math.fsum(numbers) / len(numbers)
    except OverflowError:
        return math.fsum(number / len(numbers) for number in numbers)


def common_speakers(ratings: Mapping[str, float], scores: Mapping[str, Mapping[str, float]]) -> set[str]:
    """Find the speakers that every metric has a value for.

    Parameters
    ----------
    ratings : mapping of str to float
        Rating by speaker.
    scores : mapping of str to mapping
        For each metric its value by speaker.

    Returns
    -------
    set of str
        The rated speakers with a value in every metric, metrics of `ALLOWLIST` and those without any value apart.

    Examples
    --------
    >>> sorted(common_speakers({"A": 1.0, "B": 2.0}, {"m": {"A": 0.1, "B": 0.2}, "n": {"B": 0.3}, "wada_snr": {}}))
    ['B']
    """
    common = set(ratings)
    for metric, values in scores.items():
        if values and base_name(metric) not in ALLOWLIST:
            common &= values.keys()
    return common


def speakers_of(
    metric: str, common: set[str], ratings: Mapping[str, float], values: Mapping[str, float]
) -> dict[str, float]:
    """Give the values of a metric that its correlation is computed over.

    Parameters
    ----------
    metric : str
        Name of the metric.
    common : set of str
        Of `common_speakers`.
    ratings : mapping of str to float
        Rating by speaker.
    values : mapping of str to float
        Value of the metric by speaker.

    Returns
    -------
    dict of str to float
        Those of the common speakers; of all rated ones for a metric of `ALLOWLIST`.
    """
    allowed = ratings.keys() if base_name(metric) in ALLOWLIST else common
    return {speaker: value for speaker, value in values.items() if speaker in allowed}
