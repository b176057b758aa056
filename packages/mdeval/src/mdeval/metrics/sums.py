"""What all metrics share: sums that add up, ratios at the edges, and how long each pair of speakers meets."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdeval.cells import Cells

__all__ = ["Overlaps", "Sums", "harmonic", "ratio"]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over one recording, or over several once they are added with ``+``; rates are taken from them last."""

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def ratio(part: float, whole: float, *, empty: float) -> float:
    """Divide, with a rule for nothing divided by nothing.

    Parameters
    ----------
    part, whole : float
        Numerator and denominator, >= 0.
    empty : float
        The value when both are zero: 0 for a rate of errors, 1 for precision, recall and accuracy.

    Returns
    -------
    float
        The ratio; 1 when only the denominator is zero.
    """
    if whole:
        return part / whole
    return 1.0 if part else empty


def harmonic(first: float, second: float) -> float:
    """Give the harmonic mean.

    Parameters
    ----------
    first, second : float
        Two rates, >= 0.

    Returns
    -------
    float
        ``2ab / (a + b)``; 0 if both are 0.
    """
    total = first + second
    return 2 * first * second / total if total else 0.0


class Overlaps:
    """For how long each speaker is active and each pair of speakers meets, in the scored regions.

    Parameters
    ----------
    cells : Cells
        One recording.

    Attributes
    ----------
    joint : dict of (int, int) to float
        Seconds shared by a reference and a system speaker that meet (``O`` of the documentation).
    ref, system : dict of int to float
        Seconds of activity of each speaker heard in the regions (``r`` and ``h``).
    """

    __slots__ = ("joint", "ref", "system")

    def __init__(self, cells: Cells) -> None:
        self.joint: dict[tuple[int, int], float] = {}
        self.ref: dict[int, float] = {}
        self.system: dict[int, float] = {}
        for (refs, systems), seconds in cells.durations.items():
            for i in refs:
                self.ref[i] = self.ref.get(i, 0.0) + seconds
                for j in systems:
                    self.joint[i, j] = self.joint.get((i, j), 0.0) + seconds
            for j in systems:
                self.system[j] = self.system.get(j, 0.0) + seconds

    def jaccard(self) -> Iterator[tuple[tuple[int, int], float]]:
        """Give the Jaccard index of each pair that meets.

        Yields
        ------
        (int, int)
            Reference and system speaker.
        float
            Time shared by the time in which at least one of them is active, in 0-1.
        """
        for (i, j), shared in self.joint.items():
            yield (i, j), shared / (self.ref[i] + self.system[j] - shared)
