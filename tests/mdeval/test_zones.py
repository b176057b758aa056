"""Evaluated and scored regions, against the twin and against cases the Perl was run on."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.recording import Recording, record
from mdeval.zones import collared, eval_regions, overlap_zones, scored_regions, subtract, uem_from
from mdeval_strategies import GRIDS, Grid, spans, times, uem_regions
from mdeval_twin_read import Record
from mdeval_twin_score import build_zones, remove_collars, remove_zones
from mdeval_twin_score import overlap_zones as twin_overlap_zones

if TYPE_CHECKING:
    from mdeval.recording import Record as OurRecord
    from mdeval.zones import Interval, Region

KINDS = ["SPEAKER", "SPEAKER", "SPEAKER", "LEXEME", "NOSCORE", "NON-LEX"]


@st.composite
def cases(draw: st.DrawFn, grid: Grid | None = None) -> tuple[list[Region], list[OurRecord]]:
    """Draw regions and reference records."""
    kind = draw(st.sampled_from(GRIDS)) if grid is None else grid
    one = st.tuples(spans(kind, longest=4.0), st.sampled_from(KINDS))
    drawn = draw(st.lists(one, min_size=1, max_size=9))
    records = [record(onset, duration, name, "a") for (onset, duration), name in drawn]
    return list(draw(uem_regions(kind))), sorted(records, key=lambda r: r[0])


def intervals(records: list[OurRecord]) -> list[Interval]:
    return [(onset, offset, kind) for _, onset, offset, kind, _ in records]


def of_twin(records: list[OurRecord]) -> list[Record]:
    """Make the twin's records; their end is computed anew, so only exact ones are used."""
    return [Record(kind, b, e - b, "", "", "a", "") for _, b, e, kind, _ in records if b + (e - b) == e]


@given(cases(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), st.booleans())
def test_regions_are_those_of_the_twin(
    case: tuple[list[Region], list[OurRecord]],
    collar: float,
    one: bool,
) -> None:
    uem, records = case
    theirs = of_twin(records)
    records = [r for r in records if r[1] + (r[2] - r[1]) == r[2]]
    evaluated = remove_zones(uem, build_zones(theirs, ["NOSCORE"], 0.0))
    scored = remove_collars(evaluated, theirs, collar) if collar > 0 else evaluated
    scored = remove_zones(scored, build_zones(theirs, ["NOSCORE", "NON-LEX"], 0.0))
    scored = remove_zones(scored, build_zones(theirs, ["NON-LEX"], 0.5))
    if one:
        scored = remove_zones(scored, twin_overlap_zones(theirs))
    mine = eval_regions(uem, intervals(records))
    assert mine == evaluated
    assert scored_regions(mine, intervals(records), collar=collar, ignore_overlap=one) == scored


@given(cases("0.5"))
def test_overlap_zones_are_those_of_the_twin(case: tuple[list[Region], list[OurRecord]]) -> None:
    _, records = case
    assert overlap_zones(intervals(records)) == twin_overlap_zones(of_twin(records))


@given(st.lists(times("float"), min_size=2, max_size=8, unique=True), st.lists(spans("float"), max_size=5))
def test_without_coincidences_subtract_is_set_subtraction(
    cuts: list[float], spanned: list[tuple[float, float]]
) -> None:
    regions = list(pairwise(sorted(cuts)))[::2]
    zones = [(b, b + d) for b, d in spanned if d > 0]
    marks = sorted([t for region in regions for t in region] + [t for zone in zones for t in zone])
    if len(set(marks)) < len(marks):
        return
    left = subtract(regions, zones)
    for a, b in pairwise(marks):
        middle = (a + b) / 2
        inside = any(x <= middle <= y for x, y in regions) and not any(x <= middle <= y for x, y in zones)
        assert any(x <= middle <= y for x, y in left) == inside


@given(st.lists(times("float"), min_size=2, max_size=6, unique=True), st.lists(spans("float"), max_size=5))
def test_collared_keeps_what_is_far_from_every_boundary(cuts: list[float], spanned: list[tuple[float, float]]) -> None:
    regions = list(pairwise(sorted(cuts)))[::2]
    edges = [t for b, d in spanned for t in (b, b + d)]
    left = collared(regions, [(b, b + d, "a") for b, d in spanned], 0.25)
    for onset, offset in left:
        middle = (onset + offset) / 2
        assert onset < offset
        assert any(x <= middle <= y for x, y in regions)
        assert all(abs(middle - edge) >= 0.25 - 1e-9 for edge in edges)
    length = sum(b - a for a, b in left)
    everything = sorted({t for r in regions for t in r} | {e + s for e in edges for s in (-0.25, 0.25)})
    wanted = sum(
        b - a
        for a, b in pairwise(everything)
        if any(x <= (a + b) / 2 <= y for x, y in regions) and all(abs((a + b) / 2 - edge) >= 0.25 for edge in edges)
    )
    assert length == pytest.approx(wanted, abs=1e-9)


# Cases of md-eval.md, figures from the Perl


def scored(records: list[Interval], uem: list[Region], collar: float = 0.0) -> list[Region]:
    return scored_regions(eval_regions(uem, records), records, collar=collar, ignore_overlap=False)


def total(regions: list[Region]) -> float:
    return sum(offset - onset for onset, offset in regions)


def test_a_non_lex_record_takes_half_a_second_more_on_either_side() -> None:
    records = [(0.0, 10.0, "SPEAKER"), (4.0, 5.0, "NON-LEX")]
    records.sort(key=lambda r: (r[0] + r[1]) / 2)
    assert scored(records, [(0.0, 10.0)]) == [(0.0, 3.5), (5.5, 10.0)]


def test_a_speaker_boundary_cuts_the_extension_short() -> None:
    records = [(0.0, 3.8, "SPEAKER"), (4.0, 5.0, "NON-LEX"), (5.2, 10.0, "SPEAKER")]
    assert scored(records, [(0.0, 10.0)]) == [(0.0, 3.8), (5.2, 10.0)]


def test_a_word_in_progress_means_no_extension_on_its_side() -> None:
    # the zone opens at the NON-LEX itself, not 0.5 s before it
    records = [(3.0, 4.5, "LEXEME"), (4.0, 5.0, "NON-LEX"), (0.0, 10.0, "SPEAKER")]
    assert scored(records, [(0.0, 10.0)]) == [(0.0, 4.0), (5.5, 10.0)]


def test_close_non_lex_records_make_one_zone_and_distant_ones_two() -> None:
    # tiny/nonlex_close_pair
    records = [
        (5.0, 5.5, "NON-LEX"), (6.2, 6.7, "NON-LEX"), (9.0, 9.5, "NON-LEX"), (0.0, 20.0, "SPEAKER"),
    ]  # fmt: skip
    regions = scored(records, [(0.0, 20.0)])
    assert [pytest.approx(t) for r in regions for t in r] == [0.0, 4.5, 7.2, 8.5, 10.0, 20.0]


def test_a_zone_that_nothing_closes_stays_open() -> None:
    # tiny/noscore_tail
    records = [(0.0, 10.0, "SPEAKER"), (11.0, 12.0, "NOSCORE")]
    assert total(eval_regions([(0.0, 20.0)], records)) == pytest.approx(11.0, abs=1e-7)


def test_a_zone_that_begins_with_its_region_is_ignored() -> None:
    # tiny/noscore_at_uem_start: kept whole with the inferred region, nothing left with UEM 2-8
    records = [(0.0, 10.0, "SPEAKER"), (0.0, 20.0, "NOSCORE")]
    assert total(eval_regions([(0.0, 10.0)], records)) == pytest.approx(10.0)
    assert eval_regions([(2.0, 8.0)], records) == []


def test_records_without_duration_make_no_zone() -> None:
    records = [(0.0, 10.0, "SPEAKER"), (4.0, 4.0, "NOSCORE"), (6.0, 6.0, "NON-LEX")]
    assert scored(records, [(0.0, 10.0)]) == [(0.0, 10.0)]


def test_a_reference_turn_without_duration_has_a_collar() -> None:
    records = [(0.0, 10.0, "SPEAKER"), (5.0, 5.0, "SPEAKER")]
    assert scored(records, [(1.0, 9.0)], collar=0.25) == [(1.0, 4.75), (5.25, 9.0)]


def test_subtracting_nothing_keeps_touching_regions_apart() -> None:
    touching = [(0.0, 5.0), (5.0, 9.0)]
    assert subtract(touching, []) == touching


@pytest.mark.parametrize("n", [2, 3, 5, 20, 40])
def test_collars_lose_nothing_of_touching_regions(n: int) -> None:
    touching = [(float(i), float(i + 1)) for i in range(n)]
    left = collared(touching, [(0.5, n + 1.0, "A")], 0.25)
    assert left[0][0] == 0.0
    assert total(left) == n - 0.5
    assert left == remove_collars(touching, [Record("SPEAKER", 0.5, n + 0.5, "", "", "A", "")], 0.25)


def test_empty_regions_vanish() -> None:
    assert subtract([(0.0, 0.0)], []) == []
    assert subtract([(0.0, 1.0), (2.0, 2.0)], []) == [(0.0, 1.0)]
    assert subtract([], [(0.0, None)]) == []


def test_an_open_zone_takes_everything_after_it() -> None:
    assert subtract([(0.0, 5.0), (6.0, 9.0)], [(3.0, None)]) == [(0.0, 3.0)]


def test_overlap_is_counted_in_turns_not_in_speakers() -> None:
    turns = [(0.0, 5.0, "SPEAKER"), (4.0, 8.0, "SPEAKER"), (4.5, 4.75, "SPEAKER"), (6.0, 6.0, "SPEAKER")]
    assert overlap_zones(turns) == [(4.0, 5.0)]


@pytest.mark.parametrize(
    ("spanned", "wanted"),
    [
        ([], []),
        ([(1.0, 3.0), (0.5, 2.0)], [(0.5, 3.0)]),
        ([(2.0, 2.0)], [(2.0, 2.0)]),
        ([(-3.0, -1.0)], [(-3.0, 0.0)]),  # the largest end starts from 0
    ],
)
def test_the_inferred_region(spanned: list[tuple[float, float]], wanted: list[Region]) -> None:
    assert uem_from(spanned) == wanted


def test_the_same_regions_come_out_of_a_recording() -> None:
    recording = Recording(("f", "1"), [record(0.0, 4.0, "SPEAKER", "A"), record(1.0, 9.0, "NOSCORE", "-")], [])
    assert recording.uem == [(0.0, 4.0)]
    assert recording.zone_records() == [(0.0, 4.0, "SPEAKER"), (1.0, 10.0, "NOSCORE")]
