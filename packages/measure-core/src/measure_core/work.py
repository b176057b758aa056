"""One piece of work: a metric on a test set, or on some utterances of it when it only counts.

A job carries all it needs, so that another process can do it: where the classes come from, the configuration of the
metric, and its aligned inputs (offsets into files, no texts).
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure_core.config.build import build
from measure_core.contract import check_outputs
from measure_core.errors import MeasureError, MetricError
from measure_core.espnet3 import espnet3_names, import_path
from measure_core.metric import BaseMetric, drive
from measure_core.results import PER_UTTERANCE, as_json

if TYPE_CHECKING:
    from measure_core.builtin.counts import Counts
    from measure_core.config.entries import Entry
    from measure_core.config.options import NonFinite
    from measure_core.inputs.align import AlignedColumns
    from measure_core.inputs.columns import Column
    from measure_core.interface import Interface

__all__ = ["Job", "Outcome", "Setup", "is_counted", "perform", "perform_elsewhere"]


@dataclass(frozen=True, slots=True)
class Setup:
    """How classes are found and built, the same for a whole run.

    Parameters
    ----------
    folder : Path
        Directory of the configuration; it is on the import path.
    espnet3_names : bool
        Whether ESPnet3's module paths are answered.
    allowed : tuple of str
        Targets that may be built whatever they are.
    nonfinite : {"null", "error", "literal"}
        What becomes of numbers that are not finite.
    place : str
        The current folder, which relative paths are taken from.
    """

    folder: Path
    espnet3_names: bool
    allowed: tuple[str, ...]
    nonfinite: NonFinite
    place: str = field(default_factory=os.getcwd)


@dataclass(frozen=True, slots=True)
class Job:
    """A metric on a test set, or on a part of it.

    Parameters
    ----------
    key : str
        Key of the metric in the results.
    config : dict
        Its resolved configuration.
    interface : {"lists", "paths"}
        What it gets.
    test_name : str
        Name of the test set.
    root : Path
        Root of the inference results.
    aligned : AlignedColumns
        Its inputs.
    rows : slice or None
        Which utterances are only counted; None to call the metric.
    per_utterance : bool
        Whether the values of utterances are wanted that it returns besides.
    """

    key: str
    config: dict[str, Any]
    interface: Interface
    test_name: str
    root: Path
    aligned: AlignedColumns
    rows: slice | None = None
    per_utterance: bool = False

    @classmethod
    def of(cls, entry: Entry, test_name: str, root: Path, aligned: AlignedColumns, rows: slice | None = None) -> Job:
        """Make the job of a metric on a test set."""
        return cls(
            entry.key, entry.config, entry.interface, test_name, root, aligned, rows, per_utterance=entry.per_utterance
        )


@dataclass(slots=True)
class Outcome:
    """What came of a job.

    Attributes
    ----------
    result : object
        What the metric returned, as plain JSON values.
    counts : Counts or None
        What it counted, where it only counted.
    per_utterance : dict of str to list
        Values of utterances that it returned besides.
    signature : str
        What it says of its choices.
    warnings : list of str
        What an operator should see.
    seconds : float
        How long it took.
    error : MetricError or None
        Why there is no result.
    trace : str
        Where that happened.
    """

    result: Any = None
    counts: Counts | None = None
    per_utterance: dict[str, list[Any]] = field(default_factory=dict)
    signature: str = ""
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    error: MetricError | None = None
    trace: str = ""


def is_counted(metric: object) -> bool:
    """Tell whether a metric counts utterances, see `measure_core.builtin.counts`.

    Parameters
    ----------
    metric : object
        The metric.

    Returns
    -------
    bool
        Whether it can be given a test set in parts.
    """
    return all(callable(getattr(type(metric), name, None)) for name in ("count", "result", "rows", "rates", "sums"))


def perform(job: Job, metric: Any, nonfinite: NonFinite) -> Outcome:
    """Do a job. What the metric prints goes to standard error, since standard output is for results.

    Parameters
    ----------
    job : Job
        What to do.
    metric : object
        The metric.
    nonfinite : {"null", "error", "literal"}
        What becomes of numbers that are not finite.

    Returns
    -------
    Outcome
        A failure is in it, not raised.
    """
    outcome = Outcome()
    started = time.perf_counter()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            if job.rows is not None:
                outcome.counts = metric.count(job.aligned.lists(job.rows))
            else:
                _take(outcome, *_call(job, metric), job, nonfinite)
            signature = getattr(metric, "signature", "")
        outcome.signature = str.__str__(signature) if isinstance(signature, str) else ""
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # noqa: BLE001  (whatever a metric raises is told, not passed on)
        outcome.error = failure(job.key, job.test_name, fault)
        outcome.trace = traceback.format_exc()
    outcome.seconds = time.perf_counter() - started
    return outcome


def failure(key: str, test_name: str, fault: BaseException) -> MetricError:
    """Say which metric failed on what.

    Parameters
    ----------
    key, test_name : str
        Metric and test set.
    fault : BaseException
        What was raised.

    Returns
    -------
    MetricError
        With the fault as its cause.
    """
    utterance = getattr(fault, "utt_id", None) or getattr(fault, "utterance", None)
    place = f"metric {key} on {test_name}" + (f", utterance {utterance}" if isinstance(utterance, str) else "")
    if isinstance(fault, MeasureError):
        error = MetricError(f"{place}: {fault.what}", fault.facts, fault.fixes)
    else:
        error = MetricError(f"{place}: {type(fault).__name__}: {fault}", fixes=["--verbose shows where it happened"])
    error.__cause__ = fault
    return error


def _call(job: Job, metric: Any) -> tuple[Any, Sequence[Column]]:
    """Call the metric with what its interface wants; with its result, the files in whose order it got utterances."""
    if job.interface == "lists":
        return metric(job.aligned.lists(), job.test_name, job.root), ()
    with _files(job, is_ours=isinstance(metric, BaseMetric)) as (paths, read):
        called = callable(metric)
        result = metric(paths, job.test_name, job.root) if called else drive(metric, paths, job.test_name, job.root)
    declared = getattr(metric, "outputs", None)
    if isinstance(declared, tuple) and all(hasattr(one, "kind") for one in declared):
        check_outputs(metric, result)
    return result, read


@contextlib.contextmanager
def _files(job: Job, *, is_ours: bool) -> Iterator[tuple[dict[str, Path], Sequence[Column]]]:
    """Give the SCP files of a path metric; sorted copies where it could not read the files as they are.

    Ours takes files in different orders; but whose the values are that it gives of utterances, nobody would know then.
    """
    columns = [column for column, _ in job.aligned.columns.values()]
    is_whole = all(used is None for _, used in job.aligned.columns.values())
    is_readable = is_ours or all(column.is_plain for column in columns)
    takes_any_order = is_ours and not job.per_utterance
    if is_whole and is_readable and (takes_any_order or _are_in_one_order(columns)):
        yield {alias: column.path for alias, (column, _) in job.aligned.columns.items()}, columns
        return
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        lists = job.aligned.lists()
        keys = lists.pop("utt_id")
        copies = {}
        for i, (alias, values) in enumerate(lists.items()):
            copies[alias] = Path(folder) / f"{i}.scp"
            lines = [f"{key} {value}\n" for key, value in zip(keys, values, strict=True)]
            copies[alias].write_text("".join(lines), encoding="utf-8", newline="")
        yield copies, ()


def _are_in_one_order(columns: Sequence[Column]) -> bool:
    return all((columns[0].order == column.order).all() for column in columns[1:])


def _take(outcome: Outcome, result: Any, read: Sequence[Column], job: Job, nonfinite: NonFinite) -> None:
    """Take a result apart: plain values, wanted values of utterances in the order of the IDs, warnings."""
    rows: Any = {}
    n = len(job.aligned)
    if isinstance(result, Mapping) and PER_UTTERANCE in result:
        result = dict(result)
        rows = result.pop(PER_UTTERANCE)
        if not isinstance(rows, Mapping) or not all(
            isinstance(r, (list, tuple)) and len(r) == n for r in rows.values()
        ):
            raise MetricError(f"`{PER_UTTERANCE}` is not a mapping of names to lists of {n} values, one per utterance")
        if "id" in rows:
            what = f"a column of `{PER_UTTERANCE}` is named id, which is the name of the utterance"
            raise MetricError(what, fixes=["give the column another name"])
    outcome.result, paths = as_json(result, nonfinite)
    if paths:
        told = "written as null" if nonfinite == "null" else "written as it is, which is not JSON"
        outcome.warnings.append(f"not a finite number, {told}: {', '.join(paths)}")
    if job.per_utterance:
        if read:
            rows = {name: [values[place] for place in read[0].order] for name, values in rows.items()}
        # what is not finite is told when they are written
        outcome.per_utterance, _ = as_json(dict(rows), "error" if nonfinite == "error" else "literal")


def perform_elsewhere(job: Job, setup: Setup) -> Outcome:
    """Do a job in a process of its own, where the metric has to be built first.

    Parameters
    ----------
    job : Job
        What to do.
    setup : Setup
        How classes are found.

    Returns
    -------
    Outcome
        A failure is in it, not raised.
    """
    with contextlib.suppress(OSError):  # a machine that has no such folder says so when it looks for the inputs
        os.chdir(setup.place)
    with espnet3_names(are_wanted=setup.espnet3_names), import_path(setup.folder):
        try:
            metric = build(job.config, job.interface, setup.allowed)[0]
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # noqa: BLE001
            return Outcome(error=failure(job.key, job.test_name, fault), trace=traceback.format_exc())
        outcome = perform(job, metric, setup.nonfinite)
    if outcome.error is not None:
        outcome.error.__cause__ = None  # may not be picklable; the trace tells it
    return outcome
