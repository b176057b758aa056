"""What an evaluator was made with."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathbench.errors import UsageError
from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.identity import attributes, shown, told


class Mine(ReferenceFreeEvaluator):
    """Holds anything."""

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)


class Model:
    """An object of somebody else."""

    def __init__(self, weight: float) -> None:
        self.weight = weight


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [1, 3]),
        ((1, 2), (2, 1)),
        ({"a": 1}, {"a": 2}),
        ({1: "a"}, {1: "b"}),
        ({"x", "y"}, {"x", "z"}),
        (np.float32(0.5), np.float32(0.25)),
        (np.int64(1), np.int64(2)),
        (np.zeros(3), np.ones(3)),
        (np.zeros((2, 2)), np.zeros(4)),
        (Model(1.0), Model(2.0)),
        (Path("a"), Path("b")),
        (b"a", b"b"),
        (0.123456789, 0.12345678),
        (["x" * 100], ["x" * 101]),
        (lambda x: x + 1, lambda x: x + 2),
        (1, None),
        ([1, 2], (1, 2)),
        ([1, 2], {1, 2}),
        ([1, 2], "[1,2]"),
        ("x", Path("x")),
        (0.5, np.float32(0.5)),
        (1, "1"),
        (True, "true"),
        (None, "none"),
        (float("inf"), "inf"),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["order", "_order"])
def test_evaluators_that_differ_are_told_apart(name: str, one: Any, other: Any) -> None:
    first, second = Mine(**{name: one}), Mine(**{name: other})
    assert first.parameters() != second.parameters()
    assert first.signature() != second.signature()
    assert first.signature() == Mine(**{name: one}).signature()


def test_values_are_shown_as_they_are() -> None:
    assert told({"a": (1, np.float64(2.5)), "b": Path("x"), "c": {"k": {3}}}, "Mine") == {
        "a": {"tuple": [1, 2.5]},
        "b": {type(Path()).__name__: "x"},
        "c": {"k": {"set": [3]}},
    }
    assert [shown(value) for value in (False, 60.0, "x", [1, 2], {"a": 1})] == ["false", "60", "x", "[1,2]", '{"a":1}']


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Mine._lock is a lock.*define parameters\(\)"):
        Mine(_lock=threading.Lock()).parameters()


def test_private_attributes_of_our_own_classes_do_not_count() -> None:
    from pathbench import VSAEvaluator

    assert VSAEvaluator(visualize=True).parameters() == VSAEvaluator().parameters()


def test_slots_count() -> None:
    class Slotted:
        __slots__ = ("a", "b")

        def __init__(self) -> None:
            self.a = 1

    assert attributes(Slotted()) == {"a": 1}


def test_the_same_in_another_process() -> None:
    script = (
        "import numpy as np; from pathbench.identity import told;"
        "print(told({'s': set('abcdef'), 'a': np.arange(5), 'd': {1: 'x'}}, 'X'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1
