"""Where the errors are: stretches that add up to the error rate, times per speaker, who meets whom."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mdeval
from mdeval.cells import Cells
from mdeval.explain import ErrorStretch, Explanation, explain, longest
from mdeval.pool import pair, read_side, read_uem
from mdeval.recording import Recording, record
from mdeval.scoring import score_sides
from mdeval_metrics import EXAMPLE_REF, EXAMPLE_SYS, EXAMPLE_UEM, FRAME, REFS, SYSTEMS, UEM, Turns, frames
from mdeval_strategies import corpora, write_corpus
from mdeval_support import Done, run_mdeval, speaker, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAPPING = {"A": "x", "B": "y", "C": "z"}
BOTH = ("explain", "-r", "ref.rttm", "-s", "sys.rttm")
KINDS = ("missed", "false alarm", "confusion")


def recording(ref: Turns, system: Turns, uem: Sequence[tuple[float, float]] | None = None) -> Recording:
    sides = [[record(on, off - on, "SPEAKER", name) for on, off, name in turns] for turns in (ref, system)]
    return Recording(("f", "1"), sides[0], sides[1], uem)


def worked(*, collar: float = 0.0, ignore_overlap: bool = False) -> Explanation:
    found = recording(EXAMPLE_REF, EXAMPLE_SYS, EXAMPLE_UEM)
    return explain(found, MAPPING, collar=collar, ignore_overlap=ignore_overlap)


def rttm(turns: Turns) -> str:
    return "".join(speaker(on, off - on, name) for on, off, name in turns)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the worked example."""
    write(tmp_path, ref=rttm(EXAMPLE_REF), sys=rttm(EXAMPLE_SYS), uem="f 1 0 32\n")
    return tmp_path


def ok(folder: Path, *arguments: str) -> Done:
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 0, done.stderr
    return done


# The worked example of diarization-metrics.md 1.1 and section 8


def test_times_of_the_reference_speakers() -> None:
    found = {s.speaker: (s.partner, s.time, s.missed, s.confused) for s in worked().ref_speakers}
    assert found == {"A": ("x", 10, 0, 1), "B": ("y", 12, 0, 1), "C": ("z", 8, 1, 3)}


def test_times_of_the_system_speakers() -> None:
    found = {s.speaker: (s.partner, s.time, s.false_alarm) for s in worked().sys_speakers}
    assert found == {"x": ("A", 12, 0), "y": ("B", 12, 1), "z": ("C", 4, 0)}


def test_who_meets_whom() -> None:
    wanted = {("A", "x"): 9, ("A", "y"): 1, ("B", "x"): 1, ("B", "y"): 11, ("C", "x"): 3, ("C", "z"): 4}
    assert worked().overlaps == wanted


def test_the_errors_of_the_worked_example() -> None:
    found = [(e.onset, e.offset, e.kind, e.speakers, e.reference, e.system) for e in worked().errors]
    assert found == [
        (8, 9, "missed", 1, ("A", "B"), ("x",)),
        (9, 10, "missed", 1, ("A", "B"), ("y",)),
        (20, 21, "false alarm", 1, (), ("y",)),
        (22, 23, "missed", 1, ("C",), ()),
        (27, 30, "confusion", 1, ("C",), ("x",)),
    ]
    assert sum(e.lost for e in worked().errors) == 7


def test_nothing_is_found_outside_the_scored_regions() -> None:
    found = worked(collar=0.5)
    assert [(e.onset, e.offset, e.kind) for e in found.errors] == [
        (8.5, 9, "missed"),
        (9, 9.5, "missed"),
        (20.5, 21, "false alarm"),
        (22.5, 23, "missed"),
        (27, 29.5, "confusion"),
    ]
    alone = worked(ignore_overlap=True)
    assert [(e.onset, e.offset) for e in alone.errors] == [(20, 21), (22, 23), (27, 30)]
    assert alone.overlaps == {("A", "x"): 8, ("B", "y"): 10, ("C", "x"): 3, ("C", "z"): 4}


def test_several_errors_at_once() -> None:
    found = explain(
        recording([(0, 4, "A"), (0, 4, "B"), (0, 4, "C")], [(0, 4, "y")]), {}, collar=0.0, ignore_overlap=False
    )
    assert [(e.kind, e.speakers, e.lost) for e in found.errors] == [("missed", 2, 8), ("confusion", 1, 4)]
    assert [(s.missed, s.confused) for s in found.ref_speakers] == [(0, 4)] * 3
    assert {s.partner for s in found.ref_speakers} | {s.partner for s in found.sys_speakers} == {None}


def test_speakers_without_time_in_the_regions_are_shown() -> None:
    found = explain(
        recording([(0, 4, "A"), (9, 10, "B")], [(8, 9, "y")], [(0, 5)]), {}, collar=0.0, ignore_overlap=False
    )
    assert [(s.speaker, s.time) for s in found.ref_speakers] == [("A", 4), ("B", 0)]
    assert [(s.speaker, s.time) for s in found.sys_speakers] == [("y", 0)]
    assert found.overlaps == {}


def test_no_system_speaker_is_called_nothing() -> None:
    # a speaker without a partner must not be taken for one with an empty name
    found = explain(recording([(0, 4, "A")], [(0, 4, "")]), {}, collar=0.0, ignore_overlap=False)
    assert [(s.partner, s.missed, s.confused) for s in found.ref_speakers] == [(None, 0, 4)]


def test_a_stretch_goes_on_through_boundaries_that_change_nothing() -> None:
    # touching turns of A, and another error that comes and goes
    ref = [(0, 2, "A"), (2, 5, "A"), (5, 9, "A")]
    found = explain(recording(ref, []), {}, collar=0.0, ignore_overlap=False)
    assert [(e.onset, e.offset) for e in found.errors] == [(0, 9)]
    gap = explain(recording([(0, 2, "A"), (2.5, 5, "A")], [], [(0, 9)]), {}, collar=0.0, ignore_overlap=False)
    assert [(e.onset, e.offset) for e in gap.errors] == [(0, 2), (2.5, 5)]


def test_a_stretch_ends_where_a_no_score_zone_begins() -> None:
    found = explain(recording([(0, 9, "A")], [], [(0, 4), (5, 9)]), {}, collar=0.0, ignore_overlap=False)
    assert [(e.onset, e.offset) for e in found.errors] == [(0, 4), (5, 9)]


# For any recordings


@given(corpora(), st.sampled_from((0.0, 0.1, 0.25, 1.0)), st.booleans())
def test_the_errors_add_up_to_the_error_rate(
    tmp_path_factory: pytest.TempPathFactory, corpus: Any, collar: float, one: bool
) -> None:
    ref_path, sys_path, uem_path = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    ref, system = (read_side([str(path)], strict=True, large=False) for path in (ref_path, sys_path))
    uem = {} if uem_path is None else read_uem(str(uem_path), [], strict=True)
    keys = ref.keys_with_turns()
    scores = score_sides(keys, ref, system, uem or None, collar=collar, ignore_overlap=one)
    for item, score in zip(pair(keys, ref, system, uem), scores, strict=True):
        found = explain(item, score.mapping, collar=collar, ignore_overlap=one)
        counts = score.counts
        assert (found.file_id, found.channel) == (score.file_id, score.channel)
        assert sum(e.lost for e in found.errors) == pytest.approx(counts.error_time, abs=1e-6)
        parts = [sum(e.lost for e in found.errors if e.kind == kind) for kind in KINDS]
        wanted = [counts.missed_speaker_time, counts.falarm_speaker_time, counts.speaker_error_time]
        assert parts == pytest.approx(wanted, abs=1e-6)
        assert sum(s.time for s in found.ref_speakers) == pytest.approx(counts.scored_speaker_time, abs=1e-6)
        assert {s.speaker: s.partner for s in found.ref_speakers if s.partner} == score.mapping
        assert {s.partner: s.speaker for s in found.sys_speakers if s.partner} == score.mapping


@given(REFS, SYSTEMS, st.booleans())
def test_stretches_are_maximal_and_in_order(ref: Turns, system: Turns, one: bool) -> None:
    found = explain(recording(ref, system, UEM), {"A": "w", "B": "x"}, collar=0.0, ignore_overlap=one)
    assert [e.onset for e in found.errors] == sorted(e.onset for e in found.errors)
    for kind in KINDS:
        for before, after in pairwise(e for e in found.errors if e.kind == kind):
            assert before.offset <= after.onset
            if before.offset == after.onset:
                assert (before.speakers, before.reference, before.system) != (
                    after.speakers,
                    after.reference,
                    after.system,
                )


@given(REFS, SYSTEMS, st.sampled_from((0.0, 0.125, 0.25)), st.booleans())
def test_every_frame_has_its_errors(ref: Turns, system: Turns, collar: float, one: bool) -> None:
    item, mapping = recording(ref, system, UEM), {"A": "w", "B": "x", "C": "q"}
    found = explain(item, mapping, collar=collar, ignore_overlap=one)
    cells = Cells(item, collar=collar, ignore_overlap=one)
    lost = dict.fromkeys(KINDS, 0)
    missed: dict[str, int] = {}
    confused: dict[str, int] = {}
    false_alarm: dict[str, int] = {}
    for refs, systems in frames(cells):
        right = sum(mapping.get(name) in systems for name in refs)
        lost["missed"] += max(0, len(refs) - len(systems))
        lost["false alarm"] += max(0, len(systems) - len(refs))
        lost["confusion"] += min(len(refs), len(systems)) - right
        for name in refs:
            missed[name] = missed.get(name, 0) + (not systems)
            confused[name] = confused.get(name, 0) + (bool(systems) and mapping.get(name) not in systems)
        for name in systems:
            false_alarm[name] = false_alarm.get(name, 0) + (not refs)
    assert {k: sum(e.lost for e in found.errors if e.kind == k) / FRAME for k in KINDS} == lost
    for s in found.ref_speakers:
        assert (s.missed / FRAME, s.confused / FRAME) == (missed.get(s.speaker, 0), confused.get(s.speaker, 0))
    for t in found.sys_speakers:
        assert t.false_alarm / FRAME == false_alarm.get(t.speaker, 0)


# The worst


def stretch(file: str, onset: float, offset: float, speakers: int = 1, channel: str = "1") -> ErrorStretch:
    return ErrorStretch(file, channel, onset, offset, "missed", speakers, ("A",), ())


def test_the_worst_come_first_and_equals_in_order_of_time() -> None:
    errors = [
        stretch("g", 0, 2),
        stretch("f", 5, 7),
        stretch("f", 1, 2, speakers=3),
        stretch("f", 0, 2, channel="2"),
        stretch("f", 0, 2),
        stretch("f", 2, 3),
    ]
    found = longest([Explanation("f", "1", tuple(errors), (), (), {})], 5)
    assert [(e.file_id, e.channel, e.onset, e.lost) for e in found] == [
        ("f", "1", 1, 3),
        ("f", "1", 0, 2),
        ("f", "1", 5, 2),
        ("f", "2", 0, 2),
        ("g", "1", 0, 2),
    ]
    assert longest([Explanation("f", "1", tuple(errors), (), (), {})], 0) == []
    assert longest([], 3) == []


def test_the_worst_of_several_recordings() -> None:
    some = [Explanation(name, "1", (stretch(name, 0, length),), (), (), {}) for name, length in (("f", 1), ("g", 2))]
    assert [e.file_id for e in longest(some, 9)] == ["g", "f"]


# The command


def test_the_text(folder: Path) -> None:
    wanted = """\
The errors that cost most

recording  error        onset  offset   costs  reference  system
---------  -----------  -----  ------  ------  ---------  ------
f          confusion    27.00   30.00  3.00 s          C       x
f          missed        8.00    9.00  1.00 s       A, B       x
f          missed        9.00   10.00  1.00 s       A, B       y
f          false alarm  20.00   21.00  1.00 s          -       y
f          missed       22.00   23.00  1.00 s          C       -

f, channel 1

reference speaker  mapped to  time (s)  missed  confused
-----------------  ---------  --------  ------  --------
A                  x             10.00    0.00      1.00
B                  y             12.00    0.00      1.00
C                  z              8.00    1.00      3.00

system speaker  mapped to  time (s)  false alarm
--------------  ---------  --------  -----------
x               A             12.00         0.00
y               B             12.00         1.00
z               C              4.00         0.00

shared time (s)     x      y     z
---------------  ----  -----  ----
A                9.00   1.00  0.00
B                1.00  11.00  0.00
C                3.00   0.00  4.00

"""
    done = ok(folder, *BOTH, "-u", "all.uem")
    assert done.stderr == ""
    assert done.text.startswith(wanted)
    rest = done.text.removeprefix(wanted).splitlines()
    assert rest[0].startswith("Times per speaker: missed while no system speaker is active, confused while")
    assert "do not add up" in rest[0]
    assert rest[1].startswith("signature: mdeval|v:")
    assert len(rest) == 2


def test_the_json(folder: Path) -> None:
    document = json.loads(ok(folder, *BOTH, "-u", "all.uem", "--json", "--longest", "2").stdout)
    assert document["schema_version"] == "1.0"
    result = mdeval.score(folder / "ref.rttm", folder / "sys.rttm", folder / "all.uem")
    assert document["signature"] == result.signature
    assert document["longest"][0] == {
        "file_id": "f",
        "channel": "1",
        "onset": 27.0,
        "offset": 30.0,
        "kind": "confusion",
        "speakers": 1,
        "reference": ["C"],
        "system": ["x"],
    }
    assert len(document["longest"]) == 2
    [found] = document["recordings"]
    assert (found["file_id"], found["channel"]) == ("f", "1")
    assert sum((e["offset"] - e["onset"]) * e["speakers"] for e in found["errors"]) == result.components.error_time
    assert found["ref_speakers"][2] == {"speaker": "C", "partner": "z", "time": 8, "missed": 1, "confused": 3}
    assert found["sys_speakers"][1] == {"speaker": "y", "partner": "B", "time": 12, "false_alarm": 1}
    assert {(o["reference"], o["system"]): o["seconds"] for o in found["overlaps"]} == worked().overlaps


@pytest.mark.parametrize("options", [("-c", "0.25"), ("-1",), ("-c", "0.5", "-1", "-u", "all.uem")])
def test_the_choices_of_scoring_hold_here_too(folder: Path, options: tuple[str, ...]) -> None:
    document = json.loads(ok(folder, *BOTH, "--json", *options).stdout)
    scored = json.loads(ok(folder, *BOTH[1:], "--json", *options).stdout)
    assert document["signature"] == scored["signature"]
    overall = scored["overall"]
    wanted = [overall[f"{part}_time"] for part in ("missed_speaker", "falarm_speaker", "speaker_error")]
    errors = document["recordings"][0]["errors"]
    found = [sum((e["offset"] - e["onset"]) * e["speakers"] for e in errors if e["kind"] == kind) for kind in KINDS]
    assert found == pytest.approx(wanted, abs=1e-9)


def test_several_recordings(folder: Path) -> None:
    for side, turns in (("ref", EXAMPLE_REF), ("sys", EXAMPLE_SYS)):
        lines = rttm(turns)
        write(folder, **{side: lines + lines.replace(" f 1 ", " g 2 ")})
    document = json.loads(ok(folder, *BOTH, "--json").stdout)
    assert [(r["file_id"], r["channel"]) for r in document["recordings"]] == [("f", "1"), ("g", "2")]
    assert [e["file_id"] for e in document["longest"][:2]] == ["f", "g"]
    only = json.loads(ok(folder, *BOTH, "--json", "--recording", "g").stdout)
    assert [(r["file_id"], r["channel"]) for r in only["recordings"]] == [("g", "2")]
    assert {e["file_id"] for e in only["longest"]} == {"g"}
    text = ok(folder, *BOTH, "--longest", "0").text
    assert "f, channel 1" in text
    assert "g, channel 2" in text
    assert "confusion" not in text


def test_a_system_without_this_recording_misses_it(folder: Path) -> None:
    write(folder, sys="")
    text = ok(folder, *BOTH).text
    assert "f          missed   0.00   20.00" not in text  # who speaks changes at 8 and 10
    [c] = [line.split() for line in text.splitlines() if line.startswith("C ")][:1]
    assert c == ["C", "-", "8.00", "8.00", "0.00"]


def test_all_channels_of_a_recording_are_shown(folder: Path) -> None:
    write(folder, ref=speaker(0, 5, "A") + speaker(0, 5, "B", channel="2"))
    document = json.loads(ok(folder, *BOTH, "--json", "--recording", "f").stdout)
    assert [r["channel"] for r in document["recordings"]] == ["1", "2"]


def test_twice_the_same_bytes(folder: Path) -> None:
    for options in ((), ("--json",)):
        assert ok(folder, *BOTH, *options).stdout == ok(folder, *BOTH, *options).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain",), "give one reference with -r and one system output with -s"),
        (BOTH[:3], "give one reference with -r and one system output with -s"),
        ((*BOTH, "-s", "sys.rttm"), "give one reference with -r and one system output with -s"),
        ((*BOTH, "--longest", "x"), "argument --longest: invalid int value: 'x'"),
        ((*BOTH, "--longest=-1"), "--longest -1: it must be 0 or more"),
        ((*BOTH, "--recording", "g"), "the reference has no recording g; it has f"),
        ((*BOTH, "-c", "nan"), "'nan' is not a number"),
        ((*BOTH, "-c=-1"), "collar is -1.0"),
        ((*BOTH, "-c", "0,25"), "'0,25' is not a number; write for example 0.25"),
        ((*BOTH, "extra"), "unrecognized arguments: extra"),
        ((*BOTH, "--record", "f"), "unrecognized arguments: --record f"),
        (("explain", "-r", "empty.rttm", "-s", "sys.rttm"), "empty.rttm: no SPEAKER record"),
        (("explain", "-r", "nowhere.rttm", "-s", "sys.rttm"), "nowhere.rttm"),
        ((*BOTH, "-u", "sys.rttm"), "sys.rttm:1"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    write(folder, **{"empty.rttm": ""})
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 2
    assert done.stdout == b""
    assert message in done.stderr
