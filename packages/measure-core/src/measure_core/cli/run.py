"""Score an inference run and write measures.json.

The table on standard output shows every result; measures.json in the inference directory holds them, and
measures.meta.json their signatures, inputs and intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure_core.cli.common import add_plan_arguments, options_of, whole_number
from measure_core.cli.shielded import results_only
from measure_core.cli.streams import emit, emit_json, progress_bar

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_plan_arguments(parser)
    parser.add_argument("-j", "--jobs", type=whole_number(1, 4096), default=1, metavar="N", help="processes (1)")
    parser.add_argument("--engine", choices=["local", "dask"], default="local", help="where they run (local)")
    parser.add_argument(
        "--scheduler", metavar="HOST:PORT", help="Dask scheduler; without it, a cluster of this machine"
    )
    parser.add_argument("--resume", action="store_true", help="keep results whose inputs and choices have not changed")
    parser.add_argument("--keep-going", action="store_true", help="go on after a metric has failed (status still 3)")
    parser.add_argument(
        "--per-utterance", action="store_true", help="write TEST/measure/KEY.jsonl, a row per utterance"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of the table")


def execute(arguments: argparse.Namespace) -> int:
    """Run the metrics; show what came out, also when something failed."""
    from measure_core.errors import ConfigError
    from measure_core.report.document import document_of
    from measure_core.report.tables import table
    from measure_core.runner import run

    if arguments.scheduler and arguments.engine != "dask":
        raise ConfigError("--scheduler goes with --engine dask")
    with results_only():
        done = run(
            arguments.config,
            overrides=arguments.overrides,
            options=options_of(arguments),
            progress=progress_bar(quiet=arguments.quiet),
        )
    document = document_of(done.results, done.records, str(done.path), is_whole=done.error is None)
    if arguments.json:
        emit_json(document)
    elif done.results:
        emit(table(document))
    if done.error is not None:
        raise done.error
    return 0
