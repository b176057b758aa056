"""Sort as Perl's ``sort`` does, comparison by comparison.

md-eval sorts events with comparison functions that are not consistent when events coincide. Its figures then
depend on which pairs the sort happens to compare, so being exact means running the same merge sort over natural
runs. Everything else in this package avoids it: `zones` comes here only when two events really coincide.

Source: the merge sort of Perl 5.8 and later (``pp_sort.c``, J. P. Linderman), as described in the
specification's appendix A.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

__all__ = ["exact_sort"]

_LOOK_AHEAD = 16
_SLOW_PROBES = 5


def exact_sort(items: list[T], compare: Callable[[T, T], int]) -> list[T]:
    """Sort with the sequence of comparisons that Perl makes.

    Parameters
    ----------
    items : list
        What to sort; left as it is.
    compare : callable
        ``compare(x, y)`` gives a negative number, zero or a positive number. It need not be consistent.

    Returns
    -------
    list
        The items in Perl's order.
    """
    if len(items) < 2:
        return list(items)
    return _merge_all(_natural_runs(list(items), compare), compare)


def _natural_runs(a: list[T], compare: Callable[[T, T], int]) -> list[list[T]]:
    """Cut into runs that are in order already; descending runs come back reversed."""
    n = len(a)
    runs: list[list[T]] = []

    def descends(i: int) -> bool:
        return compare(a[i], a[i + 1]) > 0

    def add(start: int, stop: int) -> None:
        run = a[start:stop]
        runs.append(run[::-1] if sense else run)

    begin, sense = 0, descends(0)
    while begin < n:
        stretch = begin + 2
        while stretch + 1 < n and descends(stretch) == sense:
            stretch += 2
        linked = begin
        while begin < stretch:
            if begin + _LOOK_AHEAD >= stretch:
                pairs = reach = stretch
            else:
                pairs = reach = begin + _LOOK_AHEAD
                while descends(pairs - 1) == sense:
                    pairs -= 2
                    if pairs <= linked:
                        break
                if pairs <= linked:
                    linked = reach
                    ahead = reach + 2
                    while ahead < stretch and descends(ahead - 1) == sense:
                        linked = ahead
                        ahead += 2
                    pairs = reach = linked + 2
            if linked > begin:
                stop = linked + 2
                if stop == stretch and stretch + 1 == n and descends(stop - 1) == sense:
                    stop = pairs = reach = n
                add(begin, stop)
                linked = stop
            for pair in range(linked, pairs, 2):
                add(pair, pair + 2)
            begin = pairs
            if begin == stretch and stretch + 1 == n:
                runs.append(a[begin:])
                begin = n
            linked = reach
        sense = not sense
    return runs


def _merge_all(runs: list[list[T]], compare: Callable[[T, T], int]) -> list[T]:
    """Merge the first half of the runs, then the second, then the two results."""
    if len(runs) == 1:
        return runs[0]
    half = (len(runs) + 1) // 2
    return _merge(_merge_all(runs[:half], compare), _merge_all(runs[half:], compare), compare)


def _merge(left: list[T], right: list[T], compare: Callable[[T, T], int]) -> list[T]:
    """Merge two runs, the head of one inserted into the other by probing."""
    out: list[T] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if compare(left[i], right[j]) <= 0:
            stop = _insertion_point(left, i, right[j], -1, compare)
            out += left[i:stop]
            out.append(right[j])
            i, j = stop, j + 1
        else:
            stop = _insertion_point(right, j, left[i], 0, compare)
            out += right[j:stop]
            out.append(left[i])
            i, j = i + 1, stop
    return out + left[i:] + right[j:]


def _insertion_point(run: list[T], head: int, item: T, limit: int, compare: Callable[[T, T], int]) -> int:
    """Find the first element after the head that the item comes before; the answer depends on the probes."""
    low, step, failures = head, 1, 0
    last = len(run) - 1
    while True:
        probe = low + step
        if probe > last:
            if low == last:
                return len(run)
            if compare(item, run[last]) <= limit:
                high = last
                break
            return len(run)
        if compare(item, run[probe]) <= limit:
            high = probe
            break
        low = probe
        failures += 1
        if failures > _SLOW_PROBES:
            step += step
    while low + 1 < high:
        probe = low + 1 + (high - low - 2) // 2
        if compare(item, run[probe]) <= limit:
            high = probe
        else:
            low = probe
    return high
