"""Error rates that add missed, false alarm and confused speaker time: with a map (DER), or by name (IER).

In a cell with ``n`` reference and ``m`` system speakers, ``max(n - m, 0)`` are missed, ``max(m - n, 0)`` are false
alarms and ``min(n, m) - correct`` are confused. For the DER a system speaker is correct when its reference partner is
active; for the IER when a reference speaker of the same name is.

Sources: NIST md-eval 22 (DER); pyannote.metrics 4.2.0, ``identification`` (IER, precision, recall).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.mapping import map_speakers
from mdeval.metrics.sums import Overlaps, Sums, ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdeval.cells import Cells

__all__ = ["Der", "Identification", "der", "der_columns", "identification", "identification_columns"]


@dataclass(frozen=True, slots=True)
class Der(Sums):
    """The parts of the diarization error.

    Parameters
    ----------
    missed, false_alarm, confusion : float
        Seconds of speaker time.
    total : float
        Scored reference speaker time in seconds.

    Examples
    --------
    >>> round(Der(3.0, 1.0, 3.0, 30.0).rate, 7)
    0.2333333
    """

    missed: float
    false_alarm: float
    confusion: float
    total: float

    @property
    def rate(self) -> float | None:
        """``(missed + false alarm + confusion) / total``, a fraction >= 0; None when no speaker time is scored."""
        return (self.missed + self.false_alarm + self.confusion) / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Identification(Sums):
    """The parts of the identification error: names count as they are.

    Parameters
    ----------
    missed, false_alarm, confusion, correct : float
        Seconds of speaker time.
    ref_time, system_time : float
        Seconds of activity summed over the speakers of either side.
    """

    missed: float
    false_alarm: float
    confusion: float
    correct: float
    ref_time: float
    system_time: float

    @property
    def rate(self) -> float:
        """``(confusion + false alarm + missed) / ref_time``, >= 0; without reference 1 for any error, else 0."""
        return ratio(self.confusion + self.false_alarm + self.missed, self.ref_time, empty=0.0)

    @property
    def precision(self) -> float:
        """``correct / system_time``, in 0-1; 1 if the system found nobody."""
        return ratio(self.correct, self.system_time, empty=1.0)

    @property
    def recall(self) -> float:
        """``correct / ref_time``, in 0-1; 1 without reference."""
        return ratio(self.correct, self.ref_time, empty=1.0)


def der(cells: Cells, *, mapping: Mapping[str, str] | None = None) -> Der:
    """Sum the diarization errors of one recording.

    Parameters
    ----------
    cells : Cells
        One recording.
    mapping : mapping of str to str, optional
        Reference speaker to system speaker, from scoring the recording: `RecordingScore.mapping`. Without it the map
        is found on the cells, which is NIST's rule only where nothing is left out of the evaluated regions: NIST maps
        before collars, no-score zones and overlap are taken out.

    Returns
    -------
    Der
        Seconds, equal to those of `mdeval.counts.Counts` to rounding.
    """
    if mapping is None:
        pairs = Overlaps(cells).joint.items()
        mapping = map_speakers({(cells.ref_names[i], cells.sys_names[j]): seconds for (i, j), seconds in pairs})
    sums = _sum(cells, mapping)
    return Der(sums.missed, sums.false_alarm, sums.confusion, sums.ref_time)


def identification(cells: Cells) -> Identification:
    """Sum the identification errors of one recording.

    Parameters
    ----------
    cells : Cells
        One recording; speakers of one name on both sides are one person.

    Returns
    -------
    Identification
        Seconds.
    """
    return _sum(cells, {name: name for name in cells.ref_names})


def _sum(cells: Cells, mapping: Mapping[str, str]) -> Identification:
    number = {name: j for j, name in enumerate(cells.sys_names)}
    partner = [number.get(mapping[name], -1) if name in mapping else -1 for name in cells.ref_names]
    missed = false_alarm = confusion = correct = ref_time = system_time = 0.0
    for (refs, systems), seconds in cells.durations.items():
        n, m = len(refs), len(systems)
        right = sum(partner[i] in systems for i in refs)
        missed += seconds * max(n - m, 0)
        false_alarm += seconds * max(m - n, 0)
        confusion += seconds * (min(n, m) - right)
        correct += seconds * right
        ref_time += seconds * n
        system_time += seconds * m
    return Identification(missed, false_alarm, confusion, correct, ref_time, system_time)


def der_columns(sums: Der) -> dict[str, float | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Der
        Of one recording or several.

    Returns
    -------
    dict of str to float or None
        The rate, then seconds, by md-eval's names.
    """
    return {
        "der": sums.rate,
        "scored_speaker_time": sums.total,
        "missed_speaker_time": sums.missed,
        "falarm_speaker_time": sums.false_alarm,
        "speaker_error_time": sums.confusion,
    }


def identification_columns(sums: Identification) -> dict[str, float]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Identification
        Of one recording or several.

    Returns
    -------
    dict of str to float
        Fractions.
    """
    return {
        "ier": sums.rate,
        "identification_precision": sums.precision,
        "identification_recall": sums.recall,
    }
