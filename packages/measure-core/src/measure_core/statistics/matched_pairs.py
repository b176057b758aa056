"""The matched pairs test on sentence segments of NIST's ``sc_stats``.

Source: L. Gillick and S. Cox, "Some statistical issues in the comparison of speech recognition algorithms", ICASSP
1989; D. Pallett, W. Fisher and J. Fiscus, "Tools for the analysis of benchmark speech recognition tests", ICASSP 1990.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from measure_core.builtin.edits import INSERTION, Encoder, unit_edits
from measure_core.builtin.sclite import sclite_edits
from measure_core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from measure_core.builtin.edits import Edits

    Ints = NDArray[np.int64]

__all__ = ["Mapsswe", "mapsswe", "segment_differences"]


@dataclass(frozen=True, slots=True)
class Mapsswe:
    """The outcome of the test.

    Parameters
    ----------
    segments : int
        Number of segments in which at least one system errs.
    mean, deviation : float
        Of the differences (errors of A minus errors of B) over the segments; the deviation with K - 1.
    z : float
        Mean over its standard error; 0 when all differences are equal.
    p_value : float
        Two-sided, from the normal distribution.
    """

    segments: int
    mean: float
    deviation: float
    z: float
    p_value: float


def mapsswe(
    refs: Sequence[Sequence[str]],
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    *,
    alignment: Literal["unit", "sclite"] = "sclite",
    min_good: int = 2,
) -> Mapsswe:
    """Test whether two systems make the same number of errors per segment.

    Parameters
    ----------
    refs, a, b : sequence of sequence of str, length (utterances,)
        Tokens of the reference and of both systems.
    alignment : {"unit", "sclite"}, default "sclite"
        Costs of the alignment; the segments depend on it.
    min_good : int, default 2
        Reference tokens in a row, right in both systems, that close a segment; at least 1.

    Returns
    -------
    Mapsswe
        The outcome.

    Raises
    ------
    ConfigError
        If the systems have different numbers of utterances, or an argument is out of range.

    Examples
    --------
    >>> mapsswe([["a", "b"]] * 3, [["a", "b"], ["a"], ["x", "b"]], [["a", "b"], ["a", "b"], ["y", "x"]])
    Mapsswe(segments=2, mean=0.0, deviation=1.4142135623730951, z=0.0, p_value=1.0)
    """
    if not len(refs) == len(a) == len(b):
        raise ConfigError(
            f"{len(refs)} references, {len(a)} utterances of A and {len(b)} of B; they must be the same ones"
        )
    if alignment not in ("unit", "sclite"):
        raise ConfigError(f"alignment is {alignment!r}; it must be unit or sclite")
    if min_good < 1:
        raise ConfigError(f"min_good is {min_good!r}; it must be at least 1")
    locate = sclite_edits if alignment == "sclite" else unit_edits
    encoder = Encoder()
    edits = []
    for hyps in (a, b):
        pairs = [encoder.pair(ref, hyp) for ref, hyp in zip(refs, hyps, strict=True)]
        edits.append(locate([ref for ref, _ in pairs], [hyp for _, hyp in pairs]))
    ref_lengths = np.fromiter(map(len, refs), np.int64)
    return _outcome(segment_differences(ref_lengths, *edits, min_good=min_good))


def segment_differences(ref_lengths: Ints, a: Edits, b: Edits, *, min_good: int = 2) -> Ints:
    """Cut the utterances into segments; give errors of A minus errors of B in each.

    Parameters
    ----------
    ref_lengths : ndarray of int64, shape (utterances,)
        Reference tokens of each.
    a, b : Edits
        Of both systems against the same reference.
    min_good : int, default 2
        Reference tokens in a row, right in both systems, that close a segment.

    Returns
    -------
    ndarray of int64, shape (segments,)
        The differences, in the order of the segments.

    Notes
    -----
    An utterance of n tokens has 2n + 1 positions: before, on and after each token. Insertions fall between tokens,
    other edits on them. A position with an error belongs to the segment of the erroneous one before it, unless they
    are in different utterances or `min_good` tokens without an error stand between them.
    """
    starts = np.concatenate([[0], np.cumsum(2 * ref_lengths + 1)])
    n_positions = int(starts[-1])
    errors_a, errors_b = (
        np.bincount(starts[edits.pair] + 2 * edits.ref_index + (edits.kind != INSERTION), minlength=n_positions)
        for edits in (a, b)
    )
    utterance = np.repeat(np.arange(len(ref_lengths)), 2 * ref_lengths + 1)
    is_token = (np.arange(n_positions) - starts[utterance]) % 2 == 1
    is_wrong = (errors_a + errors_b) > 0
    good_before = np.cumsum(is_token & ~is_wrong)
    wrong = np.flatnonzero(is_wrong)
    if not len(wrong):
        return np.zeros(0, np.int64)
    is_apart = (np.diff(good_before[wrong]) >= min_good) | (np.diff(utterance[wrong]) > 0)
    opens = np.concatenate([[0], np.flatnonzero(is_apart) + 1])
    differences: Ints = np.add.reduceat((errors_a - errors_b)[wrong], opens)
    return differences


def _outcome(differences: Ints) -> Mapsswe:
    n = len(differences)
    mean = float(differences.mean()) if n else 0.0
    deviation = float(differences.std(ddof=1)) if n > 1 else 0.0
    z = mean / (deviation / sqrt(n)) if deviation > 0 else 0.0
    return Mapsswe(n, mean, deviation, z, erfc(abs(z) / sqrt(2)))
