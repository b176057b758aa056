"""Tables in columns."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import pytest

from speechio import RttmTable, TextColumn, read_rttm

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def table(tmp_path: Path) -> RttmTable:
    path = tmp_path / "a.rttm"
    path.write_text(
        ";;\nSPEAKER r 1 0 1 <NA> <NA> a <NA>\nSPEAKER r 1 2 1 <NA> <NA> b 0.5\nNOSCORE q 1 5 1 <NA> <NA> <NA> <NA>\n"
    )
    return read_rttm(path)


def test_a_text_column_has_codes_and_distinct_values() -> None:
    column = TextColumn()
    column.append("b")
    column.extend(["a", "b"])
    column.extend(["a"])
    column.append(None)
    column.extend_same("a", 2)
    column.extend_same("never", 0)
    assert column.values == ["b", "a", None]
    assert column.codes == array("i", [0, 1, 0, 1, 2, 1, 1])
    assert list(column) == ["b", "a", "b", "a", None, "a", "a"]
    assert column[1:3] == ["a", "b"]
    assert column[-1] == "a"
    assert repr(column) == "<TextColumn of 7 rows, 3 values>"


def test_text_columns_compare_by_content() -> None:
    one, other = TextColumn(), TextColumn()
    one.extend(["a", "b"])
    other.extend(["a", "b"])
    assert one == other
    other.append("a")
    assert one != other
    assert one != ["a", "b"]


def test_a_table_is_a_sequence_of_records(table: RttmTable) -> None:
    assert len(table) == 3
    assert list(table.line) == [2, 3, 4]
    assert [record.speaker for record in table] == ["a", "b", None]
    assert table[-1] == table[2]
    assert table[1:] == [table[1], table[2]]
    assert table[0] in table
    assert repr(table) == "<RttmTable of 3 rows>"


@pytest.mark.parametrize("row", [3, -4])
def test_a_row_that_is_not_there(table: RttmTable, row: int) -> None:
    with pytest.raises(IndexError, match=f"row {row} of a table of 3 rows"):
        table[row]


def test_columns_hand_their_memory_over(table: RttmTable) -> None:
    view = memoryview(table.onset)
    assert (view.format, view.itemsize, view.tolist()) == ("d", 8, [0.0, 2.0, 5.0])
    assert memoryview(table.speaker.codes).itemsize == 4
    assert memoryview(table.line).itemsize == 8
    assert table.confidence[0] != table.confidence[0]
