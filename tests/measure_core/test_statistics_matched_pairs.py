"""MAPSSWE: NIST's figures, and a walk over the tokens as a slow twin."""

from __future__ import annotations

from math import erfc, sqrt
from statistics import mean, stdev
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.builtin import WER
from measure_core.builtin.edits import Encoder
from measure_core.builtin.sclite import sclite_edits
from measure_core.errors import ConfigError
from measure_core.statistics import mapsswe
from measure_core.statistics.matched_pairs import segment_differences
from measure_counts_support import SETS, WORDS, expected, significance
from measure_twin import sclite_path
from measure_twin import segment_differences as walked

TRIPLES = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6)


@pytest.mark.parametrize("name", SETS)
def test_figures_are_those_of_sc_stats(name: str) -> None:
    figures = expected(name)["mapsswe"]
    a, b = significance(name, "a"), significance(name, "b")
    tokens = [WER().tokenise(side) for side in (a["ref"], a["hyp"], b["hyp"])]
    result = mapsswe(*tokens, alignment="sclite", min_good=figures["min_good"])
    assert result.segments == figures["segments"]
    assert result.mean == pytest.approx(figures["mean_difference"], abs=5e-4)
    assert result.deviation == pytest.approx(figures["std_dev"], abs=5e-4)
    assert result.z == pytest.approx(figures["z"], abs=5e-4)
    # the expected p is that of the printed z
    assert erfc(abs(figures["z"]) / sqrt(2)) == pytest.approx(figures["p_two_sided_from_z"], abs=5e-6)
    assert result.p_value == pytest.approx(figures["p_two_sided_from_z"], abs=4e-4)


def test_figures_of_the_other_two_sets() -> None:
    """p of d2 to one digit, which the expected file has only as 0."""
    a, b = significance("d2", "a"), significance("d2", "b")
    result = mapsswe(*(WER().tokenise(side) for side in (a["ref"], a["hyp"], b["hyp"])))
    assert f"{result.p_value:.0e}" == "8e-10"


@given(TRIPLES, st.integers(1, 3))
def test_segments_are_those_of_the_walk(triples: list[tuple[list[str], list[str], list[str]]], min_good: int) -> None:
    encoder = Encoder()
    edits = []
    for side in (1, 2):
        codes = [encoder.pair(triple[0], triple[side]) for triple in triples]
        edits.append(sclite_edits([ref for ref, _ in codes], [hyp for _, hyp in codes]))
    ref_lengths = np.array([len(ref) for ref, _, _ in triples])
    ours = segment_differences(ref_lengths, *edits, min_good=min_good).tolist()
    twin = walked([(len(ref), sclite_path(ref, a), sclite_path(ref, b)) for ref, a, b in triples], min_good)
    assert ours == twin
    result = mapsswe(*(list(side) for side in zip(*triples, strict=True)), min_good=min_good)
    assert result.segments == len(twin)
    if len(set(twin)) > 1:
        assert result.mean == pytest.approx(mean(twin), abs=1e-12)
        assert result.deviation == pytest.approx(stdev(twin), rel=1e-12)
        assert result.z == pytest.approx(mean(twin) / (stdev(twin) / sqrt(len(twin))), abs=1e-12)
    else:
        assert (result.z, result.p_value) == (0, 1)


@given(TRIPLES)
def test_swapping_systems_changes_the_sign(triples: list[tuple[list[str], list[str], list[str]]]) -> None:
    ref, a, b = (list(side) for side in zip(*triples, strict=True))
    costs: tuple[Literal["unit", "sclite"], ...] = ("unit", "sclite")
    for alignment in costs:
        one = mapsswe(ref, a, b, alignment=alignment)
        other = mapsswe(ref, b, a, alignment=alignment)
        assert one.segments == other.segments
        assert one.p_value == pytest.approx(other.p_value, abs=1e-12)
        assert one.z == pytest.approx(-other.z, abs=1e-12)


def test_no_error_at_all() -> None:
    words = [["a", "b"], []]
    result = mapsswe(words, words, words)
    assert (result.segments, result.mean, result.z, result.p_value) == (0, 0, 0, 1)
    assert mapsswe([], [], []).segments == 0


def test_insertion_at_the_end_is_a_position() -> None:
    """Two right tokens close the first segment; the insertions after them open another."""
    ref, a = ["x", "b", "c"], ["y", "b", "c", "d", "d"]
    result = mapsswe([ref], [a], [ref])
    assert (result.segments, result.mean) == (2, 1.5)
    assert mapsswe([ref], [a], [ref], min_good=3).segments == 1


def test_wrong_arguments() -> None:
    with pytest.raises(ConfigError, match="1 references, 0 utterances of A and 1 of B"):
        mapsswe([["a"]], [], [["a"]])
    with pytest.raises(ConfigError, match="alignment is 'nist'"):
        mapsswe([], [], [], alignment="nist")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="min_good is 0"):
        mapsswe([], [], [], min_good=0)
