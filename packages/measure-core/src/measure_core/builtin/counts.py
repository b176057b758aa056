"""Counts of utterances, and what a metric that counts offers beside ``__call__``.

A built-in metric counts first and divides last. `CountedMetric.count` gives one number per utterance and column;
whatever is wanted afterwards comes out of these numbers, without the texts being read again::

    counts = Counts.concatenate([metric.count(chunk) for chunk in chunks])   # in any number of processes
    metric.result(counts)                     # the result of the corpus, as `__call__` gives it
    metric.rows(counts, utt_ids)              # one dict per utterance, for JSON lines
    metric.warnings(counts, utt_ids)          # what an operator should see, and the metadata should keep
    sums = metric.sums(counts)                # the few columns that its rates are made of
    metric.rates(sums.totals())               # the rates of sums; `statistics.bootstrap(sums.columns, metric.rates)`

A chunk is a ``data`` mapping of the list interface with its own slice of every list. The tests of
`measure_core.statistics` take `errors`, the errors of each utterance, and `tokens`, which metrics over tokens have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

import numpy as np

from measure_core.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Column = NDArray[np.int64] | NDArray[np.float64]
    Data = Mapping[str, Sequence[str]]

__all__ = ["CountedMetric", "Counts", "Scalar", "column_of", "each", "quotient"]

Value = TypeVar("Value")

Scalar = int | float | None
"""What a result holds under a key; None where there is nothing to divide by."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted in some utterances, in their order.

    Parameters
    ----------
    columns : mapping of str to ndarray of int64 or float64, shape (utterances,)
        Name to one number per utterance; all of one length, and all of them sums: they may be added over utterances.

    Examples
    --------
    >>> first = Counts({"hits": np.array([2, 1]), "insertions": np.array([0, 1])})
    >>> both = Counts.concatenate([first, Counts({"hits": np.array([4]), "insertions": np.array([0])})])
    >>> len(both), both.totals()
    (3, {'hits': 7, 'insertions': 1})
    """

    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) != 1:
            raise ValueError(f"the columns of counts have lengths {sorted(lengths)}; one length is wanted")

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def __add__(self, other: Counts) -> Counts:
        return Counts.concatenate([self, other])

    @classmethod
    def concatenate(cls, parts: Iterable[Counts]) -> Counts:
        """Put the utterances of several counts after each other.

        Parameters
        ----------
        parts : iterable of Counts
            At least one, all of one metric.

        Returns
        -------
        Counts
            All utterances, in order.

        Raises
        ------
        ValueError
            If there is no part, or their columns differ.
        """
        parts = list(parts)
        if not parts:
            raise ValueError("there are no counts to put together")
        names = list(parts[0].columns)
        if any(list(part.columns) != names for part in parts):
            raise ValueError("counts of different metrics cannot be put together")
        return cls({name: np.concatenate([part.columns[name] for part in parts]) for name in names})

    def totals(self) -> dict[str, int | float]:
        """Give the sum of each column.

        Returns
        -------
        dict of str to int or float
            Name to sum.
        """
        return {name: column.sum().item() for name, column in self.columns.items()}

    def matrix(self) -> NDArray[np.float64]:
        """Give the columns side by side, as `measure_core.statistics` takes them.

        Returns
        -------
        ndarray of float64, shape (utterances, columns)
            In the order of `columns`.
        """
        return np.column_stack([np.asarray(column, np.float64) for column in self.columns.values()])


@runtime_checkable
class CountedMetric(Protocol):
    """A list metric that counts: every class of `measure_core.builtin`.

    Attributes
    ----------
    measure_interface : str
        ``lists``.
    ref_key, hyp_key : str
        Two inputs, alias and file name at once.
    name : str
        Short name, for instance ``wer``.
    rate_keys : tuple of str
        Keys of the result that are rates of sums, the main one first; those that `rates` gives.
    input_keys : tuple of str
        All inputs, alias and file name at once, when a configuration gives none.
    per_utterance : bool
        Whether `__call__` adds ``_per_utterance``.
    signature : str
        Every choice that changes the number, without the fields of a run: append ``|n:2620`` and the like.
    """

    ref_key: str
    hyp_key: str
    per_utterance: bool

    @property
    def measure_interface(self) -> str:
        """``lists``."""

    @property
    def name(self) -> str:
        """Short name."""

    @property
    def rate_keys(self) -> tuple[str, ...]:
        """Rates of sums, the main one first."""

    @property
    def input_keys(self) -> tuple[str, ...]:
        """The inputs that are needed."""

    @property
    def signature(self) -> str:
        """Every choice that changes the number."""

    def count(self, data: Data) -> Counts:
        """Count every utterance of a chunk; `MetricError` names the utterance that cannot be counted."""

    def result(self, counts: Counts) -> dict[str, Scalar]:
        """Give the result of the corpus; `MetricError` if there is nothing to divide by."""

    def sums(self, counts: Counts) -> Counts:
        """Give the columns that `rates` needs, few and small, so that resampling is quick."""

    def rates(self, totals: Mapping[str, NDArray[np.float64] | float]) -> dict[str, NDArray[np.float64]]:
        """Give the rates of totals of `sums`, of any shape; NaN where there is nothing to divide by."""

    def rows(self, counts: Counts, ids: Sequence[str], data: Data | None = None) -> Iterator[dict[str, object]]:
        """Give ``id``, the counts and the rates of each utterance; with `data`, the aligned tokens too."""

    def warnings(self, counts: Counts, ids: Sequence[str]) -> list[str]:
        """Tell what an operator should see: utterances whose rate is undefined."""

    def __call__(self, data: Data, test_name: str, output_dir: Path) -> dict[str, object]:
        """Give ``result(count(data))``, with ``_per_utterance`` if asked for."""


def column_of(data: Data, key: str) -> Sequence[str]:
    """Give an input of a chunk.

    Parameters
    ----------
    data : mapping of str to sequence of str
        The chunk.
    key : str
        Alias of the input.

    Returns
    -------
    sequence of str
        One text per utterance.

    Raises
    ------
    MetricError
        If there is no such input, or it has another length than the IDs.
    """
    if key not in data:
        raise MetricError(f"there is no input {key!r}; there is {', '.join(map(repr, data)) or 'none'}")
    column = data[key]
    if "utt_id" in data and len(column) != len(data["utt_id"]):
        raise MetricError(f"input {key!r} has {len(column)} values for {len(data['utt_id'])} utterances")
    return column


def each(data: Data, keys: Sequence[str], function: Callable[..., Value]) -> Iterator[Value]:
    """Work on the values of one utterance after the other.

    Parameters
    ----------
    data : mapping of str to sequence of str
        The chunk.
    keys : sequence of str
        Aliases of the inputs.
    function : callable
        Takes one value of each input.

    Yields
    ------
    object
        What `function` gives.

    Raises
    ------
    MetricError
        If an input is missing or they have different lengths; what `function` raises, with the utterance named.
    """
    columns = [column_of(data, key) for key in keys]
    if len({len(column) for column in columns}) > 1:
        told = ", ".join(f"{key!r} has {len(column)}" for key, column in zip(keys, columns, strict=True))
        raise MetricError(f"the inputs have different numbers of values: {told}")
    for place, values in enumerate(zip(*columns, strict=True)):
        try:
            value = function(*values)
        except MetricError as error:
            utt_id = data["utt_id"][place] if "utt_id" in data else f"number {place + 1}"
            raise MetricError(f"utterance {utt_id}: {error.what}", error.facts, error.fixes) from error
        yield value


def quotient(top: NDArray[np.float64] | float, bottom: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Divide sums by sums.

    Parameters
    ----------
    top, bottom : array-like of float64
        Of one shape.

    Returns
    -------
    ndarray of float64
        Quotients; NaN where `bottom` is 0.

    Examples
    --------
    >>> quotient(np.array([1.0, 1.0]), np.array([4.0, 0.0]))
    array([0.25,  nan])
    """
    top, bottom = np.broadcast_arrays(np.asarray(top, np.float64), np.asarray(bottom, np.float64))
    quotients: NDArray[np.float64] = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)
    return quotients
