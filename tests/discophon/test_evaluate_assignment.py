"""Counts, and which phone a unit stands for."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

import discophon_twin as twin
from discophon.errors import MismatchError, OutOfRangeError, UsageError
from discophon.evaluate import LabelledMatrix, cooccurrence_matrix, phone_assignments, phoneme_discovery
from discophon.evaluate.lsap import assign_most
from discophon_strategies import Corpus, corpora

# the worked example of the benchmark's definition
UNITS = {"f": [2, 2, 0, 1, 1, 1]}
PHONES = {"f": ["x", "x", "y", "y", "y", "x", "z", "z", "z", "z", "z", "z"]}


def square(size: int, most: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.int64, (size, size), elements=st.integers(0, most))


def test_rows_by_total_and_among_equals_the_later_first() -> None:
    counts = cooccurrence_matrix(UNITS, PHONES, n_units=4, n_phonemes=4)
    assert counts.phones == ("z", "y", "x", "<missing-4>", "<missing-3>")
    assert counts.values.tolist() == [[0, 6, 0, 0], [1, 0, 2, 0], [1, 0, 2, 0], [0] * 4, [0] * 4]
    assert (counts.shape, counts.dims) == ((5, 4), ("phone", "unit"))
    assert counts.coords["phone"].values.tolist() == list(counts.phones)
    assert counts.coords["unit"].values.tolist() == [0, 1, 2, 3]


def test_a_label_only_in_what_is_cut_is_not_met() -> None:
    # oracle: discophon 0.2.0; c is in frame 9 of f, which has units for 8 frames only
    units, phones = {"f": [0, 0, 1, 1], "g": [0, 1]}, {"f": [*"aaaabbbbc"], "g": [*"ccaa"]}
    assert cooccurrence_matrix(units, phones, n_units=2, n_phonemes=2).phones == ("a", "b", "c")
    scores = phoneme_discovery(units, phones, kind="many-to-one", n_units=2, n_phonemes=2)
    assert scores == pytest.approx(
        {"pnmi": 0.37066295792317305, "per": 0.6, "f1": 0.8, "r_val": 0.7642977396044841}, rel=0, abs=1e-12
    )
    only = ({"f": [0, 0, 1, 1]}, {"f": [*"aaaabbbbc"]})
    assert phoneme_discovery(*only, kind="many-to-one", n_units=2, n_phonemes=1)["per"] == 1 / 3
    assert cooccurrence_matrix(*only, n_units=2, n_phonemes=2).phones == ("b", "a", "<missing-2>")


def test_the_language_may_give_the_number_of_phonemes() -> None:
    assert cooccurrence_matrix(UNITS, PHONES, n_units=4, language="swa").shape == (30, 4)
    with pytest.raises(UsageError, match="neither is given"):
        cooccurrence_matrix(UNITS, PHONES, n_units=4)


@given(corpora())
def test_counts_as_the_slow_twin(corpus: Corpus) -> None:
    counts = cooccurrence_matrix(corpus.units, corpus.phones, **corpus.options)
    expected = twin.rows(corpus.units, corpus.phones, corpus.n_units, corpus.n_phonemes, corpus.repeats)
    assert list(zip(counts.phones, counts.values.tolist(), strict=True)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [("many-to-one", ["y", "z", "y", "z"]), ("one-to-one", ["x", "z", "y", "<missing-3>"])]
)
def test_assignment_with_an_unused_unit(kind: str, expected: list[str]) -> None:
    # oracle: discophon 0.2.0
    counts = cooccurrence_matrix(UNITS, PHONES, n_units=4, n_phonemes=3)
    assert phone_assignments({"all": [0, 1, 2, 3]}, counts, kind=kind) == {"all": expected}  # type: ignore[arg-type]


def test_assignments_keep_files_and_lengths() -> None:
    counts = cooccurrence_matrix(UNITS, PHONES, n_units=4, n_phonemes=3)
    assert phone_assignments({"g": [], "a": [1, 1]}, counts, kind="many-to-one") == {"g": [], "a": ["z", "z"]}
    for unit in (4, -1):
        with pytest.raises(OutOfRangeError, match=f"file 'a': unit number 2 is {unit}, not from 0 to 3"):
            phone_assignments({"a": [0, unit]}, counts, kind="many-to-one")
    with pytest.raises(UsageError, match="unknown kind"):
        phone_assignments({"a": [0]}, counts, kind="some")  # type: ignore[arg-type]


def test_one_to_one_needs_a_square() -> None:
    counts = cooccurrence_matrix(UNITS, PHONES, n_units=4, n_phonemes=4)
    with pytest.raises(MismatchError, match="5 units for 4 phonemes, not 4"):
        phone_assignments(UNITS, counts, kind="one-to-one")


@given(st.tuples(st.integers(1, 9), st.integers(0, 4)).flatmap(lambda size: square(*size)))
def test_ties_are_as_in_scipy(weights: np.ndarray) -> None:
    """Small counts make many equal assignments; all choices must be the same."""
    assert assign_most(weights).tolist() == linear_sum_assignment(weights, maximize=True)[1].tolist()


def test_many_seeded_tables_are_as_in_scipy() -> None:
    dice = np.random.default_rng(22)
    for size, most in itertools.product(range(1, 44, 3), (1, 2, 3, 10, 5000)):
        weights = dice.integers(0, most, (size, size))
        weights[dice.random((size, size)) < dice.random()] = 0
        assert assign_most(weights).tolist() == linear_sum_assignment(weights, maximize=True)[1].tolist()


@given(st.integers(1, 5).flatmap(lambda size: square(size, 6)))
def test_no_assignment_has_a_larger_sum(weights: np.ndarray) -> None:
    columns = assign_most(weights)
    assert sorted(columns.tolist()) == list(range(len(weights)))
    assert weights[np.arange(len(weights)), columns].sum() == twin.best_sum(weights.tolist())


def test_the_matrix_is_light_but_complete() -> None:
    matrix = LabelledMatrix(np.array([[1, 2]]), ("a",), (0, 5))
    assert (matrix.shape, matrix.coords["unit"].values.tolist()) == ((1, 2), [0, 5])


@pytest.mark.parametrize("values", [[0.0, 1.0], None, iter([0]), [0, True]])
def test_what_is_no_unit_has_no_phone(values: Any) -> None:
    counts = cooccurrence_matrix(UNITS, PHONES, n_units=4, n_phonemes=3)
    with pytest.raises(MismatchError, match="file 'f': "):
        phone_assignments({"f": values}, counts, kind="many-to-one")


def test_a_label_with_the_name_of_a_placeholder() -> None:
    gold = {"f": ["a", "<missing-2>", "a", "a"]}
    with pytest.raises(MismatchError, match="the label '<missing-2>', which stands for"):
        cooccurrence_matrix({"f": [0, 0]}, gold, n_units=2, n_phonemes=2)
    assert cooccurrence_matrix({"f": [0, 0]}, gold, n_units=2, n_phonemes=1).phones == ("a", "<missing-2>")
