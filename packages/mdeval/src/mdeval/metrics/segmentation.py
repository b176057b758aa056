"""Whether the system's boundaries cut speech into the same pieces as the reference's, whoever speaks.

Gaps of a reference speaker shorter than a limit are filled; ``K`` is the time in which anybody speaks then, between the
first and the last boundary of the system. It is cut at all filled reference boundaries (pieces ``a``) and apart from
that at all system boundaries (pieces ``b``).

Source: H. Bredin, "pyannote.metrics: a toolkit for reproducible evaluation, diagnostic, and error analysis of speaker
diarization systems", Interspeech 2017; pyannote.metrics 4.2.0, ``segmentation``. As there, the scored regions do not
matter, and speech before the first and after the last system boundary is in no piece of the system and so left out;
whether it was found is a question for `detection`. Where no speech is left pyannote.metrics answers 1.0, also for an
empty system; here the rates do not exist then. Stretches at most 1e-8 s apart touch. Whether a gap of exactly the limit
is filled is left to the rounding of floating-point numbers, as there.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from mdeval.errors import UsageError
from mdeval.metrics.sums import Sums, harmonic
from mdeval.zones import EPSILON

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdeval.cells import Cells
    from mdeval.recording import Turn

    Span = tuple[float, float]

__all__ = ["Segmentation", "segmentation", "segmentation_columns"]


@dataclass(frozen=True, slots=True)
class Segmentation(Sums):
    """How the pieces of both sides fit.

    Parameters
    ----------
    covered : float
        For each piece of the reference the seconds shared with the system piece it shares most with, summed.
    pure : float
        For each system piece the seconds shared with the reference piece it shares most with, summed.
    total : float
        Seconds of speech with the gaps filled, between the system's first and last boundary, ``|K|``.
    """

    covered: float
    pure: float
    total: float

    @property
    def coverage(self) -> float | None:
        """``sum_a max_b k[a, b] / |K|``, in 0-1: low where the system cuts too often; None without speech."""
        return self.covered / self.total if self.total else None

    @property
    def purity(self) -> float | None:
        """``sum_b max_a k[a, b] / |K|``, in 0-1: low where the system cuts too rarely; None without speech."""
        return self.pure / self.total if self.total else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of purity and coverage, in 0-1; None without speech."""
        purity, coverage = self.purity, self.coverage
        return None if purity is None or coverage is None else harmonic(purity, coverage)


def segmentation(cells: Cells, *, max_gap: float = 0.5) -> Segmentation:
    """Sum how the pieces of one recording fit.

    Parameters
    ----------
    cells : Cells
        One recording.
    max_gap : float, default 0.5
        Gaps of one reference speaker shorter than this are filled, in seconds, >= 0.

    Returns
    -------
    Segmentation
        Seconds.

    Raises
    ------
    UsageError
        If `max_gap` is negative or not finite.
    """
    if not 0 <= max_gap < float("inf"):
        raise UsageError(f"max_gap is {max_gap!r}; it must be a finite number of seconds, 0 or more")
    filled = _filled(cells.ref, max_gap)
    ref_cuts = sorted({time for span in filled for time in span})
    sys_cuts = sorted({time for turn in cells.system for time in turn[:2]})
    covered: dict[tuple[int, int], float] = {}
    pure: dict[tuple[int, int], float] = {}
    total = 0.0
    for part, span in enumerate(_joined(filled, 0.0)):
        if not sys_cuts:
            break
        onset, offset = max(span[0], sys_cuts[0]), min(span[1], sys_cuts[-1])
        times = sorted({onset, offset, *_between(ref_cuts, onset, offset), *_between(sys_cuts, onset, offset)})
        for start, end in pairwise(times) if onset < offset else ():
            # An atom belongs to one piece of either side, and no two atoms to the same pair of pieces.
            a, b = (part, bisect_right(ref_cuts, start)), (part, bisect_right(sys_cuts, start))
            covered[a] = max(covered.get(a, 0.0), end - start)
            pure[b] = max(pure.get(b, 0.0), end - start)
            total += end - start
    return Segmentation(sum(covered.values()), sum(pure.values()), total)


def _filled(turns: Iterable[Turn], max_gap: float) -> list[Span]:
    """Join the turns of each speaker over short gaps."""
    by_speaker: dict[str, list[Span]] = {}
    for onset, offset, name in turns:
        by_speaker.setdefault(name, []).append((onset, offset))
    return [span for spans in by_speaker.values() for span in _joined(spans, max_gap)]


def _joined(spans: Iterable[Span], max_gap: float) -> list[Span]:
    """Join spans that overlap, touch, or leave a gap shorter than `max_gap`."""
    joined: list[Span] = []
    for onset, offset in sorted(spans):
        if joined and onset - joined[-1][1] < max(max_gap, EPSILON):
            joined[-1] = (joined[-1][0], max(joined[-1][1], offset))
        else:
            joined.append((onset, offset))
    return joined


def _between(cuts: Sequence[float], onset: float, offset: float) -> Sequence[float]:
    return cuts[bisect_right(cuts, onset) : bisect_right(cuts, offset)]


def segmentation_columns(sums: Segmentation) -> dict[str, float | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Segmentation
        Of one recording or several.

    Returns
    -------
    dict of str to float or None
        Fractions; None where undefined.
    """
    return {
        "segmentation_purity": sums.purity,
        "segmentation_coverage": sums.coverage,
        "segmentation_f1": sums.f1,
    }
