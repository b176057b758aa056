"""Which stretches of a recording are evaluated and which are scored.

The *evaluated* regions are the UEM without NOSCORE zones; the speaker map is found on them. The *scored* regions
are what is left of these after the collars, the no-score zones and, when asked for, overlapped reference speech.
Both follow md-eval 22 to the last coincidence: events at one time are taken in the order Perl would take them
(see `exactsort`), and a zone that md-eval never closes stays open here too.

Regions are lists of ``(onset, offset)`` in seconds, in time order. Plain lists, no arrays: a recording has few
regions, and a small input should not have to load a numeric library.
"""

from __future__ import annotations

from itertools import pairwise

from mdeval.exactsort import exact_sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Region = tuple[float, float]
    Interval = tuple[float, float, str]  # onset, offset, kind

__all__ = [
    "EPSILON",
    "NEAR",
    "NOISE",
    "collared",
    "eval_regions",
    "overlap_zones",
    "scored_regions",
    "seconds_outside",
    "subtract",
    "uem_from",
]

EPSILON = 1e-8
"""Boundaries at most so many seconds apart coincide, to md-eval."""
NOISE, NEAR = 1e-9, 2.1e-8
"""Seconds between which two boundaries are neither equal, rounding apart, nor clearly different: which of them
coincide, and which comes first, then takes md-eval's own comparisons."""
NONLEX_EXTENT = 0.5
"""Seconds by which a no-score zone reaches beyond a NON-LEX record, at most."""

# What a record is to a zone. NOSCORE and NON-LEX are kinds of their own because the sets differ.
SPEAKER, WORD, NOSCORE, NONLEX = "SPEAKER", "LEXEME", "NOSCORE", "NON-LEX"

_EVAL_KINDS = frozenset({NOSCORE})
_SCORE_KINDS = frozenset({NOSCORE, NONLEX})
_NONLEX_KINDS = frozenset({NONLEX})

_Event = tuple[float, bool, str]


def uem_from(intervals: Iterable[tuple[float, float]]) -> list[Region]:
    """Infer the region to evaluate from the reference, as md-eval does without a UEM.

    Parameters
    ----------
    intervals : iterable of (float, float)
        Onset and offset of every reference record that counts, in seconds.

    Returns
    -------
    list of (float, float)
        One region from the earliest onset to the latest offset (never before 0); nothing without intervals.
    """
    first: float | None = None
    last = 0.0
    for onset, offset in intervals:
        if first is None or onset < first:
            first = onset
        if offset > last:
            last = offset
    return [] if first is None else [(first, last)]


def eval_regions(uem: Sequence[Region], records: Sequence[Interval]) -> list[Region]:
    """Take the NOSCORE zones out of the UEM.

    Parameters
    ----------
    uem : sequence of (float, float)
        Regions to evaluate, in seconds, in time order.
    records : sequence of (float, float, str)
        Onset, offset and kind of the reference records, in the order of their middles.

    Returns
    -------
    list of (float, float)
        The evaluated regions.
    """
    return subtract(uem, _zones(records, _EVAL_KINDS, 0.0))


def scored_regions(
    evaluated: Sequence[Region], records: Sequence[Interval], *, collar: float, ignore_overlap: bool
) -> list[Region]:
    """Take collars, no-score zones and (when asked for) overlapped speech out of the evaluated regions.

    Parameters
    ----------
    evaluated : sequence of (float, float)
        The evaluated regions, from `eval_regions`.
    records : sequence of (float, float, str)
        Onset, offset and kind of the reference records, in the order of their middles.
    collar : float
        Half-width of the zone around each reference boundary that is not scored, in seconds, >= 0.
    ignore_overlap : bool
        Leave out the time in which more than one reference turn is open.

    Returns
    -------
    list of (float, float)
        The scored regions.
    """
    regions = list(evaluated)
    if collar > 0:
        regions = collared(regions, [r for r in records if r[2] == SPEAKER], collar)
    regions = subtract(regions, _zones(records, _SCORE_KINDS, 0.0))
    regions = subtract(regions, _zones(records, _NONLEX_KINDS, NONLEX_EXTENT))
    if ignore_overlap:
        regions = subtract(regions, overlap_zones(records))
    return regions


def collared(regions: Sequence[Region], turns: Iterable[tuple[float, float, str]], collar: float) -> list[Region]:
    """Take a collar around every boundary of every turn out of the regions.

    Parameters
    ----------
    regions : sequence of (float, float)
        Regions in seconds.
    turns : iterable of (float, float, str)
        Onset, offset and whatever of the reference turns, those of no duration included.
    collar : float
        Half-width of the zone around a boundary, in seconds, > 0.

    Returns
    -------
    list of (float, float)
        What is left; touching regions may come out as one.
    """
    events: list[_Event] = []
    for onset, offset in regions:
        events += ((onset, True, "region"), (offset, False, "region"))
    for onset, offset, kind in turns:
        for time in (onset, offset):
            events += ((time - collar, False, kind), (time + collar, True, kind))
    if any(a[1] == b[0] for a, b in pairwise(regions)):
        events = exact_sort(events, _compare_collar)  # whether touching regions come out as one depends on it
    else:
        events.sort(key=lambda event: (event[0], not event[1]))
    out: list[Region] = []
    depth = 0
    start = 0.0
    for time, opens, _ in events:
        if opens:
            depth += 1
            if depth == 1:
                start = time
        else:
            depth -= 1
            if depth == 0 and time > start:
                out.append((start, time))
    return out


def overlap_zones(records: Sequence[Interval]) -> list[tuple[float, float | None]]:
    """Find the zones in which more than one reference turn is open.

    Turns count, not speakers: a speaker whose turns overlap one another makes a zone as well.

    Parameters
    ----------
    records : sequence of (float, float, str)
        Onset, offset and kind of the reference records, in the order of their middles.

    Returns
    -------
    list of (float, float)
        Zones in seconds, in time order; neighbours may touch.
    """
    events: list[_Event] = []
    for onset, offset, kind in records:
        if kind == SPEAKER and offset > onset:
            events += ((onset, True, kind), (offset, False, kind))
    zones: list[tuple[float, float | None]] = []
    count = 0
    start = 0.0
    for time, begins, _ in _in_order(events, by_kind=False):
        if begins:
            count += 1
            if count == 2:
                start = time
        else:
            count -= 1
            if count == 1:
                zones.append((start, time))
    return zones


def subtract(regions: Sequence[Region], zones: Sequence[tuple[float, float | None]]) -> list[Region]:
    """Take zones out of regions, with md-eval's treatment of events that coincide.

    Parameters
    ----------
    regions : sequence of (float, float)
        Regions in seconds, in time order.
    zones : sequence of (float, float or None)
        Zones in the order they were made; None for one that never closes.

    Returns
    -------
    list of (float, float)
        What is left. Touching regions stay separate.
    """
    if not zones and (len(regions) == 1 or all(a[1] < b[0] for a, b in pairwise(regions))):
        return [r for r in regions if r[1] > r[0]]
    events: list[_Event] = []
    for opening, closing in zones:
        events.append((opening, True, "zone"))
        if closing is not None:
            events.append((closing, False, "zone"))
    for onset, offset in regions:
        if offset > onset:
            events += ((onset, True, "region"), (offset, False, "region"))
    out: list[Region] = []
    open_regions = open_zones = 0
    on = False
    start = 0.0
    for time, begins, kind in _in_order(events):
        change = 1 if begins else -1
        if kind == "zone":
            open_zones += change
        else:
            open_regions += change
        if on and time > start and (open_regions == 0 or open_zones > 0):
            out.append((start, time))
            on = False
        elif open_regions > 0 and open_zones == 0:
            start, on = time, True
    return out


def seconds_outside(turns: Iterable[tuple[float, float]], region: Region) -> float:
    """Measure the time of turns outside a region, overlapping turns once.

    Parameters
    ----------
    turns : iterable of (float, float)
        Onset and offset, in seconds.
    region : (float, float)
        Start and end, in seconds.

    Returns
    -------
    float
        Seconds.
    """
    start, end = region
    outside: list[tuple[float, float]] = []
    for onset, offset in turns:
        if onset < start:
            outside.append((onset, min(offset, start)))
        if offset > end:
            outside.append((max(onset, end), offset))
    total, reach = 0.0, float("-inf")
    for onset, offset in sorted(outside):
        if offset > reach:
            total += offset - max(onset, reach)
            reach = offset
    return total


def _zones(records: Sequence[Interval], kinds: frozenset[str], extent: float) -> list[tuple[float, float | None]]:
    """Build the zones of the records of some kinds, widened by up to `extent` seconds where nothing is in the way."""
    if not any(kind in kinds and offset > onset for onset, offset, kind in records):
        return []
    extent = max(extent, EPSILON)
    events: list[_Event] = []
    for onset, offset, kind in records:
        if offset > onset and (kind in kinds or kind in (SPEAKER, WORD)):
            events += ((onset, True, kind), (offset, False, kind))
    zones: list[tuple[float, float | None]] = []
    start: float | None = None
    words = dead = 0
    words_end = dead_end = boundary = 0.0
    for time, begins, kind in _in_order(events):
        change = 1 if begins else -1
        if kind == WORD:
            words += change
            if words == 0:
                words_end = time
        elif kind == SPEAKER:
            boundary = time
        else:
            dead += change
            if dead == 0:
                dead_end = time
        is_dead = kind in kinds
        if start is None:
            if is_dead and dead > 0:
                start = time if words > 0 else max(words_end, boundary, time - extent)
        elif dead == 0 and (words > 0 or kind == SPEAKER):
            zones.append((start, min(dead_end + extent, time)))
            start = None
        elif dead == 1 and is_dead and begins and time > dead_end + 2 * extent:
            zones.append((start, dead_end + extent))
            start = time - extent
    if start is not None:
        zones.append((start, None))
    return zones


def _compare(x: _Event, y: _Event) -> int:
    """Compare two events as md-eval does: inconsistent when they coincide."""
    if x[0] != y[0]:
        return -1 if x[0] < y[0] else 1
    return 1 if x[1] else 0


def _compare_collar(x: _Event, y: _Event) -> int:
    """Compare two events of the collar sweep as md-eval does."""
    if x[0] != y[0]:
        return -1 if x[0] < y[0] else 1
    return 0 if x[1] else 1


def _in_order(events: list[_Event], *, by_kind: bool = True) -> list[_Event]:
    """Put events in md-eval's order; the slow exact sort only where coinciding events could tell the difference."""
    ordered = sorted(events, key=_time)
    for x, y in pairwise(ordered):
        if x[0] == y[0] and (by_kind or x[1] != y[1]):
            return exact_sort(events, _compare)
    return ordered


def _time(event: _Event) -> float:
    return event[0]
