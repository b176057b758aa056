"""Score many recordings at once: intervals as sorted arrays, one sweep line over all of them.

This is the engine for large inputs. A batch of recordings is cut at every boundary by one sort; who speaks in each
cut comes from running sums; everything else is a weighted count. It adds up the same numbers in the same order as
`sweep` does, so the two agree to the last bit. It knows turns and regions only: recordings with words, no-score
zones or speaker types go through `sweep`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from mdeval.counts import Counts, RecordingScore, TypeTable
from mdeval.mapping import map_speakers
from mdeval.recording import UNKNOWN_TYPE
from mdeval.zones import EPSILON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mdeval.recording import Key

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

__all__ = ["Regions", "Turns", "collared", "score_batch"]

_REGION, _REF, _SYS = 1 << 40, 1 << 20, 1
"""Weights of an open region, reference speaker and system speaker in a running sum that counts all three at once."""
_COUNT = _REF - 1
_CLEAR_WIN = 1.0 - 1e-9


class Regions:
    """Regions of the recordings of a batch.

    Attributes
    ----------
    recording : ndarray of int64, shape (regions,)
        Number of the recording in the batch, not decreasing.
    onset, offset : ndarray of float64, shape (regions,)
        In seconds, in time order within a recording.
    """

    __slots__ = ("offset", "onset", "recording")

    def __init__(self, recording: Ints, onset: Floats, offset: Floats) -> None:
        self.recording = recording
        self.onset = onset
        self.offset = offset

    @classmethod
    def of(cls, lists: Sequence[Sequence[tuple[float, float]]]) -> Regions:
        """Make them from a list of regions for each recording."""
        rows = [(i, onset, offset) for i, regions in enumerate(lists) for onset, offset in regions]
        recording, onset, offset = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(np.array(recording, np.int64), np.array(onset, np.float64), np.array(offset, np.float64))

    def lists(self, n_recordings: int) -> list[list[tuple[float, float]]]:
        """Give the regions of each recording as a list."""
        lists: list[list[tuple[float, float]]] = [[] for _ in range(n_recordings)]
        for i, onset, offset in zip(self.recording.tolist(), self.onset.tolist(), self.offset.tolist(), strict=True):
            lists[i].append((onset, offset))
        return lists


class Turns:
    """Turns of one side of a batch, those of no duration left out.

    Attributes
    ----------
    recording : ndarray of int64, shape (turns,)
        Number of the recording in the batch.
    speaker : ndarray of int64, shape (turns,)
        Number of the speaker in the batch; speakers of one recording have consecutive numbers.
    onset, offset : ndarray of float64, shape (turns,)
        In seconds.
    speaker_recording, speaker_name : ndarray of int64, shape (speakers,)
        Recording of each speaker, and the number of the name it came with.
    opening, closing : ndarray of int64, shape (stretches,)
        Turns that begin and end each stretch in which a speaker talks without a break. With no overlap of a
        speaker with itself every turn is such a stretch.
    self_overlaps : list of (int, int, float)
        Recording, name and onset of every turn that begins while another one of its speaker is open.
    """

    __slots__ = (
        "closing", "offset", "onset", "opening", "recording", "self_overlaps", "speaker", "speaker_name",
        "speaker_recording",
    )  # fmt: skip

    def __init__(self, recording: Ints, name: Ints, onset: Floats, offset: Floats) -> None:
        lasts = offset > onset
        if not lasts.all():
            recording, name = recording[lasts], name[lasts]
            onset, offset = onset[lasts], offset[lasts]
        self.recording, self.onset, self.offset = recording, onset, offset
        n_names = int(name.max(initial=0)) + 1
        distinct, self.speaker = np.unique(recording * n_names + name, return_inverse=True)
        self.speaker_recording, self.speaker_name = np.divmod(distinct, n_names)
        self.opening = self.closing = np.arange(len(onset))
        self.self_overlaps: Sequence[tuple[int, int, float]] = ()
        self._join_stretches()

    def _join_stretches(self) -> None:
        """Find the stretches where turns of one speaker overlap each other."""
        order = np.lexsort((self.onset, self.speaker))
        speaker, onset, offset = self.speaker[order], self.onset[order], self.offset[order]
        same = speaker[1:] == speaker[:-1]
        if not (same & (onset[1:] + EPSILON < offset[:-1])).any():
            return
        # the running maximum of the offsets of each speaker, through their ranks so that it starts anew by itself
        by_offset = np.argsort(offset, kind="stable")
        rank = np.empty_like(by_offset)
        rank[by_offset] = np.arange(len(rank))
        base = speaker * len(rank)
        latest = by_offset[np.maximum.accumulate(base + rank) - base]
        starts = np.ones(len(order), bool)
        starts[1:] = ~same | (onset[1:] + EPSILON >= offset[latest[:-1]])
        first = np.flatnonzero(starts)
        last = np.append(first[1:], len(order)) - 1
        self.opening, self.closing = order[first], order[latest[last]]
        inner = order[~starts]
        inner = inner[np.lexsort((self.onset[inner], self.recording[inner]))]
        name = self.speaker_name[self.speaker[inner]]
        self.self_overlaps = list(
            zip(self.recording[inner].tolist(), name.tolist(), self.onset[inner].tolist(), strict=True)
        )


class _Cuts:
    """Regions of a batch cut at every boundary: one entry per stretch with one constant set of speakers.

    Attributes
    ----------
    recording : ndarray of int64, shape (cuts,)
        Number of the recording, not decreasing.
    duration : ndarray of float64, shape (cuts,)
        In seconds, > 0.
    n, m : ndarray of int64, shape (cuts,)
        How many reference and system speakers are active.
    pair_cut, pair_ref, pair_sys : ndarray of int64, shape (pairs,)
        Every meeting of a reference and a system speaker in a cut, in the order of the cuts.
    ref_heard, sys_heard : ndarray of bool, shape (speakers,)
        Who is active in some cut.
    """

    def __init__(self, regions: Regions, ref: Turns, system: Turns) -> None:
        keep = regions.offset > regions.onset + EPSILON
        n_regions, n_ref, n_sys = int(keep.sum()), len(ref.onset), len(system.onset)
        r_on, r_off = regions.onset[keep], regions.offset[keep]
        times = np.concatenate((r_on, r_off, ref.onset, ref.offset, system.onset, system.offset))
        keys = np.concatenate(
            (r_on + EPSILON, r_off, ref.onset + EPSILON, ref.offset, system.onset + EPSILON, system.offset)
        )
        of_region = regions.recording[keep]
        recording = np.concatenate(
            (of_region, of_region, ref.recording, ref.recording, system.recording, system.recording)
        )
        change = np.zeros(len(times), np.int64)
        who = np.zeros(len(times), np.int64)  # running sums of speaker numbers: with one speaker active, who it is
        change[:n_regions], change[n_regions : 2 * n_regions] = _REGION, -_REGION
        first_ref, first_sys = 2 * n_regions, 2 * n_regions + 2 * n_ref
        stretches = []
        for turns, first, n_turns, weight, shift in (
            (ref, first_ref, n_ref, _REF, 32),
            (system, first_sys, n_sys, _SYS, 0),
        ):
            on, off = first + turns.opening, first + n_turns + turns.closing
            number = turns.speaker[turns.opening]
            change[on], change[off] = weight, -weight
            who[on], who[off] = number << shift, -(number << shift)
            stretches.append((on, off, number))
        order = np.argsort(keys)
        if regions.recording.max(initial=0) > 0:
            order = order[np.argsort(recording[order].astype(np.uint16), kind="stable")]
        state = np.cumsum(change[order])
        at = self._durations(times[order], state)
        self.recording = recording[order][at]
        self.n, self.m = state[at] >> 20 & _COUNT, state[at] & _COUNT
        self._meet(order, at, np.cumsum(who[order])[at], stretches, (len(ref.speaker_name), len(system.speaker_name)))

    def _durations(self, times: Floats, state: Ints) -> Ints:
        """Find the cuts: open, and longer than nothing. Gives the positions of the boundaries that begin them."""
        is_open = state[:-1] >= _REGION
        while True:  # an end up to 1e-8 s later than a begin comes before it; time must not run back
            back = np.flatnonzero((times[1:] < times[:-1]) & is_open)
            if not len(back):
                break
            times[back + 1] = times[back]
        duration = times[1:] - times[:-1]
        at = np.flatnonzero(is_open & (duration > 0))
        self.duration = duration[at]
        return at

    def _meet(
        self,
        order: Ints,
        at: Ints,
        who: Ints,
        stretches: Sequence[tuple[Ints, Ints, Ints]],
        n_speakers: tuple[int, int],
    ) -> None:
        """Find who is heard, and which pairs of speakers meet in which cut."""
        position = np.empty_like(order)
        position[order] = np.arange(len(order))
        before = np.searchsorted(at, np.arange(len(order)))  # cuts that begin before each boundary
        single = (self.n == 1) & (self.m == 1)
        several = (self.n > 0) & (self.m > 0) & ~single
        among = np.concatenate(([0], np.cumsum(several)))  # cuts with several pairs before each cut
        heard, actives = [], []
        for (on, off, number), total in zip(stretches, n_speakers, strict=True):
            first, stop = before[position[on]], before[position[off]]
            is_heard = np.zeros(total, bool)
            is_heard[number[stop > first]] = True
            heard.append(is_heard)
            actives.append(_spread(among[first], among[stop], number))
        self.ref_heard, self.sys_heard = heard
        n_pairs = self.n * self.m
        start = np.cumsum(n_pairs) - n_pairs
        total = int(n_pairs.sum())
        self.pair_cut = np.repeat(np.arange(len(at)), n_pairs)
        self.pair_ref, self.pair_sys = np.empty(total, np.int64), np.empty(total, np.int64)
        self.pair_ref[start[single]] = who[single] >> 32
        self.pair_sys[start[single]] = who[single] & 0xFFFFFFFF
        (ref_cut, ref_number), (_, sys_number) = actives
        if len(ref_cut):
            m = self.m[several]
            n_each = m[ref_cut]  # each active reference speaker meets every active system speaker of its cut
            place = np.repeat(np.arange(len(ref_cut)), n_each)
            nth = np.arange(len(place)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
            target = np.flatnonzero(np.repeat(several, n_pairs))
            self.pair_ref[target] = ref_number[place]
            self.pair_sys[target] = sys_number[(np.cumsum(m) - m)[ref_cut[place]] + nth]


def _spread(first: Ints, stop: Ints, number: Ints) -> tuple[Ints, Ints]:
    """List every cut from `first` to before `stop` with the speaker's number, sorted by cut."""
    lengths = stop - first
    cut = np.repeat(first - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    order = np.argsort(cut, kind="stable")
    return cut[order], np.repeat(number, lengths)[order]


def collared(regions: Regions, ref: Turns, zero: tuple[Ints, Floats], collar: float) -> Regions:
    """Take a collar around every boundary of every reference turn out of the regions.

    Parameters
    ----------
    regions : Regions
        The evaluated regions.
    ref : Turns
        The reference turns.
    zero : (ndarray of int64, ndarray of float64)
        Recording and time of the reference turns of no duration, which have collars too.
    collar : float
        Half-width of the zone around a boundary, in seconds, > 0.

    Returns
    -------
    Regions
        What is left; touching regions come out as one.
    """
    edges = np.concatenate((ref.onset, ref.offset, zero[1]))
    of_edge = np.concatenate((ref.recording, ref.recording, zero[0]))
    times = np.concatenate((regions.onset, edges + collar, regions.offset, edges - collar))
    recording = np.concatenate((regions.recording, of_edge, regions.recording, of_edge))
    n_plus = len(regions.onset) + len(edges)
    order = np.lexsort((np.arange(len(times)) >= n_plus, times, recording))
    depth = np.cumsum(np.where(order < n_plus, 1, -1))
    rises = np.flatnonzero((order < n_plus) & (depth == 1))
    falls = np.flatnonzero((order >= n_plus) & (depth == 0))
    onset, offset, of = times[order[rises]], times[order[falls]], recording[order[rises]]
    keep = offset > onset
    return Regions(of[keep], onset[keep], offset[keep])


def score_batch(
    keys: Sequence[Key],
    ref: Turns,
    system: Turns,
    names: tuple[Sequence[str], Sequence[str]],
    evaluated: Regions,
    scored: Regions | None,
) -> list[RecordingScore]:
    """Score a batch of recordings.

    Parameters
    ----------
    keys : sequence of (str, str)
        File and channel of each recording.
    ref, system : Turns
        Turns of either side.
    names : (sequence of str, sequence of str)
        Names of the reference and the system speakers, by `Turns.speaker_name`.
    evaluated : Regions
        The evaluated regions.
    scored : Regions or None
        The scored regions; None if they are the evaluated ones.

    Returns
    -------
    list of RecordingScore
        In the order of `keys`.
    """
    n = len(keys)
    cuts = _Cuts(evaluated, ref, system)
    overlaps = _Overlaps(cuts, ref, system, names, n)
    partner = overlaps.partners()
    score_cuts = cuts if scored is None else _Cuts(scored, ref, system)
    eval_time = _sums(evaluated.recording, evaluated.offset - evaluated.onset, n)
    eval_speech = _sums(cuts.recording, cuts.duration * (cuts.n > 0), n)
    times = _times(score_cuts, partner, n)
    heads = _heads(cuts, ref, system, partner, n)
    rows = np.column_stack((eval_time, eval_speech, *times)).tolist()
    mapped = overlaps.mappings(partner)
    selves: list[list[tuple[str, str, float]]] = [[] for _ in keys]
    for side, turns, known in (("reference", ref, names[0]), ("system", system, names[1])):
        for recording, name, onset in turns.self_overlaps:
            selves[recording].append((side, known[name], onset))
    return [
        RecordingScore(
            *key,
            Counts(row[:10]),
            partial(overlaps.of, i),
            mapped[i],
            _speaker_table(head),
            _seconds_table(row),
            selves[i],
        )
        for i, (key, row, head) in enumerate(zip(keys, rows, heads, strict=True))
    ]


def _times(cuts: _Cuts, partner: Ints, n_recordings: int) -> list[Floats]:
    """Sum the scored times of each recording, in the order of `Counts`; then system time and matched heads."""
    n, m, duration = cuts.n, cuts.m, cuts.duration
    hits = cuts.pair_cut[partner[cuts.pair_ref] == cuts.pair_sys]
    right = np.bincount(hits, minlength=len(duration))
    both = np.minimum(n, m)
    weights = (
        np.ones_like(n),
        n > 0,
        (n > 0) & (m == 0),
        (n == 0) & (m > 0),
        n,
        np.maximum(n - m, 0),
        np.maximum(m - n, 0),
        both - right,
        m,
        both,
    )
    return [_sums(cuts.recording, duration * weight, n_recordings) for weight in weights]


def _sums(recording: Ints, values: Floats, n_recordings: int) -> Floats:
    """Sum values by recording, one after the other: a pairwise sum would round differently."""
    sums: Floats = np.bincount(recording, values, n_recordings)
    return sums


def _heads(cuts: _Cuts, ref: Turns, system: Turns, partner: Ints, n: int) -> list[tuple[int, int, int]]:
    """Count the reference speakers, system speakers and mapped pairs of each recording."""
    n_ref = np.bincount(ref.speaker_recording[cuts.ref_heard], minlength=n)
    n_sys = np.bincount(system.speaker_recording[cuts.sys_heard], minlength=n)
    n_mapped = np.bincount(ref.speaker_recording[partner >= 0], minlength=n)
    return list(zip(n_ref.tolist(), n_sys.tolist(), n_mapped.tolist(), strict=True))


def _speaker_table(heads: tuple[int, int, int]) -> TypeTable:
    n_ref, n_sys, n_mapped = heads
    cells = {
        (UNKNOWN_TYPE, UNKNOWN_TYPE): n_mapped,
        (UNKNOWN_TYPE, TypeTable.MISS): n_ref - n_mapped,
        (TypeTable.FALSE_ALARM, UNKNOWN_TYPE): n_sys - n_mapped,
    }
    return TypeTable(
        {UNKNOWN_TYPE: n_ref} if n_ref else None,
        {UNKNOWN_TYPE: n_sys} if n_sys else None,
        {cell: value for cell, value in cells.items() if value},
    )


def _seconds_table(row: Sequence[float]) -> TypeTable:
    speaker, missed, false_alarm, _, system, matched = row[6:]
    table = TypeTable()
    if speaker:
        table.ref[UNKNOWN_TYPE] = speaker
        table.joint[UNKNOWN_TYPE, TypeTable.MISS] = missed
    if system:
        table.sys[UNKNOWN_TYPE] = system
        table.joint[TypeTable.FALSE_ALARM, UNKNOWN_TYPE] = false_alarm
    if matched:
        table.joint[UNKNOWN_TYPE, UNKNOWN_TYPE] = matched
    return table


class _Overlaps:
    """Shared time of every pair of speakers of a batch: one matrix per recording, laid out one after the other."""

    def __init__(
        self, cuts: _Cuts, ref: Turns, system: Turns, names: tuple[Sequence[str], Sequence[str]], n: int
    ) -> None:
        self.ref, self.system, self.names = ref, system, names
        self.n_ref = np.bincount(ref.speaker_recording, minlength=n)
        self.n_sys = np.bincount(system.speaker_recording, minlength=n)
        self.first_ref = np.cumsum(self.n_ref) - self.n_ref
        self.first_sys = np.cumsum(self.n_sys) - self.n_sys
        sizes = self.n_ref * self.n_sys
        self.first = np.cumsum(sizes) - sizes
        width = self.n_sys[ref.speaker_recording]  # of the row of each reference speaker
        nth = np.arange(len(width)) - self.first_ref[ref.speaker_recording]
        self.row = self.first[ref.speaker_recording] + nth * width
        self.width = width
        column = cuts.pair_sys - self.first_sys[system.speaker_recording[cuts.pair_sys]]
        self.time = np.bincount(
            self.row[cuts.pair_ref] + column, cuts.duration[cuts.pair_cut], minlength=int(sizes.sum())
        )

    def partners(self) -> Ints:
        """Map the speakers: for each reference speaker the number of its system speaker, or -1.

        Notes
        -----
        Where every reference speaker has one clearly best partner and no two the same one, these pairs are the only
        optimum; the other recordings go through the exact procedure.
        """
        partner = np.full(len(self.row), -1)
        some = np.flatnonzero(self.width)
        if not len(some):
            return partner
        best = np.zeros(len(self.row))
        best[some] = np.maximum.reduceat(self.time, self.row[some])
        row_of_cell = np.repeat(np.arange(len(self.row)), self.width)
        wins = np.flatnonzero((self.time > 0) & (self.time >= best[row_of_cell] * _CLEAR_WIN))
        winner = row_of_cell[wins]
        of_row = self.ref.speaker_recording
        chosen = self.first_sys[of_row[winner]] + wins - self.row[winner]
        rivals = np.bincount(winner, minlength=len(partner)) > 1
        wanted_twice = np.bincount(chosen, minlength=len(self.system.speaker_name))[chosen] > 1
        partner[winner] = chosen
        unclear = np.union1d(of_row[rivals], of_row[winner[wanted_twice]])
        for recording in unclear.tolist():
            first = int(self.first_ref[recording])
            partner[first : first + int(self.n_ref[recording])] = self._exact(recording)
        return partner

    def _exact(self, recording: int) -> list[int]:
        """Map the speakers of one recording by the exact procedure."""
        mapping = map_speakers(self.of(recording))
        number = {name: i for i, name in enumerate(self._system_names(recording), int(self.first_sys[recording]))}
        return [number[mapping[ref]] if ref in mapping else -1 for ref in self._ref_names(recording)]

    def _ref_names(self, recording: int) -> list[str]:
        first = int(self.first_ref[recording])
        return [self.names[0][i] for i in self.ref.speaker_name[first : first + int(self.n_ref[recording])].tolist()]

    def _system_names(self, recording: int) -> list[str]:
        first = int(self.first_sys[recording])
        return [self.names[1][i] for i in self.system.speaker_name[first : first + int(self.n_sys[recording])].tolist()]

    def of(self, recording: int) -> dict[tuple[str, str], float]:
        """Give the shared time of the pairs of one recording that meet."""
        refs, systems = self._ref_names(recording), self._system_names(recording)
        first = int(self.first[recording])
        times = self.time[first : first + len(refs) * len(systems)].tolist()
        pairs = ((ref, sys) for ref in refs for sys in systems)
        return {pair: time for pair, time in zip(pairs, times, strict=True) if time > 0}

    def mappings(self, partner: Ints) -> list[dict[str, str]]:
        """Name the mapped pairs of every recording."""
        mapped: list[dict[str, str]] = [{} for _ in range(len(self.n_ref))]
        for ref in np.flatnonzero(partner >= 0).tolist():
            name = self.names[0][self.ref.speaker_name[ref]]
            mapped[self.ref.speaker_recording[ref]][name] = self.names[1][self.system.speaker_name[partner[ref]]]
        return mapped
