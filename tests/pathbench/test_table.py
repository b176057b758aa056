"""The table across datasets and the published one."""

from __future__ import annotations

import math

import pytest

from pathbench.published import PUBLISHED_METRICS, average, column_of, read_table, rounded
from pathbench.table import build_table, in_summary_order, rank, sign_of


def test_the_published_averages_follow_from_the_published_cells() -> None:
    rows = read_table()
    assert [row.metric for row in rows] == list(PUBLISHED_METRICS)
    assert {len(row.cells) for row in rows} == {20, 21}
    for row in rows:
        assert average(row.cells) == row.avg, row.metric


@pytest.mark.parametrize(
    ("folder", "column"),
    [
        ("copas/pathological/word/all", "COPAS Word Full"),
        ("/x/datasets/uaspeech/pathological/word/balanced/", "UASpeech Word MC"),
        ("neurovoz/pathological/utterances/unbalanced", "NeuroVoz Sentence EX"),
        ("a/youtube", "YT Sentence Full"),
        ("copas/control/word/all", None),
        ("mine/pathological/word/all", None),
        ("pathological/word/all", None),
        ("", None),
    ],
)
def test_columns_of_folders(folder: str, column: str | None) -> None:
    assert column_of(folder) == column


def test_every_published_column_but_those_of_one_set_has_a_folder() -> None:
    names = {
        column_of(f"{dataset}/pathological/{task}/{condition}")
        for dataset in ("uaspeech", "neurovoz", "easycall", "copas", "torgo", "mdsc")
        for task in ("word", "utterances", "command")
        for condition in ("balanced", "unbalanced", "all")
    } | {column_of("youtube")}
    assert set(read_table()[0].cells) <= names


@pytest.mark.parametrize(
    ("value", "wanted"), [(0.125, 0.12), (0.375, 0.38), (0.115, 0.12), (1.005, 1.0), (-0.004, 0.0)]
)
def test_rounding_is_that_of_the_binary_value(value: float, wanted: float) -> None:
    assert rounded(value) == wanted
    assert math.copysign(1.0, rounded(value)) == 1.0 or wanted < 0


@pytest.mark.parametrize(
    ("metric", "values", "sign"),
    [
        ("cpp_fa", [-1.0, -1.0], 1),
        ("std_pitch", [-0.3], 1),
        ("vsa", [-0.3], 1),
        ("p_estoi_fa_all", [-0.3], 1),
        ("artp_old", [-0.3], 1),
        ("per", [0.5], -1),
        ("dper", [0.5], -1),
        ("double_asr", [0.5], -1),
        ("nad_fa_control", [0.5], -1),
        ("nad_all", [0.5], -1),
        ("praat_speech_rate_fa", [-0.1, -0.1, 0.5], -1),
        ("praat_speech_rate", [-0.1, 0.5], 1),
        ("wada_snr", [-0.1, 0.0], -1),
        ("spk2age", [math.nan, math.nan], 1),
        ("mine", [-0.5], 1),
    ],
)
def test_signs(metric: str, values: list[float], sign: int) -> None:
    assert sign_of(metric, values) == sign


def test_the_table_leaves_missing_cells_out_of_the_mean() -> None:
    rows = build_table({"a": {"wada_snr": -0.5, "mine": math.nan}, "b": {"wada_snr": -0.25, "cpp": 0.1}})
    assert [row.metric for row in rows] == ["cpp", "wada_snr", "mine"]
    assert rows[1].cells == {"a": 0.5, "b": 0.25}
    assert rows[1].avg == 0.38
    assert rows[0].cells == {"b": 0.1}
    assert math.isnan(rows[2].avg)


def test_the_order_of_the_summary() -> None:
    assert in_summary_order(["b", "vsa", "a", "per", "cpp"]) == ["cpp", "per", "vsa", "b", "a"]


def test_a_predictor_is_ranked_over_its_own_columns() -> None:
    rows = rank("mine", {"YT Sentence Full": 0.785, "TORGO Word MC": 0.5})
    names = [row.name for row in rows]
    by_name = {row.name: row for row in rows}
    assert by_name["NAD"].n == 1  # the published table has no such cell for it
    assert by_name["NAD"].avg == 0.52
    assert by_name["mine"].avg == average([0.785, 0.5])
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert names.index("mine") == sum(row.avg >= by_name["mine"].avg for row in rows if row.name != "mine")
    assert rank("mine", {"no such column": 0.5})[0].name == "mine"
