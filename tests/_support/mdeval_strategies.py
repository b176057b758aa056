"""Hypothesis strategies for diarization scoring: small recordings with many coincident boundaries.

A `Recording` is one file and channel with reference items, system items and UEM regions. `corpora` draws
several of them, `write_corpus` puts them on disk as md-eval reads them, `plain_cases` draws the turns of one
recording for APIs that take lists. Times lie on a grid of 0.01, 0.25 or 0.5 s, near a 0.5 s grid (off it by
about md-eval's epsilon of 1e-8), or anywhere; every time is written so that reading it gives the same double.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Grid = Literal["0.01", "0.25", "0.5", "near", "float"]
Turn = tuple[float, float, str]
Region = tuple[float, float]

GRIDS: tuple[Grid, ...] = ("0.01", "0.25", "0.5", "near", "float")
REF_SPEAKERS = ("A", "B", "C", "a")
SYS_SPEAKERS = ("x", "y", "z", "A")  # one name of the other side: it must mean nothing
COLLARS = (0.0, 0.1, 0.25, 0.5, 1.0)
SPEAKER_TYPES = ("adult_male", "adult_female", "child", "unknown")
NONLEX_SUBTYPES = ("laugh", "breath", "lipsmack", "cough", "sneeze", "other")
WORDS = ("yes", "a-b", "uh-huh", "-x", "x-", "a-b-c")
SPAN = 20.0


@dataclass(frozen=True)
class Item:
    """One RTTM record without file and channel; `begin` and `duration` are None where they are `<NA>`."""

    kind: str
    begin: float | None
    duration: float | None
    speaker: str
    subtype: str = "<NA>"
    word: str = "<NA>"


@dataclass(frozen=True)
class Recording:
    """One file and channel; no UEM regions means that the region is inferred."""

    file: str
    channel: str
    ref: tuple[Item, ...]
    sys: tuple[Item, ...]
    uem: tuple[Region, ...] = ()


@dataclass(frozen=True)
class PlainCase:
    """Turns of one recording and how to score them; `uem` None means that the region is inferred."""

    ref: tuple[Turn, ...]
    sys: tuple[Turn, ...]
    uem: tuple[Region, ...] | None
    collar: float
    one: bool


def grids() -> st.SearchStrategy[Grid]:
    """Draw the kind of times of a case; one kind per case makes boundaries coincide."""
    return st.sampled_from(GRIDS)


def times(grid: Grid, span: float = SPAN) -> st.SearchStrategy[float]:
    """Draw a time or a duration of at most about `span` seconds, never negative."""
    if grid == "float":
        return st.floats(0.0, span, allow_subnormal=False)
    if grid == "near":
        half = st.integers(0, int(span * 2))
        off = st.sampled_from((0.0, 0.0, 5e-9, 1e-8, 2e-8, -5e-9, -2e-8))
        return st.builds(lambda k, e: max(0.0, k * 0.5 + e), half, off)
    per_second = {"0.01": 100, "0.25": 4, "0.5": 2}[grid]
    return st.integers(0, int(span * per_second)).map(lambda k: k / per_second)


def spans(grid: Grid, *, zero: bool = True, longest: float = 6.0) -> st.SearchStrategy[tuple[float, float]]:
    """Draw begin and duration; `zero` allows durations of 0, as RTTM does."""
    durations = times(grid, longest)
    if not zero:
        durations = durations.filter(lambda duration: duration > 0)
    return st.tuples(times(grid), durations)


@st.composite
def turns(
    draw: st.DrawFn,
    grid: Grid,
    speakers: Sequence[str] = REF_SPEAKERS,
    *,
    min_size: int = 0,
    max_size: int = 10,
    zero: bool = True,
    self_overlap: bool = True,
) -> list[Turn]:
    """Draw turns (begin, duration, speaker) in no particular order.

    Parameters
    ----------
    grid : Grid
        Kind of times.
    speakers : sequence of str
        Names to choose from.
    min_size, max_size : int
        Number of turns; without `self_overlap` there may be fewer than `min_size`, but one if it is positive.
    zero : bool
        Allow zero-duration turns.
    self_overlap : bool
        Allow turns of one speaker that overlap; without it they may still touch.
    """
    one = st.tuples(spans(grid, zero=zero), st.sampled_from(speakers))
    drawn = draw(st.lists(one, min_size=min_size, max_size=max_size))
    out: list[Turn] = []
    for (begin, duration), speaker in drawn:
        if not self_overlap:
            others = [(b, b + d) for b, d, name in out if name == speaker]
            if any(begin < end and begin + duration > start for start, end in others):
                continue
        out.append((begin, duration, speaker))
    return out


@st.composite
def uem_regions(draw: st.DrawFn, grid: Grid, *, max_size: int = 4) -> tuple[Region, ...]:
    """Draw one or more regions in time order, of positive length, disjoint but often touching."""
    cuts = sorted(draw(st.sets(times(grid, SPAN + 5), min_size=2, max_size=max_size + 1)))
    pieces = list(itertools.pairwise(cuts))
    keep = draw(st.lists(st.booleans(), min_size=len(pieces), max_size=len(pieces)))
    kept = tuple(piece for piece, wanted in zip(pieces, keep, strict=True) if wanted)
    return kept or (pieces[0],)


@st.composite
def plain_cases(draw: st.DrawFn, *, zero: bool = True, self_overlap: bool = True) -> PlainCase:
    """Draw one recording of turns alone, with at least one reference turn, and the options."""
    grid = draw(grids())
    ref = draw(turns(grid, REF_SPEAKERS, min_size=1, zero=zero, self_overlap=self_overlap))
    sys = draw(turns(grid, SYS_SPEAKERS, zero=zero, self_overlap=self_overlap))
    uem = draw(st.none() | uem_regions(grid))
    return PlainCase(tuple(ref), tuple(sys), uem, draw(st.sampled_from(COLLARS)), draw(st.booleans()))


def other_items(grid: Grid) -> st.SearchStrategy[Item]:
    """Draw a reference record other than SPEAKER and SPKR-INFO that changes what is scored."""
    return st.one_of(
        st.builds(lambda s: Item("NOSCORE", s[0], s[1], "<NA>"), spans(grid, longest=3.0)),
        st.builds(
            lambda s, subtype, name: Item("NON-LEX", s[0], s[1], name, subtype),
            spans(grid, longest=2.0),
            st.sampled_from(NONLEX_SUBTYPES),
            st.sampled_from(REF_SPEAKERS),
        ),
        st.builds(
            lambda s, word, name: Item("LEXEME", s[0], s[1], name, "lex", word),
            spans(grid, longest=1.0),
            st.sampled_from(WORDS),
            st.sampled_from(REF_SPEAKERS),
        ),
        st.builds(lambda s: Item("SEGMENT", s[0], s[1], "<NA>", "eval"), spans(grid)),
    )


@st.composite
def recordings(
    draw: st.DrawFn,
    file: str = "f",
    channel: str = "1",
    grid: Grid | None = None,
    *,
    others: bool = True,
    types: bool = True,
    uem: bool = True,
    zero: bool = True,
    self_overlap: bool = True,
) -> Recording:
    """Draw one file and channel with at least one reference SPEAKER record.

    Parameters
    ----------
    file, channel : str
        RTTM fields 2 and 3.
    grid : Grid, optional
        Kind of times; drawn if not given.
    others : bool
        Allow NOSCORE, NON-LEX, LEXEME and SEGMENT records in the reference.
    types : bool
        Allow SPKR-INFO records on both sides.
    uem : bool
        Allow UEM regions.
    zero, self_overlap : bool
        As in `turns`.
    """
    kind = draw(grids()) if grid is None else grid
    ref_turns = draw(turns(kind, REF_SPEAKERS, min_size=1, zero=zero, self_overlap=self_overlap))
    sys_turns = draw(turns(kind, SYS_SPEAKERS, zero=zero, self_overlap=self_overlap))
    ref = [Item("SPEAKER", begin, duration, name) for begin, duration, name in ref_turns]
    sys = [Item("SPEAKER", begin, duration, name) for begin, duration, name in sys_turns]
    if others:
        ref += draw(st.lists(other_items(kind), max_size=5))
    if types and draw(st.booleans()):
        for items, names in ((ref, REF_SPEAKERS), (sys, SYS_SPEAKERS)):
            for name in draw(st.lists(st.sampled_from(names), unique=True, max_size=3)):
                items.append(Item("SPKR-INFO", None, None, name, draw(st.sampled_from(SPEAKER_TYPES))))
    regions = draw(uem_regions(kind)) if uem and draw(st.booleans()) else ()
    return Recording(file, channel, tuple(draw(st.permutations(ref))), tuple(draw(st.permutations(sys))), regions)


@st.composite
def corpora(draw: st.DrawFn, *, max_size: int = 3, others: bool = True, types: bool = True) -> tuple[Recording, ...]:
    """Draw one to `max_size` recordings that differ in file or channel, all with the same kind of times."""
    grid = draw(grids())
    place = st.tuples(st.sampled_from(("f", "g", "aCALL")), st.sampled_from(("1", "2")))
    places = draw(st.lists(place, min_size=1, max_size=max_size, unique=True))
    return tuple(draw(recordings(file, channel, grid, others=others, types=types)) for file, channel in places)


def number_text(value: float) -> str:
    """Write a time in plain digits (UEM knows no exponent) so that `float` gives the same double again."""
    return format(Decimal(repr(value)), "f")


def rttm_text(corpus: Sequence[Recording], side: Literal["ref", "sys"]) -> str:
    """Write one side as RTTM, with ten fields, in the order of the items."""
    lines: list[str] = []
    for recording in corpus:
        for item in recording.ref if side == "ref" else recording.sys:
            begin = "<NA>" if item.begin is None else number_text(item.begin)
            duration = "<NA>" if item.duration is None else number_text(item.duration)
            place = f"{item.kind} {recording.file} {recording.channel}"
            lines.append(f"{place} {begin} {duration} {item.word} {item.subtype} {item.speaker} <NA> <NA>\n")
    return "".join(lines)


def uem_text(corpus: Sequence[Recording]) -> str:
    """Write the UEM regions of all recordings that have some."""
    lines: list[str] = []
    for recording in corpus:
        for begin, end in recording.uem:
            lines.append(f"{recording.file} {recording.channel} {number_text(begin)} {number_text(end)}\n")
    return "".join(lines)


def turns_corpus(case: PlainCase, file: str = "f", channel: str = "1") -> tuple[Recording, ...]:
    """Turn a plain case into a corpus of one recording, to write it to disk."""
    ref = tuple(Item("SPEAKER", begin, duration, name) for begin, duration, name in case.ref)
    sys = tuple(Item("SPEAKER", begin, duration, name) for begin, duration, name in case.sys)
    return (Recording(file, channel, ref, sys, case.uem or ()),)


def write_corpus(corpus: Sequence[Recording], folder: Path) -> tuple[Path, Path, Path | None]:
    """Write `ref.rttm`, `sys.rttm` and, if a recording has regions, `eval.uem`; return their paths."""
    ref, sys, uem = folder / "ref.rttm", folder / "sys.rttm", folder / "eval.uem"
    ref.write_text(rttm_text(corpus, "ref"), encoding="utf-8", newline="")
    sys.write_text(rttm_text(corpus, "sys"), encoding="utf-8", newline="")
    regions = uem_text(corpus)
    if not regions:
        uem.unlink(missing_ok=True)
        return ref, sys, None
    uem.write_text(regions, encoding="utf-8", newline="")
    return ref, sys, uem
