"""Large inputs: which recording takes which engine, batches, and system speech outside the reference."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval import large
from mdeval.audit import silent_losses
from mdeval.counts import add_up
from mdeval.large import speech_outside
from mdeval.pool import read_side
from mdeval.zones import seconds_outside
from mdeval_strategies import COLLARS, PlainCase, corpora, plain_cases, recordings, turns_corpus, write_corpus
from mdeval_support import differences, facts, lasting, score_files, speaker, within_epsilon, write
from mdeval_twin import score_files as twin_files

if TYPE_CHECKING:
    import mdeval_strategies

Corpus = tuple["mdeval_strategies.Recording", ...]


def check(corpus: Corpus, collar: float, *, one: bool) -> None:
    """Compare the large engine with the small one (exactly) and with the twin."""
    corpus = tuple(lasting(recording) for recording in corpus)
    loose = {(r.file, r.channel): within_epsilon(r, collar) for r in corpus}
    with tempfile.TemporaryDirectory() as folder:
        paths = write_corpus(corpus, Path(folder))
        options = {"strict": True, "collar": collar, "one": one}
        small, big = (score_files(*paths, large=is_large, **options) for is_large in (False, True))  # type: ignore[arg-type]
        twin = twin_files(*paths, collar, one)
    assert [facts(score) for score in big] == [facts(score) for score in small]
    for score in big:
        key = (score.file_id, score.channel)
        assert differences(score, twin["recordings"][key], loose=loose[key]) == []


@given(plain_cases())
def test_turns_alone_score_as_in_the_twin(case: PlainCase) -> None:
    check(turns_corpus(case), case.collar, one=case.one)


@given(recordings(others=False), st.sampled_from(COLLARS), st.booleans())
def test_speaker_types_score_as_in_the_twin(
    drawn: mdeval_strategies.Recording,
    collar: float,
    one: bool,
) -> None:
    check((drawn,), collar, one=one)


@given(corpora(), st.sampled_from(COLLARS), st.booleans())
def test_corpora_of_all_kinds_score_as_in_the_twin(
    corpus: Corpus,
    collar: float,
    one: bool,
) -> None:
    check(corpus, collar, one=one)


@given(corpora(others=False, types=False), st.sampled_from(COLLARS), st.booleans(), st.integers(1, 12))
def test_the_size_of_a_batch_changes_nothing(
    corpus: Corpus,
    collar: float,
    one: bool,
    size: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        paths = write_corpus(corpus, Path(folder))
        options = {"large": True, "strict": True, "collar": collar, "one": one}
        whole = score_files(*paths, **options)  # type: ignore[arg-type]
        patch.setattr(large, "_BATCH_TURNS", size)
        by_turns = score_files(*paths, **options)  # type: ignore[arg-type]
        patch.undo()
        patch.setattr(large, "_BATCH_RECORDINGS", 1)
        one_by_one = score_files(*paths, **options)  # type: ignore[arg-type]
    wanted = [facts(score) for score in whole]
    assert [facts(score) for score in by_turns] == wanted
    assert [facts(score) for score in one_by_one] == wanted


def test_more_recordings_than_fit_a_batch(tmp_path: Path) -> None:
    n = large._BATCH_RECORDINGS + 3
    files = [f"f{i:05}" for i in range(n)]
    ref = "".join(speaker(i % 7, 2, "A", file) for i, file in enumerate(files))
    system = "".join(speaker(i % 7, 1, "x", file) for i, file in enumerate(files))
    write(tmp_path, ref=ref, sys=system)
    scores = score_files(tmp_path / "ref.rttm", tmp_path / "sys.rttm", large=True, strict=True)
    assert [score.file_id for score in scores] == files
    counts, _, _ = add_up(scores)
    assert (counts.n_recordings, counts.scored_speaker_time, counts.missed_speaker_time) == (n, 2.0 * n, 1.0 * n)
    assert all(score.mapping == {"A": "x"} for score in scores)


def test_lines_of_a_recording_need_not_follow_one_another(tmp_path: Path) -> None:
    ref = speaker(0, 2, "A", "g") + speaker(0, 5, "A", "f") + speaker(3, 2, "B", "g") + speaker(6, 1, "B", "f")
    system = speaker(0, 5, "x", "f") + speaker(0, 5, "y", "g") + speaker(6, 1, "z", "f") + speaker(0, 9, "x", "h")
    write(tmp_path, ref=ref, sys=system)
    small, big = (
        score_files(tmp_path / "ref.rttm", tmp_path / "sys.rttm", large=is_large) for is_large in (False, True)
    )
    assert [facts(score) for score in big] == [facts(score) for score in small]


def test_turns_read_with_care_and_quickly_score_together(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 4, "A"), sys=speaker(0, 3, "x"))
    write(tmp_path, **{"more.rttm": ";; a comment\n" + speaker(4, 2, "A"), "types.rttm": speaker(6, 1, "B")})
    paths = [tmp_path / name for name in ("ref.rttm", "more.rttm", "types.rttm")]
    small, big = (score_files(paths, tmp_path / "sys.rttm", large=is_large, strict=True) for is_large in (False, True))
    assert [facts(score) for score in big] == [facts(score) for score in small]
    assert add_up(big)[0].scored_speaker_time == 7.0


@given(corpora(), st.booleans())
def test_speech_outside_is_measured_as_for_small_inputs(corpus: Corpus, strict: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ref_path, sys_path, _ = write_corpus(corpus, Path(folder))
        pairs = [
            [read_side([str(path)], strict=strict, large=is_large) for path in (ref_path, sys_path)]
            for is_large in (False, True)
        ]
        keys = pairs[0][0].keys_with_turns()
        said = [list(silent_losses(ref, sys_, keys, None, "miss")) for ref, sys_ in pairs]
    assert said[0] == said[1]
    regions = {key: region_of(pairs[0][0].records[key]) for key in keys}
    wanted = [
        (key, seconds_outside([(r[1], r[2]) for r in pairs[0][1].records.get(key, [])], region))
        for key, region in regions.items()
    ]
    assert speech_outside(pairs[1][0], pairs[1][1], keys) == [(key, seconds) for key, seconds in wanted if seconds > 0]


def region_of(records: list[tuple[float, float, float, str, str]]) -> tuple[float, float]:
    counted = [r for r in records if r[3] != "NOSCORE"]
    return min(r[1] for r in counted), max(0.0, *(r[2] for r in counted))


def test_a_recording_that_collars_eat_gets_nothing_from_another_one(tmp_path: Path) -> None:
    # scored regions are left in the first recording of the batch only
    ref = speaker(0, 0, "A", "e") * 2 + speaker(0, 0.11, "B", "g")
    write(tmp_path, ref=ref, sys="", uem="e 1 0 0.11\n")
    paths = [tmp_path / name for name in ("ref.rttm", "sys.rttm", "all.uem")]
    small, big = (score_files(*paths, large=is_large, collar=0.1) for is_large in (False, True))
    assert small[0].counts.scored_speaker_time == 0.0
    assert [facts(score) for score in big] == [facts(score) for score in small]


def test_a_speaker_scored_only_outside_the_evaluated_regions_has_the_empty_type(tmp_path: Path) -> None:
    # md-eval.md 6.2 and 11.1: the zone at 2-4 ends with the region, so the later zone outputs 4-8, where C speaks
    ref = speaker(0, 4, "A") + speaker(2, 2, "B") + speaker(6, 3, "C") + speaker(8, 1, "D")
    write(tmp_path, ref=ref, sys="", uem="f 1 0 4\n")
    paths = [tmp_path / name for name in ("ref.rttm", "sys.rttm", "all.uem")]
    [small], [big] = (score_files(*paths, large=is_large, one=True) for is_large in (False, True))
    assert small.seconds.ref == {"unknown": 2.0, "": 2.0}
    assert facts(big) == facts(small)


def test_turns_of_a_speaker_that_meet_within_epsilon(tmp_path: Path) -> None:
    ref = speaker("13.5", "6.00000001", "A") + speaker("19.5", "0.5", "A")
    write(tmp_path, ref=ref, sys="")
    [small], [big] = (
        score_files(tmp_path / "ref.rttm", tmp_path / "sys.rttm", large=large_) for large_ in (False, True)
    )
    assert facts(big) == facts(small)


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_work_in_threads_comes_back_in_order(jobs: int) -> None:
    assert list(large.in_threads(lambda n: n * n, range(50), jobs)) == [n * n for n in range(50)]


def test_without_system_turns_nothing_is_outside(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 4, "A"), sys="")
    sides = [read_side([str(tmp_path / name)], strict=True, large=True) for name in ("ref.rttm", "sys.rttm")]
    assert speech_outside(sides[0], sides[1], sides[0].keys_with_turns()) == []


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("extra", ["LEXEME f 1 1 1 hi lex x <NA> <NA>\n", "NOSCORE f 1 1 1 <NA> <NA> <NA> <NA> <NA>\n"])
def test_other_records_of_the_system_hide_none_of_its_turns(extra: str, strict: bool, tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 10, "A") + speaker(0, 5, "A", "g"), sys=speaker(0, 8, "x") + extra)
    paths = (tmp_path / "ref.rttm", tmp_path / "sys.rttm", None)
    small, big = (score_files(*paths, large=is_large, strict=strict) for is_large in (False, True))
    assert [facts(score) for score in big] == [facts(score) for score in small]
    assert [score.counts.missed_speaker_time for score in big] == [2.0, 5.0]
