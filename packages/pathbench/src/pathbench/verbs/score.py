"""``pathbench score``: score recordings, one line each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from pathbench.__about__ import __version__
from pathbench.base import guarded
from pathbench.errors import InputError, UsageError
from pathbench.render import csv_text, document, figure, grid, number, write_text
from pathbench.selection import expand, kind_of, made, name_of
from pathbench.text import language_code
from pathbench.work import checked

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pathbench.base import AnyEvaluator
    from pathbench.reasons import Detail

__all__ = ["run"]

_DEFAULT = ("cpp", "wada_snr")


def run(given: argparse.Namespace) -> int:
    """Score recordings.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0; 3 if an evaluator failed, or, strictly, if any score is missing.
    """
    for path in [*given.files, *given.reference]:
        if not os.path.isfile(path):
            what = "is a folder" if os.path.isdir(path) else "there is no such file"
            raise InputError(f"{path}: {what}; fix: name recordings")
    choices = expand(given.evaluators or _DEFAULT, given.skip)
    evaluators = {}
    for choice in choices:
        evaluator = made(choice, None, given.undefined, given.compat)
        evaluators[name_of(choice, evaluator)] = evaluator
    _refuse(evaluators, given)
    scores = [(path, {name: _score(given, path, one) for name, one in evaluators.items()}) for path in given.files]
    write_text(given.output, _shown(given, evaluators, scores), [*given.files, *given.reference])
    reasons = {detail.reason for _, of in scores for detail in of.values()} - {None}
    return 3 if "evaluator_error" in reasons or (given.strict and reasons) else 0


def _refuse(evaluators: dict[str, AnyEvaluator], given: argparse.Namespace) -> None:
    """Refuse evaluators that need more than there is."""
    for name, evaluator in evaluators.items():
        kind = kind_of(evaluator)
        if kind == "lookup" or kind.endswith("speaker"):
            raise UsageError(f"{name} scores no single recording; fix: use pathbench run on a dataset")
        if kind.startswith("text") and not given.text:
            raise UsageError(f"{name} compares with what was to be said; fix: give --text")
        if kind.endswith("audio") and not given.reference:
            raise UsageError(f"{name} compares with other speakers; fix: give --reference FILE, once for each")


def _score(given: argparse.Namespace, path: str, evaluator: Any) -> Detail:  # noqa: ANN401 (its kind says the call)
    kind = kind_of(evaluator)
    words = (given.text, language_code(given.language)) if kind.startswith("text") else ()
    others = ([(file, 0.0, -1.0) for file in given.reference],) if kind.endswith("audio") else ()
    unit = os.path.splitext(os.path.basename(path))[0]
    return checked(guarded(lambda: cast("Detail", evaluator.score_detail(unit, path, *words, *others))))


def _shown(
    given: argparse.Namespace,
    evaluators: dict[str, AnyEvaluator],
    scores: Sequence[tuple[str, dict[str, Detail]]],
) -> str:
    names = list(evaluators)
    if given.csv:
        return csv_text(("file", *names), [(path, *(number(of[name].value) for name in names)) for path, of in scores])
    if not given.json:
        return grid(("file", *names), [(path, *(figure(of[name].value) for name in names)) for path, of in scores])
    files = [
        {
            "file": path,
            "scores": {name: number(detail.value) for name, detail in of.items()},
            "reasons": {name: detail.reason for name, detail in of.items() if detail.reason is not None},
        }
        for path, of in scores
    ]
    signatures = {name: evaluator.signature(name) for name, evaluator in evaluators.items()}
    signature = f"pathbench|v:{__version__}|score:{'+'.join(names)}"
    return document(signature, {"signatures": signatures, "files": files})
