"""Sequences of labels or units over time, of many files, as flat arrays: what the readers give and the scores take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from discophon.errors import FormatError, MismatchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

_List = TypeVar("_List")
_MOST_BITS_SHOWN = 200
_NO_UNITS = {bool, np.bool_}  # numpy takes them for 0 and 1 where they stand among numbers

__all__ = [
    "PhoneSequences",
    "UnitSequences",
    "check_list",
    "describe_unit_fault",
    "number_labels",
    "phones_from_mapping",
    "starts_of",
    "units_from_mapping",
    "whole_numbers",
]


@dataclass(frozen=True, slots=True, eq=False)
class UnitSequences:
    """Units of many files.

    Attributes
    ----------
    files : tuple of str
        File ids, in the order of the source.
    starts : ndarray of int64, shape (files + 1,)
        Where the units of each file begin in `values`; the last entry is their number.
    values : ndarray of int64, shape (units,)
        All units, file after file.
    """

    files: tuple[str, ...]
    starts: IntArray
    values: IntArray

    def to_dict(self) -> dict[str, list[int]]:
        """Give the units of every file as a list."""
        values = self.values.tolist()
        return {file: values[a:b] for file, a, b in _slices(self.files, self.starts)}


@dataclass(frozen=True, slots=True, eq=False)
class PhoneSequences:
    """Phones of many files, one per step.

    Attributes
    ----------
    files : tuple of str
        File ids.
    starts : ndarray of int64, shape (files + 1,)
        Where the phones of each file begin in `codes`; the last entry is their number.
    codes : ndarray of int64, shape (frames,)
        All phones, file after file, as numbers of `labels`.
    labels : tuple of str
        The different labels, numbered by first appearance in that order.
    """

    files: tuple[str, ...]
    starts: IntArray
    codes: IntArray
    labels: tuple[str, ...]

    def to_dict(self) -> dict[str, list[str]]:
        """Give the phones of every file as a list."""
        values: list[str] = np.array(self.labels, object)[self.codes].tolist() if self.labels else []
        return {file: values[a:b] for file, a, b in _slices(self.files, self.starts)}


def _slices(files: tuple[str, ...], starts: IntArray) -> list[tuple[str, int, int]]:
    bounds = starts.tolist()
    return list(zip(files, bounds[:-1], bounds[1:], strict=True))


def starts_of(lengths: Sequence[int]) -> IntArray:
    """Give where each sequence begins when all are put one after the other, and where the last one ends."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def units_from_mapping(units: Mapping[str, Sequence[int] | NDArray[np.integer]]) -> UnitSequences:
    """Put units into flat arrays.

    Parameters
    ----------
    units : mapping of str to sequence of int
        Units of every file; lists or arrays of whole numbers.

    Returns
    -------
    UnitSequences
        The same units.

    Raises
    ------
    MismatchError
        If something is no whole number.
    """
    arrays = [whole_numbers(f"file {file!r}", values) for file, values in units.items()]
    values = np.concatenate(arrays) if arrays else np.zeros(0, np.int64)
    return UnitSequences(tuple(units), starts_of([len(array) for array in arrays]), values)


def whole_numbers(what: str, values: Sequence[int] | NDArray[np.integer]) -> IntArray:
    """Give units as an array; refuse what is no whole number.

    Parameters
    ----------
    what : str
        Whose units they are, for the message.
    values : sequence of int
        The units.

    Returns
    -------
    ndarray of int64, shape (units,)
        The units.

    Raises
    ------
    MismatchError
        If something is no whole number or does not fit into 64 bits.
    """
    if not len(check_list(what, values)):
        return np.zeros(0, np.int64)
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        array = np.zeros(0, object)
    is_list = not isinstance(values, np.ndarray)
    if array.dtype.kind not in "iu" or array.ndim != 1 or (is_list and not _NO_UNITS.isdisjoint(map(type, values))):
        raise MismatchError(f"{what}: units must be whole numbers in one list; {_first_odd(values)}")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise MismatchError(f"{what}: the unit {array.max()} does not fit into 64 bits")
    return array.astype(np.int64, copy=False)


def check_list(what: str, values: _List) -> _List:
    """Refuse what is no sequence, such as None, or a generator, which could be read only once.

    Parameters
    ----------
    what : str
        Whose sequence it is, for the message.
    values : sequence
        The sequence.

    Returns
    -------
    sequence
        The same.

    Raises
    ------
    MismatchError
        If it is no sequence.
    """
    if not hasattr(values, "__len__") or not hasattr(values, "__getitem__"):
        raise MismatchError(f"{what}: {type(values).__name__} where a list is wanted; give a list or an array")
    return values


def _first_odd(values: Iterable[object]) -> str:
    for index, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            return f"number {index + 1} is {value!r}"
        if not -(2**63) <= value < 2**63:
            shown = value if int(value).bit_length() <= _MOST_BITS_SHOWN else "too large"
            return f"number {index + 1} is {shown}, which does not fit into 64 bits"
    return "true and false are none"


def phones_from_mapping(phones: Mapping[str, Sequence[str]]) -> PhoneSequences:
    """Put phones into flat arrays.

    Parameters
    ----------
    phones : mapping of str to sequence of str
        Phones of every file, one per step.

    Returns
    -------
    PhoneSequences
        The same phones, labels numbered by first appearance.

    Raises
    ------
    MismatchError
        If something is no list, or a label is no text.
    """
    codes, starts, labels = number_labels([check_list(f"file {file!r}", each) for file, each in phones.items()])
    return PhoneSequences(tuple(phones), starts, codes, labels)


def number_labels(sequences: Sequence[Sequence[str]]) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Turn sequences of labels into numbers.

    Parameters
    ----------
    sequences : sequence of sequence of str
        Labels.

    Returns
    -------
    codes : ndarray of int64, shape (labels of all sequences,)
        Numbers of the labels, one sequence after the other.
    starts : ndarray of int64, shape (sequences + 1,)
        Where each sequence begins, and the end.
    labels : tuple of str
        The different labels, numbered by first appearance in that order.

    Raises
    ------
    MismatchError
        If a label is no text.
    """
    from itertools import chain

    try:
        labels = tuple(dict.fromkeys(chain.from_iterable(sequences)))
    except TypeError:  # something that cannot be a key is no text either
        _check_text(chain.from_iterable(sequences))
        raise
    _check_text(labels)
    number = {label: code for code, label in enumerate(labels)}
    starts = starts_of([len(labels) for labels in sequences])
    codes = np.fromiter(map(number.__getitem__, chain.from_iterable(sequences)), np.int64, int(starts[-1]))
    return codes, starts, labels


def _check_text(labels: Iterable[object]) -> None:
    for label in labels:
        if not isinstance(label, str):
            raise MismatchError(f"the label {label!r} is no text")


def describe_unit_fault(path: str, line: int, values: Sequence[object]) -> FormatError:
    """Say which entry of a list of units is no unit.

    Parameters
    ----------
    path : str
        File in the message.
    line : int
        Line, from 1.
    values : sequence
        The list as it was read.

    Returns
    -------
    FormatError
        The error, to be raised.
    """
    return FormatError(path, line, f"units must be whole numbers; {_first_odd(values)}", "write one integer per step")
