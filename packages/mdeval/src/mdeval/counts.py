"""What scoring one recording gives: durations and counts that add up, from which every rate is taken.

A rate is computed once, from the sums; so the error of a corpus is weighted by time and never the mean of the
errors of its recordings.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Overlaps = dict[tuple[str, str], float]
    SelfOverlap = tuple[str, str, float]
    NamedCut = tuple[float, float, list[str], list[str]]

__all__ = ["FIELDS", "Counts", "RecordingScore", "TypeTable", "add_up"]

TIME_FIELDS = (
    "eval_time",
    "eval_speech",
    "scored_time",
    "scored_speech",
    "missed_speech",
    "falarm_speech",
    "scored_speaker_time",
    "missed_speaker_time",
    "falarm_speaker_time",
    "speaker_error_time",
)
WORD_FIELDS = ("eval_words", "scored_words", "missed_words", "speaker_error_words")
FIELDS = TIME_FIELDS + WORD_FIELDS


class Counts:
    """The statistics of md-eval's speaker diarization, for one recording or the sum of several.

    Parameters
    ----------
    times : sequence of float, length 10
        In the order of `TIME_FIELDS`, in seconds.
    words : sequence of int, length 4
        In the order of `WORD_FIELDS`.
    n_recordings : int, default 1
        Over how many recordings (file and channel) this is summed.

    Notes
    -----
    ``der = (missed_speaker_time + falarm_speaker_time + speaker_error_time) / scored_speaker_time``.
    Source: NIST Rich Transcription evaluation plan; md-eval version 22.
    """

    __slots__ = (*FIELDS, "n_recordings")

    eval_time: float
    eval_speech: float
    scored_time: float
    scored_speech: float
    missed_speech: float
    falarm_speech: float
    scored_speaker_time: float
    missed_speaker_time: float
    falarm_speaker_time: float
    speaker_error_time: float
    eval_words: int
    scored_words: int
    missed_words: int
    speaker_error_words: int
    n_recordings: int

    def __init__(self, times: Iterable[float], words: Iterable[int] = (0, 0, 0, 0), n_recordings: int = 1) -> None:
        for name, value in zip(FIELDS, (*times, *words), strict=True):
            setattr(self, name, value)
        self.n_recordings = n_recordings

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(
            (getattr(self, f) + getattr(other, f) for f in TIME_FIELDS),
            (getattr(self, f) + getattr(other, f) for f in WORD_FIELDS),
            self.n_recordings + other.n_recordings,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in self.__slots__)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, f) for f in self.__slots__))

    def __repr__(self) -> str:
        return "Counts(" + ", ".join(f"{f}={getattr(self, f)!r}" for f in self.__slots__) + ")"

    @property
    def error_time(self) -> float:
        """Missed, false alarm and speaker error time together, in seconds (the numerator of the DER)."""
        return self.missed_speaker_time + self.falarm_speaker_time + self.speaker_error_time

    @property
    def der(self) -> float | None:
        """Diarization error rate, a fraction >= 0 (it can exceed 1); None when no speaker time was scored."""
        return self.error_time / self.scored_speaker_time if self.scored_speaker_time else None

    def to_dict(self) -> dict[str, float | int | None]:
        """Give all statistics and the error rate by name, times in seconds."""
        row: dict[str, float | int | None] = {f: getattr(self, f) for f in FIELDS}
        row["der"] = self.der
        return row


class TypeTable:
    """A confusion table of speaker types (SPKR-INFO subtypes), in speakers or in seconds.

    Parameters
    ----------
    ref : dict of str to float
        Total per reference type.
    sys : dict of str to float
        Total per system type.
    joint : dict of (str, str) to float
        What fell into each cell. `MISS` stands for no system type, `FALSE_ALARM` for no reference type.
    """

    MISS = "  MISS"
    FALSE_ALARM = "  FALSE ALARM"

    __slots__ = ("joint", "ref", "sys")

    def __init__(
        self,
        ref: dict[str, float] | None = None,
        sys: dict[str, float] | None = None,
        joint: dict[tuple[str, str], float] | None = None,
    ) -> None:
        self.ref = {} if ref is None else ref
        self.sys = {} if sys is None else sys
        self.joint = {} if joint is None else joint

    def __add__(self, other: TypeTable) -> TypeTable:
        if not isinstance(other, TypeTable):
            return NotImplemented
        total = TypeTable(dict(self.ref), dict(self.sys), dict(self.joint))
        for mine, theirs in ((total.ref, other.ref), (total.sys, other.sys)):
            for name, value in theirs.items():
                mine[name] = mine.get(name, 0.0) + value
        for cell, value in other.joint.items():
            total.joint[cell] = total.joint.get(cell, 0.0) + value
        return total

    def add_cell(self, row: str, column: str, value: float) -> None:
        """Add to one cell."""
        cell = (row, column)
        self.joint[cell] = self.joint.get(cell, 0.0) + value


class RecordingScore:
    """What scoring one recording (a file's channel) gave.

    Parameters
    ----------
    file_id, channel : str
        Which recording.
    counts : Counts
        Its statistics.
    overlaps : dict of (str, str) to float, or a function that gives it
        Seconds shared, for each reference speaker and system speaker that meet in the evaluated regions.
    mapping : dict of str to str
        Reference speaker to system speaker, one to one.
    speakers, seconds : TypeTable
        The two confusion tables of speaker types.
    self_overlaps : sequence of SelfOverlap, default ()
        Where a speaker's turns overlap one another: side, speaker and the time from which they do.
    cuts : sequence of NamedCut or None, default None
        The scored stretches, when they were asked for: onset, offset, reference speakers, system speakers.
    """

    __slots__ = (
        "_overlaps", "channel", "counts", "cuts", "file_id", "mapping", "seconds", "self_overlaps", "speakers",
    )  # fmt: skip

    def __init__(
        self,
        file_id: str,
        channel: str,
        counts: Counts,
        overlaps: Overlaps | Callable[[], Overlaps],
        mapping: dict[str, str],
        speakers: TypeTable,
        seconds: TypeTable,
        self_overlaps: Sequence[SelfOverlap] = (),
        cuts: Sequence[NamedCut] | None = None,
    ) -> None:
        self.file_id = file_id
        self.channel = channel
        self.counts = counts
        self._overlaps = overlaps
        self.mapping = mapping
        self.speakers = speakers
        self.seconds = seconds
        self.self_overlaps = self_overlaps
        self.cuts = cuts

    @property
    def overlaps(self) -> Overlaps:
        """Seconds shared, for each reference speaker and system speaker that meet in the evaluated regions."""
        if callable(self._overlaps):
            self._overlaps = self._overlaps()
        return self._overlaps


def add_up(scores: Iterable[RecordingScore]) -> tuple[Counts, TypeTable, TypeTable]:
    """Sum the statistics and the two type tables of some recordings, in the order given.

    Parameters
    ----------
    scores : iterable of RecordingScore
        The recordings.

    Returns
    -------
    counts : Counts
        Summed statistics; all zero over no recordings without recordings.
    speakers, seconds : TypeTable
        Summed confusion tables.
    """
    times = [0.0] * len(TIME_FIELDS)
    words = [0] * len(WORD_FIELDS)
    n = 0
    speakers, seconds = TypeTable(), TypeTable()
    for score in scores:
        counts = score.counts
        times = [t + getattr(counts, f) for t, f in zip(times, TIME_FIELDS, strict=True)]
        words = [w + getattr(counts, f) for w, f in zip(words, WORD_FIELDS, strict=True)]
        n += counts.n_recordings
        speakers += score.speakers
        seconds += score.seconds
    return Counts(times, words, n), speakers, seconds
