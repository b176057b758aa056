"""``pathbench score``: score recordings, one line each."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from pathbench.__about__ import __version__
from pathbench.errors import InputError, UsageError
from pathbench.reasons import tell
from pathbench.render import csv_text, document, figure, grid, number, write_text
from pathbench.selection import expand, kind_of, made, name_of, refuse_twins
from pathbench.shield import results_only
from pathbench.text import language_code
from pathbench.work import checked, quiet, score_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pathbench.base import AnyEvaluator
    from pathbench.reasons import Detail

__all__ = ["run"]

log = logging.getLogger(__name__)

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
            is_odd = "is no regular file, and its samples must be sought in" if os.path.exists(path) else ""
            what = "is a folder" if os.path.isdir(path) else is_odd or "there is no such file"
            raise InputError(f"{path}: {what}; fix: name recordings")
    with results_only():
        evaluators = _made(given)
        signatures = {name: evaluator.signature(name) for name, evaluator in evaluators.items()}
        scores = [(path, _scored(given, path, evaluators)) for path in given.files]
    write_text(given.output, _shown(given, signatures, scores), [*given.files, *given.reference])
    reasons = {detail.reason for _, of in scores for detail in of.values()} - {None}
    return 3 if "evaluator_error" in reasons or (given.strict and reasons) else 0


def _made(given: argparse.Namespace) -> dict[str, AnyEvaluator]:
    """Make the evaluators, by the names of their scores."""
    choices = expand(given.evaluators or _DEFAULT, given.skip)
    pairs = [(choice, made(choice, None, given.undefined, given.compat)) for choice in choices]
    named = [(name_of(choice, evaluator), evaluator) for choice, evaluator in pairs]
    refuse_twins([name for name, _ in named])
    evaluators = dict(named)
    _refuse(evaluators, given)
    return evaluators


def _refuse(evaluators: dict[str, AnyEvaluator], given: argparse.Namespace) -> None:
    """Refuse evaluators that need more than there is; say what none of them needs."""
    for name, evaluator in evaluators.items():
        kind = kind_of(evaluator)
        if kind == "lookup" or kind.endswith("speaker"):
            raise UsageError(f"{name} scores no single recording; fix: use pathbench run on a dataset")
        if kind.startswith("text") and not given.text:
            raise UsageError(f"{name} compares with what was to be said; fix: give --text")
        if kind.endswith("audio") and not given.reference:
            raise UsageError(f"{name} compares with other speakers; fix: give --reference FILE, once for each")
    kinds = {kind_of(evaluator) for evaluator in evaluators.values()}
    for option, value, asks in (("--text", given.text, "text"), ("--reference", given.reference, "audio")):
        if value and not any(asks in kind for kind in kinds):
            log.warning("%s is not used: none of %s asks for it", option, ", ".join(evaluators))


def _scored(given: argparse.Namespace, path: str, evaluators: dict[str, AnyEvaluator]) -> dict[str, Detail]:
    """Score a recording; each thing that is wrong with it is told once."""
    with quiet():
        found = {name: checked(_score(given, path, evaluator)) for name, evaluator in evaluators.items()}
    for message in dict.fromkeys(
        tell(path, detail) + ("" if detail.reason in ("load_error", "empty_audio") else f" ({name})")
        for name, detail in found.items()
        if detail.reason is not None
    ):
        log.warning("%s", message)
    return found


def _score(given: argparse.Namespace, path: str, evaluator: AnyEvaluator) -> Detail:
    kind = kind_of(evaluator)
    words = (given.text, language_code(given.language)) if kind.startswith("text") else ()
    references = [(file, 0.0, -1.0) for file in given.reference] if kind.endswith("audio") else None
    unit = os.path.splitext(os.path.basename(path))[0]
    return score_file(evaluator, unit, (path, 0.0, -1.0), words, references)


def _shown(
    given: argparse.Namespace,
    signatures: dict[str, str],
    scores: Sequence[tuple[str, dict[str, Detail]]],
) -> str:
    names = list(signatures)
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
    signature = f"pathbench|v:{__version__}|score:{'+'.join(names)}"
    return document(signature, {"signatures": signatures, "files": files})
