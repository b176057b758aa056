"""Compute the metrics of ``--metrics`` over all recordings of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.cells import Cells
from mdeval.errors import InputError, UsageError
from mdeval.metrics import METRICS, Der, add_up, compute, compute_words, parse_metrics, read_words
from mdeval.recording import UEM_KINDS
from mdeval.sources import is_read_once
from mdeval.zones import uem_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mdeval.counts import RecordingScore
    from mdeval.metrics import Aggregate, Edges, Sums, Word
    from mdeval.recording import Key, Recording

__all__ = ["Choices", "Figures", "run_metrics"]

_EDGES: dict[str, Edges] = {"end": "end", "both": "both"}
_AGGREGATES: dict[str, Aggregate] = {"block": "block", "mean": "mean"}


@dataclass(frozen=True, slots=True)
class Choices:
    """What to compute, and how.

    Parameters
    ----------
    names : tuple of str
        Metrics.
    tolerance : float, default 0.25
        Largest distance of matched boundaries, in seconds.
    edges : {"end", "both"}, default "end"
        Which times are boundaries.
    aggregate : {"block", "mean"}, default "block"
        How label tables of several recordings become one.
    """

    names: tuple[str, ...]
    tolerance: float = 0.25
    edges: Edges = "end"
    aggregate: Aggregate = "block"

    def signature(self) -> str:
        """Write the fields that the metrics add to a signature."""
        return f"|tolerance:{self.tolerance:g}|edges:{self.edges}|aggregate:{self.aggregate}|extent:both"

    @classmethod
    def of(cls, text: str, *, has_words: bool, tolerance: float, edges: str, aggregate: str) -> Choices:
        """Read the choices as users write them; ``all`` leaves out what needs words when there are none."""
        names = parse_metrics(text)
        if edges not in _EDGES:
            raise UsageError(f"--edges {edges}: it is end or both")
        if aggregate not in _AGGREGATES:
            raise UsageError(f"--aggregate {aggregate}: it is block or mean")
        if "all" in map(str.strip, text.split(",")) and not has_words:
            names = [name for name in names if not METRICS[name].needs_words]
        return cls(tuple(names), tolerance, _EDGES[edges], _AGGREGATES[aggregate])


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run, by column name; None where one is undefined.

    Parameters
    ----------
    overall : dict of str to float, int or None
        Over all recordings.
    per_recording : dict of (str, str) to dict
        Of every recording. Figures of words stand under channel ``*``, for words are not kept apart by channel.
    """

    overall: dict[str, float | int | None]
    per_recording: dict[Key, dict[str, float | int | None]]


def run_metrics(
    recordings: Iterable[Recording],
    scores: Sequence[RecordingScore],
    choices: Choices,
    *,
    collar: float,
    ignore_overlap: bool,
    word_paths: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> Figures:
    """Compute all metrics asked for.

    Parameters
    ----------
    recordings : iterable of Recording
        The recordings.
    scores : sequence of RecordingScore
        Their scores, in the same order.
    choices : Choices
        What to compute.
    collar : float
        Half-width of the zone around each reference boundary that is not scored, in seconds.
    ignore_overlap : bool
        Score only where at most one reference turn is open.
    word_paths : (sequence of str, sequence of str)
        Files with the words of either side, for metrics that need them.

    Returns
    -------
    Figures
        Overall and of every recording.

    Raises
    ------
    InputError
        If a metric needs words and the reference has none.
    """
    from_cells = [name for name in choices.names if not METRICS[name].needs_words]
    from_words = [name for name in choices.names if METRICS[name].needs_words]
    sums: dict[Key, dict[str, Sums]] = {}
    if from_cells:
        others = [name for name in from_cells if name != "der"]
        for recording, score in zip(recordings, scores, strict=True):
            mine = sums[recording.key] = {}
            if "der" in from_cells:  # md-eval's, not computed a second time
                c = score.counts
                mine["der"] = Der(
                    missed=c.missed_speaker_time,
                    false_alarm=c.falarm_speaker_time,
                    confusion=c.speaker_error_time,
                    total=c.scored_speaker_time,
                )
            if others:
                _widen(recording)
                cells = Cells(recording, collar=collar, ignore_overlap=ignore_overlap)
                mine |= compute(cells, others, tolerance=choices.tolerance, edges=choices.edges)
    if from_words:
        for file_id, found in _word_sums(word_paths, from_words).items():
            sums[file_id, "*"] = found
    total = add_up(sums.values())
    return Figures(_columns(total, choices), {key: _columns(found, choices) for key, found in sums.items()})


def _widen(recording: Recording) -> None:
    """Let a region that was inferred span the system output as well: time invented outside the reference counts."""
    if recording.inferred:
        spans = [(r[1], r[2]) for r in recording.reference if r[3] in UEM_KINDS]
        recording.uem = uem_from([*spans, *((r[1], r[2]) for r in recording.system)])


def _columns(sums: dict[str, Sums], choices: Choices) -> dict[str, float | int | None]:
    columns: dict[str, float | int | None] = {}
    for name in choices.names:
        if name in sums:
            metric = METRICS[name]
            by_labels = name in ("bcubed", "nmi", "mi", "gk_tau")
            found = metric.columns(sums[name], aggregate=choices.aggregate) if by_labels else metric.columns(sums[name])
            columns |= found
    return columns


def _word_sums(paths: tuple[Sequence[str], Sequence[str]], names: Sequence[str]) -> dict[str, dict[str, Sums]]:
    reference, system = (_words(side) for side in paths)
    if not any(reference.values()):
        where = ", ".join(paths[0]) or "the reference"
        raise InputError(
            f"{where}: no words, which {' and '.join(names)} need; give LEXEME records, or SegLST JSON with --ref-words"
            " and --sys-words"
        )
    return {file_id: compute_words(words, system.get(file_id, []), names) for file_id, words in reference.items()}


def _words(paths: Sequence[str]) -> dict[str, list[Word]]:
    words: dict[str, list[Word]] = {}
    for path in paths:
        if is_read_once(path):
            raise UsageError(f"{path}: words are read after the turns, and this can be read only once; give a file")
        for file_id, some in read_words(path).items():
            words.setdefault(file_id, []).extend(some)
    return words
