"""The command as a process: status, streams, files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from measure_support import Stage

COUNT = "{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}"
FAILS = "{metric: {_target_: stage_metrics.Fails}, inputs: [hyp]}"


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b c d", "a x c d"), ("e f", "e f"))
    stage.pairs("b", ("a b", "a b"))
    stage.yaml("metrics: [{metric: wer}]\nstatistics: {bootstrap: 100}")
    return stage


def test_run_prints_a_table_and_writes_results(ready: Stage) -> None:
    done = ready.run("run", "measure.yaml")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert re.search(r"^measure_core.builtin.WER +a +wer +16\.67% +0\.00% to 25\.00% +2$", lines[2])
    assert lines[-1].startswith("signature of measure_core.builtin.WER on b: measure-core|v:")
    assert done.stderr == f"test sets found in {ready.infer}: a b\n"
    assert (ready.infer / "measures.json").exists()
    assert ready.run("run", "measure.yaml").stdout == done.stdout


def test_run_prints_json(ready: Stage) -> None:
    done = ready.run("run", "measure.yaml", "--json", "--quiet", "--set", "metrics.0.name=x")
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["schema_version"] == "1.0"
    assert document["is_whole"] is True
    score = document["scores"][0]
    assert (score["metric"], score["test_set"], score["result"]["wer"]) == ("x", "a", pytest.approx(1 / 6))
    assert score["signature"].endswith("|n:2")
    assert score["intervals"]["wer"]["draws"] == 100


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "absent.yaml"], 2, "error: absent.yaml: no such file"),
        (["run", "."], 2, "error: .: cannot be read"),
        (["run", "measure.yaml", "--set", "metrics=3"], 2, "error: metrics"),
        (["run", "measure.yaml", "--test-set", "c"], 2, "error: there is no test set c"),
        (["run", "measure.yaml", "--metric", "cer"], 2, "error: there is no metric cer"),
        (["run", "measure.yaml", "--scheduler", "x:1"], 2, "--scheduler goes with --engine dask"),
        (["run", "measure.yaml", "-j", "0"], 2, "'0' is no whole number from 1"),
        (["run", "measure.yaml", "--limit", "-1"], 2, "is no whole number"),
        (["run"], 2, "CONFIG"),
        (["nothing"], 2, "invalid choice"),
        ([], 2, "VERB"),
        (["show", "absent"], 2, "error: absent: no such file"),
        (["show", "."], 2, "error: . has no measures.json or metrics.json"),
        (["show", "measure.yaml"], 2, "error: measure.yaml:1: not JSON"),
        (["compare", "infer", "infer"], 2, "error: infer has no measures.json"),
        (["init", "absent"], 2, "error: absent is not a directory"),
        (["init", "infer/a"], 2, "error: infer/a has no test set"),
        (["quick", "absent", "infer/a/hyp.scp"], 2, "error: absent: no such file"),
        (["quick", "infer/a/ref.scp", "infer/b/hyp.scp"], 2, "error: REF and HYP: utterance IDs differ"),
        (["quick", "infer/a/ref.scp", "infer/a/hyp.scp", "--normalise", "lowr"], 2, "lowr"),
        (["quick", "infer/a/ref.scp", "infer/b/hyp.scp", "--lines"], 2, "has 2 lines and infer/b/hyp.scp has 1"),
    ],
)
def test_wrong_usage_and_input(ready: Stage, arguments: list[str], status: int, words: str) -> None:
    done = ready.run(*arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(ready.infer.glob("*.json"))


def test_a_failure_is_told_with_what_was_finished(ready: Stage) -> None:
    ready.yaml(f"metrics: [{COUNT}, {FAILS}]")
    done = ready.run("run", "measure.yaml", "--keep-going")
    assert done.returncode == 3
    assert "not whole" in done.stdout
    assert "error: metric stage_metrics.Fails on b: RuntimeError: no such model: phones.bin" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(ready.run("run", "measure.yaml", "--json", "--quiet").stdout)["is_whole"] is False
    assert "Traceback" in ready.run("run", "measure.yaml", "--verbose").stderr
    shown = ready.run("show", "infer/measures.partial.json")
    assert "not whole" in shown.stdout


def test_several_faults_are_one_message(ready: Stage) -> None:
    ready.scp("a", "hyp", "utt1 x")
    ready.scp("b", "hyp", "utt1 x", "utt1 y")
    done = ready.run("run", "measure.yaml")
    assert done.returncode == 2
    assert done.stderr.count("error:") == 1
    assert "2 problems" in done.stderr


@pytest.mark.parametrize(
    "target", ["os.system", "subprocess.Popen", "builtins.eval", "stage_metrics.factory", "stage_metrics.make"]
)
def test_targets_that_are_no_metric_class(ready: Stage, target: str) -> None:
    mark = ready.folder / "mark"
    ready.yaml(f"metrics: [{{metric: {{_target_: {target}, _args_: ['touch {mark}']}}, inputs: [ref]}}]")
    done = ready.run("run", "measure.yaml")
    assert done.returncode == 2
    assert f"`_target_: {target}` is refused" in done.stderr
    assert not mark.exists()


def test_allow_target_lifts_it_with_a_warning(ready: Stage) -> None:
    ready.yaml("metrics: [{metric: {_target_: stage_metrics.factory, factor: 3}, inputs: [ref]}]")
    done = ready.run("run", "measure.yaml", "--allow-target", "stage_metrics.factory")
    assert done.returncode == 0
    assert "warning: the target stage_metrics.factory may be built whatever it is" in done.stderr
    assert ready.results()["stage_metrics.Count"]["a"] == {"n": 6}


def test_check(ready: Stage) -> None:
    done = ready.run("check", "measure.yaml")
    assert (done.returncode, done.stdout) == (0, "nothing wrong: 1 metrics on 2 test sets (a, b)\n")
    ready.scp("a", "hyp", "utt1 x")
    ready.scp("b", "hyp", "utt1 x", "utt1 y")
    done = ready.run("check", "measure.yaml")
    assert done.returncode == 1
    assert done.stdout.count("error: ") == 2
    document = json.loads(ready.run("check", "measure.yaml", "--json").stdout)
    assert len(document["problems"]) == 2
    assert document["problems"][1]["line"] == 2


def test_show(ready: Stage) -> None:
    ready.run("run", "measure.yaml")
    text = ready.run("show", "infer")
    assert "16.67%" in text.stdout
    assert ready.run("show", "infer", "--format", "md").stdout.startswith("| metric | test set |")
    assert r"\begin{tabular}" in ready.run("show", "infer", "--format", "latex").stdout
    rows = ready.run("show", "infer/measures.json", "--format", "csv").stdout.splitlines()
    assert rows[0] == "metric,test_set,score,value,low,high,utterances,signature"
    assert rows[1].startswith("measure_core.builtin.WER,a,wer,0.1666666")
    assert json.loads(ready.run("show", "infer", "--json").stdout)["scores"][0]["test_set"] == "a"
    (ready.infer / "measures.meta.json").unlink()
    assert "0.166667" in ready.run("show", "infer").stdout


def test_show_takes_a_file_of_another_tool(ready: Stage) -> None:
    text = '{"my.WER": {"a": {"WER": 25.0, "more": {"x": 1}}, "b": 3.5, "c": [1, 2], "d": null}}'
    (ready.infer / "measures.json").write_text(text, encoding="utf-8")
    shown = ready.run("show", "infer").stdout
    assert "25" in shown
    assert "3.5" in shown
    (ready.infer / "measures.json").write_text('{"my.WER": 3}', encoding="utf-8")
    assert ready.run("show", "infer").returncode == 2


def test_compare(ready: Stage) -> None:
    ready.run("run", "measure.yaml")
    done = ready.run("compare", "infer", "infer", "--test", "mapsswe", "--test", "bootstrap")
    assert done.returncode == 0
    assert "z = 0.000, p = 1 (Holm 1)" in done.stdout
    assert "95% interval +0.00 to +0.00 points" in done.stdout
    document = json.loads(ready.run("compare", "infer", "infer", "--json").stdout)
    assert document["comparisons"][0]["outcome"]["difference"] == 0.0


def test_init_writes_what_check_accepts(ready: Stage) -> None:
    done = ready.run("init", "infer", "-o", "new.yaml")
    assert (done.returncode, done.stdout) == (0, "")
    assert ready.run("check", "new.yaml").returncode == 0
    assert ready.run("run", "new.yaml", "--quiet").returncode == 0
    assert set(ready.results()) == {"measure_core.builtin.WER", "WER-normalised", "measure_core.builtin.CER"}
    again = ready.run("init", "infer", "-o", "new.yaml")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    assert ready.run("init", "infer").stdout == (ready.folder / "new.yaml").read_text(encoding="utf-8")


def test_init_with_odd_names(ready: Stage) -> None:
    for name in ("1", "yes", "a: b", 'it\'s "x"'):
        ready.scp(name, "text", "utt1 a")
        ready.scp(name, "hyp", "utt1 a")
    for name in ("a", "b"):
        (ready.infer / name / "ref.scp").rename(ready.infer / name / "text.scp")
    ready.run("init", "infer", "-o", "new.yaml")
    done = ready.run("check", "new.yaml")
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, "nothing wrong: 3 metrics on 6 test sets")


def test_quick(ready: Stage) -> None:
    done = ready.run("quick", "infer/a/ref.scp", "infer/a/hyp.scp")
    assert done.returncode == 0
    assert re.search(r"^wer +hyp.scp +wer +16.67%", done.stdout, re.MULTILINE)
    assert re.search(r"^cer +hyp.scp +cer +10.00%", done.stdout, re.MULTILINE)
    (ready.folder / "r.txt").write_text("A b.\n\n", encoding="utf-8")
    (ready.folder / "h.txt").write_text("a b\nx\n", encoding="utf-8")
    steps = ["--normalise", "lower", "--normalise", "punctuation"]
    document = json.loads(ready.run("quick", "r.txt", "h.txt", "--lines", "--json", *steps).stdout)
    assert document["scores"][0]["result"]["wer"] == 0.5
    assert "norm:lower+punct" in document["scores"][0]["signature"]


def test_list(ready: Stage) -> None:
    done = ready.run("list")
    assert done.returncode == 0
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[2:]}
    assert rows["wer"][0] == "measure_core.builtin.WER"
    assert {"cer", "per", "ter", "mer", "wil", "wip", "exactmatch", "rtf", "keywordaccuracy"} <= set(rows)
    document = json.loads(ready.run("list", "--json").stdout)
    wer = next(one for one in document["metrics"] if one["name"] == "wer")
    assert wer["inputs"] == ["ref", "hyp"]
    assert wer["summary"]
    assert "\nwer: " in ready.run("list", "--long").stdout


def test_listing_loads_no_class() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "measure_core", "list"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert not re.search(r"\|\s+(numpy|rapidfuzz|hydra|omegaconf|joblib)$", said, re.MULTILINE)


@pytest.mark.parametrize("verb", ["run", "check", "list", "show", "compare", "init", "quick"])
def test_every_verb_has_help(ready: Stage, verb: str) -> None:
    done = ready.run(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: measure {verb}" in done.stdout


def test_abbreviations_are_not_taken(ready: Stage) -> None:
    assert ready.run("run", "measure.yaml", "--keep").returncode == 2


def test_a_closed_pipe_ends_silently(ready: Stage) -> None:
    command = f"{sys.executable} -m measure_core run measure.yaml | true"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ready.folder, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_told(ready: Stage) -> None:
    command = f"{sys.executable} -m measure_core list > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=ready.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("error: <stdout>: No space left")
    assert "Traceback" not in done.stderr


def test_results_that_cannot_be_written_have_their_status(ready: Stage) -> None:
    (ready.infer / "measures.meta.json").mkdir()
    done = ready.run("run", "measure.yaml", "--test-set", "a")
    assert done.returncode == 3
    assert "16.67%" in done.stdout
    assert "measures.meta.json: cannot be written" in done.stderr


def test_what_classes_print_stays_out_of_the_results(ready: Stage) -> None:
    code = (
        "import os\nfrom measure_core import AbsMetrics\nprint('imported')\n"
        "class Loud(AbsMetrics):\n    def __init__(self):\n        print('built')\n"
        "    def __call__(self, *_):\n        os.system('echo called')\n        print('called too')\n        return 1\n"
    )
    (ready.folder / "loud_metric.py").write_text(code, encoding="utf-8")
    ready.yaml("metrics: [{metric: {_target_: loud_metric.Loud}, inputs: [hyp]}]")
    for more in ([], ["-j", "2"]):
        done = ready.run("run", "measure.yaml", "--json", *more)
        assert json.loads(done.stdout)["scores"][0]["result"] == 1
        assert {"imported", "built", "called", "called too"} <= set(done.stderr.splitlines())


def test_text_of_any_language_on_any_terminal(ready: Stage) -> None:
    ready.yaml("metrics: [{name: 你好, metric: wer}]")
    done = ready.run("run", "measure.yaml", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert done.returncode == 0
    assert "你好" in done.stdout


def test_an_interrupt_has_its_status(ready: Stage) -> None:
    body = "class Stop(AbsMetrics):\n    def __call__(self, *_):\n        raise KeyboardInterrupt\n"
    text = f"from measure_core import AbsMetrics\n{body}"
    (ready.folder / "stop_metric.py").write_text(text, encoding="utf-8")
    ready.yaml("metrics: [{metric: {_target_: stop_metric.Stop}, inputs: [hyp]}]")
    done = ready.run("run", "measure.yaml")
    assert (done.returncode, "Traceback" in done.stderr) == (130, False)
