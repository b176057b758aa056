"""Bootstrap intervals and differences: the golden data sets, exact small cases, invariants."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core import statistics
from measure_core.builtin import RTF, WER, WIP, KeywordAccuracy
from measure_core.errors import ConfigError
from measure_core.statistics import bootstrap, error_rate, paired_bootstrap, resampling, speakers, sum_by_unit
from measure_counts_support import OUT, SETS, data, expected, significance

LEVEL = [0.025, 0.975]


@pytest.mark.parametrize("name", SETS)
def test_intervals_are_the_expected_ones(name: str) -> None:
    figures = expected(name)["bootstrap_utterances"]
    tolerance = figures["tolerance_percent_points"]
    metric = WER()
    a, b = (metric.sums(metric.count(significance(name, side))).columns for side in "ab")
    interval = bootstrap(a, metric.rates, draws=20_000)["wer"]
    assert [100 * interval.low, 100 * interval.high] == pytest.approx(figures["ci95_a_percent"], abs=tolerance)
    difference = paired_bootstrap(a, b, metric.rates, "wer", draws=20_000)
    assert 100 * difference.difference == pytest.approx(figures["wer_a_percent"] - figures["wer_b_percent"], abs=1e-3)
    ends = [100 * difference.interval.low, 100 * difference.interval.high]
    assert ends == pytest.approx(figures["ci95_difference_percent"], abs=tolerance)
    share = figures["fraction_of_resamples_where_a_is_better"]
    assert difference.a_lower == pytest.approx(share, abs=figures["tolerance_fraction"])
    assert difference.a_lower + difference.b_lower <= 1


ERRORS, TOKENS = np.array([0, 1, 3, 3]), np.array([2, 5, 4, 9])


@pytest.mark.parametrize("per_group", [0, 1 << 40])
def test_draws_have_the_exact_distribution(monkeypatch: pytest.MonkeyPatch, per_group: int) -> None:
    """All 4**4 draws by hand; both ways of drawing."""
    monkeypatch.setattr(resampling, "_UNITS_PER_GROUP", per_group)
    all_rates = [ERRORS[list(draw)].sum() / TOKENS[list(draw)].sum() for draw in product(range(4), repeat=4)]
    sums = resampling._sums_of_draws({"errors": ERRORS, "tokens": TOKENS}, 40_000, 1)
    drawn = sums["errors"] / sums["tokens"]
    assert set(np.round(drawn, 12)) == set(np.round(all_rates, 12))
    for rate in set(np.round(all_rates, 12)):
        share = np.mean(np.round(all_rates, 12) == rate)
        sd = np.sqrt(share * (1 - share) / len(drawn))
        assert np.mean(np.round(drawn, 12) == rate) == pytest.approx(share, abs=5 * sd)


def test_groups_and_single_draws_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    columns = {"errors": rng.integers(0, 4, 3000), "tokens": rng.integers(4, 9, 3000)}
    ends = []
    for per_group in (0, 1 << 40):
        monkeypatch.setattr(resampling, "_UNITS_PER_GROUP", per_group)
        interval = bootstrap(columns, draws=2000)["rate"]
        ends.append((interval.low, interval.high))
    assert ends[0] != ends[1]
    assert ends[0] == pytest.approx(ends[1], abs=1e-3)


def test_seed_is_kept_and_recorded() -> None:
    columns = {"errors": ERRORS, "tokens": TOKENS}
    first, again, other = (bootstrap(columns, seed=seed, draws=500)["rate"] for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert (first.seed, first.draws, first.level) == (3, 500, 0.95)


def test_blocks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of groups do not depend on how many are made at once."""
    columns = {"errors": np.repeat(ERRORS, 40), "tokens": np.repeat(TOKENS, 40)}
    whole = resampling._sums_of_draws(columns, 25, 0)
    monkeypatch.setattr(resampling, "_BLOCK_CELLS", 12)
    parts = resampling._sums_of_draws(columns, 25, 0)
    assert all((parts[name] == whole[name]).all() for name in columns)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_interval_lies_among_the_rates(pairs: list[tuple[int, int]]) -> None:
    errors, tokens = (np.array(column) for column in zip(*pairs, strict=True))
    interval = bootstrap({"errors": errors, "tokens": tokens}, draws=50)["rate"]
    assert min(errors / tokens) - 1e-12 <= interval.low <= interval.high <= max(errors / tokens) + 1e-12


def test_same_system_does_not_differ() -> None:
    columns = {"errors": ERRORS, "tokens": TOKENS}
    same = paired_bootstrap(columns, columns)
    assert (same.difference, same.a_lower, same.b_lower) == (0, 0, 0)
    assert (same.interval.low, same.interval.high) == (0, 0)
    better = paired_bootstrap({"errors": ERRORS, "tokens": TOKENS}, {"errors": ERRORS + 1, "tokens": TOKENS})
    assert (better.a_lower, better.b_lower) == (1, 0)
    assert better.difference == pytest.approx(-4 / 20)


def test_any_rate_of_sums() -> None:
    wip, metric = WIP(), KeywordAccuracy()
    table = data(*[("a b c", "a b"), ("c", "d"), ("a", "a a")] * 4)
    interval = bootstrap(wip.sums(wip.count(table)).columns, wip.rates, draws=300)["wip"]
    assert interval.low < wip(table, "test", OUT)["wip"] < interval.high  # type: ignore[operator]
    counts = metric.count({**table, "keywords": ["a c"] * 12})
    assert set(bootstrap(metric.sums(counts).columns, metric.rates, draws=300)) == {"recall", "precision", "f1"}
    rtf = RTF()
    seconds = rtf.count({"time": ["1", "2", "4"], "duration": ["4", "4", "4"]})
    assert bootstrap(rtf.sums(seconds).columns, rtf.rates)["rtf"].high == 1


def test_draws_without_tokens_are_left_out() -> None:
    half = bootstrap({"errors": np.array([1, 1]), "tokens": np.array([0, 2])}, draws=1000)["rate"]
    assert (half.low, half.high) == (0.5, 1.0)
    nothing = {"errors": np.array([1]), "tokens": np.array([0])}
    assert bootstrap(nothing, draws=10) == {}
    with pytest.raises(ConfigError, match="there is no rate to compare"):
        paired_bootstrap(nothing, nothing, draws=10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "confidence level is 95"),
        ({"level": float("nan")}, "confidence level is nan"),
        ({"draws": 0}, "number of draws is 0"),
        ({"draws": 10**12}, "number of draws is 10"),
        ({"draws": 2.5}, "number of draws is 2.5"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": "x"}, "seed is 'x'"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        bootstrap({"errors": ERRORS, "tokens": TOKENS}, **options)  # type: ignore[arg-type]


def test_wrong_columns() -> None:
    with pytest.raises(ConfigError, match=r"have \[3, 4\] units"):
        paired_bootstrap({"errors": ERRORS, "tokens": TOKENS}, {"errors": ERRORS[1:], "tokens": TOKENS[1:]})
    with pytest.raises(ConfigError, match="nothing to resample"):
        bootstrap({"errors": ERRORS[:0], "tokens": TOKENS[:0]})


def test_error_rate_of_any_shape() -> None:
    rate = error_rate({"errors": np.array([1.0, 1.0]), "tokens": np.array([2.0, 0.0])})["rate"]
    assert rate[0] == 0.5
    assert np.isnan(rate[1])


def test_speakers_are_drawn_whole() -> None:
    """Two speakers, one without errors: only the three rates 0, 1/4 and 1/2 can be drawn."""
    ids = ["ann-1", "ann-2", "bob-1", "bob-2"]
    columns = sum_by_unit({"errors": np.array([0, 0, 1, 1]), "tokens": np.array([2, 2, 2, 2])}, speakers(ids))
    assert {name: column.tolist() for name, column in columns.items()} == {"errors": [0, 2], "tokens": [4, 4]}
    sums = resampling._sums_of_draws(columns, 100, 0)
    assert set(sums["errors"] / sums["tokens"]) == {0.0, 0.25, 0.5}


def test_public_names_are_functions_whatever_was_loaded_first() -> None:
    assert callable(statistics.bootstrap)
    assert set(statistics.__all__) <= set(dir(statistics))
    with pytest.raises(AttributeError, match="has no attribute 'anova'"):
        statistics.anova  # noqa: B018


@pytest.mark.parametrize("n", [3, 300])
@pytest.mark.parametrize("odd", [np.inf, np.nan, 1.7e308])
def test_sums_that_are_not_finite_have_no_interval(n: int, odd: float) -> None:
    columns = {"errors": np.array([odd, odd, *[0.0] * n]), "tokens": np.ones(n + 2)}
    assert bootstrap(columns, draws=50) == {}
    with pytest.raises(ConfigError, match="what is added up for it is not finite"):
        paired_bootstrap(columns, columns, draws=50)


def test_draws_that_are_not_finite_leave_no_interval() -> None:
    columns = {"errors": np.array([1.7e308, 0.0, 0.0]), "tokens": np.ones(3)}
    assert bootstrap(columns, draws=50) == {}
    with pytest.raises(ConfigError, match="what is added up for it is not finite"):
        paired_bootstrap(columns, {"errors": np.zeros(3), "tokens": np.ones(3)}, draws=50)
