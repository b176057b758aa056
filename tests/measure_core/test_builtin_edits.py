"""Counts and places of edits with unit costs; jiwer is the oracle of the split."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.builtin import edits as edits_module
from measure_core.builtin.edits import DELETION, INSERTION, Encoder, lengths, unit_counts, unit_edits
from measure_core.errors import MetricError
from measure_counts_support import PAIRS

if TYPE_CHECKING:
    from measure_core.builtin.edits import EditCounts


def encoded(pairs: list[tuple[list[str], list[str]]]) -> tuple[list[str], list[str]]:
    encoder = Encoder()
    codes = [encoder.pair(ref, hyp) for ref, hyp in pairs]
    return [ref for ref, _ in codes], [hyp for _, hyp in codes]


def totals(counts: EditCounts) -> tuple[int, ...]:
    return tuple(int(n.sum()) for n in (counts.hits, counts.substitutions, counts.deletions, counts.insertions))


@given(PAIRS)
def test_split_is_that_of_jiwer(pairs: list[tuple[list[str], list[str]]]) -> None:
    counts = unit_counts(*encoded(pairs))
    for k, (ref, hyp) in enumerate(pairs):
        said = jiwer.process_words(" ".join(ref), " ".join(hyp))
        ours = [int(n[k]) for n in (counts.hits, counts.substitutions, counts.deletions, counts.insertions)]
        assert ours == [said.hits, said.substitutions, said.deletions, said.insertions]


@given(st.lists(st.tuples(st.text("ab c\u0301é", max_size=12), st.text("ab c\u0301é", max_size=12)), min_size=1))
def test_characters_are_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    stripped = [(ref.strip(), hyp.strip()) for ref, hyp in pairs]
    counts = unit_counts([ref for ref, _ in stripped], [hyp for _, hyp in stripped])
    said = jiwer.process_characters([ref for ref, _ in pairs], [hyp for _, hyp in pairs])
    assert totals(counts) == (said.hits, said.substitutions, said.deletions, said.insertions)


def test_long_pairs_are_those_of_jiwer() -> None:
    rng = np.random.default_rng(5)
    ref = [f"w{k}" for k in rng.integers(0, 40, 900)]
    hyp = [f"w{k}" for k in rng.integers(0, 40, 800)]
    said = jiwer.process_words(" ".join(ref), " ".join(hyp))
    counts = unit_counts(*encoded([(ref, hyp)]))
    assert totals(counts) == (said.hits, said.substitutions, said.deletions, said.insertions)


@given(PAIRS)
def test_edits_turn_reference_into_hypothesis(pairs: list[tuple[list[str], list[str]]]) -> None:
    refs, hyps = encoded(pairs)
    edits = unit_edits(refs, hyps)
    for k, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        built: list[str] = []
        i = 0
        of_pair = edits.pair == k
        columns = (column[of_pair].tolist() for column in (edits.kind, edits.ref_index, edits.hyp_index))
        for kind, ref_index, hyp_index in zip(*columns, strict=True):
            built += ref[i:ref_index]
            assert len(built) == hyp_index
            built += [] if kind == DELETION else [hyp[hyp_index]]
            i = ref_index + (kind != INSERTION)
        assert "".join([*built, ref[i:]]) == hyp
    assert totals(edits.counts(lengths(refs))) == totals(unit_counts(refs, hyps))


@given(PAIRS)
def test_swapping_sides_swaps_lengths_not_errors(pairs: list[tuple[list[str], list[str]]]) -> None:
    refs, hyps = encoded(pairs)
    _, s, d, i = totals(unit_counts(refs, hyps))
    _, s2, d2, i2 = totals(unit_counts(hyps, refs))
    assert s + d + i == s2 + d2 + i2
    assert d - i == i2 - d2


def test_no_pair() -> None:
    assert totals(unit_counts([], [])) == (0, 0, 0, 0)
    assert len(unit_edits([], []).pair) == 0


def test_encoder_never_mixes_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits_module, "_MOST_CHARACTERS", 8)
    encoder = Encoder()
    for round_ in range(5):
        words = [f"{round_}-{k}" for k in range(4)]
        ref, hyp = encoder.pair(words, [words[2], words[0]])
        assert len(set(ref)) == 4
        assert hyp == ref[2] + ref[0]
        assert max(map(ord, ref)) < 8


def test_encoder_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(code: int) -> str:
        if code >= 3:
            raise ValueError
        return str(code)

    monkeypatch.setattr(edits_module, "chr", no_more, raising=False)
    with pytest.raises(MetricError, match="more than 1,114,112 different tokens"):
        Encoder().pair(["a", "b"], ["c", "d"])


def test_tokens_that_are_characters_of_each_other_differ() -> None:
    """A single character is a token like any other, beside words and numbers."""
    refs, hyps = encoded([(["a", "ab", "\x00", "1"], ["\x00", "1", "a", "ab"])])
    assert len(set(refs[0])) == 4
    assert sorted(refs[0]) == sorted(hyps[0])
