"""Two or more systems on the same recordings: which is better on what, and is it more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mdeval.errors import UsageError
from mdeval.statistics import PairedTest, paired_test

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PARTS", "Comparison", "Row", "Run", "compare", "run_from_document"]

PARTS = {
    "der": ("missed_speaker_time", "falarm_speaker_time", "speaker_error_time"),
    "missed": ("missed_speaker_time",),
    "false_alarm": ("falarm_speaker_time",),
    "confusion": ("speaker_error_time",),
}
"""What is compared: rates of the scored speaker time, and the times whose sum they divide."""

_SCHEMA = "1."
_ROUNDING = 1e-12
_MOST_SECONDS = 1e15


@dataclass(frozen=True, slots=True)
class Run:
    """What one system scored.

    Parameters
    ----------
    name : str
        The system.
    signature : str
        What its scores were computed with.
    recordings : dict of (str, str) to dict of str to float
        The statistics of every recording, by file and channel.
    """

    name: str
    signature: str
    recordings: dict[tuple[str, str], dict[str, float]]

    def sums(self, part: str, keys: Sequence[tuple[str, str]]) -> tuple[list[float], list[float]]:
        """Give numerators and denominators of a rate for some recordings."""
        rows = [self.recordings[key] for key in keys]
        return [sum(row[f] for f in PARTS[part]) for row in rows], [row["scored_speaker_time"] for row in rows]

    def rate(self, part: str, keys: Sequence[tuple[str, str]]) -> float | None:
        """Give a pooled rate; None if no speaker time is scored."""
        tops, wholes = self.sums(part, keys)
        return sum(tops) / sum(wholes) if sum(wholes) else None


@dataclass(frozen=True, slots=True)
class Row:
    """One rate of a system against that of the first one.

    Parameters
    ----------
    part : str
        Which rate, a key of `PARTS`.
    first, other : float
        The pooled rates, fractions.
    test : PairedTest
        Their difference, with interval and p-value.
    better : str or None
        Name of the system that is better beyond chance: the interval of the difference leaves out 0, and the p-value
        is below what the level leaves over.
    """

    part: str
    first: float
    other: float
    test: PairedTest
    better: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system against the first one.

    Parameters
    ----------
    first, other : str
        The systems.
    signature : str
        What both were scored with.
    rows : tuple of Row
        The error rate and its parts.
    per_recording : dict of (str, str) to (float or None, float or None)
        The error rates of every recording.
    """

    first: str
    other: str
    signature: str
    rows: tuple[Row, ...]
    per_recording: dict[tuple[str, str], tuple[float | None, float | None]]


def run_from_document(document: Mapping[str, Any], name: str) -> Run:
    """Take a system's scores from what ``mdeval --json`` prints.

    Parameters
    ----------
    document : mapping
        The JSON document.
    name : str
        What to call the system.

    Returns
    -------
    Run
        Its scores.

    Raises
    ------
    UsageError
        If the document is something else.
    """
    try:
        schema = document["schema_version"]
        if not str(schema).startswith(_SCHEMA):
            raise UsageError(f"{name}: schema version {schema}; this mdeval reads {_SCHEMA}x")
        signature, rows = str(document["signature"]), list(document["recordings"])
        recordings = {}
        for row in rows:
            key = (str(row["file"]), str(row["channel"]))
            if key in recordings:
                raise UsageError(f"{name}: recording {key[0]} (channel {key[1]}) stands there twice")
            recordings[key] = {field: float(row[field]) for field in ("scored_speaker_time", *PARTS["der"])}
    except (KeyError, TypeError, OverflowError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        missing = f" ({error.args[0]} is missing)" if isinstance(error, KeyError) else ""
        raise UsageError(f"{name}: no result of mdeval --json{missing}; give a file that it wrote") from error
    for (file_id, channel), values in recordings.items():
        for field, value in values.items():
            if not 0 <= value < _MOST_SECONDS:
                raise UsageError(f"{name}: {field} of {file_id} (channel {channel}) is {value:g}; it must be seconds")
    return Run(name, signature, recordings)


def compare(
    runs: Sequence[Run], *, force: bool = False, level: float = 0.95, samples: int = 1000, seed: int = 0
) -> list[Comparison]:
    """Compare systems with the first one.

    Parameters
    ----------
    runs : sequence of Run
        Two or more systems.
    force : bool, default False
        Compare even if they were not scored alike.
    level, samples, seed
        Of the bootstrap: coverage, number of resamples, seed.

    Returns
    -------
    list of Comparison
        One for every system but the first.

    Raises
    ------
    UsageError
        If there are fewer than two systems, the signatures or the recordings differ, or no time is scored.
    """
    if len(runs) < 2:
        raise UsageError("a comparison needs two systems or more")
    first = runs[0]
    for other in runs[1:]:
        if other.signature != first.signature and not force:
            raise UsageError(
                f"{first.name} and {other.name} were not scored alike, so their rates cannot be compared:\n"
                f"  {first.signature}\n  {other.signature}\nscore both with the same choices, or use --force"
            )
        lonely = sorted(first.recordings.keys() ^ other.recordings.keys())
        if lonely:
            raise UsageError(
                f"{first.name} and {other.name} do not have the same recordings; only one has"
                f" {', '.join(file_id for file_id, _ in lonely[:5])}"
            )
    return [_compare(first, other, level=level, samples=samples, seed=seed) for other in runs[1:]]


def _compare(first: Run, other: Run, *, level: float, samples: int, seed: int) -> Comparison:
    keys = sorted(first.recordings)
    rows = []
    for part in PARTS:
        top_a, whole_a = first.sums(part, keys)
        top_b, whole_b = other.sums(part, keys)
        test = paired_test((top_a, top_b), (whole_a, whole_b), level=level, samples=samples, seed=seed)
        better = None
        if test.p_value + _ROUNDING < 1 - level and test.interval.low * test.interval.high > 0:
            better = other.name if test.difference < 0 else first.name
        rows.append(Row(part, sum(top_a) / sum(whole_a), sum(top_b) / sum(whole_b), test, better))
    each = {key: (first.rate("der", [key]), other.rate("der", [key])) for key in keys}
    return Comparison(first.name, other.name, first.signature, tuple(rows), each)
