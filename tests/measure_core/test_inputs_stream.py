"""Rows of several SCP files, beside a plain join of plainly read lines."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import speechio.text
from measure_core.errors import InputError
from measure_core.inputs import stream as module
from measure_core.inputs.stream import iter_rows
from measure_scp import (
    PEAK,
    Files,
    WrongError,
    faulty_files,
    fifo,
    joined_plainly,
    lines_of,
    read_plainly,
    scp_files,
    several_files,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = speechio.text._BLOCK_SIZE
ALIASES = ("ref", "hyp", "extra")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stream")


@pytest.fixture(scope="module", params=[(40, 3), (500, 5), (BLOCK, module._N_TAKEN)], ids=str)
def sizes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Blocks and chunks: small, so that their borders fall everywhere, and as they are."""
    with pytest.MonkeyPatch.context() as patch:
        block, n_taken = request.param
        patch.setattr(speechio.text, "_BLOCK_SIZE", block)
        patch.setattr(module, "_N_TAKEN", n_taken)
        yield


@pytest.mark.usefixtures("sizes")
@given(data=scp_files())
def test_one_file(folder: Path, data: bytes) -> None:
    path = write(folder / "one.scp", data)
    pairs = read_plainly(data)
    if pairs:
        assert list(iter_rows({"x": path})) == [(key, {"x": value}) for key, value in pairs]
        assert list(iter_rows({"x": path, "y": path})) == [(key, {"x": value, "y": value}) for key, value in pairs]
    else:
        with pytest.raises(InputError, match="no utterances"):
            list(iter_rows({"x": path}))


@pytest.mark.usefixtures("sizes")
@given(data=faulty_files())
def test_a_faulty_file_is_refused(folder: Path, data: bytes) -> None:
    path = write(folder / "faulty.scp", data)
    try:
        pairs = read_plainly(data)
    except WrongError:
        with pytest.raises(InputError, match=r":\d+: [ST]\d\d\d ") as caught:
            list(iter_rows({"x": path}))
        assert caught.value.path == str(path)
        assert caught.value.line is not None
    else:
        assert list(iter_rows({"x": path})) == [(key, {"x": value}) for key, value in pairs]


@pytest.mark.usefixtures("sizes")
@given(files=several_files())
def test_several_files(folder: Path, files: Files) -> None:
    paths = {}
    for alias, data, is_packed in zip(ALIASES, files.contents, files.are_packed, strict=False):
        paths[alias] = write(folder / f"{alias}.scp", data, is_packed=is_packed)
    try:
        joined = joined_plainly([read_plainly(data) for data in files.contents])
    except WrongError:
        joined = None
    if joined:
        assert list(iter_rows(paths)) == [(key, dict(zip(paths, values, strict=True))) for key, values in joined]
    else:
        with pytest.raises(InputError):
            list(iter_rows(paths))


def pairs_of(n: int, word: str) -> list[tuple[str, str]]:
    return [(f"u{k:06d}", f"{word} {k}") for k in range(n)]


@pytest.mark.parametrize("at", [0, 9_999, 25_000, 29_999])
@pytest.mark.parametrize("change", ["order", "twice", "other", "less", "more"])
def test_a_difference_late_in_a_large_file(tmp_path: Path, at: int, change: str) -> None:
    ref, hyp = pairs_of(30_000, "ref"), pairs_of(30_000, "hyp")
    if change == "order":
        hyp.insert(0, hyp.pop(at)) if at else hyp.append(hyp.pop(0))
    elif change == "twice":
        hyp.insert(at // 2, hyp[at])
    elif change == "other":
        hyp[at] = (f"{hyp[at][0]}x", "other")
    elif change == "less":
        hyp.pop(at)
    else:
        hyp.insert(at, (f"{hyp[at][0]}x", "more"))
    assert len(lines_of(ref)) > 3 * BLOCK
    paths = {"ref": write(tmp_path / "ref.scp", lines_of(ref)), "hyp": write(tmp_path / "hyp.scp", lines_of(hyp))}
    if change == "order":
        values = dict(hyp)
        assert list(iter_rows(paths)) == [(key, {"ref": value, "hyp": values[key]}) for key, value in ref]
        return
    with pytest.raises(InputError, match=r"S002" if change == "twice" else "utterance IDs differ") as caught:
        list(iter_rows(paths))
    text = str(caught.value)
    if change != "twice":
        assert all(str(path) in text for path in paths.values())
        n_hyp = {"other": 30_000, "less": 29_999, "more": 30_001}[change]
        assert f"{paths['hyp']} has {n_hyp} IDs, {0 if change == 'less' else 1} of them only there" in text


@pytest.mark.parametrize(("block", "n_blank"), [(BLOCK, BLOCK), *((256, n) for n in (1, 85, 128, 251, 256, 999))])
@pytest.mark.parametrize("blank", ["\n", " \n", "\r\n"])
def test_a_block_of_blank_lines_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, n_blank: int, blank: str
) -> None:
    monkeypatch.setattr(speechio.text, "_BLOCK_SIZE", block)
    gap = blank * n_blank
    text = f"{gap}a 1\n{gap}b 2\n{gap}".encode()
    one = write(tmp_path / "one.scp", text)
    two = write(tmp_path / "two.scp", b"a 3\nb 4\n")
    assert list(iter_rows({"x": one})) == [("a", {"x": "1"}), ("b", {"x": "2"})]
    assert list(iter_rows({"x": one, "y": one})) == [("a", {"x": "1", "y": "1"}), ("b", {"x": "2", "y": "2"})]
    for paths in ({"x": one, "y": two}, {"x": two, "y": one}):
        assert [key for key, _ in iter_rows(paths)] == ["a", "b"]


def test_unsorted_files_keep_the_order_of_the_first(tmp_path: Path) -> None:
    rng = random.Random(0)
    ref, hyp = pairs_of(25_000, "ref"), pairs_of(25_000, "hyp")
    rng.shuffle(ref)
    rng.shuffle(hyp)
    paths = {
        "r": write(tmp_path / "r.scp", lines_of(ref)),
        "h": write(tmp_path / "h.scp", lines_of(hyp), is_packed=True),
    }
    values = dict(hyp)
    assert list(iter_rows(paths)) == [(key, {"r": value, "h": values[key]}) for key, value in ref]


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b" \n\t\n"])
def test_no_utterances(tmp_path: Path, data: bytes) -> None:
    empty = write(tmp_path / "empty.scp", data)
    full = write(tmp_path / "full.scp", b"a 1\n")
    for paths in ({"x": empty}, {"x": empty, "y": empty}, {"x": empty, "y": full}, {"x": full, "y": empty}):
        with pytest.raises(InputError, match=r"empty\.scp: no utterances"):
            list(iter_rows(paths))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "x.scp", b"a 1\n")
    with pytest.raises(InputError, match="no such file"):
        list(iter_rows({"x": path, "y": tmp_path / "absent.scp"}))
    with pytest.raises(InputError, match="is a directory"):
        list(iter_rows({"x": path, "y": tmp_path}))


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    rows = iter_rows({"x": tmp_path / "absent.scp"})
    write(tmp_path / "absent.scp", b"a 1\n")
    assert list(rows) == [("a", {"x": "1"})]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_sorted_files_take_little_memory_whatever_their_length(tmp_path: Path, end: bytes) -> None:
    """Two sorted files ten times as long take no more memory, and NumPy is not loaded for them."""
    program = f"""{PEAK}
import sys
from pathlib import Path
from measure_core.inputs.stream import iter_rows
n = 0
for key, row in iter_rows(dict.fromkeys(("ref", "hyp"), Path(sys.argv[1]))):
    n += row["ref"] == row["hyp"]
assert "numpy" not in sys.modules
print(n, peak())
"""
    peaks = []
    for n in (20_000, 200_000):
        data = lines_of([(f"u{k:07d}", "x" * 60) for k in range(n)]).replace(b"\n", end)
        path = write(tmp_path / "x.scp", data)
        done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
        n_equal, peak = map(int, done.stdout.split())
        assert n_equal == n
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 1024, "KiB"


def test_pipes_are_read_once(folder: Path) -> None:
    data = b"".join(b"utt%07d word %d\r\n" % (i, i) for i in range(20_000))
    want = [(key, {"a": value, "b": value}) for key, value in read_plainly(data)]
    assert list(iter_rows({"a": fifo(folder / "a", data), "b": write(folder / "b.scp", data)})) == want
    assert list(iter_rows({"a": write(folder / "b.scp", data), "b": fifo(folder / "b", data)})) == want
    path = fifo(folder / "c", data)
    assert list(iter_rows({"a": path, "b": path})) == want
    with pytest.raises(InputError, match="no utterances"):
        list(iter_rows({"a": fifo(folder / "d", b"")}))
