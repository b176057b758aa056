"""The tree of exceptions and how they are told."""

from __future__ import annotations

import inspect
import pickle
from typing import TYPE_CHECKING

import pytest

import measure_core
from measure_core import errors
from measure_core.errors import (
    CompareError,
    ConfigError,
    InputError,
    MeasureError,
    MetricError,
    OutputError,
    combined,
    from_speechio,
    printable,
)
from speechio import FormatError, read_scp
from speechio import InputError as UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

CLASSES: dict[type[MeasureError], type[Exception]] = {
    ConfigError: ValueError,
    InputError: ValueError,
    MetricError: RuntimeError,
    CompareError: ValueError,
    OutputError: Exception,
}


def test_the_tree() -> None:
    found = {one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, Exception)}
    assert found - {MeasureError} == set(CLASSES)
    for cls, python_cls in CLASSES.items():
        assert issubclass(cls, MeasureError)
        assert issubclass(cls, python_cls)
        assert getattr(measure_core, cls.__name__) is cls
        assert cls.__name__ in str(errors.__doc__)
    assert measure_core.MeasureError is MeasureError


def test_the_text() -> None:
    fault = ConfigError("measure.yaml:3: metrics[0]: wrong", ["one", "two\nlines"], ["do this", "or that"])
    assert str(fault) == "measure.yaml:3: metrics[0]: wrong\n  one\n  two\n  lines\nfix: do this\nfix: or that"
    assert str(InputError("bare")) == "bare"
    assert (fault.what, fault.facts, fault.fixes) == (
        "measure.yaml:3: metrics[0]: wrong",
        ("one", "two\nlines"),
        ("do this", "or that"),
    )
    assert (fault.path, fault.line) == (None, None)


def test_iterators_are_kept() -> None:
    fault = MetricError("x", iter(["fact"]), (fix for fix in ["fix"]))
    assert str(fault) == str(fault) == "x\n  fact\nfix: fix"


@pytest.mark.parametrize("cls", CLASSES)
def test_they_travel_between_processes(cls: type[MeasureError]) -> None:
    fault = cls("x", ["fact"], ["fix"], path="a.scp", line=7)
    again = pickle.loads(pickle.dumps(fault))
    assert type(again) is cls
    assert (str(again), again.path, again.line) == (str(fault), "a.scp", 7)
    assert (again.what, again.facts, again.fixes) == ("x", ("fact",), ("fix",))


def test_one_fault_stays_itself() -> None:
    fault = InputError("x")
    assert combined([fault]) is fault


def test_several_faults_are_listed_in_order() -> None:
    faults = [
        InputError("first", ["fact"], ["fix it"], path="a.scp", line=3),
        ConfigError("second"),
        combined([MetricError("third"), MetricError("fourth", ["deep"])]),
    ]
    one = combined(faults)
    assert type(one) is InputError
    assert (one.path, one.line) == ("a.scp", 3)
    assert str(one) == ("4 problems\n  first\n      fact\n    fix: fix it\n  second\n  third\n  fourth\n      deep")
    assert [part.what for part in one.each()] == ["first", "second", "third", "fourth"]
    assert [part.what for part in pickle.loads(pickle.dumps(one)).each()] == ["first", "second", "third", "fourth"]
    assert faults[0].each() == (faults[0],)


def test_a_format_error_keeps_place_and_words() -> None:
    fault = FormatError("a.scp", 9, "S004", "the ID has a blank", "replace it", "x\u00a0y z", (1, 2))
    ours = from_speechio(fault)
    assert type(ours) is InputError
    assert (ours.path, ours.line) == ("a.scp", 9)
    assert str(ours) == "a.scp:9: S004 the ID has a blank\n  x·y z\n   ^\nfix: replace it"
    assert ours.fixes == ("replace it",)


@pytest.mark.parametrize(
    ("data", "fix"),
    [
        (b"a caf\xe9\n", "convert it, e.g. iconv -f WINDOWS-1252 -t UTF-8 IN > OUT"),
        ("a b\n".encode("utf-16"), "convert it: iconv -f UTF-16LE -t UTF-8 IN > OUT"),
    ],
)
def test_no_option_is_advised_that_the_command_line_lacks(tmp_path: Path, data: bytes, fix: str) -> None:
    path = tmp_path / "a.scp"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        read_scp(path)
    assert from_speechio(caught.value).fixes == (fix,)


def test_a_duplicate_points_to_the_first_line() -> None:
    fault = FormatError("a.scp", 9, "S002", "the ID 'u' is on line 2 already", "remove one of them", "u x", (0, 1))
    ours = from_speechio(fault)
    assert ours.facts[-1] == "first at a.scp:2"


@pytest.mark.parametrize("source", ["fix: me first", "  fix: me", "a\u2028b \x0b \x1c c", ""])
def test_the_line_itself_is_no_fix(source: str) -> None:
    ours = from_speechio(FormatError("a.scp", 9, "S004", "what", "mend it", source, (0, 3)))
    assert ours.fixes == ("mend it",)
    assert len(ours.facts) == 2
    without = from_speechio(FormatError("a.scp", None, "T009", "what", "", source))
    assert without.fixes == ()
    assert without.line is None


@pytest.mark.parametrize(
    ("text", "width", "want"),
    [
        ("plain é 日 \U0001f600", None, "plain é 日 \U0001f600"),
        ("a\nb\r\t\x1b\u2028\u00a0\u200b", None, r"a\nb\r\t\x1b\u2028\xa0\u200b"),
        ("\udce9", None, r"\udce9"),
        ("x" * 10, 10, "x" * 10),
        ("x" * 11, 10, "x" * 9 + "…"),
        ("", 3, ""),
    ],
)
def test_printable(text: str, width: int | None, want: str) -> None:
    assert printable(text, width) == want


def test_a_file_that_cannot_be_read() -> None:
    ours = from_speechio(UnreadableError("a.scp", "no such file", "check the path", 2))
    assert str(ours) == "a.scp: no such file\nfix: check the path"
    assert (ours.path, ours.line) == ("a.scp", None)
    assert str(from_speechio(UnreadableError("a.scp", "cannot be read"))) == "a.scp: cannot be read"
