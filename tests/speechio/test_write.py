"""Writing whole files or none."""

from __future__ import annotations

import builtins
import errno
import gzip
import os
import threading
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

import speechio
from speechio import InputError, RttmRecord, Segment, UemRecord, WavLocation, read_scp, write_scp
from speechio.write import format_number, format_time, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_many_lines(tmp_path: Path) -> None:
    write_lines(tmp_path / "a", (f"línea {i}" for i in range(25_001)))
    assert (tmp_path / "a").read_bytes() == b"".join(b"l\xc3\xadnea %d\n" % i for i in range(25_001))
    write_lines(tmp_path / "a", [])
    assert (tmp_path / "a").read_bytes() == b""


def test_a_fault_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "new"
        raise RuntimeError("halfway")

    (tmp_path / "a").write_text("old\n")
    with pytest.raises(RuntimeError, match="halfway"):
        write_lines(tmp_path / "a", lines())
    assert (tmp_path / "a").read_text() == "old\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old\n")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_lines(tmp_path / "link", ["new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new\n"


def test_what_is_no_plain_file_is_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_lines(pipe, ["a", "b"])
    reader.join()
    assert got == [b"a\nb\n"]
    assert pipe.is_fifo()


def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        write_scp(tmp_path / "no" / "folder" / "a", {"a": "1"})
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_scp(tmp_path, {"a": "1"})

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(builtins, "open", refuse)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_scp(tmp_path / "a", {"a": "1"})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1, "1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e22, "10000000000000000000000"),
        (Decimal("1E+3"), "1000"),
    ],
)
def test_numbers(value: float | Decimal, text: str) -> None:
    assert format_number(value) == text
    assert Decimal(format_number(value)) == Decimal(repr(value) if isinstance(value, float) else value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN")])
def test_numbers_that_are_none(value: float | Decimal) -> None:
    with pytest.raises(ValueError, match="is not finite"):
        format_number(value)
    with pytest.raises(ValueError, match="is not finite"):
        format_time(value, 3)


def test_digits_are_for_floats() -> None:
    assert format_time(1.23456, 2) == "1.23"
    assert format_time(1.23456, None) == "1.23456"
    assert format_time(Decimal("1.23456"), 2) == "1.23456"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (-0.0, 3, "0.000"),
        (-0.0004, 3, "0.000"),
        (-0.0, None, "0.0"),
        (-0.4, 0, "0"),
        (Decimal("-0.00"), 3, "0.00"),
        (-0.0006, 3, "-0.001"),
        (-10.0, 3, "-10.000"),
    ],
)
def test_there_is_no_negative_zero_among_times(value: float | Decimal, digits: int | None, text: str) -> None:
    assert format_time(value, digits) == text


def test_no_writer_gives_a_negative_zero(tmp_path: Path) -> None:
    speechio.write_rttm(tmp_path / "a.rttm", [RttmRecord("SPEAKER", "r", "1", -0.0, 1.0, speaker="a")])
    speechio.write_uem(tmp_path / "a.uem", [UemRecord("r", "1", -1e-9, 1.0)])
    speechio.write_segments(tmp_path / "segments", [Segment("u", "r", -0.0, 1.0)])
    assert "-" not in "".join(path.read_text() for path in tmp_path.iterdir())


def test_a_name_that_ends_in_gz_is_written_as_gzip(tmp_path: Path) -> None:
    for name in ("a.gz", "A.GZ"):
        write_lines(tmp_path / name, ["línea", "b"])
        packed = (tmp_path / name).read_bytes()
        assert gzip.decompress(packed) == "línea\nb\n".encode()
        # No flags, hence no name, and no time: the same lines give the same bytes.
        assert packed[:8] == b"\x1f\x8b\x08\0\0\0\0\0"
        write_lines(tmp_path / name, ["línea", "b"])
        assert (tmp_path / name).read_bytes() == packed
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "A.GZ").read_bytes()


def test_a_link_to_a_gz_file_is_written_as_gzip(tmp_path: Path) -> None:
    (tmp_path / "text").symlink_to("text.gz")
    write_scp(tmp_path / "text", {"a": "x"})
    assert (tmp_path / "text").is_symlink()
    assert gzip.decompress((tmp_path / "text.gz").read_bytes()) == b"a x\n"
    assert read_scp(tmp_path / "text") == {"a": "x"}


@pytest.mark.parametrize(
    ("write", "records", "content"),
    [
        (speechio.write_rttm, [RttmRecord("SPEAKER", "r", "1", 0.0, 1.0, speaker="a")], b"SPEAKER r 1 0.000 1.000"),
        (speechio.write_uem, [UemRecord("r", "1", 0.0, 1.0)], b"r 1 0.000 1.000\n"),
        (speechio.write_segments, [Segment("a", "r", 0.0, 1.0)], b"a r 0.0 1.0\n"),
        (speechio.write_wav_scp, [WavLocation("r", "path", "a.wav")], b"r a.wav\n"),
        (speechio.write_text, {"a": "x"}, b"a x\n"),
        (speechio.write_spk2utt, {"s": ("a", "b")}, b"s a b\n"),
        (speechio.write_jsonl, [{"a": 1}], b'{"a": 1}\n'),
        (speechio.write_language, "en", b"en\n"),
    ],
)
def test_every_writer_writes_gzip(tmp_path: Path, write: Any, records: Any, content: bytes) -> None:
    write(tmp_path / "x.gz", records)
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()).startswith(content)


def test_a_file_of_several_names_is_changed_under_one_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "text").write_text("old\n")
    write_lines(tmp_path / "text", ["old"])
    assert caplog.messages == []
    (tmp_path / "copy").hardlink_to(tmp_path / "text")
    write_lines(tmp_path / "text", ["new"])
    assert (tmp_path / "text").read_text() == "new\n"
    assert (tmp_path / "copy").read_text() == "old\n"
    (message,) = caplog.messages
    assert message.startswith(f"{tmp_path / 'text'} was one of 2 names of one file (hard links)")


def test_links_to_what_is_not_there_and_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    write_lines(tmp_path / "link", ["new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new\n"
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(InputError, match="round: cannot be written: Too many levels of symbolic links"):
        write_lines(tmp_path / "round", ["new"])
    assert (tmp_path / "round").is_symlink()
