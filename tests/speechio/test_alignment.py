"""Aligning tables by ID."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import speechio
from speechio import AlignmentError, FormatError, UsageError, align, write_scp

if TYPE_CHECKING:
    from pathlib import Path


def test_values_are_paired_by_id_and_sorted(tmp_path: Path) -> None:
    write_scp(tmp_path / "ref", {"b": "1", "a": "2"})
    aligned = align({"ref": tmp_path / "ref", "hyp": {"a": 3, "b": 4}})
    assert aligned.ids == ("a", "b")
    assert aligned.values == {"ref": ("2", "1"), "hyp": (3, 4)}
    assert list(aligned) == [("a", {"ref": "2", "hyp": 3}), ("b", {"ref": "1", "hyp": 4})]
    assert len(aligned) == 2


def test_both_sides_are_listed(tmp_path: Path) -> None:
    write_scp(tmp_path / "ref", {f"u{i}": "" for i in range(9)})
    with pytest.raises(AlignmentError, match="do not have the same IDs") as caught:
        align({"ref": tmp_path / "ref", "hyp": {"u0": "", "x": ""}})
    said = str(caught.value).splitlines()
    assert said[1] == f"  ref ({tmp_path / 'ref'}) has 9 IDs and lacks 1: x"
    assert said[2] == "  hyp has 2 IDs and lacks 8: u1, u2, u3, u4, u5, …"
    assert caught.value.missing == {"ref": ["x"], "hyp": [f"u{i}" for i in range(1, 9)]}


def test_the_function_is_not_hidden_by_a_module() -> None:
    assert callable(speechio.align)
    assert speechio.align is align


def test_nothing_to_align() -> None:
    with pytest.raises(UsageError, match="there is no table to align"):
        align({})


def test_a_wrong_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a 1\na 2\n")
    with pytest.raises(FormatError, match="S002"):
        align({"ref": tmp_path / "ref"})
