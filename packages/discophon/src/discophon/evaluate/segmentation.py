"""Boundaries: which changes of label are found within a margin, and F1, over-segmentation and R-value of that."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from discophon.checks import check_choice, check_whole
from discophon.errors import UndefinedScoreError
from discophon.evaluate.pairing import check_same_files, check_steps
from discophon.evaluate.recognition import changes
from discophon.sequences import phones_from_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

__all__ = [
    "WINDOWS",
    "Segmentation",
    "Windows",
    "boundaries",
    "count_hits",
    "phone_segmentation",
    "r_value",
    "window_edges",
]

_Number = TypeVar("_Number", float, "NDArray[np.float64]")

Windows = Literal["disjoint", "shared"]
"""How the windows of neighbouring gold boundaries meet: without a common point, or sharing one."""

WINDOWS: tuple[Windows, ...] = ("disjoint", "shared")
"""The kinds of windows."""

MARGIN = 20
"""Half-width of the window around a gold boundary, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Counts of boundaries; those of several files add up with ``+``.

    Attributes
    ----------
    true_positives : int
        Gold boundaries whose window holds at least one predicted boundary.
    false_positives : int
        Predicted boundaries less the true positives. Negative only with shared windows.
    false_negatives : int
        Gold boundaries less the true positives.
    """

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    def __add__(self, other: Segmentation) -> Segmentation:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return Segmentation(
            self.true_positives + other.true_positives,
            self.false_positives + other.false_positives,
            self.false_negatives + other.false_negatives,
        )

    @property
    def n_predicted(self) -> int:
        """Number of predicted boundaries."""
        return self.true_positives + self.false_positives

    @property
    def n_gold(self) -> int:
        """Number of gold boundaries."""
        return self.true_positives + self.false_negatives

    @property
    def precision(self) -> float:
        """True positives per predicted boundary."""
        return self._ratio("precision", self.true_positives, self.n_predicted, "no predicted boundary")

    @property
    def recall(self) -> float:
        """True positives per gold boundary."""
        return self._ratio("recall", self.true_positives, self.n_gold, "no gold boundary")

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 when there are gold boundaries and no prediction."""
        return self._ratio("f1", 2 * self.true_positives, self.n_predicted + self.n_gold, "no boundary on either side")

    @property
    def os(self) -> float:
        """Over-segmentation: predicted boundaries per gold boundary, less 1."""
        return self._ratio("os", self.n_predicted, self.n_gold, "no gold boundary") - 1.0

    @property
    def r_val(self) -> float:
        """R-value; see `r_value`."""
        if not self.n_gold:
            raise UndefinedScoreError(_undefined("r_val", "no gold boundary"))
        return r_value(self.recall, self.os)

    def describe(self) -> str:
        """Write the counts, then the scores in per cent.

        Returns
        -------
        str
            Eight lines.

        Raises
        ------
        UndefinedScoreError
            If one of the scores is undefined.

        Examples
        --------
        >>> print(Segmentation(1, 0, 1).describe())
        True positives: 1
        False positives: 0
        False negatives: 1
        Precision: 100.00%
        Recall: 50.00%
        F1: 66.67%
        OS: -50.00%
        R-val: 64.64%
        """
        scores = {
            "Precision": self.precision,
            "Recall": self.recall,
            "F1": self.f1,
            "OS": self.os,
            "R-val": self.r_val,
        }
        counts = f"True positives: {self.true_positives}\nFalse positives: {self.false_positives}\n"
        counts += f"False negatives: {self.false_negatives}\n"
        return counts + "\n".join(f"{name}: {value:.2%}" for name, value in scores.items())

    def _ratio(self, name: str, numerator: int, denominator: int, reason: str) -> float:
        if not denominator:
            raise UndefinedScoreError(_undefined(name, reason))
        return numerator / denominator


def r_value(recall: _Number, over: _Number) -> _Number:
    """Give the R-value: 1 less the mean of two distances, to the ideal and to where insertions buy no recall.

    Parameters
    ----------
    recall : float or ndarray of float64
        True positives per gold boundary.
    over : float or ndarray of float64
        Predicted boundaries per gold boundary, less 1.

    Returns
    -------
    float or ndarray of float64
        At most 1.

    Notes
    -----
    Source: O. J. Räsänen, U. K. Laine and T. Altosaar, "An improved speech segmentation quality measure: the
    R-value", Interspeech 2009.
    """
    to_ideal: _Number = ((1.0 - recall) ** 2 + over**2) ** 0.5
    to_line = abs(recall - 1.0 - over) / sqrt(2.0)
    return 1.0 - (to_ideal + to_line) / 2.0


def _undefined(name: str, reason: str) -> str:
    return f"{name} is undefined: there is {reason}; ask for the metrics pnmi and per alone to leave boundaries out"


def phone_segmentation(
    predicted_phones_from_units: Mapping[str, Sequence[str]],
    gold_phones: Mapping[str, Sequence[str]],
    *,
    margin_in_ms: int = MARGIN,
    step_units: int = 20,
    step_phones: int = 10,
    windows: Windows = "disjoint",
) -> Segmentation:
    """Count which gold boundaries are found.

    Parameters
    ----------
    predicted_phones_from_units : mapping of str to sequence of str
        Predicted labels of every file, one per `step_units`.
    gold_phones : mapping of str to sequence of str
        Gold phones of the same files, one per `step_phones`.
    margin_in_ms : int, default 20
        Half-width of the window around a gold boundary.
    step_units, step_phones : int, default 20 and 10
        Time per predicted label and per gold phone, in milliseconds.
    windows : {"disjoint", "shared"}, default "disjoint"
        ``shared`` reproduces figures published before release 0.2.0: windows that meet then share a point, and a
        prediction there counts for two gold boundaries, so that F1 and R-value come out higher.

    Returns
    -------
    Segmentation
        Counts over all files.

    Raises
    ------
    MismatchError
        If the files differ or there is none.
    UsageError
        If an argument cannot be used.
    """
    margin = check_whole("margin_in_ms", margin_in_ms, least=0)
    check_steps(step_units, step_phones)
    check_choice("windows", windows, WINDOWS)
    check_same_files(predicted_phones_from_units, gold_phones)
    predicted = phones_from_mapping({file: predicted_phones_from_units[file] for file in gold_phones})
    gold = phones_from_mapping(gold_phones)
    found = boundaries(predicted.codes, predicted.starts, step_units)
    wanted = boundaries(gold.codes, gold.starts, step_phones)
    hits = count_hits(found, wanted, margin=margin, windows=windows)
    n_hits, n_found, n_wanted = int(hits.sum()), len(found[0]), len(wanted[0])
    return Segmentation(n_hits, n_found - n_hits, n_wanted - n_hits)


def boundaries(codes: IntArray, starts: IntArray, step: int) -> tuple[IntArray, IntArray]:
    """Find where the label changes within a file.

    Parameters
    ----------
    codes : ndarray of int64, shape (frames,)
        Labels of all files, one after the other.
    starts : ndarray of int64, shape (files + 1,)
        Where each file begins, and the end.
    step : int
        Time per label, in milliseconds.

    Returns
    -------
    files : ndarray of int64, shape (boundaries,)
        Number of the file of each boundary.
    times : ndarray of int64, shape (boundaries,)
        Times in milliseconds from the begin of the file.
    """
    is_change = changes(codes, starts)
    firsts = starts[:-1]
    is_change[firsts[firsts < len(codes)]] = False
    places = np.flatnonzero(is_change)
    files = np.searchsorted(starts, places, side="right") - 1
    return files, (places - starts[files]) * step


def window_edges(wanted: tuple[IntArray, IntArray], *, margin: int, windows: Windows) -> tuple[IntArray, IntArray]:
    """Give the windows around gold boundaries, both ends included.

    Parameters
    ----------
    wanted : tuple of ndarray
        Gold boundaries: number of the file and time in milliseconds, sorted.
    margin : int
        Half-width of a window, in milliseconds.
    windows : {"disjoint", "shared"}
        How neighbouring windows meet.

    Returns
    -------
    lower, upper : ndarray of int64, shape (gold boundaries,)
        Ends of the windows, in milliseconds.
    """
    files, times = wanted
    lower, upper = np.maximum(times - margin, 0), times + margin
    neighbours = files[1:] == files[:-1]
    if windows == "disjoint":
        middle = (times[1:] + times[:-1]) // 2
        upper[:-1] = np.where(neighbours, np.minimum(upper[:-1], middle), upper[:-1])
        lower[1:] = np.where(neighbours, np.maximum(lower[1:], middle + 1), lower[1:])
    else:
        overlaps = neighbours & (upper[:-1] > lower[1:])
        middle = (upper[:-1] + lower[1:]) // 2
        upper[:-1] = np.where(overlaps, middle, upper[:-1])
        lower[1:] = np.where(overlaps, middle, lower[1:])
    return lower, upper


def count_hits(
    found: tuple[IntArray, IntArray], wanted: tuple[IntArray, IntArray], *, margin: int, windows: Windows
) -> NDArray[np.bool_]:
    """Say which gold boundaries have a predicted one in their window.

    Parameters
    ----------
    found, wanted : tuple of ndarray
        Predicted and gold boundaries: number of the file and time in milliseconds, sorted.
    margin : int
        Half-width of a window, in milliseconds.
    windows : {"disjoint", "shared"}
        How neighbouring windows meet.

    Returns
    -------
    ndarray of bool, shape (gold boundaries,)
        Whether each is found.
    """
    files, _ = wanted
    lower, upper = window_edges(wanted, margin=margin, windows=windows)
    # put all files on one time axis, far enough apart that no window reaches into the next file
    longest = max((int(part.max()) for part in (found[1], upper) if len(part)), default=0)
    stride = longest + 1
    predicted = found[0] * stride + found[1]
    first = np.searchsorted(predicted, files * stride + lower, side="left")
    last = np.searchsorted(predicted, files * stride + upper, side="right")
    hits: NDArray[np.bool_] = last > first
    return hits
