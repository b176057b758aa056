"""Speakers of utterances, and sums over what belongs together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from measure_core.errors import ConfigError, InputError
from measure_core.statistics import speakers, sum_by_unit

if TYPE_CHECKING:
    from pathlib import Path

IDS = ["spk1-a-1", "spk2-b", "spk1-c"]


def test_speaker_is_what_stands_before_the_separator() -> None:
    assert speakers(IDS) == ["spk1", "spk2", "spk1"]
    assert speakers(["a__b"], separator="__") == ["a"]


def test_ids_without_a_speaker() -> None:
    with pytest.raises(InputError, match="2 of 3 utterance IDs have no speaker before '-'\n  u1 -u2\nfix: name"):
        speakers(["u1", "-u2", "a-b"])
    with pytest.raises(ConfigError, match="separator of speakers is empty"):
        speakers(IDS, separator="")


def test_utt2spk(tmp_path: Path) -> None:
    path = tmp_path / "utt2spk"
    path.write_text("spk1-a-1 X\nspk1-c Y\nspk2-b X\n")
    assert speakers(IDS, utt2spk=path) == ["X", "X", "Y"]
    assert speakers(IDS, utt2spk=str(path)) == ["X", "X", "Y"]
    assert speakers(["u"], utt2spk={"u": "X"}) == ["X"]
    with pytest.raises(InputError, match=r"utt2spk: 6 of 7 utterances are not in it\n  z0 z1 z2 z3 z4 …"):
        speakers([IDS[0], *(f"z{k}" for k in range(6))], utt2spk=path)
    with pytest.raises(InputError, match="the speakers given: 1 of 1 utterances"):
        speakers(["u"], utt2spk={})


def test_utt2spk_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "utt2spk"
    path.write_text("u1 X\nu2\n")
    with pytest.raises(InputError, match="utt2spk:2") as caught:
        speakers(["u1"], utt2spk=path)
    assert (caught.value.path, caught.value.line) == (str(path), 2)
    with pytest.raises(InputError, match="no such file"):
        speakers(["u1"], utt2spk=tmp_path / "none")


def test_sums() -> None:
    columns = {"errors": np.array([1, 2, 4]), "tokens": np.array([1, 1, 1])}
    summed = sum_by_unit(columns, ["b", "a", "b"])
    assert {name: column.tolist() for name, column in summed.items()} == {"errors": [2, 5], "tokens": [1, 2]}
    with pytest.raises(ConfigError, match="2 labels for the 3 utterances of errors"):
        sum_by_unit(columns, ["a", "b"])
