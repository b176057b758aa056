"""The store of scores: what is kept, found again, replaced and refused."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from pathbench.errors import EvaluationError, InputError
from pathbench.reasons import Detail, fault
from pathbench.store import EvaluatorKey, ScoreKey, Store

if TYPE_CHECKING:
    from pathlib import Path

CPP = EvaluatorKey("pathbench.cpp:CPPEvaluator", "1.0.0", '{"normOpt": "line"}')
OTHER = CPP._replace(parameters='{"normOpt": "mean"}')
KEY = ScoreKey("u1", "abc", 0.0, -1.0, "")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "scores.sqlite"))


def values(store: Store, dataset: str = "d") -> list[tuple[str, str, float | None, str | None]]:
    return [(one.metric, one.unit, one.detail.value, one.detail.reason) for one in store.results(dataset)]


def test_what_is_kept_is_found_again(store: Store) -> None:
    assert store.missing("d", [("cpp", CPP, KEY)]) == ["cpp"]
    store.add("d", [("cpp", CPP, KEY, Detail(0.1, None, {}))])
    assert store.missing("d", [("cpp", CPP, KEY), ("other", CPP, KEY)]) == ["other"]
    assert values(store) == [("cpp", "u1", 0.1, None)]


@pytest.mark.parametrize(
    "change",
    [{"unit": "u2"}, {"audio": "abd"}, {"onset": 0.5}, {"offset": 1.0}, {"context": "x"}],
    ids=lambda change: next(iter(change)),
)
def test_every_part_of_the_key_counts(store: Store, change: dict[str, object]) -> None:
    store.add("d", [("cpp", CPP, KEY, Detail(0.1, None, {}))])
    other = KEY._replace(**change)  # type: ignore[arg-type]
    assert store.missing("d", [("cpp", CPP, other)]) == ["cpp"]
    assert store.missing("e", [("cpp", CPP, KEY)]) == ["cpp"]
    for part in ({"name": "x"}, {"version": "2"}, {"parameters": "{}"}):
        assert store.missing("d", [("cpp", CPP._replace(**part), KEY)]) == ["cpp"]


def test_the_current_score_is_that_of_what_was_asked_for_last(store: Store) -> None:
    store.add("d", [("cpp", CPP, KEY, Detail(1.0, None, {}))])
    store.add("d", [("cpp", OTHER, KEY, Detail(2.0, None, {}))])
    assert values(store) == [("cpp", "u1", 2.0, None)]
    assert store.missing("d", [("cpp", CPP, KEY)]) == []  # nothing to compute, and the first is current again
    assert values(store) == [("cpp", "u1", 1.0, None)]
    assert [row[-1] for row in store.content()] == [1, 0]


def test_adding_twice_changes_nothing(store: Store) -> None:
    rows = [("cpp", CPP, KEY, Detail(1.0, None, {})), ("b", CPP, KEY, fault("silent", duration=1.5))]
    store.add("d", rows)
    before = store.content()
    store.add("d", rows)
    assert store.content() == before


def test_none_nan_and_reasons_come_back(store: Store) -> None:
    store.add(
        "d",
        [("a", CPP, KEY, fault("load_error", "no such file", path="é")), ("b", CPP, KEY, Detail(math.nan, None, {}))],
    )
    first, second = store.results("d")
    assert first.detail == Detail(None, "load_error", {"message": "no such file", "path": "é"})
    assert second.detail.value is not None
    assert math.isnan(second.detail.value)
    assert second.detail.reason is None


def test_only_the_metrics_asked_for_are_given(store: Store) -> None:
    store.add("d", [(name, CPP, KEY, Detail(1.0, None, {})) for name in "cab"])
    assert [one.metric for one in store.results("d", ["c", "a"])] == ["a", "c"]
    assert list(store.results("nobody")) == []


def test_a_unit_is_kept_whole_or_not_at_all(store: Store) -> None:
    class Bad:
        def __float__(self) -> float:
            raise RuntimeError("stop")

    rows = [("a", CPP, KEY, Detail(1.0, None, {})), ("b", CPP, KEY, Detail(Bad(), None, {}))]  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="stop"):
        store.add("d", rows)
    assert values(store) == []


def test_what_another_process_keeps_is_seen(store: Store) -> None:
    with Store(store.path) as other:
        other.add("d", [("cpp", CPP, KEY, Detail(1.0, None, {}))])
    assert store.missing("d", [("cpp", CPP, KEY)]) == []


def test_reading_changes_nothing(store: Store, tmp_path: Path) -> None:
    store.add("d", [("cpp", CPP, KEY, Detail(1.0, None, {}))])
    store.close()
    with Store(store.path, read_only=True) as other:
        assert values(other) == [("cpp", "u1", 1.0, None)]
        with pytest.raises(EvaluationError, match="cannot be used: attempt to write a readonly database"):
            other.add("d", [("b", CPP, KEY, Detail(1.0, None, {}))])
    with pytest.raises(InputError, match="no such file"):
        Store(str(tmp_path / "none.sqlite"), read_only=True)


def test_strangers_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("not a database at all, whatever its name says " * 50, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used as a store of scores: file is not a database"):
        Store(str(text))
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (a)")
    database.close()
    with pytest.raises(InputError, match="it holds something else"):
        Store(str(other))
    with pytest.raises(InputError, match="cannot be used"):
        Store(str(tmp_path))


def test_each_opening_has_its_own_results(store: Store) -> None:
    store.add("d", [("cpp", CPP, KEY, Detail(1.0, None, {}))])
    with Store(store.path) as other:
        other.add("d", [("cpp", OTHER, KEY, Detail(2.0, None, {}))])
        assert other.missing("d", [("wpm", CPP, KEY)]) == ["wpm"]
        assert [one.detail.value for one in other.results("d", own=True)] == [2.0]
    assert [one.detail.value for one in store.results("d", own=True)] == [1.0]
    assert [one.detail.value for one in store.results("d")] == [2.0]
    with Store(store.path) as third:
        assert list(third.results("d", own=True)) == []
        assert third.missing("d", [("cpp", CPP, KEY)]) == []
        assert [one.detail.value for one in third.results("d", own=True)] == [1.0]


def test_what_failed_is_tried_again(store: Store) -> None:
    store.add(
        "d",
        [
            ("a", CPP, KEY, fault("evaluator_error")),
            ("b", CPP, KEY, fault("load_error")),
            ("c", CPP, KEY, fault("too_short")),
        ],
    )
    wanted = [(name, CPP, KEY) for name in "abc"]
    assert store.missing("d", wanted) == ["a"]
    assert store.missing("d", wanted, ["b", "c"]) == ["a", "b"]


def test_names_that_are_no_unicode(store: Store, tmp_path: Path) -> None:
    name = "\udcff"
    store.add(name, [("cpp", CPP._replace(parameters=name), KEY._replace(audio=name), fault("load_error", name))])
    assert store.missing(name, [("cpp", CPP._replace(parameters=name), KEY._replace(audio=name))]) == []
    assert [one.detail.extras["message"] for one in store.results(name)] == [name]
    store.remember([(f"{tmp_path}/{name}", 1, 1, "abc")])
    assert store.hash_of(f"{tmp_path}/{name}") is None


OPEN = """
import sys
from pathbench.store import Store
sys.stdin.readline()
with Store(sys.argv[1]) as store:
    print(len(store.content()))
"""


def test_several_may_begin_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    time.sleep(1.0)
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go\n")
        run.stdin.flush()
    said = [run.communicate(timeout=90) for run in runs]
    assert said == [("0\n", "")] * 8


def test_the_remedy_fits_the_fault(store: Store) -> None:
    store.add("d", [("cpp", CPP, KEY, Detail(1.0, None, {}))])
    with (
        Store(store.path, read_only=True) as other,
        pytest.raises(EvaluationError, match="fix: make the file and its folder writable"),
    ):
        other.remember([("a", 1, 1, "x")])


def test_another_version_is_refused(store: Store) -> None:
    store.close()
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(InputError, match="another version of pathbench"):
        Store(store.path)


def test_hashes_are_remembered_until_a_file_changes(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(b"1")
    status = path.stat()
    assert store.hash_of(str(path)) is None
    store.remember([(str(path), status.st_size, status.st_mtime_ns, "abc")])
    assert store.hash_of(str(path)) == "abc"
    path.write_bytes(b"12")
    assert store.hash_of(str(path)) is None
    assert store.hash_of(str(tmp_path / "none.wav")) is None


def test_a_write_ahead_log_is_used(store: Store) -> None:
    with sqlite3.connect(store.path) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()
