"""The verbs' command lines: help, streams, names, and that scoring goes on without them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mdeval.settings import VERBS
from mdeval.verbs import run_verb
from mdeval_support import run_mdeval, speaker, write

if TYPE_CHECKING:
    from pathlib import Path

BOTH = ("-r", "ref.rttm", "-s", "sys.rttm")
OWN = {
    "compare": "--name --per-file --samples --seed --level --force --json --output --quiet --collar --uem",
    "explain": "--longest --json --recording --output --quiet --collar --uem",
    "plot": "--start --end --bars --recording --output --quiet --collar --uem",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two recordings."""
    write(
        tmp_path,
        ref=speaker(0, 9, "A") + speaker(0, 5, "B", "g"),
        sys=speaker(0, 8, "x") + speaker(1, 4, "y", "g"),
    )
    return tmp_path


@pytest.mark.parametrize("verb", VERBS)
def test_help_explains_every_option(folder: Path, verb: str) -> None:
    done = run_mdeval(verb, "--help", cwd=folder)
    assert (done.status, done.stderr) == (0, "")
    assert done.text.startswith(f"usage: mdeval {verb} ")
    for option in OWN[verb].split():
        assert option in done.text, option
    assert run_mdeval(verb, "-h", cwd=folder).stdout == done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_help_loads_no_numeric_library(folder: Path, verb: str) -> None:
    program = (
        f"import sys; from mdeval.cli import main; main([{verb!r}, '--help'])\n"
        "assert not {'numpy', 'matplotlib', 'polars'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_the_command_names_the_verb(folder: Path, verb: str) -> None:
    assert f"\n  {verb} " in run_mdeval("--help", cwd=folder).text


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--nonsense", "--quie", "-x", "--collar", "-a"])
def test_what_a_verb_does_not_know_is_refused(folder: Path, verb: str, option: str) -> None:
    done = run_mdeval(verb, *BOTH, option, cwd=folder)
    assert done.status == 2
    assert done.stdout == b""
    assert done.stderr.startswith("mdeval: mdeval")
    assert "--help explains the options" in done.stderr


def test_a_verb_is_the_first_argument_only(folder: Path) -> None:
    (folder / "compare").write_text(speaker(0, 9, "A"), encoding="utf-8")
    done = run_mdeval("-r", "compare", "-s", "compare", "--table", cwd=folder)
    assert done.status == 0
    assert done.text.splitlines()[2].split()[-1] == "0.00%"


def test_verbs_with_a_bad_name_are_no_verbs(folder: Path) -> None:
    assert run_mdeval("explian", *BOTH, cwd=folder).status == 2


@pytest.mark.parametrize("verb", ["compare", "explain"])
def test_nothing_but_results_on_standard_output(folder: Path, verb: str) -> None:
    more = ("-s", "sys.rttm") if verb == "compare" else ()
    done = run_mdeval(verb, *BOTH, *more, "--json", cwd=folder)
    assert (done.status, done.stderr) == (0, "")
    assert done.text.startswith("{\n")
    assert done.text.endswith("}\n")


@pytest.mark.parametrize("verb", VERBS)
def test_sides_without_a_recording_in_common_are_told_in_one_line(folder: Path, verb: str) -> None:
    write(folder, sys=speaker(0, 8, "x", "h"))
    more = {"compare": ("-s", "sys.rttm"), "explain": (), "plot": ("--recording", "f", "-o", "a.svg")}[verb]
    done = run_mdeval(verb, *BOTH, *more, cwd=folder)
    assert done.status == 0
    assert "no recording in common" in done.stderr
    assert all(line.startswith("warning: ") for line in done.stderr.splitlines())
    assert run_mdeval(verb, *BOTH, *more, "--quiet", cwd=folder).stderr == ""


@pytest.mark.parametrize(("verb", "name"), [("compare", "sys.rttm"), ("explain", "ref.rttm"), ("plot", "all.uem")])
def test_an_input_is_not_written_over(folder: Path, verb: str, name: str) -> None:
    write(folder, uem="f 1 0 9\n")
    before = (folder / name).read_bytes()
    more = ("-s", "sys.rttm") if verb == "compare" else ()
    done = run_mdeval(verb, *BOTH, "-u", "all.uem", *more, "-o", name, cwd=folder)
    assert done.status == 2
    assert name in done.stderr
    assert (folder / name).read_bytes() == before


@pytest.mark.parametrize("verb", ["compare", "explain"])
def test_names_of_any_language(folder: Path, verb: str) -> None:
    write(folder, ref=speaker(0, 9, "Ä李") + speaker(0, 9, "é", "g"))
    more = ("-s", "sys.rttm", "--per-file") if verb == "compare" else ()
    done = run_mdeval(verb, *BOTH, *more, cwd=folder)
    assert (done.status, done.stderr) == (0, "")
    assert ("Ä李" in done.text) == (verb == "explain")


def test_a_closed_pipe_ends_silently(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mdeval.cli", "explain", *BOTH],
            cwd=folder,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


def test_a_traceback_is_shown_when_asked_for(folder: Path) -> None:
    command = [sys.executable, "-m", "mdeval.cli", "explain", *BOTH, "--recording", "q", "--verbose"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback (most recent call last)" in done.stderr
    assert "\nmdeval: the reference has no recording q; it has f, g\n" in done.stderr


def test_standard_input_may_be_one_of_the_sides(folder: Path) -> None:
    system = (folder / "sys.rttm").read_bytes()
    done = run_mdeval("explain", "-r", "ref.rttm", "-s", "-", cwd=folder, stdin=system)
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == run_mdeval("explain", *BOTH, cwd=folder).stdout


def test_a_verb_gives_its_output_to_whoever_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    written: list[str] = []
    warned: list[str] = []
    path = run_verb(["explain", *BOTH, "-o", "out.txt"], written.append, warned.append)
    assert path == "out.txt"
    assert not (folder / "out.txt").exists()
    assert "".join(written) == run_mdeval("explain", *BOTH, cwd=folder).text
    assert warned == []
