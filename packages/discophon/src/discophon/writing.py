"""Writing files that are no lines of text: whole or not at all, and always to what the name stands for."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import ExitStack, contextmanager, suppress

from speechio.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

    Data = bytes | memoryview

__all__ = ["write_all", "write_bytes"]


def write_bytes(path: os.PathLike[str] | str, data: Data) -> None:
    """Write a file; it is there whole or, after a fault, as it was before.

    Parameters
    ----------
    path : path-like or str
        File; ``-`` is standard output. A link is followed, and a pipe or a device is written to.
    data : bytes or memoryview
        What it shall hold.

    Raises
    ------
    speechio.InputError
        If the file cannot be written.

    Notes
    -----
    `speechio.write.write_lines` does the same for lines.
    """
    name = os.fspath(path)
    with _told(name):
        target = os.path.realpath(name)
        if name == "-":
            _to_stdout(data)
        elif os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
        else:
            write_all({name: data})


def write_all(files: Mapping[str, Data]) -> None:
    """Write several files; after a fault all of them are as they were before.

    Parameters
    ----------
    files : mapping of str to bytes or memoryview
        What each file shall hold. Links are followed.

    Raises
    ------
    speechio.InputError
        If a file cannot be written.
    """
    with ExitStack() as ends:
        ready = []
        for name, data in files.items():
            with _told(name):
                ready.append((name, *_part(name, data, ends)))
        for name, part, target in ready:
            with _told(name):
                os.replace(part, target)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say which file cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        if isinstance(error, InputError):
            raise
        why, number = getattr(error, "strerror", None) or error, getattr(error, "errno", None)
        shown = "<stdout>" if name == "-" else name.replace("\0", "\\0")
        raise InputError(shown, f"cannot be written: {why}", "give another path", number) from error


def _to_stdout(data: Data) -> None:
    if sys.stdout is None:
        raise ValueError("it is closed")
    stream: IO[bytes] = sys.stdout.buffer
    sys.stdout.flush()
    stream.write(data)
    stream.flush()


def _part(name: str, data: Data, ends: ExitStack) -> tuple[str, str]:
    """Write a file under another name, which is gone in the end; the mode of the one before stays."""
    target = os.path.realpath(name)
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    folder, base = os.path.split(target)
    part = os.path.join(folder, f".{base}.{os.getpid()}.part")
    ends.callback(_drop, part)
    with open(part, "wb") as stream:
        stream.write(data)
    if os.path.exists(target):
        os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
    return part, target


def _drop(part: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(part)
