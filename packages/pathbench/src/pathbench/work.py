"""What a process computes: all the scores of one utterance, or of one speaker."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pathbench.audio import SHARED, read_audio
from pathbench.base import guarded
from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.reasons import Detail, fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pathbench.base import AnyEvaluator, Place
    from pathbench.selection import Kind, References

__all__ = ["Audios", "Job", "Task", "checked", "do_pickled", "perform"]

_KEPT_BYTES = 1 << 25  # of samples, in each process


@dataclass(frozen=True, slots=True)
class Job:
    """A score to compute: name of the metric, how its evaluator is called, kind of its references."""

    metric: str
    kind: Kind
    references: References


@dataclass(frozen=True, slots=True)
class Task:
    """The scores to compute of an utterance or a speaker.

    Attributes
    ----------
    level : {"utterance", "speaker"}
        What is scored.
    unit : str
        Utterance or speaker.
    places : tuple of (str, float, float)
        Its recording, or all those of the speaker: path, start and end in seconds.
    texts : tuple of str
        What was to be said in each.
    language : str
        Language spoken.
    references : mapping of str to tuple of (str, float, float)
        References by their kind.
    jobs : tuple of Job
        What to compute.
    """

    level: Literal["utterance", "speaker"]
    unit: str
    places: tuple[Place, ...]
    texts: tuple[str, ...]
    language: str
    references: Mapping[str, tuple[Place, ...]]
    jobs: tuple[Job, ...]


class Audios(Sequence[Any]):
    """The recordings of a speaker, read when they are looked at: they need not fit into memory together.

    Parameters
    ----------
    places : sequence of (path, start, end)
        The recordings; those that cannot be read are left out.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        # what was read first is forgotten first, so a second walk over more than fits reads again
        self._places = [place for place in places if read_audio(*place).audio is not None]

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 (a number gives a pair, a slice another sequence)
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        recording = read_audio(*self._places[index])
        if recording.audio is None:
            raise OSError(f"{self._places[index][0]} was there and cannot be read any more")
        return recording.audio, recording.fs


def perform(task: Task, evaluators: Mapping[str, AnyEvaluator]) -> list[tuple[str, Detail]]:
    """Compute the scores of a task.

    Parameters
    ----------
    task : Task
        What to compute.
    evaluators : mapping of str to AnyEvaluator
        Evaluator by metric.

    Returns
    -------
    list of (str, Detail)
        Metric and score, in the order of the task's jobs.
    """
    SHARED.max_bytes = _KEPT_BYTES
    with _quiet():
        return [(job.metric, checked(_score(task, job, evaluators[job.metric]))) for job in task.jobs]


def _score(task: Task, job: Job, evaluator: Any) -> Detail:  # noqa: ANN401 (the kind says which call it has)
    if task.level == "speaker":
        return _score_speaker(task, job, evaluator)
    path, start, end = task.places[0]
    if job.kind == "free":
        recording = read_audio(path, start, end)
        seconds = {} if recording.audio is None else {"duration": recording.duration}
        if _scores_files(evaluator):
            return _with(guarded(lambda: evaluator.score_detail(task.unit, path, start, end)), seconds)
        return _with(evaluator.detail_recording(recording), seconds)
    words = (task.texts[0], task.language) if job.kind.startswith("text") else ()
    others = (list(task.references[job.references]),) if job.references else ()
    return guarded(lambda: cast("Detail", evaluator.score_detail(task.unit, path, *words, *others, start, end)))


def _score_speaker(task: Task, job: Job, evaluator: Any) -> Detail:  # noqa: ANN401
    if job.kind == "trimmed_speaker":
        return guarded(
            lambda: cast("Detail", evaluator.score_detail(list(task.places), list(task.texts), task.language))
        )
    audios = Audios(task.places)
    if not audios:
        return fault("load_error", "no recording of the speaker can be read")
    language = (task.language,) if job.kind == "language_speaker" else ()
    return guarded(lambda: cast("Detail", evaluator.detail_audio_list(audios, *language)))


def _scores_files(evaluator: AnyEvaluator) -> bool:
    """Tell whether somebody's evaluator scores a file, not samples."""
    cls = type(evaluator)
    own = (ReferenceFreeEvaluator.score, ReferenceFreeEvaluator.score_detail)
    return (getattr(cls, "score", None), getattr(cls, "score_detail", None)) != own


def _with(detail: Detail, extras: Mapping[str, object]) -> Detail:
    return detail._replace(extras={**extras, **detail.extras}) if detail.reason is not None else detail


def checked(detail: Detail) -> Detail:
    """Make a score that can be stored of whatever an evaluator gave.

    Parameters
    ----------
    detail : Detail
        What it gave.

    Returns
    -------
    Detail
        With a float, NaN or None; what is not a number, or not finite, becomes ``evaluator_error``.
    """
    try:
        value = None if detail.value is None else float(detail.value)
    except (TypeError, ValueError):
        return fault("evaluator_error", f"the score is no number: {detail.value!r:.80}")
    if value is not None and value in (float("inf"), float("-inf")):
        return fault("evaluator_error", f"the score is {value}")
    # what is told of a sound score is of no use to a run, and would fill its store
    return Detail(value, detail.reason, detail.extras if detail.reason is not None else {})


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep evaluators from warning: whoever collects the scores says, once, what is wrong with them."""
    logger = logging.getLogger("pathbench")
    level = logger.level
    if not logger.isEnabledFor(logging.DEBUG):
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def do_pickled(task: Task, pickled: bytes) -> tuple[Task, list[tuple[str, Detail]]]:
    """Perform a task in another process.

    Parameters
    ----------
    task : Task
        What to compute.
    pickled : bytes
        The evaluators; unpickled once in each process.

    Returns
    -------
    Task, list of (str, Detail)
        The task and its scores.
    """
    return task, perform(task, _unpickled(pickled))


@lru_cache(maxsize=1)
def _unpickled(pickled: bytes) -> dict[str, AnyEvaluator]:
    import pickle

    return cast("dict[str, AnyEvaluator]", pickle.loads(pickled))  # noqa: S301 (made by the process that runs this one)
