"""Score a batch of recordings with arrays.

This is the engine for large inputs: everything is a weighted count over the cuts of `timeline`. It adds up the same
numbers in the same order as `sweep` does, so the two agree to the last bit. It knows turns and regions only:
recordings with words, no-score zones or speaker types go through `sweep`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from mdeval.counts import Counts, RecordingScore, TypeTable
from mdeval.mapping import map_speakers
from mdeval.recording import UNKNOWN_TYPE
from mdeval.timeline import Cuts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mdeval.recording import Key
    from mdeval.timeline import Regions, Turns

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["score_batch"]

_CLEAR_WIN = 1.0 - 1e-9
"""A partner is clearly the best when no other reaches this part of the shared time."""


def score_batch(
    keys: Sequence[Key],
    ref: Turns,
    system: Turns,
    names: tuple[Sequence[str], Sequence[str]],
    evaluated: Regions,
    scored: Regions | None,
) -> tuple[list[RecordingScore], set[Key]]:
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
    scores : list of RecordingScore
        In the order of `keys`.
    doubtful : set of (str, str)
        Recordings that only `sweep` gets right, to the last bit: with boundaries hardly apart, or with a speaker that
        is heard outside the evaluated regions only.
    """
    n = len(keys)
    cuts = Cuts(evaluated, ref, system)
    overlaps = _Overlaps(cuts, ref, system, names, n)
    partner = overlaps.partners()
    score_cuts = cuts if scored is None else Cuts(scored, ref, system)
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
    doubtful = {keys[i] for i in (*cuts.doubtful.tolist(), *score_cuts.doubtful.tolist())}
    for turns, heard, before in (
        (ref, score_cuts.ref_heard, cuts.ref_heard),
        (system, score_cuts.sys_heard, cuts.sys_heard),
    ):
        doubtful |= {keys[i] for i in turns.speaker_recording[heard & ~before].tolist()}
    scores = [
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
    return scores, doubtful


def _times(cuts: Cuts, partner: Ints, n_recordings: int) -> list[Floats]:
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
    return np.asarray(np.bincount(recording, values, n_recordings), dtype=np.float64)


def _heads(cuts: Cuts, ref: Turns, system: Turns, partner: Ints, n: int) -> list[tuple[int, int, int]]:
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
        self, cuts: Cuts, ref: Turns, system: Turns, names: tuple[Sequence[str], Sequence[str]], n: int
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
