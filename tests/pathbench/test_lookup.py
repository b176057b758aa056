"""Scores that stand in a table."""

from __future__ import annotations

import math

import pytest

from pathbench import Spk2AgeEvaluator, Spk2ScoreEvaluator, Utt2ScoreEvaluator


def test_by_utterance() -> None:
    ratings = Utt2ScoreEvaluator({"u1": 3.5, "u2": float("nan")})
    assert ratings.score("u1") == 3.5
    assert math.isnan(ratings.score("u2"))
    assert ratings.score("u3") is None
    assert ratings.score_detail("u3")[:2] == (None, "no_entry")


@pytest.mark.parametrize("evaluator", [Spk2ScoreEvaluator, Spk2AgeEvaluator])
def test_by_speaker(evaluator: type[Spk2ScoreEvaluator | Spk2AgeEvaluator]) -> None:
    values = evaluator({"a": 61.0, "n": float("nan")}, {"u1": "a", "u2": "b", "u3": "n"})
    assert values.score("u1") == 61.0
    assert math.isnan(values.score("u3"))
    assert values.score_detail("u3").reason is None
    assert values.score_detail("u2").extras["message"] == "the speaker b has no value"
    assert values.score_detail("u9").extras["message"] == "the utterance u9 has no speaker"
    assert values.score("u9") is values.score("u2") is None
