"""Utterances whose two sides are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measure_core.builtin.base import CountingMetric
from measure_core.builtin.counts import Counts, each, quotient
from measure_core.normalise import normaliser

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Data, Scalar

__all__ = ["ExactMatch"]


class ExactMatch(CountingMetric):
    """Fraction of utterances whose two sides are the same text after normalisation, under ``exact_match``.

    Parameters
    ----------
    normalise : sequence, optional
        Steps of `measure_core.normalise`, applied to both sides.
    per_utterance : bool, default False
        Give the number of every utterance too.
    ref_key, hyp_key : str, default "ref" and "hyp"
        Names of the inputs.

    Examples
    --------
    >>> ExactMatch(normalise=["lower"])({"ref": ["Yes", "no"], "hyp": ["yes", "not"]}, "test", None)
    {'exact_match': 0.5}
    """

    __module__ = "measure_core.builtin"
    name = "exactmatch"
    rate_keys = ("exact_match",)
    denominator = "texts"

    def __init__(
        self, *, normalise: object = None, per_utterance: bool = False, ref_key: str = "ref", hyp_key: str = "hyp"
    ) -> None:
        super().__init__(per_utterance=per_utterance, ref_key=ref_key, hyp_key=hyp_key)
        self.normaliser = normaliser(normalise)

    def _choices(self) -> dict[str, str]:
        return {"norm": self.normaliser.signature}

    def count(self, data: Data) -> Counts:
        """Tell which utterances are equal.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Both inputs, and perhaps ``utt_id`` for messages.

        Returns
        -------
        Counts
            Columns ``equal``, 0 or 1, and ``utterances``, 1.

        Raises
        ------
        MetricError
            If an input is missing, or an utterance cannot be normalised.
        """
        clean = self.normaliser
        sides = self.ref_key, self.hyp_key
        equal = np.fromiter(each(data, sides, lambda ref, hyp: ref == hyp or clean(ref) == clean(hyp)), np.int64)
        return Counts({"equal": equal, "utterances": np.ones_like(equal)})

    def sums(self, counts: Counts) -> Counts:
        """Give the counts themselves."""
        return counts

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Divide equal utterances by utterances."""
        return {"exact_match": quotient(totals["equal"], totals["utterances"])}

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the fraction of equal utterances; `MetricError` if there is no utterance."""
        return self._corpus_rates(counts)

    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        del counts  # the rate says it all
        return {}
