"""What a metric may return, and files that are whole or not there."""

from __future__ import annotations

import collections
import enum
import json
import math
import os
import stat
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure_core.errors import InputError, MeasureError, MetricError
from measure_core.results import as_json, dumped, read_json, write_text

if TYPE_CHECKING:
    from measure_core.config.options import NonFinite

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


class Colour(str, enum.Enum):  # noqa: UP042 (a plain StrEnum would not show the difference)
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Size(int, enum.Enum):
    BIG = 9


class Loud(str):
    def __str__(self) -> str:
        return "LOUD"


class Odd(float):
    def __float__(self) -> float:
        return 99.0


class Pair(NamedTuple):
    a: int
    b: float


@dataclass(frozen=True)
class Counts:
    hits: int
    rates: list[float] = field(default_factory=lambda: [0.5])
    inner: Any = None


@dataclass
class Open:
    hits: int


class ZeroD:
    """Stands for a tensor of one number."""

    shape = ()

    def __init__(self, value: object) -> None:
        self.value = value

    def item(self) -> object:
        return self.value


@given(value=PLAIN)
def test_plain_values_stay_as_they_are(value: Any) -> None:
    found, paths = as_json(value)
    assert found == value
    assert not paths
    assert dumped(found) == json.dumps(value, indent=2, ensure_ascii=False)


@pytest.mark.parametrize(
    ("value", "want"),
    [
        ((1, (2, 3)), [1, [2, 3]]),
        (Pair(1, 2.5), [1, 2.5]),
        ({1: "a", "b": 2, -3: 4}, {"1": "a", "b": 2, "-3": 4}),
        (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (np.float64(0.25), 0.25),
        (np.float32(0.5), 0.5),
        (np.float16(0.5), 0.5),
        (np.int64(-7), -7),
        (np.uint8(255), 255),
        (np.True_, True),
        (np.str_("x"), "x"),
        (np.array(3), 3),
        (np.array(0.5), 0.5),
        (np.array("x"), "x"),
        ({"a": [np.int32(1), (np.float32(2),)]}, {"a": [1, [2.0]]}),
        (ZeroD(np.float64(1.5)), 1.5),
        (ZeroD(True), True),
        (Counts(3), {"hits": 3, "rates": [0.5], "inner": None}),
        ([Counts(1, [], Counts(2))], [{"hits": 1, "rates": [], "inner": {"hits": 2, "rates": [0.5], "inner": None}}]),
        (Colour.RED, "red"),
        (Loud("quiet"), "quiet"),
        (Level.HIGH, 3),
        (Size.BIG, 9),
        (Odd(1.5), 1.5),
        ({Colour.RED: 1, Level.HIGH: 2, Size.BIG: 3, Loud("q"): 4}, {"red": 1, "3": 2, "9": 3, "q": 4}),
        (2**64, 2**64),
        ((), []),
        ({}, {}),
    ],
    ids=repr,
)
def test_what_becomes_plain(value: Any, want: Any) -> None:
    found, paths = as_json(value)

    def same(left: Any, right: Any) -> bool:
        if type(left) is not type(right):
            return False
        if isinstance(left, dict):
            return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
        if isinstance(left, list):
            return len(left) == len(right) and all(map(same, left, right))
        return bool(left == right)

    assert same(found, want)
    assert not paths
    assert json.loads(dumped(found)) == want


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({1, 2}, "set"),
        (frozenset(), "frozenset"),
        (b"x", "bytes"),
        (1j, "complex"),
        (object(), "object"),
        (Counts, "type"),
        (Decimal(1), "decimal.Decimal"),
        (Fraction(1, 2), "fractions.Fraction"),
        (iter([1]), "list_iterator"),
        (range(3), "range"),
        (np.zeros(2), "numpy.ndarray"),
        (np.zeros((1, 1)), "numpy.ndarray"),
        (np.complex64(1), "complex"),
        (np.datetime64("2020-01-01"), "datetime.date"),
        (np.longdouble(1), "numpy.longdouble"),
        (ZeroD({1}), "set"),
    ],
    ids=repr,
)
def test_anything_else_is_named_with_its_path(value: Any, kind: str) -> None:
    for result, path in (
        (value, "the whole result"),
        ({"detail": {"ids": value}}, "detail.ids"),
        ([0, (1, value)], "[1][1]"),
        ({"a": [{"b": value}], "c": 1}, "a[0].b"),
        ({7: value}, "7"),
        ({"x": Counts(1, [], value)}, "x.inner"),
    ):
        with pytest.raises(MetricError) as caught:
            as_json(result)
        assert caught.value.what == f"the result is not JSON: `{path}` is {kind}"
        assert "fix: return dicts, lists, text, numbers or None" in str(caught.value)


@pytest.mark.parametrize("key", [None, 1.5, True, (1, 2), b"x", np.int64(1), np.float64(1)], ids=repr)
def test_keys_that_are_not_text(key: Any) -> None:
    with pytest.raises(MetricError, match=r"a key of `the whole result` is .*, not text"):
        as_json({key: 1})
    with pytest.raises(MetricError, match=r"a key of `a\[0\]` is .*, not text"):
        as_json({"a": [{key: 1}]})


@pytest.mark.parametrize(
    "value", [{1: "a", "1": "b"}, {"3": 1, Level.HIGH: 2}, {"red": 1, Loud("red"): 2, 5: 1, "5": 2}]
)
def test_keys_that_collide(value: Any) -> None:
    with pytest.raises(MetricError, match=r"two keys of `a\.b` become '"):
        as_json({"a": {"b": value}})


INF = math.inf


@pytest.mark.parametrize(
    "nan", [math.nan, INF, -INF, np.float64("nan"), np.float32("inf"), np.array(math.nan), ZeroD(INF)]
)
def test_numbers_that_are_not_finite(nan: Any) -> None:
    result = {"wer": nan, "fine": 1.0, "by": [{"x": 0.5, "y": (1, nan)}]}
    found, paths = as_json(result)
    assert found == {"wer": None, "fine": 1.0, "by": [{"x": 0.5, "y": [1, None]}]}
    assert paths == ["wer", "by[0].y[1]"]
    found, paths = as_json(result, "literal")
    assert paths == ["wer", "by[0].y[1]"]
    assert str(found["wer"]) == str(float(getattr(nan, "item", lambda: nan)()))
    assert isinstance(found["wer"], float)
    with pytest.raises(MetricError, match=r"the result is not finite: `wer` is (nan|inf|-inf)"):
        as_json(result, "error")
    assert as_json(nan) == (None, ["the whole result"])
    with pytest.raises(MetricError, match="`the whole result` is"):
        as_json(nan, "error")


@pytest.mark.parametrize("nonfinite", ["null", "error", "literal"])
def test_finite_numbers_do_not_care(nonfinite: NonFinite) -> None:
    assert as_json({"a": 1e308, "b": 5e-324, "c": -0.0}, nonfinite) == ({"a": 1e308, "b": 5e-324, "c": -0.0}, [])


def test_a_result_that_contains_itself() -> None:
    loop: dict[str, Any] = {"a": []}
    loop["a"].append(loop)
    with pytest.raises(MetricError, match=r"contains itself at `a\[0\]`"):
        as_json(loop)
    row: list[Any] = []
    row.append((row,))
    with pytest.raises(MetricError, match=r"contains itself at `\[0\]\[0\]`"):
        as_json(row)
    tensor = ZeroD(None)
    tensor.value = [tensor]
    with pytest.raises(MetricError, match="contains itself"):
        as_json(tensor)


def test_the_same_value_in_two_places_is_no_loop() -> None:
    shared = [1]
    assert as_json({"a": shared, "b": [shared, shared]})[0] == {"a": [1], "b": [[1], [1]]}
    assert as_json([(), ((),)])[0] == [[], [[]]]


def test_depth() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    text = dumped(as_json(deep)[0])
    assert json.loads(text) == deep
    for _ in range(3000):
        deep = {"a": deep}
    with pytest.raises(MetricError, match=r"nested more than 100 deep: `a\.a\.a"):
        as_json(deep)


def test_a_number_that_python_does_not_write() -> None:
    good = 10**4000
    assert read_back(good) == good
    for result in ({"a": 10**5000}, {"a": -(10**5000)}, {10**5000: 1}):
        with pytest.raises(MetricError, match="is a huge number"):
            as_json(result)


def read_back(value: Any) -> Any:
    return json.loads(dumped(as_json(value)[0]))


def test_the_text_is_that_of_json_dump() -> None:
    value = {"my.WER": {"test-clean": {"WER": 25.0, "名前": 'é\u2028"\\\n', "none": None, "list": [], "dict": {}}}}
    assert dumped(value) == (
        '{\n  "my.WER": {\n    "test-clean": {\n      "WER": 25.0,\n      "名前": "é\u2028\\"\\\\\\n",\n'
        '      "none": null,\n      "list": [],\n      "dict": {}\n    }\n  }\n}'
    )


@given(value=PLAIN)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "results.json"
    write_text(path, dumped(value))
    assert path.read_bytes() == json.dumps(value, indent=2, ensure_ascii=False).encode()
    assert read_json(path) == value


def test_a_surrogate_becomes_its_escape(tmp_path: Path) -> None:
    value = {"file\udce9": ["\ud800", "é"]}
    write_text(tmp_path / "x.json", dumped(value))
    assert (tmp_path / "x.json").read_bytes().decode() == '{\n  "file\\udce9": [\n    "\\ud800",\n    "é"\n  ]\n}'
    assert read_json(tmp_path / "x.json") == value


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_line_ends_are_left_alone(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "a\nb\r\nc\r")
    assert (tmp_path / "x").read_bytes() == b"a\nb\r\nc\r"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_the_mode_of_a_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        path = tmp_path / "new" / "deep" / "x.json"
        write_text(path, "{}")
        assert mode_of(path) == 0o666 & ~mask
        for mode in (0o600, 0o640, 0o444, 0o777):
            path.chmod(mode)
            write_text(path, "[]")
            assert mode_of(path) == mode
            assert path.read_text() == "[]"
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert names_in(path.parent) == {"x.json"}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "x.json"
    link.symlink_to(tmp_path / "real" / "y.json")
    for text in ("1", "2"):
        write_text(link, text)
        assert link.is_symlink()
        assert (tmp_path / "real" / "y.json").read_text() == text
    assert names_in(tmp_path) == {"real", "x.json"}


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    with ThreadPoolExecutor(1) as pool:
        for path in (pipe, link):
            read = pool.submit(pipe.read_text)
            write_text(path, "é\ud800")
            assert read.result() == "é\\ud800"
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert link.is_symlink()
    assert names_in(tmp_path) == {"pipe", "link"}


def test_a_descriptor_that_is_a_pipe() -> None:
    reader, writer = os.pipe()
    try:
        write_text(Path(f"/dev/fd/{writer}"), "x")
        assert os.read(reader, 9) == b"x"
    finally:
        os.close(reader)
        os.close(writer)


def test_a_device_stays_a_device() -> None:
    """A terminal, whose name nobody may replace."""
    controller, terminal = os.openpty()
    try:
        write_text(Path(os.ttyname(terminal)), "x\n")
        assert os.read(controller, 9).startswith(b"x")
    finally:
        os.close(controller)
        os.close(terminal)


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize(
    "fault", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"]
)
@pytest.mark.parametrize("was_there", [True, False])
def test_nothing_is_left_of_a_file_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, fault: BaseException, was_there: bool
) -> None:
    path = tmp_path / "x.json"
    if was_there:
        path.write_text("before")

    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(os, step, fail)
    if isinstance(fault, OSError):
        with pytest.raises(MeasureError, match=r"x\.json: cannot be written: No space left on device"):
            write_text(path, "after")
    else:
        with pytest.raises(KeyboardInterrupt):
            write_text(path, "after")
    assert names_in(tmp_path) == ({"x.json"} if was_there else set())
    if was_there:
        assert path.read_text() == "before"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path, words in (
        (tmp_path / "file" / "x.json", "cannot be written: (Not a directory|File exists)"),
        (tmp_path / "folder", "cannot be written: Is a directory"),
        (tmp_path / ("x" * 300), "cannot be written: File name too long"),
        (tmp_path / "a\0b", "cannot be written: .*null"),
        (Path("/proc/no/x.json"), "cannot be written: "),
    ):
        with pytest.raises(MeasureError, match=words) as caught:
            write_text(path, "{}")
        assert str(caught.value).startswith(str(path))
    assert names_in(tmp_path) == {"file", "folder"}


def test_a_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal is made up: root, who runs tests in containers, may write anywhere."""

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(MeasureError, match=r"x\.json: cannot be written: Permission denied"):
        write_text(tmp_path / "x.json", "{}")
    assert names_in(tmp_path) == set()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", r"x\.json:1: not JSON: "),
        (b'{\n"a": 1,\n}', r"x\.json:3: not JSON: "),
        (b"", r"x\.json:1: not JSON: "),
        (b"\xff", r"x\.json: not JSON: .*utf-8"),
        (b'{"a": {"b": 1, "c": 2, "b": 1}}', r"x\.json: the key 'b' is there twice"),
        (b"[" * 100_000, r"x\.json: not JSON: .*recursion"),
        (b"\xef\xbb\xbf{}", r"x\.json:1: not JSON: .*BOM"),
        (b"9" * 5000, r"x\.json: not JSON: "),
    ],
)
def test_files_that_are_not_json(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        read_json(path)
    assert caught.value.path == str(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_json(tmp_path / "x.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_json(tmp_path)


def test_a_dataclass_that_may_change_is_refused_with_what_to_do() -> None:
    with pytest.raises(MetricError, match=r"`x\[0\]` is .*Open\nfix: give the dataclass frozen=True"):
        as_json({"x": [Open(1)]})
