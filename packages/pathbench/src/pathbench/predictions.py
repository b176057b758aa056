"""Scores of someone else's predictor: CSV files of speaker and score, alone or in a tree, beside the ratings.

A CSV file has named columns (`speaker_id` and `score`, or those that are asked for) or, without them, an id and a
number in its first two columns.
"""

from __future__ import annotations

import csv
import logging
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pathbench.errors import InputError
from pathbench.folders import folders_with
from speechio import read_spk2score
from speechio.errors import Report
from speechio.fields import number
from speechio.text import display_name, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathbench.audio import StrPath

__all__ = ["OnMismatch", "Predictions", "find_predictions", "matched", "read_predictions", "read_ratings"]

log = logging.getLogger(__name__)

OnMismatch = Literal["error", "intersect"]
"""What to do when predictions and ratings are not of the same speakers."""

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Predictions:
    """The scores of a CSV file.

    Attributes
    ----------
    scores : dict of str to float
        Score by speaker, in the order of the file; all finite.
    skipped : tuple of int
        Lines left out because they have no number where one is looked for by position.
    """

    scores: dict[str, float]
    skipped: tuple[int, ...] = ()


@dataclass(slots=True)
class _Rows:
    """The rows of a file, with the line each ends at, and what was found in them so far."""

    path: str
    id_column: str
    score_column: str
    is_asked: bool
    scores: dict[str, float] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    skipped: list[int] = field(default_factory=list)

    def named(self, text: str, line: int) -> str:
        """Give the speaker of a line."""
        if not (speaker := text.strip()):
            raise _wrong(self.path, line, "the speaker is empty", "give every line a speaker and a score")
        return speaker

    def add(self, speaker: str, value: float, line: int) -> None:
        if value != value or abs(value) == float("inf"):
            raise _wrong(self.path, line, f"the score of {speaker} is {value}", "give a number, or leave the line out")
        if speaker in self.scores:
            what = f"{speaker} is here and at line {self.lines[speaker]}"
            raise _wrong(self.path, line, what, "give every speaker one score")
        self.scores[speaker] = value
        self.lines[speaker] = line


def _wrong(path: str, line: int | None, what: str, fix: str) -> InputError:
    where = path if line is None else f"{path}:{line}"
    return InputError(f"{where}: {what}; fix: {fix}")


ID_COLUMN, SCORE_COLUMN = "speaker_id", "score"
"""Names of the columns, if no others are asked for."""


def read_predictions(path: StrPath, *, id_column: str | None = None, score_column: str | None = None) -> Predictions:
    """Read a CSV file of scores.

    Parameters
    ----------
    path : path-like or str
        The file, gzip or not; ``-`` is standard input.
    id_column, score_column : str, optional
        Names of the columns, ``speaker_id`` and ``score`` by default. If neither is given and the header lacks one of
        the defaults, the first two columns are taken: the first line is data if its second field is a number, and
        lines without a number there are left out.

    Returns
    -------
    Predictions
        The scores.

    Raises
    ------
    InputError
        If there is no row, a column is missing or there twice, a speaker is empty, a score is no number, or a speaker
        comes twice.
    speechio.SpeechioError
        If the file cannot be read as text.
    """
    is_asked = id_column is not None or score_column is not None
    id_column, score_column = id_column or ID_COLUMN, score_column or SCORE_COLUMN
    rows = _Rows(display_name(path), id_column, score_column, is_asked)
    reader = _csv_rows(path, rows.path)
    first = next(reader, None)
    if first is None:
        raise _wrong(rows.path, None, "the file is empty", f"write a line {id_column},{score_column} and scores")
    line, header = first
    if len(header) < 2:
        what = f"{len(header)} column{'s' * (len(header) != 1)} where two are wanted"
        raise _wrong(rows.path, line, what, "separate speaker and score by a comma")
    names = [name.strip() for name in header]
    lacking = [name for name in (id_column, score_column) if name not in names]
    absent = f"there is no column {' and no '.join(lacking)}; the columns are {', '.join(names)}"
    if lacking and is_asked:
        raise _wrong(rows.path, line, absent, "name those of speakers and scores with --id-column and --score-column")
    twice = [name for name in (id_column, score_column) if names.count(name) > 1]
    if twice and not lacking:
        raise _wrong(rows.path, line, f"there are several columns {twice[0]}", "give every column a name of its own")
    if lacking:
        _by_position(first, reader, rows)
    else:
        _by_name(reader, rows, names)
    if not rows.scores:
        why = f": {absent}, and the second holds no number" if lacking else ""
        raise _wrong(rows.path, None, f"there is no score in it{why}", "write one line of speaker and score each")
    return Predictions(rows.scores, tuple(rows.skipped))


def _csv_rows(path: StrPath, name: str) -> Iterator[tuple[int, list[str]]]:
    """Give the rows that are not blank, each with its line."""
    report = Report(name)
    reader = csv.reader((f"{text}\n" for _, text in read_lines(path, report)), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _wrong(name, reader.line_num, f"no CSV ({error})", "quote fields with a comma or a quote") from None
        if any(text.strip() for text in row):
            yield reader.line_num, row


def _by_name(reader: Iterator[tuple[int, list[str]]], rows: _Rows, names: Sequence[str]) -> None:
    of_id, of_score = names.index(rows.id_column), names.index(rows.score_column)
    for line, row in reader:
        if len(row) <= max(of_id, of_score):
            what = f"{len(row)} fields where the header has {len(names)}"
            raise _wrong(rows.path, line, what, "give every line a speaker and a score")
        speaker, text = rows.named(row[of_id], line), row[of_score].strip()
        value = _float(text)
        if value is None:
            what = f"the score of {speaker} is {text!r}, which is no number"
            raise _wrong(rows.path, line, what, "give a number, or leave the line out")
        rows.add(speaker, value, line)


def _by_position(first: tuple[int, list[str]], reader: Iterator[tuple[int, list[str]]], rows: _Rows) -> None:
    if _float(first[1][1].strip()) is not None:
        rows.add(rows.named(first[1][0], first[0]), float(first[1][1]), first[0])
    for line, row in reader:
        value = _float(row[1].strip()) if len(row) > 1 else None
        if value is None:
            rows.skipped.append(line)
        else:
            rows.add(rows.named(row[0], line), value, line)


def _float(text: str) -> float | None:
    """Read a number; ``nan`` and ``inf`` are numbers, so that they are told and not passed over."""
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return float(text)
    return number(text)


def read_ratings(path: StrPath) -> dict[str, float]:
    """Read the ratings of a dataset; speakers without one (``N/A``) are left out, with a warning.

    Parameters
    ----------
    path : path-like or str
        An ``spk2score`` file.

    Returns
    -------
    dict of str to float
        Rating by speaker.

    Raises
    ------
    InputError
        If nobody has a rating.
    speechio.SpeechioError
        If the file cannot be read, or a line is wrong.
    """
    ratings = read_spk2score(path)
    unrated = sorted(speaker for speaker, score in ratings.items() if score is None)
    if unrated:
        log.warning("%s: left out, since their rating is N/A: %s", display_name(path), _some(unrated))
    if len(unrated) == len(ratings):
        what = "every rating is N/A" if ratings else "there is no rating in it"
        raise _wrong(display_name(path), None, what, "write one line of speaker and rating each")
    return {speaker: score for speaker, score in ratings.items() if score is not None}


def matched(
    predictions: StrPath,
    scores: dict[str, float],
    ratings_path: StrPath,
    ratings: dict[str, float],
    on_mismatch: OnMismatch = "error",
) -> tuple[dict[str, float], str]:
    """Give the scores of the rated speakers.

    Parameters
    ----------
    predictions, ratings_path : path-like or str
        The two files, for the message.
    scores, ratings : dict of str to float
        What they hold.
    on_mismatch : {"error", "intersect"}, default "error"
        Whether speakers that one side lacks are an error or left out.

    Returns
    -------
    scores : dict of str to float
        Those of speakers with a rating.
    message : str
        Who was left out; empty if nobody was.

    Raises
    ------
    InputError
        If the speakers differ and this is an error, or if none is common.
    """
    unrated, unscored = sorted(scores.keys() - ratings.keys()), sorted(ratings.keys() - scores.keys())
    if not unrated and not unscored:
        return scores, ""
    differences = "; ".join(
        f"{len(names)} only {where}: {_some(names)}"
        for names, where in ((unrated, "in the predictions"), (unscored, "in the ratings"))
        if names
    )
    where = f"{display_name(predictions)}: its speakers are not those of {os.fspath(ratings_path)}"
    if on_mismatch == "error":
        fix = "give every rated speaker a score, or choose --on-mismatch intersect"
        raise InputError(f"{where} ({differences}); fix: {fix}")
    kept = {speaker: score for speaker, score in scores.items() if speaker in ratings}
    if not kept:
        raise InputError(f"{where}: none is common ({differences}); fix: name the same speakers in both")
    return kept, f"{where}; left out are {differences}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def find_predictions(results_dir: StrPath, evaluator: str) -> list[tuple[str, str]]:
    """Find the scores of one predictor in a tree of folders.

    Parameters
    ----------
    results_dir : path-like or str
        Root of the tree.
    evaluator : str
        Name of the files, without ``.csv``.

    Returns
    -------
    list of (str, str)
        Folder below the root, with ``/``, and path of the file; sorted by path. Links are followed; a folder that
        can be reached in several ways counts once.

    Raises
    ------
    InputError
        If the root is no folder, or cannot be read.
    """
    root = os.fspath(results_dir)
    if not os.path.isdir(root):
        raise InputError(f"{root}: is not a folder; fix: give the root of a tree of CSV files with --results-dir")
    found = []
    for folder in folders_with(root, f"{evaluator}.csv"):
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        found.append(("" if relative == "." else relative, os.path.join(folder, f"{evaluator}.csv")))
    return sorted(found, key=lambda pair: pair[1])
