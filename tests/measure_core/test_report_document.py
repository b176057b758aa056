"""One document of results and metadata."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from measure_core import InputError, __version__
from measure_core.report.document import document_of, find_results, read_document

if TYPE_CHECKING:
    from pathlib import Path

RESULTS: dict[str, dict[str, Any]] = {"pkg.WER": {"s": {"wer": 0.25}, "t": {"wer": None}}, "pkg.X": {"s": [1]}}
RECORD = {
    "signature": "pkg|v:1|n:4",
    "utterances": 4,
    "rates": ["wer"],
    "intervals": {"wer": {"low": 0.1, "high": 0.4, "level": 0.95}},
    "warnings": ["odd"],
    "seconds": 1.0,
}
RECORDS: dict[str, dict[str, Any]] = {"pkg.WER": {"s": RECORD}}
EMPTY: dict[str, Any] = {"signature": None, "utterances": None, "rates": [], "intervals": {}, "warnings": []}


def test_the_document() -> None:
    document = document_of(RESULTS, RECORDS, "infer/measures.json", is_whole=False)
    kept = {name: value for name, value in RECORD.items() if name != "seconds"}
    assert document == {
        "schema_version": "1.0",
        "measure_core": __version__,
        "results_file": "infer/measures.json",
        "is_whole": False,
        "scores": [
            {"metric": "pkg.WER", "test_set": "s", "result": {"wer": 0.25}, **kept},
            {"metric": "pkg.WER", "test_set": "t", "result": {"wer": None}, **EMPTY},
            {"metric": "pkg.X", "test_set": "s", "result": [1], **EMPTY},
        ],
    }
    json.dumps(document, allow_nan=False)
    assert document_of({}, {}, "x")["scores"] == []
    assert document_of({}, {}, "x")["is_whole"] is True


@pytest.mark.parametrize("name", ["measures.json", "metrics.json"])
def test_the_results_of_a_directory(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")
    assert find_results(tmp_path) == tmp_path / name
    assert find_results(tmp_path / name) == tmp_path / name
    assert find_results(tmp_path / "other.json") == tmp_path / "other.json"  # told by who reads it


def test_a_directory_with_two_or_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no measures\.json or metrics\.json\nfix: run `measure run` first"):
        find_results(tmp_path)
    (tmp_path / "measures.partial.json").write_text("{}")
    with pytest.raises(InputError, match=r"there is .*measures\.partial\.json, of a run that failed"):
        find_results(tmp_path)
    for name in ("measures.json", "metrics.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(InputError, match=r"has measures\.json and metrics\.json\nfix: name the one"):
        find_results(tmp_path)


def written(folder: Path, results: object, meta: object = None, name: str = "measures") -> Path:
    """Write results, and metadata that know their digest."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(results))
    if isinstance(meta, dict):
        meta = {"results_sha256": hashlib.sha256(path.read_bytes()).hexdigest()} | meta
    if meta is not None:
        (folder / f"{name}.meta.json").write_text(json.dumps(meta))
    return path


def test_reading(tmp_path: Path) -> None:
    path = written(tmp_path, RESULTS, {"schema_version": "1.0", "records": RECORDS})
    want = document_of(RESULTS, RECORDS, str(path))
    assert read_document(tmp_path) == want
    assert read_document(path) == want


def test_results_without_metadata(tmp_path: Path) -> None:
    path = written(tmp_path, RESULTS)
    assert read_document(tmp_path) == document_of(RESULTS, {}, str(path))


def test_results_of_a_run_that_failed(tmp_path: Path) -> None:
    path = written(tmp_path, RESULTS, {"records": {}}, "measures.partial")
    assert read_document(path)["is_whole"] is False


@pytest.mark.parametrize("results", [[], 7, None, {"wer": 0.25}, {"a": {}, "b": []}])
def test_another_file(tmp_path: Path, results: object) -> None:
    path = written(tmp_path, results)
    with pytest.raises(InputError, match=r"is no results file: \{metric: \{test set: result\}\} is wanted") as caught:
        read_document(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    "records",
    [
        [],
        7,
        {"pkg.WER": []},
        {"pkg.WER": {"s": 7}},
        *(
            {"pkg.WER": {"s": {**RECORD, name: wrong}}}
            for name, wrong in (
                ("signature", ["x"]),
                ("signature", 7),
                ("utterances", "many"),
                ("rates", 7),
                ("rates", None),
                ("rates", [["wer"]]),
                ("warnings", [None]),
                ("identity", []),
                ("warnings", "x"),
                ("intervals", []),
                ("intervals", {"wer": [0, 1]}),
                ("intervals", {"wer": {"low": "x", "high": 1}}),
            )
        ),
    ],
)
def test_metadata_of_another_shape(tmp_path: Path, records: object, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, RESULTS, {"records": records})
    assert read_document(path) == document_of(RESULTS, {}, str(path))
    assert "measures.meta.json has another shape than ours: the results are shown without metadata" in caplog.text


@pytest.mark.parametrize("meta", [[], "x", 7, {}, {"N": 5}])
def test_metadata_without_records(tmp_path: Path, meta: object, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, RESULTS, meta)
    assert read_document(path) == document_of(RESULTS, {}, str(path))
    assert "another shape than ours" in caplog.text


@pytest.mark.parametrize("sha256", [None, 7, "0" * 64])
def test_metadata_of_other_results(tmp_path: Path, sha256: object, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, RESULTS, {"records": RECORDS, "results_sha256": sha256})
    assert read_document(path) == document_of(RESULTS, {}, str(path))
    assert "measures.meta.json is of other results than measures.json holds: the results are shown" in caplog.text


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_document(tmp_path / "absent.json")
    (tmp_path / "measures.json").write_text("{")
    with pytest.raises(InputError, match=r"measures\.json:1: not JSON"):
        read_document(tmp_path)


def test_metadata_that_cannot_be_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path, RESULTS)
    (tmp_path / "measures.meta.json").write_text("{")
    assert read_document(tmp_path) == document_of(RESULTS, {}, str(path))
    assert "measures.meta.json:1: not JSON" in caplog.text
