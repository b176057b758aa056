"""Turns: one process at a time, what it leaves to those who waited, and what a killed one leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from discophon.errors import DatasetError
from discophon.locking import one_at_a_time

if TYPE_CHECKING:
    from pathlib import Path

WORK = """
import os, sys, time
from discophon.locking import one_at_a_time

for i in range(int(sys.argv[1])):
    with one_at_a_time("lock", on_wait=lambda: None) as turn:
        os.mkdir("inside")  # fails where another process is inside
        time.sleep(0.01)
        os.rmdir("inside")
        with open("log", "a") as log:
            log.write(f"{turn.left}\\n")
        turn.note = str(os.getpid())
"""


def nothing() -> None:
    """Wait silently."""


def test_one_at_a_time(tmp_path: Path) -> None:
    jobs = [subprocess.Popen([sys.executable, "-c", WORK, "20"], cwd=tmp_path) for _ in range(4)]
    assert [job.wait() for job in jobs] == [0] * 4
    left = (tmp_path / "log").read_text().splitlines()
    assert len(left) == 80
    assert {note for note in left if note} <= {str(job.pid) for job in jobs}
    assert any(left)
    assert os.listdir(tmp_path) == ["log"]


def test_no_note_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("left by one that was killed")
    for _ in range(2):
        with one_at_a_time(str(tmp_path / "lock"), on_wait=nothing) as turn:
            assert turn.left == ""
            turn.note = "done"
    assert os.listdir(tmp_path) == []


def test_a_killed_process_holds_nobody_up(tmp_path: Path) -> None:
    code = (
        "from discophon.locking import one_at_a_time as o\nwith o('lock', on_wait=print): print('in', flush=1); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == b"in\n"
        waited: list[bool] = []

        def end_it() -> None:
            waited.append(True)
            job.kill()

        with one_at_a_time(str(tmp_path / "lock"), on_wait=end_it) as turn:
            assert (waited, turn.left) == ([True], "")
    assert os.listdir(tmp_path) == []


def test_after_a_fault_the_turn_is_over(tmp_path: Path) -> None:
    with pytest.raises(KeyError), one_at_a_time(str(tmp_path / "lock"), on_wait=nothing):
        raise KeyError
    assert os.listdir(tmp_path) == []


def test_places_that_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DatasetError, match=r"lock: cannot be locked: No such file .*it must be a file in a folder"):
        one_at_a_time(str(tmp_path / "no" / "lock"), on_wait=nothing).__enter__()

    def without(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", without)
    with pytest.raises(DatasetError, match=r"lock: cannot be locked: Function not implemented.*a disk with file locks"):
        one_at_a_time(str(tmp_path / "lock"), on_wait=nothing).__enter__()
