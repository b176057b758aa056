"""What identifies the audio behind a score: SHA-256 of files, each computed once as long as a file does not change."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pathbench.store import Store

__all__ = ["Hashes", "file_hash", "hash_of_all"]

_REMEMBERED_AT_ONCE = 256


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
        self._known: dict[str, str] = {}
        self._new: list[tuple[str, int, int, str]] = []

    def __getitem__(self, path: str) -> str:
        """Give the SHA-256 of a file; empty if it cannot be read."""
        if path not in self._known:
            self._known[path] = self._store.hash_of(path) or self._hash(path)
        return self._known[path]

    def _hash(self, path: str) -> str:
        try:
            before = os.stat(path)
            found = file_hash(path)
        except (OSError, ValueError):
            return ""
        self._new.append((path, before.st_size, before.st_mtime_ns, found))
        if len(self._new) >= _REMEMBERED_AT_ONCE:
            self.flush()
        return found

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
