"""RTTM as a table with the names of its fields, and as TextGrids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

import speechio
from discophon.data import read_rttm, read_textgrid, rttm_to_textgrids
from discophon.errors import DiscophonError, FormatError, MissingFileError, UsageError
from discophon.rttm import RTTM_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

TURNS = """;; a comment
SPEAKER f1 1 0.0 1.5 <NA> <NA> anna <NA> <NA>
SPEAKER f1 1 2.0 1.0 <NA> <NA> bert 0.90 <NA>
LEXEME f1 1 0.1 0.2 word lex anna 0.5 0.125
SPEAKER f2 1 0.5 1.0 <NA> <NA> anna <NA> <NA>
"""


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    """A file of three turns and a word."""
    path = tmp_path / "turns.rttm"
    path.write_text(TURNS)
    return path


def test_table(turns: Path) -> None:
    table = read_rttm(turns)
    assert dict(table.schema) == {
        "Type": pl.String,
        "File ID": pl.String,
        "Channel ID": pl.Int64,
        "Turn Onset": pl.Float64,
        "Turn Duration": pl.Float64,
        "Orthography Field": pl.String,
        "Speaker Type": pl.String,
        "Speaker Name": pl.String,
        "Confidence Score": pl.String,
        "Signal Lookahead Time": pl.String,
    }
    assert tuple(table.columns) == RTTM_COLUMNS
    assert table.rows() == [
        ("SPEAKER", "f1", 1, 0.0, 1.5, None, None, "anna", None, None),
        ("SPEAKER", "f1", 1, 2.0, 1.0, None, None, "bert", "0.90", None),
        ("LEXEME", "f1", 1, 0.1, 0.2, "word", "lex", "anna", "0.5", "0.125"),
        ("SPEAKER", "f2", 1, 0.5, 1.0, None, None, "anna", None, None),
    ]


def test_channels_that_are_no_numbers_stay_text(turns: Path) -> None:
    turns.write_text(TURNS.replace("SPEAKER f2 1 ", "SPEAKER f2 left "))
    assert read_rttm(turns)["Channel ID"].to_list() == ["1", "1", "1", "left"]


def test_folder(turns: Path) -> None:
    (turns.parent / "a" / "b").mkdir(parents=True)
    (turns.parent / "a" / "b" / "more.rttm").write_text("SPEAKER f0 1 0 1 <NA> <NA> carl <NA> <NA>\n")
    (turns.parent / "notes.txt").write_text("no turns")
    assert read_rttm(turns.parent)["Speaker Name"].to_list() == ["carl", "anna", "bert", "anna", "anna"]


def test_wrong_files(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere: no such file"):
        read_rttm(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"no \.rttm file in this folder"):
        read_rttm(tmp_path)
    (tmp_path / "x.rttm").write_text("SPEAKER f1 1 zero 1 <NA> <NA> anna <NA> <NA>\n")
    with pytest.raises(speechio.FormatError, match=r"x\.rttm:1: R003") as caught:
        read_rttm(tmp_path / "x.rttm")
    assert isinstance(caught.value, ValueError)


def test_textgrids(turns: Path, tmp_path: Path) -> None:
    rttm_to_textgrids(turns, tmp_path / "out", tier_name="speakers")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["f1.TextGrid", "f2.TextGrid"]
    [(name, table)] = read_textgrid(tmp_path / "out").items()
    assert name == "speakers"
    spoken = [row for row in table.rows() if row[0] != "SIL"]  # which is what the empty text of a pause reads as
    assert spoken == [("anna", 0.0, 1.5, "f1"), ("bert", 2.0, 3.0, "f1"), ("anna", 0.5, 1.5, "f2")]
    assert table.rows()[1] == ("SIL", 1.5, 2.0, "f1")


def test_overlapping_turns_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.rttm"
    path.write_text(
        "SPEAKER f0 1 0 1 <NA> <NA> anna <NA> <NA>\n"
        "SPEAKER f1 1 1.0 1.0 <NA> <NA> bert <NA> <NA>\nSPEAKER f1 1 0 1.5 <NA> <NA> anna <NA> <NA>\n"
    )
    what = r"x\.rttm:2: f1: the turn of anna from 0 s to 1\.5 s \(line 3\) and that of bert from 1\.0 s overlap"
    with pytest.raises(FormatError, match=what):
        rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert not (tmp_path / "out").exists()


def test_turns_that_meet_do_not_overlap(tmp_path: Path) -> None:
    path = tmp_path / "x.rttm"
    path.write_text("".join(f"SPEAKER f 1 {i * 0.1:.1f} 0.1 <NA> <NA> s{i % 2} <NA> <NA>\n" for i in range(50)))
    rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert read_textgrid(tmp_path / "out")["speakers"]["text"].to_list() == ["s0", "s1"] * 25


def test_nothing_to_write(tmp_path: Path) -> None:
    path = tmp_path / "x.rttm"
    path.write_text("LEXEME f1 1 0.1 0.2 word lex anna 0.5\n")
    with pytest.raises(FormatError, match="no SPEAKER record"):
        rttm_to_textgrids(path, tmp_path, tier_name="speakers")


def test_file_ids_that_leave_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "x.rttm"
    path.write_text("SPEAKER ../f 1 0 1 <NA> <NA> anna <NA> <NA>\n")
    with pytest.raises(UsageError, match="not a plain name") as caught:
        rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert isinstance(caught.value, DiscophonError)
    assert not (tmp_path / "f.TextGrid").exists()


def test_turns_that_last_no_time_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "x.rttm"
    lines = ["SPEAKER f1 1 0 1 <NA> <NA> anna <NA> <NA>\n", "SPEAKER f1 1 2 0 <NA> <NA> bert <NA> <NA>\n"]
    path.write_text("".join([*lines, lines[1].replace(" 0 ", f" 0.{'0' * 20}1 ")]))
    rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert caplog.messages == [
        f"{path}:2: f1: the turn of bert lasts no time; it is left out",
        f"{path}:3: f1: the turn of bert lasts too little time to be written; it is left out",
    ]
    assert read_textgrid(tmp_path / "out")["speakers"].rows() == [("anna", 0.0, 1.0, "f1")]


def test_all_textgrids_are_written_or_none(tmp_path: Path) -> None:
    path = tmp_path / "x.rttm"
    path.write_text(f"{TURNS}SPEAKER f3 1 2 0 <NA> <NA> bert <NA> <NA>\n")
    with pytest.raises(FormatError, match=r"x\.rttm:6: f3: no turn lasts any time, so there is no interval"):
        rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert not (tmp_path / "out").exists()
    path.write_text(TURNS)
    (tmp_path / "out" / "f2.TextGrid").mkdir(parents=True)
    with pytest.raises(FormatError, match=r"f2\.TextGrid: cannot be read"):
        rttm_to_textgrids(path, tmp_path / "out", tier_name="speakers")
    assert [place.name for place in (tmp_path / "out").iterdir()] == ["f2.TextGrid"]
