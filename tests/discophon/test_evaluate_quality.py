"""PNMI and the probability of a phone given a unit."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import discophon_twin as twin
from discophon.evaluate import LabelledMatrix, pnmi, probability_phone_given_unit

TABLES = arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(0, 9))


def matrix(values: Any) -> LabelledMatrix:
    counts = np.array(values)
    return LabelledMatrix(counts, tuple(f"p{i}" for i in range(len(counts))), tuple(range(counts.shape[1])))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([[4, 0], [0, 4]], 1.0),
        ([[2, 2], [2, 2]], 0.0),
        ([[4, 4], [0, 0]], 0.0),  # one phone: nothing to know
        ([[0, 0], [0, 0]], 0.0),
        # half of the frames are sure: H = log 2, I = H(p) - H(p|u) = log 2 - 1/2 log 2
        ([[2, 0, 2], [0, 2, 2]], 0.5),
        ([[3, 1], [1, 3]], 1 - (0.75 * log(4 / 3) + 0.25 * log(4)) / log(2)),
    ],
)
def test_worked(counts: list[list[int]], expected: float) -> None:
    assert pnmi(matrix(counts)) == pytest.approx(expected, rel=0, abs=1e-15)


@given(TABLES)
def test_the_slow_twin_agrees(counts: np.ndarray) -> None:
    found = pnmi(matrix(counts))
    assert 0.0 <= found <= 1.0
    if counts.sum():
        assert found == pytest.approx(twin.pnmi([("", row) for row in counts.tolist()]), rel=0, abs=1e-12)


@given(TABLES, st.randoms())
def test_order_and_scale_do_not_matter(counts: np.ndarray, dice: Any) -> None:
    rows, columns = list(range(counts.shape[0])), list(range(counts.shape[1]))
    dice.shuffle(rows)
    dice.shuffle(columns)
    assert pnmi(matrix(7 * counts[rows][:, columns])) == pytest.approx(pnmi(matrix(counts)), rel=0, abs=1e-12)


def test_probabilities_are_ordered_for_a_diagonal() -> None:
    # oracle: discophon 0.2.0 on the same frames
    counts = [[2, 1, 1, 0, 5, 2, 3, 0], [0, 1, 3, 2, 3, 2, 0, 0], [0, 1, 1, 2, 2, 2, 0, 0], [0, 1, 1, 0, 2, 2, 1, 0]]
    found = probability_phone_given_unit(matrix(counts))
    assert found.units == (0, 6, 4, 5, 1, 3, 2)
    assert found.phones == ("p0", "p1", "p2", "p3")
    assert found.values[:, 0].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found.values[:, 1].tolist() == [0.75, 0.0, 0.0, 0.25]


@given(TABLES)
def test_every_used_unit_has_a_distribution(counts: np.ndarray) -> None:
    found = probability_phone_given_unit(matrix(counts))
    assert sorted(found.units) == np.flatnonzero(counts.sum(axis=0)).tolist()
    assert found.values.sum(axis=0) == pytest.approx(np.ones(len(found.units)))
    for column, unit in enumerate(found.units):
        assert found.values[:, column] == pytest.approx(counts[:, unit] / counts[:, unit].sum())
    best = found.values.argmax(axis=0) if found.units else np.zeros(0)
    assert (np.diff(best) >= 0).all()


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60), st.integers(0, 4))
def test_one_phone_alone_leaves_nothing_to_know(frames: list[int], n_empty: int) -> None:
    values = np.zeros((1 + n_empty, len(frames)), np.int64)
    values[n_empty] = frames  # shares of many units add up to 1 only nearly
    assert pnmi(LabelledMatrix(values, tuple(map(str, range(1 + n_empty))), tuple(range(len(frames))))) == 0.0


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_one_unit_alone_tells_nothing(frames: list[int]) -> None:
    values = np.array(frames, np.int64)[:, None]
    assert pnmi(LabelledMatrix(values, tuple(map(str, range(len(frames)))), (0,))) == 0.0
