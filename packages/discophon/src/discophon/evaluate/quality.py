"""How much the units tell about the phones: PNMI, and the probability of a phone given a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discophon.evaluate.assignment import LabelledMatrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["pnmi", "probability_phone_given_unit"]


def pnmi(cooccurrence: LabelledMatrix) -> float:
    """Give the mutual information of phones and units, as a share of what there is to know about the phones.

    Parameters
    ----------
    cooccurrence : LabelledMatrix of int, shape (phones, units)
        Counts of frames.

    Returns
    -------
    float
        Between 0 and 1; 0 when there is nothing to know: no frame at all, or one phone only.

    Notes
    -----
    ``I(phone; unit) / H(phone)``, with natural logarithms over the cells that are not zero. Source: W.-N. Hsu et al.,
    "HuBERT", IEEE/ACM TASLP 29, 2021 (there "phone-normalized mutual information").

    Examples
    --------
    >>> pnmi(LabelledMatrix(np.array([[2, 0], [0, 2]]), ("a", "b"), (0, 1)))
    1.0
    """
    counts = np.asarray(cooccurrence.values)
    of_phones, of_units = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    if np.count_nonzero(of_phones) < 2:  # to be decided on the counts: shares add up to 1 only nearly
        return 0.0
    total = of_phones.sum()
    joint, of_phone, of_unit = counts / total, of_phones / total, of_units / total
    entropy = -_sum_of(of_phone, of_phone)
    information = _sum_of(joint, np.divide(joint, of_phone * of_unit, out=np.ones_like(joint), where=joint > 0))
    return float(min(max(information / entropy, 0.0), 1.0))


def _sum_of(weights: NDArray[np.float64], ratios: NDArray[np.float64]) -> float:
    """Add up ``weight * log(ratio)`` where the weight is not zero."""
    used = weights > 0
    return float(np.sum(weights[used] * np.log(ratios[used])))


def probability_phone_given_unit(cooccurrence: LabelledMatrix) -> LabelledMatrix:
    """Give the share of every phone in the frames of every unit that occurs.

    Parameters
    ----------
    cooccurrence : LabelledMatrix of int, shape (phones, units)
        Counts of frames.

    Returns
    -------
    LabelledMatrix of float, shape (phones, used units)
        Every column adds up to 1. Rows as they were. Columns stand in the order of their most probable phones, those
        of one phone by decreasing probability, and among equals the later unit first: drawn as a picture, that is a
        diagonal.
    """
    counts = np.asarray(cooccurrence.values, np.float64)
    totals = counts.sum(axis=0)
    used = np.flatnonzero(totals)
    shares = counts[:, used] / totals[used]
    order = np.lexsort((-used, -shares.max(axis=0, initial=0.0), shares.argmax(axis=0))) if len(used) else used
    units = tuple(cooccurrence.units[column] for column in used[order].tolist())
    return LabelledMatrix(shares[:, order], cooccurrence.phones, units)
