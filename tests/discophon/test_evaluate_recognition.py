"""Phone error rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discophon_twin as twin
from discophon.errors import MismatchError, UndefinedScoreError
from discophon.evaluate import ErrorCounts, phone_error_rate
from discophon.evaluate.recognition import count_errors

SEQUENCES = st.lists(st.sampled_from(["a", "b", "SIL", "t͡s"]), min_size=1, max_size=12)
PAIRS = st.dictionaries(st.sampled_from("fgh"), st.tuples(SEQUENCES, SEQUENCES), min_size=1)


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ({"f": "aab"}, {"f": "abbb"}, 0.0),
        ({"f": "axb", "g": "q"}, {"f": "ab", "g": "qr"}, 0.5),
        ({"f": "abcabc"}, {"f": "a"}, 5.0),
        ({"g": "q", "f": "axb"}, {"f": "ab", "g": "qr"}, 0.5),  # files in another order
    ],
)
def test_worked(predicted: dict[str, str], gold: dict[str, str], expected: float) -> None:
    lists = ({file: list(text) for file, text in side.items()} for side in (predicted, gold))
    assert phone_error_rate(*lists) == expected


@given(PAIRS)
def test_the_slow_twin_agrees(pairs: dict[str, tuple[list[str], list[str]]]) -> None:
    predicted, gold = ({file: pair[i] for file, pair in pairs.items()} for i in (0, 1))
    assert phone_error_rate(predicted, gold) == pytest.approx(twin.error_rate(predicted, gold), rel=1e-12)


@given(SEQUENCES, SEQUENCES)
def test_distance_properties(one: list[str], other: list[str]) -> None:
    assert phone_error_rate({"f": one}, {"f": one}) == 0.0
    length, back = (len(twin.without_repeats(side)) for side in (other, one))
    forward = phone_error_rate({"f": one}, {"f": other}) * length
    assert forward == pytest.approx(phone_error_rate({"f": other}, {"f": one}) * back)
    assert phone_error_rate({"f": [x for x in one for _ in range(3)]}, {"f": other}) * length == pytest.approx(forward)


@pytest.mark.parametrize("code", [0xD7FF, 0xD800, 0xDFFF, 0x10F7FF, 0x10F800, 2**40])
def test_any_number_of_labels(code: int) -> None:
    """Labels are written as characters, of which some cannot be written, and there are not endlessly many."""
    starts = np.array([0, 3])
    same, other = np.array([1, code, 1]), np.array([1, code - 1, code])
    assert [part.tolist() for part in count_errors((same, starts), (same, starts), ("f",))] == [[0], [3]]
    assert [part.tolist() for part in count_errors((same, starts), (other, starts), ("f",))] == [[2], [3]]


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        ({"f": ["a"]}, {}, "1 only in the predictions: f"),
        ({}, {}, "there is no file"),
        ({"f": []}, {"f": ["a"]}, "file 'f': the sequence of the prediction is empty"),
        ({"f": ["a"], "g": ["a"]}, {"f": ["a"], "g": []}, "file 'g': the sequence of the gold is empty"),
    ],
)
def test_refused(predicted: dict[str, list[str]], gold: dict[str, list[str]], message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        phone_error_rate(predicted, gold)


def test_counts_add_up() -> None:
    total = ErrorCounts(1, 2) + ErrorCounts(0, 2)
    assert total == ErrorCounts(1, 4)
    assert total.rate == 0.25
    assert sum([ErrorCounts(1, 2), ErrorCounts(3, 4)], ErrorCounts()).rate == 4 / 6
    with pytest.raises(UndefinedScoreError, match="the gold has no phone"):
        _ = ErrorCounts().rate
    with pytest.raises(TypeError):
        _ = ErrorCounts() + 1  # type: ignore[operator]


def test_files_may_come_in_any_order() -> None:
    gold = {"f": ["a", "b"], "g": ["c"]}
    assert phone_error_rate({"g": ["c"], "f": ["a", "b"]}, gold) == 0.0


def test_what_is_no_sequence() -> None:
    with pytest.raises(MismatchError, match="file 'f': NoneType where a list is wanted"):
        phone_error_rate({"f": None}, {"f": ["a"]})  # type: ignore[dict-item]
