"""`mdeval.score`: the same numbers from every kind of input, and what a result offers."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mdeval
from mdeval import DiarizationResult, UndefinedScoreError, UsageError
from mdeval.result import score_sides_as_result
from mdeval.scoring import score_sides
from mdeval.statistics import bootstrap
from mdeval_strategies import corpora, write_corpus
from mdeval_support import facts, run_mdeval, score_files, speaker, write
from speechio.rttm import read_rttm
from speechio.uem import UemRecord, UemTable, read_uem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Rows = list[tuple[str, float, float, str]]

# Two recordings; times are exact in binary, so every way to give them leads to the same doubles
REF: Rows = [("f", 0, 10, "A"), ("f", 8, 12, "B"), ("g", 0, 5, "A"), ("g", 5.5, 4.5, "C")]
SYS: Rows = [("f", 0.5, 8.5, "x"), ("f", 9, 12.25, "y"), ("g", 0, 9.5, "x")]
REGIONS = [("f", 0.0, 18.0), ("g", 1.0, 9.75)]

# diarization-metrics.md 1.1
EXAMPLE_REF = [(0, 10, "A"), (8, 20, "B"), (22, 30, "C")]
EXAMPLE_SYS = [(0, 9, "x"), (9, 21, "y"), (23, 27, "z"), (27, 30, "x")]


def rttm(rows: Rows) -> str:
    return "".join(speaker(onset, duration, name, file) for file, onset, duration, name in rows)


def uem(regions: list[tuple[str, float, float]]) -> str:
    return "".join(f"{file} 1 {start} {end}\n" for file, start, end in regions)


def columns(rows: Rows) -> dict[str, list[Any]]:
    names = ("file", "onset", "duration", "speaker")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def with_offsets(rows: Rows) -> dict[str, list[Any]]:
    table = columns(rows)
    table["offset"] = [on + d for on, d in zip(table["onset"], table.pop("duration"), strict=True)]
    return table


class Frame:
    """A data frame as far as `score` is concerned; pandas is not needed for the test."""

    def __init__(self, data: dict[str, list[Any]]) -> None:
        self.data = data
        self.columns = list(data)

    def __getitem__(self, name: str) -> list[Any]:
        return self.data[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with both sides as one file each, as a folder with a file per recording, and a UEM."""
    write(tmp_path, ref=rttm(REF), sys=rttm(SYS), uem=uem(REGIONS))
    for side, rows in (("refs", REF), ("systems", SYS)):
        (tmp_path / side).mkdir()
        for file in "fg":
            some = rttm([row for row in rows if row[0] == file])
            (tmp_path / side / f"{file}.rttm").write_text(some, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=["small", "large"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Take the engine for small inputs, or that for large ones, whether numpy is loaded or not."""
    name: str = request.param
    monkeypatch.setattr("mdeval.inputs.sys", SimpleNamespace(modules={"numpy": np} if name == "large" else {}))
    return name


def known(result: DiarizationResult) -> tuple[list[dict[str, object]], str]:
    return [facts(score) for score in result.recordings], result.signature


# One number from every kind of input

SOURCES: dict[str, Callable[[Path, str, Rows], Any]] = {
    "path": lambda folder, side, _: folder / f"{side[:3]}.rttm",
    "text": lambda folder, side, _: str(folder / f"{side[:3]}.rttm"),
    "paths": lambda folder, side, _: [folder / side / "g.rttm", str(folder / side / "f.rttm")],
    "tuple of paths": lambda folder, side, _: tuple(folder / side / f"{file}.rttm" for file in "fg"),
    "directory": lambda folder, side, _: folder / side,
    "RttmTable": lambda folder, side, _: read_rttm(folder / f"{side[:3]}.rttm"),
    "load_rttm": lambda folder, side, _: mdeval.load_rttm(folder / f"{side[:3]}.rttm"),
    "columns": lambda _, __, rows: columns(rows),
    "columns with offsets": lambda _, __, rows: with_offsets(rows),
    "columns with channels": lambda _, __, rows: {**columns(rows), "channel": [1] * len(rows)},
    "columns with more": lambda _, __, rows: {"confidence": [1.0] * len(rows), **columns(rows)},
    "arrays": lambda _, __, rows: {name: np.array(values) for name, values in columns(rows).items()},
    "single precision": lambda _, __, rows: {
        name: np.array(values, np.float32) if name in ("onset", "duration") else values
        for name, values in columns(rows).items()
    },
    "polars": lambda _, __, rows: pl.DataFrame(columns(rows), strict=False),
    "frame": lambda _, __, rows: Frame(with_offsets(rows)),
}


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("source", SOURCES)
def test_every_kind_of_input_gives_the_same_numbers(folder: Path, source: str) -> None:
    ref, sys_ = SOURCES[source](folder, "refs", REF), SOURCES[source](folder, "systems", SYS)
    found = mdeval.score(ref, sys_, folder / "all.uem", collar=0.25)
    scores = score_files(folder / "ref.rttm", folder / "sys.rttm", folder / "all.uem", collar=0.25)
    assert [facts(score) for score in found.recordings] == [facts(score) for score in scores]
    assert found.recordings[0].counts.scored_speaker_time > 0


@pytest.mark.usefixtures("engine")
def test_both_sides_may_come_in_different_ways(folder: Path) -> None:
    plain = mdeval.score(folder / "ref.rttm", folder / "sys.rttm")
    mixed = mdeval.score(columns(REF), folder / "systems")
    assert known(mixed) == known(plain)
    assert known(mdeval.score(read_rttm(folder / "ref.rttm"), with_offsets(SYS))) == known(plain)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_rows_are_one_recording(kind: Callable[[Any], Any]) -> None:
    found = mdeval.score(kind(EXAMPLE_REF), kind(EXAMPLE_SYS), [(0, 32)])
    assert found.der == pytest.approx(7 / 30, rel=1e-12)
    assert found.mapping == {("recording", "1"): {"A": "x", "B": "y", "C": "z"}}
    assert found.uem == "file"


@pytest.mark.usefixtures("engine")
def test_names_and_times_of_other_types_are_taken() -> None:
    plain = mdeval.score([(0, 4, "1"), (4, 9, "2")], [(0, 5, "7")])
    other = mdeval.score([(np.float32(0), "4", 1), (np.int64(4), 9.0, np.int64(2))], [["0", 5, 7]])
    assert known(other) == known(plain)


@pytest.mark.usefixtures("engine")
def test_turns_of_no_time_count_as_in_a_file(folder: Path) -> None:
    rows: Rows = [*REF, ("f", 5, 0, "Z")]
    write(folder, ref=rttm(rows))
    assert known(mdeval.score(columns(rows), columns(SYS), collar=0.5)) == known(
        mdeval.score(folder / "ref.rttm", folder / "sys.rttm", collar=0.5)
    )


@pytest.mark.usefixtures("engine")
def test_channels_are_kept_apart_and_case_does_not_matter() -> None:
    turns = {"onset": [0, 0], "duration": [4, 4], "speaker": ["A", "A"]}
    found = mdeval.score(
        {**turns, "channel": ["A", "b"]}, {"onset": [0], "duration": [4], "speaker": ["x"], "channel": ["a"]}
    )
    assert found.der == 0.5
    assert list(found.per_file) == [("recording", "a"), ("recording", "b")]


@pytest.mark.usefixtures("engine")
@given(corpora(), st.sampled_from((0.0, 0.25, 1.0)), st.booleans())
def test_what_is_loaded_scores_as_the_file_does(
    tmp_path_factory: pytest.TempPathFactory, corpus: Any, collar: float, one: bool
) -> None:
    ref, sys_, regions = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    uem_path, uem_loaded = (None, None) if regions is None else (regions, mdeval.load_uem(regions))
    from_path = mdeval.score(ref, sys_, uem_path, collar, one)
    loaded = mdeval.score(mdeval.load_rttm(ref), mdeval.load_rttm(sys_), uem_loaded, collar, one)
    table = mdeval.score(read_rttm(ref), read_rttm(sys_), None if regions is None else read_uem(regions), collar, one)
    assert known(loaded) == known(from_path)
    assert known(table) == known(from_path)


@given(corpora(others=False), st.sampled_from((0.5, 1.5, 4.0)), st.booleans())
def test_large_collars_do_the_same_in_both_engines(
    tmp_path_factory: pytest.TempPathFactory, corpus: Any, collar: float, one: bool
) -> None:
    ref, sys_, regions = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    small, large = (score_files(ref, sys_, regions, large=way, collar=collar, one=one) for way in (False, True))
    assert [s.counts.scored_speaker_time for s in large] == pytest.approx(
        [s.counts.scored_speaker_time for s in small], abs=1e-6
    )


def test_a_recording_eaten_by_its_collar_leaves_the_others_alone(engine: str) -> None:
    ref = {"file": ["f", "g"], "onset": [0, 0], "duration": [10, 0.3], "speaker": ["A", "A"]}
    system = {**ref, "duration": [9, 0.3]}
    found = mdeval.score(ref, system, collar=0.25)
    times = {file: (c.scored_speaker_time, c.error_time) for (file, _), c in found.per_file.items()}
    assert times == {"f": pytest.approx((9.5, 0.75)), "g": (0.0, 0.0)}, engine


# Regions to evaluate


def uem_table(regions: list[tuple[str, float, float]]) -> UemTable:
    table = UemTable()
    for line, (file, start, end) in enumerate(regions, start=1):
        table.append(UemRecord(file, "1", start, end), line)
    return table


@pytest.mark.usefixtures("engine")
def test_regions_from_a_path_a_table_and_what_is_loaded(folder: Path) -> None:
    sides = folder / "ref.rttm", folder / "sys.rttm"
    wanted = known(mdeval.score(*sides, folder / "all.uem"))
    assert "uem:file|" in wanted[1]
    for source in (
        str(folder / "all.uem"),
        read_uem(folder / "all.uem"),
        uem_table(REGIONS),
        mdeval.load_uem(folder / "all.uem"),
        {file: {"1": [(start, end)]} for file, start, end in REGIONS},
        {file: {1: [[start, end]]} for file, start, end in REGIONS},
    ):
        assert known(mdeval.score(*sides, source)) == wanted


@pytest.mark.usefixtures("engine")
def test_regions_from_rows_are_those_of_the_one_recording() -> None:
    regions = [(8, 9), (0, 2.5)]
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, regions)
    assert found.components.eval_time == 3.5
    for source in (iter(regions), {"recording": {"1": regions}}, uem_table([("recording", *r) for r in regions])):
        assert known(mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, source)) == known(found)


@pytest.mark.usefixtures("engine")
def test_a_recording_without_an_entry_is_evaluated_over_its_extent() -> None:
    found = mdeval.score(columns(REF), columns(SYS), {"f": {"1": [(0, 5)]}})
    assert found.uem == "file+inferred"
    assert found.per_file["f", "1"].eval_time == 5
    assert found.per_file["g", "1"].eval_time == 10


@pytest.mark.usefixtures("engine")
def test_regions_of_other_recordings_are_refused() -> None:
    for regions in ({"h": {"1": [(0, 5)]}}, {"f": {"2": [(0, 5)]}}, [(0, 5)]):
        with pytest.raises(UsageError, match=r"the regions \(uem\) are of no recording of the reference; it has f, g"):
            mdeval.score(columns(REF), columns(SYS), regions)


@pytest.mark.usefixtures("engine")
def test_sides_without_a_recording_in_common_are_told() -> None:
    other = {**columns(SYS), "file": ["h"] * len(SYS)}
    with pytest.warns(UserWarning, match="have no recording in common: all speech counts as missed") as caught:
        found = mdeval.score(columns(REF), other)
    assert found.der == 1.0
    assert caught[0].filename == __file__  # at the line of the caller


# The result


def test_the_worked_example() -> None:
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, [(0, 32)])
    counts = found.components
    assert (counts.scored_speaker_time, counts.missed_speaker_time) == (30, 3)
    assert (counts.falarm_speaker_time, counts.speaker_error_time) == (1, 3)
    assert found.der == pytest.approx(7 / 30, rel=1e-12)
    assert (found.collar, found.ignore_overlap) == (0.0, False)
    assert found.per_file == {("recording", "1"): counts}


def test_the_collar_and_overlap_are_used_and_stated() -> None:
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, [(0, 32)], 0.25, True)
    assert (found.collar, found.ignore_overlap) == (0.25, True)
    assert "|collar:0.25|overlap:excluded|" in found.signature
    assert found.components.scored_speaker_time == found.components.scored_speech < 28


def test_a_result_cannot_be_changed() -> None:
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS)
    with pytest.raises(AttributeError):
        found.collar = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    "options", [(), ("-c", "0.25"), ("-1",), ("-u", "all.uem"), ("-c", "0.1", "-1", "-u", "all.uem")]
)
def test_the_dictionary_is_the_json_of_the_command(folder: Path, options: tuple[str, ...]) -> None:
    done = run_mdeval("-r", "ref.rttm", "-s", "sys.rttm", "--json", *options, cwd=folder)
    printed = json.loads(done.stdout)
    collar = float(options[options.index("-c") + 1]) if "-c" in options else 0.0
    regions = folder / "all.uem" if "-u" in options else None
    found = mdeval.score(folder / "ref.rttm", folder / "sys.rttm", regions, collar, "-1" in options).to_dict()
    assert found.pop("warnings") == []
    del printed["warnings"]
    assert found == printed


def test_the_dictionary_can_be_written_as_json(folder: Path) -> None:
    document = mdeval.score(folder / "ref.rttm", folder / "sys.rttm").to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    undefined = mdeval.score(folder / "ref.rttm", folder / "sys.rttm", collar=50.0).to_dict()
    assert undefined["overall"]["der"] is None
    assert undefined["overall"]["reason"] == "no speaker time is scored"
    assert json.loads(json.dumps(undefined, allow_nan=False)) == undefined


def test_the_table_has_a_row_for_every_recording() -> None:
    found = mdeval.score(columns(REF), columns(SYS))
    table = found.to_polars()
    assert isinstance(table, pl.DataFrame)
    assert table["file"].to_list() == ["f", "g"]
    assert table["channel"].to_list() == ["1", "1"]
    assert table["der"].to_list() == [c.der for c in found.per_file.values()]
    assert table["scored_speaker_time"].sum() == found.components.scored_speaker_time
    assert table.columns[:2] == ["file", "channel"]
    assert table.columns[-1] == "der"


def test_the_table_of_an_undefined_rate_has_a_null() -> None:
    table = mdeval.score([(0, 1, "A")], [(0, 1, "x")], collar=2.0).to_polars()
    assert table["der"].to_list() == [None]


def test_the_table_needs_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match=r"needs polars; install it with: pip install 'mdeval\[polars\]'"):
        found.to_polars()


def test_confidence_is_that_of_the_recordings() -> None:
    found = mdeval.score(columns(REF), columns(SYS))
    counts = found.per_file.values()
    sums = [c.error_time for c in counts], [c.scored_speaker_time for c in counts]
    assert found.confidence() == bootstrap(*sums)
    assert found.confidence(level=0.5, samples=77, seed=3) == bootstrap(*sums, level=0.5, samples=77, seed=3)


def test_one_recording_has_no_confidence() -> None:
    with pytest.raises(UsageError, match="needs two or more; there is one"):
        mdeval.score(EXAMPLE_REF, EXAMPLE_SYS).confidence()


def test_the_representation_says_what_was_found() -> None:
    found = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, [(0, 32)])
    assert repr(found) == (
        "DiarizationResult(DER 23.33%: missed 10.00%, false alarm 3.33%, confusion 10.00%; 1 recordings,"
        f" {found.signature})"
    )


def test_an_undefined_rate_is_told() -> None:
    found = mdeval.score([(0, 1, "A")], [(0, 1, "x")], collar=2.0)
    assert repr(found).startswith("DiarizationResult(DER undefined, 1 recordings, mdeval|v:")
    with pytest.raises(UndefinedScoreError, match="no speaker time is scored"):
        _ = found.der
    assert found.components.der is None


@pytest.mark.parametrize("nothing", [[], {}, {"onset": [], "duration": [], "speaker": []}])
def test_no_turns_at_all_is_an_undefined_rate(nothing: Any) -> None:
    found = mdeval.score(nothing, EXAMPLE_SYS)
    assert found.recordings == ()
    with pytest.raises(UndefinedScoreError):
        _ = found.der


def test_no_system_turns_miss_everything() -> None:
    found = mdeval.score(EXAMPLE_REF, [])
    assert found.der == 1.0
    assert found.components.missed_speaker_time == 30


# Results add up


def test_results_add_up(folder: Path) -> None:
    whole = mdeval.score(folder / "ref.rttm", folder / "sys.rttm")
    f, g = (mdeval.score(folder / "refs" / f"{n}.rttm", folder / "systems" / f"{n}.rttm") for n in "fg")
    for both in (f + g, g + f):
        assert known(both) == known(whole)
        assert both.der == whole.der
        assert both.to_dict() == whole.to_dict()
    assert (f.collar, f.uem) == ((f + g).collar, (f + g).uem)


def test_results_scored_otherwise_do_not_add_up(folder: Path) -> None:
    f = mdeval.score(folder / "refs" / "f.rttm", folder / "systems" / "f.rttm")
    g = mdeval.score(folder / "refs" / "g.rttm", folder / "systems" / "g.rttm", collar=0.25)
    with pytest.raises(UsageError, match=r"different signatures do not add up: mdeval\|.*collar:0\|.*collar:0.25\|"):
        _ = f + g


def test_a_recording_counts_once(folder: Path) -> None:
    found = mdeval.score(folder / "ref.rttm", folder / "sys.rttm")
    with pytest.raises(UsageError, match=r"both results hold recording \('f', '1'\); a recording counts once"):
        _ = found + found


def test_only_results_are_added_to_results() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = mdeval.score(EXAMPLE_REF, EXAMPLE_SYS) + 1  # type: ignore[operator]


# Around it


def test_impossible_collars_are_refused() -> None:
    for collar in (-0.25, float("nan"), float("inf")):
        with pytest.raises(UsageError, match=r"collar is .*; it must be a finite number of seconds, 0 or more"):
            mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, collar=collar)


def test_unknown_keywords_are_refused() -> None:
    with pytest.raises(TypeError, match="windw"):
        mdeval.score(EXAMPLE_REF, EXAMPLE_SYS, windw=1)  # type: ignore[call-arg]


def test_sides_that_have_been_read_score_the_same(folder: Path) -> None:
    from mdeval.pool import read_side

    ref, sys_ = (read_side([str(folder / f"{n}.rttm")], strict=True, large=False) for n in ("ref", "sys"))
    found = score_sides_as_result(ref, sys_, None, 0.25, ignore_overlap=True)
    assert known(found) == known(mdeval.score(folder / "ref.rttm", folder / "sys.rttm", None, 0.25, True))
    scores = score_sides(ref.keys_with_turns(), ref, sys_, None, collar=0.25, ignore_overlap=True)
    assert [facts(score) for score in scores] == known(found)[0]


def test_small_files_are_scored_without_numpy(folder: Path) -> None:
    program = (
        "import sys, mdeval\n"
        "found = mdeval.score('ref.rttm', 'sys.rttm', 'all.uem', 0.25)\n"
        "print(found.der, found.mapping)\n"
        "assert 'numpy' not in sys.modules and 'polars' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    found = mdeval.score(folder / "ref.rttm", folder / "sys.rttm", folder / "all.uem", 0.25)
    assert done.stdout == f"{found.der} {found.mapping}\n"
