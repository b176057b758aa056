"""Speech activity detection: the worked example, empty sides, overlapped speech."""

from __future__ import annotations

import pytest
from hypothesis import given

from mdeval.metrics.detection import Detection, detection, detection_columns
from mdeval_metrics import FRAME, REFS, SYSTEMS, UEM, Turns, cells_of, example, frames


def test_the_running_example() -> None:
    # diarization-metrics.md section 2: pyannote.metrics
    found = detection(example())
    assert found == Detection(27.0, 1.0, 1.0, 3.0)
    assert detection_columns(found) == pytest.approx(
        {
            "detection_error_rate": 0.0714286,
            "detection_accuracy": 0.9375,
            "detection_precision": 0.9642857,
            "detection_recall": 0.9642857,
            "detection_f1": 0.9642857,
            "detection_cost": 0.0892857,
            "missed_speech": 1.0,
            "falarm_speech": 1.0,
        },
        abs=5e-8,
        rel=0,
    )


@pytest.mark.parametrize(
    ("sums", "error_rate", "precision", "recall", "f1", "cost"),
    [
        (Detection(0, 0, 0, 0), 0.0, 1.0, 1.0, 1.0, 0.0),
        (Detection(0, 0, 0, 5), 0.0, 1.0, 1.0, 1.0, 0.0),
        (Detection(0, 2, 0, 3), 1.0, 0.0, 1.0, 0.0, 0.1),  # no speech, but some was found
        (Detection(0, 0, 2, 3), 1.0, 1.0, 0.0, 0.0, 0.75),  # nothing found
        (Detection(2, 0, 0, 0), 0.0, 1.0, 1.0, 1.0, 0.0),
    ],
)
def test_zero_denominators(
    sums: Detection, error_rate: float, precision: float, recall: float, f1: float, cost: float
) -> None:
    # section 2: "numerator zero gives 0 for a rate of errors and 1 for precision or recall; otherwise 1"
    found = (sums.error_rate, sums.precision, sums.recall, sums.f1, sums.cost)
    assert found == pytest.approx((error_rate, precision, recall, f1, cost))
    assert Detection(0, 0, 0, 0).accuracy == 1.0


def test_overlapped_speech() -> None:
    # A and B overlap from 8 to 10, the system never does
    assert detection(example(), min_speakers=2) == Detection(0.0, 0.0, 2.0, 30.0)


@given(REFS, SYSTEMS)
def test_frames_count_the_same(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    counts = {(r, s): 0 for r in (False, True) for s in (False, True)}
    for refs, systems in frames(cells):
        counts[bool(refs), bool(systems)] += 1
    wanted = (counts[True, True], counts[False, True], counts[True, False], counts[False, False])
    assert detection(cells) == Detection(*(FRAME * n for n in wanted))
