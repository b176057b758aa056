"""Where the errors of a recording are: its longest ones, its speakers, who was taken for whom.

NIST's rule says how many speakers of a moment are missed or confused, not which. So the times per speaker have
definitions of their own (below) and do not add up to the error rate's parts where turns overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdeval.recording import Recording

__all__ = ["ErrorStretch", "Explanation", "RefSpeaker", "SysSpeaker", "explain", "longest"]

MISSED, FALSE_ALARM, CONFUSION = "missed", "false alarm", "confusion"


@dataclass(frozen=True, slots=True)
class ErrorStretch:
    """A stretch of time with the same error all through.

    Parameters
    ----------
    file_id, channel : str
        Where.
    onset, offset : float
        When, in seconds.
    kind : {"missed", "false alarm", "confusion"}
        What is wrong. More than one thing can be: then there is a stretch for each.
    speakers : int
        How many speakers are wrong in this way at once.
    reference, system : tuple of str
        Who is active on either side.
    """

    file_id: str
    channel: str
    onset: float
    offset: float
    kind: str
    speakers: int
    reference: tuple[str, ...]
    system: tuple[str, ...]

    @property
    def lost(self) -> float:
        """What the stretch adds to the numerator of the error rate, in seconds."""
        return (self.offset - self.onset) * self.speakers


@dataclass(frozen=True, slots=True)
class RefSpeaker:
    """One reference speaker of a recording, times in seconds within the scored regions.

    Parameters
    ----------
    speaker : str
        The speaker.
    partner : str or None
        The system speaker it is mapped to.
    time : float
        Time active.
    missed : float
        Time active while no system speaker is.
    confused : float
        Time active while system speakers are, but not the partner.
    """

    speaker: str
    partner: str | None
    time: float
    missed: float
    confused: float


@dataclass(frozen=True, slots=True)
class SysSpeaker:
    """One system speaker of a recording, times in seconds within the scored regions.

    Parameters
    ----------
    speaker : str
        The speaker.
    partner : str or None
        The reference speaker it is mapped to.
    time : float
        Time active.
    false_alarm : float
        Time active while no reference speaker is.
    """

    speaker: str
    partner: str | None
    time: float
    false_alarm: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where the errors of one recording are.

    Parameters
    ----------
    file_id, channel : str
        Which recording.
    errors : tuple of ErrorStretch
        In time order.
    ref_speakers : tuple of RefSpeaker
        In order of name.
    sys_speakers : tuple of SysSpeaker
        In order of name.
    overlaps : dict of (str, str) to float
        Seconds that a reference speaker and a system speaker share, for those that meet in the scored regions.
    """

    file_id: str
    channel: str
    errors: tuple[ErrorStretch, ...]
    ref_speakers: tuple[RefSpeaker, ...]
    sys_speakers: tuple[SysSpeaker, ...]
    overlaps: dict[tuple[str, str], float]


def explain(recording: Recording, mapping: dict[str, str], *, collar: float, ignore_overlap: bool) -> Explanation:
    """Find where the errors of a recording are.

    Parameters
    ----------
    recording : Recording
        The recording.
    mapping : dict of str to str
        Its speaker map.
    collar : float
        Half-width of the zone around each reference boundary that is not scored, in seconds.
    ignore_overlap : bool
        Score only where at most one reference turn is open.

    Returns
    -------
    Explanation
        Errors, speakers, and who meets whom.
    """
    cells = Cells(recording, collar=collar, ignore_overlap=ignore_overlap)
    refs, systems = _speakers(cells, mapping)
    overlaps: dict[tuple[str, str], float] = {}
    for (active_refs, active_systems), seconds in cells.durations.items():
        for i in active_refs:
            for j in active_systems:
                pair = cells.ref_names[i], cells.sys_names[j]
                overlaps[pair] = overlaps.get(pair, 0.0) + seconds
    return Explanation(*recording.key, tuple(_joined(_stretches(cells, mapping))), refs, systems, overlaps)


def _stretches(cells: Cells, mapping: dict[str, str]) -> Iterator[ErrorStretch]:
    """Give the errors of every cell."""
    for onset, offset, active_refs, active_systems in cells.cuts:
        refs = tuple(sorted(cells.ref_names[i] for i in active_refs))
        systems = tuple(sorted(cells.sys_names[j] for j in active_systems))
        n, m = len(refs), len(systems)
        right = sum(mapping.get(name) in systems for name in refs)
        for kind, speakers in ((MISSED, n - m), (FALSE_ALARM, m - n), (CONFUSION, min(n, m) - right)):
            if speakers > 0:
                yield ErrorStretch(*cells.key, onset, offset, kind, speakers, refs, systems)


def _joined(stretches: Iterator[ErrorStretch]) -> list[ErrorStretch]:
    """Join stretches that follow one another and are alike."""
    done: list[ErrorStretch] = []
    last: dict[str, int] = {}  # position of the last stretch of each kind
    for stretch in stretches:
        at = last.get(stretch.kind)
        if at is not None and done[at].offset == stretch.onset and _alike(done[at], stretch):
            before = done[at]
            done[at] = ErrorStretch(
                before.file_id,
                before.channel,
                before.onset,
                stretch.offset,
                before.kind,
                before.speakers,
                before.reference,
                before.system,
            )
        else:
            last[stretch.kind] = len(done)
            done.append(stretch)
    return done


def _alike(a: ErrorStretch, b: ErrorStretch) -> bool:
    return (a.speakers, a.reference, a.system) == (b.speakers, b.reference, b.system)


def _speakers(cells: Cells, mapping: dict[str, str]) -> tuple[tuple[RefSpeaker, ...], tuple[SysSpeaker, ...]]:
    """Sum the times of every speaker."""
    number = {name: j for j, name in enumerate(cells.sys_names)}
    partner = [number.get(mapping.get(name, ""), -1) if name in mapping else -1 for name in cells.ref_names]
    time, missed, confused = ([0.0] * len(cells.ref_names) for _ in range(3))
    sys_time, false_alarm = ([0.0] * len(cells.sys_names) for _ in range(2))
    for (active_refs, active_systems), seconds in cells.durations.items():
        for i in active_refs:
            time[i] += seconds
            if not active_systems:
                missed[i] += seconds
            elif partner[i] not in active_systems:
                confused[i] += seconds
        for j in active_systems:
            sys_time[j] += seconds
            if not active_refs:
                false_alarm[j] += seconds
    back = {system: ref for ref, system in mapping.items()}
    refs = (
        RefSpeaker(name, mapping.get(name), *sums)
        for name, *sums in zip(cells.ref_names, time, missed, confused, strict=True)
    )
    systems = (
        SysSpeaker(name, back.get(name), *sums)
        for name, *sums in zip(cells.sys_names, sys_time, false_alarm, strict=True)
    )
    return tuple(sorted(refs, key=lambda s: s.speaker)), tuple(sorted(systems, key=lambda s: s.speaker))


def longest(explanations: Sequence[Explanation], n: int) -> list[ErrorStretch]:
    """Give the stretches that cost most, the worst first; equal ones in time order."""
    errors = [error for explanation in explanations for error in explanation.errors]
    return sorted(errors, key=lambda e: (-e.lost, e.file_id, e.channel, e.onset))[:n]
