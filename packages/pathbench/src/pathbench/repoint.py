"""Change the beginning of the paths in ``wav.scp``; every other byte of the file stays as it is."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathbench.errors import InputError
from speechio.wav_scp import read_wav_scp

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Repointed", "find_datasets", "repoint"]

_LINE = re.compile(rb"([ \t]*[^ \t\r\n]+[ \t]+)([^\r\n]*?)([ \t]*)")


@dataclass(frozen=True, slots=True)
class Repointed:
    """What was, or would be, changed in a file.

    Attributes
    ----------
    path : str
        The ``wav.scp``.
    n_changed, n_already, n_other : int
        Paths that were changed, that begin with the new beginning already, and all others (pipes too).
    example : (str, str) or None
        The first path that changes, before and after.
    """

    path: str
    n_changed: int
    n_already: int
    n_other: int
    example: tuple[str, str] | None


def find_datasets(roots: Sequence[str]) -> list[str]:
    """Find the folders with a ``wav.scp`` at or below some roots.

    Parameters
    ----------
    roots : sequence of str
        Folders.

    Returns
    -------
    list of str
        Each once: in the order of the roots, sorted below each.

    Raises
    ------
    InputError
        If a root is no folder, or has none.
    """
    found: dict[str, None] = {}
    for root in roots:
        if not os.path.isdir(root):
            what = "is no folder" if os.path.exists(root) else "there is no such folder"
            raise InputError(f"{root}: {what}; fix: name a folder with wav.scp")
        below = sorted(folder for folder, _, files in os.walk(root) if "wav.scp" in files)
        if not below:
            raise InputError(f"{root}: there is no wav.scp in it or below it; fix: name the folder of a dataset")
        found.update(dict.fromkeys(below))
    return list(found)


def repoint(path: str, old: str, new: str, *, dry_run: bool = False, backup: bool = True) -> Repointed:
    """Replace the beginning of paths, by whole folders: ``/data/a`` is no beginning of ``/data/ab/x.wav``.

    Parameters
    ----------
    path : str
        A ``wav.scp``.
    old, new : str
        The beginning to replace, and what takes its place; a ``/`` at the end does not matter.
    dry_run : bool, default False
        Change nothing.
    backup : bool, default True
        Keep the file as it was under ``wav.scp.bak``; one that is there already is never written over.

    Returns
    -------
    Repointed
        What changed.

    Raises
    ------
    InputError
        If a beginning is empty, the file is compressed, or it cannot be written.
    speechio.SpeechioError
        If the file cannot be read, or is no ``wav.scp``.
    """
    before, after = _beginning(old), _beginning(new)
    read_wav_scp(path)  # nothing is changed in a file that is wrong
    with open(path, "rb") as stream:
        data = stream.read()
    if data.startswith(b"\x1f\x8b"):
        raise InputError(f"{path}: is compressed; fix: decompress it first")
    lines = data.split(b"\n")
    counts = {"changed": 0, "already": 0, "other": 0}
    example = None
    for i, line in enumerate(lines):
        parts = _LINE.fullmatch(line.removesuffix(b"\r"))
        if parts is None:
            continue
        location = parts[2]
        if location.endswith(b"|"):
            counts["other"] += 1
        elif _begins(location, before):
            changed = _joined(after, location[len(before) :])
            lines[i] = parts[1] + changed + parts[3] + line[len(line.removesuffix(b"\r")) :]
            example = example or (_text(location), _text(changed))
            counts["changed"] += 1
        else:
            counts["already" if _begins(location, after) else "other"] += 1
    if counts["changed"] and not dry_run:
        _replace(path, b"\n".join(lines), backup=backup)
    return Repointed(path, counts["changed"], counts["already"], counts["other"], example)


def _beginning(prefix: str) -> bytes:
    if not prefix or "\n" in prefix or "\r" in prefix or "\0" in prefix:
        raise InputError(f"{prefix!r} is no beginning of a path; fix: give a folder")
    return os.fsencode(prefix.rstrip("/") if prefix.strip("/") else "/")


def _begins(location: bytes, prefix: bytes) -> bool:
    return location == prefix or location.startswith(prefix if prefix == b"/" else prefix + b"/")


def _joined(prefix: bytes, rest: bytes) -> bytes:
    if not rest:
        return prefix
    return prefix.rstrip(b"/") + b"/" + rest.lstrip(b"/")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _replace(path: str, data: bytes, *, backup: bool) -> None:
    """Put other content in the place of a file, whole or not at all; mode and links stay."""
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}.part"
    try:
        if backup and not os.path.exists(f"{target}.bak"):
            shutil.copy2(target, f"{target}.bak")
        with open(part, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(target, part)
        os.replace(part, target)
    except OSError as error:
        what = error.strerror or error
        raise InputError(f"{path}: cannot be written: {what}; fix: make room, or let it be written") from error
    finally:
        if os.path.exists(part):
            os.unlink(part)
