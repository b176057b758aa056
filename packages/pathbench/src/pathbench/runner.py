"""A whole run: several datasets, from their folders to files of results."""

from __future__ import annotations

import logging
import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

from pathbench.benchmark import Choices, Run, compute, dataset_name, prepare
from pathbench.correlation import DRAWS, MOST_DRAWS, Complete
from pathbench.engine import Engine
from pathbench.errors import InputError, UsageError
from pathbench.outcome import outcome, refuse_unusable
from pathbench.render import make_folder, write_text
from pathbench.report import Report, counts, missing_csv, score_files, stale_files
from pathbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from pathbench.plan import Level

    Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]

__all__ = ["STORE", "run_benchmark"]

log = logging.getLogger(__name__)

STORE = "scores.sqlite"
"""Name of the file of scores in the folder of a run."""


def run_benchmark(
    datasets: Sequence[str],
    choices: Choices | None = None,
    *,
    out: str = "pathbench-results",
    results_dir: str | None = None,
    datasets_root: str | None = None,
    engine: Engine | None = None,
    level: Level = "speaker",
    complete: Complete = "all",
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Score datasets, correlate the scores with ratings, and write everything down.

    Parameters
    ----------
    datasets : sequence of str
        Folders of the pathological speakers.
    choices : Choices, optional
        What to compute; by default what the published benchmark does, as far as it is installed.
    out : str, default "pathbench-results"
        Folder of the results. Scores that its ``scores.sqlite`` has already are not computed again.
    results_dir : str, optional
        Folder of the score files; ``scores`` in `out` by default.
    datasets_root : str, optional
        Folder below which datasets are named; see `pathbench.benchmark.dataset_name`.
    engine : Engine, optional
        What computes; this process by default.
    level : {"speaker", "utterance"}, default "speaker"
        What has ratings.
    complete : {"all", "per-metric"}, default "all"
        At utterance level, which utterances count; see `pathbench.correlation.utterance_level`.
    draws : int, default 10_000
        Resamples of the intervals.
    seed : int, default 0
        Seed of the draws.
    progress : callable, optional
        Given the name of a dataset, makes a context manager that gives a callable for units done and all.

    Returns
    -------
    Report
        What was found: `outcomes` for Python, `text`, `json`, `csv` and `markdown` for people.

    Raises
    ------
    PathbenchError, speechio.SpeechioError
        If something cannot be used; what has been computed until then is kept.
    """
    if not 0 <= draws <= MOST_DRAWS:
        raise UsageError(f"--draws {draws}: must be between 0 and {MOST_DRAWS}; fix: leave it at {DRAWS}")
    if seed < 0:
        raise UsageError(f"--seed {seed}: must not be negative; fix: give a whole number from 0")
    if complete != "all" and level == "speaker":
        what = f"--complete {complete} is a choice among utterances, and speakers are correlated"
        raise UsageError(f"{what}; fix: give --level utterance too")
    choices = choices or Choices()
    runs = _prepared(datasets, choices, datasets_root, level)
    make_folder(out)
    with Store(os.path.join(out, STORE)) as store:
        for one in runs:
            try:
                with progress(one.name) if progress else nullcontext() as told:
                    compute(one, store, engine or Engine(), told)
            except KeyboardInterrupt:
                log.warning("interrupted; run again to go on, what was finished is kept in %s", store.path)
                raise
            log.info("%s: %d scores computed", one.name, one.n_computed)
        outcomes = [outcome(one, store, complete=complete, draws=draws, seed=seed) for one in runs]
    report = Report(outcomes, choices, level=level, complete=complete, draws=draws, seed=seed)
    _write(report, out, results_dir)
    return report


def _prepared(datasets: Sequence[str], choices: Choices, datasets_root: str | None, level: Level) -> list[Run]:
    """Read all datasets before anything is computed, so that a mistake does not cost a night."""
    runs: dict[str, Run] = {}
    for path in datasets:
        name = dataset_name(path, datasets_root)
        if name in runs:
            log.warning("%s: is given twice; it is run once", path)
            continue
        runs[name] = prepare(path, name, choices, level)
        refuse_unusable(runs[name])
    if not any(one.metrics for one in runs.values()):
        fix = "name others with --evaluators; `pathbench list` says what each needs"
        raise UsageError(f"none of the evaluators can be computed on what was given; fix: {fix}")
    return list(runs.values())


def _write(report: Report, out: str, results_dir: str | None) -> None:
    """Write the results as files; those of the run before that are none of this one go.

    They go first, and ``results.json``, which says which files there are, is the first to be written: whatever fails
    afterwards, the next run knows what to take away. It says nothing of a run further back, so that what that one left
    in the folder of the run goes even if the scores of this one are written elsewhere.
    """
    own = os.path.join(out, "scores")
    results_dir = results_dir or own
    is_own = os.path.realpath(results_dir) == os.path.realpath(own)
    files = {
        "results.json": report.json(),
        "results.csv": report.csv(),
        "table.csv": report.table_csv(),
        "report.md": report.markdown(),
        "missing.csv": missing_csv((one.name, score) for one in report.outcomes for score in one.faults),
    }
    for name in stale_files(os.path.join(out, "results.json"), report.outcomes if is_own else ()):
        _remove(os.path.join(own, *name.split("/")))
    for name, text in files.items():
        write_text(os.path.join(out, name), text)
    for one in report.outcomes:
        for name, text in score_files(one):
            write_text(os.path.join(results_dir, *name.split("/")), text)
    for one in report.outcomes:
        if one.reasons:
            where = os.path.join(out, "missing.csv")
            log.warning("%s: missing or doubtful scores: %s; see %s", one.name, counts(one.reasons), where)


def _remove(path: str) -> None:
    """Remove a file, if it is there."""
    if not os.path.isfile(path):
        return
    try:
        os.remove(path)
    except OSError as error:
        what = f"is of the run before and cannot be removed: {error.strerror or error}"
        raise InputError(f"{path}: {what}; fix: remove it, and run again") from error
