"""Whole discovery runs: golden figures, a slow twin, properties, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import discophon_twin as twin
from discophon.alignment import read_alignment
from discophon.data import read_gold_annotations, read_submitted_units, read_units
from discophon.errors import MismatchError, OutOfRangeError, UndefinedScoreError, UsageError
from discophon.evaluate import (
    cooccurrence_matrix,
    discover,
    discover_paired,
    pair,
    phone_assignments,
    phoneme_discovery,
)
from discophon.evaluate.assignment import KINDS, Kind
from discophon.evaluate.segmentation import WINDOWS
from discophon.languages import get_language
from discophon_strategies import Corpus, corpora

DATA = Path(__file__).parent / "data" / "discovery"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
# oracle: discophon 0.2.0 (release) and its sources of June 2026 (snapshot) on data/discovery; 1e-9 as agreed there
RUNS = [name.split("/")[1:] for name in EXPECTED if name.startswith("discovery/")]
AB = ["a"] * 4 + ["b"] * 4 + ["c"] * 4
PERFECT = [0, 0, 1, 1, 2, 2]


def paths(system: str, name: str) -> tuple[Path, Path]:
    return DATA / "units" / system / f"units-{name}.jsonl", DATA / "alignment" / f"alignment-{name}.txt"


def close(scores: dict[str, float]) -> Any:
    return pytest.approx(scores, rel=0, abs=1e-9)


@pytest.mark.parametrize(("system", "kind", "name"), RUNS)
@pytest.mark.parametrize("windows", ["disjoint", "shared"])
def test_golden_scores(system: str, kind: Kind, name: str, windows: Any) -> None:
    entry = EXPECTED[f"discovery/{system}/{kind}/{name}"]
    expected = entry["release"] if windows == "disjoint" else entry.get("snapshot", entry["release"])
    units, phones = paths(system, name)
    language = get_language(name.partition("-")[0])
    scores = phoneme_discovery(
        read_submitted_units(units),
        read_gold_annotations(phones),
        kind=kind,
        n_units=256 if kind == "many-to-one" else language.n_phonemes + 1,
        language=language,
        step_units=40 if system.endswith("40ms") else 20,
        windows=windows,
    )
    assert scores == close(expected)
    assert list(scores) == ["pnmi", "per", "f1", "r_val"]


def test_flat_arrays_of_the_readers_give_the_same() -> None:
    units, phones = paths("one-20ms", "wol-test")
    options: dict[str, Any] = {"kind": "one-to-one", "n_units": 40, "language": "wol"}
    from_lists = phoneme_discovery(read_submitted_units(units), read_gold_annotations(phones), **options)
    assert phoneme_discovery(read_units(units), read_alignment(phones), **options) == from_lists


def test_one_pairing_serves_both_kinds() -> None:
    path_units, path_phones = paths("one-20ms", "swa-dev")
    units, phones = read_units(path_units), read_alignment(path_phones)
    paired = pair(units, phones, step_units=20, step_phones=10)
    for kind in KINDS:
        found = discover_paired(paired, kind=kind, n_units=30, n_phonemes=29)
        assert found.scores() == phoneme_discovery(units, phones, kind=kind, n_units=30, language="swa")


@given(corpora())
def test_the_slow_twin_agrees(corpus: Corpus) -> None:
    table = twin.rows(corpus.units, corpus.phones, corpus.n_units, corpus.n_phonemes, corpus.repeats)
    mapped = twin.many_to_one(table)
    predicted = {file: [mapped[unit] for unit in corpus.units[file]] for file in corpus.phones}
    result = discover(corpus.units, corpus.phones, kind="many-to-one", **corpus.options)
    assert result.pnmi == pytest.approx(twin.pnmi(table), rel=0, abs=1e-12)
    assert result.per == pytest.approx(twin.error_rate(predicted, corpus.phones), rel=1e-12)
    assert list(result.assignment) == mapped
    steps = (10 * corpus.repeats, 10)
    for windows in WINDOWS:
        counts = twin.boundary_counts(predicted, corpus.phones, steps, shared=windows == "shared")
        found = discover(corpus.units, corpus.phones, kind="many-to-one", windows=windows, **corpus.options)
        seg = found.segmentation
        assert (seg.true_positives, seg.false_positives, seg.false_negatives) == counts
        if seg.n_gold:
            assert (found.f1, found.r_val) == pytest.approx(twin.f1_and_r(*counts), rel=1e-12)


@given(corpora(square=True))
def test_one_to_one_is_consistent_with_its_steps(corpus: Corpus) -> None:
    result = discover(corpus.units, corpus.phones, kind="one-to-one", **corpus.options)
    counts = cooccurrence_matrix(corpus.units, corpus.phones, **corpus.options)
    predicted = phone_assignments(corpus.units, counts, kind="one-to-one")
    assert sorted(result.assignment) == sorted(counts.phones)  # pairs: every label once
    assert result.per == pytest.approx(twin.error_rate(predicted, corpus.phones), rel=1e-12)


@given(corpora())
def test_names_and_order_of_files_and_units_do_not_matter(corpus: Corpus) -> None:
    result = discover(corpus.units, corpus.phones, kind="many-to-one", **corpus.options)
    shuffled = dict(reversed(corpus.units.items()))
    last = corpus.n_units - 1
    renamed = {f"x{file}": [last - unit for unit in values] for file, values in shuffled.items()}
    phones = {f"x{file}": values for file, values in corpus.phones.items()}
    other = discover(renamed, phones, kind="many-to-one", **corpus.options)
    assert other.pnmi == pytest.approx(result.pnmi, abs=1e-12)
    assert (other.error_counts, other.segmentation) == (result.error_counts, result.segmentation)


@given(corpora())
def test_counts_of_the_parts_add_up(corpus: Corpus) -> None:
    result = discover(corpus.units, corpus.phones, kind="many-to-one", **corpus.options)
    document = result.to_dict()
    assert sum(row["errors"] for row in document["files"]) == result.error_counts.errors
    assert sum(row["true_positives"] for row in document["files"]) == result.segmentation.true_positives
    n_frames = int(result.cooccurrence.values.sum())
    assert int(result.confusion.sum()) == n_frames
    assert sum(sum(row.values()) for row in document["confusion"].values()) == n_frames
    assert json.loads(json.dumps(document, allow_nan=False)) == document


@given(corpora())
def test_the_phones_as_their_own_units_are_perfect(corpus: Corpus) -> None:
    number = {label: i for i, label in enumerate(dict.fromkeys(p for s in corpus.phones.values() for p in s))}
    units = {file: [number[p] for p in values] for file, values in corpus.phones.items()}
    options: dict[str, Any] = {"n_units": 7, "n_phonemes": 6, "step_units": 10}
    for kind in KINDS:
        result = discover(units, corpus.phones, kind=kind, **options)
        assert result.per == 0.0
        assert result.pnmi == (pytest.approx(1.0) if len(number) > 1 else 0.0)
        if result.segmentation.n_gold:
            assert (result.f1, result.r_val) == (1.0, 1.0)


# worked figures


def many(units: list[int], phones: list[str], **more: Any) -> dict[str, float]:
    options: dict[str, Any] = {"kind": "many-to-one", "n_units": 4, "n_phonemes": 3} | more
    return phoneme_discovery({"f": units}, {"f": phones}, **options)


@pytest.mark.parametrize("units", [PERFECT, [0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2, 3]])
def test_one_unit_more_or_less_is_cut(units: list[int]) -> None:
    # the unit 3 is in no frame that counts: it stands for the first row, which is c, as all totals are equal
    assert many(units, AB) == close({"pnmi": 1.0, "per": 0.0, "f1": 1.0, "r_val": 1.0})


def test_a_tie_of_a_unit_goes_to_the_phone_that_appeared_later() -> None:
    scores = many([0, 0, 1, 1], ["a", "a", "b", "b", "b", "b", "a", "a"])
    assert scores == close({"pnmi": 0.0, "per": 2 / 3, "f1": 0.0, "r_val": 1 - 2**0.5 / 2})


def test_a_prediction_between_two_boundaries_counts_once_with_disjoint_windows_only() -> None:
    gold = ["a"] * 4 + ["b"] * 4 + ["c"] * 4
    scores = many([0] * 6 + [1] * 6, gold, step_units=10, metrics=("f1", "r_val"))
    assert scores == close({"f1": 2 / 3, "r_val": 0.6464466094067263})
    shared = many([0] * 6 + [1] * 6, gold, step_units=10, metrics=("f1", "r_val"), windows="shared")
    assert shared == close({"f1": 4 / 3, "r_val": 0.5732233047033631})


def test_only_the_metrics_asked_for_are_computed_and_a_missing_boundary_is_no_error_then() -> None:
    with pytest.raises(UndefinedScoreError, match="f1 is undefined: there is no boundary on either side"):
        many([0, 0], ["a"] * 4)
    assert many([0, 0], ["a"] * 4, metrics=("per", "pnmi")) == {"pnmi": 0.0, "per": 0.0}
    result = discover({"f": [0, 0]}, {"f": ["a"] * 4}, kind="many-to-one", n_units=1, n_phonemes=1)
    assert result.defined_scores()[0] == {"pnmi": 0.0, "per": 0.0, "f1": None, "r_val": None}
    assert set(result.to_dict()["undefined"]) == {"f1", "r_val"}


def test_the_signature_has_every_choice_in_a_fixed_order() -> None:
    result = discover({"f": PERFECT}, {"f": AB}, kind="one-to-one", n_units=4, n_phonemes=3, windows="shared")
    _, _, choices = result.signature.partition("|metric:")
    assert (
        choices == "discovery|kind:one-to-one|units:4|phonemes:3|step_units:20|step_phones:10|margin:20|windows:shared"
    )


# what is refused

REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    (
        {"units": [0]},
        MismatchError,
        r"f: 1 units of 20 ms make 2 frames of 10 ms, the gold has 12 \(100 ms too short\)",
    ),
    ({"units": [0] * 12}, MismatchError, "a step of 10 ms would fit all files"),
    ({"units": [0, 0, 1]}, MismatchError, "a step of 40 ms would fit all files"),
    ({"units": [0, 0, 1, 1, 2, 9]}, OutOfRangeError, "file 'f': unit number 6 is 9, not from 0 to 3; .*at least 10"),
    ({"units": [0, 0, 1, 1, 2, 2, 9]}, OutOfRangeError, "unit number 7 is 9"),
    ({"units": [0, 0, 1, 1, 2, -1]}, OutOfRangeError, "unit number 6 is -1"),
    (
        {"units": [0, 0, 1, 1, 2, 2.5]},
        MismatchError,
        "file 'f': units must be whole numbers in one list; number 6 is 2.5",
    ),
    ({"units": [0, 0, 1, 1, 2, None]}, MismatchError, "number 6 is None"),
    ({"units": [0, 0, 1, 1, 2, 2**70]}, MismatchError, "number 6 is 1180591620717411303424"),
    ({"units": [True] * 6}, MismatchError, "number 1 is True"),
    ({"units": []}, MismatchError, "the sequence of the units is empty"),
    ({"phones": [*AB[:-1], None]}, MismatchError, "the label None is no text"),
    ({"n_phonemes": 1}, OutOfRangeError, "3 different labels, more than 1 phonemes and silence: a, b and c"),
    ({"n_phonemes": None}, UsageError, "give either n_phonemes or language; neither is given"),
    ({"language": "eng"}, UsageError, "both are given"),
    ({"n_phonemes": None, "language": "klingon"}, UsageError, "unknown language 'klingon'"),
    ({"n_phonemes": 0}, UsageError, "n_phonemes is 0"),
    ({"n_units": 2.0}, UsageError, "n_units is 2.0"),
    ({"n_units": 10**9}, UsageError, "n_units is 1000000000; it must be a whole number from 1 to 1000000"),
    ({"n_units": 10**6, "n_phonemes": 10**6}, UsageError, "too many for one table"),
    ({"kind": "many-to-many"}, UsageError, "unknown kind 'many-to-many'; there are many-to-one, one-to-one"),
    ({"kind": "one-to-one", "n_units": 5}, MismatchError, "4 units for 3 phonemes, not 5"),
    ({"step_units": 25}, UsageError, "step_units is 25 ms, no whole multiple of the 10 ms"),
    ({"step_units": 5}, UsageError, "no whole multiple"),
    ({"step_units": 0}, UsageError, "step_units is 0"),
    ({"metrics": ("pnmi", "wer")}, UsageError, "unknown metric 'wer'; there are pnmi, per, f1, r_val"),
    ({"metrics": ()}, UsageError, "no metric is asked for"),
    ({"windows": "none"}, UsageError, "unknown windows 'none'"),
]


@pytest.mark.parametrize(("change", "error", "message"), REFUSED)
def test_refused(change: dict[str, Any], error: type[Exception], message: str) -> None:
    options: dict[str, Any] = {"kind": "many-to-one", "n_units": 4, "n_phonemes": 3} | change
    units, phones = {"f": options.pop("units", PERFECT)}, {"f": options.pop("phones", AB)}
    with pytest.raises(error, match=message):
        phoneme_discovery(units, phones, **options)


@pytest.mark.parametrize(
    ("units", "phones", "message"),
    [
        ({}, {}, "there is no file"),
        ({"f": [0]}, {"g": ["a", "a"]}, "1 only in the units: f; 1 only in the gold: g"),
        ({"f": [0], "g": [1]}, {"g": ["a", "a"]}, "different files, 1 only in the units: f$"),
        ({"f": []}, {"f": ["a"]}, "file 'f': the sequence of the units is empty"),
        ({"f": [], "g": [0, 1]}, {"f": [], "g": ["a", "a", "b", "b"]}, "file 'f': the sequence of the units is empty"),
        ({"f": [0]}, {"f": []}, "file 'f': the sequence of the gold is empty"),
    ],
)
def test_sides_that_do_not_fit(units: Any, phones: Any, message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        phoneme_discovery(units, phones, kind="many-to-one", n_units=4, n_phonemes=3)


def test_empty_sequences_say_nothing_about_the_step() -> None:
    gold = {f"f{i}": ["a", "b"] * 10 for i in range(4)}

    def refuse(units: dict[str, list[int]], message: str) -> None:
        with pytest.raises(MismatchError, match=message):
            phoneme_discovery(units, gold, kind="many-to-one", n_units=4, n_phonemes=3)

    refuse(
        {file: [] for file in gold}, r"^file 'f0': the sequence of the units is empty \(4 files in all\); remove the"
    )
    refuse({file: [0] * 10 if file != "f2" else [] for file in gold}, "^file 'f2': the sequence of the units is empty;")
    both = r"^4 of 4 files .*; f2: the sequence of the units is empty; .*; a step of 40 ms would fit all files"
    refuse({file: [0] * 5 if file != "f2" else [] for file in gold}, both)


def test_only_some_of_many_wrong_files_are_listed() -> None:
    names = [f"f{i}" for i in range(8)]
    with pytest.raises(MismatchError, match=r"8 of 8 files .*; f0: .*; f4: .*; and 3 more; a step of 30 ms would fit"):
        phoneme_discovery(
            {name: [0] * 10 for name in names},
            {name: ["a"] * 31 for name in names},
            kind="many-to-one",
            n_units=1,
            n_phonemes=1,
        )


def test_units_of_25_ms_are_recognised() -> None:
    names = [f"f{i}" for i in range(3)]
    units, phones = {name: [0] * 400 for name in names}, {name: ["a"] * 1000 for name in names}
    with pytest.raises(MismatchError, match="look like 25 ms each, which is no multiple of 10 ms"):
        phoneme_discovery(units, phones, kind="many-to-one", n_units=1, n_phonemes=1)


def test_no_step_fits() -> None:
    units, phones = {"f": [0] * 400, "g": [0] * 10}, {"f": ["a"] * 100, "g": ["a"] * 1000}
    with pytest.raises(MismatchError, match="no step fits all files: do units and gold belong to the same audio"):
        phoneme_discovery(units, phones, kind="many-to-one", n_units=1, n_phonemes=1)


def test_every_combination_of_metrics_gives_the_same_figures() -> None:
    units = {"f": [0, 1, 1, 2, 2, 0]}
    whole = phoneme_discovery(units, {"f": AB}, kind="many-to-one", n_units=4, n_phonemes=3)
    for chosen in product([False, True], repeat=4):
        names = [name for name, is_in in zip(whole, chosen, strict=True) if is_in]
        if names:
            found = phoneme_discovery(units, {"f": AB}, kind="many-to-one", n_units=4, n_phonemes=3, metrics=names)  # type: ignore[arg-type]
            assert found == {name: whole[name] for name in names}


def test_counts_that_were_not_made_are_refused() -> None:
    def found(*metrics: Any) -> Any:
        return discover({"f": PERFECT}, {"f": AB}, kind="many-to-one", n_units=4, n_phonemes=3, metrics=metrics)

    with pytest.raises(UsageError, match="f1 was not computed"):
        _ = found("pnmi", "per").segmentation
    with pytest.raises(UsageError, match="per was not computed"):
        _ = found("pnmi", "f1").error_counts
    assert found("r_val").segmentation == found("f1").segmentation == found("per", "f1").segmentation
    assert found("per").error_counts.errors == 0


def test_the_advice_for_units_out_of_range_fits_the_kind() -> None:
    with pytest.raises(OutOfRangeError, match="for 3 phonemes one-to-one has the units 0 to 3; score a system") as told:
        discover({"f": [0, 0, 1, 1, 2, 255]}, {"f": AB}, kind="one-to-one", n_units=4, n_phonemes=3)
    assert "set n_units" not in str(told.value)
