"""Whole runs: what is written, what is kept, what is told."""

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Literal

import pytest

from measure_core import ConfigError, InputError, MetricError, OutputError, load_inputs, measure
from measure_core.config.options import Options
from measure_core.runner import check, run
from measure_support import Stage

FAILS = "{metric: {_target_: stage_metrics.Fails}, inputs: [hyp]}"
COUNT = "{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}"


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b c d", "a x c d"), ("e f", "e f"))
    stage.pairs("b", ("a b", "a b"), ("c", "d"), ("", "x"))
    return stage


OWN = "class Own(AbsMetrics):\n    def __call__(self, data, test_name, output_dir):\n"
USES_OWN = "metrics: [{metric: {_target_: more_metrics.Own}, inputs: [hyp]}]"


def own(stage: Stage, *lines: str) -> Path:
    """Write a metric class with this body, and a configuration that uses it."""
    module(stage, OWN + "".join(f"        {line}\n" for line in lines))
    return stage.yaml(USES_OWN)


def module(stage: Stage, text: str) -> None:
    (stage.folder / "more_metrics.py").write_text("from measure_core import *\n" + text, encoding="utf-8")


def test_the_file_is_what_json_dump_writes(ready: Stage) -> None:
    returned = measure(ready.yaml(f"metrics: [{COUNT}, {{name: é, metric: wer}}]"))
    assert list(returned) == ["stage_metrics.Count", "é"]
    text = (ready.infer / "measures.json").read_text(encoding="utf-8")
    assert text == json.dumps(returned, indent=2, ensure_ascii=False)
    assert returned["é"]["a"]["wer"] == pytest.approx(1 / 6)
    assert returned["é"]["b"]["wer"] == pytest.approx(2 / 3)
    assert sorted(path.name for path in ready.infer.iterdir()) == ["a", "b", "measures.json", "measures.meta.json"]


def test_what_is_known_about_a_result(ready: Stage) -> None:
    measure(ready.yaml("metrics: [{metric: wer}]\nstatistics: {bootstrap: 500, seed: 3, level: 0.9}"))
    record = ready.record("measure_core.builtin.WER", "b")
    assert record["signature"].endswith("|n:3")
    assert record["utterances"] == 3
    assert record["identity"]["inputs"]["ref"]["lines"] == 3
    assert record["identity"]["inputs"]["ref"]["path"] == "b/ref.scp"
    assert len(record["identity"]["inputs"]["hyp"]["sha256"]) == 64
    interval = record["intervals"]["wer"]
    assert (interval["draws"], interval["seed"], interval["level"], interval["by"]) == (500, 3, 0.9, "utterance")
    assert 0 <= interval["low"] <= 2 / 3 <= interval["high"]
    assert any("utt3" in warning for warning in record["warnings"])


def test_intervals_by_speaker(ready: Stage) -> None:
    ready.scp("c", "ref", "s1-1 a b", "s1-2 a b", "s2-1 a b")
    ready.scp("c", "hyp", "s1-1 a x", "s1-2 a x", "s2-1 a b")
    config = ready.yaml("metrics: [{metric: wer}]\nstatistics: {bootstrap: 200, by: speaker}")
    measure(config, options=Options(test_sets=["c"]))
    interval = ready.record("measure_core.builtin.WER", "c")["intervals"]["wer"]
    assert (interval["by"], interval["low"], interval["high"]) == ("speaker", 0.0, 0.5)


def test_the_interval_is_that_of_the_statistics(ready: Stage) -> None:
    import numpy as np

    from measure_core.statistics import bootstrap

    measure(ready.yaml("metrics: [{metric: wer}]\nstatistics: {bootstrap: 300, seed: 7}"))
    found = ready.record("measure_core.builtin.WER", "a")["intervals"]["wer"]
    direct = bootstrap({"errors": np.array([1, 0]), "tokens": np.array([4, 2])}, draws=300, seed=7)["rate"]
    assert (found["low"], found["high"]) == (direct.low, direct.high)


def test_nothing_runs_when_an_input_is_wrong(ready: Stage) -> None:
    module(ready, "class Marks(AbsMetrics):\n    def __call__(self, d, t, o):\n        (o / 'mark').touch()\n")
    ready.scp("b", "hyp", "utt1 a", "utt9 b")
    with pytest.raises(InputError, match="utterance IDs differ"):
        measure(ready.yaml("metrics: [{metric: {_target_: more_metrics.Marks}, inputs: [ref]}, {metric: wer}]"))
    assert sorted(path.name for path in ready.infer.iterdir()) == ["a", "b"]


def test_all_faults_of_the_inputs_are_listed(ready: Stage) -> None:
    ready.scp("a", "hyp", "utt1 a", "utt1 b")
    ready.scp("b", "hyp", "utt1 a")
    with pytest.raises(InputError) as caught:
        measure(ready.yaml("metrics: [{metric: wer}, {name: x, metric: cer, inputs: {ref: ref, hyp: hyp9}}]"))
    words = str(caught.value)
    assert words.startswith("4 problems")
    assert "'utt1' is on line 1 already" in words
    assert words.count("hyp9.scp is missing") == 2
    assert words.count("utterance IDs differ") == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_stops_the_run(ready: Stage, jobs: int) -> None:
    with pytest.raises(MetricError) as caught:
        measure(ready.yaml(f"metrics: [{COUNT}, {FAILS}, {{metric: wer}}]"), options=Options(jobs=jobs))
    words = str(caught.value)
    assert "metric stage_metrics.Fails on b: RuntimeError: no such model: phones.bin" in words
    assert "3 of 6 results were finished" in words
    assert not (ready.infer / "measures.json").exists()
    assert ready.results("measures.partial.json") == {
        "stage_metrics.Count": {"a": {"n": 2}, "b": {"n": 3}},
        "stage_metrics.Fails": {"a": {"n": 2}},
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_keep_going_finishes_the_rest(ready: Stage, jobs: int) -> None:
    done = run(ready.yaml(f"metrics: [{FAILS}, {{metric: wer}}]"), options=Options(jobs=jobs, keep_going=True))
    assert isinstance(done.error, MetricError)
    assert set(done.results["measure_core.builtin.WER"]) == {"a", "b"}
    assert set(done.results["stage_metrics.Fails"]) == {"a"}
    assert done.path == ready.infer / "measures.partial.json"


def test_a_whole_run_removes_the_part(ready: Stage) -> None:
    config = ready.yaml(f"metrics: [{FAILS}]")
    assert run(config).error is not None
    text = "from measure_core import *\n" + OWN.replace("Own", "Fails") + "        return 1\n"
    (ready.folder / "stage_metrics.py").write_text(text, encoding="utf-8")
    assert run(config).error is None
    assert sorted(path.name for path in ready.infer.glob("*.json")) == ["measures.json", "measures.meta.json"]


def test_a_part_that_cannot_be_removed(ready: Stage) -> None:
    (ready.infer / "measures.partial.json").mkdir()
    assert run(ready.yaml(f"metrics: [{COUNT}]\ndataset: {{test: [{{name: a}}]}}")).error is None


def test_an_earlier_file_is_not_mistaken_for_this_run(ready: Stage) -> None:
    config = ready.yaml(f"metrics: [{COUNT}]")
    measure(config)
    before = (ready.infer / "measures.json").read_bytes()
    error = run(ready.yaml(f"metrics: [{FAILS}]")).error
    assert "measures.json is of an earlier run" in str(error)
    assert (ready.infer / "measures.json").read_bytes() == before


def test_rows_of_utterances(ready: Stage) -> None:
    own(ready, "return {'x': 1, '_per_utterance': {'len': [len(value) for value in data['hyp']]}}")
    text = USES_OWN.replace("[{", "[{name: a/b c, metric: wer}, {", 1) + "\nper_utterance: true"
    assert measure(ready.yaml(text))["more_metrics.Own"]["a"] == {"x": 1}

    def rows(name: str) -> list[dict[str, object]]:
        path = ready.infer / "b" / "measure" / name
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    of_wer = rows(f"a_b_c-{hashlib.sha256(b'a/b c').hexdigest()[:8]}.jsonl")
    assert [row["id"] for row in of_wer] == ["utt1", "utt2", "utt3"]
    counts = {"hits": 0, "substitutions": 1, "deletions": 0, "insertions": 0, "reference_words": 1}
    assert of_wer[1] == {"id": "utt2", **counts, "wer": 1.0}
    assert of_wer[2]["wer"] is None
    assert rows("more_metrics.Own.jsonl")[0] == {"id": "utt1", "len": 3}


def test_rows_with_aligned_tokens(ready: Stage) -> None:
    measure(ready.yaml("metrics: [{metric: {_target_: wer, alignment: true, per_utterance: true}}]"))
    first = json.loads((ready.infer / "a" / "measure" / "measure_core.builtin.WER.jsonl").read_text().splitlines()[0])
    assert first["alignment"] == [["=", "a", "a"], ["S", "b", "x"], ["=", "c", "c"], ["=", "d", "d"]]


@pytest.mark.parametrize("rows", ["[1]", "{'x': [1]}", "{'x': 3}"])
def test_rows_of_another_length_are_refused(ready: Stage, rows: str) -> None:
    with pytest.raises(MetricError, match="one per utterance"):
        measure(own(ready, f"return {{'_per_utterance': {rows}}}"))


@pytest.mark.parametrize("asked", [False, True])
def test_a_column_of_rows_that_is_named_id(ready: Stage, asked: bool) -> None:
    with pytest.raises(MetricError, match="Own on a: a column of `_per_utterance` is named id"):
        measure(
            own(ready, "return {'_per_utterance': {'id': list(data['hyp'])}}"), options=Options(per_utterance=asked)
        )


@pytest.mark.parametrize("nonfinite", ["'null'", "literal"])
@pytest.mark.parametrize("value", [".nan", "-.inf", "[1, {2: .inf}]", "!!binary aGk=", "2026-01-02"])
def test_metadata_are_json_whatever_the_arguments_are(ready: Stage, nonfinite: str, value: str) -> None:
    module(
        ready,
        "class Any(AbsMetrics):\n    def __init__(self, x): pass\n    def __call__(self, d, t, o): return 1\n",
    )
    config = ready.yaml(
        f"metrics: [{{metric: {{_target_: more_metrics.Any, x: {value}}}, inputs: [hyp]}}]\nnonfinite: {nonfinite}"
    )
    run(config)
    text = (ready.infer / "measures.meta.json").read_text(encoding="utf-8")

    def refuse(word: str) -> None:
        raise AssertionError(word)

    assert json.loads(text, parse_constant=refuse)["records"]["more_metrics.Any"]["a"]["utterances"] == 2
    assert len(run(config, options=Options(resume=True)).reused) == 2


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_no_interval_of_sums_without_an_end(ready: Stage) -> None:
    ready.scp("c", "time", "utt1 1e308", "utt2 1e308", "utt3 2")
    ready.scp("c", "duration", "utt1 1", "utt2 1", "utt3 2")
    config = ready.yaml("metrics: [{metric: rtf}]\nstatistics: {bootstrap: 200}\nnonfinite: literal")
    measure(config, options=Options(test_sets=["c"]))
    text = (ready.infer / "measures.meta.json").read_text(encoding="utf-8")
    assert "NaN" not in text
    assert "Infinity" not in text
    assert ready.record("measure_core.builtin.RTF", "c")["intervals"] == {}


def test_counting_in_parts_changes_nothing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.pairs("a", *((f"a b c{k}", f"a x c{k}" if k % 3 else "b") for k in range(50)))
    config = stage.yaml("metrics: [{metric: wer}, {metric: cer}]\nper_utterance: true\nstatistics: {bootstrap: 100}")
    whole = measure(config)
    rows = (stage.infer / "a" / "measure" / "measure_core.builtin.WER.jsonl").read_bytes()
    interval = stage.record("measure_core.builtin.WER", "a")["intervals"]
    monkeypatch.setattr("measure_core.stage._N_COUNTED", 7)
    for jobs in (1, 2):
        assert measure(config, options=Options(jobs=jobs)) == whole
        assert (stage.infer / "a" / "measure" / "measure_core.builtin.WER.jsonl").read_bytes() == rows
        assert stage.record("measure_core.builtin.WER", "a")["intervals"] == interval


def test_on_mismatch_is_recorded(ready: Stage) -> None:
    ready.scp("a", "hyp", "utt1 a x c d", "utt7 q")
    config = ready.yaml("metrics: [{metric: wer}]")
    options = Options(on_mismatch="intersect", test_sets=["a"])
    assert measure(config, options=options)["measure_core.builtin.WER"]["a"]["wer"] == 0.25
    record = ready.record("measure_core.builtin.WER", "a")
    assert "|mismatch:intersect(2 left out)|n:1" in record["signature"]
    ready.scp("a", "hyp", "utt1 a x c d")
    options = Options(on_mismatch="empty", test_sets=["a"])
    assert measure(config, options=options)["measure_core.builtin.WER"]["a"]["wer"] == 0.5
    assert "|mismatch:empty(1 empty)|n:2" in ready.record("measure_core.builtin.WER", "a")["signature"]


def test_a_dry_look_leaves_the_results_alone(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]")
    measure(config)
    before = (ready.infer / "measures.json").read_bytes()
    limited = measure(config, options=Options(limit=1))
    assert limited["measure_core.builtin.WER"]["a"]["wer"] == 0.25
    assert (ready.infer / "measures.json").read_bytes() == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_path_metrics_get_files(ready: Stage, jobs: int) -> None:
    module(
        ready,
        "from pathlib import Path\n"
        "class Names:\n    def __call__(self, data: dict[str, Path], test_name, output_dir):\n"
        "        return {k: [p.name, p.read_text().count('\\n')] for k, p in data.items()}\n"
        "class Words(BaseMetric):\n"
        "    inputs = (Field('ref', 'text'), Field('hyp', 'text'))\n    outputs = (Field('words', 'number'),)\n"
        "    def __init__(self):\n        super().__init__()\n        self.add_state('words', 0, 'sum')\n"
        "    def update(self, *, ref, hyp):\n        self.words += sum(len(t.split()) for t in ref)\n"
        "    def compute(self):\n        return {'words': self.words}\n",
    )
    names = "{metric: {_target_: more_metrics.Names}, inputs: [ref, hyp]}"
    words = "{metric: {_target_: more_metrics.Words}}"
    found = measure(ready.yaml(f"metrics: [{names}, {words}]"), options=Options(jobs=jobs))
    assert found["more_metrics.Names"]["a"] == {"ref": ["ref.scp", 2], "hyp": ["hyp.scp", 2]}
    assert found["more_metrics.Words"] == {"a": {"words": 6}, "b": {"words": 3}}


def test_a_path_metric_that_is_not_ours_gets_files_in_one_order(ready: Stage) -> None:
    module(
        ready,
        "from pathlib import Path\n"
        "class First:\n    def __call__(self, data: dict[str, Path], test_name, output_dir):\n"
        "        return [p.read_text().split()[0] for p in data.values()]\n",
    )
    ready.scp("a", "hyp", "utt2 x", "utt1 y")
    config = ready.yaml("metrics: [{metric: {_target_: more_metrics.First}, inputs: [ref, hyp]}]")
    assert measure(config)["more_metrics.First"]["a"] == ["utt1", "utt1"]


def test_a_metric_may_print_and_exit(ready: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MetricError, match="SystemExit"):
        measure(own(ready, "print('noise')", "raise SystemExit(0)"))
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "noise\n")


def test_an_utterance_that_the_exception_names_is_told(ready: Stage) -> None:
    config = own(ready, "fault = ValueError('x')", "fault.utt_id = 'utt2'", "raise fault")
    with pytest.raises(MetricError, match="on a, utterance utt2: ValueError: x") as caught:
        measure(config)
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_interrupted_run_leaves_what_is_finished(ready: Stage) -> None:
    module(ready, "class Stop(AbsMetrics):\n    def __call__(self, d, t, o):\n        raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        measure(ready.yaml(f"metrics: [{COUNT}, {{metric: {{_target_: more_metrics.Stop}}, inputs: [hyp]}}]"))
    assert ready.results("measures.partial.json") == {"stage_metrics.Count": {"a": {"n": 2}, "b": {"n": 3}}}
    assert not (ready.infer / "measures.json").exists()


def test_the_module_beside_the_file_is_read_anew(ready: Stage) -> None:
    for number in (1, 2):
        config = own(ready, f"return {number}")
        os.utime(ready.folder / "more_metrics.py", (number, number))
        assert measure(config)["more_metrics.Own"]["a"] == number


def test_an_environment_below_the_folder_is_left_alone(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = ready.folder / "env" / "lib"
    (libraries / "a_library").mkdir(parents=True)
    (libraries / "a_library" / "__init__.py").write_text("from a_library import part", encoding="utf-8")
    (libraries / "a_library" / "part.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(libraries)
    assert measure(own(ready, "import a_library", "return 1"))["more_metrics.Own"]["a"] == 1
    assert {"a_library", "a_library.part"} <= set(sys.modules)
    assert "more_metrics" not in sys.modules
    del sys.modules["a_library"], sys.modules["a_library.part"]


def test_espnet3_names(ready: Stage) -> None:
    text = "from espnet3.components.metrics.abs_metric import AbsMetrics\n" + OWN + "        return 1\n"
    (ready.folder / "more_metrics.py").write_text(text, encoding="utf-8")
    config = ready.yaml(USES_OWN)
    assert measure(config)["more_metrics.Own"]["a"] == 1
    with pytest.raises(ConfigError, match="espnet3"):
        measure(config, options=Options(espnet3_names=False))


def test_check_lists_and_computes_nothing(ready: Stage) -> None:
    planned, faults = check(ready.yaml(f"metrics: [{FAILS}]"))
    assert planned is not None
    assert (planned.test_sets, faults) == (["a", "b"], [])
    ready.scp("b", "hyp", "utt1")
    planned, faults = check(ready.yaml("metrics: [{metric: wer}]"))
    assert planned is not None
    assert ["utterance IDs differ" in str(fault) for fault in faults] == [True]
    planned, faults = check(ready.folder / "absent.yaml")
    assert (planned, len(faults)) == (None, 1)
    assert not list(ready.infer.glob("*.json"))


def test_no_fault_hides_a_broken_file_from_a_check(ready: Stage) -> None:
    for name in ("hyp", "other"):
        ready.scp("a", name, "utt1 a", "utt1 b")
    count = "{_target_: stage_metrics.Count}"
    config = ready.yaml(
        f"metrics: [{{metric: {count}, inputs: [absent, hyp]}}, {{metric: {count}, inputs: [other]}},"
        " {name: x, metric: {_target_: stage_metrics.Inner}}, {metric: wer, inputs: {ref: ref, hyp: ref}}]"
    )
    told = "\n".join(fault.what for fault in check(config, options=Options(test_sets=["a"]))[1])
    for words in ("absent.scp is missing", "hyp.scp:2: S002", "both have the key", "other.scp:2: S002", "not a metric"):
        assert told.count(words) == 1, words
    told = "\n".join(fault.what for fault in check(config, options=Options(test_sets=["a"], metrics=["wer"]))[1])
    assert "not a metric" in told
    assert ".scp" not in told


def test_progress_is_told(ready: Stage) -> None:
    told: list[tuple[int, int]] = []
    run(ready.yaml(f"metrics: [{COUNT}]"), progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_load_inputs(ready: Stage) -> None:
    found = load_inputs(ready.infer, "b", {"r": "ref", "h": "hyp"})
    assert found == {"utt_id": ["utt1", "utt2", "utt3"], "r": ["a b", "c", ""], "h": ["a b", "d", "x"]}
    assert list(load_inputs(ready.infer, "b", ["hyp"])) == ["utt_id", "hyp"]
    with pytest.raises(InputError, match=r"nothing\.scp is missing"):
        load_inputs(ready.infer, "b", ["nothing"])


def test_a_mapping_is_a_configuration_too(ready: Stage) -> None:
    config = {"infer_dir": str(ready.infer), "metrics": [{"metric": "wer"}]}
    assert measure(config, overrides=["metrics.0.name=x"])["x"]["a"]["wer"] == pytest.approx(1 / 6)


def test_a_result_on_which_nothing_can_be_divided(ready: Stage) -> None:
    ready.scp("c", "ref", "utt1")
    ready.scp("c", "hyp", "utt1 a")
    with pytest.raises(MetricError, match=r"builtin\.WER on c"):
        measure(ready.yaml("metrics: [{metric: wer}]"), options=Options(test_sets=["c"]))


def test_a_folder_that_cannot_be_written(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    config = own(ready, "(output_dir / 'mark').touch()", "return 1")
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != ready.infer or not mode & os.W_OK)
    words = f"results cannot be written: the directory {ready.infer} is not writable"
    with pytest.raises(ConfigError, match=words):
        measure(config)
    assert sorted(path.name for path in ready.infer.iterdir()) == ["a", "b"]
    assert [str(fault).partition("\n")[0] for fault in check(config)[1]] == [
        f"{ready.infer / 'measures.json'}: the {words}"
    ]


def test_a_results_file_that_is_a_directory(ready: Stage) -> None:
    with pytest.raises(ConfigError, match=f"{ready.infer / 'a'} is a directory"):
        measure(ready.yaml(f"metrics: [{COUNT}]\nresults_file: a"))


def test_what_cannot_be_saved_on_the_way_does_not_end_the_run(
    ready: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("measure_core.stage._SAVE_SECONDS", -1.0)
    (ready.infer / "measures.partial.json").mkdir()
    config = ready.yaml(f"metrics: [{COUNT}]\ndataset: {{test: [{{name: a}}, {{name: b}}]}}")
    assert measure(config)["stage_metrics.Count"] == {"a": {"n": 2}, "b": {"n": 3}}
    assert "what is finished is not saved: " in caplog.text


def test_what_can_be_written_nowhere_is_shown(ready: Stage) -> None:
    names = ("measures.json", "measures.partial.json")
    config = own(ready, *(f"(output_dir / {name!r}).mkdir(exist_ok=True)" for name in names), "return 1")
    done = run(config)
    assert isinstance(done.error, OutputError)
    assert "what was computed is shown, and written nowhere" in str(done.error)
    assert done.results == {"more_metrics.Own": {"a": 1, "b": 1}}


PATH_ROWS = """
from pathlib import Path
from typing import Literal
class Called:
    def __call__(self, data: dict[str, Path], test_name, output_dir):
        lines = data["ref"].read_text().splitlines()
        return {"_per_utterance": {"first": [line.split()[1] for line in lines]}}
class Driven:
    def __init__(self):
        self.words = []
    def update(self, **values):
        self.words += [text.split()[0] for text in values["ref"]]
    def compute(self):
        return {"_per_utterance": {"first": self.words}}
class Ours(BaseMetric):
    inputs = (Field("ref", "text"), Field("hyp", "text"))
    outputs = (Field("n", "number"),)
    def update(self, **values): pass
    def compute(self): pass
    def __call__(self, data, test_name, output_dir):
        words = [row["ref"] for _, row in self.iter_inputs(data, "ref")]
        return {"n": 0, "_per_utterance": {"first": words}}
"""


@pytest.mark.parametrize("name", ["Called", "Driven", "Ours"])
@pytest.mark.parametrize("on_mismatch", ["error", "intersect"])
def test_rows_of_path_metrics_stand_at_their_utterances(
    ready: Stage, name: str, on_mismatch: Literal["error", "intersect"]
) -> None:
    module(ready, PATH_ROWS)
    ids = ["u3", "u1", "u4", "u2"]
    for file in ("ref", "hyp"):
        ready.scp(
            "c", file, *(f"{utt} {utt.upper()}" for utt in ids), *(["z Z"] if on_mismatch != file == "ref" else [])
        )
    if on_mismatch == "error":
        ready.scp("c", "ref", *(f"{utt} {utt.upper()}" for utt in ids))
    config = ready.yaml(f"metrics: [{{metric: {{_target_: more_metrics.{name}}}, inputs: [ref, hyp]}}]")
    measure(config, options=Options(per_utterance=True, test_sets=["c"], on_mismatch=on_mismatch))
    text = (ready.infer / "c" / "measure" / f"more_metrics.{name}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows == [{"id": utt, "first": utt.upper()} for utt in sorted(ids)]


@pytest.mark.parametrize("is_wanted", [False, True])
@pytest.mark.parametrize("name", ["Called", "Driven", "Ours"])
def test_rows_of_files_in_different_orders_stand_at_their_utterances(ready: Stage, name: str, is_wanted: bool) -> None:
    module(ready, PATH_ROWS)
    ready.scp("a", "ref", "utt2 TWO", "utt1 ONE")
    ready.scp("a", "hyp", "utt1 x", "utt2 y")
    config = ready.yaml(f"metrics: [{{metric: {{_target_: more_metrics.{name}}}, inputs: [hyp, ref]}}]")
    done = measure(config, options=Options(per_utterance=is_wanted, test_sets=["a"]))
    assert done == {f"more_metrics.{name}": {"a": {"n": 0} if name == "Ours" else {}}}
    path = ready.infer / "a" / "measure" / f"more_metrics.{name}.jsonl"
    assert path.exists() is is_wanted
    if is_wanted:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert rows == [{"id": "utt1", "first": "ONE"}, {"id": "utt2", "first": "TWO"}]


def test_rows_that_nobody_wants_cost_no_result(ready: Stage) -> None:
    body = "return {'n': 1, '_per_utterance': {'x': [{1, 2} for _ in data['hyp']]}}"
    assert measure(own(ready, body)) == {"more_metrics.Own": {"a": {"n": 1}, "b": {"n": 1}}}
    with pytest.raises(MetricError, match="not JSON"):
        measure(own(ready, body), options=Options(per_utterance=True))


@pytest.mark.parametrize("nonfinite", ["'null'", "literal"])
def test_a_row_with_a_number_that_is_not_finite_is_told(ready: Stage, nonfinite: str) -> None:
    own(ready, "return {'_per_utterance': {'x': [float('nan') if h == 'd' else 1.0 for h in data['hyp']]}}")
    measure(ready.yaml(f"{USES_OWN}\nnonfinite: {nonfinite}\nper_utterance: true"))
    path = ready.infer / "b" / "measure" / "more_metrics.Own.jsonl"
    rows = [json.loads(line)["x"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows == [1.0, None, 1.0]
    warnings = ready.record("more_metrics.Own", "b")["warnings"]
    assert warnings == [f"not a finite number, written as null: x of utt2 ({path})"]
    assert ready.record("more_metrics.Own", "a")["warnings"] == []


def test_a_row_that_is_not_finite_may_be_refused(ready: Stage) -> None:
    own(ready, "return {'_per_utterance': {'x': [float('inf') for _ in data['hyp']]}}")
    with pytest.raises(MetricError, match="not finite"):
        measure(ready.yaml(f"{USES_OWN}\nnonfinite: error\nper_utterance: true"))


def test_a_metric_without_rows_is_told_where_they_are_wanted(ready: Stage) -> None:
    measure(ready.yaml(f"metrics: [{COUNT}, {{metric: wer}}]\nper_utterance: true"))
    warnings = ready.record("stage_metrics.Count", "a")["warnings"]
    assert warnings == ["it gives no values of utterances (`_per_utterance`), so no rows are written"]
    assert ready.record("measure_core.builtin.WER", "a")["warnings"] == []


RAISING = """
from measure_core.builtin import WER
class Signed:
    @property
    def signature(self):
        raise KeyError("no such choice")
    def __call__(self, *_):
        return 1
class Adds(WER):
    def result(self, counts):
        raise KeyError("no such choice")
class Rows(WER):
    def rows(self, *_):
        raise KeyError("no such choice")
class SignedCounts(WER):
    @property
    def signature(self):
        raise KeyError("no such choice")
class Anything:
    def __getattr__(self, name):
        return lambda *_: None
    def __call__(self, *_):
        return 1
class Faced:
    @property
    def measure_interface(self):
        raise KeyError("no such choice")
    def __call__(self, *_):
        return 1
"""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", ["Signed", "Adds", "Rows"])
def test_whatever_a_metric_raises_costs_its_own_result_only(ready: Stage, name: str, jobs: int) -> None:
    module(ready, RAISING)
    first = f"{{metric: {{_target_: more_metrics.{name}}}, inputs: [ref, hyp], per_utterance: true}}"
    config = ready.yaml(f"metrics: [{first}, {COUNT}]")
    done = run(config, options=Options(keep_going=True, jobs=jobs))
    assert isinstance(done.error, MetricError)
    for test_name in "ab":
        assert f"metric more_metrics.{name} on {test_name}: KeyError: 'no such choice'" in str(done.error)
    assert done.results == {"stage_metrics.Count": {"a": {"n": 2}, "b": {"n": 3}}}


@pytest.mark.parametrize(("name", "attribute"), [("SignedCounts", "signature"), ("Faced", "measure_interface")])
def test_what_a_metric_does_not_say_of_itself_is_told_before_the_run(ready: Stage, name: str, attribute: str) -> None:
    module(ready, RAISING)
    with pytest.raises(ConfigError, match=rf"more_metrics\.{name}: its `{attribute}` cannot be read: KeyError"):
        measure(ready.yaml(f"metrics: [{{metric: {{_target_: more_metrics.{name}}}, inputs: [ref, hyp]}}]"))


def test_a_metric_that_answers_to_any_name(ready: Stage) -> None:
    module(ready, RAISING)
    entry = "{metric: {_target_: more_metrics.Anything}, inputs: [hyp], interface: lists}"
    assert measure(ready.yaml(f"metrics: [{entry}]")) == {"more_metrics.Anything": {"a": 1, "b": 1}}


def test_rows_with_numbers_that_are_not_finite_are_told_apart(ready: Stage) -> None:
    own(ready, "return {'_per_utterance': {name: [float('nan') for _ in data['hyp']] for name in 'xyz'}}")
    measure(ready.yaml(f"{USES_OWN}\nper_utterance: true"))
    (warning,) = ready.record("more_metrics.Own", "a")["warnings"]
    assert "written as null: x of utt1, y of utt1, z of utt1, x of utt2, y of utt2, … (" in warning
