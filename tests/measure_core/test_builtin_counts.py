"""The counting protocol: chunks add up, rows, pickling, class paths, for every built-in metric."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import measure_core.builtin as builtin
from measure_core.builtin import CER, MER, PER, RTF, WER, WIL, WIP, CountedMetric, Counts, ExactMatch, KeywordAccuracy
from measure_core.builtin import tokens as tokens_module
from measure_core.errors import MetricError
from measure_counts_support import OUT, significance

if TYPE_CHECKING:
    from collections.abc import Sequence

METRICS: list[CountedMetric] = [
    WER(),
    WER(alignment="sclite", normalise=["lower", "punctuation"]),
    CER(unit="grapheme", spaces="drop"),
    PER(drop=["ojo"]),
    MER(),
    WIL(),
    WIP(),
    ExactMatch(normalise=["casefold"]),
    RTF(),
    KeywordAccuracy(),
]
IDS = [metric.signature for metric in METRICS]


@pytest.fixture(scope="module")
def utterances() -> dict[str, Sequence[str]]:
    table: dict[str, Sequence[str]] = {**significance("d1", "b")}
    n = len(table["utt_id"])
    rng = np.random.default_rng(7)
    table["keywords"] = ["ojo uva rio"] * n
    table["time"] = [f"{seconds:.3f}" for seconds in rng.random(n)]
    table["duration"] = [f"{seconds:.3f}" for seconds in 3 * rng.random(n)]
    return table


def part(utterances: dict[str, Sequence[str]], start: int, end: int) -> dict[str, Sequence[str]]:
    return {name: column[start:end] for name, column in utterances.items()}


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_chunks_add_up(metric: CountedMetric, utterances: dict[str, Sequence[str]]) -> None:
    whole = metric.count(utterances)
    chunks = [metric.count(part(utterances, *ends)) for ends in ((0, 7), (7, 7), (7, 8), (8, 60))]
    joined = Counts.concatenate(chunks)
    assert len(joined) == len(whole) == 60
    assert metric.result(joined) == metric.result(whole)
    assert metric(utterances, "test", OUT) == metric.result(whole)
    assert metric.result(chunks[0] + joined) == metric.result(Counts.concatenate([chunks[0], *chunks]))


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_rates_are_of_sums(metric: CountedMetric, utterances: dict[str, Sequence[str]]) -> None:
    counts = metric.count(utterances)
    result = metric.result(counts)
    rates = metric.rates(metric.sums(counts).totals())
    assert tuple(rates) == metric.rate_keys
    assert {key: float(rate) for key, rate in rates.items()} == {key: result[key] for key in metric.rate_keys}
    doubled = {name: np.array([total, 2 * total]) for name, total in metric.sums(counts).totals().items()}
    for key, rate in metric.rates(doubled).items():
        assert rate.shape == (2,)
        assert rate[0] == pytest.approx(rate[1], rel=1e-14), key


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_rows_are_those_of_single_utterances(metric: CountedMetric, utterances: dict[str, Sequence[str]]) -> None:
    rows = list(metric.rows(metric.count(utterances), utterances["utt_id"]))
    assert [row["id"] for row in rows] == utterances["utt_id"]
    json.dumps(rows, allow_nan=False)
    for k in (0, 5, 59):
        alone = metric.count(part(utterances, k, k + 1))
        assert list(metric.rows(alone, [utterances["utt_id"][k]])) == [rows[k]]
        if rows[k][metric.rate_keys[0]] is not None:
            assert {key: metric.result(alone)[key] for key in metric.rate_keys} == {
                key: rows[k][key] for key in metric.rate_keys
            }


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_they_travel_to_other_processes(metric: CountedMetric, utterances: dict[str, Sequence[str]]) -> None:
    again = pickle.loads(pickle.dumps(metric))
    assert again.signature == metric.signature
    assert again.result(pickle.loads(pickle.dumps(again.count(utterances)))) == metric.result(metric.count(utterances))


@pytest.mark.parametrize("metric", METRICS, ids=IDS)
def test_they_offer_the_protocol(metric: CountedMetric) -> None:
    assert isinstance(metric, CountedMetric)
    assert metric.measure_interface == "lists"
    assert set(metric.input_keys) >= {metric.ref_key, metric.hyp_key}
    assert metric.signature.startswith(f"measure-core|v:1.0.0|metric:{metric.name}")
    assert type(metric).__name__.lower() == metric.name


def test_class_path_is_the_public_one() -> None:
    for name in ("CER", "MER", "PER", "RTF", "TER", "WER", "WIL", "WIP", "ExactMatch", "KeywordAccuracy"):
        cls = getattr(builtin, name)
        assert f"{cls.__module__}.{cls.__qualname__}" == f"measure_core.builtin.{name}"
    assert set(builtin.__all__) <= set(dir(builtin))
    with pytest.raises(AttributeError, match="has no attribute 'SER'"):
        builtin.SER  # noqa: B018


def test_blocks_do_not_matter(utterances: dict[str, Sequence[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = WER().count(utterances)
    for size in (1, 7, 60):
        monkeypatch.setattr(tokens_module, "_BLOCK", size)
        parts = WER().count(utterances)
        assert all((parts[name] == whole[name]).all() for name in whole.columns)


def test_only_metrics_over_tokens_align(utterances: dict[str, Sequence[str]]) -> None:
    metric = RTF()
    counts = metric.count(utterances)
    ids = utterances["utt_id"]
    assert list(metric.rows(counts, ids, utterances)) == list(metric.rows(counts, ids))


def test_columns_may_be_any_sequence() -> None:
    class Lazy:
        def __init__(self, *texts: str) -> None:
            self.texts = texts

        def __len__(self) -> int:
            return len(self.texts)

        def __getitem__(self, place: int) -> str:
            return self.texts[place]

    assert WER()({"ref": Lazy("a b"), "hyp": Lazy("a")}, "test", OUT)["wer"] == 0.5  # type: ignore[dict-item]


def test_counts_must_fit_together() -> None:
    one = Counts({"hits": np.array([1])})
    with pytest.raises(ValueError, match="counts of different metrics"):
        Counts.concatenate([one, Counts({"errors": np.array([1])})])
    with pytest.raises(ValueError, match="no counts to put together"):
        Counts.concatenate([])
    with pytest.raises(ValueError, match=r"lengths \[1, 2\]"):
        Counts({"hits": np.array([1]), "errors": np.array([1, 2])})
    assert Counts({"a": np.array([1, 2]), "b": np.array([0.5, 1])}).matrix().tolist() == [[1, 0.5], [2, 1]]


class Fussy:
    """A normaliser of a user that does not like everything."""

    def __call__(self, text: str) -> str:
        if "%" in text:
            raise KeyError(text)
        return text


@pytest.mark.parametrize("metric", [WER, ExactMatch, KeywordAccuracy])
def test_a_failing_normaliser_names_the_utterance(metric: type[WER]) -> None:
    table = {"utt_id": ["u1", "u2"], "ref": ["a", "5 %"], "hyp": ["b", "5"], "keywords": ["a", "5"]}
    with pytest.raises(MetricError, match=r"utterance u2: .*Fussy failed on '5 %': KeyError"):
        metric(normalise=[Fussy()])(table, "test", OUT)
