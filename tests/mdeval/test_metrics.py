"""The registry: names, options, sums that add up; and all metrics at once on real data."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given

from mdeval.errors import UsageError
from mdeval.metrics import METRICS, Jer, Metric, Wder, add_up, compute, compute_words, parse_metrics
from mdeval.recording import Recording, record
from mdeval.sweep import score_recording
from mdeval_metrics import DATA, REFS, SYSTEMS, UEM, Turns, cells_of, cells_of_files, close, example

NAMES = (
    "der jer detection purity_coverage bcubed nmi mi homogeneity_completeness gk_tau boundary segmentation ier"
    " speaker_count cpwer wder"
).split()
FROM_CELLS = [name for name in NAMES if name not in ("cpwer", "wder")]
PERFECT_IS_ZERO = {
    "der",
    "jer",
    "detection_error_rate",
    "detection_cost",
    "ier",
    "entropy_ref_given_sys",
    "entropy_sys_given_ref",
    "speaker_count_error",
    "speaker_count_difference",
    "missed_speech",
    "falarm_speech",
    "missed_speaker_time",
    "falarm_speaker_time",
    "speaker_error_time",
}
# Overlapped time enters the matrix of pairs once for every pair; short gaps are filled in the reference only
NOT_ALWAYS_ONE = {"homogeneity", "completeness", "v_measure", "segmentation_coverage", "segmentation_f1"}
UNBOUNDED = {"der", "ier", "detection_error_rate", "mutual_information", "speaker_count_error", "scored_speaker_time"}

# Workload S of diarization-metrics.md section 11. pyannote.metrics 4.2.0, simpleder 0.0.8: tools/golden/peers_mdeval.py
PEERS_ON_S = {
    "jer": 0.1525968,
    "purity": 0.9285151,
    "coverage": 0.9083547,
    "homogeneity": 0.3360134,
    "completeness": 0.3382612,
    "detection_error_rate": 0.0256585,
    "detection_accuracy": 0.9807482,
    "detection_precision": 0.9915560,
    "detection_recall": 0.9827101,
    "detection_cost": 0.0192543,
    "boundary_precision": 0.932,
    "boundary_recall": 0.8996139,
    "segmentation_purity": 0.9479421,
    "segmentation_coverage": 0.9537367,
    "speaker_count_error": 0.0,
    "speaker_count_accuracy": 1.0,
    # cell sums evaluated apart from this package, printed in section 11
    "bcubed_precision": 0.8272645,
    "bcubed_recall": 0.8317477,
    "bcubed_f1": 0.8295000,
    "gk_tau_ref_to_sys": 0.7906317,
    "gk_tau_sys_to_ref": 0.7853233,
    "entropy_ref_given_sys": 0.6118729,
    "entropy_sys_given_ref": 0.5693797,
    "mutual_information": 2.1198120,
    "nmi": 0.7821160,
}
# dscore counts 10 ms frames
DSCORE_ON_S = {
    "bcubed_precision": 0.827092,
    "bcubed_recall": 0.831675,
    "bcubed_f1": 0.829377,
    "gk_tau_ref_to_sys": 0.790539,
    "gk_tau_sys_to_ref": 0.785117,
    "entropy_ref_given_sys": 0.612479,
    "entropy_sys_given_ref": 0.569480,
    "mutual_information": 2.119524,
    "nmi": 0.781991,
}


def figures_of_s() -> dict[str, float | int | None]:
    folder = DATA / "ES2004a"
    (cells,) = cells_of_files(folder / "ref.rttm", folder / "sys.rttm", folder / "all.uem")
    sums = compute(cells, FROM_CELLS)
    return {key: value for name in FROM_CELLS for key, value in METRICS[name].columns(sums[name]).items()}


def test_the_peers_figures_on_a_meeting() -> None:
    found = figures_of_s()
    assert {name: found[name] for name in PEERS_ON_S} == pytest.approx(PEERS_ON_S, abs=1e-7, rel=0)


def test_the_figures_of_dscore_on_a_meeting() -> None:
    found = figures_of_s()
    assert {name: found[name] for name in DSCORE_ON_S} == pytest.approx(DSCORE_ON_S, abs=6.1e-4, rel=0)
    assert found["jer"] == pytest.approx(0.1526912, abs=1e-4, rel=0)


# Names


def test_the_names_are_those_of_the_documentation() -> None:
    assert list(METRICS) == NAMES
    assert all(metric.name == name for name, metric in METRICS.items())
    assert [name for name, metric in METRICS.items() if metric.needs_words] == ["cpwer", "wder"]


@pytest.mark.parametrize("metric", METRICS.values(), ids=NAMES)
def test_a_description_is_one_short_line(metric: Metric) -> None:
    assert "\n" not in metric.description
    assert 10 < len(metric.description) < 80


@pytest.mark.parametrize(
    ("text", "names"),
    [("jer", ["jer"]), (" jer, der,jer,", ["jer", "der"]), ("all", NAMES), ("jer,all", NAMES)],
)
def test_lists_of_names(text: str, names: list[str]) -> None:
    assert parse_metrics(text) == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bcube", r"unknown metric 'bcube'; did you mean bcubed\?"),
        ("purity-coverage", "did you mean purity_coverage"),
        ("DER", "did you mean der"),
        ("all,xyzzy", "unknown metric 'xyzzy'; choose from der, jer, "),
        ("", "no metric is named; choose from der, jer, .*, or all"),
        (" , ", "no metric is named"),
    ],
)
def test_names_that_are_not_known(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_metrics(text)


def test_a_metric_on_words_is_not_computed_from_turns() -> None:
    with pytest.raises(UsageError, match="metric wder is computed from words"):
        compute(example(), ["der", "wder"])
    with pytest.raises(UsageError, match="metric der is computed from turns"):
        compute_words([], [], ["der"])
    with pytest.raises(UsageError, match="unknown metric 'derr'; did you mean der"):
        compute(example(), ["derr"])


def test_words_are_computed_by_name() -> None:
    found = compute_words([(0.0, "A", "hi")], [(0.0, "x", "hi")], ["wder", "cpwer"])
    assert list(found) == ["wder", "cpwer"]
    assert found["wder"] == Wder(0, 1)


# Options and sums


def test_results_come_in_the_order_asked_for_and_share_sums() -> None:
    found = compute(example(), ["nmi", "der", "bcubed"])
    assert list(found) == ["nmi", "der", "bcubed"]
    assert found["nmi"] is found["bcubed"]


def test_options_reach_their_metric() -> None:
    names = ["jer", "boundary", "segmentation", "der"]
    plain = compute(example(), names)
    other = compute(example(), names, min_duration=9.0, tolerance=1.0, edges="both", max_gap=3.0, mapping={})
    assert all(plain[name] != other[name] for name in names if name != "segmentation")
    assert METRICS["der"].columns(other["der"])["speaker_error_time"] == 27.0


def test_no_recordings_have_no_sums() -> None:
    assert add_up([]) == {}


def test_sums_of_different_metrics_do_not_add() -> None:
    with pytest.raises(TypeError):
        Jer(0.0, 1, 1.0) + Wder(0, 1)  # type: ignore[operator]


def test_sums_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Jer(0.0, 1, 1.0).n_speakers = 2  # type: ignore[misc]


def test_recordings_add_up() -> None:
    one, two = (compute(example(collar=c), FROM_CELLS) for c in (0.0, 0.25))
    both = add_up([one, two])
    for name in FROM_CELLS:
        for f in fields(both[name]):
            first, second = getattr(one[name], f.name), getattr(two[name], f.name)
            assert getattr(both[name], f.name) == first + second


# Properties of all metrics


def rates(ref: Turns, system: Turns) -> dict[str, float | int | None]:
    sums = compute(cells_of(ref, system, UEM), FROM_CELLS)
    return {key: value for name in FROM_CELLS for key, value in METRICS[name].columns(sums[name]).items()}


def is_rate(name: str) -> bool:
    return (
        name not in UNBOUNDED
        and not name.startswith(("n_", "missed_", "falarm_", "speaker_error"))
        and not (name.endswith(("_boundaries", "_matches", "_speakers", "_difference")) or name.startswith("entropy_"))
    )


@given(REFS, SYSTEMS)
def test_rates_are_between_zero_and_one(ref: Turns, system: Turns) -> None:
    for name, value in rates(ref, system).items():
        if is_rate(name) and value is not None:
            assert -1e-12 <= value <= 1 + 1e-12, name


@given(REFS)
def test_a_system_output_that_equals_the_reference_is_perfect(ref: Turns) -> None:
    if not any(on < 10 for on, _, _ in ref):
        return
    found = rates(ref, ref)
    for name, value in found.items():
        if name in PERFECT_IS_ZERO:
            assert value == pytest.approx(0.0, abs=1e-12), name
        elif is_rate(name) and name not in NOT_ALWAYS_ONE:
            assert value == pytest.approx(1.0, abs=1e-12), name


@given(REFS, SYSTEMS)
def test_names_and_the_order_of_turns_do_not_matter(ref: Turns, system: Turns) -> None:
    names = [name for name in FROM_CELLS if name != "ier"]
    plain = compute(cells_of(ref, system, UEM), names)
    others = {"A": "q", "B": "p", "C": "o", "w": "C", "x": "B", "y": "A", "z": "0"}
    sides = [[(on, off, others[who]) for on, off, who in reversed(side)] for side in (ref, system)]
    renamed = compute(cells_of(sides[0], sides[1], UEM), names)
    for name in names:
        assert close(plain[name], renamed[name]) or name == "der", name
    totals = [METRICS["der"].columns(sums["der"]) for sums in (plain, renamed)]
    assert totals[0]["der"] == pytest.approx(totals[1]["der"])


@given(REFS, SYSTEMS)
def test_the_der_is_that_of_the_scorer(ref: Turns, system: Turns) -> None:
    sides = [[record(on, off - on, "SPEAKER", name) for on, off, name in side] for side in (ref, system)]
    score = score_recording(Recording(("f", "1"), sides[0], sides[1], UEM), collar=0.25)
    sums = compute(cells_of(ref, system, UEM, collar=0.25), ["der"], mapping=score.mapping)
    row = METRICS["der"].columns(sums["der"])
    for name, value in score.counts.to_dict().items():
        if name in row:
            assert row[name] == pytest.approx(value, abs=1e-9)


@given(REFS, SYSTEMS)
def test_swapping_the_sides_swaps_the_figures(ref: Turns, system: Turns) -> None:
    there, back = rates(ref, system), rates(system, ref)
    swaps = {
        "missed_speech": "falarm_speech",
        "bcubed_precision": "bcubed_recall",
        "gk_tau_ref_to_sys": "gk_tau_sys_to_ref",
        "entropy_ref_given_sys": "entropy_sys_given_ref",
        "purity": "coverage",
        "homogeneity": "completeness",
        "boundary_precision": "boundary_recall",
        "n_ref_speakers": "n_sys_speakers",
        "identification_precision": "identification_recall",
        "mutual_information": "mutual_information",
        "nmi": "nmi",
    }
    for name, swapped in swaps.items():
        if there[name] is None:
            assert back[swapped] is None
        else:
            assert back[swapped] == pytest.approx(there[name], abs=1e-9), name
