"""The page on error rates tells the truth: its code gives what stands below it, its lists are those of the code."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from measure_core import builtin
from measure_core.normalise.parse import STEP_NAMES
from measure_core.normalise.steps import FILLERS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "wer.md"


def test_code_gives_what_is_shown() -> None:
    blocks = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "wer.md", str(PAGE), 0)
    assert len(test.examples) > 15
    results = doctest.DocTestRunner().run(test)
    assert (results.failed, results.attempted) == (0, len(test.examples))


def test_lists_are_complete() -> None:
    text = PAGE.read_text()
    for name in set(builtin.__all__) - {"CountedMetric", "Counts"}:
        assert f"`{name}`" in text
    for step in STEP_NAMES:
        assert re.search(rf"`{{?{step}\b", text), step
    assert " ".join(sorted(FILLERS["en"])) in text
