"""Wrappers that trim: when they do, and what they fall back to."""

# ruff: noqa: ARG002 (the calls are given)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pathbench import (
    CPPEvaluator,
    F0RangeEvaluator,
    ReferenceFreeEvaluator,
    TrimmedLanguageAwareSpeakerEvaluator,
    TrimmedReferenceFreeEvaluator,
    TrimmedReferenceFreeSpeakerEvaluator,
    UsageError,
    VSAEvaluator,
)
from pathbench.audio import read_audio
from pathbench_golden import RATE, recording, samples, tone, write

if TYPE_CHECKING:
    from pathlib import Path


class Ends:
    """Cuts a tenth of a second at both ends, as a double array; refuses what is short."""

    def __init__(self, answer: Any = "cut") -> None:
        self.answer = answer
        self.calls: list[tuple[Any, ...]] = []

    def trim(self, path: Any, transcription: str, language: str, start: float = 0.0, end: float = -1.0) -> Any:
        self.calls.append((path, transcription, language, start, end))
        if self.answer != "cut":
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer
        audio = read_audio(path, start, end, dtype="float64").audio
        return None if audio is None or len(audio) < 8000 else (audio[1600:-1600], RATE)


class Length(ReferenceFreeEvaluator):
    """Tells what it was given."""

    def _score_audio(self, audio: Any, fs: int) -> float | None:
        return float(len(audio))


NAME = "en_8k"
N = len(samples(NAME))


def test_a_whole_file_is_trimmed() -> None:
    trimmer = Ends()
    evaluator = TrimmedReferenceFreeEvaluator(Length(), trimmer)
    assert evaluator.score("u", recording(NAME), "past the stone", "en-us") == N - 3200
    assert trimmer.calls == [(recording(NAME), "past the stone", "en-us", 0.0, -1.0)]


def test_a_part_is_taken_as_it_is() -> None:
    trimmer = Ends()
    evaluator = TrimmedReferenceFreeEvaluator(Length(), trimmer)
    assert evaluator.score("u", recording(NAME), "past", "en-us", 0.1, 0.9) == 12800
    assert evaluator.score("u", recording(NAME), "past", "en-us", 0.5) == N - 8000
    assert not trimmer.calls


@pytest.mark.parametrize("answer", [None, (np.empty(0), RATE), RuntimeError("no path"), ValueError("no phones")])
def test_without_an_answer_the_file_is_taken_as_it_is(answer: Any) -> None:
    evaluator = TrimmedReferenceFreeEvaluator(Length(), Ends(answer))
    assert evaluator.score("u", recording(NAME), "past", "en-us") == N


def test_the_score_is_that_of_the_inner_evaluator(tmp_path: Path) -> None:
    sound = np.concatenate([np.zeros(1600), tone(0.5), np.zeros(1600)])
    path = write(tmp_path / "padded.wav", sound)
    found = TrimmedReferenceFreeEvaluator(CPPEvaluator(), Ends()).score("u", path, "a", "en-us")
    assert found == pytest.approx(CPPEvaluator().score("u", write(tmp_path / "bare.wav", tone(0.5))))


def test_failures(caplog: pytest.LogCaptureFixture) -> None:
    evaluator = TrimmedReferenceFreeEvaluator(CPPEvaluator(), Ends())
    for name, reason in (("lost.wav", "load_error"), (recording("empty"), "empty_audio")):
        assert evaluator.score_detail("u", name, "a", "en-us")[:2] == (None, reason)
    found = evaluator.score_detail("u", recording("short300"), "a", "en-us")
    assert found[:2] == (None, "too_short")
    assert "short300.flac: 0.02 s, too short" in caplog.text


class Broken(ReferenceFreeEvaluator):
    """Raises."""

    def _score_audio(self, audio: Any, fs: int) -> float | None:
        raise RuntimeError("kernel size")


def test_an_exception_of_the_inner_evaluator_is_a_reason() -> None:
    found = TrimmedReferenceFreeEvaluator(Broken(), Ends()).score_detail("u", recording(NAME), "a", "en-us")
    assert found[:2] == (None, "evaluator_error")


def test_speakers() -> None:
    trimmer = Ends()
    places = [(recording(NAME), 0.0, -1.0), (recording("en_44k1"), 0.2, 1.0), ("lost.wav", 0.0, -1.0)]
    audios = [(samples(NAME)[1600:-1600], RATE), (samples("en_44k1", 0.2, 1.0), RATE)]
    texts = ["past", "seven", "gone"]
    found = TrimmedReferenceFreeSpeakerEvaluator(F0RangeEvaluator(), trimmer).score(places, texts, "en-us")
    assert found == pytest.approx(F0RangeEvaluator()._score_audio_list(audios), rel=1e-6)
    assert [call[1] for call in trimmer.calls] == ["past", "gone"]
    found = TrimmedLanguageAwareSpeakerEvaluator(VSAEvaluator(), trimmer).score(places, texts, "en-us")
    assert found == pytest.approx(VSAEvaluator()._score_audio_list(audios, "en"), rel=1e-2)


def test_speakers_without_recordings() -> None:
    evaluator = TrimmedReferenceFreeSpeakerEvaluator(F0RangeEvaluator(), Ends())
    assert evaluator.score([], [], "en") is None
    assert evaluator.score_detail([("lost.wav", 0.0, -1.0)], ["a"], "en")[:2] == (None, "load_error")


@pytest.mark.parametrize("texts", [[], ["a", "b"]])
def test_every_recording_needs_a_transcription(texts: list[str]) -> None:
    evaluator = TrimmedLanguageAwareSpeakerEvaluator(VSAEvaluator(), Ends())
    with pytest.raises(UsageError, match=f"1 recordings and {len(texts)} transcriptions"):
        evaluator.score([(recording(NAME), 0.0, -1.0)], texts, "en")


def test_signatures_name_the_trimmer_and_the_choices_inside() -> None:
    found = TrimmedReferenceFreeEvaluator(CPPEvaluator(undefined="none"), Ends()).signature("cpp_fa")
    assert "|metric:cpp_fa|trimmed:Ends|trimmer.answer:cut|" in found
    assert found.startswith("pathbench|v:")
    assert "|inner:cpp|normOpt:line|undefined:none|compat:none|source:Ends=" in found
    found = TrimmedLanguageAwareSpeakerEvaluator(VSAEvaluator("f"), Ends()).signature("vsa_fa")
    assert "|metric:vsa_fa|trimmed:Ends|" in found
    assert "|inner:vsa|gender:f|" in found
