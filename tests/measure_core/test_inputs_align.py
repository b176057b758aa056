"""Aligning columns by ID, beside sets and dicts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.errors import InputError
from measure_core.inputs.align import AlignedColumns, align_columns
from measure_core.inputs.columns import read_column
from measure_scp import IDS, PLAIN_IDS, lines_of, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from measure_core.inputs.align import OnMismatch

LONG = "long" * 50

TABLES = st.one_of(
    [
        st.lists(st.lists(ids, min_size=1, max_size=8, unique=True), min_size=1, max_size=4)
        for ids in (st.sampled_from("abcd"), st.sampled_from(["a", "b", "é", LONG]), st.one_of(PLAIN_IDS, IDS))
    ]
)
"""IDs of each file: few different ones, so that files overlap, and any."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("align")


def aligned(folder: Path, tables: Sequence[Sequence[str]], on_mismatch: OnMismatch = "error") -> AlignedColumns:
    """Write files whose values tell ID and file, and align them."""
    columns = {}
    for i, keys in enumerate(tables):
        path = write(folder / f"{i}.scp", lines_of([(key, f"{key} of {i}") for key in keys]))
        columns[f"file{i}"] = read_column(path)
    return align_columns(columns, "here", on_mismatch)


@given(tables=TABLES)
def test_error(folder: Path, tables: list[list[str]]) -> None:
    if any(set(keys) != set(tables[0]) for keys in tables):
        with pytest.raises(InputError, match="here: utterance IDs differ"):
            aligned(folder, tables)
        return
    found = aligned(folder, tables)
    keys = sorted(tables[0])
    assert len(found) == len(keys)
    assert found.lists() == {"utt_id": keys, **{f"file{i}": [f"{k} of {i}" for k in keys] for i in range(len(tables))}}
    assert (found.n_left_out, found.n_filled) == (0, 0)


@given(tables=TABLES)
def test_intersect(folder: Path, tables: list[list[str]]) -> None:
    common = sorted(set(tables[0]).intersection(*tables))
    if not common:
        with pytest.raises(InputError, match="no ID is in all files"):
            aligned(folder, tables, "intersect")
        return
    found = aligned(folder, tables, "intersect")
    assert found.lists() == {
        "utt_id": common,
        **{f"file{i}": [f"{key} of {i}" for key in common] for i in range(len(tables))},
    }
    assert found.n_left_out == len(set().union(*tables)) - len(common)
    assert found.n_filled == 0


@given(tables=TABLES, n=st.integers(0, 9))
def test_empty(folder: Path, tables: list[list[str]], n: int) -> None:
    keys = sorted(tables[0])
    if set().union(*tables) != set(keys):  # some file has what the first lacks
        with pytest.raises(InputError, match="utterance IDs differ") as caught:
            aligned(folder, tables, "empty")
        is_any_common = bool(set(keys).intersection(*tables))
        assert ("fills in for IDs of the first file only" in str(caught.value)) is is_any_common
        return
    found = aligned(folder, tables, "empty")
    want = {
        "utt_id": keys,
        **{f"file{i}": [f"{key} of {i}" if key in mine else "" for key in keys] for i, mine in enumerate(tables)},
    }
    assert found.lists() == want
    assert found.n_filled == sum(key not in mine for mine in tables for key in keys)
    assert found.n_left_out == 0
    assert found.lists(slice(n, n + 2)) == {name: column[n : n + 2] for name, column in want.items()}
    first = found.first(n)
    assert first.lists() == {name: column[:n] for name, column in want.items()}
    assert len(first) == len(first.utterances()) == min(n, len(keys))


def text_of(folder: Path, tables: Sequence[Sequence[str]], on_mismatch: OnMismatch = "error") -> str:
    with pytest.raises(InputError) as caught:
        aligned(folder, tables, on_mismatch)
    assert caught.value.path == str(folder / "0.scp")
    return str(caught.value).replace(f"{folder}/", "")


def test_the_message(tmp_path: Path) -> None:
    assert text_of(tmp_path, [["utt1", "utt5", "utt2", "utt4", "utt3"], ["utt9", "utt3", "utt2", "utt1"]]) == (
        "here: utterance IDs differ\n"
        "  0.scp has 5 IDs, 2 of them only there: utt4 utt5\n"
        "  1.scp has 4 IDs, 1 of them only there: utt9\n"
        "fix: rerun inference for the missing utterances, or pass --on-mismatch intersect to score the 3 common ones "
        "(recorded in the report)"
    )


def test_the_message_shows_the_first_five_of_each_side_sorted(tmp_path: Path) -> None:
    left = [f"l{k}" for k in (3, 7, 1, 6, 2, 5, 4)]
    text = text_of(tmp_path, [["both", *left], ["r3", "both", "r2", "r1", "r5", "r4"]])
    assert "0.scp has 8 IDs, 7 of them only there: l1 l2 l3 l4 l5 …\n" in text
    assert "1.scp has 6 IDs, 5 of them only there: r1 r2 r3 r4 r5\n" in text


def test_the_message_of_a_side_that_lacks_only(tmp_path: Path) -> None:
    text = text_of(tmp_path, [["a", "b"], ["a"]])
    assert "0.scp has 2 IDs, 1 of them only there: b\n" in text
    assert "1.scp has 1 IDs, 0 of them only there\n" in text


def test_the_message_of_three_files(tmp_path: Path) -> None:
    text = text_of(tmp_path, [["a", "b", "c"], ["a", "b", "c"], ["a", "b", "d"]])
    assert "0.scp has 3 IDs, 1 of them not in all files: c\n" in text
    assert "2.scp has 3 IDs, 1 of them not in all files: d\n" in text
    assert "write them alike" not in text


def test_a_file_under_two_aliases_is_told_once(tmp_path: Path) -> None:
    one = read_column(write(tmp_path / "one.scp", b"a 1\nb 2\n"))
    two = read_column(write(tmp_path / "two.scp", b"a 3\n"))
    with pytest.raises(InputError) as caught:
        align_columns({"x": one, "y": two, "z": one}, "here")
    assert str(caught.value).count("one.scp") == 1
    assert "only there" in str(caught.value)
    found = align_columns({"x": one, "y": two, "z": one}, "here", "intersect")
    assert found.lists() == {"utt_id": ["a"], "x": ["1"], "y": ["3"], "z": ["1"]}
    assert align_columns({"x": one, "y": two, "z": one}, "here", "empty").n_filled == 1


def test_the_message_shows_no_more_of_an_id_than_fits(tmp_path: Path) -> None:
    text = text_of(tmp_path, [["\x1b[31mred", "x" * 100_000], ["ok", "ok" + "y" * 100_000]])
    assert r"only there: \x1b[31mred " + "x" * 79 + "…\n" in text
    assert {character for character in text if not character.isprintable()} == {"\n"}
    assert len(text) < 1000


_COMPOSED = partial(normalize, "NFD")
NAMES = [f"utt{k:03d}" for k in range(2000)]


@pytest.mark.parametrize("n", [1, 3, 12, 2000])
@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ("{}.wav", "the IDs of one file end in '.wav' and those of the other do not: write them alike"),
        ("{}-é", "the IDs of one file end in '-é' and those of the other do not: write them alike"),
        ("spk1-{}", "the IDs of one file begin with 'spk1-' and those of the other do not: write them alike"),
        ("{}_long" + "x" * 100, "end in '_longx"),
        (str.upper, "the IDs differ in upper and lower case only: write them alike"),
        (_COMPOSED, "the IDs differ in Unicode normalisation only (é as one character, or as e and an accent): write"),
    ],
)
def test_hints(tmp_path: Path, n: int, change: str | Callable[[str], str], hint: str) -> None:
    plain = NAMES[:n]
    if change == _COMPOSED:
        plain = [f"{key}é" for key in plain]
    other = [change.format(key) if isinstance(change, str) else change(key) for key in plain]
    for tables in ([plain, other], [other, plain], [plain, plain, other]):
        text = text_of(tmp_path, tables)
        assert f"fix: {hint}" in text if hint.startswith("the") else hint in text
        assert "no ID is in all files: check that they belong to the same test set" in text


@pytest.mark.parametrize(
    "tables",
    [
        [["utt1", "utt3", "utt9"], ["utt1", "utt30", "utt7"]],
        [["a", "b", "c", "D"], ["e", "f", "g", "d"]],
        [["a", "b", "c", "d.wav"], ["e", "f", "g", "d"]],
        [["utt1", "utt2"], ["utt1", "utt2"], ["utt1"]],
        [["a"], ["b"]],
    ],
)
def test_no_hint_at_a_chance_likeness(tmp_path: Path, tables: list[list[str]]) -> None:
    assert "write them alike" not in text_of(tmp_path, tables)


def test_an_id_of_great_length_costs_no_width(tmp_path: Path) -> None:
    """A table of fixed width would take 40 GB here."""
    huge = "x" * 2_000_000
    keys = [f"u{k:05d}" for k in range(10_000)]
    found = aligned(tmp_path, [[*keys, huge], [huge, *keys[::-1]]])
    assert found.utterances() == [*keys, huge]
    both = aligned(tmp_path, [[*keys, huge], keys], "intersect")
    assert both.utterances() == keys
    assert both.n_left_out == 1
    filled = aligned(tmp_path, [[*keys, huge], keys], "empty").lists()
    assert filled["file1"][-2:] == [f"{keys[-1]} of 1", ""]
    with pytest.raises(InputError, match="1 of them only there"):
        aligned(tmp_path, [keys, [*keys, huge]], "empty")


def test_parts_are_parts(tmp_path: Path) -> None:
    keys = [f"u{k:04d}" for k in np.random.default_rng(0).permutation(3000)]
    found = aligned(tmp_path, [keys, keys[1:]], "intersect")
    whole = found.lists()
    joined: dict[str, list[str]] = {name: [] for name in whole}
    for start in range(0, 3000, 700):
        for name, values in found.lists(slice(start, start + 700)).items():
            joined[name] += values
    assert joined == whole
    assert found.first(10).lists() == found.lists(slice(0, 10))
    assert found.first(10).n_left_out == 1
