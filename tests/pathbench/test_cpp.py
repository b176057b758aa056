"""Cepstral peak prominence: golden scores, a trace of frames, a slow twin, and what must not change it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pathbench_twin as twin
from pathbench import CPPDoubleLogEvaluator, CPPEvaluator
from pathbench.cpp import SILENT_FRAME, frame_cpp
from pathbench_golden import RATE, close, golden, recording, samples, tone

EVALUATORS = {
    "cpp": CPPEvaluator(),
    "cpp_mean": CPPEvaluator("mean"),
    "cpp_nonorm": CPPEvaluator("none"),
    "cpp_double_log": CPPDoubleLogEvaluator(),
}
SIGNAL = golden("signal")
NAMES = [name for name in SIGNAL["array_16k"] if name != "zero"]
# frames with a few samples on their very edge: their cepstrum is rounding noise, which no two transforms share
NOISY = {("en_clean", "whole"): 2e-4, ("nl_padded", "whole"): 1e-3}


def tolerance(metric: str, name: str, part: str) -> float:
    return NOISY.get((name, part), 1e-6) if metric == "cpp_double_log" else 1e-6


@pytest.mark.parametrize("metric", EVALUATORS)
@pytest.mark.parametrize("name", NAMES)
def test_golden_whole_files(metric: str, name: str) -> None:
    want = SIGNAL["whole_file"][name][metric]
    assert close(EVALUATORS[metric].score("u", recording(name)), want, rel=tolerance(metric, name, "whole"))
    want = SIGNAL["array_16k"][name][metric]
    found = EVALUATORS[metric]._score_audio(samples(name), RATE)
    assert close(found, want, rel=tolerance(metric, name, "whole"))


@pytest.mark.parametrize("metric", EVALUATORS)
@pytest.mark.parametrize("name", SIGNAL["segment"])
def test_golden_parts(metric: str, name: str) -> None:
    want = SIGNAL["segment"][name]
    found = EVALUATORS[metric].score("u", recording(name), want["start"], want["end"])
    assert close(found, want[metric], rel=tolerance(metric, name, "part"))


def test_golden_frames() -> None:
    want = SIGNAL["cpp_trace_BLUE_japanese10"]
    found = frame_cpp(samples("BLUE_japanese10"), RATE)
    np.testing.assert_allclose(found, want["cpp"], rtol=1e-9)
    assert len(found) == len(want["frame_centre_1based"])


def test_published_figures() -> None:
    # asserted by the tests of the upstream project, to three decimals
    assert EVALUATORS["cpp"].score("u", recording("BLUE_japanese10")) == pytest.approx(732.418, abs=5e-4)
    assert EVALUATORS["cpp_double_log"].score("u", recording("BLUE_japanese10")) == pytest.approx(18.399, abs=5e-4)


@pytest.mark.parametrize("norm", ["line", "mean", "none"])
@pytest.mark.parametrize("double_log", [False, True])
@pytest.mark.parametrize("fs", [16000, 11025, 44100])
def test_slow_twin(norm: str, double_log: bool, fs: int) -> None:
    noise = np.asarray(np.random.default_rng(fs).normal(size=round(0.25 * fs)) + 3 * tone(0.25, rate=fs), np.float64)
    found = frame_cpp(noise, fs, norm=norm, double_log=double_log)
    np.testing.assert_allclose(found, twin.cpp(noise, fs, norm=norm, double_log=double_log), rtol=1e-9, atol=1e-9)


@given(arrays(np.float64, 1600, elements=st.floats(-1, 1, width=32)).filter(lambda x: np.ptp(x[300:1300]) > 0.1))
def test_slow_twin_of_any_sound(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    rough = np.asarray(x + 0.01 * np.random.default_rng(0).normal(size=1600), dtype=np.float64)
    np.testing.assert_allclose(frame_cpp(rough, RATE), twin.cpp(rough, RATE), rtol=1e-7, atol=1e-7)


@given(st.floats(1e-3, 1e3))
def test_louder_is_the_same(gain: float) -> None:
    noise = np.random.default_rng(3).normal(size=3000)
    np.testing.assert_allclose(frame_cpp(gain * noise, RATE), frame_cpp(noise, RATE), rtol=1e-6)


@given(st.integers(1, 20))
def test_a_later_start_gives_the_later_frames(n: int) -> None:
    noise = np.random.default_rng(4).normal(size=6000)
    np.testing.assert_allclose(frame_cpp(noise[160 * n :], RATE), frame_cpp(noise, RATE)[n:], rtol=1e-9)


def test_blocks_do_not_show() -> None:
    noise = np.random.default_rng(5).normal(size=160 * 2500)
    np.testing.assert_allclose(frame_cpp(noise, RATE)[1000:1100], frame_cpp(noise[160_000:178_720], RATE)[:100])


def test_a_voice_stands_out_of_noise() -> None:
    noise = np.random.default_rng(6).normal(size=8000)
    assert frame_cpp(tone(0.5), RATE).mean() > 2 * frame_cpp(noise, RATE).mean()


@pytest.mark.parametrize("n", [0, 1, 300, 1280])
def test_too_short(n: int) -> None:
    found = CPPEvaluator().detail_audio(tone(1.0)[:n], RATE)
    assert (found.value, found.reason) == (None, "too_short" if n else "empty_audio")


def test_the_shortest_sound_has_one_frame() -> None:
    assert CPPEvaluator().detail_audio(tone(1.0)[:1281], RATE).extras["n_frames"] == 1


@pytest.mark.parametrize("evaluator", [CPPEvaluator, CPPDoubleLogEvaluator])
def test_digital_silence(evaluator: type[CPPEvaluator]) -> None:
    silence = np.zeros(16000, np.float32)
    assert evaluator().detail_audio(silence, RATE)[:2] == (0.0, "silent")
    assert evaluator(undefined="none").detail_audio(silence, RATE)[:2] == (None, "silent")
    found = evaluator(compat="upstream").detail_audio(silence, RATE)
    assert found.reason is None
    assert found.value == pytest.approx(SILENT_FRAME if evaluator is CPPDoubleLogEvaluator else 0.0, abs=1e-9)


def test_silent_frames_count_the_same_everywhere() -> None:
    sound = np.concatenate([np.zeros(4000, np.float32), tone(0.5)])
    assert (frame_cpp(sound, RATE, double_log=True)[:18] == SILENT_FRAME).all()
