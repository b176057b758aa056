"""`load_rttm` and `load_uem`: the dictionaries that scripts know."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from mdeval.io import load_rttm, load_uem
from mdeval.scoring import score_speaker_diarization
from mdeval.utils import Segment
from mdeval_support import speaker
from speechio import FormatError, SpeechioError

if TYPE_CHECKING:
    from pathlib import Path


def test_records_are_dictionaries_by_file_channel_and_type(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_text(speaker(1, 2.5, "A") + "LEXEME f 1 1 1 Yes lex A <NA> <NA>\n" + speaker(0, 1, "B", "g", "2"))
    data = load_rttm(path)
    assert list(data) == ["f", "g"]
    assert data["f"]["1"]["SPEAKER"] == [
        {
            "TYPE": "SPEAKER", "FILE": "f", "CHNL": "1", "TBEG": 1.0, "TDUR": 2.5, "TEND": 3.5, "SPKR": "A",
            "SUBT": "<NA>", "WORD": "<NA>",
        }
    ]  # fmt: skip
    assert data["f"]["1"]["LEXEME"][0]["WORD"] == "Yes"
    assert data["f"]["1"]["LEXEME"][0]["SUBT"] == "lex"
    assert data["g"]["2"]["SPEAKER"][0]["TBEG"] == 0.0


def test_what_is_missing_is_zero_or_na(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_text("SPKR-INFO f 1 <NA> <NA> <NA> child A <NA> <NA>\nNOSCORE f 1 2 1 <NA> <NA> <NA> <NA> <NA>\n")
    types = load_rttm(str(path))["f"]["1"]
    assert (types["SPKR-INFO"][0]["TBEG"], types["SPKR-INFO"][0]["TEND"]) == (0.0, 0.0)
    assert types["NOSCORE"][0]["SPKR"] == "<NA>"


def test_regions_are_segments_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.uem"
    path.write_text("d/f.sph 1 5 9\nd/f.sph 1 0 5\ng A 0 1\n")
    assert load_uem(path) == {"d/f.sph": {"1": [Segment(5.0, 9.0), Segment(0.0, 5.0)]}, "g": {"A": [Segment(0.0, 1.0)]}}


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm.gz"
    path.write_bytes(gzip.compress(speaker(1, 2, "A").encode()))
    assert load_rttm(path)["f"]["1"]["SPEAKER"][0]["TEND"] == 3.0


def test_faults_are_raised(tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_text(speaker("1,5", 2, "A"))
    with pytest.raises(FormatError, match=r"a\.rttm:1"):
        load_rttm(path)
    path.write_text("f 1 9 5\n")
    with pytest.raises(FormatError, match=r"a\.rttm:1"):
        load_uem(path)
    with pytest.raises(SpeechioError, match=r"none"):
        load_rttm(tmp_path / "none")


def test_what_is_loaded_can_be_scored(tmp_path: Path) -> None:
    ref, uem = tmp_path / "ref.rttm", tmp_path / "all.uem"
    ref.write_text(speaker(0, 10, "A"))
    uem.write_text("f 1 0 20\n")
    turns = load_rttm(ref)["f"]["1"]["SPEAKER"]
    stats, mapping = score_speaker_diarization("f", "1", {"A": turns}, {"x": turns}, load_uem(uem)["f"]["1"])
    assert stats["EVAL_TIME"] == 20.0
    assert mapping == {"A": "x"}
