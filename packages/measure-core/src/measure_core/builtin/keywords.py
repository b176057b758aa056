"""Whether the words that matter were found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from measure_core.builtin.base import CountingMetric
from measure_core.builtin.counts import Counts, each, quotient
from measure_core.normalise import normaliser

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Data, Scalar

__all__ = ["KeywordAccuracy"]

_COLUMNS = ("hits", "reference_keywords", "hypothesis_keywords")


class KeywordAccuracy(CountingMetric):
    """Precision and recall of each utterance's keywords.

    Parameters
    ----------
    normalise : sequence, optional
        Steps of `measure_core.normalise`, applied to both sides and to the keywords.
    per_utterance : bool, default False
        Give the numbers of every utterance too.
    ref_key, hyp_key, keywords_key : str, default "ref", "hyp" and "keywords"
        Names of the inputs; the last one has the words of each utterance, between blanks, in any order.

    Notes
    -----
    Per keyword, min(times in the reference, times in the hypothesis) are hits. The result has ``recall`` (hits by
    ``reference_keywords``), ``precision`` (hits by ``hypothesis_keywords``, None without any), ``f1`` and the counts. A
    keyword that is listed twice is one keyword.

    Examples
    --------
    >>> data = {"ref": ["call ann at ten"], "hyp": ["call ann ann ten"], "keywords": ["ann ten bob"]}
    >>> result = KeywordAccuracy()(data, "test", None)
    >>> result["recall"], result["hypothesis_keywords"]
    (1.0, 3)
    """

    __module__ = "measure_core.builtin"
    name = "keywordaccuracy"
    rate_keys = ("recall", "precision", "f1")
    denominator = "keywords in the reference"

    def __init__(
        self,
        *,
        normalise: object = None,
        per_utterance: bool = False,
        ref_key: str = "ref",
        hyp_key: str = "hyp",
        keywords_key: str = "keywords",
    ) -> None:
        super().__init__(per_utterance=per_utterance, ref_key=ref_key, hyp_key=hyp_key)
        self.normaliser = normaliser(normalise)
        self._check_keys(keywords_key=keywords_key)
        self.keywords_key = keywords_key

    @property
    def input_keys(self) -> tuple[str, ...]:
        """The three inputs."""
        return self.ref_key, self.hyp_key, self.keywords_key

    def _choices(self) -> dict[str, str]:
        return {"norm": self.normaliser.signature, "unit": "word"}

    def count(self, data: Data) -> Counts:
        """Count the keywords of every utterance on both sides.

        Parameters
        ----------
        data : mapping of str to sequence of str
            The three inputs, and perhaps ``utt_id`` for messages.

        Returns
        -------
        Counts
            Columns ``hits``, ``reference_keywords``, ``hypothesis_keywords``.

        Raises
        ------
        MetricError
            If an input is missing, or an utterance cannot be normalised.
        """
        clean = self.normaliser
        found = list(each(data, self.input_keys, lambda *texts: _found(*(clean(text).split() for text in texts))))
        table = np.array(found, np.int64).reshape(-1, len(_COLUMNS))
        return Counts(dict(zip(_COLUMNS, table.T, strict=True)))

    def sums(self, counts: Counts) -> Counts:
        """Give the counts themselves."""
        return counts

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Divide hits by the keywords of a side, and of both."""
        hits, in_ref, in_hyp = (np.asarray(totals[name], np.float64) for name in _COLUMNS)
        return {
            "recall": quotient(hits, in_ref),
            "precision": quotient(hits, in_hyp),
            "f1": quotient(2 * hits, in_ref + in_hyp),
        }

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the three rates and the counts; `MetricError` if no reference has a keyword."""
        return {**self._corpus_rates(counts), **counts.totals()}

    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        return {name: column.tolist() for name, column in counts.columns.items()}


def _found(ref: list[str], hyp: list[str], keywords: list[str]) -> tuple[int, int, int]:
    """Count hits, and keywords in the reference and in the hypothesis."""
    wanted = set(keywords)
    in_ref, in_hyp = (Counter(word for word in side if word in wanted) for side in (ref, hyp))
    return (in_ref & in_hyp).total(), in_ref.total(), in_hyp.total()
