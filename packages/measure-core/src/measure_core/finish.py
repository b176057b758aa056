"""From what came of the jobs of one metric on one test set to its result, rows, intervals and record."""

from __future__ import annotations

import resource
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from measure_core.builtin.base import listed
from measure_core.contract import names_said
from measure_core.results import PER_UTTERANCE, as_json
from measure_core.rows import remove_rows, rows_path, write_rows
from measure_core.signature import run_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from measure_core.builtin.counts import Counts
    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan
    from measure_core.inputs.align import AlignedColumns
    from measure_core.work import Outcome

__all__ = ["Finished", "finish"]

_N_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Finished:
    """A result and what is known about it.

    Attributes
    ----------
    result : object
        Plain JSON values.
    record : dict
        What goes into the metadata, beside the identity.
    """

    result: Any
    record: dict[str, Any]


def finish(plan: Plan, entry: Entry, test_name: str, aligned: AlignedColumns, parts: Sequence[Outcome]) -> Finished:
    """Put together what came of the jobs of a metric on a test set.

    Parameters
    ----------
    plan : Plan
        The run.
    entry : Entry
        The metric.
    test_name : str
        Name of the test set.
    aligned : AlignedColumns
        Its inputs.
    parts : sequence of Outcome
        One, or one per part of the utterances, in order.

    Returns
    -------
    Finished
        The result and its record.

    Raises
    ------
    MeasureError
        If there is no result, or its rows cannot be written; besides that, what the metric raises.
    """
    warnings = [warning for part in parts for warning in part.warnings]
    result: Any = parts[0].result
    rows: Iterator[Mapping[str, Any]] | None = None
    intervals: dict[str, Any] = {}
    if parts[0].counts is not None:
        counts = type(parts[0].counts).concatenate(part.counts for part in parts if part.counts is not None)
        result, paths = as_json(entry.metric.result(counts), plan.nonfinite)
        warnings += [f"not a finite number: {', '.join(paths)}"] if paths else []
        ids = aligned.utterances()
        warnings += entry.metric.warnings(counts, ids)
        intervals = _intervals(plan, entry, counts, ids)
        if entry.per_utterance:
            rows = _counted_rows(entry, aligned, counts)
    elif parts[0].per_utterance:
        rows = _rows(aligned, parts[0].per_utterance)
    if entry.per_utterance and rows is None:
        warnings.append(f"it gives no values of utterances (`{PER_UTTERANCE}`), so no rows are written")
    place = rows_path(plan, entry.key, test_name)
    of_rows: dict[str, str] | None = None
    nonfinite: list[str] = []
    if rows is None:
        remove_rows(place)  # they would be of an earlier result
    else:
        of_rows, nonfinite = write_rows(plan, place, rows)
    if nonfinite:
        some = listed(nonfinite, ", ")
        warnings.append(f"not a finite number, written as null: {some} ({place})")
    mismatch = aligned.mismatch(plan.options.on_mismatch)
    signature = run_signature(
        _Signed(parts[0].signature), entry.key, entry.config, len(aligned), mismatch=mismatch, limit=plan.options.limit
    )
    record = {
        "signature": signature,
        "utterances": len(aligned),
        "left_out": aligned.n_left_out,
        "taken_as_empty": aligned.n_filled,
        "rates": names_said(entry.metric, "rate_keys"),
        "intervals": intervals,
        "warnings": warnings,
        "per_utterance": of_rows,
        "rows_were_wanted": entry.per_utterance,
        "seconds": round(sum(part.seconds for part in parts), 3),
        "peak_memory_bytes": _peak_memory(),
    }
    return Finished(result, record)


def _peak_memory() -> int:
    """Give the most memory this process has held; ``ru_maxrss`` may be that of the process which started it."""
    try:
        with open("/proc/self/status", encoding="ascii") as stream:
            return next(1024 * int(line.split()[1]) for line in stream if line.startswith("VmHWM:"))
    except (OSError, StopIteration, ValueError):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@dataclass(frozen=True, slots=True)
class _Signed:
    """Stands for a metric that was called in another process."""

    signature: str


def _intervals(plan: Plan, entry: Entry, counts: Counts, ids: Sequence[str]) -> dict[str, Any]:
    """Make the intervals the configuration asks for."""
    wanted = plan.statistics
    if "bootstrap" not in wanted:
        return {}
    from measure_core.statistics import bootstrap, speakers, sum_by_unit

    columns: Any = entry.metric.sums(counts).columns
    if wanted.get("by") == "speaker":
        labels = speakers(ids, separator=wanted.get("separator", "-"), utt2spk=wanted.get("utt2spk"))
        columns = sum_by_unit(columns, labels)
    level, seed = wanted.get("level", 0.95), wanted.get("seed", 0)
    found = bootstrap(columns, entry.metric.rates, level=level, draws=wanted["bootstrap"], seed=seed)
    by = wanted.get("by", "utterance")
    return {
        key: {"low": one.low, "high": one.high, "level": one.level, "draws": one.draws, "seed": one.seed, "by": by}
        for key, one in found.items()
    }


def _counted_rows(entry: Entry, aligned: AlignedColumns, counts: Counts) -> Iterator[Mapping[str, Any]]:
    """Give the rows of a metric that counts, some utterances at a time."""
    for start in range(0, len(aligned), _N_ROWS):
        chosen = slice(start, start + _N_ROWS)
        part = type(counts)({name: column[chosen] for name, column in counts.columns.items()})
        data = aligned.lists(chosen) if getattr(entry.metric, "shows_alignment", False) else None
        yield from entry.metric.rows(part, aligned.utterances(chosen), data)


def _rows(aligned: AlignedColumns, columns: Mapping[str, Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    names = ("id", *columns)
    for values in zip(aligned.utterances(), *columns.values(), strict=True):
        yield dict(zip(names, values, strict=True))
