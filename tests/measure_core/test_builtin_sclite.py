"""Alignment with sclite's costs: NIST's figures, and a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from measure_core.builtin import WER
from measure_core.builtin import sclite as sclite_module
from measure_core.builtin.edits import DELETION, INSERTION, SUBSTITUTION, Encoder, unit_counts, unit_edits
from measure_core.builtin.sclite import sclite_edits
from measure_core.errors import MetricError
from measure_counts_support import OUT, PAIRS, SETS, expected, significance
from measure_twin import sclite_path

KINDS = {"S": SUBSTITUTION, "D": DELETION, "I": INSERTION}


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("name", SETS)
def test_counts_are_those_of_sclite(name: str, side: str) -> None:
    figures = expected(name)["sclite"][side]
    result = WER(alignment="sclite")(significance(name, side), name, OUT)
    assert result["hits"] == figures["correct"]
    assert result["substitutions"] == figures["substitutions"]
    assert result["deletions"] == figures["deletions"]
    assert result["insertions"] == figures["insertions"]
    assert result["reference_words"] == figures["words"]
    assert result["utterance_error_rate"] == figures["utterances_with_errors"] / figures["utterances"]


def test_split_differs_from_unit_costs() -> None:
    """The example of d3, system A: 250/110/91 by sclite, 256/107/88 with unit costs."""
    unit, sclite = (WER(alignment=costs)(significance("d3", "a"), "d3", OUT) for costs in ("unit", "sclite"))
    names = ("substitutions", "deletions", "insertions")
    assert [unit[name] for name in names] == [256, 107, 88]
    assert [sclite[name] for name in names] == [250, 110, 91]


@given(PAIRS)
def test_path_is_that_of_the_slow_twin(pairs: list[tuple[list[str], list[str]]]) -> None:
    check(pairs)


def test_path_is_the_same_in_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    sides = [[str(k) for k in rng.integers(0, 4, rng.integers(0, 9))] for _ in range(80)]
    pairs = list(zip(sides[::2], sides[1::2], strict=True))
    for cells in (1, 60, 200):
        monkeypatch.setattr(sclite_module, "_BATCH_CELLS", cells)
        check(pairs)


def check(pairs: list[tuple[list[str], list[str]]]) -> None:
    encoder = Encoder()
    codes = [encoder.pair(ref, hyp) for ref, hyp in pairs]
    edits = sclite_edits([ref for ref, _ in codes], [hyp for _, hyp in codes])
    ours = list(zip(*(a.tolist() for a in (edits.pair, edits.kind, edits.ref_index, edits.hyp_index)), strict=True))
    twin = [
        (k, KINDS[kind], i, j)
        for k, (ref, hyp) in enumerate(pairs)
        for kind, i, j in sclite_path(ref, hyp)
        if kind != "="
    ]
    assert ours == twin


@given(PAIRS)
def test_never_fewer_errors_than_unit_costs(pairs: list[tuple[list[str], list[str]]]) -> None:
    encoder = Encoder()
    codes = [encoder.pair(ref, hyp) for ref, hyp in pairs]
    refs, hyps = [ref for ref, _ in codes], [hyp for _, hyp in codes]
    counts = unit_counts(refs, hyps)
    assert len(sclite_edits(refs, hyps).pair) >= int(
        (counts.substitutions + counts.deletions + counts.insertions).sum()
    )


def test_many_words_make_strange_characters_and_the_same_counts() -> None:
    """Beyond 55,296 different words the characters are surrogates, beyond 65,536 they are wider."""
    rng = np.random.default_rng(11)
    few, many = Encoder(), Encoder()
    many.pair([f"other{k}" for k in range(55_290)], [])
    words = [f"w{k}" for k in range(30)]
    pairs = [
        ([words[k] for k in rng.integers(0, 30, 12)], [words[k] for k in rng.integers(0, 30, 10)]) for _ in range(9)
    ]
    small, large = ([encoder.pair(*pair) for pair in pairs] for encoder in (few, many))
    assert any("\ud800" <= character <= "\udfff" for ref, _ in large for character in ref)
    for locate in (sclite_edits, unit_edits):
        one, other = (locate([ref for ref, _ in codes], [hyp for _, hyp in codes]) for codes in (small, large))
        assert (one.kind.tolist(), one.ref_index.tolist()) == (other.kind.tolist(), other.ref_index.tolist())


def test_no_pair_and_equal_pairs() -> None:
    assert len(sclite_edits([], []).pair) == 0
    assert len(sclite_edits(["ab", ""], ["ab", ""]).pair) == 0


def test_of_a_deletion_and_an_insertion_the_insertion_comes_last() -> None:
    """Both are cheapest at the end of ``a b`` against ``b a``, a substitution is not."""
    edits = sclite_edits(["ab"], ["ba"])
    assert list(zip(edits.kind.tolist(), edits.ref_index.tolist(), strict=True)) == [(DELETION, 0), (INSERTION, 2)]


def test_one_side_empty() -> None:
    edits = sclite_edits(["ab", ""], ["", "ab"])
    assert edits.kind.tolist() == [DELETION, DELETION, INSERTION, INSERTION]
    assert edits.ref_index.tolist() == [0, 1, 0, 0]


def test_too_long_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sclite_module, "_MOST_CELLS", 30)
    assert len(sclite_edits(["abcd"], ["abcx"]).pair) == 1
    with pytest.raises(MetricError, match="an utterance has 5 reference and 5 hypothesis tokens"):
        sclite_edits(["abcde"], ["abcdx"])
