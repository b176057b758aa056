"""Running the same function on many tasks: here, in processes, or on the workers of a Dask scheduler."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from discophon.checks import check_whole
from discophon.errors import UsageError

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
    """
    if scheduler is None and (jobs == 1 or len(tasks) < 2):
        yield from map(function, tasks)
        return
    from joblib import Parallel, delayed

    with _workers(scheduler):
        yield from Parallel(n_jobs=-1 if scheduler else jobs, return_as="generator")(
            delayed(function)(task) for task in tasks
        )


@contextmanager
def _workers(scheduler: str | None) -> Iterator[None]:
    """Let joblib work on a Dask scheduler, if there is one."""
    if scheduler is None:
        yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise UsageError("a scheduler needs Dask, which is not installed; install discophon[dask]") from None
    make: Any = Client
    try:
        client = make(scheduler, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise UsageError(f"the scheduler {scheduler!r} does not answer ({error}); give HOST:PORT") from error
    with client, parallel_config(backend="dask"):
        yield
