"""Writing whole files or none."""

from __future__ import annotations

import builtins
import errno
import os
import threading
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from speechio import InputError, write_scp
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
