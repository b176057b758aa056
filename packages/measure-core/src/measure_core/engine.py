"""Doing jobs one after the other, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from measure_core.errors import ConfigError
from measure_core.work import perform, perform_elsewhere

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Any

    from measure_core.config.options import Options
    from measure_core.work import Job, Outcome, Setup

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
    from joblib import Parallel, delayed

    tasks = (delayed(perform_elsewhere)(job, setup) for job in jobs)
    if options.engine == "local" and sys.platform == "linux" and all(job.rows is not None for job in jobs):
        # counting is done in copies of this process, which start at once
        yield from Parallel(n_jobs=options.jobs, backend="multiprocessing")(tasks)
        return
    with _backend(options) as arguments:
        stream = Parallel(return_as="generator", **arguments)(tasks)
        try:
            for outcome in stream:  # noqa: UP028  (`yield from` would close the stream before it can be done quietly)
                yield outcome
        finally:
            with warnings.catch_warnings():  # it tells of jobs that nobody waits for after a failure
                warnings.simplefilter("ignore")
                stream.close()


def _client(make: Any, options: Options) -> Any:
    return make(options.scheduler, timeout=10) if options.scheduler else make(n_workers=options.jobs)


@contextmanager
def _backend(options: Options) -> Iterator[dict[str, Any]]:
    """Choose where joblib runs its tasks."""
    if options.engine == "local":
        yield {"n_jobs": options.jobs}
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
