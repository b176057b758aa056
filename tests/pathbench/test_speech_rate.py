"""Syllables per second."""

from __future__ import annotations

import numpy as np
import pytest

from pathbench import PraatSpeechRateEvaluator
from pathbench.praat import failure
from pathbench.speech_rate import syllable_nuclei
from pathbench_golden import RATE, close, golden, recording, samples, tone

SIGNAL = golden("signal")
RATES = PraatSpeechRateEvaluator()


@pytest.mark.parametrize("name", SIGNAL["whole_file"])
def test_golden_whole_files(name: str) -> None:
    want = SIGNAL["whole_file"][name]["praat_speech_rate"]
    assert close(RATES.score("u", recording(name)), want, rel=1e-4)


@pytest.mark.parametrize("name", SIGNAL["array_16k"])
def test_golden_arrays(name: str) -> None:
    assert close(RATES._score_audio(samples(name), RATE), SIGNAL["array_16k"][name]["praat_speech_rate"], rel=1e-4)


@pytest.mark.parametrize("name", SIGNAL["segment"])
def test_golden_parts(name: str) -> None:
    want = SIGNAL["segment"][name]
    found = RATES.score("u", recording(name), want["start"], want["end"])
    assert close(found, want["praat_speech_rate"], rel=1e-4)


def swells(n: int, depth: float = 0.95) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Make n swells of a voice, four a second."""
    voice = tone(n / 4).astype(np.float64)
    return np.asarray(voice * (1 - depth * (0.5 + 0.5 * np.cos(2 * np.pi * 4 * np.arange(len(voice)) / RATE))))


@pytest.mark.parametrize("n", [3, 5, 8])
def test_the_last_of_the_swells_has_no_dip_after_it(n: int) -> None:
    nuclei = syllable_nuclei(swells(n), RATE)
    assert len(nuclei) == n - 1
    np.testing.assert_allclose(nuclei, 0.125 + 0.25 * np.arange(n - 1), atol=0.02)
    assert RATES._score_audio(swells(n), RATE) == pytest.approx((n - 1) / (n / 4))


def test_shallow_dips_do_not_count() -> None:
    assert len(syllable_nuclei(swells(6, depth=0.1), RATE)) == 0


def test_noise_is_no_syllable() -> None:
    noise = np.random.default_rng(0).normal(size=len(swells(6)))
    assert RATES._score_audio(noise * np.abs(swells(6)), RATE) == 0.0


def test_a_single_swell_scores_zero_and_is_sound() -> None:
    found = RATES.detail_audio(swells(1), RATE)
    assert (found.value, found.reason) == (0.0, None)


@pytest.mark.parametrize(
    ("sound", "zero", "reason"),
    [
        (np.zeros(0), 0.0, "empty_audio"),
        (np.zeros(16000), 0.0, "silent"),
        (tone(0.127), None, "too_short"),
    ],
)
def test_sounds_without_rate(sound: object, zero: float | None, reason: str) -> None:
    assert RATES.detail_audio(sound, RATE)[:2] == (zero, reason)  # type: ignore[arg-type]
    found = PraatSpeechRateEvaluator(undefined="none").detail_audio(sound, RATE)  # type: ignore[arg-type]
    assert found[:2] == (None, reason)


def test_what_praat_refuses_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise failure()[0]("no")

    monkeypatch.setattr("pathbench.speech_rate.syllable_nuclei", refuse)
    found = RATES.detail_audio(tone(0.5), RATE)
    assert (found.value, found.reason, found.extras["message"]) == (None, "analysis_failed", "Praat: no")
