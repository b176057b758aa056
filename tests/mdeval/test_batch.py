"""The large engine: the same numbers as the small one, to the last bit."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.batch import score_batch
from mdeval.recording import Recording, record
from mdeval.sweep import score_recording
from mdeval.timeline import Regions, collared
from mdeval_columns import columns, zeros
from mdeval_strategies import PlainCase, plain_cases
from mdeval_support import facts

if TYPE_CHECKING:
    from collections.abc import Sequence

Region = tuple[float, float]


def batch_facts(cases: Sequence[PlainCase], collar: float) -> list[dict[str, object] | None]:
    """Score recordings as one batch; None for those that it gives back because of boundaries hardly apart."""
    names = (sorted({t[2] for c in cases for t in c.ref}), sorted({t[2] for c in cases for t in c.sys}))
    ref = columns([c.ref for c in cases], names[0])
    system = columns([c.sys for c in cases], names[1])
    evaluated = Regions.of([inferred(c) if c.uem is None else list(c.uem) for c in cases])
    scored = collared(evaluated, ref, zeros([c.ref for c in cases]), collar) if collar else None
    keys = [(f"f{i}", "1") for i in range(len(cases))]
    scores, doubtful = score_batch(keys, ref, system, names, evaluated, scored)
    return [None if (s.file_id, s.channel) in doubtful else facts(s) for s in scores]


def inferred(case: PlainCase) -> list[Region]:
    return [(min(b for b, _, _ in case.ref), max(b + d for b, d, _ in case.ref))]


def sweep_facts(cases: Sequence[PlainCase], collar: float) -> list[dict[str, object]]:
    scores = []
    for i, case in enumerate(cases):
        ref, sys_ = ([record(b, d, "SPEAKER", name) for b, d, name in some] for some in (case.ref, case.sys))
        scores.append(score_recording(Recording((f"f{i}", "1"), ref, sys_, case.uem), collar=collar))
    return [facts(score) for score in scores]


def is_plain(case: PlainCase) -> bool:
    """Tell what `large` sends to this engine: no instants, no touching regions."""
    instants = any(0 < (b + d) - b <= 2e-8 for b, d, _ in (*case.ref, *case.sys))
    touching = case.uem is not None and any(a[1] == b[0] for a, b in pairwise(case.uem))
    return not instants and not touching


@given(st.lists(plain_cases().filter(is_plain), min_size=1, max_size=4), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]))
def test_a_batch_scores_as_its_recordings_do_one_by_one(cases: list[PlainCase], collar: float) -> None:
    for batch, sweep in zip(batch_facts(cases, collar), sweep_facts(cases, collar), strict=True):
        assert batch is None or batch == sweep


@pytest.mark.parametrize("seed", range(6))
def test_many_speakers_at_once_score_the_same(seed: int) -> None:
    draw = random.Random(seed)
    cases = []
    for _ in range(5):
        sides = [
            tuple(
                (draw.randrange(0, 400) / 10, draw.randrange(1, 80) / 10, f"{side}{draw.randrange(12)}")
                for _ in range(150)
            )
            for side in "rs"
        ]
        cases.append(PlainCase(sides[0], sides[1], None, 0.0, False))
    collar = draw.choice([0.0, 0.05])
    for batch, sweep in zip(batch_facts(cases, collar), sweep_facts(cases, collar), strict=True):
        assert batch is None or batch == sweep


def test_the_system_may_be_silent() -> None:
    case = PlainCase(((0.0, 2.0, "A"), (1.0, 3.0, "B")), (), None, 0.0, False)
    assert batch_facts([case], 0.0) == sweep_facts([case], 0.0)
    assert batch_facts([case], 10.0) == sweep_facts([case], 10.0)
