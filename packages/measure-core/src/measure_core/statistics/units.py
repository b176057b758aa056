"""What is resampled: utterances, or all utterances of a speaker together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from measure_core.errors import ConfigError, InputError, from_speechio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["speakers", "sum_by_unit"]

_SHOWN = 5


def speakers(
    ids: Sequence[str],
    *,
    separator: str = "-",
    utt2spk: Mapping[str, str] | os.PathLike[str] | str | None = None,
) -> list[str]:
    """Give the speaker of every utterance.

    Parameters
    ----------
    ids : sequence of str
        Utterance IDs.
    separator : str, default "-"
        The speaker is the part of the ID before its first occurrence.
    utt2spk : mapping of str to str, or path-like, optional
        From utterance to speaker, or a Kaldi ``utt2spk`` file; `separator` does not matter then.

    Returns
    -------
    list of str
        One speaker per utterance, in order.

    Raises
    ------
    ConfigError
        If the separator is empty.
    InputError
        If an utterance has no speaker, or the file cannot be read.

    Examples
    --------
    >>> speakers(["ann-1", "ann-2", "bob-1"])
    ['ann', 'ann', 'bob']
    """
    if utt2spk is None:
        if not separator:
            raise ConfigError("the separator of speakers is empty; give the character that ends the speaker in an ID")
        lacking = [utt_id for utt_id in ids if utt_id.find(separator) < 1]
        if lacking:
            what = f"{len(lacking)} of {len(ids)} utterance IDs have no speaker before {separator!r}"
            raise InputError(what, [_listed(lacking)], ["name another separator, or an utt2spk file"])
        return [utt_id.partition(separator)[0] for utt_id in ids]
    if isinstance(utt2spk, str | os.PathLike):
        place, table = os.fspath(utt2spk), _read(utt2spk)
    else:
        place, table = "the speakers given", utt2spk
    lacking = [utt_id for utt_id in ids if utt_id not in table]
    if lacking:
        what = f"{place}: {len(lacking)} of {len(ids)} utterances are not in it"
        raise InputError(what, [_listed(lacking)], ["add a line 'UTTERANCE SPEAKER' for each"])
    return [table[utt_id] for utt_id in ids]


def sum_by_unit(
    columns: Mapping[str, NDArray[np.int64] | NDArray[np.float64]], labels: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """Add up what belongs together.

    Parameters
    ----------
    columns : mapping of str to ndarray, shape (utterances,)
        Counts per utterance.
    labels : sequence of str, length (utterances,)
        To whom each utterance belongs, see `speakers`.

    Returns
    -------
    dict of str to ndarray of float64, shape (units,)
        The sums, units sorted by label.

    Raises
    ------
    ConfigError
        If the number of labels is not that of the utterances.

    Examples
    --------
    >>> sum_by_unit({"errors": np.array([1, 0, 2])}, ["ann", "bob", "ann"])
    {'errors': array([3., 0.])}
    """
    for name, column in columns.items():
        if len(column) != len(labels):
            raise ConfigError(f"{len(labels)} labels for the {len(column)} utterances of {name}")
    units, unit = np.unique(np.asarray(labels, object), return_inverse=True)
    weights = {name: np.asarray(column, np.float64) for name, column in columns.items()}
    return {name: np.asarray(np.bincount(unit, w, len(units)), np.float64) for name, w in weights.items()}


def _read(path: os.PathLike[str] | str) -> Mapping[str, str]:
    import speechio

    try:
        return speechio.read_utt2spk(path)
    except (speechio.FormatError, speechio.InputError) as fault:
        raise from_speechio(fault) from fault


def _listed(ids: Sequence[str]) -> str:
    return " ".join(ids[:_SHOWN]) + (" …" if len(ids) > _SHOWN else "")
