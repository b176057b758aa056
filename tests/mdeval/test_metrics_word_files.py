"""Words from RTTM and SegLST: what is read, and what each fault says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mdeval.errors import InputError
from mdeval.metrics.word_files import read_rttm_words, read_seglst, read_words
from mdeval_metrics import DATA
from speechio.errors import SpeechioError

if TYPE_CHECKING:
    from pathlib import Path

SEGMENT = {"session_id": "s", "speaker": "A", "start_time": 1.0, "end_time": 2.0, "words": "so it is"}


def write(folder: Path, content: object) -> str:
    path = folder / "words.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_words_of_an_rttm() -> None:
    words = read_words(str(DATA / "words.rttm"))
    assert list(words) == ["talk"]
    assert words["talk"][:3] == [(0.0, "A", "hello"), (0.5, "A", "there"), (1.0, "B", "hi")]


def test_words_of_seglst() -> None:
    words = read_words(str(DATA / "words.seglst.json"))
    assert words["talk"][2:5] == [(0.0, "1", "hi"), (1.5, "2", "how"), (1.5, "2", "are")]
    assert words["talk"][-1] == (3.0, "1", "lot")  # times as strings, as in the CHiME challenges


def test_words_keep_case_and_hyphens(tmp_path: Path) -> None:
    path = tmp_path / "w.rttm"
    path.write_text("LEXEME f 1 1 0.5 T-shirt lex A <NA> <NA>\nSPEAKER g 1 0 1 <NA> <NA> A <NA> <NA>\n")
    assert read_rttm_words(str(path)) == {"f": [(1.0, "A", "T-shirt")], "g": []}


def test_a_session_without_words_is_kept(tmp_path: Path) -> None:
    assert read_seglst(write(tmp_path, [SEGMENT | {"words": ""}])) == {"s": []}
    assert read_seglst(write(tmp_path, [])) == {}
    assert read_seglst(write(tmp_path, "\ufeff[]")) == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("LEXEME f 1 1 0.5 hi lex <NA> <NA> <NA>", "w.rttm:1: .*speaker"),
        ("LEXEME f 1 1 0.5 <NA> lex A <NA> <NA>", "w.rttm:1: a LEXEME without orthography"),
        ("LEXEME f 1 one 0.5 hi lex A <NA> <NA>", "w.rttm:1: "),
    ],
)
def test_faults_of_an_rttm(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "w.rttm"
    path.write_text(line + "\n")
    with pytest.raises((InputError, SpeechioError), match=message):
        read_rttm_words(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"a": 1}, r"words.json: SegLST is an array of segments, not an object; put the segments into \[ \]"),
        (3, "SegLST is an array of segments, not a number"),
        ([SEGMENT, 1], "segment 2: a segment is an object, not a number"),
        ([SEGMENT, "so"], "segment 2: a segment is an object, not a string"),
        (
            [{k: v for k, v in SEGMENT.items() if k != "start_time"} | {"starttime": 1}],
            "segment 1: no 'start_time'; rename 'starttime'",
        ),
        ([{"a": 1}], "no 'session_id'; SegLST segments have session_id, speaker, start_time, end_time, words"),
        ([SEGMENT | {"speaker": 3}], "segment 1: speaker is a number; write it as a string"),
        ([SEGMENT | {"speaker": ""}], "segment 1: speaker is empty; give it a name"),
        ([SEGMENT | {"words": ["a"]}], "segment 1: words is an array; write it as a string"),
        ([SEGMENT | {"words": None}], "segment 1: words is null"),
        (
            [SEGMENT | {"start_time": "soon"}],
            "segment 1: start_time is 'soon'; it must be seconds, a finite number >= 0",
        ),
        ([SEGMENT | {"start_time": True}], "start_time is True; it must be seconds"),
        ([SEGMENT | {"start_time": None}], "start_time is None; it must be seconds"),
        ([SEGMENT | {"start_time": -1}], "start_time is -1; it must be seconds"),
        ([SEGMENT | {"end_time": "nan"}], "end_time is 'nan'; it must be seconds"),
        ([SEGMENT | {"end_time": 10**400}], "end_time is 1000"),
        ([SEGMENT | {"end_time": 0.5}], "segment 1: end_time 0.5 is before start_time 1; are they swapped"),
        ('[\n{"a": }]', "words.json:2: not JSON: .* at column 7"),
        ("", "words.json:1: not JSON"),
        ("[NaN]", "words.json: not JSON that can be used: NaN is no number"),
        ("[" * 100_000, "words.json"),
    ],
)
def test_faults_of_seglst(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_seglst(write(tmp_path, content))


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_bytes(b'[\n"\xff"]')
    with pytest.raises(InputError, match=r"words.json:2: byte 0xff is not UTF-8; save the file as UTF-8"):
        read_seglst(str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent.json: cannot be read: No such file or directory"):
        read_words(str(tmp_path / "absent.json"))
