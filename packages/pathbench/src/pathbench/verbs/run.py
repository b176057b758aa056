"""``pathbench run``: score datasets, correlate with ratings, write everything down."""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from pathbench.benchmark import Choices, Run, compute, dataset_name, prepare
from pathbench.dataset import parse_data_root
from pathbench.engine import Engine
from pathbench.errors import UsageError
from pathbench.outcome import faults, outcome, refuse_unrated
from pathbench.progress import Progress
from pathbench.render import make_folder, write_text
from pathbench.report import Report, counts, missing_csv, score_files
from pathbench.store import Store

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

log = logging.getLogger(__name__)

_MOST_DRAWS = 1_000_000


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
    if not 0 <= given.draws <= _MOST_DRAWS:
        raise UsageError(f"--draws {given.draws}: must be between 0 and {_MOST_DRAWS}; fix: leave it at 10000")
    if given.seed < 0:
        raise UsageError(f"--seed {given.seed}: must not be negative; fix: give a whole number from 0")
    choices = Choices(
        given.evaluators,
        given.skip,
        given.undefined,
        given.compat,
        None if given.data_root is None else parse_data_root(given.data_root),
    )
    engine = Engine(given.jobs, given.engine, given.scheduler)
    runs = _prepared(given, choices)
    make_folder(given.out)
    with Store(os.path.join(given.out, "scores.sqlite")) as store:
        shown = sys.stderr is not None and sys.stderr.isatty() and not given.quiet
        for one in runs:
            with Progress(one.name, shown=shown) as progress:
                compute(one, store, engine, progress)
            log.info("%s: %d scores computed", one.name, one.n_computed)
        outcomes = [
            outcome(one, store, level=given.level, complete=given.complete, draws=given.draws, seed=given.seed)
            for one in runs
        ]
        report = Report(
            outcomes, choices, level=given.level, complete=given.complete, draws=given.draws, seed=given.seed
        )
        _write(given, report, runs, store)
    for found in outcomes:
        if found.reasons:
            where = os.path.join(given.out, "missing.csv")
            log.warning("%s: missing or doubtful scores: %s; see %s", found.name, counts(found.reasons), where)
    write_text("-", report.json() if given.json else report.text())
    reasons = sum((found.reasons for found in outcomes), Counter[str]())
    return 3 if reasons["evaluator_error"] or (given.strict and reasons) else 0


def _prepared(given: argparse.Namespace, choices: Choices) -> list[Run]:
    """Read all datasets before anything is computed, so that a mistake does not cost a night."""
    runs: dict[str, Run] = {}
    for path in given.datasets:
        name = dataset_name(path, given.datasets_root)
        if name in runs:
            log.warning("%s: is given twice; it is run once", path)
            continue
        one = prepare(path, name, choices)
        refuse_unrated(path, vars(one.dataset), given.level)
        runs[name] = one
    return list(runs.values())


def _write(given: argparse.Namespace, report: Report, runs: list[Run], store: Store) -> None:
    """Write the results as files."""
    files = {
        "results.json": report.json(),
        "results.csv": report.csv(),
        "table.csv": report.table_csv(),
        "report.md": report.markdown(),
        "missing.csv": missing_csv((one.name, score) for one in runs for score in faults(one, store)),
    }
    for name, text in files.items():
        write_text(os.path.join(given.out, name), text)
    folder = given.results_dir or os.path.join(given.out, "scores")
    for one in report.outcomes:
        for name, text in score_files(one):
            write_text(os.path.join(folder, *name.split("/")), text)
