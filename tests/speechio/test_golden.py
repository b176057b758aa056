"""The golden cases in data/: what each file gives when it is read and checked. See data/README.md."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import speechio
from speechio.cli import main
from speechio.dump import dump_json

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "formats" / "manifest.json").read_text(encoding="utf-8"))["cases"]
BAD = [case for case in CASES if case["want"] == "errors" and case["format"] != "kaldi-dir"]
GOOD = [case for case in CASES if "records" in case]


@pytest.fixture(autouse=True)
def _in_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA / "formats")


def place(file: str, line: int | None, code: str) -> tuple[str, int, str]:
    return os.path.basename(file), line or 0, code


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["file"]))
def test_check(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["check", "--format", case["format"], "--json", case["file"]])
    problems = json.loads(capsys.readouterr().out)["problems"]
    for severity, key in (("error", "errors"), ("warning", "warnings")):
        got = [place(one["file"], one["line"], one["code"]) for one in problems if one["severity"] == severity]
        want = [place(one.get("file", case["file"]), one["line"], one["code"]) for one in case.get(key, [])]
        assert sorted(got) == sorted(want)
    for error in case.get("errors", []):
        said = [one["message"] for one in problems if (one["line"], one["code"]) == (error["line"], error["code"])]
        assert all(word in said[0] for word in error["mentions"])
    assert status == (1 if case.get("errors") else 0)


@pytest.mark.parametrize("case", GOOD, ids=lambda case: str(case["file"]))
def test_good_files_are_read(case: dict[str, Any]) -> None:
    assert dump_json(case["file"], case["format"]) == case["records"]


@pytest.mark.parametrize("case", BAD, ids=lambda case: str(case["file"]))
def test_bad_files_are_refused_at_the_first_error(case: dict[str, Any]) -> None:
    first = min(case["errors"], key=lambda error: error["line"] or 0)
    with pytest.raises(speechio.FormatError, match=first["code"]) as caught:
        dump_json(case["file"], case["format"])
    assert (caught.value.path, caught.value.line, caught.value.code) == (case["file"], first["line"], first["code"])


def expected(name: str) -> tuple[Path, dict[str, Any]]:
    folder = DATA / "cases" / name
    wanted: dict[str, Any] = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expected"]
    return folder, wanted


def listed(path: Path, **options: Any) -> list[tuple[int | None, str, str]]:
    return [(one.line, one.severity, one.message) for one in speechio.check_path(path, **options)]


def test_segments_open_end_and_channel() -> None:
    folder, want = expected("io-kaldi-segments-open-end-and-channel")
    records = speechio.iter_segments(folder / "segments")
    names = ("utt", "rec", "start", "end", "channel")
    for parsed in want["parsed"]:
        record = next(records)
        assert {name: getattr(record, name) for name in names} == parsed
    with pytest.raises(speechio.FormatError, match=r"segments:4: K012 the end of r1-0004, 8\.0, is not after"):
        next(records)
    problems = listed(folder / "segments", durations=speechio.read_reco2dur(folder / "reco2dur"))
    assert [one[:2] for one in problems] == [(2, "warning"), (4, "error"), (5, "warning")]
    assert problems[2][2] == "end 20.4 of r1-0005 is beyond the recording (20.0 s)"


def test_sorting_in_the_c_locale() -> None:
    folder, want = expected("io-kaldi-sorting-c-locale")
    problems = [one for one in speechio.check_path(folder / "data-dir") if one.file.endswith("utt2spk")]
    assert [(one.line, one.code, one.severity) for one in problems] == [
        (1, "K136", "warning"),
        (3, "S103", "warning"),
    ]
    said = " ".join(map(str, problems))
    assert all(word in said for word in [*want["message_must_mention"], "zero-pad", "'-'", "LC_ALL=C", "any order"])
    speakers = speechio.read_utt2spk(folder / "data-dir" / "utt2spk")
    assert sorted(speakers) == want["c_locale_order_of_ids"]
    assert list(speakers) == want["order_by_speaker_column"]
    assert speechio.read_data_dir(folder / "data-dir").utterances == ("7_3", "7_9", "71_1")


def test_text_with_mark_crlf_and_odd_blanks() -> None:
    folder, want = expected("io-kaldi-text-crlf-bom-odd-blanks")
    assert speechio.read_text(folder / "text") == want["parsed"]
    problems = speechio.check_path(folder / "text")
    assert [(one.line, one.code) for one in problems] == [(1, "T102"), (1, "T103"), (2, "T108"), (3, "T108")]
    for problem, wanted in zip(problems, want["check_lists"], strict=True):
        word = "CR" if wanted["what"].startswith("CR") else wanted["what"]
        assert problem.line == wanted["line"]
        assert word in problem.message


def test_text_with_tabs() -> None:
    folder, want = expected("io-kaldi-text-tab-separator")
    assert speechio.read_text(folder / "text") == want["parsed"]


def test_eight_nine_and_ten_fields() -> None:
    folder, want = expected("io-rttm-eight-nine-ten-fields")
    with pytest.raises(speechio.FormatError, match=r"short\.rttm:1: R001 8 fields, wanted 9 or 10: confidence missing"):
        speechio.read_rttm(folder / "short.rttm")
    table = speechio.read_rttm(folder / "short.rttm", pad=True)
    assert list(table.speaker) == want["lenient"]["speakers"]
    assert list(speechio.iter_rttm(folder / "short.rttm", pad=True)) == list(table)


def test_file_id_with_a_space() -> None:
    folder, want = expected("io-rttm-file-id-with-space")
    with pytest.raises(speechio.FormatError, match="R001") as caught:
        speechio.read_rttm(folder / "bad.rttm")
    assert all(word in str(caught.value) for word in want["message_must_mention"])
    record = speechio.RttmRecord[float]("SPEAKER", "evening tape", "1", 0.0, 4.0, speaker="B")
    with pytest.raises(speechio.WriteError, match=r"record 1: the file 'evening tape' has a blank \(space\)"):
        speechio.write_rttm(folder / "never.rttm", [record])
    assert not (folder / "never.rttm").exists()


def test_hidden_characters() -> None:
    folder, want = expected("io-rttm-hidden-characters")
    records = speechio.read_rttm(folder / "hidden.rttm")
    for record, wanted in zip(records, want["parsed"], strict=True):
        assert {name: getattr(record, name) for name in wanted} == wanted
    (problem,) = speechio.check_path(folder / "hidden.rttm")
    assert all(word in str(problem) for word in want["message_must_mention"])


def test_negative_and_zero_duration() -> None:
    folder, want = expected("io-rttm-negative-and-zero-duration")
    with pytest.raises(speechio.FormatError, match="R005") as caught:
        speechio.read_rttm(folder / "neg.rttm")
    assert all(word in str(caught.value) for word in want["message_must_mention"])
    assert [one[:2] for one in listed(folder / "neg.rttm")] == [(2, "error"), (3, "warning")]


def test_sample_counts() -> None:
    folder, want = expected("io-rttm-sample-count-dialect")
    with pytest.raises(speechio.FormatError, match="R002") as caught:
        speechio.read_rttm(folder / "sim.rttm")
    assert all(word in str(caught.value) for word in want["message_must_mention"])
    problems = listed(folder / "sim.rttm")
    assert problems[0] == (1, "warning", want["check_lists"][0]["what"])
    assert problems[1] == (3, "error", want["check_lists"][1]["what"])
    turns = speechio.iter_rttm(folder / "sim.rttm", sample_rate=16000)
    assert [(turn.onset, turn.end) for turn in (next(turns), next(turns))] == [(0.0, 3.01), (2.5, 6.0)]


def test_several_record_types() -> None:
    folder, want = expected("io-rttm-several-record-types")
    path = folder / "mixed.rttm"
    kinds = list(speechio.read_rttm(path).type)
    assert {kind: kinds.count(kind) for kind in kinds} == want["counts"]
    gender = {record.speaker: record.subtype for record in speechio.iter_rttm(path, types=("SPKR-INFO",))}
    assert gender == want["speaker_gender"]
    assert sum(speechio.read_rttm(path, types=("SPEAKER",)).duration) == want["total_speaker_seconds"]


def test_pipes_are_not_paths() -> None:
    folder, want = expected("io-wav-scp-pipes-are-not-paths")
    words = {"path": "path", "pipe": "command", "ark": "archive offset", "stdin": "stdin"}
    locations = speechio.read_wav_scp(folder / "wav.scp")
    assert {key: words[value.kind] for key, value in locations.items()} == want["kinds"]
    assert (locations["utt4"].path, locations["utt4"].offset) == ("raw.ark", 1337)
    assert locations["utt5"].path == "audio/with space.wav"
    (problem,) = speechio.check_path(folder / "wav.scp")
    assert problem.severity == "warning"
    assert all(word in str(problem) for word in want["message_must_mention"])
