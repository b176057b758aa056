"""Clustering metrics: the worked example, corpora, special cases, frames counted one by one."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.errors import UsageError
from mdeval.metrics.clustering import (
    Aggregate,
    Clustering,
    Norm,
    bcubed_columns,
    clustering,
    gk_tau_columns,
    mi_columns,
    nmi_columns,
)
from mdeval_metrics import REFS, SYSTEMS, UEM, Turns, cells_of, close, entropy, example, frames, total

NORMS: tuple[Norm, ...] = ("min", "max", "mean", "sqrt")
TURN = [(0.0, 4.0, "A")]
TWO = [(0.0, 1.0, "A"), (1.0, 4.0, "B")]


def figures(sums: Clustering, aggregate: Aggregate = "block") -> dict[str, float | None]:
    return {
        key: value
        for columns in (bcubed_columns, mi_columns, nmi_columns, gk_tau_columns)
        for key, value in columns(sums, aggregate=aggregate).items()
    }


# diarization-metrics.md section 6: dscore, and the formulas evaluated apart from this package
EXAMPLE = {
    "bcubed_precision": 0.6614583,
    "bcubed_recall": 0.7734375,
    "bcubed_f1": 0.7130785,
    "mutual_information": 1.2959586,
    "entropy_ref_given_sys": 0.8534389,
    "entropy_sys_given_ref": 0.5153195,
    "nmi": 0.6568107,
    "nmi_min": 1.2959586 / 1.8112781,
    "nmi_max": 1.2959586 / 2.1493975,
    "nmi_mean": 2 * 1.2959586 / (2.1493975 + 1.8112781),
    "gk_tau_ref_to_sys": 0.6704545,
    "gk_tau_sys_to_ref": 0.5532646,
}
TWICE = EXAMPLE | {
    "mutual_information": 2.2959586,
    "nmi": 0.7716110,
    "nmi_min": 2.2959586 / 2.8112781,
    "nmi_max": 2.2959586 / 3.1493975,
    "nmi_mean": 2 * 2.2959586 / (3.1493975 + 2.8112781),
    "gk_tau_ref_to_sys": 0.7314815,
    "gk_tau_sys_to_ref": 0.6148148,
}


def test_the_running_example() -> None:
    found = clustering(example())
    assert found.table.ref_entropy == pytest.approx(2.1493975, abs=5e-8)
    assert found.table.sys_entropy == pytest.approx(1.8112781, abs=5e-8)
    assert figures(found) == pytest.approx(EXAMPLE, abs=6e-8, rel=0)
    assert figures(found, "mean") == pytest.approx(EXAMPLE, abs=6e-8, rel=0)


def test_two_copies_of_the_running_example() -> None:
    # section 6, "corpus value": dscore's table grows, so MI gains a bit; the mean of the recordings stays
    both = total([clustering(example()), clustering(example())])
    assert figures(both) == pytest.approx(TWICE, abs=6e-8, rel=0)
    assert figures(both, "mean") == pytest.approx(EXAMPLE, abs=6e-8, rel=0)


def test_the_mean_is_weighted_by_scored_time() -> None:
    some = clustering(example()), clustering(cells_of(TWO, [(0.0, 2.0, "x"), (2.0, 4.0, "y")]))
    both = total(some)
    for norm in NORMS:
        first, second = (one.nmi(norm) for one in some)
        assert first is not None
        assert second is not None
        assert both.nmi(norm, "mean") == pytest.approx((32 * first + 4 * second) / 36)


@pytest.mark.parametrize(
    ("ref", "system", "mi", "nmi", "tau_ref_to_sys", "tau_sys_to_ref"),
    [
        (TURN, TURN, 0.0, 1.0, 1.0, 1.0),  # one label on both sides
        (TURN, TWO, 0.0, 0.0, 0.0, 1.0),  # on one side
        (TWO, TURN, 0.0, 0.0, 1.0, 0.0),
        (TWO, [], 0.0, 0.0, 1.0, 0.0),  # all the system says is non-speech, which is a label
    ],
)
def test_single_labels(
    ref: Turns, system: Turns, mi: float, nmi: float, tau_ref_to_sys: float, tau_sys_to_ref: float
) -> None:
    found = clustering(cells_of(ref, system))
    assert found.mi() == mi
    assert [found.nmi(norm) for norm in NORMS] == [nmi] * 4
    assert (found.tau_ref_to_sys(), found.tau_sys_to_ref()) == pytest.approx((tau_ref_to_sys, tau_sys_to_ref))


def test_nothing_scored_has_no_values() -> None:
    empty = clustering(cells_of([], []))
    for aggregate in ("block", "mean"):
        assert set(figures(empty, aggregate).values()) == {None}
    assert figures(empty + clustering(example()), "mean") == figures(clustering(example()), "mean")


@pytest.mark.parametrize("call", [{"norm": "geometric"}, {"aggregate": "macro"}])
def test_choices_that_are_not_known(call: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="must be one of"):
        clustering(example()).nmi(**call)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="aggregate is 'macro'; it must be one of block, mean"):
        bcubed_columns(clustering(example()), aggregate="macro")  # type: ignore[arg-type]


def test_more_speakers_than_an_integer_has_bits() -> None:
    # dscore hashes sets as 2^index, which overflows with more than 62 speakers
    turns = [(0.0, 1.0 + i / 8, f"s{i}") for i in range(80)]
    found = clustering(cells_of(turns, turns))
    assert found.table.n_ref_labels == 80
    assert found.nmi() == pytest.approx(1.0)
    assert found.bcubed_f1() == pytest.approx(1.0)


@given(REFS, SYSTEMS)
def test_frames_give_the_same(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    pairs = frames(cells)
    refs, systems = [r for r, _ in pairs], [s for _, s in pairs]
    n = len(pairs)
    precision = sum(pairs.count(p) / systems.count(p[1]) for p in pairs) / n
    recall = sum(pairs.count(p) / refs.count(p[0]) for p in pairs) / n
    h_ref, h_sys, h_both = entropy(refs), entropy(systems), entropy(pairs)
    found = clustering(cells)
    assert found.bcubed_precision == pytest.approx(precision)
    assert found.bcubed_recall == pytest.approx(recall)
    assert found.mi() == pytest.approx(h_ref + h_sys - h_both, abs=1e-9)
    assert found.ref_entropy_given_sys == pytest.approx(h_both - h_sys, abs=1e-9)
    assert found.sys_entropy_given_ref == pytest.approx(h_both - h_ref, abs=1e-9)
    if h_ref > 0 and h_sys > 0:
        assert found.nmi() == pytest.approx((h_ref + h_sys - h_both) / sqrt(h_ref * h_sys), abs=1e-9)
        assert found.tau_ref_to_sys() == pytest.approx(slow_tau(refs, systems), abs=1e-9)
        assert found.tau_sys_to_ref() == pytest.approx(slow_tau(systems, refs), abs=1e-9)


def slow_tau(known: list[frozenset[str]], guessed: list[frozenset[str]]) -> float:
    """Guess one side's label in proportion to its shares, without and with the other side's label."""
    n = len(known)
    v = 1 - sum((guessed.count(b) / n) ** 2 for b in set(guessed))
    w = 0.0
    for a in set(known):
        here = [b for k, b in zip(known, guessed, strict=True) if k == a]
        w += len(here) / n * (1 - sum((here.count(b) / len(here)) ** 2 for b in set(here)))
    return (v - w) / v


@given(st.lists(st.tuples(REFS, SYSTEMS), min_size=2, max_size=3))
def test_a_corpus_is_one_table_of_blocks(sides: list[tuple[Turns, Turns]]) -> None:
    apart = total([clustering(cells_of(ref, system, UEM)) for ref, system in sides])
    refs, systems, uem = [], [], []
    for k, (ref, system) in enumerate(sides):
        shift = 40.0 * k  # a speaker of its own on both sides makes every label of this recording differ
        uem.append((shift, shift + 10.0))
        refs += [(a + shift, min(b, 10.0) + shift, f"{k}{s}") for a, b, s in ref if a < 10] + [
            (shift, shift + 10, f"{k}")
        ]
        systems += [(a + shift, min(b, 10.0) + shift, f"{k}{s}") for a, b, s in system if a < 10]
        systems += [(shift, shift + 10, f"{k}")]
    joined = clustering(cells_of(refs, systems, uem))
    assert close(apart.table, joined.table)
    assert figures(apart) == pytest.approx(figures(joined), abs=1e-9)
