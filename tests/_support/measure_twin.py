"""Slow twins of measure_core: plain loops over lists, independent of the product."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Step = tuple[str, int, int]
"""Kind (``=``, S, D, I), reference index, hypothesis index."""


def cheapest_cost(ref: Sequence[str], hyp: Sequence[str], substitution: int, gap: int) -> int:
    """Give the cost of the cheapest alignment, from a table of whole numbers."""
    row = [gap * j for j in range(len(hyp) + 1)]
    for i, ref_token in enumerate(ref, 1):
        above, row = row, [gap * i]
        for j, hyp_token in enumerate(hyp, 1):
            across = above[j - 1] + (0 if ref_token == hyp_token else substitution)
            row.append(min(across, above[j] + gap, row[j - 1] + gap))
    return row[-1]


def sclite_path(ref: Sequence[str], hyp: Sequence[str]) -> list[Step]:
    """Trace back with sclite's costs: across where that is cheapest, else insert where that is, else delete.

    Every decision asks for the cheapest cost of what would be left, so no table is shared with the product's way.
    """
    steps: list[Step] = []
    i, j = len(ref), len(hyp)
    while i or j:
        best = cheapest_cost(ref[:i], hyp[:j], 4, 3)
        is_equal = bool(i and j) and ref[i - 1] == hyp[j - 1]
        if i and j and cheapest_cost(ref[: i - 1], hyp[: j - 1], 4, 3) + (0 if is_equal else 4) == best:
            i, j = i - 1, j - 1
            steps.append(("=" if is_equal else "S", i, j))
        elif j and cheapest_cost(ref[:i], hyp[: j - 1], 4, 3) + 3 == best:
            j -= 1
            steps.append(("I", i, j))
        else:
            i -= 1
            steps.append(("D", i, j))
    return steps[::-1]


def segment_differences(paths: Sequence[tuple[int, list[Step], list[Step]]], min_good: int) -> list[int]:
    """Walk the reference tokens of each utterance with both paths side by side, as sc_stats is described.

    Parameters
    ----------
    paths : sequence of (int, list of Step, list of Step)
        Reference length and the paths of both systems.
    min_good : int
        Tokens that both systems have right, in a row, that close a segment.
    """
    differences = []
    for length, path_a, path_b in paths:
        is_open, good, difference = False, 0, 0
        for position in range(length + 1):
            inserted = [sum(kind == "I" and i == position for kind, i, _ in path) for path in (path_a, path_b)]
            if any(inserted):
                is_open, good = True, 0
                difference += inserted[0] - inserted[1]
            if position == length:
                break
            wrong = [any(kind in "SD" and i == position for kind, i, _ in path) for path in (path_a, path_b)]
            if any(wrong):
                is_open, good = True, 0
                difference += wrong[0] - wrong[1]
            elif is_open:
                good += 1
                if good == min_good:
                    differences.append(difference)
                    is_open, good, difference = False, 0, 0
        if is_open:
            differences.append(difference)
    return differences


def binomial_p(n: int, smaller: int) -> Fraction:
    """Give min(1, twice the probability of at most `smaller` heads in `n` throws), exactly."""
    return min(Fraction(1), Fraction(2 * sum(comb(n, i) for i in range(smaller + 1)), 2**n))
