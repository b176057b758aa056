"""Every golden run of NIST md-eval 22 that is speaker diarization, through the command and through both engines.

The expected output is what the Perl printed (``tests/mdeval/data/README.md``), compared byte for byte.
"""

from __future__ import annotations

import difflib
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from mdeval_support import METADATA_LETTERS, Done, GoldenRun, facts, golden_runs, run_mdeval, score_files

if TYPE_CHECKING:
    from pathlib import Path

RUNS = golden_runs()
PLAIN = [run for run in RUNS if run.folder.parent.name != "nist" and not METADATA_LETTERS & set(run.letters)]
DYING_FOR_WORDS = [run for run in RUNS if run.folder.parent.name != "nist" and run not in PLAIN]
NIST = [run for run in RUNS if run.folder.parent.name == "nist"]
SCORED = [run for run in PLAIN + NIST if run.status == 0 and {"r", "R"} & set(run.letters)]
HEADING = b"\n*** Performance analysis for Speaker Diarization for "
LEADING_NUMBER = re.compile(r"\d*\.?\d*(?:[eE][+-]?\d+)?")


def titles(run: GoldenRun) -> str:
    return run.title


def copied(run: GoldenRun, folder: Path) -> Path:
    for name in run.files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(run.folder / name, target)
    return folder


def assert_same_text(got: bytes, wanted: bytes) -> None:
    if got != wanted:
        theirs, ours = (text.decode("utf-8", "replace").splitlines() for text in (wanted, got))
        pytest.fail("\n".join(difflib.unified_diff(theirs, ours, "md-eval", "mdeval", lineterm="")), pytrace=False)


def assert_same_end(done: Done, run: GoldenRun) -> None:
    assert (done.status == 0) == (run.status == 0), done.stderr
    assert done.status in (0, 2, 3)


def assert_same_map(run: GoldenRun, folder: Path) -> None:
    if "M" in run.letters and (run.folder / f"{run.name}.map.csv").exists():
        assert_same_text((folder / "map.csv").read_bytes(), run.expected("map.csv"))


def test_the_manifest_is_read_as_it_should_be() -> None:
    assert len(RUNS) == 163
    assert len(PLAIN) == 150
    assert sorted(run.name for run in DYING_FOR_WORDS) == ["W_fatal", "e_fatal", "w_fatal"]
    assert all((run.folder / f"{run.name}.map.csv").exists() for run in PLAIN if run.letters.get("M") == "map.csv")


@pytest.mark.parametrize("run", PLAIN + DYING_FOR_WORDS, ids=titles)
def test_prints_what_md_eval_prints(run: GoldenRun, tmp_path: Path) -> None:
    done = run_mdeval(*run.arguments, cwd=copied(run, tmp_path))
    assert_same_text(done.after_first_line, run.expected("stdout"))
    assert_same_end(done, run)
    assert_same_map(run, tmp_path)


@pytest.mark.parametrize("run", NIST, ids=titles)
def test_prints_the_diarization_blocks_of_runs_with_metadata(run: GoldenRun, tmp_path: Path) -> None:
    done = run_mdeval(*run.arguments, cwd=copied(run, tmp_path))
    for wanted in (parameters, blocks, maps_and_segments):
        assert_same_text(wanted(done.after_first_line), wanted(run.expected("stdout")))
    assert_same_end(done, run)


def parameters(text: bytes) -> bytes:
    return b"\n".join(text.split(b"\n")[:27])


def blocks(text: bytes) -> bytes:
    found = b""
    for part in text.split(HEADING)[1:]:
        found += HEADING + part.split(b"\n***")[0]
    assert found
    return found


def maps_and_segments(text: bytes) -> bytes:
    line = re.compile(rb"^(?:'.*' => .*|.* secs matched to '.*'|beg/dur/end = .*REF = .*)$", re.MULTILINE)
    return b"\n".join(line.findall(text))


@pytest.mark.parametrize("run", [run for run in PLAIN if run.stderr_kind != "perl-internal"], ids=titles)
def test_nist_mode_says_what_md_eval_says(run: GoldenRun, tmp_path: Path) -> None:
    done = run_mdeval("--nist", *run.arguments, cwd=copied(run, tmp_path))
    assert_same_text(done.after_first_line, run.expected("stdout"))
    assert_same_end(done, run)
    got, wanted = done.stderr.encode("utf-8", "surrogateescape"), run.expected("stderr")
    if run.stderr_kind == "prefix":
        wanted = wanted.partition(b"COMMAND")[1] + wanted.partition(b"COMMAND")[2]  # after interpreter messages
        got = got.partition(b"COMMAND")[1] + got.partition(b"COMMAND")[2]
        assert_same_text(got[: len(wanted)], wanted)
    else:
        assert_same_text(got, wanted)


def paths(run: GoldenRun, letter: str) -> list[Path]:
    letters = run.letters
    if letter in letters:
        return [run.folder / letters[letter]]
    return [run.folder / name for name in (run.folder / letters[letter.upper()]).read_text().split()]


@pytest.mark.parametrize("run", SCORED, ids=titles)
def test_the_large_engine_gives_the_same_to_the_last_bit(run: GoldenRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.folder)
    letters = run.letters
    number = LEADING_NUMBER.match(letters.get("c", "0"))
    small, large = (
        score_files(
            paths(run, "r"),
            paths(run, "s"),
            run.folder / letters["u"] if "u" in letters else None,
            large=large,
            collar=float(number[0]) if number and number[0] else 0.0,
            one="1" in letters,
            keep_directory="n" in letters,
        )
        for large in (False, True)
    )
    assert [facts(score) for score in large] == [facts(score) for score in small]
