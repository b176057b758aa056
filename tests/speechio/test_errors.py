"""How faults are told."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from speechio import check_path, write_scp
from speechio.errors import (
    AlignmentError,
    FormatError,
    InputError,
    Problem,
    Report,
    SpeechioError,
    UsageError,
    WriteError,
    render,
)
from speechio.shown import shorten

if TYPE_CHECKING:
    from pathlib import Path


def test_a_format_error_is_shown_as_the_specification_shows_it() -> None:
    line = "SPEAKER rec7 1 6.500 -1.500 <NA> <NA> spk_2 <NA> <NA>"
    error = FormatError("data/dev.rttm", 17, "R005", "it is negative", "mend it", line, (21, 27))
    assert str(error) == (
        "data/dev.rttm:17: R005 it is negative\n"
        "  SPEAKER rec7 1 6.500 -1.500 <NA> <NA> spk_2 <NA> <NA>\n"
        "                       ^^^^^^\n"
        "  fix: mend it"
    )


def test_a_fault_without_line_source_or_fix_is_one_line() -> None:
    assert render("x", None, "T009", "damaged") == "x: T009 damaged"


def test_the_caret_stands_under_wide_characters_and_tabs() -> None:
    shown = render("x", 1, "X001", "y", "", "你好\tbad", (3, 6)).splitlines()
    assert shown[1:] == ["  你好 bad", "       ^^^"]


def test_what_cannot_be_seen_is_shown_as_a_dot() -> None:
    assert render("x", 1, "X001", "y", "", "a\u00a0b\x1b[0m").splitlines()[1] == "  a·b·[0m"


def test_a_message_cannot_command_a_terminal() -> None:
    assert render("x", 1, "X001", "the name a\x1b[2Jb", "not \x9b") == "x:1: X001 the name a·[2Jb\n  fix: not ·"


def test_a_long_line_is_cut_around_the_fault() -> None:
    source = "a" * 500 + "!" + "b" * 500
    excerpt, caret = render("x", 1, "X001", "y", "", source, (500, 501)).splitlines()[1:]
    assert len(excerpt) < 120
    assert excerpt[caret.index("^")] == "!"
    assert excerpt.startswith("  …")
    assert excerpt.endswith("…")


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (FormatError("p", 1, "R001", "w", "f", "s", (0, 1)), ValueError),
        (InputError("p", "w", "f", 2), OSError),
        (WriteError("p", 3, "w", "f"), ValueError),
        (AlignmentError("m", {"a": ["b"]}), ValueError),
        (UsageError("m"), ValueError),
    ],
)
def test_errors_have_one_root_and_survive_pickling(error: SpeechioError, builtin: type[Exception]) -> None:
    assert isinstance(error, builtin)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_messages_of_the_other_errors() -> None:
    assert str(InputError("a.rttm", "no such file", "check the path")) == "a.rttm: no such file\n  fix: check the path"
    assert str(InputError("a.rttm", "no such file")) == "a.rttm: no such file"
    assert str(WriteError("a.rttm", 3, "empty name", "give one")) == "a.rttm: record 3: empty name\n  fix: give one"
    assert str(WriteError("a.rttm", 3, "empty name")) == "a.rttm: record 3: empty name"


def test_a_report_raises_when_reading_and_collects_when_checking() -> None:
    reading = Report("p")
    reading.at(2, "line")
    reading.warning("T108", "odd")
    with pytest.raises(FormatError, match=r"^p:2: R001 wrong"):
        reading.error("R001", "wrong")
    problems: list[Problem] = []
    checking = Report("p", problems)
    checking.at(2, "line")
    checking.error("R001", "wrong", "mend", (0, 4))
    checking.warning("T103", "odd")
    checking.warning("T103", "odd, once per file")
    checking.warning("T108", "odd")
    checking.keep(FormatError("p", None, "T009", "damaged"))
    assert [(one.line, one.code, one.severity) for one in problems] == [
        (2, "R001", "error"),
        (2, "T103", "warning"),
        (2, "T108", "warning"),
        (None, "T009", "error"),
    ]
    assert checking.n_errors == 2
    assert str(problems[0]) == "p:2: R001 wrong\n  line\n  ^^^^\n  fix: mend"
    assert str(problems[1]).startswith("p:2: T103 warning: odd")


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "text",
    [LONG, f"the ID {LONG!r} is on line 1 already", f"{LONG} and {LONG}", "word " * 100_000, f"{'y' * 300} " * 9],
)
def test_a_long_text_is_cut_in_its_middle(text: str) -> None:
    short = shorten(text)
    assert len(short) <= 500
    assert max(map(len, short.split())) <= 160
    assert "…" in short
    assert (short[:20], short[-20:]) == (text[:20], text[-20:])
    assert shorten(short) == short


def test_a_text_of_usual_length_stays_as_it_is() -> None:
    for text in ("", "a" * 160, "a b " * 125):
        assert shorten(text) is text


@pytest.mark.parametrize(
    "error",
    [
        FormatError("p", 1, "S002", LONG, LONG),
        InputError("p", LONG, LONG),
        WriteError("p", 1, LONG, LONG),
        AlignmentError(f"{LONG}\n{LONG}", {}),
        UsageError(LONG),
        Problem("p", 1, "S002", "error", LONG, LONG),
    ],
)
def test_whatever_is_told_is_cut(error: SpeechioError | Problem) -> None:
    assert len(str(error)) < 400
    assert isinstance(error, Problem) or all(len(str(argument)) < 400 for argument in error.args)


def test_no_message_quotes_a_long_field_whole(tmp_path: Path) -> None:
    for name, text in {
        "scp": f"{LONG} 1\n{LONG} 2\n",
        "wav.scp": f"a | {'cat x ' * 10_000}\nb {LONG}|\n",
        "spk2gender": f"a {LONG}\n",
        "segments": f"a r {LONG} 1\n",
        "utt2spk": f"{LONG}\u3000 a\n",
        "rttm": f"SPEAKER r 1 0 1 {LONG} {LONG} {LONG}\u3000 {LONG} <NA>\n{LONG} r 1 0 1 <NA> <NA> a <NA> <NA>\n",
        "uem": f"{LONG}/a 1 {LONG} 2\n{LONG} 1 0 1\n{LONG} 1 0 1\n",
        "jsonl": f'{{"{LONG}": 1, "{LONG}": 1}}\n',
    }.items():
        (tmp_path / "file").write_text(text)
        problems = check_path(tmp_path / "file", name, exists=True)
        assert problems
        assert max(len(f"{one.message}{one.fix}") for one in problems) < 700
    with pytest.raises(WriteError) as caught:
        write_scp(tmp_path / "file", {f"{LONG} {LONG}": "x"})
    assert len(str(caught.value)) < 600
