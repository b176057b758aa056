"""Files, lists, directories, gzip."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from mdeval.errors import InputError
from mdeval.sources import expand, read_blocks, read_bytes, read_list, size_of

if TYPE_CHECKING:
    from pathlib import Path


def test_files_are_read_and_gzip_unpacked(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a", tmp_path / "b"
    plain.write_bytes(b"x\n")
    packed.write_bytes(gzip.compress(b"x\n"))
    assert read_bytes(str(plain), "file") == read_bytes(str(packed), "file") == b"x\n"
    assert b"".join(read_blocks(str(plain), "file")) == b"x\n"


@pytest.mark.parametrize("damage", [slice(0, -4), slice(0, 12)])
def test_a_damaged_gzip_file(tmp_path: Path, damage: slice) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x\n" * 1000)[damage])
    with pytest.raises(InputError, match=r"a\.gz: damaged gzip file \(.*\); make or fetch it again"):
        read_bytes(str(path), "RTTM file")


def test_bytes_that_only_begin_like_gzip(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(b"\x1f\x8brubbish")
    with pytest.raises(InputError, match=r"a\.gz: "):
        read_bytes(str(path), "RTTM file")


def test_a_missing_file_is_named_with_md_evals_words(tmp_path: Path) -> None:
    path = str(tmp_path / "none")
    for read in (read_bytes, lambda p, w: list(read_blocks(p, w))):
        with pytest.raises(
            InputError, match="none: cannot be read: No such file or directory; give the path of"
        ) as caught:
            read(path, "RTTM file")
        assert caught.value.nist == f"\nCOMMAND LINE ERROR:  unable to open RTTM file '{path}'\n"


def test_a_path_stands_for_itself_or_for_the_files_of_a_directory(tmp_path: Path) -> None:
    for name in ("b.rttm", "a.rttm", "B.rttm", "a.uem"):
        (tmp_path / name).write_bytes(b"")
    assert expand("-") == ["-"]
    assert expand("no/such/file") == ["no/such/file"]
    assert [path.rpartition("/")[2] for path in expand(str(tmp_path))] == ["B.rttm", "a.rttm", "b.rttm"]


def test_a_directory_without_rttm(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.rttm file in this directory; give the directory that holds them"):
        expand(str(tmp_path))


def test_a_list_has_a_path_per_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b c"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "list").write_bytes(b"a\n  b c\r\n-\na")
    assert read_list("list") == ["a", "b c", "-", "a"]
    (tmp_path / "list").write_bytes(b"")
    assert read_list("list") == []


@pytest.mark.parametrize(
    ("content", "message", "nist"),
    [
        (b"a\n\na\n", "list:2: a blank line in a list of files; remove it", "unable to open RTTM file '\n'\n"),
        (b"a\nnone \n", "list:2: there is no file none; correct the path", "unable to open RTTM file 'none \n'\n"),
    ],
)
def test_lists_with_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str, nist: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "list").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_list("list")
    assert str(caught.value).startswith(message)
    assert caught.value.nist.endswith(f"\nCOMMAND LINE ERROR:  {nist}")


def test_a_missing_list() -> None:
    with pytest.raises(InputError, match="give the path of a readable file list"):
        read_list("no/such/list")


def test_sizes_add_up(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert size_of([str(path), "-", str(path)]) == 10
    assert size_of([str(path), str(tmp_path / "none")]) == 0
