"""Boundaries and their scores."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discophon_twin as twin
from discophon.errors import MismatchError, UndefinedScoreError, UsageError
from discophon.evaluate import Segmentation, phone_segmentation

LABELS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=30)
ROOT = 2**0.5 / 2


def segment(predicted: str, gold: str, **options: Any) -> Segmentation:
    return phone_segmentation({"f": list(predicted)}, {"f": list(gold)}, **options)


# oracle: discophon 0.2.0, and for shared windows its sources of June 2026
@pytest.mark.parametrize(
    ("predicted", "gold", "options", "counts"),
    [
        ("aab", "aaaabb", {}, (1, 0, 0)),
        ("aabb", "aabbbbbb", {}, (1, 0, 0)),  # late by 20 ms
        ("aaaaabbb", "aabbbbbb", {"step_units": 10}, (0, 1, 1)),  # late by 30 ms
        ("aaabcccc", "aaaacccc", {"step_units": 10}, (1, 1, 0)),  # two in one window
        ("aab", "aaabbb", {"margin_in_ms": 0}, (0, 1, 1)),
        ("ab", "aaaa", {}, (0, 1, 0)),
        ("aa", "aabb", {}, (0, 0, 1)),
        ("aa", "aaaa", {}, (0, 0, 0)),
        ("aaaaaabbbbbb", "aaaabbbbcccc", {"step_units": 10}, (1, 0, 1)),  # between two
        ("aaaaaabbbbbb", "aaaabbbbcccc", {"step_units": 10, "windows": "shared"}, (2, -1, 0)),
        ("aaaaaabbbbbb", "aaaaabbbcccc", {"step_units": 10}, (1, 0, 1)),
        ("aabbb", "aaabbaaaaa", {}, (1, 0, 1)),
    ],
)
def test_counts(predicted: str, gold: str, options: dict[str, Any], counts: tuple[int, int, int]) -> None:
    assert segment(predicted, gold, **options) == Segmentation(*counts)


@pytest.mark.parametrize(
    ("counts", "scores"),
    [
        ((1, 0, 0), {"precision": 1.0, "recall": 1.0, "f1": 1.0, "os": 0.0, "r_val": 1.0}),
        ((0, 1, 1), {"precision": 0.0, "recall": 0.0, "f1": 0.0, "os": 0.0, "r_val": 0.14644660940672627}),
        ((1, 1, 0), {"precision": 0.5, "recall": 1.0, "f1": 2 / 3, "os": 1.0, "r_val": 0.14644660940672627}),
        ((1, 0, 1), {"precision": 1.0, "recall": 0.5, "f1": 2 / 3, "os": -0.5, "r_val": 0.6464466094067263}),
        ((2, -1, 0), {"precision": 2.0, "recall": 1.0, "f1": 4 / 3, "os": -0.5, "r_val": 0.5732233047033631}),
        ((0, 0, 1), {"precision": None, "recall": 0.0, "f1": 0.0, "os": -1.0, "r_val": 1 - ROOT}),
        ((0, 1, 0), {"precision": 0.0, "recall": None, "f1": 0.0, "os": None, "r_val": None}),
        ((0, 0, 0), {"precision": None, "recall": None, "f1": None, "os": None, "r_val": None}),
    ],
)
def test_scores(counts: tuple[int, int, int], scores: dict[str, float | None]) -> None:
    found = Segmentation(*counts)
    for name, value in scores.items():
        if value is None:
            with pytest.raises(UndefinedScoreError, match=f"{name} is undefined: there is no"):
                getattr(found, name)
        else:
            assert getattr(found, name) == pytest.approx(value, rel=0, abs=1e-15)


@given(
    LABELS,
    LABELS,
    st.sampled_from([0, 1, 7, 20, 35]),
    st.sampled_from([(10, 10), (20, 10), (40, 10), (5, 5), (30, 15)]),
    st.booleans(),
)
def test_the_slow_twin_agrees(
    predicted: list[str], gold: list[str], margin: int, steps: tuple[int, int], shared: bool
) -> None:
    sides = ({"f": predicted, "g": gold}, {"f": gold, "g": predicted})
    found = phone_segmentation(
        *sides,
        margin_in_ms=margin,
        step_units=steps[0],
        step_phones=steps[1],
        windows="shared" if shared else "disjoint",
    )
    expected = twin.boundary_counts(*sides, steps, margin=margin, shared=shared)
    assert (found.true_positives, found.false_positives, found.false_negatives) == expected


@given(LABELS, LABELS)
def test_disjoint_windows_never_count_a_prediction_twice(predicted: list[str], gold: list[str]) -> None:
    found = phone_segmentation({"f": predicted}, {"f": gold}, step_units=10)
    assert found.false_positives >= 0
    assert segment("".join(gold), "".join(gold), step_units=10).false_negatives == 0


@given(LABELS, LABELS, LABELS, LABELS)
def test_files_add_up(a: list[str], b: list[str], c: list[str], d: list[str]) -> None:
    both = phone_segmentation({"f": a, "g": c}, {"g": d, "f": b})
    assert both == phone_segmentation({"f": a}, {"f": b}) + phone_segmentation({"g": c}, {"g": d})


def test_files_do_not_reach_into_each_other() -> None:
    gold = {"f": list("aaaab"), "g": list("abbbb")}
    found = phone_segmentation({"f": list("aaaaa"), "g": list("abbbb")}, gold, step_units=10)
    assert found == Segmentation(1, 0, 1)


def test_description() -> None:
    assert Segmentation(3, 1, 1).describe().splitlines() == [
        "True positives: 3",
        "False positives: 1",
        "False negatives: 1",
        "Precision: 75.00%",
        "Recall: 75.00%",
        "F1: 75.00%",
        "OS: 0.00%",
        "R-val: 78.66%",
    ]
    with pytest.raises(UndefinedScoreError):
        Segmentation().describe()
    with pytest.raises(TypeError):
        _ = Segmentation() + 1  # type: ignore[operator]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin_in_ms": -1}, "margin_in_ms is -1; it must be a whole number from 0 to 1000000"),
        ({"margin_in_ms": 0.5}, r"margin_in_ms is 0\.5"),
        ({"margin_in_ms": 10**30}, "margin_in_ms is 10+"),
        ({"step_units": 15}, "no whole multiple"),
        ({"windows": "wide"}, "unknown windows 'wide'; there are disjoint, shared"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        segment("ab", "ab", **options)


def test_files_must_be_the_same() -> None:
    with pytest.raises(MismatchError, match="1 only in the gold: f"):
        phone_segmentation({}, {"f": ["a"]})
