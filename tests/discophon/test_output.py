"""Writing scores: whole files, appended rows, and what is refused before anything is computed."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

from discophon.benchmark import Score
from discophon.errors import DatasetError, UsageError
from discophon.output import append_lines, check_output, prepare_output, write_scores
from speechio.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

SCORES = [Score("swa", "dev", "pnmi", 0.1), Score("swa", "dev", "per", 1 / 3)]
ROWS = [score._asdict() for score in SCORES]


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    for _ in range(2):  # the second run takes the place of the first
        write_scores(str(path), SCORES, "sig")
    with path.open(newline="") as stream:
        found = list(csv.DictReader(stream))
    assert [row | {"score": float(row["score"])} for row in found] == ROWS
    assert os.listdir(tmp_path) == ["scores.csv"]


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    write_scores(str(path), SCORES, "sig")
    assert json.loads(path.read_text()) == {"schema_version": "1.0", "signature": "sig", "scores": ROWS}


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "scores.PARQUET"
    write_scores(str(path), SCORES, "sig")
    assert pl.read_parquet(path).to_dicts() == ROWS
    assert os.listdir(tmp_path) == ["scores.PARQUET"]


def test_rows_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"already": "there"}')  # its end of line is missing
    for _ in range(2):
        write_scores(str(path), SCORES, "sig")
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"already": "there"}, *ROWS, *ROWS]


def test_several_processes_may_append(tmp_path: Path) -> None:
    code = "from discophon.output import append_lines as a\nfor i in range(20): a('s.jsonl', ['x' * 9000] * 3)"
    jobs = [subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path) for _ in range(4)]
    assert [job.wait() for job in jobs] == [0] * 4
    assert (tmp_path / "s.jsonl").read_text().splitlines() == ["x" * 9000] * 240
    assert sorted(os.listdir(tmp_path)) == ["s.jsonl", "s.jsonl.lock"]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("first\n")
    code = (  # rows shorter and longer than what a stream keeps back
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 10, 1 << 10))\n"
        "from discophon.output import append_lines\n"
        "from speechio.errors import InputError\n"
        "tried = ('s.jsonl', ['x' * 40] * 50), ('s.jsonl', ['x' * (1 << 21)] * 3), ('new.jsonl', ['x'] * 999)\n"
        "for name, rows in tried:\n"
        "    try: append_lines(name, rows)\n"
        "    except InputError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("jsonl: cannot be written: File too large") == 3
    assert path.read_text() == "first\n"
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize("before", ["first\n", None])
def test_an_interruption_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    path = tmp_path / "s.jsonl"
    if before is not None:
        path.write_text(before)

    def interrupt(_: object) -> None:
        assert path.stat().st_size > 1000
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        append_lines(str(path), ["x" * 2000])
    assert (path.read_text() if path.exists() else None) == before


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere/s\.jsonl\.lock: cannot be locked"):
        write_scores(str(tmp_path / "nowhere" / "s.jsonl"), SCORES, "sig")
    for name in ("nowhere/s.csv", "nowhere/s.json", "nowhere/s.parquet"):
        with pytest.raises(InputError, match="cannot be written"):
            write_scores(str(tmp_path / name), SCORES, "sig")
    with pytest.raises(InputError, match="No space left"):
        append_lines("/dev/full", ["x"])
    assert not os.path.exists("/dev/full.lock")


def test_what_harms_the_input_is_refused(tmp_path: Path) -> None:
    dataset, predictions = tmp_path / "data", tmp_path / "units"
    for folder in (dataset, predictions):
        folder.mkdir()

    def refuse(output: Path, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            prepare_output(str(output), str(dataset), str(predictions))

    refuse(dataset / "scores.jsonl", "would make it invalid")
    refuse(predictions / "units-swa-dev.jsonl", "it has the name of predictions")
    refuse(tmp_path, "it is a folder")
    refuse(tmp_path / "nowhere" / "scores.csv", "there is no folder")
    (tmp_path / "dangling").symlink_to("nowhere/scores.csv")
    refuse(tmp_path / "dangling", f"there is no folder {tmp_path / 'nowhere'}; make it first")
    (tmp_path / "locked.jsonl.lock").mkdir()
    with pytest.raises(DatasetError, match=r"locked\.jsonl\.lock: cannot be locked: Is a directory"):
        prepare_output(str(tmp_path / "locked.jsonl"), str(dataset), str(predictions))
    assert not (tmp_path / "locked.jsonl").exists()
    prepare_output(str(tmp_path / "locked.csv"), str(dataset), str(predictions))
    (tmp_path / "link").symlink_to(dataset)
    refuse(tmp_path / "link" / "scores.csv", "would make it invalid")
    for output in (predictions / "scores.jsonl", tmp_path / "data.csv", "-"):
        prepare_output(str(output), str(dataset), str(predictions))


def test_an_input_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    path.touch()
    (tmp_path / "other").symlink_to(path)
    with pytest.raises(UsageError, match="it is read, so it cannot be written to"):
        check_output(str(tmp_path / "other"), [str(path)])
    check_output(str(tmp_path / "new"), [str(path)])
    check_output("-", ["-"])
