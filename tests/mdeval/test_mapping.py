"""The speaker map: optimal, and among equally good ones the one that md-eval finds."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from mdeval import mapping
from mdeval.mapping import byte_order, map_speakers
from mdeval_twin_match import match_speakers

Overlaps = dict[tuple[str, str], float]


def names(prefix: str, n: int) -> list[str]:
    return [f"{prefix}{i:03}" for i in range(n)]


@st.composite
def overlaps_on(draw: st.DrawFn, values: st.SearchStrategy[float], max_speakers: int = 7) -> Overlaps:
    """Draw overlaps, 0 standing for a pair that never meets."""
    refs = names("r", draw(st.integers(1, max_speakers)))
    systems = names("s", draw(st.integers(1, max_speakers)))
    drawn = draw(st.lists(values, min_size=len(refs) * len(systems), max_size=len(refs) * len(systems)))
    pairs = ((r, s) for r in refs for s in systems)
    return {pair: value for pair, value in zip(pairs, drawn, strict=True) if value > 0}


TIED = st.integers(0, 3).map(float)
GRID = st.integers(0, 40).map(lambda k: k / 4)
ANY = st.one_of(st.just(0.0), st.floats(1e-3, 1e4))


def random_overlaps(n_refs: int, n_systems: int, seed: int, *, density: float = 1.0, whole: int = 0) -> Overlaps:
    draw = random.Random(seed)
    return {
        (r, s): float(draw.randint(1, whole)) if whole else draw.uniform(0.01, 100.0)
        for r in names("r", n_refs)
        for s in names("s", n_systems)
        if draw.random() < density
    }


def best_total(overlaps: Overlaps) -> float:
    refs, systems = sorted({r for r, _ in overlaps}), sorted({s for _, s in overlaps})
    matrix = np.zeros((len(refs), len(systems)))
    for (r, s), value in overlaps.items():
        matrix[refs.index(r), systems.index(s)] = value
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return float(matrix[rows, columns].sum())


def assert_optimal(overlaps: Overlaps) -> None:
    found = map_speakers(overlaps)
    assert len(set(found.values())) == len(found)
    assert all(pair in overlaps for pair in found.items())
    assert sum(overlaps[pair] for pair in found.items()) == pytest.approx(best_total(overlaps), rel=1e-9)


@given(overlaps_on(TIED))
def test_ties_are_broken_as_in_the_twin(overlaps: Overlaps) -> None:
    assert map_speakers(overlaps) == match_speakers(overlaps)


@given(overlaps_on(GRID, max_speakers=12))
def test_grid_overlaps_map_as_in_the_twin(overlaps: Overlaps) -> None:
    assert map_speakers(overlaps) == match_speakers(overlaps)


@given(overlaps_on(ANY, max_speakers=12))
def test_no_map_shares_more_time(overlaps: Overlaps) -> None:
    if overlaps:
        assert_optimal(overlaps)
    assert map_speakers(overlaps) == match_speakers(overlaps)


@given(overlaps_on(st.one_of(TIED, GRID), max_speakers=10))
def test_arrays_and_loops_give_the_same_map(overlaps: Overlaps) -> None:
    by_loops = map_speakers(overlaps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapping, "_ARRAYS_FROM", 0)
        assert map_speakers(overlaps) == by_loops


@given(st.integers(0, 2**32), st.sampled_from([1, 2, 5]), st.sampled_from([0.2, 0.7, 1.0]))
def test_larger_tied_matrices(seed: int, whole: int, density: float) -> None:
    draw = random.Random(seed)
    overlaps = random_overlaps(draw.randint(8, 25), draw.randint(8, 25), seed, density=density, whole=whole)
    by_loops = map_speakers(overlaps)
    assert by_loops == match_speakers(overlaps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapping, "_ARRAYS_FROM", 0)
        assert map_speakers(overlaps) == by_loops


@pytest.mark.parametrize(
    ("n_refs", "n_systems", "density"),
    [(12, 12, 1.0), (1, 12, 1.0), (60, 60, 1.0), (60, 60, 0.1), (100, 40, 1.0), (40, 100, 0.5), (47, 46, 1.0)],
)
@pytest.mark.parametrize("whole", [0, 3])
def test_many_speakers_map_optimally_and_as_in_the_twin(
    n_refs: int, n_systems: int, density: float, whole: int
) -> None:
    overlaps = random_overlaps(n_refs, n_systems, 7, density=density, whole=whole)
    assert_optimal(overlaps)
    assert map_speakers(overlaps) == match_speakers(overlaps)


@pytest.mark.parametrize("density", [1.0, 0.02])
def test_five_hundred_speakers_map_optimally(density: float) -> None:
    assert_optimal(random_overlaps(500, 500, 11, density=density))


@pytest.mark.parametrize(
    ("refs", "systems", "wanted"),
    [
        ("AB", "xy", {"A": "x", "B": "y"}),
        ("ABC", "xy", {"A": "x", "B": "y"}),
        ("AB", "xyz", {"A": "x", "B": "y"}),
        ("ABCD", "wxyz", {"A": "w", "B": "x", "C": "y", "D": "z"}),
    ],
)
def test_all_overlaps_equal(refs: str, systems: str, wanted: dict[str, str]) -> None:
    # md-eval.md section 10: tiny/map_ties, map_ties_3x2, map_ties_2x3, map_ties_4x4
    assert map_speakers({(r, s): 1.0 for r in refs for s in systems}) == wanted


def test_nobody_meets_anybody() -> None:
    assert map_speakers({}) == {}


def test_greedy_is_not_optimal() -> None:
    # diarization-metrics.md 1.2, example G: greedy takes A-x (6 s) and leaves B with nothing
    assert map_speakers({("A", "x"): 6.0, ("A", "y"): 4.0, ("B", "x"): 5.0}) == {"A": "y", "B": "x"}


@given(overlaps_on(ANY))
def test_the_order_of_the_pairs_does_not_matter(overlaps: Overlaps) -> None:
    assert map_speakers(dict(reversed(overlaps.items()))) == map_speakers(overlaps)


@given(overlaps_on(ANY))
def test_the_map_lists_reference_speakers_in_byte_order(overlaps: Overlaps) -> None:
    found = list(map_speakers(overlaps))
    assert found == byte_order(found)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=10))
def test_byte_order_is_the_order_of_the_bytes(some: list[str]) -> None:
    assert [name.encode() for name in byte_order(some)] == sorted(name.encode() for name in some)


def test_bytes_that_are_not_utf8_have_their_place_in_byte_order() -> None:
    raw = [b"\xff", b"a", b"\xc3\xa9", b"\x80", b"Z", b"\xf0\x9f\x98\x80"]
    texts = [name.decode("utf-8", "surrogateescape") for name in raw]
    assert [t.encode("utf-8", "surrogateescape") for t in byte_order(texts)] == sorted(raw)
