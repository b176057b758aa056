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

__all__ = ["FULL", "replacing", "write_all", "write_bytes"]

FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says where there is no room."""


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
    if name == "-":
        with _told(name):
            _to_stdout(data)
    elif os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        with _told(name), open(name, "wb") as stream:
            stream.write(data)
    else:
        with replacing(name) as stream:
            stream.write(data)


@contextmanager
def replacing(name: str) -> Iterator[IO[bytes]]:
    """Open the part that takes the place of a file when it is whole; after a fault the file is as it was before.

    Parameters
    ----------
    name : str
        The file. A link is followed.

    Yields
    ------
    binary stream
        Write what the file shall hold.

    Raises
    ------
    speechio.InputError
        If the file cannot be written.
    """
    with _told(name), ExitStack() as ends:
        target = os.path.realpath(name)
        part = _part_of(target, ends)
        with open(part, "wb") as stream:
            yield stream
        _put(part, target)


def write_all(files: Mapping[str, Data]) -> None:
    """Write several files; before the first one changes, all are complete beside their places.

    Parameters
    ----------
    files : mapping of str to bytes or memoryview
        What each file shall hold. Links are followed.

    Raises
    ------
    speechio.InputError
        If a file cannot be written, or two names lead to one file. The message names the files that are changed by
        then: none, unless the system lets one be made beside its place and not put there.
    """
    name_of: dict[str, str] = {}
    parts: dict[str, str] = {}
    with ExitStack() as ends:
        for name, data in files.items():
            with _told(name):
                target = os.path.realpath(name)
                if target in name_of:
                    fix = "leave one of them out, or take the link away"
                    raise InputError(name, f"leads to the same file as {name_of[target]}", fix)
                parts[target] = _part_of(target, ends)
                name_of[target] = name
                with open(parts[target], "wb") as stream:
                    stream.write(data)
        done: list[str] = []
        for target, part in parts.items():
            with _told(name_of[target], done):
                _put(part, target)
            done.append(name_of[target])


@contextmanager
def _told(name: str, done: list[str] | None = None) -> Iterator[None]:
    """Say which file cannot be written, and which ones are by then."""
    try:
        yield
    except (BrokenPipeError, InputError):
        raise
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        why, number = getattr(error, "strerror", None) or error, getattr(error, "errno", None)
        shown = "<stdout>" if name == "-" else name.replace("\0", "\\0")
        changed = f"; changed by then: {', '.join(done)}" if done else ""
        fix = "make room, or give another path" if number in FULL else "give another path"
        raise InputError(shown, f"cannot be written: {why}{changed}", fix, number) from error


def _to_stdout(data: Data) -> None:
    if sys.stdout is None:
        raise ValueError("it is closed")
    stream: IO[bytes] = sys.stdout.buffer
    sys.stdout.flush()
    stream.write(data)
    stream.flush()


def _part_of(target: str, ends: ExitStack) -> str:
    """Name the part that becomes a file; it is gone in the end."""
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    folder, base = os.path.split(target)
    part = os.path.join(folder, f".{base}.{os.getpid()}.part")
    ends.callback(_drop, part)
    return part


def _put(part: str, target: str) -> None:
    """Put a part into its place; the mode of the file before stays."""
    if os.path.exists(target):
        os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(part, target)


def _drop(part: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(part)
