"""The entries of a configuration: classes, keys, inputs."""

import pytest

from measure_core import ConfigError
from measure_core.config.options import Options
from measure_support import Stage, planned, refused

COUNT = "{_target_: stage_metrics.Count}"


def test_keys_of_entries(ready: Stage) -> None:
    entries = f"{{metric: wer}}, {{name: mine, metric: {COUNT}, inputs: [hyp]}}, {{metric: {COUNT}, inputs: [ref]}}"
    keys = [entry.key for entry in planned(ready, f"metrics: [{entries}]").entries]
    assert keys == ["measure_core.builtin.WER", "mine", "stage_metrics.Count"]
    words = refused(ready, f"metrics: [{{metric: {COUNT}, inputs: [ref]}}, {{metric: {COUNT}, inputs: [hyp]}}]")
    assert "both have the key stage_metrics.Count" in words
    assert "metrics[0]" in words
    assert "metrics[1]" in words
    assert "`name:`" in words
    assert "name is 3" in refused(ready, "metrics: [{name: 3, metric: wer}]")
    assert "both have the key x" in refused(ready, "metrics: [{name: x, metric: wer}, {name: x, metric: cer}]")


def test_unknown_keys_of_entries(ready: Stage) -> None:
    words = refused(ready, "metrics: [{metric: wer, input: {ref: ref, hyp: hyp}}]")
    assert "unknown key 'input'" in words
    assert "did you mean inputs?" in words
    assert planned(ready, "metrics: [{metric: wer, digits: 1}]\nhere: ${metrics.0.digits}").test_sets == ["a", "b"]
    assert "unknown key 'digits'" in refused(ready, "metrics: [{metric: wer, digits: 1}]\nhere: ${metrics.0.digitss}")
    assert "there is no `metric`" in refused(ready, "metrics: [{inputs: [ref]}]")
    assert "an entry is a mapping" in refused(ready, "metrics: [wer]")


@pytest.mark.parametrize("text", ["", "metrics: []", "metrics: ~", "metrics: {}", "metrics: ''"])
def test_no_metrics(ready: Stage, text: str) -> None:
    assert "`metrics` is missing or empty" in refused(ready, text)


@pytest.mark.parametrize(
    ("value", "kind"), [("{metric: wer}", "mapping"), ("wer", "text"), ("3", "number"), ("true", "truth value")]
)
def test_metrics_that_are_no_list(ready: Stage, value: str, kind: str) -> None:
    assert f"`metrics` is a {kind}; it must be a list" in refused(ready, f"metrics: {value}")


def test_all_faults_of_an_entry_are_told(ready: Stage) -> None:
    words = refused(
        ready,
        "metrics: [{metric: {_target_: stage_metrics.Inner, x: 1, y: {_target_: os.system}}, inptus: [ref], name: 3,"
        " also: 1, interface: x, inputs: [ref.scp, hyp.scp]}, {metric: wwer}]",
    )
    assert words.startswith("10 problems")
    told = (
        "unknown key 'inptus'",
        "unknown key 'also'",
        "name is 3",
        "interface is 'x'",
        "is not a metric",
        "not take",
    )
    for one in (*told, "os.system` is refused", "ref.scp is written with", "hyp.scp is written with", "called 'wwer'"):
        assert words.count(one) == 1, one
    assert words.count("metrics[0]") == 9


@pytest.mark.parametrize("key", ["metric", "inputs", "name", "interface", "per_utterance"])
def test_a_broken_reference_is_told_once(ready: Stage, key: str) -> None:
    words = refused(ready, f'metrics: [{{{"" if key == "metric" else "metric: wer, "}{key}: "${{nope}}"}}]')
    assert "problems" not in words
    assert f"the key is metrics[0].{key}" in words
    words = refused(ready, 'metrics: [{metric: wer}, {metric: cer}]\nper_utterance: "${nope}"')
    assert "problems" not in words


def test_registered_names(ready: Stage) -> None:
    words = refused(ready, "metrics: [{metric: wwer}]")
    assert "there is no metric called 'wwer'" in words
    assert "did you mean wer" in words
    assert planned(ready, "metrics: [{metric: {_target_: cer, spaces: drop}}]").entries[0].metric.spaces == "drop"
    assert "`metric` is 3" in refused(ready, "metrics: [{metric: 3}]")
    assert "`metric` has no `_target_`" in refused(ready, "metrics: [{metric: {target: x}}]")


def test_where_a_fault_is(ready: Stage) -> None:
    with pytest.raises(ConfigError) as caught:
        planned(ready, "metrics:\n  - metric: wer\n  - metric:\n      _target_: stage_metrics.Coutn\n    inputs: [ref]")
    assert f"metrics[1] ({ready.config}:4)" in str(caught.value)
    assert "did you mean Count" in str(caught.value)
    assert (caught.value.path, caught.value.line) == (str(ready.config), 4)


def test_inputs(ready: Stage) -> None:
    def inputs(text: str) -> dict[str, str]:
        return planned(ready, f"metrics: [{text}]").entries[0].inputs

    assert inputs("{metric: wer}") == {"ref": "ref", "hyp": "hyp"}
    assert inputs("{metric: wer, inputs: ~}") == {"ref": "ref", "hyp": "hyp"}
    assert inputs("{metric: {_target_: wer, ref_key: text}}") == {"text": "text", "hyp": "hyp"}
    assert inputs("{metric: wer, inputs: [hyp, ref]}") == {"hyp": "hyp", "ref": "ref"}
    assert list(inputs(f"{{metric: {COUNT}, inputs: {{b: x, a: 1best/y}}}}").items()) == [("b", "x"), ("a", "1best/y")]
    assert "add `inputs:" in refused(ready, f"metrics: [{{metric: {COUNT}}}]")
    assert "needs the input hyp" in refused(ready, "metrics: [{metric: wer, inputs: {ref: ref, asr: hyp}}]")


def test_the_constructor_fails(ready: Stage) -> None:
    words = refused(ready, "metrics: [{metric: {_target_: wer, empty: nothing}}]")
    assert "metrics[0]" in words
    assert "empty is 'nothing'" in words


def test_the_interface_may_be_said(ready: Stage) -> None:
    assert (
        planned(ready, f"metrics: [{{metric: {COUNT}, inputs: [ref], interface: paths}}]").entries[0].interface
        == "paths"
    )
    assert "interface is 'rows'" in refused(ready, f"metrics: [{{metric: {COUNT}, inputs: [ref], interface: rows}}]")


def test_one_target_may_be_allowed(ready: Stage) -> None:
    text = "metrics: [{metric: {_target_: stage_metrics.factory, factor: 2}, inputs: [ref]}]"
    assert "stage_metrics.factory` is refused" in refused(ready, text)
    entry = planned(ready, text, Options(allow_targets=["stage_metrics.factory"])).entries[0]
    assert (entry.key, entry.metric.factor) == ("stage_metrics.Count", 2)


def test_nested_objects_by_the_rules_of_hydra(ready: Stage) -> None:
    text = "{_target_: stage_metrics.Count, inner: [{_target_: stage_metrics.Inner, words: [a, b]}]}"
    inner = planned(ready, f"metrics: [{{metric: {text}, inputs: [ref]}}]").entries[0].metric.inner
    assert type(inner[0]).__name__ == "Inner"
    assert type(inner[0].words).__name__ == "ListConfig"
    text = "{_target_: stage_metrics.Count, _convert_: all, inner: [1, 2]}"
    assert planned(ready, f"metrics: [{{metric: {text}, inputs: [ref]}}]").entries[0].metric.inner == [1, 2]


@pytest.mark.parametrize(
    "text", [r"\${oc.create:{_target_: stage_metrics.Inner}}", "${oc.env:MEASURE_TARGET}", r"\${noise}"]
)
def test_nothing_is_resolved_twice(ready: Stage, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("MEASURE_TARGET", "${oc.create:{_target_: tempfile.mkdtemp}}")
    metric = f"{{_target_: stage_metrics.Count, inner: [x, {{deep: '{text}'}}]}}"
    words = refused(ready, f"metrics: [{{metric: {metric}, inputs: [ref]}}]")
    assert "its argument inner[1].deep still holds '${'" in words


def test_a_constructor_that_ends_the_program_is_told(ready: Stage) -> None:
    code = "class Leaves:\n    def __init__(self):\n        raise SystemExit\n    def __call__(self): ...\n"
    (ready.folder / "leaving_metric.py").write_text(code, encoding="utf-8")
    words = refused(ready, "metrics: [{metric: {_target_: leaving_metric.Leaves}, inputs: [ref]}]")
    assert "`leaving_metric.Leaves` cannot be built: SystemExit" in words


def test_only_some_metrics(ready: Stage) -> None:
    text = f"metrics: [{{metric: wer}}, {{name: x, metric: {COUNT}, inputs: [ref]}}, {{metric: cer}}]"
    for word, key in (("wer", "measure_core.builtin.WER"), ("CER", "measure_core.builtin.CER"), ("x", "x")):
        assert [entry.key for entry in planned(ready, text, Options(metrics=[word])).entries] == [key]
    assert "there is no metric per" in refused(ready, text, Options(metrics=["per"]))


def test_per_utterance(ready: Stage) -> None:
    def wanted(text: str, options: Options | None = None) -> bool:
        return planned(ready, text, options).entries[0].per_utterance

    assert not wanted("metrics: [{metric: wer}]")
    assert wanted("metrics: [{metric: wer, per_utterance: true}]")
    assert wanted("metrics: [{metric: wer}]\nper_utterance: true")
    assert wanted("metrics: [{metric: {_target_: wer, per_utterance: true}}]")
    assert wanted("metrics: [{metric: wer}]", Options(per_utterance=True))
    assert "per_utterance is 3" in refused(ready, "metrics: [{metric: wer, per_utterance: 3}]")
