"""segments: reading and writing."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import FormatError, Segment, WriteError, check_path, iter_segments, read_segments, write_segments

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "segments"


def test_columns_and_records(file: Path) -> None:
    file.write_text("u1 r1 0.50 6.25\n\nu2 r1 7 -1\nu3 r2 1 2 1\n")
    table = read_segments(file)
    assert list(table) == [
        Segment("u1", "r1", 0.5, 6.25),
        Segment("u2", "r1", 7.0, None),
        Segment("u3", "r2", 1.0, 2.0, 1),
    ]
    assert (list(table.channel), list(table.line)) == ([-1, -1, 1], [1, 3, 4])
    assert list(iter_segments(file)) == list(table)
    assert next(iter_segments(file, exact=True)).start == Decimal("0.50")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("b", "K011", "1 field, wanted 4 or 5: utterance recording start end [channel]"),
        ("b r 0", "K011", "3 fields, wanted 4 or 5"),
        ("b r 0 1 0 9", "K011", "6 fields, wanted 4 or 5"),
        ("b r 0 1 A", "K011", "the channel of b is 'A', not a whole number"),
        ("b r 0 1 ٣", "K011", "not a whole number"),
        ("b r x 1", "K012", "the start of b is 'x', not a number"),
        ("b r 0 nan", "K012", "the end of b is 'nan', not a number"),
        ("b r inf 1", "K012", "the start of b is 'inf', not a number"),
        ("b r 0,5 1", "K012", "decimal point"),
        ("b r -1 1", "K012", "the start of b is -1; it must not be negative"),
        ("b r 1 1", "K012", "the end of b, 1, is not after its start, 1"),
        ("b r 2 -2", "K012", "the end of b, -2, is not after its start, 2"),
        ("a r 0 1", "S002", "the ID 'a' is on line 1 already"),
        ("b r\u00a0 0 1", "T008", "U+00A0"),
    ],
)
def test_what_is_refused(file: Path, line: str, code: str, words: str) -> None:
    file.write_text(f"a r 0 1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f":2: {code} ") as caught:
        read_segments(file)
    assert words in str(caught.value)


def test_two_faults_of_one_line_are_both_listed(file: Path) -> None:
    file.write_text("a r x y\n")
    assert [(one.line, one.code) for one in check_path(file)] == [(1, "K012"), (1, "K012")]


def test_the_strictest_form(file: Path) -> None:
    segments = [Segment[float]("b", "r", 0.5, None), Segment[float]("a", "r", 1.23456, 2, 0)]
    write_segments(file, segments)
    assert file.read_text() == "b r 0.5 -1\na r 1.23456 2 0\n"
    write_segments(file, segments, digits=2, sort=True)
    assert file.read_text() == "a r 1.23 2.00 0\nb r 0.50 -1\n"


@pytest.mark.parametrize("digits", [None, 0, 3])
def test_an_end_that_would_read_back_as_open_is_not_written(file: Path, digits: int | None) -> None:
    with pytest.raises(
        WriteError, match=r"record 1: the end of u is -1.*, the mark of an open end; None is written so"
    ):
        write_segments(file, [Segment("u", "r", 0.0, -1.0)], digits=digits)


@pytest.mark.parametrize(
    ("segment", "words"),
    [
        (("a b", "r", 0.0, 1.0), "the ID 'a b' has a blank"),
        (("a", "r s", 0.0, 1.0), "the recording 'r s' has a blank"),
        (("a", "r", 2.0, 1.0), "is not after its start"),
        (("a", "r", float("nan"), 1.0), "is not finite"),
        (("a", "r", 0.0, 1.0, -3), "not a whole number"),
    ],
)
def test_what_the_writer_refuses(file: Path, segment: tuple[str, str, float, float], words: str) -> None:
    with pytest.raises(WriteError, match="record 1: ") as caught:
        write_segments(file, [Segment(*segment)])
    assert words in str(caught.value)


IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z", "Cf"]), min_size=1, max_size=8)
TIMES = st.decimals(0, 10**5, places=3)


@settings(deadline=None)
@given(st.dictionaries(IDS, st.tuples(IDS, TIMES, st.none() | TIMES, st.none() | st.integers(0, 99)), max_size=6))
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, some: dict[str, tuple[str, Decimal, Decimal | None, int | None]]
) -> None:
    segments = [
        Segment(utt, rec, start, None if length is None else start + length + 1, channel)
        for utt, (rec, start, length, channel) in some.items()
    ]
    path = tmp_path_factory.mktemp("segments") / "segments"
    write_segments(path, segments)
    assert list(iter_segments(path, exact=True)) == segments
