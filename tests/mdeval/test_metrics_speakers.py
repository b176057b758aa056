"""Purity, coverage, homogeneity, completeness and the number of speakers."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given

from mdeval.metrics.speakers import (
    PurityCoverage,
    SpeakerCount,
    homogeneity_columns,
    homogeneity_completeness,
    purity_columns,
    purity_coverage,
    speaker_count,
    speaker_count_columns,
)
from mdeval_metrics import FRAME, REFS, SYSTEMS, UEM, Turns, cells_of, entropy, example, frames, total


def test_purity_of_the_running_example() -> None:
    # diarization-metrics.md section 4: pyannote.metrics
    found = purity_coverage(example())
    assert found == PurityCoverage(24.0, 28.0, 24.0, 30.0)
    row = purity_columns(found)
    assert row["purity"] == pytest.approx(0.8571429, abs=5e-8)
    assert row["coverage"] == pytest.approx(0.8)
    assert row["purity_coverage_f1"] == pytest.approx(48 / 58)


def test_one_big_cluster() -> None:
    # conformance case md-purity-one-big-cluster (pyannote-metrics#55)
    found = purity_coverage(cells_of([(2.0, 5.0, "a"), (6.0, 11.0, "b")], [(2.0, 12.0, "A")], [(0.0, 12.0)]))
    assert (found.purity, found.coverage) == (0.5, 1.0)


def test_one_big_cluster_without_a_uem() -> None:
    # 1 s of the cluster lies after the last reference turn, hence outside the inferred region
    found = purity_coverage(cells_of([(2.0, 5.0, "a"), (6.0, 11.0, "b")], [(2.0, 12.0, "A")]))
    assert found.purity == pytest.approx(5 / 9)


def test_an_empty_system_has_no_purity() -> None:
    found = purity_coverage(cells_of([(0.0, 2.0, "A")], []))
    assert not found.defined
    assert purity_columns(found) == {"purity": None, "coverage": 0.0, "purity_coverage_f1": None}


def test_an_empty_reference_has_no_coverage() -> None:
    found = purity_coverage(cells_of([], [(0.0, 2.0, "x")], UEM))
    assert found.defined
    assert purity_columns(found) == {"purity": 0.0, "coverage": None, "purity_coverage_f1": None}


@given(REFS, SYSTEMS)
def test_frames_give_the_same_purity(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    found = frames(cells)
    pure = covered = 0
    for s in "wxyz":
        pure += max(sum(r in a and s in b for a, b in found) for r in "ABC")
    for r in "ABC":
        covered += max(sum(r in a and s in b for a, b in found) for s in "wxyz")
    whole = [sum(len(pair[side]) for pair in found) for side in (1, 0)]
    assert purity_coverage(cells) == PurityCoverage(*(FRAME * n for n in (pure, whole[0], covered, whole[1])))


def test_homogeneity_of_the_running_example() -> None:
    # diarization-metrics.md section 5: pyannote.metrics
    row = homogeneity_columns(homogeneity_completeness(example()))
    assert row["homogeneity"] == pytest.approx(0.5601954, abs=5e-8)
    assert row["completeness"] == pytest.approx(0.6035951, abs=5e-8)
    assert row["v_measure"] == pytest.approx(2 * 0.5601954 * 0.6035951 / (0.5601954 + 0.6035951), abs=1e-7)


@pytest.mark.parametrize(
    ("ref", "system", "homogeneity", "completeness"),
    [
        ([(0.0, 4.0, "A")], [(0.0, 1.0, "x"), (1.0, 4.0, "y")], 1.0, 0.0),
        ([(0.0, 1.0, "A"), (1.0, 4.0, "B")], [(0.0, 4.0, "x")], 0.0, 1.0),
        ([(0.0, 0.1, "A"), (0.1, 0.3, "A")], [(0.0, 0.3, "x")], 1.0, 1.0),
        ([(0.0, 4.0, "A")], [], 1.0, 1.0),
        ([(0.0, 0.1, "A"), (0.2, 0.7, "B")], [(0.0, 0.1, "x"), (0.2, 0.7, "y")], 1.0, 1.0),
    ],
)
def test_edges_of_homogeneity(ref: Turns, system: Turns, homogeneity: float, completeness: float) -> None:
    found = homogeneity_completeness(cells_of(ref, system))
    assert (found.homogeneity, found.completeness) == pytest.approx((homogeneity, completeness), abs=1e-12)


def test_recordings_pool_their_entropies() -> None:
    one = homogeneity_completeness(example())
    both = total([one, homogeneity_completeness(cells_of([(0.0, 4.0, "A")], [(0.0, 1.0, "x"), (1.0, 4.0, "y")]))])
    assert both.homogeneity == one.homogeneity
    assert both.sys_entropy == pytest.approx(one.sys_entropy + log(4) - 0.75 * log(3))


@given(REFS, SYSTEMS)
def test_frames_give_the_same_entropies(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    pairs = [(r, s) for refs, systems in frames(cells) for r in sorted(refs) for s in sorted(systems)]
    found = homogeneity_completeness(cells)
    h_ref, h_sys = entropy([r for r, _ in pairs]) * log(2), entropy([s for _, s in pairs]) * log(2)
    h_both = entropy(pairs) * log(2)
    assert (
        found.ref_entropy,
        found.ref_entropy_given_sys,
        found.sys_entropy,
        found.sys_entropy_given_ref,
    ) == pytest.approx((h_ref, h_both - h_sys, h_sys, h_both - h_ref), abs=1e-9)


def test_the_number_of_speakers() -> None:
    # diarization-metrics.md section 10: pyannote.metrics
    right = speaker_count(example())
    assert (right.error, right.accuracy) == (0.0, 1.0)
    ref, system = example().ref, example().system
    wrong = speaker_count(cells_of(ref, [*system, (30.0, 31.0, "w")], [(0.0, 32.0)]))
    assert wrong == SpeakerCount(3, 4, 1, 0, 1)
    assert speaker_count_columns(right + wrong) == {
        "n_ref_speakers": 6,
        "n_sys_speakers": 7,
        "speaker_count_difference": 1,
        "speaker_count_error": 0.5,
        "speaker_count_accuracy": 0.5,
    }


def test_speakers_outside_the_regions_do_not_count() -> None:
    assert speaker_count(cells_of([(0.0, 1.0, "A"), (5.0, 6.0, "B")], [(5.0, 6.0, "x")], [(0.0, 2.0)])) == (
        SpeakerCount(1, 0, 1, 0, 1)
    )


def test_no_recordings_have_no_error() -> None:
    none = SpeakerCount(0, 0, 0, 0, 0)
    assert none.error is None
    assert none.accuracy is None
