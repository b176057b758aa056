"""Two runs: what is compared, what is refused, and that the figures are those of the tests."""

import json
import shutil
from pathlib import Path

import pytest

from measure_core import CompareError, InputError, measure
from measure_core.comparison import Comparison, compare_runs
from measure_core.config.options import Options
from measure_core.espnet3 import import_path
from measure_core.registry import Registered
from measure_support import Stage

SIGNIFICANCE = Path(__file__).parent / "data" / "significance"


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Stage, Stage]:
    """Two systems on the same references."""
    found = []
    for name, hyp in (("one", "a x c d"), ("two", "a b c d")):
        (tmp_path / name).mkdir()
        stage = Stage(tmp_path / name)
        stage.pairs("t", ("a b c d", hyp), ("e f", "e f"), ("g", "h"))
        measure(stage.yaml("metrics: [{metric: wer}, {metric: cer}, {metric: exactmatch}]"))
        found.append(stage)
    return found[0], found[1]


def compared(runs: tuple[Stage, Stage], **options: object) -> list[Comparison]:
    return compare_runs(runs[0].infer, runs[1].infer, **options)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["d1", "d2", "d3"])
def test_figures_of_sctk(tmp_path: Path, name: str) -> None:
    """SCTK 2.4 on these systems (sclite's alignments, sc_stats), and 3 x 20 000 resamples."""
    for side in ("a", "b"):
        folder = tmp_path / side / "test"
        folder.mkdir(parents=True)
        shutil.copy(SIGNIFICANCE / name / f"{side}.scp", folder / "hyp.scp")
        shutil.copy(SIGNIFICANCE / name / "ref.scp", folder / "ref.scp")
        config = {
            "infer_dir": str(tmp_path / side),
            "metrics": [{"metric": {"_target_": "wer", "alignment": "sclite"}}],
        }
        measure(config)
    want = json.loads((SIGNIFICANCE / name / "expected.json").read_text(encoding="utf-8"))
    found, notes = compare_runs(tmp_path / "a", tmp_path / "b", tests=["bootstrap", "mapsswe", "mcnemar"])
    draws, segments, utterances = found
    assert notes == []
    assert 100 * draws.a == pytest.approx(want["bootstrap_utterances"]["wer_a_percent"], abs=5e-5)
    assert segments.outcome["segments"] == want["mapsswe"]["segments"]
    assert segments.outcome["z"] == pytest.approx(want["mapsswe"]["z"], abs=5e-4)
    assert utterances.outcome["a_right"] == want["mcnemar_utterances"]["a_right_b_wrong"]
    assert utterances.p_value == pytest.approx(want["mcnemar_utterances"]["exact_binomial_two_sided_p"], abs=5e-7)
    ends = [100 * draws.outcome["interval"][end] for end in ("low", "high")]
    assert ends == pytest.approx(want["bootstrap_utterances"]["ci95_difference_percent"], abs=0.15)


def test_every_metric_that_counts_is_compared(runs: tuple[Stage, Stage]) -> None:
    found = compared(runs)
    assert [one.metric.rpartition(".")[2] for one in found] == ["WER", "CER", "ExactMatch"]
    wer = found[0]
    assert (wer.test_set, wer.rate, wer.test) == ("t", "wer", "bootstrap")
    assert [wer.a, wer.b] == pytest.approx([2 / 7, 1 / 7])
    assert wer.outcome["difference"] == pytest.approx(1 / 7)
    assert (wer.p_value, wer.p_holm) == (None, None)


def test_tests_and_their_correction(runs: tuple[Stage, Stage]) -> None:
    found = compared(runs, metrics=["measure_core.builtin.WER", "measure_core.builtin.CER"], tests=["mcnemar"])
    assert [(one.outcome["a_right"], one.outcome["b_right"]) for one in found] == [(0, 1), (0, 1)]
    assert [one.p_value for one in found] == [1.0, 1.0]
    assert [one.p_holm for one in found] == [1.0, 1.0]


def test_holm_over_the_comparisons_of_one_test(runs: tuple[Stage, Stage]) -> None:
    pairs = [("a", "a")] * 12
    for stage, wrong in zip(runs, (12, 0), strict=True):
        stage.pairs("t", *(("a", "b") if k < wrong else pair for k, pair in enumerate(pairs)))
        measure(stage.yaml("metrics: [{metric: wer}, {metric: cer}]"))
    found = compared(runs, tests=["mcnemar"])
    assert [one.p_value for one in found] == [pytest.approx(2 / 2**12)] * 2
    assert [one.p_holm for one in found] == [pytest.approx(4 / 2**12)] * 2


def test_different_signatures_are_refused(runs: tuple[Stage, Stage]) -> None:
    measure(runs[1].yaml("metrics: [{name: measure_core.builtin.WER, metric: {_target_: wer, normalise: [lower]}}]"))
    with pytest.raises(CompareError, match="signatures differ") as caught:
        compared(runs)
    assert "norm:none" in str(caught.value)
    assert "norm:lower" in str(caught.value)
    found, notes = compare_runs(runs[0].infer, runs[1].infer, force=True)
    assert [one.metric for one in found] == ["measure_core.builtin.WER"]
    assert any("--force" in note for note in notes)
    assert any("is in" in note and "only" in note for note in notes)


def test_other_references_are_refused(runs: tuple[Stage, Stage]) -> None:
    runs[1].scp("t", "ref", "utt1 a b c d", "utt2 e f", "utt3 G")
    measure(runs[1].yaml("metrics: [{metric: wer}]"))
    with pytest.raises(CompareError, match="the references of the runs differ") as caught:
        compared(runs, metrics=["measure_core.builtin.WER"])
    assert "utt3" in str(caught.value)


def test_other_utterances_are_refused(runs: tuple[Stage, Stage]) -> None:
    runs[1].pairs("t", ("a b c d", "a b c d"), ("e f", "e f"))
    measure(runs[1].yaml("metrics: [{metric: wer}]"))
    with pytest.raises(CompareError, match="do not have the same utterances") as caught:
        compared(runs, metrics=["measure_core.builtin.WER"])
    assert "1 only in A: utt3" in str(caught.value)


def test_a_changed_input_is_refused(runs: tuple[Stage, Stage]) -> None:
    runs[0].scp("t", "hyp", "utt1 q", "utt2 q", "utt3 q")
    with pytest.raises(CompareError, match=r"hyp\.scp has changed since .*/one/infer/measures\.json was written"):
        compared(runs)
    (runs[0].infer / "t" / "hyp.scp").unlink()
    with pytest.raises(InputError, match="cannot be read"):
        compared(runs)


def test_a_limited_run_is_compared_on_what_it_scored(runs: tuple[Stage, Stage]) -> None:
    for stage in runs:
        measure(stage.config, options=Options(limit=1))
    files = [stage.infer / "measures.limit.json" for stage in runs]
    found, _ = compare_runs(*files, metrics=["measure_core.builtin.WER"])
    assert (found[0].a, found[0].b) == (0.25, 0.0)


def test_what_cannot_be_compared(runs: tuple[Stage, Stage], tmp_path: Path) -> None:
    with pytest.raises(CompareError, match=r"no\.such is not in both runs"):
        compared(runs, metrics=["no.such"])
    with pytest.raises(CompareError, match="MAPSSWE is about aligned tokens"):
        compared(runs, metrics=["measure_core.builtin.ExactMatch"], tests=["mapsswe"])
    with pytest.raises(InputError, match=r"has no measures\.json"):
        compare_runs(runs[0].infer, tmp_path)
    measure(runs[1].yaml("metrics: [{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}]"))
    with pytest.raises(CompareError, match="no metric and test set in common"):
        compared(runs)
    (runs[1].infer / "measures.meta.json").unlink()
    with pytest.raises(CompareError, match=r"there is no measures\.meta\.json beside it"):
        compared(runs)


def test_a_metric_without_counts_is_noted(runs: tuple[Stage, Stage]) -> None:
    for stage in runs:
        measure(stage.yaml("metrics: [{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}, {metric: wer}]"))
    found, notes = compare_runs(runs[0].infer, runs[1].infer)
    assert [one.metric for one in found] == ["measure_core.builtin.WER"]
    assert "stage_metrics.Count on t gives no counts" in notes[0]


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"records": []}', '{"records": {"x": 3}}', '{"records": {"x": {"t": 3}}}']
)
def test_metadata_of_another_shape(runs: tuple[Stage, Stage], text: str) -> None:
    (runs[1].infer / "measures.meta.json").write_text(text, encoding="utf-8")
    with pytest.raises((CompareError, InputError)):
        compared(runs)


def scored(runs: tuple[Stage, Stage], *texts: str) -> None:
    """Run both, each with its configuration."""
    for stage, text in zip(runs, texts if len(texts) == 2 else texts * 2, strict=True):
        measure(stage.yaml(text))


def edited(stage: Stage, **identity: object) -> None:
    """Change what the metadata say about every result."""
    meta = stage.results("measures.meta.json")
    for sets in meta["records"].values():
        for record in sets.values():
            record["identity"] |= identity
    (stage.infer / "measures.meta.json").write_text(json.dumps(meta), encoding="utf-8")


def speak(runs: tuple[Stage, Stage]) -> None:
    """Twelve utterances of three speakers; A is wrong in all of one of them, B in one of each."""
    for i, stage in enumerate(runs):
        lines = [(f"s{s}-{k}", "x" if (s == 0, k == 0)[i] else "a b") for s in range(3) for k in range(4)]
        stage.scp("t", "ref", *(f"{key} a b" for key, _ in lines))
        stage.scp("t", "hyp", *(f"{key} {text}" for key, text in lines))


def test_the_bootstrap_draws_what_both_runs_say(runs: tuple[Stage, Stage]) -> None:
    speak(runs)
    by_speaker = "metrics: [{metric: wer}]\nstatistics: {bootstrap: 10, by: speaker}"
    scored(runs, by_speaker)
    (found,) = compared(runs)
    assert (found.outcome["by"], found.outcome["units"]) == ("speaker", 3)
    (forced,) = compared(runs, by="utterance")
    assert (forced.outcome["by"], forced.outcome["units"]) == ("utterance", 12)
    assert found.outcome["interval"] != forced.outcome["interval"]
    scored(runs, by_speaker, "metrics: [{metric: wer}]")
    (mixed,), notes = compare_runs(runs[0].infer, runs[1].infer)
    assert mixed.outcome["by"] == "utterance"
    assert notes == [
        "statistics are by speaker in A and by utterance in B: the bootstrap draws utterances; --by chooses"
    ]
    assert compared(runs, by="speaker")[0].outcome["interval"] == found.outcome["interval"]
    done = runs[0].run("compare", str(runs[0].infer), str(runs[1].infer), "--by", "speaker")
    assert "3 speakers drawn" in done.stdout


def test_speakers_of_a_table(runs: tuple[Stage, Stage]) -> None:
    speak(runs)
    tables = []
    for stage in runs:
        tables.append(stage.folder / "utt2spk")
        tables[-1].write_text("".join(f"s{s}-{k} {s % 2}\n" for s in range(3) for k in range(4)), encoding="utf-8")
        measure(
            stage.yaml(f"metrics: [{{metric: wer}}]\nstatistics: {{bootstrap: 9, by: speaker, utt2spk: {tables[-1]}}}")
        )
    assert compared(runs)[0].outcome["units"] == 2
    tables[1].write_text(tables[0].read_text(encoding="utf-8").replace(" 1\n", " 7\n"), encoding="utf-8")
    with pytest.raises(CompareError, match="utt2spk has changed since"):
        compared(runs)
    measure(runs[1].config)
    with pytest.raises(CompareError, match="do not have the same speakers"):
        compared(runs)
    tables[1].unlink()
    with pytest.raises(CompareError, match="is no file"):
        compared(runs)


def test_one_unsuited_metric_is_left_out_with_a_note(runs: tuple[Stage, Stage]) -> None:
    found, notes = compare_runs(runs[0].infer, runs[1].infer, tests=["mapsswe", "mcnemar"])
    assert [(one.metric.rpartition(".")[2], one.test) for one in found] == [
        ("WER", "mapsswe"),
        ("WER", "mcnemar"),
        ("CER", "mapsswe"),
        ("CER", "mcnemar"),
        ("ExactMatch", "mcnemar"),
    ]
    assert notes == ["measure_core.builtin.ExactMatch on t: no mapsswe: MAPSSWE is about aligned tokens"]
    assert (found[-1].outcome["a_right"], found[-1].outcome["b_right"]) == (0, 1)


@pytest.mark.parametrize("word", ["wer", "WER", "measure_core.builtin.WER"])
def test_a_metric_by_any_of_its_names(runs: tuple[Stage, Stage], word: str) -> None:
    assert [one.metric for one in compared(runs, metrics=[word])] == ["measure_core.builtin.WER"]


def test_a_named_metric_by_its_short_name(runs: tuple[Stage, Stage]) -> None:
    scored(runs, "metrics: [{name: x, metric: wer}, {name: y, metric: cer}]")
    assert [one.metric for one in compared(runs, metrics=["wer"])] == ["x"]


def test_a_test_that_is_asked_for_twice_counts_once(runs: tuple[Stage, Stage]) -> None:
    once, twice = (compared(runs, metrics=["wer"], tests=["mapsswe"] * n) for n in (1, 2))
    assert once == twice


def test_forced_comparisons_say_what_they_are(runs: tuple[Stage, Stage]) -> None:
    lower = "{name: m, metric: {_target_: wer, normalise: [lower]}}"
    scored(runs, "metrics: [{name: m, metric: wer}]", f"metrics: [{lower}]")
    found, notes = compare_runs(runs[0].infer, runs[1].infer, tests=["bootstrap", "mapsswe"], force=True)
    assert [one.test for one in found] == ["bootstrap"]
    assert ("norm:none" in found[0].signature, "norm:lower" in found[0].signature_b) == (True, True)
    assert any("no mapsswe: MAPSSWE takes both systems against one reference" in note for note in notes)
    done = runs[0].run("compare", str(runs[0].infer), str(runs[1].infer), "--force")
    assert [line[:14] for line in done.stdout.splitlines()[-2:]] == ["signature of A", "signature of B"]
    scored(runs, "metrics: [{name: m, metric: wer}]", "metrics: [{name: m, metric: cer}]")
    with pytest.raises(CompareError, match="it is wer in A and cer in B"):
        compared(runs, force=True)


OWN_STEP = "class Step:\n    def __call__(self, text):\n        return text\n"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"_target_": "stage_mark.Metric"}, "is no registered metric"),
        ({"_target_": "measure_core.builtin.rates.WER"}, "is no registered metric"),
        ({"_target_": "measure_core.builtin.WER", "normalise": ["stage_mark.Step"]}, "is given other classes"),
        ({"_target_": "measure_core.builtin.WER", "normalise": [{"stage_mark.Step": {}}]}, "is given other classes"),
        ({"_target_": "measure_core.builtin.WER", "x": [{"_target_": "stage_mark.Step"}]}, "is given other classes"),
        ({"_target_": "measure_core.builtin.WER", "_args_": [1]}, "is given other classes"),
        ({"_target_": "measure_core.builtin.WER", "x": 1}, "cannot be built"),
        ({"_target_": "measure_core.builtin.WER", "normalise": 5}, "cannot be built"),
    ],
)
def test_a_results_file_builds_no_class_of_its_own(
    runs: tuple[Stage, Stage], monkeypatch: pytest.MonkeyPatch, config: dict[str, object], words: str
) -> None:
    mark = runs[0].folder / "mark"
    (runs[0].folder / "stage_mark.py").write_text(f"open({str(mark)!r}, 'w')\n{OWN_STEP}", encoding="utf-8")
    monkeypatch.syspath_prepend(runs[0].folder)
    for stage in runs:
        edited(stage, config=config)
    with pytest.raises(CompareError, match=words):
        compared(runs)
    assert not mark.exists()


def test_a_registered_metric_that_does_not_count(runs: tuple[Stage, Stage], monkeypatch: pytest.MonkeyPatch) -> None:
    count = Registered("count", "stage_metrics.Count", "a-package", "1.0.0")
    monkeypatch.setattr("measure_core.recorded.registered", lambda: [count])
    for stage in runs:
        edited(stage, config={"_target_": "stage_metrics.Count"})
    with import_path(runs[0].folder), pytest.raises(CompareError, match="does not count utterances"):
        compared(runs)


def test_own_classes_do_not_keep_others_from_being_compared(runs: tuple[Stage, Stage]) -> None:
    for stage in runs:
        meta = stage.results("measures.meta.json")
        meta["records"]["measure_core.builtin.CER"]["t"]["identity"]["config"] = {"_target_": "my.CER"}
        (stage.infer / "measures.meta.json").write_text(json.dumps(meta), encoding="utf-8")
    found, notes = compare_runs(runs[0].infer, runs[1].infer)
    assert [one.metric.rpartition(".")[2] for one in found] == ["WER", "ExactMatch"]
    assert "my.CER is no registered metric" in notes[0]


@pytest.mark.parametrize(
    "identity",
    [
        {"config": 3},
        {"config": {}},
        {"config": {"_target_": 3}},
        {"inputs": {}},
        {"inputs": []},
        {"inputs": {"ref": 3}},
        {"inputs": {"ref": {"path": 3, "sha256": "x"}}},
        {"inputs": {"ref": {"path": "a\0b", "sha256": "x"}}},
        {"on_mismatch": "maybe"},
        {"limit": -1},
        {"limit": True},
        {"statistics": 3},
        {"statistics": None},
        {"statistics": {"by": 3}},
        {"statistics": {"by": "speaker", "utt2spk": 3}},
    ],
)
def test_records_of_another_shape(runs: tuple[Stage, Stage], identity: dict[str, object]) -> None:
    edited(runs[1], **identity)
    with pytest.raises(CompareError, match=r"measures\.meta\.json has another shape than ours"):
        compared(runs)


def test_an_input_that_is_no_file(runs: tuple[Stage, Stage]) -> None:
    edited(runs[1], inputs={"ref": {"path": "/dev/zero", "sha256": ""}})
    with pytest.raises(CompareError, match="/dev/zero is no regular file"):
        compared(runs)


TABLES = {
    "rep.tsv": ("x\ty\n", "x\tb\n", "{_target_: wer, normalise: [{replace: {file: '%s'}}]}"),
    "phones.map": ("x y\n", "x b\n", "{_target_: per, map: '%s'}"),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("force", [False, True])
def test_a_table_that_has_changed_is_refused(runs: tuple[Stage, Stage], tmp_path: Path, name: str, force: bool) -> None:
    before, after, metric = TABLES[name]
    table = tmp_path / name
    table.write_text(before, encoding="utf-8")
    for stage in runs:
        measure(stage.yaml(f"metrics: [{{metric: {metric % table}}}]"))
    assert len(compared(runs)) == 1
    table.write_text(after, encoding="utf-8")
    with pytest.raises(CompareError, match=rf"{name} has changed since .+/measures\.json was written"):
        compared(runs, force=force)
    table.write_text(before, encoding="utf-8")  # the time does not matter, what it says does
    assert len(compared(runs)) == 1


def test_another_count_than_that_of_the_results_is_refused(
    runs: tuple[Stage, Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("measure_core.builtin.WER._split", lambda _: list)
    with pytest.raises(CompareError, match="counting again gives another result than") as caught:
        compared(runs)
    assert "reference_words: 7 there, 11 now" in str(caught.value)


def test_what_one_run_only_has_is_told_on_both_sides(runs: tuple[Stage, Stage]) -> None:
    for stage, name in zip(runs, ("left", "right"), strict=True):
        stage.pairs(name, ("a", "a"))
        measure(stage.yaml(f"metrics: [{{metric: wer}}, {{name: {name}, metric: cer}}]"))
    _, notes = compare_runs(runs[0].infer, runs[1].infer)
    a, b = (stage.infer / "measures.json" for stage in runs)
    wer = "measure_core.builtin.WER"
    assert [note for note in notes if note.endswith("only")] == [
        f"{wer} on left is in {a} only",
        f"left on left is in {a} only",
        f"left on t is in {a} only",
        f"{wer} on right is in {b} only",
        f"right on right is in {b} only",
        f"right on t is in {b} only",
    ]
    _, notes = compare_runs(runs[0].infer, runs[1].infer, metrics=["wer"])
    assert [note for note in notes if note.endswith("only")] == [
        f"{wer} on left is in {a} only",
        f"{wer} on right is in {b} only",
    ]
