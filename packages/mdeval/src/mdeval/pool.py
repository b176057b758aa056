"""Bring the files of one side together, and the two sides to recordings.

`read_side` takes the quick way where a file is ordinary, else the careful reader that the caller's mode asks for:
md-eval's forgiving one, or `speechio`'s strict one.
"""

from __future__ import annotations

from mdeval.plain import plain_records
from mdeval.recording import Recording, Uem
from mdeval.side import ANY_CHANNEL, Side
from mdeval.sources import is_read_once, read_blocks, read_bytes
from mdeval.zones import SPEAKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdeval.recording import Key
    from mdeval.zones import Region

__all__ = ["pair", "read_side", "read_uem", "without_channels"]


def read_side(paths: Sequence[str], *, strict: bool, large: bool = False) -> Side:
    """Read the RTTM files of one side into one pool.

    Parameters
    ----------
    paths : sequence of str
        Files, in order.
    strict : bool
        Read by the format's rules, stopping at the first fault; else as md-eval does.
    large : bool, default False
        Read turns into columns; worth it from some ten thousand turns on.

    Returns
    -------
    Side
        All their records.

    Raises
    ------
    InputError
        If a file cannot be read, or md-eval refuses it.
    speechio.SpeechioError
        With `strict`, at the first fault of a file.
    """
    side = Side()
    if large:
        from mdeval.columns import TableBuilder

        side.builder = TableBuilder()
    for path in paths:
        side.paths.append(path)
        if strict and is_read_once(path):
            _read_with_care(path, None, side, strict=True)
            continue
        data = None if large and not is_read_once(path) else read_bytes(path, "RTTM file")
        if not _read_quickly(path, data, side):
            _read_with_care(path, data, side, strict=strict)
    if side.builder:
        side.move_plain_recordings(side.builder)
    return side


def _read_quickly(path: str, data: bytes | None, side: Side) -> bool:
    """Read a file that is ordinary all through; False (and nothing added) if it is not."""
    if side.builder is None:
        records = plain_records(data or b"")
        if records is not None:
            side.merge(records)
        return records is not None
    added = side.builder.n_blocks
    rest = b""
    for block in read_blocks(path, "RTTM file") if data is None else (data,):
        whole, newline, rest = (rest + block).rpartition(b"\n")
        if newline and not side.builder.add_bytes(whole + newline):
            side.builder.drop_after(added)
            return False
    if rest and not side.builder.add_bytes(rest + b"\n"):
        side.builder.drop_after(added)
        return False
    return True


def _read_with_care(path: str, data: bytes | None, side: Side, *, strict: bool) -> None:
    side.end_of_file()  # of the ordinary files before this one
    if strict:
        from mdeval.strict import read_rttm as read_strictly

        read_strictly(path, side)
    else:
        from mdeval.nist import read_rttm

        read_rttm(read_bytes(path, "RTTM file") if data is None else data, path, side)


def read_uem(path: str, notes: list[str], *, strict: bool, keep_directory: bool = False) -> Uem:
    """Read the regions to evaluate.

    Parameters
    ----------
    path : str
        The UEM file; ``-`` is standard input.
    notes : list of str
        Readings that md-eval forgives are added here.
    strict : bool
        Read by the format's rules; else as md-eval does.
    keep_directory : bool, default False
        Keep the directory part of file names (md-eval's ``-n``).

    Returns
    -------
    Uem
        Regions of each file and lower-cased channel.
    """
    if strict:
        from mdeval.strict import read_uem as read_strictly

        return read_strictly(path, keep_directory=keep_directory)
    from mdeval import nist

    return nist.read_uem(read_bytes(path, "uem file"), path, notes, keep_directory=keep_directory)


def without_channels(uem: Uem) -> Uem:
    """Join the regions of all channels of a file.

    Parameters
    ----------
    uem : Uem
        Regions of each file and channel.

    Returns
    -------
    Uem
        Regions of each file and `ANY_CHANNEL`, in time order and without overlap.
    """
    joined = Uem(uem.path)
    for key, regions in uem.items():
        any_key = (key[0], ANY_CHANNEL)
        joined.setdefault(any_key, []).extend(regions)
        joined.written.setdefault(any_key, uem.written[key])
    for key, regions in joined.items():
        merged: list[Region] = []
        for onset, offset in sorted(regions):
            if merged and onset < merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], offset))
            else:
                merged.append((onset, offset))
        joined[key] = merged
    return joined


def pair(
    keys: Sequence[Key], reference: Side, system: Side, uem: Mapping[Key, Sequence[Region]]
) -> Iterator[Recording]:
    """Bring reference, system output and regions together.

    Parameters
    ----------
    keys : sequence of (str, str)
        The recordings wanted.
    reference, system : Side
        Either side.
    uem : mapping of (str, str) to sequence of (float, float)
        Regions to evaluate; a recording without any gets them from its reference.

    Yields
    ------
    Recording
        In the order of `keys`.
    """
    if reference.builder is not None:
        from mdeval.large import recordings

        yield from recordings(keys, reference, system, uem)
        return
    for key in keys:
        yield Recording(
            key,
            reference.records[key],
            [item for item in system.records.get(key, ()) if item[3] == SPEAKER],
            uem.get(key),
            reference.types.get(key),
            system.types.get(key),
        )
