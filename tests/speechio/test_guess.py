"""Guessing the format of a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from speechio.errors import InputError, UsageError
from speechio.guess import guess_format

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("x/dev.rttm", "rttm"),
        ("DEV.RTTM", "rttm"),
        ("all.uem.gz", "uem"),
        ("a.jsonl", "jsonl"),
        ("ref.scp", "scp"),
        ("wav.scp", "wav.scp"),
        ("feats.scp", "feats.scp"),
        ("data/text", "text"),
        ("segments", "segments"),
        ("spk2gender", "spk2gender"),
        ("language", "language"),
    ],
)
def test_the_name_tells(name: str, format_: str) -> None:
    assert guess_format(name) == (format_, "name")


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (b";; x\n\nSPEAKER r 1 0 1 <NA> <NA> a <NA>\n", "rttm"),
        (b"speaker r 1 0 1\n", "rttm"),
        (b"r 1 0 60.5\n", "uem"),
        (b"utt1 rec1 0 1.5\n", "segments"),
        (b'{"a": 1}\n', "jsonl"),
        (b"[1]\n", "jsonl"),
        (b"utt1 hello there\n", "scp"),
        (b"", "scp"),
        (b"\xff\xfe\n", "scp"),
    ],
)
def test_the_content_tells(tmp_path: Path, content: bytes, format_: str) -> None:
    (tmp_path / "x").write_bytes(content)
    assert guess_format(tmp_path / "x") == (format_, "content")


def test_a_directory_is_a_data_directory(tmp_path: Path) -> None:
    assert guess_format(tmp_path) == ("kaldi-dir", "name")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        guess_format(tmp_path / "absent")


def test_what_can_be_read_only_once_is_not_looked_at(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"pipe is no regular file and needs its format named \(--format\)"):
        guess_format(tmp_path / "pipe")
    os.mkfifo(tmp_path / "a.rttm")
    assert guess_format(tmp_path / "a.rttm") == ("rttm", "name")
