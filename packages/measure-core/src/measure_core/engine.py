"""Doing jobs one after the other, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import sys
import warnings
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from measure_core.errors import ConfigError, MetricError
from measure_core.work import Outcome, perform, perform_elsewhere

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Any

    from measure_core.config.options import Options
    from measure_core.work import Job, Setup

__all__ = ["outcomes"]


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
        for job, metric in zip(jobs, metrics, strict=True):
            yield perform(job, metric, setup.nonfinite)
        return
    n_done = 0
    try:
        with closing(_elsewhere(jobs, setup, options)) as stream:
            for outcome in stream:
                yield outcome
                n_done += 1
    except BrokenExecutor:
        for job in jobs[n_done:]:
            what = (
                f"metric {job.key} on {job.test_name}: a process that computed was killed, perhaps for want of memory"
            )
            yield Outcome(error=MetricError(what, fixes=["use fewer processes (-j), then --resume"]))


def _elsewhere(jobs: Sequence[Job], setup: Setup, options: Options) -> Generator[Outcome]:
    """Do jobs in other processes."""
    task = partial(perform_elsewhere, setup=setup)
    if options.engine == "local" and sys.platform == "linux" and all(job.rows is not None for job in jobs):
        # counting is done in copies of this process, which start at once
        with ProcessPoolExecutor(options.jobs, get_context("fork")) as pool:
            yield from pool.map(task, jobs)
        return
    from joblib import Parallel, delayed

    with _backend(options) as arguments:
        stream = Parallel(return_as="generator", **arguments)(delayed(task)(job) for job in jobs)
        try:
            for outcome in stream:  # noqa: UP028  (`yield from` would close it before that can be done quietly)
                yield outcome
        finally:
            with warnings.catch_warnings():  # it tells of jobs that nobody waits for after a failure
                warnings.simplefilter("ignore")
                stream.close()


def _client(make: Any, options: Options) -> Any:
    if options.scheduler:
        return make(options.scheduler, timeout=10)
    return make(n_workers=options.jobs, threads_per_worker=1, dashboard_address=":0")


@contextmanager
def _backend(options: Options) -> Iterator[dict[str, Any]]:
    """Choose where joblib runs its tasks."""
    if options.engine == "local":
        # processes are kept by joblib from one call to the next, with their folder and their modules: ours are new
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True)
        try:
            yield {"n_jobs": options.jobs}
        finally:
            get_reusable_executor().shutdown(wait=True)
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as fault:
        raise ConfigError(
            "--engine dask needs distributed, which is not installed", fixes=["install measure-core[dask]"]
        ) from fault
    import joblib

    try:
        client = _client(Client, options)
    except (OSError, ValueError) as fault:
        raise ConfigError(f"the Dask scheduler {options.scheduler} cannot be reached: {fault}") from fault
    with client, joblib.parallel_config(backend="dask"):
        yield {}
