"""Find everything that is wrong with a run before running it.

Reads the configuration, the classes it names and all inputs; nothing is computed. Exit status 1 if there is a
problem, 2 if the configuration cannot be read at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure_core.cli.common import add_plan_arguments, options_of
from measure_core.cli.shielded import results_only
from measure_core.cli.streams import emit, emit_json

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_plan_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    """List the problems."""
    from pathlib import Path

    from measure_core.config.document import load_document
    from measure_core.runner import check

    with results_only():
        if not Path(arguments.config).is_fifo():  # which could not be read again
            load_document(arguments.config, arguments.overrides)
        planned, faults = check(arguments.config, overrides=arguments.overrides, options=options_of(arguments))
    if arguments.json:
        problems = [
            {"message": one.what, "facts": one.facts, "fixes": one.fixes, "path": one.path, "line": one.line}
            for one in faults
        ]
        emit_json({"schema_version": "1.0", "problems": problems})
    else:
        for fault in faults:
            emit(f"error: {fault}")
        if planned is not None and not faults:
            n_tests, n_metrics = len(planned.test_sets), len(planned.entries)
            emit(f"nothing wrong: {n_metrics} metrics on {n_tests} test sets ({', '.join(planned.test_sets)})")
    return 1 if faults else 0
