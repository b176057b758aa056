"""Running the same function on many tasks: here, in processes, or on the workers of a Dask scheduler."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from discophon.checks import check_whole
from discophon.errors import UsageError, WorkerError

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
        check_whole("jobs", jobs)


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
        If Dask is asked for and not installed, or its scheduler does not answer.
    WorkerError
        If a process is killed, or a worker is lost.
    """
    if scheduler is None and (jobs == 1 or len(tasks) < 2):
        yield from map(function, tasks)
        return
    from joblib import Parallel, delayed

    with _workers(scheduler):
        outcomes = Parallel(n_jobs=-1 if scheduler else jobs, return_as="generator")(
            delayed(_outcome)(function, task) for task in tasks
        )
        try:
            for error, result in outcomes:
                if error is not None:
                    raise error
                yield result
        finally:
            with warnings.catch_warnings():  # joblib tells of results that nobody wants after an error
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
    except ModuleNotFoundError:
        raise UsageError("a scheduler needs Dask, which is not installed; pip install distributed") from None
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    make: Any = Client
    try:
        client = make(scheduler, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise UsageError(f"the scheduler {scheduler!r} does not answer ({error}); give HOST:PORT") from error
    try:
        with client, parallel_config(backend="dask"):
            yield
    except (KilledWorker, CommClosedError) as error:
        raise WorkerError(f"the workers of {scheduler!r} were lost: {error}; look at their logs") from error


@contextmanager
def _processes() -> Iterator[None]:
    """Let joblib have processes for as long as they work, so that none is left at the end of the program."""
    from concurrent.futures import BrokenExecutor

    from joblib.externals.loky import get_reusable_executor

    try:
        yield
    except BrokenExecutor as error:
        what = "a process that computed was killed, perhaps for want of memory"
        raise WorkerError(f"{what}; use fewer processes (jobs, -j)") from error
    finally:
        get_reusable_executor().shutdown(wait=True, kill_workers=True)
