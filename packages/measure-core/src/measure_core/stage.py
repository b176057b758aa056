"""The work of a run: what is computed, kept of earlier runs, saved on the way and written in the end."""

from __future__ import annotations

import logging
import time
import traceback
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from measure_core.engine import outcomes
from measure_core.errors import MeasureError, MetricError, OutputError, combined
from measure_core.finish import finish
from measure_core.records import Known, Pair, Records, meta_path, partial_path, write_all
from measure_core.resume import sort_earlier
from measure_core.rows import remove_rows, rows_path
from measure_core.work import Job, Setup, failure, is_counted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path

    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan
    from measure_core.identity import Identities
    from measure_core.inputs.align import AlignedColumns
    from measure_core.work import Outcome

__all__ = ["Run", "Stage"]

logger = logging.getLogger(__name__)

_N_COUNTED = 20_000
"""Utterances that are counted at a time."""

_SAVE_SECONDS = 5.0
"""Time between saving what is finished."""


@dataclass(frozen=True)
class Run:
    """What a run did.

    Attributes
    ----------
    results : dict
        By key of the metric and name of the test set.
    records : dict
        What is known about each result.
    path : Path
        The file the results were written to.
    reused : tuple of tuple of str
        Results that an earlier run had computed.
    error : MetricError or None
        What failed; the results are then not whole.
    """

    results: dict[str, dict[str, Any]]
    records: Records
    path: Path
    reused: tuple[tuple[str, str], ...] = ()
    error: MeasureError | None = None


def _no_progress(n_done: int, n_all: int) -> None:
    """Show nothing."""


class Stage:
    """A planned run with its inputs.

    Parameters
    ----------
    planned : Plan
        The run.
    aligned : mapping
        Its inputs, by key of the metric and name of the test set.
    identities : Identities
        What its results depend on.
    progress : callable, optional
        Told how many of how many pieces of work are done.
    """

    def __init__(
        self,
        planned: Plan,
        aligned: Mapping[Pair, AlignedColumns],
        identities: Identities,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.plan = planned
        self.aligned = aligned
        self.progress = progress or _no_progress
        options = planned.options
        folder = identities.folder
        self.setup = Setup(folder, options.espnet3_names, tuple(options.allow_targets), planned.nonfinite)
        self.pairs = {(entry.key, name): entry for entry in planned.entries for name in planned.test_sets}
        # before anything is computed: they are about the inputs as they are now
        self.identities = {
            pair: identities.of(entry, pair[1], {alias: one for alias, (one, _) in aligned[pair].columns.items()})
            for pair, entry in self.pairs.items()
        }
        wanted = {pair: (entry, self.identities[pair]) for pair, entry in self.pairs.items()}
        self.earlier = sort_earlier(planned, identities, wanted)
        self.done: dict[Pair, Known] = dict(self.earlier.reused)
        self.saved = time.monotonic()

    def run(self) -> Run:
        """Compute what is not there yet, and write everything.

        Returns
        -------
        Run
            What was written.
        """
        if self.plan.options.resume:
            n_done, n_all = len(self.done), len(self.pairs)
            logger.info("%d of %d results are taken over from an earlier run", n_done, n_all)
        to_do = [(entry, pair[1]) for pair, entry in self.pairs.items() if pair not in self.done]
        faults: list[MeasureError] = []
        try:
            with closing(self._computed(to_do)) as computed:
                for entry, test_name, parts in computed:
                    fault = self._kept(entry, test_name, parts)
                    if fault is not None:
                        faults.append(fault)
                        if not self.plan.options.keep_going:
                            break
                    elif time.monotonic() - self.saved > _SAVE_SECONDS:
                        self._save_part()
        except KeyboardInterrupt:
            self._save_part()
            raise
        return self._written(faults)

    def _kept(self, entry: Entry, test_name: str, parts: Sequence[Outcome]) -> MeasureError | None:
        """Keep what came of a pair; give what failed."""
        for part in parts:
            if part.error is not None:
                logger.debug("%s", part.trace)
                return part.error
        try:
            self._keep(entry, test_name, parts)
        except (Exception, SystemExit) as fault:  # noqa: BLE001  (a metric that counts is asked for its result here)
            logger.debug("%s", traceback.format_exc())
            return failure(entry.key, test_name, fault)
        return None

    def _computed(self, pairs: Sequence[tuple[Entry, str]]) -> Generator[tuple[Entry, str, list[Outcome]]]:
        """Do the jobs of pairs; give what came of each pair."""
        jobs = [self._jobs(entry, test_name) for entry, test_name in pairs]
        every = [job for of_pair in jobs for job in of_pair]
        metrics = [entry.metric for (entry, _), of_pair in zip(pairs, jobs, strict=True) for _ in of_pair]
        n_done = 0
        self.progress(0, len(every))
        with closing(outcomes(every, metrics, self.setup, self.plan.options)) as stream:
            for (entry, test_name), of_pair in zip(pairs, jobs, strict=True):
                parts = []
                for _ in of_pair:
                    parts.append(next(stream))
                    n_done += 1
                    self.progress(n_done, len(every))
                yield entry, test_name, parts

    def _jobs(self, entry: Entry, test_name: str) -> list[Job]:
        """Make the jobs of a pair: one, or one per part of the utterances where they are only counted."""
        aligned = self.aligned[entry.key, test_name]
        make = (entry, test_name, self.plan.root, aligned)
        if entry.interface != "lists" or not is_counted(entry.metric):
            return [Job.of(*make)]
        size = min(_N_COUNTED, -(-len(aligned) // self.plan.options.jobs))
        return [Job.of(*make, slice(start, start + size)) for start in range(0, len(aligned), size)]

    def _keep(self, entry: Entry, test_name: str, parts: Sequence[Outcome]) -> None:
        aligned = self.aligned[entry.key, test_name]
        done = finish(self.plan, entry, test_name, aligned, parts)
        for warning in done.record["warnings"]:
            logger.warning("metric %s on %s: %s", entry.key, test_name, warning)
        record = done.record | {"identity": self.identities[entry.key, test_name]}
        self.done[entry.key, test_name] = Known(done.result, record)

    def _gathered(self) -> tuple[dict[str, dict[str, Any]], Records]:
        """Put what is finished, and what others are kept, into the order of the configuration."""
        known = self.earlier.others | self.done
        results: dict[str, dict[str, Any]] = {}
        records: Records = {}
        for entry in self.plan.configured:
            for test_name in self.plan.configured_sets:
                one = known.get((entry.key, test_name))
                if one is not None:
                    results.setdefault(entry.key, {})[test_name] = one.result
                    records.setdefault(entry.key, {})[test_name] = one.record or {}
        return results, records

    def _save_part(self) -> None:
        """Write what is finished, so that an interrupted run can be resumed."""
        try:
            write_all(*self._gathered(), partial_path(self.plan.results))
        except OutputError as fault:  # no reason to stop: it is tried again
            logger.warning("what is finished is not saved: %s", fault.what)
        self.saved = time.monotonic()

    def _drop(self) -> None:
        """Name what the results file held and holds no more, and remove its rows.

        Whoever computes everything anew expects new results for what the configuration has, and is not told of these.
        """
        plan = self.plan
        is_anew = len(self.pairs) == len(plan.configured) * len(plan.configured_sets) and not plan.options.resume
        configured = {entry.key for entry in plan.configured}
        for reason, gone in self.earlier.gone.items():
            told = ", ".join(f"{key} on {test_name}" for key, test_name in gone)
            is_expected = is_anew and all(key in configured for key, _ in gone)
            level = logging.DEBUG if is_expected else logging.WARNING
            logger.log(level, "%s does not hold %s any more: %s", plan.results, told, reason)
            for key, test_name in gone:
                if PurePath(test_name).name == test_name != "..":  # a file may say anything
                    with suppress(OutputError):
                        remove_rows(rows_path(plan, key, test_name))

    def _written(self, faults: list[MeasureError]) -> Run:
        """Write what there is: the results file only if nothing is missing."""
        results, records = self._gathered()
        reused = tuple(self.earlier.reused)
        whole = self.plan.results
        path = partial_path(whole) if faults else whole
        try:
            write_all(results, records, path)
        except OutputError as fault:  # what was computed is shown at least
            return self._elsewhere(results, records, [*faults, fault])
        if not faults:
            for stale in (partial_path(whole), meta_path(partial_path(whole))):
                with suppress(OSError):  # it does no harm: what is in it is only taken over if it holds
                    stale.unlink(missing_ok=True)
            self._drop()
            return Run(results, records, path, reused)
        return Run(results, records, path, reused, self._told(faults))

    def _elsewhere(self, results: dict[str, dict[str, Any]], records: Records, faults: list[MeasureError]) -> Run:
        """Write what there is to where parts are written, after it could not be written where it belongs."""
        path = partial_path(self.plan.results)
        fixes = ["make room or make the directory writable, then `measure run --resume`"]
        try:
            write_all(results, records, path)
        except OutputError:
            facts = ["what was computed is shown, and written nowhere"]
        else:
            facts = [f"what was computed is in {path}"]
        *before, fault = faults
        told = OutputError(fault.what, [*fault.facts, *facts], [*fault.fixes, *fixes])
        return Run(results, records, path, tuple(self.earlier.reused), combined([*before, told]))

    def _told(self, faults: list[MeasureError]) -> MetricError:
        """Tell what failed, and what did not."""
        whole = self.plan.results
        path = partial_path(whole)
        note = [f"{len(self.done)} of {len(self.pairs)} results were finished: {path}"]
        if whole.exists():
            note.append(f"{whole} is of an earlier run")
        last = combined(faults)
        error = MetricError(last.what, [*last.facts, *note], last.fixes)
        error.__cause__ = faults[0].__cause__ if len(faults) == 1 else None
        return error
