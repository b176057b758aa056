"""Cells: they fill the scored regions, in order, with who is active, and their durations are those of the cuts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.cells import Cells
from mdeval.pool import pair, read_side, read_uem
from mdeval.recording import Recording, record
from mdeval.scoring import score_sides
from mdeval_metrics import FRAME, REFS, SYSTEMS, UEM, Turns, cells_of, example, frames
from mdeval_strategies import corpora, write_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence


def names(cells: Cells, refs: frozenset[int], systems: frozenset[int]) -> tuple[str, str]:
    return (
        " ".join(sorted(cells.ref_names[i] for i in refs)),
        " ".join(sorted(cells.sys_names[j] for j in systems)),
    )


def named(cells: Cells) -> list[tuple[float, float, str, str]]:
    return [(on, off, *names(cells, refs, systems)) for on, off, refs, systems in cells.cuts]


def test_the_cells_of_the_worked_example() -> None:
    # the table of diarization-metrics.md 1.1
    assert named(example()) == [
        (0, 8, "A", "x"),
        (8, 9, "A B", "x"),
        (9, 10, "A B", "y"),
        (10, 20, "B", "y"),
        (20, 21, "", "y"),
        (21, 22, "", ""),
        (22, 23, "C", ""),
        (23, 27, "C", "z"),
        (27, 30, "C", "x"),
        (30, 32, "", ""),
    ]
    assert example().regions == [(0, 32)]
    assert {names(example(), *pair_): seconds for pair_, seconds in example().durations.items()} == {
        ("A", "x"): 8,
        ("A B", "x"): 1,
        ("A B", "y"): 1,
        ("B", "y"): 10,
        ("", "y"): 1,
        ("", ""): 3,
        ("C", ""): 1,
        ("C", "z"): 4,
        ("C", "x"): 3,
    }


def test_a_collar_cuts_the_cells_too() -> None:
    found = named(example(collar=0.5))
    assert found[:3] == [(0.5, 7.5, "A", "x"), (8.5, 9, "A B", "x"), (9, 9.5, "A B", "y")]
    assert found[-1] == (30.5, 32, "", "")


def test_speakers_are_listed_whether_or_not_they_are_scored() -> None:
    cells = cells_of([(0, 4, "B"), (8, 9, "A")], [(7, 9, "x")], [(0, 5)])
    assert (cells.ref_names, cells.sys_names) == (["B", "A"], ["x"])
    assert named(cells) == [(0, 4, "B", ""), (4, 5, "", "")]
    assert cells.ref == [(0, 4, "B"), (8, 9, "A")]
    assert cells.system == [(7, 9, "x")]


def test_a_speaker_who_overlaps_himself_is_active_once() -> None:
    cells = cells_of([(0, 4, "A"), (2, 6, "A")], [(1, 5, "x"), (1, 3, "x")])
    assert {names(cells, *who): seconds for who, seconds in cells.durations.items()} == {("A", "x"): 4, ("A", ""): 2}


def test_turns_of_no_time_are_left_out() -> None:
    cells = cells_of([(0, 4, "A"), (2, 2, "B")], [(1, 1, "x")])
    assert (cells.ref_names, cells.sys_names) == (["A"], [])
    assert cells.durations == {(frozenset([0]), frozenset()): 4}


def test_without_regions_there_are_no_cells() -> None:
    cells = cells_of([(0, 1, "A")], [(0, 1, "x")], collar=2.0)
    assert (cells.cuts, cells.durations, cells.regions) == ([], {}, [])


def test_more_speakers_than_a_machine_word_has_bits() -> None:
    ref = [(float(i), 100.0, f"r{i}") for i in range(70)]
    system = [(float(i), 100.0, f"s{i}") for i in range(70)]
    cells = cells_of(ref, system)
    last = cells.cuts[-1]
    assert (last[0], last[1], len(last[2]), len(last[3])) == (69, 100, 70, 70)


@given(REFS, SYSTEMS, st.sampled_from((0.0, 0.125, 0.5)), st.booleans())
def test_the_cells_are_those_of_the_frames(ref: Turns, system: Turns, collar: float, one: bool) -> None:
    cells = cells_of(ref, system, UEM, collar=collar, ignore_overlap=one)
    counted: dict[tuple[str, str], int] = {}
    for refs, systems in frames(cells):
        key = " ".join(sorted(refs)), " ".join(sorted(systems))
        counted[key] = counted.get(key, 0) + 1
    found: dict[tuple[str, str], float] = {}
    for who, seconds in cells.durations.items():
        found[names(cells, *who)] = seconds / FRAME
    assert found == counted


@given(corpora(), st.sampled_from((0.0, 0.1, 0.25, 1.0)), st.booleans())
def test_the_cells_fill_the_scored_regions(
    tmp_path_factory: pytest.TempPathFactory, corpus: Any, collar: float, one: bool
) -> None:
    ref_path, sys_path, uem_path = write_corpus(corpus, tmp_path_factory.mktemp("corpus"))
    ref, system = (read_side([str(path)], strict=True, large=False) for path in (ref_path, sys_path))
    uem = {} if uem_path is None else read_uem(str(uem_path), [], strict=True)
    keys = ref.keys_with_turns()
    scores = score_sides(keys, ref, system, uem or None, collar=collar, ignore_overlap=one)
    for item, score in zip(pair(keys, ref, system, uem), scores, strict=True):
        cells = Cells(item, collar=collar, ignore_overlap=one)
        counts = score.counts
        assert cells.key == (score.file_id, score.channel)
        assert_cells_in_regions(cells)
        assert sum(cells.durations.values()) == pytest.approx(counts.scored_time, abs=1e-6)
        speech = sum(seconds for (refs, _), seconds in cells.durations.items() if refs)
        assert speech == pytest.approx(counts.scored_speech, abs=1e-6)
        speakers = sum(seconds * len(refs) for (refs, _), seconds in cells.durations.items())
        assert speakers == pytest.approx(counts.scored_speaker_time, abs=1e-6)


def assert_cells_in_regions(cells: Cells) -> None:
    """See that the cells do not overlap, are within the regions, and have the durations they should."""
    durations: dict[object, float] = {}
    for onset, offset, refs, systems in cells.cuts:
        assert onset < offset
        # md-eval takes boundaries that are less than 1e-8 s apart for one, so a cell may go so far beyond its region
        assert any(start - 2e-8 <= onset and offset <= end + 2e-8 for start, end in cells.regions)
        durations[refs, systems] = durations.get((refs, systems), 0.0) + (offset - onset)
    assert durations == cells.durations
    for (_, offset, *_), (onset, *_) in pairwise(cells.cuts):
        assert offset <= onset
    region_time = sum(end - start for start, end in cells.regions)
    assert sum(cells.durations.values()) == pytest.approx(region_time, abs=1e-6)


def many(turns: Sequence[tuple[float, float, str]]) -> Recording:
    return Recording(("f", "1"), [record(on, off - on, "SPEAKER", name) for on, off, name in turns], [])


def test_an_inferred_region_is_the_extent_of_the_reference() -> None:
    assert Cells(many([(3, 5, "A"), (1, 2, "B")])).regions == [(1, 5)]
