"""Tables, documents and files."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench.errors import InputError
from pathbench.progress import Progress, line
from pathbench.render import csv_text, document, figure, grid, markdown, number, write_text

if TYPE_CHECKING:
    from pathlib import Path

cells = st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8), min_size=2, max_size=2))


@given(cells)
def test_csv_reads_back(rows: list[list[str]]) -> None:
    assert list(csv.reader(io.StringIO(csv_text(("a", "b"), rows)))) == [["a", "b"], *rows]


@given(cells)
def test_tables_have_a_line_for_each_row(rows: list[list[str]]) -> None:
    assert grid(("a", "b"), rows).count("\n") == len(rows) + 2
    assert markdown(("a", "b"), rows).count("\n") == len(rows) + 2


def test_wide_letters_and_control_characters() -> None:
    assert grid(("name", "n"), [("a\x1b[31m", "1"), ("打开", "2")]).splitlines() == [
        "name    n",
        "------  -",
        "a?[31m  1",
        "打开    2",
    ]


def test_markup_from_files_is_escaped() -> None:
    text = markdown(("name",), [("<script>|`x`*_[a](b)",)])
    assert text.splitlines()[-1] == r"| \<script\>\|\`x\`\*\_\[a\](b) |"


@pytest.mark.parametrize(
    ("value", "digits", "wanted"),
    [
        (None, 4, "N/A"),
        (math.nan, 2, "N/A"),
        (-0.001, 2, "0.00"),
        (-0.5, 2, "-0.50"),
        (1.23456, 4, "1.2346"),
        (-1.0, 0, "-1"),
    ],
)
def test_figures(value: float | None, digits: int, wanted: str) -> None:
    assert figure(value, digits) == wanted


def test_documents_have_no_nan() -> None:
    assert number(math.nan) is None
    assert number(math.inf) is None
    assert json.loads(document("s", {"a": number(0.1)})) == {"schema_version": "1.0", "signature": "s", "a": 0.1}
    with pytest.raises(ValueError, match="JSON compliant"):
        document("s", {"a": math.nan})


def test_files_are_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.txt"
    write_text(str(path), "x\ny\n")
    assert path.read_text() == "x\ny\n"
    assert list(path.parent.iterdir()) == [path]
    with pytest.raises(InputError, match="would be written over"):
        write_text(str(path), "", [str(path)])
    with pytest.raises(InputError, match="the folder cannot be made"):
        write_text(str(path / "c" / "d.txt"), "")


def test_names_that_are_not_utf8_are_written_so_that_they_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    name = os.fsdecode(b"e\xff.wav")
    write_text(str(path), document("s", {"name": name}))
    assert json.loads(path.read_text(encoding="utf-8"))["name"] == name


def test_progress_is_shown_on_a_terminal_only(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("d", shown=False) as progress:
        progress(1, 2)
    assert capsys.readouterr().err == ""
    with Progress("d", shown=True) as progress:
        progress(1, 2)
    shown = capsys.readouterr().err
    assert shown.startswith("\rd: 1 of 2")
    assert shown.endswith("\r")  # nothing is left on the line


def test_the_time_left() -> None:
    assert line("d", 0, 10, 0, 0.0) == "d: 0 of 10"
    assert line("d", 100, 8000, 50, 25.0) == "d: 100 of 8000, 2.0/s, 1:05:50 left"
