"""Speech activity detection, and overlapped speech detection: who speaks does not matter, only how many do.

Input are the cells of one recording; times are seconds in the scored regions. Metrics: error rate, accuracy,
precision, recall, F1 and the detection cost of OpenSAT.

Sources: NIST, *OpenSAT19 Evaluation Plan*, version 2, 2018 (cost); pyannote.metrics 4.2.0, ``detection`` (the others,
and what a zero denominator means).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.metrics.sums import Sums, ratio

if TYPE_CHECKING:
    from mdeval.cells import Cells

__all__ = ["FALSE_ALARM_WEIGHT", "MISS_WEIGHT", "Detection", "detection", "detection_columns"]

FALSE_ALARM_WEIGHT, MISS_WEIGHT = 0.25, 0.75
"""Weights of the two error rates in the detection cost of OpenSAT."""


@dataclass(frozen=True, slots=True)
class Detection(Sums):
    """How much speech was found.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Seconds of speech found, falsely found (md-eval's FALARM SPEECH), missed (MISSED SPEECH) and rightly not found.

    Notes
    -----
    A zero denominator with a zero numerator gives 0 for an error rate and 1 for precision, recall, F1 and accuracy;
    with another numerator, 1.

    Examples
    --------
    >>> d = Detection(27, 1, 1, 3)
    >>> round(d.error_rate, 7), d.accuracy, round(d.cost, 7)
    (0.0714286, 0.9375, 0.0892857)
    """

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def error_rate(self) -> float:
        """``(FP + FN) / (TP + FN)``, a fraction >= 0."""
        return ratio(self.fp + self.fn, self.tp + self.fn, empty=0.0)

    @property
    def accuracy(self) -> float:
        """``(TP + TN) / T``, in 0-1."""
        return ratio(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn, empty=1.0)

    @property
    def precision(self) -> float:
        """``TP / (TP + FP)``, in 0-1."""
        return ratio(self.tp, self.tp + self.fp, empty=1.0)

    @property
    def recall(self) -> float:
        """``TP / (TP + FN)``, in 0-1."""
        return ratio(self.tp, self.tp + self.fn, empty=1.0)

    @property
    def f1(self) -> float:
        """``2 TP / (2 TP + FP + FN)``, in 0-1."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty=1.0)

    @property
    def cost(self) -> float:
        """``0.25 FP / (FP + TN) + 0.75 FN / (FN + TP)``, in 0-1."""
        false_alarm = ratio(self.fp, self.fp + self.tn, empty=0.0)
        miss = ratio(self.fn, self.fn + self.tp, empty=0.0)
        return FALSE_ALARM_WEIGHT * false_alarm + MISS_WEIGHT * miss


def detection(cells: Cells, *, min_speakers: int = 1) -> Detection:
    """Sum how much speech was found.

    Parameters
    ----------
    cells : Cells
        One recording.
    min_speakers : int, default 1
        How many speakers must be active for a cell to count: 1 for speech, 2 for overlapped speech.

    Returns
    -------
    Detection
        Seconds of the four outcomes.
    """
    seconds = [0.0, 0.0, 0.0, 0.0]  # bit 0: in the reference, bit 1: in the system output
    for (refs, systems), duration in cells.durations.items():
        seconds[(len(refs) >= min_speakers) + 2 * (len(systems) >= min_speakers)] += duration
    tn, fn, fp, tp = seconds
    return Detection(tp, fp, fn, tn)


def detection_columns(sums: Detection) -> dict[str, float]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Detection
        Of one recording or several.

    Returns
    -------
    dict of str to float
        Rates as fractions, then seconds.
    """
    return {
        "detection_error_rate": sums.error_rate,
        "detection_accuracy": sums.accuracy,
        "detection_precision": sums.precision,
        "detection_recall": sums.recall,
        "detection_f1": sums.f1,
        "detection_cost": sums.cost,
        "missed_speech": sums.fn,
        "falarm_speech": sums.fp,
    }
