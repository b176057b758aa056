"""How far a run is, on a terminal: units done, rate, time left. Elsewhere nothing is shown."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Progress"]

_SECONDS_BETWEEN = 0.1


class Progress:
    """A line on standard error that is written over.

    Parameters
    ----------
    name : str
        What is worked on.
    shown : bool
        Whether to show anything; a progress that is not shown costs nothing.

    Notes
    -----
    The rate counts only what was done since the first call: what a run finds done already says nothing of its speed.
    """

    def __init__(self, name: str, *, shown: bool) -> None:
        self._name = name
        self._shown = shown
        self._first: tuple[float, int] | None = None
        self._next = 0.0
        self._width = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is.

        Parameters
        ----------
        done, total : int
            Units done, and all.
        """
        if not self._shown:
            return
        now = time.monotonic()
        if self._first is None:
            self._first = (now, done)
        if now < self._next:
            return
        self._next = now + _SECONDS_BETWEEN
        since, before = self._first
        text = line(self._name, done, total, done - before, now - since)
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away, so that what is written next starts on an empty one."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def line(name: str, done: int, total: int, n_new: int, seconds: float) -> str:
    """Write the line.

    Parameters
    ----------
    name : str
        What is worked on.
    done, total : int
        Units done, and all.
    n_new : int
        Units done in `seconds`.
    seconds : float
        Time since the first of them.

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> line("copas", 150, 400, 50, 10.0)
    'copas: 150 of 400, 5.0/s, 0:50 left'
    """
    text = f"{name}: {done} of {total}"
    if n_new <= 0 or seconds <= 0:
        return text
    rate = n_new / seconds
    left = round((total - done) / rate)
    clock = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}" if left >= 3600 else f"{left // 60}:{left % 60:02}"
    return f"{text}, {rate:.1f}/s, {clock} left"
