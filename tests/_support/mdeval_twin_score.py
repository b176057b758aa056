"""Slow twin of md-eval, part 4: from records to statistics (sections 4 and 6 to 11 of `md-eval.md`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mdeval_twin_match import match_speakers
from mdeval_twin_sort import perl_sort

if TYPE_CHECKING:
    from collections.abc import Callable

    from mdeval_twin_read import Place, Pool, Record, Region

EPSILON = 1e-8
NONLEX_EXTENSION = 0.5
MISS = "MISS"
FALSE_ALARM = "FALSE ALARM"
SPANNING = ["SEGMENT", "SPEAKER", "SU", "EDIT", "FILLER", "IP", "CB", "A/P", "LEXEME", "NON-LEX"]

TIMES = ["eval_time", "eval_speech", "scored_time", "scored_speech", "missed_speech", "falarm_speech"]
SPEAKER_TIMES = ["scored_speaker_time", "missed_speaker_time", "falarm_speaker_time", "speaker_error_time"]
WORDS = ["eval_words", "scored_words", "missed_words", "speaker_error_words"]
STATISTICS = TIMES + SPEAKER_TIMES + WORDS

Zone = tuple[float, float | None]  # the end of a zone that never closes is None


@dataclass
class Event:
    """A begin or an end of something, at a time."""

    time: float
    is_begin: bool
    what: str  # "word", "boundary", "dead"; "zone", "region"; "ref", "sys"
    speaker: str = ""
    text: str = ""


@dataclass
class Segment:
    """A stretch of scored time with constant sets of speakers."""

    begin: float
    end: float
    ref: list[str]
    sys: list[str]

    @property
    def duration(self) -> float:
        return self.end - self.begin


@dataclass
class Matrix:
    """Speaker type confusion: totals per type and joint cells, in seconds or counts."""

    ref: dict[str, float] = field(default_factory=dict)
    sys: dict[str, float] = field(default_factory=dict)
    joint: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, other: Matrix) -> None:
        for name, value in other.ref.items():
            self.ref[name] = self.ref.get(name, 0.0) + value
        for name, value in other.sys.items():
            self.sys[name] = self.sys.get(name, 0.0) + value
        for cell, value in other.joint.items():
            self.joint[cell] = self.joint.get(cell, 0.0) + value


@dataclass
class Score:
    """Statistics of one recording (one file and channel) or of several added up."""

    stats: dict[str, float]
    counts: Matrix = field(default_factory=Matrix)
    seconds: Matrix = field(default_factory=Matrix)
    eval_regions: list[Region] = field(default_factory=list)
    score_regions: list[Region] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    overlaps: dict[tuple[str, str], float] = field(default_factory=dict)
    mapping: dict[str, str] = field(default_factory=dict)

    def add(self, other: Score) -> None:
        for name in STATISTICS:
            self.stats[name] += other.stats[name]
        self.counts.add(other.counts)
        self.seconds.add(other.seconds)


def compare_plain(x: Event, y: Event) -> int:
    if x.time != y.time:
        return -1 if x.time < y.time else 1
    return 1 if x.is_begin else 0


def compare_collar(x: Event, y: Event) -> int:
    if x.time != y.time:
        return -1 if x.time < y.time else 1
    return 0 if x.is_begin else 1


def compare_segment(x: Event, y: Event) -> int:
    if abs(x.time - y.time) > EPSILON:
        return -1 if x.time < y.time else 1
    return 1 if x.is_begin else -1


def infer_regions(ref: list[Record]) -> list[Region]:
    """Give the region of a recording without UEM entry: the span of its reference records."""
    spanning = [record for record in ref if record.kind in SPANNING]
    return [(min(record.begin for record in spanning), max([0.0] + [record.end for record in spanning]))]


def build_zones(ref: list[Record], kinds: list[str], extension: float) -> list[Zone]:
    """Build the no-score zones around the records of the excluded kinds (6.1)."""
    ext = max(extension, EPSILON)
    events: list[Event] = []
    for record in ref:
        if record.duration > 0:
            what = {"LEXEME": "word", "SPEAKER": "boundary"}.get(record.kind, "dead")
            if what != "dead" or record.kind in kinds:
                events.append(Event(record.begin, True, what))
                events.append(Event(record.end, False, what))
    zones: list[Zone] = []
    opened: float | None = None
    words = dead = 0
    word_end = dead_end = boundary = 0.0
    for event in perl_sort(events, compare_plain):
        t = event.time
        change = 1 if event.is_begin else -1
        if event.what == "word":
            words += change
            if words == 0 and change < 0:
                word_end = t
        elif event.what == "dead":
            dead += change
            if dead == 0 and change < 0:
                dead_end = t
        else:
            boundary = t
        if opened is None:
            if event.what == "dead" and dead > 0:
                opened = t if words > 0 else max(word_end, boundary, t - ext)
        elif dead == 0 and (words > 0 or event.what == "boundary"):
            zones.append((opened, min(dead_end + ext, t)))
            opened = None
        elif dead == 1 and event.what == "dead" and event.is_begin and t > dead_end + 2 * ext:
            zones.append((opened, dead_end + ext))
            opened = t - ext
    if opened is not None:
        zones.append((opened, None))
    return zones


def remove_zones(regions: list[Region], zones: list[Zone]) -> list[Region]:
    """Take the zones out of the regions, with md-eval's ways at coincident events (6.2)."""
    events: list[Event] = []
    for zone_begin, zone_end in zones:
        events.append(Event(zone_begin, True, "zone"))
        if zone_end is not None:
            events.append(Event(zone_end, False, "zone"))
    for begin, end in regions:
        if end > begin:
            events.append(Event(begin, True, "region"))
            events.append(Event(end, False, "region"))
    out: list[Region] = []
    open_regions = open_zones = 0
    on = False
    mark = 0.0
    for event in perl_sort(events, compare_plain):
        t = event.time
        change = 1 if event.is_begin else -1
        if event.what == "zone":
            open_zones += change
        else:
            open_regions += change
        if on and (open_regions == 0 or open_zones > 0) and t > mark:
            out.append((mark, t))
            on = False
        elif open_regions > 0 and open_zones == 0:
            mark = t
            on = True
    return out


def remove_collars(regions: list[Region], ref: list[Record], collar: float) -> list[Region]:
    """Take `collar` seconds on each side of every reference speaker boundary out of the regions (7)."""
    events: list[Event] = []  # "begin" stands for a step up here
    for begin, end in regions:
        events.append(Event(begin, True, "region"))
        events.append(Event(end, False, "region"))
    for record in ref:
        if record.kind == "SPEAKER":
            for t in (record.begin, record.end):
                events.append(Event(t - collar, False, "zone"))
                events.append(Event(t + collar, True, "zone"))
    out: list[Region] = []
    count = 0
    mark = 0.0
    for event in perl_sort(events, compare_collar):
        if event.is_begin:
            count += 1
            if count == 1:
                mark = event.time
        else:
            count -= 1
            if count == 0 and event.time > mark:
                out.append((mark, event.time))
    return out


def overlap_zones(ref: list[Record]) -> list[Zone]:
    """Find where two or more reference SPEAKER records are open (8)."""
    events: list[Event] = []
    for record in ref:
        if record.kind == "SPEAKER" and record.duration > 0:
            events.append(Event(record.begin, True, "boundary"))
            events.append(Event(record.end, False, "boundary"))
    zones: list[Zone] = []
    count = 0
    opened = 0.0
    for event in perl_sort(events, compare_plain):
        if event.is_begin:
            count += 1
            if count == 2:
                opened = event.time
        else:
            count -= 1
            if count == 1:
                zones.append((opened, event.time))
    return zones


def build_segments(
    regions: list[Region], ref: list[Record], sys: list[Record], warn: Callable[[str], None]
) -> list[Segment]:
    """Cut the regions at every boundary and tell who speaks in each piece (9)."""
    events: list[Event] = []
    for begin, end in regions:
        if end > begin + EPSILON:
            events.append(Event(begin, True, "region"))
            events.append(Event(end, False, "region"))
    for side, records in (("ref", ref), ("sys", sys)):
        for record in records:
            if record.kind == "SPEAKER" and record.duration > 0:
                events.append(Event(record.begin, True, side, record.speaker, record.begin_text))
                events.append(Event(record.end, False, side, record.speaker, f"{record.end:.15g}"))
    speaking: dict[str, dict[str, int]] = {"ref": {}, "sys": {}}
    segments: list[Segment] = []
    evaluating = False
    mark = 0.0
    for event in perl_sort(events, compare_segment):
        if evaluating and event.time > mark:
            now_ref = sorted(name for name, count in speaking["ref"].items() if count != 0)
            now_sys = sorted(name for name, count in speaking["sys"].items() if count != 0)
            segments.append(Segment(mark, event.time, now_ref, now_sys))
            mark = event.time
        if event.what == "region":
            evaluating = event.is_begin
            if event.is_begin:
                mark = event.time
            continue
        counts = speaking[event.what]
        counts[event.speaker] = counts.get(event.speaker, 0) + (1 if event.is_begin else -1)
        if counts[event.speaker] > 1:
            warn(f"WARNING:  speaker {event.speaker} speaking more than once at time {event.text}\n")
    return segments


def words_in(words: list[Record], intervals: list[Region]) -> list[int]:
    """Count the words of each interval in one pass over the words (5)."""
    counts: list[int] = []
    i = 0
    for begin, end in intervals:
        while i < len(words) and words[i].mid < begin:
            i += 1
        count = 0
        while i < len(words) and words[i].mid <= end:
            count += 1
            i += 1
        counts.append(count)
    return counts


def score_recording(
    ref: list[Record],
    sys: list[Record],
    regions: list[Region] | None,
    collar: float,
    one: bool,
    ref_types: dict[str, str],
    sys_types: dict[str, str],
    warn: Callable[[str], None],
) -> Score:
    """Score one file and channel.

    Parameters
    ----------
    ref, sys : list of Record
        All reference and system records, sorted by their middle.
    regions : list of (begin, end) or None
        UEM regions; None to infer them from the reference.
    collar : float
        Seconds left out on each side of a reference speaker boundary.
    one : bool
        Leave out where more than one reference record is open (`-1`).
    ref_types, sys_types : dict of str to str
        Type of each speaker.
    warn : callable
        Takes each warning, a line with its line end.
    """
    if regions is None:
        regions = infer_regions(ref)
    evaluated = remove_zones(regions, build_zones(ref, ["NOSCORE"], 0.0))
    scored = remove_collars(evaluated, ref, collar) if collar > 0 else evaluated
    scored = remove_zones(scored, build_zones(ref, ["NOSCORE", "NON-LEX"], 0.0))
    scored = remove_zones(scored, build_zones(ref, ["NON-LEX"], NONLEX_EXTENSION))
    if one:
        scored = remove_zones(scored, overlap_zones(ref))
    eval_segments = build_segments(evaluated, ref, sys, warn)
    score_segments = build_segments(scored, ref, sys, warn)

    overlaps: dict[tuple[str, str], float] = {}
    for segment in eval_segments:
        for r in segment.ref:
            for s in segment.sys:
                overlaps[r, s] = overlaps.get((r, s), 0.0) + segment.duration
    mapping = match_speakers(overlaps)

    stats = dict.fromkeys(STATISTICS, 0.0)
    for name in WORDS:
        stats[name] = EPSILON
    words = [record for record in ref if record.kind == "LEXEME"]
    for begin, end in evaluated:
        stats["eval_time"] += end - begin
    for count in words_in(words, evaluated):
        stats["eval_words"] += count
    for segment in eval_segments:
        if segment.ref:
            stats["eval_speech"] += segment.duration
    word_counts = words_in(words, [(segment.begin, segment.end) for segment in score_segments])
    for segment, count in zip(score_segments, word_counts, strict=True):
        add_segment(stats, segment, count, mapping)
    heard_ref = {name: ref_types.get(name, "unknown") for segment in eval_segments for name in segment.ref}
    heard_sys = {name: sys_types.get(name, "unknown") for segment in eval_segments for name in segment.sys}
    return Score(
        stats=stats,
        counts=count_matrix(heard_ref, heard_sys, mapping),
        seconds=time_matrix(score_segments, heard_ref, heard_sys),
        eval_regions=evaluated,
        score_regions=scored,
        segments=score_segments,
        overlaps=overlaps,
        mapping=mapping,
    )


def add_segment(stats: dict[str, float], segment: Segment, words: int, mapping: dict[str, str]) -> None:
    """Add one scored segment to the statistics (11)."""
    dur = segment.duration
    n = len(segment.ref)
    m = len(segment.sys)
    k = 0
    for r in segment.ref:
        if mapping.get(r) in segment.sys:
            k += 1
    stats["scored_time"] += dur
    stats["scored_words"] += words
    if n > 0:
        stats["scored_speech"] += dur
    if n > 0 and m == 0:
        stats["missed_speech"] += dur
    if n == 0 and m > 0:
        stats["falarm_speech"] += dur
    if m == 0:
        stats["missed_words"] += words
    stats["scored_speaker_time"] += dur * n
    stats["missed_speaker_time"] += dur * max(n - m, 0)
    stats["falarm_speaker_time"] += dur * max(m - n, 0)
    stats["speaker_error_time"] += dur * (min(n, m) - k)
    if not (n == m == k):
        stats["speaker_error_words"] += words


def count_matrix(ref_types: dict[str, str], sys_types: dict[str, str], mapping: dict[str, str]) -> Matrix:
    """Build the speaker weighted type matrix from the speakers heard in the evaluated segments (11.1)."""
    out = Matrix()
    for name in sorted(ref_types):
        kind = ref_types[name]
        other = sys_types[mapping[name]] if name in mapping else MISS
        out.add(Matrix({kind: 1.0}, {}, {(kind, other): 1.0}))
    for name in sorted(sys_types):
        kind = sys_types[name]
        out.add(Matrix({}, {kind: 1.0}))
        if name not in mapping.values():
            out.add(Matrix({}, {}, {(FALSE_ALARM, kind): 1.0}))
    return out


def time_matrix(segments: list[Segment], ref_types: dict[str, str], sys_types: dict[str, str]) -> Matrix:
    """Build the time weighted type matrix from the scored segments, types in byte order (11.1)."""
    out = Matrix()
    for segment in segments:
        dur = segment.duration
        a: dict[str, int] = {}
        b: dict[str, int] = {}
        for name in segment.ref:
            kind = ref_types.get(name, "")
            a[kind] = a.get(kind, 0) + 1
        for name in segment.sys:
            kind = sys_types.get(name, "")
            b[kind] = b.get(kind, 0) + 1
        last_a = a[max(a)] if a else 0
        last_b = b[max(b)] if b else 0
        for t in sorted(a):
            out.add(Matrix({t: a[t] * dur}, {}, {(t, MISS): max(a[t] - last_b, 0) * dur}))
            for v in sorted(b):
                out.add(Matrix({}, {}, {(t, v): min(a[t], b[v]) * dur}))
        for v in sorted(b):
            out.add(Matrix({}, {v: b[v] * dur}, {(FALSE_ALARM, v): max(b[v] - last_a, 0) * dur}))
    return out


def places_to_score(ref: Pool) -> list[Place]:
    """List the files and channels with a reference SPEAKER record, in byte order."""
    places: list[Place] = []
    for place in sorted(ref.records):
        if any(record.kind == "SPEAKER" for record in ref.records[place]):
            places.append(place)
    return places


def score_place(
    place: Place,
    ref: Pool,
    sys: Pool,
    uem: dict[Place, list[Region]],
    collar: float,
    one: bool,
    warn: Callable[[str], None],
) -> Score:
    """Score one file and channel of two pools."""
    return score_recording(
        ref.records[place],
        sys.records.get(place, []),
        uem.get(place),
        collar,
        one,
        {speaker: kind for (file, channel, speaker), kind in ref.types.items() if (file, channel) == place},
        {speaker: kind for (file, channel, speaker), kind in sys.types.items() if (file, channel) == place},
        warn,
    )
