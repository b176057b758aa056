"""From what stands on the command line to bytes: files, lists, directories, standard input, gzip."""

from __future__ import annotations

import os
import sys

from mdeval.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "LARGE_BYTES",
    "expand",
    "is_read_once",
    "read_blocks",
    "read_bytes",
    "read_list",
    "refuse_overwriting",
    "size_of",
]

_BLOCK = 1 << 20

LARGE_BYTES = 1_300_000
"""From this size of the RTTM files on, loading numpy pays."""


def read_bytes(path: str, what: str) -> bytes:
    """Read a whole file, unpacking gzip.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    what : str
        What it is, for md-eval's message.

    Returns
    -------
    bytes
        Its content.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as stream:
                data = stream.read()
        if data.startswith(b"\x1f\x8b"):
            import gzip
            import zlib

            try:
                data = gzip.decompress(data)
            except (EOFError, zlib.error) as error:
                raise InputError(f"{path}: damaged gzip file ({error}); make or fetch it again") from error
    except OSError as error:
        raise _unreadable(path, what, error) from error
    return data


def is_read_once(path: str) -> bool:
    """Tell whether what stands at a path is gone once it is read: standard input, a pipe, a device.

    Parameters
    ----------
    path : str
        Path of an input.

    Returns
    -------
    bool
        False for a regular file, and where there is nothing.
    """
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def read_blocks(path: str, what: str) -> Iterator[bytes]:
    """Read a file in blocks of bytes, as it is.

    Parameters
    ----------
    path : str
        The file.
    what : str
        What it is, for md-eval's message.

    Yields
    ------
    bytes
        The next block.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        with open(path, "rb") as stream:
            while block := stream.read(_BLOCK):
                yield block
    except OSError as error:
        raise _unreadable(path, what, error) from error


def size_of(paths: Iterable[str]) -> int:
    """Add up the sizes of files, in bytes; 0 if one cannot be looked at (whoever opens it will say why).

    Parameters
    ----------
    paths : iterable of str
        Files; standard input (``-``) counts as nothing.

    Returns
    -------
    int
        Bytes.
    """
    try:
        return sum(os.stat(path).st_size for path in paths if path != "-")
    except OSError:
        return 0


def refuse_overwriting(output: str, inputs: Iterable[str]) -> None:
    """Refuse to write where an input is read from.

    Parameters
    ----------
    output : str
        Path to be written; nothing if empty.
    inputs : iterable of str
        Paths that are read.

    Raises
    ------
    UsageError
        If the output is one of the inputs, under whatever name.
    """
    if not output or not os.path.isfile(output):
        return
    for path in inputs:
        if os.path.exists(path) and os.path.samefile(path, output):
            raise UsageError(f"{output}: is also an input ({path}) and would be lost; give another output file")


def expand(path: str) -> list[str]:
    """Give the RTTM files that a path stands for.

    Parameters
    ----------
    path : str
        A file, ``-``, or a directory, which means every ``.rttm`` file in it, in byte order.

    Returns
    -------
    list of str
        Paths of files.

    Raises
    ------
    InputError
        If a directory holds no ``.rttm`` file.
    """
    if path == "-" or not os.path.isdir(path):
        return [path]
    names = sorted(os.fsencode(name) for name in os.listdir(path) if name.endswith(".rttm"))
    if not names:
        raise InputError(f"{path}: no .rttm file in this directory; give the directory that holds them")
    return [os.path.join(path, os.fsdecode(name)) for name in names]


def read_list(path: str) -> list[str]:
    """Read a list of RTTM files.

    Parameters
    ----------
    path : str
        A file with one path per line; white space around a path does not count, a blank line is no path. A directory
        means every ``.rttm`` file in it.

    Returns
    -------
    list of str
        The paths.

    Raises
    ------
    InputError
        If the list, or a file it names, cannot be opened.
    """
    if path != "-" and os.path.isdir(path):
        return expand(path)
    lines = read_bytes(path, "file list").split(b"\n")
    if not lines[-1]:
        lines.pop()
    paths = []
    for number, line in enumerate(lines, start=1):
        name = os.fsdecode(line.strip())
        if not name:
            raise InputError(
                f"{path}:{number}: a blank line in a list of files; remove it",
                _lost_in_list(line, number),
            )
        if name != "-" and not os.path.exists(name):
            raise InputError(
                f"{path}:{number}: there is no file {name}; correct the path (it is taken from the current folder)",
                _lost_in_list(line, number),
            )
        paths.append(name)
    return paths


def _lost_in_list(line: bytes, number: int) -> str:
    """Write what Perl and md-eval say about a path of a list that cannot be opened."""
    return (
        f"Unsuccessful open on filename containing newline at md-eval.pl line 506, <LIST> line {number}.\n"
        f"\nCOMMAND LINE ERROR:  unable to open RTTM file '{os.fsdecode(line)}\n'\n"
    )


def _unreadable(path: str, what: str, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError(
        f"{path}: cannot be read: {reason}; give the path of a readable {what}",
        f"\nCOMMAND LINE ERROR:  unable to open {what} '{path}'\n",
    )
