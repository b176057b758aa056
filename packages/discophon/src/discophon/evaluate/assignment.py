"""Counts of phones and units that occur together, and which phone each unit stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from discophon.checks import check_choice, check_whole
from discophon.errors import MismatchError, OutOfRangeError, UsageError
from discophon.evaluate.lsap import assign_most
from discophon.evaluate.pairing import Paired, pair
from discophon.languages import get_language
from discophon.sequences import UnitSequences, units_from_mapping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discophon.evaluate.pairing import Phones, Units
    from discophon.languages import Language

    IntArray = NDArray[np.int64]

__all__ = [
    "KINDS",
    "Kind",
    "LabelledMatrix",
    "assign",
    "cooccurrence_matrix",
    "count_cooccurrences",
    "number_of_phonemes",
    "phone_assignments",
]

Kind = Literal["many-to-one", "one-to-one"]
"""Whether several units may stand for one phone, or units and phones form pairs."""

KINDS: tuple[Kind, ...] = ("many-to-one", "one-to-one")
"""The kinds of assignment."""

_LARGEST_MATRIX = 100_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Coordinate:
    """The names along one dimension of a `LabelledMatrix`."""

    values: NDArray[np.str_] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledMatrix:
    """A matrix whose rows are phones and whose columns are units, with their names.

    Attributes
    ----------
    values : ndarray, shape (phones, units)
        Counts of frames, or probabilities.
    phones : tuple of str
        Names of the rows.
    units : tuple of int
        Names of the columns.
    """

    values: NDArray[np.int64] | NDArray[np.float64]
    phones: tuple[str, ...]
    units: tuple[int, ...]

    @property
    def dims(self) -> tuple[str, str]:
        """Names of the two dimensions."""
        return ("phone", "unit")

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of phones and of units."""
        return (len(self.phones), len(self.units))

    @property
    def coords(self) -> dict[str, Coordinate]:
        """Names along each dimension: ``coords["phone"].values``, ``coords["unit"].values``."""
        return {"phone": Coordinate(np.array(self.phones, np.str_)), "unit": Coordinate(np.array(self.units, np.int64))}


def number_of_phonemes(n_phonemes: int | None, language: str | Language | None) -> int:
    """Settle how many phonemes there are.

    Parameters
    ----------
    n_phonemes : int or None
        Their number, without silence.
    language : str, Language or None
        The language that they are of. Exactly one of the two must be given.

    Returns
    -------
    int
        Number of phonemes, without silence.

    Raises
    ------
    UsageError
        If both are given, or none, or the language is unknown, or the number is no positive whole number.
    """
    if (n_phonemes is None) == (language is None):
        given = "neither is" if language is None else "both are"
        raise UsageError(f"give either n_phonemes or language; {given} given")
    if language is not None:
        return get_language(language).n_phonemes
    return check_whole("n_phonemes", n_phonemes)


def cooccurrence_matrix(
    units: Units,
    phones: Phones,
    *,
    n_units: int,
    n_phonemes: int | None = None,
    step_units: int = 20,
    step_phones: int = 10,
    language: str | Language | None = None,
) -> LabelledMatrix:
    """Count how many frames each phone and each unit share.

    Parameters
    ----------
    units : mapping of str to sequence of int
        Units of every file.
    phones : mapping of str to sequence of str
        Gold phones of the same files.
    n_units : int
        Number of different units: each is at least 0 and less than that.
    n_phonemes : int, optional
        Number of phonemes, without silence. Either this or `language` must be given.
    step_units, step_phones : int, default 20 and 10
        Time per unit and per phone, in milliseconds.
    language : str or Language, optional
        The language, which knows its number of phonemes.

    Returns
    -------
    LabelledMatrix of int, shape (n_phonemes + 1, n_units)
        Frames of `step_phones`, each file cut to the shorter of its two sequences. Rows are sorted by decreasing total,
        among equals the one that appeared later first; labels that do not occur are called ``<missing-k>``.

    Raises
    ------
    MismatchError
        If the files of the two sides differ, or the lengths of a file by more than one unit.
    OutOfRangeError
        If a unit is out of range, or there are more labels than `n_phonemes` + 1.
    UsageError
        If an argument cannot be used.
    """
    paired = pair(units, phones, step_units=step_units, step_phones=step_phones)
    return count_cooccurrences(paired, n_units=n_units, n_phonemes=number_of_phonemes(n_phonemes, language))


def count_cooccurrences(paired: Paired, *, n_units: int, n_phonemes: int, kind: Kind = "many-to-one") -> LabelledMatrix:
    """Count how many frames each phone and each unit share; see `cooccurrence_matrix`.

    Parameters
    ----------
    paired : Paired
        Units and gold phones.
    n_units : int
        Number of different units.
    n_phonemes : int
        Number of phonemes, without silence.
    kind : {"many-to-one", "one-to-one"}, default "many-to-one"
        What the counts are for; only the advice in a message depends on it.

    Returns
    -------
    LabelledMatrix of int, shape (n_phonemes + 1, n_units)
        The counts, rows sorted.

    Raises
    ------
    OutOfRangeError
        If a unit is out of range, or there are more labels than `n_phonemes` + 1.
    MismatchError
        If a label has the name of a placeholder.
    """
    n_units, n_rows = check_whole("n_units", n_units), n_phonemes + 1
    _check_units(paired.units, n_units, _remedy(paired.units, kind, n_phonemes))
    phones, units = paired.frames
    met = _first_met(phones, len(paired.phones.labels))
    labels = [paired.phones.labels[code] for code in met.tolist()]
    if len(labels) > n_rows:
        shown = ", ".join(labels[:n_rows]) + f" and {', '.join(labels[n_rows : n_rows + 5])}"
        raise OutOfRangeError(
            f"the gold has {len(labels)} different labels, more than {n_phonemes} phonemes and silence: {shown}; "
            "is it the right language?"
        )
    if n_rows * n_units > _LARGEST_MATRIX:
        raise UsageError(f"{n_units} units for {n_phonemes} phonemes are too many for one table of counts")
    row_of = np.zeros(len(paired.phones.labels), np.int64)
    row_of[met] = np.arange(len(met))
    counts = np.bincount(row_of[phones] * n_units + units, minlength=n_rows * n_units).reshape(n_rows, n_units)
    order = np.argsort(counts.sum(axis=1), kind="stable")[::-1]
    names = [*labels, *(f"<missing-{k}>" for k in range(len(labels), n_rows))]
    if len(set(names)) < n_rows:
        clash = next(name for name in labels if names.count(name) > 1)
        raise MismatchError(
            f"the gold has the label {clash!r}, which stands for a phone that does not occur; rename it"
        )
    return LabelledMatrix(counts[order], tuple(names[row] for row in order.tolist()), tuple(range(n_units)))


def _first_met(codes: IntArray, n_codes: int) -> IntArray:
    """Give the different codes in the order in which they appear first; those only in what was cut are not met."""
    first = np.full(n_codes, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several values for one place, the last one stays
    order = np.argsort(first, kind="stable")
    met: IntArray = order[first[order] < len(codes)]
    return met


def _remedy(units: UnitSequences, kind: Kind, n_phonemes: int) -> str:
    """Say what to do about units beyond their number."""
    if kind == "one-to-one":
        most = f"for {n_phonemes} phonemes one-to-one has the units 0 to {n_phonemes}"
        return f"{most}; score a system that has more units as many-to-one"
    return f"set n_units to at least {max(1, int(units.values.max(initial=0)) + 1)}, or number units from 0"


def _check_units(units: UnitSequences, n_units: int, remedy: str) -> None:
    """Refuse units beyond their number, those that will be cut included."""
    values, starts = units.values, units.starts
    wrong = np.flatnonzero((values < 0) | (values >= n_units))
    if len(wrong):
        file = int(np.searchsorted(starts, wrong[0], side="right")) - 1
        raise OutOfRangeError(
            f"file {units.files[file]!r}: unit number {wrong[0] - starts[file] + 1} is {values[wrong[0]]}, "
            f"not from 0 to {n_units - 1}; {len(wrong)} such units in all: {remedy}"
        )


def assign(cooccurrence: LabelledMatrix, kind: Kind) -> IntArray:
    """Choose the phone of every unit.

    Parameters
    ----------
    cooccurrence : LabelledMatrix of int, shape (phones, units)
        Counts, rows sorted.
    kind : {"many-to-one", "one-to-one"}
        Each unit's most frequent phone (among equals, and for a unit that never occurs, the first row), or the pairs
        of units and phones that share the most frames.

    Returns
    -------
    ndarray of int64, shape (units,)
        Row of every unit.

    Raises
    ------
    MismatchError
        If `kind` is one-to-one and there are not as many units as rows.
    """
    values = np.asarray(cooccurrence.values)
    if kind == "many-to-one":
        most: IntArray = values.argmax(axis=0).astype(np.int64)
        return most
    n_rows, n_units = values.shape
    if n_rows != n_units:
        raise MismatchError(
            f"one-to-one needs as many units as phonemes and silence: {n_rows} units for {n_rows - 1} phonemes, "
            f"not {n_units}"
        )
    rows = np.empty(n_units, np.int64)
    rows[assign_most(values.astype(np.int64))] = np.arange(n_rows)
    return rows


def phone_assignments(units: Units, cooccurrence: LabelledMatrix, *, kind: Kind) -> dict[str, list[str]]:
    """Put the phone that it stands for in the place of every unit.

    Parameters
    ----------
    units : mapping of str to sequence of int
        Units of every file.
    cooccurrence : LabelledMatrix of int
        Counts of `cooccurrence_matrix`.
    kind : {"many-to-one", "one-to-one"}
        How units get their phones.

    Returns
    -------
    dict of str to list of str
        For every file, one label per unit; ``<missing-k>`` for a unit whose partner does not occur.

    Raises
    ------
    MismatchError
        If `kind` is one-to-one and there are not as many units as rows, or a unit is no whole number.
    OutOfRangeError
        If a unit has no column.
    UsageError
        If `kind` is unknown.
    """
    rows = assign(cooccurrence, check_choice("kind", kind, KINDS))
    label_of = [cooccurrence.phones[row] for row in rows.tolist()]
    flat = units if isinstance(units, UnitSequences) else units_from_mapping(units)
    _check_units(flat, len(label_of), "they have no column in the counts")
    return {file: [label_of[unit] for unit in values] for file, values in flat.to_dict().items()}
