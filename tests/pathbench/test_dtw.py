"""Warping: the golden example, a slow twin with the same rule for equal costs, and what a path must be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import pathbench_twin as twin
from pathbench.dtw import align
from pathbench_golden import golden

Sequence = np.ndarray[tuple[int, int], np.dtype[np.float64]]
EXAMPLE = golden("tables")["stoi_dtw_example"]
small = st.integers(1, 7).flatmap(lambda n: arrays(np.float64, (n, 2), elements=st.integers(0, 2).map(float)))


def cost(x: Sequence, y: Sequence) -> float:
    """Add up the costs along the path."""
    return float(sum(np.linalg.norm(x[i] - y[j]) for i, j in align([x], y)[0]))


def test_golden_example() -> None:
    x, y = np.array(EXAMPLE["x"]).T, np.array(EXAMPLE["y"]).T
    assert align([x], y)[0].tolist() == EXAMPLE["path_end_to_start"]
    for n in range(1, 5):  # every cell of the accumulated costs is the cost of a shorter path
        for m in range(1, 4):
            assert cost(x[:n], y[:m]) == EXAMPLE["accumulated"][n - 1][m - 1]


@given(st.lists(small, min_size=1, max_size=4), small)
def test_slow_twin_with_many_equal_costs(
    firsts: list[Sequence],
    second: Sequence,
) -> None:
    found = align(firsts, second)
    assert [path.tolist() for path in found] == [[list(p) for p in twin.warp(first, second)] for first in firsts]


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (40, 30), (30, 40)])
def test_slow_twin_of_real_numbers(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(shape[0], 15)), rng.normal(size=(shape[1], 15))
    assert align([x], y)[0].tolist() == [list(point) for point in twin.warp(x, y)]


@given(small, small)
def test_a_path_goes_from_end_to_start_by_single_steps(x: Sequence, y: Sequence) -> None:
    path = align([x], y)[0]
    assert path[0].tolist() == [len(x) - 1, len(y) - 1]
    assert path[-1].tolist() == [0, 0]
    assert {tuple(step) for step in -np.diff(path, axis=0)} <= {(1, 1), (0, 1), (1, 0)}
    assert cost(x, y) == pytest.approx(sum(np.linalg.norm(x[i] - y[j]) for i, j in twin.warp(x, y)))


@given(small)
def test_a_sequence_costs_nothing_against_itself(x: Sequence) -> None:
    assert cost(x, x) == 0.0


def test_groups_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    firsts, second = [rng.normal(size=(n, 3)) for n in (5, 30, 12, 1, 8)], rng.normal(size=(20, 3))
    want = [path.tolist() for path in align(firsts, second)]
    monkeypatch.setattr("pathbench.dtw._CELLS", 1300)
    assert [path.tolist() for path in align(firsts, second)] == want
