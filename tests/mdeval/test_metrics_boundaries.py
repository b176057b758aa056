"""Boundaries: the worked example, matching by the full table, edges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.errors import UsageError
from mdeval.metrics.boundaries import Boundary, Edges, boundary, boundary_columns, count_matches
from mdeval_metrics import UEM, Turns, cells_of, example, total

TIMES = st.lists(st.integers(0, 60).map(lambda k: k / 8), max_size=12).map(sorted)


@pytest.mark.parametrize(("tolerance", "precision", "recall", "f1"), [(0.5, 0.0, 0.0, 0.0), (1.0, 0.6666667, 1.0, 0.8)])
def test_the_running_example(tolerance: float, precision: float, recall: float, f1: float) -> None:
    # diarization-metrics.md section 9: pyannote.metrics
    found = boundary(example(), tolerance=tolerance)
    assert (found.n_ref, found.n_sys) == (2, 3)
    assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1), abs=5e-8)
    assert boundary_columns(found) == {
        "boundary_precision": found.precision,
        "boundary_recall": found.recall,
        "boundary_f1": found.f1,
        "boundary_matches": found.n_matches,
        "ref_boundaries": 2,
        "sys_boundaries": 3,
    }


def test_both_edges_of_the_running_example() -> None:
    # inside 0-32: 8 10 20 22 30 and 9 21 23 27 30; the 0 is where the region begins
    found = boundary(example(), tolerance=1.0, edges="both")
    assert found == Boundary(4, 5, 5)  # 30-30, 8-9, 20-21, 22-23
    assert boundary(example(), tolerance=0.0, edges="both") == Boundary(1, 5, 5)


def test_both_edges_are_those_inside_the_regions() -> None:
    turns = [(1.0, 3.0, "A"), (3.0, 5.0, "B"), (6.0, 9.0, "A")]
    assert boundary(cells_of(turns, turns, [(2.0, 4.0), (5.0, 7.0)]), edges="both") == Boundary(2, 2, 2)  # 3 and 6


def test_equal_turns_of_two_speakers_are_one() -> None:
    # as pyannote.metrics, which works on timelines
    ref = [(0.0, 2.0, "A"), (0.0, 2.0, "B"), (3.0, 4.0, "A")]
    assert boundary(cells_of(ref, ref)) == Boundary(1, 1, 1)


@pytest.mark.parametrize(
    ("ref", "system", "precision", "recall"),
    [
        ([(0.0, 1.0, "A")], [(0.0, 1.0, "x")], 1.0, 1.0),
        ([(0.0, 1.0, "A"), (1.0, 2.0, "B")], [(0.0, 2.0, "x")], 1.0, 0.0),
        ([(0.0, 2.0, "A")], [(0.0, 1.0, "x"), (1.0, 2.0, "y")], 0.0, 1.0),
        ([], [], 1.0, 1.0),
    ],
)
def test_no_boundaries(ref: Turns, system: Turns, precision: float, recall: float) -> None:
    found = boundary(cells_of(ref, system, UEM))
    assert (found.precision, found.recall) == (precision, recall)


def test_recordings_add_up() -> None:
    assert total([boundary(example(), tolerance=1.0)] * 2) == Boundary(4, 4, 6)


@pytest.mark.parametrize(
    ("ref", "system", "tolerance", "n"),
    [
        ([1.0], [1.25], 0.25, 1),
        ([0.1 + 0.2], [0.55], 0.25, 1),  # 0.25 in decimals
        ([1.0], [1.2501], 0.25, 0),
        ([1.0, 1.5], [1.25], 0.25, 1),  # one to one
        ([1.0, 1.25], [1.125, 1.5], 0.25, 2),
        ([1.0, 1.25, 1.5], [1.25, 1.5, 1.75], 0.25, 2),  # nearest first, though another order would match three
        ([], [1.0], 1.0, 0),
        ([1.0, 1.0], [1.0, 1.0, 1.0], 0.0, 2),
    ],
)
def test_matching(ref: list[float], system: list[float], tolerance: float, n: int) -> None:
    assert count_matches(ref, system, tolerance) == n


@given(TIMES, TIMES, st.integers(0, 8).map(lambda k: k / 8))
def test_the_full_table_of_distances_gives_the_same(ref: list[float], system: list[float], tolerance: float) -> None:
    table = {(abs(r - s), r, s, i, j) for i, r in enumerate(ref) for j, s in enumerate(system)}
    n = 0
    while table and min(table)[0] <= tolerance:
        _, _, _, i, j = min(table)
        table = {entry for entry in table if entry[3] != i and entry[4] != j}
        n += 1
    assert count_matches(ref, system, tolerance) == n


@given(TIMES, TIMES)
def test_a_larger_tolerance_never_finds_less(ref: list[float], system: list[float]) -> None:
    found = [count_matches(ref, system, k / 8) for k in range(9)]
    assert all(a <= b for a, b in pairwise(found))
    assert count_matches(ref, system, 1e9) == min(len(ref), len(system))


def test_many_boundaries_take_no_table() -> None:
    n = 100_000  # 10^10 distances
    assert count_matches([float(k) for k in range(n)], [k + 0.125 for k in range(n)], 0.25) == n


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_tolerances_that_make_no_sense(tolerance: float) -> None:
    with pytest.raises(UsageError, match=r"tolerance is .*; it must be a finite number of seconds, 0 or more"):
        boundary(example(), tolerance=tolerance)


def test_edges_that_are_not_known() -> None:
    edges: Edges = "start"  # type: ignore[assignment]
    with pytest.raises(UsageError, match="edges is 'start'; it must be one of end, both"):
        boundary(example(), edges=edges)
