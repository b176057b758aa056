"""Read large ordinary RTTM files into columns, with array operations on the bytes.

The same contract as `plain`, which does it for small files without numpy: bytes that are ordinary in every respect
are taken apart quickly, and anything else is declined (None) and left to the careful readers. Eight bytes of a field
are loaded as one integer; names are compared and decimals are read a machine word at a time.
"""

from __future__ import annotations

import numpy as np

from mdeval.recording import sort_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mdeval.recording import Key

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Words = NDArray[np.uint64]

__all__ = ["TableBuilder", "TurnTable"]

_PAD = b"\0" * 8
_U8 = np.uint64
_FIRST = np.array([0, *((1 << 8 * n) - 1 for n in range(1, 9))], dtype=_U8)
"""Masks that keep the first n of 8 characters (the low bytes)."""
_LAST = ~_FIRST[::-1]
"""Masks that keep the last n of 8 characters (the high bytes)."""
_ZEROS, _DOTS = _U8(0x3030303030303030), _U8(0x2E2E2E2E2E2E2E2E)
_ONES, _TOPS = _U8(0x0101010101010101), _U8(0x8080808080808080)
_SPEAKER = _U8(int.from_bytes(b"SPEAKER", "little"))
_NA = _U8(int.from_bytes(b"<NA>", "little"))
_POWERS = 10.0 ** np.arange(9)
_NAME_WORDS = 4


class TurnTable:
    """Turns of many recordings as columns, grouped by recording.

    Attributes
    ----------
    keys : list of (str, str)
        File and channel of each recording, in byte order.
    names : list of str
        Names of the speakers.
    recording, speaker : ndarray of int32, shape (turns,)
        Positions in `keys` (not decreasing) and `names`.
    onset, offset : ndarray of float64, shape (turns,)
        In seconds; within a recording in input order.
    """

    __slots__ = ("keys", "names", "offset", "onset", "recording", "speaker")

    def __init__(
        self,
        keys: list[Key],
        names: list[str],
        recording: NDArray[np.int32],
        speaker: NDArray[np.int32],
        onset: Floats,
        offset: Floats,
    ) -> None:
        self.keys = keys
        self.names = names
        self.recording = recording
        self.speaker = speaker
        self.onset = onset
        self.offset = offset

    def __len__(self) -> int:
        return len(self.onset)


class TableBuilder:
    """Collects turns, block of bytes by block of bytes or row by row, and groups them by recording."""

    def __init__(self) -> None:
        self._keys: dict[Key, int] = {}
        self._names: dict[str, int] = {}
        self._channel: str | None = None
        self._parts: list[tuple[NDArray[np.int32], NDArray[np.int32], Floats, Floats]] = []

    def add_rows(self, rows: Iterable[tuple[Key, str, float, float]]) -> None:
        """Add turns given as key, speaker, onset and offset."""
        keys, names, onsets, offsets = [], [], [], []
        for key, name, onset, offset in rows:
            keys.append(self._keys.setdefault(key, len(self._keys)))
            names.append(self._names.setdefault(name, len(self._names)))
            onsets.append(onset)
            offsets.append(offset)
        self._parts.append((np.array(keys, np.int32), np.array(names, np.int32), np.array(onsets), np.array(offsets)))

    def add_bytes(self, block: bytes) -> bool:
        """Add the turns of a block of whole lines; False (and nothing added) if anything is out of the ordinary."""
        padded = _PAD + block + _PAD
        chars = np.frombuffer(padded, np.uint8)
        fields = _fields(chars[8:-8])
        if fields is None:
            return False
        starts, ends = fields[0] + 8, fields[1] + 8
        words: Words = np.ndarray((len(padded) - 7,), _U8, padded, strides=(1,))
        width = starts.shape[1]
        if not _all_equal(words, starts[:, 0], ends[:, 0], _SPEAKER, 7):
            return False
        if not all(_all_equal(words, starts[:, i], ends[:, i], _NA, 4) for i in (5, 6)):
            return False
        for i in range(8, width):
            column = starts[:, i], ends[:, i]
            if not _all_equal(words, *column, _NA, 4) and _decimals(words, *column) is None:
                return False
        times = [_decimals(words, starts[:, i], ends[:, i]) for i in (3, 4)]
        recording = self._recordings(padded, words, starts[:, 1:3], ends[:, 1:3])
        speaker = self._speakers(padded, words, starts[:, 7], ends[:, 7])
        onset, duration = times
        if onset is None or duration is None or recording is None or speaker is None:
            return False
        self._parts.append((recording, speaker, onset, onset + duration))
        return True

    def _recordings(self, padded: bytes, words: Words, starts: Ints, ends: Ints) -> NDArray[np.int32] | None:
        """Give every recording a number. Its lines mostly follow one another, so only changes are looked at."""
        change = np.zeros(len(starts), bool)
        change[0] = True
        for i in range(2):
            parts = _name_words(words, starts[:, i], ends[:, i])
            if parts is None:
                return None
            for part in parts:
                change[1:] |= part[1:] != part[:-1]
        rows = np.flatnonzero(change)
        codes = np.empty(len(rows), np.int32)
        for at, row in enumerate(rows.tolist()):
            file_id, channel = (padded[starts[row, i] : ends[row, i]].decode("ascii") for i in range(2))
            if file_id.startswith("<") or channel.startswith("<"):
                return None
            codes[at] = self._keys.setdefault((file_id, channel.lower()), len(self._keys))
        return np.repeat(codes, np.diff(rows, append=len(starts)))

    def _speakers(self, padded: bytes, words: Words, starts: Ints, ends: Ints) -> NDArray[np.int32] | None:
        """Give every speaker a number."""
        parts = _name_words(words, starts, ends)
        if parts is None:
            return None
        inverse: Ints | None = None
        for part in parts:
            distinct = np.unique(part)
            at = np.searchsorted(distinct, part)
            if inverse is None:
                inverse, n = at, len(distinct)
            else:
                distinct, inverse = np.unique(inverse * len(distinct) + at, return_inverse=True)
                n = len(distinct)
        assert inverse is not None
        example = np.empty(n, np.int64)
        example[inverse] = np.arange(len(inverse))
        codes = np.empty(n, np.int32)
        for at_, row in enumerate(example.tolist()):
            name = padded[starts[row] : ends[row]].decode("ascii")
            if name.startswith("<"):
                return None
            codes[at_] = self._names.setdefault(name, len(self._names))
        return codes[inverse]

    def speakers(self) -> Iterator[tuple[Key, str]]:
        """Name the speakers of each recording so far."""
        keys, names = list(self._keys), list(self._names)
        for recording, speaker, _, _ in self._parts:
            pairs = np.unique(recording.astype(np.int64) * len(names) + speaker)
            yield from ((keys[pair // len(names)], names[pair % len(names)]) for pair in pairs.tolist())

    def forget_channels(self, channel: str) -> None:
        """Treat all channels of a file as one, called `channel`."""
        self._channel = channel

    @property
    def n_blocks(self) -> int:
        """How many blocks have been added."""
        return len(self._parts)

    def drop_after(self, n_blocks: int) -> None:
        """Take back all but the first blocks."""
        del self._parts[n_blocks:]

    def build(self) -> TurnTable:
        """Group everything added by recording, recordings in byte order."""
        if self._parts:
            recording, speaker, onset, offset = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        else:
            recording = speaker = np.empty(0, np.int32)
            onset = offset = np.empty(0)
        self._parts = []
        used = set(np.unique(recording).tolist())
        key_of = {
            code: (file_id, self._channel or channel) for (file_id, channel), code in self._keys.items() if code in used
        }
        keys = sort_keys(set(key_of.values()))
        place = {key: i for i, key in enumerate(keys)}
        rank = np.zeros(len(self._keys), np.int32)
        for code, key in key_of.items():
            rank[code] = place[key]
        recording = rank[recording]
        if np.any(recording[1:] < recording[:-1]):
            order = np.argsort(recording, kind="stable")
            recording, speaker, onset, offset = (c[order] for c in (recording, speaker, onset, offset))
        return TurnTable(keys, list(self._names), recording, speaker, onset, offset)


def _fields(chars: NDArray[np.uint8]) -> tuple[Ints, Ints] | None:
    """Find where the fields of each line start and end, shapes (lines, fields); None unless all lines are alike."""
    if chars.max(initial=0) > 0x7E:
        return None
    ends = np.flatnonzero(chars <= 0x20)
    separators = chars[ends]
    newline = separators == 0x0A
    n_lines = int(np.count_nonzero(newline))
    if not n_lines or len(ends) not in (9 * n_lines, 10 * n_lines):
        return None
    width = len(ends) // n_lines
    if not newline[width - 1 :: width].all() or not (newline | (separators == 0x20) | (separators == 0x09)).all():
        return None
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    if (starts == ends).any():
        return None
    return starts.reshape(n_lines, width), ends.reshape(n_lines, width)


def _all_equal(words: Words, starts: Ints, ends: Ints, word: np.uint64, length: int) -> bool:
    """Tell whether a field holds the same short word in every line."""
    return bool(((ends - starts) == length).all() and ((words[starts] & _FIRST[length]) == word).all())


def _name_words(words: Words, starts: Ints, ends: Ints) -> list[Words] | None:
    """Give names as machine words, the first eight characters first; None if any is too long."""
    lengths = ends - starts
    longest = int(lengths.max())
    if longest > 8 * _NAME_WORDS:
        return None
    return [
        words[np.minimum(starts + 8 * i, len(words) - 1)] & _FIRST[np.clip(lengths - 8 * i, 0, 8)]
        for i in range((longest + 7) // 8)
    ]


def _decimals(words: Words, starts: Ints, ends: Ints) -> Floats | None:
    """Read decimals of at most eight digits before the point and seven after it, correctly rounded."""
    length = ends - starts
    tail = words[ends - 8] & _LAST[np.minimum(length, 8)]
    unlike = tail ^ _DOTS
    flags = (unlike - _ONES) & ~unlike & _TOPS
    first = flags & (~flags + _U8(1))
    # the position of the lowest flag, from the exponent of its value as a float: 8 * byte + 7
    at = (first.astype(np.float64).view(np.int64) >> 52) - 1023 >> 3
    has_point = flags != 0
    n_after = np.where(has_point, 7 - at, 0)
    n_before = length - n_after - has_point
    if n_before.max(initial=0) > 8 or (length - has_point).min(initial=1) < 1:
        return None
    after = _LAST[n_after]
    before = _LAST[n_before]
    fraction = (tail & after) | (_ZEROS & ~after)
    whole = (words[starts + n_before - 8] & before) | (_ZEROS & ~before)
    if (_not_digits(fraction) | _not_digits(whole)).any():
        return None
    power = _POWERS[n_after]
    mantissa: Floats = _eight_digits(whole).astype(np.float64) * power + _eight_digits(fraction).astype(np.float64)
    return mantissa / power


def _not_digits(text: Words) -> Words:
    """Give bits that are set where a byte is not a digit."""
    over: Words = ((text + _U8(0x4646464646464646)) | (text - _ZEROS)) & _TOPS
    return over


def _eight_digits(text: Words) -> Words:
    """Read eight digits, the first in the lowest byte."""
    pairs = text - _ZEROS
    pairs = pairs * _U8(10) + (pairs >> _U8(8))
    low = _U8(0x000000FF000000FF)
    number: Words = (
        (pairs & low) * _U8(0x000F424000000064) + ((pairs >> _U8(16)) & low) * _U8(0x0000271000000001)
    ) >> _U8(32)
    return number
