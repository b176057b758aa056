"""Scores that stand in a table: of raters by utterance or speaker, and the age of speakers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pathbench.evaluator import LookupEvaluator
from pathbench.reasons import Detail, fault

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Spk2AgeEvaluator", "Spk2ScoreEvaluator", "Utt2ScoreEvaluator"]


class Utt2ScoreEvaluator(LookupEvaluator):
    """Give the rating of an utterance.

    Parameters
    ----------
    scores : mapping of str to float
        Rating of each utterance; NaN where it is missing.

    Examples
    --------
    >>> Utt2ScoreEvaluator({"u1": 3.5}).score("u1")
    3.5
    """

    name: ClassVar[str] = "utt2score"

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._scores = scores

    def score_detail(self, utterance_id: str) -> Detail:
        """Give the rating of an utterance, and why there is none."""
        return _found(self._scores, utterance_id, "utterance")


class _BySpeaker(LookupEvaluator):
    """Give a value of the speaker of an utterance."""

    def __init__(self, values: Mapping[str, float], utt2spk: Mapping[str, str]) -> None:
        self._values = values
        self._utt2spk = utt2spk

    def score_detail(self, utterance_id: str) -> Detail:
        """Give the value of the speaker of an utterance, and why there is none."""
        speaker = self._utt2spk.get(utterance_id)
        if speaker is None:
            return fault("no_entry", f"the utterance {utterance_id} has no speaker")
        return _found(self._values, speaker, "speaker")


class Spk2ScoreEvaluator(_BySpeaker):
    """Give the rating of the speaker of an utterance.

    Parameters
    ----------
    spk2score : mapping of str to float
        Rating of each speaker; NaN where it is missing.
    utt2spk : mapping of str to str
        Speaker of each utterance.
    """

    name: ClassVar[str] = "spk2score"

    def __init__(self, spk2score: Mapping[str, float], utt2spk: Mapping[str, str]) -> None:
        super().__init__(spk2score, utt2spk)


class Spk2AgeEvaluator(_BySpeaker):
    """Give the age of the speaker of an utterance, in years.

    Parameters
    ----------
    spk2age : mapping of str to float
        Age of each speaker; NaN where it is missing.
    utt2spk : mapping of str to str
        Speaker of each utterance.
    """

    name: ClassVar[str] = "spk2age"

    def __init__(self, spk2age: Mapping[str, float], utt2spk: Mapping[str, str]) -> None:
        super().__init__(spk2age, utt2spk)


def _found(table: Mapping[str, float], key: str, noun: str) -> Detail:
    if key not in table:
        return fault("no_entry", f"the {noun} {key} has no value")
    return Detail(table[key], None, {})
