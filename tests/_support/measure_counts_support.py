"""Data and strategies that tests of counting and statistics share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

OUT = Path()
"""Root of the inference results, which built-in metrics do not look at."""

SIGNIFICANCE = Path(__file__).resolve().parents[1] / "measure_core" / "data" / "significance"
SETS = ("d1", "d2", "d3")

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", "e"]), max_size=9)
"""Few different words, so that alignments have ties."""

PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def expected(name: str) -> dict[str, Any]:
    """Give NIST's figures of a data set."""
    figures: dict[str, Any] = json.loads((SIGNIFICANCE / name / "expected.json").read_text())
    return figures


def scp(name: str, side: str) -> dict[str, str]:
    """Read a side of a data set, plainly."""
    lines = (SIGNIFICANCE / name / f"{side}.scp").read_text().splitlines()
    pairs = (line.partition(" ") for line in lines)
    return {key: value.strip() for key, _, value in pairs}


def significance(name: str, side: str) -> dict[str, list[str]]:
    """Give the data mapping of a metric for system ``a`` or ``b``."""
    ref, hyp = scp(name, "ref"), scp(name, side)
    ids = sorted(ref)
    return {"utt_id": ids, "ref": [ref[i] for i in ids], "hyp": [hyp[i] for i in ids]}


def data(*pairs: tuple[str, str]) -> dict[str, list[str]]:
    """Give the data mapping of pairs of reference and hypothesis."""
    ids = [f"u{k}" for k in range(1, len(pairs) + 1)]
    return {"utt_id": ids, "ref": [ref for ref, _ in pairs], "hyp": [hyp for _, hyp in pairs]}
