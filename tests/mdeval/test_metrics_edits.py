"""Edit distance and alignment by bits, against the plain table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.metrics.edits import align, edit_distance

WORDS = st.lists(st.sampled_from("abc"), max_size=20)


def table(reference: list[str], system: list[str]) -> list[list[int]]:
    """Fill the plain table of distances."""
    rows = [list(range(len(system) + 1))]
    for i, word in enumerate(reference, start=1):
        row = [i]
        for j, other in enumerate(system, start=1):
            row.append(min(row[-1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (word != other)))
        rows.append(row)
    return rows


def slow_align(reference: list[str], system: list[str]) -> list[tuple[int, int]]:
    """Trace the plain table back as simpleder 0.0.8 does: insertions, then deletions, then pairs."""
    rows = table(reference, system)
    i, j = len(reference), len(system)
    pairs = []
    while i and j:
        if rows[i][j] == rows[i][j - 1] + 1:
            j -= 1
        elif rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


@given(WORDS, WORDS)
def test_the_plain_table_gives_the_same(reference: list[str], system: list[str]) -> None:
    assert edit_distance(reference, system) == table(reference, system)[-1][-1]
    assert align(reference, system) == slow_align(reference, system)


@pytest.mark.parametrize(
    ("reference", "system", "distance"),
    [("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("abc", "abc", 0)],
)
def test_known_distances(reference: str, system: str, distance: int) -> None:
    assert edit_distance(reference, system) == distance
    assert edit_distance(system, reference) == distance


@pytest.mark.parametrize(("n", "m"), [(200, 170), (64, 64), (65, 1), (1, 65), (129, 300)])
def test_lengths_around_a_machine_word(n: int, m: int) -> None:
    draw = random.Random(n * m)
    reference, system = ([draw.choice("abcde") for _ in range(k)] for k in (n, m))
    assert edit_distance(reference, system) == table(reference, system)[-1][-1]
    assert align(reference, system) == slow_align(reference, system)


def test_a_day_of_words() -> None:
    draw = random.Random(1)
    reference = [str(draw.randrange(500)) for _ in range(20_000)]
    system = [word for word in reference if draw.random() > 0.1]
    assert edit_distance(reference, system) == len(reference) - len(system)
    assert len(align(reference, system)) == len(system)
