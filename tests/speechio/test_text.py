"""Opening files: gzip, standard input, encodings, marks, line ends."""

from __future__ import annotations

import builtins
import errno
import gzip
import io
import sys
from typing import TYPE_CHECKING, Any

import pytest

import speechio
from speechio import text
from speechio.errors import FormatError, InputError, Problem, Report, UsageError
from speechio.text import read_lines

if TYPE_CHECKING:
    from pathlib import Path


def lines(path: Path | str, encoding: str | None = None) -> list[tuple[int, str]]:
    return list(read_lines(path, Report(str(path)), encoding))


def warnings(path: Path) -> list[tuple[int | None, str]]:
    problems: list[Problem] = []
    list(read_lines(path, Report(str(path), problems)))
    return [(problem.line, problem.code) for problem in problems]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_lines_end_at_lf_only(file: Path) -> None:
    file.write_bytes("a\x0bb\x0cc\x1cd\u0085e\u2028f\n\ng".encode())
    assert lines(file) == [(1, "a\x0bb\x0cc\x1cd\u0085e\u2028f"), (2, ""), (3, "g")]


def test_mark_crlf_and_last_line(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\r\nc")
    assert lines(file) == [(1, "a"), (2, "b"), (3, "c")]
    assert warnings(file) == [(1, "T102"), (1, "T103"), (3, "T107")]


def test_an_empty_file_has_no_lines(file: Path) -> None:
    for content in (b"", b"\xef\xbb\xbf"):
        file.write_bytes(content)
        assert lines(file) == []


@pytest.mark.parametrize("content", [b"a\rb\n", b"a\r\r\n", b"a\nb\r", b"\r"])
def test_a_lone_cr_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(FormatError, match="T004 there is a CR without an LF at byte"):
        lines(file)


def test_a_nul_is_refused(file: Path) -> None:
    file.write_bytes(b"abcd\nx\0y\n")
    with pytest.raises(FormatError, match=r":2: T005 there is a NUL byte at byte 2 of the line") as caught:
        lines(file)
    assert "is this a text file at all" in caught.value.fix


def test_bytes_that_are_not_utf8(file: Path) -> None:
    file.write_bytes(b"ok\ncaf\xe9 x\n")
    with pytest.raises(FormatError, match=r":2: T001 byte 0xe9 at byte 4 of the line is not UTF-8, which is 'é'"):
        lines(file)
    assert lines(file, "latin-1") == [(1, "ok"), (2, "café x")]
    assert lines(file, "cp1252") == [(1, "ok"), (2, "café x")]


def test_good_lines_come_before_the_bad_one(file: Path) -> None:
    file.write_bytes(b"ok\n\xff\n")
    reader = read_lines(file, Report("f"))
    assert next(reader) == (1, "ok")
    with pytest.raises(FormatError, match="f:2: T001 byte 0xff"):
        next(reader)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
        ("utf-32-be", b"\0\0\xfe\xff"),
    ],
)
def test_wide_encodings_are_recognised_and_can_be_read(file: Path, encoding: str, mark: bytes) -> None:
    file.write_bytes(mark + "a 你\nb\n".encode(encoding))
    name = encoding.upper().replace("-LE", "LE").replace("-BE", "BE")
    with pytest.raises(FormatError, match=f":1: T006 the file is {name}; UTF-8 is wanted") as caught:
        lines(file)
    assert f"iconv -f {name} -t UTF-8" in caught.value.fix
    assert lines(file, encoding) == [(1, "a 你"), (2, "b")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_encodings_without_a_mark_are_recognised(file: Path, encoding: str) -> None:
    file.write_bytes("hello there\n".encode(encoding))
    with pytest.raises(FormatError, match=f"T006 the file is {encoding.upper()[:6]}"):
        lines(file)


def test_an_encoding_that_does_not_fit(file: Path) -> None:
    file.write_bytes(b"a\nb\n\xff\n")
    with pytest.raises(FormatError, match=":3: T001 byte 0xff is not ascii"):
        lines(file, "ascii")
    file.write_bytes("a\nb".encode("utf-16-le")[:-1])
    with pytest.raises(FormatError, match=":2: T001 byte 0x62 is not utf-16-le"):
        lines(file, "utf-16-le")
    file.write_bytes(b"a-b!\n")
    with pytest.raises(FormatError, match=":1: T001 on this line or after it are bytes that are not punycode"):
        lines(file, "punycode")


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", "undefined"])
def test_an_unknown_encoding(file: Path, encoding: str) -> None:
    file.write_bytes(b"a\n")
    with pytest.raises(UsageError, match=f"unknown encoding '{encoding}'"):
        lines(file, encoding)


def test_gzip_is_recognised_by_content(file: Path) -> None:
    content = b"".join(b"line %d\n" % i for i in range(50_000))
    file.write_bytes(gzip.compress(content[:100]) + gzip.compress(content[100:]) + b"\0" * 512)
    assert [line for _, line in lines(file)] == content.decode().split("\n")[:-1]


@pytest.mark.parametrize("cut", [3, 12, 20, -9, -1])
def test_gzip_that_ends_too_early(file: Path, cut: int) -> None:
    file.write_bytes(gzip.compress(b"a 1\nb 2\nc 3\n" * 50, mtime=0)[:cut])
    with pytest.raises(FormatError, match="T009 the gzip data") as caught:
        lines(file)
    assert caught.value.line is None


def test_gzip_with_a_wrong_checksum_or_garbage(file: Path) -> None:
    good = gzip.compress(b"a 1\nb 2\n", mtime=0)
    for content in (good[:-8] + b"abcd" + good[-4:], good + b"garbage", b"\x1f\x8b garbage"):
        file.write_bytes(content)
        with pytest.raises(FormatError, match="T009 the gzip data are damaged"):
            lines(file)


def test_blocks_are_whole_lines_whatever_their_size(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "\ufeff" + "".join(f"línea {i}\n" for i in range(300)) + "end"
    file.write_text(content, encoding="utf-8", newline="\n")
    want = list(enumerate(content[1:].split("\n"), 1))
    for size in (1, 2, 3, 7, 64, 1000):
        monkeypatch.setattr(text, "_BLOCK_SIZE", size)
        assert lines(file) == want


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a 1\nb\xff 2\n")))
    with pytest.raises(FormatError, match=r"^<stdin>:2: T001"):
        speechio.read_scp("-")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no such file") as caught:
        lines(tmp_path / "absent")
    assert caught.value.errno == errno.ENOENT
    assert isinstance(caught.value, OSError)


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; a file is wanted"):
        lines(tmp_path)


def test_a_path_with_a_nul() -> None:
    with pytest.raises(InputError, match="cannot be opened: embedded null"):
        lines("a\0b")


def test_an_unreadable_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(file))

    monkeypatch.setattr(builtins, "open", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        lines(file)


def test_a_disk_that_fails_while_reading(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(errno.EIO if size else 0, "Input/output error")

    monkeypatch.setattr(builtins, "open", lambda *_, **__: Failing())
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        lines(file)
