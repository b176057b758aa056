"""Standard output is for results: whatever evaluators of other people print goes to standard error."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["results_only"]


@contextmanager
def results_only() -> Iterator[None]:
    """Turn standard output to standard error for a while, in Python, in C, and in processes that are started.

    Yields
    ------
    None
        Until the end nothing reaches standard output.
    """
    with redirect_stdout(sys.stderr), _turned():
        yield


@contextmanager
def _turned() -> Iterator[None]:
    """Turn the descriptor; where there is none, as in a test or a notebook, there is nothing to turn."""
    real: Any = sys.__stdout__
    try:
        number = real.fileno()
        is_open = _is_open(2)  # if not, the copy of standard output may get its number
        kept = os.dup(number)
    except (AttributeError, OSError, ValueError):
        yield
        return
    try:
        real.flush()
        sink = os.dup(2) if is_open else os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, number)
        os.close(sink)
        yield
        real.flush()  # what somebody wrote past the redirection
    finally:
        os.dup2(kept, number)
        os.close(kept)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
