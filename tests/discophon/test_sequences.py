"""Flat arrays and dictionaries hold the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discophon.errors import MismatchError
from discophon.sequences import number_labels, phones_from_mapping, units_from_mapping

NAMES = st.text("ab/ .", max_size=3)


@given(st.dictionaries(NAMES, st.lists(st.integers(-9, 999))))
def test_units_there_and_back(units: dict[str, list[int]]) -> None:
    assert units_from_mapping(units).to_dict() == units
    assert units_from_mapping({file: np.array(values, np.int32) for file, values in units.items()}).to_dict() == units


@given(st.dictionaries(NAMES, st.lists(st.sampled_from(["a", "b", "", "t͡s"]))))
def test_phones_there_and_back(phones: dict[str, list[str]]) -> None:
    flat = phones_from_mapping(phones)
    assert flat.to_dict() == phones
    assert list(flat.labels) == list(dict.fromkeys(label for values in phones.values() for label in values))


def test_labels_are_numbered_by_first_appearance() -> None:
    codes, starts, labels = number_labels([["b", "a"], [], ["c", "b"]])
    assert (codes.tolist(), starts.tolist(), labels) == ([0, 1, 2, 0], [0, 2, 2, 4], ("b", "a", "c"))


def test_labels_of_numpy_are_text() -> None:
    assert phones_from_mapping({"f": np.array(["a", "b"])}).to_dict() == {"f": ["a", "b"]}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2.0], r"number 2 is 2\.0"),
        ([0, True, 1], "number 2 is True"),
        ([0, np.bool_(1)], "number 2 is np.True_"),
        (None, "NoneType where a list is wanted"),
        (iter([1]), "list_iterator where a list is wanted"),
        ([10**5000], "number 1 is too large, which does not fit into 64 bits"),
        (["1"], "number 1 is '1'"),
        ([[1, 2], [3, 4]], r"number 1 is \[1, 2\]"),
        ([[1], [2, 3]], r"number 1 is \[1\]"),
        ([1, None], "number 2 is None"),
        ([0, 2**64], "number 2 is 18446744073709551616"),
        (np.array([2**64 - 1], np.uint64), "the unit 18446744073709551615 does not fit into 64 bits"),
        (np.array([0.5]), r"number 1 is np.float64\(0\.5\)"),
        (np.array([True]), "number 1 is np.True_"),
    ],
)
def test_what_is_no_unit(values: Any, message: str) -> None:
    with pytest.raises(MismatchError, match=f"file 'f': .*{message}"):
        units_from_mapping({"f": values})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "file 'f': NoneType where a list is wanted"),
        (iter("ab"), "file 'f': str_.*iterator where a list is wanted"),
        (["a", ["b"]], r"the label \['b'\] is no text"),
        (["a", 1], "the label 1 is no text"),
    ],
)
def test_what_is_no_label(values: Any, message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        phones_from_mapping({"f": values})
