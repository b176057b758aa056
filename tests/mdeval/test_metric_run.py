"""All metrics over the recordings of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from mdeval.cells import Cells
from mdeval.errors import InputError, UsageError
from mdeval.metric_run import Choices, Figures, run_metrics
from mdeval.metrics import METRICS, Der, add_up, compute
from mdeval.pool import pair, read_side, read_uem
from mdeval.scoring import score_sides
from mdeval_metrics import DATA as METRICS_DATA
from mdeval_metrics import EXAMPLE_REF, EXAMPLE_SYS, Turns
from mdeval_strategies import corpora, write_corpus
from mdeval_support import DATA, speaker, write

if TYPE_CHECKING:
    from pathlib import Path

FROM_TURNS = tuple(name for name, metric in METRICS.items() if not metric.needs_words)
WORDS = METRICS_DATA / "words.rttm", METRICS_DATA / "words.seglst.json"
ONE_CLUSTER = DATA / "results" / "md-purity-one-big-cluster"


def rttm(turns: Turns, file: str = "f") -> str:
    return "".join(speaker(on, off - on, name, file) for on, off, name in turns)


def run(
    ref_path: Path,
    sys_path: Path,
    choices: Choices,
    uem_path: Path | None = None,
    *,
    collar: float = 0.0,
    one: bool = False,
    large: bool = False,
    words: tuple[Path, Path] | None = None,
) -> Figures:
    ref, system = (read_side([str(path)], strict=True, large=large) for path in (ref_path, sys_path))
    uem = {} if uem_path is None else read_uem(str(uem_path), [], strict=True)
    keys = ref.keys_with_turns()
    scores = score_sides(keys, ref, system, uem or None, collar=collar, ignore_overlap=one)
    return run_metrics(
        pair(keys, ref, system, uem),
        scores,
        choices,
        collar=collar,
        ignore_overlap=one,
        word_paths=([str(words[0])], [str(words[1])]) if words else ((), ()),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the worked example as recording f, and a shorter recording g."""
    write(
        tmp_path,
        ref=rttm(EXAMPLE_REF) + rttm([(0, 5, "A"), (5, 9, "D")], "g"),
        sys=rttm(EXAMPLE_SYS) + rttm([(0, 6, "q"), (6, 9, "p")], "g"),
        uem="f 1 0 32\ng 1 0 10\n",
    )
    return tmp_path


def only(folder: Path, name: str) -> Path:
    """Make a folder with one recording of another."""
    made = folder / name
    made.mkdir()
    for path in folder.glob("*.rttm"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (made / path.name).write_text("".join(line for line in lines if f" {name} 1 " in line), encoding="utf-8")
    return made


# The figures


def test_the_worked_example(folder: Path) -> None:
    found = run(folder / "ref.rttm", folder / "sys.rttm", Choices(FROM_TURNS), folder / "all.uem")
    f = found.per_recording["f", "1"]
    # diarization-metrics.md, the examples of sections 2 to 10
    wanted = {
        "der": 7 / 30,
        "jer": 0.3205128,
        "detection_error_rate": 0.0714286,
        "detection_accuracy": 0.9375,
        "detection_f1": 0.9642857,
        "detection_cost": 0.0892857,
        "purity": 0.8571429,
        "coverage": 0.8,
        "homogeneity": 0.5601954,
        "completeness": 0.6035951,
        "bcubed_precision": 0.6614583,
        "bcubed_recall": 0.7734375,
        "bcubed_f1": 0.7130785,
        "mutual_information": 1.2959586,
        "nmi": 0.6568107,
        "gk_tau_ref_to_sys": 0.6704545,
        "gk_tau_sys_to_ref": 0.5532646,
        "boundary_precision": 0.0,
        "segmentation_coverage": 0.8214286,
        "segmentation_purity": 0.9285714,
        "speaker_count_error": 0,
    }
    assert {name: f[name] for name in wanted} == pytest.approx(wanted, abs=1e-7)


def test_every_recording_and_all_of_them(folder: Path) -> None:
    found = run(folder / "ref.rttm", folder / "sys.rttm", Choices(FROM_TURNS), folder / "all.uem")
    assert list(found.per_recording) == [("f", "1"), ("g", "1")]
    assert all(list(columns) == list(found.overall) for columns in found.per_recording.values())
    for name in "fg":
        some = only(folder, name)
        alone = run(some / "ref.rttm", some / "sys.rttm", Choices(FROM_TURNS), folder / "all.uem")
        assert alone.overall == alone.per_recording[name, "1"] == found.per_recording[name, "1"]
    # error times add up
    assert found.overall["missed_speaker_time"] == sum(
        float(columns["missed_speaker_time"] or 0) for columns in found.per_recording.values()
    )


def test_the_figures_are_those_of_the_sums(folder: Path) -> None:
    found = run(folder / "ref.rttm", folder / "sys.rttm", Choices(FROM_TURNS), folder / "all.uem", collar=0.25)
    ref, system = (read_side([str(folder / f"{n}.rttm")], strict=True, large=False) for n in ("ref", "sys"))
    regions = read_uem(str(folder / "all.uem"), [], strict=True)
    others = [name for name in FROM_TURNS if name != "der"]
    recordings = pair(ref.keys_with_turns(), ref, system, regions)
    total = add_up(compute(Cells(item, collar=0.25), others) for item in recordings)
    for name in others:
        for column, value in METRICS[name].columns(total[name]).items():
            assert found.overall[column] == value


def test_columns_come_in_the_order_asked_for(folder: Path) -> None:
    found = run(folder / "ref.rttm", folder / "sys.rttm", Choices(("jer", "der", "purity_coverage")))
    columns = list(found.overall)
    assert columns.index("jer") < columns.index("der") < columns.index("purity")


@given(corpora())
def test_the_error_rate_is_not_computed_otherwise(tmp_path_factory: pytest.TempPathFactory, corpus: Any) -> None:
    ref_path, sys_path, uem_path = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    ref, system = (read_side([str(path)], strict=True, large=False) for path in (ref_path, sys_path))
    uem = {} if uem_path is None else read_uem(str(uem_path), [], strict=True)
    keys = ref.keys_with_turns()
    scores = score_sides(keys, ref, system, uem or None, collar=0.25)
    found = run(ref_path, sys_path, Choices(("purity_coverage", "der", "jer")), uem_path, collar=0.25)
    for score in scores:
        columns = found.per_recording[score.file_id, score.channel]
        assert columns["der"] == score.counts.der  # to the last digit
        assert columns["scored_speaker_time"] == score.counts.scored_speaker_time


@given(corpora())
def test_the_engine_does_not_matter(tmp_path_factory: pytest.TempPathFactory, corpus: Any) -> None:
    ref, system, uem = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    names = Choices(("jer", "detection", "purity_coverage", "speaker_count", "ier", "boundary"))
    small, large = (run(ref, system, names, uem, large=way) for way in (False, True))
    assert small.overall == pytest.approx(large.overall, abs=1e-9)
    assert list(small.per_recording) == list(large.per_recording)


# The region, when it is inferred


def test_one_big_cluster() -> None:
    expected = json.loads((ONE_CLUSTER / "case.json").read_text(encoding="utf-8"))["expected"]
    found = run(ONE_CLUSTER / "ref.rttm", ONE_CLUSTER / "sys.rttm", Choices(("purity_coverage", "der")))
    for name, value in expected["values"].items():
        assert found.overall[name] == pytest.approx(value, abs=expected["tolerance"])
    # md-eval's region ends with the reference, at 11 s
    assert found.overall["falarm_speaker_time"] == pytest.approx(1.0)


def test_an_inferred_region_spans_both_sides(tmp_path: Path) -> None:
    # diarization-metrics.md 1.3, case U1
    write(tmp_path, ref=rttm([(5, 10, "A"), (10, 20, "B")]), sys=rttm([(0, 10, "x"), (10, 25, "y")]))
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("der", "detection", "ier")))
    assert found.overall["der"] == 0.0
    assert found.overall["detection_error_rate"] == pytest.approx(10 / 15)
    write(tmp_path, uem="f 1 5 20\n")
    given = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("detection",)), tmp_path / "all.uem")
    assert given.overall["detection_error_rate"] == 0.0


def test_a_recording_without_a_region_is_widened_by_itself(tmp_path: Path) -> None:
    lines = rttm([(5, 10, "A")]), rttm([(0, 12, "x")])
    write(
        tmp_path, ref=lines[0] + lines[0].replace(" f ", " g "), sys=lines[1] + lines[1].replace(" f ", " g "),
        uem="f 1 5 10\n",
    )  # fmt: skip
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("detection",)), tmp_path / "all.uem")
    assert found.per_recording["f", "1"]["falarm_speech"] == 0
    assert found.per_recording["g", "1"]["falarm_speech"] == 7


# Choices


def test_a_wider_tolerance_finds_more_boundaries(folder: Path) -> None:
    f = only(folder, "f")
    ends = [
        run(f / "ref.rttm", f / "sys.rttm", Choices(("boundary",), tolerance=tolerance)).overall
        for tolerance in (0.5, 1.0)
    ]
    # section 9: t = 0.5: 0/3 and 0/2; t = 1.0: 2/3 and 2/2
    assert [(e["boundary_precision"], e["boundary_recall"]) for e in ends] == [(0, 0), (pytest.approx(2 / 3), 1)]
    both = run(f / "ref.rttm", f / "sys.rttm", Choices(("boundary",), 1.0, "both")).overall
    # inside the region from 0 to 30: 8 10 20 22, and 9 21 23 27, where 27 ends one turn and begins another
    assert (both["ref_boundaries"], both["sys_boundaries"]) == (4, 4)


def test_label_tables_of_several_recordings_become_one_in_two_ways(tmp_path: Path) -> None:
    # section 6: two copies of the example as blocks; the mean does not depend on the number of files
    write(
        tmp_path, ref=rttm(EXAMPLE_REF) + rttm(EXAMPLE_REF, "g"), sys=rttm(EXAMPLE_SYS) + rttm(EXAMPLE_SYS, "g"),
        uem="f 1 0 32\ng 1 0 32\n",
    )  # fmt: skip
    names = ("mi", "nmi", "gk_tau", "bcubed")
    block, mean = (
        run(
            tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(names, aggregate=way), tmp_path / "all.uem"
        ).overall
        for way in ("block", "mean")
    )  # fmt: skip
    assert block["mutual_information"] == pytest.approx(2.2959586, abs=1e-7)
    assert block["nmi"] == pytest.approx(0.7716110, abs=1e-7)
    assert (block["gk_tau_ref_to_sys"], block["gk_tau_sys_to_ref"]) == pytest.approx((0.7314815, 0.6148148), abs=1e-7)
    assert mean["mutual_information"] == pytest.approx(1.2959586, abs=1e-7)
    assert mean["nmi"] == pytest.approx(0.6568107, abs=1e-7)
    assert block["bcubed_f1"] == pytest.approx(mean["bcubed_f1"], abs=1e-12)


def test_choices_as_users_write_them() -> None:
    ways: dict[str, Any] = {"tolerance": 0.25, "edges": "end", "aggregate": "block"}
    assert Choices.of("jer, der", has_words=False, **ways) == Choices(("jer", "der"))
    assert Choices.of("all", has_words=True, **ways).names == tuple(METRICS)
    assert Choices.of("all", has_words=False, **ways).names == FROM_TURNS
    for text in (" all", "der, all", "all,der", "all "):
        assert Choices.of(text, has_words=False, **ways).names == FROM_TURNS
    other = Choices.of("boundary", has_words=False, tolerance=1.0, edges="both", aggregate="mean")
    assert other == Choices(("boundary",), 1.0, "both", "mean")


def test_choices_enter_the_signature() -> None:
    assert Choices(("jer",)).signature() == "|tolerance:0.25|edges:end|aggregate:block|extent:both"
    other = Choices(("jer",), 0.5, "both", "mean")
    assert other.signature() == "|tolerance:0.5|edges:both|aggregate:mean|extent:both"


@pytest.mark.parametrize(
    ("text", "edges", "aggregate", "message"),
    [
        ("jre", "end", "block", "unknown metric 'jre'; did you mean jer"),
        ("", "end", "block", "no metric is named; choose from der, jer,"),
        (",", "end", "block", "no metric is named"),
        ("der", "start", "block", "--edges start: it is end or both"),
        ("der", "end", "sum", "--aggregate sum: it is block or mean"),
    ],
)
def test_impossible_choices_are_refused(text: str, edges: str, aggregate: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Choices.of(text, has_words=False, tolerance=0.25, edges=edges, aggregate=aggregate)


# Words


def test_words_are_scored_by_file(tmp_path: Path) -> None:
    write(tmp_path, ref=rttm([(0, 5, "A")], "talk"), sys=rttm([(0, 5, "x")], "talk"))
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("cpwer", "der", "wder")), words=WORDS)
    # section 10
    assert found.overall["cpwer"] == 0.625
    assert found.overall["wder"] == 0.125
    assert found.overall["der"] == 0.0
    assert list(found.per_recording) == [("talk", "1"), ("talk", "*")]
    assert found.per_recording["talk", "*"]["cpwer"] == 0.625
    assert "der" not in found.per_recording["talk", "*"]


def test_words_alone_need_no_turns(tmp_path: Path) -> None:
    write(tmp_path, ref="", sys="")
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("cpwer",)), words=WORDS)
    assert found.overall["cpwer"] == 0.625


def test_a_recording_without_system_words_lost_them_all(tmp_path: Path) -> None:
    write(tmp_path, ref="", sys="", **{"none.rttm": b""})
    found = run(
        tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("cpwer",)), words=(WORDS[0], tmp_path / "none.rttm")
    )
    assert found.overall["cpwer"] == 1.0


def test_metrics_of_words_need_words(folder: Path) -> None:
    pattern = r"ref\.rttm: no words, which cpwer and wder need; give LEXEME records, or SegLST JSON with --ref-words"
    paths = folder / "ref.rttm", folder / "sys.rttm"
    with pytest.raises(InputError, match=pattern):
        run(*paths, Choices(("cpwer", "wder")), words=paths)
    with pytest.raises(InputError, match="the reference: no words, which wder need"):
        run(*paths, Choices(("der", "wder")))


# Nothing to divide by


def test_figures_that_do_not_exist_are_none(tmp_path: Path) -> None:
    write(tmp_path, ref=rttm([(0, 5, "A")]), sys="")
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(FROM_TURNS)).overall
    assert (found["purity"], found["coverage"]) == (None, 0)  # section 4: an empty system
    assert (found["der"], found["jer"]) == (1, 1)
    eaten = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("der",)), collar=9.0).overall
    assert eaten["der"] is None


def test_no_recordings_give_no_figures(tmp_path: Path) -> None:
    write(tmp_path, ref="", sys="")
    found = run(tmp_path / "ref.rttm", tmp_path / "sys.rttm", Choices(("der", "jer")))
    assert (found.overall, found.per_recording) == ({}, {})


def test_the_time_sums_are_those_of_the_error_rate() -> None:
    sums = Der(missed=1.0, false_alarm=2.0, confusion=3.0, total=10.0)
    assert METRICS["der"].columns(sums)["der"] == 0.6
