"""What a process computes: all the scores of one utterance, or of one speaker."""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pathbench.audio import SHARED, Recording, identify, read_audio
from pathbench.base import guarded, said
from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.reasons import Detail, fault, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pathbench.base import AnyEvaluator, Place
    from pathbench.selection import Kind, References

__all__ = ["Audios", "Job", "Task", "checked", "do_pickled", "perform", "quiet", "score_file"]

_N_NAMED = 3
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
    lost : tuple of str
        Utterances of the speaker that have no recording.
    """

    level: Literal["utterance", "speaker"]
    unit: str
    places: tuple[Place, ...]
    texts: tuple[str, ...]
    language: str
    references: Mapping[str, tuple[Place, ...]]
    jobs: tuple[Job, ...]
    lost: tuple[str, ...] = ()


class Audios(Sequence[Any]):
    """The recordings of a speaker, read when they are looked at: they need not fit into memory together.

    Parameters
    ----------
    places : sequence of (path, start, end)
        The recordings; those that cannot be read are left out.

    Attributes
    ----------
    unread : list of str
        What is wrong with those that are left out.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        self._places: list[Place] = []
        self.unread: list[str] = []
        for place in places:
            # what was read first is forgotten first, so a second walk over more than fits reads again
            recording = _read(place)
            if recording.audio is None:
                self.unread.append(tell(os.fspath(place[0]), recording.fault))
            else:
                self._places.append(place)

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
    with quiet():
        return [(job.metric, checked(_score(task, job, evaluators[job.metric]))) for job in task.jobs]


def _score(task: Task, job: Job, evaluator: Any) -> Detail:  # noqa: ANN401 (the kind says which call it has)
    if task.level == "speaker":
        return _score_speaker(task, job, evaluator)
    place = task.places[0]
    if job.kind == "free":
        recording = _read(place)
        seconds = {} if recording.audio is None else {"duration": recording.duration}
        if _scores_files(evaluator):
            return _with(score_file(evaluator, task.unit, place), seconds)
        return _with(guarded(lambda: cast("Detail", evaluator.detail_recording(recording))), seconds)
    words = (task.texts[0], task.language) if job.kind.startswith("text") else ()
    references = task.references[job.references] if job.references else None
    return score_file(evaluator, task.unit, place, words, references)


def score_file(
    evaluator: Any,  # noqa: ANN401 (its kind says which call it has)
    unit: str,
    place: Place,
    words: Sequence[str] = (),
    references: Sequence[Place] | None = None,
) -> Detail:
    """Score a recording with an evaluator that reads it itself.

    Parameters
    ----------
    evaluator : AnyEvaluator
        The evaluator.
    unit : str
        The utterance.
    place : (path, start, end)
        Its recording.
    words : sequence of str, optional
        Transcription and language, for an evaluator that sees them.
    references : sequence of (path, start, end), optional
        References, for an evaluator that sees them.

    Returns
    -------
    Detail
        The score. What fails because a file cannot be read is a ``load_error``; references that were left out are
        told of.
    """
    path, start, end = place
    others = () if references is None else (list(references),)
    detail = guarded(lambda: cast("Detail", evaluator.score_detail(unit, path, *words, *others, start, end)))
    if detail.reason == "evaluator_error":
        recording = _read(place)
        return recording.fault if recording.audio is None else detail
    if detail.reason in (None, "no_reference", "few_references"):
        unread = [tell(os.fspath(of[0]), why.fault) for of in references or () if (why := _unreadable(of)) is not None]
        if unread:
            return _with_lost(detail._replace(reason=None), unread, "reference recordings")
        skipped = detail.extras.get("skipped")
        if detail.reason is None and skipped and isinstance(skipped, list):
            words_of = _few(skipped)
            return fault("reference_skipped", f"references that cannot be used: {words_of}", detail.value)
    return detail


def _score_speaker(task: Task, job: Job, evaluator: Any) -> Detail:  # noqa: ANN401
    audios = Audios(task.places)
    unread = [*(f"{utt} has no recording in wav.scp" for utt in task.lost), *audios.unread]
    if not audios:
        return fault("load_error", f"no recording of the speaker can be read: {_few(unread)}")
    if job.kind == "trimmed_speaker":
        call = (list(task.places), list(task.texts), task.language)
        detail = guarded(lambda: cast("Detail", evaluator.score_detail(*call)))
    else:
        language = (task.language,) if job.kind == "language_speaker" else ()
        detail = guarded(lambda: cast("Detail", evaluator.detail_audio_list(audios, *language)))
    return _with_lost(detail, unread, "recordings of the speaker") if unread else detail


def _with_lost(detail: Detail, unread: Sequence[str], what: str) -> Detail:
    """Say of a score that some recordings are not in it; what is wrong with it otherwise stays first."""
    words = f"{len(unread)} {what} cannot be read: {_few(unread)}"
    said_before = detail.extras.get("message") if detail.reason is not None else None
    message = f"{said_before}; {words}" if said_before else words
    return Detail(detail.value, detail.reason or "load_error", {**detail.extras, "message": message})


def _few(words: Sequence[object]) -> str:
    return "; ".join(map(str, words[:_N_NAMED])) + ("; …" if len(words) > _N_NAMED else "")


def _read(place: Place) -> Recording:
    """Read a recording, whatever its decoder makes of it."""
    try:
        return read_audio(*place)
    except Exception as error:  # noqa: BLE001 (libraries raise anything over bytes that are no sound)
        return Recording(None, 0, "load_error", f"cannot be read: {said(error)}")


def _unreadable(place: Place) -> Recording | None:
    """Say, without decoding it, why a recording cannot be read; None if it may be."""
    found = identify(*place)
    if isinstance(found, Recording):
        return found
    return None if os.access(place[0], os.R_OK) else Recording(None, 0, "load_error", "cannot be read: no permission")


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
        With a float, NaN or None; NaN has a reason; what is no number, or not finite, becomes ``evaluator_error``.
    """
    detail = guarded(lambda: detail._replace(value=_number(detail.value)))
    if detail.value is not None and math.isinf(detail.value):
        return fault("evaluator_error", f"the score is {detail.value}")
    if detail.value is not None and math.isnan(detail.value) and detail.reason is None:
        return fault("not_a_number", value=detail.value)
    # what is told of a sound score is of no use to a run, and would fill its store
    return detail._replace(extras=_plain(detail.extras) if detail.reason is not None else {})


def _number(value: Any) -> float | None:  # noqa: ANN401 (whatever an evaluator gives)
    """Make a number of what may be one; text is none, even if it looks like it."""
    if hasattr(value, "dtype") and hasattr(value, "item"):  # an array or a tensor of one element
        value = value.item()
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"the score is text, {value!r:.40}, not a number")
    return None if value is None else float(value)


def _plain(extras: Mapping[str, object]) -> dict[str, object]:
    """Make of what is told something that can be stored, and sent to another process."""
    try:
        return {str(name): json.loads(json.dumps(value, default=str)) for name, value in extras.items()}
    except Exception:  # noqa: BLE001 (objects of other people cannot even be written as text)
        return {"message": str(extras["message"])} if isinstance(extras.get("message"), str) else {}


@contextmanager
def quiet() -> Iterator[None]:
    """Keep evaluators from warning: whoever collects the scores says, once, what is wrong with them.

    Yields
    ------
    None
        Only errors, and with ``--verbose`` everything, is logged.
    """
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
