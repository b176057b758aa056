"""The whole benchmark: score every file of units in a folder against the gold of its language and split."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from discophon.data import DEFAULT_N_UNITS, STEP_PHONES, STEP_UNITS, alignment_filename
from discophon.errors import NoPredictionsError, UsageError, said_about
from discophon.languages import all_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import polars as pl

    from discophon.evaluate.assignment import Kind
    from discophon.evaluate.result import Metric
    from discophon.evaluate.segmentation import Windows
    from discophon.languages import Language

    StrPath = os.PathLike[str] | str
    Progress = Callable[[int, int, str], None]

__all__ = ["EVALUATED_SPLITS", "NoPredictionsError", "Score", "benchmark_discovery", "score_discovery", "signature_of"]

EVALUATED_SPLITS = ("dev", "test")
"""Splits that are scored; units of the train splits are left aside."""

_TRAIN_SPLITS = ("train-10h", "train-1h", "train-10min")
_log = logging.getLogger(__name__)


class Score(NamedTuple):
    """One row of the benchmark's result."""

    language: str
    split: str
    metric: str
    score: float


class _Options(TypedDict):
    """Choices that are the same for every file of units."""

    kind: Kind
    metrics: tuple[Metric, ...]
    windows: Windows


@dataclass(frozen=True, slots=True)
class _Task:
    """One file of units and what it is scored against."""

    language: Language
    split: str
    units: str
    alignment: str

    @property
    def name(self) -> str:
        return f"{self.language.iso_639_3}-{self.split}"


def benchmark_discovery(
    path_dataset: StrPath,
    path_units: StrPath,
    *,
    kind: Kind,
    step_units: int = STEP_UNITS,
    metrics: Sequence[Metric] = ("pnmi", "per", "f1", "r_val"),
    windows: Windows = "disjoint",
    languages: Sequence[str | Language] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Score every file of units in a folder.

    Parameters
    ----------
    path_dataset : path-like or str
        The benchmark's data, complete for all twelve languages.
    path_units : path-like or str
        Folder with files ``units-{iso}-{split}.jsonl``. Other files, and the train splits, are left aside.
    kind : {"many-to-one", "one-to-one"}
        How units get their phones. Many-to-one has 256 different units, one-to-one one for each phoneme and silence.
    step_units : int, default 20
        Time per unit, in milliseconds.
    metrics : sequence of str, default ("pnmi", "per", "f1", "r_val")
        Scores to compute.
    windows : {"disjoint", "shared"}, default "disjoint"
        ``shared`` reproduces F1 and R-value as published before release 0.2.0.
    languages : sequence of str or Language, optional
        Score these only.
    jobs : int, default 1
        Processes to use; -1 is one per processor.
    scheduler : str, optional
        Address ``HOST:PORT`` of a Dask scheduler, whose workers take the place of processes; they must see the files
        under the same paths.
    progress : callable, optional
        Called with the number of files that are done, of all, and the name of the last one.

    Returns
    -------
    polars.DataFrame
        Columns ``language`` (ISO 639-3 code), ``split``, ``metric`` and ``score``, a fraction.

    Raises
    ------
    DatasetError
        If a name in the dataset's folders is missing or unexpected.
    NoPredictionsError
        If there is nothing to score.
    UsageError
        If the name of a file of units has an unknown language or split, or an argument cannot be used.
    FormatError, MismatchError, OutOfRangeError, UndefinedScoreError, speechio.SpeechioError
        If a file cannot be scored. Nothing is scored partially.
    """
    import polars as pl

    scores = score_discovery(
        path_dataset,
        path_units,
        kind=kind,
        step_units=step_units,
        metrics=metrics,
        windows=windows,
        languages=languages,
        jobs=jobs,
        scheduler=scheduler,
        progress=progress,
    )
    schema = {"language": pl.String, "split": pl.String, "metric": pl.String, "score": pl.Float64}
    return pl.DataFrame(scores, schema=schema, orient="row")


def score_discovery(
    path_dataset: StrPath,
    path_units: StrPath,
    *,
    kind: Kind,
    step_units: int = STEP_UNITS,
    metrics: Sequence[Metric] = ("pnmi", "per", "f1", "r_val"),
    windows: Windows = "disjoint",
    languages: Sequence[str | Language] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> list[Score]:
    """Score every file of units in a folder, as plain rows; see `benchmark_discovery`.

    Parameters
    ----------
    path_dataset, path_units, kind, step_units, metrics, windows, languages, jobs, scheduler, progress
        As `benchmark_discovery` takes them.

    Returns
    -------
    list of Score
        Sorted by language, in the benchmark's order, and split.

    Raises
    ------
    DiscophonError, speechio.SpeechioError
        As `benchmark_discovery` does.
    """
    from discophon.checks import check_choice
    from discophon.engine import check_jobs, each
    from discophon.evaluate.assignment import KINDS
    from discophon.evaluate.discovery import check_metrics
    from discophon.evaluate.pairing import check_steps
    from discophon.evaluate.segmentation import WINDOWS
    from discophon.validate import validate_dataset_structure

    check_jobs(jobs)
    check_steps(step_units, STEP_PHONES)
    options: _Options = {
        "kind": check_choice("kind", kind, KINDS),
        "metrics": check_metrics(metrics),
        "windows": check_choice("windows", windows, WINDOWS),
    }
    chosen = _chosen(languages)
    validate_dataset_structure(path_dataset)
    tasks = list(_tasks(path_dataset, path_units, chosen))
    _warn_of_missing(tasks, chosen)
    scores: list[Score] = []
    score = partial(_score, step_units=step_units, **options)
    results = each(score, tasks, jobs=jobs, scheduler=scheduler)
    for number, (task, found) in enumerate(zip(tasks, results, strict=True), start=1):
        scores += found
        if progress is not None:
            progress(number, len(tasks), task.name)
    return scores


def signature_of(kind: Kind, *, step_units: int = STEP_UNITS, windows: Windows = "disjoint") -> str:
    """State every choice that changes the scores of a whole benchmark, in one line.

    Parameters
    ----------
    kind, step_units, windows
        As `benchmark_discovery` takes them.

    Returns
    -------
    str
        The signature; ``phonemes`` in it stands for the number that each language has.
    """
    from discophon.__about__ import __version__

    units = str(DEFAULT_N_UNITS) if kind == "many-to-one" else "phonemes+1"
    return (
        f"discophon|v:{__version__}|metric:discovery|kind:{kind}|units:{units}|phonemes:language"
        f"|step_units:{step_units}|step_phones:{STEP_PHONES}|margin:20|windows:{windows}"
    )


def _score(task: _Task, *, step_units: int, **options: Unpack[_Options]) -> list[Score]:
    """Score one file of units."""
    from discophon.alignment import read_alignment
    from discophon.evaluate import discover_paired, pair
    from discophon.submission import read_submission

    units, phones = read_submission(task.units), read_alignment(task.alignment)
    n_phonemes = task.language.n_phonemes
    with said_about(f"{task.units} against {task.alignment}"):
        result = discover_paired(
            pair(units, phones, step_units=step_units, step_phones=STEP_PHONES),
            n_units=DEFAULT_N_UNITS if options["kind"] == "many-to-one" else n_phonemes + 1,
            n_phonemes=n_phonemes,
            **options,
        )
        return [Score(task.language.iso_639_3, task.split, *item) for item in result.scores().items()]


def _tasks(path_dataset: StrPath, path_units: StrPath, chosen: Sequence[Language]) -> Iterator[_Task]:
    """Find what there is to score, in the benchmark's order."""
    folder = os.fspath(path_units)
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        raise NoPredictionsError(
            f"{folder}: no such folder; give the folder of units-{{iso}}-{{split}}.jsonl"
        ) from None
    except NotADirectoryError:
        raise NoPredictionsError(f"{folder}: not a folder; give the folder that the units are in") from None
    found = {}
    for name in names:
        if name.startswith("units-") and name.endswith(".jsonl"):
            language, split = _language_and_split(folder, name)
            if split in EVALUATED_SPLITS:
                found[language, split] = os.path.join(folder, name)
    wanted = [(language, split) for language in chosen for split in EVALUATED_SPLITS if (language, split) in found]
    if not wanted:
        is_all = len(chosen) == len(all_languages())
        only = "" if is_all else f" of {', '.join(language.iso_639_3 for language in chosen)}"
        what = f"{folder}: there are no units{only} to evaluate"
        raise NoPredictionsError(f"{what}; files units-{{iso}}-dev.jsonl and units-{{iso}}-test.jsonl are wanted")
    for language, split in wanted:
        alignment = os.path.join(os.fspath(path_dataset), "alignment", alignment_filename(language, split))
        yield _Task(language, split, found[language, split], alignment)


def _chosen(languages: Sequence[str | Language] | None) -> list[Language]:
    """Give the languages that are asked for, in the benchmark's order."""
    from discophon.languages import get_language

    if languages is None:
        return list(all_languages())
    from discophon.checks import check_several

    asked = [get_language(language) for language in check_several("languages", languages)]
    if not asked:
        raise UsageError("no language is asked for; name one, or none at all (None) to score what is there")
    return [language for language in all_languages() if language in asked]


def _language_and_split(folder: str, name: str) -> tuple[Language, str]:
    """Read the name of a file of units."""
    _, code, *rest = name.removesuffix(".jsonl").split("-")
    split = "-".join(rest)
    known = {language.iso_639_3: language for language in all_languages()}
    place = os.path.join(folder, name)
    if code not in known:
        raise UsageError(f"{place}: unknown language {code!r} in the name; ISO 639-3 codes are {', '.join(known)}")
    if split not in EVALUATED_SPLITS + _TRAIN_SPLITS:
        raise UsageError(f"{place}: unknown split {split!r} in the name; splits are dev and test")
    return known[code], split


def _warn_of_missing(tasks: Sequence[_Task], chosen: Sequence[Language]) -> None:
    """Tell which languages and splits have no units."""
    there = {task.name for task in tasks}
    wanted = [f"{language.iso_639_3}-{split}" for language in chosen for split in EVALUATED_SPLITS]
    missing = [name for name in wanted if name not in there]
    if missing:
        _log.warning(
            "%d of %d files of units are missing and not scored: %s", len(missing), len(wanted), ", ".join(missing)
        )


if __name__ == "__main__":
    import sys

    from discophon.cli import main

    sys.exit(main(verb="benchmark"))
