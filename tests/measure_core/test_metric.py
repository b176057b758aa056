"""The two base classes."""

from __future__ import annotations

import inspect
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core import AbsMetric, AbsMetrics, BaseMetric, Field
from measure_core.errors import InputError, MetricError
from measure_core.metric import CHUNK_SIZE, drive
from measure_scp import lines_of, write

if TYPE_CHECKING:
    from collections.abc import Sequence


class Words(BaseMetric):
    """Counts words and keeps lengths."""

    inputs = (Field("ref", "text"), Field("hyp", "text"))
    outputs = (Field("words", "number"), Field("longest", "number"))

    def __init__(self) -> None:
        super().__init__()
        self.add_state("words", 0, "sum")
        self.add_state("lengths", [], "cat")
        self.sizes: list[int] = []
        self.written: list[Path] = []

    words: int
    lengths: list[int]

    def update(self, *, ref: Sequence[str], hyp: Sequence[str]) -> None:  # type: ignore[override]
        self.sizes.append(len(ref))
        self.words += sum(len(text.split()) for text in (*ref, *hyp))
        self.lengths += map(len, ref)

    def compute(self) -> dict[str, Any]:
        return {"words": self.words, "longest": max(self.lengths, default=0)}

    def write_artifacts(self, test_dir: Path) -> None:
        self.written.append(test_dir)


class Small(Words):
    """The same in small chunks."""

    chunk_size: ClassVar[int] = 8


def test_list_metrics_are_abstract() -> None:
    assert AbsMetric is AbsMetrics
    assert AbsMetrics.__abstractmethods__ == {"__call__"}
    with pytest.raises(TypeError, match="abstract"):
        AbsMetrics()  # type: ignore[abstract]
    assert BaseMetric.__abstractmethods__ == {"update", "compute"}
    with pytest.raises(TypeError, match="abstract"):
        BaseMetric()  # type: ignore[abstract]


def test_a_class_without_update_stays_abstract() -> None:
    class Half(BaseMetric):
        def compute(self) -> dict[str, Any]:
            return {}

    with pytest.raises(TypeError, match="update"):
        Half()  # type: ignore[abstract]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    rng = random.Random(0)
    pairs = [(f"u{k:05d}", " ".join(["w"] * rng.randrange(6))) for k in range(2345)]
    ref = write(tmp_path / "ref.scp", lines_of(pairs))
    rng.shuffle(pairs)
    return {"ref": ref, "hyp": write(tmp_path / "hyp.scp", lines_of(pairs))}


@pytest.mark.parametrize(("cls", "size"), [(Words, CHUNK_SIZE), (Small, 8)])
def test_files_are_scored_in_chunks(files: dict[str, Path], cls: type[Words], size: int) -> None:
    metric = cls()
    metric.words = 99  # forgotten at the beginning
    result = metric(files, "t", "out")
    texts = [line.partition(" ")[2] for line in files["ref"].read_text().splitlines()]
    n_words = 2 * sum(len(text.split()) for text in texts)
    assert result == {"words": n_words, "longest": max(map(len, texts))}
    assert metric.sizes == [size] * (2345 // size) + [2345 % size]
    assert metric.written == [Path("out/t")]
    assert metric(files, "t") == result
    assert metric.written == [Path("out/t")]


def test_the_arguments_go_by_position() -> None:
    assert list(inspect.signature(AbsMetrics.__call__).parameters) == ["self", "data", "test_name", "output_dir"]
    assert list(inspect.signature(BaseMetric.__call__).parameters) == ["self", "data", "test_name", "output_dir"]


def test_iter_inputs(files: dict[str, Path]) -> None:
    metric = Words()
    rows = list(metric.iter_inputs(files, "hyp"))
    assert len(rows) == 2345
    assert all(list(row) == ["hyp"] for _, row in rows)
    both = list(metric.iter_inputs(files, "ref", "hyp"))
    assert both == list(metric.iter_inputs(files))
    assert [key for key, _ in both] == sorted(key for key, _ in rows)
    assert {key: row["hyp"] for key, row in both} == {key: row["hyp"] for key, row in rows}
    with pytest.raises(KeyError, match="absent"):
        metric.iter_inputs(files, "absent")
    write(files["hyp"], b"other x\n")
    with pytest.raises(InputError, match="utterance IDs differ"):
        list(metric.iter_inputs(files))


BATCHES = st.lists(st.lists(st.tuples(st.text("ab ", max_size=6), st.text("ab ", max_size=6)), max_size=4), max_size=5)


def updated(metric: Words, batches: list[list[tuple[str, str]]]) -> Words:
    for batch in batches:
        metric.update(ref=[ref for ref, _ in batch], hyp=[hyp for _, hyp in batch])
    return metric


@given(batches=BATCHES, at=st.integers(0, 5))
def test_states_of_parts_merge_to_the_whole(batches: list[list[tuple[str, str]]], at: int) -> None:
    whole = updated(Words(), batches)
    parts = [updated(Words(), some).state() for some in (batches[:at], batches[at:])]
    metric = Words()
    merged = metric.merge_states(parts)
    assert metric.state() == {"words": 0, "lengths": []}
    metric.load_state(merged)
    assert metric.state() == whole.state()
    assert metric.compute() == whole.compute()
    assert metric.merge_states([]) == {"words": 0, "lengths": []}
    metric.reset()
    assert metric.state() == {"words": 0, "lengths": []}


def test_states_share_nothing() -> None:
    default: list[int] = []
    metric = Words()
    metric.add_state("more", default, "cat")
    state = metric.state()
    state["lengths"].append(1)
    state["more"].append(1)
    default.append(1)
    assert metric.state() == {"words": 0, "lengths": [], "more": []}
    metric.load_state(state)
    state["lengths"].append(2)
    assert metric.lengths == [1]
    merged = metric.merge_states([metric.state()])
    merged["lengths"].append(3)
    assert metric.lengths == [1]
    metric.reset()
    metric.lengths.append(9)
    metric.reset()
    assert metric.lengths == []


@pytest.mark.parametrize("state", [{}, {"words": 1}, {"words": 1, "lengths": [], "more": 1}])
def test_states_with_other_names(state: dict[str, Any]) -> None:
    metric = Words()
    with pytest.raises(ValueError, match="this metric has"):
        metric.load_state(state)
    with pytest.raises(ValueError, match="this metric has"):
        metric.merge_states([metric.state(), state])
    assert metric.state() == {"words": 0, "lengths": []}


@pytest.mark.parametrize(
    ("name", "default", "reduce", "kind", "words"),
    [
        ("words", 0, "sum", ValueError, "taken"),
        ("compute", 0, "sum", ValueError, "taken"),
        ("sizes", 0, "sum", ValueError, "taken"),
        ("_defaults", 0, "sum", ValueError, "taken"),
        ("a b", 0, "sum", ValueError, "no identifier"),
        ("", 0, "sum", ValueError, "no identifier"),
        ("x", 0, "mean", ValueError, "'sum' or 'cat'"),
        ("x", [], "sum", TypeError, "'sum' goes with a number"),
        ("x", 0, "cat", TypeError, "'cat' goes with a list"),
        ("x", (), "cat", TypeError, "'cat' goes with a list"),
        ("x", True, "sum", TypeError, "'sum' goes with a number"),
        ("x", "0", "sum", TypeError, "'sum' goes with a number"),
        ("x", None, "sum", TypeError, "'sum' goes with a number"),
        ("x", None, "cat", TypeError, "'cat' goes with a list"),
    ],
)
def test_a_state_that_makes_no_sense(name: str, default: Any, reduce: Any, kind: type[Exception], words: str) -> None:
    metric = Words()
    with pytest.raises(kind, match=words):
        metric.add_state(name, default, reduce)
    assert metric.state() == {"words": 0, "lengths": []}


def test_states_may_be_added_before_the_base_is_initialised() -> None:
    class Early(Words):
        def __init__(self) -> None:
            self.add_state("early", 0.5, "sum")
            super().__init__()

    class Never(BaseMetric):
        def __init__(self) -> None:
            pass

        def update(self, **values: Any) -> None:
            pass

        def compute(self) -> dict[str, Any]:
            return {}

    assert Early().state() == {"early": 0.5, "words": 0, "lengths": []}
    assert Never().state() == {}
    Never().reset()


@pytest.mark.parametrize("cls", [Words, Small])
def test_a_batch_of_different_lengths_is_refused(cls: type[Words]) -> None:
    metric = cls()
    with pytest.raises(MetricError, match="different lengths: ref 2, hyp 1"):
        metric.update(ref=["a", "b"], hyp=["a"])
    assert metric.sizes == []
    metric.update(ref=["a", "b"], hyp=["a", "c"])
    assert metric.words == 4
    assert cls.update.__name__ == "update"


class Foreign:
    """Has update and compute and nothing else."""

    def __init__(self) -> None:
        self.n = 0

    def update(self, *, ref: Sequence[str]) -> None:
        self.n += len(ref)

    def compute(self) -> dict[str, int]:
        return {"n": self.n}


def test_a_foreign_class_is_driven(files: dict[str, Path]) -> None:
    metric = Foreign()
    assert drive(metric, {"ref": files["ref"]}, "t", "out") == {"n": 2345}
    metric.chunk_size = -3  # type: ignore[attr-defined]
    assert drive(metric, {"ref": files["ref"]}, "t", None) == {"n": 2 * 2345}  # there is no reset to call
