"""Metric classes for a measure stage."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from pathbench import CPPEvaluator, ESTOIEvaluator
from pathbench.errors import InputError, UsageError
from pathbench.measure import CPP, PESTOI, WPM, WadaSNR

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
    all_of_them = metric(DATA, "t", WAV)
    assert (all_of_them["n"], all_of_them["n_missing"]) == (2, 1)
    assert metric.details["c"].reason == "few_references"
    with pytest.raises(UsageError, match="ref_keys"):
        PESTOI(ref_keys="k3")


def test_nothing_scored_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.wav").write_bytes(b"nothing")
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
