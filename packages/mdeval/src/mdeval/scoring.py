"""Diarization scoring: the function that scripts know, and the one that scores whole files.

Two engines do the work and give the same numbers: `sweep` (plain Python, nothing to load) for small inputs and
`batch` (numpy) for large ones.
"""

from __future__ import annotations

from mdeval.errors import UsageError
from mdeval.pool import pair
from mdeval.recording import Recording, record
from mdeval.sweep import score_recording
from mdeval.zones import SPEAKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from mdeval.counts import RecordingScore
    from mdeval.recording import Key
    from mdeval.side import Side
    from mdeval.utils import Segment
    from mdeval.zones import Region

__all__ = ["check_collar", "score_sides", "score_speaker_diarization"]

_STATISTICS = {
    "EVAL_TIME": "eval_time",
    "EVAL_SPEECH": "eval_speech",
    "SCORED_TIME": "scored_time",
    "SCORED_SPEECH": "scored_speech",
    "MISSED_SPEECH": "missed_speech",
    "FALARM_SPEECH": "falarm_speech",
    "SCORED_SPEAKER": "scored_speaker_time",
    "MISSED_SPEAKER": "missed_speaker_time",
    "FALARM_SPEAKER": "falarm_speaker_time",
    "SPEAKER_ERROR": "speaker_error_time",
}


def score_speaker_diarization(
    file: str,
    chnl: str,
    ref: Mapping[str, Iterable[Mapping[str, Any]]],
    sys: Mapping[str, Iterable[Mapping[str, Any]]],
    uem: Sequence[Segment] | Sequence[Region] | None,
    collar: float = 0.0,
    ignore_overlap: bool = False,
) -> tuple[dict[str, float], dict[str, str]]:
    """Score the diarization of one recording as md-eval 22 does.

    Parameters
    ----------
    file, chnl : str
        Which recording; they do not change the score.
    ref, sys : mapping of str to iterable of mapping
        The turns of each speaker, of the reference and of the system output: mappings with ``TBEG`` and ``TDUR``, in
        seconds.
    uem : sequence of Segment, or None
        Regions to evaluate, in seconds; None or empty to take the extent of the reference.
    collar : float, default 0.0
        Half-width, in seconds, of the zone around each reference boundary that is not scored: the zone is
        ``2 * collar`` wide.
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.

    Returns
    -------
    stats : dict of str to float
        ``EVAL_TIME, EVAL_SPEECH, SCORED_TIME, SCORED_SPEECH, MISSED_SPEECH, FALARM_SPEECH, SCORED_SPEAKER,
        MISSED_SPEAKER, FALARM_SPEAKER, SPEAKER_ERROR``, in seconds.
    mapping : dict of str to str
        Reference speaker to system speaker.

    Raises
    ------
    UsageError
        If `collar` is negative or not finite, a time is not finite, a duration is negative, or regions overlap.

    Notes
    -----
    Source: NIST md-eval version 22. The speaker map maximises the shared time over the evaluated regions, before
    collars and overlap are taken out.

    Examples
    --------
    >>> stats, mapping = score_speaker_diarization(
    ...     "f", "1", {"A": [{"TBEG": 0.0, "TDUR": 10.0}]}, {"x": [{"TBEG": 0.0, "TDUR": 8.0}]}, None
    ... )
    >>> stats["MISSED_SPEAKER"], mapping
    (2.0, {'A': 'x'})
    """
    check_collar(collar)
    regions = sorted((float(begin), float(end)) for begin, end in uem or ())
    _check_regions(regions)
    recording = Recording((file, chnl), _records(ref), _records(sys), regions or None)
    score = score_recording(recording, collar=collar, ignore_overlap=ignore_overlap)
    return {name: getattr(score.counts, field) for name, field in _STATISTICS.items()}, score.mapping


def check_collar(collar: float) -> None:
    """Refuse a collar that is negative or not finite.

    Parameters
    ----------
    collar : float
        In seconds.

    Raises
    ------
    UsageError
        If it cannot be used.
    """
    number: object = collar  # users give what they like
    if not isinstance(number, int | float) or not 0 <= collar < float("inf"):
        raise UsageError(f"collar is {collar!r}; it must be a finite number of seconds, 0 or more")


def _records(turns: Mapping[str, Iterable[Mapping[str, Any]]]) -> list[tuple[float, float, float, str, str]]:
    records = []
    for speaker, items in turns.items():
        for item in items:
            onset, duration = float(item["TBEG"]), float(item["TDUR"])
            if not (abs(onset) < float("inf") and 0 <= duration < float("inf")):
                raise UsageError(
                    f"turn of speaker {speaker} at {onset!r} s lasts {duration!r} s; times must be finite and"
                    " durations must not be negative"
                )
            records.append(record(onset, duration, SPEAKER, speaker))
    return records


def _check_regions(regions: Sequence[Region]) -> None:
    end_before = float("-inf")
    for begin, end in regions:
        if not (float("-inf") < begin < end < float("inf")):
            raise UsageError(f"UEM region {begin!r} to {end!r}: it must be finite and end after it begins")
        if begin < end_before:
            raise UsageError(f"UEM regions overlap at {begin!r} s; make them one or separate them")
        end_before = end


def score_sides(
    keys: Sequence[Key],
    reference: Side,
    system: Side,
    uem: Mapping[Key, Sequence[Region]] | None = None,
    *,
    collar: float = 0.0,
    ignore_overlap: bool = False,
    keep_cuts: bool = False,
    jobs: int = 1,
) -> list[RecordingScore]:
    """Score recordings of two sides that were read from files.

    Parameters
    ----------
    keys : sequence of (str, str)
        The recordings to score, in byte order; the reference has a SPEAKER record for each.
    reference, system : Side
        Either side, both read as small or both as large.
    uem : mapping of (str, str) to sequence of (float, float), optional
        Regions to evaluate; a recording without any gets them from its reference.
    collar : float, default 0.0
        Half-width of the zone around each reference boundary that is not scored, in seconds, >= 0.
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.
    keep_cuts : bool, default False
        List the scored stretches too (small inputs only).
    jobs : int, default 1
        Number of threads, for large inputs.

    Returns
    -------
    list of RecordingScore
        In the order of `keys`.
    """
    check_collar(collar)
    if reference.builder is not None:
        from mdeval.large import score_tables

        return score_tables(keys, reference, system, uem or {}, collar=collar, ignore_overlap=ignore_overlap, jobs=jobs)
    return [
        score_recording(recording, collar=collar, ignore_overlap=ignore_overlap, keep_cuts=keep_cuts)
        for recording in pair(keys, reference, system, uem or {})
    ]
