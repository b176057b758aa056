"""Praat's smoothed cepstral peak prominence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import soundfile

from pathbench import PraatCPPEvaluator, UsageError
from pathbench.audio import read_audio
from pathbench_golden import RATE, close, golden, recording, samples, tone, write

if TYPE_CHECKING:
    from pathlib import Path

SIGNAL = golden("signal")
CPPS = PraatCPPEvaluator()
FAST = PraatCPPEvaluator(fit="least squares")


@pytest.mark.parametrize("name", ["BLUE_english34", "short500", "short300", "zero", "empty"])
def test_golden_with_the_robust_fit(name: str) -> None:
    # the others take up to a minute each: the fit is that slow
    want = SIGNAL["whole_file"][name]["cpp_praat"]
    assert close(CPPS.score("u", recording(name)), want, rel=1e-4, tol=1e-12)


def test_golden_array_with_the_robust_fit() -> None:
    found = CPPS._score_audio(samples("short500"), RATE)
    assert close(found, SIGNAL["array_16k"]["short500"]["cpp_praat"], rel=1e-4)


def test_a_whole_file_is_taken_as_it_is() -> None:
    whole, rate = soundfile.read(recording("es_stereo"))
    found = FAST.score("u", recording("es_stereo"))
    assert found == FAST.detail_audio(whole.T, rate).value
    mono = PraatCPPEvaluator(fit="least squares", native=False).score("u", recording("es_stereo"))
    assert mono == FAST._score_audio(samples("es_stereo"), RATE)
    assert mono != found


def test_a_part_is_taken_at_16_khz() -> None:
    audio = read_audio(recording("en_8k"), 0.2, 0.9).audio
    assert audio is not None
    assert FAST.score("u", recording("en_8k"), 0.2, 0.9) == FAST._score_audio(audio, RATE)


def test_a_voice_stands_out_of_noise() -> None:
    voice = FAST._score_audio(tone(0.5), RATE)
    noise = FAST._score_audio(np.random.default_rng(0).normal(size=8000), RATE)
    assert voice is not None
    assert noise is not None
    assert voice > noise + 5


def test_too_short(tmp_path: Path) -> None:
    path = write(tmp_path / "x.wav", tone(399 / RATE))
    assert CPPS.score_detail("u", path)[:2] == (None, "too_short")
    assert FAST.score_detail("u", write(tmp_path / "y.wav", tone(0.1)))[1] is None


@pytest.mark.parametrize("fit", ["robust", "least squares"])
def test_silence_has_a_reason(fit: Literal["robust", "least squares"]) -> None:
    for audio in (np.zeros(RATE, np.float32), np.zeros((2, RATE))):
        assert PraatCPPEvaluator(fit=fit).detail_audio(audio, RATE)[:2] == (0.0, "silent")
        assert PraatCPPEvaluator(fit=fit, undefined="none").detail_audio(audio, RATE)[:2] == (None, "silent")


def test_what_praat_refuses_is_no_score() -> None:
    found = PraatCPPEvaluator(pitch_floor=0.0, fit="least squares").detail_audio(tone(0.3), RATE)
    assert (found.value, found.reason) == (None, "analysis_failed")


def test_no_samples_and_no_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    assert FAST.detail_audio(np.zeros(0), RATE)[:2] == (None, "empty_audio")
    monkeypatch.setattr("pathbench.praat_cpp.call", lambda *_: float("nan"))
    assert FAST.detail_audio(tone(0.1), RATE)[:2] == (None, "analysis_failed")


def test_wrong_fit() -> None:
    with pytest.raises(UsageError, match="robust, least squares"):
        PraatCPPEvaluator(fit="Robust")  # type: ignore[arg-type]
