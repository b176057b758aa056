"""Phoneme discovery: from units and gold phones to PNMI, phone error rate, boundary F1 and R-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discophon.checks import check_choice, check_several, check_whole
from discophon.errors import UsageError
from discophon.evaluate.assignment import KINDS, assign, count_cooccurrences, number_of_phonemes
from discophon.evaluate.pairing import Paired, check_not_empty, pair
from discophon.evaluate.recognition import count_errors
from discophon.evaluate.result import METRICS, DiscoveryResult, Settings
from discophon.evaluate.segmentation import MARGIN, WINDOWS, boundaries, count_hits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discophon.evaluate.assignment import Kind
    from discophon.evaluate.pairing import Phones, Units
    from discophon.evaluate.result import Metric
    from discophon.evaluate.segmentation import Windows
    from discophon.languages import Language

    IntArray = NDArray[np.int64]

__all__ = ["check_metrics", "discover", "discover_paired", "phoneme_discovery"]

_NONE = np.zeros(0, np.int64)


def phoneme_discovery(
    units: Units,
    phones: Phones,
    *,
    kind: Kind,
    n_units: int,
    n_phonemes: int | None = None,
    step_units: int = 20,
    step_phones: int = 10,
    language: str | Language | None = None,
    metrics: Sequence[Metric] = METRICS,
    windows: Windows = "disjoint",
) -> dict[str, float]:
    """Score how well discrete units map onto the phonemes of a language.

    Parameters
    ----------
    units : mapping of str to sequence of int
        Units of every file, one per `step_units`, as `discophon.data.read_submitted_units` gives them.
    phones : mapping of str to sequence of str
        Gold phones of the same files, one per `step_phones`, as `discophon.data.read_gold_annotations` gives them.
    kind : {"many-to-one", "one-to-one"}
        Every unit stands for its most frequent phone, or units and phones form pairs.
    n_units : int
        Number of different units: each is at least 0 and less than that. For one-to-one it is `n_phonemes` + 1.
    n_phonemes : int, optional
        Number of phonemes, without silence. Either this or `language` must be given.
    step_units, step_phones : int, default 20 and 10
        Time per unit and per phone, in milliseconds; the first is a whole multiple of the second.
    language : str or Language, optional
        The language, which knows its number of phonemes.
    metrics : sequence of str, default ("pnmi", "per", "f1", "r_val")
        Scores to compute.
    windows : {"disjoint", "shared"}, default "disjoint"
        ``shared`` reproduces F1 and R-value as published before release 0.2.0, which come out higher.

    Returns
    -------
    dict of str to float
        ``pnmi``, ``per``, ``f1`` and ``r_val``: fractions, in that order.

    Raises
    ------
    MismatchError
        If the files of the two sides differ, there is none, a sequence is empty, the lengths of a file differ by more
        than one unit, or one-to-one has not `n_phonemes` + 1 units.
    OutOfRangeError
        If a unit is out of range, or there are more labels than `n_phonemes` + 1.
    UndefinedScoreError
        If there is no boundary to score.
    UsageError
        If an argument cannot be used.

    Examples
    --------
    >>> gold = {"f": ["a", "a", "a", "a", "b", "b", "b", "b"]}
    >>> phoneme_discovery({"f": [0, 0, 3, 3]}, gold, kind="many-to-one", n_units=4, n_phonemes=1)
    {'pnmi': 1.0, 'per': 0.0, 'f1': 1.0, 'r_val': 1.0}
    """
    return discover(
        units,
        phones,
        kind=kind,
        n_units=n_units,
        n_phonemes=n_phonemes,
        step_units=step_units,
        step_phones=step_phones,
        language=language,
        metrics=metrics,
        windows=windows,
    ).scores()


def discover(
    units: Units,
    phones: Phones,
    *,
    kind: Kind,
    n_units: int,
    n_phonemes: int | None = None,
    step_units: int = 20,
    step_phones: int = 10,
    language: str | Language | None = None,
    metrics: Sequence[Metric] = METRICS,
    windows: Windows = "disjoint",
) -> DiscoveryResult:
    """Score units and keep what the scores were computed from.

    Parameters
    ----------
    units : mapping of str to sequence of int
        Units of every file.
    phones : mapping of str to sequence of str
        Gold phones of the same files.
    kind, n_units, n_phonemes, step_units, step_phones, language, metrics, windows
        As `phoneme_discovery` takes them.

    Returns
    -------
    DiscoveryResult
        The scores as properties; a score that is undefined raises when it is asked for, and only then.

    Raises
    ------
    MismatchError, OutOfRangeError, UsageError
        As `phoneme_discovery` does.
    """
    n_phonemes = number_of_phonemes(n_phonemes, language)
    check_choice("kind", kind, KINDS)
    paired = pair(units, phones, step_units=step_units, step_phones=step_phones)
    return discover_paired(paired, kind=kind, n_units=n_units, n_phonemes=n_phonemes, metrics=metrics, windows=windows)


def discover_paired(
    paired: Paired,
    *,
    kind: Kind,
    n_units: int,
    n_phonemes: int,
    metrics: Sequence[Metric] = METRICS,
    windows: Windows = "disjoint",
) -> DiscoveryResult:
    """Score units that are already beside their phones; several kinds and settings may share one `Paired`.

    Parameters
    ----------
    paired : Paired
        Units and gold phones, of `discophon.evaluate.pair`.
    kind, n_units, n_phonemes, metrics, windows
        As `phoneme_discovery` takes them.

    Returns
    -------
    DiscoveryResult
        The scores and their counts.

    Raises
    ------
    MismatchError, OutOfRangeError, UsageError
        As `phoneme_discovery` does.
    """
    wanted = check_metrics(metrics)
    settings = Settings(
        check_choice("kind", kind, KINDS),
        check_whole("n_units", n_units),
        check_whole("n_phonemes", n_phonemes),
        paired.step_units,
        paired.step_phones,
        check_choice("windows", windows, WINDOWS),
        wanted,
    )
    check_not_empty(paired.units.starts, paired.phones.files, "units")
    check_not_empty(paired.phones.starts, paired.phones.files, "gold")
    cooccurrence = count_cooccurrences(
        paired, n_units=settings.n_units, n_phonemes=settings.n_phonemes, kind=settings.kind
    )
    rows = assign(cooccurrence, settings.kind)
    predicted, gold = _same_numbers(paired, cooccurrence.phones, rows)
    starts = (paired.units.starts, paired.phones.starts)
    files = paired.phones.files
    errors, lengths = (_NONE, _NONE)
    if "per" in wanted:
        errors, lengths = count_errors((predicted, starts[0]), (gold, starts[1]), files)
    hits, n_found, n_wanted = (_NONE, _NONE, _NONE)
    if "f1" in wanted or "r_val" in wanted:
        found = boundaries(predicted, starts[0], paired.step_units)
        real = boundaries(gold, starts[1], paired.step_phones)
        is_hit = count_hits(found, real, margin=MARGIN, windows=settings.windows)
        hits = np.bincount(real[0][is_hit], minlength=len(files))
        n_found = np.bincount(found[0], minlength=len(files))
        n_wanted = np.bincount(real[0], minlength=len(files))
    return DiscoveryResult(settings, cooccurrence, rows, files, errors, lengths, hits, n_found, n_wanted)


def check_metrics(metrics: Sequence[str]) -> tuple[Metric, ...]:
    """Refuse unknown names of scores.

    Parameters
    ----------
    metrics : sequence of str
        The names.

    Returns
    -------
    tuple of str
        The same, in the order in which scores are given.

    Raises
    ------
    UsageError
        If there is no name, or one is unknown.
    """
    names = check_several("metrics", metrics)
    unknown = [name for name in names if name not in METRICS]
    if unknown or not names:
        what = f"unknown metric {unknown[0]!r}" if unknown else "no metric is asked for"
        raise UsageError(f"{what}; there are {', '.join(METRICS)}")
    return tuple(name for name in METRICS if name in names)


def _same_numbers(paired: Paired, phones: tuple[str, ...], rows: IntArray) -> tuple[IntArray, IntArray]:
    """Give the labels of both sides as rows of the counts, and labels that have no row as further numbers."""
    number = {phone: row for row, phone in enumerate(phones)}
    of_label = [number.setdefault(label, len(number)) for label in paired.phones.labels]  # new: only in what was cut
    return rows[paired.units.values], np.array(of_label, np.int64)[paired.phones.codes]
