"""The languages and their inventories."""

from __future__ import annotations

import unicodedata
from dataclasses import FrozenInstanceError

import pytest

from discophon.errors import UsageError
from discophon.languages import (
    ISO6393_TO_CV,
    all_languages,
    commonvoice_languages,
    dev_languages,
    get_language,
    load_phonemes,
    load_sonority,
)
from discophon.languages import test_languages as languages_for_test

# name, code, group, Common Voice code, number of phonemes: the table of the benchmark
TABLE = [
    ("German", "deu", "dev", None, 41),
    ("Swahili", "swa", "dev", "sw", 29),
    ("Tamil", "tam", "dev", "ta", 29),
    ("Thai", "tha", "dev", "th", 40),
    ("Turkish", "tur", "dev", "tr", 27),
    ("Ukrainian", "ukr", "dev", "uk", 35),
    ("Mandarin Chinese", "cmn", "test", "zh-CN", 42),
    ("English", "eng", "test", None, 39),
    ("Basque", "eus", "test", "eu", 29),
    ("French", "fra", "test", None, 34),
    ("Japanese", "jpn", "test", "ja", 42),
    ("Wolof", "wol", "test", None, 39),
]


def test_the_table() -> None:
    found = [(x.name, x.iso_639_3, x.split, ISO6393_TO_CV.get(x.iso_639_3), x.n_phonemes) for x in all_languages()]
    assert found == TABLE


def test_groups() -> None:
    assert dev_languages() + languages_for_test() == all_languages()
    assert {x.split for x in dev_languages()} == {"dev"}
    assert [x.iso_639_3 for x in commonvoice_languages()] == [row[1] for row in TABLE if row[3]]


@pytest.mark.parametrize(("name", "code", "cv"), [(row[0], row[1], row[3]) for row in TABLE])
def test_every_way_to_name_a_language(name: str, code: str, cv: str | None) -> None:
    language = get_language(code)
    for query in (name, name.upper(), code.upper(), *((cv, cv.lower()) if cv else ()), language):
        assert get_language(query) is language


def test_mandarin_has_more_names() -> None:
    assert {get_language(query).iso_639_3 for query in ("mandarin", "Chinese", "CHINESE", "zh-cn")} == {"cmn"}


@pytest.mark.parametrize("query", ["de", "en", "fr", "wo", "", " deu", "deu ", "klingon", "zh"])
def test_unknown(query: str) -> None:
    with pytest.raises(UsageError, match=f"unknown language '{query}'"):
        get_language(query)


def test_a_near_name_is_offered() -> None:
    with pytest.raises(ValueError, match="did you mean swahili"):
        get_language("Swahilli")


def test_inventories() -> None:
    inventories = load_phonemes()
    assert list(inventories) == [x.iso_639_3 for x in all_languages()]
    for language in all_languages():
        assert language.phonemes == inventories[language.iso_639_3]
        assert len(language.phonemes) == language.n_phonemes == len(set(language.phonemes))
        assert language.phonemes == sorted(language.phonemes)
        assert "SIL" not in language.phonemes
    symbols = {symbol for inventory in inventories.values() for symbol in inventory}
    assert len(symbols) == 137
    assert symbols == set(load_sonority())
    # not normalised: c and its cedilla are two code points, and a tie bar stands between the letters of an affricate
    assert {"c\u0327", "t\u0361s"} <= set(inventories["deu"])
    assert unicodedata.normalize("NFC", "c\u0327") not in symbols


def test_callers_cannot_change_the_inventories() -> None:
    get_language("deu").phonemes.append("x")
    load_sonority().clear()
    load_phonemes()["deu"].clear()
    assert len(get_language("deu").phonemes) == 41
    assert len(load_sonority()) == 137
    with pytest.raises(FrozenInstanceError):
        get_language("deu").name = "x"  # type: ignore[misc]


def test_sonority_classes() -> None:
    sonority = load_sonority()
    assert (sonority["a"], sonority["au̯"], sonority["t͡s"], sonority["m"]) == (
        "monophthong",
        "diphthong",
        "affricate",
        "nasal",
    )
    assert set(sonority.values()) == {
        "affricate", "approximant", "diphthong", "fricative", "monophthong", "nasal", "plosive", "vibrant",
    }  # fmt: skip
