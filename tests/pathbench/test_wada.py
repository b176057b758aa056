"""WADA-SNR: golden scores, the table, a slow twin, and what must not change it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pathbench_twin as twin
from pathbench import WadaSnrEvaluator
from pathbench.wada import LOWEST_DB, G, wada_snr
from pathbench_golden import RATE, close, golden, recording, samples

SIGNAL = golden("signal")
UPSTREAM = WadaSnrEvaluator(compat="upstream")


def test_the_table_is_the_published_one() -> None:
    table = golden("tables")["wada"]
    assert list(G) == table["g"]
    assert (LOWEST_DB, LOWEST_DB + len(G) - 1) == (table["snr_db_first"], table["snr_db_last"])


@pytest.mark.parametrize("name", SIGNAL["whole_file"])
def test_golden_whole_files(name: str) -> None:
    assert close(UPSTREAM.score("u", recording(name)), SIGNAL["whole_file"][name]["wada_snr"], tol=2e-3)


@pytest.mark.parametrize("name", SIGNAL["array_16k"])
def test_golden_arrays(name: str) -> None:
    want = SIGNAL["array_16k"][name]["wada_snr"]
    assert close(UPSTREAM._score_audio(samples(name), RATE), want, tol=2e-3)


@pytest.mark.parametrize("name", SIGNAL["segment"])
def test_golden_parts(name: str) -> None:
    want = SIGNAL["segment"][name]
    assert close(UPSTREAM.score("u", recording(name), want["start"], want["end"]), want["wada_snr"], tol=2e-3)


def test_silence_has_no_ratio() -> None:
    silence = np.zeros(100, np.float32)
    assert WadaSnrEvaluator().detail_audio(silence, RATE)[:2] == (None, "silent")
    assert WadaSnrEvaluator(undefined="none").detail_audio(silence, RATE)[:2] == (None, "silent")
    found = UPSTREAM.detail_audio(silence, RATE)
    assert found.reason == "silent"
    assert found.value is not None
    assert math.isnan(found.value)
    assert WadaSnrEvaluator().detail_audio(silence[:0], RATE)[:2] == (None, "empty_audio")


@pytest.mark.parametrize("decibel", [-20, -17, 0, 30, 99, 100])
def test_a_statistic_in_the_table_gives_its_ratio(decibel: int) -> None:
    # two amplitudes, 1 and a, half of the samples each: the statistic is ln((1 + a) / 2) - ln(a) / 2
    want = G[decibel + 20] + 1e-9
    lo, hi = 1e-10, 1.0
    for _ in range(200):
        a = (lo + hi) / 2
        lo, hi = (a, hi) if math.log((1 + a) / 2) - math.log(a) / 2 > want else (lo, a)
    # the table is not monotone at its start: the last entry below the statistic counts
    last = max(i for i, g in enumerate(G) if g < want)
    beyond = 0.0 if decibel == 100 else (want - G[last]) / (G[last + 1] - G[last])
    assert wada_snr(np.array([1.0, -lo] * 50)) == pytest.approx(last - 20 + beyond, abs=1e-4)


def test_edges_of_the_table() -> None:
    assert wada_snr(np.ones(10)) == -20.0
    assert wada_snr(np.array([1.0, 0.0, 0.0])) == 100.0


sounds = arrays(np.float64, st.integers(1, 60), elements=st.floats(-1, 1, width=32)).filter(lambda x: x.any())


@given(sounds)
def test_slow_twin(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    assert wada_snr(x) == pytest.approx(twin.wada(x, G), abs=1e-7)


@given(sounds, st.floats(0.01, 100))
def test_gain_sign_and_order_do_not_matter(x: np.ndarray[tuple[int], np.dtype[np.float64]], gain: float) -> None:
    want = wada_snr(x)
    assert wada_snr(-gain * x[::-1]) == pytest.approx(want, abs=1e-6)


def test_more_noise_is_a_lower_ratio() -> None:
    rng = np.random.default_rng(0)
    speech = rng.gamma(0.4, size=80_000) * rng.choice([-1, 1], 80_000)
    found = [wada_snr(speech + level * rng.normal(size=80_000)) for level in (0.01, 0.03, 0.1, 0.3, 1.0)]
    assert found == sorted(found, reverse=True)
