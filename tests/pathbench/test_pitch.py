"""Standard deviation and range of pitch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench import F0RangeEvaluator, StdPitchEvaluator
from pathbench_golden import RATE, close, golden, recording, samples, tone, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

SIGNAL, SPEAKER = golden("signal"), golden("speaker")
STD, RANGE = StdPitchEvaluator(), F0RangeEvaluator()


@pytest.mark.parametrize("name", SIGNAL["whole_file"])
def test_golden_whole_files(name: str) -> None:
    want = SIGNAL["whole_file"][name]
    assert close(STD.score("u", recording(name)), want["std_pitch"], rel=1e-4)
    assert close(RANGE.score([(recording(name), 0.0, -1.0)]), want["f0_range"], rel=1e-4)


@pytest.mark.parametrize("name", SIGNAL["array_16k"])
def test_golden_arrays(name: str) -> None:
    assert close(STD._score_audio(samples(name), RATE), SIGNAL["array_16k"][name]["std_pitch"], rel=1e-4)


@pytest.mark.parametrize("name", SIGNAL["segment"])
def test_golden_parts(name: str) -> None:
    want = SIGNAL["segment"][name]
    assert close(STD.score("u", recording(name), want["start"], want["end"]), want["std_pitch"], rel=1e-4)
    assert close(RANGE.score([(recording(name), want["start"], want["end"])]), want["f0_range"], rel=1e-4)


@pytest.mark.parametrize("group", SPEAKER)
def test_golden_groups(group: str) -> None:
    places = [(recording(name), 0.0, -1.0) for name in SPEAKER[group]["files"]]
    assert close(RANGE.score(places), SPEAKER[group]["f0_range_score"], rel=1e-4)
    audios = [(samples(name), RATE) for name in SPEAKER[group]["files"]]
    assert close(RANGE._score_audio_list(audios), SPEAKER[group]["f0_range_list"], rel=1e-4)


def test_an_octave_is_twelve_semitones() -> None:
    low, high = tone(0.5, 120.0), tone(0.5, 240.0)
    found = STD._score_audio(np.concatenate([low, high]), RATE)
    assert found == pytest.approx(39.86 * np.log10(2) / 2, abs=0.1)
    assert RANGE._score_audio_list([(low, RATE), (high, RATE)]) == pytest.approx(120.0, abs=0.2)
    assert STD._score_audio(low, RATE) == pytest.approx(0.0, abs=0.01)


@given(st.floats(0.01, 10))
def test_louder_is_the_same(gain: float) -> None:
    sound = np.concatenate([tone(0.2, 120.0), tone(0.2, 180.0)]).astype(np.float64)
    assert STD._score_audio(gain * sound, RATE) == pytest.approx(STD._score_audio(sound, RATE), rel=1e-6)


def test_speakers_do_not_depend_on_the_order_of_recordings() -> None:
    audios = [(samples(name), RATE) for name in ("BLUE_japanese10", "BLUE_english33", "BLUE_english34")]
    assert RANGE._score_audio_list(audios) == RANGE._score_audio_list(audios[::-1])


@pytest.mark.parametrize(
    ("sound", "zero", "reason"),
    [
        (np.zeros(16000, np.float32), 0.0, "no_voiced_frames"),
        (np.zeros(0, np.float32), 0.0, "empty_audio"),
        (tone(0.02), None, "too_short"),
        (0.1 * np.random.default_rng(0).normal(size=8000), 0.0, "no_voiced_frames"),
    ],
)
def test_sounds_without_melody(sound: object, zero: float | None, reason: str) -> None:
    assert STD.detail_audio(sound, RATE)[:2] == (zero, reason)  # type: ignore[arg-type]
    assert StdPitchEvaluator(undefined="none").detail_audio(sound, RATE)[:2] == (None, reason)  # type: ignore[arg-type]


def test_speakers_without_melody() -> None:
    silence, short = (np.zeros(16000, np.float32), RATE), (tone(0.02), RATE)
    assert RANGE.detail_audio_list([silence])[:2] == (0.0, "no_voiced_frames")
    assert RANGE.detail_audio_list([short, silence])[:2] == (0.0, "too_short")
    assert F0RangeEvaluator(undefined="none").detail_audio_list([short])[:2] == (None, "too_short")
    assert RANGE.detail_audio_list([short, (tone(0.3), RATE)]).extras["n_too_short"] == 1


def test_a_short_recording_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "tiny.wav", tone(0.02))
    assert STD.score("u", path) is None
    assert "tiny.wav: 0.02 s, too short" in caplog.text
    caplog.clear()
    assert RANGE.score([(path, 0.0, -1.0)]) == 0.0
    assert "tiny.wav: 0.02 s, too short" in caplog.text
