"""The Gabor transform and its bands."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathbench_twin as twin
from pathbench.gabor import BANDS, band_magnitudes, magnitudes, tight_window
from pathbench_golden import golden

TABLES = golden("tables")


def test_window_is_the_published_one() -> None:
    want = TABLES["tight_window"]
    window = np.roll(tight_window(), -256)  # from the centre
    np.testing.assert_allclose(window[:4], want["first_four"], rtol=1e-12)
    np.testing.assert_allclose(window[255:258], want["index_255_to_257"], rtol=1e-12, atol=1e-15)
    assert window.sum() == pytest.approx(want["sum"], rel=1e-12)
    assert (window**2).sum() == pytest.approx(want["sum_sq"], rel=1e-12)


def test_bands_are_the_published_ones() -> None:
    bands = TABLES["third_octave"]["bands"]
    assert [(band["first_bin"], band["last_bin"] + 1) for band in bands] == list(pairwise(BANDS))
    centres = 150 * 2 ** (np.arange(15) / 3)
    edges = np.rint(np.append(centres * 2 ** (-1 / 6), centres[-1] * 2 ** (1 / 6)) / 31.25)
    assert edges.astype(int).tolist() == list(BANDS)


def test_golden_transform_of_a_tone() -> None:
    want = TABLES["dgt_example"]
    found = magnitudes(np.sin(2 * np.pi * 440 * np.arange(2000) / 16000))
    assert len(found) == want["frames"]
    np.testing.assert_allclose(found[:, 14], want["abs_bin14_frames"], rtol=1e-9)
    assert (found**2).sum() == pytest.approx(want["total_energy_half_spectrum"], rel=1e-9)


@pytest.mark.parametrize("n", [1, 300, 512, 1300])
def test_slow_twin(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    np.testing.assert_allclose(magnitudes(x), twin.gabor(x), atol=1e-10)


@given(st.integers(1, 3000), st.integers(0, 5))
def test_energy_is_kept(n: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=n)
    power = magnitudes(x) ** 2
    both_sides = 2 * power.sum() - power[:, 0].sum() - power[:, -1].sum()
    assert both_sides == pytest.approx((x**2).sum(), rel=1e-9)  # the window is tight


def test_silent_frames_are_left_out() -> None:
    x = np.zeros(5120)
    x[1024:1536] = np.random.default_rng(0).normal(size=512)
    assert len(magnitudes(x)) == 20
    assert len(band_magnitudes(x)) == 3
    assert band_magnitudes(np.zeros(2000)).shape == (0, 15)


def test_bands_add_the_energy_of_their_bins() -> None:
    x = np.random.default_rng(1).normal(size=4000)
    power = magnitudes(x) ** 2
    want = np.stack([power[:, first:last].sum(axis=1) for first, last in pairwise(BANDS)], axis=1)
    np.testing.assert_allclose(band_magnitudes(x) ** 2, want, rtol=1e-12)
