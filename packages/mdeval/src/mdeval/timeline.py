"""Intervals of many recordings as sorted arrays, and one sweep line over all of them.

A batch of recordings is cut at every boundary by one sort; who speaks in each cut comes from running sums. No loop
runs over turns.
"""

from __future__ import annotations

import numpy as np

from mdeval.zones import EPSILON, NEAR, NOISE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

__all__ = ["Cuts", "Regions", "Turns", "collared"]

_REGION, _REF, _SYS = 1 << 40, 1 << 20, 1
"""Weights of an open region, reference speaker and system speaker in a running sum that counts all three at once."""
_COUNT = _REF - 1


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


class Cuts:
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
    doubtful : ndarray of int64
        Recordings with boundaries so near one another that only md-eval's own order of them is right.
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
        if recording.max(initial=0) > 0:
            order = order[np.argsort(recording[order].astype(np.uint16), kind="stable")]
        self.doubtful = _with_near_ties(times[order], recording[order])
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


def _with_near_ties(times: Floats, recording: Ints) -> Ints:
    """List the recordings with boundaries that are neither equal, rounding apart, nor clearly different."""
    distance = np.abs(times[1:] - times[:-1])
    near = (distance > NOISE) & (distance <= NEAR) & (recording[1:] == recording[:-1])
    return np.unique(recording[1:][near])


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
