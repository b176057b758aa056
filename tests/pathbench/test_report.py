"""What a report says of a run."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from typing import Any

import pytest

from pathbench.benchmark import Choices
from pathbench.correlation import Correlation
from pathbench.outcome import MetricOutcome, Outcome
from pathbench.reasons import fault
from pathbench.report import Report, counts, missing_csv, score_files
from pathbench.store import StoredScore

NAN = math.nan


def made(name: str, metrics: dict[str, Correlation], **others: Any) -> Outcome:
    found = tuple(
        MetricOutcome(key, f"pathbench|v:0|metric:{key}", {"A": 1.0, "B": 0.1234567}, one)
        for key, one in metrics.items()
    )
    faults = tuple(StoredScore("cpp", "A", fault(reason)) for reason in Counter(**others).elements())
    return Outcome(name, f"/{name}", "nl", "speaker", 9, 3, 2, ("A", "B"), found, {"A": 1.0, "B": 2.0}, faults)


@pytest.fixture
def report() -> Report:
    first = made(
        "a|b",
        {
            "wada_snr": Correlation("wada_snr", -0.5, -0.25, 3, -0.9, 0.1),
            "cpp": Correlation("cpp", NAN, NAN, 2, reason="the scores are constant"),
        },
        load_error=2,
    )
    second = made("c", {"wada_snr": Correlation("wada_snr", -0.25, 0.0, 2)})
    return Report([first, second], Choices(compat="upstream"))


def test_text(report: Report) -> None:
    lines = report.text().splitlines()
    assert lines[0] == "a|b: 9 utterances of 3 speakers (nl); 2 speakers rated, 2 with all metrics"
    assert lines[4].split("  ")[0] == "cpp"
    assert "N/A (the scores are constant)" in lines[4]
    assert lines[5].split() == ["wada_snr", "-0.5000", "-0.9000", "to", "0.1000", "-0.2500", "3"]
    assert ["wada_snr", "0.50", "0.25", "0.38"] in [line.split() for line in lines]
    assert lines[-1] == f"signature: {report.signature}"
    assert report.signature.endswith("|compat:upstream|interval:0.95|draws:10000|seed:0")
    assert "|scores:cpp+wada_snr|" in report.signature


def test_markdown(report: Report) -> None:
    text = report.markdown()
    assert "| metric | a\\|b | c | Avg |" in text
    assert "| cpp | N/A | N/A | N/A |" in text
    assert "Turned so that more is better: `wada_snr`." in text
    assert "Missing or doubtful scores: load_error 2." in text
    assert "compat upstream" in text


def test_json(report: Report) -> None:
    document = json.loads(report.json())
    first = document["datasets"][0]
    assert first["metrics"][0] == {
        "metric": "cpp",
        "signature": "pathbench|v:0|metric:cpp",
        "pcc": None,
        "low": None,
        "high": None,
        "spearman": None,
        "n": 2,
        "reason": "the scores are constant",
        "ids": [],
        "values": {"A": 1.0, "B": 0.1234567},
    }
    assert first["missing"] == {"load_error": 2}
    assert document["table"][1] == {"metric": "wada_snr", "sign": -1, "cells": {"a|b": 0.5, "c": 0.25}, "avg": 0.38}
    assert document["versions"]["pathbench"]


def test_csv(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    assert [(row["dataset"], row["metric"], row["pcc"]) for row in rows] == [
        ("a|b", "cpp", ""),
        ("a|b", "wada_snr", "-0.5"),
        ("c", "wada_snr", "-0.25"),
    ]
    assert list(csv.reader(io.StringIO(report.table_csv())))[1:] == [
        ["cpp", "", "", ""],
        ["wada_snr", "0.50", "0.25", "0.38"],
    ]


def test_no_dataset_takes_the_column_of_another() -> None:
    named = {
        name: made(name, {"cpp": Correlation("cpp", pcc, pcc, 3)}) for name, pcc in (("Avg", 0.5), ("metric", 0.1))
    }
    [row] = csv.DictReader(io.StringIO(Report(list(named.values()), Choices()).table_csv()))
    assert row == {"metric": "cpp", "./Avg": "0.50", "./metric": "0.10", "Avg": "0.30"}


def test_score_files(report: Report) -> None:
    files = dict(score_files(report.outcomes[0]))
    assert files == {
        "a|b/wada_snr.csv": "speaker_id,score\nA,1.000000\nB,0.123457\n",
        "a|b/cpp.csv": "speaker_id,score\nA,1.000000\nB,0.123457\n",
    }
    aged = made("x", {"spk2age": Correlation("spk2age", 0.1, 0.1, 2)})
    assert list(score_files(aged)) == []


def test_nothing_missing_is_an_empty_table() -> None:
    assert missing_csv([]) == "dataset,unit,metric,value,reason,message\n"
    assert counts({}) == ""
