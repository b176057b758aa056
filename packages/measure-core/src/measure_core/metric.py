"""The two base classes of metrics: one gets lists of strings, the other reads its files itself.

A class need not derive from either: see `measure_core.interface` for how the interface of any class is found.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from measure_core.contract import Field, check_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["AbsMetric", "AbsMetrics", "BaseMetric", "can_be_reset", "drive"]

CHUNK_SIZE = 1000
"""Utterances per call of `update`, where a class does not say."""


class AbsMetrics(ABC):
    """A metric that gets aligned lists of strings.

    The same object is called once per test set. Keep nothing between calls.

    Examples
    --------
    >>> class SentenceAccuracy(AbsMetrics):
    ...     def __call__(self, data, test_name, output_dir):
    ...         right = sum(ref == hyp for ref, hyp in zip(data["ref"], data["hyp"]))
    ...         return {"sentence_accuracy": right / len(data["utt_id"])}
    >>> SentenceAccuracy()({"utt_id": ["a", "b"], "ref": ["x", "y"], "hyp": ["x", "z"]}, "test", ".")
    {'sentence_accuracy': 0.5}
    """

    @abstractmethod
    def __call__(self, data: dict[str, list[str]], test_name: str, output_dir: Path) -> Any:
        """Score one test set.

        Parameters
        ----------
        data : dict of str to list of str
            ``utt_id`` and every alias of the inputs; place *i* of each list belongs to utterance *i*. The IDs are
            sorted by code point.
        test_name : str
            Name of the test set.
        output_dir : Path
            Root of the inference results.

        Returns
        -------
        object
            Any JSON value; reports understand a mapping of name to number best. A key ``_per_utterance`` with
            lists in the order of ``utt_id`` is taken out and written to the per-utterance table.
        """


AbsMetric = AbsMetrics
"""Another spelling of `AbsMetrics`."""

Reduce = Literal["sum", "cat"]


class BaseMetric(ABC):
    """A metric that declares its fields, adds up a state over batches, and makes its result of the state.

    Attributes
    ----------
    inputs, outputs : tuple of Field
        What it takes and what it returns.
    chunk_size : int
        Utterances per call of `update` when scoring files.

    Examples
    --------
    >>> class Words(BaseMetric):
    ...     inputs = (Field("hyp", "text"),)
    ...     outputs = (Field("words", "number"),)
    ...
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.add_state("words", 0, "sum")
    ...
    ...     def update(self, *, hyp):
    ...         self.words += sum(len(text.split()) for text in hyp)
    ...
    ...     def compute(self):
    ...         return {"words": self.words}
    >>> metric = Words()
    >>> metric.update(hyp=["a b", "c"])
    >>> metric.compute()
    {'words': 3}
    """

    inputs: ClassVar[tuple[Field, ...]]
    outputs: ClassVar[tuple[Field, ...]]
    chunk_size: ClassVar[int] = CHUNK_SIZE

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Have every batch checked, whoever calls `update`."""
        super().__init_subclass__(**kwargs)
        if "update" in vars(cls):
            cls.update = _checked(cls.update)  # type: ignore[method-assign]

    def __init__(self) -> None:
        self._all_defaults()

    def add_state(self, name: str, default: float | list[Any], reduce: Reduce) -> None:
        """Declare an attribute that is part of the state; before or after ``super().__init__()``.

        Parameters
        ----------
        name : str
            Name of the attribute; it gets the default at once.
        default : int, float or list
            Its value after `reset`.
        reduce : {"sum", "cat"}
            How the values of several processes are merged: added, or joined as lists.

        Raises
        ------
        ValueError
            If the name is taken or `reduce` is unknown.
        TypeError
            If the default does not fit `reduce`.
        """
        defaults = self._all_defaults()
        if not name.isidentifier() or hasattr(self, name):
            raise ValueError(f"a state cannot be called {name!r}: it is taken, or no identifier")
        if reduce not in ("sum", "cat"):
            raise ValueError(f"a state is merged by 'sum' or 'cat', not by {reduce!r}")
        if isinstance(default, bool) or not isinstance(default, list if reduce == "cat" else (int, float)):
            raise TypeError(f"state {name!r}: {reduce!r} goes with {'a list' if reduce == 'cat' else 'a number'}")
        defaults[name] = (copy.deepcopy(default), reduce)
        setattr(self, name, copy.deepcopy(default))

    def _all_defaults(self) -> dict[str, tuple[Any, Reduce]]:
        """Give the declared states."""
        found: dict[str, tuple[Any, Reduce]] = self.__dict__.setdefault("_defaults", {})
        return found

    def reset(self) -> None:
        """Set every state to its default."""
        for name, (default, _) in self._all_defaults().items():
            setattr(self, name, copy.deepcopy(default))

    def state(self) -> dict[str, Any]:
        """Give a copy of the state.

        Returns
        -------
        dict of str to number or list
            Value by name.
        """
        return {name: copy.deepcopy(getattr(self, name)) for name in self._all_defaults()}

    def merge_states(self, states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Merge states of several processes.

        Parameters
        ----------
        states : sequence of mapping
            What `state` gave in each.

        Returns
        -------
        dict of str to number or list
            The state of all together; give it to `load_state`.

        Raises
        ------
        ValueError
            If a state has other names than this metric.
        """
        merged = {name: copy.deepcopy(default) for name, (default, _) in self._all_defaults().items()}
        for state in states:
            self._check_names(state)
            for name in merged:
                merged[name] = merged[name] + state[name]
        return merged

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Take over a state.

        Parameters
        ----------
        state : mapping
            What `state` or `merge_states` gave.

        Raises
        ------
        ValueError
            If it has other names than this metric.
        """
        self._check_names(state)
        for name in self._all_defaults():
            setattr(self, name, copy.deepcopy(state[name]))

    def _check_names(self, state: Mapping[str, Any]) -> None:
        if set(state) != set(self._all_defaults()):
            raise ValueError(f"the state has {sorted(state)}; this metric has {sorted(self._all_defaults())}")

    @abstractmethod
    def update(self, **values: Sequence[Any]) -> None:
        """Add a batch to the state.

        Parameters
        ----------
        **values : sequence
            The declared inputs by name, all of one length; optional ones may be left out.

        Raises
        ------
        MetricError
            If the lengths differ; this is checked before a class's own `update` runs.
        """

    @abstractmethod
    def compute(self) -> Mapping[str, Any]:
        """Give the declared outputs of the state."""

    def __call__(
        self, data: Mapping[str, Path], test_name: str, output_dir: Path | str | None = None
    ) -> Mapping[str, Any]:
        """Score files.

        Parameters
        ----------
        data : mapping of str to Path
            SCP file of each input.
        test_name : str
            Name of the test set.
        output_dir : path-like, optional
            Root of the inference results; with it, `write_artifacts` is called.

        Returns
        -------
        mapping of str to number
            What `compute` gives.
        """
        return drive(self, data, test_name, output_dir)

    def write_artifacts(self, test_dir: Path) -> None:  # noqa: B027  (there to be overridden)
        """Write side files into the directory of the test set; called after `compute` when scoring files.

        Parameters
        ----------
        test_dir : Path
            Directory of the test set.
        """

    def iter_inputs(self, data: Mapping[str, Path], *keys: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Read SCP files utterance by utterance.

        Parameters
        ----------
        data : mapping of str to Path
            SCP file of each input.
        *keys : str
            Which inputs; all by default.

        Yields
        ------
        utt_id : str
            ID, in the order of the first file.
        values : dict of str to str
            Value of each input.

        Raises
        ------
        InputError
            If a file is wrong or the files do not have the same IDs.
        KeyError
            If there is no such input.
        """
        from measure_core.inputs.stream import iter_rows

        return iter_rows({key: Path(data[key]) for key in keys or data})


def _checked(update: Callable[..., None]) -> Callable[..., None]:
    """Make an `update` that refuses batches of different lengths."""

    @wraps(update)
    def checked(self: BaseMetric, **values: Sequence[Any]) -> None:
        check_batch(self, values)
        update(self, **values)

    return checked


def can_be_reset(metric: object) -> bool:
    """Tell whether a metric may be given another test set.

    Parameters
    ----------
    metric : object
        The metric.

    Returns
    -------
    bool
        False for one that only adds up (`update`, `compute`) and has no `reset`: every test set needs its own.
    """
    return callable(metric) or callable(getattr(metric, "reset", None)) or not hasattr(metric, "update")


def drive(metric: Any, data: Mapping[str, Path], test_name: str, output_dir: Path | str | None) -> Mapping[str, Any]:
    """Run a metric with `update` and `compute` over files, in chunks.

    Parameters
    ----------
    metric : object
        The metric; `reset`, `chunk_size` and `write_artifacts` are used where it has them.
    data : mapping of str to Path
        SCP file of each input.
    test_name : str
        Name of the test set.
    output_dir : path-like or None
        Root of the inference results.

    Returns
    -------
    mapping of str to number
        What ``compute`` gives.

    Raises
    ------
    InputError
        If a file is wrong or the files do not have the same IDs.
    """
    from measure_core.inputs.stream import iter_rows

    reset = getattr(metric, "reset", None)
    if callable(reset):
        reset()
    names = list(data)
    size = max(int(getattr(metric, "chunk_size", CHUNK_SIZE)), 1)
    batch: dict[str, list[str]] = {name: [] for name in names}
    n_waiting = 0
    for _, row in iter_rows({name: Path(path) for name, path in data.items()}):
        for name in names:
            batch[name].append(row[name])
        n_waiting += 1
        if n_waiting == size:
            metric.update(**batch)
            batch, n_waiting = {name: [] for name in names}, 0
    if n_waiting:
        metric.update(**batch)
    result: Mapping[str, Any] = metric.compute()
    if output_dir is not None and hasattr(metric, "write_artifacts"):
        metric.write_artifacts(Path(output_dir) / test_name)
    return result
