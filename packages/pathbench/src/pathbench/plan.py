"""What is to be done on a dataset, unit by unit: which scores are not in the store yet, and what the others are."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pathbench.audiofiles import Hashes, hash_of_all
from pathbench.base import guarded
from pathbench.evaluator import LookupEvaluator
from pathbench.reasons import fault
from pathbench.store import EvaluatorKey, ScoreKey
from pathbench.text import clean_text
from pathbench.work import Job, Task, checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathbench.base import Place
    from pathbench.dataset import Dataset
    from pathbench.selection import Metric, References
    from pathbench.store import Store

__all__ = ["Level", "Plan", "Run"]

Level = Literal["speaker", "utterance"]
"""What is correlated with ratings: the means of speakers, or single utterances."""

Keys = dict[str, tuple[EvaluatorKey, ScoreKey]]
"""By metric, what its score is kept under."""


@dataclass
class Run:
    """A dataset and what is to be computed on it; after `pathbench.benchmark.compute`, what was.

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
    level : {"speaker", "utterance"}
        What is correlated with ratings.
    units : dict of str to str
        Speaker of each utterance that counts, in the order of the dataset.
    n_computed : int
        Scores that were made; the others were in the store already.
    """

    name: str
    dataset: Dataset
    by_kind: dict[References, Dataset]
    metrics: list[Metric]
    level: Level
    units: dict[str, str]
    n_computed: int = 0

    @cached_property
    def speakers(self) -> dict[str, list[str]]:
        """The utterances of each speaker."""
        found: dict[str, list[str]] = {}
        for utt, speaker in self.units.items():
            found.setdefault(speaker, []).append(utt)
        return found

    @cached_property
    def ratings(self) -> dict[str, float]:
        """The ratings of what is correlated; without those that are N/A."""
        table = self.dataset.spk2score if self.level == "speaker" else self.dataset.utt2score
        return {key: value for key, value in table.items() if not math.isnan(value)}


class Plan:
    """The tasks of a dataset, made one at a time: what is kept already is no work.

    Parameters
    ----------
    run : Run
        The dataset, and what is to be computed on it.
    store : Store
        Where scores are kept.
    """

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

    def again(self, task: Task) -> tuple[Task, Keys]:
        """Plan a task anew, since one of its files has changed."""
        if task.level == "utterance":
            return self._utterance(task.unit, [metric for metric in self.run.metrics if not metric.by_speaker])
        metrics = [metric for metric in self.run.metrics if metric.by_speaker]
        return self._speaker(task.unit, self.run.speakers[task.unit], metrics)

    def has_changed(self, task: Task) -> bool:
        """Tell whether a file of a task is another one than when it was planned."""
        kinds = {job.references for job in task.jobs if job.references}
        places = [*task.places, *(place for kind in kinds for place in task.references[kind])]
        # all are looked at, so that each that has changed is hashed again
        return sum(map(self.hashes.has_changed, {os.fspath(place[0]) for place in places})) > 0

    def _utterance(self, utt: str, metrics: Sequence[Metric]) -> tuple[Task, Keys]:
        dataset = self.run.dataset
        place = dataset.place(utt)
        if place is None:
            return self._lost(utt, metrics)
        place = _absolute(place)
        text = dataset.text.get(utt, "")
        references: dict[str, tuple[Place, ...]] = {
            kind: tuple(map(_absolute, of.references(utt))) for kind, of in self.run.by_kind.items()
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
        files = {kind: [place, *places] for kind, places in references.items()}
        readable = [metric.name for metric in metrics if self._readable(files.get(metric.references, [place]))]
        jobs = self._jobs(metrics, keys, readable)
        return Task("utterance", utt, (place,), (text,), self.language, references, jobs), keys

    def _lost(self, utt: str, metrics: Sequence[Metric]) -> tuple[Task, Keys]:
        """Keep, of an utterance whose recording has no place, that it has no scores."""
        recording = self.run.dataset.segments[utt][0]
        detail = fault("load_error", f"its recording {recording} is not in wav.scp")
        keys: Keys = {}
        for metric in metrics:
            if metric.kind == "lookup":
                self._look_up(utt, metric)
            else:
                keys[metric.name] = (metric.key, ScoreKey(utt, f"no place: {recording}", 0.0, -1.0, ""))
        if lacking := {job.metric for job in self._jobs(metrics, keys, ())}:
            self.store.add(self.run.name, [(metric, *keys[metric], detail) for metric in lacking])
        return Task("utterance", utt, (), (), self.language, {}, ()), keys

    def _readable(self, places: Sequence[Place]) -> bool:
        return all(self.hashes.readable(str(place[0])) for place in places)

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
        found = {utt: dataset.place(utt) for utt in utts}
        places = tuple(_absolute(place) for place in found.values() if place is not None)
        texts = tuple(dataset.text.get(utt, "") for utt, place in found.items() if place is not None)
        lost = tuple(utt for utt, place in found.items() if place is None)
        audio = hash_of_all(*self.hashes.of_places(places), *lost)
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
        readable = list(keys) if self._readable(places) and not lost else []
        return Task(
            "speaker", speaker, places, texts, self.language, {}, self._jobs(metrics, keys, readable), lost
        ), keys

    def _jobs(self, metrics: Sequence[Metric], keys: Keys, readable: Sequence[str]) -> tuple[Job, ...]:
        lacking = self.store.missing(self.run.name, [(metric, *key) for metric, key in keys.items()], readable)
        return tuple(Job(metric.name, metric.kind, metric.references) for metric in metrics if metric.name in lacking)


def _absolute(place: Place) -> Place:
    """Name a file as another process, which may work in another folder, finds it too."""
    path, start, end = place
    name = os.fspath(path)
    return (name if name.endswith("|") or os.path.isabs(name) else os.path.abspath(name)), start, end
