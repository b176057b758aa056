"""Perl's merge sort: the same order as the twin's, also where the comparison contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.exactsort import exact_sort
from mdeval_twin_sort import perl_sort

if TYPE_CHECKING:
    from collections.abc import Callable

Event = tuple[float, bool, int]
"""Time, whether something begins, and a number that tells events apart."""


def zones(x: Event, y: Event) -> int:
    if x[0] != y[0]:
        return -1 if x[0] < y[0] else 1
    return 1 if x[1] else 0


def collars(x: Event, y: Event) -> int:
    if x[0] != y[0]:
        return -1 if x[0] < y[0] else 1
    return 0 if x[1] else 1


def segments(x: Event, y: Event) -> int:
    if abs(x[0] - y[0]) > 1e-8:
        return -1 if x[0] < y[0] else 1
    return 1 if x[1] else -1


COMPARISONS = [zones, collars, segments]
Comparison = st.sampled_from(COMPARISONS)


def numbered(events: list[tuple[float, bool]]) -> list[Event]:
    return [(time, begins, i) for i, (time, begins) in enumerate(events)]


def events_on(n_times: int, max_size: int, min_size: int = 0) -> st.SearchStrategy[list[Event]]:
    event = st.tuples(st.integers(0, n_times).map(lambda k: k / 2), st.booleans())
    return st.lists(event, min_size=min_size, max_size=max_size).map(numbered)


@st.composite
def runs_of_events(draw: st.DrawFn) -> list[Event]:
    """Draw stretches that rise, fall or stay, long enough for the look-ahead and the doubling steps."""
    events: list[tuple[float, bool]] = []
    for _ in range(draw(st.integers(1, 6))):
        length = draw(st.integers(1, 70))
        start, step = draw(st.integers(0, 60)), draw(st.sampled_from([1, -1, 0, 2, -2]))
        begins = draw(st.sampled_from([(True,), (False,), (True, False), (False, True, True)]))
        events += [((start + step * i) / 2, begins[i % len(begins)]) for i in range(length)]
    return numbered(events)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_nothing_and_one_item_stay_as_they_are(compare: Callable[[Event, Event], int]) -> None:
    one: list[Event] = [(1.0, True, 0)]
    assert exact_sort([], compare) == []
    assert exact_sort(one, compare) == one
    assert exact_sort(one, compare) is not one


@given(events_on(4, 40), Comparison)
def test_short_lists_full_of_ties(events: list[Event], compare: Callable[[Event, Event], int]) -> None:
    assert exact_sort(events, compare) == perl_sort(events, compare)


@given(events_on(60, 260, min_size=65), Comparison)
def test_long_lists(events: list[Event], compare: Callable[[Event, Event], int]) -> None:
    assert exact_sort(events, compare) == perl_sort(events, compare)


@given(runs_of_events(), Comparison)
def test_lists_with_long_runs(events: list[Event], compare: Callable[[Event, Event], int]) -> None:
    assert exact_sort(events, compare) == perl_sort(events, compare)


@given(runs_of_events(), st.sampled_from([0.0, 5e-9, 1e-8, 2e-8]))
def test_times_as_near_as_epsilon(events: list[Event], off: float) -> None:
    near = [(time + off * (i % 3), begins, i) for time, begins, i in events]
    assert exact_sort(near, segments) == perl_sort(near, segments)


@given(runs_of_events(), Comparison)
def test_the_very_comparisons_are_the_same(events: list[Event], compare: Callable[[Event, Event], int]) -> None:
    seen: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
    for sort, pairs in zip((exact_sort, perl_sort), seen, strict=True):

        def logged(x: Event, y: Event, pairs: set[tuple[int, int]] = pairs) -> int:
            pairs.add((x[2], y[2]))
            return compare(x, y)

        sort(events, logged)
    assert seen[0] == seen[1]


@given(events_on(5, 150), Comparison)
def test_nothing_is_lost_and_the_list_given_is_left_alone(
    events: list[Event], compare: Callable[[Event, Event], int]
) -> None:
    before = list(events)
    assert sorted(exact_sort(events, compare)) == sorted(before)
    assert events == before


@given(st.lists(st.tuples(st.integers(0, 9), st.integers()), max_size=200))
def test_with_a_consistent_comparison_it_is_a_stable_sort(items: list[tuple[int, int]]) -> None:
    def compare(x: tuple[int, int], y: tuple[int, int]) -> int:
        return (x[0] > y[0]) - (x[0] < y[0])

    assert exact_sort(items, compare) == sorted(items, key=lambda item: item[0])


def test_ends_come_before_begins_and_later_begins_first() -> None:
    # md-eval.md, appendix A: among begins at the same time the one created later first
    events: list[Event] = [(0.0, True, 0), (5.0, False, 1), (5.0, True, 2), (8.0, False, 3)]
    assert [e[2] for e in exact_sort(events, zones)] == [0, 1, 2, 3]
    assert [e[2] for e in exact_sort([(5.0, True, 0), (5.0, True, 1)], zones)] == [1, 0]
    assert [e[2] for e in exact_sort([(5.0, False, 0), (5.0, False, 1)], zones)] == [0, 1]
