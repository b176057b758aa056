"""Score one recording by a sweep over its boundaries, in plain Python.

This is the engine for small inputs, where loading a numeric library would take longer than scoring, and for
listings of single segments. `batch` does the same for large inputs with arrays; both add up the same numbers in
the same order, so they agree to the last bit.
"""

from __future__ import annotations

from itertools import pairwise

from mdeval.counts import Counts, RecordingScore, TypeTable
from mdeval.exactsort import exact_sort
from mdeval.mapping import map_speakers
from mdeval.recording import UNKNOWN_TYPE, turns_of
from mdeval.zones import EPSILON, NEAR, NOISE, eval_regions, scored_regions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mdeval.recording import Recording, Turn
    from mdeval.zones import Region

    Cut = tuple[float, float, int]  # onset, offset, who speaks (a bit per speaker)

__all__ = ["Cast", "crowds", "cut", "score_recording"]


class Cast:
    """The speakers of one recording, numbered: bit ``i`` of a set is reference speaker ``i``, the system's follow.

    Parameters
    ----------
    ref, system : sequence of (float, float, str)
        Turns of either side.
    """

    __slots__ = ("n_ref", "ref", "ref_bits", "sys")

    def __init__(self, ref: Sequence[Turn], system: Sequence[Turn]) -> None:
        self.ref = list(dict.fromkeys(name for _, _, name in ref))
        self.sys = list(dict.fromkeys(name for _, _, name in system))
        self.n_ref = len(self.ref)
        self.ref_bits = (1 << self.n_ref) - 1

    def split(self, who: int) -> tuple[list[str], list[str]]:
        """Name the reference and the system speakers of a set."""
        return (
            [name for i, name in enumerate(self.ref) if who >> i & 1],
            [name for i, name in enumerate(self.sys) if who >> (self.n_ref + i) & 1],
        )


def score_recording(
    recording: Recording, *, collar: float = 0.0, ignore_overlap: bool = False, keep_cuts: bool = False
) -> RecordingScore:
    """Score the system output of one recording.

    Parameters
    ----------
    recording : Recording
        The recording; its reference has at least one SPEAKER record.
    collar : float, default 0.0
        Half-width of the zone around each reference boundary that is not scored, in seconds, >= 0.
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.
    keep_cuts : bool, default False
        List the scored stretches too.

    Returns
    -------
    RecordingScore
        All statistics of md-eval's sections 10 and 11.
    """
    ref, system = turns_of(recording.reference), turns_of(recording.system)
    records = recording.zone_records()
    evaluated = eval_regions(recording.uem, records)
    scored = scored_regions(evaluated, records, collar=collar, ignore_overlap=ignore_overlap)
    cast = Cast(ref, system)
    eval_cuts = cut(evaluated, ref, system, cast)
    score_cuts = eval_cuts
    if scored != evaluated or keep_cuts:
        score_cuts = cut(scored, ref, system, cast, exact=keep_cuts)

    eval_speech, present, overlaps = _meetings(eval_cuts, cast)
    mapping = map_speakers(overlaps)
    times, tally = _times(score_cuts, cast, mapping)
    eval_time = 0.0
    for onset, offset in evaluated:
        eval_time += offset - onset
    words = (0, 0, 0, 0)
    if recording.words:
        words = (
            sum(_words_in(evaluated, recording.words)),
            *_word_errors(score_cuts, recording.words, cast, mapping),
        )
    types = _types(recording, cast, present)
    return RecordingScore(
        *recording.key,
        Counts((eval_time, eval_speech, *times), words),
        overlaps,
        mapping,
        _speaker_table(cast, present, types, mapping),
        _seconds_table(score_cuts, cast, types, times, tally),
        _self_overlaps(ref, "reference") + _self_overlaps(system, "system"),
        [(onset, offset, *cast.split(who)) for onset, offset, who in score_cuts] if keep_cuts else None,
    )


def _self_overlaps(turns: Sequence[Turn], side: str) -> list[tuple[str, str, float]]:
    """List where turns of one speaker overlap one another."""
    latest: dict[str, float] = {}
    found = []
    for onset, offset, name in sorted(turns):
        end = latest.get(name)
        if end is None or end <= onset + EPSILON:
            latest[name] = offset
        else:
            found.append((side, name, onset))
            if offset > end:
                latest[name] = offset
    return found


def cut(
    regions: Sequence[Region], ref: Sequence[Turn], system: Sequence[Turn], cast: Cast, *, exact: bool = False
) -> list[Cut]:
    """Cut regions at every boundary of every turn.

    Parameters
    ----------
    regions : sequence of (float, float)
        Regions in seconds, in time order.
    ref, system : sequence of (float, float, str)
        Turns of either side, each longer than 0 s.
    cast : Cast
        Numbers of the speakers.
    exact : bool, default False
        Take boundaries at most 1e-8 s apart in the very order md-eval does. It decides whether stretches shorter
        than that appear in a listing; no figure that is printed depends on it.

    Returns
    -------
    list of (float, float, int)
        Onset, offset and who speaks, in time order.

    Notes
    -----
    Ends at most 1e-8 s after a begin come before it. That is an order by time with begins set back by 1e-8 s.
    """
    times, codes = _boundaries(regions, ref, system, cast)
    order = _exact_order(times, codes) if exact else _order(times, codes)
    open_turns = [0] * (len(cast.ref) + len(cast.sys))
    cuts: list[Cut] = []
    is_open = False
    who, mark = 0, 0.0
    for i in order:
        time, code = times[i], codes[i]
        if is_open and time > mark:
            cuts.append((mark, time, who))
            mark = time
        if code < 0:
            is_open = code == -1
            if is_open:
                mark = time
        else:
            speaker = code >> 1
            count = open_turns[speaker] + (1 if code & 1 else -1)
            open_turns[speaker] = count
            if count:  # below zero, too: a turn of less than 1e-8 s ends before it begins
                who |= 1 << speaker
            else:
                who ^= 1 << speaker
    return cuts


def _boundaries(
    regions: Sequence[Region], ref: Sequence[Turn], system: Sequence[Turn], cast: Cast
) -> tuple[list[float], list[int]]:
    """List when something begins or ends, and what."""
    times: list[float] = []
    codes: list[int] = []  # -2 a region ends, -1 one begins; else twice the speaker's number, plus 1 for a begin
    for onset, offset in regions:
        if offset > onset + EPSILON:
            times += (onset, offset)
            codes += (-1, -2)
    for turns, names, first in ((ref, cast.ref, 0), (system, cast.sys, cast.n_ref)):
        number = {name: 2 * (first + i) for i, name in enumerate(names)}
        for onset, offset, name in turns:
            code = number[name]
            times += (onset, offset)
            codes += (code + 1, code)
    return times, codes


def crowds(recording: Recording, *, collar: float, ignore_overlap: bool) -> Iterator[tuple[str, float, bool]]:
    """List every boundary after which more than one turn of a speaker is open, as md-eval warns about them.

    Parameters
    ----------
    recording : Recording
        The recording.
    collar : float
        Half-width of the zone around each reference boundary that is not scored, in seconds.
    ignore_overlap : bool
        Score only where at most one reference turn is open.

    Yields
    ------
    (str, float, bool)
        Speaker, time, and whether a turn begins there; first over the evaluated regions, then over the scored ones.
    """
    ref, system = turns_of(recording.reference), turns_of(recording.system)
    records = recording.zone_records()
    evaluated = eval_regions(recording.uem, records)
    scored = scored_regions(evaluated, records, collar=collar, ignore_overlap=ignore_overlap)
    cast = Cast(ref, system)
    names = cast.ref + cast.sys
    for regions in (evaluated, scored):
        times, codes = _boundaries(regions, ref, system, cast)
        open_turns = [0] * len(names)
        for i in _exact_order(times, codes):
            code = codes[i]
            if code >= 0:
                begins = bool(code & 1)
                open_turns[code >> 1] += 1 if begins else -1
                if open_turns[code >> 1] > 1:
                    yield names[code >> 1], times[i], begins


def _order(times: Sequence[float], codes: Sequence[int]) -> list[int]:
    if any(NOISE < b - a <= NEAR for a, b in pairwise(sorted(times))):
        return _exact_order(times, codes)
    keys = [t + EPSILON if code & 1 else t for t, code in zip(times, codes, strict=True)]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _exact_order(times: Sequence[float], codes: Sequence[int]) -> list[int]:
    def compare(x: int, y: int) -> int:
        if abs(times[x] - times[y]) > EPSILON:
            return -1 if times[x] < times[y] else 1
        return 1 if codes[x] & 1 else -1

    return exact_sort(list(range(len(times))), compare)


def _meetings(cuts: Sequence[Cut], cast: Cast) -> tuple[float, int, dict[tuple[str, str], float]]:
    """Sum the speech of the reference, note who speaks at all, and for how long each pair of speakers meets."""
    ref_bits = cast.ref_bits
    speech = 0.0
    present = 0
    pairs: dict[int, list[tuple[str, str]]] = {}
    overlaps: dict[tuple[str, str], float] = {}
    for onset, offset, who in cuts:
        if who:
            present |= who
            duration = offset - onset
            if who & ref_bits:
                speech += duration
            meeting = pairs.get(who)
            if meeting is None:
                refs, systems = cast.split(who)
                meeting = pairs[who] = [(r, s) for r in refs for s in systems]
            for pair in meeting:
                overlaps[pair] = overlaps.get(pair, 0.0) + duration
    return speech, present, overlaps


def _heads(cast: Cast, mapping: Mapping[str, str], who: int) -> tuple[int, int, int]:
    """Count reference speakers, system speakers and mapped pairs of a set."""
    refs, systems = cast.split(who)
    return len(refs), len(systems), sum(mapping.get(r) in systems for r in refs)


def _times(
    cuts: Sequence[Cut], cast: Cast, mapping: Mapping[str, str]
) -> tuple[tuple[float, ...], tuple[float, float]]:
    """Sum the scored times; beside them the system speaker time and the time of matched heads."""
    heads: dict[int, tuple[int, int, int]] = {}
    scored = speech = missed_speech = false_speech = 0.0
    speaker = missed = false_alarm = error = 0.0
    system = matched = 0.0
    for onset, offset, who in cuts:
        duration = offset - onset
        scored += duration
        if not who:
            continue
        counts = heads.get(who)
        if counts is None:
            counts = heads[who] = _heads(cast, mapping, who)
        n, m, k = counts
        both = min(m, n)
        if n:
            speech += duration
            speaker += duration * n
            if not m:
                missed_speech += duration
        else:
            false_speech += duration
        if n > m:
            missed += duration * (n - m)
        elif m > n:
            false_alarm += duration * (m - n)
        if both:
            matched += duration * both
            if both > k:
                error += duration * (both - k)
        system += duration * m
    return (
        (scored, speech, missed_speech, false_speech, speaker, missed, false_alarm, error),
        (system, matched),
    )


def _words_in(intervals: Sequence[tuple[float, float]], middles: Sequence[float]) -> list[int]:
    """Count the words in each interval; one on a common boundary belongs to the earlier one."""
    counts = []
    at, n = 0, len(middles)
    for onset, offset in intervals:
        while at < n and middles[at] < onset:
            at += 1
        first = at
        while at < n and middles[at] <= offset:
            at += 1
        counts.append(at - first)
    return counts


def _word_errors(
    cuts: Sequence[Cut], middles: Sequence[float], cast: Cast, mapping: Mapping[str, str]
) -> tuple[int, int, int]:
    """Count the scored words, those in missed speech and those not given to the right speakers."""
    scored = missed = wrong = 0
    for words, (_, _, who) in zip(_words_in([c[:2] for c in cuts], middles), cuts, strict=True):
        if words:
            n, m, k = _heads(cast, mapping, who)
            scored += words
            missed += words if m == 0 else 0
            wrong += 0 if n == m == k else words
    return scored, missed, wrong


def _types(recording: Recording, cast: Cast, present: int) -> list[str]:
    """Give the type of every speaker; a speaker never heard in the evaluated regions has the empty type."""
    known = [recording.ref_types.get(name, UNKNOWN_TYPE) for name in cast.ref]
    known += [recording.sys_types.get(name, UNKNOWN_TYPE) for name in cast.sys]
    return [name if present >> i & 1 else "" for i, name in enumerate(known)]


def _speaker_table(cast: Cast, present: int, types: Sequence[str], mapping: Mapping[str, str]) -> TypeTable:
    """Count speakers by type: mapped, missed, false alarms."""
    table = TypeTable()
    type_of_sys = dict(zip(cast.sys, types[cast.n_ref :], strict=True))
    for i, name in enumerate(cast.ref):
        if present >> i & 1:
            table.ref[types[i]] = table.ref.get(types[i], 0.0) + 1
            partner = mapping.get(name)
            table.add_cell(types[i], TypeTable.MISS if partner is None else type_of_sys[partner], 1)
    mapped = set(mapping.values())
    for i, name in enumerate(cast.sys, start=cast.n_ref):
        if present >> i & 1:
            table.sys[types[i]] = table.sys.get(types[i], 0.0) + 1
            if name not in mapped:
                table.add_cell(TypeTable.FALSE_ALARM, types[i], 1)
    return table


def _seconds_table(
    cuts: Sequence[Cut],
    cast: Cast,
    types: Sequence[str],
    times: tuple[float, ...],
    tally: tuple[float, float],
) -> TypeTable:
    """Sum scored time by speaker type. With one type on either side the sums are there already."""
    if len(set(types[: cast.n_ref])) <= 1 and len(set(types[cast.n_ref :])) <= 1:
        table = TypeTable()
        ref_type, sys_type = (types[0], types[-1]) if types else ("", "")
        _, _, _, _, speaker, missed, false_alarm, _ = times
        system, matched = tally
        if speaker:
            table.ref[ref_type] = speaker
            table.joint[ref_type, TypeTable.MISS] = missed
        if system:
            table.sys[sys_type] = system
            table.joint[TypeTable.FALSE_ALARM, sys_type] = false_alarm
        if matched:
            table.joint[ref_type, sys_type] = matched
        return table
    return _seconds_by_type(cuts, cast, types)


def _seconds_by_type(cuts: Sequence[Cut], cast: Cast, types: Sequence[str]) -> TypeTable:
    """Sum scored time by speaker type.

    Notes
    -----
    md-eval takes for MISS and FALSE ALARM not the number of all speakers of the other side but that of the type it
    looked at last; types are looked at in byte order here (Perl's order is random).
    """
    table = TypeTable()
    for onset, offset, who in cuts:
        duration = offset - onset
        ref_heads: dict[str, int] = {}
        sys_heads: dict[str, int] = {}
        for i, name in enumerate(types):
            if who >> i & 1:
                heads = ref_heads if i < cast.n_ref else sys_heads
                heads[name] = heads.get(name, 0) + 1
        last_ref = ref_heads[max(ref_heads)] if ref_heads else 0
        last_sys = sys_heads[max(sys_heads)] if sys_heads else 0
        for ref_type, n in sorted(ref_heads.items()):
            table.ref[ref_type] = table.ref.get(ref_type, 0.0) + n * duration
            for sys_type, m in sorted(sys_heads.items()):
                table.add_cell(ref_type, sys_type, min(n, m) * duration)
            table.add_cell(ref_type, TypeTable.MISS, max(n - last_sys, 0) * duration)
        for sys_type, m in sorted(sys_heads.items()):
            table.sys[sys_type] = table.sys.get(sys_type, 0.0) + m * duration
            table.add_cell(TypeTable.FALSE_ALARM, sys_type, max(m - last_ref, 0) * duration)
    return table
