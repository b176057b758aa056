"""Edits with the costs of NIST sclite: substitution 4, insertion 3, deletion 3.

All pairs of about one length go through the table together, row by row, and are traced back together.

Source: NIST SCTK, ``sclite``; J. Fiscus, "Sclite scoring package", NIST, 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measure_core.builtin.edits import DELETION, INSERTION, SUBSTITUTION, Edits, lengths
from measure_core.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Codes = NDArray[np.uint32]

__all__ = ["sclite_edits"]

_SUBSTITUTION_COST = 4
_GAP_COST = 3
_BATCH_CELLS = 1 << 22
_MOST_CELLS = 1 << 31
_MATCH = 3
"""A step that is no edit; the other steps are the kinds of edits."""


def sclite_edits(refs: Sequence[str], hyps: Sequence[str]) -> Edits:
    """Locate the edits of encoded pairs, with sclite's costs.

    Parameters
    ----------
    refs, hyps : sequence of str, length (pairs,)
        Encoded sides, see `measure_core.builtin.edits.Encoder`.

    Returns
    -------
    Edits
        All edits.

    Raises
    ------
    MetricError
        If the table of one pair would have more than 2**31 cells.

    Notes
    -----
    Traced back from the end; a match or a substitution is taken whenever it lies on a cheapest path, then an
    insertion, then a deletion.

    Examples
    --------
    >>> edits = sclite_edits(["abc"], ["xbcd"])
    >>> edits.kind.tolist(), edits.ref_index.tolist()
    ([0, 2], [0, 3])
    """
    ref_lengths, hyp_lengths = lengths(refs), lengths(hyps)
    differ = np.array([ref != hyp for ref, hyp in zip(refs, hyps, strict=True)], bool)
    order = np.flatnonzero(differ)
    order = order[np.lexsort((hyp_lengths[order], ref_lengths[order]))]
    parts = []
    for batch in _batches(order, ref_lengths, hyp_lengths):
        ref_codes = _codes([refs[k] for k in batch], ref_lengths[batch])
        hyp_codes = _codes([hyps[k] for k in batch], hyp_lengths[batch])
        row, *edit = _traced(_steps(ref_codes, hyp_codes), ref_lengths[batch], hyp_lengths[batch])
        parts.append(np.array([batch[row], *edit]))
    pair, kind, ref_index, hyp_index = np.concatenate([np.zeros((4, 0), np.int64), *parts], axis=1)
    # an insertion stands before the reference token at its index, hence the hypothesis settles the order
    in_order = np.lexsort((hyp_index, ref_index, pair))
    return Edits(pair[in_order], kind[in_order], ref_index[in_order], hyp_index[in_order])


def _batches(order: Ints, ref_lengths: Ints, hyp_lengths: Ints) -> Iterator[Ints]:
    """Cut pairs, sorted by length, where their common table would become too large."""
    first, width, height = 0, 0, 0
    for k, pair in enumerate(order.tolist()):
        height, own_width = int(ref_lengths[pair]) + 1, int(hyp_lengths[pair]) + 1
        width = max(width, own_width)
        if height * own_width > _MOST_CELLS:
            raise MetricError(
                f"an utterance has {height - 1} reference and {own_width - 1} hypothesis tokens",
                ["aligned as sclite does, it needs a table of more than two billion cells"],
                ["cut it into shorter ones, or take the alignment with unit costs"],
            )
        if k > first and (k + 1 - first) * width * height > _BATCH_CELLS:
            yield order[first:k]
            first, width = k, own_width
    if len(order):
        yield order[first:]


def _codes(texts: Sequence[str], text_lengths: Ints) -> Codes:
    """Write texts as rows of code points, filled up with a number that is none."""
    flat = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    width = int(text_lengths.max())
    codes = np.full((len(texts), width), 0xFFFFFFFF, np.uint32)
    codes[np.arange(width) < text_lengths[:, None]] = flat
    return codes


def _steps(refs: Codes, hyps: Codes) -> NDArray[np.uint8]:
    """Fill the table; give the last step of the path to each cell, shape (reference + 1, pairs, hypothesis + 1)."""
    n_pairs, height = refs.shape
    width = hyps.shape[1]
    slope = _GAP_COST * np.arange(width + 1, dtype=np.int32)
    cost = np.broadcast_to(slope, (n_pairs, width + 1))
    steps = np.full((height + 1, n_pairs, width + 1), INSERTION, np.uint8)
    reached = np.empty((n_pairs, width + 1), np.int32)
    for i in range(height):
        is_match = hyps == refs[:, i : i + 1]
        across = cost[:, :-1] + np.where(is_match, 0, _SUBSTITUTION_COST).astype(np.int32)
        down = cost[:, 1:] + _GAP_COST
        reached[:, 0] = cost[:, 0] + _GAP_COST
        np.minimum(across, down, out=reached[:, 1:])
        # a row of insertions costs the same per step, so the cheapest start of each is a running minimum
        cost = np.minimum.accumulate(reached - slope, axis=1) + slope
        here = steps[i + 1]
        here[:, 0] = DELETION
        ahead = cost[:, 1:]
        inserted = cost[:, :-1] + _GAP_COST == ahead
        here[:, 1:][~inserted] = DELETION
        is_across = across == ahead
        here[:, 1:][is_across] = np.where(is_match, _MATCH, SUBSTITUTION)[is_across]
    return steps


def _traced(steps: NDArray[np.uint8], ref_lengths: Ints, hyp_lengths: Ints) -> list[Ints]:
    """Walk all paths back from their ends; give pair, kind, reference and hypothesis index of the edits."""
    rows, i, j = np.arange(len(ref_lengths)), ref_lengths.copy(), hyp_lengths.copy()
    found = [np.zeros((4, 0), np.int64)]
    while len(rows):
        step = steps[i, rows, j].astype(np.int64)
        i -= step != INSERTION
        j -= step != DELETION
        is_edit = step != _MATCH
        found.append(np.array([rows, step, i, j])[:, is_edit])
        is_open = (i > 0) | (j > 0)
        rows, i, j = rows[is_open], i[is_open], j[is_open]
    return list(np.concatenate(found, axis=1))
