"""What a run takes over from earlier ones, and what it says of the rest."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from measure_core import InputError, MetricError, measure
from measure_core.config.options import Options
from measure_core.inputs.prepared import prepare
from measure_core.runner import Run, run

if TYPE_CHECKING:
    from pathlib import Path

    from measure_support import Stage

COUNT = "{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}"
WER = "measure_core.builtin.WER"


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b c d", "a x c d"), ("e f", "e f"))
    stage.pairs("b", ("a b", "a b"), ("c", "d"), ("", "x"))
    return stage


def module(stage: Stage, text: str) -> None:
    (stage.folder / "more_metrics.py").write_text("from measure_core import *\n" + text, encoding="utf-8")


COUNTER = """
class Calls(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        with open(output_dir.parent / "calls", "a") as stream:
            stream.write(test_name)
        if (output_dir.parent / "fail").exists() and test_name == "b":
            raise RuntimeError("told to")
        return {"n": len(data["utt_id"])}
"""


def calls(stage: Stage) -> str:
    path = stage.folder / "calls"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.unlink(missing_ok=True)
    return text


def resumed(config: Path, **options: object) -> Run:
    return run(config, options=Options(resume=True, **options))  # type: ignore[arg-type]


def test_resuming_computes_what_is_missing_or_changed(ready: Stage) -> None:
    module(ready, COUNTER)
    text = "metrics: [{metric: {_target_: more_metrics.Calls}, inputs: [hyp]}]"
    config = ready.yaml(text)
    (ready.folder / "fail").touch()
    assert resumed(config).error is not None
    assert calls(ready) == "ab"
    (ready.folder / "fail").unlink()
    done = resumed(config)
    assert (calls(ready), done.reused) == ("b", (("more_metrics.Calls", "a"),))
    assert resumed(config).error is None
    assert calls(ready) == ""
    ready.scp("a", "hyp", "utt1 changed", "utt2 x")
    resumed(config)
    assert calls(ready) == "a"
    resumed(ready.yaml(text), on_mismatch="intersect")
    assert calls(ready) == "ab"
    module(ready, COUNTER + "\n# another version of the class\n")
    resumed(config, on_mismatch="intersect")
    assert calls(ready) == "ab"


def test_resuming_looks_at_files_that_the_values_name(ready: Stage) -> None:
    module(ready, COUNTER)
    ready.scp("a", "rttm", "utt1 one.rttm")
    (ready.infer / "a" / "one.rttm").write_text("x", encoding="utf-8")
    config = ready.yaml("metrics: [{metric: {_target_: more_metrics.Calls}, inputs: [rttm]}]")
    options = {"test_sets": ["a"]}
    resumed(config, **options)
    resumed(config, **options)
    assert calls(ready) == "a"
    (ready.infer / "a" / "one.rttm").write_text("longer", encoding="utf-8")
    resumed(config, **options)
    assert calls(ready) == "a"


def test_a_restricted_run_keeps_the_others_when_resuming(ready: Stage, caplog: pytest.LogCaptureFixture) -> None:
    config = ready.yaml(f"metrics: [{COUNT}, {{metric: wer}}]")
    whole = measure(config)
    run(config, options=Options(metrics=["wer"], resume=True))
    assert ready.results() == whole
    ready.scp("a", "ref", "utt1 a b", "utt2 c")
    with caplog.at_level("WARNING", "measure_core"):
        run(config, options=Options(metrics=["Count"], resume=True))
    assert "measure_core.builtin.WER on a" in caplog.text
    kept = {key: sorted(sets) for key, sets in ready.results().items()}
    assert kept == {"stage_metrics.Count": ["a", "b"], "measure_core.builtin.WER": ["b"]}


def test_a_restricted_run_says_what_it_drops(ready: Stage, caplog: pytest.LogCaptureFixture) -> None:
    config = ready.yaml(f"metrics: [{COUNT}, {{metric: wer}}]")
    measure(config)
    with caplog.at_level("WARNING", "measure_core"):
        run(config, options=Options(test_sets=["a"], metrics=["wer"]))
    assert (
        "does not hold stage_metrics.Count on a, stage_metrics.Count on b, measure_core.builtin.WER on b any more"
        in caplog.text
    )
    assert list(ready.results()) == [WER]


def keys(stage: Stage, name: str = "measures.json") -> dict[str, list[str]]:
    return {key: list(sets) for key, sets in stage.results(name).items()}


CALLS = "{metric: {_target_: more_metrics.Calls}, inputs: [hyp]}"
BOTH = f"metrics: [{CALLS}, {{metric: wer}}]"


@pytest.fixture
def counted(ready: Stage) -> Stage:
    module(ready, COUNTER)
    return ready


@pytest.fixture
def finished(counted: Stage) -> Stage:
    """A whole run of two metrics on two test sets."""
    measure(counted.yaml(BOTH))
    assert calls(counted) == "ab"
    return counted


def test_metadata_of_a_run_that_was_killed_before_its_results(counted: Stage) -> None:
    text = "metrics: [{metric: {_target_: stage_metrics.Count, factor: FACTOR}, inputs: [hyp]}]"
    measure(counted.yaml(text.replace("FACTOR", "1")))
    old = (counted.infer / "measures.json").read_bytes()
    config = counted.yaml(text.replace("FACTOR", "10"))
    new = measure(config)
    (counted.infer / "measures.json").write_bytes(old)  # killed between the two files
    done = resumed(config)
    assert (done.reused, done.results) == ((), new)


@pytest.mark.parametrize(
    "meta",
    [
        {"records": {WER: []}},
        {"records": []},
        {"records": {WER: {"a": {}, "b": 7}}},
        {"records": {WER: {"a": {"signature": 7}}}},
        {"N": 5},
        [],
        None,
    ],
)
@pytest.mark.parametrize("restricted", [False, True])
def test_metadata_of_another_shape_count_as_absent(ready: Stage, meta: Any, restricted: bool) -> None:
    config = ready.yaml(f"metrics: [{COUNT}, {{metric: wer}}]")
    whole = measure(config)
    path = ready.infer / "measures.meta.json"
    if isinstance(meta, dict):
        meta["results_sha256"] = json.loads(path.read_text(encoding="utf-8"))["results_sha256"]
    path.write_text(json.dumps(meta), encoding="utf-8")
    done = resumed(config, metrics=["Count"] if restricted else [])
    assert done.error is None
    assert done.reused == ()
    assert done.results == (whole if not restricted else {"stage_metrics.Count": whole["stage_metrics.Count"]})


def test_a_record_without_an_identity(ready: Stage) -> None:
    config = ready.yaml(f"metrics: [{COUNT}]")
    measure(config)
    path = ready.infer / "measures.meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    for name in ("a", "b"):
        del meta["records"]["stage_metrics.Count"][name]["identity"]
    path.write_text(json.dumps(meta), encoding="utf-8")
    assert resumed(config).reused == ()


@pytest.mark.parametrize("name", ["measures.json", "measures.meta.json", "measures.partial.json"])
def test_files_that_are_not_json_count_as_absent(ready: Stage, name: str) -> None:
    config = ready.yaml(f"metrics: [{COUNT}]")
    whole = measure(config)
    (ready.infer / name).write_text("{", encoding="utf-8")
    assert resumed(config).error is None
    assert ready.results() == whole


@pytest.mark.parametrize(("before", "after"), [("1", "true"), ("1", "1.0"), ("null", ".nan"), (".inf", ".nan")])
def test_arguments_that_are_nearly_the_same(ready: Stage, before: str, after: str) -> None:
    text = "metrics: [{metric: {_target_: stage_metrics.Count, inner: VALUE}, inputs: [hyp]}]"
    measure(ready.yaml(text.replace("VALUE", before)))
    assert len(resumed(ready.yaml(text.replace("VALUE", before))).reused) == 2
    assert resumed(ready.yaml(text.replace("VALUE", after))).reused == ()


def test_another_configuration_of_a_metric_that_was_not_chosen(
    finished: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    config = finished.yaml(BOTH.replace("metric: wer", "metric: {_target_: wer, empty: dot}"))
    with caplog.at_level("WARNING", "measure_core"):
        resumed(config, metrics=["Calls"])
    assert keys(finished) == {"more_metrics.Calls": ["a", "b"]}
    gone = f"does not hold {WER} on a, {WER} on b any more: what it depends on has changed"
    assert gone in caplog.text


def test_another_class_of_a_metric_that_was_not_chosen(finished: Stage) -> None:
    module(finished, COUNTER + "# edited\n")
    resumed(finished.config, metrics=["wer"])
    assert keys(finished) == {WER: ["a", "b"]}


def test_a_metric_that_is_not_in_the_configuration_any_more(finished: Stage, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING", "measure_core"):
        resumed(finished.yaml("metrics: [{metric: wer}]"), test_sets=["a"])
    assert keys(finished) == {WER: ["a", "b"]}
    gone = "more_metrics.Calls on a, more_metrics.Calls on b any more: the configuration does not have it"
    assert gone in caplog.text


def test_a_test_set_that_is_not_in_the_configuration_any_more(
    finished: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("WARNING", "measure_core"):
        resumed(finished.yaml(f"{BOTH}\ndataset: {{test: [{{name: a}}]}}"), metrics=["wer"])
    assert keys(finished) == {"more_metrics.Calls": ["a"], WER: ["a"]}
    assert "does not hold more_metrics.Calls on b, measure_core.builtin.WER on b any more: the conf" in caplog.text


@pytest.mark.parametrize("lines", [None, ["utt1 a", "utt1 b"]])
def test_inputs_of_others_that_are_broken(
    finished: Stage, lines: list[str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    if lines is None:
        (finished.infer / "b" / "hyp.scp").unlink()
    else:
        finished.scp("b", "hyp", *lines)
    with caplog.at_level("WARNING", "measure_core"):
        resumed(finished.config, test_sets=["a"])
    assert keys(finished) == {"more_metrics.Calls": ["a"], WER: ["a"]}
    assert "more_metrics.Calls on b" in caplog.text
    assert "hyp.scp" in caplog.text


def test_results_of_others_that_nobody_knows_anything_about(finished: Stage, caplog: pytest.LogCaptureFixture) -> None:
    (finished.infer / "measures.meta.json").unlink()
    with caplog.at_level("WARNING", "measure_core"):
        resumed(finished.config, test_sets=["a"])
    assert keys(finished) == {"more_metrics.Calls": ["a"], WER: ["a"]}
    gone = f"does not hold more_metrics.Calls on b, {WER} on b any more: there is no metadata that tells what"
    assert gone in caplog.text


def test_a_restriction_of_the_configuration_is_one_too(finished: Stage) -> None:
    whole = finished.results()
    resumed(finished.yaml(f"{BOTH}\ntest_sets: [b]"))
    assert finished.results() == whole
    assert calls(finished) == ""


@pytest.mark.parametrize(
    "steps", [[{"metrics": ["wer"]}, {"metrics": ["Calls"]}], [{"test_sets": ["b"]}, {"test_sets": ["a"]}]]
)
def test_the_order_is_that_of_the_configuration(counted: Stage, steps: list[dict[str, Any]]) -> None:
    config = counted.yaml(f"{BOTH}\ndataset: {{test: [{{name: b}}, {{name: a}}]}}")
    for step in steps:
        resumed(config, **step)
    want = {"more_metrics.Calls": ["b", "a"], WER: ["b", "a"]}
    assert keys(counted) == want
    assert list(keys(counted)) == list(want)
    records = counted.results("measures.meta.json")["records"]
    assert [(key, list(sets)) for key, sets in records.items()] == list(want.items())


def test_a_part_keeps_what_others_have_finished(counted: Stage) -> None:
    (counted.folder / "fail").touch()
    config = counted.yaml(f"metrics: [{{metric: wer}}, {CALLS}, {{name: z, metric: cer}}]")
    assert resumed(config, keep_going=True).error is not None
    assert resumed(config, metrics=["Calls"]).error is not None
    want = {WER: ["a", "b"], "more_metrics.Calls": ["a"], "z": ["a", "b"]}
    assert keys(counted, "measures.partial.json") == want
    counted.scp("a", "ref", "utt1 a b", "utt2 c")
    assert resumed(config, metrics=["Calls"]).error is not None
    assert keys(counted, "measures.partial.json") == {WER: ["b"], "more_metrics.Calls": ["a"], "z": ["b"]}
    (counted.folder / "fail").unlink()
    calls(counted)
    done = resumed(config)
    assert calls(counted) == "b"
    assert done.reused == ((WER, "b"), ("more_metrics.Calls", "a"), ("z", "b"))


def test_an_interrupted_part_keeps_what_others_have_finished(counted: Stage) -> None:
    stop = "class Stop(AbsMetrics):\n    def __call__(self, d, t, o):\n        raise KeyboardInterrupt\n"
    module(counted, COUNTER + stop)
    config = counted.yaml(f"metrics: [{{metric: {{_target_: more_metrics.Stop}}, inputs: [hyp]}}, {CALLS}]")
    measure(config, options=Options(metrics=["Calls"]))
    with pytest.raises(KeyboardInterrupt):
        resumed(config, metrics=["Stop"])
    assert keys(counted, "measures.partial.json") == {"more_metrics.Calls": ["a", "b"]}


def rows_of(stage: Stage, test_name: str = "a") -> list[str]:
    folder = stage.infer / test_name / "measure"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


ROWS = f"{WER}.jsonl"


def test_rows_are_reused_only_if_they_are_those_of_the_result(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]\nper_utterance: true")
    measure(config)
    path = ready.infer / "a" / "measure" / ROWS
    good = path.read_bytes()
    assert len(resumed(config).reused) == 2
    path.write_bytes(good.replace(b"1", b"2"))
    assert resumed(config).reused == ((WER, "b"),)
    assert path.read_bytes() == good
    path.unlink()
    assert resumed(config).reused == ((WER, "b"),)
    assert path.read_bytes() == good


def test_rows_that_were_not_asked_for_before(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]")
    measure(config)
    assert rows_of(ready) == []
    assert resumed(config, per_utterance=True).reused == ()
    assert rows_of(ready) == [ROWS]
    assert len(resumed(config).reused) == 2
    assert rows_of(ready) == [ROWS]
    assert len(resumed(config, per_utterance=True).reused) == 2


def test_a_metric_that_gives_no_rows_is_reused(counted: Stage) -> None:
    config = counted.yaml(f"metrics: [{CALLS}]\nper_utterance: true")
    for want in ("ab", ""):
        resumed(config)
        assert calls(counted) == want


def test_rows_of_an_earlier_configuration_do_not_stay(ready: Stage) -> None:
    measure(ready.yaml("metrics: [{metric: wer}]\nper_utterance: true"))
    config = ready.yaml("metrics: [{metric: {_target_: wer, empty: dot}}]")
    measure(config)
    assert rows_of(ready) == []
    (ready.infer / "a" / "measure" / ROWS).write_text("{}\n", encoding="utf-8")
    assert len(resumed(config).reused) == 2
    assert rows_of(ready) == []
    assert ready.record(WER, "a")["per_utterance"] is None


def test_a_dry_look_leaves_the_rows_alone(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]\nper_utterance: true")
    measure(config)
    whole = (ready.infer / "a" / "measure" / ROWS).read_bytes()
    run(config, options=Options(limit=1))
    assert rows_of(ready) == [ROWS, f"{WER}.limit.jsonl"]
    assert (ready.infer / "a" / "measure" / ROWS).read_bytes() == whole
    assert len(resumed(config).reused) == 2


def test_rows_that_cannot_be_removed(ready: Stage) -> None:
    (ready.infer / "a" / "measure" / ROWS).mkdir(parents=True)
    done = run(ready.yaml("metrics: [{metric: wer}]"), options=Options(keep_going=True))
    assert isinstance(done.error, MetricError)
    assert "WER on a: " in str(done.error)
    assert "old rows cannot be removed" in str(done.error)
    assert keys(ready, "measures.partial.json") == {WER: ["b"]}


def test_an_input_that_is_replaced_while_it_is_read(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_and_replaced(plan: Any) -> Any:
        found = prepare(plan)
        new = ready.infer / "new.scp"
        new.write_bytes((ready.infer / "a" / "hyp.scp").read_bytes().replace(b"x", b"b"))
        os.replace(new, ready.infer / "a" / "hyp.scp")
        return found

    for mark in ("", "\ufeff"):  # with a byte order mark, the texts are in memory
        path = ready.infer / "a" / "hyp.scp"
        path.write_text(f"{mark}utt1 a x c d\nutt2 e f\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr("measure_core.runner.prepare", read_and_replaced)
            with pytest.raises(InputError, match=r"hyp\.scp: the file was changed while it was being read"):
                measure(ready.yaml("metrics: [{metric: wer}]"))


@pytest.mark.parametrize("resume", [False, True])
def test_results_that_the_configuration_does_not_have(
    finished: Stage, resume: bool, caplog: pytest.LogCaptureFixture
) -> None:
    config = finished.yaml("metrics: [{metric: wer}]")
    with caplog.at_level("WARNING", "measure_core"):
        run(config, options=Options(resume=resume))
    assert keys(finished) == {WER: ["a", "b"]}
    assert "does not hold more_metrics.Calls on a, more_metrics.Calls on b any more" in caplog.text


def test_rows_go_with_their_result(finished: Stage) -> None:
    config = finished.yaml("metrics: [{metric: wer}, {metric: cer}]\nper_utterance: true")
    run(config)
    rows = finished.infer / "a" / "measure" / "measure_core.builtin.CER.jsonl"
    assert rows.exists()
    finished.scp("a", "hyp", "utt1 other", "utt2 words")
    run(config, options=Options(metrics=["wer"]))
    assert keys(finished) == {WER: ["a", "b"]}
    assert not rows.exists()
    assert rows.with_name("measure_core.builtin.WER.jsonl").exists()


def test_the_name_of_a_test_set_in_a_file_removes_nothing_elsewhere(finished: Stage) -> None:
    outside = finished.folder / "measure" / "x.jsonl"
    outside.parent.mkdir()
    outside.write_text("mine", encoding="utf-8")
    (finished.infer / "measures.json").write_text('{"x": {"..": 1}}', encoding="utf-8")
    run(finished.yaml("metrics: [{metric: wer}]"))
    assert outside.exists()


@pytest.mark.parametrize(
    ("target", "files", "changed"),
    [
        ("own_package.metric.M", {"__init__.py": "LIMIT = 1", "metric.py": "from . import LIMIT\n{}"}, "__init__.py"),
        (
            "own_facade.M",
            {"../own_facade.py": "from own_package.one import M", "one.py": "LIMIT = 1\n{}", "two.py": "LIMIT = 2\n{}"},
            "../own_facade.py",
        ),
    ],
)
def test_code_that_a_class_path_leads_through(
    finished: Stage, target: str, files: dict[str, str], changed: str
) -> None:
    code = "class M:\n    def __call__(self, *_):\n        return LIMIT\n"
    folder = finished.folder / "own_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name, text in files.items():
        (folder / name).write_text(text.format(code), encoding="utf-8")
    config = finished.yaml(f"metrics: [{{name: m, metric: {{_target_: {target}}}, inputs: [hyp]}}]")
    assert run(config).results["m"]["a"] == 1
    text = files[changed].replace("one", "two").replace("LIMIT = 1", "LIMIT = 2").format(code)
    (folder / changed).write_text(text, encoding="utf-8")
    assert run(config, options=Options(resume=True)).results["m"]["a"] == 2
