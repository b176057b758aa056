"""``discophon evaluate UNITS PHONES``: score the units of one language and split."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from discophon.data import DEFAULT_N_UNITS, STEP_PHONES, STEP_UNITS
from discophon.verbs import names_in

if TYPE_CHECKING:
    import argparse

    from discophon.evaluate import DiscoveryResult

__all__ = ["add_arguments", "run"]

DONE, UNDEFINED = 0, 3
_log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    parser.add_argument("units", metavar="UNITS", help="units, one JSON object a line with file and units")
    parser.add_argument("phones", metavar="PHONES", help="gold alignment: #file onset offset #phone")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--language", metavar="NAME", help="name or code of the language")
    target.add_argument("--n-phonemes", metavar="N", type=int, help="number of phonemes, without silence")
    parser.add_argument(
        "--n-units",
        metavar="N",
        type=int,
        help=f"number of different units (default {DEFAULT_N_UNITS}; one-to-one: phonemes + 1)",
    )
    add_scoring_arguments(parser)
    parser.add_argument("--json", action="store_true", help="scores, counts and settings in one JSON document")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write there (default standard output)")


def add_scoring_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that decide how units are scored.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser of a verb that scores.
    """
    parser.add_argument(
        "--kind",
        choices=("many-to-one", "one-to-one"),
        default="many-to-one",
        help="several units may stand for one phone, or units and phones form pairs (default many-to-one)",
    )
    parser.add_argument(
        "--step-units", metavar="MS", type=int, default=STEP_UNITS, help=f"time per unit (default {STEP_UNITS})"
    )
    parser.add_argument(
        "--metrics",
        metavar="NAME,...",
        default="pnmi,per,f1,r_val",
        help="scores to compute (default pnmi,per,f1,r_val)",
    )
    parser.add_argument(
        "--windows",
        choices=("disjoint", "shared"),
        default="disjoint",
        help="shared: boundary windows as before release 0.2.0, with higher F1 and R-value (default disjoint)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Score, and write the scores as JSON.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0, or 3 if a score is undefined; the others are written all the same.
    """
    from discophon.output import check_output
    from speechio.write import write_lines

    check_output(arguments.output, [arguments.units, arguments.phones])
    result = _discover(arguments)
    scores, reasons = result.defined_scores()
    document = result.to_dict() if arguments.json else scores
    write_lines(arguments.output, [json.dumps(document, ensure_ascii=False, allow_nan=False)])
    if not arguments.json:
        _log.info("signature: %s", result.signature)
    for reason in reasons.values():
        _log.error("%s against %s: %s", arguments.units, arguments.phones, reason)
    return UNDEFINED if reasons else DONE


def _discover(arguments: argparse.Namespace) -> DiscoveryResult:
    """Read and score."""
    from discophon.alignment import read_alignment
    from discophon.errors import UsageError, said_about
    from discophon.evaluate import discover_paired, pair
    from discophon.evaluate.assignment import number_of_phonemes
    from discophon.evaluate.discovery import check_metrics
    from discophon.submission import read_submission

    if arguments.units == arguments.phones == "-":
        raise UsageError("only one of UNITS and PHONES can be standard input")
    n_phonemes = number_of_phonemes(arguments.n_phonemes, arguments.language)
    n_units = arguments.n_units
    if n_units is None:
        n_units = n_phonemes + 1 if arguments.kind == "one-to-one" else DEFAULT_N_UNITS
    units, phones = read_submission(arguments.units), read_alignment(arguments.phones)
    with said_about(f"{arguments.units} against {arguments.phones}"):
        return discover_paired(
            pair(units, phones, step_units=arguments.step_units, step_phones=STEP_PHONES),
            kind=arguments.kind,
            n_units=n_units,
            n_phonemes=n_phonemes,
            metrics=check_metrics(names_in(arguments.metrics)),
            windows=arguments.windows,
        )
