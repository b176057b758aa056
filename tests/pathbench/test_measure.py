"""Metric classes for a measure stage."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from pathbench import CPPEvaluator, ESTOIEvaluator
from pathbench.errors import InputError, UsageError
from pathbench.measure import CPP, PESTOI, PSTOI, WPM, WadaSNR
from pathbench.reasons import Detail

WAV = Path(__file__).parent / "data" / "minidata" / "wav"
DATA = {
    "utt_id": ["a", "b", "c"],
    "hyp": ["P01_blue.flac", "P02_blue.flac", "P03_blue.flac"],
    "k3": ["K03_blue.flac"] * 3,
    "k4": ["K04_blue.flac", "K04_blue.flac", ""],
    "text": ["blue", "blue", "deep blue"],
}


def test_the_mean_is_that_of_the_evaluator() -> None:
    wanted = [CPPEvaluator().score("u", WAV / name) for name in DATA["hyp"]]
    values = [value for value in wanted if value is not None]
    found = CPP()(DATA, "test", WAV)
    assert found == {"mean": pytest.approx(sum(values) / 3), "median": sorted(values)[1], "n": 3, "n_missing": 0}


def test_files_are_found_beside_the_test_set_too(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "x.flac").write_bytes((WAV / "P01_blue.flac").read_bytes())
    data = {"utt_id": ["a"], "hyp": ["x.flac"]}
    assert WadaSNR()(data, "set", tmp_path)["n"] == 1
    with pytest.raises(InputError, match=r"x.flac: there is no such file \(input 'hyp'\)"):
        WadaSNR()(data, "other", tmp_path)
    with pytest.raises(UsageError, match="there is no input 'wav'; there is 'utt_id', 'hyp'"):
        WadaSNR("wav")(data, "set", tmp_path)


def test_references_are_inputs() -> None:
    metric = PESTOI(ref_keys=["k3", "k4"])
    places = [(str(WAV / f"K0{i}_blue.flac"), 0.0, -1.0) for i in (3, 4)]
    wanted = ESTOIEvaluator().score("a", WAV / "P01_blue.flac", places)
    found = metric({key: values[:1] for key, values in DATA.items()}, "t", WAV)
    assert found["mean"] == wanted
    with pytest.warns(UserWarning, match=r"p_estoi on t: 1 of 3 .*\(few_references 1\); the first is c: has 1 usable"):
        all_of_them = metric(DATA, "t", WAV)
    assert (all_of_them["n"], all_of_them["n_missing"]) == (2, 1)
    assert metric.details["c"].reason == "few_references"
    with pytest.raises(UsageError, match="ref_keys"):
        PESTOI(ref_keys="k3")


def test_one_reference_is_refused_before_anything_is_computed() -> None:
    with pytest.raises(UsageError, match=r"p_stoi needs two .*ref1: speaker1, ref2: speaker2}` with `ref_keys: \[ref1"):
        PSTOI(ref_keys=["ref"])
    with pytest.raises(UsageError, match="twice"):
        PESTOI(ref_keys=["k3", "k3"])
    with pytest.raises(UsageError, match=r"no input 'ref1'; there is 'utt_id', 'hyp', 'ref'; fix: give `inputs"):
        PESTOI()({"utt_id": ["a"], "hyp": ["P01_blue.flac"], "ref": ["K03_blue.flac"]}, "t", WAV)


def test_inputs_are_named_before_anything_is_computed() -> None:
    assert PESTOI().input_keys == ("hyp", "ref1", "ref2")
    assert PSTOI("wav", ["a", "b", "c"]).input_keys == ("wav", "a", "b", "c")
    assert WPM("wav", "words").input_keys == ("wav", "words")
    assert CPP("wav").input_keys == ("wav",)


def test_two_references_need_no_names_of_their_own() -> None:
    data = {key: values[:1] for key, values in DATA.items()}
    named = PESTOI(ref_keys=["k3", "k4"])(data, "t", WAV)
    assert PESTOI()({**data, "ref1": data["k3"], "ref2": data["k4"]}, "t", WAV) == named


def test_the_centroid_can_take_part() -> None:
    metric = PESTOI(ref_keys=["k3"], include_centroid=True)
    places = [(str(WAV / "K03_blue.flac"), 0.0, -1.0)]
    wanted = ESTOIEvaluator(include_centroid=True).score("a", WAV / "P01_blue.flac", places)
    assert metric({key: values[:1] for key, values in DATA.items()}, "t", WAV)["mean"] == wanted
    assert "|include_centroid:true|" in metric.signature


def test_what_is_not_a_number_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = CPP()
    monkeypatch.setattr(metric.evaluator, "score_detail", lambda *_: Detail(float("nan"), None, {}))
    with pytest.warns(UserWarning, match=r"cpp on t: 3 of 3 .*\(not_a_number 3\); the first is a: not a number"):
        assert metric(DATA, "t", WAV)["n_missing"] == 3


def test_nothing_scored_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.wav").write_bytes(b"nothing")
    with pytest.warns(UserWarning, match=r"pathbench.cpp on t: 1 of 1 utterances .*load_error 1.*cannot be decoded"):
        found = CPP()({"utt_id": ["a"], "hyp": ["x.wav"]}, "t", tmp_path)
    assert found == {"mean": None, "median": None, "n": 0, "n_missing": 1}


def test_words_per_minute() -> None:
    found = WPM(language="EN")(DATA, "t", WAV)
    assert found["n"] == 3
    assert WPM(language="EN").language == "en-us"


def test_entry_points_lead_to_the_classes() -> None:
    points = [point for point in entry_points(group="measure_core.metrics") if point.name.startswith("pathbench.")]
    assert {point.name for point in points} >= {"pathbench.cpp", "pathbench.wada_snr", "pathbench.p_estoi"}
    for point in points:
        metric: Any = point.load()()
        assert f"pathbench.{metric.evaluator_name}" == point.name
        assert metric.measure_interface == "lists"
        assert f"|metric:{metric.evaluator_name}|" in metric.signature
