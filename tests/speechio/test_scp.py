"""SCP tables: reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import Entry, FormatError, WriteError, check_path, iter_scp, read_scp, write_scp

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.scp"


def test_the_first_run_of_blanks_splits(file: Path) -> None:
    file.write_bytes(b"utt1 \t hello  there \n\n  \nutt2\n\tutt3\tone\ttwo\n")
    assert read_scp(file) == {"utt1": "hello  there", "utt2": "", "utt3": "one\ttwo"}
    assert [(entry.id, entry.value) for entry in iter_scp(file)] == list(read_scp(file).items())
    key, value = next(iter_scp(file))
    assert (key, value) == ("utt1", "hello  there")


def test_order_is_that_of_the_file(file: Path) -> None:
    file.write_text("b 1\nB 2\na 3\n")
    assert list(read_scp(file)) == ["b", "B", "a"]


def test_there_are_no_comments(file: Path) -> None:
    file.write_text("#a 1\n;b 2\n")
    assert read_scp(file) == {"#a": "1", ";b": "2"}


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("a 2", "S002", "the ID 'a' is on line 1 already"),
        ("a", "S002", "the ID 'a' is on line 1 already"),
        ("b\u00a0 2", "S004", "U+00A0 (no-break space)"),
        ("\u3000b 2", "S004", "U+3000 (ideographic space)"),
        ("\u2003", "S004", "U+2003 (em space)"),
    ],
)
def test_what_is_refused(file: Path, line: str, code: str, words: str) -> None:
    file.write_text(f"a 1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f":2: {code} ") as caught:
        read_scp(file)
    assert words in str(caught.value)


def test_a_control_character_in_an_id_is_a_warning(file: Path) -> None:
    file.write_text("a\x07 1\n")
    assert [(one.line, one.code, one.span) for one in check_path(file)] == [(1, "T111", (1, 2))]


def test_wrong_lines_do_not_count_for_the_order(file: Path) -> None:
    file.write_text("b 1\nz 2\nz 3\nc 4\na 5\n0 6\n")
    assert [(one.line, one.code) for one in check_path(file)] == [(3, "S002"), (4, "S103")]


def test_sorting_is_that_of_the_c_locale(file: Path) -> None:
    file.write_text("10 x\n9 x\nA x\n_ x\na x\né x\n\U0001f600 x\n", encoding="utf-8")
    assert check_path(file) == []


def test_values_of_other_types(file: Path) -> None:
    file.write_text("a 1.5\nb -2\n")
    assert read_scp(file, value=float) == {"a": 1.5, "b": -2.0}
    file.write_text("a 1\nb 2\n")
    assert read_scp(file, value=int) == {"a": 1, "b": 2}


@pytest.mark.parametrize("text", ["nan", "inf", "1_000", "", "x", "1e999"])
def test_a_float_is_a_decimal_number(file: Path, text: str) -> None:
    file.write_text(f"a 1\nb {text}\n")
    with pytest.raises(FormatError, match=r":2: S008 the value of b is ") as caught:
        read_scp(file, value=float)
    assert caught.value.code == "S008"


def test_a_conversion_that_refuses(file: Path) -> None:
    file.write_text("a 1\nb x\n")
    with pytest.raises(FormatError, match=r":2: S008 the value of b, 'x', is refused by int: invalid literal"):
        read_scp(file, value=int)


def test_an_empty_file(file: Path) -> None:
    file.write_text("")
    assert read_scp(file) == {}


def test_the_strictest_form(file: Path) -> None:
    write_scp(file, {"b": "x  y", "a": ""})
    assert file.read_bytes() == b"b x  y\na\n"
    write_scp(file, [("b", "1"), Entry("a", "2")], sort=True)
    assert file.read_bytes() == b"a 2\nb 1\n"


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (("a b", "1"), "the ID 'a b' has a blank"),
        (("", "1"), "the ID is empty"),
        (("b\u00a0", "1"), "the ID 'b\\xa0' has U+00A0"),
        (("b", "x\ny"), "has a line break"),
        (("b", "x\ry"), "has a line break"),
        (("b", " x"), "begins or ends with a blank"),
        (("b", "x\t"), "begins or ends with a blank"),
        (("b", "\udc80"), "half of a surrogate pair"),
        (("a", "2"), "the ID 'a' is on line 1 already"),
    ],
)
def test_what_the_writer_refuses(file: Path, pair: tuple[str, str], words: str) -> None:
    with pytest.raises(WriteError, match="record 2: ") as caught:
        write_scp(file, [("a", "1"), pair])
    assert words in str(caught.value)
    assert not file.exists()


IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z", "Cf"]), min_size=1, max_size=8)
VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=12).map(
    lambda text: text.strip(" \t")
)


@settings(deadline=None)
@given(st.dictionaries(IDS, VALUES, max_size=8), st.booleans())
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, str], sort: bool
) -> None:
    path = tmp_path_factory.mktemp("scp") / "a.scp"
    write_scp(path, table, sort=sort)
    assert read_scp(path) == table
    assert list(read_scp(path)) == (sorted(table) if sort else list(table))
