"""The Jaccard error rate: worked examples, edges, and maps tried one by one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.metrics.jaccard import Jer, first_best_map, jaccard_map, jer, jer_columns
from mdeval_metrics import REFS, SYSTEMS, UEM, Turns, best_assignment, best_maps, cells_of, example, frames, total

J1_REF = [(0.0, 100.0, "A"), (100.0, 108.0, "B")]
J1_SYS = [(0.0, 56.0, "x"), (100.0, 108.0, "x"), (56.0, 100.0, "y")]


@pytest.mark.parametrize(
    ("collar", "rate"),
    [
        (0.0, 0.3205128),  # dscore, simpleder, pyannote.metrics
        (0.25, 0.2973995),  # simpleder collar=0.25, pyannote.metrics collar=0.5
        (0.5, 0.2698413),  # simpleder collar=0.5
    ],
)
def test_the_running_example(collar: float, rate: float) -> None:
    found = jer(example(collar=collar))
    assert found.rate == pytest.approx(rate, abs=5e-8, rel=0)
    assert found.n_speakers == 3
    assert jer_columns(found) == {"jer": found.rate, "jer_speakers": 3}


def test_the_parts_of_the_running_example() -> None:
    assert jer(example()).error_sum == pytest.approx(0.307692 + 0.153846 + 0.5, abs=2e-6)
    assert jaccard_map(example()) == {"A": "x", "B": "y", "C": "z"}


def test_the_map_maximises_the_jaccard_index_not_the_time() -> None:
    # diarization-metrics.md J1: dscore 71.75 %, simpleder; with the map of the DER 0.7407407 (pyannote.metrics)
    cells = cells_of(J1_REF, J1_SYS)
    assert jer(cells).rate == pytest.approx(0.7175)
    assert jaccard_map(cells) == {"A": "y", "B": "x"}


@pytest.mark.parametrize(
    ("ref", "system", "rate"),
    [
        ([], [(1.0, 2.0, "x")], 1.0),
        ([], [], 0.0),
        ([(1.0, 2.0, "A")], [], 1.0),
        ([(1.0, 2.0, "A")], [(1.0, 2.0, "x")], 0.0),
    ],
)
def test_empty_sides(ref: Turns, system: Turns, rate: float) -> None:
    # section 3: dscore and pyannote.metrics
    cells = cells_of(ref, system, UEM)
    assert jer(cells).rate == rate


def test_short_speakers_can_be_left_out_of_the_mean() -> None:
    found = jer(example(), min_duration=9.0)  # C is active for 8 s
    assert found.n_speakers == 2
    assert found.error_sum == pytest.approx(4 / 13 + 2 / 13)


def test_recordings_pool_over_speakers() -> None:
    both = total([jer(example()), jer(cells_of(J1_REF, J1_SYS))])
    assert both.rate == pytest.approx((4 / 13 + 2 / 13 + 0.5 + 2 * 0.7175) / 5)
    assert (Jer(0.0, 0, 3.0) + Jer(0.5, 2, 1.0)).rate == 0.25


@given(REFS, SYSTEMS)
def test_frames_and_all_maps_give_the_same(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    found = frames(cells)
    refs = sorted({name for some, _ in found for name in some})
    systems = sorted({name for _, some in found for name in some})
    weights = {}
    for r in refs:
        for s in systems:
            both = sum(r in a and s in b for a, b in found)
            if both:
                weights[r, s] = both / sum(r in a or s in b for a, b in found)
    sums = jer(cells)
    assert sums.n_speakers == len(refs)
    assert sums.error_sum == pytest.approx(len(refs) - best_assignment(weights, refs, systems))
    assert list(jaccard_map(cells).items()) == (best_maps(weights)[0] if weights else [])


# Ties


@given(st.dictionaries(st.tuples(st.sampled_from("ABCD"), st.sampled_from("wxyz")), st.integers(1, 3).map(float)))
def test_of_equal_maps_the_first_is_taken(weights: dict[tuple[str, str], float]) -> None:
    found = first_best_map(weights)
    assert list(found.items()) == (best_maps(weights)[0] if weights else [])


def test_many_equal_speakers() -> None:
    names = [f"{i:02}" for i in range(40)]
    assert first_best_map({(r, s): 0.5 for r in names for s in names}) == {name: name for name in names}


def test_many_speakers_have_an_optimum_that_needs_no_search() -> None:
    draw = random.Random(5)
    weights = {(f"r{i}", f"s{j}"): draw.random() for i in range(60) for j in range(60)}
    assert len(first_best_map(weights)) == 60
