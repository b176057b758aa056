"""The command's options beyond the error rate: metrics, words, intervals, threads."""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import mdeval
from mdeval.metrics import METRICS
from mdeval.statistics import bootstrap
from mdeval_metrics import DATA as METRICS_DATA
from mdeval_metrics import EXAMPLE_REF, EXAMPLE_SYS, Turns
from mdeval_support import DATA, Done, run_mdeval, speaker, write

if TYPE_CHECKING:
    from pathlib import Path

BOTH = ("-r", "ref.rttm", "-s", "sys.rttm")
FROM_TURNS = [name for name, metric in METRICS.items() if not metric.needs_words]
WORDS = ("--ref-words", "words.rttm", "--sys-words", "words.seglst.json")
# What each metric is known for, in order of the list in diarization-metrics.md section 13
COLUMNS = {
    "der": "der",
    "jer": "jer",
    "detection": "detection_error_rate",
    "purity_coverage": "purity",
    "bcubed": "bcubed_f1",
    "nmi": "nmi",
    "mi": "mutual_information",
    "homogeneity_completeness": "homogeneity",
    "gk_tau": "gk_tau_ref_to_sys",
    "boundary": "boundary_precision",
    "segmentation": "segmentation_coverage",
    "ier": "ier",
    "speaker_count": "speaker_count_error",
    "cpwer": "cpwer",
    "wder": "wder",
}


def rttm(turns: Turns, file: str = "f") -> str:
    return "".join(speaker(on, off - on, name, file) for on, off, name in turns)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the worked example as recording f, a shorter recording g, and the words of another."""
    write(
        tmp_path,
        ref=rttm(EXAMPLE_REF) + rttm([(0, 5, "A"), (5, 9, "D")], "g"),
        sys=rttm(EXAMPLE_SYS) + rttm([(0, 6, "q"), (6, 9, "p")], "g"),
        uem="f 1 0 32\ng 1 0 10\n",
    )
    for name in ("words.rttm", "words.seglst.json"):
        shutil.copyfile(METRICS_DATA / name, tmp_path / name)
    return tmp_path


def ok(folder: Path, *arguments: str, stderr: str | None = "") -> Done:
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 0, done.stderr
    if stderr is not None:
        assert done.stderr == stderr
    return done


def parsed(folder: Path, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(ok(folder, *BOTH, *arguments, "--json").stdout)
    return document


def rows(folder: Path, *arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ok(folder, *BOTH, *arguments, "--csv").text)))


def table(done: Done) -> dict[str, list[str]]:
    """Give the rows of a table of figures."""
    lines = done.text.splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines[2:] if not line.startswith("signature")}


# Metrics


def test_the_table_of_all_metrics(folder: Path) -> None:
    done = ok(folder, *BOTH, "-u", "all.uem", "--metrics", "all")
    lines = done.text.splitlines()
    assert lines[0].split() == ["figure", "ALL"]
    assert lines[-1].startswith("signature: mdeval|v:")
    found = table(done)
    places = [list(found).index(COLUMNS[name]) for name in FROM_TURNS]
    assert places == sorted(places)
    overall = parsed(folder, "-u", "all.uem", "--metrics", "all")["metrics"]["overall"]
    assert list(found) == list(overall)
    for name, [text] in found.items():
        value = overall[name]
        if value is None:
            assert text == "NA"
        else:
            assert text == (str(value) if isinstance(value, int) else f"{value:.4f}")


def test_the_table_has_a_column_for_every_recording(folder: Path) -> None:
    done = ok(folder, *BOTH, "-u", "all.uem", "--metrics", "der,jer", "--per-file")
    assert done.text.splitlines()[0].split() == ["figure", "ALL", "f", "1", "g", "1"]
    document = parsed(folder, "-u", "all.uem", "--metrics", "der,jer")["metrics"]
    f, g = (row["jer"] for row in document["recordings"])
    assert table(done)["jer"] == [f"{value:.4f}" for value in (document["overall"]["jer"], f, g)]


def test_the_json_has_the_metrics(folder: Path) -> None:
    document = parsed(folder, "-u", "all.uem", "--metrics", ",".join(FROM_TURNS))
    assert set(document["metrics"]) == {"overall", "recordings"}
    first, second = document["metrics"]["recordings"]
    assert [(row.pop("file"), row.pop("channel")) for row in (first, second)] == [("f", "1"), ("g", "1")]
    assert list(first) == list(second) == list(document["metrics"]["overall"])
    # the worked examples of diarization-metrics.md
    wanted = {"jer": 0.3205128, "purity": 0.8571429, "coverage": 0.8, "bcubed_f1": 0.7130785, "nmi": 0.6568107}
    assert {name: first[name] for name in wanted} == pytest.approx(wanted, abs=1e-7)


def test_the_error_rate_is_that_of_the_plain_run_to_the_last_digit(folder: Path) -> None:
    for options in ((), ("-c", "0.1"), ("-1",), ("-u", "all.uem", "-c", "0.33")):
        plain, more = parsed(folder, *options), parsed(folder, *options, "--metrics", "all")
        assert more["overall"] == plain["overall"]
        assert more["recordings"] == plain["recordings"]
        assert more["metrics"]["overall"]["der"] == plain["overall"]["der"]
        for row, wanted in zip(more["metrics"]["recordings"], plain["recordings"], strict=True):
            assert row["der"] == wanted["der"]


def test_the_rest_of_the_document_is_the_same(folder: Path) -> None:
    plain, more = parsed(folder), parsed(folder, "--metrics", "jer")
    del more["metrics"]
    stamp = more.pop("signature")
    wanted = plain.pop("signature").replace("|metric:der|", "|metric:jer|")
    assert more == plain
    assert stamp == f"{wanted}|tolerance:0.25|edges:end|aggregate:block|extent:both"


def test_csv_has_the_metrics_as_columns(folder: Path) -> None:
    plain, [more] = rows(folder, "-u", "all.uem"), rows(folder, "-u", "all.uem", "--metrics", "all")
    overall = parsed(folder, "-u", "all.uem", "--metrics", "all")["metrics"]["overall"]
    assert list(more)[-1] == "signature"
    assert len(set(more)) == len(list(more))
    assert [name for name in plain[0] if name != "signature"] == [name for name in more if name in plain[0]][:-1]
    for name, value in overall.items():
        assert more[name] == ("NA" if value is None else repr(value))
    assert more["der"] == plain[0]["der"]


def test_csv_has_a_row_for_every_recording(folder: Path) -> None:
    found = rows(folder, "-u", "all.uem", "--metrics", "jer,purity_coverage", "--per-file")
    assert [(row["file"], row["channel"]) for row in found] == [("f", "1"), ("g", "1"), ("ALL", "")]
    document = parsed(folder, "-u", "all.uem", "--metrics", "jer,purity_coverage")["metrics"]
    assert [row["jer"] for row in found[:2]] == [repr(row["jer"]) for row in document["recordings"]]


@pytest.mark.parametrize("name", FROM_TURNS)
def test_every_metric_by_its_name(folder: Path, name: str) -> None:
    document = parsed(folder, "-u", "all.uem", "--metrics", name)
    assert COLUMNS[name] in document["metrics"]["overall"]
    assert f"|metric:{name}|" in document["signature"]


def test_metrics_in_the_order_given_and_once(folder: Path) -> None:
    document = parsed(folder, "--metrics", "jer, der,jer")
    columns = list(document["metrics"]["overall"])
    assert columns.index("jer") == 0 < columns.index("der")
    assert "|metric:jer+der|" in document["signature"]


def test_all_may_be_written_with_blanks_and_others(folder: Path) -> None:
    wanted = ok(folder, *BOTH, "--metrics", "all").stdout
    for text in (" all", "all,der", "der, all"):
        assert ok(folder, *BOTH, "--metrics", text).stdout == wanted


def test_one_big_cluster(tmp_path: Path) -> None:
    for path in (DATA / "results" / "md-purity-one-big-cluster").iterdir():
        shutil.copyfile(path, tmp_path / path.name)
    expected = json.loads((tmp_path / "case.json").read_text(encoding="utf-8"))["expected"]
    done = run_mdeval(*BOTH, "--metrics", "purity_coverage", "--json", cwd=tmp_path)
    overall = json.loads(done.stdout)["metrics"]["overall"]
    assert expected["values"] == {"purity": 0.5, "coverage": 1.0}
    for name, value in expected["values"].items():
        assert overall[name] == pytest.approx(value, abs=expected["tolerance"])


def test_an_inferred_region_spans_both_sides_but_for_the_error_rate(tmp_path: Path) -> None:
    # diarization-metrics.md 1.3, case U1
    write(tmp_path, ref=rttm([(5, 10, "A"), (10, 20, "B")]), sys=rttm([(0, 10, "x"), (10, 25, "y")]))
    done = run_mdeval(*BOTH, "--metrics", "der,detection", "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    overall = document["metrics"]["overall"]
    assert (overall["der"], overall["detection_error_rate"]) == (0, pytest.approx(10 / 15))
    assert "|uem:inferred|" in document["signature"]
    assert document["signature"].endswith("|extent:both")


def test_tolerance_and_edges(folder: Path) -> None:
    def boundary(*options: str) -> tuple[float, float]:
        [f, _] = parsed(folder, "--metrics", "boundary", *options)["metrics"]["recordings"]
        return f["boundary_precision"], f["boundary_recall"]

    assert boundary("--tolerance", "0.5") == (0, 0)
    assert boundary("--tolerance", "1") == pytest.approx((2 / 3, 1))
    assert boundary("--tolerance", "1", "--edges", "both") != boundary("--tolerance", "1")
    assert boundary("--edges", "end") == boundary()
    stamp = parsed(folder, "--metrics", "boundary", "--tolerance", "1", "--edges", "both")["signature"]
    assert "|tolerance:1|edges:both|" in stamp


def test_aggregate(folder: Path) -> None:
    block, mean, default = (
        parsed(folder, "--metrics", "mi,bcubed", *options)
        for options in (("--aggregate", "block"), ("--aggregate", "mean"), ())
    )
    assert default == block
    assert block["metrics"]["recordings"] == mean["metrics"]["recordings"]
    values = [row["mutual_information"] for row in mean["metrics"]["recordings"]]
    overall = mean["metrics"]["overall"]["mutual_information"]
    assert min(values) < overall < max(values) < block["metrics"]["overall"]["mutual_information"]
    assert "|aggregate:mean|" in mean["signature"]


def test_md_evals_text_gives_way_to_a_table(folder: Path) -> None:
    assert "command line" not in ok(folder, *BOTH, "--metrics", "jer").text
    assert ok(folder, *BOTH, "--metrics", "jer", "--table").stdout == ok(folder, *BOTH, "--metrics", "jer").stdout


# Words


def test_words_from_seglst(folder: Path) -> None:
    # diarization-metrics.md section 10
    document = parsed(folder, "--metrics", "cpwer,wder", *WORDS)
    overall = document["metrics"]["overall"]
    assert (overall["cpwer"], overall["wder"]) == (0.625, 0.125)
    [row] = document["metrics"]["recordings"]
    assert (row["file"], row["channel"], row["cpwer"]) == ("talk", "*", 0.625)


def test_words_from_the_rttms(folder: Path) -> None:
    reference = (folder / "words.rttm").read_text(encoding="utf-8") + rttm([(0, 4, "A")], "talk")
    write(folder, ref=reference, sys=rttm([(0, 4, "x")], "talk") + reference.replace(" fine ", " find "))
    document = parsed(folder, "--metrics", "cpwer")
    assert document["metrics"]["overall"]["cpwer"] == pytest.approx(1 / 8)


def test_all_takes_words_where_there_are_some(folder: Path) -> None:
    document = parsed(folder, "--metrics", "all", *WORDS)
    overall = document["metrics"]["overall"]
    assert all(COLUMNS[name] in overall for name in METRICS)
    assert overall["cpwer"] == 0.625
    assert [(row["file"], row["channel"]) for row in document["metrics"]["recordings"]] == [
        ("f", "1"),
        ("g", "1"),
        ("talk", "*"),
    ]
    assert table(ok(folder, *BOTH, "--metrics", "all", *WORDS))["cpwer"] == ["0.6250"]
    without = parsed(folder, "--metrics", "all")["metrics"]["overall"]
    assert not {"cpwer", "wder"} & set(without)


def test_metrics_of_words_are_refused_without_words(folder: Path) -> None:
    done = run_mdeval(*BOTH, "--metrics", "cpwer", cwd=folder)
    assert done.status == 2
    assert done.stderr.startswith("mdeval: ref.rttm: no words, which cpwer need")
    assert "SegLST JSON with --ref-words and --sys-words" in done.stderr
    assert done.stdout == b""


# Intervals


def test_the_interval_is_that_of_the_api(folder: Path) -> None:
    found = mdeval.score(folder / "ref.rttm", folder / "sys.rttm", None, 0.25)
    wanted = found.confidence(level=0.9, samples=200, seed=3)
    document = parsed(folder, "-c", "0.25", "--bootstrap", "200", "--level", "0.9", "--seed", "3")
    assert document["confidence"] == {
        "low": wanted.low,
        "high": wanted.high,
        "level": 0.9,
        "samples": 200,
        "seed": 3,
    }
    assert document["signature"].endswith("|ci:0.9|samples:200|seed:3")


def test_the_interval_has_defaults(folder: Path) -> None:
    counts = mdeval.score(folder / "ref.rttm", folder / "sys.rttm").per_file.values()
    wanted = bootstrap([c.error_time for c in counts], [c.scored_speaker_time for c in counts], samples=100)
    document = parsed(folder, "--bootstrap", "100")
    assert (document["confidence"]["low"], document["confidence"]["high"]) == (wanted.low, wanted.high)
    assert document["signature"].endswith("|ci:0.95|samples:100|seed:0")
    assert "confidence" not in parsed(folder)
    assert "confidence" not in parsed(folder, "--bootstrap", "0")


def test_the_interval_stands_below_the_table(folder: Path) -> None:
    confidence = parsed(folder, "--bootstrap", "50")["confidence"]
    wanted = (
        f"95% interval of the DER: {100 * confidence['low']:.2f}% to {100 * confidence['high']:.2f}%"
        " (50 resamples of the recordings, seed 0)"
    )
    for options in ((), ("--per-file",), ("--metrics", "jer")):
        lines = ok(folder, *BOTH, "--bootstrap", "50", *options).text.splitlines()
        assert lines[-2] == wanted
        assert lines[-1].startswith("signature: ")


def test_a_seed_gives_the_same_interval_again(folder: Path) -> None:
    files = [f"rec{i}" for i in range(9)]
    write(
        folder,
        ref="".join(rttm([(0, 10 + i, "A")], file) for i, file in enumerate(files)),
        sys="".join(rttm([(0, 9 - i / 2, "x")], file) for i, file in enumerate(files)),
    )
    found = [parsed(folder, "--bootstrap", "100", "--seed", seed) for seed in ("1", "1", "2")]
    assert found[0] == found[1]
    assert found[0]["confidence"]["low"] < found[0]["overall"]["der"] < found[0]["confidence"]["high"]
    assert found[0]["confidence"]["low"] != found[2]["confidence"]["low"]


def test_an_interval_that_does_not_exist(folder: Path) -> None:
    arguments = (*BOTH, "--bootstrap", "20", "-c", "40")
    document = json.loads(ok(folder, *arguments, "--json", stderr=None).stdout)
    assert (document["confidence"]["low"], document["confidence"]["high"]) == (None, None)
    assert "95% interval of the DER: NA\n" in ok(folder, *arguments, stderr=None).text


def test_one_recording_is_no_sample(folder: Path) -> None:
    write(folder, ref=rttm(EXAMPLE_REF))
    done = run_mdeval(*BOTH, "--bootstrap", "100", cwd=folder)
    assert done.status == 2
    assert "resampling recordings needs two or more; there is one" in done.stderr


# Threads


@pytest.mark.parametrize("options", [("--json",), ("--metrics", "all"), ("--bootstrap", "50"), ("--table",)])
def test_threads_change_nothing(folder: Path, options: tuple[str, ...]) -> None:
    assert ok(folder, *BOTH, *options, "--jobs", "3").stdout == ok(folder, *BOTH, *options).stdout


def test_metrics_of_large_inputs(tmp_path: Path) -> None:
    files = [f"f{i:03}" for i in range(120)]
    turns = "".join(speaker(f"{3 * i}.25", "2.500", f"spk{i % 5}", file) for file in files for i in range(60))
    write(tmp_path, ref=turns, sys=turns.replace("2.500", "2.000"))
    arguments = ("--metrics", "der,detection,speaker_count", "--bootstrap", "50", "--json")
    one, two = (ok(tmp_path, *BOTH, *arguments, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.stdout == two.stdout
    document = json.loads(one.stdout)
    overall = document["metrics"]["overall"]
    assert (overall["der"], overall["detection_error_rate"]) == pytest.approx((0.2, 0.2))
    assert (document["confidence"]["low"], document["confidence"]["high"]) == pytest.approx((0.2, 0.2))
    assert overall["speaker_count_error"] == 0


# Whatever can be wrong

WRONG = [
    (("--metrics", "jre"), "unknown metric 'jre'; did you mean jer"),
    (("--metrics", "purity-coverage"), "unknown metric 'purity-coverage'; did you mean purity_coverage?"),
    (("--metrics", "JER"), "unknown metric 'JER'; did you mean jer"),
    (("--metrics", "der,nothing-like-it"), "unknown metric 'nothing-like-it'; choose from der, jer,"),
    (("--metrics", ""), "no metric is named"),
    (("--metrics", ","), "no metric is named"),
    (("--metrics", "wder"), "no words, which wder need"),
    (("--metrics", "cpwer", "--ref-words", "words.rttm"), "--ref-words and --sys-words go together"),
    (("--metrics", "cpwer", "--sys-words", "words.rttm"), "--ref-words and --sys-words go together"),
    (("--metrics", "cpwer", "--ref-words", "no.json", "--sys-words", "no.json"), "no.json: cannot be read"),
    (("--metrics", "cpwer", "--ref-words", "no.rttm", "--sys-words", "words.rttm"), "no.rttm"),
    (("--metrics", "cpwer", "--ref-words", "bad.json", "--sys-words", "bad.json"), "bad.json:1: not JSON"),
    (("--metrics", "boundary", "--tolerance", "x"), "--tolerance x: it is a number"),
    (("--metrics", "boundary", "--tolerance", "-1"), "--tolerance"),
    (("--metrics", "boundary", "--tolerance", "0"), "--tolerance 0: it is a number above 0"),
    (("--metrics", "boundary", "--tolerance", "nan"), "--tolerance nan"),
    (("--metrics", "boundary", "--tolerance", "inf"), "--tolerance inf"),
    (("--metrics", "boundary", "--tolerance", "1e3"), "--tolerance 1e3"),
    (("--metrics", "boundary", "--edges", "start"), "--edges start: it is end or both"),
    (("--metrics", "mi", "--aggregate", "sum"), "--aggregate sum: it is block or mean"),
    (("--bootstrap", "x"), "--bootstrap x: it is a whole number, 0 or more"),
    (("--bootstrap", "1.5"), "--bootstrap 1.5: it is a whole number"),
    (("--bootstrap", "1_000"), "--bootstrap 1_000: it is a whole number"),
    (("--bootstrap", ""), "--bootstrap : it is a whole number"),
    (("--bootstrap", "\u0661"), "it is a whole number"),
    (("--bootstrap", "100000000000000"), "--bootstrap 100000000000000: it is a whole number"),
    (("--bootstrap", "99999999"), "number of resamples (samples) is 99999999"),
    (("--bootstrap", "9" * 5000), "--bootstrap 999"),
    (("--bootstrap", "10", "--seed", "x"), "--seed x: it is a whole number, 0 or more"),
    (("--bootstrap", "10", "--seed", "1.0"), "--seed 1.0: it is a whole number"),
    (("--bootstrap", "10", "--level", "x"), "--level x: it is a number"),
    (("--bootstrap", "10", "--level", "95%"), "--level 95%: it is a number"),
    (("--bootstrap", "10", "--level", "1"), "--level 1: it lies between 0 and 1"),
    (("--bootstrap", "10", "--level", "95"), "--level 95: it lies between 0 and 1"),
    (("--bootstrap", "10", "--level", "0"), "level"),
    (("--bootstrap", "10", "--level", "nan"), "--level nan"),
    (("--jobs", "0"), "--jobs 0: it is a number of threads, 1 or more"),
    (("--jobs", "x"), "--jobs x: it is a number of threads"),
    (("--jobs", "1.5"), "--jobs 1.5: it is a number of threads"),
    (("--jobs", "-2"), "--jobs"),
    (("--metrics",), "--metrics"),
    (("--bootstrap",), "--bootstrap"),
    (("--metric", "jer"), "--metric"),
    (("--metrics", "jer", "--nist"), "--nist is for md-eval's text"),
    (("--bootstrap", "10", "--nist"), "--nist is for md-eval's text"),
    (("--metrics", "jer", "--json", "--csv"), "--json and --csv are two outputs; choose one"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    write(folder, **{"bad.json": b"{"})
    done = run_mdeval(*BOTH, *arguments, cwd=folder)
    assert done.status == 2
    assert message in done.stderr
    assert done.stderr.startswith("mdeval: ")


# Options that only mean something beside another one: a typing mistake must not pass
LONELY = [
    (("--edges", "start"), "--edges start: it is end or both"),
    (("--aggregate", "sum"), "--aggregate sum: it is block or mean"),
    (("--tolerance", "x"), "--tolerance x"),
    (("--level", "0"), "--level 0"),
    (("--ref-words", "words.rttm"), "--ref-words"),
]


@pytest.mark.parametrize(("arguments", "message"), LONELY)
def test_wrong_values_are_refused_where_they_would_not_be_used(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run_mdeval(*BOTH, *arguments, cwd=folder)
    assert done.status == 2
    assert message in done.stderr
