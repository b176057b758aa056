"""Files of one side into one pool, and the two sides into recordings."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from mdeval.errors import InputError
from mdeval.pool import pair, read_side, read_uem, without_channels
from mdeval.recording import Uem
from mdeval.side import ANY_CHANNEL, Side
from mdeval_support import speaker, write
from speechio import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

INFO = "SPKR-INFO f 1 <NA> <NA> <NA> child A <NA> <NA>\n"


def side(folder: Path, *texts: str, strict: bool = True, large: bool = False) -> Side:
    paths = []
    for i, text in enumerate(texts):
        write(folder, **{f"{i}.rttm": text})
        paths.append(str(folder / f"{i}.rttm"))
    return read_side(paths, strict=strict, large=large)


def turns(one: Side) -> dict[tuple[str, str], list[tuple[float, float, str]]]:
    """Give the turns of a side, whichever way it holds them."""
    found = {key: [(r[1], r[2], r[4]) for r in records] for key, records in one.records.items()}
    if one.builder is not None:
        table = one.turn_table()
        for i, key in enumerate(table.keys):
            rows = table.recording == i
            names = [table.names[code] for code in table.speaker[rows].tolist()]
            columns = (table.onset[rows].tolist(), table.offset[rows].tolist(), names)
            found[key] = list(zip(*columns, strict=True))
    return found


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("large", [True, False])
def test_files_make_one_pool(tmp_path: Path, *, strict: bool, large: bool) -> None:
    careful = ";; comment\n" + speaker(1, 1, "B") + speaker(0, 1, "A", "g")
    one = side(tmp_path, speaker(0, 1, "A"), careful, speaker(2, 1, "A"), strict=strict, large=large)
    # turns read with care come after the others in a table; their order does not matter to it
    assert {key: sorted(some) for key, some in turns(one).items()} == {
        ("f", "1"): [(0.0, 1.0, "A"), (1.0, 2.0, "B"), (2.0, 3.0, "A")],
        ("g", "1"): [(0.0, 1.0, "A")],
    }
    assert one.keys_with_turns() == [("f", "1"), ("g", "1")]
    assert len(one.paths) == 3


@pytest.mark.parametrize("large", [True, False])
@pytest.mark.parametrize("strict", [True, False])
def test_a_type_may_follow_the_turns_in_one_file_but_not_in_a_later_one(
    tmp_path: Path, *, large: bool, strict: bool
) -> None:
    # md-eval.md 3.2, tiny/list_late_info
    one = side(tmp_path, speaker(0, 1, "A") + INFO, strict=strict, large=large)
    assert one.types == {("f", "1"): {"A": "child"}}
    assert side(tmp_path, INFO, speaker(0, 1, "A"), strict=strict, large=large).types["f", "1"] == {"A": "child"}
    with pytest.raises(InputError, match=r"1\.rttm:1: a second SPKR-INFO for speaker A of file f"):
        side(tmp_path, speaker(0, 1, "A"), INFO, strict=strict, large=large)


def test_a_recording_without_turns_is_not_scored(tmp_path: Path) -> None:
    one = side(tmp_path, "NOSCORE g 1 0 1 <NA> <NA> <NA> <NA> <NA>\n" + INFO + speaker(0, 0, "A", "h"))
    assert one.keys_with_turns() == [("h", "1")]


def test_a_file_that_is_ordinary_only_at_first_is_read_with_care_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mdeval.sources._BLOCK", 64)
    text = "".join(speaker(i, 1, "A") for i in range(40)) + INFO
    one = side(tmp_path, speaker(0, 9, "B", "g"), text, large=True)
    assert len(turns(one)["f", "1"]) == 40
    assert turns(one)["g", "1"] == [(0.0, 9.0, "B")]
    assert one.types["f", "1"] == {"A": "child"}


def test_a_large_file_may_be_cut_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(speaker(i / 100, 1, f"s{i}") for i in range(30)).rstrip("\n")
    whole = turns(side(tmp_path, text))
    for size in (1, 7, 45, 46, 47, 100_000):
        monkeypatch.setattr("mdeval.sources._BLOCK", size)
        assert turns(side(tmp_path, text, large=True)) == whole


@pytest.mark.parametrize("large", [True, False])
def test_a_fault_is_raised_strictly_and_noted_otherwise(tmp_path: Path, *, large: bool) -> None:
    with pytest.raises(FormatError, match=r"0\.rttm:2"):
        side(tmp_path, speaker(0, 1, "A") + speaker("1,5", 1, "A"), large=large)
    one = side(tmp_path, speaker(0, 1, "A") + speaker("1,5", 1, "A"), strict=False, large=large)
    assert one.notes == [f"{one.paths[0]}:2: onset '1,5' is read as 1"]


@pytest.mark.parametrize("large", [True, False])
def test_channels_can_be_forgotten(tmp_path: Path, *, large: bool) -> None:
    info = INFO.replace("child A", "child B")
    one = side(tmp_path, speaker(0, 1, "A") + speaker(1, 1, "B", channel="2") + info.replace("f 1", "f 2"), large=large)
    one.forget_channels()
    assert {key: sorted(some) for key, some in turns(one).items()} == {
        ("f", ANY_CHANNEL): [(0.0, 1.0, "A"), (1.0, 2.0, "B")]
    }
    assert one.types == {("f", ANY_CHANNEL): {"A": "unknown", "B": "child"}}
    assert one.keys_with_turns() == [("f", ANY_CHANNEL)]


def test_a_missing_large_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_side([str(tmp_path / "none")], strict=True, large=True)


@pytest.mark.parametrize("large", [True, False])
def test_sides_are_brought_together(tmp_path: Path, *, large: bool) -> None:
    (tmp_path / "r").mkdir()
    (tmp_path / "s").mkdir()
    ref = side(tmp_path / "r", speaker(0, 4, "A") + INFO + speaker(0, 1, "A", "g"), large=large)
    system = side(tmp_path / "s", speaker(0, 5, "x") + "NOSCORE f 1 0 1 <NA> <NA> <NA> <NA> <NA>\n", large=large)
    first, second = pair([("f", "1"), ("g", "1")], ref, system, {("f", "1"): [(0.0, 9.0)]})
    assert first.key == ("f", "1")
    assert first.uem == [(0.0, 9.0)]
    assert [r[4] for r in first.system] == ["x"]  # kinds other than SPEAKER do not count for the system
    assert first.ref_types == {"A": "child"}
    assert second.system == []
    assert second.uem == [(0.0, 1.0)]


@pytest.mark.parametrize("strict", [True, False])
def test_regions_are_read_either_way(tmp_path: Path, *, strict: bool) -> None:
    write(tmp_path, uem="d/f.sph A 0 5\n")
    notes: list[str] = []
    uem = read_uem(str(tmp_path / "all.uem"), notes, strict=strict)
    assert dict(uem) == {("f", "a"): [(0.0, 5.0)]}
    kept = read_uem(str(tmp_path / "all.uem"), notes, strict=strict, keep_directory=True)
    assert list(kept) == [("d/f", "a")]
    assert notes == []


@pytest.mark.parametrize(
    ("regions", "wanted"),
    [
        ({"1": [(0.0, 5.0)], "2": [(3.0, 9.0)]}, [(0.0, 9.0)]),
        ({"1": [(0.0, 9.0)], "2": [(3.0, 5.0)]}, [(0.0, 9.0)]),
        ({"1": [(6.0, 9.0)], "2": [(0.0, 5.0)]}, [(0.0, 5.0), (6.0, 9.0)]),
        ({"1": [(0.0, 5.0)], "2": [(5.0, 9.0)]}, [(0.0, 5.0), (5.0, 9.0)]),
    ],
)
def test_regions_of_all_channels_are_joined(
    regions: dict[str, list[tuple[float, float]]], wanted: Sequence[tuple[float, float]]
) -> None:
    uem = Uem("a.uem")
    for channel, some in regions.items():
        uem["f", channel] = some
        uem.written["f", channel] = ("f.sph", channel)
    joined = without_channels(uem)
    assert dict(joined) == {("f", ANY_CHANNEL): wanted}
    assert joined.path == "a.uem"


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("start", ["", ";; a comment\n"])
def test_a_pipe_is_read_once_and_whole(start: str, strict: bool, large: bool, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = start + speaker(0, 4, "A") + speaker(4, 2, "B")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(pipe.write_text, text)
        side = read_side([str(pipe)], strict=strict, large=large)
    assert side.keys_with_turns() == [("f", "1")]
    assert sorted(r[1:] for r in next(pair([("f", "1")], side, side, {})).reference) == [
        (0.0, 4.0, "SPEAKER", "A"),
        (4.0, 6.0, "SPEAKER", "B"),
    ]
