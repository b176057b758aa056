"""The command line, as a shell sees it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import speechio
from speechio.cli import main

DATA = Path(__file__).parent / "data" / "formats"
GOOD = "SPEAKER r 1 0 1 <NA> <NA> a <NA> <NA>\n"
BAD = GOOD + "SPEAKER r 1 6.5 -1.5 <NA> <NA> a <NA> <NA>\nSPEAKER r 1 9 0 <NA> <NA> a <NA> <NA>\n"


def run(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> tuple[int, str, str]:
    """Run the command and give exit status, standard output and standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "speechio", *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.rttm"
    path.write_text(BAD)
    return path


def test_version_and_help() -> None:
    assert run("--version") == (0, f"speechio {speechio.__version__}\n", "")
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    assert all(verb in out for verb in ("check", "dump", "fix", "convert"))


@pytest.mark.parametrize(
    "arguments", [(), ("chek", "x"), ("check",), ("check", "x", "--jso"), ("fix", "x"), ("dump", "a", "b")]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: speechio")


def test_check_of_a_good_file(tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_text(GOOD)
    assert run("check", "a.rttm", cwd=tmp_path) == (0, "1 file, 1 record, 0 errors, 0 warnings\n", "")


def test_check_of_a_bad_file(bad: Path) -> None:
    status, out, err = run("check", "bad.rttm", cwd=bad.parent)
    assert (status, err) == (1, "")
    assert out == (
        "bad.rttm:2: R005 turn duration is -1.5; it must not be negative\n"
        "  SPEAKER r 1 6.5 -1.5 <NA> <NA> a <NA> <NA>\n"
        "                  ^^^^\n"
        "  fix: an end time may have been written where the duration belongs, or two segments were merged wrongly\n"
        "bad.rttm:3: R106 warning: the turn duration is 0, zero\n"
        "  SPEAKER r 1 9 0 <NA> <NA> a <NA> <NA>\n"
        "                ^\n"
        "  fix: remove the record, or mend its times; it is kept and counts for nothing\n"
        "1 file, 2 records, 1 error, 1 warning\n"
    )


def test_check_as_json_is_the_api(bad: Path) -> None:
    status, out, err = run("check", "--json", bad)
    assert (status, err) == (1, "")
    document: dict[str, Any] = json.loads(out)
    assert document["schema_version"] == 1
    assert document["summary"] == {"files": 1, "records": 2, "errors": 1, "warnings": 1}
    assert document["problems"] == [
        {
            "file": one.file,
            "line": one.line,
            "code": one.code,
            "severity": one.severity,
            "message": f"{one.message} (fix: {one.fix})",
        }
        for one in speechio.check_path(bad)
    ]
    assert run("check", "--json", bad)[1] == out


@pytest.mark.parametrize("text", ["", GOOD, BAD, 'SPEAKER "é\\" 1 x 1 <NA> <NA> a\u00a0 <NA> <NA>\n'])
@pytest.mark.parametrize("options", [(), ("--max", "1"), ("--max", "0")])
def test_json_that_is_written_in_pieces_is_laid_out_as_one(tmp_path: Path, text: str, options: tuple[str, ...]) -> None:
    (tmp_path / "a.rttm").write_text(text)
    out = run("check", "--json", *options, "a.rttm", cwd=tmp_path)[1]
    assert out == json.dumps(json.loads(out), ensure_ascii=False, indent=1) + "\n"


def test_json_of_many_problems_takes_no_more_memory_than_text(tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_text("SPEAKER r 1 6.5 -1.5 <NA> <NA> a <NA> <NA>\n" * 5000)
    program = (
        "import sys, tracemalloc; from speechio.cli import main; tracemalloc.start(); main(sys.argv[1:]); "
        "print(tracemalloc.get_traced_memory()[1], file=sys.stderr)"
    )
    text, document = (
        subprocess.run(
            [sys.executable, "-c", program, "check", *options, "a.rttm"], cwd=tmp_path, capture_output=True, check=True
        )
        for options in ((), ("--json",))
    )
    assert len(json.loads(document.stdout)["problems"]) == 5000
    assert int(document.stderr) < 1.1 * int(text.stderr)


@pytest.mark.parametrize(
    ("options", "codes", "status"),
    [
        (("--select", "R"), ["R005", "R106"], 1),
        (("--select", "R106,T"), ["R106"], 0),
        (("--ignore", "R005"), ["R106"], 0),
        (("--select", "R", "--ignore", "R106"), ["R005"], 1),
        (("--quiet",), ["R005"], 1),
        (("--max", "1"), ["R005"], 1),
    ],
)
def test_choosing_problems(bad: Path, options: tuple[str, ...], codes: list[str], status: int) -> None:
    got, out, _ = run("check", "--json", *options, bad)
    assert [one["code"] for one in json.loads(out)["problems"]] == codes
    assert got == status


def test_an_unknown_code_and_the_summary_of_a_cut_list(bad: Path) -> None:
    assert run("check", "--select", "X9", bad) == (2, "", "speechio: there is no code that begins with 'X9'\n")
    assert run("check", "--max", "0", bad) == (1, "1 file, 2 records, 1 error, 1 warning (2 not listed)\n", "")
    assert run("check", "--quiet", "--select", "R106", bad) == (0, "", "")


def test_several_files_are_sorted_and_a_missing_one_is_told(bad: Path) -> None:
    (bad.parent / "a.uem").write_text("r 1 5 3\n")
    status, out, err = run("check", "bad.rttm", "gone.rttm", "a.uem", cwd=bad.parent)
    assert status == 2
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == [
        "a.uem:1:",
        "bad.rttm:2:",
        "bad.rttm:3:",
        "2",
    ]
    assert err == "speechio: gone.rttm: no such file\n  fix: check the path\n"


def test_a_guess_from_the_content_is_stated(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(GOOD)
    status, out, err = run("check", "x", cwd=tmp_path)
    assert (status, out) == (0, "1 file, 1 record, 0 errors, 0 warnings\n")
    assert err == "note: x is read as rttm, guessed from its content; --format says otherwise\n"
    assert run("check", "--quiet", "x", cwd=tmp_path) == (0, "", "")


def test_standard_input() -> None:
    status, out, err = run("check", "-", "--format", "rttm", stdin=BAD.encode())
    assert (status, err) == (1, "")
    assert out.startswith("<stdin>:2: R005 ")
    assert run("dump", "-", "--format", "rttm", stdin=GOOD.encode()) == (0, GOOD, "")
    assert run("check", "-") == (2, "", "speechio: standard input needs its format named (--format)\n")


def test_kaldi_nist_durations_and_exists(tmp_path: Path) -> None:
    (tmp_path / "segments").write_text("a r 0 -1\nb r 0 9\n")
    (tmp_path / "reco2dur").write_text("r 5\n")
    (tmp_path / "wav.scp").write_text("r gone.wav\n")
    assert run("check", "--select", "K113", "segments", cwd=tmp_path)[0] == 0
    assert run("check", "--select", "K113", "--kaldi", "segments", cwd=tmp_path)[0] == 1
    _, out, _ = run("check", "--json", "--durations", "reco2dur", "--exists", "segments", "wav.scp", cwd=tmp_path)
    assert [one["code"] for one in json.loads(out)["problems"]] == ["K113", "K141", "K140"]
    (tmp_path / "utt2dur").write_text("b 8.5\n")
    _, out, _ = run("check", "--json", "--durations", "utt2dur", "segments", cwd=tmp_path)
    assert [(one["line"], one["code"]) for one in json.loads(out)["problems"]] == [(1, "K113"), (2, "K141")]
    status, out, err = run("check", "--durations", "gone", "segments", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("speechio: gone: no such file")
    (tmp_path / "a.rttm").write_text(GOOD)
    assert run("check", "--nist", "a.rttm", cwd=tmp_path)[1].startswith("a.rttm:1: R121 warning: the file field is r")


def test_unknown_formats(tmp_path: Path) -> None:
    for verb in (("check", "x"), ("dump", "x"), ("fix", "x", "-o", "y")):
        status, out, err = run(*verb, "--format", "docx", cwd=tmp_path)
        assert (status, out) == (2, "")
        assert err.startswith("speechio: unknown format 'docx'; formats: rttm uem ")


def test_dump(tmp_path: Path) -> None:
    status, out, err = run("dump", "--json", DATA / "kaldi" / "wav.scp")
    assert (status, err) == (0, "")
    assert json.loads(out)[1] == {"id": "r2", "kind": "pipe", "command": "sph2pipe -f wav corpus/r2.sph"}
    (tmp_path / "a.rttm").write_text("SPEAKER r 1 16000 8000 <NA> <NA> a\n")
    assert run("dump", "--pad", "--sample-rate", "16000", tmp_path / "a.rttm") == (
        0,
        "SPEAKER r 1 1 0.5 <NA> <NA> a <NA> <NA>\n",
        "",
    )


def test_dump_stops_at_the_first_error(bad: Path) -> None:
    for options in ((), ("--json",)):
        status, out, err = run("dump", *options, "bad.rttm", cwd=bad.parent)
        assert (status, out) == (2, "")
        assert err.startswith("speechio: bad.rttm:2: R005 turn duration is -1.5; it must not be negative\n")


def test_verbose_has_the_traceback(bad: Path) -> None:
    status, _, err = run("dump", "--verbose", bad)
    assert status == 2
    assert "Traceback" in err
    assert "Traceback" not in run("dump", bad)[2]
    assert "speechio.check: checking" in run("check", "--verbose", bad)[2]


def test_fix(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"b x \r\na y")
    assert run("fix", "text", "-o", "-", cwd=tmp_path) == (0, "a y\nb x\n", "")
    assert run("fix", "text", "-o", "text", cwd=tmp_path) == (0, "", "")
    assert (tmp_path / "text").read_bytes() == b"a y\nb x\n"
    (tmp_path / "text").write_bytes(b"b \xff\n")
    status, out, err = run("fix", "text", "-o", "out", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("speechio: text:1: T001 ")
    assert not (tmp_path / "out").exists()


def test_convert(tmp_path: Path) -> None:
    status, out, err = run("convert", DATA / "kaldi" / "good_dir", "-", "--to", "rttm")
    assert (status, err) == (0, "")
    assert out.splitlines()[1] == "SPEAKER rA 1 1.5 1.5 <NA> <NA> anna <NA> <NA>"
    (tmp_path / "ref.scp").write_text("a x y\nb\n")
    assert run("convert", "ref.scp", "ref.jsonl", "--id-field", "utt", "--value-field", "text", cwd=tmp_path) == (
        0,
        "",
        "",
    )
    assert (tmp_path / "ref.jsonl").read_text() == '{"utt": "a", "text": "x y"}\n{"utt": "b", "text": ""}\n'
    back = run("convert", "ref.jsonl", "-", "--to", "scp", "--id-field", "utt", "--value-field", "text", cwd=tmp_path)
    assert back == (0, "a x y\nb\n", "")
    status, out, err = run("convert", "ref.scp", "ref.rttm", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("speechio: no conversion from scp to rttm; there are: ")


def test_text_that_no_terminal_shows_is_printed_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a 你\u00a0好\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "speechio", "check", "text"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "a 你·好" in done.stdout.decode("utf-8")


def test_a_closed_pipe_ends_silently_and_keeps_the_status(tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_text("SPEECH r 1 0 1 <NA> <NA> a <NA> <NA>\n" * 5000)
    process = subprocess.Popen(
        [sys.executable, "-m", "speechio", "check", tmp_path / "a.rttm"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_a_closed_pipe_of_a_writer(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"u{i:06d} {'x' * 50}\n" for i in range(30_000)))
    process = subprocess.Popen(
        [sys.executable, "-m", "speechio", "fix", tmp_path / "text", "-o", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_an_interrupt(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "speechio", "dump", "-", "--format", "scp", "--verbose"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_in_process(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--quiet", str(bad)]) == 1
    assert capsys.readouterr().out.startswith(f"{bad}:2: R005 ")
    assert main(["dump", str(bad.parent / "gone.rttm")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_pipe_needs_its_format(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "speechio", "check", "/dev/stdin"],
        input=GOOD.encode(),
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"speechio: /dev/stdin is no regular file and needs its format named (--format)\n"
    assert run("dump", "/dev/stdin", "--format", "rttm", stdin=GOOD.encode(), cwd=tmp_path) == (0, GOOD, "")


def test_fix_changes_nothing_upon_a_guess(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("two\n\none\n")
    status, out, err = run("fix", "notes.txt", "-o", "notes.txt", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "give --format" in err
    assert (tmp_path / "notes.txt").read_text() == "two\n\none\n"
    assert run("fix", "notes.txt", "-o", "-", "--format", "scp", cwd=tmp_path) == (0, "one\ntwo\n", "")


def test_fix_of_what_is_no_data_directory(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("a b\n")
    for path in ("gone", "file", "empty"):
        status, out, err = run("fix", path, "-o", "out", "--format", "kaldi-dir", cwd=tmp_path)
        assert (status, out) == (2, "")
        assert err.startswith(f"speechio: {path}: is ")
        assert not (tmp_path / "out").exists()
    status, out, err = run("fix", DATA / "kaldi" / "good_dir", "-o", "-", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "standard output" in err
    assert not (tmp_path / "-").exists()


def test_what_is_named_gz_is_gzip(tmp_path: Path) -> None:
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"b x \r\na y\n"))
    assert run("fix", "text.gz", "-o", "fixed.gz", cwd=tmp_path) == (0, "", "")
    assert gzip.decompress((tmp_path / "fixed.gz").read_bytes()) == b"a y\nb x\n"
    assert run("fix", "text.gz", "-o", "fixed", cwd=tmp_path) == (0, "", "")
    assert (tmp_path / "fixed").read_bytes() == b"a y\nb x\n"
    assert run("convert", "text.gz", "text.jsonl.gz", cwd=tmp_path) == (0, "", "")
    assert gzip.decompress((tmp_path / "text.jsonl.gz").read_bytes()).startswith(b'{"id": "b", "value": "x"}\n')


def test_fix_of_a_file_of_several_names_says_what_it_did(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a x \n")
    (tmp_path / "copy").hardlink_to(tmp_path / "text")
    status, out, err = run("fix", "text", "-o", "text", cwd=tmp_path)
    assert (status, out) == (0, "")
    assert err.startswith("speechio: warning: text was one of 2 names of one file (hard links); ")
    (tmp_path / "more").hardlink_to(tmp_path / "text")
    assert run("fix", "--quiet", "text", "-o", "text", cwd=tmp_path) == (0, "", "")
