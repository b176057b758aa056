"""The command as a shell sees it: status, standard output, standard error."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import mdeval
from mdeval_support import Done, run_mdeval, speaker, write

if TYPE_CHECKING:
    from pathlib import Path

REF = speaker(0, 10, "A") + speaker(10, 5, "B")
SYS = speaker(0.5, 9, "x") + speaker(9.5, 5.5, "y")
BOTH = ("-r", "ref.rttm", "-s", "sys.rttm")
OWN = ("--json", "--csv", "--table", "--per-file")
SIGNATURE = "signature: mdeval|v:"
NOISE = random.Random(1).randbytes(500)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a reference and a system output of one recording."""
    write(tmp_path, ref=REF, sys=SYS)
    return tmp_path


def ok(folder: Path, *arguments: str, stdin: bytes = b"") -> Done:
    done = run_mdeval(*arguments, cwd=folder, stdin=stdin)
    assert done.status == 0, done.stderr
    return done


def fails(folder: Path, *arguments: str, status: int = 2, stdin: bytes = b"") -> str:
    done = run_mdeval(*arguments, cwd=folder, stdin=stdin)
    assert done.status == status
    return done.stderr


def without_signature(stderr: str) -> str:
    return "".join(line for line in stderr.splitlines(keepends=True) if not line.startswith(SIGNATURE))


def overall(done: Done) -> dict[str, float]:
    values: dict[str, float] = json.loads(done.stdout)["overall"]
    return values


# Streams and statuses


@pytest.mark.parametrize("module", ["mdeval.cli", "mdeval"])
def test_a_clean_run_prints_md_evals_text_and_only_the_signature_beside_it(folder: Path, module: str) -> None:
    done = run_mdeval(*BOTH, cwd=folder, module=module)
    assert done.status == 0
    assert done.text.startswith("command line (run on ")
    assert " Version: 22  " in done.text.partition("\n")[0]
    assert done.text.partition("\n")[0].endswith(" -r ref.rttm -s sys.rttm")
    assert " OVERALL SPEAKER DIARIZATION ERROR = 6.67 percent of scored speaker time  `(ALL)\n" in done.text
    assert without_signature(done.stderr) == ""
    assert done.stderr.startswith(SIGNATURE)


@pytest.mark.parametrize("options", [[], ["-m", "-v", "-afc"], ["--json"], ["--csv", "--per-file"], ["--table"]])
def test_the_same_input_gives_the_same_bytes(folder: Path, options: list[str]) -> None:
    one, two = (ok(folder, *BOTH, *options) for _ in range(2))
    first = 0 if options and options[0].startswith("--") else 1
    assert one.stdout.split(b"\n")[first:] == two.stdout.split(b"\n")[first:]
    assert one.stderr == two.stderr


def test_own_outputs_hold_no_date(folder: Path) -> None:
    for option in OWN:
        assert "run on" not in ok(folder, *BOTH, option).text


def test_a_closed_pipe_ends_silently(folder: Path) -> None:
    write(folder, ref="".join(speaker(i, 0.5, "A") for i in range(3000)))
    with subprocess.Popen(
        [sys.executable, "-m", "mdeval.cli", *BOTH, "-v", "--quiet"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        stderr = process.stderr.read()
        assert process.wait(60) == 0
    assert stderr == b""


def test_nothing_to_divide_by_is_status_3_after_what_could_be_printed(folder: Path) -> None:
    done = run_mdeval(*BOTH, "-c", "20", cwd=folder)
    assert done.status == 3
    assert done.text.endswith("percent of evaluated time)\n")
    assert "mdeval: the report ends at ALL: no time to divide by is left in the scored regions" in done.stderr
    assert "warning: no speaker time is scored, so the error rate is undefined: f (channel 1)\n" in done.stderr


def test_segments_of_nothing_scored_are_status_3(folder: Path) -> None:
    assert "no time to divide by" in fails(folder, *BOTH, "-c", "20", "-v", status=3)


def test_an_undefined_rate_is_no_failure_in_own_outputs(folder: Path) -> None:
    document = json.loads(ok(folder, *BOTH, "-c", "20", "--json").stdout)
    assert document["overall"]["der"] is None
    assert document["overall"]["reason"] == "no speaker time is scored"
    assert "NA" in ok(folder, *BOTH, "-c", "20", "--table").text


# Usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no reference data specified; give it with -r FILE or -R LIST"),
        (["-r", "ref.rttm"], "no system output data specified; give it with -s FILE or -S LIST"),
        (["-r", "a", "-R", "b"], "both reference file list and reference file specified; give either -r or -R"),
        (["-r", "a", "-s", "b", "-S", "c"], "both system output file list and system output file specified"),
        (["-h"], "-h asks for md-eval's usage; --help explains the options"),
        ([*BOTH, "-c", "-1"], "Speaker Diarization scoring collar ('-1') must be non-negative"),
        ([*BOTH, "-c", "inf"], "collar 'inf' is not finite"),
        ([*BOTH, "-c", "nan", "--json"], "collar 'nan' is not a number of seconds; write for example -c 0.25"),
        ([*BOTH, "-c", "0.25s", "--strict"], "collar '0.25s' is not a number of seconds"),
        ([*BOTH, "-l", "0"], "SU extent limit must be positive for time-based MD alignment"),
        ([*BOTH, "-W", "-l", "0.5"], "SU extent limit must be at least 1 for word-based MD alignment"),
        ([*BOTH, "-z", "NONE"], "-z NONE: there is no such set of no-score zones; there is DEFAULT"),
        ([*BOTH, "-Y", "x"], "there is DEFAULT, FRAG, FRAG_UNLEX, MIN, NONE"),
        ([*BOTH, "-M", "no/such/folder"], "no/such/folder: the speaker map cannot be written there"),
        ([*BOTH, "--jsn"], "unknown option --jsn (did you mean --json?); mdeval --help lists them all"),
        ([*BOTH, "--missing"], "--missing needs a value"),
        ([*BOTH, "--missing", "drop"], "--missing drop: it is miss, skip or error"),
        ([*BOTH, "--json", "--csv"], "--json and --csv are two outputs; choose one"),
        ([*BOTH, "--nist", "--table"], "--nist is for md-eval's text; leave it out, or leave out the output option"),
        ([*BOTH, "--nist", "--strict"], "--nist is for md-eval's text"),
        (["-r", "-", "-s", "-"], "standard input (-) can be read once only; give the other as a file"),
        ([*BOTH, "-u", "-", "-r", "-"], "standard input (-) can be read once only"),
        ([*BOTH, "-g", "x"], "-g: a word map (glm) is not built yet; only speaker diarization is scored"),
    ],
)
def test_wrong_usage_is_status_2_with_one_line_and_the_usage(folder: Path, arguments: list[str], message: str) -> None:
    stderr = fails(folder, *arguments)
    said = [line for line in stderr.splitlines() if line.startswith("mdeval: ")]
    assert len(said) == 1
    assert message in said[0]
    assert stderr.splitlines()[-1].startswith("usage: mdeval -r REF -s SYS ")


def test_nothing_is_written_to_the_output_file_when_a_run_fails(folder: Path) -> None:
    fails(folder, *BOTH, "--json", "--missing", "drop", "--output", "out.json")
    fails(folder, "-r", "none", "-s", "sys.rttm", "--json", "--output", "out.json")
    assert not (folder / "out.json").exists()


def test_verbose_shows_where_an_error_arose(folder: Path) -> None:
    command = [sys.executable, "-m", "mdeval.cli", "-r", "none", "-s", "sys.rttm", "--verbose"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert "\nmdeval: none: cannot be read: No such file or directory" in done.stderr


def test_an_unknown_letter_is_named_and_passed_over(folder: Path) -> None:
    assert ok(folder, *BOTH, "-q").stderr.startswith("Unknown option: q\n")


def test_arguments_after_the_end_are_named(folder: Path) -> None:
    done = ok(folder, *BOTH, "more.rttm", "-1")
    assert "warning: arguments after the first that is no option are ignored: more.rttm -1\n" in done.stderr


def test_options_may_be_clustered_and_values_attached(folder: Path) -> None:
    apart = ok(folder, *BOTH, "-1", "-m", "-v", "-c", "0.25", "-a", "cf")
    clustered = ok(folder, "-rref.rttm", "-ssys.rttm", "-1mvc0.25", "-acf")
    assert clustered.after_first_line == apart.after_first_line
    assert "=> 'x'\n" in clustered.text
    assert "beg/dur/end = " in clustered.text
    assert "c=1 f=f" in clustered.text


def test_a_repeated_option_counts_where_it_stands_last(folder: Path) -> None:
    assert overall(ok(folder, *BOTH, "-c", "3", "-c", "0", "--json"))["scored_time"] == 15.0


def test_long_names_are_those_of_the_python_port(folder: Path) -> None:
    ours = ok(folder, *BOTH, "-c", "0.25", "-1", "--json")
    port = ok(folder, "--ref", "ref.rttm", "--sys=sys.rttm", "--collar", "0.25", "--single-speaker", "--json")
    assert port.stdout == ours.stdout


def test_text_for_a_collar_is_forgiven_by_md_eval(folder: Path) -> None:
    done = ok(folder, *BOTH, "-c", "0.25s")
    assert "warning: collar '0.25s' is read as 0.25\n" in done.stderr
    assert "The no-score collar at SPEAKER boundaries is 0.25s sec\n" in done.text
    assert "  SCORED TIME =     14.00 secs" in done.text
    assert "warning: collar 'nan' is read as 0\n" in ok(folder, *BOTH, "-c", "nan").stderr


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_no_numeric_library(folder: Path, option: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mdeval.cli", option],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "mdeval" in loaded
    assert not loaded & {"numpy", "scipy", "speechio", "argparse"}
    assert done.stdout.startswith("usage: mdeval " if option == "--help" else f"mdeval {mdeval.__version__}\n")


def test_a_small_ordinary_run_loads_no_numeric_library(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mdeval.cli", *BOTH],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"numpy", "scipy", "speechio"}


# Input


def test_standard_input_can_be_either_side_or_the_uem(folder: Path) -> None:
    write(folder, uem="f 1 0 20\n")
    wanted = ok(folder, *BOTH, "-u", "all.uem", "--json").stdout
    for arguments, name in (
        (["-r", "-", "-s", "sys.rttm", "-u", "all.uem"], "ref.rttm"),
        (["-r", "ref.rttm", "-s", "-", "-u", "all.uem"], "sys.rttm"),
        ([*BOTH, "-u", "-"], "all.uem"),
    ):
        assert ok(folder, *arguments, "--json", stdin=(folder / name).read_bytes()).stdout == wanted
    text = ok(folder, "-r", "-", "-s", "sys.rttm", stdin=REF.encode())
    assert text.after_first_line == ok(folder, *BOTH).after_first_line


@pytest.mark.parametrize("strict", [[], ["--json"]])
@pytest.mark.parametrize(
    "arguments", [["-r", "none", "-s", "sys.rttm"], [*BOTH, "-u", "none"], ["-r", "ref.rttm", "-S", "none"]]
)
def test_a_missing_file(folder: Path, arguments: list[str], strict: list[str]) -> None:
    stderr = fails(folder, *arguments, *strict)
    assert stderr.count("\n") <= 2
    assert "none" in stderr
    assert "No such file or directory" in stderr or "no such file" in stderr


def test_a_directory_means_every_rttm_in_it(folder: Path) -> None:
    (folder / "refs").mkdir()
    write(folder / "refs", **{"b.rttm": speaker(10, 5, "B"), "a.rttm": speaker(0, 10, "A"), "c.txt": "rubbish"})
    assert ok(folder, "-r", "refs", "-s", "sys.rttm").after_first_line == ok(folder, *BOTH).after_first_line


def test_a_directory_without_rttm(folder: Path) -> None:
    (folder / "empty").mkdir()
    stderr = fails(folder, "-r", "empty", "-s", "sys.rttm")
    assert stderr == "mdeval: empty: no .rttm file in this directory; give the directory that holds them\n"


def test_lists_name_files_and_directories(folder: Path) -> None:
    (folder / "refs").mkdir()
    write(folder / "refs", **{"a.rttm": speaker(0, 10, "A")})
    write(folder, **{"b.rttm": speaker(10, 5, "B"), "refs.list": "refs\n  b.rttm \r\n", "sys.list": "sys.rttm"})
    listed = ok(folder, "-R", "refs.list", "-S", "sys.list")
    assert listed.after_first_line == ok(folder, *BOTH).after_first_line


def test_a_blank_line_or_a_missing_file_in_a_list(folder: Path) -> None:
    write(folder, **{"a.list": "ref.rttm\n\n", "b.list": "none.rttm\n"})
    assert "a.list:2: a blank line in a list of files; remove it" in fails(folder, "-R", "a.list", "-s", "sys.rttm")
    assert "b.list:1: there is no file none.rttm" in fails(folder, "-R", "b.list", "-s", "sys.rttm")


def test_gzip_is_unpacked_and_damaged_gzip_named(folder: Path) -> None:
    packed = gzip.compress(REF.encode() * 50)
    write(folder, **{"a.gz": gzip.compress(REF.encode()), "b.gz": packed[:-9], "c.gz": b"\x1f\x8b" + NOISE[:40]})
    assert ok(folder, "-r", "a.gz", "-s", "sys.rttm").after_first_line == ok(folder, *BOTH).after_first_line
    for name in ("b.gz", "c.gz"):
        for option in ([], ["--json"]):
            stderr = fails(folder, "-r", name, "-s", "sys.rttm", *option)
            assert name in stderr
            assert stderr.count("\n") <= 3


@pytest.mark.parametrize(
    ("uem", "message"),
    [
        ("f 1 9 5\n", "ends at 5"),
        ("f 1 5 5\n", "ends at 5"),
        ("f 1 0 5\nf 1 4 9\n", "overlap"),
        ("f 1 0\n", "fields"),
    ],
)
@pytest.mark.parametrize("strict", [[], ["--table"]])
def test_a_uem_that_cannot_be(folder: Path, uem: str, message: str, strict: list[str]) -> None:
    write(folder, uem=uem)
    stderr = fails(folder, *BOTH, "-u", "all.uem", *strict)
    assert "all.uem" in stderr
    if not strict:
        assert message in stderr


def test_text_where_a_number_should_be_is_forgiven_and_named_or_refused(folder: Path) -> None:
    write(folder, sys=speaker("x", 9, "x"))
    done = ok(folder, *BOTH)
    assert "warning: sys.rttm:1: onset 'x' is read as 0 (md-eval reads it so; --strict refuses it)\n" in done.stderr
    for option in ("--strict", *OWN):
        assert "sys.rttm:1" in fails(folder, *BOTH, option)


def test_only_a_hundred_forgiven_readings_are_named(folder: Path) -> None:
    write(folder, sys=speaker("x", 1, "x") * 120)
    stderr = ok(folder, *BOTH).stderr
    assert stderr.count("is read as 0") == 100
    assert "warning: 20 more readings that --strict refuses\n" in stderr


@pytest.mark.parametrize("option", [[], ["--strict"], ["--json"], ["--nist"]])
@pytest.mark.parametrize("data", [NOISE, b"\0" * 100, b"\xff\xfe" + REF.encode("utf-16-le"), b"\x89PNG\r\n\x1a\n\0\0"])
def test_binary_garbage(folder: Path, option: list[str], data: bytes) -> None:
    write(folder, ref=b"garbage " + data)
    assert fails(folder, *BOTH, *option)


@pytest.mark.parametrize("option", [[], ["--nist"]])
def test_an_empty_reference_prints_the_parameters_only(folder: Path, option: list[str]) -> None:
    write(folder, ref="")
    done = ok(folder, *BOTH, "-M", "map.csv", *option)
    assert done.text.count("\n") == 28
    assert (folder / "map.csv").read_text() == "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"


def test_an_empty_reference_in_own_outputs(folder: Path) -> None:
    write(folder, ref="")
    document = json.loads(ok(folder, *BOTH, "--json").stdout)
    assert document["recordings"] == []
    assert document["overall"]["der"] is None


def test_an_empty_system_misses_everything(folder: Path) -> None:
    write(folder, sys="")
    assert overall(ok(folder, *BOTH, "--json"))["der"] == 1.0


def test_names_that_are_not_utf8_come_out_as_they_went_in(folder: Path) -> None:
    write(folder, ref=REF.replace(" A ", " \udcff\udce9 "))
    done = ok(folder, *BOTH, "-m")
    assert b"'\xff\xe9' => 'x'\n" in done.stdout
    assert fails(folder, *BOTH, "--json")


def test_a_huge_number_is_refused_where_input_is_read_strictly(folder: Path) -> None:
    write(folder, ref=speaker(0, "9" * 400, "A"))
    for option in ("--json", "--table", "--csv", "--strict"):
        assert "ref.rttm:1" in fails(folder, *BOTH, option)


def test_input_as_large_as_to_need_arrays_scores_the_same(folder: Path) -> None:
    n = 20_000
    turns = "".join(speaker(f"{3 * i}.{i % 1000:03}", "2.500", f"spk{i % 5}") for i in range(n))
    write(folder, ref=turns, sys=turns.replace("2.500", "2.000"))
    assert (folder / "ref.rttm").stat().st_size + (folder / "sys.rttm").stat().st_size > 1_300_000
    done = ok(folder, *BOTH, "--json")
    assert overall(done)["missed_speaker_time"] == pytest.approx(0.5 * n)
    assert overall(done)["der"] == pytest.approx(0.2)
    careful = ok(folder, *BOTH)
    write(folder, ref=";; comment\n" + turns)
    assert ok(folder, *BOTH).after_first_line == careful.after_first_line


# Options of ours


TWO = {
    "ref": REF + speaker(0, 4, "A", "g") + speaker(0, 3, "A", "f", "2"),
    "sys": SYS + speaker(0, 4, "z", "h"),
}


def test_missing_recordings_are_missed_skipped_or_refused(folder: Path) -> None:
    write(folder, **TWO)
    missed = ok(folder, *BOTH, "--json")
    assert overall(missed)["scored_speaker_time"] == 22.0
    assert (
        "warning: only in the reference, all its speech counts as missed: f (channel 2), g (channel 1)\n"
        in missed.stderr
    )
    assert "warning: only in the system output, not scored: h (channel 1)\n" in missed.stderr
    skipped = ok(folder, *BOTH, "--json", "--missing", "skip")
    assert overall(skipped)["scored_speaker_time"] == 15.0
    assert "warning: only in the reference, left out: f (channel 2), g (channel 1)\n" in skipped.stderr
    assert "|missing:skip|" in json.loads(skipped.stdout)["signature"]
    stderr = fails(folder, *BOTH, "--missing=error")
    assert "2 recordings are only in the reference and 1 only in the system output" in stderr
    assert "(f (channel 2), g (channel 1), h (channel 1)); add them, or choose --missing miss or skip" in stderr


def test_missing_error_is_content_when_both_sides_have_everything(folder: Path) -> None:
    assert overall(ok(folder, *BOTH, "--missing", "error", "--json"))["scored_speaker_time"] == 15.0


def test_channels_can_be_ignored(folder: Path) -> None:
    write(folder, sys=SYS.replace(" 1 ", " 0 "), uem="f 1 0 10\nf 0 5 20\n")
    apart = ok(folder, *BOTH, "--json")
    assert overall(apart)["der"] == 1.0
    together = ok(folder, *BOTH, "--json", "--ignore-channels")
    assert overall(together)["missed_speaker_time"] == 0.5
    assert json.loads(together.stdout)["signature"].endswith("|channels:ignored")
    with_uem = ok(folder, *BOTH, "--json", "--ignore-channels", "-u", "all.uem")
    assert overall(with_uem)["eval_time"] == 20.0


def test_nist_mode_says_nothing_of_its_own(folder: Path) -> None:
    write(folder, **TWO)
    assert ok(folder, *BOTH, "--nist").stderr == ""
    stderr = fails(folder, "-r", "none", "-s", "sys.rttm", "--nist")
    assert stderr.startswith("\nCOMMAND LINE ERROR:  unable to open RTTM file 'none'\n")


def test_quiet_leaves_out_warnings_but_not_errors(folder: Path) -> None:
    write(folder, **TWO)
    assert ok(folder, *BOTH, "--quiet").stderr == ""
    document = json.loads(ok(folder, *BOTH, "--quiet", "--json").stdout)
    assert len(document["warnings"]) == 2
    assert "none" in fails(folder, "-r", "none", "-s", "sys.rttm", "--quiet")


def test_json_is_what_the_python_function_gives(folder: Path) -> None:
    write(folder, **TWO, uem="f 1 1 14\nf 2 0 9\n")
    done = ok(folder, *BOTH, "-u", "all.uem", "-c", "0.25", "-1", "--json")
    document = json.loads(done.stdout)
    warnings = document.pop("warnings")
    ref, sys_, uem = (folder / name for name in ("ref.rttm", "sys.rttm", "all.uem"))
    wanted = mdeval.score(ref, sys_, uem, collar=0.25, ignore_overlap=True).to_dict()
    assert wanted.pop("warnings") == []
    assert document == wanted
    assert document["uem"] == "file+inferred"
    assert without_signature(done.stderr) == "".join(f"warning: {warning}\n" for warning in warnings)


def test_json_and_csv_have_the_same_figures(folder: Path) -> None:
    write(folder, **TWO)
    document = json.loads(ok(folder, *BOTH, "--json").stdout)
    rows = list(csv.DictReader(io.StringIO(ok(folder, *BOTH, "--csv", "--per-file").text)))
    assert [(row["file"], row["channel"]) for row in rows] == [("f", "1"), ("f", "2"), ("g", "1"), ("ALL", "")]
    for row, values in zip(rows, [*document["recordings"], document["overall"]], strict=True):
        assert float(row["der"]) == values["der"]
        assert float(row["missed_speaker_time"]) == values["missed_speaker_time"]
        assert row["signature"] == document["signature"]
    assert len(ok(folder, *BOTH, "--csv").text.splitlines()) == 2


def test_the_table(folder: Path) -> None:
    table = ok(folder, *BOTH, "--table").text
    assert table.splitlines()[2].split() == ["ALL", "15.00", "s", "3.33%", "0.00%", "3.33%", "6.67%"]
    assert table.splitlines()[-1].startswith(SIGNATURE)
    per_file = ok(folder, *BOTH, "--per-file").text
    assert per_file.splitlines()[2].split()[:2] == ["f", "1"]
    assert ok(folder, *BOTH, "--table", "--per-file").text == per_file


@pytest.mark.parametrize("option", ["--json", "--csv", "--table"])
def test_the_output_can_go_to_a_file(folder: Path, option: str) -> None:
    printed = ok(folder, *BOTH, option)
    done = ok(folder, *BOTH, option, "--output", "out")
    assert done.stdout == b""
    assert (folder / "out").read_bytes() == printed.stdout
    assert ok(folder, *BOTH, option, "--output=-").stdout == printed.stdout
    assert sorted(path.name for path in folder.iterdir()) == ["out", "ref.rttm", "sys.rttm"]


def test_md_evals_text_can_go_to_a_file_or_a_device(folder: Path) -> None:
    ok(folder, *BOTH, "--output", "out")
    assert (folder / "out").read_bytes().partition(b"\n")[2] == ok(folder, *BOTH).after_first_line
    assert ok(folder, *BOTH, "--output", "/dev/null").stdout == b""


def test_an_output_file_that_cannot_be_written(folder: Path) -> None:
    stderr = fails(folder, *BOTH, "--table", "--output", "no/such/folder")
    assert "mdeval: no/such/folder: cannot be written: No such file or directory; give a path in a folder" in stderr


def test_the_map_can_be_written_as_csv(folder: Path) -> None:
    ok(folder, *BOTH, "-M", "map.csv")
    assert (folder / "map.csv").read_text() == (
        "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"
        "f,1,A,x,mapped,9.0000\nf,1,A,y,notmapped,0.5000\nf,1,B,y,mapped,5.0000\n"
    )


@pytest.mark.parametrize(
    ("uem", "where"), [("f 1 0 15\ng 1 0 4\n", "file"), ("f 1 0 15\n", "file+inferred"), ("h 1 0 4\n", "inferred")]
)
def test_the_signature_says_where_the_regions_came_from(folder: Path, uem: str, where: str) -> None:
    write(folder, ref=REF + speaker(0, 4, "A", "g"), uem=uem)
    done = ok(folder, *BOTH, "-u", "all.uem", "--json")
    assert json.loads(done.stdout)["uem"] == where
    assert f"|uem:{where}|" in json.loads(done.stdout)["signature"]


def test_the_directory_of_a_uem_name_can_be_kept(folder: Path) -> None:
    write(folder, uem="d/f.sph 1 0 8\n")
    assert overall(ok(folder, *BOTH, "-u", "all.uem", "--json"))["eval_time"] == 8.0
    assert overall(ok(folder, *BOTH, "-n", "-u", "all.uem", "--json"))["eval_time"] == 15.0


# What only the metadata part of md-eval can do


WORD = "LEXEME f 1 1 1 yes lex A <NA> <NA>\n"
SU = "SU f 1 0 5 <NA> statement A <NA> <NA>\n"


def test_metadata_is_left_out_with_a_warning(folder: Path) -> None:
    write(folder, ref=REF + WORD + SU)
    done = ok(folder, *BOTH)
    assert "warning: SU, EDIT, FILLER and IP records are not scored yet (1 recordings have some)\n" in done.stderr
    assert "   EVAL WORDS =      1 " in done.text
    shown = ok(folder, *BOTH, "-e", "-d", "-D")
    assert "-e -d -D: what they add about metadata is not built yet and left out\n" in shown.stderr
    assert "SU" not in ok(folder, *BOTH, "--json").stderr


@pytest.mark.parametrize("letter", ["w", "W"])
def test_options_of_the_metadata_part_need_words_or_are_refused(folder: Path, letter: str) -> None:
    stderr = fails(folder, *BOTH, f"-{letter}")
    assert f"f, channel 1: the reference has no words (LEXEME records) where -{letter} needs them; add them" in stderr
    write(folder, ref=REF + WORD)
    assert f"-{letter}: " in fails(folder, *BOTH, f"-{letter}")


def test_events_without_words_are_refused_as_by_md_eval(folder: Path) -> None:
    write(folder, ref=REF + SU)
    assert "where SU, EDIT, FILLER and IP records need them" in fails(folder, *BOTH)
    nist = fails(folder, *BOTH, "--nist")
    assert nist == "\n\nFATAL ERROR:  no reference words for file 'f' and channel '1'\n\n"
    ok(folder, *BOTH, "--json")


def test_the_display_of_events_needs_words_in_the_regions(folder: Path) -> None:
    write(folder, ref=REF + WORD, uem="f 1 5 15\n")
    assert "where -e needs them" in fails(folder, *BOTH, "-e", "-u", "all.uem")
    ok(folder, *BOTH, "-e")


def test_threads_change_nothing(folder: Path) -> None:
    files = [f"f{i:03}" for i in range(300)]
    turns = "".join(speaker(f"{3 * i}.25", "2.500", f"spk{i % 5}", file) for file in files for i in range(60))
    write(folder, ref=turns, sys=turns.replace("2.500", "2.000"))
    one, four = (ok(folder, *BOTH, "--json", "--jobs", jobs) for jobs in ("1", "4"))
    assert one.stdout == four.stdout
    assert overall(four)["der"] == pytest.approx(0.2)
    assert "--jobs 0: it is a number of threads, 1 or more" in fails(folder, *BOTH, "--jobs", "0")
