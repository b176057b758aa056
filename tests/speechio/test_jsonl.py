"""JSONL: reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import FormatError, WriteError, check_path, iter_jsonl, read_jsonl, write_jsonl

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def test_objects_line_by_line(file: Path) -> None:
    file.write_text('\n{"file": "a", "units": [1, 2]}\n \t\n  {"file": "b"}  \n\n')
    assert read_jsonl(file) == [{"file": "a", "units": [1, 2]}, {"file": "b"}]
    assert list(iter_jsonl(file)) == read_jsonl(file)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ('{"a": 1,}', "J001", "not JSON at column 9"),
        ("{'a': 1}", "J001", "not JSON at column 2"),
        ("x", "J001", "not JSON at column 1: expecting value"),
        ('{"a": 1} x', "J001", "not JSON at column 10: there is more after the value"),
        ('{"a": "\t"}', "J001", "not JSON at column 8: invalid control character"),
        ('{"a": "\\ud800"}', "J001", "half of a surrogate pair"),
        ('{"a": ' + "9" * 5000 + "}", "J001", "a number has thousands of digits"),
        ("[" * 100_000, "J001", "nested too deeply"),
        ('{"a": 1} {"b": 2}', "J002", "two values or more on one line; the second begins at column 10"),
        ("[1, 2]", "J003", "an array, not an object"),
        ("null", "J003", "null, not an object"),
        ("1.5", "J003", "a number, not an object"),
        ('{"a": NaN}', "J004", "NaN is not JSON"),
        ('{"a": -Infinity}', "J004", "-Infinity is not JSON"),
        ('{"a": 1e999}', "J004", "too large for a float"),
        ('{"a": {"k": 1, "k": 1}}', "J005", "the key 'k' is in one object twice"),
    ],
)
def test_what_is_refused(file: Path, line: str, code: str, words: str) -> None:
    file.write_text('{"ok": 1}\n' + line + "\n")
    with pytest.raises(FormatError, match=f":2: {code} ") as caught:
        read_jsonl(file)
    assert words in str(caught.value)
    assert [(one.line, one.code) for one in check_path(file)] == [(2, code)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[\n {"a": 1},\n {"b": 2}\n]\n', "array"),
        ('[{"a": 1}, {"b": 2}]\n', "array"),
        ('[{"a": 1},\n{"b": 2}]\n', "array"),
        ('{\n  "a": 1\n}\n', "object over several lines"),
        ('{"a": 1,\n "b": 2}\n', "object over several lines"),
    ],
)
def test_one_value_over_the_whole_file_is_one_message(file: Path, text: str, kind: str) -> None:
    file.write_text("\n" + text)
    with pytest.raises(FormatError, match=f":2: J006 the file is one JSON {kind}, not JSONL: one object per line"):
        read_jsonl(file)
    assert [(one.line, one.code) for one in check_path(file)] == [(2, "J006")]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('{"a": 1\n{"b": 2}\n', [(1, "J001")]),
        ('[1]\n{"b": 2}\n', [(1, "J003")]),
        ("[" * 100_000 + "\n{}\n", [(1, "J001")]),
        ('"x"\n{}\n', [(1, "J003")]),
        ('{"a": 1\n', [(1, "J001")]),
        ("[NaN]\n{}\n", [(1, "J004")]),
    ],
)
def test_a_bad_first_line_is_no_whole_file(file: Path, text: str, codes: list[tuple[int, str]]) -> None:
    file.write_text(text)
    assert [(one.line, one.code) for one in check_path(file)] == codes


def test_a_repeated_id(file: Path) -> None:
    file.write_text('{"id": "a"}\n{"id": 1}\n{"id": "1"}\n{"id": "a"}\n')
    assert len(read_jsonl(file)) == 4
    with pytest.raises(FormatError, match=r':4: J007 the id "a" is on line 1 already') as caught:
        read_jsonl(file, id_field="id")
    assert caught.value.code == "J007"
    with pytest.raises(FormatError, match=r":1: J008 the field 'key' is missing; it names the record"):
        read_jsonl(file, id_field="key")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("{}", "the field 'n' is missing; it must be a number"),
        ('{"n": "1", "t": "x"}', "the field 'n' is a string; it must be a number"),
        ('{"n": true, "t": "x"}', "the field 'n' is true or false; it must be a number"),
        ('{"n": 1, "t": 2}', "the field 't' is a whole number; it must be a string or null"),
    ],
)
def test_a_schema(file: Path, record: str, words: str) -> None:
    schema: dict[str, type | tuple[type, ...]] = {"n": float, "t": (str, type(None))}
    file.write_text('{"n": 1, "t": null, "more": 0}\n{"n": 1.5, "t": "x"}\n')
    assert len(read_jsonl(file, schema=schema)) == 2
    file.write_text(record + "\n")
    with pytest.raises(FormatError, match="J008") as caught:
        read_jsonl(file, schema=schema)
    assert caught.value.code == "J008"
    assert words in str(caught.value)


def test_booleans_where_they_are_wanted(file: Path) -> None:
    file.write_text('{"b": true}\n')
    assert read_jsonl(file, schema={"b": bool}) == [{"b": True}]


def test_odd_blanks_in_text_are_kept(file: Path) -> None:
    file.write_text('{"a": "x\u00a0y"}\n', encoding="utf-8")
    assert read_jsonl(file) == [{"a": "x\u00a0y"}]
    assert [(one.line, one.code) for one in check_path(file)] == [(1, "T108")]


def test_an_empty_file(file: Path) -> None:
    file.write_text("\n")
    assert read_jsonl(file) == []


def test_the_strictest_form(file: Path) -> None:
    write_jsonl(file, [{"a": "é\u2028", "b": [1, 2.5, None]}, {}])
    assert file.read_bytes() == '{"a": "é\u2028", "b": [1, 2.5, null]}\n{}\n'.encode()


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"a": float("nan")}, "Out of range float values"),
        ({"a": float("inf")}, "Out of range float values"),
        ({"a": "\ud800"}, "surrogates not allowed"),
        ({"a": {1}}, "not JSON serializable"),
        ({1: "a"}, "would not read back the same"),
        ({"a": (1, 2)}, "would not read back the same"),
    ],
)
def test_what_the_writer_refuses(file: Path, record: dict[Any, Any], words: str) -> None:
    with pytest.raises(WriteError, match="record 2: ") as caught:
        write_jsonl(file, [{}, record])
    assert words in str(caught.value)
    assert not file.exists()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), children, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.lists(
        st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), JSON, max_size=3), max_size=5
    )
)
def test_what_is_written_reads_back(tmp_path_factory: pytest.TempPathFactory, some: list[dict[str, Any]]) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    write_jsonl(path, some)
    assert read_jsonl(path) == some
