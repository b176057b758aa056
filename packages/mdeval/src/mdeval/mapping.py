"""The optimal one-to-one map between reference and system speakers.

The map maximises the total time that mapped speakers share. When several maps do, the one that md-eval 22 finds is
taken: this module follows its procedure step by step (an assignment by search forests with row and column levels,
after D. E. Knuth, *The Stanford GraphBase*, ``assign_lisa``), so ties come out alike.

Needs no numeric library for few speakers; from `_ARRAYS_FROM` on, the scans over the columns are array operations.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

__all__ = ["byte_order", "map_speakers"]

_NEVER = 1e30
_NO_MATCH = 1.0 + 1e-12
_ARRAYS_FROM = 48
"""Number of rows from which scanning a row as an array is quicker than a loop (numpy is then loaded)."""


def byte_order(names: Iterable[str]) -> list[str]:
    """Sort names by their UTF-8 bytes, as md-eval does.

    Parameters
    ----------
    names : iterable of str
        Names; lone surrogates stand for bytes that were not UTF-8.

    Returns
    -------
    list of str
        The names in byte order.
    """
    return sorted(names, key=_as_bytes)


def _as_bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def map_speakers(overlaps: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """Find the one-to-one map that maximises the total shared time.

    Parameters
    ----------
    overlaps : mapping of (str, str) to float
        Seconds shared, > 0, for each pair of reference speaker and system speaker that meet.

    Returns
    -------
    dict of str to str
        Reference speaker to system speaker, in byte order of the former. Only pairs that meet are mapped.

    Notes
    -----
    Ties are broken by md-eval's own procedure: speakers are looked at in byte order, so with all overlaps equal the
    first reference speaker gets the first system speaker, and so on.

    Examples
    --------
    >>> map_speakers({("A", "x"): 9.0, ("A", "y"): 0.5, ("B", "y"): 5.0})
    {'A': 'x', 'B': 'y'}
    """
    if not overlaps:
        return {}
    refs = byte_order({ref for ref, _ in overlaps})
    systems = byte_order({sys for _, sys in overlaps})
    swapped = len(refs) < len(systems)
    rows, columns = (systems, refs) if swapped else (refs, systems)
    row_index = {name: i for i, name in enumerate(rows)}
    column_index = {name: i for i, name in enumerate(columns)}
    cells = {
        (row_index[s if swapped else r], column_index[r if swapped else s]): value for (r, s), value in overlaps.items()
    }
    held = _assign(len(rows), len(columns), cells)
    pairs = {
        ((columns[column], rows[row]) if swapped else (rows[row], columns[column]))
        for row, column in enumerate(held)
        if (row, column) in cells
    }
    by_ref = dict(pairs)
    return {ref: by_ref[ref] for ref in refs if ref in by_ref}


def _assign(n_rows: int, n_columns: int, cells: Mapping[tuple[int, int], float]) -> list[int]:
    """Give every row a column; `n_rows >= n_columns`. A dummy row and a dummy column take what stays unmatched."""
    best = max(cells.values())
    no_match = best * _NO_MATCH
    size = n_rows + 1
    cost = [[no_match] * size for _ in range(size)]
    for (row, column), value in cells.items():
        cost[row][column] = best - value
    for column in range(size):
        least = no_match if column > n_columns else min(cost[row][column] for row in range(size))
        if least:
            for row in range(size):
                cost[row][column] -= least
    return _Forest(cost, n_columns + 1, no_match).solve()


class _Forest:
    """State of the search: levels, who holds what, and the slack of every column in the current stage."""

    def __init__(self, cost: list[list[float]], n_real: int, no_match: float) -> None:
        self.size = len(cost)
        self.row_level = [0.0] * self.size
        self.column_level: Any = [0.0] * self.size
        self.column_of = [-1] * self.size
        self.row_of = [-1] * self.size
        self.waiting: list[int] = []
        for row, cells in enumerate(cost):
            level = self.row_level[row] = min(*cells[:n_real], no_match)
            for column, cell in enumerate(cells):
                if cell == level and self.row_of[column] < 0:
                    self._give(row, column)
                    break
            else:
                self.waiting.append(row)
        self.cost: Any = cost
        self.arrays: Any = None
        if self.size >= _ARRAYS_FROM and self.waiting:
            import numpy as np

            self.arrays = np
            self.cost = np.array(cost)
            self.column_level = np.zeros(self.size)

    def solve(self) -> list[int]:
        """Match all rows; gives the column of each."""
        while self.waiting:
            row, column = self._stage()
            while True:
                previous = self.column_of[row]
                self._give(row, column)
                if previous < 0:
                    break
                column, row = previous, self.parent[previous]
            self.waiting = [r for r in self.waiting if self.column_of[r] < 0]
        return self.column_of

    def _give(self, row: int, column: int) -> None:
        self.column_of[row] = column
        self.row_of[column] = row

    def _stage(self) -> tuple[int, int]:
        """Grow the forest from all waiting rows until a free column is reached."""
        np = self.arrays
        self.slack: Any = [_NEVER] * self.size if np is None else np.full(self.size, _NEVER)
        self.slack_row: Any = [-1] * self.size if np is None else np.full(self.size, -1)
        self.parent = [-1] * self.size
        scan = self._scan if np is None else self._scan_arrays
        raise_levels = self._raise_levels if np is None else self._raise_levels_arrays
        forest = list(self.waiting)
        position = 0
        while True:
            while position < len(forest):
                row = forest[position]
                position += 1
                free = scan(row, forest)
                if free >= 0:
                    return row, free
            free = raise_levels(forest)
            if free >= 0:
                return int(self.slack_row[free]), free

    def _scan(self, row: int, forest: list[int]) -> int:
        """Lower the slacks by one row; rows that hold a column reached join. Gives a free column reached, or -1."""
        level, slack, levels = self.row_level[row], self.slack, self.column_level
        for column, cell in enumerate(self.cost[row]):
            if slack[column] > 0:
                x = cell - level + levels[column]
                if x < slack[column]:
                    if x == 0:
                        if self.row_of[column] < 0:
                            return column
                        slack[column] = 0.0
                        self.parent[column] = row
                        forest.append(self.row_of[column])
                    else:
                        slack[column] = x
                        self.slack_row[column] = row
        return -1

    def _raise_levels(self, forest: list[int]) -> int:
        """Raise the levels until another column is reached. Gives a free column reached, or -1."""
        slack, levels = self.slack, self.column_level
        y = min(s for s in slack if s > 0)
        for row in forest:
            self.row_level[row] += y
        for column in range(self.size):
            if slack[column] == 0:
                levels[column] += y
                continue
            slack[column] -= y
            if slack[column] == 0:
                if self.row_of[column] < 0:
                    for later in range(column + 1, self.size):
                        if slack[later] == 0:
                            levels[later] += y
                    return column
                self.parent[column] = self.slack_row[column]
                forest.append(self.row_of[column])
        return -1

    def _scan_arrays(self, row: int, forest: list[int]) -> int:
        """Do what `_scan` does, on arrays."""
        np = self.arrays
        x = self.cost[row] - self.row_level[row] + self.column_level
        lower = (self.slack > 0) & (x < self.slack)
        for column in np.flatnonzero(lower & (x == 0)).tolist():
            if self.row_of[column] < 0:
                return int(column)
            self.parent[column] = row
            forest.append(self.row_of[column])
        self.slack = np.where(lower, x, self.slack)
        self.slack_row[lower & (x != 0)] = row
        return -1

    def _raise_levels_arrays(self, forest: list[int]) -> int:
        """Do what `_raise_levels` does, on arrays."""
        np = self.arrays
        y = float(self.slack[self.slack > 0].min())
        for row in forest:
            self.row_level[row] += y
        reached_before = self.slack == 0
        self.column_level[reached_before] += y
        self.slack = np.where(reached_before, 0.0, self.slack - y)
        for column in np.flatnonzero((self.slack == 0) & ~reached_before).tolist():
            if self.row_of[column] < 0:
                return int(column)
            self.parent[column] = int(self.slack_row[column])
            forest.append(self.row_of[column])
        return -1
