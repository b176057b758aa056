"""Change the beginning of the paths in ``wav.scp``; every other byte of the file stays as it is."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pathbench.errors import InputError
from pathbench.folders import folders_with
from pathbench.roots import begins, moved
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
        Each once: in the order of the roots, sorted below each; links are followed.

    Raises
    ------
    InputError
        If a root is no folder, has none, or holds a folder that cannot be read.
    """
    found: dict[str, None] = {}
    for root in roots:
        if not os.path.isdir(root):
            what = "is no folder" if os.path.exists(root) else "there is no such folder"
            raise InputError(f"{root}: {what}; fix: name a folder with wav.scp")
        below = folders_with(root, "wav.scp")
        if not below:
            raise InputError(f"{root}: there is no wav.scp in it or below it; fix: name the folder of a dataset")
        found.update(dict.fromkeys(below))
    return list(found)


def repoint(path: str, old: str, new: str, *, dry_run: bool = False, backup: bool = True) -> Repointed:
    """Replace the beginning of paths, by whole folders: ``/data/a`` is no beginning of ``/data/ab/x.wav``.

    What begins with the new beginning already stays as it is, also where the new one lies in the old one: doing it
    twice is doing it once.

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
        If a beginning cannot be one, the file is compressed, or it or its backup cannot be written.
    speechio.SpeechioError
        If the file cannot be read, or is no ``wav.scp``.
    """
    _check_beginnings(old, new)
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
        location = os.fsdecode(parts[2])
        what = _kind(location, old, new)
        counts[what] += 1
        if what == "changed":
            changed = moved(location, old, new)
            lines[i] = parts[1] + os.fsencode(changed) + parts[3] + line[len(line.removesuffix(b"\r")) :]
            example = example or (location, changed)
    if counts["changed"] and not dry_run:
        _replace(path, b"\n".join(lines), backup=backup)
    return Repointed(path, counts["changed"], counts["already"], counts["other"], example)


def _check_beginnings(old: str, new: str) -> None:
    for prefix in (old, new):
        if not prefix or any(sign in prefix for sign in "\n\r\0"):
            raise InputError(f"{prefix!r} is no beginning of a path; fix: give a folder")
    if new != new.strip():
        raise InputError(f"{new!r} begins or ends with a blank, which a table loses; fix: give a folder without")
    if new.endswith("|"):
        raise InputError(f"{new!r} ends with '|', which makes a command of a path; fix: give a folder")


def _kind(location: str, old: str, new: str) -> Literal["changed", "already", "other"]:
    """Tell what becomes of a path."""
    if location.endswith("|"):
        return "other"
    if begins(new, old) and begins(location, new):
        return "already"
    if begins(location, old):
        return "changed"
    return "already" if begins(location, new) else "other"


def _replace(path: str, data: bytes, *, backup: bool) -> None:
    """Put other content in the place of a file, whole or not at all; mode and links stay."""
    target = os.path.realpath(path)
    part = f"{target}.{os.getpid()}.part"
    try:
        if backup:
            _keep(target, part)
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


def _keep(target: str, part: str) -> None:
    """Keep a file as it is beside itself, unless that was done before."""
    kept = f"{target}.bak"
    if os.path.isfile(kept):
        return
    if os.path.lexists(kept):
        raise InputError(f"{kept}: is no file, so there is no backup; fix: remove it, or choose --no-backup")
    shutil.copy2(target, part)
    os.rename(part, kept)  # whole or not at all
