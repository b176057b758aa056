"""The edit distance between two sequences of words, and an alignment that attains it.

Columns of the table of distances are kept as bits: whether the distance grows from one reference word to the next, one
bit a word, in an integer of any length. A step over one system word is a handful of operations on such integers, so
ten thousand words against ten thousand take a fraction of a second without a numeric library, and memory is bounded:
the distance needs two columns, the alignment of ``n`` by ``m`` words about ``3 n sqrt(m)`` bits.

Sources: G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", JACM
1999; H. Hyyro, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    State = tuple[int, int, int]  # vertical +1, vertical -1, horizontal +1

__all__ = ["align", "edit_distance"]


def edit_distance(reference: Sequence[str], system: Sequence[str]) -> int:
    """Count the insertions, deletions and substitutions that turn one sequence into the other.

    Parameters
    ----------
    reference, system : sequence of str
        Words.

    Returns
    -------
    int
        The least number of edits.

    Examples
    --------
    >>> edit_distance("hello there fine thanks".split(), "hello there hi find thanks a lot".split())
    4
    """
    if len(reference) < len(system):
        reference, system = system, reference
    n = len(reference)
    places = _places(reference)
    state: State = ((1 << n) - 1, 0, 0)
    for column in _columns(places, n, system, state):
        state = column
    return len(system) + state[0].bit_count() - state[1].bit_count()


def align(reference: Sequence[str], system: Sequence[str]) -> list[tuple[int, int]]:
    """Align two sequences with the least number of edits.

    Parameters
    ----------
    reference, system : sequence of str
        Words.

    Returns
    -------
    list of (int, int)
        Positions of the words that stand for one another, the same word or not, in order. Words inserted or deleted
        are not listed.

    Notes
    -----
    Of equally good alignments it is the one found from the end with insertions before deletions before pairs, which is
    simpleder's.

    Examples
    --------
    >>> align(["a", "b", "c"], ["a", "x", "c", "d"])
    [(0, 0), (1, 1), (2, 2)]
    """
    n, m = len(reference), len(system)
    places = _places(reference)
    start: State = ((1 << n) - 1, 0, 0)
    stride = isqrt(m) + 1
    marks = [start]
    for j, state in enumerate(_columns(places, n, system, start), start=1):
        if j % stride == 0:
            marks.append(state)
    pairs: list[tuple[int, int]] = []
    i, j = n, m
    while i and j:
        block = (j - 1) // stride  # the columns from there to the next mark once more, this time all kept
        first = block * stride
        columns = list(_columns(places, n, system[first : min(first + stride, m)], marks[block]))
        while i and j > first:
            vertical_plus, _, horizontal_plus = columns[j - first - 1]
            bit = 1 << (i - 1)
            if horizontal_plus & bit:
                j -= 1
            elif vertical_plus & bit:
                i -= 1
            else:
                i, j = i - 1, j - 1
                pairs.append((i, j))
    pairs.reverse()
    return pairs


def _places(words: Sequence[str]) -> dict[str, int]:
    """Give for each word the set of its positions, as bits."""
    positions: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        positions.setdefault(word, []).append(i)
    places = {}
    for word, some in positions.items():
        bits = bytearray(some[-1] // 8 + 1)
        for i in some:
            bits[i >> 3] |= 1 << (i & 7)
        places[word] = int.from_bytes(bits, "little")
    return places


def _columns(places: dict[str, int], n: int, system: Iterable[str], state: State) -> Iterator[State]:
    """Give the differences of one column of the table of distances after the other.

    Yields
    ------
    (int, int, int)
        Bit ``i`` of each: distance ``i + 1`` is larger, or smaller, than distance ``i`` of this column; distance
        ``i + 1`` is larger than that of the column before.
    """
    full = (1 << n) - 1
    plus, minus, _ = state
    for word in system:
        equal = places.get(word, 0)
        zero = (((equal & plus) + plus) ^ plus) | equal | minus  # the diagonal step costs nothing
        up = minus | (full & ~(zero | plus))
        down = plus & zero
        shifted = (up << 1 | 1) & full
        minus = shifted & zero
        plus = (down << 1 & full) | (full & ~(shifted | zero))
        yield plus, minus, up
