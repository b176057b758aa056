"""Evaluators by name: those of this package, and those that other distributions offer.

Other distributions offer an evaluator through the entry-point group ``pathbench.evaluators`` (name → class). Own
names are looked up first; other distributions are searched only for a name that is not ours. ``module:Class`` names
a class that nobody has registered.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from pathbench.errors import PathbenchError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

    from pathbench.base import AnyEvaluator, Compat, Undefined
    from pathbench.dataset import Dataset

__all__ = ["DEFAULT", "GROUP", "OWN", "Entry", "contested", "create", "entries", "find", "load"]

GROUP = "pathbench.evaluators"
_NOTHING = object()
Level = Literal["lookup", "utterance", "reference", "speaker"]


@dataclass(frozen=True, slots=True)
class Entry:
    """An evaluator that can be asked for by name.

    Attributes
    ----------
    name : str
        Its name; results of a ``reference`` evaluator are named ``NAME_control`` and ``NAME_all``.
    target : str
        ``module:Class``.
    level : {"lookup", "utterance", "reference", "speaker"} or None
        What it scores, and from what; None if that is not known before it is loaded.
    needs : tuple of str
        What a data set must have for it, beside recordings: names of its files.
    extra : str
        Extra of this distribution that it needs; empty for none.
    languages : tuple of str
        Languages that it knows; empty for any.
    source : str
        Where the method was published.
    distribution : str
        Who offers it.
    """

    name: str
    target: str
    level: Level | None = None
    needs: tuple[str, ...] = ()
    extra: str = ""
    languages: tuple[str, ...] = ()
    source: str = ""
    distribution: str = "pathbench"


OWN: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("spk2score", "pathbench.lookup:Spk2ScoreEvaluator", "lookup", ("spk2score", "utt2spk")),
        Entry("utt2score", "pathbench.lookup:Utt2ScoreEvaluator", "lookup", ("utt2score",)),
        Entry("spk2age", "pathbench.lookup:Spk2AgeEvaluator", "lookup", ("spk2age", "utt2spk")),
        Entry("cpp", "pathbench.cpp:CPPEvaluator", "utterance", source="Hillenbrand, Cleveland & Erickson 1994"),
        Entry(
            "cpp_double_log",
            "pathbench.cpp:CPPDoubleLogEvaluator",
            "utterance",
            source="Hillenbrand, Cleveland & Erickson 1994",
        ),
        Entry(
            "cpp_praat",
            "pathbench.praat_cpp:PraatCPPEvaluator",
            "utterance",
            extra="signal",
            source="Boersma & Weenink, Praat 6.1.38",
        ),
        Entry(
            "std_pitch",
            "pathbench.pitch:StdPitchEvaluator",
            "utterance",
            extra="signal",
            source="Boersma & Weenink, Praat 6.1.38",
        ),
        Entry(
            "praat_speech_rate",
            "pathbench.speech_rate:PraatSpeechRateEvaluator",
            "utterance",
            extra="signal",
            source="de Jong & Wempe 2009",
        ),
        Entry("wada_snr", "pathbench.wada:WadaSnrEvaluator", "utterance", source="Kim & Stern 2008"),
        Entry("wpm", "pathbench.wpm:WpmEvaluator", "utterance", ("text",)),
        Entry(
            "p_stoi",
            "pathbench.stoi:PSTOIEvaluator",
            "reference",
            ("text",),
            source="Janbakhshi, Kodrasi & Bourlard 2019",
        ),
        Entry(
            "p_estoi",
            "pathbench.stoi:ESTOIEvaluator",
            "reference",
            ("text",),
            source="Janbakhshi, Kodrasi & Bourlard 2019",
        ),
        Entry(
            "f0_range",
            "pathbench.pitch:F0RangeEvaluator",
            "speaker",
            ("utt2spk",),
            extra="signal",
            source="Boersma & Weenink, Praat 6.1.38",
        ),
        Entry(
            "vsa",
            "pathbench.vsa:VSAEvaluator",
            "speaker",
            ("utt2spk",),
            extra="signal",
            languages=("en", "it", "es", "nl", "zh", "cmn"),
            source="Sandoval, Berisha, Utianski, Liss & Spanias 2013",
        ),
    )
}
"""The evaluators of this package, by name."""

DEFAULT = (
    "spk2score", "cpp", "std_pitch", "praat_speech_rate", "wada_snr", "p_estoi", "vsa", "spk2age",
)  # fmt: skip
"""What the benchmark by speaker computes when nothing is asked for."""


def entries() -> list[Entry]:
    """List all evaluators that can be asked for by name; nothing is imported.

    Returns
    -------
    list of Entry
        Own ones in their order, then those of others by name.
    """
    return [*OWN.values(), *(_entry(point) for point in sorted(_points(), key=lambda p: (p.name, p.value)))]


def contested(found: Iterable[Entry]) -> list[str]:
    """Say which names have two owners.

    Parameters
    ----------
    found : iterable of Entry
        Of `entries`.

    Returns
    -------
    list of str
        A sentence for each.
    """
    owners: dict[str, list[Entry]] = {}
    for entry in dict.fromkeys(found):
        owners.setdefault(entry.name, []).append(entry)
    told = []
    for name, several in owners.items():
        if len(several) > 1:
            offered = " and ".join(f"{entry.distribution} ({entry.target})" for entry in several)
            who = "the first one, always, has the name" if name in OWN else "nobody can ask for it by that name"
            told.append(f"the name {name} is offered by {offered}: {who}; fix: uninstall one, or write module:Class")
    return told


def find(name: str) -> Entry:
    """Find an evaluator.

    Parameters
    ----------
    name : str
        Name, or ``module:Class``.

    Returns
    -------
    Entry
        What is known of it.

    Raises
    ------
    UsageError
        If nobody has the name, or two distributions have.
    """
    if name in OWN:
        return OWN[name]
    if ":" in name:
        if not re.fullmatch(r"[\w.]+:[\w.]+", name):
            raise UsageError(f"{name!r} is no evaluator; fix: write module:Class, e.g. mypackage.scores:MyEvaluator")
        return Entry(name.rpartition(":")[2], name, distribution="")
    points = _points()
    owners = [_entry(point) for point in points if point.name == name]
    if len({(owner.target, owner.distribution) for owner in owners}) > 1:
        names = " and ".join(sorted(owner.distribution for owner in owners))
        raise UsageError(f"the evaluator {name!r} is offered by {names}; fix: uninstall one, or write module:Class")
    if not owners:
        known = [*OWN, *(point.name for point in points)]
        near = get_close_matches(name, known, 1)
        fix = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        raise UsageError(f"there is no evaluator {name!r}; {fix}")
    return owners[0]


def load(entry: Entry) -> type[AnyEvaluator]:
    """Import the class of an evaluator.

    Parameters
    ----------
    entry : Entry
        Of `find`.

    Returns
    -------
    type
        A subclass of one of the base classes.

    Raises
    ------
    UsageError
        If it cannot be imported, or is no evaluator.
    """
    from pathbench.base import said

    module, _, attribute = entry.target.partition(":")
    holder: Any = None
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            holder, found = found, getattr(found, part, _NOTHING)
            if found is _NOTHING:
                break
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # modules of other people raise anything when they are imported
        what = f"the evaluator {entry.name} cannot be imported from {entry.target}: {said(error)}"
        raise UsageError(f"{what}; fix: see that `python -c 'import {module}'` works here") from error
    if found is _NOTHING:
        inside = _evaluators(holder, module)
        there = f"whose evaluators are {', '.join(inside)}" if inside else "which has no evaluator"
        raise UsageError(f"the evaluator {attribute} is not in {module}, {there}; fix: name a class that is there")
    if not _is_evaluator(found):
        raise UsageError(f"{entry.target} is no evaluator; fix: derive it from a base class of pathbench.evaluator")
    cls: type[AnyEvaluator] = found
    return cls


def _evaluators(holder: object, module: str) -> list[str]:
    """List the evaluators in a module or a class, those too that it loads when they are asked for."""
    found = []
    for name in dir(holder):
        try:
            thing = getattr(holder, name, None)
        except Exception:  # noqa: BLE001, S112 (what other people load late raises anything)
            continue
        if _is_evaluator(thing, module):
            found.append(name)
    return found


def _is_evaluator(thing: object, module: str = "") -> bool:
    """Tell whether something is an evaluator, and of a module or one below it if that is asked."""
    from pathbench.base import AnyEvaluator

    return (
        isinstance(thing, type)
        and issubclass(thing, AnyEvaluator)
        and f"{thing.__module__}.".startswith(f"{module}." if module else "")
    )


def create(
    name: str | type[AnyEvaluator],
    dataset: Dataset | None = None,
    *,
    undefined: Undefined = "zero",
    compat: Compat | None = None,
) -> AnyEvaluator:
    """Make an evaluator for a data set.

    Parameters
    ----------
    name : str or type
        Name, or ``module:Class``, or the class itself.
    dataset : Dataset, optional
        Where an evaluator that looks up or depends on the language gets what it needs.
    undefined : {"zero", "none"}, default "zero"
        What an analysis that failed scores.
    compat : {"upstream"}, optional
        Give the values of the upstream project where ours differ.

    Returns
    -------
    AnyEvaluator
        The evaluator. Arguments are passed by name to a constructor that has them: `undefined`, `compat`,
        ``language``, and the tables of the data set.

    Raises
    ------
    UsageError
        If there is no such evaluator, it wants an argument that is not known, or its constructor fails.
    """
    from pathbench.base import said

    cls = load(find(name)) if isinstance(name, str) else name
    called = name if isinstance(name, str) else cls.__qualname__
    offered: dict[str, object] = {"undefined": undefined, "compat": compat}
    if dataset is not None:
        offered |= {
            "language": dataset.language,
            "scores": dataset.utt2score,
            "spk2score": dataset.spk2score,
            "spk2age": dataset.spk2age,
            "utt2spk": dataset.utt2spk,
        }
    wanted = inspect.signature(cls).parameters
    lacking = [
        parameter.name
        for parameter in wanted.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and parameter.name not in offered
    ]
    if lacking:
        what = f"the evaluator {called} wants {', '.join(lacking)}, which only a Python call can give"
        given = ", ".join(f"{argument}=…" for argument in lacking)
        fix = f"give defaults in its class, or in Python an instance: Choices([{cls.__name__}({given})])"
        raise UsageError(f"{what}; fix: {fix}")
    try:
        return cls(**{key: value for key, value in offered.items() if key in wanted})
    except (KeyboardInterrupt, PathbenchError):
        raise
    except BaseException as error:  # constructors of other people raise anything
        raise UsageError(f"the evaluator {called} cannot be made: {said(error)}; fix: see its constructor") from error


def _points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def _entry(point: EntryPoint) -> Entry:
    return Entry(point.name, point.value, distribution=point.dist.name if point.dist else "")
