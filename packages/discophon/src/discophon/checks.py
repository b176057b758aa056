"""Refusing arguments that make no sense, in one voice."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from discophon.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_choice", "check_several", "check_whole"]

_One = TypeVar("_One")
_Choice = TypeVar("_Choice", bound=str)


def check_whole(name: str, value: object, *, least: int = 1, most: int = 1_000_000) -> int:
    """Refuse what is no whole number, or is too small or too large.

    Parameters
    ----------
    name : str
        What it is, for the message.
    value : object
        The value.
    least : int, default 1
        The smallest that is accepted.
    most : int, default 1000000
        The largest.

    Returns
    -------
    int
        The value.

    Raises
    ------
    UsageError
        If it is no whole number from `least` to `most`.
    """
    from numbers import Integral

    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise UsageError(f"{name} is {value!r}; it must be a whole number from {least} to {most}")
    return int(value)


def check_choice(name: str, value: str, choices: tuple[_Choice, ...]) -> _Choice:
    """Refuse what is none of several words.

    Parameters
    ----------
    name : str
        What it is, for the message.
    value : str
        The value.
    choices : tuple of str
        What it may be.

    Returns
    -------
    str
        The value.

    Raises
    ------
    UsageError
        If it is something else.
    """
    for choice in choices:
        if value == choice:
            return choice
    raise UsageError(f"unknown {name} {value!r}; there are {', '.join(choices)}")


def check_several(name: str, values: Iterable[_One]) -> list[_One]:
    """Refuse what is no list; a text alone is a list of one.

    Parameters
    ----------
    name : str
        What it is, for the message.
    values : iterable
        The values.

    Returns
    -------
    list
        The values.

    Raises
    ------
    UsageError
        If it is something else.
    """
    from collections.abc import Iterable

    if not isinstance(values, Iterable):
        raise UsageError(f"{name} is {values!r}; it must be a list of names")
    return [values] if isinstance(values, str) else list(values)  # type: ignore[list-item] # of texts, then
