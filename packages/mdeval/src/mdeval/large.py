"""Score large inputs: columns in, batches of recordings through the array engine, the rest one by one.

Only this module knows both engines. A recording goes through `batch` when it has nothing but turns; one with
words, no-score zones or speaker types goes through `sweep`.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from mdeval.batch import score_batch
from mdeval.recording import UEM_KINDS, UNKNOWN_TYPE, Recording
from mdeval.sweep import score_recording
from mdeval.timeline import Regions, Turns, collared
from mdeval.zones import EPSILON, SPEAKER, overlap_zones, seconds_outside, subtract, uem_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from numpy.typing import NDArray

    from mdeval.columns import TurnTable
    from mdeval.counts import RecordingScore
    from mdeval.recording import Key, Record
    from mdeval.side import Side
    from mdeval.zones import Region

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    T = TypeVar("T")
    U = TypeVar("U")

__all__ = ["in_threads", "recordings", "score_tables", "speech_outside"]

_BATCH_TURNS = 1 << 15
_BATCH_RECORDINGS = 1 << 14


class _Columns:
    """The turns of one side, with where each recording's begin and end."""

    def __init__(self, table: TurnTable) -> None:
        self.table = table
        self.index = {key: i for i, key in enumerate(table.keys)}
        self.start = np.searchsorted(table.recording, np.arange(len(table.keys) + 1))

    def with_instants(self) -> set[Key]:
        """List the recordings with a turn too short to end after it begins, which only `sweep` gets right."""
        duration = self.table.offset - self.table.onset
        rows = np.flatnonzero((duration > 0) & (duration <= 2 * EPSILON))
        return {self.table.keys[i] for i in self.table.recording[rows].tolist()}

    def length(self, key: Key) -> int:
        """Count the turns of a recording."""
        i = self.index.get(key)
        return 0 if i is None else int(self.start[i + 1] - self.start[i])

    def records(self, key: Key) -> list[Record]:
        """Give the turns of a recording as records."""
        i = self.index.get(key)
        if i is None:
            return []
        rows = slice(int(self.start[i]), int(self.start[i + 1]))
        names = self.table.names
        return [
            (onset + (offset - onset) / 2, onset, offset, SPEAKER, names[speaker])
            for onset, offset, speaker in zip(
                self.table.onset[rows].tolist(),
                self.table.offset[rows].tolist(),
                self.table.speaker[rows].tolist(),
                strict=True,
            )
        ]

    def batch(self, keys: Sequence[Key]) -> tuple[Ints, Ints, Floats, Floats]:
        """Give number of the recording, number of the name, onset and offset of the turns of some recordings."""
        at = np.array([self.index.get(key, -1) for key in keys])
        known = at >= 0
        first, stop = self.start[at[known]], self.start[at[known] + 1]
        if len(first) and (first[1:] == stop[:-1]).all():
            rows: slice | Ints = slice(int(first[0]), int(stop[-1]))
        else:
            rows = np.concatenate([np.arange(a, b) for a, b in zip(first, stop, strict=True)] or [np.arange(0)])
        recording = np.repeat(np.flatnonzero(known), stop - first)
        return (
            recording,
            self.table.speaker[rows].astype(np.int64),
            self.table.onset[rows],
            self.table.offset[rows],
        )


def score_tables(
    keys: Sequence[Key],
    reference: Side,
    system: Side,
    uem: Mapping[Key, Sequence[Region]],
    *,
    collar: float,
    ignore_overlap: bool,
    jobs: int = 1,
) -> list[RecordingScore]:
    """Score the recordings of a large input.

    Parameters
    ----------
    keys : sequence of (str, str)
        The recordings to score, in byte order.
    reference, system : Side
        Either side, read into tables.
    uem : mapping of (str, str) to sequence of (float, float)
        Regions to evaluate; a recording without any gets them from its reference.
    collar : float
        Half-width of the zone around each reference boundary that is not scored, in seconds, >= 0.
    ignore_overlap : bool
        Score only where at most one reference turn is open.
    jobs : int, default 1
        Number of threads; the array operations let them run side by side.

    Returns
    -------
    list of RecordingScore
        In the order of `keys`.
    """
    ref, sys_ = _Columns(reference.turn_table()), _Columns(system.turn_table())
    scores: dict[Key, RecordingScore] = {}
    plain: list[Key] = []
    # what is not in the columns, on either side, the array engine does not see
    odd = reference.records.keys() | system.records.keys()
    odd |= ref.with_instants() | sys_.with_instants() | _with_touching_regions(uem)
    for key in keys:
        if key in odd or _has_types(reference, key) or _has_types(system, key):
            scores[key] = score_recording(
                _recording(key, reference, system, ref, sys_, uem),
                collar=collar,
                ignore_overlap=ignore_overlap,
            )
        else:
            plain.append(key)
    special = partial(_recording, reference=reference, system=system, ref=ref, sys_=sys_, uem=uem)
    score_plain = partial(
        _score_plain, ref=ref, sys_=sys_, uem=uem, collar=collar, ignore_overlap=ignore_overlap, special=special
    )
    for batch in in_threads(score_plain, _batches(plain, ref, sys_), jobs):
        scores.update({(score.file_id, score.channel): score for score in batch})
    return [scores[key] for key in keys]


def _with_touching_regions(uem: Mapping[Key, Sequence[Region]]) -> set[Key]:
    """List the recordings with regions that touch: what becomes of them takes the exact order of `zones`."""
    return {key for key, regions in uem.items() if any(a[1] == b[0] for a, b in pairwise(regions))}


def in_threads(work: Callable[[T], U], items: Iterable[T], jobs: int) -> Iterator[U]:
    """Do some work on every item, in threads when there is more than one job; results in the order of the items."""
    if jobs == 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, items)


def recordings(
    keys: Sequence[Key], reference: Side, system: Side, uem: Mapping[Key, Sequence[Region]]
) -> Iterator[Recording]:
    """Take recordings out of a large input, one by one; parameters as `score_tables`."""
    ref, sys_ = _Columns(reference.turn_table()), _Columns(system.turn_table())
    for key in keys:
        yield _recording(key, reference, system, ref, sys_, uem)


def _has_types(side: Side, key: Key) -> bool:
    return any(name != UNKNOWN_TYPE for name in side.types.get(key, {}).values())


def _recording(
    key: Key,
    reference: Side,
    system: Side,
    ref: _Columns,
    sys_: _Columns,
    uem: Mapping[Key, Sequence[Region]],
) -> Recording:
    return Recording(
        key,
        ref.records(key) + reference.records.get(key, []),
        sys_.records(key) + [r for r in system.records.get(key, ()) if r[3] == SPEAKER],
        uem.get(key),
        reference.types.get(key),
        system.types.get(key),
    )


def _batches(keys: Sequence[Key], ref: _Columns, sys_: _Columns) -> Iterator[Sequence[Key]]:
    """Cut the recordings into batches of a bounded number of turns; a longer recording is a batch of its own."""
    first = turns = 0
    for i, key in enumerate(keys):
        length = ref.length(key) + sys_.length(key)
        if i > first and (turns + length > _BATCH_TURNS or i - first >= _BATCH_RECORDINGS):
            yield keys[first:i]
            first, turns = i, 0
        turns += length
    if first < len(keys):
        yield keys[first:]


def _score_plain(
    keys: Sequence[Key],
    *,
    ref: _Columns,
    sys_: _Columns,
    uem: Mapping[Key, Sequence[Region]],
    collar: float,
    ignore_overlap: bool,
    special: Callable[[Key], Recording],
) -> list[RecordingScore]:
    """Score a batch of recordings that have nothing but turns."""
    recording, name, onset, offset = ref.batch(keys)
    ref_turns = Turns(recording, name, onset, offset)
    sys_turns = Turns(*sys_.batch(keys))
    evaluated = _evaluated(keys, uem, recording, onset, offset)
    scored = None
    if collar > 0:
        empty = offset <= onset
        scored = collared(evaluated, ref_turns, (recording[empty], onset[empty]), collar)
    if ignore_overlap:
        scored = _without_overlap(len(keys), scored or evaluated, recording, onset, offset)
    names = ref.table.names, sys_.table.names
    scores, doubtful = score_batch(keys, ref_turns, sys_turns, names, evaluated, scored)
    return [
        score_recording(special(key), collar=collar, ignore_overlap=ignore_overlap) if key in doubtful else score
        for key, score in zip(keys, scores, strict=True)
    ]


def _evaluated(
    keys: Sequence[Key], uem: Mapping[Key, Sequence[Region]], recording: Ints, onset: Floats, offset: Floats
) -> Regions:
    """Give the evaluated regions; with nothing but turns these are the UEM."""
    first = np.searchsorted(recording, np.arange(len(keys)))
    earliest = np.minimum.reduceat(onset, first).tolist()
    latest = np.maximum(np.maximum.reduceat(offset, first), 0.0).tolist()
    return Regions.of(
        [subtract(uem[key], ()) if key in uem else [(b, e)] for key, b, e in zip(keys, earliest, latest, strict=True)]
    )


def _without_overlap(n: int, regions: Regions, recording: Ints, onset: Floats, offset: Floats) -> Regions:
    """Take overlapped reference speech out, recording by recording: md-eval's order of coinciding events matters."""
    first = np.searchsorted(recording, np.arange(n + 1)).tolist()
    left = []
    for i, some in enumerate(regions.lists(n)):
        rows = slice(first[i], first[i + 1])
        middles = np.argsort(onset[rows] + (offset[rows] - onset[rows]) / 2, kind="stable")
        turns = zip(onset[rows][middles].tolist(), offset[rows][middles].tolist(), strict=True)
        left.append(subtract(some, overlap_zones([(b, e, SPEAKER) for b, e in turns])))
    return Regions.of(left)


def speech_outside(reference: Side, system: Side, keys: Sequence[Key]) -> list[tuple[Key, float]]:
    """Measure system speech outside the extent of the reference, for the recordings that have any.

    Parameters
    ----------
    reference, system : Side
        Either side, read into tables.
    keys : sequence of (str, str)
        The recordings to look at.

    Returns
    -------
    list of ((str, str), float)
        Recordings and seconds, in the order of `keys`.
    """
    ref, sys_ = _Columns(reference.turn_table()), _Columns(system.turn_table())
    table = sys_.table
    starts = sys_.start[:-1]
    if not len(starts):
        return []
    earliest = np.minimum.reduceat(table.onset, starts)
    latest = np.maximum.reduceat(table.offset, starts)
    found = []
    for key in keys:
        at = sys_.index.get(key)
        marks = [(r[1], r[2]) for r in reference.records.get(key, ()) if r[3] in UEM_KINDS]
        i = ref.index.get(key)
        if i is not None:
            rows = slice(int(ref.start[i]), int(ref.start[i + 1]))
            marks.append((float(ref.table.onset[rows].min()), float(ref.table.offset[rows].max())))
        [region] = uem_from(marks)
        extra = [(r[1], r[2]) for r in system.records.get(key, ()) if r[3] == SPEAKER]
        if at is not None and (earliest[at] < region[0] or latest[at] > region[1]):
            rows = slice(int(sys_.start[at]), int(sys_.start[at + 1]))
            extra += zip(table.onset[rows].tolist(), table.offset[rows].tolist(), strict=True)
        seconds = seconds_outside(extra, region)
        if seconds > 0:
            found.append((key, seconds))
    return found
