"""Cleaning of transcriptions and phones."""

# ruff: noqa: RUF001 (phones and typographic characters are what this is about)

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench.text import clean_phones, clean_text, language_code

# made with the upstream project, see data/README.md
CASES = {
    "Hello,  World!": "hello world",
    "  A\tb\nc  ": "a b c",
    "¿Qué tal?": "¿qué tal",
    "don't-stop": "dontstop",
    "你好，世界！": "你好世界",
    "《天猫精灵》……（小度）": "天猫精灵小度",
    "“quoted” — ‘text’": "quoted text",
    "ÀÉÎ ß": "àéî ß",
    "…": "",
    "«guillemets»": "«guillemets»",
    "¡Hola!": "¡hola",
    "a_b|c": "abc",
    "l’acqua": "lacqua",
    "１２３": "１２３",
    "・・": "・・",
}
DELETED = string.punctuation + "".join(
    map(
        chr,
        [
            0x3000, 0x3001, 0x3002, 0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0x300A, 0x300B, 0x300C, 0x300D,
            0x300E, 0x300F, 0x3010, 0x3011, 0x2018, 0x2019, 0x201C, 0x201D, 0xFF08, 0xFF09, 0x2014, 0x2026,
        ],
    )
)  # fmt: skip


@pytest.mark.parametrize(("text", "want"), CASES.items())
def test_clean_text(text: str, want: str) -> None:
    assert clean_text(text) == want


def test_57_characters_are_deleted_without_a_space() -> None:
    assert len(set(DELETED)) == 57
    for character in DELETED:
        assert clean_text(f"a{character}b") == "ab"


@given(st.text())
def test_cleaning_leaves_words_in_single_spaces(text: str) -> None:
    found = clean_text(text)
    assert found.split() == (found.split(" ") if found else [])
    assert not set(found) & set(DELETED)
    assert found == clean_text(f" \t{text}!\n")


@given(st.text(alphabet=string.ascii_letters + DELETED + " \t"))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


def test_phones_of_raw_lines() -> None:
    lines = ["(nl) d_ˈɪ_t_ ɪ_s_ (en) ə_n_ l_ˈɛ_p_t_ˌɑ_p_ (nl)\n", "k_ˈɔ_m_ s_n_ɛ_l_", ""]
    assert clean_phones(lines) == ["d ɪ t ɪ s ə n l ɛ p t ɑ p".split(), "k ɔ m s n ɛ l".split(), []]


def test_phones_with_other_separators() -> None:
    assert clean_phones(["ð ə|k w aɪə t|(en-us) ɹ ɪ"], " ", "|") == [["ð", "ə", "k", "w", "aɪə", "t", "ɹ", "ɪ"]]
    assert clean_phones(["ab c"], "", " ") == [["ab", "c"]]
    assert clean_phones(["abc"], "", "") == [["a", "b", "c"]]


@given(st.lists(st.text(alphabet="ab_ ˈ()en\r")))
def test_there_are_as_many_lists_as_lines(lines: list[str]) -> None:
    found = clean_phones(lines)
    assert len(found) == len(lines)
    assert all(phone.strip() for phones in found for phone in phones)


@pytest.mark.parametrize(
    ("code", "want"), [("en", "en-us"), ("EN", "en-us"), ("zh", "cmn"), ("nl", "nl"), ("en-us", "en-us"), ("xx", "xx")]
)
def test_language_codes(code: str, want: str) -> None:
    assert language_code(code) == want
