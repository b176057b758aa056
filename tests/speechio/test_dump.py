"""Parsed records for the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from speechio import UsageError
from speechio.dump import dump_json, dump_lines

DATA = Path(__file__).parent / "data" / "formats"


def test_lines_are_the_strictest_form_and_numbers_stay(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(";; x\nSPEAKER\tr 1  0.50* 2 <NA> <NA> a <NA>\n")
    assert list(dump_lines(path, "rttm")) == ["SPEAKER r 1 0.50 2 <NA> <NA> a <NA> <NA>"]
    path.write_text("r\t1 0.50  9 \n")
    assert list(dump_lines(path, "uem")) == ["r 1 0.50 9"]
    path.write_text('\n {"a":1}\n')
    assert list(dump_lines(path, "jsonl")) == ['{"a": 1}']
    path.write_text(" en \n")
    assert list(dump_lines(path, "language")) == ["en"]
    assert dump_json(path, "language") == "en"
    path.write_text("s\ta  b \n")
    assert list(dump_lines(path, "spk2utt")) == ["s a b"]
    assert dump_json(path, "spk2utt") == [["s", ["a", "b"]]]


def test_options_of_rttm(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("SPEAKER r 1 16000 8000 <NA> <NA> a\n")
    (line,) = dump_lines(tmp_path / "x", "rttm", pad=True, sample_rate=16000)
    assert line == "SPEAKER r 1 1 0.5 <NA> <NA> a <NA> <NA>"
    (record,) = dump_json(tmp_path / "x", "rttm", pad=True, sample_rate=16000)
    assert (record["onset"], record["duration"]) == (1.0, 0.5)


def test_a_segment_has_its_channel_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a r 0 1 2\n")
    assert dump_json(tmp_path / "x", "segments") == [{"utt": "a", "rec": "r", "start": 0.0, "end": 1.0, "channel": 2}]


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "utt2spk").write_text("a s\n")
    (tmp_path / "language").write_text("en\n")
    assert dump_json(tmp_path, "kaldi-dir") == {"utt2spk": [["a", "s"]], "language": "en"}
    assert list(dump_lines(tmp_path, "kaldi-dir")) == ["utt2spk\ta s", "language\ten"]
    assert "segments\tanna-u1 rA 0.0 1.5" in dump_lines(DATA / "kaldi" / "good_dir", "kaldi-dir")


@pytest.mark.parametrize("name", ["docx", "wav", "x"])
def test_unknown_formats(name: str) -> None:
    with pytest.raises(UsageError, match=f"unknown format '{name}'"):
        dump_json("x", name)
    with pytest.raises(UsageError, match=f"unknown format '{name}'"):
        list(dump_lines("x", name))
