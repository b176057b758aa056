"""What the caller of a run may choose, beside what the configuration says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measure_core.inputs.align import OnMismatch

__all__ = ["NonFinite", "Options"]

NonFinite = Literal["null", "error", "literal"]
"""What is written for a number that is not finite."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of a run may choose.

    Parameters
    ----------
    test_sets : sequence of str, optional
        Only these; those of the configuration by default.
    metrics : sequence of str, optional
        Only those with these keys, names or short names.
    on_mismatch : {"error", "intersect", "empty"}, default "error"
        What to do when files do not have the same IDs.
    allow_targets : sequence of str, optional
        Targets that may be built whatever they are.
    espnet3_names : bool, default True
        Whether ESPnet3's module paths give our base classes where ESPnet3 has none.
    per_utterance : bool, default False
        Write tables of utterances for every metric that can.
    keep_going : bool, default False
        Go on with the other metrics after one has failed.
    resume : bool, default False
        Take over results whose signature, configuration and inputs have not changed.
    jobs : int, default 1
        Processes.
    engine : {"local", "dask"}, default "local"
        Where they run.
    scheduler : str, optional
        ``HOST:PORT`` of a Dask scheduler.
    limit : int, optional
        Only this many utterances of each test set.
    """

    test_sets: Sequence[str] = ()
    metrics: Sequence[str] = ()
    on_mismatch: OnMismatch = "error"
    allow_targets: Sequence[str] = ()
    espnet3_names: bool = True
    per_utterance: bool = False
    keep_going: bool = False
    resume: bool = False
    jobs: int = 1
    engine: Literal["local", "dask"] = "local"
    scheduler: str | None = None
    limit: int | None = None
