"""Changing the beginning of paths."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench.errors import InputError
from pathbench.repoint import Repointed, find_datasets, repoint
from speechio import SpeechioError, read_wav_scp


def change(tmp_path: Path, data: bytes, old: str, new: str) -> tuple[Repointed, bytes]:
    path = tmp_path / "wav.scp"
    path.write_bytes(data)
    found = repoint(str(path), old, new, backup=False)
    return found, path.read_bytes()


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a /x/y.wav\n", "/x", "/z", b"a /z/y.wav\n"),
        (b"a /x/y.wav\n", "/x/", "/z/", b"a /z/y.wav\n"),
        (b"a /xx/y.wav\n", "/x", "/z", b"a /xx/y.wav\n"),
        (b"a /x\n", "/x", "/z", b"a /z\n"),
        (b"a /x/y.wav\n", "/", "/z", b"a /z/x/y.wav\n"),
        (b"a /x/y.wav\n", "/x", "/", b"a /y.wav\n"),
        (b"a x/y.wav\n", "x", "../z", b"a ../z/y.wav\n"),
        (b"a\t /x/y z.wav \r\n", "/x", "/z", b"a\t /z/y z.wav \r\n"),
        (b"a /x/y.wav", "/x", "/z", b"a /z/y.wav"),
        (b"a /x/y.wav cat |\n", "/x", "/z", b"a /x/y.wav cat |\n"),
        ("a /é/y.wav\n".encode(), "/é", "/ü", "a /ü/y.wav\n".encode()),
        (b"a /x/y.wav\n", "/x", "/x/z", b"a /x/z/y.wav\n"),
        (b"a /x/z/y.wav\n", "/x/z", "/x", b"a /x/y.wav\n"),
    ],
)
def test_only_whole_folders_at_the_beginning_change(
    before: bytes, old: str, new: str, after: bytes, tmp_path: Path
) -> None:
    found, data = change(tmp_path, before, old, new)
    assert data == after
    assert found.n_changed == (before != after)


@pytest.mark.parametrize(("old", "new"), [("/data", "/data/new"), ("/", "/data"), ("/data/old", "/data"), ("/a", "/a")])
def test_twice_is_once(old: str, new: str, tmp_path: Path) -> None:
    first, data = change(tmp_path, b"a /data/old/1.wav\nb /data/newer/2.wav\n", old, new)
    again, after = change(tmp_path, data, old, new)
    assert after == data
    assert again.n_changed == 0
    assert first.n_changed <= again.n_already


names = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.lists(names, min_size=1, max_size=6), names)
def test_back_and_forth_is_where_it_began(tmp_path_factory: pytest.TempPathFactory, paths: list[str], old: str) -> None:
    text = "".join(f"u{i} /{path}\n" for i, path in enumerate(paths)).encode()
    folder = tmp_path_factory.mktemp("set")
    found, there = change(folder, text, f"/{old}", "/elsewhere")
    back, again = change(folder, there, "/elsewhere", f"/{old}")
    assert again == text
    assert found.n_changed == back.n_changed
    expected = sum(path == old or path.startswith(f"{old}/") for path in paths)
    assert found.n_changed == expected
    locations = [location.location for location in read_wav_scp(folder / "wav.scp").values()]
    assert locations == [f"/{path}" for path in paths]


def test_mode_backup_and_dry_run(tmp_path: Path) -> None:
    path = tmp_path / "wav.scp"
    path.write_text("a /x/1\n")
    path.chmod(0o640)
    assert repoint(str(path), "/x", "/y", dry_run=True).example == ("/x/1", "/y/1")
    assert path.read_text() == "a /x/1\n"
    repoint(str(path), "/x", "/y")
    repoint(str(path), "/y", "/z")
    assert (tmp_path / "wav.scp.bak").read_text() == "a /x/1\n"  # as it was at first
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["wav.scp", "wav.scp.bak"]


@pytest.mark.parametrize("data", [b"a /x/1\na /x/2\n", b"a\n", b"\xff \xff\n"])
def test_a_wrong_file_stays_as_it_is(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(SpeechioError):
        change(tmp_path, data, "/x", "/y")
    assert (tmp_path / "wav.scp").read_bytes() == data


@pytest.mark.parametrize("new", ["/y|", "cat x |", " /y", "/y "])
def test_a_path_never_becomes_something_else(new: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"makes a command|a table loses"):
        change(tmp_path, b"a /x\n", "/x", new)
    assert (tmp_path / "wav.scp").read_bytes() == b"a /x\n"


def test_a_backup_that_is_no_file_is_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "wav.scp"
    path.write_text("a /x/1\n")
    (tmp_path / "wav.scp.bak").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"wav\.scp\.bak: is no file.*--no-backup"):
        repoint(str(path), "/x", "/y")
    assert not (tmp_path / "elsewhere").exists()
    assert path.read_text() == "a /x/1\n"
    repoint(str(path), "/x", "/y", backup=False)
    assert path.read_text() == "a /y/1\n"
    assert sorted(os.listdir(tmp_path)) == ["wav.scp", "wav.scp.bak"]


@pytest.mark.parametrize("prefix", ["", "a\nb", "a\0b"])
def test_beginnings_that_are_none(prefix: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no beginning of a path"):
        change(tmp_path, b"a /x/1\n", prefix, "/y")


def test_datasets_below_a_folder(tmp_path: Path) -> None:
    for name in ("b", "a/x"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "wav.scp").write_text("a b\n")
    assert find_datasets([str(tmp_path / "b"), str(tmp_path)]) == [str(tmp_path / "b"), str(tmp_path / "a" / "x")]
    with pytest.raises(InputError, match=r"there is no wav\.scp"):
        find_datasets([str(Path(__file__).parent / "data" / "csv_route")])
