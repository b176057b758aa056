"""Refusing arguments that make no sense, in one voice."""

from __future__ import annotations

from typing import TypeVar

from discophon.errors import UsageError

__all__ = ["check_choice", "check_whole"]

_Choice = TypeVar("_Choice", bound=str)


def check_whole(name: str, value: object, *, least: int = 1) -> int:
    """Refuse what is no whole number, or is too small.

    Parameters
    ----------
    name : str
        What it is, for the message.
    value : object
        The value.
    least : int, default 1
        The smallest that is accepted.

    Returns
    -------
    int
        The value.

    Raises
    ------
    UsageError
        If it is no whole number of at least `least`.
    """
    from numbers import Integral

    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise UsageError(f"{name} is {value!r}; it must be a whole number of at least {least}")
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
