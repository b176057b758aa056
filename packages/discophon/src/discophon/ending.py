"""How a run ends when somebody wants it to: silently, with the status that says so, and never within an import."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import NoReturn

__all__ = ["Ended", "endable"]

_USUAL = (signal.SIG_DFL, signal.default_int_handler)
_IMPORT = "<frozen importlib._bootstrap>"


class Ended(KeyboardInterrupt):
    """A signal ended the run, as an interruption does: nothing unfinished stays.

    Parameters
    ----------
    number : int
        The signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


@contextmanager
def endable() -> Iterator[None]:
    """Let SIGINT and SIGTERM end what is done inside, where nobody has decided otherwise.

    Yields
    ------
    None
        Run inside what may be ended.

    Raises
    ------
    Ended
        If a signal came, whatever was made of it inside.

    Notes
    -----
    Compiled modules are not prepared for an exception out of what they import: they make another error of it, or end
    the process. So a signal that comes within an import is heard when that is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ending = _Ending()
    taken = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) in _USUAL]
    before = [signal.signal(number, ending.hear) for number in taken]
    tracer = sys.gettrace()
    try:
        yield
    finally:
        for number, handler in zip(taken, before, strict=True):
            signal.signal(number, handler)
        if ending.number:
            sys.settrace(tracer)
            raise Ended(ending.number)  # instead of whatever was made of it


class _Ending:
    """What is known of the end: the signal that came first, 0 if none did."""

    def __init__(self) -> None:
        self.number = 0
        self._n_before = len(_imports(sys._getframe()))  # noqa: SLF001 - the way to it

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Take a signal: now, or where the outermost import is done."""
        self.number = self.number or number
        imports = _imports(frame)[self._n_before :]
        who = imports[0].f_back if imports else None
        if who is None:
            self._end()
        else:
            who.f_trace = self._end
            sys.settrace(lambda *_: None)  # only so that the one above is heard

    def _end(self, *_: object) -> NoReturn:
        if self.number == signal.SIGTERM:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: what is left to do is tidying up
        raise Ended(self.number)


def _imports(frame: FrameType | None) -> list[FrameType]:
    """List what is being imported, the outermost first."""
    found = []
    while frame is not None:
        if frame.f_code.co_filename == _IMPORT:
            found.append(frame)
        frame = frame.f_back
    return found[::-1]
