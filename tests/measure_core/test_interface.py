"""Which interface an object has: the rules, in order."""

from __future__ import annotations

import functools
import logging
from pathlib import Path
from typing import Any

import pytest

from measure_core import AbsMetrics, BaseMetric
from measure_core.errors import ConfigError
from measure_core.interface import interface_of, is_metric_class


class Lists(AbsMetrics):
    def __call__(self, data: Any, test_name: str, output_dir: Path) -> Any: ...


class Paths(BaseMetric):
    def update(self, **values: Any) -> None: ...

    def compute(self) -> dict[str, Any]:
        return {}


class Updated:
    def update(self) -> None: ...

    def compute(self) -> None: ...


class CalledAndUpdated(Updated):
    def __call__(self, data: Any) -> None: ...


class CalledWithPath:
    def __call__(self, data: dict[str, Path], test_name: str, output_dir: Path) -> None: ...


class CalledWithText:
    def __call__(self, data: "dict[str, 'Path']", *rest: Any) -> None: ...  # noqa: UP037 (text, as older files have it)


class Called:
    def __call__(self, data: dict[str, list[str]], test_name: str, output_dir: Path) -> None: ...


class CalledWithAnything:
    def __call__(self, *args: Any) -> None: ...


class Neither:
    def update(self) -> None: ...


def function(data: dict[str, Path]) -> None: ...


def wrapped(call: Any) -> Any:
    @functools.wraps(call)
    def inner(*args: Any) -> Any:
        return call(*args)

    return inner


class Decorated:
    @wrapped
    def __call__(self, data: dict[str, Path]) -> None: ...


def espnet3_class(name: str, module: str = "espnet3.components.metrics.base_metric", *bases: type) -> type:
    """Make a class as ESPnet3 has it, with an own subclass as a user writes it."""
    base = type(name, bases, {"__module__": module, "__call__": lambda *_: None})
    return type("Mine", (base,), {"__module__": "mine"})


@pytest.mark.parametrize(
    ("metric", "want"),
    [
        (Lists(), "lists"),
        (Paths(), "paths"),
        (espnet3_class("AbsMetrics")(), "lists"),
        (espnet3_class("AbsMetric")(), "lists"),
        (espnet3_class("BaseMetric")(), "paths"),
        (espnet3_class("BaseMetric", "espnet3x.metrics")(), "lists"),
        (espnet3_class("BaseMetric", "mine.espnet3.x")(), "lists"),
        (espnet3_class("Other")(), "lists"),
        (espnet3_class("AbsMetrics", "espnet3.x", Updated)(), "lists"),
        (Updated(), "paths"),
        (CalledAndUpdated(), "paths"),
        (CalledWithPath(), "paths"),
        (CalledWithText(), "paths"),
        (Called(), "lists"),
        (CalledWithAnything(), "lists"),
        (Decorated(), "paths"),
        (function, "paths"),
        (functools.partial(function), "paths"),
        (len, "lists"),
        (type("NoParameter", (), {"__call__": lambda _: None})(), "lists"),
        (type("NoSignature", (), {"__call__": Called.__call__, "__signature__": 7})(), "lists"),
    ],
)
def test_the_interface(metric: object, want: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "measure_core.interface"):
        assert interface_of(metric) == want
    assert f"has the interface {want}: " in caplog.text
    assert len(caplog.records) == 1


class UpdatedLists(Lists):
    def update(self) -> None: ...

    def compute(self) -> None: ...


class CalledPaths(Paths):
    def __call__(self, data: Any, test_name: str, output_dir: Any = None) -> Any: ...


def test_an_earlier_rule_wins() -> None:
    assert interface_of(UpdatedLists()) == "lists"  # derives from ours, though it has update and compute
    assert interface_of(CalledPaths()) == "paths"
    both = espnet3_class("AbsMetrics", "espnet3.x", BaseMetric)
    both.update = both.compute = lambda _: None  # type: ignore[attr-defined]
    both.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
    assert interface_of(both()) == "paths"  # ours before ESPnet3's


@pytest.mark.parametrize("metric", [Lists(), CalledPaths(), Called(), CalledWithPath()])
def test_what_is_said_comes_first(metric: Any) -> None:
    assert interface_of(metric, "lists") == "lists"
    assert interface_of(metric, "paths") == "paths"
    cls = type(metric)
    said = type("Said", (cls,), {"measure_interface": "paths"})()
    assert interface_of(said) == "paths"
    assert interface_of(said, "lists") == "lists"
    assert interface_of(type("Said", (cls,), {"measure_interface": "lists"})()) == "lists"
    assert interface_of(type("Said", (cls,), {"measure_interface": None})()) == interface_of(metric)


@pytest.mark.parametrize("said", ["path", "", 7, ["lists"]])
def test_what_is_said_makes_no_sense(said: Any) -> None:
    metric = type("Said", (Called,), {"measure_interface": said})()
    with pytest.raises(ConfigError, match="it is `lists` or `paths`"):
        interface_of(metric)
    with pytest.raises(ConfigError, match="it is `lists` or `paths`"):
        interface_of(Called(), said)


@pytest.mark.parametrize("metric", [Neither(), object(), 7])
def test_no_metric(metric: object) -> None:
    cls = type(metric)
    with pytest.raises(ConfigError) as caught:
        interface_of(metric)
    assert str(caught.value) == (
        f"`{cls.__module__}.{cls.__name__}` is not a metric: it has neither `__call__` nor `update`/`compute`"
    )


@pytest.mark.parametrize(
    ("cls", "want"),
    [(Lists, True), (Paths, True), (Updated, True), (Called, True), (Neither, False), (object, False),
     (int, False), (dict, False), (Path, False)],
)  # fmt: skip
def test_classes_of_metrics(cls: type, want: bool) -> None:
    assert is_metric_class(cls) is want


@pytest.mark.parametrize("wanted", ["lists", "paths"])
def test_what_is_said_must_be_there(wanted: str) -> None:
    class Nothing: ...

    class Half:
        def update(self) -> None: ...

    for metric in (Nothing(), Half()):
        with pytest.raises(ConfigError, match=rf"is not a metric with the interface {wanted}: it has n.*`__call__`"):
            interface_of(metric, wanted)
    assert interface_of(Updated(), "paths") == "paths"
    with pytest.raises(ConfigError, match="with the interface lists: it has no `__call__`"):
        interface_of(Updated(), "lists")
    with pytest.raises(ConfigError, match="with the interface lists: it has no `__call__`"):
        interface_of(type("Said", (Updated,), {"measure_interface": "lists"})())
