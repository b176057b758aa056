"""Aggregation against two whole runs of the upstream code over small datasets (origin in data/README.md)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from pathbench.aggregate import common_speakers, speaker_values, speakers_of
from pathbench.correlation import correlate

RUNS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "minidata.json").read_text(encoding="utf-8")
)
LOOKED_UP = ("spk2score", "spk2age")


def value_of(stored: object) -> float | None:
    """Read a golden value: null and exceptions are None, "NaN" is NaN."""
    return None if stored is None or isinstance(stored, dict) else float(str(stored))


def by_speaker(run: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Aggregate the golden utterance scores; what upstream computes by speaker is taken as it is."""
    scores: dict[str, list[tuple[str, float | None]]] = {}
    for table in ("utterance", "reference"):
        for utt, metrics in run[table].items():
            for metric, stored in metrics.items():
                if not metric.startswith("n_refs"):
                    scores.setdefault(metric, []).append((utt.partition("_")[0], value_of(stored)))
    found = {metric: speaker_values(values, first=metric in LOOKED_UP)[0] for metric, values in scores.items()}
    return {**{metric: run["speaker"][metric] for metric in ("vsa", "vsa_fa")}, **found}


@pytest.mark.parametrize("name", RUNS)
def test_speaker_values_are_those_of_the_run(name: str) -> None:
    found = by_speaker(RUNS[name])
    assert set(found) == set(RUNS[name]["speaker"])
    for metric, values in RUNS[name]["speaker"].items():
        assert found[metric] == pytest.approx(values, rel=1e-12), metric


@pytest.mark.parametrize(("name", "common"), list(zip(RUNS, ("P01 P02 P03 P04 P05", "V01 V02 V04 V06"), strict=True)))
def test_correlations_are_those_of_the_run(name: str, common: str) -> None:
    values = by_speaker(RUNS[name])
    ratings = values.pop("spk2score")
    speakers = common_speakers(ratings, values)
    assert sorted(speakers) == common.split()
    found = {
        metric: correlate(metric, ratings, speakers_of(metric, speakers, ratings, of), draws=0)
        for metric, of in values.items()
    }
    golden = {metric.removeprefix("pcc_"): float(str(pcc)) for metric, pcc in RUNS[name]["pcc"].items()}
    assert {metric: one.pcc for metric, one in found.items()} == pytest.approx(golden, abs=1e-12, nan_ok=True)
    lines = {f"PCC (spk2score vs {metric}): {one.pcc:.4f}  [{one.n} speakers]" for metric, one in found.items()}
    assert lines == set(RUNS[name]["correlation_lines"])


def test_undefined_values() -> None:
    nan = math.nan
    values, undefined = speaker_values([("A", None), ("B", nan), ("B", nan), ("C", nan), ("C", 2.0)])
    assert values == {"C": 2.0}
    assert undefined == ["B"]


def test_the_first_value_is_the_first_that_is_not_none() -> None:
    values, undefined = speaker_values([("A", None), ("A", 3.0), ("A", 4.0), ("B", math.nan), ("B", 1.0)], first=True)
    assert values == {"A": 3.0}
    assert undefined == ["B"]


def test_allowlisted_and_empty_metrics_take_nobody_away() -> None:
    ratings = {"A": 1.0, "B": 2.0, "C": 3.0}
    scores = {"cpp": {"A": 1.0, "B": 1.0}, "wada_snr": {"A": 1.0}, "spk2age": {}, "vsa": {}}
    common = common_speakers(ratings, scores)
    assert common == {"A", "B"}
    assert speakers_of("wada_snr", common, ratings, {"C": 1.0, "D": 2.0}) == {"C": 1.0}
    assert speakers_of("cpp", common, ratings, {"A": 1.0, "C": 1.0}) == {"A": 1.0}


def test_sums_that_are_too_large() -> None:
    values, undefined = speaker_values([("A", 1.7e308)] * 5)
    assert values["A"] == pytest.approx(1.7e308, rel=1e-15)
    assert undefined == []
