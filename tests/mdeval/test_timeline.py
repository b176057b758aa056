"""Intervals as arrays: regions, turns, collars, cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from mdeval.timeline import Regions, collared
from mdeval.zones import collared as collared_lists
from mdeval_columns import Turn, columns, zeros
from mdeval_strategies import GRIDS, Grid, turns, uem_regions

if TYPE_CHECKING:
    from collections.abc import Sequence

Region = tuple[float, float]


@st.composite
def regions_and_turns(draw: st.DrawFn) -> tuple[list[Region], list[Turn]]:
    grid: Grid = draw(st.sampled_from(GRIDS))
    return list(draw(uem_regions(grid))), draw(turns(grid, min_size=1))


@given(st.lists(regions_and_turns(), min_size=1, max_size=3), st.sampled_from([0.1, 0.25, 0.5, 1.0]))
def test_collars_are_taken_out_as_from_lists(cases: list[tuple[list[Region], list[Turn]]], collar: float) -> None:
    names = sorted({name for _, some in cases for _, _, name in some})
    ref = columns([some for _, some in cases], names)
    regions = Regions.of([some for some, _ in cases])
    left = collared(regions, ref, zeros([some for _, some in cases]), collar).lists(len(cases))
    for mine, (region, some) in zip(left, cases, strict=True):
        theirs = collared_lists(region, [(b, b + d, name) for b, d, name in some], collar)
        assert joined(mine) == joined(theirs)


def joined(regions: Sequence[Region]) -> list[Region]:
    """Join touching regions, which the two may leave apart or not."""
    out: list[Region] = []
    for onset, offset in regions:
        if out and out[-1][1] == onset:
            out[-1] = (out[-1][0], offset)
        else:
            out.append((onset, offset))
    return out


@given(st.lists(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), max_size=3), max_size=4))
def test_regions_to_columns_and_back(lists: list[list[Region]]) -> None:
    assert Regions.of(lists).lists(len(lists)) == lists


def test_turns_of_no_duration_are_left_out_and_stretches_joined() -> None:
    some = columns([[(0.0, 5.0, "A"), (4.0, 0.0, "A"), (3.0, 4.0, "A"), (7.0, 1.0, "A"), (9.0, 1.0, "B")]], ["A", "B"])
    assert some.onset.tolist() == [0.0, 3.0, 7.0, 9.0]
    stretches = zip(some.onset[some.opening].tolist(), some.offset[some.closing].tolist(), strict=True)
    assert sorted(stretches) == [(0.0, 7.0), (7.0, 8.0), (9.0, 10.0)]
    assert list(some.self_overlaps) == [(0, 0, 3.0)]
