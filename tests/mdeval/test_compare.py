"""`mdeval compare`: what is refused, what is said, and that results as JSON are as good as the RTTMs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mdeval
from mdeval.compare import PARTS, Run, compare, run_from_document
from mdeval.errors import UsageError
from mdeval.statistics import Interval, PairedTest, paired_test
from mdeval.verbs_text import comparison_text
from mdeval_support import Done, run_mdeval, speaker, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

N = 9
FILES = [f"rec{i}" for i in range(N)]
REF = "".join(speaker(0, 10, "A", file) + speaker(10, 8 + i, "B", file) for i, file in enumerate(FILES))


def changed_at(time: float, file: str) -> str:
    """Change speakers at another time than 10 s, where the reference does."""
    return speaker(0, time, "x", file) + speaker(time, 16 - time, "y", file)


# one system finds the change a little late, another one much later; the last is better than the first here, worse there
GOOD, BAD = ("".join(changed_at(10 + late * (1 + i % 3), f) for i, f in enumerate(FILES)) for late in (0.25, 1.0))
MIXED = "".join(changed_at(10 + 0.25 * (1 + i % 3) * (1.5 if i % 2 else 0.5), f) for i, f in enumerate(FILES))
TWO = ("compare", "-r", "ref.rttm", "-s", "good.rttm", "-s", "bad.rttm")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a reference, three systems, and the results of two."""
    write(tmp_path, ref=REF, **{"good.rttm": GOOD, "bad.rttm": BAD, "mixed.rttm": MIXED})
    return tmp_path


def result_file(folder: Path, name: str, *options: str, ref: str = "ref.rttm") -> Path:
    done = run_mdeval("-r", ref, "-s", f"{name}.rttm", "--json", *options, cwd=folder)
    assert done.status == 0, done.stderr
    path = folder / f"{name}.json"
    path.write_bytes(done.stdout)
    return path


def ok(folder: Path, *arguments: str) -> Done:
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 0, done.stderr
    return done


def fails(folder: Path, *arguments: str) -> str:
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 2
    assert done.stdout == b""
    return done.stderr


def run(name: str, errors: Sequence[float], scored: Sequence[float], signature: str = "mdeval|v:1|metric:der") -> Run:
    """Make a run all of whose errors are missed speech."""
    rows = {
        (f"f{i}", "1"): {
            "scored_speaker_time": whole,
            "missed_speaker_time": error,
            "falarm_speaker_time": 0.0,
            "speaker_error_time": 0.0,
        }
        for i, (error, whole) in enumerate(zip(errors, scored, strict=True))
    }
    return Run(name, signature, rows)


# What is compared


def test_the_rates_are_those_of_the_runs(folder: Path) -> None:
    results = [mdeval.score(folder / "ref.rttm", folder / f"{name}.rttm") for name in ("good", "bad")]
    [found] = compare([run_from_document(r.to_dict(), n) for r, n in zip(results, ("good", "bad"), strict=True)])
    assert (found.first, found.other) == ("good", "bad")
    assert [row.part for row in found.rows] == list(PARTS) == ["der", "missed", "false_alarm", "confusion"]
    for row in found.rows:
        rates = []
        for result in results:
            c = result.components
            parts = {
                "der": c.error_time,
                "missed": c.missed_speaker_time,
                "false_alarm": c.falarm_speaker_time,
                "confusion": c.speaker_error_time,
            }
            rates.append(parts[row.part] / c.scored_speaker_time)
        assert (row.first, row.other) == pytest.approx(rates, rel=1e-12)
        assert row.test.difference == pytest.approx(rates[1] - rates[0], rel=1e-9, abs=1e-12)
    assert found.per_recording == {
        key: (results[0].per_file[key].der, results[1].per_file[key].der) for key in results[0].per_file
    }


def test_the_test_is_that_of_the_sums() -> None:
    a, b = [3.0, 1.0, 2.0, 4.0], [3.5, 1.0, 4.0, 3.0]
    wholes = [10.0, 12.0, 9.0, 20.0]
    [found] = compare([run("a", a, wholes), run("b", b, wholes)], level=0.8, samples=50, seed=9)
    wanted = paired_test((a, b), (wholes, wholes), level=0.8, samples=50, seed=9)
    assert found.rows[0].test == wanted
    assert found.rows[1].test == wanted
    assert found.rows[2].test.p_value == 1.0


def test_every_system_is_compared_with_the_first() -> None:
    wholes = [10.0, 10.0]
    runs = [run(name, errors, wholes) for name, errors in (("a", [1, 2]), ("b", [2, 2]), ("c", [0, 1]))]
    found = compare(runs)
    assert [(c.first, c.other) for c in found] == [("a", "b"), ("a", "c")]
    assert [c.rows[0].test.difference for c in found] == pytest.approx([0.05, -0.1])


def test_recordings_are_matched_by_name_not_by_place() -> None:
    one = run("a", [1, 2, 3], [10, 10, 10])
    turned = replace(one, name="b", recordings=dict(reversed(one.recordings.items())))
    [found] = compare([one, turned])
    assert found.rows[0].test.difference == 0
    assert list(found.per_recording) == sorted(one.recordings)


def test_a_recording_without_scored_time_has_no_rate() -> None:
    [found] = compare([run("a", [1, 0, 2], [10, 0, 10]), run("b", [2, 0, 3], [10, 0, 10])])
    assert found.per_recording["f1", "1"] == (None, None)
    text = comparison_text(found, per_recording=True)
    assert [line.split() for line in text.splitlines() if line.startswith("f1 ")] == [["f1", "1", "NA", "NA", "NA"]]


# The verdict


@pytest.mark.parametrize(
    ("p_value", "low", "high", "verdict"),
    [
        (0.01, 0.02, 0.09, "a"),
        (0.01, -0.02, 0.09, None),  # the interval holds 0
        (0.01, 0.0, 0.09, None),
        (0.20, 0.02, 0.09, None),  # p is too large
        (0.051, 0.02, 0.09, None),  # not below what the level leaves over
        (0.20, -0.02, 0.09, None),
        (0.01, float("nan"), float("nan"), None),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_verdict_needs_interval_and_p(
    monkeypatch: pytest.MonkeyPatch, p_value: float, low: float, high: float, verdict: str | None, sign: int
) -> None:
    ends = sorted((sign * low, sign * high))
    made = PairedTest(sign * 0.05, Interval(ends[0], ends[1], 0.95, 10, 0), 0.0, p_value, 16)
    monkeypatch.setattr("mdeval.compare.paired_test", lambda *_, **__: made)
    [found] = compare([run("a", [1, 1], [9, 9]), run("b", [2, 2], [9, 9])])
    wanted = "b" if verdict and sign < 0 else verdict
    assert [row.better for row in found.rows] == [wanted] * 4


def test_few_recordings_are_not_enough_however_clear_they_are() -> None:
    n = 4  # the least p is 2 / 2^4
    [found] = compare([run("a", [1.0] * n, [10.0] * n), run("b", [5.0] * n, [10.0] * n)])
    assert found.rows[0].test.interval.low > 0
    assert found.rows[0].test.p_value == 0.125
    assert found.rows[0].better is None
    [found] = compare([run("a", [1.0] * n, [10.0] * n), run("b", [5.0] * n, [10.0] * n)], level=0.8)
    assert found.rows[0].better == "a"


def test_the_command_names_the_better_system(folder: Path) -> None:
    text = ok(folder, *TWO).text
    [der] = [line for line in text.splitlines() if line.startswith("DER ")]
    assert der.endswith("  good")
    [der] = [line for line in ok(folder, *TWO[:5], "-s", "mixed.rttm").text.splitlines() if line.startswith("DER ")]
    assert der.endswith("  no difference shown")


def test_a_system_that_is_the_other_one_shows_no_difference(folder: Path) -> None:
    document = json.loads(ok(folder, *TWO[:5], "-s", "good.rttm", "--json").stdout)
    for row in document["comparisons"][0]["rows"]:
        assert row["first"] == row["other"]
        assert (row["test"]["p_value"], row["better"]) == (1.0, None)


# What is refused


def test_runs_scored_otherwise_are_refused_with_both_signatures() -> None:
    one, other = run("a", [1, 2], [9, 9], "mdeval|collar:0"), run("b", [1, 2], [9, 9], "mdeval|collar:0.25")
    message = r"a and b were not scored alike(.|\n)*mdeval\|collar:0\n(.|\n)*mdeval\|collar:0\.25\n(.|\n)*--force"
    with pytest.raises(UsageError, match=message):
        compare([one, other])
    [found] = compare([one, other], force=True)
    assert found.signature == "mdeval|collar:0"


def test_different_recordings_are_refused_even_by_force() -> None:
    one, other = run("a", [1, 2, 3], [9, 9, 9]), run("b", [1, 2], [9, 9])
    for force in (False, True):
        for runs in ([one, other], [other, one]):
            with pytest.raises(UsageError, match="do not have the same recordings; only one has f2"):
                compare(runs, force=force)


def test_channels_are_recordings_of_their_own() -> None:
    one, other = run("a", [1, 2], [9, 9]), run("b", [1, 2], [9, 9])
    moved = replace(other, recordings={(file, "2"): row for (file, _), row in other.recordings.items()})
    with pytest.raises(UsageError, match="do not have the same recordings; only one has f0, f0, f1, f1"):
        compare([one, moved])


@pytest.mark.parametrize("n", [0, 1])
def test_one_system_is_no_comparison(n: int) -> None:
    with pytest.raises(UsageError, match="needs two systems or more"):
        compare([run("a", [1, 2], [9, 9])] * n)


def test_one_recording_is_no_sample() -> None:
    with pytest.raises(UsageError, match="two or more; there is one"):
        compare([run("a", [1], [9]), run("b", [2], [9])])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": "2.0"}, "x: schema version 2.0; this mdeval reads 1.x"),
        ({"schema_version": None}, "x: schema version None"),
        ({"recordings": None}, "x: no result of mdeval --json"),
        ({"recordings": ["f"]}, "x: no result of mdeval --json"),
        ({"recordings": [{"file": "f", "channel": "1"}]}, "x: no result of mdeval --json"),
        ({"recordings": [{"file": "f"}]}, "x: no result of mdeval --json .channel is missing"),
    ],
)
def test_other_documents_are_no_results(folder: Path, changes: dict[str, Any], message: str) -> None:
    document = mdeval.score(folder / "ref.rttm", folder / "good.rttm").to_dict()
    assert run_from_document(document, "x").name == "x"
    with pytest.raises(UsageError, match=message):
        run_from_document({**document, **changes}, "x")
    for key in changes:
        with pytest.raises(UsageError, match="x: no result of mdeval --json"):
            run_from_document({k: v for k, v in document.items() if k != key}, "x")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 1e300])
def test_times_that_are_none_are_refused(folder: Path, value: float) -> None:
    document = mdeval.score(folder / "ref.rttm", folder / "good.rttm").to_dict()
    document["recordings"][2]["missed_speaker_time"] = value
    with pytest.raises(UsageError, match=r"x: missed_speaker_time of rec2 \(channel 1\) is .*; it must be seconds"):
        run_from_document(document, "x")


def test_a_recording_stands_there_once(folder: Path) -> None:
    document = mdeval.score(folder / "ref.rttm", folder / "good.rttm").to_dict()
    document["recordings"].append(document["recordings"][0])
    with pytest.raises(UsageError, match=r"x: recording rec0 \(channel 1\) stands there twice"):
        run_from_document(document, "x")


# The command


def test_results_give_what_the_rttms_give(folder: Path) -> None:
    for options in ((), ("-c", "0.25"), ("-1",)):
        for name in ("good", "bad"):
            result_file(folder, name, *options)
        from_rttms = ok(folder, *TWO, *options, "--json", "--per-file")
        from_results = ok(folder, "compare", "good.json", "bad.json", "--json", "--per-file")
        assert from_results.stdout == from_rttms.stdout
        assert ok(folder, "compare", "good.json", "bad.json").stdout == ok(folder, *TWO, *options).stdout


def test_results_give_what_the_rttms_give_when_a_collar_eats_a_recording(folder: Path) -> None:
    lines = [speaker(0, 10, "A", "f"), speaker(0, 10, "A", "g"), speaker(0, 0.3, "A", "h")]
    write(folder, ref="".join(lines), **{"good.rttm": lines[0] + lines[2], "bad.rttm": lines[1] + lines[2]})
    for name in ("good", "bad"):
        result_file(folder, name, "-c", "0.25")
    wanted = ok(folder, "compare", "good.json", "bad.json", "--per-file").text
    assert ["h", "1", "NA", "NA", "NA"] in [line.split() for line in wanted.splitlines()]
    assert ok(folder, *TWO, "-c", "0.25", "--per-file").text == wanted


def test_results_give_what_the_rttms_give_when_a_collar_eats_all_but_the_first_recording(folder: Path) -> None:
    write(folder, ref=speaker(0, 10, "A", "f") + speaker(0, 0.3, "A", "g"))
    for name, length in (("good", 9), ("bad", 8)):
        write(folder, **{f"{name}.rttm": speaker(0, length, "x", "f") + speaker(0, 0.3, "x", "g")})
        result_file(folder, name, "-c", "0.25")
    wanted = ok(folder, "compare", "good.json", "bad.json", "--per-file").text
    assert ok(folder, *TWO, "-c", "0.25", "--per-file").text == wanted


def test_the_json_is_the_comparison(folder: Path) -> None:
    document = json.loads(ok(folder, *TWO, "--json", "--level", "0.9", "--samples", "50", "--seed", "2").stdout)
    assert document["schema_version"] == "1.0"
    [comparison] = document["comparisons"]
    results = [mdeval.score(folder / "ref.rttm", folder / f"{name}.rttm") for name in ("good", "bad")]
    runs = [run_from_document(r.to_dict(), name) for r, name in zip(results, ("good", "bad"), strict=True)]
    [found] = compare(runs, level=0.9, samples=50, seed=2)
    assert (comparison["first"], comparison["other"]) == ("good", "bad")
    assert comparison["signature"] == found.signature == results[0].signature
    for row, wanted in zip(comparison["rows"], found.rows, strict=True):
        assert (row["part"], row["first"], row["other"]) == (wanted.part, wanted.first, wanted.other)
        assert row["better"] == wanted.better
        test = row["test"]
        interval = test.pop("interval")
        assert PairedTest(interval=Interval(**interval), **test) == wanted.test
    assert comparison["per_recording"] == [
        {"file": file, "channel": "1", "first": a, "other": b} for (file, _), (a, b) in found.per_recording.items()
    ]


def test_the_text_says_what_was_done(folder: Path) -> None:
    lines = ok(folder, *TWO, "--level", "0.9", "--samples", "50", "--seed", "2").text.splitlines()
    assert lines[0].split() == ["rate", "good", "bad", "difference", "90%", "interval", "p", "better"]
    assert [line.split("  ")[0] for line in lines[2:6]] == ["DER", "missed", "false alarm", "confusion"]
    assert lines[6] == (
        "difference: bad minus good, in points of the scored speaker time; interval from 50 resamples of the recordings"
        f" (seed 2), p from {2**N} permutations"
    )
    assert lines[7].startswith("signature: mdeval|v:")
    assert len(lines) == 8


def test_a_row_for_every_recording(folder: Path) -> None:
    text = ok(folder, *TWO, "--per-file").text
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("rec")}
    assert list(rows) == ["recording", *FILES]
    scores = [mdeval.score(folder / "ref.rttm", folder / f"{name}.rttm").per_file for name in ("good", "bad")]
    for file in FILES:
        first, other = (score[file, "1"].der or 0.0 for score in scores)
        wanted = [file, "1", f"{100 * first:.2f}%", f"{100 * other:.2f}%", f"{100 * (other - first):+.2f}"]
        assert rows[file] == wanted


def test_three_systems_are_two_comparisons(folder: Path) -> None:
    done = ok(folder, *TWO, "-s", "mixed.rttm", "--json")
    assert [c["other"] for c in json.loads(done.stdout)["comparisons"]] == ["bad", "mixed"]
    text = ok(folder, *TWO, "-s", "mixed.rttm").text
    assert text.count("signature: ") == 2


def test_systems_are_named_as_asked_for(folder: Path) -> None:
    text = ok(folder, *TWO, "--name", "ours", "--name", "theirs").text
    assert text.splitlines()[0].split()[:3] == ["rate", "ours", "theirs"]
    message = "1 names for 2 systems; give --name once per system"
    assert message in fails(folder, *TWO, "--name", "ours")


def test_systems_are_named_by_what_tells_them_apart(folder: Path) -> None:
    for system in ("first/out", "second/out"):
        (folder / system).mkdir(parents=True)
        (folder / system / "sys.rttm").write_text(GOOD, encoding="utf-8")
    text = ok(folder, *TWO[:3], "-s", "first/out/sys.rttm", "-s", "second/out/sys.rttm").text
    assert text.splitlines()[0].split()[:3] == ["rate", "first/out/sys", "second/out/sys"]
    text = ok(folder, *TWO[:3], "-s", "first/out", "-s", "second/out/").text
    assert text.splitlines()[0].split()[:3] == ["rate", "first/out", "second/out"]
    text = ok(folder, *TWO[:3], "-s", "good.rttm", "-s", "good.rttm").text
    assert "good.rttm (2) minus good.rttm (1)" in text


def test_the_signatures_must_be_the_same(folder: Path) -> None:
    result_file(folder, "good")
    result_file(folder, "bad", "-c", "0.25")
    message = fails(folder, "compare", "good.json", "bad.json")
    assert message.startswith("mdeval: good and bad were not scored alike, so their rates cannot be compared:\n")
    assert "|collar:0|" in message
    assert "|collar:0.25|" in message
    assert "score both with the same choices, or use --force\n" in message
    done = ok(folder, "compare", "good.json", "bad.json", "--force")
    assert done.stderr == "warning: the systems were not scored alike; compared all the same, as --force asks\n"
    assert ok(folder, "compare", "good.json", "bad.json", "--force", "--quiet").stderr == ""


def test_force_says_nothing_when_there_is_nothing_to_force(folder: Path) -> None:
    done = ok(folder, *TWO, "--force")
    assert done.stderr == ""
    assert done.stdout == ok(folder, *TWO).stdout


def test_the_recordings_must_be_the_same(folder: Path) -> None:
    result_file(folder, "good")
    less = "".join(line for line in REF.splitlines(keepends=True) if " rec8 " not in line)
    write(folder, **{"less.rttm": less})
    result_file(folder, "bad", ref="less.rttm")
    message = fails(folder, "compare", "good.json", "bad.json")
    assert "good and bad do not have the same recordings; only one has rec8" in message


def test_regions_are_used(folder: Path) -> None:
    write(folder, uem="".join(f"{file} 1 0 9\n" for file in FILES))
    text = ok(folder, *TWO, "-u", "all.uem").text
    assert "|uem:file|" in text
    assert text.splitlines()[2].split()[1:3] == ["0.00%", "0.00%"]


def test_the_output_goes_to_a_file(folder: Path) -> None:
    done = ok(folder, *TWO, "-o", "out.txt")
    assert done.stdout == b""
    assert (folder / "out.txt").read_bytes() == ok(folder, *TWO).stdout
    assert "cannot be written" in fails(folder, *TWO, "-o", "nowhere/out.txt")


def test_twice_the_same_bytes(folder: Path) -> None:
    for options in (("--json",), ("--per-file",)):
        assert ok(folder, *TWO, *options).stdout == ok(folder, *TWO, *options).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare",), "give the reference with -r and the system output with -s"),
        (("compare", "-r", "ref.rttm"), "give the reference with -r and the system output with -s"),
        (("compare", "-s", "good.rttm", "-s", "bad.rttm"), "give the reference with -r"),
        (TWO[:5], "a comparison needs two systems or more"),
        (("compare", "good.json"), "a comparison needs two systems or more"),
        (("compare", "good.json", "good.json", "-r", "ref.rttm"), "give either results of mdeval --json, or -r and -s"),
        (("compare", "good.json", "nowhere.json"), "nowhere.json: cannot be read"),
        (("compare", "good.json", "good.rttm"), "good.rttm: no JSON ("),
        (("compare", "good.json", "list.json"), "list.json: not a result of mdeval --json"),
        (("compare", "good.json", "empty.json"), "empty: no result of mdeval --json"),
        (("compare", "good.json", "binary.json"), "binary.json: no JSON ("),
        ((*TWO, "-c", "x"), "'x' is not a number; write for example 0.25"),
        ((*TWO, "-c", "1_0"), "'1_0' is not a number"),
        ((*TWO, "-c", "nan"), "'nan' is not a number"),
        ((*TWO, "-c=-1"), "collar is -1.0"),
        ((*TWO, "-c", "30"), "no time is scored, so there is no rate to compare"),
        ((*TWO, "--level", "1"), "confidence level is 1.0; it must lie between 0 and 1"),
        ((*TWO, "--level", "0"), "confidence level is 0.0"),
        ((*TWO, "--level", "nan"), "'nan' is not a number"),
        ((*TWO, "--level", "95%"), "'95%' is not a number"),
        ((*TWO, "--samples", "0"), "number of resamples is 0"),
        ((*TWO, "--samples", "many"), "argument --samples: invalid int value: 'many'"),
        ((*TWO, "--samples", "100000000000000"), "samples"),
        ((*TWO, "--seed", "x"), "argument --seed: invalid int value: 'x'"),
        ((*TWO, "--seed=-1"), "seed"),
        ((*TWO, "--forc"), "unrecognized arguments: --forc"),
        ((*TWO, "--csv"), "unrecognized arguments: --csv"),
        ((*TWO, "-u", "nowhere.uem"), "nowhere.uem"),
        ((*TWO[:5], "-s", "nowhere.rttm"), "nowhere.rttm"),
        (("compare", "-r", "nowhere.rttm", "-s", "good.rttm", "-s", "bad.rttm"), "nowhere.rttm"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result_file(folder, "good")
    write(folder, **{"list.json": b"[1]", "empty.json": b"{}", "binary.json": b"\xff\xfe\x00"})
    assert message in fails(folder, *arguments)


def test_numbers_that_json_cannot_hold_are_null(folder: Path) -> None:
    # the one resample has the recording without scored time only
    write(folder, ref=speaker(0, 10, "A", "f") + speaker(0, 0.3, "A", "g"))
    for name, length in (("good", 9), ("bad", 8)):
        write(folder, **{f"{name}.rttm": speaker(0, length, "x", "f") + speaker(0, 0.3, "x", "g")})
        result_file(folder, name, "-c", "0.25")
    done = ok(folder, "compare", "good.json", "bad.json", "--samples", "1", "--seed", "5", "--json")
    interval = json.loads(done.stdout)["comparisons"][0]["rows"][0]["test"]["interval"]
    assert (interval["low"], interval["high"]) == (None, None)
    text = ok(folder, "compare", "good.json", "bad.json", "--samples", "1", "--seed", "5")
    assert "nan" not in text.text
    assert text.stderr == ""
