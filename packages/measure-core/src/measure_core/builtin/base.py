"""What all metrics that count have in common."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from measure_core.__about__ import __version__
from measure_core.errors import ConfigError, MetricError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Counts, Data, Scalar

__all__ = ["CountingMetric", "listed"]

logger = logging.getLogger(__name__)

_SHOWN = 5


class CountingMetric(ABC):
    """Count first, divide last; see `measure_core.builtin.counts.CountedMetric`.

    Parameters
    ----------
    per_utterance : bool, default False
        Give the numbers of every utterance too, under ``_per_utterance``.
    ref_key, hyp_key : str
        Names of the inputs.
    """

    measure_interface: ClassVar[str] = "lists"
    name: ClassVar[str]
    rate_keys: ClassVar[tuple[str, ...]]
    denominator: ClassVar[str]
    """What the rates are divided by, in words."""
    shows_alignment: bool = False
    """Whether `__call__` adds the aligned tokens to the numbers of every utterance."""

    def __init__(self, *, per_utterance: bool = False, ref_key: str = "ref", hyp_key: str = "hyp") -> None:
        if per_utterance not in (True, False):
            raise ConfigError(f"{self.name}: per_utterance is {per_utterance!r}; it must be true or false")
        self._check_keys(ref_key=ref_key, hyp_key=hyp_key)
        self.per_utterance = per_utterance
        self.ref_key = ref_key
        self.hyp_key = hyp_key

    def _check_keys(self, **keys: object) -> None:
        for option, key in keys.items():
            if not isinstance(key, str) or not key:
                raise ConfigError(f"{self.name}: {option} is {key!r}; it must be the name of an input")

    @property
    def input_keys(self) -> tuple[str, ...]:
        """All inputs, alias and file name at once."""
        return self.ref_key, self.hyp_key

    @property
    def signature(self) -> str:
        """Every choice that changes the number, defaults included, in a fixed order."""
        fields = "".join(f"|{field}:{value}" for field, value in self._choices().items())
        return f"measure-core|v:{__version__}|metric:{self.name}{fields}"

    @abstractmethod
    def _choices(self) -> dict[str, str]:
        """Give the fields of the signature after the metric's name."""

    @abstractmethod
    def count(self, data: Data) -> Counts:
        """Count every utterance of a chunk."""

    @abstractmethod
    def sums(self, counts: Counts) -> Counts:
        """Give the columns that `rates` needs."""

    @abstractmethod
    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Give the rates of totals of `sums`, of any shape; NaN where there is nothing to divide by."""

    @abstractmethod
    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the result of the corpus."""

    @abstractmethod
    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        """Give the numbers of every utterance by name, without the rates."""

    def _corpus_rates(self, counts: Counts) -> dict[str, Scalar]:
        """Give the rates of the corpus; the main one must exist."""
        rates = {key: _scalar(rate.item()) for key, rate in self.rates(self.sums(counts).totals()).items()}
        if rates[self.rate_keys[0]] is None:
            whose = f"no utterance has {self.denominator} (of {len(counts)})" if len(counts) else "no utterance"
            what = f"{whose}: there is no {self.rate_keys[0]}"
            raise MetricError(what, fixes=["check that the reference input is the one you mean"])
        return rates

    def _utterance_rates(self, counts: Counts) -> dict[str, list[Scalar]]:
        columns = {name: np.asarray(column, np.float64) for name, column in self.sums(counts).columns.items()}
        return {key: [_scalar(rate) for rate in rates.tolist()] for key, rates in self.rates(columns).items()}

    def rows(self, counts: Counts, ids: Sequence[str], data: Data | None = None) -> Iterator[dict[str, object]]:
        """Give one row per utterance.

        Parameters
        ----------
        counts : Counts
            Of these utterances.
        ids : sequence of str, length (utterances,)
            Their IDs.
        data : mapping of str to sequence of str, optional
            Their texts; metrics over tokens then add ``alignment``.

        Yields
        ------
        dict of str to object
            ``id``, the counts, the rates (None where there is nothing to divide by).
        """
        columns: dict[str, Sequence[object]] = {
            **self._per_utterance_columns(counts),
            **self._utterance_rates(counts),
        }
        if data is not None:
            columns |= self._aligned_columns(data)
        names = ("id", *columns)
        for values in zip(ids, *columns.values(), strict=True):
            yield dict(zip(names, values, strict=True))

    def _aligned_columns(self, data: Data) -> dict[str, list[object]]:
        """Give ``alignment``, for metrics that align."""
        del data
        return {}

    def warnings(self, counts: Counts, ids: Sequence[str]) -> list[str]:
        """Name the utterances whose own rate is undefined.

        Parameters
        ----------
        counts : Counts
            Of all utterances.
        ids : sequence of str, length (utterances,)
            Their IDs.

        Returns
        -------
        list of str
            Messages, without metric and test set.
        """
        columns = {name: np.asarray(column, np.float64) for name, column in self.sums(counts).columns.items()}
        key = self.rate_keys[0]
        undefined = [ids[k] for k in np.flatnonzero(np.isnan(self.rates(columns)[key])).tolist()]
        if not undefined:
            return []
        n = len(undefined)
        subject, whose = ("1 utterance has", "its") if n == 1 else (f"{n} utterances have", "their")
        return [f"{subject} no {self.denominator}, so {whose} {key} is undefined: {listed(undefined)}"]

    def __call__(self, data: Data, test_name: str, output_dir: Path) -> dict[str, object]:
        """Score one test set.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Inputs aligned by ``utt_id``.
        test_name : str
            Name of the test set.
        output_dir : path-like
            Root of the inference results; nothing is read or written there.

        Returns
        -------
        dict of str to number or None
            The result; with ``_per_utterance``, name to values, if asked for.

        Raises
        ------
        MetricError
            If an input is missing, an utterance cannot be counted, or there is nothing to divide by.
        """
        del output_dir
        counts = self.count(data)
        result: dict[str, object] = {**self.result(counts)}
        ids = data.get("utt_id", range(1, len(counts) + 1))
        for message in self.warnings(counts, list(map(str, ids))):
            logger.warning("%s on %s: %s", self.name, test_name, message)
        if self.per_utterance:
            aligned = self._aligned_columns(data) if self.shows_alignment else {}
            result["_per_utterance"] = {
                **self._per_utterance_columns(counts),
                **self._utterance_rates(counts),
                **aligned,
            }
        return result


def listed(names: Sequence[str], between: str = " ") -> str:
    """Name the first few of some utterances, or of anything else.

    Parameters
    ----------
    names : sequence of str
        IDs.
    between : str, default " "
        What separates them.

    Returns
    -------
    str
        At most five of them.

    Examples
    --------
    >>> listed(["u1", "u2"])
    'u1 u2'
    """
    return between.join([*names[:_SHOWN], *(["…"] if len(names) > _SHOWN else [])])


def _scalar(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
