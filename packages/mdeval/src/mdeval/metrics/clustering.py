"""Clustering metrics: B-cubed, entropies, mutual information and Goodman-Kruskal tau of who speaks when.

Every moment has one label on either side: the *set* of active speakers, the empty set being non-speech. ``n[a, b]`` is
for how long label ``a`` of the reference meets label ``b`` of the system output, ``n_a`` and ``n_b`` are the totals of
a label, ``N`` is the scored time.

Sources: A. Bagga and B. Baldwin, "Algorithms for scoring coreference chains", LREC 1998 (B-cubed); T. O. Kvalseth,
"Entropy and correlation: some comments", 1987, and N. X. Vinh et al., "Information theoretic measures for clusterings
comparison", JMLR 2010 (normalisations); L. A. Goodman and W. H. Kruskal, "Measures of association for cross
classifications", 1954 (tau); dscore, which counts 10 ms frames and so differs by rounding, up to 6e-4 on meetings.

Several recordings: dscore puts their tables into the blocks of one (``aggregate="block"``), so labels of different
recordings differ, non-speech too, and mutual information grows with the number of recordings. The duration-weighted
mean of the recordings' own values (``aggregate="mean"``) does not. B-cubed precision and recall and the conditional
entropies are the same either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, sqrt
from typing import TYPE_CHECKING, Literal, get_args

from mdeval.errors import UsageError
from mdeval.metrics.sums import Sums, harmonic

if TYPE_CHECKING:
    from mdeval.cells import Cells

__all__ = [
    "Aggregate",
    "Clustering",
    "Norm",
    "Table",
    "Weighted",
    "bcubed_columns",
    "clustering",
    "gk_tau_columns",
    "mi_columns",
    "nmi_columns",
]

Aggregate = Literal["block", "mean"]
"""How recordings become one value: as blocks of one table, or by the mean of their values, weighted by scored time."""

Norm = Literal["min", "max", "mean", "sqrt"]
"""What mutual information is divided by: that function of the two entropies."""


@dataclass(frozen=True, slots=True)
class Table(Sums):
    """Sums over the table of seconds by label pair; of the block-diagonal table once they are added up.

    Parameters
    ----------
    seconds : float
        Scored time, ``N``.
    n_ref_labels, n_sys_labels : int
        Labels with scored time.
    precision, recall : float
        ``sum n[a, b]^2 / n_b`` and ``sum n[a, b]^2 / n_a``.
    joint_log, ref_log, sys_log : float
        ``sum n log2 n`` over the pairs, the reference labels, the system labels.
    ref_square, sys_square : float
        ``sum n^2`` over the reference labels, the system labels.
    """

    seconds: float
    n_ref_labels: int
    n_sys_labels: int
    precision: float
    recall: float
    joint_log: float
    ref_log: float
    sys_log: float
    ref_square: float
    sys_square: float

    @property
    def ref_entropy(self) -> float:
        """``H(ref)`` in bits."""
        return self._entropy(self.n_ref_labels, self.ref_log)

    @property
    def sys_entropy(self) -> float:
        """``H(sys)`` in bits."""
        return self._entropy(self.n_sys_labels, self.sys_log)

    def _entropy(self, n_labels: int, log_sum: float) -> float:
        return max(log2(self.seconds) - log_sum / self.seconds, 0.0) if n_labels > 1 else 0.0

    @property
    def mi(self) -> float:
        """Mutual information ``sum n[a, b] / N log2(N n[a, b] / (n_a n_b))`` in bits; 0 if a side has one label."""
        if self.n_ref_labels <= 1 or self.n_sys_labels <= 1:
            return 0.0
        bits = log2(self.seconds) + (self.joint_log - self.ref_log - self.sys_log) / self.seconds
        return max(bits, 0.0)

    def nmi(self, norm: Norm) -> float:
        """Divide mutual information by a function of the entropies; 1 if both sides have one label, 0 if one has."""
        if self.n_ref_labels <= 1 or self.n_sys_labels <= 1:
            return float(self.n_ref_labels == self.n_sys_labels)
        first, second = self.ref_entropy, self.sys_entropy
        whole = {
            "min": min(first, second),
            "max": max(first, second),
            "mean": (first + second) / 2,
            "sqrt": sqrt(first * second),
        }[norm]
        return min(self.mi / whole, 1.0) if whole else 0.0

    @property
    def tau_ref_to_sys(self) -> float:
        """How much of the variability of the system's label the reference explains, in 0-1.

        Notes
        -----
        ``(V - W) / V`` with ``V = 1 - sum_b (n_b / N)^2`` and ``W = 1 - sum_ab (n[a, b] / N)^2 / (n_a / N)``; 1 if
        the system has one label.
        """
        return self._tau(self.n_sys_labels, self.recall, self.sys_square)

    @property
    def tau_sys_to_ref(self) -> float:
        """How much of the variability of the reference's label the system explains, in 0-1; 1 if that has one label."""
        return self._tau(self.n_ref_labels, self.precision, self.ref_square)

    def _tau(self, n_labels: int, explained: float, square: float) -> float:
        if n_labels <= 1:
            return 1.0
        by_chance = square / self.seconds**2
        return max((explained / self.seconds - by_chance) / (1.0 - by_chance), 0.0) if by_chance < 1.0 else 1.0


@dataclass(frozen=True, slots=True)
class Weighted(Sums):
    """Values of each recording times its scored seconds, summed.

    Parameters
    ----------
    bcubed_f1 : float
        Value times seconds; likewise all others.
    ref_entropy, sys_entropy, mi : float
        In bits.
    nmi_min, nmi_max, nmi_mean, nmi_sqrt : float
        By normalisation.
    tau_ref_to_sys, tau_sys_to_ref : float
        Both ways.
    """

    bcubed_f1: float
    ref_entropy: float
    sys_entropy: float
    mi: float
    nmi_min: float
    nmi_max: float
    nmi_mean: float
    nmi_sqrt: float
    tau_ref_to_sys: float
    tau_sys_to_ref: float


@dataclass(frozen=True, slots=True)
class Clustering(Sums):
    """What all clustering metrics are taken from. Every rate is None where no time is scored.

    Parameters
    ----------
    table : Table
        Sums for ``aggregate="block"``.
    weighted : Weighted
        Sums for ``aggregate="mean"``.
    """

    table: Table
    weighted: Weighted

    @property
    def bcubed_precision(self) -> float | None:
        """``1/N sum n[a, b]^2 / n_b``, in 0-1: how much of what shares a system label shares the reference's."""
        return self._per_second(self.table.precision)

    @property
    def bcubed_recall(self) -> float | None:
        """``1/N sum n[a, b]^2 / n_a``, in 0-1: how much of what shares a reference label shares the system's."""
        return self._per_second(self.table.recall)

    def bcubed_f1(self, aggregate: Aggregate = "block") -> float | None:
        """Give the harmonic mean of precision and recall, in 0-1."""
        if _is_mean(aggregate):
            return self._per_second(self.weighted.bcubed_f1)
        precision, recall = self.bcubed_precision, self.bcubed_recall
        return None if precision is None or recall is None else harmonic(precision, recall)

    @property
    def ref_entropy_given_sys(self) -> float | None:
        """``H(ref|sys) = sum n[a, b] / N log2(n_b / n[a, b])`` in bits."""
        return self._per_second(max(self.table.sys_log - self.table.joint_log, 0.0))

    @property
    def sys_entropy_given_ref(self) -> float | None:
        """``H(sys|ref) = sum n[a, b] / N log2(n_a / n[a, b])`` in bits."""
        return self._per_second(max(self.table.ref_log - self.table.joint_log, 0.0))

    def mi(self, aggregate: Aggregate = "block") -> float | None:
        """Give the mutual information in bits."""
        return self._value("mi", aggregate)

    def nmi(self, norm: Norm = "sqrt", aggregate: Aggregate = "block") -> float | None:
        """Give the mutual information divided by a function of the entropies, in 0-1."""
        if norm not in get_args(Norm):
            raise UsageError(f"norm is {norm!r}; it must be one of {', '.join(get_args(Norm))}")
        if _is_mean(aggregate):
            return self._value(f"nmi_{norm}", aggregate)
        return self.table.nmi(norm) if self.table.seconds else None

    def tau_ref_to_sys(self, aggregate: Aggregate = "block") -> float | None:
        """Give how much of the variability of the system's label the reference explains, in 0-1."""
        return self._value("tau_ref_to_sys", aggregate)

    def tau_sys_to_ref(self, aggregate: Aggregate = "block") -> float | None:
        """Give how much of the variability of the reference's label the system explains, in 0-1."""
        return self._value("tau_sys_to_ref", aggregate)

    def _value(self, name: str, aggregate: Aggregate) -> float | None:
        if not self.table.seconds:
            return None
        if _is_mean(aggregate):
            return self._per_second(getattr(self.weighted, name))
        value: float = getattr(self.table, name)
        return value

    def _per_second(self, total: float) -> float | None:
        return total / self.table.seconds if self.table.seconds else None


def _is_mean(aggregate: Aggregate) -> bool:
    if aggregate not in get_args(Aggregate):
        raise UsageError(f"aggregate is {aggregate!r}; it must be one of {', '.join(get_args(Aggregate))}")
    return aggregate == "mean"


def clustering(cells: Cells) -> Clustering:
    """Sum what the clustering metrics of one recording are taken from.

    Parameters
    ----------
    cells : Cells
        One recording.

    Returns
    -------
    Clustering
        The sums.
    """
    rows: dict[frozenset[int], float] = {}
    columns: dict[frozenset[int], float] = {}
    for (a, b), seconds in cells.durations.items():
        rows[a] = rows.get(a, 0.0) + seconds
        columns[b] = columns.get(b, 0.0) + seconds
    joint = cells.durations
    table = Table(
        sum(joint.values()),
        len(rows),
        len(columns),
        sum(seconds * (seconds / columns[b]) for (_, b), seconds in joint.items()),
        sum(seconds * (seconds / rows[a]) for (a, _), seconds in joint.items()),
        *(sum(s * log2(s) for s in part.values()) for part in (joint, rows, columns)),
        *(sum(s * s for s in part.values()) for part in (rows, columns)),
    )
    return Clustering(table, _weighted(table))


def _weighted(table: Table) -> Weighted:
    seconds = table.seconds
    if not seconds:
        return Weighted(*[0.0] * 10)
    values = (
        harmonic(table.precision / seconds, table.recall / seconds),
        table.ref_entropy,
        table.sys_entropy,
        table.mi,
        table.nmi("min"),
        table.nmi("max"),
        table.nmi("mean"),
        table.nmi("sqrt"),
        table.tau_ref_to_sys,
        table.tau_sys_to_ref,
    )
    return Weighted(*(seconds * value for value in values))


def bcubed_columns(sums: Clustering, *, aggregate: Aggregate = "block") -> dict[str, float | None]:
    """Name the B-cubed figures of a table.

    Parameters
    ----------
    sums : Clustering
        Of one recording or several.
    aggregate : {"block", "mean"}, default "block"
        How recordings become one value.

    Returns
    -------
    dict of str to float or None
        Fractions.
    """
    return {
        "bcubed_precision": sums.bcubed_precision,
        "bcubed_recall": sums.bcubed_recall,
        "bcubed_f1": sums.bcubed_f1(aggregate),
    }


def mi_columns(sums: Clustering, *, aggregate: Aggregate = "block") -> dict[str, float | None]:
    """Name the information of a table, in bits.

    Parameters
    ----------
    sums : Clustering
        Of one recording or several.
    aggregate : {"block", "mean"}, default "block"
        How recordings become one value.

    Returns
    -------
    dict of str to float or None
        Bits.
    """
    return {
        "mutual_information": sums.mi(aggregate),
        "entropy_ref_given_sys": sums.ref_entropy_given_sys,
        "entropy_sys_given_ref": sums.sys_entropy_given_ref,
    }


def nmi_columns(sums: Clustering, *, aggregate: Aggregate = "block") -> dict[str, float | None]:
    """Name the normalised mutual information of a table; ``nmi`` is divided by the root of the entropies' product.

    Parameters
    ----------
    sums : Clustering
        Of one recording or several.
    aggregate : {"block", "mean"}, default "block"
        How recordings become one value.

    Returns
    -------
    dict of str to float or None
        Fractions.
    """
    return {
        "nmi": sums.nmi("sqrt", aggregate),
        "nmi_min": sums.nmi("min", aggregate),
        "nmi_max": sums.nmi("max", aggregate),
        "nmi_mean": sums.nmi("mean", aggregate),
    }


def gk_tau_columns(sums: Clustering, *, aggregate: Aggregate = "block") -> dict[str, float | None]:
    """Name the tau of a table, both ways.

    Parameters
    ----------
    sums : Clustering
        Of one recording or several.
    aggregate : {"block", "mean"}, default "block"
        How recordings become one value.

    Returns
    -------
    dict of str to float or None
        Fractions.
    """
    return {
        "gk_tau_ref_to_sys": sums.tau_ref_to_sys(aggregate),
        "gk_tau_sys_to_ref": sums.tau_sys_to_ref(aggregate),
    }
