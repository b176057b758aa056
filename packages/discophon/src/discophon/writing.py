"""Writing files that are no lines of text: whole or not at all, and always to what the name stands for."""

from __future__ import annotations

import os
import stat
import sys

from speechio.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    Data = bytes | memoryview

__all__ = ["write_bytes"]


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
    try:
        if name == "-":
            _to_stdout(data)
            return
        target = os.path.realpath(name)
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
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


def _replace(target: str, data: Data) -> None:
    """Let a file appear under its name only when it is complete; the mode of the one before stays."""
    folder, base = os.path.split(target)
    part = os.path.join(folder, f".{base}.{os.getpid()}.part")
    try:
        with open(part, "wb") as stream:
            stream.write(data)
        if os.path.exists(target):
            os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(part, target)
    finally:
        if os.path.exists(part):
            os.unlink(part)
