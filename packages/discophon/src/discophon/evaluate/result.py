"""What a discovery run found: the four scores and everything they were computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from discophon.__about__ import SCHEMA_VERSION, __version__
from discophon.errors import UndefinedScoreError, UsageError
from discophon.evaluate.quality import pnmi
from discophon.evaluate.recognition import ErrorCounts
from discophon.evaluate.segmentation import MARGIN, Segmentation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discophon.evaluate.assignment import Kind, LabelledMatrix
    from discophon.evaluate.intervals import Interval
    from discophon.evaluate.segmentation import Windows

    IntArray = NDArray[np.int64]

__all__ = ["METRICS", "DiscoveryResult", "Metric", "Settings"]

Metric = Literal["pnmi", "per", "f1", "r_val"]

METRICS: tuple[Metric, ...] = ("pnmi", "per", "f1", "r_val")
"""Names of the scores, in the order in which they are given."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every choice that changes a score.

    Attributes
    ----------
    kind : {"many-to-one", "one-to-one"}
        How units get their phones.
    n_units, n_phonemes : int
        Numbers of different units, and of phonemes without silence.
    step_units, step_phones : int
        Time per unit and per phone, in milliseconds.
    windows : {"disjoint", "shared"}
        How the windows of neighbouring gold boundaries meet.
    metrics : tuple of str
        Scores that were asked for.
    """

    kind: Kind
    n_units: int
    n_phonemes: int
    step_units: int
    step_phones: int
    windows: Windows
    metrics: tuple[Metric, ...]

    def signature(self, metric: str = "discovery") -> str:
        """State all choices in one line, in a fixed order.

        Parameters
        ----------
        metric : str, default "discovery"
            Name of the metric.

        Returns
        -------
        str
            The signature.
        """
        return (
            f"discophon|v:{__version__}|metric:{metric}|kind:{self.kind}|units:{self.n_units}"
            f"|phonemes:{self.n_phonemes}|step_units:{self.step_units}|step_phones:{self.step_phones}"
            f"|margin:{MARGIN}|windows:{self.windows}"
        )


@dataclass(frozen=True)
class DiscoveryResult:
    """Scores of the units of one language and split, and the counts behind them.

    Attributes
    ----------
    settings : Settings
        Every choice that changes a score.
    cooccurrence : LabelledMatrix of int, shape (phonemes + 1, units)
        Frames that each phone and each unit share.
    rows : ndarray of int64, shape (units,)
        Row of the phone that each unit stands for.
    files : tuple of str
        File ids, in the order of the gold.
    errors, lengths : ndarray of int64, shape (files,)
        Edit distance of every file, and length of its gold without repeats. Empty unless ``per`` was asked for.
    hits, n_found, n_wanted : ndarray of int64, shape (files,)
        Gold boundaries that are found, predicted boundaries and gold boundaries of every file. Empty unless ``f1`` or
        ``r_val`` was asked for.
    """

    settings: Settings
    cooccurrence: LabelledMatrix
    rows: IntArray
    files: tuple[str, ...]
    errors: IntArray
    lengths: IntArray
    hits: IntArray
    n_found: IntArray
    n_wanted: IntArray

    @property
    def signature(self) -> str:
        """Every choice that changes a score, in one line."""
        return self.settings.signature()

    @cached_property
    def pnmi(self) -> float:
        """Mutual information of units and phones as a share of the entropy of the phones, from 0 to 1."""
        return pnmi(self.cooccurrence)

    @property
    def error_counts(self) -> ErrorCounts:
        """Errors and length of the gold over all files."""
        self.check_asked("per")
        return ErrorCounts(int(self.errors.sum()), int(self.lengths.sum()))

    @property
    def per(self) -> float:
        """Phone error rate, a fraction that may exceed 1."""
        return self.error_counts.rate

    @property
    def segmentation(self) -> Segmentation:
        """Counts of boundaries over all files."""
        if "r_val" not in self.settings.metrics:  # both have the same counts
            self.check_asked("f1")
        hits = int(self.hits.sum())
        return Segmentation(hits, int(self.n_found.sum()) - hits, int(self.n_wanted.sum()) - hits)

    @property
    def f1(self) -> float:
        """F1 of the boundaries."""
        self.check_asked("f1")
        return self.segmentation.f1

    @property
    def r_val(self) -> float:
        """R-value of the boundaries."""
        self.check_asked("r_val")
        return self.segmentation.r_val

    @property
    def assignment(self) -> tuple[str, ...]:
        """Label of the phone that each unit stands for."""
        return tuple(self.cooccurrence.phones[row] for row in self.rows.tolist())

    @property
    def used_units(self) -> IntArray:
        """Units that occur, in increasing order."""
        return np.flatnonzero(np.asarray(self.cooccurrence.values).sum(axis=0)).astype(np.int64)

    @property
    def confusion(self) -> IntArray:
        """Frames of each phone (row) that were given each label (column), both in the order of `cooccurrence`."""
        n_rows = self.cooccurrence.shape[0]
        found = np.zeros((n_rows, n_rows), np.int64)
        np.add.at(found.T, self.rows, np.asarray(self.cooccurrence.values, np.int64).T)
        return found

    def check_asked(self, metric: Metric) -> None:
        """Refuse a score whose counts were not made.

        Parameters
        ----------
        metric : str
            Name of the score.

        Raises
        ------
        UsageError
            If it was not asked for.
        """
        boundary = ("f1", "r_val")  # have the same counts
        asked = self.settings.metrics
        if metric not in asked and not (metric in boundary and set(boundary) & set(asked)):
            raise UsageError(f"{metric} was not computed; it is not among the metrics {', '.join(asked)}")

    def interval(self, metric: Metric, *, level: float = 0.95, samples: int = 1000, seed: int = 0) -> Interval:
        """Give the interval that a score falls into when files are drawn again and again.

        Parameters
        ----------
        metric, level, samples, seed
            As `discophon.evaluate.intervals.interval` takes them.

        Returns
        -------
        Interval
            Its ends, ``low`` and ``high``.
        """
        from discophon.evaluate.intervals import interval

        return interval(self, metric, level=level, samples=samples, seed=seed)

    def scores(self) -> dict[str, float]:
        """Give the scores that were asked for.

        Returns
        -------
        dict of str to float
            Fractions, in the order of `METRICS`.

        Raises
        ------
        UndefinedScoreError
            If one of them is undefined.
        """
        return {name: float(getattr(self, name)) for name in METRICS if name in self.settings.metrics}

    def defined_scores(self) -> tuple[dict[str, float | None], dict[str, str]]:
        """Give the scores that were asked for, None where one is undefined.

        Returns
        -------
        scores : dict of str to float or None
            Fractions.
        reasons : dict of str to str
            Why each undefined score is undefined.
        """
        scores: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        for name in METRICS:
            if name in self.settings.metrics:
                try:
                    scores[name] = float(getattr(self, name))
                except UndefinedScoreError as error:
                    scores[name], reasons[name] = None, str(error)
        return scores, reasons

    def to_dict(self) -> dict[str, Any]:
        """Give everything as one document, ready for JSON.

        Returns
        -------
        dict
            Scores with the reasons of those undefined, settings, counts of every file, the phone of every unit that
            occurs, and the frames that every phone was given every label.
        """
        scores, reasons = self.defined_scores()
        settings = self.settings
        phones, confusion = self.cooccurrence.phones, self.confusion
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": self.signature,
            "scores": scores,
            "undefined": reasons,
            "settings": {
                "kind": settings.kind,
                "n_units": settings.n_units,
                "n_phonemes": settings.n_phonemes,
                "step_units": settings.step_units,
                "step_phones": settings.step_phones,
                "margin": MARGIN,
                "windows": settings.windows,
            },
            "assignment": {str(unit): phones[self.rows[unit]] for unit in self.used_units.tolist()},
            "confusion": {
                phone: {phones[i]: int(row[i]) for i in np.flatnonzero(row).tolist()}
                for phone, row in zip(phones, confusion, strict=True)
                if row.any()
            },
            "files": self._per_file(),
        }

    def _per_file(self) -> list[dict[str, Any]]:
        """Give the counts of every file."""
        columns: dict[str, list[Any]] = {"file": list(self.files)}
        if len(self.errors):
            columns |= {"errors": self.errors.tolist(), "length": self.lengths.tolist()}
        if len(self.hits):
            columns |= {
                "true_positives": self.hits.tolist(),
                "false_positives": (self.n_found - self.hits).tolist(),
                "false_negatives": (self.n_wanted - self.hits).tolist(),
            }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
