"""The options of the verbs. Nothing numeric is imported here, so that ``--help`` is quick."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["VERBS", "add_options"]

VERBS = {
    "run": "Score datasets with evaluators and correlate the scores with the ratings of their speakers.",
    "evaluate": "Correlate the scores of another predictor, from CSV files, with ratings.",
    "score": "Score recordings.",
    "list": "List the evaluators: what they need, which languages they know, where they come from.",
    "check": "Check a dataset: its files, its recordings, their hashes and durations.",
    "repoint": "Change the beginning of the paths in wav.scp.",
    "plot": "Draw scores against ratings, a speaker's vowels, or the correlations of a run.",
}
"""The verbs, and what they do."""


def add_options(verb: str, parser: argparse.ArgumentParser) -> None:
    """Add the options of a verb.

    Parameters
    ----------
    verb : str
        Its name.
    parser : ArgumentParser
        Its parser.
    """
    _ADD[verb](parser)
    parser.add_argument("--quiet", action="store_true", help="only errors on standard error")
    parser.add_argument("--verbose", action="store_true", help="say more, and where an error arose")


def _run(add: argparse.ArgumentParser) -> None:
    add.add_argument("datasets", nargs="+", metavar="DATASET", help="folder of pathological speakers, Kaldi's files")
    _evaluators(add, "those of the published benchmark that are installed")
    add.add_argument("--out", metavar="DIR", default="pathbench-results", help="results go there (%(default)s)")
    add.add_argument("-j", "--jobs", type=_whole, default=1, metavar="N", help="processes; -1: one per processor (1)")
    add.add_argument("--engine", choices=("local", "dask"), default="local", help="where to compute (%(default)s)")
    add.add_argument("--scheduler", metavar="HOST:PORT", help="of the Dask cluster")
    add.add_argument("--strict", action="store_true", help="exit 3 if any score is missing or doubtful")
    _undefined(add)
    _data_root(add)
    add.add_argument("--results-dir", metavar="DIR", help="score files go there (OUT/scores)")
    add.add_argument("--datasets-root", metavar="DIR", help="datasets are named below this folder (the current one)")
    add.add_argument(
        "--level", choices=("speaker", "utterance"), default="speaker", help="what has ratings (%(default)s)"
    )
    add.add_argument(
        "--complete",
        choices=("all", "per-metric"),
        default="all",
        help="with --level utterance: count utterances that all metrics scored, or each metric's own (%(default)s)",
    )
    add.add_argument("--draws", type=_whole, default=10_000, metavar="N", help="resamples of intervals (%(default)s)")
    add.add_argument("--seed", type=_whole, default=0, metavar="N", help="seed of the resamples (%(default)s)")
    _json(add)


def _evaluate(add: argparse.ArgumentParser) -> None:
    add.add_argument("predictions", nargs="?", metavar="PREDICTIONS", help="CSV file of speaker and score")
    add.add_argument("ratings", nargs="?", metavar="SPK2SCORE", help="ratings: the file, or the folder that has it")
    add.add_argument("--evaluator", metavar="NAME", help="instead: all files NAME.csv below --results-dir")
    add.add_argument("--results-dir", metavar="DIR", help="root of the score files")
    add.add_argument("--datasets-root", metavar="DIR", help="root of the datasets, with the same folders below it")
    add.add_argument("--id-column", metavar="NAME", help="column of speakers (speaker_id, else the first)")
    add.add_argument("--score-column", metavar="NAME", help="column of scores (score, else the second)")
    add.add_argument(
        "--on-mismatch",
        choices=("error", "intersect"),
        default="error",
        help="when speakers differ: refuse, or leave out those that one side lacks (%(default)s)",
    )
    add.add_argument("--lower-is-better", action="store_true", help="turn the sign before ranking")
    add.add_argument("--draws", type=_whole, default=10_000, metavar="N", help="resamples of intervals (%(default)s)")
    add.add_argument("--seed", type=_whole, default=0, metavar="N", help="seed of the resamples (%(default)s)")
    _json(add)
    _output(add)


def _score(add: argparse.ArgumentParser) -> None:
    add.add_argument("files", nargs="+", metavar="FILE", help="recording")
    _evaluators(add, "cpp and wada_snr")
    add.add_argument("--text", default="", help="what was to be said, for evaluators that ask for it")
    add.add_argument("--language", default="en", help="its language (%(default)s)")
    add.add_argument("--reference", metavar="FILE", action="append", default=[], help="recording of another speaker")
    add.add_argument("--strict", action="store_true", help="exit 3 if any score is missing or doubtful")
    _undefined(add)
    how = add.add_mutually_exclusive_group()
    _json(how)
    how.add_argument("--csv", action="store_true", help="CSV with all digits")
    _output(add)


def _list(add: argparse.ArgumentParser) -> None:
    _json(add)
    _output(add)


def _check(add: argparse.ArgumentParser) -> None:
    add.add_argument(
        "datasets", nargs="+", metavar="DATASET", help="folder with wav.scp, or one with such folders below"
    )
    add.add_argument("--write-hashes", action="store_true", help="write wav_hash.scp instead of comparing with it")
    _data_root(add)
    _json(add)


def _repoint(add: argparse.ArgumentParser) -> None:
    add.add_argument(
        "datasets", nargs="+", metavar="DATASET", help="folder with wav.scp, or one with such folders below"
    )
    add.add_argument("--from", dest="old", required=True, metavar="PREFIX", help="beginning to replace, whole folders")
    add.add_argument("--to", dest="new", required=True, metavar="PREFIX", help="what takes its place")
    add.add_argument("--dry-run", action="store_true", help="only say what would change")
    add.add_argument("--no-backup", action="store_true", help="keep no wav.scp.bak")
    _json(add)


def _plot(add: argparse.ArgumentParser) -> None:
    add.add_argument("picture", choices=("scatter", "vowels", "heatmap"), help="what to draw")
    add.add_argument("source", metavar="SOURCE", help="folder of a run's results; for vowels a dataset")
    add.add_argument("-o", "--output", required=True, metavar="FILE", help="the picture, .png or .svg")
    add.add_argument("--dataset", metavar="NAME", help="scatter: which dataset, if the run has several")
    add.add_argument("--metric", metavar="NAME", help="scatter: which metric")
    add.add_argument("--speaker", metavar="ID", help="vowels: which speaker")
    _data_root(add)


def _evaluators(add: argparse.ArgumentParser, default: str) -> None:
    add.add_argument(
        "--evaluators",
        metavar="NAME,…",
        type=_names,
        help=f"names, or module:Class (default: {default}); see pathbench list",
    )
    add.add_argument("--skip", metavar="NAME,…", type=_names, default=[], help="leave these out")


def _undefined(add: argparse.ArgumentParser) -> None:
    add.add_argument(
        "--undefined",
        choices=("zero", "none"),
        default="zero",
        help="what an analysis that fails scores: 0, or nothing (%(default)s)",
    )
    add.add_argument("--compat", choices=("upstream",), help="values of the upstream project where ours differ")


def _data_root(add: argparse.ArgumentParser) -> None:
    add.add_argument("--data-root", metavar="DIR|OLD=NEW", help="where relative paths begin, or a beginning to replace")


def _json(add: argparse._ActionsContainer) -> None:
    add.add_argument("--json", action="store_true", help="one JSON document")


def _output(add: argparse.ArgumentParser) -> None:
    add.add_argument("-o", "--output", metavar="FILE", default="-", help="write there (standard output)")


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty name; write NAME,NAME")
    return names


def _whole(text: str) -> int:
    """Read a whole number of sensible size."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, or too large")
    return int(text)


_ADD: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "run": _run,
    "evaluate": _evaluate,
    "score": _score,
    "list": _list,
    "check": _check,
    "repoint": _repoint,
    "plot": _plot,
}
