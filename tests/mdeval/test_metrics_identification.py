"""DER and identification error from cells."""

from __future__ import annotations

import pytest
from hypothesis import given

from mdeval.metrics.identification import (
    Der,
    Identification,
    der,
    der_columns,
    identification,
    identification_columns,
)
from mdeval_metrics import (
    EXAMPLE_REF,
    EXAMPLE_SYS,
    EXAMPLE_UEM,
    FRAME,
    REFS,
    UEM,
    Turns,
    cells_of,
    example,
    frames,
    turns,
)


def test_the_der_of_the_running_example() -> None:
    # diarization-metrics.md section 8: md-eval, pyannote.metrics, spyder, simpleder, dscore
    found = der(example())
    assert found == Der(3.0, 1.0, 3.0, 30.0)
    assert der_columns(found) == {
        "der": 7 / 30,
        "scored_speaker_time": 30.0,
        "missed_speaker_time": 3.0,
        "falarm_speaker_time": 1.0,
        "speaker_error_time": 3.0,
    }


def test_an_optimal_map_not_a_greedy_one() -> None:
    # diarization-metrics.md example G: 0.55 (pyannote.metrics); greedy 0.70
    ref, system = [(0.0, 10.0, "A"), (10.0, 20.0, "B")], [(0.0, 6.0, "x"), (10.0, 15.0, "x"), (6.0, 10.0, "y")]
    cells = cells_of(ref, system, [(0.0, 20.0)])
    assert der(cells).rate == pytest.approx(0.55)
    assert der(cells, mapping={"A": "x"}).rate == pytest.approx(0.70)


def test_the_inferred_region() -> None:
    # diarization-metrics.md case U1: the extent of the reference
    ref, system = [(5.0, 10.0, "A"), (10.0, 20.0, "B")], [(0.0, 10.0, "x"), (10.0, 25.0, "y")]
    assert der(cells_of(ref, system)).rate == 0.0
    assert der(cells_of(ref, system, [(0.0, 25.0)])).rate == pytest.approx(0.6666667, abs=5e-8)


@pytest.mark.parametrize(("mapping", "rate"), [({"A": "x"}, 0.7333333), (None, 0.2666667)])
def test_the_map_is_found_before_the_collars(mapping: dict[str, str] | None, rate: float) -> None:
    # diarization-metrics.md case M1: NIST's rule with the map of the scorer, the other rule without
    ref = [(i, i + 0.6, "A") for i in map(float, range(20))] + [(30.0, 36.0, "B")]
    cells = cells_of(ref, [(on, off, "x") for on, off, _ in ref], collar=0.25)
    assert der(cells, mapping=mapping).rate == pytest.approx(rate, abs=5e-8)


def test_names_taken_as_they_are() -> None:
    # diarization-metrics.md section 7: pyannote.metrics
    names = {"x": "A", "y": "B", "z": "C"}
    found = identification(cells_of(EXAMPLE_REF, [(a, b, names[s]) for a, b, s in EXAMPLE_SYS], EXAMPLE_UEM))
    assert found == Identification(3.0, 1.0, 3.0, 24.0, 30.0, 28.0)
    assert identification_columns(found) == pytest.approx(
        {"ier": 0.2333333, "identification_precision": 0.8571429, "identification_recall": 0.8}, abs=5e-8, rel=0
    )


def test_names_that_differ_are_errors() -> None:
    found = identification(example())
    assert found.correct == 0.0
    assert found.rate == pytest.approx(31 / 30)


def test_nothing_to_divide_by() -> None:
    assert der(cells_of([], [(0.0, 1.0, "x")], UEM)).rate is None
    false_alarms, silence = (identification(cells_of([], system, UEM)) for system in ([(0.0, 1.0, "x")], []))
    assert (false_alarms.rate, false_alarms.precision, false_alarms.recall) == (1.0, 0.0, 1.0)
    assert (silence.rate, silence.precision, silence.recall) == (0.0, 1.0, 1.0)


@given(REFS, turns("ABx"))
def test_frames_give_the_same(ref: Turns, system: Turns) -> None:
    cells = cells_of(ref, system, UEM)
    found = frames(cells)
    parts = [
        sum(max(len(r) - len(s), 0) for r, s in found),
        sum(max(len(s) - len(r), 0) for r, s in found),
        sum(min(len(r), len(s)) - len(r & s) for r, s in found),
        sum(len(r & s) for r, s in found),
        sum(len(r) for r, _ in found),
        sum(len(s) for _, s in found),
    ]
    assert identification(cells) == Identification(*(FRAME * n for n in parts))
