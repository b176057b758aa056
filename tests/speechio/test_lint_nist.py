"""The logic of NIST's rttmValidator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from speechio import check_path

if TYPE_CHECKING:
    from pathlib import Path

INFO = "SPKR-INFO show 1 <NA> <NA> <NA> unknown a <NA>\n"
# Two words, an edit with its interruption point, a filler with its own, one SU, one turn: nothing is wrong.
GOOD = INFO + (
    "SPEAKER show 1 0 4 <NA> <NA> a <NA>\n"
    "SU show 1 0 4 <NA> statement a <NA>\n"
    "LEXEME show 1 0 1 I lex a <NA>\n"
    "LEXEME show 1 1 1 uh fp a <NA>\n"
    "LEXEME show 1 2 1.5 I lex a <NA>\n"
    "EDIT show 1 0 1 <NA> repetition a <NA>\n"
    "IP show 1 1 <NA> <NA> edit&filler a <NA>\n"
    "FILLER show 1 1 1 <NA> filled_pause a <NA>\n"
    "NOSCORE show 1 5 1 <NA> <NA> <NA> <NA>\n"
)


def listed(tmp_path: Path, text: str) -> list[tuple[int | None, str, str]]:
    path = tmp_path / "show.rttm"
    path.write_text(text)
    return [(one.line, one.code, one.severity) for one in check_path(path, nist=True)]


def test_a_good_file(tmp_path: Path) -> None:
    assert listed(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "want"),
    [
        ("SU show 1 0 4", "SU show 1 0.5 3.5", [(4, "R124")]),
        ("SU show 1 0 4", "SU show 1 1.5 2.5", [(4, "R126"), (5, "R124")]),
        ("SPEAKER show 1 0 4", "SPEAKER show 1 0 2", [(6, "R126")]),
        ("EDIT show 1 0 1", "EDIT show 1 4 1", [(7, "R123"), (7, "R127"), (8, "R127")]),
        ("FILLER show 1 1 1", "FILLER show 1 2 1.5", [(8, "R127"), (9, "R127")]),
        ("edit&filler", "edit", [(9, "R127")]),
        ("edit&filler", "filler", [(7, "R127")]),
        ("IP show 1 1 ", "IP show 1 1.0005 ", []),
        ("NOSCORE show 1 5 1", "NOSCORE show 1 3 1", [(2, "R125"), (3, "R125"), (6, "R125")]),
        ("LEXEME show 1 1 1", "LEXEME show 1 0.5 1.5", [(5, "R122"), (5, "R124"), (5, "R124")]),
        ("LEXEME show 1 1 1", "LEXEME show 1 0.9995 1", []),
    ],
)
def test_what_does_not_fit(tmp_path: Path, old: str, new: str, want: list[tuple[int, str]]) -> None:
    assert listed(tmp_path, GOOD.replace(old, new)) == [(line, code, "error") for line, code in want]


def test_times_are_written_with_all_their_digits(tmp_path: Path) -> None:
    (tmp_path / "show.rttm").write_text(
        INFO
        + "LEXEME show 1 12345.67 1 I lex a <NA>\nLEXEME show 1 12345.68 1 I lex a <NA>\n"
        + "EDIT show 1 23456.78 1 <NA> repetition a <NA>\n"
    )
    messages = " ".join(one.message for one in check_path(tmp_path / "show.rttm", nist=True))
    assert "the LEXEME of speaker a of show at 12345.68 s overlaps" in messages
    assert messages.count("at 23456.78 s has no") == 2


def test_speakers_are_kept_apart(tmp_path: Path) -> None:
    other = GOOD.replace(" a ", " b ").replace("NOSCORE show 1 5 1 <NA> <NA> <NA> <NA>\n", "")
    assert listed(tmp_path, GOOD + other.replace(" 1 0 4", " 1 10 4")) != []
    assert listed(tmp_path, GOOD + other) == []


def test_a_file_without_words_has_no_words_to_miss(tmp_path: Path) -> None:
    assert listed(tmp_path, INFO + "SU show 1 0 4 <NA> statement a <NA>\n") == []


def test_channels_and_file_names_are_told_at_every_line(tmp_path: Path) -> None:
    names = (("other", 3), ("third", 1), ("other", 3))
    turns = "".join(f"SPEAKER {file} {channel} {i} 1 <NA> <NA> a <NA>\n" for i, (file, channel) in enumerate(names))
    wrong_channel, wrong_name = ("R120", "error"), ("R121", "warning")
    assert listed(tmp_path, turns) == [
        (1, *wrong_channel), (1, *wrong_name), (2, *wrong_name), (3, *wrong_channel), (3, *wrong_name),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("experiment", "is_news"), [("rt04f_bn_eng", True), ("rt03-bnews", True), ("cts_urban", False)]
)
def test_broadcast_news_has_channel_one(tmp_path: Path, experiment: str, is_news: bool) -> None:
    turn = "SPEAKER show 2 0 1 <NA> <NA> a <NA>\n"
    assert listed(tmp_path, f";; EXP-ID: {experiment}\n{turn}") == ([(2, "R120", "error")] if is_news else [])
