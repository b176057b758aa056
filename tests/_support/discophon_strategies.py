"""Random units and gold phones that fit each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from discophon_twin import Phones, Units

LABELS = ("a", "b", "t͡s", "SIL", "ŋ")


@dataclass(frozen=True)
class Corpus:
    """Units and gold phones of the same files."""

    units: Units
    phones: Phones
    n_units: int
    n_phonemes: int
    repeats: int

    @property
    def options(self) -> dict[str, Any]:
        return {"n_units": self.n_units, "n_phonemes": self.n_phonemes, "step_units": 10 * self.repeats}


@st.composite
def corpora(draw: st.DrawFn, *, square: bool = False) -> Corpus:
    """Few labels and units, so that ties are frequent; lengths differ by up to one unit."""
    repeats = draw(st.integers(1, 3))
    n_phonemes = draw(st.integers(len(LABELS) - 1, 6))
    n_units = n_phonemes + 1 if square else draw(st.integers(1, 7))
    units: Units = {}
    phones: Phones = {}
    for number in range(draw(st.integers(1, 4))):
        file = f"f{number}"
        units[file] = draw(st.lists(st.integers(0, n_units - 1), min_size=1, max_size=12))
        length = len(units[file]) * repeats
        wanted = draw(st.integers(max(1, length - repeats), length + repeats))
        phones[file] = draw(st.lists(st.sampled_from(LABELS), min_size=wanted, max_size=wanted))
    if draw(st.booleans()):
        units = dict(reversed(units.items()))
    return Corpus(units, phones, n_units, n_phonemes, repeats)
