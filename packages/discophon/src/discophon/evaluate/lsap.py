"""The assignment of rows to columns with the largest sum, with the choice among equal ones that SciPy makes.

Source: D. F. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Transactions on Aerospace and
Electronic Systems 52(4), 2016: one shortest augmenting path per row. Among equally short paths the last free column in
the order of the scan is taken, else the first; that order is what makes ties come out as in
``scipy.optimize.linear_sum_assignment``, whose import alone takes longer than the scores. The tests compare the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

__all__ = ["assign_most"]

_FREE = -1
_FAR = np.iinfo(np.int64).max


def assign_most(weights: IntArray) -> IntArray:
    """Give every row a column of its own, so that the sum of the weights is largest.

    Parameters
    ----------
    weights : ndarray of int64, shape (n, n)
        Weights, smaller than 2**62 / n in size.

    Returns
    -------
    ndarray of int64, shape (n,)
        The column of every row.

    Examples
    --------
    >>> assign_most(np.array([[1, 5], [2, 9]])).tolist()
    [0, 1]
    """
    n = len(weights)
    cost = -weights
    row_potential, column_potential = np.zeros(n, np.int64), np.zeros(n, np.int64)
    column_of, row_of = np.full(n, _FREE), np.full(n, _FREE)
    for row in range(n):
        distance = np.full(n, _FAR)
        came_from = np.full(n, _FREE)
        scan = np.arange(n)[::-1].copy()
        left, reached, visited_rows = n, 0, []
        visited = np.zeros(n, bool)
        current = row
        while True:
            visited_rows.append(current)
            open_columns = scan[:left]
            through = reached + cost[current, open_columns] - row_potential[current] - column_potential[open_columns]
            is_shorter = through < distance[open_columns]
            distance[open_columns[is_shorter]] = through[is_shorter]
            came_from[open_columns[is_shorter]] = current
            place = _nearest(distance[open_columns], row_of[open_columns] == _FREE)
            column = scan[place]
            reached = int(distance[column])
            visited[column] = True
            left -= 1
            scan[place] = scan[left]
            if row_of[column] == _FREE:
                break
            current = int(row_of[column])
        row_potential[row] += reached
        others = np.array(visited_rows[1:], np.int64)
        row_potential[others] += reached - distance[column_of[others]]
        column_potential[visited] -= reached - distance[visited]
        while True:  # turn the path around: each row on it takes the column that led to the next
            current = int(came_from[column])
            row_of[column] = current
            column, column_of[current] = int(column_of[current]), column
            if current == row:
                break
    return column_of


def _nearest(distances: IntArray, is_free: NDArray[np.bool_]) -> int:
    """Choose the nearest column: the last free one among equals, else the first."""
    is_nearest = distances == distances.min()
    free = np.flatnonzero(is_nearest & is_free)
    return int(free[-1]) if len(free) else int(np.argmax(is_nearest))
