"""Metrics on words with times and speakers: cpWER and WDER.

A word is ``(time, speaker, word)``: onset in seconds, the speaker's name, the text. Words are compared as they are:
case and punctuation count, and whoever wants them not to takes them away on both sides first (simpleder lower-cases and
strips punctuation by itself, meeteval does not). Words with the same time stay in the order they were given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.mapping import map_speakers
from mdeval.metrics.edits import align, edit_distance
from mdeval.metrics.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Cpwer", "Wder", "Word", "cpwer", "cpwer_columns", "wder", "wder_columns"]

Word = tuple[float, str, str]
"""Onset in seconds, speaker, word."""


@dataclass(frozen=True, slots=True)
class Cpwer(Sums):
    """Word errors under the best assignment of speakers.

    Parameters
    ----------
    errors : int
        Insertions, deletions and substitutions.
    n_ref_words, n_sys_words : int
        Words of either side.
    """

    errors: int
    n_ref_words: int
    n_sys_words: int

    @property
    def rate(self) -> float | None:
        """``errors / reference words``, >= 0 (it can exceed 1); None without reference words."""
        return self.errors / self.n_ref_words if self.n_ref_words else None


@dataclass(frozen=True, slots=True)
class Wder(Sums):
    """Words given to the wrong speaker.

    Parameters
    ----------
    n_wrong, n_aligned : int
        Aligned words whose speakers disagree, and all aligned words.
    """

    n_wrong: int
    n_aligned: int

    @property
    def rate(self) -> float | None:
        """``disagreeing / aligned``, in 0-1; None when no words are aligned."""
        return self.n_wrong / self.n_aligned if self.n_aligned else None


def cpwer(reference: Iterable[Word], system: Iterable[Word]) -> Cpwer:
    """Count the word errors of one recording under the best assignment of speakers.

    Parameters
    ----------
    reference, system : iterable of (float, str, str)
        Words of either side: onset, speaker, word.

    Returns
    -------
    Cpwer
        The counts.

    Notes
    -----
    Concatenated minimum-permutation word error rate: each speaker's words are put in the order of their times; every
    pair of speakers has its edit distance, on its own; speakers beyond the smaller number are paired with nobody, so
    that all their words are errors; the assignment with the least total counts. Source: S. Watanabe et al., "CHiME-6
    Challenge", 2020; T. von Neumann et al., meeteval, 2023.

    Examples
    --------
    >>> ref = [(0.0, "A", "hello"), (1.0, "B", "hi")]
    >>> cpwer(ref, [(0.0, "1", "hi"), (1.0, "2", "hello"), (2.0, "2", "again")]).rate
    0.5
    """
    refs, systems = _by_speaker(reference), _by_speaker(system)
    n_ref, n_sys = sum(map(len, refs.values())), sum(map(len, systems.values()))
    gains: dict[tuple[str, str], float] = {}  # errors saved by pairing two speakers instead of leaving both alone
    for ref, ref_words in refs.items():
        for sys, sys_words in systems.items():
            gains[ref, sys] = len(ref_words) + len(sys_words) - edit_distance(ref_words, sys_words)
    saved = sum(gains[pair] for pair in map_speakers(gains).items())
    return Cpwer(n_ref + n_sys - round(saved), n_ref, n_sys)


def _by_speaker(words: Iterable[Word]) -> dict[str, list[str]]:
    streams: dict[str, list[str]] = {}
    for _, speaker, word in sorted(words, key=_time):
        streams.setdefault(speaker, []).append(word)
    return streams


def _time(word: Word) -> float:
    return word[0]


def wder(reference: Iterable[Word], system: Iterable[Word]) -> Wder:
    """Count the words of one recording that were given to the wrong speaker.

    Parameters
    ----------
    reference, system : iterable of (float, str, str)
        Words of either side: onset, speaker, word.

    Returns
    -------
    Wder
        The counts.

    Notes
    -----
    Word diarization error rate: both sides' words in the order of their times are aligned with the least number of
    edits; the one-to-one map of speakers with most agreeing aligned words is taken. Which of several equally good
    alignments counts is not fixed by the definition; ours is simpleder's (`edits.align`). Source: L. El Shafey,
    H. Soltau and I. Shafran, "Joint speech recognition and speaker diarization via sequence transduction",
    Interspeech 2019.

    Examples
    --------
    >>> ref = [(0.0, "A", "hello"), (1.0, "A", "there"), (2.0, "B", "hi")]
    >>> wder(ref, [(0.0, "1", "hello"), (1.0, "1", "there"), (2.0, "1", "hi")]).n_wrong
    1
    """
    ref, sys = sorted(reference, key=_time), sorted(system, key=_time)
    pairs = align([word for _, _, word in ref], [word for _, _, word in sys])
    together: dict[tuple[str, str], float] = {}
    for i, j in pairs:
        speakers = (ref[i][1], sys[j][1])
        together[speakers] = together.get(speakers, 0.0) + 1
    agreeing = sum(together[pair] for pair in map_speakers(together).items())
    return Wder(len(pairs) - round(agreeing), len(pairs))


def cpwer_columns(sums: Cpwer) -> dict[str, float | int | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Cpwer
        Of one recording or several.

    Returns
    -------
    dict of str to float or int or None
        The rate as a fraction, then counts.
    """
    return {"cpwer": sums.rate, "cpwer_errors": sums.errors, "n_ref_words": sums.n_ref_words}


def wder_columns(sums: Wder) -> dict[str, float | int | None]:
    """Name the figures of a table.

    Parameters
    ----------
    sums : Wder
        Of one recording or several.

    Returns
    -------
    dict of str to float or int or None
        The rate as a fraction, then counts.
    """
    return {"wder": sums.rate, "wder_wrong_words": sums.n_wrong, "wder_aligned_words": sums.n_aligned}
