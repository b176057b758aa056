"""McNemar's test on utterances, exact.

Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
Psychometrika 12, 1947.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from measure_core.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["McNemar", "mcnemar"]


@dataclass(frozen=True, slots=True)
class McNemar:
    """The outcome of McNemar's test.

    Parameters
    ----------
    a_right, b_right : int
        Utterances that only A (only B) has without an error.
    p_value : float
        Exact binomial, two-sided.
    """

    a_right: int
    b_right: int
    p_value: float


def mcnemar(errors_a: ArrayLike, errors_b: ArrayLike) -> McNemar:
    """Test whether two systems have the same number of utterances without an error.

    Parameters
    ----------
    errors_a, errors_b : array-like of numbers, shape (utterances,)
        Errors of both systems in the same utterances.

    Returns
    -------
    McNemar
        The outcome.

    Raises
    ------
    ConfigError
        If the lengths differ.

    Notes
    -----
    With n utterances that only one system has right, p = min(1, 2 P(X <= the smaller number)), X binomial (n, 1/2).

    Examples
    --------
    >>> mcnemar([0] * 8 + [1], [1] * 8 + [0])
    McNemar(a_right=8, b_right=1, p_value=0.0390625)
    """
    is_right_a, is_right_b = np.asarray(errors_a) == 0, np.asarray(errors_b) == 0
    if is_right_a.shape != is_right_b.shape:
        raise ConfigError(f"A has {is_right_a.size} utterances and B {is_right_b.size}; they must be the same ones")
    only_a = int(np.count_nonzero(is_right_a & ~is_right_b))
    only_b = int(np.count_nonzero(is_right_b & ~is_right_a))
    return McNemar(only_a, only_b, _two_sided(only_a + only_b, min(only_a, only_b)))


def _two_sided(n: int, smaller: int) -> float:
    """Give twice the probability of at most `smaller` heads in `n` throws."""
    # the terms below the largest one, relative to it: C(n, i-1) / C(n, i) = i / (n - i + 1)
    below = np.cumprod(np.arange(smaller, 0, -1) / np.arange(n - smaller + 1, n + 1))
    largest = comb(n, smaller) / (1 << n)  # of integers, hence correctly rounded
    return min(1.0, 2 * largest * (1 + float(below.sum())))
