"""Slow twin of md-eval, part 1: the merge sort of appendix A of `md-eval.md`.

md-eval sorts events with comparison functions that contradict themselves at equal times, so its result
depends on which pairs the sort happens to compare. This is that sort, written from the text of appendix A
alone; Perl 5.36 gave the same order on 12000 random inputs with those comparison functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Compare = Callable[[T, T], int]


def perl_sort(items: list[T], cmp: Compare[T]) -> list[T]:
    """Return the items in the order that Perl's sort gives with the comparison `cmp`."""
    if len(items) < 2:
        return list(items)
    runs = find_runs(items, cmp)
    return merge_all(runs, cmp)


def find_runs(a: list[T], cmp: Compare[T]) -> list[list[T]]:
    """Split the items into natural runs; a run found in falling order is turned round."""
    n = len(a)

    def sense(i: int) -> bool:
        return cmp(a[i], a[i + 1]) > 0

    runs: list[list[T]] = []
    s = sense(0)

    def add_run(start: int, stop: int) -> None:
        run = a[start:stop]
        if s and stop - start > 1:
            run.reverse()
        runs.append(run)

    b = 0
    while b < n:
        t = b + 2  # the first pair has sense s: it is the one that ended the last stretch
        while t + 1 < n and sense(t) == s:
            t += 2
        q = b
        while True:
            if b + 16 >= t:
                p = r = t
            else:
                r = b + 16
                p = r
                while sense(p - 1) == s:
                    p -= 2
                    if p <= q:
                        break
                if p <= q:
                    q = r
                    p = r + 2
                    while p < t and sense(p - 1) == s:
                        q = p
                        p += 2
                    p = r = q + 2
            if q > b:
                f = q + 2
                if f == t and t + 1 == n and sense(f - 1) == s:
                    f = p = r = n
                add_run(b, f)
                q = f
            while q < p:
                add_run(q, q + 2)
                q += 2
            b = p
            if b == t and t + 1 == n:
                add_run(t, n)
                b = n
            q = r
            if b >= t:
                break
        s = not s
    return runs


def merge_all(runs: list[list[T]], cmp: Compare[T]) -> list[T]:
    """Merge the first half of the runs (rounded up), then the others, then the two results."""
    if len(runs) == 1:
        return runs[0]
    half = (len(runs) + 1) // 2
    return merge_two(merge_all(runs[:half], cmp), merge_all(runs[half:], cmp), cmp)


def merge_two(left: list[T], right: list[T], cmp: Compare[T]) -> list[T]:
    """Merge two runs; where an element goes is found by the probing of appendix A."""
    out: list[T] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if cmp(left[i], right[j]) <= 0:
            stop = find_place(left, i, right[j], -1, cmp)
            out.extend(left[i:stop])
            out.append(right[j])
            i, j = stop, j + 1
        else:
            stop = find_place(right, j, left[i], 0, cmp)
            out.extend(right[j:stop])
            out.append(left[i])
            i, j = i + 1, stop
    return out + left[i:] + right[j:]


def find_place(run: list[T], head: int, item: T, limit: int, cmp: Compare[T]) -> int:
    """Return the index in `run` before which `item` goes: after `head`, found by steps, then by halving."""
    lo = head
    step = 1
    failures = 0
    while True:
        probe = lo + step
        if probe >= len(run):
            last = len(run) - 1
            hi = len(run)
            if last > lo:
                if cmp(item, run[last]) <= limit:
                    hi = last
                else:
                    lo = last
            break
        if cmp(item, run[probe]) <= limit:
            hi = probe
            break
        lo = probe
        failures += 1
        if failures >= 6:
            step += step
    while lo + 1 < hi:
        probe = lo + 1 + (hi - lo - 2) // 2
        if cmp(item, run[probe]) <= limit:
            hi = probe
        else:
            lo = probe
    return hi
