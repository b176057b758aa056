"""Gold alignments: what is read, and what is refused with which words."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discophon_twin as twin
from discophon.alignment import LONGEST, _Columns, _find_fault, _milliseconds
from discophon.data import read_gold_annotations
from discophon.errors import FormatError, MissingFileError, UsageError
from speechio.errors import FormatError as SpeechioFormatError
from speechio.errors import InputError

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

DATA = Path(__file__).parent / "data" / "discovery"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
HEADER = "#file onset offset #phone\n"


def digest(found: Mapping[str, list[Any]]) -> dict[str, Any]:
    text = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {
        "files": len(found),
        "tokens": sum(map(len, found.values())),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return tmp_path / "gold.txt"


def read(path: Path, content: str | bytes, **options: Any) -> dict[str, list[str]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_gold_annotations(path, **options)


@pytest.mark.parametrize("name", ["swa-dev", "swa-test", "wol-dev", "wol-test"])
def test_golden(name: str) -> None:
    found = read_gold_annotations(DATA / "alignment" / f"alignment-{name}.txt")
    assert digest(found) == EXPECTED[f"read/gold/{name}"]["release"]
    assert list(found) == sorted(found)


TWO_FILES = {"f": ["a", "a", "b", "b", "b"], "g": ["SIL"]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (HEADER + "f 0 0.02 a\nf 0.02 0.05 b\ng 0.0 0.01 SIL\n", TWO_FILES),
        (HEADER + "g 0.0 0.01 SIL\nf 0.02 0.05 b\nf 0 0.02 a\n", TWO_FILES),  # files and rows are sorted
        (HEADER + "\nf 0 0.02 a\n\nf 0.02 0.05 b\ng 0.0 0.01 SIL\n\n", TWO_FILES),  # blank lines
        (HEADER + "f 0 .02 a\nf 0.020 0.0500000 b\ng 0. 00.01 SIL", TWO_FILES),  # numbers equal as decimals
        ((HEADER + "f 0 0.02 a\nf 0.02 0.05 b\ng 0.0 0.01 SIL\n").replace("\n", "\r\n"), TWO_FILES),
        (HEADER + "f 0 0.02 a\nf 0.02 0.05 a\n", {"f": ["a"] * 5}),
        (HEADER + "f 0 0.1 t͡s\n", {"f": ["t͡s"] * 10}),
        (HEADER + 'f 0 0.01 "\nf 0.01 0.02 #\n', {"f": ['"', "#"]}),
        ("#phone #file onset offset\na f 0 0.02\n", {"f": ["a", "a"]}),
        ("#file onset offset #phone prev-phone speaker\nf 0 0.02 a b s\n", {"f": ["a", "a"]}),
        (HEADER + "f 0 0.02 a\nf 0.02 36000 b\n", {"f": ["a", "a"] + ["b"] * 3_599_998}),
    ],
)
def test_accepted(gold: Path, content: str, expected: dict[str, list[str]]) -> None:
    assert read(gold, content) == expected


def test_other_steps(gold: Path) -> None:
    content = HEADER + "f 0 0.02 a\nf 0.02 0.06 b\n"
    assert read(gold, content, step_in_ms=20) == {"f": ["a", "b", "b"]}
    assert read(gold, content, step_in_ms=1) == {"f": ["a"] * 20 + ["b"] * 40}
    for step in (7, 0, -10, 3):
        with pytest.raises(UsageError, match=f"step_in_ms is {step}"):
            read(gold, content, step_in_ms=step)
    with pytest.raises(UsageError, match=r"step_in_ms is 10\.0"):
        read(gold, content, step_in_ms=10.0)


def test_times_are_exact(gold: Path) -> None:
    """Sums of binary floats would drift: 0.1 + 0.2 is not 0.3 there."""
    times = [f"{n / 100:.2f}" for n in range(3001)]
    rows = "".join(f"f {a} {b} p{i % 3}\n" for i, (a, b) in enumerate(itertools.pairwise(times)))
    assert read(gold, HEADER + rows) == {"f": [f"p{i % 3}" for i in range(3000)]}


def test_gzip_and_a_byte_order_mark(gold: Path) -> None:
    content = (HEADER + "f 0 0.02 a\n").encode()
    assert read(gold, gzip.compress(content)) == {"f": ["a", "a"]}
    assert read(gold, b"\xef\xbb\xbf" + content) == {"f": ["a", "a"]}


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (HEADER + "f 0 0.02 a\nf 0.03 0.05 b\n", 3, r"file 'f': a gap: .*begins at 0\.03 s.*\(line 2\) ends at 0\.02"),
        (HEADER + "f 0.03 0.05 b\nf 0 0.02 a\n", 2, r"a gap: .*\(line 3\)"),
        (HEADER + "f 0 0.04 a\nf 0.03 0.05 b\n", 3, "an overlap"),
        (HEADER + "f 0.01 0.02 a\n", 2, r"the first entry begins at 0\.01 s, not at 0"),
        (HEADER + "f 0 0.015 a\nf 0.015 0.03 b\n", 2, "lasts 15 ms, not a whole number of steps of 10 ms"),
        (HEADER + "f 0 0.0205 a\n", 2, r"lasts 20\.5 ms, not a whole number"),
        (HEADER + "f 0 0.02 a\nf 0.02 0.025 b\n", 3, "lasts 5 ms, less than a step of 10 ms"),
        (HEADER + "f 0 0.02 a\nf 0.02 0.02 b\nf 0.02 0.04 c\n", 3, "lasts 0 ms, less than a step"),
        (HEADER + "f 0 0 a\nf 0 0.02 b\n", 2, "lasts 0 ms"),
        (HEADER + "f 0 0.02 a\nf 0.02 0.01 b\n", 3, "lasts -10 ms"),
        (HEADER + "f 0 0.02 a\nf 0.02 0.04 \n", 3, "the field #phone is empty"),
        (HEADER + "f 0 0.02 a\n 0 0.02 a\n", 3, "the field #file is empty"),
        (HEADER + "f  0.02 a\n", 2, "the field onset is empty"),
        (HEADER + "f 0 0.02 a b\n", 2, "5 fields where the header has 4"),
        (HEADER + "f 0 0.02 a\n\nf 0.02 0.04\n", 4, "3 fields where the header has 4"),
        (HEADER + "f 0 0.02 a b\nf 0.02 0.04\n", 2, "5 fields"),  # one too many and one too few
        (HEADER + "f zero 0.02 a\n", 2, "the onset 'zero' is no time"),
        (HEADER + "f 0 1e-2 a\n", 2, "the offset '1e-2' is no time"),
        (HEADER + "f 0 0.020000000000000001 a\n", 2, "lasts 20.000000000000001 ms, not a whole number"),
        (HEADER + f"f 0 0.02{'0' * 40}1 a\n", 2, "is no time"),
        (HEADER + "f 0 1234560 a\n", 2, "longer than a day"),
        (HEADER + "f 0 . a\n", 2, "the offset '.' is no time"),
        (HEADER + "f 0 nan a\n", 2, "the offset 'nan' is no time"),
        (HEADER + "f -0.01 0.02 a\n", 2, "the onset '-0.01' is no time"),
        (HEADER + "f 0 ٣ a\n", 2, "is no time"),
        (HEADER + "f 0 99999999999999999999 a\nf 5 6 b\n", 2, "longer than a day"),
        (HEADER, None, "there is no row after the header"),
        ("", 1, "no column #file and no column onset"),
        ("#file onset offset\nf 0 0.02\n", 1, "no column #phone"),
        ("#file onset offset #phone #phone\nf 0 0.02 a b\n", 1, "the column #phone twice"),
        ("f 0 0.02 a\nf 0.02 0.04 b\n", 1, "the header has no column #file"),
        ("#file\tonset\toffset\t#phone\nf\t0\t0.02\ta\n", 1, "words separated by one space"),
    ],
)
def test_refused(gold: Path, content: str, line: int | None, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read(gold, content)
    assert (caught.value.path, caught.value.line) == (str(gold), line)
    assert str(caught.value).startswith(f"{gold}:{line}: " if line else f"{gold}: ")
    assert "; fix: " in str(caught.value)


def test_a_huge_time_without_a_fault_is_refused_in_words(gold: Path) -> None:
    with pytest.raises(FormatError, match="longer than a day; fix: write times in seconds"):
        read(gold, HEADER + "f 0 99999999999999999999 a\n")


def test_what_is_no_text_file(gold: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere: no such file"):
        read_gold_annotations(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a directory"):
        read_gold_annotations(tmp_path)
    for content in ((HEADER + "f 0 0.02 a\n").encode("utf-16"), b"\x00\x01\x02", HEADER.encode() + b"f 0 0.02 \xff\n"):
        with pytest.raises(SpeechioFormatError):
            read(gold, content)
    with pytest.raises(SpeechioFormatError, match="gzip data end too early"):
        read(gold, gzip.compress(HEADER.encode() * 99)[:-9])


@st.composite
def alignments(draw: st.DrawFn) -> dict[str, list[tuple[str, str, str]]]:
    """Entries of several files, with times in several spellings."""
    found = {}
    for name in draw(st.lists(st.sampled_from(["f", "g", "ä/b", "f.1", "F"]), unique=True, min_size=1)):
        lengths = draw(st.lists(st.integers(1, 30), min_size=1, max_size=8))
        times = [0]
        for length in lengths:
            times.append(times[-1] + 10 * length)
        texts = [draw(st.sampled_from([f"{t / 1000:.2f}", f"{t / 1000:.3f}", repr(t / 1000)])) for t in times]
        phones = [draw(st.sampled_from(["a", "b", "SIL", "t͡s"])) for _ in lengths]
        found[name] = list(zip(texts[:-1], texts[1:], phones, strict=True))
    return found


@given(alignments(), st.randoms(use_true_random=False))
def test_the_slow_twin_agrees_in_any_order_of_rows(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, list[tuple[str, str, str]]], dice: random.Random
) -> None:
    rows = [f"{name} {' '.join(entry)}\n" for name, some in entries.items() for entry in some]
    dice.shuffle(rows)
    path = tmp_path_factory.getbasetemp() / "any.txt"
    found = read(path, HEADER + "".join(rows))
    assert found == {name: twin.frames_of(some, 10) for name, some in sorted(entries.items())}
    assert list(found) == sorted(found)


@pytest.mark.parametrize("zeros", ["0000000000", "0" * 40])
def test_zeros_at_the_ends_of_a_time_say_nothing(tmp_path: Path, zeros: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"#file onset offset #phone\nf {zeros}.0 {zeros}.02{zeros} a\nf 0.02{zeros} {zeros}0.03 b\n")
    assert read_gold_annotations(path) == {"f": ["a", "a", "b"]}
    path.write_text(f"#file onset offset #phone\nf {zeros}.0 {zeros}.02{zeros} a\nf 0.03 0.04 b\n")
    with pytest.raises(FormatError, match=r"a\.txt:3: .*a gap"):
        read_gold_annotations(path)


@given(st.from_regex(r"[0-9]{0,25}\.?[0-9]{0,25}", fullmatch=True))
def test_whatever_the_columns_refuse_a_row_is_named(offset: str) -> None:
    columns = _Columns(["f"], ["0"], [offset], ["a"], [2])
    whole = _milliseconds([offset])
    if whole is None or not 10 <= int(whole[0]) <= 1000 * LONGEST or int(whole[0]) % 10:
        assert _find_one(columns) == 2


def _find_one(columns: _Columns) -> int | None:
    try:
        return _find_fault("a.txt", columns, 10).line
    except FormatError as error:
        return error.line


def test_double_quotes_are_part_of_a_label(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text('#file onset offset #phone\nf 0 0.01 "\nf 0.01 0.02 "a"\nf 0.02 0.03 "\n')
    assert read_gold_annotations(path) == {"f": ['"', '"a"', '"']}
