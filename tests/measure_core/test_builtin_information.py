"""Match error rate, word information lost and preserved."""

from __future__ import annotations

import jiwer
import pytest
from hypothesis import given

from measure_core.builtin import MER, WIL, WIP
from measure_core.errors import MetricError
from measure_counts_support import OUT, PAIRS, data


def test_worked_example() -> None:
    pair = data(("a b c d", "a x c e f"))
    assert MER()(pair, "test", OUT) == {"mer": 0.6}
    assert WIP()(pair, "test", OUT) == {"wip": 0.2}
    assert WIL()(pair, "test", OUT) == {"wil": 0.8}


@given(PAIRS)
def test_they_are_those_of_jiwer(pairs: list[tuple[list[str], list[str]]]) -> None:
    texts = [(" ".join(ref), " ".join(hyp)) for ref, hyp in pairs]
    if not any(ref for ref, _ in texts):
        return
    said = jiwer.process_words([ref for ref, _ in texts], [hyp for _, hyp in texts])
    assert MER()(data(*texts), "test", OUT)["mer"] == pytest.approx(said.mer, rel=1e-14)
    assert WIP()(data(*texts), "test", OUT)["wip"] == pytest.approx(said.wip, rel=1e-14)
    assert WIL()(data(*texts), "test", OUT)["wil"] == pytest.approx(said.wil, rel=1e-14)


def test_empty_sides() -> None:
    nothing_said = data(("a b", ""))
    assert WIP()(nothing_said, "test", OUT) == {"wip": 0.0}
    assert MER()(nothing_said, "test", OUT) == {"mer": 1.0}
    for metric in (MER(), WIL(), WIP()):
        with pytest.raises(MetricError, match=r"no utterance has reference words \(of 1\)"):
            metric(data(("", "x")), "test", OUT)


def test_per_utterance() -> None:
    result = MER(per_utterance=True)(data(("a b", "a x y"), ("", "y")), "test", OUT)
    assert result["mer"] == 0.75
    rates = result["_per_utterance"]
    assert isinstance(rates, dict)
    assert rates["mer"] == [pytest.approx(2 / 3), None]
