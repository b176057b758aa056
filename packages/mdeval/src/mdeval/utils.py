"""The interval type that the public functions take and return."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Segment"]


class Segment(NamedTuple):
    """A stretch of time, in seconds.

    Parameters
    ----------
    tbeg : float
        Start of the stretch.
    tend : float
        End of the stretch.

    Examples
    --------
    >>> Segment(1.0, 2.5).duration
    1.5
    """

    tbeg: float
    tend: float

    @property
    def duration(self) -> float:
        """Length of the stretch, in seconds."""
        return self.tend - self.tbeg
