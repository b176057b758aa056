"""One recording (a file's channel) as it goes into scoring: records in time order, regions, types, words."""

from __future__ import annotations

from mdeval.mapping import byte_order
from mdeval.zones import NONLEX, NOSCORE, SPEAKER, WORD, uem_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mdeval.zones import Interval, Region

    Key = tuple[str, str]
    Turn = tuple[float, float, str]  # onset, offset, speaker

__all__ = ["UEM_KINDS", "UNKNOWN_TYPE", "Record", "Recording", "Uem", "record", "sort_keys", "turns_of"]

UNKNOWN_TYPE = "unknown"

Record = tuple[float, float, float, str, str]
"""Middle, onset and offset in seconds; kind (the RTTM type); name (the speaker, or the word of a LEXEME)."""

UEM_KINDS = frozenset(
    {"SEGMENT", "SPEAKER", "SU", "EDIT", "FILLER", "IP", "CB", "A/P", "LEXEME", "NON-LEX"},
)
"""Kinds of records that stretch the region inferred without a UEM."""

_ZONE_KINDS = frozenset({SPEAKER, WORD, NOSCORE, NONLEX})
_UNSPLIT_WORDS = frozenset({"mm-hmm", "uh-huh", "um-hmm"})


def record(onset: float, duration: float, kind: str, name: str) -> Record:
    """Make a record from an onset and a duration, in seconds."""
    return (onset + duration / 2, onset, onset + duration, kind, name)


def turns_of(records: Iterable[Record]) -> list[Turn]:
    """Give onset, offset and speaker of the SPEAKER records that last."""
    return [(onset, offset, name) for _, onset, offset, kind, name in records if kind == SPEAKER and offset > onset]


class Uem(dict["Key", "list[Region]"]):
    """Regions to evaluate from a UEM file: for each file and lower-cased channel, in seconds, in time order.

    Attributes
    ----------
    path : str
        The file.
    written : dict of (str, str) to (str, str)
        File and channel of each entry as they stand in the file.
    """

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path
        self.written: dict[Key, Key] = {}


def sort_keys(keys: Iterable[Key]) -> list[Key]:
    """Sort recordings by file, then channel, in byte order."""
    channels: dict[str, list[str]] = {}
    for file_id, channel in keys:
        channels.setdefault(file_id, []).append(channel)
    return [(f, c) for f in byte_order(channels) for c in byte_order(channels[f])]


class Recording:
    """What is known of one recording.

    Parameters
    ----------
    key : (str, str)
        File and channel.
    reference, system : sequence of Record
        Records of either side, in input order. Kinds other than SPEAKER matter in the reference only.
    uem : sequence of (float, float) or None
        Regions to evaluate, in seconds, in time order; None to infer one from the reference.
    ref_types, sys_types : mapping of str to str
        Speaker types from SPKR-INFO.
    """

    __slots__ = ("inferred", "key", "ref_types", "reference", "sys_types", "system", "uem", "words")

    def __init__(
        self,
        key: Key,
        reference: Sequence[Record],
        system: Sequence[Record],
        uem: Sequence[Region] | None = None,
        ref_types: Mapping[str, str] | None = None,
        sys_types: Mapping[str, str] | None = None,
    ) -> None:
        self.key = key
        self.inferred = uem is None
        self.uem: Sequence[Region] = (
            uem_from((r[1], r[2]) for r in reference if r[3] in UEM_KINDS) if uem is None else uem
        )
        self.ref_types = ref_types or {}
        self.sys_types = sys_types or {}
        if any(r[3] == WORD for r in reference):
            reference = [part for r in reference for part in _split_word(r)]
        self.reference = sorted(reference, key=_middle)
        self.system = sorted(system, key=_middle)
        self.words = [r[0] for r in self.reference if r[3] == WORD]

    def zone_records(self) -> list[Interval]:
        """Give the reference records that open, limit or stop no-score zones."""
        return [(onset, offset, kind) for _, onset, offset, kind, _ in self.reference if kind in _ZONE_KINDS]


def _split_word(whole: Record) -> tuple[Record, ...]:
    """Split a hyphenated word at its last inner hyphen into two that share its time."""
    _, onset, offset, kind, text = whole
    if kind != WORD or "-" not in text or text in _UNSPLIT_WORDS:
        return (whole,)
    at = text.rfind("-", 1, len(text) - 1)
    if at < 0:
        return (whole,)
    half = (offset - onset) / 2
    return record(onset, half, kind, text[:at]), record(onset + half, half, kind, text[at + 1 :])


def _middle(item: Record) -> float:
    return item[0]
