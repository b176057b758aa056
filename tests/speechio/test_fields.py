"""Fields, numbers and characters that cannot be seen."""

from __future__ import annotations

import pytest

from speechio.fields import describe, hidden, is_missing, number, number_fault, span_of, split


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("+1.5", 1.5), ("-2", -2.0), (".5", 0.5), ("5.", 5.0), ("1e2", 100.0), ("1.5E-1", 0.15), ("007", 7.0)],
)
def test_numbers(text: str, value: float) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "Infinity",
        "1_000",
        "0x1",
        "1,5",
        "12:30",
        "1 2",
        "1\n",
        "٣",
        "\uff11",
        "1e",
        "e1",
        "--1",
    ],
)
def test_what_is_no_number(text: str) -> None:
    assert number(text) is None


def test_a_number_that_no_float_holds_is_none() -> None:
    assert number("1e999") is None
    assert number("9" * 400) is None


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("1,5", "'1,5', not a number", "decimal point"),
        ("12:30.5", "'12:30.5', not a number", "give seconds"),
        ("nan", "'nan', not a number", "finite"),
        ("-inf", "'-inf', not a number", "finite"),
        ("1e999", "'1e999', too large a number", ""),
        ("<na>", "missing (<NA>)", "give a number"),
        ("[1]", "'[1]', not a number", "digits"),
    ],
)
def test_why_it_is_no_number(text: str, what: str, fix: str) -> None:
    assert number_fault(text)[0] == what
    assert fix in number_fault(text)[1]


def test_only_space_and_tab_split() -> None:
    assert split(" a\t\tb\u00a0c\x0bd\u2028e  f ") == ["a", "b\u00a0c\x0bd\u2028e", "f"]
    assert split(" \t") == []


def test_spans() -> None:
    assert span_of("ab  cd e", 1) == (4, 6)
    assert span_of("ab  cd e", 1, 2) == (4, 8)
    assert span_of("ab", 1) is None


@pytest.mark.parametrize("text", ["<NA>", "<na>", "<Na>"])
def test_missing(text: str) -> None:
    assert is_missing(text)


@pytest.mark.parametrize("text", ["NA", "<NA", "<NA>>", "<N/A>", "", "nan"])
def test_not_missing(text: str) -> None:
    assert not is_missing(text)


def test_characters_are_named() -> None:
    assert describe("\u00a0") == "U+00A0 (no-break space)"
    assert describe("\x07") == "U+0007"


def test_hidden_characters_are_found() -> None:
    assert not hidden("a\tb é 你 \u200d")
    assert all(hidden(f"a{character}b") for character in "\x07\x0b\x1c\x7f\x85\xa0\u2009\u200b\u2028\u3000\ufeff")
