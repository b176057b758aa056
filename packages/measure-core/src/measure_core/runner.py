"""The measure stage: from a configuration to results on disk."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from measure_core.config.document import load_document
from measure_core.config.options import Options
from measure_core.config.plan import Plan, plan
from measure_core.engine import outcomes
from measure_core.errors import MeasureError, MetricError, OutputError, combined
from measure_core.espnet3 import espnet3_names, import_path
from measure_core.finish import finish, rows_path
from measure_core.inputs.prepared import prepare
from measure_core.records import Records, earlier, identity, inputs_are_same, meta_path, partial_path, write_all
from measure_core.work import Job, Setup, is_counted

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path

    from omegaconf import DictConfig

    from measure_core.config.document import Document
    from measure_core.config.entries import Entry
    from measure_core.inputs.align import AlignedColumns
    from measure_core.work import Outcome

__all__ = ["Run", "check", "measure", "run"]

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


def measure(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
) -> dict[str, dict[str, Any]]:
    """Run the metrics of a configuration and write their results.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``, as ``--set`` takes them.
    options : Options, optional
        Everything else the command line has options for.

    Returns
    -------
    dict
        What was written: by key of the metric and name of the test set.

    Raises
    ------
    ConfigError, InputError
        If the configuration or an input is wrong; no metric was called.
    MetricError
        If a metric failed; what was finished is in ``measures.partial.json``.
    """
    done = run(config, overrides=overrides, options=options)
    if done.error is not None:
        raise done.error
    return done.results


def run(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Run the metrics of a configuration; a metric that fails is told in what is returned.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``.
    options : Options, optional
        How to run it.
    progress : callable, optional
        Told how many of how many pieces of work are done.

    Returns
    -------
    Run
        Results and what is known about them.

    Raises
    ------
    ConfigError, InputError
        If the configuration or an input is wrong; no metric was called.
    """
    options = options or Options()
    document = load_document(config, overrides)
    with _imports(document, options):
        planned = plan(document, options)
        if planned.are_discovered:
            logger.info("test sets found in %s: %s", planned.root, " ".join(planned.test_sets))
        aligned, faults = prepare(planned)
        if faults:
            raise combined(faults)
        for target in options.allow_targets:
            logger.warning("the target %s may be built whatever it is (--allow-target)", target)
        return _Stage(planned, aligned, document.folder, progress or _no_progress).run()


def check(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
) -> tuple[Plan | None, list[MeasureError]]:
    """Find everything that is wrong with a run before running it.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``.
    options : Options, optional
        How it would be run.

    Returns
    -------
    planned : Plan or None
        What would be done; None if not even that is clear.
    faults : list of MeasureError
        What is wrong: configuration, targets, inputs, IDs.
    """
    options = options or Options()
    try:
        document = load_document(config, overrides)
        with _imports(document, options):
            planned = plan(document, options)
            return planned, prepare(planned)[1]
    except MeasureError as fault:
        return None, [fault]


def _no_progress(n_done: int, n_all: int) -> None:
    """Show nothing."""


def _imports(document: Document, options: Options) -> ExitStack:
    """Make the classes of a configuration importable."""
    stack = ExitStack()
    stack.enter_context(espnet3_names(are_wanted=options.espnet3_names))
    stack.enter_context(import_path(document.folder))
    return stack


class _Stage:
    """A planned run with its inputs."""

    def __init__(
        self,
        planned: Plan,
        aligned: Mapping[tuple[str, str], AlignedColumns],
        folder: Path,
        progress: Callable[[int, int], None],
    ) -> None:
        self.plan = planned
        self.aligned = aligned
        self.progress = progress
        options = planned.options
        self.setup = Setup(folder, options.espnet3_names, tuple(options.allow_targets), planned.nonfinite)
        self.identities: dict[tuple[str, str], dict[str, Any]] = {}
        self.saved = time.monotonic()
        self.results: dict[tuple[str, str], Any] = {}
        self.records: dict[tuple[str, str], dict[str, Any]] = {}

    def run(self) -> Run:
        """Compute what is not there yet, and write everything."""
        pairs = [(entry, test_name) for entry in self.plan.entries for test_name in self.plan.test_sets]
        digests: dict[Path, str] = {}
        for entry, test_name in pairs:  # before anything is computed: it is about the inputs as they are now
            key = (entry.key, test_name)
            self.identities[key] = identity(self.plan, entry, self.aligned[key], digests)
        reused = self._reuse(pairs) if self.plan.options.resume else []
        to_do = [(entry, test_name) for entry, test_name in pairs if (entry.key, test_name) not in self.results]
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
                        self._save_part(pairs)
        except KeyboardInterrupt:
            self._save_part(pairs)
            raise
        return self._written(pairs, reused, faults)

    def _kept(self, entry: Entry, test_name: str, parts: Sequence[Outcome]) -> MeasureError | None:
        """Keep what came of a pair; give what failed."""
        for part in parts:
            if part.error is not None:
                logger.debug("%s", part.trace)
                return part.error
        try:
            self._keep(entry, test_name, parts)
        except MetricError as fault:
            return fault
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
        self.results[entry.key, test_name] = done.result
        self.records[entry.key, test_name] = done.record | {"identity": self.identities[entry.key, test_name]}

    def _reuse(self, pairs: Sequence[tuple[Entry, str]]) -> list[tuple[str, str]]:
        """Take over earlier results whose identity is the same."""
        results, records = earlier(self.plan.results)
        for entry, test_name in pairs:
            record = records.get(entry.key, {}).get(test_name)
            if record is None:
                continue
            is_same = record.get("identity") == self.identities[entry.key, test_name]
            lacks_rows = entry.per_utterance and not rows_path(self.plan, entry, test_name).exists()
            if is_same and not lacks_rows:
                self.results[entry.key, test_name] = results[entry.key][test_name]
                self.records[entry.key, test_name] = record
        logger.info("%d of %d results are taken over from an earlier run", len(self.results), len(pairs))
        return list(self.results)

    def _gathered(self, pairs: Sequence[tuple[Entry, str]]) -> tuple[dict[str, dict[str, Any]], Records]:
        """Put what is finished into the order of the results file."""
        results: dict[str, dict[str, Any]] = {}
        records: Records = {}
        for entry, test_name in pairs:
            if (entry.key, test_name) in self.results:
                results.setdefault(entry.key, {})[test_name] = self.results[entry.key, test_name]
                records.setdefault(entry.key, {})[test_name] = self.records[entry.key, test_name]
        return results, records

    def _save_part(self, pairs: Sequence[tuple[Entry, str]]) -> None:
        """Write what is finished, so that an interrupted run can be resumed."""
        write_all(*self._gathered(pairs), partial_path(self.plan.results))
        self.saved = time.monotonic()

    def _keep_others(
        self, pairs: Sequence[tuple[Entry, str]], results: dict[str, dict[str, Any]], records: Records
    ) -> None:
        """After a run of some metrics or test sets: keep the other results of the file, or say that they are gone."""
        options = self.plan.options
        if not options.metrics and not options.test_sets:
            return
        ours = {(entry.key, test_name) for entry, test_name in pairs}
        old_results, old_records = earlier(self.plan.results)
        others = [(key, name) for key, sets in old_results.items() for name in sets if (key, name) not in ours]
        kept = [
            one for one in others if options.resume and inputs_are_same(self.plan.root, old_records[one[0]][one[1]])
        ]
        for key, name in kept:
            results.setdefault(key, {})[name] = old_results[key][name]
            records.setdefault(key, {})[name] = old_records[key][name]
        gone = [f"{key} on {name}" for key, name in others if (key, name) not in kept]
        if gone:
            what = "its inputs have changed" if options.resume else "--resume keeps them"
            logger.warning("%s does not hold %s any more (%s)", self.plan.results, ", ".join(gone), what)

    def _written(
        self, pairs: Sequence[tuple[Entry, str]], reused: Sequence[tuple[str, str]], faults: list[MeasureError]
    ) -> Run:
        """Write what there is: the results file only if nothing is missing."""
        results, records = self._gathered(pairs)
        whole = self.plan.results
        path = partial_path(whole) if faults else whole
        if not faults:
            self._keep_others(pairs, results, records)
        try:
            write_all(results, records, path)
        except OutputError as fault:  # what was computed is shown at least
            return Run(results, records, path, tuple(reused), combined([*faults, fault]))
        if not faults:
            for stale in (partial_path(whole), meta_path(partial_path(whole))):
                stale.unlink(missing_ok=True)
            return Run(results, records, path, tuple(reused))
        n_done, n_all = len(self.results), len(pairs)
        note = [f"{n_done} of {n_all} results were finished: {path}"]
        if whole.exists():
            note.append(f"{whole} is of an earlier run")
        last = combined(faults)
        error = MetricError(last.what, [*last.facts, *note], last.fixes)
        error.__cause__ = faults[0].__cause__ if len(faults) == 1 else None
        return Run(results, records, path, tuple(reused), error)
