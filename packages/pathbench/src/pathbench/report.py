"""The results of a run as text, Markdown, CSV and JSON."""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from pathbench.__about__ import __version__
from pathbench.correlation import DRAWS, LEVEL
from pathbench.render import csv_text, document, figure, grid, markdown, number
from pathbench.table import build_table, distinct, in_summary_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pathbench.benchmark import Choices
    from pathbench.correlation import Complete
    from pathbench.outcome import MetricOutcome, Outcome
    from pathbench.plan import Level
    from pathbench.store import StoredScore
    from pathbench.table import Row

__all__ = ["Report", "counts", "missing_csv", "score_files", "stale_files"]

_LIBRARIES = ("numpy", "scipy", "soundfile", "soxr", "praat-parselmouth", "scikit-learn")
_HEADER = ("metric", "PCC", "95% interval", "Spearman")


class Report:
    """What a run found on all its datasets.

    Parameters
    ----------
    outcomes : sequence of Outcome
        One for each dataset.
    choices : Choices
        What the run was asked for.
    level : {"speaker", "utterance"}
        What was correlated.
    complete : {"all", "per-metric"}
        At utterance level, which utterances count.
    draws, seed : int
        Resamples of the intervals, and their seed.
    """

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        choices: Choices,
        *,
        level: Level = "speaker",
        complete: Complete = "all",
        draws: int = DRAWS,
        seed: int = 0,
    ) -> None:
        self.outcomes = outcomes
        self.unit = "speakers" if level == "speaker" else "utterances"
        self.choices: dict[str, Any] = {
            "level": level,
            "complete": complete if level == "utterance" else "common-speakers",
            "undefined": choices.undefined,
            "compat": choices.compat,
            "interval": LEVEL,
            "draws": draws,
            "seed": seed,
        }
        self.metrics = in_summary_order(list(dict.fromkeys(m.name for one in outcomes for m in one.metrics)))

    @property
    def signature(self) -> str:
        """What everything was computed with, in one line; each metric has its own beside it."""
        chosen = "".join(f"|{key}:{'none' if value is None else value}" for key, value in self.choices.items())
        return f"pathbench|v:{__version__}|metric:pcc|scores:{'+'.join(self.metrics)}{chosen}"

    @property
    def table(self) -> list[Row]:
        """Correlations across datasets."""
        return build_table({one.name: {m.name: m.correlation.pcc for m in one.metrics} for one in self.outcomes})

    def text(self) -> str:
        """Write everything for a terminal.

        Returns
        -------
        str
            A table for each dataset, and one across them if there are several.
        """
        parts = [f"{_title(one)}\n\n{grid((*_HEADER, self.unit), self._rows(one))}" for one in self.outcomes]
        if len(self.outcomes) > 1:
            header, rows = self._across()
            parts.append(f"PCC, turned so that more is better\n\n{grid(header, rows)}")
        return "\n".join([*parts, f"signature: {self.signature}\n"])

    def markdown(self) -> str:
        """Write everything as Markdown.

        Returns
        -------
        str
            The page.
        """
        header, rows = self._across()
        parts = ["# Correlation with raters\n", self._preamble(), "## All datasets\n", markdown(header, rows)]
        turned = [row.metric for row in self.table if row.sign < 0]
        if turned:
            parts.append(f"Turned so that more is better: {', '.join(f'`{name}`' for name in turned)}.\n")
        for one in self.outcomes:
            parts += [f"## `{one.name}`\n", f"{_title(one, name=False)}\n"]
            parts.append(markdown((*_HEADER, self.unit), self._rows(one)))
            if one.reasons:
                parts.append(f"Missing or doubtful scores: {counts(one.reasons)}.\n")
        parts += ["## Signatures\n", "".join(f"* `{text}`\n" for text in self._signatures().values())]
        return "\n".join(parts)

    def _preamble(self) -> str:
        chosen = ", ".join(f"{key} {'none' if value is None else value}" for key, value in self.choices.items())
        versions = ", ".join(f"{name} {text}" for name, text in self._versions().items())
        return f"* signature: `{self.signature}`\n* choices: {chosen}\n* versions: {versions}\n"

    def json(self) -> str:
        """Write everything as a JSON document.

        Returns
        -------
        str
            The document.
        """
        return document(
            self.signature,
            {
                "choices": self.choices,
                "versions": self._versions(),
                "datasets": [self._dataset(one) for one in self.outcomes],
                "table": [
                    {"metric": row.metric, "sign": row.sign, "cells": row.cells, "avg": number(row.avg)}
                    for row in self.table
                ],
            },
        )

    def csv(self) -> str:
        """Write a line for each dataset and metric as CSV.

        Returns
        -------
        str
            The text.
        """
        header = ("dataset", "metric", "pcc", "low", "high", "spearman", "n", "reason", "signature")
        rows = []
        for one in self.outcomes:
            for metric in self._metrics(one):
                found = metric.correlation
                numbers = map(number, (found.pcc, found.low, found.high, found.spearman))
                rows.append((one.name, metric.name, *numbers, found.n, found.reason, metric.signature))
        return csv_text(header, rows)

    def table_csv(self) -> str:
        """Write the table across datasets as CSV.

        Returns
        -------
        str
            The text, with two decimals.
        """
        header, rows = self._across()
        return csv_text(header, [["" if cell == "N/A" else cell for cell in row] for row in rows])

    def _metrics(self, one: Outcome) -> list[MetricOutcome]:
        by_name = {metric.name: metric for metric in one.metrics}
        return [by_name[name] for name in self.metrics if name in by_name]

    def _rows(self, one: Outcome) -> list[list[str]]:
        rows = []
        for metric in self._metrics(one):
            found = metric.correlation
            interval = "N/A" if found.low != found.low else f"{figure(found.low)} to {figure(found.high)}"
            what = figure(found.pcc) if not found.reason else f"N/A ({found.reason})"
            rows.append([metric.name, what, interval, figure(found.spearman), str(found.n)])
        return rows

    def _across(self) -> tuple[list[str], list[list[str]]]:
        names = [one.name for one in self.outcomes]
        rows = []
        for row in self.table:
            cells = [figure(row.cells.get(name), 2) for name in names]
            rows.append([row.metric, *cells, figure(row.avg, 2)])
        return ["metric", *distinct(names, "metric", "Avg"), "Avg"], rows

    def _dataset(self, one: Outcome) -> dict[str, Any]:
        return {
            "name": one.name,
            "folder": one.path,
            "language": one.language,
            "n_utterances": one.n_utterances,
            "n_speakers": one.n_speakers,
            "n_rated": one.n_rated,
            "common": list(one.common),
            "ratings": one.ratings,
            "missing": dict(sorted(one.reasons.items())),
            "metrics": [
                {
                    "metric": metric.name,
                    "signature": metric.signature,
                    "pcc": number(metric.correlation.pcc),
                    "low": number(metric.correlation.low),
                    "high": number(metric.correlation.high),
                    "spearman": number(metric.correlation.spearman),
                    "n": metric.correlation.n,
                    "reason": metric.correlation.reason or None,
                    "ids": list(metric.correlation.ids),
                    "values": {key: number(value) for key, value in metric.values.items()},
                }
                for metric in self._metrics(one)
            ],
        }

    def _signatures(self) -> dict[str, str]:
        return {metric.name: metric.signature for one in self.outcomes for metric in self._metrics(one)}

    @staticmethod
    def _versions() -> dict[str, str]:
        found = {"pathbench": __version__}
        for name in _LIBRARIES:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                continue
        return found


def _title(one: Outcome, *, name: bool = True) -> str:
    what = "speakers" if one.level == "speaker" else "utterances"
    text = (
        f"{one.n_utterances} utterances of {one.n_speakers} speakers ({one.language});"
        f" {one.n_rated} {what} rated, {len(one.common)} with all metrics"
    )
    return f"{one.name}: {text}" if name else text


def counts(reasons: Mapping[str, int]) -> str:
    """Write how often each reason was given.

    Parameters
    ----------
    reasons : mapping of str to int
        Count by reason.

    Returns
    -------
    str
        Sorted by reason.

    Examples
    --------
    >>> counts({"silent": 1, "load_error": 3})
    'load_error 3, silent 1'
    """
    return ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))


def score_files(one: Outcome) -> Iterable[tuple[str, str]]:
    """Give the scores of a dataset as CSV files that other tools, and ``pathbench evaluate``, read.

    Parameters
    ----------
    one : Outcome
        What was found on the dataset.

    Yields
    ------
    path : str
        Below the folder of results: ``DATASET/METRIC.csv``, or ``DATASET/METRIC.utterances.csv``.
    text : str
        ``speaker_id,score``, or ``utterance_id,score``, and a line for each, sorted, with six decimals.
    """
    column = "speaker_id" if one.level == "speaker" else "utterance_id"
    for metric in one.metrics:
        if metric.name not in ("spk2age", "spk2score"):
            rows = [(key, f"{value:.6f}") for key, value in metric.values.items()]
            yield _score_file(one.name, metric.name, one.level), csv_text((column, "score"), rows)


def _score_file(dataset: str, metric: str, level: str) -> str:
    return f"{dataset}/{metric}{'' if level == 'speaker' else '.utterances'}.csv"


def stale_files(path: str, outcomes: Iterable[Outcome]) -> list[str]:
    """List the score files of the run before that this run does not write in their place.

    Parameters
    ----------
    path : str
        The JSON document of that run.
    outcomes : iterable of Outcome
        What this run writes there; nothing if it writes elsewhere.

    Returns
    -------
    list of str
        Their paths below the folder of results; nothing if there is no such document.
    """
    try:
        with open(path, encoding="utf-8") as stream:
            before = json.load(stream)
        level = before["choices"]["level"]
        names = {
            _score_file(one["name"], metric["metric"], level) for one in before["datasets"] for metric in one["metrics"]
        }
    except (OSError, ValueError, KeyError, TypeError):
        return []
    names -= {name for one in outcomes for name, _ in score_files(one)}
    return sorted(name for name in names if os.pardir not in name.split("/"))


def missing_csv(scores: Iterable[tuple[str, StoredScore]]) -> str:
    """Write the scores that are missing or doubtful as CSV.

    Parameters
    ----------
    scores : iterable of (str, StoredScore)
        Dataset and score.

    Returns
    -------
    str
        The text.
    """
    rows = (
        (
            dataset,
            score.unit,
            score.metric,
            number(score.detail.value),
            score.detail.reason,
            _words(score.detail.extras),
        )
        for dataset, score in scores
    )
    return csv_text(("dataset", "unit", "metric", "value", "reason", "message"), rows)


def _words(extras: Mapping[str, object]) -> str:
    return str(extras.get("message", ""))
