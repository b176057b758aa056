"""Segmentation purity and coverage: the worked example, gaps, edges, frames."""

from __future__ import annotations

import pytest
from hypothesis import given

from mdeval.errors import UsageError
from mdeval.metrics.segmentation import Segmentation, segmentation, segmentation_columns
from mdeval_metrics import FRAME, REFS, SYSTEMS, Turns, cells_of, example, total


def test_the_running_example() -> None:
    # diarization-metrics.md section 9: pyannote.metrics
    found = segmentation(example())
    assert found == Segmentation(23.0, 26.0, 28.0)
    row = segmentation_columns(found)
    assert row["segmentation_coverage"] == pytest.approx(0.8214286, abs=5e-8)
    assert row["segmentation_purity"] == pytest.approx(0.9285714, abs=5e-8)
    assert row["segmentation_f1"] == pytest.approx(2 * 23 * 26 / (49 * 28))
    assert total([found, found]) == Segmentation(46.0, 52.0, 56.0)


@pytest.mark.parametrize(("gap", "total_"), [(0.25, 10.0), (0.4999, 10.0), (0.5, 9.5), (1.0, 9.0)])
def test_gaps_shorter_than_half_a_second_are_filled(gap: float, total_: float) -> None:
    ref = [(0.0, 5.0, "A"), (5.0 + gap, 10.0, "A")]
    assert segmentation(cells_of(ref, [(0.0, 10.0, "x")])).total == pytest.approx(total_)


def test_gaps_between_speakers_are_not_filled() -> None:
    ref = [(0.0, 5.0, "A"), (5.25, 10.0, "B")]
    assert segmentation(cells_of(ref, [(0.0, 10.0, "x")])).total == 9.75
    assert segmentation(cells_of(ref, [(0.0, 10.0, "x")]), max_gap=9.0).total == 9.75


def test_turns_that_touch_in_decimals_are_one_stretch() -> None:
    # 0.1 + 0.2 > 0.3: the system's piece 0-0.6 is one, of which the reference has two halves
    found = segmentation(cells_of([(0.0, 0.3, "A"), (0.1 + 0.2, 0.6, "B")], [(0.0, 0.6, "x")]))
    assert found.purity == pytest.approx(0.5)


def test_speech_outside_the_boundaries_of_the_system_is_in_no_piece() -> None:
    # as pyannote.metrics 4.2.0
    found = segmentation(cells_of([(0.0, 10.0, "A")], [(2.0, 4.0, "x"), (4.0, 5.0, "y")]))
    assert found == Segmentation(2.0, 3.0, 3.0)


@pytest.mark.parametrize(("ref", "system"), [([(0.0, 1.0, "A")], []), ([], [(0.0, 1.0, "x")]), ([], [])])
def test_empty_sides_have_no_rates(ref: Turns, system: Turns) -> None:
    found = segmentation(cells_of(ref, system, [(0.0, 2.0)]))
    assert set(segmentation_columns(found).values()) == {None}


@given(REFS, SYSTEMS)
def test_frames_give_the_same(ref: Turns, system: Turns) -> None:
    last = 100
    speech = {
        name: [any(a < (k + 0.5) * FRAME < b and n == name for a, b, n in ref) for k in range(last)] for name in "ABC"
    }
    for active in speech.values():
        for k in range(last):
            if not active[k]:  # fill gaps of at most 3 frames, 0.375 s
                before = next((j for j in range(k, -1, -1) if active[j]), None)
                after = next((j for j in range(k, last) if active[j]), None)
                if before is not None and after is not None and after - before <= 4:
                    active[before + 1 : after] = [True] * (after - before - 1)
    sys_cuts = {round(t / FRAME) for turn in system for t in turn[:2]}
    pieces = []
    a = b = 0
    for k in range(last):
        now = [speech[n][k] for n in "ABC"]
        was = [speech[n][k - 1] if k else False for n in "ABC"]
        a += now != was  # a filled reference boundary
        b += k in sys_cuts or not any(was)
        if any(now) and sys_cuts and min(sys_cuts) <= k < max(sys_cuts):
            pieces.append((a, b))
    covered = sum(max(pieces.count(p) for p in set(pieces) if p[0] == x) for x in {p[0] for p in pieces})
    pure = sum(max(pieces.count(p) for p in set(pieces) if p[1] == x) for x in {p[1] for p in pieces})
    found = segmentation(cells_of(ref, system))
    touching = any(r[1] == q[0] and r[2] != q[2] for r in ref for q in ref)
    if not touching:  # there, one speaker may follow another without a change of who is active being seen
        assert found == Segmentation(FRAME * covered, FRAME * pure, FRAME * len(pieces))
    assert found.total == FRAME * len(pieces)


@pytest.mark.parametrize("max_gap", [-0.1, float("nan"), float("inf")])
def test_gaps_that_make_no_sense(max_gap: float) -> None:
    with pytest.raises(UsageError, match=r"max_gap is .*; it must be a finite number of seconds, 0 or more"):
        segmentation(example(), max_gap=max_gap)
