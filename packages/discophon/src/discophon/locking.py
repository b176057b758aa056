"""Locks on files, so that several processes may work on the same thing."""

from __future__ import annotations

import errno
import os
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from discophon.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

__all__ = ["Turn", "check_lock", "locked", "one_at_a_time"]

_PAUSE = 0.2  # seconds between looks at a lock, where there is nothing to wait on


def check_lock(path: str) -> None:
    """Find out whether a lock can be had, without making or holding it.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    DatasetError
        If the file cannot be made or written to.
    """
    try:
        if os.path.exists(path):
            open(path, "ab").close()
        elif not os.access(os.path.dirname(path) or ".", os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot(path, error) from error


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold a lock on a file, which is made if it is not there and stays.

    Parameters
    ----------
    path : str
        The file.

    Yields
    ------
    None
        No other process is inside.

    Raises
    ------
    DatasetError
        If the file cannot be made or locked.
    """
    with ExitStack() as ends:
        try:
            _lock(ends.enter_context(open(path, "ab")), is_patient=True)
        except OSError as error:
            raise _cannot(path, error) from error
        yield


class Turn:
    """The turn of one process.

    Parameters
    ----------
    left : str
        What the process before left, if this one had to wait for it; else empty.

    Attributes
    ----------
    left : str
        The same.
    note : str
        What to leave to those who wait.
    """

    def __init__(self, left: str) -> None:
        self.left = left
        self.note = ""


@contextmanager
def one_at_a_time(path: str, *, on_wait: Callable[[], None]) -> Iterator[Turn]:
    """Wait for the turn of this process.

    Parameters
    ----------
    path : str
        File that stands for what is done in turn; it is made, and deleted at the end.
    on_wait : callable
        Called when another process has the turn.

    Yields
    ------
    Turn
        What the one before left, and the place for what is left to the next.

    Raises
    ------
    DatasetError
        If the file cannot be made or locked.

    Notes
    -----
    Who has waited for a file that is deleted by then reads the note in it, and begins anew with another file. A process
    that is killed leaves the file, without a note and without a lock.
    """
    left = ""
    while True:
        try:
            stream = open(path, "a+b")  # noqa: SIM115 - closed below, on every way out
        except OSError as error:
            raise _cannot(path, error) from error
        with stream:
            try:
                if not _lock(stream, is_patient=False):
                    on_wait()
                    _lock(stream, is_patient=True)
                if not _is_at(stream, path):
                    stream.seek(0)
                    left = stream.read().decode() or left
                    continue
            except OSError as error:
                raise _cannot(path, error) from error
            turn = Turn(left)
            try:
                yield turn
            finally:
                with suppress(OSError):
                    stream.write(turn.note.encode())
                    stream.flush()
                with suppress(OSError):  # a system may keep a file that is open
                    os.unlink(path)
            return


def _cannot(path: str, error: OSError) -> DatasetError:
    why = f"{path}: cannot be locked: {error.strerror or error}"
    return DatasetError(f"{why}; it must be a file in a folder that you may write to, on a disk with file locks")


def _is_at(stream: IO[bytes], path: str) -> bool:
    """Tell whether an open file is the one of that name."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes], *, is_patient: bool) -> bool:
    """Lock an open file; tell whether that was possible, which it is when there is time to wait."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                if not is_patient:
                    return False
                time.sleep(_PAUSE)
            else:
                return True
    import fcntl

    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | (0 if is_patient else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
