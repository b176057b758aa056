"""Where the recordings of a data set are: its own paths, or others that the user has put in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pathbench.errors import UsageError

__all__ = ["DataRoot", "begins", "moved", "parse_data_root", "resolve"]

DataRoot = os.PathLike[str] | str | Mapping[str, str]
"""A folder, or beginnings of paths and what they are replaced by."""


def parse_data_root(text: str) -> DataRoot:
    """Read where recordings are from an option.

    Parameters
    ----------
    text : str
        A folder, or ``OLD=NEW`` where a beginning of paths, whole folders, is to be replaced.

    Returns
    -------
    str or dict
        What `Dataset` takes as `data_root`.

    Examples
    --------
    >>> parse_data_root("/home/author=/data")
    {'/home/author': '/data'}
    """
    old, sign, new = text.partition("=")
    return {old: new} if sign and old and new and not os.path.isdir(text) else text


def begins(path: str, beginning: str) -> bool:
    """Tell whether a path begins with a folder: ``/data/a`` is no beginning of ``/data/ab/x.wav``.

    Parameters
    ----------
    path, beginning : str
        The path and the folder; a ``/`` at the end of the folder does not matter.

    Returns
    -------
    bool
        Whether the path is the folder, or is in it.

    Examples
    --------
    >>> begins("/data/a/x.wav", "/data/a/"), begins("/data/ab/x.wav", "/data/a")
    (True, False)
    """
    beginning = beginning.rstrip("/")
    return path.rstrip("/") == beginning or path.startswith(f"{beginning}/")


def moved(path: str, old: str, new: str) -> str:
    """Replace the folder that a path begins with.

    Parameters
    ----------
    path : str
        A path that begins with `old`.
    old, new : str
        The folder, and the one that takes its place.

    Returns
    -------
    str
        The path.

    Examples
    --------
    >>> moved("/home/x/a/b.wav", "/home/x", "/data/"), moved("/home/x", "/home/x/", "/data/")
    ('/data/a/b.wav', '/data')
    """
    folder = new.rstrip("/")
    rest = path[len(old.rstrip("/")) :].lstrip("/")
    return f"{folder}/{rest}" if rest else folder or "/"


def resolve(location: str, folder: str, data_root: DataRoot | None = None) -> str:
    """Say where a recording is.

    Parameters
    ----------
    location : str
        Location in ``wav.scp``; that of a command stays as it is.
    folder : str
        Folder of ``wav.scp``.
    data_root : path-like, str or mapping, optional
        As in `pathbench.dataset.Dataset`.

    Returns
    -------
    str
        The path. That of a recording that is nowhere begins with the folder, so that messages tell whose it is.
    """
    if location.endswith("|"):
        return location
    if isinstance(data_root, Mapping):
        if "" in data_root:
            raise UsageError("data_root has an empty beginning; fix: give whole folders")
        for old in sorted(data_root, key=lambda folder: len(folder.rstrip("/")), reverse=True):
            if begins(location, old):
                location = moved(location, old, data_root[old])
                break
    elif data_root is not None:
        return os.path.join(data_root, location)
    if os.path.isabs(location) or os.path.exists(location):
        return location
    return os.path.join(folder, location)
