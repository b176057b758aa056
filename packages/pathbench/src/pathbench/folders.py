"""The folders of a tree, each once: links are followed, and a circle of links comes to an end."""

from __future__ import annotations

import errno
import logging
import os
from typing import TYPE_CHECKING

from pathbench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["folders_with"]

log = logging.getLogger(__name__)


def folders_with(root: str, name: str) -> list[str]:
    """Find the folders at or below a root that have a file of a name.

    Parameters
    ----------
    root : str
        A folder.
    name : str
        Name of the file.

    Returns
    -------
    list of str
        The folders, sorted. One that can be reached in several ways is listed once, under its own name rather than
        that of a link.

    Raises
    ------
    InputError
        If the root or a folder below it cannot be read: nothing is passed over in silence.
    """
    seen: set[tuple[int, int]] = set()
    links: list[str] = []
    found = list(_walk(root, name, seen, links))
    while links:
        waiting, links = sorted(links), []
        for link in waiting:
            if _identity(link) in seen:
                log.warning("%s: links to a folder that is looked through already; it is left out", link)
            else:
                found += _walk(link, name, seen, links)
    return sorted(found)


def _walk(top: str, name: str, seen: set[tuple[int, int]], links: list[str]) -> Iterator[str]:
    """Give folders with the file; links to folders are put aside, so that folders are met by their own names first."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            seen.add(_identity(folder))
            with os.scandir(folder) as entries:
                for entry in entries:
                    if _is_folder(entry):
                        (links if entry.is_symlink() else waiting).append(entry.path)
                    elif entry.name == name:
                        yield folder
        except OSError as error:
            where, why = error.filename or folder, error.strerror or error
            raise InputError(f"{where}: cannot be read: {why}; fix: let it be read, or name other folders") from error


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link to itself leads nowhere
            return False
        raise


def _identity(folder: str) -> tuple[int, int]:
    status = os.stat(folder)
    return status.st_dev, status.st_ino
