"""Being terminated is like being interrupted: what is finished is kept, and no other process is left behind."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

__all__ = ["Terminated", "termination_raised"]


class Terminated(KeyboardInterrupt):
    """SIGTERM came."""


@contextmanager
def termination_raised() -> Iterator[None]:
    """Raise `Terminated` where SIGTERM would end this process at once, for a while; the second one ends it.

    Yields
    ------
    None
        Nothing is changed where somebody else handles or ignores the signal, or outside the main thread.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def terminate(number: int, frame: FrameType | None) -> None:
        del frame
        signal.signal(number, signal.SIG_DFL)
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
