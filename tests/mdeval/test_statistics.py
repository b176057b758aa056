"""Bootstrap and permutation test, against loops that do the same one recording at a time."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval import statistics
from mdeval.errors import UsageError
from mdeval.statistics import Interval, PairedTest, bootstrap, paired_test

Sums = tuple[list[int], list[int], list[int]]
"""Numerators of two systems, and the denominators they share, for every recording."""

# Ten recordings, seconds; system B is a little worse on most of them
ERRORS_A = [3.1, 0.0, 12.7, 5.5, 1.2, 8.8, 2.4, 6.6, 0.3, 4.9]
ERRORS_B = [3.6, 0.4, 12.1, 6.5, 1.9, 8.9, 2.2, 8.6, 0.3, 5.9]
SCORED = [60.0, 25.0, 80.5, 44.0, 30.0, 71.2, 15.0, 66.0, 10.0, 50.0]


@st.composite
def sums(draw: st.DrawFn, most: int = 8) -> Sums:
    """Draw whole numbers, so that the test can be exact; some recordings have nothing to score."""
    n = draw(st.integers(2, most))
    some = st.lists(st.integers(0, 30), min_size=n, max_size=n)
    wholes = draw(st.lists(st.integers(0, 40), min_size=n, max_size=n).filter(any))
    tops = [[top if whole else 0 for top, whole in zip(draw(some), wholes, strict=True)] for _ in range(2)]
    return tops[0], tops[1], wholes


# The slow twins


def exact_p(a: list[int], b: list[int], wholes: list[int]) -> Fraction:
    """Swap the systems in every subset of the recordings, with fractions."""
    whole = sum(wholes)
    observed = abs(Fraction(sum(b) - sum(a), whole))
    extreme = 0
    for swaps in product((False, True), repeat=len(a)):
        first = sum(b[i] if swap else a[i] for i, swap in enumerate(swaps))
        second = sum(a[i] if swap else b[i] for i, swap in enumerate(swaps))
        extreme += abs(Fraction(second - first, whole)) >= observed
    return Fraction(extreme, 2 ** len(a))


def drawn_rates(tops: list[float], wholes: list[float], samples: int, seed: int) -> list[float]:
    """Pool each resample by itself; those with nothing to divide by are left out."""
    rates = []
    for row in np.random.default_rng(seed).integers(0, len(tops), (samples, len(tops))).tolist():
        if sum(wholes[i] for i in row) > 0:
            rates.append(sum(tops[i] for i in row) / sum(wholes[i] for i in row))
    return rates


def percentile(values: list[float], share: float) -> float:
    """Interpolate between the two nearest of the sorted values."""
    some = sorted(values)
    at = share * (len(some) - 1)
    low = math.floor(at)
    high = min(low + 1, len(some) - 1)
    return some[low] + (at - low) * (some[high] - some[low])


# Bootstrap


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("seed", [0, 7])
def test_the_interval_is_that_of_a_plain_loop(level: float, seed: int) -> None:
    found = bootstrap(ERRORS_A, SCORED, level=level, samples=333, seed=seed)
    rates = drawn_rates(ERRORS_A, SCORED, 333, seed)
    assert found.low == pytest.approx(percentile(rates, (1 - level) / 2), rel=1e-12)
    assert found.high == pytest.approx(percentile(rates, (1 + level) / 2), rel=1e-12)
    assert (found.level, found.samples, found.seed) == (level, 333, seed)


@given(sums(), st.integers(0, 1000), st.integers(1, 60))
def test_any_interval_is_that_of_a_plain_loop(drawn: Sums, seed: int, samples: int) -> None:
    tops, _, wholes = drawn
    found = bootstrap(tops, wholes, samples=samples, seed=seed, level=0.8)
    rates = drawn_rates([float(t) for t in tops], [float(w) for w in wholes], samples, seed)
    if rates:
        wanted = (percentile(rates, 0.1), percentile(rates, 0.9))
        assert (found.low, found.high) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    else:
        assert math.isnan(found.low)
        assert math.isnan(found.high)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    assert bootstrap(ERRORS_A, SCORED) == bootstrap(ERRORS_A, SCORED)
    one, other = (bootstrap(ERRORS_A, SCORED, seed=seed) for seed in (1, 2))
    assert (one.low, one.high) != (other.low, other.high)


def test_the_state_of_numpy_is_neither_read_nor_changed() -> None:
    np.random.seed(1)  # noqa: NPY002 - the global generator is the point
    before = bootstrap(ERRORS_A, SCORED)
    untouched = np.random.random()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    assert np.random.random() == untouched  # noqa: NPY002
    assert bootstrap(ERRORS_A, SCORED) == before


def test_draws_in_blocks_are_the_draws_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def both() -> tuple[Interval, PairedTest]:
        test = paired_test((ERRORS_A, ERRORS_B), (SCORED, SCORED), permutations=500, samples=101, seed=3)
        return bootstrap(ERRORS_A, SCORED, samples=101), test

    whole = both()
    monkeypatch.setattr(statistics, "_BLOCK", 37)
    assert both() == whole


def test_an_interval_is_about_the_pooled_rate_and_never_negative() -> None:
    # diarization-metrics.md section 12: three files with DER 0.2333, 0 and 0.6667; pyannote answers -0.2703 to 0.8703
    found = bootstrap([7.0, 0.0, 10.0], [30.0, 20.0, 15.0], level=0.9)
    assert 0.0 <= found.low < 17 / 65 < found.high <= 10 / 15 + 1e-12


def test_a_wider_level_gives_a_wider_interval() -> None:
    narrow, wide = (bootstrap(ERRORS_A, SCORED, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_recordings_alike_leave_no_room() -> None:
    found = bootstrap([2.0] * 5, [8.0] * 5)
    assert (found.low, found.high) == pytest.approx((0.25, 0.25), rel=1e-12)


def test_an_error_rate_above_one_is_no_fault() -> None:
    assert bootstrap([9.0, 11.0], [3.0, 3.0]).high > 1


def test_recordings_without_scored_time_do_no_harm() -> None:
    found = bootstrap([1.0, 0.0, 3.0], [10.0, 0.0, 10.0])
    assert 0.1 <= found.low <= found.high <= 0.3 + 1e-12


def test_nothing_scored_at_all_gives_no_number() -> None:
    found = bootstrap([0.0, 0.0], [0.0, 0.0])
    assert math.isnan(found.low)
    assert math.isnan(found.high)


# The paired test


@given(sums())
def test_p_is_exact_for_few_recordings(drawn: Sums) -> None:
    a, b, wholes = drawn
    found = paired_test((a, b), (wholes, wholes), samples=5)
    assert found.permutations == 2 ** len(a)
    assert found.p_value == pytest.approx(float(exact_p(a, b, wholes)), abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 8])
def test_one_system_always_better_gives_the_least_p(n: int) -> None:
    found = paired_test(([1.0] * n, [2.0] * n), ([10.0] * n, [10.0] * n), samples=10)
    assert found.p_value == 2 / 2**n


def test_p_does_not_depend_on_the_order_of_the_systems() -> None:
    one = paired_test((ERRORS_A, ERRORS_B), (SCORED, SCORED))
    other = paired_test((ERRORS_B, ERRORS_A), (SCORED, SCORED))
    assert one.p_value == other.p_value
    assert one.difference == -other.difference
    assert one.interval.low == pytest.approx(-other.interval.high, rel=1e-9)


def test_a_small_difference_in_one_of_many_recordings_is_no_evidence() -> None:
    # only one recording differs: every one of the 2^10 swaps gives the same difference, so p is 1
    a = [203.69, 341.3, 820.1, 83.47, 223.41, 279.03, 27.4, 119.5, 159.71, 166.47]
    b = [*a[:-1], 166.48]
    wholes = [1449.39, 1600.22, 2468.97, 209.54, 649.99, 1110.08, 799.02, 2708.83, 615.01, 502.08]
    assert paired_test((a, b), (wholes, wholes), samples=10).p_value == 1.0


@given(
    st.lists(
        st.tuples(st.integers(0, 300_000), st.integers(-3, 3), st.integers(1, 300_000)), min_size=2, max_size=6
    ).filter(lambda rows: all(a + more >= 0 for a, more, _ in rows))
)
def test_p_is_exact_for_systems_that_are_nearly_alike(rows: list[tuple[int, int, int]]) -> None:
    # whole numbers are hundredths of a second: many swaps give exactly the difference observed
    a, b, wholes = [r[0] for r in rows], [r[0] + r[1] for r in rows], [r[2] for r in rows]
    seconds = [[value / 100 for value in some] for some in (a, b, wholes)]
    found = paired_test((seconds[0], seconds[1]), (seconds[2], seconds[2]), samples=2)
    assert found.p_value == pytest.approx(float(exact_p(a, b, wholes)), abs=1e-12)


def test_many_recordings_are_swapped_at_random() -> None:
    n = 20
    a, b = [1.0] * n, [1.0] * (n // 2) + [1.5] * (n // 2)
    found = paired_test((a, b), ([10.0] * n, [10.0] * n), permutations=2000, samples=10, seed=4)
    rng = np.random.default_rng(4)
    extreme = 0
    for row in rng.integers(0, 2, (2000, n)).tolist():
        moved = sum((y - x) * (-1 if swap else 1) for x, y, swap in zip(a, b, row, strict=True))
        extreme += abs(moved) >= 5.0 - 1e-9
    assert found.permutations == 2000
    assert found.p_value == (1 + extreme) / 2001


@pytest.mark.parametrize(("n", "permutations", "looked_at"), [(3, 9, 8), (3, 8, 8), (3, 7, 7), (13, 10_000, 8192)])
def test_all_subsets_when_they_are_fewer_than_the_draws(n: int, permutations: int, looked_at: int) -> None:
    found = paired_test(([1.0] * n, [2.0] * n), ([9.0] * n, [9.0] * n), permutations=permutations, samples=5)
    assert found.permutations == looked_at
    if 2**n < permutations:
        assert found.p_value == 2 / 2**n


@given(sums(), st.integers(0, 50))
def test_the_difference_and_its_interval_are_those_of_a_plain_loop(drawn: Sums, seed: int) -> None:
    a, b, wholes = ([float(value) for value in some] for some in drawn)
    rates = [drawn_rates(tops, wholes, 200, seed) for tops in (a, b)]
    found = paired_test((a, b), (wholes, wholes), samples=200, seed=seed, level=0.9)
    differences = [y - x for x, y in zip(*rates, strict=True)]
    assert found.difference == pytest.approx((sum(b) - sum(a)) / sum(wholes), abs=1e-12)
    wanted = (percentile(differences, 0.05), percentile(differences, 0.95))
    assert (found.interval.low, found.interval.high) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(sums(), st.integers(0, 50))
def test_sign_changes_are_those_of_a_plain_loop(drawn: Sums, seed: int) -> None:
    a, b, wholes = drawn
    sign = (sum(b) > sum(a)) - (sum(b) < sum(a))
    other = n = 0
    for row in np.random.default_rng(seed).integers(0, len(a), (200, len(a))).tolist():
        if sum(wholes[i] for i in row):
            n += 1
            other += sign * sum(b[i] - a[i] for i in row) <= 0
    assert paired_test((a, b), (wholes, wholes), samples=200, seed=seed).sign_changes == pytest.approx(other / n)


def test_a_difference_in_every_recording_never_changes_sign() -> None:
    found = paired_test(([1.0, 2.0, 3.0], [2.0, 3.0, 4.0]), ([9.0] * 3, [9.0] * 3))
    assert found.sign_changes == 0.0
    assert 0 < found.interval.low <= found.interval.high


def test_equal_systems_differ_by_nothing() -> None:
    found = paired_test((ERRORS_A, ERRORS_A), (SCORED, SCORED))
    assert (found.difference, found.interval.low, found.interval.high) == (0.0, 0.0, 0.0)
    assert (found.p_value, found.sign_changes) == (1.0, 1.0)


def test_the_same_seed_gives_the_same_test() -> None:
    ways = [paired_test((ERRORS_A, ERRORS_B), (SCORED, SCORED), permutations=200, seed=seed) for seed in (5, 5, 6)]
    assert ways[0] == ways[1]
    assert ways[0].interval != ways[2].interval


def test_the_interval_of_a_system_against_a_faultless_one_is_its_own() -> None:
    alone = bootstrap(ERRORS_A, SCORED, seed=2)
    against = paired_test(([0.0] * 10, ERRORS_A), (SCORED, SCORED), seed=2).interval
    assert (against.low, against.high) == pytest.approx((alone.low, alone.high), rel=1e-12)


def test_resamples_of_nothing_are_no_warning() -> None:
    # seed 5 draws the recording without scored time twice
    found = paired_test(([1.0, 0.0], [2.0, 0.0]), ([9.5, 0.0], [9.5, 0.0]), samples=1, seed=5)
    assert math.isnan(found.interval.low)
    assert found.difference == pytest.approx(1 / 9.5)


# What cannot be done


@pytest.mark.parametrize(
    ("tops", "wholes", "options", "message"),
    [
        ([1.0], [2.0], {}, "needs two or more; there is one"),
        ([], [], {}, "needs two or more; there is none"),
        ([1.0, 2.0], [2.0], {}, "2 numerators and 1 denominators"),
        ([1.0, 2.0], [2.0, 2.0], {"level": 0.0}, "level is 0.0; it must lie between 0 and 1"),
        ([1.0, 2.0], [2.0, 2.0], {"level": 1.0}, "level is 1.0"),
        ([1.0, 2.0], [2.0, 2.0], {"level": float("nan")}, "level is nan"),
        ([1.0, 2.0], [2.0, 2.0], {"samples": 0}, "resamples is 0; it must be at least 1"),
        ([1.0, 2.0], [2.0, 2.0], {"samples": -3}, "resamples is -3"),
        ([1.0, 2.0], [2.0, 2.0], {"seed": -1}, "seed"),
    ],
)
def test_impossible_choices_are_refused(
    tops: list[float], wholes: list[float], options: dict[str, float], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        bootstrap(tops, wholes, **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=message):
        paired_test((tops, tops), (wholes, wholes), **options)  # type: ignore[arg-type]


def test_systems_with_different_recordings_are_refused() -> None:
    with pytest.raises(UsageError, match="2 and 3 recordings; they must be the same ones"):
        paired_test(([1.0, 2.0], [1.0, 2.0, 3.0]), ([9.0, 9.0], [9.0, 9.0, 9.0]))


def test_no_scored_time_is_no_rate_to_compare() -> None:
    with pytest.raises(UsageError, match="no time is scored"):
        paired_test(([0.0, 0.0], [0.0, 0.0]), ([0.0, 0.0], [0.0, 0.0]))
