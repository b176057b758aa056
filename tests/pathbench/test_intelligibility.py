"""The computing behind P-STOI and P-ESTOI: slow twins, flat and short signals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathbench_twin as twin
from pathbench.intelligibility import band_envelopes, correlate_bands, correlate_frames, matched, normalize, pattern
from pathbench_golden import samples, tone


def envelopes(seed: int, n: int, dims: int = 15) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.random.default_rng(seed).normal(size=(n, dims))
    return np.asarray(found - found.mean(axis=0))


@given(st.integers(0, 99), st.lists(st.integers(1, 20), min_size=2, max_size=4), st.data())
def test_slow_twin_of_patterns(seed: int, lengths: list[int], data: st.DataObject) -> None:
    some = [envelopes(seed + n, length) for n, length in enumerate(lengths)]
    centroid = data.draw(st.integers(0, len(some) - 1))
    np.testing.assert_allclose(pattern(some, centroid), twin.pattern(some, centroid), rtol=1e-12)


@given(st.integers(0, 99), st.integers(1, 30), st.integers(1, 30), st.booleans())
def test_slow_twin_of_frames_that_belong_together(seed: int, n: int, m: int, deletion: bool) -> None:
    found = matched(envelopes(seed, n), envelopes(seed + 1, m), frame_deletion=deletion)
    want = twin.matched(envelopes(seed, n), envelopes(seed + 1, m), deletion=deletion)
    for one, other in zip(found, want, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@settings(max_examples=20)
@given(st.integers(0, 99), st.integers(2, 25))
def test_slow_twins_of_correlations(seed: int, n: int) -> None:
    u, v = 10 ** envelopes(seed, n), 10 ** envelopes(seed + 1, n)
    assert correlate_bands(u, v) == pytest.approx(twin.p_stoi(u, v), abs=1e-9)
    assert correlate_frames(u, v) == pytest.approx(twin.p_estoi(u, v), abs=1e-9)


def test_flat_bands_do_not_correlate() -> None:
    u, v = np.ones((20, 15)), 10 ** envelopes(0, 20)
    assert correlate_bands(u, v) == 0.0
    assert correlate_frames(u, v) == 0.0


def test_short_sounds_have_no_envelopes() -> None:
    assert band_envelopes(tone(0.04)).shape == (0, 15)
    assert band_envelopes(tone(0.04), allow_short=True).shape == (2, 15)
    assert band_envelopes(tone(0.512)).shape == (32 - 4, 15)
    np.testing.assert_allclose(band_envelopes(samples("en_8k")).mean(axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize("gain", [0.01, 1.0, 50.0])
def test_levels(gain: float) -> None:
    sound = gain * tone(0.1).astype(np.float64) + 0.1
    assert np.abs(normalize(sound, "RMS")).max() == pytest.approx(0.8)
    standard = normalize(sound, "zero_mean")
    assert (standard.mean(), standard.std()) == (pytest.approx(0.0, abs=1e-9), pytest.approx(1.0))


def test_silence_and_constants_stay() -> None:
    for sound in (np.zeros(100), np.full(100, 0.25)):
        np.testing.assert_array_equal(normalize(sound, "zero_mean"), sound)
    np.testing.assert_array_equal(normalize(np.zeros(100), "RMS"), np.zeros(100))


def test_the_centroid_takes_part_if_wanted() -> None:
    some = [envelopes(1, 10), envelopes(2, 10)]
    both = pattern(some, 0, include_centroid=True)
    np.testing.assert_allclose(10**both, (10 ** pattern(some, 0) + 10 ** some[0]) / 2)
    np.testing.assert_allclose(pattern(some[:1], 0, include_centroid=True), some[0])
