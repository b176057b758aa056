"""Names of the tables of utterances."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from measure_core.config.document import load_document
from measure_core.config.options import Options
from measure_core.config.plan import plan
from measure_core.rows import rows_path

if TYPE_CHECKING:
    from measure_support import Stage


def names(stage: Stage, *keys: str, limit: int | None = None) -> list[str]:
    """Give the names of the files for metrics with these keys."""
    stage.pairs("a", ("x", "x"))
    metrics = [{"name": key, "metric": "wer"} for key in keys]
    planned = plan(load_document({"infer_dir": str(stage.infer), "metrics": metrics}), Options(limit=limit))
    paths = [rows_path(planned, entry.key, "a") for entry in planned.entries]
    assert {path.parent for path in paths} == {stage.infer / "a" / "measure"}
    return [path.name for path in paths]


def marked(shown: str, key: str) -> str:
    return f"{shown}-{hashlib.sha256(key.encode()).hexdigest()[:8]}.jsonl"


def test_a_key_that_can_be_a_name(stage: Stage) -> None:
    keys = ("pkg.mod.WER", "wer-2_x", "日本", "Größe", "हिन्दी")
    assert names(stage, *keys) == [f"{key}.jsonl" for key in keys]
    assert names(stage, "wer", limit=3) == ["wer.limit.jsonl"]


@pytest.mark.parametrize(
    ("key", "shown"),
    [("a b", "a_b"), ("a/b", "a_b"), (".x", "x"), ("../x", "_x"), ("a\n", "a_"), ("x.limit", "x.limit")],
)
def test_a_key_that_cannot(stage: Stage, key: str, shown: str) -> None:
    assert names(stage, key) == [marked(shown, key)]


@pytest.mark.parametrize(
    "keys", [("日 本", "中 国"), ("a b", "a_b"), ("wer", "WER"), ("é", "e\u0301"), ("x" * 300, "x" * 301), ("é" * 150,)]
)
def test_every_key_has_a_name_of_its_own(stage: Stage, keys: tuple[str, ...]) -> None:
    found = names(stage, *keys)
    assert len({name.casefold() for name in found}) == len(keys)
    assert all(len(name.encode()) <= 255 for name in found)


def test_keys_that_differ_in_case(stage: Stage) -> None:
    assert names(stage, "wer", "WER", "cer") == [marked("wer", "wer"), marked("WER", "WER"), "cer.jsonl"]
