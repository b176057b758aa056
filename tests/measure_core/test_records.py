"""Results and what is known about them, in two files that belong together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from measure_core.errors import InputError
from measure_core.records import Known, earlier, meta_path, partial_path, read_results, write_all

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = {"k": {"a": {"x": 1, "\ud800é": None}}}
RECORDS = {"k": {"a": {"signature": "s|n:1", "identity": {"config": {}}}}}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "measures.json"
    write_all(RESULTS, RECORDS, path)
    assert read_results(path) == (RESULTS, RECORDS, "")
    assert (meta_path(path).name, partial_path(path).name) == ("measures.meta.json", "measures.partial.json")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["measures.json", "measures.meta.json"]


def test_metadata_belong_to_one_text(tmp_path: Path) -> None:
    path, other = tmp_path / "measures.json", tmp_path / "other.json"
    write_all(RESULTS, RECORDS, path)
    write_all({"k": {"a": {"x": 2}}}, RECORDS, other)
    meta_path(other).replace(meta_path(path))
    results, records, why = read_results(path)
    assert (results, records) == (RESULTS, {})
    assert why.endswith("measures.meta.json is of other results than measures.json holds")
    meta_path(path).unlink()
    assert read_results(path) == (RESULTS, {}, "")


def test_metadata_have_no_number_that_json_has_not(tmp_path: Path) -> None:
    path = tmp_path / "measures.json"
    write_all({"k": {"a": float("nan")}}, {"k": {"a": {"seconds": float("inf")}}}, path)
    assert json.loads(meta_path(path).read_text())["records"] == {"k": {"a": {"seconds": None}}}
    assert path.read_text() == '{\n  "k": {\n    "a": NaN\n  }\n}'


def test_earlier_results(tmp_path: Path) -> None:
    path = tmp_path / "measures.json"
    assert earlier(path) == {}
    path.write_text('{"k": {"a": 1}, "odd": 7}')
    assert earlier(path) == {("k", "a"): [Known(1, None)]}
    write_all(RESULTS, RECORDS, partial_path(path))
    known = Known(RESULTS["k"]["a"], RECORDS["k"]["a"])
    assert earlier(path) == {("k", "a"): [known, Known(1, None)]}
    path.write_text("{")
    assert earlier(path) == {("k", "a"): [known]}
    with pytest.raises(InputError):
        read_results(path)
