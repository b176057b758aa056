"""The published table of correlations, and how to read a dataset's folder as one of its columns.

The figures are those of B. M. Halpern, T. B. Tienkamp, D. Abur and T. Toda: PathBench (2026), arXiv 2603.08097.
Every cell is already turned so that a higher value is better.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PUBLISHED_METRICS", "PublishedRow", "average", "column_of", "read_table", "rounded"]

PUBLISHED_METRICS = {
    "Speech Rate": "praat_speech_rate_fa",
    "CPP": "cpp_fa",
    "Std Pitch": "std_pitch_fa",
    "VSA": "vsa",
    "Double ASR": "double_asr",
    "DArtP": "artp_double_asr",
    "Confidence": "artp_old",
    "PER (SEM)": "per",
    "PER (Phone)": "dper",
    "ArtP": "artp",
    "P-ESTOI": "p_estoi_fa_all",
    "NAD": "nad_fa_all",
}
"""Name of the metric behind each row of the published table."""

_SETS = {
    "uaspeech": "UASpeech",
    "neurovoz": "NeuroVoz",
    "easycall": "EasyCall",
    "copas": "COPAS",
    "torgo": "TORGO",
    "mdsc": "MDSC",
    "youtube": "YT",
}
_TASKS = {"word": "Word", "utterances": "Sentence", "command": "Command", "commands": "Command"}
_CONDITIONS = {"balanced": "MC", "unbalanced": "EX", "all": "Full"}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of the published table.

    Attributes
    ----------
    metric, category : str
        Its name and kind.
    cells : dict of str to float
        Correlation by column; missing ones left out.
    avg : float
        The mean of the cells, as published.
    """

    metric: str
    category: str
    cells: dict[str, float]
    avg: float


def read_table(path: str | None = None) -> list[PublishedRow]:
    """Read a table of results.

    Parameters
    ----------
    path : str, optional
        The CSV file; by default the published table that comes with this package.

    Returns
    -------
    list of PublishedRow
        In the order of the file.

    Examples
    --------
    >>> [(row.metric, row.avg) for row in read_table()][-1]
    ('NAD', 0.71)
    """
    if path is None:
        text = files("pathbench").joinpath("data/results_table.csv").read_text(encoding="utf-8")
    else:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    rows = []
    for record in csv.DictReader(text.splitlines()):
        metric, category, avg = (record.pop(name) for name in ("Metric", "Category", "Avg"))
        cells = {column: float(cell) for column, cell in record.items() if cell}
        rows.append(PublishedRow(metric, category, cells, float(avg)))
    return rows


def column_of(folder: str) -> str | None:
    """Name the column that a dataset's folder stands for.

    Parameters
    ----------
    folder : str
        Path of the folder; its last parts count.

    Returns
    -------
    str or None
        The column; None if the folder is not that of a published dataset.

    Examples
    --------
    >>> column_of("datasets/copas/pathological/word/unbalanced")
    'COPAS Word EX'
    >>> column_of("youtube")
    'YT Sentence Full'
    >>> column_of("mine/word/balanced")
    """
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    if parts and parts[-1] == "youtube":
        return "YT Sentence Full"
    if len(parts) < 4 or parts[-3] != "pathological":
        return None
    names = (_SETS.get(parts[-4]), _TASKS.get(parts[-2]), _CONDITIONS.get(parts[-1]))
    return None if None in names else " ".join(name or "" for name in names)


def rounded(value: float) -> float:
    """Round as the table does: to two decimals, ties (of the binary value) to the even digit.

    Parameters
    ----------
    value : float
        A correlation.

    Returns
    -------
    float
        The rounded value, never minus zero.

    Examples
    --------
    >>> rounded(0.125), rounded(-0.001)
    (0.12, 0.0)
    """
    return round(value, 2) + 0.0


def average(cells: Mapping[str, float] | Sequence[float]) -> float:
    """Average cells as the table does: the mean of the rounded cells, rounded again.

    Parameters
    ----------
    cells : mapping or sequence of float
        Correlations; missing ones left out.

    Returns
    -------
    float
        The mean; NaN without cells.

    Examples
    --------
    >>> average([0.514, 0.516])
    0.52
    """
    values = [rounded(value) for value in (cells.values() if hasattr(cells, "values") else cells)]
    return rounded(sum(values) / len(values)) if values else float("nan")
