"""Exact matches, real-time factor, keywords."""

from __future__ import annotations

import pytest

from measure_core.builtin import RTF, ExactMatch, KeywordAccuracy
from measure_core.errors import ConfigError, MetricError
from measure_counts_support import OUT, data


def test_exact_match() -> None:
    pairs = data(("Yes.", "yes"), ("no", "not"), ("", ""))
    assert ExactMatch()(pairs, "test", OUT) == {"exact_match": 1 / 3}
    loose = ExactMatch(normalise=["lower", "punctuation"], per_utterance=True)
    result = loose(pairs, "test", OUT)
    assert result == {"exact_match": 2 / 3, "_per_utterance": {"exact_match": [1.0, 0.0, 1.0]}}
    assert loose.signature == "measure-core|v:1.0.0|metric:exactmatch|norm:lower+punct"


def test_exact_match_of_nothing() -> None:
    with pytest.raises(MetricError, match="no utterance: there is no exact_match"):
        ExactMatch()(data(), "test", OUT)


def test_real_time_factor_is_of_sums() -> None:
    seconds = {"utt_id": ["u1", "u2"], "time": ["1.5", "5e-1"], "duration": ["6", " 2 "]}
    assert RTF()(seconds, "test", OUT) == {"rtf": 0.25, "processing_seconds": 2.0, "audio_seconds": 8.0}
    assert RTF().input_keys == ("time", "duration")
    assert RTF().signature == "measure-core|v:1.0.0|metric:rtf"


def test_no_audio() -> None:
    silent = {"utt_id": ["u1", "u2"], "time": ["1", "1"], "duration": ["0", "4"]}
    metric = RTF(per_utterance=True)
    result = metric(silent, "test", OUT)
    assert result["_per_utterance"] == {
        "processing_seconds": [1.0, 1.0],
        "audio_seconds": [0.0, 4.0],
        "rtf": [None, 0.25],
    }
    assert metric.warnings(metric.count(silent), ["u1", "u2"]) == [
        "1 utterance has no audio, so its rtf is undefined: u1"
    ]
    with pytest.raises(MetricError, match=r"no utterance has audio \(of 1\): there is no rtf"):
        RTF()({"time": ["1"], "duration": ["0"]}, "test", OUT)


@pytest.mark.parametrize("value", ["", "fast", "-1", "nan", "inf", "1_0", "1,5", "1:30", "٣", "1e999", "0x1"])
def test_what_is_no_seconds(value: str) -> None:
    with pytest.raises(MetricError, match=f"utterance u2: input 'time' is {value!r}; it must be a number of seconds"):
        RTF()({"utt_id": ["u1", "u2"], "time": ["1", value], "duration": ["1", "1"]}, "test", OUT)


def keywords(*rows: tuple[str, str, str]) -> dict[str, list[str]]:
    return {"utt_id": [f"u{k}" for k in range(len(rows))]} | {
        name: [row[k] for row in rows] for k, name in enumerate(("ref", "hyp", "keywords"))
    }


def test_keywords() -> None:
    """By hand: u0 has ann once in both, ten once in ref only; u1 has bob twice in ref, three times in hyp."""
    rows = keywords(("call ann at ten", "call ann at two", "ann ten ann"), ("bob bob", "bob bob bob", "bob zoe"))
    assert KeywordAccuracy()(rows, "test", OUT) == {
        "recall": 3 / 4,
        "precision": 3 / 4,
        "f1": 3 / 4,
        "hits": 3,
        "reference_keywords": 4,
        "hypothesis_keywords": 4,
    }


def test_keywords_are_normalised_too() -> None:
    rows = keywords(("Call Ann!", "call ann", "ANN"))
    with pytest.raises(MetricError, match=r"no utterance has keywords in the reference \(of 1\): there is no recall"):
        KeywordAccuracy()(rows, "test", OUT)
    assert KeywordAccuracy(normalise=["lower", "punctuation"])(rows, "test", OUT)["f1"] == 1


def test_no_keyword_found() -> None:
    result = KeywordAccuracy(per_utterance=True)(keywords(("a", "b", "a"), ("c", "c", "")), "test", OUT)
    assert (result["recall"], result["precision"], result["f1"]) == (0.0, None, 0.0)
    rows = result["_per_utterance"]
    assert isinstance(rows, dict)
    assert rows["recall"] == [0.0, None]


def test_keywords_input() -> None:
    metric = KeywordAccuracy(keywords_key="prompt")
    assert metric.input_keys == ("ref", "hyp", "prompt")
    with pytest.raises(MetricError, match="no input 'prompt'"):
        metric(data(("a", "a")), "test", OUT)
    with pytest.raises(ConfigError, match="keywords_key is ''"):
        KeywordAccuracy(keywords_key="")


@pytest.mark.parametrize(("value", "fix"), [("1,5", "use a decimal point"), ("1:30", "give seconds"), ("-1", "")])
def test_seconds_that_are_nearly_right_are_told_how(value: str, fix: str) -> None:
    with pytest.raises(MetricError) as caught:
        RTF()({"utt_id": ["u1"], "time": [value], "duration": ["1"]}, "test", OUT)
    assert [one[: len(fix)] for one in caught.value.fixes] == ([fix] if fix else [])
