"""McNemar's test, exact, and Holm's correction."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.builtin import WER
from measure_core.errors import ConfigError
from measure_core.statistics import holm, mcnemar
from measure_counts_support import SETS, expected, significance
from measure_twin import binomial_p


@pytest.mark.parametrize("name", SETS)
def test_figures_are_the_expected_ones(name: str) -> None:
    figures = expected(name)["mcnemar_utterances"]
    metric = WER()
    errors = [metric.errors(metric.count(significance(name, side))) for side in "ab"]
    result = mcnemar(*errors)
    assert (result.a_right, result.b_right) == (figures["a_right_b_wrong"], figures["a_wrong_b_right"])
    assert result.p_value == pytest.approx(figures["exact_binomial_two_sided_p"], abs=6e-7)


def test_not_what_sc_stats_prints() -> None:
    """It prints 0.000 for 72 against 79; the true value is 0.626."""
    result = mcnemar([0] * 72 + [1] * 79, [1] * 72 + [0] * 79)
    assert result.p_value == pytest.approx(0.625504, abs=6e-7)


@given(st.integers(0, 300), st.integers(0, 300))
def test_p_is_exact(only_a: int, only_b: int) -> None:
    result = mcnemar([0] * only_a + [1] * only_b, [1] * only_a + [0] * only_b)
    wanted = binomial_p(only_a + only_b, min(only_a, only_b))
    assert result.p_value == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize(("only_a", "only_b"), [(30_000, 30_400), (0, 20_000), (10_000, 10_000)])
def test_many_utterances(only_a: int, only_b: int) -> None:
    errors_a = np.repeat([0, 1], [only_a, only_b])
    result = mcnemar(errors_a, 1 - errors_a)
    n, smaller = only_a + only_b, min(only_a, only_b)
    sd = np.sqrt(n) / 2
    from scipy.stats import norm

    by_normal = min(1.0, 2 * float(norm.cdf((smaller + 0.5 - n / 2) / sd)))
    assert result.p_value == pytest.approx(by_normal, rel=1e-3, abs=1e-300)


def test_utterances_both_have_right_do_not_matter() -> None:
    assert mcnemar([0, 0, 3, 1], [0, 0, 2, 0]) == mcnemar([1], [0])
    assert mcnemar([], []).p_value == 1
    with pytest.raises(ConfigError, match="A has 1 utterances and B 2"):
        mcnemar([0], [0, 1])


def test_holm_by_hand() -> None:
    """S. Holm's rule: the smallest of m times m, the next times m - 1, never falling, never above 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
    assert holm([0.2]) == [0.2]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_none_and_bonferroni(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for raw, p in zip(p_values, corrected, strict=True):
        assert raw <= p <= min(1, raw * len(p_values)) + 1e-15
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert all(corrected[i] <= corrected[j] for i, j in pairwise(order))


def test_wrong_p_values() -> None:
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ConfigError, match="p-values are"):
            holm([0.5, wrong])
