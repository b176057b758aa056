"""The tables of a Kaldi data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import speechio
from speechio import FormatError, WriteError, check_path, kaldi

if TYPE_CHECKING:
    from pathlib import Path

# table -> (text, values)
GOOD: dict[str, tuple[str, dict[str, Any]]] = {
    "text": ("a hello  there\nb\n", {"a": "hello  there", "b": ""}),
    "utt2spk": ("a s\nb t\n", {"a": "s", "b": "t"}),
    "utt2lang": ("a en\nb fr\n", {"a": "en", "b": "fr"}),
    "utt2uniq": ("a x\n", {"a": "x"}),
    "spk2utt": ("s a b\nt c\n", {"s": ("a", "b"), "t": ("c",)}),
    "spk2gender": ("s m\nt f\n", {"s": "m", "t": "f"}),
    "spk2score": ("s 3.5\nt N/A\nu -100.0\n", {"s": 3.5, "t": None, "u": -100.0}),
    "utt2score": ("a 0.5\n", {"a": 0.5}),
    "spk2age": ("s 61.0\nt N/A\n", {"s": 61.0, "t": None}),
    "utt2dur": ("a 1.5\n", {"a": 1.5}),
    "reco2dur": ("r 20.0\n", {"r": 20.0}),
    "utt2num_frames": ("a 150\n", {"a": 150}),
    "reco2file_and_channel": ("r f A\nq f B\n", {"r": ("f", "A"), "q": ("f", "B")}),
}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_each_table_reads_and_writes(name: str, tmp_path: Path) -> None:
    text, values = GOOD[name]
    path = tmp_path / name
    path.write_text(text)
    assert getattr(speechio, f"read_{name}")(path) == values
    assert {entry.id: entry.value for entry in getattr(speechio, f"iter_{name}")(path)} == values
    getattr(speechio, f"write_{name}")(path, values)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "line", "code", "words"),
    [
        ("utt2spk", "a", "K014", "1 field at a, wanted 2"),
        ("utt2spk", "a s t", "K014", "3 fields at a, wanted 2"),
        ("utt2spk", "a s\u00a0", "S004", "U+00A0"),
        ("utt2lang", "a", "K014", "1 field"),
        ("utt2uniq", "a b c", "K014", "3 fields"),
        ("spk2utt", "s", "K032", "speaker s has no utterance"),
        ("spk2utt", "s a b a", "K032", "speaker s has the utterance a twice"),
        ("spk2gender", "s", "K017", "the gender of s is ''; it must be m or f"),
        ("spk2gender", "s male", "K017", "the gender of s is 'male'; it must be m or f"),
        ("spk2score", "s NA", "K015", "the value of s is 'NA', not a number; a missing one is N/A"),
        ("spk2score", "s -", "K015", "'-', not a number"),
        ("spk2score", "s nan", "K015", "'nan', not a number"),
        ("spk2score", "s 4.5pts", "K015", "'4.5pts', not a number"),
        ("spk2score", "s 3,5", "K015", "decimal point"),
        ("spk2score", "s n/a", "K015", "'n/a', not a number"),
        ("spk2score", "s 4 5", "K014", "3 fields at s, wanted 2"),
        ("spk2score", "s 4\u00a0", "T008", "U+00A0"),
        ("utt2score", "a x", "K015", "'x', not a number"),
        ("spk2age", "s old", "K015", "'old', not a number"),
        ("utt2dur", "a 0", "K018", "the duration of a is 0; it must be positive"),
        ("utt2dur", "a -1", "K018", "it must be positive"),
        ("utt2dur", "a nan", "K018", "'nan', not a number"),
        ("utt2dur", "a N/A", "K018", "'N/A', not a number"),
        ("reco2dur", "a", "K014", "1 field"),
        ("utt2num_frames", "a 1.5", "K018", "it must be whole and positive"),
        ("utt2num_frames", "a 0", "K018", "it must be whole and positive"),
        ("utt2num_frames", "a ²", "K018", "it must be whole and positive"),
        ("utt2num_frames", "a", "K014", "1 field"),
        ("reco2file_and_channel", "r f", "K020", "2 fields at r, wanted 3"),
        ("reco2file_and_channel", "r f C", "K020", "the channel of r is 'C'; it must be A or B"),
        ("spk2warp", "s 1.5", "K018", "between 0.5 and 1.5"),
        ("spk2warp", "s x", "K018", "between 0.5 and 1.5"),
        ("vad.scp", "a", "S005", "the value of a is empty"),
        ("cmvn.scp", "s", "S005", "the value of s is empty"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, line: str, code: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f":1: {code} ") as caught:
        kaldi.TABLES[name].read(path)
    assert words in str(caught.value)
    assert [(one.line, one.code) for one in check_path(path)] == [(1, code)]


def test_a_warp_factor(tmp_path: Path) -> None:
    (tmp_path / "spk2warp").write_text("s 0.95\n")
    assert kaldi.TABLES["spk2warp"].read(tmp_path / "spk2warp") == {"s": 0.95}


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("text", "a yes </s>", "K135"),
        ("text", "a #0 yes", "K135"),
        ("spk2gender", "s F", "K117"),
        ("spk2age", "s N/A", "K116"),
        ("reco2file_and_channel", "r f 1", "K120"),
    ],
)
def test_what_is_odd(tmp_path: Path, name: str, line: str, code: str) -> None:
    (tmp_path / name).write_text(f"{line}\n")
    assert [(one.line, one.code, one.severity) for one in check_path(tmp_path / name)] == [(1, code, "warning")]
    assert len(kaldi.TABLES[name].read(tmp_path / name)) == 1


def test_upper_case_genders_are_read_in_lower_case(tmp_path: Path) -> None:
    (tmp_path / "spk2gender").write_text("s F\n")
    assert speechio.read_spk2gender(tmp_path / "spk2gender") == {"s": "f"}


def test_words_that_only_look_reserved(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a <s>x #01 <unk>\n")
    assert check_path(tmp_path / "text") == []


def test_writers_refuse(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="the value 's t' has a blank"):
        speechio.write_utt2spk(tmp_path / "x", {"a": "s t"})
    with pytest.raises(WriteError, match="the utterance 'a b' has a blank"):
        speechio.write_spk2utt(tmp_path / "x", {"s": ("a b",)})
    with pytest.raises(WriteError, match="speaker s has no utterance"):
        speechio.write_spk2utt(tmp_path / "x", {"s": ()})
    with pytest.raises(WriteError, match="is not finite"):
        speechio.write_spk2score(tmp_path / "x", {"s": float("nan")})
    with pytest.raises(WriteError, match="it must be positive"):
        speechio.write_utt2dur(tmp_path / "x", {"a": 0.0})
    with pytest.raises(WriteError, match="it must be A or B"):
        speechio.write_reco2file_and_channel(tmp_path / "x", {"r": ("f", "C")})
    assert list(tmp_path.iterdir()) == []


def test_language(tmp_path: Path) -> None:
    path = tmp_path / "language"
    speechio.write_language(path, "nl")
    assert path.read_text() == "nl\n"
    assert speechio.read_language(path) == "nl"
    with pytest.raises(WriteError, match="the language 'en us' has a blank"):
        speechio.write_language(path, "en us")
    for text, words in (("en us\n", "2 words, wanted 1"), ("", "0 words, wanted 1"), ("en\nus\n", "2 words")):
        path.write_text(text)
        with pytest.raises(FormatError, match=f"language: K019 the file has {words}"):
            speechio.read_language(path)
    path.write_text("en\u00a0\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"language:1: T008 the language has U\+00A0"):
        speechio.read_language(path)
