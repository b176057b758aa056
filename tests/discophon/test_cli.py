"""The command as a shell sees it: status, standard output, standard error."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from discophon.data import read_gold_annotations, read_submitted_units
from discophon.evaluate import discover, phoneme_discovery
from discophon_support import DATA, N_PHONEMES, make_dataset, run_discophon

if TYPE_CHECKING:
    from pathlib import Path

GOLD = "#file onset offset #phone\nf 0 0.04 a\nf 0.04 0.08 b\n"
UNITS = '{"file": "f", "units": [0, 0, 1, 1]}\n'
PERFECT = {"pnmi": 1.0, "per": 0.0, "f1": 1.0, "r_val": 1.0}
FILES = ("units.jsonl", "gold.txt")
NUMBERS = ("--n-phonemes", "1")
NUMERIC = ("numpy", "scipy", "polars", "rapidfuzz", "joblib", "matplotlib")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with units and gold of one file."""
    (tmp_path / "units.jsonl").write_text(UNITS)
    (tmp_path / "gold.txt").write_text(GOLD)
    return tmp_path


def fails(folder: Path, *arguments: object, status: int = 2, stdin: bytes = b"") -> str:
    done = run_discophon(*arguments, cwd=folder, stdin=stdin)
    assert (done.status, done.stdout) == (status, "")
    assert done.stderr.count("error: ") == 1
    return done.stderr


# evaluate


@pytest.mark.parametrize("module", ["discophon", "discophon.cli", "discophon.evaluate"])
def test_evaluate_prints_one_object_and_tells_its_signature(folder: Path, module: str) -> None:
    verb = () if module == "discophon.evaluate" else ("evaluate",)
    done = run_discophon(*verb, *FILES, *NUMBERS, cwd=folder, module=module)
    assert (done.status, json.loads(done.stdout)) == (0, PERFECT)
    assert list(json.loads(done.stdout)) == ["pnmi", "per", "f1", "r_val"]
    assert done.stderr.startswith("signature: discophon|v:")
    assert done.stderr.count("\n") == done.stdout.count("\n") == 1
    quiet = run_discophon(*verb, "--quiet", *FILES, *NUMBERS, cwd=folder, module=module)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


@pytest.mark.parametrize("kind", ["many-to-one", "one-to-one"])
def test_evaluate_is_the_function(kind: str, tmp_path: Path) -> None:
    units, gold = DATA / "units" / "one-40ms" / "units-swa-dev.jsonl", DATA / "alignment" / "alignment-swa-dev.txt"
    done = run_discophon("evaluate", units, gold, "--language", "swa", "--kind", kind, "--step-units", 40, cwd=tmp_path)
    expected = phoneme_discovery(
        read_submitted_units(units),
        read_gold_annotations(gold),
        kind=kind,  # type: ignore[arg-type]
        n_units=256 if kind == "many-to-one" else N_PHONEMES["swa"] + 1,
        language="swa",
        step_units=40,
    )
    assert json.loads(done.stdout) == expected  # to the last digit


def test_evaluate_json_is_the_whole_result(folder: Path) -> None:
    done = run_discophon("evaluate", *FILES, *NUMBERS, "--json", "--windows", "shared", cwd=folder)
    result = discover(
        read_submitted_units(folder / "units.jsonl"),
        read_gold_annotations(folder / "gold.txt"),
        kind="many-to-one",
        n_units=256,
        n_phonemes=1,
        windows="shared",
    )
    document = json.loads(done.stdout)
    assert document == result.to_dict()
    assert document["schema_version"] == "1.0"
    assert document["signature"].endswith("|windows:shared")
    assert document["files"] == [
        {"file": "f", "errors": 0, "length": 2, "true_positives": 1, "false_positives": 0, "false_negatives": 0}
    ]
    assert document["assignment"] == {"0": "a", "1": "b"}
    assert document["confusion"] == {"b": {"b": 4}, "a": {"a": 4}}
    assert done.stderr == ""


def test_evaluate_metrics_and_undefined_scores(folder: Path) -> None:
    (folder / "gold.txt").write_text("#file onset offset #phone\nf 0 0.08 a\n")
    (folder / "units.jsonl").write_text('{"file": "f", "units": [0, 0, 0, 0]}\n')
    done = run_discophon("evaluate", *FILES, *NUMBERS, cwd=folder)
    assert (done.status, json.loads(done.stdout)) == (3, {"pnmi": 0.0, "per": 0.0, "f1": None, "r_val": None})
    told = [line for line in done.stderr.splitlines() if "error" in line]
    assert told[0].startswith("discophon: error: units.jsonl against gold.txt: f1 is undefined: there is no")
    assert len(told) == 2
    done = run_discophon("evaluate", *FILES, *NUMBERS, "--metrics", "per, pnmi", cwd=folder)
    assert (done.status, json.loads(done.stdout)) == (0, {"pnmi": 0.0, "per": 0.0})
    document = json.loads(run_discophon("evaluate", *FILES, *NUMBERS, "--json", cwd=folder).stdout)
    assert document["scores"]["f1"] is None
    assert "no boundary" in document["undefined"]["f1"]


def test_evaluate_reads_standard_input_and_gzip_and_writes_a_file(folder: Path) -> None:
    done = run_discophon("evaluate", "-", "gold.txt", *NUMBERS, cwd=folder, stdin=gzip.compress(UNITS.encode()))
    assert json.loads(done.stdout) == PERFECT
    done = run_discophon("evaluate", "units.jsonl", "-", *NUMBERS, "-o", "out.json", cwd=folder, stdin=GOLD.encode())
    assert (done.status, done.stdout) == (0, "")
    assert json.loads((folder / "out.json").read_text()) == PERFECT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("units.jsonl", "gold.txt"), "one of the arguments --language --n-phonemes is required"),
        ((*FILES, *NUMBERS, "--language", "swa"), "not allowed with"),
        ((*FILES, "--language", "klingon"), "unknown language 'klingon'"),
        ((*FILES, "--n-phonemes", "0"), "n_phonemes is 0"),
        ((*FILES, "--n-phonemes", "nan"), "invalid int value"),
        ((*FILES, *NUMBERS, "--n-units", "-3"), "n_units is -3"),
        (
            (*FILES, *NUMBERS, "--n-units", "99999999999999999999"),
            "n_units is 9+; it must be a whole number from 1 to 1000000",
        ),
        ((*FILES, *NUMBERS, "--n-units", "1"), r"unit number 3 is 1, not from 0 to 0"),
        ((*FILES, *NUMBERS, "--step-units", "25"), "no whole multiple"),
        ((*FILES, *NUMBERS, "--step-units", "99999999999999999999990"), "step_units is 9+0"),
        ((*FILES, *NUMBERS, "--step-units", "10"), "a step of 20 ms would fit all files"),
        ((*FILES, *NUMBERS, "--kind", "one-to-one", "--n-units", "3"), "2 units for 1 phonemes, not 3"),
        ((*FILES, *NUMBERS, "--kind", "one-to-one", "--n-units", "1"), "1 phonemes one-to-one has the units 0 to 1"),
        ((*FILES, *NUMBERS, "--metrics", "wer"), "unknown metric 'wer'"),
        ((*FILES, *NUMBERS, "--kin", "one-to-one"), "unrecognized arguments: --kin"),
        ((*FILES, *NUMBERS, "-o", "units.jsonl"), "it is read, so it cannot be written to"),
        ((*FILES, *NUMBERS, "-o", "nowhere/x"), "cannot be written"),
        (("nowhere", "gold.txt", *NUMBERS), "nowhere: no such file"),
        (("units.jsonl", ".", *NUMBERS), "is a directory"),
        (("-", "-", *NUMBERS), "only one of UNITS and PHONES can be standard input"),
        (("gold.txt", "units.jsonl", *NUMBERS), "gold.txt:1: J001 not JSON"),
        (("units.jsonl", "units.jsonl", *NUMBERS), "units.jsonl:1: the header has no column"),
    ],
)
def test_evaluate_refuses(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    import re

    said = fails(folder, "evaluate", *arguments)
    assert re.search(message, said), said
    assert (folder / "units.jsonl").read_text() == UNITS


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01", b"\xff\xfe{\x00", UNITS.encode("utf-16"), b"\x1f\x8b123", b"\xff"]
)
def test_evaluate_survives_any_bytes(folder: Path, content: bytes) -> None:
    for name in FILES:
        before = (folder / name).read_bytes()
        (folder / name).write_bytes(content)
        assert name in fails(folder, "evaluate", *FILES, *NUMBERS)
        (folder / name).write_bytes(before)


def test_evaluate_tells_a_file_that_may_not_be_read(folder: Path) -> None:
    if os.geteuid() == 0:
        (folder / "units.jsonl").unlink()
        (folder / "units.jsonl").symlink_to("units.jsonl")  # a loop cannot be read by anyone
        assert "units.jsonl" in fails(folder, "evaluate", *FILES, *NUMBERS)
    else:
        (folder / "units.jsonl").chmod(0)
        assert "cannot be read" in fails(folder, "evaluate", *FILES, *NUMBERS)


def test_verbose_shows_where_an_error_arose(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "discophon", "evaluate", "--verbose", "nowhere", "gold.txt", *NUMBERS],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" in done.stderr


# benchmark


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_dataset(tmp_path_factory.mktemp("cli") / "data")


def test_benchmark_appends_rows(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"already": "there"}\n')
    arguments = (dataset, DATA / "units" / "one-40ms", "s.jsonl", "--kind", "one-to-one", "--step-units", 40)
    done = run_discophon(*arguments, cwd=tmp_path, module="discophon.benchmark")
    assert (done.status, done.stdout) == (0, "")
    assert done.stderr.startswith("python -m discophon.benchmark: warning: 20 of 24 files of units are missing and not")
    assert "\nsignature: discophon|v:" in done.stderr  # rows have no place for it
    first, *rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert first == {"already": "there"}
    assert [list(row) for row in rows] == [["language", "split", "metric", "score"]] * 16
    again = run_discophon("benchmark", "--quiet", *arguments, "-j", 2, cwd=tmp_path)
    assert (again.status, again.stderr) == (0, "")
    lines = (tmp_path / "s.jsonl").read_text().splitlines()
    assert lines[1:17] == lines[17:]


@pytest.mark.parametrize("name", ["s.csv", "s.json", "s.parquet", "-"])
def test_benchmark_writes_by_suffix(dataset: Path, tmp_path: Path, name: str) -> None:
    done = run_discophon("benchmark", dataset, DATA / "units" / "k256-20ms", name, "--languages", "swa", cwd=tmp_path)
    assert done.status == 0
    if name == "-":
        assert len([json.loads(line) for line in done.stdout.splitlines()]) == 8
    else:
        assert os.listdir(tmp_path) == [name]


def test_benchmark_refuses(dataset: Path, tmp_path: Path) -> None:
    units = DATA / "units" / "k256-20ms"
    assert "would make it invalid" in fails(tmp_path, "benchmark", dataset, units, dataset / "s.jsonl")
    assert "no such folder" in fails(tmp_path, "benchmark", dataset, "nowhere", "s.jsonl")
    assert "unknown language 'xyz'" in fails(tmp_path, "benchmark", dataset, units, "s.jsonl", "--languages", "xyz")
    missing = fails(tmp_path, "benchmark", "--quiet", dataset, "nowhere", "s.jsonl", "--languages", "swa, wol")
    assert "nowhere: no such folder" in missing
    (tmp_path / "loop").symlink_to("loop")  # cannot be looked into by anyone
    told = fails(tmp_path, "benchmark", "--quiet", dataset, "loop", "s.jsonl")
    assert "loop: too many levels of symbolic links; check the path, and who may use it" in told
    both = ("--engine", "dask", "--scheduler", "localhost:1", "-j", 2)
    assert "--jobs is about processes here" in fails(tmp_path, "benchmark", dataset, units, "s.jsonl", *both)
    assert "jobs is 0" in fails(tmp_path, "benchmark", dataset, units, "s.jsonl", "-j", 0)
    assert "invalid choice: 'all'" in fails(tmp_path, "benchmark", dataset, units, "s.jsonl", "--benchmark", "all")
    (tmp_path / "empty").mkdir()
    assert "no units to evaluate" in fails(tmp_path, "benchmark", dataset, "empty", "s.jsonl")
    assert "empty" in fails(tmp_path, "benchmark", "empty", units, "s.jsonl")
    assert not (tmp_path / "s.jsonl").exists()


def test_benchmark_keeps_what_was_there_when_a_file_is_wrong(dataset: Path, tmp_path: Path) -> None:
    shutil.copytree(DATA / "units" / "k256-20ms", tmp_path / "u")
    (tmp_path / "u" / "units-wol-test.jsonl").write_text(UNITS)
    (tmp_path / "s.jsonl").write_text("{}\n")
    assert "different files" in fails(tmp_path, "benchmark", "--quiet", dataset, "u", "s.jsonl")
    assert (tmp_path / "s.jsonl").read_text() == "{}\n"


def test_benchmark_appends_to_no_input(dataset: Path, tmp_path: Path) -> None:
    """Under whatever name: predictions may be links, and so may the folder of the alignments."""
    shutil.copytree(DATA / "units" / "k256-20ms", tmp_path / "real")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "units-swa-dev.jsonl").symlink_to(tmp_path / "real" / "units-swa-dev.jsonl")
    os.link(tmp_path / "real" / "units-swa-test.jsonl", tmp_path / "hard")
    shutil.copytree(dataset, tmp_path / "data")
    (tmp_path / "data" / "alignment").rename(tmp_path / "gold")
    (tmp_path / "data" / "alignment").symlink_to(tmp_path / "gold")
    for predictions, output in (
        ("links", "real/units-swa-dev.jsonl"),
        ("real", "hard"),
        ("links", "gold/alignment-swa-dev.txt"),
    ):
        before = (tmp_path / output).read_bytes()
        assert "it is read, so it cannot be written to" in fails(tmp_path, "benchmark", "data", predictions, output)
        assert (tmp_path / output).read_bytes() == before
        assert not (tmp_path / f"{output}.lock").exists()


def test_an_output_that_cannot_be_written_is_told_before_the_input_is_read(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("no units\n")
    name = "x" * 250 + ".png"  # fits, but nothing can be made beside it
    for arguments in (
        ("evaluate", "broken", "broken", *NUMBERS, "-o", name),
        ("evaluate", "broken", "broken", *NUMBERS, "-o", "."),
        ("plot", "heatmap", "broken", "broken", *NUMBERS, "-o", name),
        ("benchmark", dataset, "broken", name),
        ("benchmark", dataset, "broken", "no/s.csv"),
    ):
        said = fails(tmp_path, *arguments)
        assert "cannot be written: File name too long" in said or "it is a folder" in said or "no folder no" in said


def test_the_input_at_standard_input_is_not_written_over(folder: Path) -> None:
    command = f"{sys.executable} -m discophon evaluate - gold.txt --n-phonemes 1 -o units.jsonl < units.jsonl"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is read, so it cannot be written to" in done.stderr
    assert (folder / "units.jsonl").read_text() == UNITS


# the command itself


@pytest.mark.parametrize("place", ["before", "after"])
def test_the_options_of_every_verb_may_follow_its_step(folder: Path, place: str) -> None:
    rest = (*FILES, *NUMBERS, "-o", "x.png")
    order = ("--quiet", "heatmap", *rest) if place == "before" else ("heatmap", *rest, "--quiet")
    done = run_discophon("plot", *order, cwd=folder)
    assert (done.status, done.stderr) == (0, "")
    verbose = subprocess.run(
        [sys.executable, "-m", "discophon", "plot", "heatmap", "no", "gold.txt", *NUMBERS, "-o", "x.png", "--verbose"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert verbose.returncode == 2
    assert "Traceback" in verbose.stderr


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (f"evaluate {' '.join(FILES)} {' '.join(NUMBERS)}", 0),
        (f"evaluate nowhere gold.txt {' '.join(NUMBERS)}", 2),
        (f"evaluate nowhere gold.txt {' '.join(NUMBERS)} --verbose", 2),
        ("evaluate --nothing", 2),
        ("--nothing", 2),
        ("evaluate flat.jsonl flat.txt --n-phonemes 1", 3),
    ],
)
def test_a_standard_error_that_cannot_be_written_changes_no_status(
    folder: Path, arguments: str, status: int, redirection: str
) -> None:
    (folder / "flat.txt").write_text("#file onset offset #phone\nf 0 0.08 a\n")
    (folder / "flat.jsonl").write_text('{"file": "f", "units": [0, 0, 0, 0]}\n')
    command = f"{sys.executable} -m discophon {arguments} {redirection}"
    assert subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False).returncode == status


@pytest.mark.parametrize("arguments", ["--help", "--version", "evaluate --help", "evaluate --version"])
@pytest.mark.parametrize(("redirection", "why"), [(">/dev/full", "No space left on device"), (">&-", "it is closed")])
def test_help_that_cannot_be_written_is_told(tmp_path: Path, arguments: str, redirection: str, why: str) -> None:
    command = f"{sys.executable} -m discophon {arguments} {redirection}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"discophon: error: standard output cannot be written: {why}\n"


def test_usage_is_no_result(folder: Path) -> None:
    command = f"{sys.executable} -m discophon evaluate --nothing 2>&-"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_processes_need_no_standard_streams(dataset: Path, tmp_path: Path, redirection: str) -> None:
    arguments = f"{dataset} {DATA / 'units' / 'k256-20ms'} s.json --quiet -j 2 --metrics pnmi"
    command = f"{sys.executable} -m discophon benchmark {arguments} {redirection}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(json.loads((tmp_path / "s.json").read_text())["scores"]) == 4


def test_no_terminal_obeys_what_is_read(folder: Path) -> None:
    (folder / "gold.txt").write_text(GOLD.replace("f ", "f\x1b[2J\x07 "))
    (folder / "units.jsonl").write_text('{"file": "f\\u001b[2J\\u0007", "units": [0]}\n')
    done = run_discophon("evaluate", *FILES, *NUMBERS, cwd=folder)
    assert done.status == 2
    assert "f·[2J·: 1 units of 20 ms" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        *(
            (verb, "--help")
            for verb in ("evaluate", "benchmark", "prepare", "validate", "leaderboard", "plot", "textgrid")
        ),
    ],
)
def test_help_and_version_load_no_numeric_library(arguments: tuple[str, ...], tmp_path: Path) -> None:
    code = (
        "import sys, discophon.cli\n"
        f"status = discophon.cli.main({list(arguments)!r})\n"
        f"loaded = [name for name in {NUMERIC!r} if name in sys.modules]\n"
        "sys.exit(status or (loaded and str(loaded)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(("usage: discophon", "discophon 1."))


def test_importing_the_package_is_light() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\nimport discophon\n"
        f"sys.exit(bool((set(sys.modules) - before) & {{*{NUMERIC!r}, 'json', 'argparse'}}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_evaluating_loads_only_what_it_needs(folder: Path) -> None:
    code = (
        "import sys, discophon.cli\n"
        f"discophon.cli.main(['evaluate', *{FILES!r}, *{NUMBERS!r}, '--quiet'])\n"
        "sys.exit(any(name in sys.modules for name in ('scipy', 'polars', 'joblib', 'matplotlib')))\n"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=False, stdout=subprocess.DEVNULL).returncode == 0
    )


@pytest.mark.parametrize("arguments", [(), ("nothing",), ("--nothing",)])
def test_no_such_verb(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert "discophon --help explains the options" in fails(tmp_path, *arguments)


def test_a_closed_pipe_ends_silently(folder: Path) -> None:
    command = f"{sys.executable} -m discophon evaluate {' '.join(FILES)} {' '.join(NUMBERS)} --quiet | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, check=False)
    assert done.stderr == b""


def test_a_full_or_closed_standard_output_is_told(folder: Path) -> None:
    for redirection in (">/dev/full", ">&-"):
        command = f"{sys.executable} -m discophon evaluate {' '.join(FILES)} {' '.join(NUMBERS)} --quiet {redirection}"
        done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("discophon evaluate: error: ") or done.stderr.startswith("discophon: error: ")
        assert "Traceback" not in done.stderr


def test_the_same_run_gives_the_same_bytes(folder: Path) -> None:
    runs = {run_discophon("evaluate", *FILES, *NUMBERS, "--json", cwd=folder).stdout for _ in range(2)}
    assert len(runs) == 1
