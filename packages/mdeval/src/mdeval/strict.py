"""Read RTTM and UEM by the rules of their formats: the first fault ends the run, with file, line, cause and remedy."""

from __future__ import annotations

from itertools import pairwise

from mdeval.errors import InputError
from mdeval.nist import MOST_SECONDS, ascii_lower, uem_file_id
from mdeval.recording import Uem, record
from mdeval.sources import is_read_once, read_bytes
from mdeval.zones import WORD
from speechio.rttm import read_rttm as read_rttm_table
from speechio.uem import read_uem as read_uem_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdeval.side import Side
    from speechio.rttm import RttmTable
    from speechio.uem import UemRecord

__all__ = ["read_rttm", "read_uem"]

_MISSING = "<NA>"
_SPLITS = frozenset("\v\f")
"""Characters at which md-eval splits a line and the format does not."""


def read_rttm(path: str, side: Side) -> None:
    """Add the records of one RTTM file to a side.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    side : Side
        Where the records go.

    Raises
    ------
    speechio.SpeechioError
        At the first fault of the file.
    InputError
        If an earlier file gave a speaker's type already.
    """
    add_table(read_rttm_table(path), path, side)


def add_table(table: RttmTable, path: str, side: Side) -> None:
    """Add the records of a table to a side.

    Parameters
    ----------
    table : speechio.RttmTable
        The records.
    path : str
        Where they came from, for messages.
    side : Side
        Where they go.

    Raises
    ------
    InputError
        If an earlier file gave a speaker's type already.
    """
    for column in (table.file, table.channel, table.speaker):
        for value in column.values:
            if value and not _SPLITS.isdisjoint(value):
                row = table.line[column.codes.index(column.values.index(value))]
                raise InputError(
                    f"{path}:{row}: the name {value!r} holds a control character that md-eval takes for a blank;"
                    " remove it"
                )
    channels = [ascii_lower(value or _MISSING) for value in table.channel.values]
    files = [value or _MISSING for value in table.file.values]
    rows = zip(
        (table.type.values[code] for code in table.type.codes),
        table.file.codes,
        table.channel.codes,
        table.onset,
        table.duration,
        table.ortho,
        table.subtype,
        table.speaker,
        table.line,
        strict=True,
    )
    for kind, file_code, channel_code, onset, duration, ortho, subtype, speaker, line in rows:
        key = (files[file_code], channels[channel_code])
        if kind == "SPKR-INFO":
            if not side.add_type(key, speaker or _MISSING, subtype or ""):
                raise InputError(
                    f"{path}:{line}: a second SPKR-INFO for speaker {speaker} of file {key[0]}; keep one, and put it"
                    " into the same file as the speaker's turns or an earlier one"
                )
            continue
        if max(onset, duration) > MOST_SECONDS:
            raise InputError(f"{path}:{line}: {onset:g} and {duration:g} are no times in a recording, in seconds")
        lasts = 0.0 if duration != duration else duration
        name = ascii_lower(ortho or _MISSING) if kind == WORD else speaker or _MISSING
        side.add(key, record(onset, lasts, kind or "", name))
    side.end_of_file()


def read_uem(path: str, *, keep_directory: bool = False) -> Uem:
    """Read a UEM file.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    keep_directory : bool, default False
        Keep the directory part of file names.

    Returns
    -------
    Uem
        Regions of each file and channel. File names lose directory and first suffix, as in md-eval.

    Raises
    ------
    speechio.SpeechioError
        At the first fault of the file.
    InputError
        If regions overlap once the names have lost their suffixes.
    """
    table = read_uem_table(path)
    if not is_read_once(path):
        _refuse_exponents(path)
    return uem_from_table(table, path, keep_directory=keep_directory)


def _refuse_exponents(path: str) -> None:
    """Refuse times like ``1e1``: right by the format, but md-eval drops the letter and reads 11."""
    for number, line in enumerate(read_bytes(path, "uem file").split(b"\n"), start=1):
        fields = line.split()
        if len(fields) == 4 and not line.lstrip().startswith((b";", b"#")) and b"e" in (fields[2] + fields[3]).lower():
            raise InputError(f"{path}:{number}: a time with an exponent, which md-eval misreads; write it as a decimal")


def uem_from_table(table: Iterable[UemRecord[float]], path: str = "", *, keep_directory: bool = False) -> Uem:
    """Make regions to evaluate of UEM records; the rest as `read_uem`."""
    uem = Uem(path)
    for region in table:
        key = (uem_file_id(region.file, keep_directory=keep_directory), ascii_lower(region.channel))
        uem.written.setdefault(key, (region.file, region.channel))
        uem.setdefault(key, []).append((region.start, region.end))
    for (file_id, channel), some in uem.items():
        some.sort()
        for before, after in pairwise(some):
            if after[0] < before[1]:
                raise InputError(
                    f"{path or 'UEM'}: regions of {file_id}, channel {channel} overlap: {before[0]:g} to {before[1]:g}"
                    f" and {after[0]:g} to {after[1]:g} (names lose their directory and first suffix, as in md-eval)"
                )
    return uem
