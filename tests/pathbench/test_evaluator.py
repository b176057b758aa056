"""The base classes: both ways to write an evaluator, failures, choices, signatures."""

# ruff: noqa: ARG002 (the calls are given)

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import pathbench
from pathbench import (
    Detail,
    LanguageAwareSpeakerEvaluator,
    LookupEvaluator,
    ReferenceAudioEvaluator,
    ReferenceFreeEvaluator,
    ReferenceFreeSpeakerEvaluator,
    ReferenceTxtAndAudioEvaluator,
    ReferenceTxtEvaluator,
    UsageError,
)
from pathbench.audio import Recording, read_audio
from pathbench.errors import MissingDependencyError
from pathbench.reasons import fault, scored
from pathbench_golden import RATE, recording, tone, write

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = {"start_time": 0.0, "end_time": -1.0}
CALLS: dict[type, list[str]] = {
    LookupEvaluator: ["utterance_id"],
    ReferenceFreeEvaluator: ["utterance_id", "audio_path"],
    ReferenceTxtEvaluator: ["utterance_id", "audio_path", "transcription", "language"],
    ReferenceAudioEvaluator: ["utterance_id", "audio_path", "reference_audios"],
    ReferenceTxtAndAudioEvaluator: ["utterance_id", "audio_path", "transcription", "language", "reference_audios"],
}
FAMILIES = [*CALLS, ReferenceFreeSpeakerEvaluator, LanguageAwareSpeakerEvaluator]


@pytest.mark.parametrize("base", CALLS)
@pytest.mark.parametrize("method", ["score", "score_detail"])
def test_calls_are_those_that_scripts_use(base: Any, method: str) -> None:
    found = list(inspect.signature(getattr(base, method)).parameters.values())[1:]
    names = [*CALLS[base], *([] if base is LookupEvaluator else WHOLE)]
    assert [parameter.name for parameter in found] == names
    defaults = {parameter.name: parameter.default for parameter in found if parameter.default is not parameter.empty}
    assert defaults == ({} if base is LookupEvaluator else WHOLE)


def test_every_evaluator_belongs_to_one_family_and_keeps_its_call() -> None:
    evaluators = [getattr(pathbench, name) for name in pathbench.__all__ if name.endswith("Evaluator")]
    for evaluator in evaluators:
        families = [base for base in FAMILIES if issubclass(evaluator, base)]
        if not evaluator.__name__.startswith("Trimmed") or evaluator.__name__ == "TrimmedReferenceFreeEvaluator":
            assert len(families) == 1, evaluator
            for method in ("score", "score_detail"):
                mine, theirs = (
                    list(inspect.signature(getattr(c, method)).parameters) for c in (evaluator, families[0])
                )
                assert mine == theirs, evaluator


def length(audio: Any, fs: int) -> float | None:
    return len(audio) / fs if len(audio) > 100 else None


class Plain(ReferenceFreeEvaluator):
    """Gives numbers."""

    def _score_audio(self, audio: Any, fs: int) -> float | None:
        return length(audio, fs)


class Detailed(ReferenceFreeEvaluator):
    """Gives details."""

    def detail_audio(self, audio: Any, fs: int) -> Detail:
        found = length(audio, fs)
        return fault("too_short") if found is None else scored(found, n=len(audio))


class Whole(ReferenceFreeEvaluator):
    """Gives numbers for files."""

    def score(self, utterance_id: str, audio_path: Any, start_time: float = 0.0, end_time: float = -1.0) -> Any:
        return read_audio(audio_path, start_time, end_time).duration or None


@pytest.mark.parametrize("cls", [Plain, Detailed, Whole])
def test_three_ways_to_write_an_evaluator(cls: type[ReferenceFreeEvaluator]) -> None:
    path = recording("BLUE_japanese10")
    assert cls().score("u", path) == 0.21
    found = cls().score_detail("u", path, 0.1)
    assert (found.value, found.reason) == (0.11, None)
    assert cls().score("u", "lost.wav") is None
    assert cls().score_detail("u", "lost.wav").reason == ("unstated" if cls is Whole else "load_error")


def test_samples_can_be_scored_both_ways() -> None:
    for evaluator, reason in ((Plain(), "unstated"), (Detailed(), "too_short")):
        assert evaluator._score_audio(tone(0.1), RATE) == 0.1
        assert evaluator.detail_audio(tone(0.1), RATE)[:2] == (0.1, None)
        assert evaluator._score_audio(tone(0.001), RATE) is None
        assert evaluator.detail_audio(tone(0.001), RATE)[:2] == (None, reason)


def test_a_reason_is_a_warning_with_file_and_duration(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "tiny.wav", tone(0.005))
    found = Detailed().score_detail("u", path)
    assert found == Detail(None, "too_short", {"message": "too short", "duration": 0.005})
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert caplog.messages == [f"{path}: 0.01 s, too short"]
    caplog.clear()
    Detailed().score("u", recording("en_8k"))
    assert not caplog.messages


class Broken(ReferenceFreeEvaluator):
    """Raises."""

    def detail_audio(self, audio: Any, fs: int) -> Detail:
        raise ZeroDivisionError("by zero")


class Lacking(ReferenceFreeEvaluator):
    """Wants what is not installed."""

    def detail_audio(self, audio: Any, fs: int) -> Detail:
        raise MissingDependencyError("x is not installed; fix: install it")


def test_an_exception_is_a_reason_but_a_missing_extra_is_not() -> None:
    found = Broken().score_detail("u", recording("en_8k"))
    assert found[:2] == (None, "evaluator_error")
    assert found.extras["message"] == "ZeroDivisionError: by zero"
    with pytest.raises(MissingDependencyError):
        Lacking().score("u", recording("en_8k"))


class Text(ReferenceTxtEvaluator):
    """Counts letters."""

    def score(self, utterance_id: str, audio_path: Any, transcription: str, language: str, *times: float) -> Any:
        return float(len(transcription))


class References(ReferenceAudioEvaluator):
    """Counts references."""

    def score(self, utterance_id: str, audio_path: Any, reference_audios: Any, *times: float) -> Any:
        return float(len(reference_audios)) or None


class Both(ReferenceTxtAndAudioEvaluator):
    """Counts both."""

    def score_detail(
        self,
        utterance_id: str,
        audio_path: Any,
        transcription: str,
        language: str,
        reference_audios: Any,
        *times: float,
    ) -> Detail:
        return scored(len(transcription) * len(reference_audios))


class Table(LookupEvaluator):
    """Looks up."""

    def score(self, utterance_id: str) -> Any:
        return {"u": 2.0}.get(utterance_id)


class Speaker(ReferenceFreeSpeakerEvaluator):
    """Counts recordings."""

    def _score_audio_list(self, audios: Any) -> float | None:
        return float(len(audios))


class Polyglot(LanguageAwareSpeakerEvaluator):
    """Counts recordings and letters."""

    def detail_audio_list(self, audios: Any, language: str) -> Detail:
        return scored(len(audios) * len(language)) if language else fault("unsupported_language")


class BothPlain(ReferenceTxtAndAudioEvaluator):
    """Counts both, plainly."""

    def score(
        self,
        utterance_id: str,
        audio_path: Any,
        transcription: str,
        language: str,
        reference_audios: Any,
        *times: float,
    ) -> Any:
        return float(len(transcription) * len(reference_audios))


class PolyglotPlain(LanguageAwareSpeakerEvaluator):
    """Counts letters, plainly."""

    def _score_audio_list(self, audios: Any, language: str) -> float | None:
        return float(len(language))


def test_other_families() -> None:
    assert BothPlain().score_detail("u", "x", "abc", "en", [1, 2])[:2] == (6.0, None)  # type: ignore[list-item]
    assert PolyglotPlain().detail_audio_list([], "nl")[:2] == (2.0, None)
    assert Text().score_detail("u", "x", "abc", "en")[:2] == (3.0, None)
    assert References().score_detail("u", "x", [1, 2])[:2] == (2.0, None)  # type: ignore[list-item]
    assert References().score_detail("u", "x", [])[:2] == (None, "unstated")
    assert Both().score("u", "x", "abc", "en", [1, 2]) == 6.0  # type: ignore[list-item]
    assert Table().score_detail("u")[:2] == (2.0, None)
    assert Table().score_detail("v")[:2] == (None, "no_entry")


def test_speakers(caplog: pytest.LogCaptureFixture) -> None:
    places = [(recording("en_8k"), 0.0, -1.0), ("lost.wav", 0.0, -1.0), (recording("en_8k"), 0.0, 0.5)]
    assert Speaker().score(places) == 2.0
    assert Speaker().detail_audio_list([])[:2] == (0.0, None)
    assert "lost.wav: no such file" in caplog.text
    assert Polyglot().score(places, "nl") == 4.0
    assert Polyglot()._score_audio_list([], "nl") == 0.0
    caplog.clear()
    found = Polyglot().score_detail(places[::2], "")
    assert found[:2] == (None, "unsupported_language")
    assert f"{recording('en_8k')}, {recording('en_8k')}: 2.17 s, unsupported language" in caplog.text
    for evaluator, more in ((Speaker(), ()), (Polyglot(), ("nl",))):
        assert evaluator.score_detail(places[1:2], *more)[:2] == (None, "load_error")


@pytest.mark.parametrize("base", FAMILIES)
def test_an_evaluator_must_define_something(base: Any) -> None:
    class Nothing(base):  # type: ignore[misc]
        """Defines nothing."""

    words = "Nothing defines none of"
    if base in (ReferenceFreeEvaluator, ReferenceFreeSpeakerEvaluator, LanguageAwareSpeakerEvaluator):
        more = ("nl",) if base is LanguageAwareSpeakerEvaluator else () if "Speaker" in base.__name__ else (RATE,)
        calls = [getattr(Nothing(), name) for name in dir(base) if name in ("_score_audio", "_score_audio_list")]
        with pytest.raises(NotImplementedError, match=words):
            calls[0]([], *more)
        return
    arguments = ["x"] * len(CALLS[base])
    for method in ("score", "score_detail"):
        with pytest.raises(NotImplementedError, match=words):
            getattr(Nothing(), method)(*arguments)


class Chosen(ReferenceFreeEvaluator):
    """Has choices."""

    name = "chosen"

    def __init__(self, undefined: Any = "zero", compat: Any = None) -> None:
        self.window = 0.5
        self.tilt = True
        self.fit = None
        self._hidden = 3
        self._choose(undefined, compat)

    def detail_audio(self, audio: Any, fs: int) -> Detail:
        return self._failed("silent")


def test_choices() -> None:
    silence = np.zeros(100, np.float32)
    assert Chosen().detail_audio(silence, RATE)[:2] == (0.0, "silent")
    assert Chosen("none").detail_audio(silence, RATE)[:2] == (None, "silent")
    with pytest.raises(UsageError, match="undefined is 'nan'"):
        Chosen("nan")
    with pytest.raises(UsageError, match="compat is 'old'"):
        Chosen(compat="old")


def test_signature_has_every_choice_in_order() -> None:
    # these classes are of no distribution, so the module stands for it; their source is part of every signature
    start, end = f"{__name__.partition('.')[0]}|v:none|metric:", f"|pathbench:{pathbench.__version__}|source"
    chosen = "|window:0.5|tilt:true|fit:none|_hidden:3"
    for signature, words in (
        (Chosen().signature(), f"chosen{chosen}|undefined:zero|compat:none"),
        (Chosen("none", "upstream").signature("mine"), f"mine{chosen}|undefined:none|compat:upstream"),
        (Plain().signature(), "Plain|undefined:zero|compat:none"),
    ):
        assert signature.rpartition(":")[0] == start + words + end
    cpp = f"pathbench|v:{pathbench.__version__}|metric:cpp|normOpt:line|undefined:zero|compat:none"
    assert pathbench.CPPEvaluator().signature() == cpp
    signatures = [
        pathbench.CPPEvaluator(), pathbench.CPPEvaluator("mean"), pathbench.CPPDoubleLogEvaluator(),
        pathbench.ESTOIEvaluator(), pathbench.ESTOIEvaluator(frame_deletion=False),
        pathbench.ESTOIEvaluator(include_centroid=True), pathbench.PSTOIEvaluator(),
        pathbench.PraatCPPEvaluator(), pathbench.PraatCPPEvaluator(fit="least squares"),
        pathbench.VSAEvaluator(), pathbench.VSAEvaluator("f"), pathbench.WadaSnrEvaluator(undefined="none"),
    ]  # fmt: skip
    assert len({evaluator.signature() for evaluator in signatures}) == len(signatures)


def test_a_recording_that_was_read_can_be_scored() -> None:
    assert Detailed().detail_recording(read_audio(recording("en_8k"))).reason is None
    assert Detailed().detail_recording(Recording(None, 0, "empty_audio", "has none")).extras == {"message": "has none"}
    assert Detailed().detail_recording(Recording(None, 0, "load_error", "lost")).reason == "load_error"


def test_wrappers_are_known_under_this_name_too() -> None:
    from pathbench import evaluator

    assert evaluator.TrimmedReferenceFreeEvaluator is pathbench.TrimmedReferenceFreeEvaluator
    assert all(hasattr(evaluator, name) for name in evaluator.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'TrimmedNothing'"):
        evaluator.TrimmedNothing  # noqa: B018
