"""The table of correlations across datasets: signs turned so that more is better, rounded, averaged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathbench.aggregate import base_name
from pathbench.published import average, read_table, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["SUMMARY_METRICS", "Rank", "Row", "build_table", "distinct", "in_summary_order", "rank", "sign_of"]

SUMMARY_METRICS = (
    "cpp", "per", "dper", "artp", "artp_old", "artp_double_asr", "double_asr", "p_estoi_control", "p_estoi_all",
    "p_estoi_fa_control", "p_estoi_fa_all", "nad_control", "nad_all", "wada_snr", "spk2age", "vsa", "std_pitch",
    "cpp_fa", "nad_fa_control", "nad_fa_all", "vsa_fa", "std_pitch_fa", "praat_speech_rate", "praat_speech_rate_fa",
)  # fmt: skip
"""Order of the known metrics in tables; others follow in the order of work."""

_FALLING = ("per", "dper", "wer", "double_asr", "nad")
_EITHER = ("praat_speech_rate", "wpm", "wada_snr", "spk2age")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes
    ----------
    metric : str
        Name of the metric.
    sign : int
        +1, or -1 if its correlations were turned.
    cells : dict of str to float
        Turned and rounded correlation by column; missing ones left out.
    avg : float
        Mean of the cells, rounded; NaN without cells.
    """

    metric: str
    sign: int
    cells: dict[str, float]
    avg: float


@dataclass(frozen=True, slots=True)
class Rank:
    """Where a predictor stands among the published ones, over the columns that it has.

    Attributes
    ----------
    name : str
        Name of the predictor or of the published row.
    category : str
        Its category; empty for the predictor.
    avg : float
        Mean of its cells in these columns.
    n : int
        Number of these columns that it has.
    rank : int
        1 for the highest mean; equal means share a rank.
    """

    name: str
    category: str
    avg: float
    n: int
    rank: int


def in_summary_order(metrics: Sequence[str]) -> list[str]:
    """Sort metrics as tables show them.

    Parameters
    ----------
    metrics : sequence of str
        Names.

    Returns
    -------
    list of str
        Those of `SUMMARY_METRICS` first.

    Examples
    --------
    >>> in_summary_order(["mine", "wada_snr", "cpp"])
    ['cpp', 'wada_snr', 'mine']
    """
    order = {metric: i for i, metric in enumerate(SUMMARY_METRICS)}
    return sorted(metrics, key=lambda metric: order.get(metric, len(order)))


def distinct(names: Iterable[str], *taken: str) -> list[str]:
    """Name datasets beside columns, or rows, that have names of their own.

    Parameters
    ----------
    names : iterable of str
        Names of datasets.
    *taken : str
        The other names.

    Returns
    -------
    list of str
        The names; one that is taken as a path that leads to the same folder.

    Examples
    --------
    >>> distinct(["a", "Avg"], "metric", "Avg")
    ['a', './Avg']
    """
    return [f"./{name}" if name in taken else name for name in names]


def sign_of(metric: str, values: Sequence[float]) -> int:
    """Say whether the correlations of a metric are to be turned.

    Parameters
    ----------
    metric : str
        Name of the metric.
    values : sequence of float
        Its correlation on each dataset; NaN counts for nothing.

    Returns
    -------
    int
        -1 for error rates and distances; for speaking rates, noise and age -1 if more datasets are negative than
        positive; else +1.

    Examples
    --------
    >>> sign_of("per", [0.5]), sign_of("wada_snr", [-0.1, -0.2, 0.9]), sign_of("cpp", [-0.5])
    (-1, -1, 1)
    """
    name = base_name(metric).removesuffix("_fa")
    if name in _FALLING:
        return -1
    if name in _EITHER and sum(value < 0 for value in values) > sum(value > 0 for value in values):
        return -1
    return 1


def build_table(results: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """Make the table of correlations.

    Parameters
    ----------
    results : mapping of str to mapping
        For each dataset the correlation by metric; NaN where there is none.

    Returns
    -------
    list of Row
        In the order of `in_summary_order`.

    Examples
    --------
    >>> build_table({"a": {"per": -0.514}, "b": {"per": -0.61}})
    [Row(metric='per', sign=-1, cells={'a': 0.51, 'b': 0.61}, avg=0.56)]
    """
    metrics = in_summary_order(list(dict.fromkeys(metric for of in results.values() for metric in of)))
    rows = []
    for metric in metrics:
        values = {name: of[metric] for name, of in results.items() if metric in of and not math.isnan(of[metric])}
        sign = sign_of(metric, list(values.values()))
        cells = {name: rounded(sign * value) for name, value in values.items()}
        rows.append(Row(metric, sign, cells, average(cells)))
    return rows


def rank(name: str, cells: Mapping[str, float]) -> list[Rank]:
    """Rank a predictor among the published ones.

    Parameters
    ----------
    name : str
        Its name.
    cells : mapping of str to float
        Its correlation by column of the published table.

    Returns
    -------
    list of Rank
        It and the published rows that have one of its columns, best first; on equal means it comes last.

    Examples
    --------
    >>> [(row.rank, row.name) for row in rank("mine", {"TORGO Word MC": 0.6})][:3]
    [(1, 'VSA'), (2, 'mine'), (3, 'ArtP')]
    """
    found = []
    for row in read_table():
        shared = [row.cells[column] for column in cells if column in row.cells]
        if shared:
            found.append((row.metric, row.category, average(shared), len(shared)))
    found.append((name, "", average(cells), len(cells)))
    means = [mean for _, _, mean, _ in found]
    ranked = [Rank(*entry, 1 + sum(mean > entry[2] for mean in means)) for entry in found]
    return sorted(ranked, key=lambda entry: entry.rank)
