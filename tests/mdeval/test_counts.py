"""Counts add up; the rate is taken from the sums."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.counts import FIELDS, TIME_FIELDS, WORD_FIELDS, Counts, RecordingScore, TypeTable, add_up

TIMES = st.integers(0, 10**9).map(lambda ms: ms / 1000)
COUNTS = st.builds(
    Counts,
    st.lists(TIMES, min_size=10, max_size=10),
    st.lists(st.integers(0, 10**6), min_size=4, max_size=4),
    st.integers(0, 5),
)
TYPES = st.sampled_from(["adult_male", "adult_female", "child", "unknown"])
TABLES = st.builds(
    TypeTable,
    st.dictionaries(TYPES, TIMES),
    st.dictionaries(TYPES, TIMES),
    st.dictionaries(st.tuples(TYPES, TYPES), TIMES),
)


def times(**given_: float) -> list[float]:
    return [given_.get(name, 0.0) for name in TIME_FIELDS]


def score(counts: Counts, speakers: TypeTable | None = None, seconds: TypeTable | None = None) -> RecordingScore:
    return RecordingScore("f", "1", counts, {}, {}, speakers or TypeTable(), seconds or TypeTable())


def test_the_error_rate_is_the_three_errors_over_the_speaker_time() -> None:
    counts = Counts(
        times(scored_speaker_time=20.0, missed_speaker_time=1.0, falarm_speaker_time=2.0, speaker_error_time=0.5)
    )
    assert counts.error_time == 3.5
    assert counts.der == 0.175


def test_without_speaker_time_the_error_rate_does_not_exist() -> None:
    counts = Counts(times(falarm_speaker_time=3.0))
    assert counts.error_time == 3.0
    assert counts.der is None
    assert counts.to_dict()["der"] is None


def test_to_dict_has_every_statistic_in_order() -> None:
    counts = Counts(range(10), (10, 11, 12, 13))
    assert list(counts.to_dict()) == [*FIELDS, "der"]
    assert list(counts.to_dict().values())[:-1] == list(range(14))


@pytest.mark.parametrize("n", [0, 9, 11])
def test_a_wrong_number_of_times_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="zip"):
        Counts([0.0] * n)


@given(COUNTS, COUNTS)
def test_a_sum_has_the_sum_of_every_field(a: Counts, b: Counts) -> None:
    total = a + b
    for name in FIELDS:
        assert getattr(total, name) == getattr(a, name) + getattr(b, name)
    assert total.n_recordings == a.n_recordings + b.n_recordings
    assert total == b + a
    assert hash(total) == hash(b + a)


@given(st.lists(COUNTS, min_size=1, max_size=5))
def test_the_rate_of_a_sum_is_weighted_by_time(some: list[Counts]) -> None:
    total, _, _ = add_up(score(c) for c in some)
    whole = math.fsum(c.scored_speaker_time for c in some)
    if whole:
        assert total.der is not None
        assert math.isclose(total.der * whole, math.fsum(c.error_time for c in some), rel_tol=1e-9, abs_tol=1e-6)
    assert total.n_recordings == sum(c.n_recordings for c in some)
    for name in WORD_FIELDS:
        assert getattr(total, name) == sum(getattr(c, name) for c in some)


def test_equal_counts_are_equal_and_others_are_not() -> None:
    a, b = Counts(range(10), (1, 2, 3, 4)), Counts(range(10), (1, 2, 3, 4))
    assert a == b
    assert hash(a) == hash(b)
    assert a != Counts(range(10), (1, 2, 3, 5))
    assert a != Counts(range(10), (1, 2, 3, 4), n_recordings=2)
    assert a != "counts"
    assert a.__eq__("counts") is NotImplemented


def test_repr_shows_every_field() -> None:
    text = repr(Counts(range(10), (1, 2, 3, 4)))
    assert text.startswith("Counts(eval_time=0, eval_speech=1, ")
    assert text.endswith("speaker_error_words=4, n_recordings=1)")


def test_only_counts_can_be_added_to_counts_and_tables_to_tables() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        Counts([0.0] * 10) + 1  # type: ignore[operator]
    with pytest.raises(TypeError, match="unsupported operand"):
        TypeTable() + 1  # type: ignore[operator]


@given(TABLES, TABLES)
def test_tables_add_cell_by_cell_and_leave_the_parts_alone(a: TypeTable, b: TypeTable) -> None:
    before = dict(a.ref), dict(a.sys), dict(a.joint)
    total = a + b
    assert (a.ref, a.sys, a.joint) == before
    assert total.ref == {n: a.ref.get(n, 0.0) + b.ref.get(n, 0.0) for n in {*a.ref, *b.ref}}
    assert total.sys == {n: a.sys.get(n, 0.0) + b.sys.get(n, 0.0) for n in {*a.sys, *b.sys}}
    assert total.joint == {c: a.joint.get(c, 0.0) + b.joint.get(c, 0.0) for c in {*a.joint, *b.joint}}


def test_a_cell_is_made_when_something_is_first_added() -> None:
    table = TypeTable()
    table.add_cell("child", TypeTable.MISS, 2.0)
    table.add_cell("child", TypeTable.MISS, 0.5)
    assert table.joint == {("child", "  MISS"): 2.5}


def test_overlaps_are_computed_once_and_only_when_asked_for() -> None:
    calls = []

    def overlaps() -> dict[tuple[str, str], float]:
        calls.append(1)
        return {("A", "x"): 1.0}

    lazy = RecordingScore("f", "1", Counts([0.0] * 10), overlaps, {}, TypeTable(), TypeTable())
    assert calls == []
    assert lazy.overlaps == {("A", "x"): 1.0}
    assert lazy.overlaps is lazy.overlaps
    assert calls == [1]


def test_nothing_adds_up_to_nothing() -> None:
    counts, speakers, seconds = add_up([])
    assert counts == Counts([0.0] * 10, (0, 0, 0, 0), 0)
    assert (speakers.ref, seconds.joint) == ({}, {})


def test_tables_of_recordings_add_up() -> None:
    one = score(Counts([0.0] * 10), TypeTable({"child": 1.0}), TypeTable({}, {"unknown": 2.0}))
    two = score(Counts([0.0] * 10), TypeTable({"child": 2.0}), TypeTable({}, {"unknown": 0.5}))
    _, speakers, seconds = add_up([one, two])
    assert speakers.ref == {"child": 3.0}
    assert seconds.sys == {"unknown": 2.5}
