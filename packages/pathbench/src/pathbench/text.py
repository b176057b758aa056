"""Cleaning of transcriptions and of phone strings, and the codes of languages."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LANGUAGE_CODES", "clean_phones", "clean_text", "language_code"]

_FULL_WIDTH = "　、。！，．：；？《》「」『』【】‘’“”（）—…"  # noqa: RUF001 (these very characters are meant)
_DELETED = dict.fromkeys(map(ord, string.punctuation + _FULL_WIDTH))

LANGUAGE_CODES = {"en": "en-us", "zh": "cmn"}
"""Codes of data sets and the codes of the phonemiser that they stand for; others stand for themselves."""

_FLAG = re.compile(r"\([a-z]{2,3}(?:-[A-Za-z0-9-]+)?\)")
_STRESS = dict.fromkeys(map(ord, "ˈˌ"))


def clean_text(text: str) -> str:
    """Reduce a transcription to what two speakers who say the same have in common.

    Parameters
    ----------
    text : str
        Transcription.

    Returns
    -------
    str
        In lower case, without punctuation, with single spaces between words.

    Notes
    -----
    The 32 ASCII punctuation characters and 25 Chinese and typographic ones are deleted, without a space in their
    place. ``¿``, ``¡``, ``«``, ``»``, ``・`` and full-width digits stay.

    Examples
    --------
    >>> clean_text("  Don't-stop,  World! ")
    'dontstop world'
    """
    return " ".join(text.lower().translate(_DELETED).split())


def clean_phones(lines: Iterable[str], phone_separator: str = "_", word_separator: str = " ") -> list[list[str]]:
    """Turn lines of a phonemiser into lists of phones.

    Parameters
    ----------
    lines : iterable of str
        What the phonemiser wrote, one utterance a line.
    phone_separator, word_separator : str, default "_" and " "
        What stands between phones and between words.

    Returns
    -------
    list of list of str
        Phones of each line, without language flags such as ``(en)``, stress marks and gaps between words. A line
        without phones gives an empty list, so that there are as many lists as lines.

    Examples
    --------
    >>> clean_phones(["(nl) k_ˈɔ_m_ s_n_ɛ_l", ""])
    [['k', 'ɔ', 'm', 's', 'n', 'ɛ', 'l'], []]
    """
    split = "|".join(re.escape(mark) for mark in (phone_separator, word_separator) if mark)
    found = []
    for line in lines:
        bare = _FLAG.sub("", line.rstrip("\r\n")).translate(_STRESS)
        phones = re.split(split, bare) if split else list(bare)
        found.append([phone.strip() for phone in phones if phone.strip()])
    return found


def language_code(code: str) -> str:
    """Give the phonemiser's code of a language.

    Parameters
    ----------
    code : str
        Code of a data set, such as ``en`` or ``zh``, in any case.

    Returns
    -------
    str
        In lower case; ``en-us`` for ``en``, ``cmn`` for ``zh``.

    Examples
    --------
    >>> language_code("EN"), language_code("NL"), language_code("zh")
    ('en-us', 'nl', 'cmn')
    """
    return LANGUAGE_CODES.get(code.lower(), code.lower())
