"""Which metrics a run computes on a dataset: evaluators by name, class or instance, and how each is called."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from pathbench.__about__ import __version__
from pathbench.base import AnyEvaluator, said
from pathbench.errors import MissingDependencyError, PathbenchError, UsageError, install
from pathbench.evaluator import (
    LanguageAwareSpeakerEvaluator,
    LookupEvaluator,
    ReferenceAudioEvaluator,
    ReferenceFreeEvaluator,
    ReferenceFreeSpeakerEvaluator,
    ReferenceTxtAndAudioEvaluator,
    ReferenceTxtEvaluator,
)
from pathbench.registry import DEFAULT, OWN, create, find
from pathbench.sources import installed, is_ours, version_of
from pathbench.store import EvaluatorKey
from pathbench.trimmed import TrimmedSpeakerEvaluator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pathbench.base import Compat, Undefined
    from pathbench.dataset import Dataset

__all__ = [
    "REFERENCES",
    "Choice",
    "Kind",
    "Metric",
    "References",
    "choose",
    "expand",
    "kind_of",
    "made",
    "name_of",
    "refuse_twins",
]

log = logging.getLogger(__name__)

Kind = Literal["lookup", "free", "text", "audio", "text_audio", "speaker", "language_speaker", "trimmed_speaker"]
"""How an evaluator is called; decided by its base class."""

References = Literal["", "control", "all"]
"""Kind of the references of a metric; empty for one that needs none."""

REFERENCES: tuple[References, ...] = ("control", "all")

Choice = str | AnyEvaluator | type[AnyEvaluator]
"""What a caller may ask for: a name, ``module:Class``, a class, or an evaluator that is made already."""

_KINDS: tuple[tuple[type[AnyEvaluator], Kind], ...] = (
    (LookupEvaluator, "lookup"),
    (ReferenceFreeEvaluator, "free"),
    (ReferenceTxtEvaluator, "text"),
    (ReferenceAudioEvaluator, "audio"),
    (ReferenceTxtAndAudioEvaluator, "text_audio"),
    (ReferenceFreeSpeakerEvaluator, "speaker"),
    (LanguageAwareSpeakerEvaluator, "language_speaker"),
    (TrimmedSpeakerEvaluator, "trimmed_speaker"),
)
_MODULE_OF_EXTRA = {"signal": ("parselmouth", "sklearn")}
_DISTRIBUTIONS_OF_EXTRA = {"signal": ("praat-parselmouth", "scikit-learn")}


@dataclass(frozen=True, slots=True)
class Metric:
    """One column of a run's results.

    Attributes
    ----------
    name : str
        Name in results: that of the evaluator, and for one with references also their kind.
    kind : Kind
        How the evaluator is called.
    references : References
        Kind of the references.
    evaluator : AnyEvaluator
        What scores.
    key : EvaluatorKey
        Under which its scores are kept.
    signature : str
        What it computes with; both are taken before it computes, which may change its attributes.
    """

    name: str
    kind: Kind
    references: References
    evaluator: AnyEvaluator
    key: EvaluatorKey
    signature: str

    @property
    def by_speaker(self) -> bool:
        """Whether it scores speakers, not utterances."""
        return self.kind.endswith("speaker")

    @property
    def first(self) -> bool:
        """Whether a speaker's value is the first of the scores, not their mean."""
        return self.by_speaker or self.kind == "lookup"


def expand(wanted: Sequence[Choice] | None, skip: Iterable[str] = ()) -> list[Choice]:
    """List the evaluators to run.

    Parameters
    ----------
    wanted : sequence of Choice, or None
        What was asked for; None for those of the benchmark by speaker whose libraries are installed.
    skip : iterable of str
        Names to leave out.

    Returns
    -------
    list of Choice
        Each once, in order.

    Raises
    ------
    UsageError
        If a name is unknown or nothing is left.
    """
    skipped = set(skip)
    for name in skipped:
        find(name)
    chosen: list[Choice] = []
    for choice in DEFAULT if wanted is None else wanted:
        if choice in chosen or (isinstance(choice, str) and choice in skipped):
            continue
        if isinstance(choice, str):
            extra = find(choice).extra
            lacking = [module for module in _MODULE_OF_EXTRA.get(extra, ()) if find_spec(module) is None]
            if lacking and wanted is None:
                log.warning(
                    "%s is left out: it needs %s, which is not installed; fix: %s", choice, lacking[0], install(extra)
                )
                continue
            if lacking:
                what = f"the evaluator {choice} needs {lacking[0]}, which is not installed"
                raise MissingDependencyError(f"{what}; fix: {install(extra)}")
        chosen.append(choice)
    if not chosen:
        raise UsageError("no evaluator is left to run; fix: name some with --evaluators, or skip fewer")
    return chosen


def choose(
    choices: Iterable[Choice],
    dataset: Dataset,
    references: Sequence[References],
    *,
    undefined: Undefined = "zero",
    compat: Compat | None = None,
    asked: bool = True,
    alone: str = "there are no control speakers",
) -> list[Metric]:
    """Make the metrics of a dataset.

    Parameters
    ----------
    choices : iterable of Choice
        Of `expand`.
    dataset : Dataset
        The dataset; one that lacks what an evaluator needs goes without it.
    references : sequence of References
        Kinds of references that there are.
    undefined : {"zero", "none"}, default "zero"
        What an analysis that failed scores.
    compat : {"upstream"}, optional
        Give the values of the upstream project where ours differ.
    asked : bool, default True
        Somebody named these evaluators, so that one without its table is warned of; the usual ones go without a word.
    alone : str, optional
        Why there are no references, for the warning, if there are none.

    Returns
    -------
    list of Metric
        In the order of work: lookups and utterances, references, speakers. Without the ratings themselves.

    Raises
    ------
    UsageError
        If two metrics have one name, or an evaluator cannot be made.
    """
    metrics: list[Metric] = []
    for choice in choices:
        if choice == "spk2score" or (isinstance(choice, str) and _lacks(choice, dataset, asked=asked)):
            continue
        evaluator = made(choice, dataset, undefined, compat)
        name = name_of(choice, evaluator)
        kind = kind_of(evaluator)
        key = _key(name, evaluator)
        kinds: Sequence[References] = references if kind in ("audio", "text_audio") else ("",)
        if not kinds:
            log.warning("%s: %s is left out: %s", dataset.path, name, alone)
        for each in kinds:
            metric = f"{name}_{each}" if each else name
            metrics.append(Metric(metric, kind, each, evaluator, key, evaluator.signature(metric)))
    refuse_twins([metric.name for metric in metrics])
    order = ("", *REFERENCES)
    return sorted(metrics, key=lambda metric: (metric.by_speaker, order.index(metric.references)))


def refuse_twins(names: Sequence[str]) -> None:
    """Refuse metrics of one name: the scores of one would stand for those of the other.

    Parameters
    ----------
    names : sequence of str
        The names.

    Raises
    ------
    UsageError
        If one stands there twice.
    """
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two evaluators are called {twice[0]}; fix: give the class of one another `name`")


def _lacks(name: str, dataset: Dataset, *, asked: bool) -> bool:
    """Tell, and say, that a dataset cannot be scored by an evaluator of ours."""
    entry = find(name)
    if entry.name not in OWN:
        return False
    lacking = [dataset.lacking(table) for table in entry.needs if not getattr(dataset, table)]
    if (
        lacking and entry.level == "lookup"
    ):  # which is no fault if nobody asked: the metric is for datasets that have it
        if asked:
            log.warning("%s: %s is left out: %s", dataset.path, name, " and ".join(lacking))
        return True
    root = dataset.language.lower().partition("-")[0]
    if entry.languages and root not in entry.languages:
        known = ", ".join(entry.languages)
        log.warning("%s: %s is left out: it knows %s, not %s", dataset.path, name, known, dataset.language)
        return True
    return False


def made(choice: Choice, dataset: Dataset | None, undefined: Undefined, compat: Compat | None) -> AnyEvaluator:
    """Make an evaluator of what was asked for.

    Parameters
    ----------
    choice : Choice
        Name, class or instance; an instance is taken as it is.
    dataset : Dataset, optional
        Where it gets tables and language.
    undefined : {"zero", "none"}
        What an analysis that failed scores.
    compat : {"upstream"} or None
        Give the values of the upstream project where ours differ.

    Returns
    -------
    AnyEvaluator
        The evaluator.

    Raises
    ------
    UsageError
        If it cannot be made.
    """
    if isinstance(choice, str):
        return create(choice, dataset, undefined=undefined, compat=compat)
    if isinstance(choice, type) and issubclass(choice, AnyEvaluator):
        return create(choice, dataset, undefined=undefined, compat=compat)
    if isinstance(choice, AnyEvaluator):
        return choice
    raise UsageError(f"{choice!r} is no evaluator; fix: give a name, a class or an instance of a pathbench evaluator")


def name_of(choice: Choice, evaluator: AnyEvaluator) -> str:
    """Name a metric.

    Parameters
    ----------
    choice : Choice
        What was asked for; a registered name stays as it is.
    evaluator : AnyEvaluator
        What came of it: its ``name`` counts, or that of its class in snake case.

    Returns
    -------
    str
        The name.

    Raises
    ------
    UsageError
        If it would be no good name of a file.
    """
    if isinstance(choice, str) and ":" not in choice:
        return choice
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(evaluator).__name__.removesuffix("Evaluator"))
    name: object = evaluator.name or words.lower()
    if not (isinstance(name, str) and re.fullmatch(r"\w[\w.+-]*", name)):
        raise UsageError(f"{name!r} cannot name a metric; fix: use letters, digits, _ . + -")
    return name


def kind_of(evaluator: AnyEvaluator) -> Kind:
    """Say how an evaluator is called, by its base class alone.

    Parameters
    ----------
    evaluator : AnyEvaluator
        The evaluator.

    Returns
    -------
    Kind
        How it is called.

    Raises
    ------
    UsageError
        If it has none of the bases.
    """
    for base, kind in _KINDS:
        if isinstance(evaluator, base):
            return kind
    raise UsageError(f"{type(evaluator).__name__} has none of the seven bases; fix: derive it from one")


def _key(name: str, evaluator: AnyEvaluator) -> EvaluatorKey:
    cls = type(evaluator)
    try:
        parameters = json.dumps(evaluator.parameters(), sort_keys=True, ensure_ascii=False, default=str)
    except PathbenchError:
        raise
    except Exception as error:  # other people's own `parameters` raises anything
        what = f"the parameters of the evaluator {name} cannot be told: {said(error)}"
        raise UsageError(f"{what}; fix: let its method parameters() give a dictionary of plain values") from error
    version = " ".join(_version(name, one) for one in map(type, evaluator.made_of()))
    return EvaluatorKey(f"{cls.__module__}:{cls.__qualname__}", version, parameters)


def _version(name: str, cls: type[object]) -> str:
    """State which code computes: versions for ours, a hash of the source for everybody else's."""
    if not is_ours(cls):
        return version_of(cls)
    extra = OWN[name].extra if name in OWN else ""
    return " ".join([__version__, *(f"{dist}={installed(dist)}" for dist in _DISTRIBUTIONS_OF_EXTRA.get(extra, ()))])
