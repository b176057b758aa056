"""Evaluators by name."""

# ruff: noqa: ARG002 (the calls are given)

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

import pytest

import pathbench
from pathbench import ReferenceFreeEvaluator, UsageError, registry
from pathbench.base import AnyEvaluator

if TYPE_CHECKING:
    from pathlib import Path

    from pathbench import Dataset


class Mine(ReferenceFreeEvaluator):
    """One of somebody else."""

    name = "mine"

    def _score_audio(self, audio: Any, fs: int) -> float | None:
        return 1.0


class Demanding(ReferenceFreeEvaluator):
    """Wants what nobody has."""

    def __init__(self, model: str, undefined: Any = "zero") -> None:
        self._choose(undefined, None)


def offer(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    points = [EntryPoint(name.partition("__")[0], target, registry.GROUP) for name, target in targets.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == registry.GROUP else [])


@pytest.mark.parametrize("name", registry.OWN)
def test_own_names(name: str, tmp_path: Path) -> None:
    (tmp_path / "spk2score").write_text("s 1\n")
    entry = registry.find(name)
    cls = registry.load(entry)
    assert entry.distribution == "pathbench"
    assert getattr(pathbench, cls.__name__) is cls
    made = registry.create(name, pathbench.Dataset(tmp_path), undefined="none", compat="upstream")
    assert isinstance(made, AnyEvaluator)
    assert f"|metric:{name}|" in made.signature()
    if entry.level != "lookup":
        assert (made.undefined, made.compat) == ("none", "upstream")
        assert isinstance(registry.create(name), cls)


def test_defaults_are_own_names() -> None:
    assert set(registry.DEFAULT) <= set(registry.OWN)
    assert len(set(registry.DEFAULT)) == len(registry.DEFAULT)


def test_lookups_get_the_tables_of_the_data_set(tmp_path: Path) -> None:
    (tmp_path / "spk2score").write_text("s 1.5\n")
    (tmp_path / "utt2score").write_text("u 2.5\n")
    (tmp_path / "spk2age").write_text("s 61\n")
    (tmp_path / "utt2spk").write_text("u s\n")
    dataset: Dataset = pathbench.Dataset(tmp_path)
    found = [registry.create(name, dataset) for name in ("spk2score", "utt2score", "spk2age")]
    assert [evaluator.score("u") for evaluator in found] == [1.5, 2.5, 61.0]  # type: ignore[attr-defined]


def test_a_class_by_module() -> None:
    entry = registry.find(f"{__name__}:Mine")
    assert (entry.name, entry.level, entry.distribution) == ("Mine", None, "")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cppp", "there is no evaluator 'cppp'; did you mean cpp?"),
        ("zzz", "there is no evaluator 'zzz'; known are spk2score"),
        ("a b:c", "write module:Class"),
        (":x", "write module:Class"),
        ("pathbench.cpp:", "write module:Class"),
    ],
)
def test_unknown_names(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        registry.find(name)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("broken_module:X", "cannot be imported from broken_module:X: SyntaxError"),
        ("leaving_module:X", "cannot be imported from leaving_module:X: SystemExit: 3"),
        ("no_such_module:X", "cannot be imported"),
        (
            "pathbench.cpp:Nothing",
            "Nothing is not in pathbench.cpp, whose evaluators are CPPDoubleLogEvaluator, CPPEval",
        ),
        ("pathbench:Nope", "Nope is not in pathbench, whose evaluators are CPPDoubleLogEvaluator, CPPEvaluator, "),
        ("late_module:Nope", "Nope is not in late_module, whose evaluators are Mine; fix: "),
        ("os:Nothing", "Nothing is not in os, which has no evaluator; fix: "),
        ("evaluating_module:Missing.X", "Missing.X is not in evaluating_module, whose evaluators are Mine; fix: "),
        ("os:system", "is no evaluator"),
        ("pathbench.errors:UsageError", "is no evaluator"),
    ],
)
def test_only_evaluators_are_loaded(target: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_module.py").write_text("def f(:\n", encoding="utf-8")
    lines = "from pathbench.evaluator import ReferenceFreeEvaluator\nclass Mine(ReferenceFreeEvaluator): pass\n"
    (tmp_path / "evaluating_module.py").write_text(lines, encoding="utf-8")
    late = (
        f"{lines}Late = Mine\ndel Mine\ndef __dir__(): return ['Bad', 'Gone', 'Mine']\n"
        "def __getattr__(name):\n    if name == 'Mine': return Late\n"
        "    raise RuntimeError(name) if name == 'Bad' else AttributeError(name)\n"
    )
    (tmp_path / "late_module.py").write_text(late, encoding="utf-8")
    (tmp_path / "leaving_module.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=words):
        registry.load(registry.find(target))


def test_evaluators_of_other_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathbench.cpp.Mine", Mine, raising=False)
    offer(monkeypatch, mine="pathbench.cpp:Mine", cpp="evil:CPP")
    assert registry.find("cpp").target == "pathbench.cpp:CPPEvaluator"  # own names come first
    assert isinstance(registry.create("mine", undefined="none"), Mine)
    assert [entry.name for entry in registry.entries()][-2:] == ["cpp", "mine"]
    with pytest.raises(UsageError, match="did you mean mine"):
        registry.find("mime")


def test_two_owners_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, mine="a:X", mine__again="b:X")
    with pytest.raises(UsageError, match="'mine' is offered by"):
        registry.find("mine")
    [told] = registry.contested(registry.entries())
    assert told.startswith("the name mine is offered by  (a:X) and  (b:X): nobody can ask for it by that name; fix: ")
    offer(monkeypatch, mine="a:X", mine__again="a:X")
    assert registry.find("mine").target == "a:X"
    assert registry.contested(registry.entries()) == []


def test_arguments_that_nobody_can_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathbench.cpp.Demanding", Demanding, raising=False)
    words = r"wants model, which only a Python call can give; fix: .*Choices\(\[Demanding\(model=…\)\]\)"
    with pytest.raises(UsageError, match=words):
        registry.create("pathbench.cpp:Demanding")
    with pytest.raises(UsageError, match="wants spk2score, utt2spk"):
        registry.create("spk2score")


class Unmakeable(ReferenceFreeEvaluator):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no model file")


def test_constructors_that_fail() -> None:
    words = "Unmakeable cannot be made: ValueError: no model file; fix: "
    with pytest.raises(UsageError, match=words):
        registry.create(Unmakeable)
