"""Bring the files of one side together, and the two sides to recordings.

`read_side` takes the quick way where a file is ordinary, else the careful reader that the caller's mode asks for:
md-eval's forgiving one, or `speechio`'s strict one.
"""

from __future__ import annotations

from mdeval.plain import plain_records
from mdeval.recording import UNKNOWN_TYPE, Recording, Uem, sort_keys
from mdeval.sources import read_blocks, read_bytes
from mdeval.zones import SPEAKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdeval.columns import TableBuilder, TurnTable
    from mdeval.recording import Key, Record
    from mdeval.zones import Region

__all__ = ["ANY_CHANNEL", "Side", "pair", "read_side", "read_uem", "without_channels"]


ANY_CHANNEL = "*"
"""Stands for all channels of a file taken together."""


class Side:
    """All records of the reference, or of the system output.

    Attributes
    ----------
    records : dict of (str, str) to list of Record
        By file and lower-cased channel, in input order; SPKR-INFO apart.
    types : dict of (str, str) to dict of str to str
        Speaker types from SPKR-INFO, by file and channel.
    notes : list of str
        Readings that md-eval forgives and the format does not.
    paths : list of str
        Where the records came from.
    builder : TableBuilder or None
        For large inputs: collects the turns of recordings that have nothing but turns; these are not in `records`.
    """

    __slots__ = ("_table", "builder", "notes", "paths", "records", "types")

    def __init__(self) -> None:
        self.builder: TableBuilder | None = None
        self._table: TurnTable | None = None
        self.records: dict[Key, list[Record]] = {}
        self.types: dict[Key, dict[str, str]] = {}
        self.notes: list[str] = []
        self.paths: list[str] = []

    def add(self, key: Key, item: Record) -> None:
        """Add one record."""
        self.records.setdefault(key, []).append(item)

    def add_type(self, key: Key, speaker: str, name: str) -> bool:
        """Note the type of a speaker; False if it has one already."""
        types = self.types.setdefault(key, {})
        if speaker in types:
            return False
        types[speaker] = name
        return True

    def end_of_file(self) -> None:
        """Give speakers without a type the type `unknown`, as md-eval does after every file."""
        for key, items in self.records.items():
            types = self.types.setdefault(key, {})
            for item in items:
                if item[3] == SPEAKER and item[4] not in types:
                    types[item[4]] = UNKNOWN_TYPE
        if self.builder is not None:
            for key, name in self.builder.speakers():
                self.types.setdefault(key, {}).setdefault(name, UNKNOWN_TYPE)

    def to_columns(self) -> None:
        """Move recordings that have nothing but turns into columns, as `read_side` does for large inputs."""
        from mdeval.columns import TableBuilder

        self.builder = TableBuilder()
        _move_plain_recordings(self, self.builder)

    def forget_channels(self) -> None:
        """Treat all channels of a file as one."""
        records, types = self.records, self.types
        self.records, self.types = {}, {}
        for (file_id, _), items in records.items():
            self.merge({(file_id, ANY_CHANNEL): items})
        for (file_id, _), names in types.items():
            for speaker, name in names.items():
                self.add_type((file_id, ANY_CHANNEL), speaker, name)
        if self.builder is not None:
            self.builder.forget_channels(ANY_CHANNEL)

    def merge(self, records: dict[Key, list[Record]]) -> None:
        """Add the records of a whole file."""
        for key, items in records.items():
            if key in self.records:
                self.records[key] += items
            else:
                self.records[key] = items

    def turn_table(self) -> TurnTable:
        """Give the turns of a large input as columns."""
        if self._table is None:
            assert self.builder is not None
            self._table = self.builder.build()
        return self._table

    def keys_with_turns(self) -> list[Key]:
        """List the recordings that have a SPEAKER record, in byte order."""
        keys = [key for key, items in self.records.items() if any(item[3] == SPEAKER for item in items)]
        if self.builder is not None:
            keys += [key for key in self.turn_table().keys if key not in self.records]
        return sort_keys(keys)


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
        if strict and path == "-":
            _read_with_care(path, None, side, strict=True)
            continue
        data = None if large and path != "-" else read_bytes(path, "RTTM file")
        if not _read_quickly(path, data, side):
            _read_with_care(path, data, side, strict=strict)
    if side.builder:
        _move_plain_recordings(side, side.builder)
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


def _move_plain_recordings(side: Side, builder: TableBuilder) -> None:
    """Move recordings that turned out to have nothing but turns from the records to the table."""
    for key, items in list(side.records.items()):
        if all(item[3] == SPEAKER for item in items):
            builder.add_rows((key, name, onset, offset) for _, onset, offset, _, name in items)
            del side.records[key]


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
