"""`load_inputs`: SCP files as aligned lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from measure_core import ConfigError, InputError, load_inputs
from measure_scp import Files, WrongError, read_plainly, several_files, write

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("ref", "hyp", "extra")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("load")


@given(files=several_files())
def test_lists_are_those_of_dicts(root: Path, files: Files) -> None:
    (root / "t").mkdir(exist_ok=True)
    for name, data, is_packed in zip(NAMES, files.contents, files.are_packed, strict=False):
        write(root / "t" / f"{name}.scp", data, is_packed=is_packed)
    names = NAMES[: len(files.contents)]
    try:
        tables = [dict(read_plainly(data)) for data in files.contents]
    except WrongError:
        tables = []
    if not tables or not all(tables) or any(table.keys() != tables[0].keys() for table in tables):
        with pytest.raises(InputError):
            load_inputs(root, "t", names)
        return
    keys = sorted(tables[0])
    want = {"utt_id": keys} | {n: [table[key] for key in keys] for n, table in zip(names, tables, strict=True)}
    found = load_inputs(str(root), "t", names)
    assert found == want
    assert list(found) == ["utt_id", *names]
    assert all(type(value) is str for column in found.values() for value in column)


def test_values_are_text_whatever_they_look_like(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    write(tmp_path / "t" / "x.scp", b"2 007\n10 nan\n1 1.0\n3 \n4 True\n5 None\n")
    assert load_inputs(tmp_path, "t", {"a": "x", "b": "x"}) == {
        "utt_id": ["1", "10", "2", "3", "4", "5"],
        "a": ["1.0", "nan", "007", "", "True", "None"],
        "b": ["1.0", "nan", "007", "", "True", "None"],
    }


def test_mismatches(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    write(tmp_path / "t" / "ref.scp", b"a 1\nb 2\nc 3\n")
    write(tmp_path / "t" / "hyp.scp", b"c 4\na 5\n")
    with pytest.raises(InputError, match="test set t: utterance IDs differ"):
        load_inputs(tmp_path, "t", ["ref", "hyp"])
    common = load_inputs(tmp_path, "t", ["ref", "hyp"], on_mismatch="intersect")
    assert common == {"utt_id": ["a", "c"], "ref": ["1", "3"], "hyp": ["5", "4"]}
    filled = load_inputs(tmp_path, "t", ["ref", "hyp"], on_mismatch="empty")
    assert filled == {"utt_id": ["a", "b", "c"], "ref": ["1", "2", "3"], "hyp": ["5", "", "4"]}
    with pytest.raises(InputError, match="fills in for IDs of the first file only"):
        load_inputs(tmp_path, "t", ["hyp", "ref"], on_mismatch="empty")


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no directory of results"):
        load_inputs(tmp_path / "absent", "t", ["ref"])
    (tmp_path / "t").mkdir()
    with pytest.raises(InputError, match=r"ref\.scp is missing"):
        load_inputs(tmp_path, "t", ["ref"])
    with pytest.raises(ConfigError, match="test set t: `inputs` is empty"):
        load_inputs(tmp_path, "t", [])
    with pytest.raises(ConfigError, match="written with its suffix"):
        load_inputs(tmp_path, "t", {"ref": "ref.scp"})
