"""Records of one recording: order, words, the inferred region."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.mapping import byte_order
from mdeval.recording import UEM_KINDS, Recording, record, sort_keys, turns_of
from mdeval_twin_read import Record as TwinRecord
from mdeval_twin_read import split_word

ALL_KINDS = [
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "A/P", "SPEAKER", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP",
    "SU", "CB",
]  # fmt: skip


def words_of(*texts: str) -> Recording:
    return Recording(("f", "1"), [record(0.0, 4.0, "LEXEME", text) for text in texts], [])


def test_a_record_knows_its_middle_and_end() -> None:
    assert record(1.0, 3.0, "SPEAKER", "A") == (2.5, 1.0, 4.0, "SPEAKER", "A")


def test_turns_are_speaker_records_that_last() -> None:
    records = [record(0.0, 1.0, "SPEAKER", "A"), record(2.0, 0.0, "SPEAKER", "A"), record(0.0, 1.0, "SEGMENT", "A")]
    assert turns_of(records) == [(0.0, 1.0, "A")]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=12))
def test_records_are_sorted_by_their_middle_and_stay_in_order_otherwise(spans: list[tuple[int, int]]) -> None:
    records = [record(float(b), float(d), "SPEAKER", str(i)) for i, (b, d) in enumerate(spans)]
    recording = Recording(("f", "1"), records, records)
    assert recording.reference == recording.system
    keys = [(r[0], int(r[4])) for r in recording.reference]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a-b", ["a", "b"]), ("a-b-c", ["a-b", "c"]), ("-foo", ["-foo"]), ("foo-", ["foo-"]), ("-", ["-"]),
        ("a--", ["a", "-"]), ("--b", ["-", "b"]), ("mm-hmm", ["mm-hmm"]), ("uh-huh", ["uh-huh"]),
        ("um-hmm", ["um-hmm"]),
        ("plain", ["plain"]), ("a-", ["a-"]),
    ],
)  # fmt: skip
def test_hyphenated_words_are_split_at_their_last_inner_hyphen(text: str, parts: list[str]) -> None:
    recording = words_of(text)
    assert [r[4] for r in recording.reference] == parts
    assert recording.words == ([2.0] if len(parts) == 1 else [1.0, 3.0])


@given(st.text("ab-", min_size=1, max_size=6), st.integers(0, 8), st.integers(0, 8))
def test_words_are_split_as_in_the_twin(text: str, onset: int, duration: int) -> None:
    twin = split_word(TwinRecord("LEXEME", onset / 4, duration / 4, "lex", text, "A", ""))
    mine = Recording(("f", "1"), [record(onset / 4, duration / 4, "LEXEME", text)], [])
    assert [(r[1], r[2], r[4]) for r in mine.reference] == [(t.begin, t.end, t.word) for t in twin]


def test_only_words_are_split() -> None:
    both = [record(0.0, 1.0, "SPEAKER", "a-b"), record(0.0, 1.0, "LEXEME", "a-b")]
    assert [r[4] for r in Recording(("f", "1"), both, []).reference] == ["a", "a-b", "b"]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_which_records_stretch_the_inferred_region(kind: str) -> None:
    # md-eval.md section 4: NOSCORE, NO_RT_METADATA and NON-SPEECH do not
    recording = Recording(("f", "1"), [record(2.0, 2.0, "SPEAKER", "A"), record(1.0, 8.0, kind, "x")], [])
    stretches = kind not in ("NOSCORE", "NO_RT_METADATA", "NON-SPEECH")
    assert recording.uem == ([(1.0, 9.0)] if stretches else [(2.0, 4.0)])
    assert (kind in UEM_KINDS) == stretches
    assert recording.inferred


def test_regions_that_are_given_are_taken() -> None:
    recording = Recording(("f", "1"), [record(2.0, 2.0, "SPEAKER", "A")], [], [(0.0, 9.0)])
    assert recording.uem == [(0.0, 9.0)]
    assert not recording.inferred


def test_records_that_make_no_zone_are_left_out_of_them() -> None:
    records = [record(float(i), 1.0, kind, "x") for i, kind in enumerate(ALL_KINDS)]
    kinds = [kind for _, _, kind in Recording(("f", "1"), records, []).zone_records()]
    assert sorted(kinds) == ["LEXEME", "NON-LEX", "NOSCORE", "SPEAKER"]


@given(st.lists(st.tuples(st.text("aBé0", max_size=2), st.text("12A", max_size=2)), unique=True, max_size=8))
def test_recordings_are_in_byte_order(keys: list[tuple[str, str]]) -> None:
    assert sort_keys(keys) == sorted(keys, key=lambda key: (key[0].encode(), key[1].encode()))
    assert sort_keys(keys) == sorted(keys, key=lambda key: (byte_order(k for k, _ in keys).index(key[0]), key[1]))
