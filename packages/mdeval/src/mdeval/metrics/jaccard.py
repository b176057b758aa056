"""The Jaccard error rate (JER): how much of each reference speaker is shared with its own system speaker.

Source: N. Ryant et al., "The Second DIHARD Diarization Challenge: Dataset, Task, and Baselines", Interspeech 2019;
``dscore``. The map maximises the sum of the Jaccard indices, as dscore and simpleder have it; pyannote.metrics takes
the map of the DER, which can give a higher rate. Here no frames are counted, so dscore's figures (10 ms frames)
differ by rounding, up to 1e-4 on meetings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.mapping import byte_order, map_speakers
from mdeval.metrics.sums import Overlaps, Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mdeval.cells import Cells

    Pair = tuple[str, str]

__all__ = ["Jer", "first_best_map", "jaccard_map", "jer", "jer_columns"]

_SLACK = 1e-9
"""Sums of Jaccard indices that differ by less are ties."""


@dataclass(frozen=True, slots=True)
class Jer(Sums):
    """The errors of the reference speakers.

    Parameters
    ----------
    error_sum : float
        Sum of ``1 - O / (r + h - O)`` over the reference speakers, with their system speaker; 1 for one without.
    n_speakers : int
        Number of reference speakers.
    system_time : float
        Seconds of activity summed over the system speakers; decides when there is no reference speaker.

    Notes
    -----
    System speakers without a partner cost nothing, so the rate never exceeds 1. Recordings pool over speakers.

    Examples
    --------
    >>> round((Jer(0.25, 2, 9.0) + Jer(1.0, 1, 0.0)).rate, 4)
    0.4167
    """

    error_sum: float
    n_speakers: int
    system_time: float

    @property
    def rate(self) -> float:
        """The mean error, in 0-1; without reference speakers 1 if the system found any, else 0 (as dscore)."""
        if self.n_speakers:
            return self.error_sum / self.n_speakers
        return 1.0 if self.system_time else 0.0


def jer(cells: Cells, *, min_duration: float = 0.0) -> Jer:
    """Sum the Jaccard errors of one recording.

    Parameters
    ----------
    cells : Cells
        One recording. dscore never applies a collar; ours applies that of the cells.
    min_duration : float, default 0.0
        Leave reference speakers with less activity, in seconds, out of the mean. They keep their system speaker.

    Returns
    -------
    Jer
        The sums.
    """
    overlaps = Overlaps(cells)
    index = _named(cells, overlaps)
    partner = map_speakers(index)
    heard = [cells.ref_names[i] for i, seconds in overlaps.ref.items() if seconds >= min_duration]
    error = 0.0
    for name in heard:
        error += 1.0 - index[name, partner[name]] if name in partner else 1.0
    return Jer(error, len(heard), sum(overlaps.system.values()))


def jer_columns(sums: Jer) -> dict[str, float | int]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Jer
        Of one recording or several.

    Returns
    -------
    dict of str to float or int
        The rate, and over how many reference speakers it is the mean.
    """
    return {"jer": sums.rate, "jer_speakers": sums.n_speakers}


def jaccard_map(cells: Cells) -> dict[str, str]:
    """Find the one-to-one map with the largest sum of Jaccard indices.

    Parameters
    ----------
    cells : Cells
        One recording.

    Returns
    -------
    dict of str to str
        Reference speaker to system speaker, in byte order of the former. Of maps that are equally good to 1e-9 it
        is the one whose sequence of (reference, system) pairs comes first in byte order.
    """
    return first_best_map(_named(cells, Overlaps(cells)))


def _named(cells: Cells, overlaps: Overlaps) -> dict[Pair, float]:
    return {(cells.ref_names[i], cells.sys_names[j]): index for (i, j), index in overlaps.jaccard()}


def first_best_map(weights: Mapping[Pair, float]) -> dict[str, str]:
    """Of all maps with the largest sum of weights, find the first one.

    Parameters
    ----------
    weights : mapping of (str, str) to float
        Weight of each pair that may be mapped, > 0.

    Returns
    -------
    dict of str to str
        The map whose sequence of pairs comes first in byte order.

    Notes
    -----
    From one optimum the dual solution follows: a height for every speaker such that two heights reach the weight of
    the pair. By complementary slackness the optimal maps are those that use tight pairs only and leave no speaker of
    positive height alone. Whether some pairs can be completed to one is a question of matching either side's tall
    speakers (N. S. Mendelsohn and A. L. Dulmage, 1958), so the first map is found pair by pair.

    Examples
    --------
    >>> first_best_map({("A", "x"): 0.5, ("A", "y"): 0.5, ("B", "x"): 0.5, ("B", "y"): 0.5})
    {'A': 'x', 'B': 'y'}
    """
    best = map_speakers(weights)
    ref_height, sys_height = _heights(weights, best)
    tight = {pair for pair, weight in weights.items() if ref_height[pair[0]] + sys_height[pair[1]] <= weight + _SLACK}
    if len(tight) == len(best):
        return best
    tall_refs = {name for name, height in ref_height.items() if height > _SLACK}
    tall_systems = {name for name, height in sys_height.items() if height > _SLACK}
    systems = byte_order(sys_height)
    chosen: dict[str, str] = {}
    for ref in byte_order(ref_height):
        for system in systems:
            if (ref, system) not in tight:
                continue
            left = {(r, s) for r, s in tight if r != ref and s != system}
            if _covers(left, tall_refs - {ref}) and _covers({(s, r) for r, s in left}, tall_systems - {system}):
                chosen[ref] = system
                tall_systems.discard(system)
                tight = left
                break
        tall_refs.discard(ref)
        tight = {(r, s) for r, s in tight if r != ref}
    return chosen


def _heights(weights: Mapping[Pair, float], best: Mapping[str, str]) -> tuple[dict[str, float], dict[str, float]]:
    """Give each speaker a height, >= 0: two heights reach the weight of their pair, and equal it where mapped."""
    sys_height = {system: 0.0 for _, system in weights}
    height = {ref: 0.0 for ref, _ in weights}
    height.update({ref: weights[ref, system] for ref, system in best.items()})
    for _ in range(len(sys_height) + 1):
        is_settled = True
        for (ref, system), weight in weights.items():
            if weight - height[ref] > sys_height[system] + _SLACK / 1000:
                sys_height[system] = weight - height[ref]
                is_settled = False
        for ref, system in best.items():
            height[ref] = weights[ref, system] - sys_height[system]
        if is_settled:
            break
    return height, sys_height


def _covers(pairs: Iterable[Pair], wanted: Iterable[str]) -> bool:
    """Tell whether all `wanted` first names can have a second name each, by augmenting paths."""
    options: dict[str, list[str]] = {}
    for first, second in pairs:
        options.setdefault(first, []).append(second)
    holder: dict[str, str] = {}
    for name in wanted:
        came_from: dict[str, str] = {}  # second name: the first name that reached it
        waiting = [name]
        free: str | None = None
        while waiting and free is None:
            first = waiting.pop()
            for second in options.get(first, ()):
                if second not in came_from:
                    came_from[second] = first
                    if second not in holder:
                        free = second
                        break
                    waiting.append(holder[second])
        if free is None:
            return False
        before = {first: second for second, first in holder.items()}
        at: str | None = free
        while at is not None:
            first = came_from[at]
            holder[at] = first
            at = before.get(first)
    return True
