"""The whole benchmark: what is picked up, the golden table, and what is refused."""

from __future__ import annotations

import json
import logging
import shutil
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from discophon.benchmark import NoPredictionsError, benchmark_discovery, score_discovery, signature_of
from discophon.errors import DatasetError, FormatError, MismatchError, UsageError
from discophon_support import DATA, make_dataset

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
# oracle: discophon 0.2.0 on data/discovery
RUNS = [name.split("/")[2:] for name in EXPECTED if name.startswith("benchmark/")]
GOOD = DATA / "units" / "k256-20ms"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_dataset(tmp_path_factory.mktemp("benchmark") / "data")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units of one language and split."""
    folder = tmp_path / "units"
    folder.mkdir()
    shutil.copy(GOOD / "units-swa-dev.jsonl", folder)
    return folder


def rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    return sorted(frame.to_dicts(), key=lambda row: (row["language"], row["split"], row["metric"]))


@pytest.mark.parametrize(("system", "kind"), RUNS)
def test_golden(dataset: Path, system: str, kind: Any) -> None:
    frame = benchmark_discovery(
        dataset, DATA / "units" / system, kind=kind, step_units=40 if system.endswith("40ms") else 20
    )
    assert frame.schema == {"language": pl.String, "split": pl.String, "metric": pl.String, "score": pl.Float64}
    expected = EXPECTED[f"benchmark/discovery/{system}/{kind}"]["release"]
    for found, wanted in zip(rows(frame), expected, strict=True):
        assert found == wanted | {"score": pytest.approx(wanted["score"], rel=0, abs=1e-9)}


def test_rows_come_in_the_benchmarks_order(dataset: Path) -> None:
    found = benchmark_discovery(dataset, GOOD, kind="many-to-one", metrics=("per", "pnmi"))
    order = [("swa", "dev"), ("swa", "test"), ("wol", "dev"), ("wol", "test")]
    assert found.select("language", "split", "metric").rows() == [
        (*place, metric) for place in order for metric in ("pnmi", "per")
    ]


def test_several_processes_give_the_same_in_the_same_order(dataset: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    several = score_discovery(dataset, GOOD, kind="many-to-one", jobs=2, progress=lambda *item: seen.append(item))
    assert several == score_discovery(dataset, GOOD, kind="many-to-one")
    assert seen == [(1, 4, "swa-dev"), (2, 4, "swa-test"), (3, 4, "wol-dev"), (4, 4, "wol-test")]


def test_other_files_and_train_splits_are_left_aside(dataset: Path, units: Path) -> None:
    for name in (
        "notes.txt",
        "scores.jsonl",
        "units-swa-train-10h.jsonl",
        "units-tha-train-10min.jsonl",
        "units.jsonl",
    ):
        (units / name).touch()
    found = benchmark_discovery(dataset, units, kind="many-to-one")
    assert set(found.select("language", "split").rows()) == {("swa", "dev")}


def test_missing_files_are_named(dataset: Path, units: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="discophon.benchmark"):
        score_discovery(dataset, units, kind="many-to-one")
        score_discovery(dataset, units, kind="many-to-one", languages=["swahili"])
    first, second = (record.getMessage() for record in caplog.records)
    assert first.startswith("23 of 24 files of units are missing and not scored: deu-dev, deu-test, swa-test, tam-dev")
    assert second == "1 of 2 files of units are missing and not scored: swa-test"


def test_only_some_languages(dataset: Path) -> None:
    found = benchmark_discovery(dataset, GOOD, kind="many-to-one", languages=["Wolof"])
    assert set(found["language"]) == {"wol"}
    with pytest.raises(NoPredictionsError, match="no units of tha to evaluate"):
        benchmark_discovery(dataset, GOOD, kind="many-to-one", languages=["tha"])
    with pytest.raises(UsageError, match="unknown language 'xyz'"):
        benchmark_discovery(dataset, GOOD, kind="many-to-one", languages=["xyz"])


@pytest.mark.parametrize("names", [[], ["units-swa-train-1h.jsonl"], ["notes.txt"]])
def test_nothing_to_evaluate(dataset: Path, tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(NoPredictionsError, match="there are no units to evaluate"):
        benchmark_discovery(dataset, tmp_path, kind="many-to-one")
    with pytest.raises(FileNotFoundError, match="no such folder"):
        benchmark_discovery(dataset, tmp_path / "nowhere", kind="many-to-one")
    (tmp_path / "file").touch()
    with pytest.raises(FileNotFoundError, match="not a folder"):
        benchmark_discovery(dataset, tmp_path / "file", kind="many-to-one")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("units-xyz-dev.jsonl", "unknown language 'xyz' in the name; ISO 639-3 codes are deu"),
        ("units-sw-dev.jsonl", "unknown language 'sw'"),
        ("units-Swahili-dev.jsonl", "unknown language 'Swahili'"),
        ("units-.jsonl", "unknown language ''"),
        ("units-swa-valid.jsonl", "unknown split 'valid' in the name"),
        ("units-swa.jsonl", "unknown split ''"),
        ("units-swa-dev-2.jsonl", "unknown split 'dev-2'"),
    ],
)
def test_unknown_names(dataset: Path, units: Path, name: str, message: str) -> None:
    (units / name).touch()
    with pytest.raises(UsageError, match=f"{name}: {message}"):
        benchmark_discovery(dataset, units, kind="many-to-one")


def test_nothing_is_scored_partially(dataset: Path, units: Path) -> None:
    shutil.copy(units / "units-swa-dev.jsonl", units / "units-swa-test.jsonl")
    with pytest.raises(
        MismatchError, match=r"units-swa-test\.jsonl against .*alignment-swa-test\.txt: .*different files"
    ):
        benchmark_discovery(dataset, units, kind="many-to-one")


def test_an_empty_alignment_is_named(dataset: Path, units: Path) -> None:
    shutil.copy(units / "units-swa-dev.jsonl", units / "units-tha-dev.jsonl")
    with pytest.raises(FormatError, match=r"alignment-tha-dev\.txt:1: the header has no column"):
        benchmark_discovery(dataset, units, kind="many-to-one")


def test_the_dataset_comes_first(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        benchmark_discovery(tmp_path, tmp_path / "nowhere", kind="many-to-one")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "some"}, "unknown kind 'some'"),
        ({"step_units": 25}, "step_units is 25 ms"),
        ({"languages": 5}, "languages is 5; it must be a list of names"),
        ({"metrics": ["wer"]}, "unknown metric 'wer'"),
        ({"windows": "wide"}, "unknown windows 'wide'"),
        ({"jobs": 0}, "jobs is 0"),
        ({"jobs": -2}, "jobs is -2"),
        ({"languages": []}, "no language is asked for"),
        ({"languages": "klingon"}, "unknown language 'klingon'"),
    ],
)
def test_wrong_options_are_refused_first(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        benchmark_discovery(tmp_path, tmp_path, **({"kind": "many-to-one"} | options))


def test_signature() -> None:
    assert signature_of("one-to-one", step_units=40).partition("|metric:")[2] == (
        "discovery|kind:one-to-one|units:phonemes+1|phonemes:language|step_units:40|step_phones:10|margin:20|windows:disjoint"
    )
    assert "|units:256|" in signature_of("many-to-one")
