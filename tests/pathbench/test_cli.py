"""The command as a shell sees it: exit codes, standard output and standard error."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pathbench import CPPEvaluator, __version__
from pathbench.cli import main
from pathbench.store import Store

DATA = Path(__file__).parent / "data"
MINI = DATA / "minidata" / "mini" / "pathological" / "word" / "balanced"
WAV = DATA / "minidata" / "wav"
ROUTE: dict[str, Any] = json.loads((DATA / "csv_route.json").read_text(encoding="utf-8"))
EDGES: dict[str, Any] = json.loads((DATA / "csv_edge_cases.json").read_text(encoding="utf-8"))
NUMERIC = ("numpy", "scipy", "sklearn", "parselmouth", "matplotlib", "joblib", "soundfile", "sqlite3")


def call(
    *arguments: object, cwd: Path | None = None, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pathbench", *map(str, arguments)],
        input=stdin,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )


def refused(*arguments: object, **how: Any) -> str:
    """Call with what cannot be used: status 2, one message, nothing on standard output."""
    done = call(*arguments, **how)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    [error] = [line for line in done.stderr.splitlines() if line.startswith("pathbench: error: ")]
    return error


# what every command has


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], *([verb, "--help"] for verb in (
    "run", "evaluate", "score", "list", "check", "repoint", "plot"))])  # fmt: skip
def test_help_is_quick(arguments: list[str]) -> None:
    script = (
        "import sys; from pathbench.cli import main; status = main(sys.argv[1:]);"
        f"print([name for name in {NUMERIC} if name in sys.modules], status)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=False, text=True)
    assert done.stdout.splitlines()[-1] == "[] 0", done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required"),
        (["walk"], "invalid choice"),
        (["run"], "required: DATASET"),
        (["run", MINI, "--eval", "cpp"], "unrecognized arguments: --eval"),
        (["run", MINI, "-j", "0"], "0 processes cannot be"),
        (["run", MINI, "-j", "-7"], "-7 processes cannot be"),
        (["run", MINI, "-j", "nan"], "no whole number"),
        (["run", MINI, "-j", "99999999999999999999"], "too large"),
        (["run", MINI, "--draws", "-1"], "--draws -1"),
        (["run", MINI, "--draws", "999999999"], "--draws 999999999"),
        (["run", MINI, "--seed", "-1"], "--seed -1"),
        (["run", MINI, "--evaluators", "cpp,,vsa"], "empty name"),
        (["run", MINI, "--evaluators", "cp"], "there is no evaluator 'cp'"),
        (["run", MINI, "--skip", "cp"], "there is no evaluator 'cp'"),
        (["run", MINI, "--evaluators", "cpp", "--skip", "cpp"], "no evaluator is left to run"),
        (["run", MINI, "--evaluators", "os:system"], "is no evaluator"),
        (["run", MINI, "--evaluators", "no_such:Thing"], "cannot be imported"),
        (["run", MINI, "--engine", "dask"], "go together"),
        (["run", MINI, "--scheduler", "x:1"], "go together"),
        (["run", MINI, "--engine", "dask", "--scheduler", "x:1", "-j", "2"], "leave out -j"),
        (["run", MINI, "--complete", "per-metric"], "give --level utterance too"),
        (["plot", "scatter", MINI, "-o", "a.png", "--speaker", "A"], "--speaker says nothing about a scatter picture"),
        (["plot", "heatmap", MINI, "-o", "a.png", "--metric", "cpp"], "--metric says nothing about a heatmap picture"),
        (["plot", "vowels", MINI, "-o", "a.png", "--dataset", "x"], "--dataset says nothing about a vowels picture"),
        (["plot", "heatmap", MINI, "-o", "a.png", "--data-root", "x"], "--data-root says nothing about a heatmap"),
        (["run", "nowhere"], "nowhere: there is no such folder"),
        (["run", __file__], "is no folder"),
        (["run", WAV], "there is no wav.scp, so there is nothing to score; fix: name the folder of one dataset"),
        (["run", MINI, "--datasets-root", WAV], "is not below"),
        (["run", MINI, "--evaluators", "cpp", "--out", __file__], "cannot be made"),
        (["score", "nowhere.wav"], "nowhere.wav: there is no such file"),
        (["score", DATA], "is a folder"),
        (["score", WAV / "P01_blue.flac", "--evaluators", "vsa"], "vsa scores no single recording"),
        (["score", WAV / "P01_blue.flac", "--evaluators", "wpm"], "give --text"),
        (["score", WAV / "P01_blue.flac", "--evaluators", "p_estoi"], "give --reference"),
        (["evaluate"], "nothing to evaluate"),
        (["evaluate", "a.csv"], "the ratings are missing"),
        (["evaluate", "a.csv", "b"], "a.csv: no such file"),
        (["evaluate", "a.csv", "b", "--evaluator", "x"], "not both"),
        (["evaluate", "--evaluator", "x", "--results-dir", DATA, "--datasets-root", DATA], "no file x.csv below it"),
        (["check", "nowhere"], "there is no such folder"),
        (["check", WAV], "there is no wav.scp"),
        (["repoint", MINI, "--from", "/no/such", "--to", "/x"], "no path begins with /no/such"),
        (["repoint", MINI, "--from", "", "--to", "/x"], "no beginning of a path"),
        (["plot", "scatter", "nowhere", "-o", "a.png"], "no such file"),
        (["plot", "scatter", MINI, "-o", "a.jpg"], "a picture is a .png or a .svg file"),
        (["plot", "heatmap", DATA / "csv_route.json", "-o", "a.png"], "no results of a run"),
    ],
)  # fmt: skip
def test_wrong_usage_and_input(
    arguments: list[object],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([str(argument) for argument in arguments]) == 2
    said = capsys.readouterr()
    [error] = [line for line in said.err.splitlines() if line.startswith("pathbench: error: ")]
    assert message in error
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["run"], ["score", "nowhere.wav"], ["evaluate", "a.csv", "b"]])
def test_wrong_usage_and_input_in_a_shell(arguments: list[str], tmp_path: Path) -> None:
    assert refused(*arguments, cwd=tmp_path)


def test_main_gives_the_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--quiet"]) == 0
    assert "wada_snr" in capsys.readouterr().out
    assert main(["evaluate"]) == 2


def test_closed_and_full_outputs() -> None:
    tail = f"{sys.executable} -m pathbench list"
    done = subprocess.run(
        ["sh", "-c", f"{tail} | true; {tail} > /dev/full; echo $?"], capture_output=True, check=False, text=True
    )
    assert done.stdout == "2\n"
    assert "cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--help", "--version", "run --help", "list"])
def test_output_that_nobody_gets_is_an_error(option: str) -> None:
    for target, words in ((">&-", "is closed"), ("> /dev/full", "cannot be written: No space left on device")):
        tail = f"{sys.executable} -m pathbench {option} {target}"
        done = subprocess.run(["sh", "-c", tail], capture_output=True, check=False, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith(f"pathbench: error: <stdout>: {words}")
        assert "Traceback" not in done.stderr


# run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Make a run of three metrics and a lookup."""
    folder = tmp_path_factory.mktemp("run")
    root = DATA / "minidata"
    options = ("--evaluators", "cpp,wada_snr,wpm,spk2age", "--out", folder / "out", "--datasets-root", root)
    return folder, call("run", MINI, *options, cwd=folder)


def test_a_run_prints_and_writes_its_results(finished: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = finished
    assert done.returncode == 0, done.stderr
    name = "mini/pathological/word/balanced"
    head = f"{name}: 20 utterances of 6 speakers (en-us); 5 speakers rated, 5 with all metrics\n"
    assert done.stdout.startswith(head)
    assert "cpp        0.5308" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("signature: pathbench|v:")
    assert "P03_lost.flac: no such file" in done.stderr
    assert "missing or doubtful scores: load_error 3" in done.stderr
    files = sorted(str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file())
    scores = [f"scores/{name}/{metric}.csv" for metric in ("cpp", "wada_snr", "wpm")]
    others = ["missing.csv", "report.md", "results.csv", "results.json", "scores.sqlite", "table.csv"]
    assert files == sorted([*scores, *others])
    assert (folder / "out" / "scores" / name / "cpp.csv").read_text().splitlines()[:2] == [
        "speaker_id,score",
        "P01,575.020874",
    ]


def test_json_is_the_file_and_agrees_with_csv(finished: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = finished
    out = folder / "out"
    options = ("--evaluators", "cpp,wada_snr,wpm,spk2age", "--out", out, "--datasets-root", DATA / "minidata")
    again = call("run", MINI, *options, "--json", "--quiet", cwd=folder)
    assert again.returncode == 0
    assert again.stderr == ""
    assert again.stdout == (out / "results.json").read_text(encoding="utf-8")
    document = json.loads(again.stdout)
    assert document["schema_version"] == "1.0"
    [dataset] = document["datasets"]
    assert dataset["missing"] == {"load_error": 3}
    rows = list(csv.DictReader(io.StringIO((out / "results.csv").read_text(encoding="utf-8"))))
    assert [(row["metric"], float(row["pcc"])) for row in rows] == [
        (metric["metric"], metric["pcc"]) for metric in dataset["metrics"]
    ]
    assert all(metric["signature"].startswith("pathbench|v:") for metric in dataset["metrics"])


def test_strictly_missing_scores_fail(finished: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = finished
    options = ("--evaluators", "cpp", "--out", folder / "strict", "--datasets-root", DATA / "minidata")
    assert call("run", MINI, *options, "--strict", "--quiet").returncode == 3


def test_the_results_of_a_run_can_be_evaluated(finished: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = finished
    done = call(
        "evaluate", "--evaluator", "cpp", "--results-dir", folder / "out" / "scores", "--datasets-root",
        DATA / "minidata", "--on-mismatch", "intersect", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["datasets"][0]["pcc"] == pytest.approx(0.5308497707383627, abs=1e-6)


OWN = '''
from pathbench.evaluator import ReferenceFreeEvaluator


class LoudnessEvaluator(ReferenceFreeEvaluator):
    """Score an utterance by its mean power."""

    def _score_audio(self, audio, fs):
        return float((audio**2).mean())


class Broken(ReferenceFreeEvaluator):
    def _score_audio(self, audio, fs):
        raise KeyError("nothing works")
'''


def test_evaluators_of_other_people(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    for jobs in (1, 2):
        options = ("--evaluators", "mine:LoudnessEvaluator", "--out", tmp_path / f"out{jobs}", "-j", jobs)
        done = call("run", MINI, *options, PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert "loudness" in done.stdout
    done = call(
        "run", MINI, "--evaluators", "mine:Broken,mine:LoudnessEvaluator", "--out", tmp_path / "out1",
        PYTHONPATH=str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 3
    assert "evaluator_error 19" in done.stderr
    assert "KeyError: 'nothing works'" in done.stderr
    assert "Traceback" not in done.stderr
    assert "loudness  " in done.stdout


def test_the_script_finds_modules_of_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    script = Path(sys.executable).parent / "pathbench"
    arguments = [script, "run", MINI, "--evaluators", "mine:LoudnessEvaluator", "--out", "out", "-j", "2"]
    done = subprocess.run(list(map(str, arguments)), cwd=tmp_path, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert "loudness  " in done.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path, jobs: str, sent: signal.Signals, status: int) -> None:
    calls = tmp_path / "calls"
    calls.touch()
    slow = "import time; open('calls', 'a').write('x'); time.sleep(0.2); return float"
    (tmp_path / "mine.py").write_text(OWN.replace("return float", slow), encoding="utf-8")
    arguments = ["-m", "pathbench", "run", MINI, "--evaluators", "mine:LoudnessEvaluator", "--out", "out", "-j", jobs]
    run = subprocess.Popen(
        [sys.executable, *map(str, arguments)], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and calls.stat().st_size < 8:  # however long processes take to start
        time.sleep(0.05)
    run.send_signal(sent)
    out, err = run.communicate(timeout=60)  # until no process holds the streams any more
    assert (run.returncode, out) == (status, "")
    assert "interrupted; run again to go on" in err
    assert "Traceback" not in err
    with Store(str(tmp_path / "out" / "scores.sqlite"), read_only=True) as store:
        assert 0 < len(store.content()) < 20


def test_an_evaluator_of_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    info = tmp_path / "mine-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 2.5\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[pathbench.evaluators]\nloudness = mine:LoudnessEvaluator\n", encoding="utf-8"
    )
    (info / "RECORD").write_text("mine.py,,\n", encoding="utf-8")
    listed = json.loads(call("list", "--json", PYTHONPATH=str(tmp_path)).stdout)["evaluators"]
    assert listed[-1]["name"] == "loudness"
    assert listed[-1]["distribution"] == "mine"
    signatures = []
    for line in ("", "# another version\n"):
        (tmp_path / "mine.py").write_text(OWN + line, encoding="utf-8")
        done = call("run", MINI, "--evaluators", "loudness", "--out", tmp_path / "out", PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert "loudness  " in done.stdout
        results = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
        signatures.append(results["datasets"][0]["metrics"][0]["signature"])
        assert f"* `{signatures[-1]}`" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    pattern = rf"mine\|v:2\.5\|metric:loudness\|undefined:zero\|compat:none\|pathbench:{__version__}\|source:(\w{{16}})"
    hashes = [match[1] for signature in signatures if (match := re.fullmatch(pattern, signature))]
    assert len(set(hashes)) == 2


def test_a_name_of_ours_that_somebody_else_offers(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    info = tmp_path / "mine-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 2.5\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[pathbench.evaluators]\ncpp = mine:LoudnessEvaluator\n", encoding="utf-8")
    done = call("list", "--json", PYTHONPATH=str(tmp_path))
    both = [one for one in json.loads(done.stdout)["evaluators"] if one["name"] == "cpp"]
    assert [(one["distribution"], one["default"]) for one in both] == [("pathbench", True), ("mine", False)]
    owners = "pathbench (pathbench.cpp:CPPEvaluator) and mine (mine:LoudnessEvaluator)"
    assert f"warning: the name cpp is offered by {owners}: the first one, always, has the name; fix: " in done.stderr
    text = call("list", "--quiet", PYTHONPATH=str(tmp_path)).stdout
    assert [line.split()[1] for line in text.splitlines() if line.startswith("cpp ")] == ["*", "?"]


def test_a_dask_cluster_that_is_not_there(tmp_path: Path) -> None:
    options = ("--evaluators", "cpp", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:1", "--out", tmp_path)
    done = call("run", MINI, *options)
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


# score, list


def test_scores_are_those_of_the_library() -> None:
    files = [WAV / "P01_blue.flac", WAV / "K01_blue.flac"]
    text = call("score", *files)
    assert text.returncode == 0
    assert text.stdout.splitlines()[0].split() == ["file", "cpp", "wada_snr"]
    document = json.loads(call("score", *files, "--json").stdout)
    wanted = [CPPEvaluator().score("u", file) for file in files]
    assert [one["scores"]["cpp"] for one in document["files"]] == pytest.approx(wanted, rel=1e-12)
    rows = list(csv.DictReader(io.StringIO(call("score", *files, "--csv").stdout)))
    assert [float(row["cpp"]) for row in rows] == [one["scores"]["cpp"] for one in document["files"]]


def test_scores_with_text_and_references(tmp_path: Path) -> None:
    references = [option for name in "345" for option in ("--reference", WAV / f"K0{name}_blue.flac")]
    options = ("--evaluators", "wpm,p_estoi", "--text", "blue", *references, "--json", "-o", tmp_path / "a" / "s.json")
    done = call("score", WAV / "P01_blue.flac", *options)
    assert (done.returncode, done.stdout) == (0, "")
    [one] = json.loads((tmp_path / "a" / "s.json").read_text())["files"]
    assert one["scores"]["wpm"] > 0
    assert -1 < one["scores"]["p_estoi"] < 1


def test_a_recording_that_cannot_be_scored(tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF nothing")
    done = call("score", bad, WAV / "P01_blue.flac")
    assert done.returncode == 0
    assert done.stdout.splitlines()[2].split()[1:] == ["N/A", "N/A"]
    assert "bad.wav: cannot be decoded" in done.stderr
    assert call("score", bad, "--strict").returncode == 3


def test_an_input_is_not_written_over() -> None:
    file = WAV / "P01_blue.flac"
    assert "is an input and would be written over" in refused("score", file, "-o", file)


def test_the_list_says_where_methods_come_from() -> None:
    text = call("list").stdout
    assert "Kim & Stern 2008" in text
    assert "praat-parselmouth: GPL-3.0-or-later" in text
    found = {one["name"]: one for one in json.loads(call("list", "--json").stdout)["evaluators"]}
    assert found["vsa"]["licence_note"] == "praat-parselmouth: GPL-3.0-or-later"
    assert found["cpp"]["licence_note"] is None
    assert found["vsa"]["languages"] == ["en", "it", "es", "nl", "zh", "cmn"]


ODD = """
import os, sys
from pathbench.evaluator import ReferenceFreeEvaluator

print("imported")

class Loud(ReferenceFreeEvaluator):
    name = "loud"

    def __init__(self):
        print("made")

    def _score_audio(self, audio, fs):
        print("scored")
        os.system("echo child")
        return float(len(audio))

class Twin(Loud):
    pass

class Leaving(ReferenceFreeEvaluator):
    name = "leaving"

    def _score_audio(self, audio, fs):
        sys.exit(0)

class Lost(ReferenceFreeEvaluator):
    name = "lost"

    def _score_audio(self, audio, fs):
        return float("nan")
"""


def test_options_of_other_evaluators_are_told() -> None:
    wav = WAV / "P01_blue.flac"
    done = call("score", wav, "--text", "blue", "--reference", wav)
    assert done.returncode == 0
    assert "warning: --text is not used: none of cpp, wada_snr asks for it" in done.stderr
    assert "warning: --reference is not used: none of cpp, wada_snr asks for it" in done.stderr
    assert call("score", wav, "--text", "blue", "--evaluators", "wpm,cpp").stderr == ""


def test_what_evaluators_print_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    for jobs in (1, 2):
        done = call("run", MINI, "--evaluators", "odd:Loud", "--json", "--out", f"o{jobs}", "-j", jobs, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["datasets"][0]["metrics"][0]["metric"] == "loud"
    assert "scored" in done.stderr
    done = call("score", WAV / "P01_blue.flac", "--evaluators", "odd:Loud", "--csv", cwd=tmp_path)
    assert done.stdout.startswith("file,loud\n")
    assert len(done.stdout.splitlines()) == 2
    assert {"imported", "made", "scored", "child"} <= set(done.stderr.split())


def test_evaluators_that_leave_or_find_nothing(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    done = call("run", MINI, "--evaluators", "odd:Leaving", "--out", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert "SystemExit: 0" in done.stderr
    done = call("score", WAV / "P01_blue.flac", "--evaluators", "odd:Leaving,odd:Lost", cwd=tmp_path)
    assert done.returncode == 3
    assert "P01_blue.flac: " in done.stderr
    assert "SystemExit: 0 (leaving)" in done.stderr
    done = call("run", MINI, "--evaluators", "odd:Lost", "--out", "lost", "--strict", cwd=tmp_path)
    assert done.returncode == 3
    assert "not_a_number 19" in done.stderr
    assert "P01_blue,lost,,not_a_number" in (tmp_path / "lost" / "missing.csv").read_text(encoding="utf-8")


def test_two_scores_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    error = refused("score", WAV / "P01_blue.flac", "--evaluators", "odd:Loud,odd:Twin", cwd=tmp_path)
    assert "two evaluators are called loud" in error


def test_what_is_no_file_is_told_so() -> None:
    assert "/dev/null: is no regular file" in refused("score", "/dev/null")
    assert "the name of a dataset is empty" in refused("run", "")


def test_names_that_are_no_unicode(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "root") + b"/\xff"
    os.makedirs(folder)
    sound = folder + b"/\xfe.flac"
    with open(sound, "wb") as stream:
        stream.write((WAV / "P01_blue.flac").read_bytes())
    for option in ("--json", "--csv", "--quiet"):
        done = call("score", os.fsdecode(sound), option)
        assert done.returncode == 0, done.stderr
    tables = {"wav.scp": "u1 \udcfe.flac\n", "utt2spk": "u1 A\nu2 A\n", "spk2score": "A 1\n", "language": "en\n"}
    tables["wav.scp"] = "u1 a.flac\nu2 lost.flac\n"
    for name, text in tables.items():
        (Path(os.fsdecode(folder)) / name).write_text(text, encoding="utf-8")
    (Path(os.fsdecode(folder)) / "a.flac").write_bytes((WAV / "P01_blue.flac").read_bytes())
    options = ("--evaluators", "cpp,f0_range", "--out", tmp_path / "out")
    for option in ("--json", "--verbose"):
        done = call("run", os.fsdecode(folder), *options, option, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
    name = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["datasets"][0]["name"]
    assert (tmp_path / "out" / "scores" / name / "cpp.csv").exists()


# evaluate


def test_the_tree() -> None:
    root = DATA / "csv_route"
    where = ("--results-dir", root / "results", "--datasets-root", root / "datasets")
    done = call("evaluate", "--evaluator", "dummy_scores", *where)
    assert done.returncode == 0
    assert "mean                                          0.82" in done.stdout
    assert "1     dummy_scores" in done.stdout
    document = json.loads(call("evaluate", "--evaluator", "dummy_scores", *where, "--json").stdout)
    assert document["mean_pcc"] == pytest.approx(ROUTE["mean_pcc"], abs=1e-12)
    assert {one["name"]: one["pcc"] for one in document["datasets"]} == pytest.approx(
        {name: one["pcc"] for name, one in ROUTE["datasets"].items()}, abs=1e-12
    )
    turned = json.loads(call("evaluate", "--evaluator", "dummy_scores", *where, "--json", "--lower-is-better").stdout)
    assert turned["ranking"][-1]["metric"] == "dummy_scores"
    assert turned["ranking"][-1]["rank"] == 13


@pytest.mark.parametrize("name", EDGES["cases"])
def test_edge_cases(name: str, tmp_path: Path) -> None:
    case = EDGES["cases"][name]
    (tmp_path / "p.csv").write_text(case["csv"], encoding="utf-8")
    ratings = "".join(f"{speaker} {score}\n" for speaker, score in EDGES["ground_truth"].items())
    (tmp_path / "spk2score").write_text(ratings, encoding="utf-8")
    if "exit" in case or name == "nan_value":
        refused("evaluate", "p.csv", "spk2score", cwd=tmp_path)
        return
    done = call("evaluate", "p.csv", ".", "--json", "--on-mismatch", "intersect", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [one] = json.loads(done.stdout)["datasets"]
    if case["pcc"] == "NaN":
        assert one["pcc"] is None
        assert one["reason"] == "the scores are constant"
    else:
        assert one["pcc"] == pytest.approx(case["pcc"], abs=1e-12)
    if name == "positional_bad_row_skipped":
        assert "lines without a number in the second column are left out: 1, 5" in done.stderr or "5" in done.stderr


def test_predictions_from_standard_input() -> None:
    root = DATA / "csv_route"
    text = (root / "results" / "youtube" / "dummy_scores.csv").read_text()
    done = call("evaluate", "-", root / "datasets" / "youtube", stdin=text)
    assert done.returncode == 0
    assert "0.56" in done.stdout


def test_a_folder_without_ratings_is_left_out(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / "results" / folder).mkdir(parents=True)
        (tmp_path / "results" / folder / "x.csv").write_text("A,1\nB,2\n", encoding="utf-8")
    options = ("--evaluator", "x", "--results-dir", tmp_path / "results", "--datasets-root", tmp_path / "sets")
    assert "no ratings for any x.csv" in refused("evaluate", *options)
    (tmp_path / "sets" / "b").mkdir(parents=True)
    (tmp_path / "sets" / "b" / "spk2score").write_text("A 1\nB 2\n", encoding="utf-8")
    done = call("evaluate", *options)
    assert done.returncode == 0
    assert "there are no ratings" in done.stderr
    assert "mean" not in done.stdout


# check, repoint


def test_a_dataset_is_checked_and_hashed(tmp_path: Path) -> None:
    bad = call("check", MINI)
    assert bad.returncode == 1
    assert "P03_lost.flac" in bad.stdout
    folder = tmp_path / "set"
    folder.mkdir()
    wav = tmp_path / "a.flac"
    wav.write_bytes((WAV / "P01_blue.flac").read_bytes())
    tables = {"wav.scp": f"u {wav}", "utt2spk": "u u", "spk2score": "u 1", "text": "u blue", "language": "en"}
    for name, line in tables.items():
        (folder / name).write_text(f"{line}\n", encoding="utf-8")
    assert call("check", tmp_path).returncode == 0
    assert call("check", folder, "--write-hashes").returncode == 0
    assert (folder / "wav_hash.scp").read_text().startswith("u ")
    assert call("check", folder).returncode == 0
    wav.write_bytes((WAV / "P01_seven.flac").read_bytes())
    changed = call("check", folder, "--json")
    assert changed.returncode == 1
    [error] = [one for one in json.loads(changed.stdout)["problems"] if one["severity"] == "error"]
    assert "not the one that was hashed" in error["message"]


def test_names_that_are_not_utf8_break_nothing(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"e\xff")
    folder.mkdir()
    for name, line in {"wav.scp": "u /x/1.wav", "spk2score": "u 1\nv 2", "m.csv": "u,1\nv,3"}.items():
        (folder / name).write_text(f"{line}\n", encoding="utf-8")
    for status, verb in (
        (1, ("check", folder)),
        (1, ("check", folder, "--write-hashes")),
        (0, ("evaluate", "--evaluator", "m", "--results-dir", tmp_path, "--datasets-root", tmp_path)),
        (0, ("repoint", folder, "--from", "/x", "--to", "/y", "--dry-run")),
    ):
        for options in ((), ("--json",)):
            done = call(*verb, *options)
            assert (done.returncode, done.stderr) == (status, "")
            assert "\\udcff" in done.stdout


def test_a_target_that_makes_commands_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wav.scp").write_text("u /x\n", encoding="utf-8")
    assert "makes a command" in refused("repoint", tmp_path, "--from", "/x", "--to", "cat /x |")


def test_paths_are_repointed(tmp_path: Path) -> None:
    scp = tmp_path / "wav.scp"
    text = "a /data/x/1.wav\nb\t/data/xy/2.wav \nc /data/x\nd sox /data/x/3.wav |\ne rel.wav\n"
    scp.write_text(text, encoding="utf-8")
    options = ("--from", "/data/x/", "--to", "/mnt/new")
    planned = call("repoint", tmp_path, *options, "--dry-run")
    assert planned.returncode == 0
    assert "would change" in planned.stdout
    assert scp.read_text() == text
    assert call("repoint", tmp_path, *options).returncode == 0
    assert scp.read_text() == text.replace("a /data/x/", "a /mnt/new/").replace("c /data/x\n", "c /mnt/new\n")
    assert (tmp_path / "wav.scp.bak").read_text() == text
    again = call("repoint", tmp_path, *options, "--json")
    assert again.returncode == 0
    [one] = json.loads(again.stdout)["files"]
    assert (one["n_changed"], one["n_already"], one["n_other"]) == (0, 2, 3)


# plot


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures(suffix: str, finished: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    out = finished[0] / "out"
    jobs = {
        "s": ["scatter", str(out), "--metric", "cpp"],
        "h": ["heatmap", str(out)],
        "v": ["vowels", str(MINI), "--speaker", "P01", "--quiet"],
    }
    for name, arguments in jobs.items():
        path = tmp_path / f"{name}.{suffix}"
        for copy in (path, tmp_path / f"{name}2.{suffix}"):
            assert main(["plot", *arguments, "-o", str(copy)]) == 0
        assert path.read_bytes() == (tmp_path / f"{name}2.{suffix}").read_bytes()
        assert path.stat().st_size > 5000


def test_a_picture_in_a_shell(finished: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    out = finished[0] / "out"
    done = call("plot", "heatmap", out, "-o", tmp_path / "x.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "choose one with --metric" in refused("plot", "scatter", out, "-o", tmp_path / "y.png")
    assert "--metric x" in refused("plot", "scatter", out, "--metric", "x", "-o", tmp_path / "y.png")
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]
