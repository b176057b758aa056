"""Edits between token sequences with unit costs, counted and located.

Sequences travel as strings: every different token is a character (`Encoder`). That is what rapidfuzz compares fastest,
and unlike a hash it cannot collide. Where several alignments are cheapest, the one rapidfuzz traces back is taken, so
the split into substitutions, deletions and insertions is that of jiwer 4.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from measure_core.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["DELETION", "INSERTION", "SUBSTITUTION", "EditCounts", "Edits", "Encoder", "unit_counts", "unit_edits"]

SUBSTITUTION, DELETION, INSERTION = 0, 1, 2
"""Kinds of edits in `Edits.kind`."""

_KINDS = {"replace": SUBSTITUTION, "delete": DELETION, "insert": INSERTION}
_MOST_CHARACTERS = sys.maxunicode + 1


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Edits of each pair, by kind.

    Parameters
    ----------
    hits, substitutions, deletions, insertions : ndarray of int64, shape (pairs,)
        Reference tokens that were found, replaced and lost; hypothesis tokens that were added.
    """

    hits: Ints
    substitutions: Ints
    deletions: Ints
    insertions: Ints


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of all pairs, one after the other in the order of the reference.

    Parameters
    ----------
    pair : ndarray of int64, shape (edits,)
        Index of the pair, ascending.
    kind : ndarray of int64, shape (edits,)
        `SUBSTITUTION`, `DELETION` or `INSERTION`.
    ref_index, hyp_index : ndarray of int64, shape (edits,)
        The tokens concerned; where a side has none, the token before which it would stand.
    """

    pair: Ints
    kind: Ints
    ref_index: Ints
    hyp_index: Ints

    def counts(self, ref_lengths: Ints) -> EditCounts:
        """Count the edits of each pair.

        Parameters
        ----------
        ref_lengths : ndarray of int64, shape (pairs,)
            Reference tokens of every pair, also of pairs without an edit.

        Returns
        -------
        EditCounts
            Counts of every pair.
        """
        n_pairs = len(ref_lengths)
        table = np.bincount(self.pair * 3 + self.kind, minlength=3 * n_pairs).reshape(n_pairs, 3)
        return _counts(ref_lengths, *table.T)


class Encoder:
    """Write tokens as characters, the same token of a pair as the same character."""

    def __init__(self) -> None:
        self._characters = _Characters()

    def pair(self, ref: Sequence[str], hyp: Sequence[str]) -> tuple[str, str]:
        """Encode a pair of sequences.

        Parameters
        ----------
        ref, hyp : sequence of str
            Tokens of both sides; a string stands for its code points and is taken as it is.

        Returns
        -------
        tuple of str
            Both sides, one character per token. Different pairs need not have the same code.

        Raises
        ------
        MetricError
            If the pair has more different tokens than there are characters, 1,114,112.
        """
        if isinstance(ref, str) and isinstance(hyp, str):
            return ref, hyp
        known = self._characters
        if len(known) + len(ref) + len(hyp) > _MOST_CHARACTERS:
            known.clear()
        try:
            return "".join(map(known.__getitem__, ref)), "".join(map(known.__getitem__, hyp))
        except ValueError:
            raise MetricError(f"an utterance has more than {_MOST_CHARACTERS:,} different tokens") from None


class _Characters(dict[str, str]):
    def __missing__(self, token: str) -> str:
        character = self[token] = chr(len(self))
        return character


def unit_counts(refs: Sequence[str], hyps: Sequence[str]) -> EditCounts:
    """Count the edits of encoded pairs, each edit at cost 1.

    Parameters
    ----------
    refs, hyps : sequence of str, length (pairs,)
        Encoded sides.

    Returns
    -------
    EditCounts
        Counts of every pair.

    Notes
    -----
    The distance and the lengths leave one number open, the substitutions. When the distance exceeds the difference of
    the lengths by less than two they settle it too, and no alignment is traced.

    Examples
    --------
    >>> counts = unit_counts(["abcd"], ["axcef"])
    >>> [int(n[0]) for n in (counts.hits, counts.substitutions, counts.deletions, counts.insertions)]
    [2, 2, 0, 1]
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    ref_lengths, hyp_lengths = lengths(refs), lengths(hyps)
    if not len(ref_lengths):
        return _counts(ref_lengths, ref_lengths, ref_lengths, ref_lengths)
    distance = cpdist(refs, hyps, scorer=Levenshtein.distance, dtype=np.int64)
    surplus = hyp_lengths - ref_lengths
    substitutions: Ints = distance - np.abs(surplus)
    for k in np.flatnonzero(substitutions >= 2).tolist():
        edits = Levenshtein.editops(refs[k], hyps[k]).as_list()
        substitutions[k] = [edit[0] for edit in edits].count("replace")
    insertions = (distance - substitutions + surplus) // 2
    return _counts(ref_lengths, substitutions, insertions - surplus, insertions)


def unit_edits(refs: Sequence[str], hyps: Sequence[str]) -> Edits:
    """Locate the edits of encoded pairs, each edit at cost 1.

    Parameters
    ----------
    refs, hyps : sequence of str, length (pairs,)
        Encoded sides.

    Returns
    -------
    Edits
        All edits; those of a pair are as many of each kind as `unit_counts` says.
    """
    from rapidfuzz.distance import Levenshtein

    found = [
        (pair, _KINDS[str(kind)], ref_index, hyp_index)
        for pair, (ref, hyp) in enumerate(zip(refs, hyps, strict=True))
        if ref != hyp
        for kind, ref_index, hyp_index in Levenshtein.editops(ref, hyp).as_list()
    ]
    return Edits(*np.array(found, np.int64).reshape(-1, 4).T)


def lengths(texts: Iterable[str]) -> Ints:
    """Give the length of each text.

    Parameters
    ----------
    texts : iterable of str
        Texts.

    Returns
    -------
    ndarray of int64, shape (texts,)
        Characters of each.
    """
    return np.fromiter(map(len, texts), np.int64)


def _counts(ref_lengths: Ints, substitutions: Ints, deletions: Ints, insertions: Ints) -> EditCounts:
    return EditCounts(ref_lengths - substitutions - deletions, substitutions, deletions, insertions)
