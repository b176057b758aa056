"""`mdeval.score`: one call from files, tables or rows to a result that a notebook shows well."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mdeval.counts import FIELDS, Counts, RecordingScore, add_up
from mdeval.errors import UndefinedScoreError, UsageError
from mdeval.inputs import sides_from, uem_from_any
from mdeval.scoring import check_collar, score_sides
from mdeval.signature import signature, uem_source
from mdeval.tables import as_document

if TYPE_CHECKING:
    import polars as pl

    from mdeval.inputs import RegionsLike, TurnsLike
    from mdeval.recording import Key, Uem
    from mdeval.side import Side
    from mdeval.statistics import Interval

__all__ = ["DiarizationResult", "score"]


@dataclass(frozen=True, slots=True, repr=False)
class DiarizationResult:
    """The diarization error rate of some recordings, and what it is made of.

    Parameters
    ----------
    recordings : tuple of RecordingScore
        The score of every recording, in byte order of file and channel.
    signature : str
        Every choice that changes the number.
    collar : float
        Half-width of the collar, in seconds.
    ignore_overlap : bool
        Whether overlapped reference speech was left out.
    uem : str
        Where the evaluated regions came from: ``file``, ``inferred`` or ``file+inferred``.

    Examples
    --------
    >>> import mdeval
    >>> result = mdeval.score([(0.0, 10.0, "A"), (10.0, 15.0, "B")], [(0.5, 9.5, "x"), (9.5, 15.5, "y")])
    >>> round(result.der, 4)
    0.0667
    >>> result.mapping
    {('recording', '1'): {'A': 'x', 'B': 'y'}}
    """

    recordings: tuple[RecordingScore, ...]
    signature: str
    collar: float
    ignore_overlap: bool
    uem: str

    @property
    def components(self) -> Counts:
        """All statistics, summed over the recordings; times in seconds."""
        return add_up(self.recordings)[0]

    @property
    def der(self) -> float:
        """The diarization error rate over all recordings, a fraction >= 0.

        Raises
        ------
        UndefinedScoreError
            If no speaker time is scored.
        """
        rate = self.components.der
        if rate is None:
            raise UndefinedScoreError("no speaker time is scored, so the error rate is undefined")
        return rate

    @property
    def per_file(self) -> dict[Key, Counts]:
        """The statistics of every recording, by file and channel."""
        return {(s.file_id, s.channel): s.counts for s in self.recordings}

    @property
    def mapping(self) -> dict[Key, dict[str, str]]:
        """Reference speaker to system speaker, for every recording."""
        return {(s.file_id, s.channel): dict(sorted(s.mapping.items())) for s in self.recordings}

    def confidence(self, *, level: float = 0.95, samples: int = 1000, seed: int = 0) -> Interval:
        """Give the bootstrap confidence interval of the error rate, over recordings.

        Parameters
        ----------
        level : float, default 0.95
            Nominal coverage, between 0 and 1.
        samples : int, default 1000
            Number of resamples.
        seed : int, default 0
            Seed of the draws.

        Returns
        -------
        Interval
            Fractions.
        """
        from mdeval.statistics import bootstrap

        counts = [s.counts for s in self.recordings]
        return bootstrap(
            [c.error_time for c in counts],
            [c.scored_speaker_time for c in counts],
            level=level,
            samples=samples,
            seed=seed,
        )

    def to_dict(self) -> dict[str, Any]:
        """Give what ``mdeval --json`` prints: signature, overall, recordings."""
        return as_document(
            self.recordings,
            self.signature,
            collar=self.collar,
            ignore_overlap=self.ignore_overlap,
            uem=self.uem,
        )

    def to_polars(self) -> pl.DataFrame:
        """Give a table with a row for every recording (needs ``mdeval[polars]``)."""
        try:
            import polars as pl
        except ModuleNotFoundError as error:
            raise UsageError("to_polars() needs polars; install it with: pip install 'mdeval[polars]'") from error
        columns: dict[str, list[Any]] = {
            "file": [s.file_id for s in self.recordings],
            "channel": [s.channel for s in self.recordings],
        }
        for field in FIELDS:
            columns[field] = [getattr(s.counts, field) for s in self.recordings]
        columns["der"] = [s.counts.der for s in self.recordings]
        return pl.DataFrame(columns)

    def __add__(self, other: DiarizationResult) -> DiarizationResult:
        if not isinstance(other, DiarizationResult):
            return NotImplemented
        if self.signature != other.signature:
            raise UsageError(f"results with different signatures do not add up: {self.signature} and {other.signature}")
        both = self.per_file.keys() & other.per_file.keys()
        if both:
            raise UsageError(f"both results hold recording {min(both)}; a recording counts once")
        merged = sorted((*self.recordings, *other.recordings), key=lambda s: (s.file_id, s.channel))
        return DiarizationResult(tuple(merged), self.signature, self.collar, self.ignore_overlap, self.uem)

    def __repr__(self) -> str:
        counts = self.components
        n = len(self.recordings)
        if counts.der is None:
            return f"DiarizationResult(DER undefined, {n} recordings, {self.signature})"
        whole = counts.scored_speaker_time
        parts = ", ".join(
            f"{name} {100 * value / whole:.2f}%"
            for name, value in (
                ("missed", counts.missed_speaker_time),
                ("false alarm", counts.falarm_speaker_time),
                ("confusion", counts.speaker_error_time),
            )
        )
        return f"DiarizationResult(DER {100 * counts.der:.2f}%: {parts}; {n} recordings, {self.signature})"


def score(
    reference: TurnsLike,
    system: TurnsLike,
    uem: RegionsLike = None,
    collar: float = 0.0,
    ignore_overlap: bool = False,
) -> DiarizationResult:
    """Score a system's diarization against a reference, as NIST md-eval 22 does.

    Parameters
    ----------
    reference, system : path, sequence of paths, RttmTable, mapping or iterable of rows
        The turns of either side: RTTM files (a directory means every ``.rttm`` in it), a `speechio.RttmTable`, what
        `mdeval.load_rttm` gives, columns by name (``onset``, ``duration`` or ``offset``, ``speaker``, and perhaps
        ``file`` and ``channel``; a data frame will do), or rows ``(onset, offset, speaker)`` of one recording. In
        seconds.
    uem : path, UemTable, mapping or iterable of rows, optional
        Regions to evaluate: a UEM file, a `speechio.UemTable`, what `mdeval.load_uem` gives, or rows ``(start, end)``
        for the one recording. Without it, the extent of each reference recording.
    collar : float, default 0.0
        Half-width, in seconds, of the zone around each reference boundary that is not scored: the zone is
        ``2 * collar`` wide (pyannote's collar is the whole width).
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.

    Returns
    -------
    DiarizationResult
        The error rate, its parts, the speaker map, every recording by itself.

    Raises
    ------
    UsageError
        If an argument makes no sense.
    InputError, speechio.SpeechioError
        If a file cannot be read or is wrong.

    Notes
    -----
    Recordings that only the reference has count as missed; those that only the system has are not scored. Source:
    NIST md-eval version 22.
    """
    check_collar(collar)
    ref, sys_ = sides_from(reference, system)
    return score_sides_as_result(ref, sys_, uem_from_any(uem), collar, ignore_overlap=ignore_overlap)


def score_sides_as_result(
    ref: Side, sys_: Side, regions: Uem | None, collar: float, *, ignore_overlap: bool
) -> DiarizationResult:
    """Score two sides that have been read; see `score`."""
    keys = ref.keys_with_turns()
    if regions is not None and regions.keys().isdisjoint(keys):
        names = ", ".join(sorted({file_id for file_id, _ in keys})[:5])
        raise UsageError(f"the regions (uem) are of no recording of the reference; it has {names or 'none'}")
    system_keys = sys_.keys_with_turns()
    if keys and system_keys and set(keys).isdisjoint(system_keys):
        warnings.warn(
            "reference and system have no recording in common: all speech counts as missed", UserWarning, stacklevel=3
        )
    scores = score_sides(keys, ref, sys_, regions, collar=collar, ignore_overlap=ignore_overlap)
    where = uem_source(scores, regions)
    stamp = signature("der", collar=collar, ignore_overlap=ignore_overlap, uem=where)
    return DiarizationResult(tuple(scores), stamp, collar, ignore_overlap, where)
