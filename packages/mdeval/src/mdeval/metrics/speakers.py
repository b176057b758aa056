"""Purity and coverage of the speakers, homogeneity and completeness, and whether their number is right.

All come from the matrix of shared seconds: ``O[i, j]`` for reference speaker ``i`` and system speaker ``j``, with
activities ``r`` and ``h``, within the scored regions. No map is needed.

Sources: pyannote.metrics 4.2.0, ``diarization``; A. Rosenberg and J. Hirschberg, "V-Measure: a conditional
entropy-based external cluster evaluation measure", EMNLP-CoNLL 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from mdeval.metrics.sums import Overlaps, Sums, harmonic

if TYPE_CHECKING:
    from mdeval.cells import Cells

__all__ = [
    "HomogeneityCompleteness",
    "PurityCoverage",
    "SpeakerCount",
    "homogeneity_columns",
    "homogeneity_completeness",
    "purity_columns",
    "purity_coverage",
    "speaker_count",
    "speaker_count_columns",
]


@dataclass(frozen=True, slots=True)
class PurityCoverage(Sums):
    """How pure the system's speakers are, and how whole the reference's.

    Parameters
    ----------
    pure : float
        For each system speaker the seconds it shares with the reference speaker it meets most, summed.
    system_time : float
        Seconds of activity summed over the system speakers: the denominator of purity, false alarms included.
    covered : float
        For each reference speaker the seconds it shares with the system speaker it meets most, summed.
    ref_time : float
        Seconds of activity summed over the reference speakers: the denominator of coverage, misses included.

    Notes
    -----
    Purity does not exist where the system found nobody, nor coverage without a reference; pyannote.metrics answers 1.0
    there (its issue 24). It also ignores the UEM; ours is restricted to the scored regions.

    Examples
    --------
    >>> one_big_cluster = PurityCoverage(5.0, 10.0, 8.0, 8.0)  # 3 s and 5 s of two speakers, 2 s of silence
    >>> one_big_cluster.purity, one_big_cluster.coverage
    (0.5, 1.0)
    """

    pure: float
    system_time: float
    covered: float
    ref_time: float

    @property
    def defined(self) -> bool:
        """Whether the system found anybody, so that purity exists."""
        return self.system_time > 0

    @property
    def purity(self) -> float | None:
        """``sum_j max_i O[i, j] / sum_j h_j``, in 0-1; None where the system found nobody."""
        return self.pure / self.system_time if self.system_time else None

    @property
    def coverage(self) -> float | None:
        """``sum_i max_j O[i, j] / sum_i r_i``, in 0-1; None without reference speech."""
        return self.covered / self.ref_time if self.ref_time else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of purity and coverage; None where one of them is."""
        purity, coverage = self.purity, self.coverage
        return None if purity is None or coverage is None else harmonic(purity, coverage)


def purity_coverage(cells: Cells) -> PurityCoverage:
    """Sum what purity and coverage are taken from.

    Parameters
    ----------
    cells : Cells
        One recording.

    Returns
    -------
    PurityCoverage
        Seconds.
    """
    overlaps = Overlaps(cells)
    of_system: dict[int, float] = {}
    of_ref: dict[int, float] = {}
    for (i, j), seconds in overlaps.joint.items():
        of_system[j] = max(of_system.get(j, 0.0), seconds)
        of_ref[i] = max(of_ref.get(i, 0.0), seconds)
    return PurityCoverage(
        sum(of_system.values()), sum(overlaps.system.values()), sum(of_ref.values()), sum(overlaps.ref.values())
    )


def purity_columns(sums: PurityCoverage) -> dict[str, float | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : PurityCoverage
        Of one recording or several.

    Returns
    -------
    dict of str to float or None
        Fractions; None where undefined.
    """
    return {"purity": sums.purity, "coverage": sums.coverage, "purity_coverage_f1": sums.f1}


@dataclass(frozen=True, slots=True)
class HomogeneityCompleteness(Sums):
    """Entropies of who speaks, where both sides have somebody speaking.

    Parameters
    ----------
    ref_entropy, ref_entropy_given_sys : float
        ``H(ref)`` and ``H(ref|sys)``, in nats, summed over recordings.
    sys_entropy, sys_entropy_given_ref : float
        ``H(sys)`` and ``H(sys|ref)``, in nats, summed over recordings.

    Notes
    -----
    Several recordings pool by adding their entropies, each recording with the same weight (pyannote.metrics).
    Overlapped time counts once for every pair that meets in it, which looks like confusion: the values are low on
    meetings although purity is high.
    """

    ref_entropy: float
    ref_entropy_given_sys: float
    sys_entropy: float
    sys_entropy_given_ref: float

    @property
    def homogeneity(self) -> float:
        """``1 - H(ref|sys) / H(ref)``, in 0-1; 1 if ``H(ref)`` is 0."""
        return 1.0 - self.ref_entropy_given_sys / self.ref_entropy if self.ref_entropy else 1.0

    @property
    def completeness(self) -> float:
        """``1 - H(sys|ref) / H(sys)``, in 0-1; 1 if ``H(sys)`` is 0."""
        return 1.0 - self.sys_entropy_given_ref / self.sys_entropy if self.sys_entropy else 1.0

    @property
    def v_measure(self) -> float:
        """Harmonic mean of homogeneity and completeness, in 0-1."""
        return harmonic(self.homogeneity, self.completeness)


def homogeneity_completeness(cells: Cells) -> HomogeneityCompleteness:
    """Compute the entropies of one recording.

    Parameters
    ----------
    cells : Cells
        One recording.

    Returns
    -------
    HomogeneityCompleteness
        Entropies in nats; all 0 where nobody meets anybody.

    Notes
    -----
    With ``N = sum O``, ``p_i = sum_j O[i, j] / N`` and ``q_j = sum_i O[i, j] / N``: ``H(ref) = -sum p_i ln p_i`` and
    ``H(ref|sys) = -sum_ij O[i, j] / N ln(O[i, j] / (N q_j))``; the other side by swapping the roles.
    """
    joint = Overlaps(cells).joint
    rows: dict[int, float] = {}
    columns: dict[int, float] = {}
    for (i, j), seconds in joint.items():
        rows[i] = rows.get(i, 0.0) + seconds
        columns[j] = columns.get(j, 0.0) + seconds
    given_sys = given_ref = 0.0
    total = sum(rows.values())
    for (i, j), seconds in joint.items():
        given_sys += seconds / total * log(columns[j] / seconds)
        given_ref += seconds / total * log(rows[i] / seconds)
    return HomogeneityCompleteness(_entropy(rows), given_sys, _entropy(columns), given_ref)


def _entropy(parts: dict[int, float]) -> float:
    total = sum(parts.values())
    return sum(part / total * log(total / part) for part in parts.values())


def homogeneity_columns(sums: HomogeneityCompleteness) -> dict[str, float]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : HomogeneityCompleteness
        Of one recording or several.

    Returns
    -------
    dict of str to float
        Fractions.
    """
    return {"homogeneity": sums.homogeneity, "completeness": sums.completeness, "v_measure": sums.v_measure}


@dataclass(frozen=True, slots=True)
class SpeakerCount(Sums):
    """Whether the number of speakers is right.

    Parameters
    ----------
    n_ref, n_sys : int
        Speakers with activity in the scored regions, summed over recordings.
    error_sum : int
        ``|n_sys - n_ref|`` summed over recordings.
    n_right : int
        Recordings with the right number.
    n_recordings : int
        Recordings.

    Examples
    --------
    >>> both = SpeakerCount(4, 4, 0, 1, 1) + SpeakerCount(3, 5, 2, 0, 1)
    >>> both.difference, both.error, both.accuracy
    (2, 1.0, 0.5)
    """

    n_ref: int
    n_sys: int
    error_sum: int
    n_right: int
    n_recordings: int

    @property
    def difference(self) -> int:
        """``n_sys - n_ref``, signed."""
        return self.n_sys - self.n_ref

    @property
    def error(self) -> float | None:
        """Mean over the recordings of ``|n_sys - n_ref|``, in speakers; None over no recordings."""
        return self.error_sum / self.n_recordings if self.n_recordings else None

    @property
    def accuracy(self) -> float | None:
        """Fraction of recordings with the right number; None over no recordings."""
        return self.n_right / self.n_recordings if self.n_recordings else None


def speaker_count(cells: Cells) -> SpeakerCount:
    """Count the speakers of one recording.

    Parameters
    ----------
    cells : Cells
        One recording.

    Returns
    -------
    SpeakerCount
        The counts.

    Notes
    -----
    Source: pyannote.metrics 4.2.0, ``DiarizationSpeakerCountError`` and ``…Accuracy``.
    """
    overlaps = Overlaps(cells)
    n_ref, n_sys = len(overlaps.ref), len(overlaps.system)
    return SpeakerCount(n_ref, n_sys, abs(n_sys - n_ref), int(n_ref == n_sys), 1)


def speaker_count_columns(sums: SpeakerCount) -> dict[str, float | int | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : SpeakerCount
        Of one recording or several.

    Returns
    -------
    dict of str to float or int or None
        Counts, mean absolute error in speakers, and the fraction of recordings with the right number.
    """
    return {
        "n_ref_speakers": sums.n_ref,
        "n_sys_speakers": sums.n_sys,
        "speaker_count_difference": sums.difference,
        "speaker_count_error": sums.error,
        "speaker_count_accuracy": sums.accuracy,
    }
