"""``pathbench run``: score datasets, correlate with ratings, write everything down."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from pathbench.benchmark import Choices
from pathbench.dataset import parse_data_root
from pathbench.engine import Engine
from pathbench.progress import Progress
from pathbench.render import write_text
from pathbench.runner import run_benchmark
from pathbench.shield import results_only

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]


def run(given: argparse.Namespace) -> int:
    """Score datasets.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0; 3 if an evaluator failed, or, strictly, if any score is missing.
    """
    data_root = None if given.data_root is None else parse_data_root(given.data_root)
    shown = sys.stderr is not None and sys.stderr.isatty() and not given.quiet
    with results_only():
        report = run_benchmark(
            given.datasets,
            Choices(given.evaluators, given.skip, given.undefined, given.compat, data_root),
            out=given.out,
            results_dir=given.results_dir,
            datasets_root=given.datasets_root,
            engine=Engine(given.jobs, given.engine, given.scheduler),
            level=given.level,
            complete=given.complete,
            draws=given.draws,
            seed=given.seed,
            progress=lambda name: Progress(name, shown=shown),
        )
    write_text("-", report.json() if given.json else report.text())
    reasons = sum((found.reasons for found in report.outcomes), Counter[str]())
    return 3 if reasons["evaluator_error"] or (given.strict and reasons) else 0
