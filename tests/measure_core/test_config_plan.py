"""What a run is to do, checked before anything is read."""

from pathlib import Path

import pytest

from measure_core import ConfigError, InputError, MeasureError
from measure_core.config.document import load_document
from measure_core.config.options import Options
from measure_core.config.plan import plan
from measure_core.runner import check
from measure_support import Stage, planned, refused

COUNT = "{_target_: stage_metrics.Count}"


def test_test_sets_come_from_the_configuration_in_its_order(ready: Stage) -> None:
    dataset = "dataset: {_target_: not.there, root: '${nowhere}', test: [{name: b, x: '${y}'}, {name: a}]}"
    text = f"{dataset}\nmetrics: [{{metric: wer}}]"
    found = planned(ready, text)
    assert (found.test_sets, found.are_discovered) == (["b", "a"], False)
    assert planned(ready, text, Options(test_sets=["a"])).test_sets == ["a"]
    assert planned(ready, text + "\ntest_sets: [a]").test_sets == ["a"]
    assert planned(ready, text + "\ntest_sets: a").test_sets == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "dataset: {test: '${tests}', x: '${nowhere}'}\ntests: [{name: b, y: '${nowhere}'}, {name: a}]\n",
        "dataset: ${ds}\nds: {x: '${nowhere}', test: [{name: b}, {name: a}]}\n",
        "dataset: {test: ['${one}', {name: '${two.name}'}]}\none: {name: b}\ntwo: {name: a}\n",
    ],
)
def test_test_sets_that_stand_elsewhere_in_the_file(ready: Stage, text: str) -> None:
    found = planned(ready, f"{text}metrics: ${{ms}}\nms: ['${{wer}}', {{metric: cer}}]\nwer: {{metric: wer}}")
    assert (found.test_sets, found.are_discovered) == (["b", "a"], False)
    assert [entry.key for entry in found.entries] == ["measure_core.builtin.WER", "measure_core.builtin.CER"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "dataset: {test: t1}",
            "dataset.test",
        ),
        ("dataset: {test: {name: t1}}", "a list of test sets is wanted"),
        ("dataset: {test: '${tests}'}\ntests: t1", "a list of test sets is wanted"),
        ("dataset: {test: '${nowhere}'}", "nowhere"),
        ("dataset: ${nowhere}", "nowhere"),
        ("dataset: {test: '???'}", "dataset.test"),
        ("dataset: t1", "a mapping is wanted"),
        ("dataset: [{name: a}]", "a mapping is wanted"),
        ("dataset: {test: [{name: '${nowhere}'}]}", "nowhere"),
        ("test_sets: 5", "5 is no list of names"),
        ("test_sets: false", "False is no list of names"),
        ("test_sets: {a: b}", "is no list of names"),
        ("test_sets: [1]", "is no list of names"),
        ("test_sets: [[a]]", "is no list of names"),
    ],
)
def test_a_choice_of_test_sets_is_never_ignored(ready: Stage, text: str, words: str) -> None:
    assert words in refused(ready, f"{text}\nmetrics: [{{metric: wer}}]")


@pytest.mark.parametrize("text", ["", "dataset: ~\n", "dataset: {test: []}\n", "dataset: {train: [{name: c}]}\n"])
def test_test_sets_are_discovered(ready: Stage, text: str) -> None:
    (ready.infer / ".cache").mkdir()
    (ready.infer / "notes.txt").write_text("x", encoding="utf-8")
    found = planned(ready, f"{text}metrics: [{{metric: wer}}]")
    assert (found.test_sets, found.are_discovered) == (["a", "b"], True)


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ("[{name: ../infer/a}]", "../infer/a' is not one path component"),
        ("[{name: /tmp}]", "is not one path component"),
        ("[{name: ..}]", "is not one path component"),
        ("[{name: a}, {name: a}]", "a is there twice"),
        ("[{path: a}]", "needs a `name`"),
        ("[{name: 3}]", "the name of a test set is 3; a text is wanted"),
        ("[{nam: a}]", "needs a `name`"),
        ("[a]", "needs a `name`"),
        ("[{name: aa}]", "there is no directory"),
    ],
)
def test_names_of_test_sets_that_are_refused(ready: Stage, tests: str, words: str) -> None:
    assert words in refused(ready, f"dataset: {{test: {tests}}}\nmetrics: [{{metric: wer}}]")


def test_a_missing_test_set_says_what_is_there(ready: Stage) -> None:
    words = refused(ready, "dataset: {test: [{name: test-a}]}\nmetrics: [{metric: wer}]")
    assert f"in {ready.infer} there is: a b" in words
    assert "there is no test set c" in refused(ready, "metrics: [{metric: wer}]", Options(test_sets=["c"]))


def test_the_root(stage: Stage) -> None:
    stage.infer.mkdir()
    assert "has no test set" in refused(stage, "metrics: [{metric: wer}]")
    for text, words in (
        ("metrics: [{metric: wer}]\n", "neither infer_dir nor inference_dir"),
        ("infer_dirs: x\nmetrics: [{metric: wer}]\n", "did you mean infer_dir"),
        ("infer_dir: x\ninference_dir: y\n", "are both given"),
        ("infer_dir: not/there\n", "not/there is not a directory (infer_dir)"),
        ("infer_dir: [x]\n", "is no directory"),
        ("infer_dir:\nmetrics: [{metric: wer}]\n", "infer_dir is empty"),
        ("infer_dir: ''\nmetrics: [{metric: wer}]\n", "'' is no directory (infer_dir)"),
    ):
        stage.config.write_text(text, encoding="utf-8")
        with pytest.raises(MeasureError) as caught:
            plan(load_document(stage.config), Options())
        assert words in str(caught.value) or words in str(caught.value).replace("infer_dirs", "x")


@pytest.mark.parametrize("name", ["..", ".", "a/b.json", "/x.json", '"x\\0y"', "7", "[x.json]"])
def test_a_name_that_is_none_of_a_file(ready: Stage, name: str) -> None:
    assert "is no name of a file" in refused(ready, f"metrics: [{{metric: wer}}]\nresults_file: {name}")


@pytest.mark.parametrize("name", ["measures.partial.json", "x.meta.json", "measures.limit.json", ".META.JSON"])
def test_a_name_that_is_used_for_something_else(ready: Stage, name: str) -> None:
    words = refused(ready, f"metrics: [{{metric: wer}}]\nresults_file: {name}")
    assert "is a name of a file that is written beside the results" in words


def test_what_was_not_chosen_is_known(ready: Stage) -> None:
    text = f"metrics: [{{metric: {COUNT}, inputs: [hyp]}}, {{metric: wer}}]"
    found = planned(ready, text, Options(metrics=["wer"], test_sets=["b"]))
    assert [entry.key for entry in found.entries] == ["measure_core.builtin.WER"]
    assert [entry.key for entry in found.configured] == ["stage_metrics.Count", "measure_core.builtin.WER"]
    assert (found.test_sets, found.configured_sets) == (["b"], ["a", "b"])


def test_the_name_of_the_results_file(ready: Stage) -> None:
    assert planned(ready, "metrics: [{metric: wer}]").results == ready.infer / "measures.json"
    assert planned(ready, "metrics: [{metric: wer}]\nresults_file: x.json").results == ready.infer / "x.json"
    assert planned(ready, "metrics: [{metric: wer}]", Options(limit=2)).results == ready.infer / "measures.limit.json"
    assert "is no name of a file" in refused(ready, "metrics: [{metric: wer}]\nresults_file: ../x.json")
    ready.config.write_text(f"inference_dir: {ready.infer}\nmetrics: [{{metric: wer}}]\n", encoding="utf-8")
    assert plan(load_document(ready.config), Options()).results == ready.infer / "metrics.json"


def test_all_faults_are_listed_together(ready: Stage) -> None:
    metrics = "metrics: [{metric: wwer}, {metric: {_target_: os.system}}]"
    words = refused(ready, f"{metrics}\ndataset: {{test: [{{name: c}}]}}\nstatistics: {{bootstrp: 1}}")
    for part in ("wwer", "os.system", "there is no directory", "did you mean bootstrap"):
        assert part in words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("statistics: 3", "a mapping is wanted"),
        ("statistics: {bootstrap: 0}", "bootstrap is 0"),
        ("statistics: {bootstrap: true}", "bootstrap is True"),
        ("statistics: {bootstrap: 10, seed: -1}", "seed is -1"),
        ("statistics: {bootstrap: 10, level: 95}", "level is 95"),
        ("statistics: {bootstrap: 10, by: word}", "by is 'word'"),
        ("statistics: {by: speaker, utt2spk: 5}", "utt2spk is 5"),
        ("statistics: {by: speaker, separator: 5}", "separator is 5"),
        ("statistics: {by: speaker, separator: ''}", "separator is ''"),
        ("per_utterance: 1", "per_utterance"),
        ("nonfinite: 1", "1 is none of null"),
        ("nonfinite: maybe", "'maybe' is none of null, error, literal"),
        ("per_utterance: maybe", "per_utterance"),
    ],
)
def test_values_that_make_no_sense(ready: Stage, text: str, words: str) -> None:
    assert words in refused(ready, f"metrics: [{{metric: wer}}]\n{text}")


def test_all_faults_of_the_statistics_are_told(ready: Stage) -> None:
    words = refused(
        ready, "metrics: [{metric: wer}]\nstatistics: {bootstrap: -3, seed: x, level: 7, by: foo, utt2spk: 3, zz: 1}"
    )
    assert words.startswith("6 problems")
    for one in ("bootstrap is -3", "seed is 'x'", "level is 7", "by is 'foo'", "utt2spk is 3", "unknown key zz"):
        assert words.count(one) == 1, one


def test_a_root_that_is_not_there_hides_no_name(ready: Stage) -> None:
    ready.config.write_text(
        "infer_dir: absent\nmetrics: [{metric: wer}]\ndataset: {test: [{name: a/b}]}\ntest_sets: [1]\n",
        encoding="utf-8",
    )
    words = "\n".join(map(str, check(ready.config)[1]))
    for one in ("absent is not a directory", "'a/b' is not one path component", "[1] is no list of names"):
        assert words.count(one) == 1, one


def test_an_input_error_stays_one(ready: Stage) -> None:
    with pytest.raises(InputError):
        planned(ready, "metrics: [{metric: wer}]\ndataset: {test: [{name: c}]}")


def test_a_folder_beside_the_file_is_named(
    ready: Stage, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ready.config.write_text("infer_dir: infer\nmetrics: [{metric: wer}]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="run from"):
        plan(load_document(ready.config), Options())
    assert Path("infer").exists() is False
