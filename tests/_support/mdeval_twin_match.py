"""Slow twin of md-eval, part 2: the speaker assignment of appendix B of `md-eval.md`.

Any maximum-weight matching gives the same map when the optimum is unique; this procedure also decides ties as
md-eval does.
"""

from __future__ import annotations

FAR = 1e30


def match_speakers(overlaps: dict[tuple[str, str], float]) -> dict[str, str]:
    """Map reference speakers one to one to system speakers so that the total overlap is greatest.

    Parameters
    ----------
    overlaps : dict of (reference speaker, system speaker) to float
        Seconds that the two speak together; pairs that never meet have no entry.

    Returns
    -------
    dict of str to str
        System speaker of each mapped reference speaker.
    """
    if not overlaps:
        return {}
    row_names = sorted({r for r, _ in overlaps})
    col_names = sorted({s for _, s in overlaps})
    swapped = len(row_names) < len(col_names)
    if swapped:
        row_names, col_names = col_names, row_names
    greatest = max(overlaps.values())
    no_match = greatest * (1 + 1e-12)
    n = len(row_names) + 1
    n_columns = len(col_names) + 1  # real and dummy columns; the columns after them are padding

    entry: dict[tuple[int, int], float] = {}
    for i, row in enumerate(row_names):
        for j, col in enumerate(col_names):
            pair = (col, row) if swapped else (row, col)
            if pair in overlaps:
                entry[i, j] = greatest - overlaps[pair]
    cost: list[list[float]] = []
    for i in range(n):
        cost.append([entry.get((i, j), no_match) for j in range(n)])
    for j in range(n):
        least = no_match
        for i in range(n):
            least = min(least, cost[i][j])
        for i in range(n):
            cost[i][j] -= least

    mapping: dict[str, str] = {}
    for i, j in enumerate(assign(cost, n_columns, no_match)):
        if (i, j) in entry:
            if swapped:
                mapping[col_names[j]] = row_names[i]
            else:
                mapping[row_names[i]] = col_names[j]
    return mapping


def assign(cost: list[list[float]], n_columns: int, no_match: float) -> list[int]:
    """Return the column of every row of a square cost matrix in the cheapest assignment."""
    n = len(cost)
    row_level = [0.0] * n
    col_level = [0.0] * n
    column_of = [-1] * n
    row_of = [-1] * n
    for i in range(n):
        level = no_match
        for j in range(n_columns):
            level = min(level, cost[i][j])
        row_level[i] = level
        for j in range(n):
            if cost[i][j] == level and row_of[j] < 0:
                column_of[i], row_of[j] = j, i
                break
    while -1 in column_of:
        parent = [-1] * n
        row, column = search(cost, row_level, col_level, column_of, row_of, parent)
        while True:
            previous = column_of[row]
            column_of[row], row_of[column] = column, row
            if previous < 0:
                break
            row, column = parent[previous], previous
    return column_of


def search(
    cost: list[list[float]],
    row_level: list[float],
    col_level: list[float],
    column_of: list[int],
    row_of: list[int],
    parent: list[int],
) -> tuple[int, int]:
    """Grow the search forest to a free column; return the row that reached it and the column."""
    n = len(cost)
    slack = [FAR] * n
    slack_row = [-1] * n
    forest = [i for i in range(n) if column_of[i] < 0]
    done = 0
    while True:
        while done < len(forest):
            row = forest[done]
            for j in range(n):
                if slack[j] <= 0:
                    continue
                x = cost[row][j] - row_level[row] + col_level[j]
                if x < slack[j]:
                    if x == 0:
                        if row_of[j] < 0:
                            return row, j
                        slack[j] = 0.0
                        parent[j] = row
                        forest.append(row_of[j])
                    else:
                        slack[j] = x
                        slack_row[j] = row
            done += 1
        y = min(x for x in slack if x > 0)
        for row in forest:
            row_level[row] += y
        for j in range(n):
            if slack[j] <= 0:
                col_level[j] += y
                continue
            slack[j] -= y
            if slack[j] == 0:
                if row_of[j] < 0:
                    for later in range(j + 1, n):
                        if slack[later] == 0:
                            col_level[later] += y
                    return slack_row[j], j
                parent[j] = slack_row[j]
                forest.append(row_of[j])
