"""Where the recordings of a data set are: its own paths, or others that the user has put in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["DataRoot", "parse_data_root", "resolve"]

DataRoot = os.PathLike[str] | str | Mapping[str, str]
"""A folder, or beginnings of paths and what they are replaced by."""


def parse_data_root(text: str) -> DataRoot:
    """Read where recordings are from an option.

    Parameters
    ----------
    text : str
        A folder, or ``OLD=NEW`` where a beginning of paths is to be replaced.

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
        The path.
    """
    if location.endswith("|"):
        return location
    if isinstance(data_root, Mapping):
        for old in sorted(data_root, key=len, reverse=True):
            if location.startswith(old):
                location = data_root[old] + location[len(old) :]
                break
    elif data_root is not None:
        return os.path.join(data_root, location)
    if not os.path.isabs(location) and not os.path.exists(location):
        beside = os.path.join(folder, location)
        if os.path.exists(beside):
            return beside
    return location
