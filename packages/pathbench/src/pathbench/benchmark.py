"""Run evaluators over datasets: every score into the store as it is made, what is there already is not made again.

The order of work is that of the results: every utterance with a speaker, first what needs no reference, then with
the references of control speakers of the same gender, then with those of all others; at last whole speakers. The
recording of an utterance is read once for all evaluators.
"""

from __future__ import annotations

import copy
import logging
import os
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pathbench.audiofiles import Hashes, hash_of_all
from pathbench.base import guarded
from pathbench.dataset import Dataset
from pathbench.errors import InputError
from pathbench.evaluator import LookupEvaluator
from pathbench.selection import REFERENCES, choose, expand
from pathbench.store import EvaluatorKey, ScoreKey
from pathbench.text import clean_text
from pathbench.work import Job, Task, checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pathbench.base import Compat, Place, Undefined
    from pathbench.engine import Engine
    from pathbench.roots import DataRoot
    from pathbench.selection import Choice, Metric, References
    from pathbench.store import Store

__all__ = ["Choices", "Run", "compute", "dataset_name", "prepare"]

log = logging.getLogger(__name__)

Keys = dict[str, tuple[EvaluatorKey, ScoreKey]]
"""By metric, what its score is kept under."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run is asked for.

    Attributes
    ----------
    evaluators : sequence of Choice, or None
        Names, classes or instances; None for the usual ones.
    skip : sequence of str
        Names to leave out.
    undefined : {"zero", "none"}
        What an analysis that failed scores.
    compat : {"upstream"} or None
        Give the values of the upstream project where ours differ.
    data_root : str, mapping or None
        Where recordings are; see `pathbench.dataset.Dataset`.
    """

    evaluators: Sequence[Choice] | None = None
    skip: Sequence[str] = ()
    undefined: Undefined = "zero"
    compat: Compat | None = None
    data_root: DataRoot | None = None


@dataclass
class Run:
    """A dataset and what is to be computed on it; after `compute`, what was.

    Attributes
    ----------
    name : str
        Name of the dataset in the store.
    dataset : Dataset
        Its tables.
    by_kind : dict of str to Dataset
        The dataset once more for each kind of references that there is.
    metrics : list of Metric
        What is computed, in the order of work.
    units : dict of str to str
        Speaker of each utterance that counts, in the order of the dataset.
    n_computed : int
        Scores that were made; the others were in the store already.
    """

    name: str
    dataset: Dataset
    by_kind: dict[References, Dataset]
    metrics: list[Metric]
    units: dict[str, str]
    n_computed: int = 0

    @cached_property
    def speakers(self) -> dict[str, list[str]]:
        """The utterances of each speaker."""
        found: dict[str, list[str]] = {}
        for utt, speaker in self.units.items():
            found.setdefault(speaker, []).append(utt)
        return found


def dataset_name(path: str, datasets_root: str | None = None) -> str:
    """Name a dataset after its folder.

    Parameters
    ----------
    path : str
        The folder.
    datasets_root : str, optional
        Folder that names begin below; by default the current one, for datasets in it.

    Returns
    -------
    str
        The path below the root, with ``/``; the whole path without its first ``/`` if it is elsewhere.

    Raises
    ------
    InputError
        If a root is given and the dataset is not below it.

    Examples
    --------
    >>> dataset_name("/data/sets/copas/pathological/word/all", "/data/sets")
    'copas/pathological/word/all'
    """
    whole = os.path.abspath(path)
    relative = os.path.relpath(whole, os.path.abspath(datasets_root or os.curdir)).replace(os.sep, "/")
    if relative == os.curdir:
        return os.path.basename(whole)
    if relative.split("/")[0] != os.pardir:
        return relative
    if datasets_root is not None:
        raise InputError(f"{path}: is not below {datasets_root}; fix: give the folder of all datasets as root")
    return os.path.splitdrive(whole)[1].replace(os.sep, "/").lstrip("/")


def prepare(path: str, name: str, choices: Choices) -> Run:
    """Read a dataset and choose what to compute on it; nothing is computed yet.

    Parameters
    ----------
    path : str
        Folder of the dataset, that of the pathological speakers.
    name : str
        Its name in the store.
    choices : Choices
        What to compute.

    Returns
    -------
    Run
        What `compute` takes.

    Raises
    ------
    PathbenchError, speechio.SpeechioError
        If the dataset or a choice cannot be used.
    """
    dataset, by_kind = _with_references(path, choices)
    metrics = choose(
        expand(choices.evaluators, choices.skip),
        dataset,
        [kind for kind in REFERENCES if kind in by_kind],
        undefined=choices.undefined,
        compat=choices.compat,
    )
    return Run(name, dataset, by_kind, metrics, _speakers(dataset))


def compute(run: Run, store: Store, engine: Engine, progress: Callable[[int, int], None] | None = None) -> None:
    """Compute the scores of a dataset that are not in the store yet, and store each unit's as soon as they are there.

    Parameters
    ----------
    run : Run
        Of `prepare`.
    store : Store
        Where scores are kept.
    engine : Engine
        What computes.
    progress : callable, optional
        Hears how many units of how many are done.

    Raises
    ------
    PathbenchError
        If an evaluator cannot work at all, or the store cannot be written.
    """
    n_units = len(run.units) * any(not metric.by_speaker for metric in run.metrics)
    n_units += len(run.speakers) * any(metric.by_speaker for metric in run.metrics)
    n_done = 0
    tasks = _Plan(run, store).tasks()
    evaluators = {metric.name: metric.evaluator for metric in run.metrics if metric.kind != "lookup"}
    with engine.ready(evaluators) as perform:
        # tasks are planned a window at a time, in this thread: the store has one owner
        while window := list(islice(tasks, engine.window)):
            keys_of = {(task.level, task.unit): keys for task, keys in window}
            n_done += sum(not task.jobs for task, _ in window)
            for task, scores in perform([task for task, _ in window if task.jobs]):
                keys = keys_of[task.level, task.unit]
                store.add(run.name, [(metric, *keys[metric], detail) for metric, detail in scores])
                run.n_computed += len(scores)
                n_done += 1
                if progress is not None:
                    progress(n_done, n_units)
            if progress is not None:
                progress(n_done, n_units)


def _speakers(dataset: Dataset) -> dict[str, str]:
    """Give the speaker of every utterance that has one and a recording; say which have none.

    Without ``utt2spk`` every utterance is a speaker of its own: utterances can be correlated all the same.
    """
    utts = [utt for utt in dataset.get_utterances() if dataset.place(utt) is not None]
    if not dataset.utt2spk:
        return {utt: utt for utt in utts}
    lacking = [utt for utt in utts if utt not in dataset.utt2spk]
    if lacking:
        names = ", ".join(lacking[:5]) + (", …" if len(lacking) > 5 else "")
        log.warning("%s: %d utterances have no speaker and are left out: %s", dataset.path, len(lacking), names)
    return {utt: dataset.utt2spk[utt] for utt in utts if utt in dataset.utt2spk}


def _with_references(path: str, choices: Choices) -> tuple[Dataset, dict[References, Dataset]]:
    """Read a dataset, and once more its tables for either kind of references if there is a control set."""
    path = os.path.normpath(path)
    control = path.replace("pathological", "control")
    has_control = os.path.isdir(control) and (control != path or choices.compat == "upstream")
    if not has_control:
        if control != path:
            log.warning("%s: there is no such folder, so there are no metrics with references", control)
        return Dataset(path, data_root=choices.data_root), {}
    dataset = Dataset(path, True, control, "control", data_root=choices.data_root)
    everybody = copy.copy(dataset)
    everybody.reference_type = "all"
    return dataset, {"control": dataset, "all": everybody}


class _Plan:
    """The tasks of a dataset, made one at a time."""

    def __init__(self, run: Run, store: Store) -> None:
        self.run = run
        self.hashes = Hashes(store)
        self.store = store
        self.language = run.dataset.language

    def tasks(self) -> Iterator[tuple[Task, Keys]]:
        """Give the tasks with what each of their scores is kept under; those without jobs are done."""
        metrics = self.run.metrics
        of_utterances = [metric for metric in metrics if not metric.by_speaker]
        of_speakers = [metric for metric in metrics if metric.by_speaker]
        if of_utterances:
            for utt in self._ordered(any(metric.references for metric in of_utterances)):
                yield self._utterance(utt, of_utterances)
        if of_speakers:
            for speaker, utts in self.run.speakers.items():
                yield self._speaker(speaker, utts, of_speakers)
        self.hashes.flush()

    def _ordered(self, with_references: bool) -> list[str]:
        """List the utterances, those of one text together if their references are to be read once."""
        utts = list(self.run.units)
        if not with_references:
            return utts
        first: dict[str, int] = {}
        text = self.run.dataset.text
        keys = [clean_text(text.get(utt, "")) for utt in utts]
        for i, key in enumerate(keys):
            first.setdefault(key, i)
        return [
            utt for _, utt in sorted(zip(map(first.__getitem__, keys), utts, strict=True), key=lambda pair: pair[0])
        ]

    def _utterance(self, utt: str, metrics: Sequence[Metric]) -> tuple[Task, Keys]:
        dataset = self.run.dataset
        place = dataset.place(utt)
        assert place is not None  # utterances without one do not count
        text = dataset.text.get(utt, "")
        references: dict[str, tuple[Place, ...]] = {
            kind: tuple(of.references(utt)) for kind, of in self.run.by_kind.items()
        }
        hashed = {kind: self.hashes.of_places(places) for kind, places in references.items()}
        [(audio, onset, offset)] = self.hashes.of_places([place])
        keys: Keys = {}
        for metric in metrics:
            if metric.kind == "lookup":
                self._look_up(utt, metric)
                continue
            context: list[object] = []
            if metric.kind.startswith("text"):
                context += [text, self.language]
            if metric.references:
                context.append(hashed[metric.references])
            key = ScoreKey(utt, audio, onset, offset, hash_of_all(*context) if context else "")
            keys[metric.name] = (metric.key, key)
        jobs = self._jobs(metrics, keys)
        return Task("utterance", utt, (place,), (text,), self.language, references, jobs), keys

    def _look_up(self, utt: str, metric: Metric) -> None:
        """Keep what a table has for an utterance; it needs no other process, and no audio."""
        assert isinstance(metric.evaluator, LookupEvaluator)
        evaluator = metric.evaluator
        detail = checked(guarded(lambda: evaluator.score_detail(utt)))
        key = ScoreKey(utt, "", 0.0, -1.0, hash_of_all(repr(detail.value), detail.reason))
        if self.store.missing(self.run.name, [(metric.name, metric.key, key)]):
            self.store.add(self.run.name, [(metric.name, metric.key, key, detail)])
            self.run.n_computed += 1

    def _speaker(self, speaker: str, utts: Sequence[str], metrics: Sequence[Metric]) -> tuple[Task, Keys]:
        dataset = self.run.dataset
        places = tuple(place for utt in utts if (place := dataset.place(utt)) is not None)
        texts = tuple(dataset.text.get(utt, "") for utt in utts)
        audio = hash_of_all(*self.hashes.of_places(places))
        keys: Keys = {}
        for metric in metrics:
            seen: dict[str, list[object]] = {
                "language_speaker": [self.language],
                "trimmed_speaker": [self.language, texts],
            }
            context = seen.get(metric.kind)
            keys[metric.name] = (
                metric.key,
                ScoreKey(speaker, audio, 0.0, -1.0, hash_of_all(*context) if context else ""),
            )
        return Task("speaker", speaker, places, texts, self.language, {}, self._jobs(metrics, keys)), keys

    def _jobs(self, metrics: Sequence[Metric], keys: Keys) -> tuple[Job, ...]:
        lacking = self.store.missing(self.run.name, [(metric, *key) for metric, key in keys.items()])
        return tuple(Job(metric.name, metric.kind, metric.references) for metric in metrics if metric.name in lacking)
