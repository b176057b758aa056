"""`score_speaker_diarization`: hand-worked examples, the twin, and what must hold for every input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mdeval.errors import UsageError
from mdeval.pool import read_side
from mdeval.scoring import check_collar, score_sides, score_speaker_diarization
from mdeval.utils import Segment
from mdeval_strategies import PlainCase, plain_cases, turns_corpus
from mdeval_support import run_mdeval, score_files, speaker, within_epsilon, write
from mdeval_twin import score_turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Turn = tuple[float, float, str]
Stats = dict[str, float]
NAMES = {
    "EVAL_TIME": "eval_time", "EVAL_SPEECH": "eval_speech", "SCORED_TIME": "scored_time",
    "SCORED_SPEECH": "scored_speech", "MISSED_SPEECH": "missed_speech", "FALARM_SPEECH": "falarm_speech",
    "SCORED_SPEAKER": "scored_speaker_time", "MISSED_SPEAKER": "missed_speaker_time",
    "FALARM_SPEAKER": "falarm_speaker_time", "SPEAKER_ERROR": "speaker_error_time",
}  # fmt: skip


def side(turns: Iterable[Turn]) -> dict[str, list[dict[str, Any]]]:
    """Give begin, duration and speaker as the function takes them."""
    by_speaker: dict[str, list[dict[str, Any]]] = {}
    for begin, duration, name in turns:
        by_speaker.setdefault(name, []).append({"TBEG": begin, "TDUR": duration, "TEND": begin + duration})
    return by_speaker


def turns(text: str) -> list[Turn]:
    """Read turns written as `A 0-10 B 10-15`."""
    words = text.split()
    spans = [(name, span.partition("-")) for name, span in zip(words[::2], words[1::2], strict=True)]
    return [(float(begin), float(end) - float(begin), name) for name, (begin, _, end) in spans]


def score(
    ref: str | Iterable[Turn],
    sys: str | Iterable[Turn],
    uem: Sequence[tuple[float, float]] | None = None,
    *,
    collar: float = 0.0,
    one: bool = False,
) -> tuple[Stats, dict[str, str]]:
    ref_turns, sys_turns = (turns(some) if isinstance(some, str) else some for some in (ref, sys))
    return score_speaker_diarization("f", "1", side(ref_turns), side(sys_turns), uem, collar, one)


def der(stats: Stats) -> float:
    wrong = stats["MISSED_SPEAKER"] + stats["FALARM_SPEAKER"] + stats["SPEAKER_ERROR"]
    return wrong / stats["SCORED_SPEAKER"]


# Worked examples of md-eval.md section 15; figures from the Perl


def test_15_1_basic() -> None:
    stats, mapping = score("A 0-10 B 10-15", "x 0.5-9.5 y 9.5-15.5")
    assert mapping == {"A": "x", "B": "y"}
    assert stats["SCORED_SPEAKER"] == 15.0
    assert (stats["MISSED_SPEAKER"], stats["FALARM_SPEAKER"], stats["SPEAKER_ERROR"]) == (0.5, 0.0, 0.5)
    assert f"{100 * der(stats):.2f}" == "6.67"


def test_15_1_with_a_collar() -> None:
    stats, _ = score("A 0-10 B 10-15", "x 0.5-9.5 y 9.5-15.5", collar=0.25)
    assert (stats["SCORED_TIME"], stats["MISSED_SPEAKER"], stats["SPEAKER_ERROR"]) == (14.0, 0.25, 0.25)
    assert f"{100 * der(stats):.2f}" == "3.57"


def text_block(folder: Path, ref: str, sys: str, *arguments: str) -> str:
    write(folder, ref=ref, sys=sys)
    done = run_mdeval("-r", "ref.rttm", "-s", "sys.rttm", *arguments, cwd=folder)
    assert done.status == 0, done.stderr
    return done.text


@pytest.mark.parametrize(
    ("number", "other", "lines"),
    [
        (
            "15.2", "NON-LEX f 1 4 1 <NA> laugh A <NA> <NA>\n",
            ["EVAL TIME =     10.00", "SCORED TIME =      8.00", "MISSED SPEAKER TIME =      4.50", "ERROR = 56.25"],
        ),
        (
            "15.3", "NOSCORE f 1 4 2 <NA> <NA> <NA> <NA> <NA>\n",
            ["EVAL TIME =      8.00", "SCORED TIME =      8.00", "MISSED SPEAKER TIME =      4.00", "ERROR = 50.00"],
        ),
    ],
)  # fmt: skip
def test_zones(number: str, other: str, lines: list[str], tmp_path: Path) -> None:
    text = text_block(tmp_path, speaker(0, 10, "A") + other, speaker(0, 5, "x"))
    assert [line for line in lines if line not in text] == [], number


def test_15_4_the_map_ignores_the_collar() -> None:
    ref = [(0.0, 0.8, "A"), (2.0, 0.8, "A"), (4.0, 0.8, "A"), (10.0, 1.5, "A")]
    sys = [(0.0, 0.8, "x"), (2.0, 0.8, "x"), (4.0, 0.8, "x"), (10.0, 1.5, "y")]
    stats, mapping = score(ref, sys, collar=0.3)
    assert mapping == {"A": "x"}
    assert stats["SPEAKER_ERROR"] == pytest.approx(0.9)
    assert f"{100 * der(stats):.2f}" == "60.00"


def test_15_5_segment_widens_the_region(tmp_path: Path) -> None:
    ref = speaker(0, 10, "A") + "SEGMENT f 1 0 20 <NA> eval <NA> <NA> <NA>\n"
    text = text_block(tmp_path, ref, speaker(0, 15, "x"))
    for line in ("EVAL TIME =     20.00", "FALARM SPEECH =      5.00", "ERROR = 50.00"):
        assert line in text


def test_15_6_types(tmp_path: Path) -> None:
    # `zzz` speaks 4-5 over A and is a false alarm of 1 s in line 14; the FALSE ALARM row shows 0.00 nevertheless: its
    # type is set against the reference type visited last, which has as many speakers
    ref = speaker(0, 10, "A") + "SPKR-INFO f 1 <NA> <NA> <NA> adult_male A <NA> <NA>\n"
    sys = speaker(0, 10, "x") + speaker(4, 1, "zzz") + "SPKR-INFO f 1 <NA> <NA> <NA> adult_male x <NA> <NA>\n"
    text = text_block(tmp_path, ref, sys)
    assert "FALARM SPEAKER TIME =      1.00 secs" in text
    row = [line for line in text.splitlines() if line.startswith("  FALSE ALARM")][1]
    assert row.split() == ["FALSE", "ALARM", "0.00", "/", "0.0%", "0.00", "/", "0.0%"]


def test_15_7_cells_are_clipped(tmp_path: Path) -> None:
    write(tmp_path, uem="f 1 0 50\n")
    text = text_block(tmp_path, speaker(0, 1, "A"), speaker(0, 50, "x") + speaker(0, 50, "y"), "-u", "all.uem")
    assert "      99.00 / 999.9%" in text


# diarization-metrics.md section 1


def test_the_running_example() -> None:
    # section 1.1: 1 s missed overlap at 8-9 and 9-10 each, 1 s false alarm at 20-21, 1 s missed at 22-23, x for C 27-30
    stats, mapping = score("A 0-10 B 8-20 C 22-30", "x 0-9 y 9-21 z 23-27 x 27-30", [(0.0, 32.0)])
    assert mapping == {"A": "x", "B": "y", "C": "z"}
    assert stats["EVAL_TIME"] == 32.0
    assert stats["EVAL_SPEECH"] == 28.0
    assert stats["SCORED_SPEAKER"] == 30.0
    assert (stats["MISSED_SPEAKER"], stats["FALARM_SPEAKER"], stats["SPEAKER_ERROR"]) == (3.0, 1.0, 3.0)


def test_example_g_optimal_not_greedy() -> None:
    stats, mapping = score("A 0-10 B 10-20", "x 0-6 x 10-15 y 6-10", [(0.0, 20.0)])
    assert mapping == {"A": "y", "B": "x"}
    assert der(stats) == 0.55


def test_m1_the_map_is_found_before_collars() -> None:
    ref = [(float(i), 0.6, "A") for i in range(20)] + [(30.0, 6.0, "B")]
    sys = [(begin, duration, "x") for begin, duration, _ in ref]
    stats, mapping = score(ref, sys, collar=0.25)
    assert mapping == {"A": "x"}
    assert stats["SPEAKER_ERROR"] == pytest.approx(5.5)
    assert stats["SCORED_SPEAKER"] == pytest.approx(7.5)
    assert der(stats) == pytest.approx(0.7333, abs=5e-5)


def test_m2_the_map_is_found_before_overlap_is_excluded() -> None:
    stats, mapping = score("A 0-10 B 4-10 D 20-23", "p 4-10 p 20-23", [(0.0, 24.0)], one=True)
    assert mapping in ({"A": "p"}, {"B": "p"})
    assert (stats["MISSED_SPEAKER"], stats["SPEAKER_ERROR"], stats["SCORED_SPEAKER"]) == (4.0, 3.0, 7.0)
    assert der(stats) == 1.0


def test_u1_the_region_is_the_extent_of_the_reference() -> None:
    ref, sys = "A 5-10 B 10-20", "x 0-10 y 10-25"
    assert der(score(ref, sys)[0]) == 0.0
    assert der(score(ref, sys, [(0.0, 25.0)])[0]) == pytest.approx(10 / 15)


def test_a_boundary_between_touching_turns_keeps_its_collar() -> None:
    # section 1.4: with a collar of 0.25, 16.5 s and not 17.0 s are scored
    ref = "A 0-5 A 5-10 B 10-18"
    assert score(ref, ref, collar=0.25)[0]["SCORED_TIME"] == 16.5


# The interface


def test_statistics_have_the_names_that_scripts_use() -> None:
    assert list(score("A 0-1", "")[0]) == list(NAMES)


def test_segments_and_pairs_are_taken_as_regions_in_any_order() -> None:
    pairs = score("A 0-10", "x 0-10", [(5.0, 8.0), (0.0, 2.0)])
    segments = score("A 0-10", "x 0-10", [Segment(0.0, 2.0), Segment(5.0, 8.0)])
    assert pairs == segments
    assert pairs[0]["EVAL_TIME"] == 5.0


def test_an_empty_list_of_regions_means_the_extent_of_the_reference() -> None:
    assert score("A 2-10", "x 0-10", []) == score("A 2-10", "x 0-10")


def test_no_reference_turn_scores_nothing() -> None:
    stats, mapping = score("", "x 0-10")
    assert set(stats.values()) == {0.0}
    assert mapping == {}


@pytest.mark.parametrize("collar", [-0.25, float("nan"), float("inf")])
def test_collars_that_make_no_sense(collar: float) -> None:
    with pytest.raises(UsageError, match="must be a finite number of seconds, 0 or more"):
        score("A 0-1", "x 0-1", collar=collar)
    with pytest.raises(UsageError, match="collar is"):
        check_collar(collar)


@pytest.mark.parametrize(
    "turn", [(0.0, -1.0), (float("nan"), 1.0), (0.0, float("inf")), (float("-inf"), 1.0), (0.0, float("nan"))]
)
@pytest.mark.parametrize("in_ref", [True, False])
def test_turns_that_make_no_sense(turn: tuple[float, float], *, in_ref: bool) -> None:
    good, bad = [(0.0, 1.0, "A")], [(*turn, "B")]
    with pytest.raises(
        UsageError, match=r"turn of speaker B at .* times must be finite and durations must not be negative"
    ):
        score(bad if in_ref else good, good if in_ref else bad)


@pytest.mark.parametrize("region", [(1.0, 1.0), (2.0, 1.0), (0.0, float("inf")), (float("nan"), 1.0)])
def test_regions_that_make_no_sense(region: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="it must be finite and end after it begins"):
        score("A 0-1", "x 0-1", [region])


def test_regions_that_overlap() -> None:
    with pytest.raises(UsageError, match=r"UEM regions overlap at 4\.0 s; make them one or separate them"):
        score("A 0-9", "x 0-9", [(4.0, 9.0), (0.0, 5.0)])


def test_a_turn_needs_its_times() -> None:
    with pytest.raises(KeyError, match="TDUR"):
        score_speaker_diarization("f", "1", {"A": [{"TBEG": 0.0}]}, {}, None)


def test_a_collar_is_checked_for_files_too(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 1, "A"))
    one = read_side([str(tmp_path / "ref.rttm")], strict=True)
    with pytest.raises(UsageError, match="collar is -1"):
        score_sides([("f", "1")], one, one, collar=-1)


# The twin


@given(plain_cases())
def test_statistics_and_map_are_those_of_the_twin(case: PlainCase) -> None:
    assume(all(d == 0 or b + d > b for b, d, _ in (*case.ref, *case.sys)))
    order = sorted({name for _, _, name in case.ref})
    ref = sorted(case.ref, key=lambda turn: order.index(turn[2]))  # the function takes the turns by speaker
    stats, mapping = score(ref, case.sys, case.uem, collar=case.collar, one=case.one)
    twin = score_turns(ref, case.sys, case.uem, case.collar, case.one)
    if within_epsilon(turns_corpus(case)[0], case.collar):
        for name in ("EVAL_TIME", "SCORED_TIME", "SCORED_SPEAKER", "MISSED_SPEAKER", "FALARM_SPEAKER"):
            assert stats[name] == pytest.approx(twin["stats"][NAMES[name]], abs=1e-7)
        return
    assert mapping == twin["mapping"]
    for name, field in NAMES.items():
        assert stats[name] == pytest.approx(twin["stats"][field], abs=1e-9)


# What holds for every input


@given(plain_cases())
def test_a_system_that_repeats_the_reference_is_perfect(case: PlainCase) -> None:
    stats, mapping = score(case.ref, case.ref, case.uem, collar=case.collar, one=case.one)
    for name in ("MISSED_SPEECH", "FALARM_SPEECH", "MISSED_SPEAKER", "FALARM_SPEAKER", "SPEAKER_ERROR"):
        assert stats[name] == pytest.approx(0.0, abs=1e-7)
    assert all(ref == sys for ref, sys in mapping.items())


@given(plain_cases())
def test_swapping_the_sides_swaps_missed_and_false_alarm(case: PlainCase) -> None:
    assume(case.sys)
    uem = case.uem or ((0.0, 25.0),)
    there, _ = score(case.ref, case.sys, uem)
    back, _ = score(case.sys, case.ref, uem)
    for name, other in (
        ("SCORED_TIME", "SCORED_TIME"),
        ("MISSED_SPEECH", "FALARM_SPEECH"),
        ("MISSED_SPEAKER", "FALARM_SPEAKER"),
    ):
        assert there[name] == pytest.approx(back[other], abs=1e-7)
        assert there[other] == pytest.approx(back[name], abs=1e-7)


@given(plain_cases())
def test_swapping_the_sides_keeps_the_speaker_error(case: PlainCase) -> None:
    uem = case.uem or ((0.0, 25.0),)
    there, mapping = score(case.ref, case.sys, uem)
    assume(case.sys)
    back, _ = score(case.sys, case.ref, uem)
    assert len(set(mapping.values())) == len(mapping)
    assert there["SPEAKER_ERROR"] == pytest.approx(back["SPEAKER_ERROR"], abs=1e-7)


ON_A_GRID = plain_cases().map(
    lambda case: PlainCase(
        tuple((round(b * 4) / 4, round(d * 4) / 4, s) for b, d, s in case.ref),
        tuple((round(b * 4) / 4, round(d * 4) / 4, s) for b, d, s in case.sys),
        None,
        round(case.collar * 4) / 4,
        case.one,
    )
)
"""Times on a grid of 0.25 s, which are exact and stay exact when they are shifted."""


@given(ON_A_GRID, st.integers(1, 4000))
def test_shifting_all_times_changes_nothing(case: PlainCase, quarters: int) -> None:
    shift = quarters / 4
    moved_ref, moved_sys = (tuple((b + shift, d, s) for b, d, s in some) for some in (case.ref, case.sys))
    here, mapping = score(case.ref, case.sys, collar=case.collar, one=case.one)
    there, mapping_there = score(moved_ref, moved_sys, collar=case.collar, one=case.one)
    assert mapping == mapping_there
    for name, value in here.items():
        assert there[name] == pytest.approx(value, abs=1e-9)


@given(plain_cases())
def test_new_names_in_the_same_order_change_nothing(case: PlainCase) -> None:
    names = {old: f"n{i}" for i, old in enumerate(sorted({t[2] for t in (*case.ref, *case.sys)}))}
    renamed_ref, renamed_sys = (tuple((b, d, names[s]) for b, d, s in some) for some in (case.ref, case.sys))
    here, mapping = score(case.ref, case.sys, case.uem, collar=case.collar, one=case.one)
    there, mapping_there = score(renamed_ref, renamed_sys, case.uem, collar=case.collar, one=case.one)
    assert there == here
    assert mapping_there == {names[ref]: names[sys] for ref, sys in mapping.items()}


@given(ON_A_GRID, st.randoms())
def test_the_order_of_the_turns_does_not_matter(case: PlainCase, draw: Any) -> None:
    ref, sys = list(case.ref), list(case.sys)
    draw.shuffle(ref)
    draw.shuffle(sys)
    here, mapping = score(case.ref, case.sys, collar=case.collar)
    there, mapping_there = score(ref, sys, collar=case.collar)
    assert mapping == mapping_there
    for name, value in here.items():
        assert there[name] == pytest.approx(value, abs=1e-9)


@given(plain_cases())
def test_parts_add_to_the_whole(case: PlainCase) -> None:
    stats, _ = score(case.ref, case.sys, case.uem, collar=case.collar, one=case.one)
    assert all(value >= 0.0 for value in stats.values())
    assert stats["SCORED_SPEECH"] <= stats["SCORED_TIME"] + 1e-9
    assert stats["MISSED_SPEECH"] <= stats["SCORED_SPEECH"] + 1e-9
    assert stats["SCORED_SPEECH"] + stats["FALARM_SPEECH"] <= stats["SCORED_TIME"] + 1e-9
    assert stats["MISSED_SPEAKER"] + stats["SPEAKER_ERROR"] <= stats["SCORED_SPEAKER"] + 1e-9
    assert stats["SCORED_SPEAKER"] >= stats["SCORED_SPEECH"] - 1e-9


@given(plain_cases())
def test_a_silent_system_misses_everything(case: PlainCase) -> None:
    stats, mapping = score(case.ref, (), case.uem, collar=case.collar, one=case.one)
    assert mapping == {}
    assert stats["MISSED_SPEAKER"] == pytest.approx(stats["SCORED_SPEAKER"])
    assert stats["MISSED_SPEECH"] == pytest.approx(stats["SCORED_SPEECH"])
    assert stats["FALARM_SPEAKER"] == stats["SPEAKER_ERROR"] == 0.0


@given(plain_cases())
def test_without_a_collar_and_overlap_all_that_is_evaluated_is_scored(case: PlainCase) -> None:
    stats, _ = score(case.ref, case.sys, case.uem)
    assert stats["SCORED_TIME"] == pytest.approx(stats["EVAL_TIME"], abs=1e-7)
    assert stats["SCORED_SPEECH"] == stats["EVAL_SPEECH"]


def test_files_and_turns_give_the_same(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 10, "A") + speaker(10, 5, "B"), sys=speaker(0.5, 9, "x") + speaker(9.5, 6, "y"))
    [recording] = score_files(tmp_path / "ref.rttm", tmp_path / "sys.rttm", collar=0.25)
    stats, mapping = score("A 0-10 B 10-15", "x 0.5-9.5 y 9.5-15.5", collar=0.25)
    assert mapping == recording.mapping
    assert {NAMES[name]: value for name, value in stats.items()} == {
        name: value for name, value in recording.counts.to_dict().items() if name in NAMES.values()
    }
