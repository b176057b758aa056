"""All records of the reference, or of the system output, however they were read."""

from __future__ import annotations

from mdeval.recording import UNKNOWN_TYPE, sort_keys
from mdeval.zones import SPEAKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mdeval.columns import TableBuilder, TurnTable
    from mdeval.recording import Key, Record

__all__ = ["ANY_CHANNEL", "Side"]

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
        self.move_plain_recordings(self.builder)

    def move_plain_recordings(self, builder: TableBuilder) -> None:
        """Move recordings that have nothing but turns from the records to the columns."""
        for key, items in list(self.records.items()):
            if all(item[3] == SPEAKER for item in items):
                builder.add_rows((key, name, onset, offset) for _, onset, offset, _, name in items)
                del self.records[key]

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
