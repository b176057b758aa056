"""Words per minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pathbench import WpmEvaluator
from pathbench_golden import close, golden, recording, tone, write

if TYPE_CHECKING:
    from pathlib import Path

SIGNAL, TEXTS = golden("signal"), golden("texts")


@pytest.mark.parametrize("name", SIGNAL["whole_file"])
def test_golden_whole_files(name: str) -> None:
    words = TEXTS.get(name, {"text": "a"})["text"]
    assert close(WpmEvaluator().score("u", recording(name), words, "xx"), SIGNAL["whole_file"][name]["wpm"], rel=1e-12)


@pytest.mark.parametrize("name", SIGNAL["segment"])
def test_golden_parts(name: str) -> None:
    want = SIGNAL["segment"][name]
    found = WpmEvaluator().score("u", recording(name), TEXTS[name]["text"], "xx", want["start"], want["end"])
    assert close(found, want["wpm"], rel=1e-12)


def test_worked_example(tmp_path: Path) -> None:
    path = write(tmp_path / "word.wav", tone(0.21))
    assert WpmEvaluator().score("u", path, "blue", "en") == pytest.approx(285.714, abs=5e-4)


def test_half_a_second_of_stereo_at_44_khz(tmp_path: Path) -> None:
    left = tone(0.5, rate=44100)
    path = write(tmp_path / "stereo.wav", [[x, 0.0] for x in left.tolist()], 44100)  # type: ignore[arg-type]
    assert WpmEvaluator().score("u", path, "one two three", "en") == pytest.approx(360.0, abs=1e-9)


def test_no_words_and_no_samples() -> None:
    zero, none = WpmEvaluator(), WpmEvaluator(undefined="none")
    for words, name, reason in ((" ", "en_8k", "empty_reference"), ("a", "empty", "empty_audio")):
        assert zero.score_detail("u", recording(name), words, "en")[:2] == (0.0, reason)
        assert none.score_detail("u", recording(name), words, "en")[:2] == (None, reason)
    assert zero.score_detail("u", "lost.wav", "a", "en")[:2] == (None, "load_error")
