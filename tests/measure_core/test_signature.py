"""Signatures: fields, their order, and what must agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core import __version__
from measure_core.builtin import CER, WER
from measure_core.signature import choices_of, run_signature, short


class Foreign:
    """A metric that says nothing of itself."""


class Speaking:
    signature = "toolkit|v:2.1|metric:der|collar:0.25"


TARGET = {"_target_": "my_pkg.WER"}


def test_an_own_signature_is_the_beginning() -> None:
    assert run_signature(Speaking(), "key", TARGET, 12) == "toolkit|v:2.1|metric:der|collar:0.25|n:12"


def test_a_metric_that_has_none() -> None:
    assert run_signature(Foreign(), "key", TARGET, 12) == (
        f"measure-core|v:{__version__}|metric:my_pkg.WER|config:none|n:12"
    )
    assert run_signature(Foreign(), "key", {}, 12) == f"measure-core|v:{__version__}|metric:key|config:none|n:12"


@pytest.mark.parametrize("said", ["", None, 7, ["x"]])
def test_a_signature_that_is_none(said: object) -> None:
    metric = type("M", (), {"signature": said})()
    assert run_signature(metric, "key", TARGET, 1).startswith("measure-core|v:")


def test_the_order_is_fixed() -> None:
    found = run_signature(Speaking(), "key", {}, 10, mismatch="intersect(2 left out)", limit=10)
    assert found == "toolkit|v:2.1|metric:der|collar:0.25|mismatch:intersect(2 left out)|limit:10|n:10"
    assert run_signature(Speaking(), "key", {}, 0, limit=0).endswith("|limit:0|n:0")


def config_field(config: dict[str, object]) -> str:
    found = re.search(r"\|config:([0-9a-f]{8}|none)\|", run_signature(Foreign(), "key", {**TARGET, **config}, 1))
    assert found is not None
    return found.group(1)


def test_every_choice_shows() -> None:
    configs: list[dict[str, object]] = [
        {},
        {"a": 1},
        {"a": 2},
        {"a": "1"},
        {"b": 1},
        {"a": [1, 2]},
        {"a": [2, 1]},
        {"a": {"b": {"c": 1}}},
        {"a": {"b": {"c": None}}},
        {"a": {1: "x", "b": "y"}},
        {"a": {"1": "x", "c": "y"}},
        {"a": {None: 1, True: 2, 1.5: 3}},
    ]
    assert len({config_field(config) for config in configs}) == len(configs)


CONFIGS = st.dictionaries(
    st.text(max_size=3) | st.integers(0, 3) | st.booleans() | st.none(),
    st.integers() | st.lists(st.dictionaries(st.text(max_size=2) | st.integers(0, 2), st.integers(), max_size=3)),
    max_size=4,
)


@given(config=CONFIGS, data=st.data())
def test_the_order_of_keys_does_not(config: dict[object, object], data: st.DataObject) -> None:
    keys = data.draw(st.permutations(list(config)))
    turned = {key: config[key] for key in keys}
    assert config_field({"x": config}) == config_field({"x": turned})
    assert config_field({"b": 1, "x": config}) == config_field({"x": turned, "b": 1})


@pytest.mark.parametrize(
    ("left", "right", "are_equal"),
    [
        ("a|v:1|metric:wer|n:5", "a|v:1|metric:wer|n:6", True),
        ("a|v:1|metric:wer|limit:5|n:5", "a|v:1|metric:wer|n:5", True),
        ("a|v:1|metric:wer|n:5", "a|v:2|metric:wer|n:5", False),
        ("a|v:1|metric:wer|norm:none|n:5", "a|v:1|metric:wer|norm:lower|n:5", False),
        ("a|v:1|metric:wer|mismatch:intersect(2 left out)|n:5", "a|v:1|metric:wer|n:5", False),
        ("a|v:1|metric:wer|number:5", "a|v:1|metric:wer|number:6", False),
    ],
)
def test_what_must_agree(left: str, right: str, are_equal: bool) -> None:
    assert (choices_of(left) == choices_of(right)) is are_equal


def test_the_choices_are_the_rest() -> None:
    whole = run_signature(WER(), "wer", {}, 2620, mismatch="empty(1 empty)", limit=3000)
    assert choices_of(whole) == f"{WER().signature}|mismatch:empty(1 empty)"


@pytest.mark.parametrize("metric", [WER(), CER(spaces="drop", normalise=["lower"]), Speaking(), Foreign()])
def test_the_short_form_keeps_every_value(metric: object) -> None:
    whole = run_signature(metric, "key", TARGET, 7, mismatch="intersect(1 left out)", limit=7)
    brief = short(whole)
    assert len(brief) < len(whole)
    fields, shortened = whole.split("|"), brief.split("|")
    assert [one.partition(":")[2] for one in fields] == [one.partition(":")[2] for one in shortened]
    assert shortened[0] == fields[0]
    names = [one.partition(":")[0] for one in shortened]
    assert len(set(names)) == len(names)
    assert shortened[-1] == "#:7"


def test_the_short_form_of_the_documented_one() -> None:
    whole = "measure-core|v:1.0.0|metric:wer|norm:nfkc+lower+punct(')|unit:word|empty:count|align:unit|n:2620"
    assert short(whole) == "measure-core|v:1.0.0|m:wer|n:nfkc+lower+punct(')|u:word|e:count|a:unit|#:2620"
