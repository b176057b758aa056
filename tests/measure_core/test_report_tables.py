"""Tables of results."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.report.document import document_of
from measure_core.report.tables import FORMATS, HEADER, aligned, formatted, table

RESULTS: dict[str, dict[str, Any]] = {
    "pkg.WER": {
        "s": {"wer": 0.123456, "errors": 17, "detail": {"a": 1}, "rows": [1]},
        "t": {"wer": None, "errors": 0},
    },
    "pkg.Mean": {"s": 2.0 / 3},
}
RECORDS: dict[str, dict[str, Any]] = {
    "pkg.WER": {
        "s": {
            "signature": "pkg|metric:wer|n:9",
            "utterances": 9,
            "rates": ["wer"],
            "intervals": {"wer": {"low": 0.1, "high": 0.15}},
        },
        "t": {"signature": "pkg|metric:wer|n:0", "utterances": 0, "rates": ["wer"], "intervals": {}},
    },
}
DOCUMENT = document_of(RESULTS, RECORDS, "x")


def one(name: str = "score", value: Any = 1, metric: str = "m", test_set: str = "t", **record: Any) -> dict[str, Any]:
    """Give a document with one number."""
    return document_of({metric: {test_set: {name: value}}}, {metric: {test_set: record}}, "x")


def test_text() -> None:
    assert table(DOCUMENT) == "\n".join(
        [
            "metric    test set  score            value  interval          utterances",
            "--------  --------  ------  --------------  ----------------  ----------",
            "pkg.WER   s         wer             12.35%  10.00% to 15.00%           9",
            "                    errors              17",
            "                    detail  (see the file)",
            "                    rows    (see the file)",
            "pkg.WER   t         wer          undefined                             0",
            "                    errors               0",
            "pkg.Mean  s                       0.666667",
            "-" * 72,
            "signature of pkg.WER on s: pkg|metric:wer|n:9",
            "signature of pkg.WER on t: pkg|metric:wer|n:0",
            "signature of pkg.Mean on s: (none)",
        ]
    )


def test_one_signature_is_told_once() -> None:
    lines = table(one(signature="a|b", utterances=1)).splitlines()
    assert lines[-1] == "signature: a|b"
    failed = document_of({}, {}, "x", is_whole=False)
    assert table(failed).splitlines()[-1] == "not whole: something failed"
    assert table(failed).splitlines()[0].split() == " ".join(HEADER).split()


@pytest.mark.parametrize(
    ("value", "is_rate", "shown"),
    [
        (0.5, True, "50.00%"),
        (0, True, "0.00%"),
        (1.23456, True, "123.46%"),
        (None, True, "undefined"),
        (None, False, "undefined"),
        (float("nan"), True, "nan"),
        (float("inf"), False, "inf"),
        (1 / 3, False, "0.333333"),
        (1234567.0, False, "1.23457e+06"),
        (1234567, False, "1234567"),
        (True, True, "True"),
        ("text", False, "text"),
        ("x" * 61, False, "x" * 59 + "…"),
        ("x" * 60, False, "x" * 60),
    ],
)
def test_cells(value: Any, is_rate: bool, shown: str) -> None:
    document = one("s", value, rates=["s"] if is_rate else [])
    assert f" {shown}" in formatted(document, "text").splitlines()[2]
    assert f"| {shown} |" in formatted(document, "md")


@pytest.mark.parametrize("result", [{}, [1, 2], {"a": {"b": 1}}])
@pytest.mark.parametrize("form", ["text", "md", "latex", "csv"])
def test_a_result_without_numbers_keeps_its_row(result: Any, form: str) -> None:
    assert "(see the file)" in formatted(document_of({"m": {"t": result}}, {}, "x"), form)


def test_markdown() -> None:
    assert formatted(DOCUMENT, "md").splitlines() == [
        "| metric | test set | score | value | interval | utterances |",
        "| --- | --- | --- | ---: | --- | ---: |",
        "| pkg.WER | s | wer | 12.35% | 10.00% to 15.00% | 9 |",
        "| pkg.WER | s | errors | 17 |  |  |",
        "| pkg.WER | s | detail | (see the file) |  |  |",
        "| pkg.WER | s | rows | (see the file) |  |  |",
        "| pkg.WER | t | wer | undefined |  | 0 |",
        "| pkg.WER | t | errors | 0 |  |  |",
        "| pkg.Mean | s |  | 0.666667 |  |  |",
    ]


_ODD = "\\|`*_<>[]&#;~^${}%\"',\n\r\t\x1b\x0b\u2028é日\U0001f600 "
ANY_TEXT = st.text(st.one_of(st.sampled_from(_ODD), st.characters(codec="utf-8")), min_size=1, max_size=12)


def cells_of_markdown(line: str) -> list[str]:
    """Take a row of a Markdown table apart: a backslash keeps the character after it."""
    cells, cell, at = [], "", 1
    while at < len(line):
        if line[at] == "\\" and line[at + 1 : at + 2]:
            cell += line[at + 1]
            at += 1
        elif line[at] == "|":
            cells.append(cell[1:-1])
            cell = ""
        else:
            cell += line[at]
        at += 1
    return cells


def visible(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@given(metric=ANY_TEXT, test_set=ANY_TEXT, name=ANY_TEXT, value=ANY_TEXT)
def test_markdown_escapes(metric: str, test_set: str, name: str, value: str) -> None:
    lines = formatted(one(name, value, metric, test_set), "md").split("\n")
    assert len(lines) == 3
    assert cells_of_markdown(lines[2]) == [*map(visible, (metric, test_set, name, value)), "", ""]
    bare = re.sub(r"\\.", "", lines[2][1:-1])
    assert bare.count("|") == len(HEADER) - 1
    assert not re.search(r"[`*<>\[\]]|&\w+;", bare)
    assert "__" not in re.sub(r"\w", "", bare)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("my_pkg.WER_x", "my_pkg.WER_x"),
        ("__init__", r"\_\_init\_\_"),
        ("a|b", r"a\|b"),
        (r"a\|b", r"a\\\|b"),
        ("<b>", r"\<b\>"),
        ("&lt;", r"\&lt;"),
        ("R&D", "R&D"),
        ("p*q*", r"p\*q\*"),
        ("[x](y)", r"\[x\](y)"),
        ("a\nb", r"a\\nb"),
    ],
)
def test_markdown_escapes_what_it_must(name: str, shown: str) -> None:
    assert formatted(one(name), "md").split("\n")[2].split(" | ")[2] == shown or shown in formatted(one(name), "md")


def test_latex() -> None:
    assert formatted(DOCUMENT, "latex").splitlines() == [
        r"\begin{tabular}{lllrlr}",
        r"\hline",
        r"metric & test set & score & value & interval & utterances \\",
        r"\hline",
        r"pkg.WER & s & wer & 12.35\% & 10.00\% to 15.00\% & 9 \\",
        r"pkg.WER & s & errors & 17 &  &  \\",
        r"pkg.WER & s & detail & (see the file) &  &  \\",
        r"pkg.WER & s & rows & (see the file) &  &  \\",
        r"pkg.WER & t & wer & undefined &  & 0 \\",
        r"pkg.WER & t & errors & 0 &  &  \\",
        r"pkg.Mean & s &  & 0.666667 &  &  \\",
        r"\hline",
        r"\end{tabular}",
    ]


_UNDO = {
    r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_", r"\{": "{", r"\}": "}", r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^", r"\textbackslash{}": "\\", r"\textless{}": "<", r"\textgreater{}": ">",
    r"\textbar{}": "|", "{[}": "[", "{*}": "*",
}  # fmt: skip


def cells_of_latex(line: str) -> list[str]:
    r"""Take a row apart; every command is one of those that stand for a character."""
    assert line.endswith(r" \\")
    tokens = re.findall(r"\\text[a-z]+\{\}|\\.|\{\[\}|\{\*\}|.", line[:-3])
    cells = [""]
    for token in tokens:
        if token == "&":
            cells.append("")
        else:
            assert token in _UNDO or token not in "&%$#_{}~^\\<>|[*", token
            cells[-1] += _UNDO.get(token, token)
    return [cell.removeprefix(" ").removesuffix(" ") if cell != " " else "" for cell in cells]


@given(metric=ANY_TEXT, test_set=ANY_TEXT, name=ANY_TEXT, value=ANY_TEXT)
def test_latex_escapes(metric: str, test_set: str, name: str, value: str) -> None:
    texts = [visible(f"({text})") for text in (metric, test_set, name, value)]
    document = one(f"({name})", f"({value})", f"({metric})", f"({test_set})")
    lines = formatted(document, "latex").split("\n")
    assert len(lines) == 7
    assert [cell.strip() for cell in cells_of_latex(lines[4])] == [*texts, "", ""]


@pytest.mark.parametrize("metric", ["[x]", "*"])
def test_a_row_is_no_argument_of_the_end_of_the_row_before(metric: str) -> None:
    row = formatted(one(metric=metric), "latex").split("\n")[4]
    assert row.startswith("{")


def test_csv() -> None:
    rows = list(csv.reader(io.StringIO(formatted(DOCUMENT, "csv"))))
    assert rows == [
        ["metric", "test_set", "score", "value", "low", "high", "utterances", "signature"],
        ["pkg.WER", "s", "wer", "0.123456", "0.1", "0.15", "9", "pkg|metric:wer|n:9"],
        ["pkg.WER", "s", "errors", "17", "", "", "9", "pkg|metric:wer|n:9"],
        ["pkg.WER", "s", "detail", "(see the file)", "", "", "9", "pkg|metric:wer|n:9"],
        ["pkg.WER", "s", "rows", "(see the file)", "", "", "9", "pkg|metric:wer|n:9"],
        ["pkg.WER", "t", "wer", "", "", "", "0", "pkg|metric:wer|n:0"],
        ["pkg.WER", "t", "errors", "0", "", "", "0", "pkg|metric:wer|n:0"],
        ["pkg.Mean", "s", "", "0.6666666666666666", "", "", "", ""],
    ]


@given(metric=ANY_TEXT, name=ANY_TEXT, value=st.floats(allow_nan=False) | ANY_TEXT)
def test_csv_escapes_and_does_not_round(metric: str, name: str, value: Any) -> None:
    rows = list(csv.reader(io.StringIO(formatted(one(name, value, metric), "csv"), newline="")))
    assert rows[1] == [*map(visible, (metric, "t", name, str(value))), "", "", "", ""]
    assert len(rows) == 2


@given(metric=ANY_TEXT, test_set=ANY_TEXT, name=ANY_TEXT, value=ANY_TEXT, signature=ANY_TEXT)
def test_text_stays_on_its_lines(metric: str, test_set: str, name: str, value: str, signature: str) -> None:
    shown = formatted(one(name, value, metric, test_set, signature=signature), "text")
    lines = shown.split("\n")
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)
    assert lines[2].startswith(visible(metric).rstrip())
    assert set(lines[3]) == {"-"}


def test_aligned() -> None:
    assert aligned([["a", "long"], ["xyz", "1"]], right=(1,)) == ["a    long", "---  ----", "xyz     1"]
    assert aligned([["a", "b"], ["xyz", ""]]) == ["a    b", "---  -", "xyz"]


def test_the_formats() -> None:
    assert list(FORMATS) == ["text", "md", "csv", "latex"]
    for form in FORMATS:
        shown = formatted(DOCUMENT, form)
        assert not shown.endswith("\n")
        assert shown == formatted(DOCUMENT, form)
