"""The quick way through ordinary RTTM: it agrees with the careful readers, or it declines."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.errors import InputError
from mdeval.nist import read_rttm as read_nist
from mdeval.plain import plain_records
from mdeval.recording import Record
from mdeval.side import Side
from mdeval.strict import read_rttm as read_strict
from mdeval_support import damaged, ordinary_rttm
from speechio import SpeechioError

Records = dict[tuple[str, str], list[Record]]
LINE = "SPEAKER f 1 0.50 2.25 <NA> <NA> A <NA> <NA>\n"


def strictly(data: bytes) -> Records | None:
    """Read as speechio does; None if it raises."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.rttm"
        path.write_bytes(data)
        side = Side()
        try:
            read_strict(str(path), side)
        except (SpeechioError, InputError):
            return None
    return side.records


def forgivingly(data: bytes) -> Records:
    side = Side()
    read_nist(data, "a.rttm", side)
    assert side.notes == []
    return side.records


@given(ordinary_rttm())
def test_ordinary_rttm_is_read_as_by_the_careful_readers(data: bytes) -> None:
    records = plain_records(data)
    assert records is not None
    assert records == strictly(data)
    assert records == forgivingly(data)


@given(st.data())
def test_damaged_rttm_is_declined_or_read_as_by_the_careful_readers(data: st.DataObject) -> None:
    changed = data.draw(damaged(data.draw(ordinary_rttm(max_lines=3))))
    records = plain_records(changed)
    careful = strictly(changed)
    if careful is None:
        assert records is None
    elif records is not None:
        assert records == careful
        assert records == forgivingly(changed)


def test_a_line_is_taken_apart() -> None:
    assert plain_records(LINE.encode()) == {("f", "1"): [(1.625, 0.5, 2.75, "SPEAKER", "A")]}


def test_channels_are_lower_cased_and_files_are_not() -> None:
    assert list(plain_records(LINE.replace("f 1", "F A").encode()) or {}) == [("F", "a")]


def test_the_last_line_need_not_end() -> None:
    assert plain_records(LINE.rstrip().encode()) == plain_records(LINE.encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SPEAKER", "speaker"),
        ("SPEAKER", "LEXEME"),
        ("0.50", "-0.50"),
        ("0.50", "5e-1"),
        ("0.50", "<NA>"),
        ("0.50", "."),
        ("0.50", "1.2.3"),
        ("0.50", "1_0"),
        ("2.25", "<NA>"),
        ("2.25", "nan"),
        ("2.25", "*2.25"),
        (" A ", " <NA> "),
        (" A ", " é "),
        (" A ", " A\xa0B "),
        (" A ", " A B "),
        (" f ", " <f> "),
        (" 1 ", " <NA> "),
        ("<NA> <NA> A", "word <NA> A"),
        ("<NA> <NA> A", "<NA> eval A"),
        ("A <NA> <NA>", "A <NA> high"),
        ("A <NA> <NA>", "A"),
        ("A <NA> <NA>", "A <NA> <NA> 3"),
        ("\n", "\r\n"),
        ("\n", "\n\n"),
        ("\n", "\n;; comment\n"),
        ("\n", "\x0c\n"),
        ("\n", "\0\n"),
        ("SPEAKER", "\ufeffSPEAKER"),
        ("\n", "\nSPEAKER f 1 0 1 <NA> <NA> A <NA>\n"),
    ],
)
def test_what_is_out_of_the_ordinary_is_declined(old: str, new: str) -> None:
    assert plain_records((LINE + LINE.replace(old, new, 1)).encode()) is None


def test_a_lone_semicolon_is_no_field() -> None:
    assert plain_records(LINE.replace(" A ", " ; ").encode()) is None
    assert plain_records(LINE.replace(" A ", " ;A ").encode()) is not None


def test_infinite_times_are_left_to_the_careful_readers() -> None:
    data = LINE.replace("0.50", "9" * 400).encode()
    assert strictly(data) is None
    assert plain_records(data) is None


@pytest.mark.parametrize("data", [b"", b"\n", b";; nothing but a comment\n"])
def test_files_without_records(data: bytes) -> None:
    assert plain_records(data) in (None, {})
    assert strictly(data) == {}
