"""Phone error rate: edit distance between sequences without repeats."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from discophon.errors import UndefinedScoreError
from discophon.evaluate.pairing import check_not_empty, check_same_files
from discophon.sequences import check_list, number_labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

__all__ = ["ErrorCounts", "changes", "count_errors", "phone_error_rate"]

_SURROGATES = 0xD800
_N_SURROGATES = 0x800
_N_CHARACTERS = 0x110000 - _N_SURROGATES


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """Errors and the length of the reference; counts of several files add up with ``+``.

    Attributes
    ----------
    errors : int
        Substitutions, insertions and deletions.
    length : int
        Phones of the gold, repeats removed.
    """

    errors: int = 0
    length: int = 0

    def __add__(self, other: ErrorCounts) -> ErrorCounts:
        if not isinstance(other, ErrorCounts):
            return NotImplemented
        return ErrorCounts(self.errors + other.errors, self.length + other.length)

    @property
    def rate(self) -> float:
        """Errors per phone of the gold; may exceed 1."""
        if not self.length:
            raise UndefinedScoreError("the phone error rate is undefined: the gold has no phone")
        return self.errors / self.length


def phone_error_rate(
    predicted_phones_from_units: Mapping[str, Sequence[str]], gold_phones: Mapping[str, Sequence[str]]
) -> float:
    """Give the edit distance to the gold, repeats removed, per phone of the gold.

    Parameters
    ----------
    predicted_phones_from_units : mapping of str to sequence of str
        Predicted labels of every file.
    gold_phones : mapping of str to sequence of str
        Gold phones of the same files.

    Returns
    -------
    float
        Sum of the distances of all files over the sum of their lengths: a fraction, which may exceed 1.

    Raises
    ------
    MismatchError
        If the files differ, there is none, or one of the sequences is empty.

    Examples
    --------
    >>> phone_error_rate({"f": ["a", "x", "b"], "g": ["q"]}, {"f": ["a", "b"], "g": ["q", "r"]})
    0.5
    """
    check_same_files(predicted_phones_from_units, gold_phones)
    sides = [
        check_list(f"file {file!r}", side[file])
        for side in (gold_phones, predicted_phones_from_units)
        for file in gold_phones
    ]
    codes, starts, _ = number_labels(sides)
    n_files = len(gold_phones)
    end = starts[n_files]
    predicted = (codes[end:], starts[n_files:] - end)
    errors, lengths = count_errors(predicted, (codes[:end], starts[: n_files + 1]), tuple(gold_phones))
    return ErrorCounts(int(errors.sum()), int(lengths.sum())).rate


def changes(codes: IntArray, starts: IntArray) -> NDArray[np.bool_]:
    """Mark where a sequence begins or its label changes.

    Parameters
    ----------
    codes : ndarray of int64, shape (frames,)
        Labels of all files, one after the other.
    starts : ndarray of int64, shape (files + 1,)
        Where each file begins, and the end.

    Returns
    -------
    ndarray of bool, shape (frames,)
        True at the first frame of every run of equal labels within a file.
    """
    is_change = np.ones(len(codes), bool)
    is_change[1:] = codes[1:] != codes[:-1]
    firsts = starts[:-1]
    is_change[firsts[firsts < len(codes)]] = True
    return is_change


def count_errors(
    predicted: tuple[IntArray, IntArray], gold: tuple[IntArray, IntArray], files: tuple[str, ...]
) -> tuple[IntArray, IntArray]:
    """Count the errors of every file.

    Parameters
    ----------
    predicted, gold : tuple of ndarray
        Labels of all files as numbers, and where each file begins.
    files : tuple of str
        File ids, for the message.

    Returns
    -------
    errors : ndarray of int64, shape (files,)
        Edit distances.
    lengths : ndarray of int64, shape (files,)
        Lengths of the gold, repeats removed.

    Raises
    ------
    MismatchError
        If one of the sequences is empty.
    """
    from rapidfuzz.distance import Levenshtein

    check_not_empty(predicted[1], files, "prediction")
    check_not_empty(gold[1], files, "gold")
    said, written = _texts(*predicted), _texts(*gold)
    errors = [Levenshtein.distance(one, other) for one, other in zip(written, said, strict=True)]
    return np.array(errors, np.int64), np.array([len(text) for text in written], np.int64)


def _texts(codes: IntArray, starts: IntArray) -> list[Sequence[int] | str]:
    """Write every sequence without repeats, one character per label: text is what edit distances are fastest on."""
    is_change = changes(codes, starts)
    kept = codes[is_change]
    bounds = np.concatenate([[0], np.cumsum(is_change)])[starts].tolist()
    if kept.max() >= _N_CHARACTERS:  # more labels than there are characters
        numbers: list[int] = kept.tolist()
        return [numbers[a:b] for a, b in itertools.pairwise(bounds)]
    points = kept + _N_SURROGATES * (kept >= _SURROGATES)
    text = points.astype("<u4").tobytes().decode("utf-32-le")
    return [text[a:b] for a, b in itertools.pairwise(bounds)]
