"""The small engine, against the twin on recordings with everything in them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mdeval import sweep
from mdeval.counts import TypeTable, add_up
from mdeval.recording import Record, Recording, record
from mdeval.sweep import Cast, cut, score_recording
from mdeval_strategies import COLLARS, PlainCase, corpora, plain_cases, recordings, write_corpus
from mdeval_support import (
    counts_differences,
    differences,
    lasting,
    score_files,
    table_differences,
    within_epsilon,
)
from mdeval_twin import score_files as twin_files
from mdeval_twin import score_turns as twin_turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import mdeval_strategies

ONE = st.booleans()
COLLAR = st.sampled_from(COLLARS)


def assert_like_twin(corpus: Sequence[mdeval_strategies.Recording], collar: float, *, one: bool) -> None:
    corpus = [lasting(recording) for recording in corpus]
    loose = {(r.file, r.channel): within_epsilon(r, collar) for r in corpus}
    with tempfile.TemporaryDirectory() as folder:
        paths = write_corpus(corpus, Path(folder))
        scores = score_files(*paths, strict=True, collar=collar, one=one)
        twin = twin_files(*paths, collar, one)
    assert [(s.file_id, s.channel) for s in scores] == list(twin["recordings"])
    for score in scores:
        key = (score.file_id, score.channel)
        assert differences(score, twin["recordings"][key], loose=loose[key]) == []
    if not any(loose.values()):
        counts, speakers, seconds = add_up(scores)
        assert counts_differences(counts, twin["overall"]["stats"]) == []
        assert table_differences("speakers", speakers, twin["overall"]["counts"]) == []
        assert table_differences("seconds", seconds, twin["overall"]["seconds"]) == []


@given(recordings(), COLLAR, ONE)
def test_a_recording_with_everything_scores_as_in_the_twin(
    drawn: mdeval_strategies.Recording,
    collar: float,
    one: bool,
) -> None:
    assert_like_twin([drawn], collar, one=one)


@given(recordings(), COLLAR, ONE)
def test_in_md_evals_own_order_of_boundaries_all_figures_are_the_twins(
    drawn: mdeval_strategies.Recording, collar: float, one: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "_order", sweep._exact_order)
        paths = write_corpus([lasting(drawn)], Path(folder))
        [score] = score_files(*paths, strict=True, collar=collar, one=one)
        [twin] = twin_files(*paths, collar, one)["recordings"].values()
    assert differences(score, twin) == []


@given(corpora(), COLLAR, ONE)
def test_a_corpus_scores_as_in_the_twin(
    corpus: tuple[mdeval_strategies.Recording, ...],
    collar: float,
    one: bool,
) -> None:
    assert_like_twin(corpus, collar, one=one)


def recording_of(case: PlainCase) -> Recording:
    ref, sys_ = ([record(b, d, "SPEAKER", name) for b, d, name in turns] for turns in (case.ref, case.sys))
    return Recording(("f", "1"), ref, sys_, case.uem)


@given(plain_cases())
def test_the_listed_segments_are_those_of_the_twin(case: PlainCase) -> None:
    assume(all(d == 0 or b + d > b for b, d, _ in (*case.ref, *case.sys)))
    twin = twin_turns(case.ref, case.sys, case.uem, case.collar, case.one)
    score = score_recording(recording_of(case), collar=case.collar, ignore_overlap=case.one, keep_cuts=True)
    assert score.cuts is not None
    mine = [(onset, offset, tuple(sorted(r)), tuple(sorted(s))) for onset, offset, r, s in score.cuts]
    assert mine == [(onset, offset, tuple(sorted(r)), tuple(sorted(s))) for onset, offset, r, s in twin["segments"]]


@given(plain_cases())
def test_listing_the_segments_changes_no_figure(case: PlainCase) -> None:
    options = {"collar": case.collar, "ignore_overlap": case.one}
    plain = score_recording(recording_of(case), **options)  # type: ignore[arg-type]
    listed = score_recording(recording_of(case), keep_cuts=True, **options)  # type: ignore[arg-type]
    assert plain.cuts is None
    assert plain.mapping == listed.mapping
    assert plain.overlaps == listed.overlaps
    for name, value in plain.counts.to_dict().items():
        assert listed.counts.to_dict()[name] == pytest.approx(value, abs=1e-6)


# Hand-worked


def turns(text: str) -> list[Record]:
    """Read turns written as `A 0-10 B 10-15`."""
    words = text.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return [
        record(float(onset), float(offset) - float(onset), "SPEAKER", name)
        for name, onset, _, offset in ((n, *span.partition("-")) for n, span in pairs)
    ]


def test_cuts_are_made_at_every_boundary_also_where_nothing_changes() -> None:
    ref, system = [(0.0, 4.0, "A")], [(0.0, 2.0, "x"), (2.0, 4.0, "x")]
    cast = Cast(ref, system)
    assert [c[:2] for c in cut([(0.0, 5.0)], ref, system, cast)] == [(0.0, 2.0), (2.0, 4.0), (4.0, 5.0)]
    assert [cast.split(c[2]) for c in cut([(0.0, 5.0)], ref, system, cast)] == [
        (["A"], ["x"]), (["A"], ["x"]), ([], []),
    ]  # fmt: skip


def test_regions_shorter_than_epsilon_give_no_cut() -> None:
    turn = [(0.0, 4.0, "A")]
    assert cut([(1.0, 1.0 + 5e-9)], turn, [], Cast(turn, [])) == []


def test_speakers_are_numbered_as_they_come_reference_first() -> None:
    cast = Cast([(0.0, 1.0, "B"), (1.0, 2.0, "A"), (2.0, 3.0, "B")], [(0.0, 1.0, "B")])
    assert (cast.ref, cast.sys, cast.n_ref, cast.ref_bits) == (["B", "A"], ["B"], 2, 3)
    assert cast.split(0b110) == (["A"], ["B"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A 0-5 A 5-8", []),
        ("A 0-5 A 4-8", [("reference", "A", 4.0)]),
        ("A 0-9 A 2-3 A 5-6", [("reference", "A", 2.0), ("reference", "A", 5.0)]),
        ("A 0-5 B 4-8", []),
        ("A 0-5 A 4-8 A 7-9", [("reference", "A", 4.0), ("reference", "A", 7.0)]),
    ],
)
def test_where_a_speaker_overlaps_themself(text: str, wanted: list[tuple[str, str, float]]) -> None:
    score = score_recording(Recording(("f", "1"), turns(text), []))
    assert list(score.self_overlaps) == wanted


def test_self_overlap_of_the_system_is_found_too_and_counted_once() -> None:
    score = score_recording(Recording(("f", "1"), turns("A 0-10"), turns("x 0-6 x 4-10")))
    assert list(score.self_overlaps) == [("system", "x", 4.0)]
    assert score.counts.error_time == 0.0
    assert score.overlaps == {("A", "x"): 10.0}


def test_words_are_counted_where_they_are_scored_missed_and_wrong() -> None:
    words = [record(float(i), 1.0, "LEXEME", "w") for i in range(10)]
    recording = Recording(("f", "1"), turns("A 0-5 B 5-10") + words, turns("x 0-8"), [(0.0, 9.0)])
    counts = score_recording(recording).counts
    # the map is A->x; words 5 to 7 (B, x) are wrong, word 8 is missed and so wrong, word 9 is not evaluated
    assert (counts.eval_words, counts.scored_words) == (9, 9)
    assert (counts.missed_words, counts.speaker_error_words) == (1, 4)


def test_a_word_on_a_common_boundary_belongs_to_the_earlier_interval() -> None:
    recording = Recording(
        ("f", "1"), [*turns("A 0-10"), record(4.0, 2.0, "LEXEME", "w")], turns("x 0-5"), [(0.0, 5.0), (5.0, 10.0)]
    )
    counts = score_recording(recording).counts
    assert (counts.eval_words, counts.missed_words) == (1, 0)


def test_speakers_are_counted_by_type() -> None:
    recording = Recording(
        ("f", "1"), turns("A 0-5 B 5-10 C 10-12"), turns("x 0-5 y 5-6 z 13-14"), [(0.0, 20.0)],
        {"A": "child", "B": "adult_male"}, {"x": "child"},
    )  # fmt: skip
    table = score_recording(recording).speakers
    assert table.ref == {"child": 1, "adult_male": 1, "unknown": 1}
    assert table.sys == {"child": 1, "unknown": 2}
    assert table.joint == {
        ("child", "child"): 1, ("adult_male", "unknown"): 1, ("unknown", TypeTable.MISS): 1,
        (TypeTable.FALSE_ALARM, "unknown"): 1,
    }  # fmt: skip


def test_the_last_type_decides_miss_and_false_alarm_in_the_time_table() -> None:
    # md-eval.md 11.1: two reference speakers `unknown`, system 2 adult_male + 1 child; types in byte order, so
    # `child` is last: its 1 speaker is set against the 2 of the reference
    recording = Recording(
        ("f", "1"), turns("A 0-10 B 0-10"), turns("x 0-10 y 0-10 z 0-10"), None, {},
        {"x": "adult_male", "y": "adult_male", "z": "child"},
    )  # fmt: skip
    seconds = score_recording(recording).seconds
    assert seconds.joint["unknown", TypeTable.MISS] == 10.0
    assert seconds.joint["unknown", "adult_male"] == 20.0
    assert seconds.joint["unknown", "child"] == 10.0


def test_a_speaker_heard_only_outside_the_evaluated_regions_has_the_empty_type() -> None:
    recording = Recording(("f", "1"), turns("A 0-5"), turns("x 0-5 y 8-9"))
    score = score_recording(recording)
    assert score.speakers.sys == {"unknown": 1}
    assert score.overlaps == {("A", "x"): 5.0}
