"""Where tasks are computed: in this process, in several on this machine, or on a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, cast

from pathbench.base import said
from pathbench.errors import EvaluationError, PathbenchError, UsageError, import_extra
from pathbench.identity import cloudpickle
from pathbench.sources import loose_modules
from pathbench.work import do_pickled, perform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pathbench.base import AnyEvaluator
    from pathbench.reasons import Detail
    from pathbench.work import Task

    Results = Iterable[tuple[Task, list[tuple[str, Detail]]]]

__all__ = ["Engine"]

log = logging.getLogger(__name__)

_TASKS_PER_PROCESS = 64
_WINDOW_OF_CLUSTER = 4096
_SECONDS_TO_CONNECT = 5
_SECONDS_TO_FIND_WORKERS = 10


class Engine:
    """What computes tasks.

    Parameters
    ----------
    jobs : int, default 1
        Processes on this machine; -1 for one per processor.
    engine : {"local", "dask"}, default "local"
        On this machine, or on a cluster.
    scheduler : str, optional
        Address of the cluster's scheduler, ``HOST:PORT``.

    Raises
    ------
    UsageError
        If the number of jobs is neither positive nor -1, or engine, scheduler and jobs do not go together.
    """

    def __init__(self, jobs: int = 1, engine: Literal["local", "dask"] = "local", scheduler: str | None = None) -> None:
        if jobs == 0 or jobs < -1:
            raise UsageError(
                f"{jobs} processes cannot be; fix: give a number of 1 or more, or -1 for one per processor"
            )
        if (engine == "dask") != (scheduler is not None):
            raise UsageError("the engine dask and a scheduler go together; fix: --engine dask --scheduler HOST:PORT")
        if scheduler is not None and jobs != 1:
            raise UsageError("the cluster says how many processes there are; fix: leave out -j with --engine dask")
        self.jobs = (
            jobs
            if jobs > 0
            else len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else (os.cpu_count() or 1)
        )
        self.scheduler = scheduler

    @property
    def window(self) -> int:
        """How many tasks are planned at a time."""
        if self.scheduler is not None:
            return _WINDOW_OF_CLUSTER
        return 1 if self.jobs == 1 else _TASKS_PER_PROCESS * self.jobs

    @contextmanager
    def ready(self, evaluators: Mapping[str, AnyEvaluator]) -> Iterator[Callable[[Sequence[Task]], Results]]:
        """Make ready to compute with some evaluators.

        Parameters
        ----------
        evaluators : mapping of str to AnyEvaluator
            Evaluator by metric.

        Yields
        ------
        callable
            Computes tasks, and gives each with its scores as soon as they are there, in any order.

        Raises
        ------
        EvaluationError
            If a process dies, or the cluster is lost.
        UsageError
            If an evaluator cannot be sent to another process, no scheduler answers, or it has no worker.
        """
        if self.scheduler is None and self.jobs == 1:
            yield lambda tasks: ((task, perform(task, evaluators)) for task in tasks)
            return
        import joblib

        pickled = _pickled(evaluators, whole=self.scheduler is not None)
        with (
            self._backend() as options,
            joblib.Parallel(return_as="generator_unordered", batch_size=1, **options) as parallel,
        ):
            call = joblib.delayed(do_pickled)

            def start(tasks: Sequence[Task]) -> Results:
                with _uninterrupted() if self.scheduler is None else nullcontext():
                    return cast("Results", parallel(call(task, pickled) for task in tasks))

            yield lambda tasks: _surviving(lambda: start(tasks))

    @contextmanager
    def _backend(self) -> Iterator[dict[str, Any]]:
        """Choose where joblib works, and give what it is to be told."""
        if self.scheduler is None:
            yield {"n_jobs": self.jobs}
            return
        distributed = import_extra("distributed", "dask", "the engine dask")
        try:
            client = distributed.Client(self.scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=True)
        except (OSError, ValueError) as error:
            what = f"no Dask scheduler answers at {self.scheduler} ({error})"
            raise UsageError(f"{what}; fix: start one with `dask scheduler`, and give its HOST:PORT") from error
        with _hushed(), client:
            try:
                yield {"n_jobs": -1, "backend": self._cluster(client)}
            except EvaluationError as error:
                if client.status == "running":
                    raise
                fix = "see why it ended, and run again; what was finished is kept"
                raise EvaluationError(f"the Dask cluster at {self.scheduler} is lost; fix: {fix}") from error

    def _cluster(self, client: Any) -> Any:  # noqa: ANN401 (a Client of Dask, a backend of joblib)
        """Let joblib work on the cluster, even if that is a single thread: joblib would take its own instead."""
        from joblib._dask import DaskDistributedBackend

        class Cluster(DaskDistributedBackend):  # type: ignore[misc]  # joblib is not typed
            def effective_n_jobs(self, n_jobs: int) -> int:
                return max(2, int(super().effective_n_jobs(n_jobs)))

        cluster = Cluster(client=client, wait_for_workers_timeout=_SECONDS_TO_FIND_WORKERS)
        try:
            cluster.effective_n_jobs(-1)
        except TimeoutError as error:
            what = f"the Dask scheduler at {self.scheduler} has no worker"
            raise UsageError(f"{what}; fix: start some with `dask worker {self.scheduler}`") from error
        return cluster


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait while processes are started; they never see one, since this process ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as resource_tracker_of_loky

    for tracker in (resource_tracker, resource_tracker_of_loky):  # starting one lets interruptions in again
        tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pickled(evaluators: Mapping[str, AnyEvaluator], *, whole: bool) -> bytes:
    """Pickle evaluators; whole, that is with the modules of their own that another machine does not have."""
    pickler = cloudpickle()
    parts = [one for evaluator in evaluators.values() for one in (evaluator, *vars(evaluator).values())]
    classes = {type(one) for one in parts} if whole else set()
    modules = {module.__name__: module for cls in classes for module in loose_modules(cls)}
    try:
        for module in modules.values():
            pickler.register_pickle_by_value(module)
        return bytes(pickler.dumps(dict(evaluators)))
    except Exception as error:  # whatever the objects of other people raise
        raise UsageError(f"an evaluator cannot be sent to another process ({error}); fix: use -j 1") from error
    finally:
        for name in modules.keys() & pickler.list_registry_pickle_by_value():
            pickler.unregister_pickle_by_value(sys.modules[name])


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep the log of the cluster's libraries, a traceback for each thing lost, from standard error.

    They give some of their loggers handlers of their own. What goes wrong is told once, as an exception; with
    ``--verbose`` all is told.
    """
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    handlers = {handler for name in names for handler in logging.getLogger(name).handlers}
    handlers = set() if log.isEnabledFor(logging.DEBUG) else handlers
    for handler in handlers:
        handler.addFilter(_nothing)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(_nothing)


def _nothing(_: logging.LogRecord) -> bool:
    return False


def _surviving(work: Callable[[], Results]) -> Results:
    """Say what it means when a process dies, or cannot do what it was sent."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield from work()
    except PathbenchError:
        raise
    except TerminatedWorkerError as error:
        fix = "run again, with fewer processes (-j); what was finished is kept"
        raise EvaluationError(f"a process died, perhaps for want of memory; fix: {fix}") from error
    except ModuleNotFoundError as error:
        fix = "install it where the processes run; what was finished is kept"
        raise EvaluationError(f"another process has no module {error.name}; fix: {fix}") from error
    except Exception as error:  # of the cluster, of what carries objects there and back
        fix = "run again, what was finished is kept; see the log of the processes, or use -j 1 without a cluster"
        raise EvaluationError(f"the other processes failed: {said(error)}; fix: {fix}") from error
