"""What identifies the audio behind a score: SHA-256 of files, each computed once as long as a file does not change."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathbench.store import Store

__all__ = ["Hashes", "file_hash", "hash_of_all"]

_REMEMBERED_AT_ONCE = 256
_UNREADABLE = "unreadable: "


class _State(NamedTuple):
    """What tells that a file has changed, without reading it."""

    size: int
    mtime_ns: int
    inode: int


def file_hash(path: str) -> str:
    """Hash the bytes of a file.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    str
        SHA-256 in hexadecimal.

    Raises
    ------
    OSError, ValueError
        If it cannot be read.
    """
    if not os.path.isfile(path):  # a pipe or a device is not read here: it may never end
        raise FileNotFoundError(path)
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def hash_of_all(*parts: object) -> str:
    """Hash values that JSON can hold.

    Parameters
    ----------
    *parts : object
        The values.

    Returns
    -------
    str
        SHA-256 in hexadecimal.
    """
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


class Hashes:
    """Hashes of files, from the store where it knows them.

    Parameters
    ----------
    store : Store
        Remembers hashes from run to run.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[str, _State | None]] = {}
        self._new: list[tuple[str, int, int, str]] = []

    def __getitem__(self, path: str) -> str:
        """Give the SHA-256 of a file; if it cannot be read, why not."""
        if path not in self._known:
            self._known[path] = self._look(path)
        return self._known[path][0]

    def _look(self, path: str) -> tuple[str, _State | None]:
        """Hash a file, and say what it was like before: if it is replaced meanwhile, `has_changed` tells."""
        try:
            status = os.stat(path)
            found = self._store.hash_of(path) or self._hash(path, status)
        except (OSError, ValueError) as error:
            what = "a folder" if os.path.isdir(path) else "there" if os.path.exists(path) else "not there"
            return f"{_UNREADABLE}{path}: {what}, {type(error).__name__}", None
        return found, _State(status.st_size, status.st_mtime_ns, status.st_ino)

    def _hash(self, path: str, status: os.stat_result) -> str:
        found = file_hash(path)
        self._new.append((path, status.st_size, status.st_mtime_ns, found))
        if len(self._new) >= _REMEMBERED_AT_ONCE:
            self.flush()
        return found

    def has_changed(self, path: str) -> bool:
        """Tell whether a file is another one than when it was hashed; if so, it is hashed again when it is asked for.

        Parameters
        ----------
        path : str
            The file.

        Returns
        -------
        bool
            Whether what was computed from it meanwhile may be that of either.
        """
        if path not in self._known:
            return False
        found, state = self._known[path]
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            now = None
        else:
            now = _State(status.st_size, status.st_mtime_ns, status.st_ino)
        if now == state if state is not None else self._look(path)[0] == found:
            return False
        del self._known[path]
        return True

    def readable(self, path: str) -> bool:
        """Tell whether a file could be read when it was hashed."""
        return not self[path].startswith(_UNREADABLE)

    def flush(self) -> None:
        """Let the store remember what was hashed."""
        self._store.remember(self._new)
        self._new.clear()

    def of_places(self, places: Iterable[tuple[object, float, float]]) -> list[tuple[str, float, float]]:
        """Replace the paths of recordings by their hashes.

        Parameters
        ----------
        places : iterable of (path, start, end)
            Recordings or parts of them.

        Returns
        -------
        list of (str, float, float)
            Hash, start and end of each.
        """
        return [(self[str(path)], start, end) for path, start, end in places]
