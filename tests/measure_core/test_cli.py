"""The command as a process: status, streams, files."""

import json
import os
import re
import shutil
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


def test_init_escapes_what_would_be_resolved(ready: Stage) -> None:
    names = ("${x}", "k${b}", r"a\${b}", r"\\${", "x\ny", "\x7f\u2028", "#", "a\\")
    for name in names:
        for side in ("ref", "hyp", "${odd}\n# name"):
            ready.scp(name, side, "utt1 a")
    for side in ("a", "b"):
        shutil.rmtree(ready.infer / side)
    ready.infer.rename(ready.folder / "in${fer}")
    assert ready.run("init", "in${fer}", "-o", "new.yaml").returncode == 0
    done = ready.run("check", "new.yaml")
    assert (done.returncode, done.stdout.partition(" (")[0]) == (0, "nothing wrong: 3 metrics on 8 test sets")
    assert ready.run("run", "new.yaml", "--quiet").returncode == 0
    found = json.loads((ready.folder / "in${fer}" / "measures.json").read_text(encoding="utf-8"))
    assert sorted(found["WER-normalised"]) == sorted(names)


def shell(stage: Stage, arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command through a shell; the arguments are its own text."""
    command = f"exec {sys.executable} -m measure_core {arguments}"
    return subprocess.run(
        ["bash", "-c", command], cwd=stage.folder, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("end", ["", "\r"], ids=["plain", "crlf"])
def test_quick_reads_pipes_whole(ready: Stage, end: str) -> None:
    lines = "".join(f"utt{i:06} a b{end}\n" for i in range(60_000))
    (ready.folder / "big.scp").write_text(lines, encoding="utf-8", newline="")
    for arguments in (
        "quick <(cat big.scp) <(cat big.scp)",
        "quick - big.scp < <(cat big.scp)",
        "quick big.scp - < big.scp",
        "quick <(cat big.scp) /dev/stdin < big.scp",
        "quick --lines - <(cat big.scp) < <(cat big.scp)",
    ):
        done = shell(ready, f"{arguments} --json")
        assert (done.returncode, done.stderr) == (0, "")
        assert [one["utterances"] for one in json.loads(done.stdout)["scores"]] == [60_000] * 2


@pytest.mark.parametrize(
    "arguments", ["- - < infer/a/ref.scp", "- /dev/stdin < <(cat infer/a/ref.scp)", "--lines - - < infer/a/ref.scp"]
)
def test_quick_refuses_one_stream_for_both_sides(ready: Stage, arguments: str) -> None:
    done = shell(ready, f"quick {arguments}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "are the same stream" in done.stderr


def test_quick_with_a_closed_input(ready: Stage) -> None:
    done = shell(ready, "quick - infer/a/ref.scp <&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: <stdin>: is closed" in done.stderr


def test_quick_says_what_was_done_about_ids(ready: Stage) -> None:
    ready.scp("b", "hyp", "utt1 a b c d")
    files = ["infer/a/ref.scp", "infer/b/hyp.scp"]
    done = ready.run("quick", *files, "--on-mismatch", "intersect")
    assert "|mismatch:intersect(1 left out)|n:1" in done.stdout
    assert "warning: wer: 1 utterances are not in both files and were left out" in done.stderr
    done = ready.run("quick", *files, "--on-mismatch", "empty", "--json")
    score = json.loads(done.stdout)["scores"][0]
    assert "|mismatch:empty(1 empty)|n:2" in score["signature"]
    assert score["warnings"] == ["1 utterances are not in infer/b/hyp.scp and were taken as empty"]
    assert ready.run("quick", *reversed(files), "--on-mismatch", "empty").returncode == 2
    done = ready.run("quick", "infer/a/ref.scp", "infer/a/ref.scp", "--on-mismatch", "empty")
    assert ("mismatch" in done.stdout, done.stderr) == (False, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lines", "--on-mismatch", "error"], "--on-mismatch is about IDs"),
        (["--lines"], "error: blank.txt: no reference words"),
        (["--lines", "--normalise", "punctuation"], "error: blank.txt: no reference words"),
    ],
)
def test_quick_with_nothing_to_divide_by(ready: Stage, arguments: list[str], words: str) -> None:
    blank = ". .\n" if "punctuation" in arguments else "\n \n"
    for name in ("blank.txt", "other.txt"):
        (ready.folder / name).write_text(blank, encoding="utf-8")
    done = ready.run("quick", "blank.txt", "other.txt", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.parametrize("json_option", ["", " --json"])
def test_numbers_that_are_not_finite_are_null_in_json(ready: Stage, json_option: str) -> None:
    text = (
        "class Odd:\n    def __call__(self, data, test_name, output_dir):\n        return {'x': float('nan'), 'y': 1}\n"
    )
    (ready.folder / "odd_metric.py").write_text(text, encoding="utf-8")
    ready.yaml("metrics: [{metric: {_target_: odd_metric.Odd}, inputs: [hyp]}]\nnonfinite: literal")
    done = shell(ready, f"run measure.yaml{json_option}")
    assert done.returncode == 0
    assert "NaN" in (ready.infer / "measures.json").read_text(encoding="utf-8")
    shown = shell(ready, f"show infer{json_option}")
    assert shown.returncode == 0
    if json_option:
        for one in (done, shown):
            assert json.loads(one.stdout)["scores"][0]["result"] == {"x": None, "y": 1}
            assert "2 numbers are not finite; in JSON they are null" in one.stderr


@pytest.mark.parametrize(
    "verb", ["run measure.yaml", "check measure.yaml", "list", "quick infer/a/ref.scp infer/a/hyp.scp"]
)
def test_a_closed_output_is_told(ready: Stage, verb: str) -> None:
    done = shell(ready, f"{verb} >&-")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("error: <stdout>: is closed")
    assert "Traceback" not in done.stderr


def test_closed_streams_are_no_fault_where_nothing_is_written(ready: Stage) -> None:
    assert shell(ready, "init infer -o new.yaml >&-").returncode == 0
    assert (ready.folder / "new.yaml").exists()
    assert shell(ready, "show absent 2>&-").returncode == 2


@pytest.mark.parametrize("name", ["nope.yaml", ".", "broken.yaml"])
def test_check_of_a_configuration_that_cannot_be_read(ready: Stage, name: str) -> None:
    (ready.folder / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    for option in ([], ["--json"]):
        done = ready.run("check", name, *option)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"error: {name}" in done.stderr


def test_check_takes_a_pipe(ready: Stage) -> None:
    assert shell(ready, "check <(cat measure.yaml)").returncode == 0


def test_keys_that_are_no_text(ready: Stage) -> None:
    ready.yaml("metrics: [{metric: {_target_: wer, 5: a}}]\n7: x")
    done = ready.run("check", "measure.yaml")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "does not take these arguments" in done.stdout


def test_speakers_are_looked_for_early(ready: Stage) -> None:
    text = "metrics: [{metric: wer}]\nstatistics: {bootstrap: 10, by: speaker, utt2spk: absent}"
    ready.yaml(text)
    done = ready.run("check", "measure.yaml")
    assert (done.returncode, done.stdout.count("absent: no such file")) == (1, 1)
    done = ready.run("run", "measure.yaml")
    assert (done.returncode, "absent: no such file" in done.stderr) == (2, True)
    assert not list(ready.infer.glob("*.json"))


def test_the_page_on_own_metrics_is_true(ready: Stage) -> None:
    page = (Path(__file__).parents[2] / "packages" / "measure-core" / "README.md").read_text(encoding="utf-8")
    blocks = dict(
        re.findall(r"^```(\w+)\n(.*?)^```$", page.partition("## A metric of your own")[2], re.MULTILINE | re.DOTALL)[:2]
    )
    (ready.folder / "my_metrics.py").write_text(blocks["python"], encoding="utf-8")
    ready.config.write_text(f"infer_dir: infer\nmetrics:\n{blocks['yaml']}", encoding="utf-8")
    done = ready.run("run", "measure.yaml", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    results = [one["result"] for one in json.loads(done.stdout)["scores"]]
    assert results == [{"sentence_accuracy": 0.5}, {"sentence_accuracy": 1.0}]


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


def test_a_full_disk_is_told(ready: Stage) -> None:
    command = f"{sys.executable} -m measure_core list > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=ready.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("error: <stdout>: No space left")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["measures.json", "measures.meta.json", "a/measure"])
def test_results_that_could_not_be_written_are_told_before(ready: Stage, name: str) -> None:
    place = ready.infer / name
    if name == "a/measure":
        place.touch()
    else:
        place.mkdir()
    for verb, status in (("run", 2), ("check", 1)):
        more = ["--per-utterance"] if verb == "run" else ["--set", "per_utterance=true"]
        done = ready.run(verb, "measure.yaml", *more, "--test-set", "a")
        assert done.returncode == status
        told = done.stderr if verb == "run" else done.stdout
        assert "cannot be written: " in told
        assert "fix: move what is in the way" in told
    assert "16.67%" not in done.stdout


def test_results_that_cannot_be_written_have_their_status(ready: Stage) -> None:
    code = (
        "from measure_core import AbsMetrics\nclass Blocks(AbsMetrics):\n"
        "    def __call__(self, d, t, o):\n        (o / 'measures.json').mkdir()\n        return 1\n"
    )
    (ready.folder / "blocking.py").write_text(code, encoding="utf-8")
    ready.yaml("metrics: [{metric: wer}, {metric: {_target_: blocking.Blocks}, inputs: [hyp]}]")
    done = ready.run("run", "measure.yaml", "--test-set", "a")
    assert done.returncode == 3
    assert "16.67%" in done.stdout
    assert "measures.json: cannot be written" in done.stderr
    assert f"what was computed is in {ready.infer / 'measures.partial.json'}" in done.stderr
    assert "fix: make room" in done.stderr
    assert set(ready.results("measures.partial.json")) == {"measure_core.builtin.WER", "blocking.Blocks"}
    (ready.infer / "measures.json").rmdir()
    (ready.folder / "blocking.py").write_text(code.replace("(o / 'measures.json').mkdir()", "pass"), encoding="utf-8")
    again = ready.run("run", "measure.yaml", "--test-set", "a", "--resume")
    assert again.returncode == 0
    assert "1 of 2 results are taken over" in again.stderr


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
        assert all(word in done.stderr for word in ("imported", "built", "called", "called too"))
    assert json.loads(ready.run("check", "measure.yaml", "--json").stdout)["problems"] == []


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


@pytest.mark.parametrize(
    ("target", "is_refused"),
    [("os.system", True), ("pickle.loads", True), ("ctypes.CDLL", True), ("posix.getcwd", False)],
)
def test_what_hydra_refuses_is_told_when_it_is_asked(ready: Stage, target: str, is_refused: bool) -> None:
    ready.yaml(
        f"metrics: [{{metric: {{_target_: stage_metrics.Count, inner: {{_target_: {target}}}}}, inputs: [ref]}}]"
    )
    done = ready.run("check", "measure.yaml")
    assert f"--allow-target {target} (Hydra, which builds it, may refuse it all the same)" in done.stdout
    done = ready.run("run", "measure.yaml", "--allow-target", target)
    assert done.returncode == (2 if is_refused else 0)
    if not is_refused:
        return
    headline, *facts = done.stderr.splitlines()
    assert headline.endswith(
        f"`stage_metrics.Count` cannot be built: Hydra, which builds it, refuses `_target_: {target}`"
    )
    assert facts == ["  --allow-target does not change that", "fix: call it in a class of your own, and name that"]


def test_init_refuses_what_no_configuration_can_say(ready: Stage) -> None:
    (ready.infer / "a").rename(ready.infer / "???")
    done = ready.run("init", "infer")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: '???' cannot be written into a configuration")


def test_check_lists_every_fault_by_itself(ready: Stage) -> None:
    ready.scp("a", "hyp", "utt1 x", "utt1 y", "utt2 z", "utt2 z")
    ready.scp("b", "ref", "utt\u00a01 x")
    (ready.infer / "measures.json").mkdir()
    ready.yaml(
        "dataset: {test: [{name: 1}, {name: a}, {name: b}, {name: c}]}\n"
        "metrics: [{metric: wer, inptus: [ref]}, {metric: wwer}, {metric: cer},"
        " {name: x, metric: mer, inputs: [ref, y]}]"
    )
    done = ready.run("check", "measure.yaml", "--json")
    assert done.returncode == 1
    problems = json.loads(done.stdout)["problems"]
    told = [problem["message"] for problem in problems]
    wanted = [
        "the name of a test set is 1; a text is wanted",
        "test set c: there is no directory",
        "unknown key 'inptus'",
        "there is no metric called 'wwer'",
        "needs the input hyp",
        "a/hyp.scp:2: S002 the ID 'utt1' is on line 1 already",
        "a/hyp.scp:4: S002 the ID 'utt2' is on line 3 already",
        "b/ref.scp:1: S004",
        "measures.json: the results cannot be written",
    ]
    assert len(told) == len(wanted)
    for words, message in zip(wanted, told, strict=True):
        assert words in message
    assert [problem["line"] for problem in problems][5:8] == [2, 4, 1]
    shown = ready.run("check", "measure.yaml").stdout
    assert shown.count("error:") == len(wanted)


def test_show_refuses_a_key_that_is_there_twice(ready: Stage) -> None:
    (ready.infer / "measures.json").write_text('{"m": {"a": {"wer": 0.5, "wer": 0.25}}}', encoding="utf-8")
    done = ready.run("show", "infer")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the key 'wer' is there twice" in done.stderr
