"""Binary files: whole or not at all, through links and pipes, and the same way from every command."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from discophon.benchmark import Score
from discophon.output import write_scores
from discophon.textgrid import write_comparison
from discophon.writing import write_all, write_bytes
from speechio.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "data" / "discovery"
UNITS = GOLDEN / "units" / "k256-20ms" / "units-swa-dev.jsonl"
PHONES = GOLDEN / "alignment" / "alignment-swa-dev.txt"


def through_a_pipe(path: Path, write: Callable[[], object]) -> bytes:
    """Give what is written to a named pipe, which must stay one."""
    os.mkfifo(path)
    came: list[bytes] = []
    reader = threading.Thread(target=lambda: came.append(path.read_bytes()))
    reader.start()
    write()
    assert stat.S_ISFIFO(path.lstat().st_mode)
    reader.join()
    return came[0]


def write_textgrid(path: Path) -> None:
    write_comparison(path, "aabb", "ab")


def write_parquet(path: Path) -> None:
    write_scores(str(path), [Score("swa", "dev", "pnmi", 0.1)], "sig")


def write_picture(path: Path) -> None:
    from matplotlib.figure import Figure

    from discophon.plot import save

    save(Figure(figsize=(1, 1)), path)


WRITERS = [("x.TextGrid", write_textgrid), ("x.parquet", write_parquet), ("x.svg", write_picture)]


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_pipes_and_links(tmp_path: Path, name: str, write: Callable[[Path], None]) -> None:
    plain, there, link = tmp_path / f"a-{name}", tmp_path / f"b-{name}", tmp_path / f"c-{name}"
    write(plain)
    assert through_a_pipe(tmp_path / name, lambda: write(tmp_path / name)) == plain.read_bytes()
    there.write_bytes(b"old")
    there.chmod(0o640)
    link.symlink_to(there.name)
    write(link)
    assert link.is_symlink()
    assert there.read_bytes() == plain.read_bytes()
    assert stat.S_IMODE(there.stat().st_mode) == 0o640
    (tmp_path / f"d-{name}").symlink_to("new")
    write(tmp_path / f"d-{name}")
    assert (tmp_path / "new").read_bytes() == plain.read_bytes()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("name", ["nowhere/x", "", "a\0b", "folder"])
def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=r"cannot be written: .*\n  fix: give another path"):
        write_bytes(name, b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_after_a_fault_the_file_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="x: cannot be written: No space left on device"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_several_files_are_written_or_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "c").mkdir()
    with pytest.raises(InputError, match="c: cannot be written: Is a directory"):
        write_all({str(tmp_path / name): b"new" for name in "abc"})
    assert sorted(os.listdir(tmp_path)) == ["a", "c"]
    assert (tmp_path / "a").read_bytes() == b"old"
    write_all({str(tmp_path / name): b"new" for name in "ab"})
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"new", b"new"]


def test_two_names_of_one_file_are_told_before_it_changes(tmp_path: Path) -> None:
    (tmp_path / "a.TextGrid").write_bytes(b"old")
    (tmp_path / "b.TextGrid").symlink_to("a.TextGrid")
    with pytest.raises(InputError, match=r"b\.TextGrid: leads to the same file as .*a\.TextGrid"):
        write_all({str(tmp_path / f"{name}.TextGrid"): b"new" for name in "cab"})
    assert sorted(os.listdir(tmp_path)) == ["a.TextGrid", "b.TextGrid"]
    assert (tmp_path / "a.TextGrid").read_bytes() == b"old"


def test_a_file_that_cannot_take_its_place_is_told_with_those_that_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that the system keeps from being renamed, which only renaming finds out."""
    monkeypatch.chdir(tmp_path)
    replace = os.replace

    def keep_c(source: str, target: str) -> None:
        if os.path.basename(target) == "c":
            raise PermissionError(1, "Operation not permitted")
        replace(source, target)

    monkeypatch.setattr(os, "replace", keep_c)
    with pytest.raises(InputError, match=r"^c: cannot be written: Operation not permitted; changed by then: a, b\n"):
        write_all(dict.fromkeys("abcd", b"new"))
    assert sorted(os.listdir()) == ["a", "b"]


def test_standard_output(tmp_path: Path) -> None:
    given = [str(UNITS), str(PHONES), "--language", "swa"]
    command = [sys.executable, "-m", "discophon", "textgrid", *given, "-o"]
    done = subprocess.run([*command, "-"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr, os.listdir(tmp_path)) == (0, b"", [])
    assert subprocess.run([*command, "x"], cwd=tmp_path, check=False).returncode == 0
    assert done.stdout == (tmp_path / "x").read_bytes()
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*command, "-"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"discophon: error: <stdout>: cannot be written: No space left on device")
