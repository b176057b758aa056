"""Ordinary RTTM into columns: the contract of `plain`, and decimals to the last bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.columns import TableBuilder
from mdeval.plain import plain_records
from mdeval.recording import sort_keys
from mdeval_support import DECIMALS, damaged, ordinary_rttm, speaker

Rows = dict[tuple[str, str], list[tuple[float, float, str]]]
LINE = "SPEAKER f 1 0.50 2.25 <NA> <NA> A <NA> <NA>\n"


def rows(builder: TableBuilder) -> Rows:
    table = builder.build()
    found: Rows = {key: [] for key in table.keys}
    columns = zip(
        table.recording.tolist(), table.onset.tolist(), table.offset.tolist(), table.speaker.tolist(), strict=True
    )
    for recording, onset, offset, name in columns:
        found[table.keys[recording]].append((onset, offset, table.names[name]))
    assert list(found) == sort_keys(found)
    assert len(table) == sum(map(len, found.values()))
    return found


def added(data: bytes) -> Rows | None:
    builder = TableBuilder()
    if not data.endswith(b"\n"):
        data += b"\n"
    return rows(builder) if builder.add_bytes(data) else None


def expected(data: bytes) -> Rows | None:
    records = plain_records(data)
    if records is None:
        return None
    return {key: [(r[1], r[2], r[4]) for r in some] for key, some in records.items()}


def fits(data: bytes) -> bool:
    """Tell whether names and decimals have lengths that the arrays take, and columns are all missing or all numbers."""
    last_columns = {tuple(field == b"<NA>" for field in line.split()[8:]) for line in data.splitlines()}
    if len(last_columns) > 1:
        return False
    for line in data.split(b"\n"):
        fields = line.split()
        if not fields:
            continue
        if any(len(fields[i]) > 32 for i in (1, 2, 7)):
            return False
        for text in (fields[3], fields[4]):
            whole, _, fraction = text.partition(b".")
            if len(whole) > 8 or len(fraction) > 7:
                return False
    return True


@given(ordinary_rttm())
def test_ordinary_rttm_is_read_as_by_the_plain_reader(data: bytes) -> None:
    mine = added(data)
    if fits(data):
        assert mine == expected(data)
    else:
        assert mine in (None, expected(data))


@given(st.data())
def test_damaged_rttm_is_declined_or_read_as_by_the_plain_reader(data: st.DataObject) -> None:
    changed = data.draw(damaged(data.draw(ordinary_rttm(max_lines=3))))
    mine = added(changed)
    if mine is not None:
        assert mine == expected(changed)


@given(st.lists(DECIMALS, min_size=1, max_size=20))
def test_decimals_are_those_of_float(texts: list[str]) -> None:
    data = "".join(speaker(text, 0, "A") for text in texts).encode()
    found = added(data)
    if fits(data):
        assert found is not None
    if found is not None:
        assert [row[0] for row in found["f", "1"]] == [float(text) for text in texts]


@given(st.integers(0, 99_999_999), st.text("0123456789", max_size=7))
def test_every_decimal_of_eight_and_seven_digits_is_exact(whole: int, fraction: str) -> None:
    text = f"{whole}.{fraction}"
    found = added(speaker(0, text, "A").encode())
    assert found is not None
    assert found["f", "1"] == [(0.0, float(text), "A")]


@pytest.mark.parametrize("text", [".5", "5.", "0.1", "2.675", "99999999.9999999", "00000001", "0", "7"])
def test_forms_of_decimals(text: str) -> None:
    found = added(speaker(text, 0, "A").encode())
    assert found is not None
    assert found["f", "1"][0][0] == float(text)


@pytest.mark.parametrize(
    "text", [".", "1.2.3", "-1", "+1", "1e5", "1_0", "123456789", "0.12345678", "1,5", "<NA>", "x", "1:2", "1/2", "٣"]
)
def test_other_numbers_are_declined(text: str) -> None:
    assert added(speaker(text, 1, "A").encode()) is None
    assert added(speaker(1, text, "A").encode()) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SPEAKER", "speaker"), ("SPEAKER", "SPEAKERS"), ("<NA> <NA> A", "<na> <NA> A"), ("<NA> <NA> A", "<NA> eval A"),
        (" A ", " <NA> "), (" A ", " é "), (" A ", f" {'a' * 33} "), (" f ", " <f> "), (" 1 ", " <NA> "),
        (" f ", f" {'a' * 33} "), ("A <NA> <NA>", "A <NA> high"),
        ("A <NA> <NA>", "A <NA> <NA> 3"), ("A <NA> <NA>", "A"), (" A ", "  A "),
        ("\n", "\r\n"), ("\n", "\n\n"), ("\n", " \n"), ("\n", "\n;; comment\n"), (" f ", "\x0bf "),
    ],
)  # fmt: skip
def test_what_is_out_of_the_ordinary_is_declined(old: str, new: str) -> None:
    builder = TableBuilder()
    assert not builder.add_bytes((LINE + LINE.replace(old, new, 1)).encode())
    assert builder.n_blocks == 0


def test_confidences_are_read_past() -> None:
    assert added(LINE.replace("A <NA> <NA>", "A 0.9 1").encode()) == added(LINE.encode())
    assert added(LINE.replace("A <NA> <NA>", "A <NA>").encode()) == added(LINE.encode())


def test_an_empty_block_is_declined() -> None:
    assert not TableBuilder().add_bytes(b"")


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 17, 24, 31, 32])
def test_names_that_differ_in_their_last_character_stay_apart(n: int) -> None:
    names = ["a" * (n - 1) + last for last in "xyz"]
    data = "".join(speaker(i, 1, name, file=name) for i, name in enumerate(names)).encode()
    assert added(data) == expected(data)


def test_names_of_which_one_begins_the_other_stay_apart() -> None:
    names = ["a", "aa", "aaaaaaaa", "aaaaaaaaa", "a" * 16, "a" * 17]
    data = "".join(speaker(i, 1, name) for i, name in enumerate(names)).encode()
    assert added(data) == expected(data)


def test_blocks_add_up_and_can_be_taken_back() -> None:
    builder = TableBuilder()
    assert builder.add_bytes(speaker(0, 1, "A", "g").encode())
    assert builder.add_bytes(speaker(2, 1, "A", "f").encode() + speaker(0, 1, "B", "g").encode())
    assert builder.n_blocks == 2
    assert sorted(builder.speakers()) == [(("f", "1"), "A"), (("g", "1"), "A"), (("g", "1"), "B")]
    builder.drop_after(1)
    assert rows(builder) == {("g", "1"): [(0.0, 1.0, "A")]}


def test_rows_can_be_added_one_by_one() -> None:
    builder = TableBuilder()
    builder.add_rows([(("g", "1"), "A", 1.0, 2.0), (("f", "1"), "B", 0.0, 4.0), (("g", "1"), "B", 0.0, 4.0)])
    builder.add_rows([])
    assert rows(builder) == {("f", "1"): [(0.0, 4.0, "B")], ("g", "1"): [(1.0, 2.0, "A"), (0.0, 4.0, "B")]}


def test_channels_can_be_forgotten() -> None:
    builder = TableBuilder()
    builder.add_rows([(("f", "2"), "A", 1.0, 2.0), (("f", "1"), "B", 0.0, 4.0)])
    builder.forget_channels("*")
    assert rows(builder) == {("f", "*"): [(1.0, 2.0, "A"), (0.0, 4.0, "B")]}


def test_nothing_gives_an_empty_table() -> None:
    table = TableBuilder().build()
    assert (len(table), table.keys, table.names) == (0, [], [])
