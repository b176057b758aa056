"""SCP files as columns, beside a plain loop over their lines."""

from __future__ import annotations

import gzip
import os
import pickle
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import speechio.text
from measure_core.errors import InputError
from measure_core.inputs import columns as module
from measure_core.inputs.columns import Column, as_ids, read_column, texts_of
from measure_scp import (
    IDS,
    PEAK,
    VALUES,
    Pairs,
    faulty_files,
    faulty_line,
    fifo,
    lines_of,
    read_plainly,
    scp_files,
    write,
)
from speechio import FormatError, read_scp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = speechio.text._BLOCK_SIZE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@pytest.fixture(scope="module", params=[(40, 32, 0), (1000, 200, 2), (BLOCK, module._RUN, module._SPARSE)], ids=str)
def sizes(request: pytest.FixtureRequest) -> Iterator[tuple[int, int, int]]:
    """Blocks, runs and what is sparse: small, so that their borders fall everywhere, and as they are."""
    with pytest.MonkeyPatch.context() as patch:
        block, run, sparse = request.param
        patch.setattr(speechio.text, "_BLOCK_SIZE", block)
        patch.setattr(module, "_RUN", run)
        patch.setattr(module, "_SPARSE", sparse)
        yield request.param


def assert_reads(path: Path, pairs: Pairs) -> Column:
    """Check a column, and speechio's reader, against the twin's pairs."""
    column = read_column(path)
    in_order = sorted(range(len(pairs)), key=lambda i: pairs[i][0])
    assert len(column) == len(pairs)
    assert texts_of(column.ids) == [pairs[i][0] for i in in_order]
    assert column.order.tolist() == in_order
    assert column.take(slice(None)) == [pairs[i][1] for i in in_order]
    assert list(read_scp(path).items()) == pairs
    return column


@pytest.mark.usefixtures("sizes")
@given(data=scp_files(), is_packed=st.booleans())
def test_any_file(folder: Path, data: bytes, is_packed: bool) -> None:
    path = write(folder / "any.scp", data, is_packed=is_packed)
    pairs = read_plainly(data)
    if pairs:
        assert_reads(path, pairs)
    else:
        with pytest.raises(InputError, match="no utterances"):
            read_column(path)


@pytest.mark.usefixtures("sizes")
@given(data=scp_files(is_plain=True), chosen=st.data())
def test_plain_files_stay_on_disk(folder: Path, data: bytes, chosen: st.DataObject) -> None:
    path = write(folder / "plain.scp", data)
    pairs = sorted(read_plainly(data))
    column = assert_reads(path, read_plainly(data))
    assert column.is_plain
    rows = chosen.draw(st.lists(st.integers(0, len(pairs) - 1), max_size=20))
    assert column.take(np.array(rows, dtype=np.int64)) == [pairs[row][1] for row in rows]
    start, end = sorted(chosen.draw(st.tuples(st.integers(0, 20), st.integers(0, 20))))
    assert column.take(slice(start, end)) == [value for _, value in pairs[start:end]]
    again = pickle.loads(pickle.dumps(column))
    assert again.take(slice(None)) == column.take(slice(None))


@pytest.mark.usefixtures("sizes")
@given(data=faulty_files(), is_packed=st.booleans())
def test_a_faulty_line_is_named(folder: Path, data: bytes, is_packed: bool) -> None:
    path = write(folder / "faulty.scp", data, is_packed=is_packed)
    line = faulty_line(data)
    if line is None:  # the fault was in a value, where it is none
        assert_reads(path, read_plainly(data))
        return
    with pytest.raises(InputError) as caught:
        read_column(path)
    assert caught.value.line == line
    assert caught.value.path == str(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    with pytest.raises(FormatError) as from_speechio:
        read_scp(path)
    assert from_speechio.value.line == line


@pytest.mark.parametrize("inserted", ["", "é", "\U0001f600", "\x0b", "\x1c", "\r", "\ufeff"])
@given(space=st.integers(-40, 40), tail=scp_files(is_plain=True), value=VALUES)
def test_borders_of_real_blocks(folder: Path, inserted: str, space: int, tail: bytes, value: str) -> None:
    head = f"a-first {'x' * (BLOCK - 60 + space)}\n~{'y' * 30}\t {value} {inserted}\n".encode()
    data = head + tail
    path = write(folder / "border.scp", data)
    line = faulty_line(data)
    if line is None:
        assert_reads(path, read_plainly(data))
        return
    with pytest.raises(InputError) as caught:
        read_column(path)
    assert caught.value.line == line


def many(n: int, seed: int = 0) -> Pairs:
    rng = random.Random(seed)
    ids = [f"{rng.randint(1, 99)}-{k:06d}" for k in range(n)]
    return [(key, " ".join(["word"] * rng.choice([0, 1, 5, 9, 200]))) for key in ids]


@pytest.mark.parametrize("is_sorted", [True, False])
def test_several_blocks_and_runs(tmp_path: Path, is_sorted: bool) -> None:
    pairs = many(20_000)
    if is_sorted:
        pairs.sort()
    data = lines_of(pairs)
    assert len(data) > 3 * module._RUN > BLOCK
    column = assert_reads(write(tmp_path / "x.scp", data), pairs)
    assert column.is_plain
    wanted = sorted(pairs)
    rng = random.Random(1)
    for n in (1, 7, 300, 20_000):
        rows = [rng.randrange(len(pairs)) for _ in range(n)]
        assert column.take(np.array(rows)) == [wanted[row][1] for row in rows]


def test_a_long_line_spans_blocks(tmp_path: Path) -> None:
    pairs = [("b", "x y " * BLOCK + "end"), ("a", ""), ("c", "é" * BLOCK)]
    assert assert_reads(write(tmp_path / "x.scp", lines_of(pairs)), pairs).is_plain


@pytest.mark.parametrize("n", [1, 63, 64, 65, 300_000])
@pytest.mark.parametrize("form", ["a{0}x\nb y\n", "a x{0}\nb y\n", "a{0}\nb y\n", "{0}a x\nb y\n", "{0}\na x\nb y\n"])
def test_many_blanks_cost_no_time(tmp_path: Path, n: int, form: str) -> None:
    data = form.format(" " * n).encode()
    assert_reads(write(tmp_path / "x.scp", data), read_plainly(data))


def test_gzip_of_the_same_size_as_its_text(tmp_path: Path) -> None:
    for n in range(1, 200):
        data = b"u1 " + b"a" * n + b"\n"
        packed = gzip.compress(data, mtime=0)
        if len(packed) == len(data):
            break
    else:
        pytest.fail("no such file found")
    path = tmp_path / "x.scp"
    path.write_bytes(packed)
    column = assert_reads(path, [("u1", "a" * n)])
    assert not column.is_plain


@pytest.mark.parametrize(
    ("data", "is_plain"),
    [
        (b"a 1\nb 2\n", True),
        (b"a 1\nb 2", True),
        (b"\n\na 1\n\nb\n", True),
        ("a é\nb \U0001f600\n".encode(), True),
        (b"a" * 96 + b" x\n", True),
        (b"a" * 97 + b" x\n", False),
        (b"a 1\r\nb 2\r\n", False),
        (b"\xef\xbb\xbfa 1\n", False),
        (b" a 1\n", False),
        ("é 1\n".encode(), False),
    ],
)
def test_what_is_ordinary(tmp_path: Path, data: bytes, is_plain: bool) -> None:
    column = assert_reads(write(tmp_path / "x.scp", data), read_plainly(data))
    assert column.is_plain is is_plain


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\t\n", b"\xef\xbb\xbf", b"\n" * 300_000])
@pytest.mark.parametrize("is_packed", [False, True])
def test_no_utterances(tmp_path: Path, data: bytes, is_packed: bool) -> None:
    path = write(tmp_path / "x.scp", data, is_packed=is_packed)
    with pytest.raises(InputError, match="no utterances") as caught:
        read_column(path)
    assert caught.value.path == str(path)
    assert caught.value.fixes


def test_a_duplicate_names_both_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "x.scp", b"a 1\nb 2\n\na 1\n")
    with pytest.raises(InputError) as caught:
        read_column(path)
    text = str(caught.value)
    assert text.startswith(f"{path}:4: S002 the ID 'a' is on line 1 already")
    assert f"first at {path}:1" in text
    assert "\nfix: remove or rename one of them" in text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a \xe9t\xe9\n", ["T001", "0xe9", "Latin-1", "iconv"]),
        ("a 1\n".encode("utf-16"), ["T006", "UTF-16LE", "iconv"]),
        (b"a \0\n", ["T005", "NUL"]),
        ("a\u00a0b c\n".encode(), ["S004", "U+00A0"]),
        (b"a 1\rb 2\r", ["T004", "CR"]),
        (b"\x1f\x8b\x08\x00broken", ["T009", "gzip"]),
        (gzip.compress(b"a 1\n" * 2)[:-5], ["T009", "gzip"]),
    ],
)
def test_faults_are_explained(tmp_path: Path, data: bytes, words: list[str]) -> None:
    path = write(tmp_path / "x.scp", data)
    with pytest.raises(InputError) as caught:
        read_column(path)
    assert all(word in str(caught.value) for word in (*words, str(path), "fix: "))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_column(tmp_path / "absent.scp")
    with pytest.raises(InputError, match="is a directory"):
        read_column(tmp_path)
    with pytest.raises(InputError, match="cannot be"):
        read_column(tmp_path / ("x" * 300))


@pytest.mark.parametrize("rows", [slice(None), np.array([3, 1]), np.array([0, 29_999])])
def test_a_file_that_changes_is_refused(
    tmp_path: Path, rows: slice | np.ndarray[tuple[int], np.dtype[np.int64]]
) -> None:
    path = write(tmp_path / "x.scp", lines_of(many(30_000)))
    column = read_column(path)
    assert column.take(rows)
    data = path.read_bytes()
    status = path.stat()
    for changed in (data[:-30], data + b"more 1\n", data.replace(b"word", b"WORD"), data.replace(b"w", b"\xff")):
        path.write_bytes(changed)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
        with pytest.raises(InputError, match="was changed while it was being scored") as caught:
            column.take(rows)
        assert caught.value.path == str(path)
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert len(column.take(slice(None))) == 30_000


def test_a_file_that_vanishes_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "x.scp", b"a 1\nb 2\n")
    column = read_column(path)
    path.unlink()
    with pytest.raises(InputError, match="cannot be read: No such file"):
        column.take(slice(None))
    assert column.take(slice(0, 0)) == []


@pytest.mark.parametrize("change", ["grows", "vanishes", "turns"])
def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    path = write(tmp_path / "x.scp", b"b 1\na 2\n")
    real = module._block

    def changing(data: bytes, offset: int) -> object:
        if change == "vanishes":
            path.unlink(missing_ok=True)
        elif change == "grows":
            path.write_bytes(b"b 1\na 2\nc 3\n")
        else:  # the same size, another content
            path.write_bytes(b"d 3\nc 4\n")
            os.utime(path, ns=(0, 0))
        return real(data, offset)

    monkeypatch.setattr(module, "_block", changing)
    if change == "vanishes":
        with pytest.raises(InputError, match="no such file"):
            read_column(path)
        return
    column = read_column(path)
    wanted = [("a", "2"), ("b", "1"), ("c", "3")] if change == "grows" else [("c", "4"), ("d", "3")]
    assert list(zip(texts_of(column.ids), column.take(slice(None)), strict=True)) == wanted


@given(texts=st.lists(IDS, max_size=20))
def test_ids_sort_as_text(texts: list[str]) -> None:
    ids = as_ids(texts)
    assert texts_of(ids) == texts
    assert texts_of(ids[np.argsort(ids)]) == sorted(texts)


@pytest.mark.parametrize(("step", "most"), [(1, 1.2), (5, 6.0), (1000, 1.0)])
def test_little_is_read_for_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, most: float) -> None:
    """Neighbours are read together, in runs; of scattered values only their own bytes are read."""
    path = write(tmp_path / "x.scp", lines_of([(f"u{k:06d}", "y" * 100) for k in range(40_000)]))
    column = read_column(path)
    sizes: list[int] = []
    real = os.pread

    def counting(handle: int, size: int, offset: int) -> bytes:
        sizes.append(size)
        return real(handle, size, offset)

    monkeypatch.setattr(os, "pread", counting)
    values = column.take(slice(None, None, step))
    assert values == ["y" * 100] * len(values)
    assert 100 * len(values) <= sum(sizes) <= most * 100 * len(values)
    assert len(sizes) == (len(values) if step == 1000 else path.stat().st_size // module._RUN + 1)


def test_scattered_values_take_little_memory(tmp_path: Path) -> None:
    """Values spread over a large file are read one by one; holding the file would show."""
    n_lines, width = 40_000, 2_000
    path = tmp_path / "x.scp"
    with path.open("w") as stream:
        for k in range(n_lines):
            stream.write(f"u{(k * 7919) % n_lines:06d} {str(k).ljust(width, 'x')}\n")
    program = f"""{PEAK}
from pathlib import Path
from measure_core.inputs.columns import read_column
column = read_column(Path({str(path)!r}))
before = peak()
assert column.is_plain
for start in range(0, {n_lines}, 400):
    for text, row in zip(column.take(slice(start, start + 400)), column.order[start : start + 400]):
        assert text.rstrip("x") == str(row) and len(text) == {width}
print((peak() - before) // 1024)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert path.stat().st_size > 75 << 20
    assert int(done.stdout) < 12, "MiB more than before"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["plain", "crlf"])
def test_a_pipe_is_read_once(folder: Path, end: bytes) -> None:
    data = b"".join(b"utt%07d word %d" % (i, i) + end for i in range(50_000))
    column = read_column(fifo(folder / f"pipe{len(end)}", data))
    assert len(column) == 50_000
    assert column.take(slice(None)) == [f"word {i}" for i in range(50_000)]
    assert column.take(slice(3, 4)) == ["word 3"]
    assert texts_of(column.ids[:1]) == ["utt0000000"]


def test_a_pipe_of_gzip_and_an_empty_one(folder: Path) -> None:
    assert len(read_column(fifo(folder / "gz", gzip.compress(b"a 1\nb 2\n")))) == 2
    with pytest.raises(InputError, match="no utterances"):
        read_column(fifo(folder / "empty", b""))
