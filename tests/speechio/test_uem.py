"""UEM: reading and writing."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import FormatError, UemRecord, WriteError, check_path, iter_uem, read_uem, write_uem
from speechio.uem import strip_name

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.uem"


def test_columns_and_records(file: Path) -> None:
    file.write_text(";; regions\n# more\n\nr 1 0 60.5\nr\tA\t70 80\nq 1 1e1 12\n")
    table = read_uem(file)
    assert (list(table.file), list(table.channel)) == (["r", "r", "q"], ["1", "A", "1"])
    assert (list(table.start), list(table.end), list(table.line)) == ([0, 70, 10], [60.5, 80, 12], [4, 5, 6])
    assert list(table) == list(iter_uem(file))
    assert next(iter_uem(file, exact=True)) == UemRecord("r", "1", Decimal(0), Decimal("60.5"))


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("q 1 0", "U001", "3 fields, wanted 4: file channel start end"),
        ("q", "U001", "1 field, wanted 4"),
        ("a b 1 0 9", "U001", "a name with a blank (space)?"),
        ("q 1 x 9", "U003", "start is 'x', not a number"),
        ("q 1 0 nan", "U003", "end is 'nan', not a number"),
        ("q 1 0 inf", "U003", "end is 'inf', not a number"),
        ("q 1 0 1,234.5", "U003", "decimal point"),
        ("q 1 0 <NA>", "U003", "end is missing (<NA>)"),
        ("q 1 0 9\u2009", "T008", "the end has U+2009 (thin space)"),
        ("q 1 5 5", "U004", "the region from 5 to 5 is empty"),
        ("q 1 5 3", "U004", "the region from 5 to 3 is reversed"),
        ("q 1 -5 3", "U006", "start is -5; it must not be negative"),
        ("r A 8 12", "U005", "the region 8 to 12 of r, channel a, overlaps 0 to 9 on line 1"),
        ("r a 0 9", "U005", "overlaps 0 to 9 on line 1"),
        ("r a 2 3", "U005", "overlaps 0 to 9 on line 1"),
    ],
)
def test_what_is_refused(file: Path, line: str, code: str, words: str) -> None:
    file.write_text(f"r a 0 9\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f":2: {code} ") as caught:
        read_uem(file)
    assert words in str(caught.value)
    with pytest.raises(FormatError, match=f":2: {code} "):
        list(iter_uem(file))


def test_touching_regions_in_any_order_are_fine(file: Path) -> None:
    file.write_text("r 1 20 30\nr 1 0 10\nr 1 10 20\nr 2 5 25\n")
    assert len(read_uem(file)) == 4


def test_names_are_kept_or_stripped_as_md_eval_does(file: Path) -> None:
    file.write_text("audio/rec1.sph 1 0 10\n")
    assert read_uem(file).file.values == ["audio/rec1.sph"]
    assert read_uem(file, strip_names=True).file.values == ["rec1"]
    assert next(iter_uem(file, strip_names=True)).file == "rec1"
    (problem,) = check_path(file)
    assert (problem.code, problem.fix) == ("U107", "write rec1, or read with strip_names=True")


@pytest.mark.parametrize(
    ("name", "bare"),
    [("a.sph", "a"), ("a.b.c", "a.c"), ("g.tar.gz", "g.gz"), ("d/f.sph", "f"), ("a", "a"), ("a.", "a")],
)
def test_stripping(name: str, bare: str) -> None:
    assert strip_name(name) == bare


def test_regions_that_meet_only_when_stripped(file: Path) -> None:
    file.write_text("x/r.wav 1 0 10\ny/r.wav 1 5 15\n")
    assert len(read_uem(file)) == 2
    with pytest.raises(FormatError, match="U005"):
        read_uem(file, strip_names=True)


def test_a_blank_that_cannot_be_seen_in_a_name(file: Path) -> None:
    file.write_text("r\u00a0 1 0 9\n", encoding="utf-8")
    assert read_uem(file).file.values == ["r\u00a0"]
    assert [(one.line, one.code) for one in check_path(file)] == [(1, "T108")]


def test_the_strictest_form(file: Path) -> None:
    regions = [UemRecord[float]("r", "1", 5, 9.12345), UemRecord[float]("a", "1", 0.5, 9)]
    write_uem(file, regions)
    assert file.read_bytes() == b"r 1 5.000 9.123\na 1 0.500 9.000\n"
    write_uem(file, regions, digits=None, sort=True)
    assert file.read_bytes() == b"a 1 0.5 9\nr 1 5 9.12345\n"


@pytest.mark.parametrize(
    ("region", "words"),
    [
        (("a b", "1", 0.0, 1.0), "the file 'a b' has a blank"),
        (("", "1", 0.0, 1.0), "the file is empty"),
        ((";a", "1", 0.0, 1.0), "begins a comment"),
        (("\ufeffa", "1", 0.0, 1.0), "would not read back"),
        (("a", "", 0.0, 1.0), "the channel is empty"),
        (("a", "1", 1.0, 1.0), "is empty"),
        (("a", "1", -1.0, 1.0), "must not be negative"),
        (("a", "1", 0.0, float("inf")), "is not finite"),
        (("r", "1", 5.0, 6.0), "overlaps 0 to 9 on line 1"),
    ],
)
def test_what_the_writer_refuses(file: Path, region: tuple[str, str, float, float], words: str) -> None:
    with pytest.raises(WriteError, match="record 2: ") as caught:
        write_uem(file, [UemRecord("r", "1", 0.0, 9.0), UemRecord(*region)])
    assert words in str(caught.value)
    assert not file.exists()


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6).filter(
    lambda name: name[0] not in ";#\ufeff"
)
TIMES = st.decimals(0, 10**5, places=2)


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES, TIMES, TIMES), max_size=6, unique_by=lambda one: (one[0], one[1].lower())))
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, some: list[tuple[str, str, Decimal, Decimal]]
) -> None:
    regions = [UemRecord(file, channel, start, start + length + 1) for file, channel, start, length in some]
    path = tmp_path_factory.mktemp("uem") / "a.uem"
    write_uem(path, regions)
    assert list(iter_uem(path, exact=True)) == regions
