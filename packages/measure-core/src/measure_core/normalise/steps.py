"""What the steps do to a text. All can be pickled, so that work can be shared among processes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FILLERS", "DropFillers", "DropPunctuation", "DropTokens", "ReplaceMatches", "ReplaceTokens"]

FILLERS: Mapping[str, frozenset[str]] = {
    "en": frozenset("ah eh er erm hm hmm mhm mm mmm uh uhm um umm".split()),
}
"""Hesitations by language, in lower case."""


class _Kept(dict[int, str | None]):
    """What becomes of a character, found out when it is first met."""

    def __init__(self, keep: str) -> None:
        super().__init__((ord(character), character) for character in keep)
        self.keep = keep

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        kept = self[code] = None if category(character).startswith("P") else character
        return kept

    def __reduce__(self) -> tuple[type[_Kept], tuple[str]]:
        return type(self), (self.keep,)


class DropPunctuation:
    """Drop the characters of the Unicode categories P*.

    Parameters
    ----------
    keep : str, default ""
        Characters to leave in the text.

    Examples
    --------
    >>> DropPunctuation("'")("“Don't!”")
    "Don't"
    """

    def __init__(self, keep: str = "") -> None:
        self._kept = _Kept(keep)

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        return text.translate(self._kept)


@dataclass(frozen=True, slots=True)
class DropTokens:
    """Drop whole tokens.

    Parameters
    ----------
    tokens : frozenset of str
        What to drop.

    Examples
    --------
    >>> DropTokens(frozenset({"<unk>"}))("a <unk>  b")
    'a b'
    """

    tokens: frozenset[str]

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        return " ".join([token for token in text.split() if token not in self.tokens])


@dataclass(frozen=True, slots=True)
class DropFillers:
    """Drop hesitations, whatever their case.

    Parameters
    ----------
    language : str
        One of `FILLERS`.

    Examples
    --------
    >>> DropFillers("en")("Uh I um see")
    'I see'
    """

    language: str

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        fillers = FILLERS[self.language]
        return " ".join([token for token in text.split() if token.lower() not in fillers])


@dataclass(frozen=True, slots=True)
class ReplaceTokens:
    """Replace whole tokens.

    Parameters
    ----------
    table : mapping of str to str
        Token to what stands for it: nothing, or one or more tokens.

    Examples
    --------
    >>> ReplaceTokens({"colour": "color", "can't": "can not", "eh": ""})("eh colour can't")
    'color can not'
    """

    table: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        replaced = [self.table.get(token, token) for token in text.split()]
        return " ".join([token for token in replaced if token])


@dataclass(frozen=True, slots=True)
class ReplaceMatches:
    r"""Replace what matches a regular expression.

    Parameters
    ----------
    pattern : str
        Regular expression of Python.
    by : str
        Replacement, as `re.sub` takes it.

    Examples
    --------
    >>> ReplaceMatches(r"(\d) (?=\d)", r"\1")("1 0 km")
    '10 km'
    """

    pattern: str
    by: str
    _compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", re.compile(self.pattern))

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        return self._compiled.sub(self.by, text)
