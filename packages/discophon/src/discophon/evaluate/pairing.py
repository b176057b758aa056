"""Units and gold phones of the same files, side by side: same files, lengths that fit, one time axis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from discophon.checks import check_whole
from discophon.errors import MismatchError, UsageError
from discophon.sequences import PhoneSequences, UnitSequences, phones_from_mapping, units_from_mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]
    Units = Mapping[str, Sequence[int] | NDArray[np.integer]] | UnitSequences
    Phones = Mapping[str, Sequence[str]] | PhoneSequences

__all__ = ["Paired", "check_not_empty", "check_same_files", "check_steps", "pair"]

_SHOWN = 5
_STEPS_TRIED = range(1, 101)


@dataclass(frozen=True)
class Paired:
    """Units and gold phones of the same files, in the order of the gold.

    Attributes
    ----------
    units : UnitSequences
        The units.
    phones : PhoneSequences
        The gold phones.
    step_units, step_phones : int
        Time per unit and per phone, in milliseconds; the first is a whole multiple of the second.
    """

    units: UnitSequences
    phones: PhoneSequences
    step_units: int
    step_phones: int

    @property
    def repeats(self) -> int:
        """How many phones there are to one unit."""
        return self.step_units // self.step_phones

    @cached_property
    def frames(self) -> tuple[IntArray, IntArray]:
        """Phone code and unit of every frame of `step_phones`, each file cut to the shorter of its two sequences."""
        n_units = np.diff(self.units.starts) * self.repeats
        n_phones = np.diff(self.phones.starts)
        lengths = np.minimum(n_units, n_phones)
        within = _ranges(lengths)
        phone_at = np.repeat(self.phones.starts[:-1], lengths) + within
        unit_at = np.repeat(self.units.starts[:-1], lengths) + within // self.repeats
        return self.phones.codes[phone_at], self.units.values[unit_at]


def _ranges(lengths: IntArray) -> IntArray:
    """Count from 0 within each of several stretches."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def pair(units: Units, phones: Phones, *, step_units: int, step_phones: int) -> Paired:
    """Bring units and gold phones together.

    Parameters
    ----------
    units : mapping of str to sequence of int, or UnitSequences
        Units of every file.
    phones : mapping of str to sequence of str, or PhoneSequences
        Gold phones of the same files.
    step_units, step_phones : int
        Time per unit and per phone, in milliseconds.

    Returns
    -------
    Paired
        Both, with the units in the order of the gold.

    Raises
    ------
    UsageError
        If `step_units` is no whole multiple of `step_phones`.
    MismatchError
        If there is no file, the files differ, or a file's lengths differ by more than one unit.
    """
    check_steps(step_units, step_phones)
    phones = phones if isinstance(phones, PhoneSequences) else phones_from_mapping(phones)
    units = units if isinstance(units, UnitSequences) else units_from_mapping(units)
    check_same_files(units.files, phones.files, "units", "gold")
    paired = Paired(_reordered(units, phones.files), phones, int(step_units), int(step_phones))
    _check_lengths(paired)
    return paired


def check_steps(step_units: int, step_phones: int) -> None:
    """Refuse steps that do not go together.

    Parameters
    ----------
    step_units, step_phones : int
        Time per unit and per phone, in milliseconds.

    Raises
    ------
    UsageError
        If one is no positive whole number, or the first is no whole multiple of the second.
    """
    for name, step in (("step_units", step_units), ("step_phones", step_phones)):
        check_whole(name, step)
    if step_units % step_phones:
        what = f"step_units is {step_units} ms, no whole multiple of the {step_phones} ms of the phones"
        raise UsageError(f"{what}; repeat or resample the units to a multiple of {step_phones} ms")


def check_same_files(
    one: Iterable[str], other: Iterable[str], one_name: str = "predictions", other_name: str = "gold"
) -> None:
    """Refuse two sides that do not have the same files, or none at all.

    Parameters
    ----------
    one, other : iterable of str
        File ids.
    one_name, other_name : str
        What the sides are called in the message.

    Raises
    ------
    MismatchError
        If the two sides differ, with the files that only one of them has, or if there is no file.
    """
    ones, others = dict.fromkeys(one), dict.fromkeys(other)
    if ones.keys() != others.keys():
        parts = [
            f"{len(only)} only in the {name}: {_some(only)}"
            for name, only in (
                (one_name, [file for file in ones if file not in others]),
                (other_name, [file for file in others if file not in ones]),
            )
            if only
        ]
        raise MismatchError(f"the {one_name} and the {other_name} have different files, {'; '.join(parts)}")
    if not ones:
        raise MismatchError(f"there is no file in the {one_name} and in the {other_name}, so nothing can be scored")


def check_not_empty(starts: IntArray, files: tuple[str, ...], name: str) -> None:
    """Refuse empty sequences: they have neither a rate nor a boundary.

    Parameters
    ----------
    starts : ndarray of int64, shape (files + 1,)
        Where each sequence begins, and the end.
    files : tuple of str
        File ids.
    name : str
        What the sequences are, for the message.

    Raises
    ------
    MismatchError
        If a sequence is empty.
    """
    empty = np.flatnonzero(np.diff(starts) == 0)
    if len(empty):
        more = f" ({len(empty)} files in all)" if len(empty) > 1 else ""
        what = f"file {files[empty[0]]!r}: the sequence of the {name} is empty{more}"
        raise MismatchError(f"{what}; remove the file on both sides")


def _some(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _reordered(units: UnitSequences, files: tuple[str, ...]) -> UnitSequences:
    """Put the units into the order of other files, which are the same."""
    if units.files == files:
        return units
    index = {file: i for i, file in enumerate(units.files)}
    order = np.array([index[file] for file in files], np.int64)
    lengths = np.diff(units.starts)[order]
    starts = np.zeros(len(files) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    at = np.repeat(units.starts[:-1][order], lengths) + _ranges(lengths)
    return UnitSequences(files, starts, units.values[at])


def _check_lengths(paired: Paired) -> None:
    """Refuse files whose units and phones differ by more than one unit; say which step would fit."""
    n_units = np.diff(paired.units.starts)
    n_phones = np.diff(paired.phones.starts)
    repeats = paired.repeats
    wrong = np.flatnonzero(np.abs(n_units * repeats - n_phones) > repeats)
    if not len(wrong):
        return
    is_empty = (n_units == 0) | (n_phones == 0)
    if is_empty[wrong].all():  # they say nothing about the step
        check_not_empty(paired.units.starts, paired.phones.files, "units")
        check_not_empty(paired.phones.starts, paired.phones.files, "gold")
    step, phone = paired.step_units, paired.step_phones
    shown = [
        f"{paired.phones.files[i]}: {n_units[i]} units of {step} ms make {n_units[i] * repeats} frames of {phone} ms, "
        f"the gold has {n_phones[i]} ({abs(n_units[i] * step - n_phones[i] * phone)} ms "
        f"too {'short' if n_units[i] * repeats < n_phones[i] else 'long'})"
        if not is_empty[i]
        else f"{paired.phones.files[i]}: the sequence of the {'gold' if n_units[i] else 'units'} is empty"
        for i in wrong[:_SHOWN].tolist()
    ]
    if len(wrong) > _SHOWN:
        shown.append(f"and {len(wrong) - _SHOWN} more")
    raise MismatchError(
        f"{len(wrong)} of {len(n_units)} files differ in length by more than one unit; {'; '.join(shown)}; "
        f"{_hint(n_units[~is_empty], n_phones[~is_empty], phone)}"
    )


def _hint(n_units: IntArray, n_phones: IntArray, step_phones: int) -> str:
    """Say which time per unit would fit all files, if there is one."""
    ratio = n_phones.sum() / max(1, n_units.sum())
    fitting = [r for r in _STEPS_TRIED if (np.abs(n_units * r - n_phones) <= r).all()]
    if fitting:
        best = min(fitting, key=lambda r: abs(r - ratio))
        return f"a step of {best * step_phones} ms would fit all files: is step_units {best * step_phones}?"
    guess = round(ratio * step_phones)
    is_near = (np.abs(n_units * guess - n_phones * step_phones) <= guess + step_phones).all()
    if guess % step_phones and is_near and len(n_units) > 2:
        return f"the units look like {guess} ms each, which is no multiple of {step_phones} ms: resample them"
    return "no step fits all files: do units and gold belong to the same audio?"
