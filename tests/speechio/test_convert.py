"""What fix and convert do, as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from speechio import FormatError, InputError, UsageError, check_path, read_scp, write_rttm
from speechio.convert import fix_file, jsonl_to_scp, scp_to_jsonl, segments_to_rttm

if TYPE_CHECKING:
    from pathlib import Path


def test_fix_mends_mark_line_ends_sorting_and_blanks(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("\ufeffb x  y \t\r\n\r\na  z\r\n\tc".encode())
    fix_file(tmp_path / "text", tmp_path / "out", "text")
    assert (tmp_path / "out").read_bytes() == b"a  z\nb x  y\n\tc\n"
    assert read_scp(tmp_path / "out") == read_scp(tmp_path / "text")


def test_fix_keeps_the_order_and_comments_of_rttm(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"; z\r\n\r\nSPEAKER wrong \r\n; a")
    fix_file(tmp_path / "a", tmp_path / "a", "rttm")
    assert (tmp_path / "a").read_bytes() == b"; z\n\nSPEAKER wrong\n; a\n"


def test_fix_refuses_what_it_cannot_mend(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\rb\n")
    with pytest.raises(FormatError, match="T004"):
        fix_file(tmp_path / "a", tmp_path / "out", "scp")
    assert not (tmp_path / "out").exists()


def test_fix_mends_a_directory(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "utt2spk").write_bytes(b"b-1 b\r\na-1 a")
    (folder / "spk2utt").write_bytes(b"b b-1\na a-1\n")
    fix_file(folder, tmp_path / "out", "kaldi-dir")
    assert (tmp_path / "out" / "utt2spk").read_bytes() == b"a-1 a\nb-1 b\n"
    assert check_path(tmp_path / "out", kaldi=True) == []


def test_fix_of_a_directory_needs_a_directory(tmp_path: Path) -> None:
    (tmp_path / "utt2spk").write_text("a s\n")
    with pytest.raises(InputError, match="utt2spk: cannot be made: File exists"):
        fix_file(tmp_path, tmp_path / "utt2spk", "kaldi-dir")


def test_segments_become_turns(tmp_path: Path) -> None:
    (tmp_path / "segments").write_text("u1 r1 0.5 1.25\nu2 r1 2 -1 1\n")
    (tmp_path / "utt2spk").write_text("u1 anna\nu2 ben\n")
    with pytest.raises(FormatError, match="K113 the segment u2 goes to the end of r1, whose duration is not known"):
        list(segments_to_rttm(tmp_path))
    (tmp_path / "reco2dur").write_text("r1 3.5\n")
    write_rttm(tmp_path / "a.rttm", segments_to_rttm(tmp_path / "segments"))
    assert (tmp_path / "a.rttm").read_text() == (
        "SPEAKER r1 1 0.5 0.75 <NA> <NA> anna <NA> <NA>\nSPEAKER r1 2 2 1.5 <NA> <NA> ben <NA> <NA>\n"
    )
    (tmp_path / "utt2spk").write_text("u1 anna\n")
    with pytest.raises(FormatError, match="K031 the utterance u2 has no speaker in utt2spk"):
        list(segments_to_rttm(tmp_path))


def test_scp_and_jsonl(tmp_path: Path) -> None:
    (tmp_path / "a.scp").write_text("a x y\nb\n")
    assert list(scp_to_jsonl(tmp_path / "a.scp", "utt", "text")) == [
        {"utt": "a", "text": "x y"},
        {"utt": "b", "text": ""},
    ]
    (tmp_path / "a.jsonl").write_text('{"id": "a", "value": "x y"}\n{"id": "b", "value": 1.5}\n')
    assert list(jsonl_to_scp(tmp_path / "a.jsonl", "id", "value")) == [("a", "x y"), ("b", "1.5")]
    with pytest.raises(UsageError, match="ID and value are both named 'id'"):
        list(scp_to_jsonl(tmp_path / "a.scp", "id", "id"))


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ('{"id": "a", "value": "x", "more": 1}', "J008", "the field 'more' has no place in an SCP file"),
        ('{"id": "a"}', "J008", "the field 'value' is missing"),
        ('{"value": "x"}', "J008", "the field 'id' is missing"),
        ('{"id": 1, "value": "x"}', "J008", "the field 'id' is 1, not text"),
        ('{"id": "a", "value": ["x"]}', "J008", "the field 'value' is an array"),
    ],
)
def test_nothing_of_an_object_is_dropped(tmp_path: Path, line: str, code: str, words: str) -> None:
    (tmp_path / "a.jsonl").write_text(line + "\n")
    with pytest.raises(FormatError, match=f":1: {code} ") as caught:
        list(jsonl_to_scp(tmp_path / "a.jsonl", "id", "value"))
    assert words in str(caught.value)
