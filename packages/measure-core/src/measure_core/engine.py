"""Doing jobs one after the other, in processes of this machine, or on a Dask cluster.

A process that dies takes what others were doing with it, and nobody tells which of them was at fault. So the jobs that
may have been, and only these, are done once more, each in a process where nothing else is done.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING

from measure_core.errors import ConfigError, MetricError
from measure_core.metric import can_be_reset
from measure_core.work import Outcome, perform, perform_elsewhere

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Any

    from measure_core.config.options import Options
    from measure_core.work import Job, Setup

    Stream = Generator[tuple[int, Outcome]]
    """Places among the jobs and what came of them, in the order in which they are finished."""

__all__ = ["outcomes"]

logger = logging.getLogger(__name__)

_ENDINGS = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a run."""

_LOGGED = "DASK_LOGGING__DISTRIBUTED"
_OF_OUR_CLUSTER = {
    "distributed.scheduler.allowed-failures": 0,  # whose fault it is, we find out
    f"distributed.nanny.pre-spawn-environ.{_LOGGED}": "critical",  # what goes wrong is told by us
}


class _DiedError(Exception):
    """Processes died; has the places of the jobs that may be why."""

    def __init__(self, suspects: Sequence[int]) -> None:
        super().__init__(suspects)
        self.suspects = suspects


def outcomes(jobs: Sequence[Job], metrics: Sequence[Any], setup: Setup, options: Options) -> Generator[Outcome]:
    """Do jobs.

    Parameters
    ----------
    jobs : sequence of Job
        What to do.
    metrics : sequence of object
        The metric of each job, built in this process.
    setup : Setup
        How other processes find the classes.
    options : Options
        Where to do them.

    Yields
    ------
    Outcome
        In the order of the jobs.

    Raises
    ------
    ConfigError
        If the engine cannot be reached.
    """
    if options.engine == "local" and (options.jobs == 1 or len(jobs) < 2):
        used: set[int] = set()
        for job, metric in zip(jobs, metrics, strict=True):
            is_spent = id(metric) in used and not can_be_reset(metric)  # it would go on from the test set before
            yield perform_elsewhere(job, setup) if is_spent else perform(job, metric, setup.nonfinite)
            used.add(id(metric))
        return
    finished: dict[int, Outcome] = {}
    n_given = 0
    with closing(_all(jobs, setup, options)) as stream:
        for place, outcome in stream:
            finished[place] = outcome
            while n_given in finished:
                yield finished.pop(n_given)
                n_given += 1


def _all(jobs: Sequence[Job], setup: Setup, options: Options) -> Stream:
    """Do jobs in other processes, also those that are left when one of these dies."""
    left = list(range(len(jobs)))
    alone: list[int] = []
    while left:
        batch = alone[:1] or list(left)
        alone = alone[1:]
        try:
            with closing(_elsewhere([jobs[i] for i in batch], setup, options)) as stream:
                for place, outcome in stream:
                    left.remove(batch[place])
                    yield batch[place], outcome
        except _DiedError as fault:
            if len(batch) > 1:
                alone = [batch[place] for place in fault.suspects]
                logger.debug("a process died; %d pieces of work are done again, one at a time", len(alone))
                continue
            job = jobs[batch[0]]
            left.remove(batch[0])
            what = f"metric {job.key} on {job.test_name}: the process that computed it died, perhaps for want of memory"
            fixes = ["use fewer processes (-j), then --resume", "look for a crash in what the metric calls"]
            yield batch[0], Outcome(error=MetricError(what, fixes=fixes))


def _elsewhere(jobs: Sequence[Job], setup: Setup, options: Options) -> Stream:
    """Do jobs in other processes; `_DiedError` if one of these dies."""
    if options.engine == "dask":
        yield from _on_cluster(jobs, setup, options)
        return
    is_counted = all(job.rows is not None for job in jobs)
    # counting is done in copies of this process, which start at once
    local = _in_copies if sys.platform == "linux" and is_counted else _in_processes
    left = list(range(len(jobs)))
    try:
        with closing(local(jobs, setup, min(options.jobs, len(jobs)))) as stream:
            for place, outcome in stream:
                left.remove(place)
                yield place, outcome
    except BrokenExecutor as fault:  # they are begun in order, as many at a time as there are processes
        raise _DiedError(left[: options.jobs]) from fault


def _in_copies(jobs: Sequence[Job], setup: Setup, n_processes: int) -> Stream:
    """Do jobs in copies of this process, which end with it."""
    others = set(active_children())
    with ProcessPoolExecutor(n_processes, get_context("fork"), _begin_as_copy) as pool:
        try:
            with _held_back(*_ENDINGS):
                places = {pool.submit(perform_elsewhere, job, setup): place for place, job in enumerate(jobs)}
            for future in as_completed(places):
                yield places.pop(future), future.result()
        except BaseException:
            for process in set(active_children()) - others:
                process.terminate()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin_as_copy() -> None:
    """Leave interruptions to the process that this one is a copy of; ended by it, end without a word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


def _in_processes(jobs: Sequence[Job], setup: Setup, n_processes: int) -> Stream:
    """Do jobs in processes that know nothing of this one."""
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor
    from joblib.externals.loky.backend import resource_tracker as resource_tracker_of_loky

    # joblib keeps processes from one call to the next, with their folder and their modules: ours are new
    get_reusable_executor().shutdown(wait=True)
    pool = Parallel(max(n_processes, 2), return_as="generator_unordered", batch_size=1)  # of one, it would be this one
    for tracker in (resource_tracker, resource_tracker_of_loky):  # starting one lets interruptions in again
        tracker.ensure_running()
    with _held_back(signal.SIGINT):  # they never see one, since this process ends them
        stream = pool(delayed(_placed)(place, job, setup) for place, job in enumerate(jobs))
    try:
        for placed in stream:  # noqa: UP028  (`yield from` would close it before that can be done quietly)
            yield placed
    finally:
        with warnings.catch_warnings():  # it tells of jobs that nobody waits for after a failure
            warnings.simplefilter("ignore")
            stream.close()
        get_reusable_executor().shutdown(wait=True)


@contextmanager
def _held_back(*numbers: signal.Signals) -> Iterator[None]:
    """Let signals wait while processes are started, which begin with these held back."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _placed(place: int, job: Job, setup: Setup) -> tuple[int, Outcome]:
    return place, perform_elsewhere(job, setup)


def _on_cluster(jobs: Sequence[Job], setup: Setup, options: Options) -> Stream:
    """Do jobs on a Dask cluster."""
    with _client(options, len(jobs)) as client:
        import distributed

        as_finished: Any = distributed.as_completed

        with warnings.catch_warnings():  # what a job carries may be large
            warnings.simplefilter("ignore")
            futures = client.map(perform_elsewhere, jobs, setup=setup, pure=False)
        places = {future.key: place for place, future in enumerate(futures)}
        suspects = []
        for future in as_finished(futures):
            place = places[future.key]
            try:
                outcome = future.result()
            except distributed.KilledWorker:
                suspects.append(place)
                continue
            except (distributed.client.FutureCancelledError, OSError):  # or it cannot be fetched any more
                what = f"metric {jobs[place].key} on {jobs[place].test_name}: the Dask cluster was lost"
                outcome = Outcome(error=MetricError(what, fixes=["see why it ended, then --resume"]))
            yield place, outcome
        if suspects:
            raise _DiedError(sorted(suspects))


@contextmanager
def _client(options: Options, n_jobs: int) -> Iterator[Any]:
    """Connect to a cluster, or start one on this machine."""
    try:
        import dask
        import distributed
    except ModuleNotFoundError as fault:
        raise ConfigError(
            "--engine dask needs distributed, which is not installed", fixes=["install measure-core[dask]"]
        ) from fault
    make: Any = distributed.Client
    with _silent("distributed", "tornado"), _restored(_LOGGED):  # Dask sets it here too, not for its processes only
        try:
            if options.scheduler:
                client = make(options.scheduler, timeout=10)
            else:
                with dask.config.set(_OF_OUR_CLUSTER):
                    client = make(n_workers=min(options.jobs, n_jobs), threads_per_worker=1, dashboard_address=":0")
        except (OSError, ValueError) as fault:
            raise ConfigError(f"the Dask scheduler {options.scheduler} cannot be reached: {fault}") from fault
        with client:
            yield client


@contextmanager
def _restored(variable: str) -> Iterator[None]:
    """Leave a variable of the environment as it was."""
    before = os.environ.get(variable)
    try:
        yield
    finally:
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before


@contextmanager
def _silent(*libraries: str) -> Iterator[None]:
    """Keep libraries from telling what goes wrong, with tracebacks: it is raised, and told by us."""
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in libraries]
    levels = {library: library.level for library in map(logging.getLogger, known)}
    for library in levels:
        library.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for library, level in levels.items():
            library.setLevel(level)
