"""The tests of two systems on one test set, of their counts and texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from measure_core.errors import CompareError
from measure_core.inputs.stream import is_regular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measure_core.recorded import RecordedRun

__all__ = ["TESTS", "Drawing", "Systems", "Test", "Unit", "tested"]

Test = Literal["bootstrap", "mapsswe", "mcnemar"]
TESTS: tuple[Test, ...] = ("bootstrap", "mapsswe", "mcnemar")

Unit = Literal["utterance", "speaker"]
"""What the bootstrap draws."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the bootstrap draws."""

    by: Unit | None
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class Systems:
    """Two systems: their runs, records, metrics, texts and counts."""

    where: str
    runs: Sequence[RecordedRun]
    records: Sequence[Mapping[str, Any]]
    metrics: Sequence[Any]
    data: Sequence[Mapping[str, Any]]
    counts: Sequence[Any]
    drawing: Drawing

    def rates(self) -> list[float]:
        """Give the main rate of both."""
        key = self.metrics[0].rate_keys[0]
        pairs = zip(self.metrics, self.counts, strict=True)
        return [float(metric.rates(metric.sums(counts).totals())[key].item()) for metric, counts in pairs]

    def speakers(self) -> list[str]:
        """Give the speaker of every utterance, as the runs that drew speakers found them."""
        from measure_core.statistics import speakers

        labels: list[list[str]] = []
        for run, record in zip(self.runs, self.records, strict=True):
            wanted = record["identity"]["statistics"]
            if wanted.get("by") != "speaker":
                continue
            table = wanted.get("utt2spk")
            if table is not None:
                if not is_regular(Path(table)):
                    raise CompareError(f"{os.path.abspath(table)}, the utt2spk of {run.path}, is no file")
                if "utt2spk_sha256" in wanted:
                    run.check_file(Path(table), wanted["utt2spk_sha256"], self.where)
            labels.append(speakers(self.data[0]["utt_id"], separator=wanted.get("separator", "-"), utt2spk=table))
        if len(labels) > 1 and labels[0] != labels[1]:
            raise CompareError("the runs do not have the same speakers (separator, utt2spk)")
        return labels[0] if labels else speakers(self.data[0]["utt_id"])


def _bootstrap(systems: Systems, notes: list[str]) -> tuple[dict[str, Any], float | None]:
    from measure_core.statistics import paired_bootstrap, sum_by_unit

    by = systems.drawing.by or _common_unit(systems, notes)
    metric = systems.metrics[0]
    a, b = (one.sums(counts).columns for one, counts in zip(systems.metrics, systems.counts, strict=True))
    if by == "speaker":
        labels = systems.speakers()
        a, b = sum_by_unit(a, labels), sum_by_unit(b, labels)
    n_units = len(next(iter(a.values())))
    draws, seed = systems.drawing.draws, systems.drawing.seed
    found = paired_bootstrap(a, b, metric.rates, metric.rate_keys[0], draws=draws, seed=seed)
    return {**asdict(found), "by": by, "units": n_units}, None


def _common_unit(systems: Systems, notes: list[str]) -> str:
    """Find what both runs drew for their intervals."""
    a, b = (str(record["identity"]["statistics"].get("by", "utterance")) for record in systems.records)
    if a != b:
        notes.append(f"statistics are by {a} in A and by {b} in B: the bootstrap draws utterances; --by chooses")
    return a if a == b else "utterance"


def _mapsswe(systems: Systems, notes: list[str]) -> tuple[dict[str, Any], float | None]:
    del notes
    from measure_core.statistics import mapsswe

    metric, other = systems.metrics
    if not hasattr(metric, "tokenise") or not hasattr(other, "tokenise"):
        raise CompareError("MAPSSWE is about aligned tokens")
    if metric.signature != other.signature:
        raise CompareError(
            "MAPSSWE takes both systems against one reference, and the metrics do not make the same of it"
        )
    refs = metric.tokenise(systems.data[0][metric.ref_key])
    a, b = (one.tokenise(data[one.hyp_key]) for one, data in zip(systems.metrics, systems.data, strict=True))
    found = mapsswe(refs, a, b, alignment=metric.alignment)
    return asdict(found), found.p_value


def _mcnemar(systems: Systems, notes: list[str]) -> tuple[dict[str, Any], float | None]:
    del notes
    from measure_core.statistics import mcnemar

    a, b = (_errors(metric, counts) for metric, counts in zip(systems.metrics, systems.counts, strict=True))
    found = mcnemar(a, b)
    return asdict(found), found.p_value


def _errors(metric: Any, counts: Any) -> Any:
    """Give the errors of every utterance, or whether it is wrong."""
    if hasattr(metric, "errors"):
        return metric.errors(counts)
    if "equal" in counts.columns:
        return 1 - counts.columns["equal"]
    raise CompareError("McNemar is about utterances without an error")


_Run = Callable[[Systems, list[str]], tuple[dict[str, Any], float | None]]
_RUNS: dict[Test, _Run] = {
    "bootstrap": _bootstrap,
    "mapsswe": _mapsswe,
    "mcnemar": _mcnemar,
}


def tested(test: Test, systems: Systems, notes: list[str]) -> tuple[dict[str, Any], float | None]:
    """Make one of the tests.

    Parameters
    ----------
    test : {"bootstrap", "mapsswe", "mcnemar"}
        Which.
    systems : Systems
        Two systems under one metric on one test set.
    notes : list of str
        Gets what the reader should know.

    Returns
    -------
    outcome : dict
        What the test gave.
    p_value : float or None
        Two-sided; None for an interval only.

    Raises
    ------
    MeasureError
        If the test cannot be done with this metric.
    """
    return _RUNS[test](systems, notes)
