"""What a run found on a dataset: values by speaker and their correlation with the ratings, read from the store."""

from __future__ import annotations

import logging
import math
import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from pathbench.aggregate import ALLOWLIST, base_name, common_speakers, speaker_values, speakers_of
from pathbench.correlation import DRAWS, Complete, Correlation, correlate, utterance_level
from pathbench.errors import InputError
from pathbench.reasons import fault, tell
from pathbench.store import StoredScore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pathbench.plan import Level, Run
    from pathbench.reasons import Detail
    from pathbench.selection import Metric
    from pathbench.store import Store

__all__ = ["MetricOutcome", "Outcome", "outcome", "refuse_unusable"]

log = logging.getLogger(__name__)

_N_NAMED = 20


@dataclass(frozen=True, slots=True)
class MetricOutcome:
    """What a run found for one metric.

    Attributes
    ----------
    name : str
        Name of the metric.
    signature : str
        What its scores were computed with.
    values : dict of str to float
        Value by speaker (by utterance at utterance level), sorted.
    correlation : Correlation
        With the ratings.
    """

    name: str
    signature: str
    values: dict[str, float]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found on one dataset.

    Attributes
    ----------
    name, path, language : str
        The dataset: its name, folder and language.
    level : {"speaker", "utterance"}
        What was correlated.
    n_utterances, n_speakers, n_rated : int
        Utterances and speakers that count, and ratings there are.
    common : tuple of str
        The speakers (or utterances) that all metrics are correlated over, apart from those of the allowlist; sorted.
    metrics : tuple of MetricOutcome
        In the order of work.
    ratings : dict of str to float
        The ratings.
    faults : tuple of StoredScore
        The scores that are missing or doubtful, sorted by metric and unit; all have a reason. What is rated and has no
        recording lacks those of all metrics.
    """

    name: str
    path: str
    language: str
    level: Level
    n_utterances: int
    n_speakers: int
    n_rated: int
    common: tuple[str, ...]
    metrics: tuple[MetricOutcome, ...]
    ratings: dict[str, float] = field(default_factory=dict)
    faults: tuple[StoredScore, ...] = ()

    @property
    def reasons(self) -> Counter[str]:
        """How many scores are missing or doubtful, by reason."""
        return Counter(str(score.detail.reason) for score in self.faults)


def refuse_unusable(run: Run) -> None:
    """Refuse a dataset that has nothing to score, or nothing to compare the scores with.

    Parameters
    ----------
    run : Run
        What is to be computed on it.

    Raises
    ------
    InputError
        If there are no recordings, or the ratings, or the speakers that they are of, are missing or empty.
    """
    dataset = run.dataset
    path = dataset.path
    if not dataset.wav_scp:
        fix = "name the folder of one dataset, which has wav.scp, utt2spk and the ratings, spk2score"
        raise InputError(f"{path}: {dataset.lacking('wav.scp')}, so there is nothing to score; fix: {fix}")
    for table in ("utt2spk", "spk2score") if run.level == "speaker" else ("utt2score",):
        if not getattr(dataset, table):
            fix = f"give it in the file {table}" + (", or choose --level utterance" if table == "spk2score" else "")
            raise InputError(f"{path}: {dataset.lacking(table)}, so there is nothing to compare with; fix: {fix}")
    if not run.ratings:
        what = f"every rating in {'spk2score' if run.level == 'speaker' else 'utt2score'} is N/A"
        raise InputError(f"{path}: {what}, so there is nothing to compare with; fix: rate some")
    if not run.units:
        fix = "name the same utterances in both"
        raise InputError(f"{path}: no recording is of an utterance in utt2spk, so none counts; fix: {fix}")
    if run.ratings.keys().isdisjoint(run.speakers if run.level == "speaker" else run.units):
        fix = "name the same ones in the ratings and beside the recordings"
        raise InputError(f"{path}: no {run.level} that is rated has a recording; fix: {fix}")


def _is_missing(score: StoredScore) -> bool:
    """Tell whether a score is missing or doubtful; an age that is not known is neither."""
    return score.detail.reason is not None and score.metric != "spk2age"


def _scores(run: Run, store: Store) -> Iterator[StoredScore]:
    """Give the scores that the run made or found; not those that another run into the same store takes."""
    speakers = run.speakers
    by_speaker = {metric.name for metric in run.metrics if metric.by_speaker}
    for score in store.results(run.name, [metric.name for metric in run.metrics], own=True):
        if score.unit in (speakers if score.metric in by_speaker else run.units):
            yield score


def _unheard(run: Run) -> list[StoredScore]:
    """Say of what is rated and does not count that it lacks all scores."""
    known: Mapping[str, object] = run.speakers if run.level == "speaker" else run.units
    utts = set(run.dataset.get_utterances()) if run.level == "utterance" else set()

    def detail(unit: str) -> Detail:
        if unit in utts:
            return fault("no_entry", "the utterance is rated and has no speaker in utt2spk")
        return fault("load_error", f"the {run.level} is rated and has no recording")

    lost = run.ratings.keys() - known.keys()
    return [StoredScore(metric.name, unit, detail(unit)) for metric in run.metrics for unit in lost]


def outcome(
    run: Run,
    store: Store,
    *,
    complete: Complete = "all",
    draws: int = DRAWS,
    seed: int = 0,
) -> Outcome:
    """Aggregate and correlate the scores of a run.

    Parameters
    ----------
    run : Run
        The run.
    store : Store
        Its scores.
    complete : {"all", "per-metric"}, default "all"
        At utterance level, which utterances count; see `pathbench.correlation.utterance_level`.
    draws : int, default 10_000
        Resamples of the intervals.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Outcome
        What was found. Missing scores and speakers that fall out are warned of.
    """
    dataset = run.dataset
    level, ratings = run.level, run.ratings
    values: dict[str, dict[str, float]] = {metric.name: {} for metric in run.metrics}
    by_name = {metric.name: metric for metric in run.metrics}
    faults: list[tuple[StoredScore, str]] = []  # with what each is of
    for name, of_metric in groupby(_scores(run, store), key=attrgetter("metric")):
        scores = list(of_metric)  # one metric at a time is in memory
        values[name] = _by_speaker(run, by_name[name], scores) if level == "speaker" else _by_utterance(scores)
        faults += ((score, _where(run, score.unit)) for score in filter(_is_missing, scores))
    faults += ((score, score.unit) for score in filter(_is_missing, _unheard(run)))
    faults.sort(key=lambda pair: (pair[0].metric, pair[0].unit))
    told: set[tuple[str, str]] = set()
    for score, where in faults:
        _warn(run, score, where, told)
    if level == "speaker":
        common = common_speakers(ratings, values)
        found = [
            correlate(name, ratings, speakers_of(name, common, ratings, of), draws=draws, seed=seed)
            for name, of in values.items()
        ]
        if len(common) < len(ratings):
            log.info("%s: %d of %d rated speakers have all metrics", run.name, len(common), len(ratings))
    else:
        found = utterance_level(ratings, values, run.units, complete=complete, draws=draws, seed=seed)
        common = set.intersection(set(ratings), *(set(one.ids) for one in found))
    return Outcome(
        run.name,
        dataset.path,
        dataset.language,
        level,
        len(run.units),
        len(run.speakers),
        len(ratings),
        tuple(sorted(common)),
        tuple(
            MetricOutcome(metric.name, metric.signature, values[metric.name], one)
            for metric, one in zip(run.metrics, found, strict=True)
        ),
        ratings,
        tuple(score for score, _ in faults),
    )


def _by_speaker(run: Run, metric: Metric, scores: Sequence[StoredScore]) -> dict[str, float]:
    """Give the values of the speakers; warn of those whose scores are all NaN."""
    if metric.by_speaker:
        pairs = [(score.unit, score.detail.value) for score in scores]
    else:
        of = {score.unit: score.detail.value for score in scores}
        pairs = [(speaker, of.get(utt)) for utt, speaker in run.units.items()]
    values, undefined = speaker_values(pairs, first=metric.first)
    if undefined and base_name(metric.name) not in ALLOWLIST:
        names = ", ".join(undefined)
        log.warning("%s: all scores of %s are NaN, so these speakers are left out: %s", run.name, metric.name, names)
    return values


def _by_utterance(scores: Sequence[StoredScore]) -> dict[str, float]:
    return {
        score.unit: score.detail.value
        for score in scores
        if score.detail.value is not None and not math.isnan(score.detail.value)
    }


def _warn(run: Run, score: StoredScore, where: str, told: set[tuple[str, str]]) -> None:
    """Warn of a score, once for all metrics that fail alike, and of no more than a screenful."""
    message = tell(where, score.detail)
    if score.detail.reason in ("load_error", "empty_audio"):
        known = (score.unit, message)
    else:
        known = (score.unit, f"{score.metric}: {message}")
        message = f"{message} ({score.metric})"
    if known in told or len(told) >= _N_NAMED:
        return
    told.add(known)
    log.warning("%s", message if message.startswith(f"{score.unit}: ") else f"{score.unit}: {message}")
    if len(told) == _N_NAMED:
        log.warning("%s: no more missing scores are named; the table of missing scores has them all", run.name)


def _where(run: Run, unit: str) -> str:
    """Name the recording of an utterance; a speaker is named by its id."""
    place = run.dataset.place(unit) if unit in run.units else None
    if place is None:
        return unit
    return os.fspath(place[0])
