"""The lint as a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from speechio import InputError, UsageError, check_path, read_utt2dur
from speechio.check import Options, lint

if TYPE_CHECKING:
    from pathlib import Path

TURN = "SPEAKER r 1 {} {} <NA> <NA> {} <NA> <NA>\n"


def turns(path: Path, *rows: tuple[float, float, str]) -> Path:
    path.write_text("".join(TURN.format(*row) for row in rows))
    return path


def listed(path: Path) -> list[tuple[int | None, str]]:
    return [(one.line, one.code) for one in check_path(path, "rttm")]


def test_problems_are_sorted_and_all_of_a_line_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_text("SPEAKER r 1 -1 x <NA> eval <NA> y z\n\nSPEAKER r 1 1 -1 <NA> <NA> a <NA>")
    assert listed(path) == [
        (1, "R004"), (1, "R005"), (1, "R007"), (1, "R008"), (1, "R008"), (1, "R011"), (3, "R005"), (3, "T107"),
    ]  # fmt: skip


def test_a_fault_of_the_text_layer_ends_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_bytes(b"SPEECH r\nSPEAKER \xff\nSPEECH r\n")
    assert listed(path) == [(1, "R001"), (2, "T001")]


def test_overlap_of_one_speaker(tmp_path: Path) -> None:
    path = turns(tmp_path / "a", (0, 10, "a"), (10, 1, "a"), (2, 1, "a"), (4, 2, "b"), (9.5, 1, "a"), (3, 0, "b"))
    problems = [one for one in check_path(path, "rttm") if one.code == "R109"]
    assert [one.line for one in problems] == [2, 3, 5]
    assert problems[1].message == "the turn of speaker a of r at 2 s overlaps the one on line 1, which ends at 10 s"


def test_times_that_differ_are_written_so(tmp_path: Path) -> None:
    path = turns(
        tmp_path / "a.rttm", (12345.6, 0.1, "a"), (12345.698, 1, "a"), (123456.1, 0.2, "b"), (123456.2, 1, "b")
    )
    assert [one.message.partition(" at ")[2] for one in check_path(path)] == [
        "12345.698 s overlaps the one on line 1, which ends at 12345.7 s",
        "123456.2 s overlaps the one on line 3, which ends at 123456.3 s",
    ]
    (tmp_path / "a.uem").write_text("r 1 12345.6 12345.71\nr 1 12345.7 1234567.8\n")
    (problem,) = check_path(tmp_path / "a.uem")
    want = "the region 12345.7 to 1234567.8 of r, channel 1, overlaps 12345.6 to 12345.71 on line 1"
    assert problem.message == want


def test_overlap_below_a_millisecond_is_rounding(tmp_path: Path) -> None:
    assert listed(turns(tmp_path / "a", (0.1, 0.2, "a"), (0.3, 1, "a"))) == []
    assert listed(turns(tmp_path / "a", (0, 1.0005, "a"), (1, 1, "a"))) == []
    assert listed(turns(tmp_path / "a", (0, 1.001, "a"), (1, 1, "a"))) == [(2, "R109")]


def test_channels_match_whatever_their_case(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(TURN.format(0, 5, "a").replace(" 1 ", " A ") + TURN.format(1, 5, "a").replace(" 1 ", " a "))
    assert listed(path) == [(2, "R109")]


def test_an_empty_turn_overlaps_nothing(tmp_path: Path) -> None:
    assert listed(turns(tmp_path / "a", (0, 5, "a"), (2, 0, "a"))) == [(2, "R106")]


def test_sample_counts_need_whole_numbers_and_a_long_turn(tmp_path: Path) -> None:
    assert listed(turns(tmp_path / "a", (0, 48000, "a"))) == [(1, "R115")]
    assert listed(turns(tmp_path / "a", (0, 10000, "a"))) == []
    assert listed(turns(tmp_path / "a", (0.5, 48000, "a"))) == []


def test_undeclared_speakers(tmp_path: Path) -> None:
    path = turns(tmp_path / "a", (0, 1, "a"), (2, 1, "b"), (4, 1, "b"))
    assert listed(path) == []
    path.write_text(path.read_text() + "SPKR-INFO r 1 <NA> <NA> <NA> child a <NA>\n")
    assert listed(path) == [(2, "R114"), (3, "R114")]
    assert {one.severity for one in check_path(path, "rttm", nist=True) if one.code == "R114"} == {"error"}


def test_an_empty_file_and_one_of_comments(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for text in ("", ";; nothing\n\n"):
        path.write_text(text)
        assert listed(path) == [(None, "T110")]


def test_a_file_of_errors_only_is_not_called_empty(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\n")
    assert listed(tmp_path / "a") == [(1, "R001")]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("scp", b"b 1\na 2\n", "S103"),
        ("scp", b"a 1\r\n", "T103"),
        ("scp", b"a 1", "T107"),
        ("text", "a x\u00a0y\n".encode(), "T108"),
        ("segments", b"a r 0 -1\n", "K113"),
        ("text", b"a <s>\n", "K135"),
    ],
)
def test_kaldi_takes_some_warnings_for_errors(tmp_path: Path, name: str, content: bytes, code: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    assert [(one.code, one.severity) for one in check_path(path, name)] == [(code, "warning")]
    assert [(one.code, one.severity) for one in check_path(path, name, kaldi=True)] == [(code, "error")]


def test_kaldi_takes_no_channel_in_segments(tmp_path: Path) -> None:
    (tmp_path / "segments").write_text("a r 0 1 0\n")
    assert check_path(tmp_path / "segments") == []
    (problem,) = check_path(tmp_path / "segments", kaldi=True)
    assert (problem.code, problem.line, problem.severity) == ("K011", 1, "error")


def test_nist_takes_some_warnings_for_errors(tmp_path: Path) -> None:
    path = tmp_path / "r.rttm"
    path.write_text(TURN.format(0, 1, "a") + "SPEAKER r 1 0.5 1 hi <NA> a <NA>\n")
    assert {(one.code, one.severity) for one in check_path(path)} == {("R109", "warning"), ("R112", "warning")}
    assert {(one.code, one.severity) for one in check_path(path, nist=True)} == {("R109", "error"), ("R112", "error")}


def test_durations_that_are_not_known_are_not_compared(tmp_path: Path) -> None:
    (tmp_path / "segments").write_text("a r 0 99\nb q 5 6\nc q 1 -1\n")
    problems = check_path(tmp_path / "segments", durations={"q": 5.0})
    assert [(one.line, one.code) for one in problems] == [(2, "K139"), (3, "K113")]


def test_durations_may_be_those_of_utterances(tmp_path: Path) -> None:
    # b and c are as long as their durations, to rounding; e has no end of its own; q is a recording.
    (tmp_path / "segments").write_text("a r 70 73\nb r 1.2 1.3\nc r 5 7.004\nd r 5 7.01\ne r 9 -1\nq q 3 4\n")
    (tmp_path / "utt2dur").write_text("a 2.5\nb 0.1\nc 2\nd 2\ne 1\nq 2\n")
    problems = check_path(tmp_path / "segments", durations=read_utt2dur(tmp_path / "utt2dur"))
    assert [(one.line, one.code) for one in problems] == [(1, "K141"), (4, "K141"), (5, "K113"), (6, "K139")]
    assert problems[0].message == "the segment a lasts 3.0 s, longer than the utterance (2.5 s)"
    assert "lasts 2.01 s" in problems[1].message


def test_files_of_locations(tmp_path: Path) -> None:
    (tmp_path / "there.wav").write_bytes(b"")
    (tmp_path / "wav.scp").write_text(
        f"a {tmp_path}/there.wav\nb {tmp_path}/gone.wav\nc {tmp_path}/gone.ark:7\nd https://host/x.wav\ne cat x |\n"
    )
    problems = check_path(tmp_path / "wav.scp", exists=True)
    assert [(one.line, one.code) for one in problems] == [(2, "K140"), (3, "K140")]
    assert check_path(tmp_path / "wav.scp") == []


def test_all_faults_that_have_a_way_on_are_listed(tmp_path: Path) -> None:
    info = "SPKR-INFO r 1 <NA> <NA> <NA> child <NA> <NA>\n"
    (tmp_path / "a.rttm").write_text(info + info)
    assert listed(tmp_path / "a.rttm") == [(1, "R010"), (2, "R010")]
    (tmp_path / "a.jsonl").write_text('{"a": "\\ud800"}\n{"a": 1} [\n{"a": "\\ud83d\\ude00"}\n')
    assert [(one.line, one.code) for one in check_path(tmp_path / "a.jsonl")] == [(1, "J001"), (2, "J001")]
    (tmp_path / "segments").write_text("a r 0 1 x\nb r 0 1 y\n")
    assert [(one.line, one.code) for one in check_path(tmp_path / "segments")] == [(1, "K011"), (2, "K011")]
    (tmp_path / "wav.scp").write_text("a |\nb | x\n")
    assert [(one.line, one.code) for one in check_path(tmp_path / "wav.scp")] == [(1, "K022"), (2, "K022")]


def test_counts(tmp_path: Path) -> None:
    found = lint(turns(tmp_path / "a", (0, 1, "a"), (2, -1, "a"), (4, 1, "b")), "rttm", Options())
    assert (found.n_files, found.n_records, len(found.problems)) == (1, 2, 1)


def test_an_encoding_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("a café\n".encode("latin-1"))
    assert check_path(tmp_path / "text", encoding="latin-1") == []


def test_what_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format 'docx'; formats: rttm uem scp"):
        check_path(tmp_path, "docx")
    with pytest.raises(InputError, match="is a directory; a file is wanted for the format rttm"):
        check_path(tmp_path, "rttm")
    with pytest.raises(InputError, match="no such file"):
        check_path(tmp_path / "absent.rttm")
    with pytest.raises(UsageError, match="standard input needs its format named"):
        check_path("-")
