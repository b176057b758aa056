"""Metrics over tokens: alignment of reference and hypothesis, counted per utterance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from measure_core.builtin.base import CountingMetric
from measure_core.builtin.counts import Counts, each
from measure_core.builtin.edits import DELETION, INSERTION, Encoder, lengths, unit_counts, unit_edits
from measure_core.builtin.sclite import sclite_edits
from measure_core.errors import ConfigError
from measure_core.normalise import normaliser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from measure_core.builtin.counts import Data, Scalar
    from measure_core.builtin.edits import EditCounts

    Ints = NDArray[np.int64]

__all__ = ["AlignedToken", "TokenMetric"]

AlignedToken = tuple[Literal["=", "S", "D", "I"], str | None, str | None]
"""Kind, reference token, hypothesis token; None for the side that has none."""

_BLOCK = 1 << 14
"""Most pairs encoded at once."""

_COLUMNS = ("hits", "substitutions", "deletions", "insertions")


class TokenMetric(CountingMetric):
    """A metric over aligned tokens.

    Parameters
    ----------
    normalise : sequence, optional
        Steps of `measure_core.normalise`, applied to both sides.
    per_utterance : bool, default False
        Give the numbers of every utterance too.
    empty : {"count", "dot"}, default "count"
        What becomes of a side without tokens: nothing, or one token ``.`` as in ESPnet3.
    alignment : {"unit", "sclite"} or bool, default "unit"
        Costs: 1 for each edit, or sclite's 4 for a substitution and 3 for the others. True is ``unit`` with the
        aligned tokens beside the numbers of every utterance.
    ref_key, hyp_key : str, default "ref" and "hyp"
        Names of the inputs.
    """

    unit = "word"
    denominator = "reference words"

    def __init__(
        self,
        *,
        normalise: object = None,
        per_utterance: bool = False,
        empty: str = "count",
        alignment: str | bool = "unit",
        ref_key: str = "ref",
        hyp_key: str = "hyp",
    ) -> None:
        super().__init__(per_utterance=per_utterance, ref_key=ref_key, hyp_key=hyp_key)
        self.normaliser = normaliser(normalise)
        if empty not in ("count", "dot"):
            raise ConfigError(f"{self.name}: empty is {empty!r}; it must be count or dot")
        self.empty = empty
        self.shows_alignment = alignment is True
        self.alignment = "unit" if isinstance(alignment, bool) else alignment
        if self.alignment not in ("unit", "sclite"):
            raise ConfigError(f"{self.name}: alignment is {alignment!r}; it must be unit, sclite or true")

    def _choices(self) -> dict[str, str]:
        return {
            "norm": self.normaliser.signature,
            "unit": self.unit,
            **self._unit_choices(),
            "empty": self.empty,
            "align": self.alignment,
        }

    def _unit_choices(self) -> dict[str, str]:
        return {}

    def _split(self) -> Callable[[str], Sequence[str]]:
        """Give what takes a normalised text apart; a string stands for its characters."""
        return str.split

    def tokenise(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Normalise texts and take them apart, as for counting.

        Parameters
        ----------
        texts : sequence of str
            One side.

        Returns
        -------
        list of sequence of str
            Tokens of every text; a string stands for its code points.
        """
        return list(map(self._tokeniser(), texts))

    def _tokeniser(self) -> Callable[[str], Sequence[str]]:
        """Put normalisation, splitting and the rule for empty sides into one function."""
        split, clean = self._split(), self.normaliser
        if not clean and self.empty == "count":
            return split
        dot: tuple[str, ...] = (".",) if self.empty == "dot" else ()
        return lambda text: split(clean(text)) or dot

    def count(self, data: Data) -> Counts:
        """Count hits, substitutions, deletions and insertions.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Both inputs, and perhaps ``utt_id`` for messages.

        Returns
        -------
        Counts
            Columns ``hits``, ``substitutions``, ``deletions``, ``insertions``.

        Raises
        ------
        MetricError
            If an input is missing, or an utterance cannot be normalised.
        """
        n_pairs, blocks = 0, []
        for ref_lengths, unequal, edits in self._blocks(data):
            block = {name: np.zeros(len(ref_lengths), np.int64) for name in _COLUMNS}
            block["hits"][:] = ref_lengths
            for name in _COLUMNS:
                block[name][unequal] = getattr(edits, name)
            blocks.append(Counts(block))
            n_pairs += len(ref_lengths)
        return Counts.concatenate(blocks) if blocks else Counts({name: np.zeros(0, np.int64) for name in _COLUMNS})

    def _blocks(self, data: Data) -> Iterator[tuple[Ints, list[int], EditCounts]]:
        """Give, block by block, the reference lengths, which pairs differ, and the edits of those."""
        encoder = Encoder()
        ref_lengths: list[int] = []
        unequal: list[int] = []
        codes: tuple[list[str], list[str]] = ([], [])
        for ref, hyp in self._pairs(data):
            if ref is not hyp:
                unequal.append(len(ref_lengths))
                for side, code in zip(codes, encoder.pair(ref, hyp), strict=True):
                    side.append(code)
            ref_lengths.append(len(ref))
            if len(ref_lengths) == _BLOCK:
                yield np.array(ref_lengths), unequal, self._edit_counts(*codes)
                ref_lengths, unequal, codes = [], [], ([], [])
        if ref_lengths:
            yield np.array(ref_lengths), unequal, self._edit_counts(*codes)

    def _pairs(self, data: Data) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """Give the tokens of both sides, the same object twice where they are equal."""
        tokens = self._tokeniser()

        def pair(ref: str, hyp: str) -> tuple[Sequence[str], Sequence[str]]:
            ref_tokens = tokens(ref)
            if ref == hyp:
                return ref_tokens, ref_tokens
            hyp_tokens = tokens(hyp)
            return ref_tokens, ref_tokens if ref_tokens == hyp_tokens else hyp_tokens

        return each(data, (self.ref_key, self.hyp_key), pair)

    def _edit_counts(self, refs: list[str], hyps: list[str]) -> EditCounts:
        if self.alignment == "sclite":
            return sclite_edits(refs, hyps).counts(lengths(refs))
        return unit_counts(refs, hyps)

    def align(self, data: Data) -> list[list[AlignedToken]]:
        """Give the aligned tokens of every utterance.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Both inputs.

        Returns
        -------
        list of list of (str, str or None, str or None)
            Kind (``=``, ``S``, ``D``, ``I``), reference and hypothesis token, in order; as many as were counted.
        """
        encoder = Encoder()
        pairs = list(self._pairs(data))
        codes = [encoder.pair(ref, hyp) for ref, hyp in pairs]
        locate = sclite_edits if self.alignment == "sclite" else unit_edits
        edits = locate([ref for ref, _ in codes], [hyp for _, hyp in codes])
        ends = np.searchsorted(edits.pair, np.arange(len(pairs) + 1))
        steps = np.column_stack([edits.kind, edits.ref_index, edits.hyp_index]).tolist()
        return [_aligned(*pair, steps[ends[k] : ends[k + 1]]) for k, pair in enumerate(pairs)]

    def errors(self, counts: Counts) -> Ints:
        """Give the errors of every utterance.

        Parameters
        ----------
        counts : Counts
            Of `count`.

        Returns
        -------
        ndarray of int64, shape (utterances,)
            Substitutions, deletions and insertions together.
        """
        errors: Ints = np.asarray(counts["substitutions"] + counts["deletions"] + counts["insertions"], np.int64)
        return errors

    def tokens(self, counts: Counts) -> Ints:
        """Give the reference tokens of every utterance.

        Parameters
        ----------
        counts : Counts
            Of `count`.

        Returns
        -------
        ndarray of int64, shape (utterances,)
            Hits, substitutions and deletions together.
        """
        tokens: Ints = np.asarray(counts["hits"] + counts["substitutions"] + counts["deletions"], np.int64)
        return tokens

    def _per_utterance_columns(self, counts: Counts) -> dict[str, list[Scalar]]:
        return {name: column.tolist() for name, column in counts.columns.items()}

    def _aligned_columns(self, data: Data) -> dict[str, list[object]]:
        return {"alignment": [*self.align(data)]}


def _aligned(ref: Sequence[str], hyp: Sequence[str], steps: list[list[int]]) -> list[AlignedToken]:
    """Put the tokens without an edit between those with one."""
    aligned: list[AlignedToken] = []
    i = j = 0
    for kind, ref_index, hyp_index in steps:
        aligned += [("=", token, token) for token in ref[i:ref_index]]
        i, j = ref_index, hyp_index
        if kind == INSERTION:
            aligned.append(("I", None, hyp[j]))
        elif kind == DELETION:
            aligned.append(("D", ref[i], None))
        else:
            aligned.append(("S", ref[i], hyp[j]))
        i, j = i + (kind != INSERTION), j + (kind != DELETION)
    return aligned + [("=", token, token) for token in ref[i:]]
