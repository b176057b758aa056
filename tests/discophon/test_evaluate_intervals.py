"""Bootstrap intervals over files."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import discophon_twin as twin
from discophon.data import read_gold_annotations, read_submitted_units
from discophon.errors import UndefinedScoreError, UsageError
from discophon.evaluate import DiscoveryResult, discover
from discophon_support import DATA

if TYPE_CHECKING:
    from discophon.evaluate.result import Metric


@pytest.fixture(scope="module")
def result() -> DiscoveryResult:
    units = read_submitted_units(DATA / "units" / "k256-20ms" / "units-wol-dev.jsonl")
    gold = read_gold_annotations(DATA / "alignment" / "alignment-wol-dev.txt")
    return discover(units, gold, kind="many-to-one", n_units=256, language="wol")


@pytest.mark.parametrize("metric", ["per", "f1", "r_val"])
def test_the_score_lies_within_and_draws_repeat(result: DiscoveryResult, metric: Any) -> None:
    low, high = result.interval(metric)
    assert low < getattr(result, metric) < high
    assert result.interval(metric) == (low, high)
    assert result.interval(metric, seed=1) != (low, high)
    narrow = result.interval(metric, level=0.5)
    assert low < narrow.low < narrow.high < high


def test_a_plain_loop_gives_about_the_same(result: DiscoveryResult) -> None:
    """Other draws, so only about: the ends of 4000 draws vary by less than a tenth of the width."""
    dice = random.Random(3)
    n_files = len(result.files)
    scores: dict[Metric, list[float]] = {"per": [], "f1": [], "r_val": []}
    for _ in range(4000):
        chosen = [dice.randrange(n_files) for _ in range(n_files)]
        hits, found, wanted, errors, lengths = (
            sum(int(column[file]) for file in chosen)
            for column in (result.hits, result.n_found, result.n_wanted, result.errors, result.lengths)
        )
        f1, r_val = twin.f1_and_r(hits, found - hits, wanted - hits)
        scores["per"].append(errors / lengths)
        scores["f1"].append(f1)
        scores["r_val"].append(r_val)
    for name, values in scores.items():
        low, high = result.interval(name, samples=4000)
        assert (low, high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=0.1 * (high - low))


def test_one_file_has_no_spread() -> None:
    alone = discover({"f": [0, 1]}, {"f": [*"aabb"]}, kind="many-to-one", n_units=2, n_phonemes=1)
    assert alone.interval("per") == (0.0, 0.0)
    assert alone.interval("r_val") == (1.0, 1.0)


def test_refused(result: DiscoveryResult) -> None:
    for options, message in (
        ({"metric": "pnmi"}, "unknown metric 'pnmi'; there are per, f1, r_val"),
        ({"metric": "per", "level": 1.0}, r"level is 1\.0"),
        ({"metric": "per", "level": float("nan")}, "level is nan"),
        ({"metric": "per", "samples": 0}, "samples is 0"),
        ({"metric": "per", "seed": -1}, "seed is -1"),
    ):
        with pytest.raises(UsageError, match=message):
            result.interval(**options)
    nothing = discover({"f": [0, 0]}, {"f": [*"aaaa"]}, kind="many-to-one", n_units=2, n_phonemes=1)
    with pytest.raises(UndefinedScoreError, match="f1 is undefined in every draw"):
        nothing.interval("f1")


def test_a_score_that_was_not_asked_for() -> None:
    options: dict[str, Any] = {"kind": "many-to-one", "n_units": 2, "n_phonemes": 1}
    some = discover({"f": [0, 1]}, {"f": [*"aabb"]}, metrics=["pnmi", "f1"], **options)
    assert (some.f1, some.r_val) == (1.0, 1.0)  # the same counts
    with pytest.raises(UsageError, match="per was not computed; it is not among the metrics pnmi, f1"):
        _ = some.per
    with pytest.raises(UsageError, match="per was not computed"):
        some.interval("per")
