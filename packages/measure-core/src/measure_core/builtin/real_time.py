"""Real-time factor: seconds of work per second of audio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measure_core.builtin.base import CountingMetric
from measure_core.builtin.counts import Counts, each, quotient
from measure_core.errors import MetricError
from speechio.fields import number, number_fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Data, Scalar

__all__ = ["RTF"]


class RTF(CountingMetric):
    """Real-time factor: the sum of the processing times by the sum of the durations, both in seconds.

    Parameters
    ----------
    per_utterance : bool, default False
        Give the numbers of every utterance too.
    ref_key, hyp_key : str, default "duration" and "time"
        Names of the inputs: seconds of audio, and seconds of work.

    Notes
    -----
    The result has ``rtf``, ``processing_seconds`` and ``audio_seconds``.

    Examples
    --------
    >>> RTF()({"time": ["1.5", "0.5"], "duration": ["6", "2"]}, "test", None)
    {'rtf': 0.25, 'processing_seconds': 2.0, 'audio_seconds': 8.0}
    """

    __module__ = "measure_core.builtin"
    name = "rtf"
    rate_keys = ("rtf",)
    denominator = "audio"

    def __init__(self, *, per_utterance: bool = False, ref_key: str = "duration", hyp_key: str = "time") -> None:
        super().__init__(per_utterance=per_utterance, ref_key=ref_key, hyp_key=hyp_key)

    @property
    def input_keys(self) -> tuple[str, ...]:
        """The two inputs, time first."""
        return self.hyp_key, self.ref_key

    def _choices(self) -> dict[str, str]:
        return {}

    def count(self, data: Data) -> Counts:
        """Read the seconds of every utterance.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Both inputs, and perhaps ``utt_id`` for messages.

        Returns
        -------
        Counts
            Columns ``processing_seconds`` and ``audio_seconds``.

        Raises
        ------
        MetricError
            If an input is missing, or a value is not a number of seconds, 0 or more.
        """
        names = self.input_keys
        seconds = each(data, names, lambda *texts: tuple(map(_seconds, names, texts)))
        table = np.array(list(seconds), np.float64).reshape(-1, 2)
        return Counts({"processing_seconds": table[:, 0], "audio_seconds": table[:, 1]})

    def sums(self, counts: Counts) -> Counts:
        """Give the counts themselves."""
        return counts

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Divide seconds of work by seconds of audio."""
        return {"rtf": quotient(totals["processing_seconds"], totals["audio_seconds"])}

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the factor and both sums; `MetricError` if there is no audio."""
        return {**self._corpus_rates(counts), **counts.totals()}

    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        return {name: column.tolist() for name, column in counts.columns.items()}


def _seconds(name: str, text: str) -> float:
    seconds = number(text.strip(" \t"))
    if seconds is not None and seconds >= 0:
        return seconds
    fix = number_fault(text)[1] if seconds is None else ""
    raise MetricError(
        f"input {name!r} is {text!r}; it must be a number of seconds, 0 or more", fixes=[fix] if fix else []
    )
