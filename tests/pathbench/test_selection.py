"""Which metrics a run computes."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import ClassVar

import pytest

from pathbench import CPPEvaluator, TrimmedReferenceFreeEvaluator, WadaSnrEvaluator
from pathbench.base import AnyEvaluator
from pathbench.dataset import Dataset
from pathbench.errors import MissingDependencyError, UsageError
from pathbench.evaluator import (
    LanguageAwareSpeakerEvaluator,
    LookupEvaluator,
    ReferenceAudioEvaluator,
    ReferenceFreeEvaluator,
    ReferenceFreeSpeakerEvaluator,
    ReferenceTxtAndAudioEvaluator,
    ReferenceTxtEvaluator,
)
from pathbench.registry import DEFAULT
from pathbench.selection import choose, expand, kind_of, name_of

MINI = Path(__file__).parent / "data" / "minidata" / "mini" / "pathological" / "word" / "balanced"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset(MINI)


def test_nothing_asked_for_is_the_usual() -> None:
    assert expand(None) == list(DEFAULT)
    assert expand(None, ["vsa", "cpp"]) == [name for name in DEFAULT if name not in ("vsa", "cpp")]
    assert expand(["cpp", "wpm", "cpp"]) == ["cpp", "wpm"]
    with pytest.raises(UsageError, match="no evaluator is left"):
        expand(["cpp"], ["cpp"])


def test_what_is_not_installed_is_left_out_or_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pathbench.selection.find_spec", lambda module: None if module == "sklearn" else object())
    with caplog.at_level(logging.WARNING, "pathbench"):
        assert expand(None) == ["spk2score", "cpp", "wada_snr", "p_estoi", "spk2age"]
    assert (
        "vsa is left out: it needs sklearn, which is not installed; fix: pip install praat-parselmouth" in caplog.text
    )
    with pytest.raises(MissingDependencyError, match=r"needs sklearn.*fix: pip install praat-parselmouth scikit-learn"):
        expand(["vsa"])


def test_the_order_of_work(dataset: Dataset) -> None:
    choices = expand(["vsa", "p_estoi", "spk2score", "spk2age", "wpm", "cpp"])
    names = [metric.name for metric in choose(choices, dataset, ["control", "all"])]
    # the ratings are no metric, and this set has no ages
    assert names == ["wpm", "cpp", "p_estoi_control", "p_estoi_all", "vsa"]
    assert [metric.name for metric in choose(choices, dataset, [])] == ["wpm", "cpp", "vsa"]


@pytest.mark.parametrize(
    ("base", "kind"),
    [
        (LookupEvaluator, "lookup"),
        (ReferenceFreeEvaluator, "free"),
        (ReferenceTxtEvaluator, "text"),
        (ReferenceAudioEvaluator, "audio"),
        (ReferenceTxtAndAudioEvaluator, "text_audio"),
        (ReferenceFreeSpeakerEvaluator, "speaker"),
        (LanguageAwareSpeakerEvaluator, "language_speaker"),
    ],
)
def test_the_base_class_alone_says_how_an_evaluator_is_called(base: type[AnyEvaluator], kind: str) -> None:
    mine = type("MyOwnEvaluator", (base,), {})()
    assert kind_of(mine) == kind
    assert name_of("module:Class", mine) == "my_own"
    assert name_of("registered", mine) == "registered"


def test_what_has_no_base_is_refused() -> None:
    with pytest.raises(UsageError, match="none of the seven bases"):
        kind_of(AnyEvaluator())


def test_names_must_be_names(dataset: Dataset) -> None:
    class Odd(CPPEvaluator):
        name: ClassVar[str] = "../x"

    with pytest.raises(UsageError, match="cannot name a metric"):
        choose([Odd()], dataset, [])


def test_classes_and_instances(dataset: Dataset) -> None:
    made = CPPEvaluator(normOpt="mean")
    first, second = choose([made, WadaSnrEvaluator], dataset, [], compat="upstream")
    assert first.evaluator is made
    assert second.evaluator.compat == "upstream"
    assert first.key.parameters == '{"compat": null, "normOpt": "mean", "undefined": "zero"}'
    with pytest.raises(UsageError, match="is no evaluator"):
        choose([3], dataset, [])  # type: ignore[list-item]


def test_versions_tell_who_computes(dataset: Dataset) -> None:
    from pathbench import __version__

    class Mine(ReferenceFreeEvaluator):
        name: ClassVar[str] = "mine"

    cpp, pitch, mine = choose(["cpp", "std_pitch", Mine()], dataset, [])
    assert cpp.key.version == __version__
    assert pitch.key.version.startswith(f"{__version__} praat-parselmouth=")
    assert mine.key.version.startswith("source=")
    assert mine.key.name.endswith("Mine")


class Cutter:
    """Cuts nothing."""

    def __init__(self, margin: float) -> None:
        self.margin = margin

    def trim(self, *_: object) -> None:
        return None


class Saying(Cutter):
    """Says itself what matters."""

    def parameters(self) -> dict[str, object]:
        return {"margin": 3.0}


def test_wrappers_are_told_apart_by_what_they_wrap(dataset: Dataset) -> None:
    made = [
        TrimmedReferenceFreeEvaluator(CPPEvaluator(), Cutter(0.1)),
        TrimmedReferenceFreeEvaluator(CPPEvaluator(), Cutter(0.2)),
        TrimmedReferenceFreeEvaluator(CPPEvaluator("mean"), Cutter(0.1)),
        TrimmedReferenceFreeEvaluator(WadaSnrEvaluator(), Cutter(0.1)),
    ]
    metrics = [choose([one], dataset, [])[0] for one in made]
    assert len({metric.key.parameters for metric in metrics}) == len({metric.signature for metric in metrics}) == 4
    said = TrimmedReferenceFreeEvaluator(CPPEvaluator(), Saying(0.1)).parameters()
    assert said["trimmer.margin"] == 3.0
    assert all("source=" in metric.key.version for metric in metrics)  # that of the trimmer
