"""Reading by the rules of the formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mdeval.errors import InputError
from mdeval.side import Side
from mdeval.strict import read_rttm, read_uem
from mdeval_support import speaker
from speechio import FormatError, SpeechioError

if TYPE_CHECKING:
    from pathlib import Path


def read(tmp_path: Path, text: str, side: Side | None = None) -> Side:
    path = tmp_path / "a.rttm"
    path.write_text(text, encoding="utf-8")
    side = side or Side()
    read_rttm(str(path), side)
    return side


def uem(tmp_path: Path, text: str, *, keep_directory: bool = False) -> dict[tuple[str, str], list[tuple[float, float]]]:
    path = tmp_path / "a.uem"
    path.write_text(text, encoding="utf-8")
    return {key: list(some) for key, some in read_uem(str(path), keep_directory=keep_directory).items()}


def test_turns_words_and_types(tmp_path: Path) -> None:
    text = (
        speaker(1, 2, "A", channel="B")
        + "LEXEME f B 1 1 Yes lex A <NA> <NA>\nNON-LEX f B 3 1 <NA> laugh A <NA> <NA>\n"
        + "SPKR-INFO f B <NA> <NA> <NA> child A <NA> <NA>\nNOSCORE f B 5 1 <NA> <NA> <NA> <NA> <NA>\n"
    )
    side = read(tmp_path, text)
    assert side.records == {
        ("f", "b"): [
            (2.0, 1.0, 3.0, "SPEAKER", "A"),
            (1.5, 1.0, 2.0, "LEXEME", "yes"),
            (3.5, 3.0, 4.0, "NON-LEX", "A"),
            (5.5, 5.0, 6.0, "NOSCORE", "<NA>"),
        ]
    }
    assert side.types == {("f", "b"): {"A": "child"}}


def test_a_missing_duration_of_an_event_is_zero(tmp_path: Path) -> None:
    side = read(tmp_path, "IP f 1 2 <NA> <NA> edit A <NA> <NA>\n")
    assert side.records == {("f", "1"): [(2.0, 2.0, 2.0, "IP", "A")]}


@pytest.mark.parametrize(
    "line",
    [
        speaker("1,5", 2, "A"), speaker(1, -2, "A"), speaker("<NA>", 2, "A"), speaker(1, 2, "A B"), "SPEAKER f 1 0 1\n",
        "TURN f 1 0 1 <NA> <NA> A <NA> <NA>\n", speaker("nan", 1, "A"), speaker(0, "inf", "A"),
    ],
)  # fmt: skip
def test_the_first_fault_is_raised_with_its_place(tmp_path: Path, line: str) -> None:
    with pytest.raises(FormatError, match=r"a\.rttm:2"):
        read(tmp_path, speaker(0, 1, "A") + line)


def test_a_second_type_of_a_speaker_from_another_file_is_refused(tmp_path: Path) -> None:
    side = read(tmp_path, speaker(0, 1, "A"))
    assert side.types == {("f", "1"): {"A": "unknown"}}
    with pytest.raises(InputError, match=r"a\.rttm:1: a second SPKR-INFO for speaker A of file f; keep one"):
        read(tmp_path, "SPKR-INFO f 1 <NA> <NA> <NA> child A <NA> <NA>\n", side)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SpeechioError, match=r"none\.rttm"):
        read_rttm(str(tmp_path / "none.rttm"), Side())


def test_uem_names_lose_directory_and_suffix_and_regions_are_sorted(tmp_path: Path) -> None:
    text = "d/f.sph A 5 9\nd/f.sph A 0 5\n"
    assert uem(tmp_path, text) == {("f", "a"): [(0.0, 5.0), (5.0, 9.0)]}
    assert uem(tmp_path, text, keep_directory=True) == {("d/f", "a"): [(0.0, 5.0), (5.0, 9.0)]}


def test_regions_that_overlap_under_their_shortened_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.uem: regions of f, channel 1 overlap: 0 to 5 and 3 to 9 \(names lose"):
        uem(tmp_path, "f.a 1 0 5\nf.b 1 3 9\n")


@pytest.mark.parametrize(
    "line", ["f 1 5 2\n", "f 1 x 2\n", "f 1 0\n", "f 1 0 nan\n", "f 1 -1 4\n", "f 1 0 4\nf 1 3 5\n"]
)
def test_a_faulty_uem(tmp_path: Path, line: str) -> None:
    with pytest.raises(FormatError, match=r"a\.uem:"):
        uem(tmp_path, line)
