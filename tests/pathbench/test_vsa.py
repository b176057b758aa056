"""Vowel space area: golden areas, the tables of vowels, and speakers whose vowels cannot be found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench import UsageError, VSAEvaluator
from pathbench.vowels import VOWELS
from pathbench.vsa import hull_area, vowel_centres
from pathbench_golden import RATE, close, golden, recording, samples, tone

SPEAKER = golden("speaker")
TABLES = golden("tables")["vowel_formants_hz_F1_F2"]
CASES = [(group, key) for group, values in SPEAKER.items() for key in values if key.startswith("vsa_")]


@pytest.mark.parametrize(("group", "key"), CASES)
def test_golden(group: str, key: str) -> None:
    _, language, *gender = key.split("_")
    audios = [(samples(name), RATE) for name in SPEAKER[group]["files"]]
    found = VSAEvaluator(gender=gender[0] if gender else None)._score_audio_list(audios, language)
    assert close(found, SPEAKER[group][key], rel=1e-2)


def test_files_score_as_their_samples() -> None:
    places = [(recording(name), 0.0, -1.0) for name in SPEAKER["blue_all"]["files"]]
    assert close(VSAEvaluator().score(places, "es"), SPEAKER["blue_all"]["vsa_es"], rel=1e-2)


def test_vowels_are_the_published_ones() -> None:
    assert set(VOWELS) == set(TABLES)
    for language, table in TABLES.items():
        for gender, word in (("f", "female"), ("m", "male")):
            assert [list(pair) for pair in VOWELS[language][gender]] == table[word]  # type: ignore[index]
            assert len(table[word]) == table["clusters"]


@pytest.mark.parametrize("language", ["fr", "", "de-en", "english"])
def test_a_language_without_vowels(language: str) -> None:
    found = VSAEvaluator().detail_audio_list([(tone(0.5), RATE)], language)
    assert found[:2] == (None, "unsupported_language")
    assert "en, it, es, nl, zh, cmn" in str(found.extras["message"])


@pytest.mark.parametrize(
    ("audios", "reason"),
    [
        ([], "no_voiced_frames"),
        ([(np.zeros(16000, np.float32), RATE)], "no_voiced_frames"),
        ([(np.zeros(0, np.float32), RATE), (tone(0.01), RATE)], "no_voiced_frames"),
        ([(samples("BLUE_english34")[:2100], RATE)], "too_short"),
    ],
)
def test_speakers_without_vowels(
    audios: list[tuple[np.ndarray[tuple[int], np.dtype[np.float32]], int]], reason: str
) -> None:
    assert VSAEvaluator().detail_audio_list(audios, "nl")[:2] == (0.0, reason)
    assert VSAEvaluator(undefined="none").detail_audio_list(audios, "nl")[:2] == (None, reason)


def test_gender_goes_by_the_pitch_and_can_be_given() -> None:
    low, high = (tone(0.5, 120.0), RATE), (tone(0.5, 220.0), RATE)
    for audios, want in (([low], "m"), ([high], "f"), ([low, high], "f"), ([low, low, high], "m")):
        assert VSAEvaluator().detail_audio_list(audios, "en").extras["gender"] == want
        assert VSAEvaluator(gender="Female").detail_audio_list(audios, "en").extras["gender"] == "f"
    with pytest.raises(UsageError, match="must be f or m"):
        VSAEvaluator(gender="x")


def test_language_code_before_the_hyphen_counts() -> None:
    audios = [(samples("BLUE_english33"), RATE), (samples("BLUE_english34"), RATE)]
    want = VSAEvaluator()._score_audio_list(audios, "en")
    assert VSAEvaluator()._score_audio_list(audios, "en-us") == want
    assert VSAEvaluator()._score_audio_list(audios, "EN-GB") == want


@given(st.floats(0.5, 4), st.floats(-100, 100), st.integers(0, 20))
def test_areas_grow_with_the_square(scale: float, shift: float, seed: int) -> None:
    points = np.random.default_rng(seed).uniform(300, 2500, size=(12, 2))
    assert hull_area(scale * points + shift) == pytest.approx(scale**2 * hull_area(points), rel=1e-6)


def test_outliers_are_left_out() -> None:
    rng = np.random.default_rng(0)
    start = np.array(VOWELS["es"]["m"], dtype=float)
    points = np.concatenate([centre + rng.normal(scale=20, size=(60, 2)) for centre in start])
    stray = np.array([[3000.0, 5000.0], [50.0, 4500.0], [2500.0, 100.0]])
    kept, centres = vowel_centres(np.append(points, stray, axis=0), start)
    assert not np.isin(stray, kept).all()
    assert len(kept) < len(points) + len(stray)
    assert len(centres) == len(start)


def test_fewer_points_than_vowels_have_no_centres() -> None:
    start = np.array(VOWELS["nl"]["m"], dtype=float)
    assert len(vowel_centres(start[:6], start)[1]) == 0


@pytest.mark.parametrize("points", [np.full((60, 2), 800.0), np.outer(np.arange(1.0, 61), [10.0, 20.0])])
def test_vowels_on_a_point_or_a_line_have_no_area(monkeypatch: pytest.MonkeyPatch, points: object) -> None:
    monkeypatch.setattr("pathbench.vsa._points", lambda *_: points)
    found = VSAEvaluator().detail_audio_list([(tone(0.5), RATE)], "es")
    assert found[:2] == (0.0, "analysis_failed")
    assert "\n" not in str(found.extras["message"])


def test_picture() -> None:
    audios = [(samples("it_female"), RATE)]
    found = VSAEvaluator(visualize=True).detail_audio_list(audios, "it")
    axes = found.extras["figure"].axes[0]  # type: ignore[attr-defined]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("F2 (Hz)", "F1 (Hz)")
    assert axes.xaxis_inverted()
    assert axes.yaxis_inverted()
    assert "vowel space area 0.662 kHz²" in axes.get_title(loc="left")
    assert "figure" not in VSAEvaluator().detail_audio_list(audios, "it").extras
