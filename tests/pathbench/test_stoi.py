"""P-STOI and P-ESTOI: golden scores, slow twins, what must not change them, and references that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pathbench import ESTOIEvaluator, PSTOIEvaluator, UsageError, stoi
from pathbench.intelligibility import band_envelopes
from pathbench_golden import golden, recording, samples, write

if TYPE_CHECKING:
    from pathlib import Path

    Place = tuple[str, float, float]

REFERENCE = golden("reference")
CLASSES: dict[str, type[PSTOIEvaluator | ESTOIEvaluator]] = {"p_stoi": PSTOIEvaluator, "p_estoi": ESTOIEvaluator}
# silence in a signal with a mean subtracted is rounding noise, which no two transforms share
NOISY = {("padded", "p_estoi[zero_mean,frame_deletion=True]"), ("padded", "p_estoi[zero_mean,frame_deletion=False]")}


def whole(*names: str) -> list[Place]:
    return [(recording(name), 0.0, -1.0) for name in names]


def evaluator(key: str, **more: Any) -> PSTOIEvaluator | ESTOIEvaluator:
    """Read the name of a golden score, such as ``p_stoi[RMS,frame_deletion=False]``."""
    name, _, options = key.rstrip("]").partition("[")
    for option in filter(None, options.split(",")):
        field, _, value = option.partition("=")
        more |= {field: {"True": True, "False": False}.get(value, value)} if value else {"normalization_method": field}
    if "centroid_ind" in more:
        more["centroid_ind"] = int(more["centroid_ind"])
    return CLASSES[name](**more)


GOLDEN = [
    (case, key)
    for case, scores in REFERENCE.items()
    for key, value in scores.items()
    if key.startswith("p_") and isinstance(value, float) and case not in ("short_test", "empty_test")
]


@pytest.mark.parametrize(("case", "key"), GOLDEN)
def test_golden(case: str, key: str) -> None:
    wanted = REFERENCE[case]
    found = evaluator(key).score("u", recording(wanted["test"]), whole(*wanted["refs"]), wanted["start"], wanted["end"])
    assert found == pytest.approx(wanted[key], abs=1e-2 if (case, key) in NOISY else 1e-6)


def test_golden_is_not_empty() -> None:
    assert len(GOLDEN) > 30
    assert {key for _, key in GOLDEN if key.startswith("p_stoi[zero")}


@pytest.mark.parametrize(
    ("case", "value", "reason"),
    [
        ("one_ref", None, "few_references"),
        ("no_ref", None, "no_reference"),
        ("silent_test", 0.0, "silent"),
        ("silent_ref", None, "few_references"),
        ("short_test", None, "too_short"),
        ("empty_test", None, "empty_audio"),
        ("missing_test", None, "load_error"),
    ],
)
@pytest.mark.parametrize("key", CLASSES)
def test_what_upstream_raises_or_calls_zero(case: str, value: float | None, reason: str, key: str) -> None:
    wanted = REFERENCE[case]
    found = evaluator(key).score_detail("u", recording(wanted["test"]), whole(*wanted["refs"]))
    assert found[:2] == (value, reason)
    assert evaluator(key, undefined="none").score("u", recording(wanted["test"]), whole(*wanted["refs"])) is None


@pytest.mark.parametrize("key", CLASSES)
def test_few_frames_are_zero_upstream(key: str) -> None:
    case = REFERENCE["short_test"]
    found = evaluator(key, compat="upstream").score("u", recording(case["test"]), whole(*case["refs"]))
    assert found == case[key] == 0.0


@pytest.mark.parametrize("key", CLASSES)
def test_references_that_cannot_be_used_are_skipped_and_named(key: str) -> None:
    bad = [("lost.wav", 0.0, -1.0), *whole("zero", "short500", "empty")]
    good = whole("en_clean", "en_8k")
    found = evaluator(key).score_detail("u", recording("en_noisy"), [bad[0], good[0], *bad[1:], good[1]])
    assert found.value == evaluator(key).score("u", recording("en_noisy"), good)
    assert found.extras["n_references"] == 2
    words = str(found.extras["skipped"])
    for name in ("lost.wav: no such file", "zero.flac: digital silence", "too short", "empty.wav: has no samples"):
        assert name in words
    assert evaluator(key).score_detail("u", recording("en_noisy"), bad).reason == "no_reference"


@pytest.mark.parametrize("key", CLASSES)
def test_one_reference_is_enough_with_the_centroid(key: str) -> None:
    found = evaluator(key, include_centroid=True).score("u", recording("en_clean"), whole("en_clean"))
    assert found == pytest.approx(1.0)
    pair = evaluator(key, include_centroid=True).score("u", recording("en_noisy"), whole("en_clean", "en_8k"))
    assert pair != evaluator(key).score("u", recording("en_noisy"), whole("en_clean", "en_8k"))


def test_a_centroid_that_is_not_there() -> None:
    found = PSTOIEvaluator(centroid_ind=2).score_detail("u", recording("en_clean"), whole("en_clean", "en_noisy"))
    assert found.reason == "few_references"
    assert "3 are needed" in str(found.extras["message"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"normalization_method": "peak"}, "must be 'RMS' or 'zero_mean'"),
        ({"fs": 8000}, "16000 Hz only"),
        ({"centroid_ind": -1}, "counted from 0"),
        ({"undefined": "nan"}, "must be 'zero' or 'none'"),
        ({"compat": "matlab"}, "must be 'upstream' or None"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ESTOIEvaluator(**wrong)


@pytest.mark.parametrize("key", CLASSES)
@pytest.mark.parametrize("gain", [0.1, 0.5])
def test_the_level_of_a_recording_does_not_matter(key: str, gain: float, tmp_path: Path) -> None:
    quiet = samples("en_noisy") * gain
    np.testing.assert_allclose(band_envelopes(quiet), band_envelopes(samples("en_noisy")), atol=1e-6)
    path = write(tmp_path / "quiet.wav", quiet)
    references = whole("en_clean", "en_8k")
    found, want = (evaluator(key).score("u", place, references) for place in (path, recording("en_noisy")))
    assert found == pytest.approx(want, abs=2e-2)  # 16 bit at a lower level are other samples


@pytest.mark.parametrize("key", CLASSES)
def test_scores_lie_between_minus_one_and_one(key: str) -> None:
    names = ["BLUE_japanese10", "BLUE_english32", "BLUE_english33", "BLUE_english34"]
    for name in names:
        found = evaluator(key).score("u", recording(name), whole(*(other for other in names if other != name)))
        assert found is not None
        assert -1.0 <= found <= 1.0


def test_more_noise_is_less_intelligible(tmp_path: Path) -> None:
    clean = samples("en_clean")[:32000]
    noise = np.random.default_rng(0).normal(size=len(clean))
    references = [(recording("en_clean"), 0.0, 2.0), (recording("en_clean"), 0.0, 2.0)]
    found = []
    for level in (0.001, 0.01, 0.05):
        path = write(tmp_path / f"{level}.wav", clean + level * noise)
        found.append(ESTOIEvaluator().score("u", path, references) or 0.0)
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1] + 0.1


def test_a_changed_reference_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "r.wav", samples("BLUE_english32"))
    references = [*whole("BLUE_english33"), (path, 0.0, -1.0)]
    before = ESTOIEvaluator().score("u", recording("BLUE_japanese10"), references)
    write(tmp_path / "r.wav", samples("BLUE_english34"))
    after = ESTOIEvaluator().score("u", recording("BLUE_japanese10"), references)
    assert before != after
    assert after == ESTOIEvaluator().score("u", recording("BLUE_japanese10"), whole("BLUE_english33", "BLUE_english34"))


def test_what_is_remembered_can_be_forgotten() -> None:
    references = whole("BLUE_english32", "BLUE_english33")
    before = ESTOIEvaluator().score("u", recording("BLUE_japanese10"), references)
    assert stoi._ENVELOPES
    assert stoi._PATTERNS
    stoi.forget()
    assert not stoi._ENVELOPES
    assert not stoi._PATTERNS
    assert ESTOIEvaluator().score("u", recording("BLUE_japanese10"), references) == before
    assert len(stoi._PATTERNS) == 1
