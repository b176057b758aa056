"""Metric class for a measure stage: name it in a ``measure.yaml`` as ``discophon.discovery`` or by its class path.

The interface is structural (lists of strings, aligned by utterance id); nothing of the stage is imported. The values of
one input are sequences of units, ``12 12 5``, those of the other gold phones, one per step: ``a a b``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from discophon.data import DEFAULT_N_UNITS, STEP_PHONES, STEP_UNITS
from discophon.errors import FormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from discophon.evaluate.assignment import Kind
    from discophon.evaluate.result import Metric
    from discophon.evaluate.segmentation import Windows

__all__ = ["PhonemeDiscovery"]

_UTTERANCES = "utt_id"
_MOST_DIGITS = 18  # what 64 bits hold in any case
_SHOWN = 40


class PhonemeDiscovery:
    """PNMI, phone error rate, and F1 and R-value of the boundaries, of discrete units.

    Parameters
    ----------
    language : str, optional
        The language, which knows its number of phonemes. Either this or `n_phonemes` must be given.
    n_phonemes : int, optional
        Number of phonemes, without silence.
    kind : {"many-to-one", "one-to-one"}, default "many-to-one"
        Every unit stands for its most frequent phone, or units and phones form pairs.
    n_units : int, optional
        Number of different units; by default 256, for one-to-one the number of phonemes and silence.
    step_units, step_phones : int, default 20 and 10
        Time per unit and per phone, in milliseconds.
    metrics : sequence of str, default ("pnmi", "per", "f1", "r_val")
        Scores to compute.
    windows : {"disjoint", "shared"}, default "disjoint"
        How the windows of neighbouring gold boundaries meet.
    ref_key, hyp_key : str, default "ref" and "hyp"
        Names of the inputs that hold the gold phones and the units.

    Raises
    ------
    UsageError
        If one of them cannot be, or they do not go together.

    Notes
    -----
    The scores are fractions, computed over all utterances of a test set at once; None where a score is undefined.
    """

    measure_interface: ClassVar[str] = "lists"
    rate_keys: ClassVar[tuple[str, ...]] = ("pnmi", "per", "f1", "r_val")
    """Keys of the result that are fractions, for tables."""

    def __init__(
        self,
        language: str | None = None,
        n_phonemes: int | None = None,
        *,
        kind: Kind = "many-to-one",
        n_units: int | None = None,
        step_units: int = STEP_UNITS,
        step_phones: int = STEP_PHONES,
        metrics: Sequence[Metric] = ("pnmi", "per", "f1", "r_val"),
        windows: Windows = "disjoint",
        ref_key: str = "ref",
        hyp_key: str = "hyp",
    ) -> None:
        from discophon.checks import check_choice, check_whole
        from discophon.evaluate.assignment import KINDS, number_of_phonemes
        from discophon.evaluate.discovery import check_metrics
        from discophon.evaluate.pairing import check_steps
        from discophon.evaluate.segmentation import WINDOWS

        self.n_phonemes = number_of_phonemes(n_phonemes, language)
        self.kind = check_choice("kind", kind, KINDS)
        default = self.n_phonemes + 1 if kind == "one-to-one" else DEFAULT_N_UNITS
        self.n_units = default if n_units is None else check_whole("n_units", n_units)
        if kind == "one-to-one" and self.n_units != default:
            raise UsageError(f"n_units is {n_units}; for {self.n_phonemes} phonemes one-to-one has {default} units")
        check_steps(step_units, step_phones)
        self.step_units = step_units
        self.step_phones = step_phones
        self.metrics = check_metrics(metrics)
        self.windows = check_choice("windows", windows, WINDOWS)
        if ref_key == hyp_key:
            raise UsageError(f"ref_key and hyp_key are both {ref_key!r}; name the inputs of gold phones and of units")
        self.ref_key = ref_key
        self.hyp_key = hyp_key
        self.signature = ""

    def __call__(
        self, data: Mapping[str, Sequence[str]], test_name: str, output_dir: Path | str
    ) -> dict[str, float | None]:
        """Score one test set.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Lists aligned by ``utt_id``: gold phones and units, separated by blanks.
        test_name : str
            Name of the test set; not used.
        output_dir : path-like
            Root of the inference results; not used.

        Returns
        -------
        dict of str to float or None
            ``pnmi``, ``per``, ``f1`` and ``r_val``, or those that were asked for.

        Raises
        ------
        FormatError, MismatchError, OutOfRangeError, UsageError
            If an input is missing or cannot be scored.
        """
        del output_dir
        from discophon.evaluate import discover

        for key in (self.ref_key, self.hyp_key):
            if key not in data:
                raise UsageError(f"there is no input {key!r}; there is {', '.join(map(repr, data))}")
        gold, units = data[self.ref_key], data[self.hyp_key]
        names = data.get(_UTTERANCES) or [f"utterance {number}" for number in range(1, len(gold) + 1)]
        _check_aligned({_UTTERANCES: names, self.ref_key: gold, self.hyp_key: units})
        result = discover(
            {name: _units(f"{test_name}/{self.hyp_key}", name, text) for name, text in zip(names, units, strict=True)},
            {name: text.split() for name, text in zip(names, gold, strict=True)},
            kind=self.kind,
            n_units=self.n_units,
            n_phonemes=self.n_phonemes,
            step_units=self.step_units,
            step_phones=self.step_phones,
            metrics=self.metrics,
            windows=self.windows,
        )
        self.signature = result.signature
        return result.defined_scores()[0]


def _check_aligned(lists: Mapping[str, Sequence[str]]) -> None:
    """Refuse lists of different lengths, and an utterance that comes twice."""
    if len({len(values) for values in lists.values()}) > 1:
        told = ", ".join(f"{len(values)} of {key}" for key, values in lists.items())
        raise UsageError(f"the inputs are not aligned: {told}; give one value for each utterance")
    names = lists[_UTTERANCES]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"the utterance {twice!r} comes twice; give each its own id")


def _units(place: str, name: str, text: str) -> list[int]:
    """Read the units of one utterance."""
    found = text.split()
    odd = next((word for word in found if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS)), None)
    if odd is not None:
        shown = odd if len(odd) <= _SHOWN else f"{odd[:_SHOWN]}…"
        raise FormatError(place, None, f"{name}: {shown!r} is no unit", "write whole numbers separated by blanks")
    return [int(word) for word in found]
