"""Dynamic time warping of sequences of vectors, along anti-diagonals so that no cell is visited by Python.

Steps are (1, 1), (0, 1) and (1, 0) with equal weight; of equal costs the first in this order wins, as in librosa.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Path = NDArray[np.intp]
    Steps = NDArray[np.uint8]

__all__ = ["align"]

_CELLS = 1 << 23  # of cost matrices that are looked at together: 64 MiB, and a quarter of it for steps


def align(firsts: Sequence[Matrix], second: Matrix) -> list[Path]:
    """Align each of several sequences with another one.

    Parameters
    ----------
    firsts : sequence of ndarray, shape (frames, dims)
        The sequences; none is empty.
    second : ndarray, shape (frames, dims)
        What they are aligned with; not empty.

    Returns
    -------
    list of ndarray of int, shape (points, 2)
        For each, the cheapest path: frame in it, frame in `second`, from the end to the start.

    Examples
    --------
    >>> import numpy as np
    >>> align([np.array([[0.0], [1.0], [2.0], [2.0]])], np.array([[0.0], [0.0], [2.0]]))[0].tolist()
    [[3, 2], [2, 2], [1, 1], [0, 0]]
    """
    import numpy as np
    from scipy.spatial.distance import cdist

    longest = max(map(len, firsts))
    at_once = max(1, _CELLS // (longest * len(second)))
    paths = []
    for start in range(0, len(firsts), at_once):
        group = firsts[start : start + at_once]
        costs = np.full((len(group), max(map(len, group)), len(second)), np.inf)
        for cost, first in zip(costs, group, strict=True):
            cost[: len(first)] = cdist(first, second)
        steps = _steps(costs)
        paths += [_path(steps[:, number], len(first), len(second)) for number, first in enumerate(group)]
    return paths


def _steps(costs: Matrix) -> Steps:
    """Find the cheapest step into every cell of several matrices, (matrices, n, m).

    The result is (n + m - 1, matrices, n): the anti-diagonal of a cell, then its row; 0 for both sequences, 1 for the
    second alone, 2 for the first alone.
    """
    import numpy as np

    n_matrices, n, m = costs.shape
    flat = costs.reshape(n_matrices, n * m)
    stride = max(1, m - 1)  # from a cell to the next on its anti-diagonal, a row below
    steps = np.zeros((n + m - 1, n_matrices, n), np.uint8)
    # totals of three anti-diagonals by row, after one of infinity above the first row
    before, previous, current = (np.full((n_matrices, n + 1), np.inf) for _ in range(3))
    before[:, 0] = 0.0  # before the first cell
    for k in range(n + m - 1):
        lo, hi = max(0, k - m + 1), min(n, k + 1)  # rows that have a cell on this anti-diagonal
        start = k + lo * (m - 1)
        cost = flat[:, start : start + (hi - lo - 1) * stride + 1 : stride]
        both = before[:, lo:hi] + cost
        second = previous[:, lo + 1 : hi + 1] + cost
        first = previous[:, lo:hi] + cost
        best = np.minimum(np.minimum(both, second), first, out=current[:, lo + 1 : hi + 1])
        not_both = both > best
        np.add(not_both, not_both & (second > best), out=steps[k, :, lo:hi], dtype=np.uint8, casting="unsafe")
        before[:, 0] = np.inf
        before, previous, current = previous, current, before
    return steps


def _path(steps: Steps, n: int, m: int) -> Path:
    """Walk back from the last cell to the first."""
    import numpy as np

    i, j = n - 1, m - 1
    points = [(i, j)]
    while i or j:
        step = steps[i + j, i]
        i, j = i - (step != 1), j - (step != 2)
        points.append((i, j))
    return np.array(points, dtype=np.intp)
