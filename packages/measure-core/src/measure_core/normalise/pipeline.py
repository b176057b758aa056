"""Steps in a row, and how they are told in a signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Normaliser", "Step", "escaped"]

_SPECIAL = frozenset("%|+(),:")


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Parameters
    ----------
    name : str
        How it stands in the signature, with everything that changes what it does.
    apply : callable
        From text to text; can be pickled.
    """

    name: str
    apply: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """Steps in a row.

    Parameters
    ----------
    steps : tuple of Step, default ()
        In the order of their application.

    Examples
    --------
    >>> Normaliser((Step("lower", str.lower),))("A b")
    'a b'
    """

    steps: tuple[Step, ...] = ()

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        for step in self.steps:
            text = step.apply(text)
        return text

    def __bool__(self) -> bool:
        return bool(self.steps)

    @property
    def signature(self) -> str:
        """Names of the steps, ``none`` without any.

        Returns
        -------
        str
            For instance ``nfkc+lower+punct(')``.
        """
        return "+".join(step.name for step in self.steps) or "none"


def escaped(text: str) -> str:
    """Write a value so that it cannot be taken for a part of the signature.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        With the characters that part a signature, blanks and what cannot be shown written as ``%XX`` of UTF-8.

    Examples
    --------
    >>> escaped("a|b c")
    'a%7Cb%20c'
    """
    return "".join(
        character
        if character.isprintable() and not character.isspace() and character not in _SPECIAL
        else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
        for character in text
    )
