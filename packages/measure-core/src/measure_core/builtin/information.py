"""Match error rate, word information lost and preserved.

Source: A. Morris, V. Maier and P. Green, "From WER and RIL to MER and WIL: improved evaluation measures for connected
speech recognition", Interspeech 2004.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measure_core.builtin.counts import Counts, quotient
from measure_core.builtin.tokens import TokenMetric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Scalar

__all__ = ["MER", "WIL", "WIP"]

_PUBLIC = "measure_core.builtin"


class _WordMeasure(TokenMetric):
    """One number made of hits and of the lengths of both sides and of the alignment."""

    def sums(self, counts: Counts) -> Counts:
        """Give hits, reference and hypothesis words, and aligned positions of every utterance."""
        hyp_words = counts["hits"] + counts["substitutions"] + counts["insertions"]
        columns = {"hits": counts["hits"], "reference_words": self.tokens(counts), "hypothesis_words": hyp_words}
        return Counts({**columns, "positions": counts["hits"] + self.errors(counts)})

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the number of the corpus; `MetricError` if there is no reference word at all."""
        return self._corpus_rates(counts)


def _preserved(totals: Mapping[str, NDArray[np.float64] | float]) -> NDArray[np.float64]:
    """Give (H/N)(H/P): 0 where the hypothesis is empty, NaN where the reference is."""
    hits = totals["hits"]
    precision = np.nan_to_num(quotient(hits, totals["hypothesis_words"]))
    return quotient(hits, totals["reference_words"]) * precision


class MER(_WordMeasure):
    """Match error rate, (S + D + I) / (H + S + D + I), under ``mer``; parameters as `TokenMetric`.

    Examples
    --------
    >>> MER()({"ref": ["a b c d"], "hyp": ["a x c e f"]}, "test", None)
    {'mer': 0.6}
    """

    __module__ = _PUBLIC
    name = "mer"
    rate_keys = ("mer",)

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Divide errors by aligned positions."""
        positions = np.asarray(totals["positions"], np.float64)
        rate = quotient(positions - totals["hits"], positions)
        return {"mer": np.where(np.asarray(totals["reference_words"]) > 0, rate, np.nan)}


class WIP(_WordMeasure):
    """Word information preserved, (H/N)(H/P) with N reference and P hypothesis words, under ``wip``.

    The parameters are those of `TokenMetric`. Without any hypothesis word it is 0.

    Examples
    --------
    >>> WIP()({"ref": ["a b c d"], "hyp": ["a x c e f"]}, "test", None)
    {'wip': 0.2}
    """

    __module__ = _PUBLIC
    name = "wip"
    rate_keys = ("wip",)

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Multiply recall and precision of the words."""
        return {"wip": _preserved(totals)}


class WIL(_WordMeasure):
    """Word information lost, 1 - WIP, under ``wil``; parameters as `TokenMetric`.

    Examples
    --------
    >>> WIL()({"ref": ["a b c d"], "hyp": ["a x c e f"]}, "test", None)
    {'wil': 0.8}
    """

    __module__ = _PUBLIC
    name = "wil"
    rate_keys = ("wil",)

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Give what is not preserved."""
        return {"wil": 1 - _preserved(totals)}
