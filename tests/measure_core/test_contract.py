"""Declared inputs and outputs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from measure_core import Field
from measure_core.contract import (
    KINDS,
    check_batch,
    check_declaration,
    check_inputs,
    check_outputs,
    class_path,
)
from measure_core.errors import ConfigError, MetricError

REF, HYP = Field("ref", "text"), Field("hyp", "text")
WER = Field("WER", "number")
EXTRA = Field("extra", "audio", optional=True, channels=1)


class Metric:
    """Stands for any metric."""

    inputs: Any = (REF, HYP, EXTRA)
    outputs: Any = (WER, Field("n", "number"))


PATH = f"{Metric.__module__}.Metric"


def declared(inputs: object, outputs: object) -> Metric:
    metric = Metric()
    metric.inputs, metric.outputs = inputs, outputs
    return metric


def test_a_field() -> None:
    field = Field("ref", "audio", "Reference", optional=True, channels=2, options={"a": 1})
    assert (field.name, field.kind, field.label, field.optional, field.channels) == (
        "ref",
        "audio",
        "Reference",
        True,
        2,
    )
    assert field.options == {"a": 1}
    assert (REF.label, REF.optional, REF.channels, REF.options) == ("", False, None, {})
    assert Field("ref", "text") == REF != HYP
    assert len({REF, Field("ref", "text"), HYP, field}) == 3
    with pytest.raises(FrozenInstanceError):
        field.name = "other"  # type: ignore[misc]
    assert KINDS == ("text", "audio", "number", "segments")


@pytest.mark.parametrize("name", ["", "a b", "1x", "a-b", "a.b", None, 7, b"x"])
def test_a_name_that_is_no_identifier(name: Any) -> None:
    with pytest.raises(ValueError, match="Python identifier"):
        Field(name, "text")


@pytest.mark.parametrize("kind", ["", "Text", "video", None, ["text"]])
def test_an_unknown_kind(kind: Any) -> None:
    with pytest.raises(ValueError, match="is none of text, audio, number, segments"):
        Field("x", kind)


def test_class_path() -> None:
    class Inner:
        pass

    assert class_path(Metric()) == class_path(Metric) == PATH
    assert class_path(Inner()) == f"{Inner.__module__}.Inner"  # the outer name is lost, as ever


def test_a_good_declaration() -> None:
    assert check_declaration(Metric(), is_required=True)
    assert check_declaration(Metric(), is_required=False)


@dataclass
class Like:
    """Another package's field."""

    name: str
    kind: str
    optional: bool = False


def test_fields_of_another_package_are_fields() -> None:
    metric = declared((Like("ref", "text"),), (Like("WER", "number"),))
    assert check_declaration(metric, is_required=True)
    check_inputs(metric, ["ref"])
    check_outputs(metric, {"WER": 1.0})


@pytest.mark.parametrize(("inputs", "outputs"), [(None, None), ((), ()), (None, ())])
def test_no_declaration(inputs: object, outputs: object) -> None:
    metric = declared(inputs, outputs)
    assert not check_declaration(metric, is_required=False)
    with pytest.raises(ConfigError, match="does not declare its inputs and outputs") as caught:
        check_declaration(metric, is_required=True)
    assert PATH in str(caught.value)
    assert 'inputs = (Field("ref", "text"), …)' in str(caught.value)


@pytest.mark.parametrize(
    ("inputs", "outputs", "words"),
    [
        ((REF,), None, "does not declare its outputs"),
        ((), (WER,), "does not declare its inputs"),
        ([REF], (WER,), "`inputs` is not a tuple of Field"),
        (("ref",), (WER,), "`inputs` is not a tuple of Field"),
        ({"ref": REF}, (WER,), "`inputs` is not a tuple of Field"),
        ((REF,), (WER, "n"), "`outputs` is not a tuple of Field"),
        ((REF, HYP, REF), (WER,), "`inputs` has ref twice"),
        ((REF,), (WER, WER), "`outputs` has WER twice"),
        ((EXTRA, REF), (WER,), "the required fields come before the optional ones"),
        ((REF,), (Field("text", "text"),), "the output 'text' must be a number, and not optional"),
        ((REF,), (Field("n", "number", optional=True),), "the output 'n' must be a number, and not optional"),
    ],
)
@pytest.mark.parametrize("is_required", [True, False])
def test_a_bad_declaration(inputs: object, outputs: object, words: str, is_required: bool) -> None:
    with pytest.raises(ConfigError) as caught:
        check_declaration(declared(inputs, outputs), is_required=is_required)
    assert str(caught.value).startswith(PATH)
    assert words in str(caught.value)


@pytest.mark.parametrize("bindings", [["ref", "hyp"], ["hyp", "ref"], ["ref", "hyp", "extra"]])
def test_bindings(bindings: list[str]) -> None:
    check_inputs(Metric(), bindings)


@pytest.mark.parametrize(
    ("bindings", "facts"),
    [
        (["ref"], ["missing: hyp"]),
        (["extra"], ["missing: ref, hyp"]),
        (["ref", "hyp", "ctm", "uem"], ["unknown: ctm, uem"]),
        (["ref", "hypo"], ["missing: hyp", "unknown: hypo"]),
        ([], ["missing: ref, hyp"]),
    ],
)
def test_wrong_bindings(bindings: list[str], facts: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        check_inputs(Metric(), bindings)
    assert caught.value.facts == (*facts, "declared: ref, hyp, extra (optional)")
    assert caught.value.what == f"{PATH}: `inputs` does not bind what the class declares"


def test_batches() -> None:
    check_batch(Metric(), {})
    check_batch(Metric(), {"ref": ["a", "b"], "hyp": np.zeros(2), "extra": None})  # type: ignore[dict-item]
    with pytest.raises(MetricError, match="different lengths: ref 2, hyp 1"):
        check_batch(Metric(), {"ref": ["a", "b"], "hyp": ["a"]})


@pytest.mark.parametrize("value", [0, 1.5, float("nan"), np.float32(2), np.int64(3), np.array(1.0), Fraction(1, 3)])
def test_numbers_are_numbers(value: object) -> None:
    check_outputs(Metric(), {"WER": value, "n": 1, "more": "anything"})


@pytest.mark.parametrize("value", [True, np.True_, "1", None, [1], np.array([1.0]), 1j, np.complex64(1)])
def test_anything_else_is_not(value: object) -> None:
    with pytest.raises(MetricError) as caught:
        check_outputs(Metric(), {"WER": value, "n": 1})
    assert caught.value.what == (f"{PATH}: the output 'WER' was declared a number and is {type(value).__name__}")


def test_outputs_that_are_missing() -> None:
    with pytest.raises(MetricError) as caught:
        check_outputs(Metric(), {"wer": 1.0})
    assert "the declared output WER, n is not in the result" in str(caught.value)
    assert "the result has: wer" in str(caught.value)
    with pytest.raises(MetricError, match="the result has: nothing"):
        check_outputs(Metric(), {})
    with pytest.raises(MetricError, match="returned float, not a mapping"):
        check_outputs(Metric(), 1.0)
