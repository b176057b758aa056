"""What every metric beyond the DER is computed from: for how long each set of speakers was active.

The scored regions are cut at every boundary; a *cell* is a stretch in which the reference speakers and the system
speakers are constant. Metrics only need the total duration for each pair of sets, so they are exact: there is no
frame grid.
"""

from __future__ import annotations

from mdeval.recording import turns_of
from mdeval.sweep import Cast, cut
from mdeval.zones import eval_regions, scored_regions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mdeval.recording import Key, Recording, Turn
    from mdeval.zones import Region

__all__ = ["Cells"]


class Cells:
    """The scored regions of one recording, by who is active.

    Parameters
    ----------
    recording : Recording
        The recording.
    collar : float, default 0.0
        Half-width of the zone around each reference boundary that is not scored, in seconds, >= 0.
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.

    Attributes
    ----------
    key : (str, str)
        File and channel.
    regions : list of (float, float)
        The scored regions, in seconds, in time order.
    ref_names, sys_names : list of str
        The speakers of either side, each in order of appearance.
    ref, system : list of (float, float, str)
        Turns that last: onset, offset, speaker. Not cut to the regions.
    durations : dict of (frozenset of int, frozenset of int) to float
        Seconds for each pair of sets of active speakers, as positions in `ref_names` and `sys_names`; the empty set
        is non-speech.
    cuts : list of (float, float, frozenset of int, frozenset of int)
        Onset, offset and active speakers of every cell, in time order.
    """

    __slots__ = ("cuts", "durations", "key", "ref", "ref_names", "regions", "sys_names", "system")

    def __init__(self, recording: Recording, *, collar: float = 0.0, ignore_overlap: bool = False) -> None:
        self.key: Key = recording.key
        self.ref: list[Turn] = turns_of(recording.reference)
        self.system: list[Turn] = turns_of(recording.system)
        records = recording.zone_records()
        evaluated = eval_regions(recording.uem, records)
        self.regions: list[Region] = scored_regions(evaluated, records, collar=collar, ignore_overlap=ignore_overlap)
        cast = Cast(self.ref, self.system)
        self.ref_names, self.sys_names = cast.ref, cast.sys
        sets: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        self.durations: dict[tuple[frozenset[int], frozenset[int]], float] = {}
        self.cuts: list[tuple[float, float, frozenset[int], frozenset[int]]] = []
        for onset, offset, who in cut(self.regions, self.ref, self.system, cast):
            pair = sets.get(who)
            if pair is None:
                pair = sets[who] = (_positions(who & cast.ref_bits), _positions(who >> cast.n_ref))
            self.durations[pair] = self.durations.get(pair, 0.0) + (offset - onset)
            self.cuts.append((onset, offset, *pair))


def _positions(bits: int) -> frozenset[int]:
    return frozenset(i for i in range(bits.bit_length()) if bits >> i & 1)
