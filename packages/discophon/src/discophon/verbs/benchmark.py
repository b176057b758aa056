"""``discophon benchmark DATASET PREDICTIONS OUTPUT``: score all units of a folder."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from discophon.verbs import add_jobs_argument, names_in
from discophon.verbs.evaluate import add_scoring_arguments

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]

_log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    parser.add_argument("dataset", metavar="DATASET", help="the benchmark's data")
    parser.add_argument("predictions", metavar="PREDICTIONS", help="folder of units-{iso}-{split}.jsonl")
    parser.add_argument(
        "output",
        metavar="OUTPUT",
        help=".csv, .parquet or .json: written whole; anything else: one JSON object a row is appended",
    )
    parser.add_argument("--benchmark", choices=("discovery",), default="discovery", help="what to score (discovery)")
    add_scoring_arguments(parser)
    parser.add_argument("--languages", metavar="NAME,...", help="score these only")
    add_jobs_argument(parser)
    parser.add_argument("--engine", choices=("local", "dask"), default="local", help="where they run (local)")
    parser.add_argument("--scheduler", metavar="HOST:PORT", help="the Dask scheduler, with --engine dask")


def run(arguments: argparse.Namespace) -> int:
    """Score, and write the rows.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0.
    """
    from discophon.benchmark import score_discovery, signature_of
    from discophon.errors import UsageError
    from discophon.evaluate.discovery import check_metrics
    from discophon.output import prepare_output, write_scores

    if (arguments.engine == "dask") != (arguments.scheduler is not None):
        raise UsageError("--engine dask and --scheduler HOST:PORT go together")
    if arguments.scheduler is not None and arguments.jobs is not None:
        raise UsageError("--jobs is about processes here; with --engine dask all workers of the scheduler are used")
    prepare_output(arguments.output, arguments.dataset, arguments.predictions)
    scores = score_discovery(
        arguments.dataset,
        arguments.predictions,
        kind=arguments.kind,
        step_units=arguments.step_units,
        metrics=check_metrics(names_in(arguments.metrics)),
        windows=arguments.windows,
        languages=None if arguments.languages is None else names_in(arguments.languages),
        jobs=1 if arguments.jobs is None else arguments.jobs,
        scheduler=arguments.scheduler,
        progress=None if arguments.quiet or not _is_terminal() else _show,
    )
    signature = signature_of(arguments.kind, step_units=arguments.step_units, windows=arguments.windows)
    write_scores(arguments.output, scores, signature)
    if not arguments.output.lower().endswith(".json"):  # there it is in the file
        _log.info("signature: %s", signature)
    return 0


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _show(done: int, of: int, name: str) -> None:
    """Draw the progress over the line before; the last one ends the line."""
    sys.stderr.write(f"\r{done} of {of} scored: {name:<10}" + ("\n" if done == of else ""))
    sys.stderr.flush()
