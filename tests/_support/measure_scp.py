"""SCP files: a slow twin of their readers, and strategies for texts that such files may hold."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Pairs = list[tuple[str, str]]

PEAK = """
def peak():
    with open("/proc/self/status") as stream:
        return next(int(line.split()[1]) for line in stream if line.startswith("VmHWM:"))
"""
"""Program that gives the peak memory of its own process in KiB; `getrusage` tells that of the parent if it is more."""

MARK = b"\xef\xbb\xbf"
NO_ID = "\u00a0\u3000\u2009\u200b\u2028\u0085\ufeff"
"""Blanks that separate nothing and are refused in an ID."""

_PLAIN = "abcdefXYZ019_-.:/#%'"
_ODD_IN_ID = "\x01\x0b\x1c\x7fé\u0301日\U0001f600\U0010ffff"
_IN_VALUE = _PLAIN + _ODD_IN_ID + NO_ID + "  \t\t"


class WrongError(Exception):
    """A line breaks the rules."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def read_plainly(data: bytes) -> Pairs:
    """Read the bytes of an SCP file line by line, from the rules alone.

    UTF-8, a mark at the beginning is removed; lines end in LF or CRLF and hold no other CR and no NUL. Outer spaces
    and tabs go, an empty line is skipped; the first run of spaces and tabs splits; an ID alone has an empty value. An
    ID must not hold another blank, nor come twice.
    """
    pairs: Pairs = []
    seen: set[str] = set()
    raw_lines = data.removeprefix(MARK).split(b"\n")
    for number, raw in enumerate(raw_lines, 1):
        if number < len(raw_lines) and raw.endswith(b"\r"):
            raw = raw[:-1]
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise WrongError(number) from None
        if "\r" in text or "\0" in text:
            raise WrongError(number)
        while text and text[0] in " \t":
            text = text[1:]
        while text and text[-1] in " \t":
            text = text[:-1]
        if not text:
            continue
        end = 0
        while end < len(text) and text[end] not in " \t":
            end += 1
        start = end
        while start < len(text) and text[start] in " \t":
            start += 1
        key = text[:end]
        if key in seen or any(blank in key for blank in NO_ID):
            raise WrongError(number)
        seen.add(key)
        pairs.append((key, text[start:]))
    return pairs


def faulty_line(data: bytes) -> int | None:
    """Find the first line that breaks the rules."""
    try:
        read_plainly(data)
    except WrongError as wrong:
        return wrong.line
    return None


def joined_plainly(tables: Sequence[Pairs]) -> list[tuple[str, list[str]]] | None:
    """Join tables by ID in the order of the first; None if their IDs differ."""
    if any(sorted(key for key, _ in table) != sorted(key for key, _ in tables[0]) for table in tables):
        return None
    return [(key, [value for table in tables for other, value in table if other == key]) for key, _ in tables[0]]


def write(path: Path, data: bytes, *, is_packed: bool = False) -> Path:
    """Write a file, compressed or not."""
    path.write_bytes(gzip.compress(data, mtime=0) if is_packed else data)
    return path


def lines_of(pairs: Pairs) -> bytes:
    """Give the plainest file of some pairs."""
    return "".join(f"{key} {value}\n" for key, value in pairs).encode()


PLAIN_IDS = st.text(_PLAIN, min_size=1, max_size=12)
ODD_IDS = st.one_of(
    st.text(_PLAIN + _ODD_IN_ID, min_size=1, max_size=8),
    st.builds(lambda key, n: key * n, PLAIN_IDS, st.integers(20, 120)),  # around and beyond 96 bytes
)
IDS = st.one_of(PLAIN_IDS, PLAIN_IDS, ODD_IDS)
VALUES = st.one_of(
    st.text(_PLAIN + "   ", max_size=20),
    st.text(_IN_VALUE, max_size=12),
    st.builds(lambda value, n: value * n, st.text(_PLAIN + " ", min_size=1, max_size=5), st.integers(10, 80)),
)
_GAPS = st.sampled_from([" ", " ", " ", "\t", "  ", " \t ", "\t\t"])
_TAILS = st.sampled_from(["", "", "", " ", "\t ", "   "])
_BLANK_LINES = st.sampled_from(["", " ", "\t", " " * 70, "\n" * 90])
"""The last one is longer than a small block."""


@st.composite
def scp_files(draw: st.DrawFn, *, is_plain: bool = False) -> bytes:
    """Give the bytes of an SCP file; a plain one has nothing out of the ordinary but blanks at the ends of values."""
    ids = PLAIN_IDS if is_plain else IDS
    keys = draw(st.lists(ids, min_size=1, max_size=14, unique=True))
    if draw(st.booleans()):
        keys.sort()
    end = "\n" if is_plain else draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))
    lines = []
    for key in keys:
        value = draw(st.text(_PLAIN + "  ", max_size=20) if is_plain else VALUES)
        head = "" if is_plain else draw(st.sampled_from(["", "", "", "", " ", "\t "]))
        lines.append(f"{head}{key}{draw(_GAPS)}{value}{draw(_TAILS)}")
        if draw(st.integers(0, 9)) == 0:
            lines.append("" if is_plain else draw(_BLANK_LINES))
    text = end.join(lines) + (end if draw(st.booleans()) else "")
    return (b"" if is_plain or draw(st.integers(0, 5)) else MARK) + text.encode()


@st.composite
def faulty_files(draw: st.DrawFn) -> bytes:
    """Give the bytes of a file with a fault at some line."""
    lines = draw(scp_files()).split(b"\n")
    at = draw(st.integers(0, len(lines)))
    first = lines[0].removeprefix(MARK).split()[:1] or [b"x"]
    fault = draw(st.sampled_from([
        first[0] + b" again", b"a\xa0 latin", b"nul \0", b"cr \r x", "a\u00a0b c".encode(), "\u3000a b".encode(),
        "a\u2028 b".encode(), b"\xed\xa0\x80 surrogate", b"a \xf0\x9f\x98",
    ]))  # fmt: skip
    return b"\n".join([*lines[:at], fault, *lines[at:]])


@dataclass(frozen=True, slots=True)
class Files:
    """Several files that were made of the same utterances, with or without differences."""

    contents: list[bytes]
    are_packed: list[bool]


@st.composite
def several_files(draw: st.DrawFn) -> Files:
    """Give two or three files: alike, in another order, one longer, with a duplicate, with another ID."""
    ids = draw(st.sampled_from([PLAIN_IDS, IDS]))
    keys = draw(st.lists(ids, min_size=1, max_size=16, unique=True))
    if draw(st.booleans()):
        keys.sort()
    contents, are_packed = [], []
    for _ in range(draw(st.integers(1, 3))):
        mine = list(keys)
        change = draw(st.sampled_from(["none", "none", "none", "order", "longer", "other", "shorter", "twice"]))
        if change == "order":
            mine = draw(st.permutations(mine))
        elif change == "longer":
            mine.append(draw(ids))
        elif change == "other":
            mine[draw(st.integers(0, len(mine) - 1))] = draw(ids)
        elif change == "shorter":
            mine.pop(draw(st.integers(0, len(mine) - 1)))
        elif change == "twice":
            mine.insert(draw(st.integers(0, len(mine))), draw(st.sampled_from(mine)))
        values = st.one_of(st.text(_PLAIN + " ", max_size=20), VALUES)
        text = "".join(f"{key} {draw(values)}\n" + "\n" * draw(st.sampled_from([0, 0, 0, 0, 90])) for key in mine)
        contents.append(text.encode())
        are_packed.append(draw(st.integers(0, 4)) == 0)
    return Files(contents, are_packed)


def fifo(path: Path, data: bytes) -> Path:
    """Make a named pipe that gives some bytes once."""
    os.mkfifo(path)
    Thread(target=path.write_bytes, args=(data,), daemon=True).start()
    return path
