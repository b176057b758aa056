"""Submitted units: what is read, and what is refused with which words."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discophon.data import read_submitted_units, read_units
from discophon.errors import FormatError, MissingFileError
from speechio.errors import FormatError as SpeechioFormatError
from speechio.errors import InputError

DATA = Path(__file__).parent / "data" / "discovery"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "units.jsonl"


def read(path: Path, content: str | bytes) -> dict[str, list[int]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_submitted_units(path)


@pytest.mark.parametrize("system", ["k256-20ms", "one-40ms"])
@pytest.mark.parametrize("name", ["swa-dev", "swa-test", "wol-dev", "wol-test"])
def test_golden(system: str, name: str) -> None:
    found = read_submitted_units(DATA / "units" / system / f"units-{name}.jsonl")
    text = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert EXPECTED[f"read/units/{system}/{name}"]["release"] == {
        "files": len(found),
        "tokens": sum(map(len, found.values())),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"file": "a", "units": [1, 2, 3]}\n{"file": "b", "units": [4]}\n', {"a": [1, 2, 3], "b": [4]}),
        ('{"file": "b", "units": [4]}\n\n{"file": "a", "units": []}', {"b": [4], "a": []}),
        ('{"units": [1], "layer": 3, "file": "a", "note": null}\n', {"a": [1]}),
        ('{"file": "0012", "units": [1]}\r\n', {"0012": [1]}),
        ('{"file": "a", "units": [-1, 9223372036854775807]}\n', {"a": [-1, 2**63 - 1]}),
    ],
)
def test_accepted(place: Path, content: str, expected: dict[str, list[int]]) -> None:
    found = read(place, content)
    assert found == expected
    assert list(found) == list(expected)
    assert read(place, gzip.compress(content.encode())) == expected


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{"file": "a", "units": [1]}\n{"file": "a", "units": [2]}\n', 2, "the file 'a' is on line 1 already"),
        ('{"file": "a", "units": [1, null]}\n', 1, "units must be whole numbers; number 2 is None"),
        ('{"file": "a", "units": [1.0]}\n', 1, r"number 1 is 1\.0"),
        ('{"file": "a", "units": ["1"]}\n', 1, "number 1 is '1'"),
        ('{"file": "a", "units": [[1]]}\n', 1, r"number 1 is \[1\]"),
        ('{"file": "a", "units": [1]}\n{"file": "b", "units": [true]}\n', 2, "number 1 is True"),
        ('{"file": "a", "units": [9223372036854775808]}\n', 1, "does not fit into 64 bits"),
        ('{"file": "a", "units": [1]}\n\n{"file": "b", "units": [1, -9223372036854775809]}\n', 3, "number 2 is -922"),
        ("", None, "there are no units in it"),
        ("\n\n", None, "there are no units in it"),
    ],
)
def test_refused(place: Path, content: str, line: int | None, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read(place, content)
    assert (caught.value.path, caught.value.line) == (str(place), line)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{"file": "a"}\n', 1, "the field 'units' is missing"),
        ('{"units": [1]}\n', 1, "the field 'file' is missing"),
        ('{"file": "a", "units": [1]}\n{"file": "a", "units": null}\n', 2, "the field 'units' is null"),
        ('{"file": true, "units": [1]}\n', 1, "the field 'file' is true or false; it must be a string"),
        ('{"file": 1.5, "units": [1]}\n', 1, "the field 'file' is a number; it must be a string"),
        ("hello\n", 1, "not JSON at column 1"),
        ('[{"file": "a", "units": [1]}]\n', 1, "one JSON array"),
        ('{"file": "a", "units": [NaN]}\n', 1, "NaN is not JSON"),
    ],
)
def test_what_is_no_such_json(place: Path, content: str, line: int, message: str) -> None:
    with pytest.raises(SpeechioFormatError, match=message) as caught:
        read(place, content)
    assert caught.value.line == line
    assert isinstance(caught.value, ValueError)


def test_what_is_no_text_file(place: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere: no such file"):
        read_submitted_units(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a directory"):
        read_submitted_units(tmp_path)
    with pytest.raises(SpeechioFormatError):
        read(place, '{"file": "a", "units": [1]}'.encode("utf-16"))


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.integers(-(2**63), 2**63 - 1))))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, units: dict[str, list[int]]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    if units:
        found = read(path, "".join(json.dumps({"file": f, "units": u}) + "\n" for f, u in units.items()))
        assert found == units
        flat = read_units(path)
        assert flat.starts.tolist()[1:] == [
            sum(len(u) for u in list(units.values())[: i + 1]) for i in range(len(units))
        ]


def test_whole_numbers_are_file_ids(place: Path) -> None:
    place.write_text('{"file": 3, "units": [1]}\n{"file": "f", "units": [2]}\n')
    assert read_submitted_units(place) == {"3": [1], "f": [2]}
    place.write_text('{"file": 3, "units": [1]}\n{"file": "3", "units": [2]}\n')
    with pytest.raises(FormatError, match="the file '3' is on line 1 already"):
        read_submitted_units(place)
