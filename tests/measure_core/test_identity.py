"""What a result depends on: every change of it is seen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from measure_core import InputError, measure
from measure_core.config.options import Options
from measure_core.runner import run

if TYPE_CHECKING:
    from pathlib import Path

    from measure_support import Stage

OWN = """
from measure_core import AbsMetrics


class Own(AbsMetrics):
    def __init__(self, inner=None):
        self.inner = inner

    def __call__(self, data, test_name, output_dir):
        return 1
"""


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b c d", "a x c d"), ("e f", "e f"))
    stage.pairs("b", ("a b", "a b"), ("c", "d"))
    return stage


def write(stage: Stage, name: str, text: str) -> None:
    path = stage.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def n_reused(stage: Stage, **options: Any) -> int:
    done = run(stage.config, options=Options(resume=True, **options))
    assert done.error is None
    return len(done.reused)


STEP = "class Inner:\n    def __call__(self, text):\n        return text\n"


@pytest.mark.parametrize(
    "metric",
    [
        "{_target_: wer, normalise: [inner.Inner]}",
        "{_target_: wer, normalise: [lower, {inner.Inner: {}}]}",
        "{_target_: own.Own, inner: {_target_: inner.Inner}}",
        "{_target_: own.Own, inner: [[{_target_: inner.Inner}]]}",
        "{_target_: own.Own, inner: {_target_: own.Own, inner: {_target_: inner.Inner}}}",
        "{_target_: own.Own, inner: inner.Inner}",
    ],
)
@pytest.mark.parametrize("edited", ["inner.py", "base.py"])
def test_the_source_of_every_class_that_the_configuration_names(ready: Stage, metric: str, edited: str) -> None:
    write(ready, "own.py", OWN.replace("import AbsMetrics\n", "import AbsMetrics\nimport inner\n"))
    write(ready, "inner.py", f"import base\n{STEP.replace('Inner', 'Inner(base.Base)')}")
    write(ready, "base.py", "class Base:\n    pass\n")
    ready.yaml(f"metrics: [{{metric: {metric}, inputs: {{ref: ref, hyp: hyp}}}}]")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]
    with open(ready.folder / edited, "a", encoding="utf-8") as stream:
        stream.write("# edited\n")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]


@pytest.mark.parametrize(
    ("imports", "edited"),
    [
        ("import helper", "helper.py"),
        ("from helper import LIMIT", "helper.py"),
        ("import parts.deep as deep", "parts/deep.py"),
        ("import parts.deep as deep", "parts/__init__.py"),
        ("from parts import deep", "parts/deep.py"),
        ("from parts import deep", "parts/__init__.py"),
        ("from parts import deep", "parts/beside.py"),
        ("def late():\n    import helper", "helper.py"),
    ],
)
def test_what_a_class_imports_from_beside_the_configuration(ready: Stage, imports: str, edited: str) -> None:
    write(ready, "own.py", f"{imports}\n{OWN}")
    write(ready, "helper.py", "LIMIT = 1\n")
    write(ready, "parts/__init__.py", "")
    write(ready, "parts/deep.py", "from . import beside\n")
    write(ready, "parts/beside.py", "import own\n")
    write(ready, "other.py", "")
    ready.yaml("metrics: [{metric: {_target_: own.Own}, inputs: [hyp]}]")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]
    with open(ready.folder / "other.py", "a", encoding="utf-8") as stream:
        stream.write("# nobody imports it\n")
    assert n_reused(ready) == 2
    with open(ready.folder / edited, "a", encoding="utf-8") as stream:
        stream.write("# edited\n")
    assert n_reused(ready) == 0


def test_text_that_only_looks_like_a_class_path(ready: Stage) -> None:
    texts = "[os.path, os.path.join.x, .., a..b, stage_metrics.make, measure_core.none, '', measure_core.builtin]"
    ready.yaml(f"metrics: [{{metric: {{_target_: stage_metrics.Count, inner: {texts}}}, inputs: [hyp]}}]")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]


def test_the_file_of_speakers(ready: Stage) -> None:
    write(ready, "utt2spk", "utt1 ann\nutt2 bob\n")
    path = ready.folder / "utt2spk"
    ready.yaml(f"metrics: [{{metric: wer}}]\nstatistics: {{bootstrap: 100, by: speaker, utt2spk: {path}}}")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]
    os.utime(path, (1, 1))
    assert n_reused(ready) == 2
    write(ready, "utt2spk", "utt1 ann\nutt2 ann\n")
    assert n_reused(ready) == 0
    path.unlink()
    with pytest.raises(InputError, match="utt2spk"):
        measure(ready.config)


def test_a_file_of_speakers_that_is_not_used(ready: Stage) -> None:
    statistics = "{bootstrap: 100, by: speaker, utt2spk: not/there}"
    ready.yaml(f"metrics: [{{metric: {{_target_: stage_metrics.Count}}, inputs: [hyp]}}]\nstatistics: {statistics}")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]


@pytest.mark.parametrize("first", ["", "not/there.rttm", "one.rttm"])
@pytest.mark.parametrize("n_between", [0, 500])
def test_files_that_some_values_name(ready: Stage, first: str, n_between: int) -> None:
    between = [f"utt3{k:04} there/is/none{k}" for k in range(n_between)]
    ready.scp("a", "rttm", f"utt1 {first}", "utt2", *between, "utt4 two.rttm")
    write(ready, "infer/a/two.rttm", "x")
    ready.yaml("metrics: [{metric: {_target_: stage_metrics.Count}, inputs: [rttm]}]")
    options = {"test_sets": ["a"]}
    assert [n_reused(ready, **options), n_reused(ready, **options)] == [0, 1]
    write(ready, "infer/a/two.rttm", "longer")
    assert n_reused(ready, **options) == 0


def test_files_in_the_folder_of_the_test_set_whose_list_is_below_it(ready: Stage) -> None:
    ready.scp("a", "1best/rttm", "utt1 one.rttm")
    write(ready, "infer/a/one.rttm", "x")
    ready.yaml("metrics: [{metric: {_target_: stage_metrics.Count}, inputs: {hyp: 1best/rttm}}]")
    assert [n_reused(ready, test_sets=["a"]), n_reused(ready, test_sets=["a"])] == [0, 1]
    write(ready, "infer/a/one.rttm", "longer")
    assert n_reused(ready, test_sets=["a"]) == 0


def test_many_texts_are_not_looked_for_as_files(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    from measure_core import identity

    asked = []
    original = identity._state

    def counted(path: Path) -> tuple[int, ...] | None:
        asked.append(path)
        return original(path)

    monkeypatch.setattr(identity, "_state", counted)
    ready.scp("a", "hyp", *(f"utt{k:05} text {k}" for k in range(20_000)))
    ready.yaml("metrics: [{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}]")
    assert n_reused(ready, test_sets=["a"]) == 0
    assert len(asked) < 4000


def test_files_that_arguments_name(ready: Stage) -> None:
    write(ready, "model", "x")
    path = ready.folder / "model"
    ready.yaml(f"metrics: [{{metric: {{_target_: stage_metrics.Count, inner: [{path}]}}, inputs: [hyp]}}]")
    assert [n_reused(ready), n_reused(ready)] == [0, 2]
    write(ready, "model", "longer")
    assert n_reused(ready) == 0


def test_the_interface(ready: Stage) -> None:
    text = "metrics: [{metric: {_target_: own.Own}, inputs: [hyp], interface: lists}]"
    write(ready, "own.py", OWN)
    ready.yaml(text)
    assert [n_reused(ready), n_reused(ready)] == [0, 2]
    ready.yaml(text.replace("lists", "paths"))
    assert n_reused(ready) == 0
