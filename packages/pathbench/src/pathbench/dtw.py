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

__all__ = ["accumulate", "align"]


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
    from scipy.spatial.distance import cdist

    costs = [cdist(first, second) for first in firsts]
    totals = accumulate(costs)
    return [_path(cost, totals[:, number], len(second)) for number, cost in enumerate(costs)]


def accumulate(costs: Sequence[Matrix]) -> Matrix:
    """Add up the costs of the cheapest paths to every cell, of several matrices at once.

    Parameters
    ----------
    costs : sequence of ndarray, shape (n, m)
        Local costs; the matrices may have different n, and have the same m.

    Returns
    -------
    ndarray of float64, shape (n + m + 1, matrices, m + 1)
        Cell (i, j) of a matrix is at [i + j + 2, matrix, j + 1]: its anti-diagonal, then its column. All around the
        cells is infinity.
    """
    import numpy as np

    n, m = max(len(cost) for cost in costs), costs[0].shape[1]
    local = np.full((n + m - 1, len(costs), m), np.inf)
    column = np.arange(m)
    for number, cost in enumerate(costs):
        local[np.arange(len(cost))[:, None] + column, number, column] = cost
    totals = np.full((n + m + 1, len(costs), m + 1), np.inf)
    totals[0, :, 0] = 0.0  # before the first cell
    beside = np.empty((len(costs), m))
    above = np.empty((len(costs), m))
    for k in range(n + m - 1):
        lo, hi = max(0, k - n + 1), min(m, k + 1)  # columns that have a cell on this anti-diagonal
        cost, here = local[k, :, lo:hi], totals[k + 2, :, lo + 1 : hi + 1]
        np.add(totals[k, :, lo:hi], cost, out=here)
        np.add(totals[k + 1, :, lo:hi], cost, out=beside[:, : hi - lo])
        np.add(totals[k + 1, :, lo + 1 : hi + 1], cost, out=above[:, : hi - lo])
        np.minimum(here, beside[:, : hi - lo], out=here)
        np.minimum(here, above[:, : hi - lo], out=here)
    return totals


def _path(cost: Matrix, totals: Matrix, m: int) -> Path:
    """Walk back from the last cell: a step was taken where its sum is the total."""
    import numpy as np

    i, j = len(cost) - 1, m - 1
    points = [(i, j)]
    while i or j:
        total, local, k = totals[i + j + 2, j + 1], cost[i, j], i + j
        if totals[k, j] + local == total:
            i, j = i - 1, j - 1
        elif totals[k + 1, j] + local == total:
            j -= 1
        else:
            i -= 1
        points.append((i, j))
    return np.array(points, dtype=np.intp)
