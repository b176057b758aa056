"""Correlations against numpy, scipy and loops."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pathbench.correlation import correlate, interval, pearson, ranks, utterance_level

numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
pairs = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=30)


def slow_pearson(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    shared = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread_x = math.fsum((a - mean_x) ** 2 for a in x)
    spread_y = math.fsum((b - mean_y) ** 2 for b in y)
    return shared / math.sqrt(spread_x) / math.sqrt(spread_y)


@given(pairs)
def test_pearson_is_that_of_the_definition(values: list[tuple[float, float]]) -> None:
    x, y = [a for a, _ in values], [b for _, b in values]
    found = pearson(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(slow_pearson(x, y), rel=1e-9, abs=1e-9)
        assert -1.0 <= found <= 1.0


@given(pairs, st.floats(0.001, 1000.0), numbers)
def test_pearson_is_symmetric_and_knows_no_scale(values: list[tuple[float, float]], scale: float, shift: float) -> None:
    x, y = np.array([a for a, _ in values]), np.array([b for _, b in values])
    if len(set(x)) == 1 or len(set(y)) == 1 or np.ptp(x) < 1e-3 * np.abs(x).max():
        return
    moved = scale * x + shift
    if np.ptp(moved) < 1e-6 * np.abs(moved).max():
        return
    assert pearson(y, x) == pytest.approx(pearson(x, y), abs=1e-12)
    assert pearson(moved, y) == pytest.approx(pearson(x, y), abs=1e-6)
    assert pearson(-x, y) == pytest.approx(-pearson(x, y), abs=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_pearson_of_very_large_and_very_small_numbers(scale: float) -> None:
    x = np.array([1.0, 3.0, 4.0, -2.0])
    assert pearson(x * scale, [1, 2, 4, 3]) == pytest.approx(pearson(x, [1, 2, 4, 3]), abs=1e-14)


def exact_pearson(x: list[float], y: list[float]) -> float:
    """Compute everything but the last root in fractions."""
    a, b = [Fraction(value) for value in x], [Fraction(value) for value in y]
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    shared = sum((p - mean_a) * (q - mean_b) for p, q in zip(a, b, strict=True))
    squared = shared**2 / (sum((p - mean_a) ** 2 for p in a) * sum((q - mean_b) ** 2 for q in b))
    return math.copysign(math.sqrt(squared), shared)


@pytest.mark.parametrize("offset", [0.0, 1.0, -3e5, 1.7e9, 1e12])
@pytest.mark.parametrize("spread", [1e-3, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_pearson_keeps_its_digits_beside_a_large_offset(offset: float, spread: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    x, y = (offset + spread * generator.normal(size=30), generator.normal(size=30) - offset)
    assert pearson(x, y) == pytest.approx(exact_pearson(x.tolist(), y.tolist()), abs=1e-14)


def test_the_interval_keeps_its_digits_beside_an_outlier() -> None:
    generator = np.random.default_rng(2)
    x = generator.normal(size=6)
    y = x + generator.normal(size=6)
    x[0], y[0] = 1e7, -1e7  # resamples without this speaker are of values that hardly differ on its scale
    draws = np.random.default_rng(0).integers(0, 6, (300, 6))
    wanted = [exact_pearson(x[row].tolist(), y[row].tolist()) for row in draws if len(set(row)) > 1]
    found = interval(x, y, draws=300)
    assert found == pytest.approx(np.percentile(wanted, [2.5, 97.5]).tolist(), abs=1e-8)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    assert ranks(values).tolist() == scipy.stats.rankdata(values).tolist()


def test_spearman_is_that_of_scipy() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.integers(0, 6, 40).astype(float), generator.normal(size=40)
    found = correlate(
        "m", dict(zip(map(str, range(40)), x, strict=True)), dict(zip(map(str, range(40)), y, strict=True))
    )
    assert found.spearman == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-14)
    assert found.pcc == pytest.approx(scipy.stats.pearsonr(x, y).statistic, abs=1e-14)


def slow_interval(x: np.ndarray, y: np.ndarray, groups: list[str], draws: int, seed: int) -> tuple[float, float]:
    """Draw speakers one resample after the other; the same draws as the fast way, since the generator fills rows."""
    names = sorted(set(groups))
    generator = np.random.default_rng(seed)
    values = []
    for _ in range(draws):
        chosen = generator.integers(0, len(names), (1, len(names)))[0]
        at = [i for number in chosen for i, of in enumerate(groups) if of == names[number]]
        if len(set(x[at])) > 1 and len(set(y[at])) > 1:
            values.append(slow_pearson(x[at].tolist(), y[at].tolist()))
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


@pytest.mark.parametrize("n_groups", [4, 9])
def test_the_interval_is_that_of_a_loop(n_groups: int) -> None:
    generator = np.random.default_rng(n_groups)
    x = generator.integers(0, 5, 24).astype(float)
    y = x + generator.normal(size=24)
    groups = [f"s{i % n_groups}" for i in range(24)]
    found = interval(x, y, groups, draws=200, seed=7)
    assert found == pytest.approx(slow_interval(x, y, groups, 200, 7), abs=1e-9)


def test_speakers_are_drawn_by_default_as_if_each_pair_were_one() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=12), generator.normal(size=12)
    names = [f"{i:02}" for i in range(12)]
    assert interval(x, y, draws=500) == interval(x, y, names, draws=500)
    assert interval(x, y, draws=500) != interval(x, y, draws=500, seed=1)


def test_chunks_of_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=12), generator.normal(size=12)
    whole = interval(x, y, draws=1000)
    monkeypatch.setattr("pathbench.correlation._AT_ONCE", 100)
    assert interval(x, y, draws=1000) == pytest.approx(whole, abs=1e-15)


def test_no_interval_of_two_speakers_or_of_ratings_that_hardly_vary() -> None:
    assert all(map(math.isnan, interval([1.0, 2.0], [1.0, 2.0])))
    x = np.zeros(40)
    x[0] = 1.0  # 1 - (39/40)^40 = 0.64 of the resamples vary
    y = np.arange(40.0)
    assert not any(map(math.isnan, interval(x, y)))
    assert all(map(math.isnan, interval(x, y, ["a", *["b"] * 20, *["c"] * 19], draws=0)))


def test_a_correlation_that_does_not_exist_says_why() -> None:
    one = correlate("m", {"A": 1.0}, {"A": 2.0, "B": 1.0})
    assert (one.n, one.reason) == (1, "fewer than two values in common")
    assert math.isnan(one.pcc)
    assert correlate("m", {"A": 2.0, "B": 2.0}, {"A": 1.0, "B": 3.0}).reason == "the ratings are constant"
    assert correlate("m", {"A": 1.0, "B": 2.0}, {"A": 0.1, "B": 0.1}).reason == "the scores are constant"


def test_ids_are_sorted_and_common() -> None:
    found = correlate("m", {"B": 1.0, "A": 2.0, "C": 3.0}, {"C": 1.0, "A": 0.0, "B": 5.0, "D": 1.0})
    assert found.ids == ("A", "B", "C")


def test_utterances_count_that_all_metrics_scored_or_each_metric_s_own() -> None:
    ratings = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 5.0}
    scores: dict[str, dict[str, float | None]] = {
        "m": {"a": 1.0, "b": 2.0, "c": 4.0, "d": 4.0},
        "n": {"a": 1.0, "b": None, "c": float("nan"), "d": 3.0, "e": 1.0},
    }
    both = utterance_level(ratings, scores)
    assert [one.ids for one in both] == [("a", "d"), ("a", "d")]
    own = utterance_level(ratings, scores, complete="per-metric")
    assert [one.ids for one in own] == [("a", "b", "c", "d"), ("a", "d")]
    assert own[0].pcc == pytest.approx(slow_pearson([1, 2, 3, 5], [1, 2, 4, 4]), abs=1e-14)
    without = utterance_level(ratings, scores, {"a": "s", "b": "s", "c": "t"}, complete="per-metric")
    assert without[0].ids == ("a", "b", "c")
