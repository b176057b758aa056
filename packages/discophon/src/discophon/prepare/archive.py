"""Check an archive against its digest and unpack it safely."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import tarfile
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from discophon.errors import DatasetError
from discophon.prepare.errors import ArchiveError
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int], None]

__all__ = ["DAMAGES", "PACKED", "SHA256", "check_digest", "unpack"]

PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
"""How packed archives begin: those of gzip, bzip2 and xz."""

SHA256 = re.compile("[0-9A-Fa-f]{64}")
"""What a digest looks like."""

_PIECE = 1 << 20
_UNPACKING = ".unpacking-"

DAMAGES: tuple[type[Exception], ...] = (tarfile.TarError, EOFError, zlib.error, ValueError, LookupError, OSError)
with suppress(ImportError):  # a Python built without it does not read what it reads
    from lzma import LZMAError

    DAMAGES = (*DAMAGES, LZMAError)
"""What reading a damaged archive raises."""


def check_digest(path: str, sha256: str, *, progress: Progress | None = None) -> None:
    """Compare the digest of an archive; delete the archive if it is another one.

    Parameters
    ----------
    path : str
        The archive.
    sha256 : str
        Its SHA-256, in hexadecimal digits.
    progress : callable, optional
        Called with the bytes that are read and those of the archive.

    Raises
    ------
    ArchiveError
        If the digest differs.
    """
    digest, done, size = hashlib.sha256(), 0, os.path.getsize(path)
    with open(path, "rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            done += len(piece)
            if progress is not None:
                progress(done, size)
    if digest.hexdigest() != sha256.lower():
        os.unlink(path)
        raise ArchiveError(
            f"{path}: its SHA-256 is {digest.hexdigest()}, not {sha256.lower()}: the archive is damaged or another"
            " one; it is deleted, fetch it again"
        )


def unpack(path: str, folder: str, *, prefix: str) -> None:
    """Unpack an archive all of whose members sit under one folder, without that folder.

    Parameters
    ----------
    path : str
        The archive.
    folder : str
        Where to put what is in it; other things there stay. Nothing is put there before all is unpacked.
    prefix : str
        Name of the folder in the archive.

    Raises
    ------
    ArchiveError
        If a member sits elsewhere, would land outside the folder, is a device, or if the archive is damaged.
    DatasetError
        If something cannot be written.

    Notes
    -----
    The members go through the ``data`` filter of `tarfile`. A folder that is a link to one elsewhere, such as on
    another disk, is filled there. One process at a time may do this, and what a killed one has left is removed.
    """
    if not hasattr(tarfile, "data_filter"):
        raise ArchiveError(f"{path}: this Python cannot unpack it safely; use Python 3.11.4 or newer")
    place = os.path.join(folder, f"{_UNPACKING}{os.getpid()}")
    try:
        for name in os.listdir(folder):
            if name.startswith(_UNPACKING):
                shutil.rmtree(os.path.join(folder, name))
        os.makedirs(place)
        with tarfile.open(path, "r:*") as archive:
            archive.extractall(place, filter=_Stripped(path, prefix))  # noqa: S202 - the filter is strict
        _refuse_conflicts(place, folder)
        _merge(place, folder)
    except DAMAGES as error:
        if isinstance(error, ArchiveError):
            raise
        if not isinstance(error, OSError) or error.errno is None:  # not of the system, but of a library
            why = "a link in it leads to a file that it lacks" if isinstance(error, KeyError) else said(error)
            raise ArchiveError(f"{path}: cannot be unpacked: {why}") from error
        what = f"{error.filename2 or error.filename or folder}: cannot be written: {error.strerror or error}"
        raise DatasetError(f"{what}; the archive is kept, mend this and run it again") from error
    finally:
        shutil.rmtree(place, ignore_errors=True)


class _Stripped:
    """Filter of members: removes the prefix, then does what ``data`` does."""

    def __init__(self, path: str, prefix: str) -> None:
        self.path = path
        self.prefix = prefix

    def __call__(self, member: tarfile.TarInfo, place: str) -> tarfile.TarInfo | None:
        name = self._strip(member.name)
        if not name:
            return None
        linkname = self._strip(member.linkname) if member.islnk() else member.linkname
        return tarfile.data_filter(member.replace(name=name, linkname=linkname), place)

    def _strip(self, name: str) -> str:
        parts = [part for part in name.split("/") if part != "."]
        if parts[:1] != [self.prefix] or ".." in parts:
            raise ArchiveError(f"{self.path}: the member {name!r} is not under {self.prefix}/; it is another archive")
        return "/".join(parts[1:])


def _refuse_conflicts(source: str, target: str) -> None:
    """Find a folder in the place of a file, or the reverse, before anything is moved."""
    with os.scandir(source) as entries:
        for entry in entries:
            place = os.path.join(target, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if os.path.isdir(place):
                    _refuse_conflicts(entry.path, place)
                elif os.path.lexists(place):
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), place)
            elif os.path.isdir(place) and not os.path.islink(place):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), place)


def _merge(source: str, target: str) -> None:
    """Move what is in a folder into another; folders that are there already are filled, files replaced."""
    with os.scandir(source) as entries:
        for entry in entries:
            place = os.path.join(target, entry.name)
            if entry.is_dir(follow_symlinks=False) and os.path.isdir(place):
                _merge(entry.path, place)
            else:
                _move(entry, place)


def _move(entry: os.DirEntry[str], place: str) -> None:
    """Move one thing; to another disk it is copied, and a file appears under its name when it is complete."""
    try:
        os.replace(entry.path, place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if entry.is_dir(follow_symlinks=False):
            os.mkdir(place)
            _merge(entry.path, place)
            return
        part = f"{place}.{os.getpid()}.part"
        try:
            shutil.copy2(entry.path, part, follow_symlinks=False)
            os.replace(part, place)
        finally:
            if os.path.lexists(part):
                os.unlink(part)
