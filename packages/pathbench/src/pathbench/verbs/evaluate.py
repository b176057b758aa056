"""``pathbench evaluate``: correlate the scores of another predictor with ratings, and rank it among published ones."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from pathbench.__about__ import __version__
from pathbench.correlation import LEVEL, MOST_DRAWS, correlate
from pathbench.errors import InputError, UsageError
from pathbench.predictions import find_predictions, matched, read_predictions, read_ratings
from pathbench.published import column_of
from pathbench.render import document, figure, grid, number, write_text
from pathbench.table import distinct, rank

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pathbench.correlation import Correlation
    from pathbench.table import Rank

__all__ = ["run"]

log = logging.getLogger(__name__)


class _Found(NamedTuple):
    """What was found for a dataset, whose name it has, and its column of the published table, if any."""

    column: str | None
    correlation: Correlation


def run(given: argparse.Namespace) -> int:
    """Evaluate predictions.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0.
    """
    if not 0 <= given.draws <= MOST_DRAWS or given.seed < 0:
        raise UsageError(f"--draws must be between 0 and {MOST_DRAWS}, --seed not negative; fix: leave them out")
    pairs = _pairs(given)
    found = [_correlated(given, *pair) for pair in pairs]
    inputs = [path for _, *paths in pairs for path in paths]
    ranking = _ranking(given, found)
    text = _json(given, found, ranking) if given.json else _text(given, found, ranking)
    write_text(given.output, text, inputs)
    return 0


def _pairs(given: argparse.Namespace) -> list[tuple[str, str, str]]:
    """List what to evaluate: name, predictions, ratings."""
    in_tree = (given.evaluator, given.results_dir, given.datasets_root)
    if given.predictions is not None:
        if any(in_tree):
            raise UsageError("give either two files, or --evaluator, --results-dir and --datasets-root; fix: not both")
        if given.ratings is None:
            raise UsageError("the ratings are missing; fix: give SPK2SCORE after PREDICTIONS")
        ratings = given.ratings
        path = os.path.join(ratings, "spk2score") if os.path.isdir(ratings) else ratings
        return [(_name(path), given.predictions, path)]
    if not all(in_tree):
        raise UsageError(
            "nothing to evaluate; fix: give PREDICTIONS SPK2SCORE, or --evaluator, --results-dir and --datasets-root"
        )
    pairs = []
    files = find_predictions(given.results_dir, given.evaluator)
    for folder, path in files:
        ratings = os.path.join(given.datasets_root, folder, "spk2score")
        if os.path.isfile(ratings):
            pairs.append((folder or os.curdir, path, ratings))
        else:
            log.warning("%s: there are no ratings %s; it is left out", path, ratings)
    if not pairs:
        what = f"no ratings for any {given.evaluator}.csv" if files else f"no file {given.evaluator}.csv"
        fix = "give the name of the files without .csv, and two roots with the same folders below"
        raise InputError(f"{given.results_dir}: there is {what} below it; fix: {fix}")
    return pairs


def _name(ratings: str) -> str:
    """Name a dataset after the folder of its ratings."""
    if ratings == "-":
        return ratings
    folder = os.path.dirname(os.path.normpath(ratings))
    return folder or os.path.basename(os.getcwd())


def _correlated(given: argparse.Namespace, name: str, path: str, ratings_path: str) -> _Found:
    predictions = read_predictions(path, id_column=given.id_column, score_column=given.score_column)
    if predictions.skipped:
        lines = ", ".join(map(str, predictions.skipped[:10])) + (", …" if len(predictions.skipped) > 10 else "")
        log.warning("%s: lines without a number in the second column are left out: %s", path, lines)
    ratings = read_ratings(ratings_path)
    scores, message = matched(path, predictions.scores, ratings_path, ratings, given.on_mismatch)
    if message:
        log.warning("%s", message)
    found = correlate(name, ratings, scores, draws=given.draws, seed=given.seed)
    if found.reason:
        log.warning("%s: there is no correlation: %s", path, found.reason)
    # the whole path counts, so that it does not matter from where, and how, the folder is named
    is_folder = ratings_path != "-"
    return _Found(column_of(os.path.dirname(os.path.abspath(ratings_path))) if is_folder else None, found)


def _ranking(given: argparse.Namespace, found: Sequence[_Found]) -> list[Rank]:
    """Rank the predictor over the published columns that it has; empty if it has none."""
    turn = -1.0 if given.lower_is_better else 1.0
    cells = {one.column: turn * one.correlation.pcc for one in found if one.column and not one.correlation.reason}
    return rank(given.evaluator or "predictions", cells) if cells else []


def _signature(given: argparse.Namespace) -> str:
    sign = "turned" if given.lower_is_better else "kept"
    return (
        f"pathbench|v:{__version__}|metric:pcc|level:speaker|mismatch:{given.on_mismatch}|sign:{sign}"
        f"|interval:{LEVEL}|draws:{given.draws}|seed:{given.seed}"
    )


def _mean(found: Sequence[_Found]) -> float:
    values = [one.correlation.pcc for one in found if not one.correlation.reason]
    return sum(values) / len(values) if values else float("nan")


def _text(given: argparse.Namespace, found: Sequence[_Found], ranking: Sequence[Rank]) -> str:
    names = distinct([one.correlation.metric for one in found], "mean")
    rows = [
        [name, figure(one.pcc, 2), _interval(one), figure(one.spearman, 2), str(one.n)]
        for name, (_, one) in zip(names, found, strict=True)
    ]
    if len(found) >= 2:
        n_undefined = sum(bool(one.correlation.reason) for one in found)
        rows.append(
            ["mean" + (f" (without {n_undefined})" if n_undefined else ""), figure(_mean(found), 2), "", "", ""]
        )
    parts = [grid(("dataset", "PCC", "95% interval", "Spearman", "speakers"), rows)]
    if ranking:
        n_columns = max(entry.n for entry in ranking)
        rows = [[str(entry.rank), entry.name, entry.category, figure(entry.avg, 2), str(entry.n)] for entry in ranking]
        parts.append(
            f"Among the published, over {n_columns} of their columns\n\n"
            + grid(("rank", "metric", "category", "mean PCC", "columns"), rows, left=3)
        )
    return "\n".join([*parts, f"signature: {_signature(given)}\n"])


def _interval(one: Correlation) -> str:
    return "N/A" if one.low != one.low else f"{figure(one.low, 2)} to {figure(one.high, 2)}"


def _json(given: argparse.Namespace, found: Sequence[_Found], ranking: Sequence[Rank]) -> str:
    datasets: list[dict[str, Any]] = [
        {
            "name": one.metric,
            "column": column,
            "pcc": number(one.pcc),
            "low": number(one.low),
            "high": number(one.high),
            "spearman": number(one.spearman),
            "n": one.n,
            "reason": one.reason or None,
        }
        for column, one in found
    ]
    ranks = [
        {
            "rank": entry.rank,
            "metric": entry.name,
            "category": entry.category or None,
            "avg": number(entry.avg),
            "n": entry.n,
        }
        for entry in ranking
    ]
    mean = number(_mean(found)) if len(found) >= 2 else None
    return document(_signature(given), {"datasets": datasets, "mean_pcc": mean, "ranking": ranks})
