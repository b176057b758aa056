"""``wav.scp``: where the sound of each recording is; pipes are recognised and never run while reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Literal

from speechio.errors import InputError, Report, UsageError
from speechio.scp import Table, TableParser
from speechio.text import StrPath, display_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["WAV_SCP", "WavLocation", "iter_wav_scp", "open_wav", "read_wav_scp", "write_wav_scp"]

_ARCHIVE = re.compile(r"(.+):([0-9]+)(\[[0-9]+:[0-9]+(?:,[0-9]+:[0-9]+)?\])?")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class WavLocation:
    """Where the sound of a recording is.

    Attributes
    ----------
    id : str
        Recording.
    kind : {"path", "pipe", "ark", "stdin"}
        A file (or URL), the output of a command, a place in an archive, or standard input.
    path : str or None
        File or archive.
    command : str or None
        Command of a pipe, without the ``|``.
    offset : int or None
        Byte in the archive.
    range : str or None
        Rows, and columns, of the archive's matrix, such as ``[0:9]``.
    """

    id: str
    kind: Literal["path", "pipe", "ark", "stdin"]
    path: str | None = None
    command: str | None = None
    offset: int | None = None
    range: str | None = None

    @property
    def location(self) -> str:
        """The location as it stands in the file."""
        if self.kind == "stdin":
            return "-"
        if self.kind == "pipe":
            return f"{self.command} |"
        return self.path or "" if self.kind == "path" else f"{self.path}:{self.offset}{self.range or ''}"


def _parse(report: Report, key: str, rest: str) -> WavLocation:
    if not rest:
        report.error("S005", f"the location of {key} is empty", "give a path or a command after the ID")
    elif rest.startswith("~"):
        fix = "write the whole path; no reader expands the tilde"
        report.error("K021", f"the location of {key} begins with ~: {rest}", fix)
    elif rest.startswith("|"):
        fix = "the bar belongs at the end: COMMAND |"
        report.error("K022", f"the location of {key} is a pipe to write to: {rest}", fix)
    if rest.endswith("|"):
        command = rest[:-1].strip(" \t")
        if command and " " not in command and "\t" not in command:
            what = f"the location of {key}, {rest!r}, is a command of one word: a path with a stray |?"
            report.warning("K142", what, "remove the | if it is a path; with it, tools run the file as a program")
        return WavLocation(key, "pipe", command=command)
    if rest == "-":
        return WavLocation(key, "stdin")
    archive = None if _URL.match(rest) else _ARCHIVE.fullmatch(rest)
    if archive is not None and len(archive[2]) <= 18:
        return WavLocation(key, "ark", archive[1], offset=int(archive[2]), range=archive[3])
    return WavLocation(key, "path", rest)


_WAY_OUT = {
    "pipe": "remove the | at the end, or make it a pipe",
    "ark": "rename the file, so that it does not end in a colon and digits, or make it a place in an archive",
    "stdin": "write ./- for a file of that name",
}


def _form(value: WavLocation) -> str:
    """Give the location as it is written; it must read back as the same kind and parts."""
    text = value.location
    if text and not text.startswith(("~", "|")):  # these have words of their own, in `_parse`
        back = _parse(Report(""), value.id, text.strip(" \t"))
        if back.kind != value.kind:
            way_out = _WAY_OUT.get(back.kind, "look at its parts")
            raise ValueError(
                f"the location of {value.id}, {text!r}, is of kind {value.kind} and would read back as {back.kind}; "
                f"{way_out}"
            )
        for name in ("path", "command", "offset", "range"):
            given, read = getattr(value, name), getattr(back, name)
            if given != read:
                raise ValueError(
                    f"the location of {value.id} has the {name} {given!r}, which would read back as {read!r}"
                )
    return text


WAV_SCP: Table[WavLocation] = Table("wav.scp", _parse, _form)
"""What ``wav.scp`` is like."""


def iter_wav_scp(path: StrPath, *, encoding: str | None = None) -> Iterator[WavLocation]:
    """Read a ``wav.scp`` file location by location; nothing is run or opened.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    WavLocation
        In the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    for _, _, value in TableParser(WAV_SCP, Report(display_name(path))).rows(path, encoding):
        yield value


def read_wav_scp(path: StrPath, *, encoding: str | None = None) -> dict[str, WavLocation]:
    """Read a whole ``wav.scp`` file; nothing is run or opened.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    dict of str to WavLocation
        Location of each recording, in the order of the file.

    Raises
    ------
    FormatError
        At the first line that is wrong.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    return WAV_SCP.read(path, encoding=encoding)


def write_wav_scp(
    path: StrPath, records: Mapping[str, WavLocation] | Iterable[WavLocation], *, sort: bool = False
) -> None:
    """Write a ``wav.scp`` file.

    Parameters
    ----------
    path : path-like or str
        File; written under another name first, then renamed. ``-`` is standard output.
    records : mapping or iterable of WavLocation
        Locations, each with its ID.
    sort : bool, default False
        Sort by ID as the C locale does.

    Raises
    ------
    WriteError
        If a location would not read back.
    InputError
        If the file cannot be written.
    """
    from collections.abc import Mapping

    values = records.values() if isinstance(records, Mapping) else records
    WAV_SCP.write(path, ((value.id, value) for value in values), sort=sort)


def open_wav(location: WavLocation, *, allow_pipes: bool = False) -> IO[bytes]:
    """Open the bytes that a location names.

    Parameters
    ----------
    location : WavLocation
        A location; that of an archive is opened at its offset.
    allow_pipes : bool, default False
        Run the command of a pipe, in a shell. Say yes only to files that you trust.

    Returns
    -------
    binary file
        To be closed by the caller; standard input is the process's own.

    Raises
    ------
    UsageError
        If the location is a pipe and `allow_pipes` is false.
    InputError
        If the file cannot be opened, or the command fails.
    """
    if location.kind == "pipe":
        if not allow_pipes:
            raise UsageError(f"{location.id} is a command, {location.command!r}; allow_pipes=True would run it")
        return _run(location)
    if location.kind == "stdin":
        import sys

        return sys.stdin.buffer
    path = location.path or ""
    try:
        stream = open(path, "rb")  # noqa: SIM115 (the caller closes it)
        stream.seek(location.offset or 0)
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot be opened: {error}") from error
    return stream


def _run(location: WavLocation) -> IO[bytes]:
    """Run the command of a pipe and give its output."""
    import io
    import subprocess

    command = location.command or ""
    done = subprocess.run(command, shell=True, capture_output=True, check=False)  # noqa: S602 (allow_pipes)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise InputError(location.id, f"the command {command!r} failed with status {done.returncode}: {said}")
    return io.BytesIO(done.stdout)
