"""The twelve languages of the benchmark, their phoneme inventories and the sonority classes of the symbols."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from discophon.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ISO6393_TO_CV",
    "SILENCE",
    "Language",
    "all_languages",
    "commonvoice_languages",
    "dev_languages",
    "get_language",
    "load_phonemes",
    "load_sonority",
    "test_languages",
]

SILENCE = "SIL"
"""Label of silence in alignments; it belongs to no inventory and is never counted in `Language.n_phonemes`."""

ISO6393_TO_CV = {
    "swa": "sw",
    "tam": "ta",
    "tha": "th",
    "tur": "tr",
    "ukr": "uk",
    "cmn": "zh-CN",
    "eus": "eu",
    "jpn": "ja",
}
"""ISO 639-3 code to Common Voice code, for the eight languages whose audio comes from there."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the benchmark.

    Attributes
    ----------
    name : str
        English name.
    iso_639_3 : str
        Code of three letters, used in all file names.
    split : {"dev", "test"}
        Whether it is a language for development or for test; every language has a dev and a test *split* besides.
    n_phonemes : int
        Size of the inventory, without silence.
    """

    name: str
    iso_639_3: str
    split: Literal["dev", "test"]
    n_phonemes: int

    @property
    def phonemes(self) -> list[str]:
        """The inventory, sorted by code point, without silence."""
        return load_phonemes()[self.iso_639_3]


@cache
def _table() -> Mapping[str, Any]:
    """Read the package's data."""
    import json
    from importlib.resources import files

    table: Mapping[str, Any] = json.loads(files("discophon").joinpath("languages.json").read_text(encoding="utf-8"))
    return table


@cache
def _languages() -> tuple[Language, ...]:
    return tuple(
        Language(row["name"], row["iso_639_3"], row["group"], row["n_phonemes"]) for row in _table()["languages"]
    )


def all_languages() -> tuple[Language, ...]:
    """Give the twelve languages: the six for development, then the six for test.

    Returns
    -------
    tuple of Language
        In the benchmark's order.

    Examples
    --------
    >>> " ".join(language.iso_639_3 for language in all_languages())
    'deu swa tam tha tur ukr cmn eng eus fra jpn wol'
    """
    return _languages()


def dev_languages() -> tuple[Language, ...]:
    """Give the six languages for development.

    Returns
    -------
    tuple of Language
        In the benchmark's order.
    """
    return tuple(language for language in _languages() if language.split == "dev")


def test_languages() -> tuple[Language, ...]:
    """Give the six languages for test.

    Returns
    -------
    tuple of Language
        In the benchmark's order.
    """
    return tuple(language for language in _languages() if language.split == "test")


def commonvoice_languages() -> tuple[Language, ...]:
    """Give the eight languages whose audio comes from Common Voice.

    Returns
    -------
    tuple of Language
        In the benchmark's order.
    """
    return tuple(language for language in _languages() if language.iso_639_3 in ISO6393_TO_CV)


@cache
def _by_name() -> dict[str, Language]:
    known: dict[str, Language] = {}
    for row, language in zip(_table()["languages"], _languages(), strict=True):
        names = [row["name"], row["iso_639_3"], row["common_voice"] or row["name"], *row["aliases"]]
        known.update((name.lower(), language) for name in names)
    return known


def get_language(query: str | Language) -> Language:
    """Find a language by its name, its ISO 639-3 code or its Common Voice code.

    Parameters
    ----------
    query : str or Language
        Compared without regard to case, and not trimmed. A `Language` is given back as it is.

    Returns
    -------
    Language
        The language.

    Raises
    ------
    UsageError
        If it is none of the twelve. German, English, French and Wolof have no code of two letters here.

    Examples
    --------
    >>> get_language("zh-CN").name
    'Mandarin Chinese'
    """
    if isinstance(query, Language):
        return query
    known = _by_name()
    found = known.get(str(query).lower())
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(str(query).lower(), known, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        codes = ", ".join(language.iso_639_3 for language in _languages())
        raise UsageError(f"unknown language {query!r}{hint}; the benchmark has {codes}")
    return found


def load_phonemes() -> dict[str, list[str]]:
    """Give the inventories of all languages.

    Returns
    -------
    dict of str to list of str
        ISO 639-3 code to phonemes, sorted by code point, without silence. Combining marks and tie bars are kept as
        they are.
    """
    return {row["iso_639_3"]: list(row["phonemes"]) for row in _table()["languages"]}


def load_sonority() -> dict[str, str]:
    """Give the sonority class of every symbol of the inventories.

    Returns
    -------
    dict of str to str
        Symbol to ``affricate``, ``approximant``, ``diphthong``, ``fricative``, ``monophthong``, ``nasal``,
        ``plosive`` or ``vibrant``.
    """
    return dict(_table()["sonority"])
