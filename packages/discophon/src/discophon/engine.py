"""Running the same function on many tasks: here, in processes, or on the workers of a Dask scheduler."""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from discophon.checks import check_whole
from discophon.errors import UsageError, WorkerError
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["check_jobs", "each"]

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_PATIENCE = "10s"


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that makes no sense.

    Parameters
    ----------
    jobs : int
        At least 1, or -1 for one per processor.

    Raises
    ------
    UsageError
        If it is something else.
    """
    if jobs != -1:
        try:
            check_whole("jobs", jobs)
        except UsageError as error:
            raise UsageError(f"{error}, or -1 for one per processor") from None


def each(
    function: Callable[[_Task], _Result], tasks: Sequence[_Task], *, jobs: int = 1, scheduler: str | None = None
) -> Iterator[_Result]:
    """Call a function with every task.

    Parameters
    ----------
    function : callable
        Takes one task; must be picklable unless `jobs` is 1.
    tasks : sequence
        The tasks.
    jobs : int, default 1
        Processes; -1 is one per processor.
    scheduler : str, optional
        Address ``HOST:PORT`` of a Dask scheduler, whose workers take the place of processes.

    Yields
    ------
    object
        Results, in the order of the tasks.

    Raises
    ------
    UsageError
        If Dask is asked for and not installed, or its scheduler does not answer or has no workers.
    WorkerError
        If a process is killed, or a worker is lost.
    """
    if scheduler is None and (jobs == 1 or len(tasks) < 2):
        yield from map(function, tasks)
        return
    from joblib import Parallel, delayed

    with _workers(scheduler), ExitStack() as ends:
        parallel = Parallel(n_jobs=-1 if scheduler else jobs, return_as="generator")
        with nullcontext() if scheduler else _uninterrupted():
            outcomes = parallel(delayed(_outcome)(function, task) for task in tasks)
            ends.callback(_close, outcomes)
        for error, result in outcomes:
            if error is not None:
                raise error
            yield result


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait, and never reach the processes that are started: this one ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as resource_tracker_of_loky

    for tracker in (resource_tracker, resource_tracker_of_loky):  # when they start, they let interruptions in again
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _close(outcomes: Any) -> None:  # noqa: ANN401 - a generator of joblib
    with warnings.catch_warnings():  # it tells of results that nobody wants after an error
        warnings.simplefilter("ignore")
        outcomes.close()


def _outcome(function: Callable[[_Task], _Result], task: _Task) -> tuple[Exception | None, Any]:
    """Call a function; give an error back, so that of several the one of the first task is raised."""
    try:
        return None, function(task)
    except Exception as error:  # noqa: BLE001 - raised again where results are taken
        return error, None


@contextmanager
def _workers(scheduler: str | None) -> Iterator[None]:
    """Have processes to work in, or the workers of a Dask scheduler; tell if they are lost."""
    if scheduler is None:
        with _processes():
            yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client
        from distributed.client import FutureCancelledError
    except ModuleNotFoundError:
        raise UsageError("a scheduler needs Dask, which is not installed; pip install distributed") from None
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    make: Any = Client
    with _silent("distributed"):
        try:
            client = make(scheduler, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            why = f"the scheduler {scheduler!r} does not answer ({said(error)})"
            raise UsageError(f"{why}; give HOST:PORT") from error
        try:
            with client:
                _wait_for_workers(client, scheduler)
                with parallel_config(backend="dask"):
                    yield
        except (KilledWorker, CommClosedError, FutureCancelledError) as error:
            raise WorkerError(f"the workers of {scheduler!r} were lost: {said(error)}; look at their logs") from error


def _wait_for_workers(client: Any, scheduler: str) -> None:  # noqa: ANN401 - Dask is not typed
    """Refuse a scheduler without workers; some get them when there is something to do."""
    try:
        if not client.ncores():
            client.submit(abs, 0).result(timeout=_PATIENCE)
    except TimeoutError as error:
        raise UsageError(f"there is no worker at {scheduler!r}; start one: dask worker {scheduler}") from error


@contextmanager
def _silent(library: str) -> Iterator[None]:
    """Keep a library from writing its own log; what it finds is raised, and told by us."""
    known = [name for name in logging.root.manager.loggerDict if name == library or name.startswith(f"{library}.")]
    levels = {logger: logger.level for logger in map(logging.getLogger, [library, *known])}
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@contextmanager
def _processes() -> Iterator[None]:
    """Let joblib have processes for as long as they work, so that none is left at the end of the program."""
    from concurrent.futures import BrokenExecutor

    from joblib.externals.loky import get_reusable_executor

    try:
        with _streams():
            yield
    except BrokenExecutor as error:
        what = "a process that computed was killed, perhaps for want of memory"
        raise WorkerError(f"{what}; use fewer processes (jobs, -j)") from error
    finally:
        get_reusable_executor().shutdown(wait=True, kill_workers=True)


@contextmanager
def _streams() -> Iterator[None]:
    """Put something in the place of closed standard streams, which loky flushes."""
    with ExitStack() as ends:
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:
                ends.callback(setattr, sys, name, None)
                setattr(sys, name, ends.enter_context(open(os.devnull, "w", encoding="utf-8")))
        yield
