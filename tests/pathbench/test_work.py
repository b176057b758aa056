"""What a process computes, whatever evaluators of other people do."""

# ruff: noqa: ARG001, ARG002 (the calls are given)

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
import soundfile

from pathbench.errors import InputError, MissingDependencyError
from pathbench.evaluator import ReferenceAudioEvaluator, ReferenceFreeEvaluator, ReferenceFreeSpeakerEvaluator
from pathbench.reasons import Detail, fault
from pathbench.work import Job, Task, checked, perform, score_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pathbench.base import AnyEvaluator
    from pathbench.selection import Kind


class Odd:
    """What is no number and says so loudly."""

    def __float__(self) -> float:
        raise RuntimeError("two elements")

    def __repr__(self) -> str:
        raise RuntimeError("no words")


class SilentError(Exception):
    """An exception without words."""

    def __str__(self) -> str:
        raise ValueError("no words")


class Gives(ReferenceFreeEvaluator):
    """Does what it is told."""

    name: ClassVar[str] = "gives"

    def __init__(self, what: Callable[[], Any]) -> None:
        self._what = what

    def _score_audio(self, audio: Any, fs: int) -> Any:
        return self._what()


class Details(Gives):
    """Does so where a detail is wanted."""

    def detail_audio(self, audio: Any, fs: int) -> Any:
        return self._what()


def raising(error: BaseException) -> Callable[[], Any]:
    def go() -> None:
        raise error

    return go


@pytest.fixture
def wav(tmp_path: Path) -> str:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(1600, 0.1), 16000)
    return str(path)


def scored(evaluator: AnyEvaluator, *paths: str, kind: Kind = "free", lost: tuple[str, ...] = ()) -> Detail:
    places = tuple((path, 0.0, -1.0) for path in paths)
    level: Any = "speaker" if kind.endswith("speaker") else "utterance"
    task = Task(level, "u", places, ("",) * len(places), "en", {}, (Job("m", kind, ""),), lost)
    [(name, detail)] = perform(task, {"m": evaluator})
    assert name == "m"
    return detail


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda: 10**400, "OverflowError"),
        (lambda: 10**5000, "OverflowError"),
        (Odd, "RuntimeError: two elements"),
        (lambda: "hello", "text, 'hello', not a number"),
        (lambda: "12.5", "text, '12.5', not a number"),
        (lambda: np.str_("3"), "text"),
        (lambda: b"3", "text"),
        (lambda: 1 + 2j, "TypeError"),
        (lambda: np.array([1, 2]), "ValueError"),
        (lambda: math.inf, "the score is inf"),
        (lambda: -math.inf, "the score is -inf"),
        (raising(RuntimeError("boom\nline2")), "RuntimeError: boom line2"),
        (raising(SystemExit(0)), "SystemExit: 0"),
        (raising(InputError("mine; fix: x")), "InputError: mine; fix: x"),
        (raising(MemoryError()), "MemoryError"),
        (raising(SilentError()), "SilentError"),
        (raising(GeneratorExit()), "GeneratorExit"),
    ],
)
def test_what_is_no_score_is_an_error_of_the_evaluator(what: Callable[[], Any], message: str, wav: str) -> None:
    detail = scored(Gives(what), wav)
    assert (detail.value, detail.reason) == (None, "evaluator_error")
    assert message in str(detail.extras["message"])


@pytest.mark.parametrize("given", [3.0, None, "x", (1.0, None), (1.0, 2, {}), (1.0, None, None)])
def test_a_detail_is_a_detail(given: Any, wav: str) -> None:
    detail = scored(Details(lambda: given), wav)
    assert detail.reason == "evaluator_error"
    assert "not a Detail" in str(detail.extras["message"])


def test_a_tuple_may_stand_for_a_detail(wav: str) -> None:
    assert scored(Details(lambda: (1.5, None, {"x": 1})), wav) == Detail(1.5, None, {})


@pytest.mark.parametrize(
    ("given", "value"), [(np.float32(2), 2.0), (np.array([5]), 5.0), (np.array(4), 4.0), (True, 1.0), (3, 3.0)]
)
def test_numbers_of_all_kinds(given: Any, value: float, wav: str) -> None:
    assert scored(Gives(lambda: given), wav) == Detail(value, None, {})


def test_what_is_not_a_number_has_a_reason(wav: str) -> None:
    detail = scored(Gives(lambda: math.nan), wav)
    assert detail.value is not None
    assert math.isnan(detail.value)
    assert detail.reason == "not_a_number"
    assert checked(fault("silent", value=math.nan)).reason == "silent"


def test_what_the_user_wants_ends_the_run(wav: str) -> None:
    for error in (KeyboardInterrupt(), MissingDependencyError("no model")):
        with pytest.raises(type(error)):
            scored(Gives(raising(error)), wav)


def test_what_is_told_can_be_stored() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert checked(fault("silent", "quiet", here=Odd)).extras["message"] == "quiet"
    assert checked(fault("silent", "quiet", here=circle)).extras == {"message": "quiet"}
    assert checked(fault("silent", "quiet", here=Odd())).extras == {"message": "quiet"}


class OfFile(ReferenceFreeEvaluator):
    """Reads the file itself."""

    def score(self, utterance_id: str, audio_path: Any, start_time: float = 0.0, end_time: float = -1.0) -> float:
        with open(audio_path, "rb") as stream:
            if utterance_id == "bad":
                raise ValueError("bad")
            return float(len(stream.read()))


class Against(ReferenceAudioEvaluator):
    """Compares with nothing."""

    def score(
        self,
        utterance_id: str,
        audio_path: Any,
        reference_audios: Any,
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> float:
        return 1.0


def test_a_file_that_is_not_there_is_no_error_of_the_evaluator(wav: str) -> None:
    assert scored(OfFile(), wav).value == 3244.0
    lost = scored(OfFile(), f"{wav}.lost")
    assert (lost.reason, lost.extras["message"]) == ("load_error", "no such file")
    assert score_file(OfFile(), "bad", (wav, 0.0, -1.0)).reason == "evaluator_error"


def test_references_that_are_left_out_are_told_of(wav: str) -> None:
    def against(evaluator: AnyEvaluator, *references: str) -> Detail:
        return score_file(evaluator, "u", (wav, 0.0, -1.0), (), [(path, 0.0, -1.0) for path in references])

    assert against(Against(), wav) == Detail(1.0, None, {})
    detail = against(Against(), wav, f"{wav}.lost")
    assert (detail.value, detail.reason) == (1.0, "load_error")
    assert "1 reference recordings cannot be read" in str(detail.extras["message"])

    from pathbench import ESTOIEvaluator

    short = f"{wav}.wav"
    soundfile.write(short, np.full(100, 0.1), 16000)
    time = np.arange(16000) / 16000
    for path in (wav, f"{wav}.2.wav"):
        soundfile.write(path, 0.5 * np.sin(2 * np.pi * 300 * time * (1 + time)), 16000)
    detail = against(ESTOIEvaluator(), wav, f"{wav}.2.wav", short)
    assert detail.value is not None
    assert detail.reason == "reference_skipped"
    assert short in str(detail.extras["message"])


class Number(ReferenceFreeSpeakerEvaluator):
    """Count the recordings."""

    def _score_audio_list(self, audios: Any) -> float | None:
        return float(len(audios)) if len(audios) > 1 else None


def test_recordings_of_a_speaker_that_cannot_be_read_are_told_of(wav: str) -> None:
    assert scored(Number(), wav, wav, kind="speaker") == Detail(2.0, None, {})
    detail = scored(Number(), wav, f"{wav}.lost", wav, kind="speaker", lost=("u9",))
    assert (detail.value, detail.reason) == (2.0, "load_error")
    wanted = f"2 recordings of the speaker cannot be read: u9 has no recording in wav.scp; {wav}.lost: no such file"
    assert detail.extras["message"] == wanted
    none = scored(Number(), wav, f"{wav}.lost", kind="speaker")
    assert none.reason == "unstated"
    assert "lost" in str(none.extras["message"])
    assert scored(Number(), f"{wav}.lost", kind="speaker").reason == "load_error"


def test_a_decoder_that_fails_otherwise(wav: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_audio(*place: object) -> None:
        raise MemoryError("bad_alloc")

    monkeypatch.setattr("pathbench.work.read_audio", read_audio)
    detail = scored(Gives(lambda: 1.0), wav)
    assert detail.reason == "load_error"
    assert "MemoryError: bad_alloc" in str(detail.extras["message"])
    assert sys.exc_info() == (None, None, None)
