"""The metric class for a measure stage."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from discophon.errors import DiscophonError, FormatError, MismatchError, UsageError
from discophon.evaluate import phoneme_discovery
from discophon.measure import PhonemeDiscovery

DATA = {
    "utt_id": ["u1", "u2"],
    "ref": ["a a a a b b b b", "SIL SIL a a"],
    "hyp": ["0 0 3 3", "2 0"],
}


def test_scores_are_those_of_the_function() -> None:
    metric = PhonemeDiscovery(n_phonemes=2)
    found = metric(DATA, "test", Path())
    units, phones = (
        {u: data.split() for u, data in zip(DATA["utt_id"], DATA[key], strict=True)} for key in ("hyp", "ref")
    )
    numbers = {u: [int(unit) for unit in values] for u, values in units.items()}
    assert found == phoneme_discovery(numbers, phones, kind="many-to-one", n_units=256, n_phonemes=2)
    assert metric.signature.endswith(
        "|metric:discovery|kind:many-to-one|units:256|phonemes:2|step_units:20|step_phones:10|margin:20|windows:disjoint"
    )


def test_choices() -> None:
    metric = PhonemeDiscovery("swa", kind="one-to-one", metrics=["pnmi"], ref_key="gold", hyp_key="units")
    found = metric({"gold": DATA["ref"], "units": DATA["hyp"]}, "test", "out")
    assert list(found) == ["pnmi"]
    assert "|kind:one-to-one|units:30|phonemes:29|" in metric.signature
    assert PhonemeDiscovery.measure_interface == "lists"


def test_an_undefined_score_is_none() -> None:
    found = PhonemeDiscovery(n_phonemes=2)({"ref": ["a a"], "hyp": ["1"]}, "test", "")
    assert found == {"pnmi": 0.0, "per": 0.0, "f1": None, "r_val": None}


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"ref": DATA["ref"]}, UsageError, "there is no input 'hyp'; there is 'ref'"),
        (DATA | {"hyp": ["0 0 3 3", "2 x"]}, FormatError, "test/hyp: u2: 'x' is no unit"),
        (DATA | {"hyp": ["0 0 3 3", "2 -1"]}, FormatError, "u2: '-1' is no unit"),
        (DATA | {"hyp": ["0 0 3 3", ""]}, MismatchError, "file 'u2': the sequence of the units is empty; remove"),
        ({"ref": ["a"], "hyp": [""]}, MismatchError, "file 'utterance 1': the sequence of the units is empty"),
    ],
)
def test_refused(data: dict[str, list[str]], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        PhonemeDiscovery(n_phonemes=2)(data, "test", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "neither is given"),
        ({"language": "swa", "n_phonemes": 29}, "both are given"),
        ({"language": "klingon"}, "unknown language 'klingon'"),
        ({"n_phonemes": "many"}, "n_phonemes is 'many'"),
        ({"kind": "some"}, "unknown kind 'some'"),
        ({"windows": "wide"}, "unknown windows 'wide'"),
        ({"metrics": ["wer"]}, "unknown metric 'wer'"),
        ({"metrics": None}, "metrics is None; it must be a list of names"),
        ({"metrics": []}, "no metric is asked for"),
        ({"n_units": 0}, "n_units is 0"),
        ({"n_units": 256, "kind": "one-to-one"}, "n_units is 256; for 29 phonemes one-to-one has 30 units"),
        ({"step_units": 25}, "step_units is 25 ms"),
        ({"step_phones": 0}, "step_phones is 0"),
        ({"ref_key": "hyp"}, "both 'hyp'"),
    ],
)
def test_wrong_configuration_is_found_before_anything_is_computed(options: dict[str, Any], message: str) -> None:
    target = {"language": "swa"} if options and not {"language", "n_phonemes"} & options.keys() else {}
    with pytest.raises(UsageError, match=message):
        PhonemeDiscovery(**target | options)


def test_it_is_found_by_its_name() -> None:
    found: Any = entry_points(group="measure_core.metrics")["discophon.discovery"].load()
    assert found is PhonemeDiscovery


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"utt_id": ["u"], "ref": ["a a", "b b"], "hyp": ["1", "2"]}, "1 of utt_id, 2 of ref, 2 of hyp"),
        ({"ref": ["a a", "b b"], "hyp": ["1"]}, "2 of ref, 1 of hyp"),
        ({"utt_id": ["u", "u"], "ref": ["a a", "b b"], "hyp": ["1", "2"]}, "the utterance 'u' comes twice"),
        ({"utt_id": ["u"], "ref": ["a a"], "hyp": ["1" * 5000]}, "u: '1{40}…' is no unit"),
    ],
)
def test_inputs_that_do_not_fit(data: dict[str, list[str]], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        PhonemeDiscovery(n_phonemes=2)(data, "test", tmp_path)
    assert isinstance(caught.value, DiscophonError)
