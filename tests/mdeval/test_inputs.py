"""Turns and regions from memory: how they become sides, and what is said of those that cannot."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import mdeval
from mdeval.errors import InputError, UsageError
from mdeval.inputs import ONE_RECORDING, sides_from, uem_from_any
from mdeval_support import speaker, write
from speechio.errors import SpeechioError
from speechio.rttm import RttmTable
from speechio.uem import UemTable

OK = [(0.0, 10.0, "A")]
NAN, INF = float("nan"), float("inf")


def turns(**columns: Any) -> dict[str, Any]:
    return {"onset": [0.0, 5.0], "duration": [5.0, 2.0], "speaker": ["A", "B"], **columns}


def load(*, tbeg: float = 0.0, tdur: float = 1.0, kind: str = "SPEAKER", **more: str) -> dict[str, Any]:
    """Write what `load_rttm` gives for one record."""
    item = {"TBEG": tbeg, "TDUR": tdur, "SPKR": "A", "SUBT": "<NA>", "WORD": "<NA>", **more}
    return {"f": {"1": {kind: [item]}}}


# Sides


@pytest.mark.parametrize("has_numpy", [False, True])
def test_both_sides_are_of_one_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_numpy: bool) -> None:
    write(tmp_path, ref=speaker(0, 10, "A", "recording"))
    monkeypatch.setattr("mdeval.inputs.sys", SimpleNamespace(modules={"numpy": np} if has_numpy else {}))
    for source in (OK, tmp_path / "ref.rttm", turns(), mdeval.load_rttm(tmp_path / "ref.rttm")):
        sides = sides_from(tmp_path / "ref.rttm", source)
        assert [side.builder is not None for side in sides] == [has_numpy] * 2
        assert sides[1].keys_with_turns() == [ONE_RECORDING]


def test_a_large_file_is_read_into_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdeval.inputs.sys", SimpleNamespace(modules={}))
    monkeypatch.setattr("mdeval.inputs.LARGE_BYTES", 100)
    write(tmp_path, ref=speaker(0, 10, "A", "recording") * 3)
    assert all(side.builder is not None for side in sides_from(tmp_path / "ref.rttm", OK))


def test_several_paths_are_read_as_one_side(tmp_path: Path) -> None:
    write(tmp_path, one=speaker(0, 1, "A", "f"), two=speaker(0, 1, "A", "g"))
    side, _ = sides_from([tmp_path / "one", str(tmp_path / "two")], OK)
    assert side.keys_with_turns() == [("f", "1"), ("g", "1")]


def test_a_directory_means_its_rttm_files(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 1, "A", "f"), sys=speaker(0, 1, "A", "g"), other=speaker(0, 1, "A", "h"))
    side, _ = sides_from(tmp_path, OK)
    assert side.keys_with_turns() == [("f", "1"), ("g", "1")]


def test_records_that_are_no_turns_count_as_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdeval.inputs.sys", SimpleNamespace(modules={}))
    text = (
        "SPKR-INFO f 1 <NA> <NA> <NA> adult_male A <NA> <NA>\n"
        "SPEAKER f 1 0 10 <NA> <NA> A <NA> <NA>\n"
        "NOSCORE f 1 2 1 <NA> <NA> <NA> <NA> <NA>\n"
        "LEXEME f 1 4 1 Mm-Hmm lex A <NA> <NA>\n"
    )
    write(tmp_path, ref=text)
    loaded, from_path = sides_from(mdeval.load_rttm(tmp_path / "ref.rttm"), tmp_path / "ref.rttm")
    assert sorted(loaded.records["f", "1"]) == sorted(from_path.records["f", "1"])
    assert loaded.types == from_path.types == {("f", "1"): {"A": "adult_male"}}


def test_a_table_without_records_is_a_side_without_turns() -> None:
    assert sides_from(RttmTable(), OK)[0].keys_with_turns() == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "turns come as a path, a table, columns or rows, not as int"),
        (None, "turns come as a path, a table, columns or rows, not as NoneType"),
        ([(0, 1)], r"a turn is \(onset, offset, speaker\), not \(0, 1\)"),
        ([(0, 1, "A", "f")], r"a turn is \(onset, offset, speaker\), not \(0, 1, 'A', 'f'\)"),
        (["ref.rttm", (0, 1, "A")], r"a turn is \(onset, offset, speaker\), not 'ref.rttm'"),
        (["abc", 1], r"a turn is \(onset, offset, speaker\), not 'abc'"),
        ([5], r"a turn is \(onset, offset, speaker\), not 5"),
        ([(5, 3, "A")], r"turn of speaker A at 5.0 s lasts -2.0 s; .* durations must not be negative"),
        ([(NAN, 3, "A")], "turn of speaker A at nan s lasts nan s; times must be finite"),
        ([(0, NAN, "A")], "turn of speaker A at 0.0 s lasts nan s; times must be finite"),
        ([(0, INF, "A")], "turn of speaker A at 0.0 s lasts inf s; times must be finite"),
        ([(-INF, 0, "A")], "turn of speaker A at -inf s lasts inf s; times must be finite"),
        ({"onset": [0.0]}, r"turns need the columns onset, duration \(or offset\) and speaker; .*'offset', 'speaker'"),
        ({"start": [0.0], "end": [1.0], "speaker": ["A"]}, r"\['offset', 'onset'\] missing"),
        ({"onset": [0.0], "duration": [1.0], "label": ["A"]}, r"\['speaker'\] missing"),
        (turns(onset=[0.0]), "the columns of the turns differ in length"),
        (turns(duration=[0.0, 1.0, 2.0]), "the columns of the turns differ in length"),
        (turns(file=["f"]), "the columns of the turns differ in length"),
        (turns(channel=["1", "1", "1"]), "the columns of the turns differ in length"),
        (turns(onset=[0.0, NAN]), "turn of speaker B at nan s"),
        (turns(onset=np.array([0.0, INF])), "turn of speaker B at inf s"),
        (turns(duration=[5.0, -0.5]), "turn of speaker B at 5.0 s lasts -0.5 s"),
        (load(tdur=-1.0), "turn of speaker A at 0.0 s lasts -1.0 s"),
        (load(tbeg=NAN), "turn of speaker A at nan s"),
    ],
)
@pytest.mark.parametrize("side", ["reference", "system"])
def test_impossible_turns_are_refused(source: Any, message: str, side: str) -> None:
    sides = (source, OK) if side == "reference" else (OK, source)
    with pytest.raises(UsageError, match=message):
        mdeval.score(*sides)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([("a", 3, "A")], "'a'"),
        ([(0, None, "A")], "None"),
        (turns(onset=["zero", 1.0]), "zero"),
        (turns(duration=5.0), "duration"),
        ({"f": {"1": {"SPEAKER": [{"TBEG": 0.0, "SPKR": "A"}]}}}, "TDUR"),
        ({"f": {"1": [OK]}}, "load_rttm"),
    ],
)
def test_values_of_a_wrong_kind_are_refused(source: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        mdeval.score(source, OK)


@pytest.mark.parametrize("source", ["nowhere.rttm", Path("nowhere.rttm"), ["nowhere.rttm"]])
def test_a_missing_file_is_named(source: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((InputError, SpeechioError), match=r"nowhere\.rttm"):
        mdeval.score(source, OK)
    with pytest.raises((InputError, SpeechioError), match=r"nowhere\.rttm"):
        mdeval.score(OK, source)


def test_a_broken_file_is_refused_where_it_is_broken(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 1, "A") + speaker("x", 1, "A"))
    with pytest.raises(SpeechioError, match=r"ref\.rttm:2"):
        mdeval.score(tmp_path / "ref.rttm", OK)


# Regions


def test_no_regions_are_none() -> None:
    assert uem_from_any(None) is None


def test_regions_come_out_in_order_of_time() -> None:
    assert uem_from_any([(5, 6), (0.0, 2)]) == {ONE_RECORDING: [(0.0, 2.0), (5.0, 6.0)]}
    assert uem_from_any({"g": {"A": [(5, 6)], 2: [(1, 2), (0, 1)]}}) == {
        ("g", "a"): [(5.0, 6.0)],
        ("g", "2"): [(0.0, 1.0), (1.0, 2.0)],
    }


def test_names_of_files_lose_folder_and_suffix_however_they_come(tmp_path: Path) -> None:
    write(tmp_path, uem="audio/f.wav 1 0 5\n")
    wanted = {("f", "1"): [(0.0, 5.0)]}
    assert uem_from_any(tmp_path / "all.uem") == wanted
    assert uem_from_any(mdeval.load_uem(tmp_path / "all.uem")) == wanted
    assert uem_from_any({"audio/f.wav": {"1": [(0, 5)]}}) == wanted


def test_a_table_without_regions_has_none() -> None:
    assert uem_from_any(UemTable()) == {}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([(5, 5)], "UEM region 5 to 5: it must be finite and end after it begins"),
        ([(6, 5)], "UEM region 6 to 5"),
        ([(NAN, 5)], "UEM region nan to 5"),
        ([(0, INF)], "UEM region 0 to inf"),
        ({"f": {"1": [(-INF, 5)]}}, "UEM region -inf to 5"),
        ([(0, 5), (4, 6)], "regions of recording, channel 1 overlap: 0 to 5 and 4 to 6"),
        ({"f": {"1": [(0, 5)]}, "f.wav": {"1": [(4, 6)]}}, "regions of f, channel 1 overlap"),
    ],
)
def test_impossible_regions_are_refused(source: Any, message: str) -> None:
    with pytest.raises((UsageError, InputError), match=message):
        mdeval.score(OK, OK, source)


@pytest.mark.parametrize("source", [5, [5], [(1, 2, 3)], [("a", "b")], [(None, 5)], {"f": [(0, 5)]}, {"f": {"1": 5}}])
def test_regions_of_a_wrong_kind_are_refused(source: Any) -> None:
    with pytest.raises(UsageError, match="region"):
        mdeval.score(OK, OK, source)


def test_a_missing_uem_is_named(tmp_path: Path) -> None:
    with pytest.raises((InputError, SpeechioError), match=r"nowhere\.uem"):
        mdeval.score(OK, OK, tmp_path / "nowhere.uem")
