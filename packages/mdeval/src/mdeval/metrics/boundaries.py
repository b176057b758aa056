"""Boundaries: how many of the reference's the system found, to a tolerance in seconds.

With ``edges="end"`` a side's boundaries are the ends of its turns, sorted by onset, without the last turn (the
convention of pyannote.metrics, for which neither UEM nor labels matter: equal turns of two speakers are one). With
``edges="both"`` they are all distinct onsets and offsets inside the scored regions.

Boundaries are matched one to one, nearest pairs first, and only within the tolerance. The candidate pairs come from a
sweep over both sorted lists; pyannote.metrics (``segmentation``) fills the whole table of distances. Distances are
compared to 1e-8 s, so that times written with a few decimals are at the tolerance when they look so.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from mdeval.errors import UsageError
from mdeval.metrics.sums import Sums, harmonic, ratio
from mdeval.zones import EPSILON

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdeval.cells import Cells
    from mdeval.recording import Turn
    from mdeval.zones import Region

__all__ = ["Boundary", "Edges", "boundary", "boundary_columns", "count_matches"]

Edges = Literal["end", "both"]
"""Which times are boundaries: ends of turns, or onsets and offsets."""


@dataclass(frozen=True, slots=True)
class Boundary(Sums):
    """How many boundaries were found.

    Parameters
    ----------
    n_matches, n_ref, n_sys : int
        Pairs matched, boundaries of the reference, boundaries of the system output.

    Examples
    --------
    >>> b = Boundary(2, 2, 3)
    >>> round(b.precision, 7), b.recall, b.f1
    (0.6666667, 1.0, 0.8)
    """

    n_matches: int
    n_ref: int
    n_sys: int

    @property
    def precision(self) -> float:
        """``matches / system boundaries``, in 0-1; 1 without any."""
        return ratio(self.n_matches, self.n_sys, empty=1.0)

    @property
    def recall(self) -> float:
        """``matches / reference boundaries``, in 0-1; 1 without any."""
        return ratio(self.n_matches, self.n_ref, empty=1.0)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in 0-1."""
        return harmonic(self.precision, self.recall)


def boundary(cells: Cells, *, tolerance: float = 0.25, edges: Edges = "end") -> Boundary:
    """Count the boundaries of one recording that were found.

    Parameters
    ----------
    cells : Cells
        One recording.
    tolerance : float, default 0.25
        Largest distance of a matched pair, in seconds, >= 0.
    edges : {"end", "both"}, default "end"
        Which times are boundaries.

    Returns
    -------
    Boundary
        The counts.

    Raises
    ------
    UsageError
        If an argument cannot be used.
    """
    if not 0 <= tolerance < float("inf"):
        raise UsageError(f"tolerance is {tolerance!r}; it must be a finite number of seconds, 0 or more")
    if edges not in get_args(Edges):
        raise UsageError(f"edges is {edges!r}; it must be one of {', '.join(get_args(Edges))}")
    ref, system = (
        _ends(turns) if edges == "end" else _edges(turns, cells.regions) for turns in (cells.ref, cells.system)
    )
    return Boundary(count_matches(ref, system, tolerance), len(ref), len(system))


def _ends(turns: Iterable[Turn]) -> list[float]:
    spans = sorted({(onset, offset) for onset, offset, _ in turns})
    return sorted(offset for _, offset in spans[:-1])


def _edges(turns: Iterable[Turn], regions: Sequence[Region]) -> list[float]:
    """Give the distinct onsets and offsets strictly inside a region: where a region begins or ends nothing is found."""
    starts = [onset for onset, _ in regions]
    inside = []
    for time in {time for turn in turns for time in turn[:2]}:
        at = bisect_left(starts, time) - 1
        if at >= 0 and time < regions[at][1]:
            inside.append(time)
    return sorted(inside)


def count_matches(ref: Sequence[float], system: Sequence[float], tolerance: float) -> int:
    """Match boundaries one to one, nearest pairs first.

    Parameters
    ----------
    ref, system : sequence of float
        Times in seconds, ascending.
    tolerance : float
        Largest distance of a pair, in seconds.

    Returns
    -------
    int
        Pairs matched. Pairs at one distance are taken in the order of the reference's time, then the system's.

    Examples
    --------
    >>> count_matches([10.0, 20.0], [9.0, 21.0, 27.0], 1.0)
    2
    """
    reach = tolerance + EPSILON
    candidates: list[tuple[float, int, int]] = []
    first = 0
    for i, time in enumerate(ref):
        while first < len(system) and time - system[first] > reach:
            first += 1
        j = first
        while j < len(system) and (distance := abs(system[j] - time)) <= reach:
            candidates.append((round(distance, 8), i, j))
            j += 1
    candidates.sort()
    used_ref, used_system = bytearray(len(ref)), bytearray(len(system))
    n = 0
    for _, i, j in candidates:
        if not used_ref[i] and not used_system[j]:
            used_ref[i] = used_system[j] = 1
            n += 1
    return n


def boundary_columns(sums: Boundary) -> dict[str, float | int]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Boundary
        Of one recording or several.

    Returns
    -------
    dict of str to float or int
        Fractions, then counts.
    """
    return {
        "boundary_precision": sums.precision,
        "boundary_recall": sums.recall,
        "boundary_f1": sums.f1,
        "boundary_matches": sums.n_matches,
        "ref_boundaries": sums.n_ref,
        "sys_boundaries": sums.n_sys,
    }
