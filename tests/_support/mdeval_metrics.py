"""What the tests of `mdeval.metrics` share: cells from turns, the worked example, a slow twin that counts frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from math import isclose, log2
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

from mdeval.cells import Cells
from mdeval.pool import pair, read_side, read_uem
from mdeval.recording import Recording, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mdeval.metrics.sums import Sums


Turns = Sequence[tuple[float, float, str]]
Regions = Sequence[tuple[float, float]]
S = TypeVar("S", bound="Sums")

DATA = Path(__file__).resolve().parents[1] / "mdeval" / "data" / "metrics"
FRAME = 0.125
"""Seconds of a frame of the twin; all drawn times are whole numbers of it, so they are exact."""

# diarization-metrics.md 1.1
EXAMPLE_REF = [(0.0, 10.0, "A"), (8.0, 20.0, "B"), (22.0, 30.0, "C")]
EXAMPLE_SYS = [(0.0, 9.0, "x"), (9.0, 21.0, "y"), (23.0, 27.0, "z"), (27.0, 30.0, "x")]
EXAMPLE_UEM = [(0.0, 32.0)]


def cells_of(
    ref: Turns, system: Turns, uem: Regions | None = None, *, collar: float = 0.0, ignore_overlap: bool = False
) -> Cells:
    """Make cells from turns."""
    sides = [[record(on, off - on, "SPEAKER", name) for on, off, name in turns] for turns in (ref, system)]
    return Cells(Recording(("f", "1"), sides[0], sides[1], uem), collar=collar, ignore_overlap=ignore_overlap)


def example(*, collar: float = 0.0) -> Cells:
    """Make the cells of the running example."""
    return cells_of(EXAMPLE_REF, EXAMPLE_SYS, EXAMPLE_UEM, collar=collar)


def cells_of_files(ref: Path, system: Path, uem: Path | None = None) -> list[Cells]:
    """Read the recordings of a reference and a system output."""
    sides = [read_side([str(path)], strict=True) for path in (ref, system)]
    regions = read_uem(str(uem), [], strict=True) if uem else {}
    return [Cells(recording) for recording in pair(sides[0].keys_with_turns(), sides[0], sides[1], regions)]


def total(sums: Iterable[S]) -> S:
    """Add sums up."""
    return reduce(add, sums)


def close(first: object, second: object) -> bool:
    """Tell whether two sums, or two rates, agree to rounding."""
    if isinstance(first, float | int) and isinstance(second, float | int):
        return isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)
    slots = getattr(first, "__slots__", ())
    if not slots:
        return first == second
    return type(first) is type(second) and all(close(getattr(first, s), getattr(second, s)) for s in slots)


# Random recordings


@st.composite
def turns(draw: st.DrawFn, names: str = "ABC", *, min_size: int = 0) -> list[tuple[float, float, str]]:
    """Draw the turns of one side, which may overlap themselves."""
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, 60), st.integers(1, 20), st.sampled_from(names)), min_size=min_size, max_size=8
        )
    )
    return [(on * FRAME, (on + n) * FRAME, name) for on, n, name in spans]


REFS = turns("ABC", min_size=1)
SYSTEMS = turns("wxyz")
UEM = [(0.0, 10.0)]


# The slow twin: sets of speakers frame by frame


def frames(cells: Cells) -> list[tuple[frozenset[str], frozenset[str]]]:
    """List who is active in each scored frame."""
    found = []
    for on, off in cells.regions:
        for k in range(round(on / FRAME), round(off / FRAME)):
            middle = (k + 0.5) * FRAME
            refs, systems = (
                frozenset(name for a, b, name in side if a < middle < b) for side in (cells.ref, cells.system)
            )
            found.append((refs, systems))
    return found


def best_assignment(weights: Mapping[tuple[str, str], float], refs: Sequence[str], systems: Sequence[str]) -> float:
    """Try every one-to-one map; give the largest total."""
    free = [*systems, *[""] * len(refs)]
    return max(
        sum(weights.get(pair, 0.0) for pair in zip(refs, chosen, strict=True))
        for chosen in permutations(free, len(refs))
    )


def best_maps(weights: Mapping[tuple[str, str], float]) -> list[list[tuple[str, str]]]:
    """Try every one-to-one map; list the best ones, as sequences of pairs."""
    refs, systems = sorted({r for r, _ in weights}), sorted({s for _, s in weights})
    found: dict[tuple[tuple[str, str], ...], float] = {}
    for chosen in permutations([*systems, *[""] * len(refs)], len(refs)):
        pairs = tuple(pair for pair in zip(refs, chosen, strict=True) if pair in weights)
        found[pairs] = sum(weights[pair] for pair in pairs)
    best = max(found.values())
    return sorted(list(pairs) for pairs, value in found.items() if value > best - 1e-9)


def entropy(labels: Sequence[object]) -> float:
    """Give the entropy of labels, each with the same weight, in bits."""
    n = len(labels)
    return -sum(labels.count(label) / n * log2(labels.count(label) / n) for label in set(labels))
