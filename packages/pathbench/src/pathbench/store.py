"""Scores on disk: one SQLite file that a run fills as scores are made, and that every table is read from.

A *score* is kept under everything that decides it: dataset, metric, evaluator with its version and parameters, unit
(utterance or speaker), content of the audio, segment, and what else the evaluator saw (references, transcription,
language). *Results* say which score is the current one of each unit and metric; beside them each opening has its own,
so that two runs with other choices into one file do not take each other's. So a run that is killed goes on where it
stopped, a changed recording is scored anew, and going back to earlier settings computes nothing twice. What tells of a
moment, not of the data (an evaluator that failed, a file that could not be read), is tried again.

The file is in WAL mode with one transaction per unit: a process killed at any moment loses at most the unit it was
computing.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pathbench.errors import EvaluationError, InputError
from pathbench.reasons import Detail

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from types import TracebackType

__all__ = ["EvaluatorKey", "ScoreKey", "Store", "StoredScore"]

SCHEMA = 1
"""Version of the tables; a file of another version is refused."""

_APPLICATION = 0x50617468  # "Path", so that a stranger's database is not written to

_TABLES = """
CREATE TABLE IF NOT EXISTS dataset (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS evaluator (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, parameters TEXT NOT NULL,
    UNIQUE (name, version, parameters));
CREATE TABLE IF NOT EXISTS score (
    id INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES dataset, evaluator INTEGER NOT NULL REFERENCES evaluator,
    metric TEXT NOT NULL, unit TEXT NOT NULL, audio TEXT NOT NULL, onset REAL NOT NULL, offset REAL NOT NULL,
    context TEXT NOT NULL, value REAL, is_nan INTEGER NOT NULL, reason TEXT, extras TEXT NOT NULL,
    UNIQUE (dataset, metric, unit, evaluator, audio, onset, offset, context));
CREATE TABLE IF NOT EXISTS result (
    dataset INTEGER NOT NULL REFERENCES dataset, metric TEXT NOT NULL, unit TEXT NOT NULL,
    score INTEGER NOT NULL REFERENCES score, PRIMARY KEY (dataset, metric, unit)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
"""

_OWN = """
CREATE TEMP TABLE own (
    dataset INTEGER NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, score INTEGER NOT NULL,
    PRIMARY KEY (dataset, metric, unit)) WITHOUT ROWID"""

_FIND = """
SELECT s.id, r.score, s.reason FROM score s LEFT JOIN result r USING (dataset, metric, unit)
WHERE s.dataset = ? AND s.metric = ? AND s.unit = ? AND s.evaluator = ? AND s.audio = ? AND s.onset = ?
AND s.offset = ? AND s.context = ?"""

_ADD = """
INSERT INTO score (dataset, metric, unit, evaluator, audio, onset, offset, context, value, is_nan, reason, extras)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET value = excluded.value, is_nan = excluded.is_nan, reason = excluded.reason,
    extras = excluded.extras
RETURNING id"""

_POINT = """
INSERT INTO {table} (dataset, metric, unit, score) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET score = excluded.score WHERE score <> excluded.score"""

_SECONDS_TO_WAIT = 60


class EvaluatorKey(NamedTuple):
    """Which computation a score comes from.

    Attributes
    ----------
    name : str
        Class, with its module.
    version : str
        Version of what computes.
    parameters : str
        Constructor arguments as JSON, keys sorted.
    """

    name: str
    version: str
    parameters: str


class ScoreKey(NamedTuple):
    """What a score of a metric is computed from.

    Attributes
    ----------
    unit : str
        Utterance or speaker.
    audio : str
        SHA-256 of the audio; of a speaker, of those of all recordings.
    onset, offset : float
        The segment in seconds; 0 and -1 for the whole file.
    context : str
        Hash of what else the evaluator saw; empty if nothing.
    """

    unit: str
    audio: str
    onset: float
    offset: float
    context: str


@dataclass(frozen=True, slots=True)
class StoredScore:
    """A current score.

    Attributes
    ----------
    metric, unit : str
        What was scored.
    detail : Detail
        Value (NaN where the evaluator gave NaN), reason, extras.
    """

    metric: str
    unit: str
    detail: Detail


class Store:
    """A file of scores.

    Parameters
    ----------
    path : str
        The file; made if it is not there, unless it is only read.
    read_only : bool, default False
        Only read: nothing is made or changed.

    Raises
    ------
    InputError
        If the file cannot be opened, or holds something else.
    """

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self.path = path
        self._datasets: dict[str, int] = {}
        self._evaluators: dict[EvaluatorKey, int] = {}
        if read_only and not os.path.isfile(path):
            raise InputError(f"{path}: no such file; fix: name the scores.sqlite of a run")
        try:
            if read_only:
                self._database = sqlite3.connect(f"{_uri(path)}?mode=ro", uri=True, timeout=_SECONDS_TO_WAIT)
            else:
                self._database = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT)
            # transactions are begun by hand: one for each unit, whole or not at all
            self._database.isolation_level = None
            if read_only:
                self._refuse_strangers(may_be_new=False)
            else:
                self._claim()
        except sqlite3.Error as error:
            fix = _fix(error) or "name a scores.sqlite of pathbench, or another folder with --out"
            raise InputError(f"{path}: cannot be used as a store of scores: {error}; fix: {fix}") from error

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _refuse_strangers(self, *, may_be_new: bool) -> bool:
        """See that the tables are ours; tell whether they are still to be made."""
        run = self._database.execute
        application = run("PRAGMA application_id").fetchone()[0]
        is_new = run("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if application != _APPLICATION and not (is_new and may_be_new):
            raise sqlite3.DatabaseError("it holds something else")
        version = run("PRAGMA user_version").fetchone()[0]
        if version not in (SCHEMA, 0):
            raise sqlite3.DatabaseError(f"it was written by another version of pathbench (schema {version})")
        return int(version) == 0

    def _claim(self) -> None:
        """Make the tables, or see that they are ours: in one transaction, since several runs may begin at once."""
        run = self._database.execute
        run("BEGIN IMMEDIATE")
        try:
            if self._refuse_strangers(may_be_new=True):
                for statement in filter(str.strip, _TABLES.split(";")):
                    run(statement)
                run(f"PRAGMA application_id = {_APPLICATION}")
                run(f"PRAGMA user_version = {SCHEMA}")
            run("COMMIT")
        except BaseException:
            run("ROLLBACK")
            raise
        self._write_ahead()
        run("PRAGMA synchronous = NORMAL")  # in WAL mode a killed process loses no finished transaction
        run(_OWN)

    def _write_ahead(self) -> None:
        """Change to WAL mode, for which SQLite itself does not wait."""
        last = time.monotonic() + _SECONDS_TO_WAIT
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > last:
                    raise
                time.sleep(0.05)
            else:
                return

    def _dataset(self, name: str) -> int:
        if name not in self._datasets:
            self._datasets[name] = self._row("dataset", ("name",), (name,))
        return self._datasets[name]

    def _evaluator(self, key: EvaluatorKey) -> int:
        if key not in self._evaluators:
            self._evaluators[key] = self._row("evaluator", EvaluatorKey._fields, key)
        return self._evaluators[key]

    def _row(self, table: str, columns: Sequence[str], values: Sequence[str]) -> int:
        """Give the number of a row, which is made if need be; names of tables and columns are our own."""
        values = _texts(values)
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        where = " AND ".join(f"{column} = ?" for column in columns)
        with self._told():
            self._database.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", values)  # noqa: S608
            found = self._database.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone()  # noqa: S608
        return int(found[0])

    def missing(
        self, dataset: str, wanted: Iterable[tuple[str, EvaluatorKey, ScoreKey]], readable: Container[str] = ()
    ) -> list[str]:
        """Tell which metrics of a unit are not scored yet, and make the others' scores the current ones.

        Parameters
        ----------
        dataset : str
            Name of the dataset.
        wanted : iterable of (str, EvaluatorKey, ScoreKey)
            Metric, and what its score is kept under.
        readable : container of str, optional
            Metrics all of whose files can be read now: that one could not be read then says nothing.

        Returns
        -------
        list of str
            The metrics to compute, in the order of `wanted`: those without a score, and those that failed.
        """
        number = self._dataset(dataset)
        lacking, found = [], []
        for metric, evaluator, key in wanted:
            of = self._evaluator(evaluator)
            with self._told():
                row = self._database.execute(_FIND, (number, metric, key.unit, of, *_texts(key[1:]))).fetchone()
            if row is None or row[2] == "evaluator_error" or (row[2] == "load_error" and metric in readable):
                lacking.append(metric)
            else:
                found.append((number, metric, key.unit, row[0], row[0] != row[1]))
        with self._told():
            self._database.executemany(_POINT.format(table="own"), [row[:4] for row in found])
        changed = [row[:4] for row in found if row[4]]
        if changed:
            self._in_one(lambda: self._database.executemany(_POINT.format(table="result"), changed))
        return lacking

    def add(self, dataset: str, scores: Iterable[tuple[str, EvaluatorKey, ScoreKey, Detail]]) -> None:
        """Keep the scores of a unit, all or none of them.

        Parameters
        ----------
        dataset : str
            Name of the dataset.
        scores : iterable of (str, EvaluatorKey, ScoreKey, Detail)
            Metric, what its score is kept under, and the score.

        Raises
        ------
        EvaluationError
            If the disk is full or the file cannot be written.
        """
        number = self._dataset(dataset)
        rows = [
            (
                (number, metric, key.unit, self._evaluator(evaluator), *_texts(key[1:])),
                (*_number(detail.value), detail.reason, _json(detail.extras)),
            )
            for metric, evaluator, key, detail in scores
        ]

        def write() -> None:
            for key, score_columns in rows:
                score = self._database.execute(_ADD, (*key, *score_columns)).fetchone()[0]
                for table in ("result", "own"):
                    self._database.execute(_POINT.format(table=table), (*key[:3], score))

        self._in_one(write)

    def _in_one(self, work: Callable[[], object]) -> None:
        """Do some work in one transaction."""
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                work()
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in words what SQLite cannot do."""
        try:
            yield
        except sqlite3.Error as error:
            fix = f"{_fix(error) or 'see that the disk and the file are in order'}; what was computed before is kept"
            raise EvaluationError(f"{self.path}: cannot be used: {error}; fix: {fix}") from error

    def hash_of(self, path: str) -> str | None:
        """Give the SHA-256 of a file that has not changed since it was last hashed.

        Parameters
        ----------
        path : str
            The file.

        Returns
        -------
        str or None
            The hash; None if it is not known, or the file has another size or time now.
        """
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            return None
        wanted = (*_texts([os.path.abspath(path)]), status.st_size, status.st_mtime_ns)
        query = "SELECT sha256 FROM file WHERE path = ? AND size = ? AND mtime_ns = ?"
        with self._told():
            found = self._database.execute(query, wanted).fetchone()
        return None if found is None else str(found[0])

    def remember(self, hashes: Iterable[tuple[str, int, int, str]]) -> None:
        """Remember the hashes of files.

        Parameters
        ----------
        hashes : iterable of (str, int, int, str)
            Path, size, time of change in nanoseconds, and SHA-256.
        """
        rows = [(*_texts([os.path.abspath(path)]), *rest) for path, *rest in hashes]
        if rows:
            replace = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)"
            self._in_one(lambda: self._database.executemany(replace, rows))

    def results(
        self, dataset: str, metrics: Sequence[str] | None = None, *, own: bool = False
    ) -> Iterator[StoredScore]:
        """Give the current scores of a dataset, one at a time.

        Parameters
        ----------
        dataset : str
            Its name.
        metrics : sequence of str, optional
            Only these.
        own : bool, default False
            Only the scores that this opening kept, or asked for and found: not those of another run into the file.

        Yields
        ------
        StoredScore
            Sorted by metric and unit.
        """
        query = (
            f"SELECT r.metric, r.unit, s.value, s.is_nan, s.reason, s.extras FROM {'own' if own else 'result'} r"  # noqa: S608
            " JOIN dataset d ON d.id = r.dataset JOIN score s ON s.id = r.score"
            " WHERE d.name = ? ORDER BY r.metric, r.unit"
        )
        with self._told():
            for metric, unit, value, is_nan, reason, extras in self._database.execute(query, _texts([dataset])):
                if metrics is None or metric in metrics:
                    known = {} if extras == "{}" else json.loads(extras)
                    yield StoredScore(metric, unit, Detail(float("nan") if is_nan else value, reason, known))

    def content(self) -> list[tuple[object, ...]]:
        """Give all that is kept, without numbers of rows, sorted: two stores with the same content are equal.

        Returns
        -------
        list of tuple
            Rows of dataset, metric, unit, evaluator, audio, segment, context, value, reason, extras, and whether
            the score is the current one.
        """
        rows = self._database.execute(
            "SELECT d.name, s.metric, s.unit, e.name, e.version, e.parameters, s.audio, s.onset, s.offset, s.context,"
            " s.value, s.is_nan, s.reason, s.extras, EXISTS (SELECT 1 FROM result r WHERE r.score = s.id)"
            " FROM score s JOIN dataset d ON d.id = s.dataset JOIN evaluator e ON e.id = s.evaluator"
            " ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
        )
        return rows.fetchall()


def _texts(values: Iterable[Any]) -> tuple[Any, ...]:
    """Write what is no Unicode in a text, as names of files may have, so that SQLite takes it."""
    return tuple(
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
    )


def _number(value: float | None) -> tuple[float | None, bool]:
    """Give a value as SQLite takes it, which has no NaN, and whether it is NaN."""
    if value is None:
        return None, False
    is_nan = value != value
    return (None if is_nan else float(value)), is_nan


def _fix(error: sqlite3.Error) -> str:
    """Say what helps against an error of SQLite; nothing if nobody knows."""
    words = str(error)
    if "readonly" in words or "unable to open" in words:
        return "make the file and its folder writable, or name another folder with --out"
    if "locked" in words:
        return "wait until the other run has ended"
    return "make room on the disk" if "full" in words or "disk I/O" in words else ""


def _uri(path: str) -> str:
    from pathlib import Path

    return Path(path).resolve().as_uri()


def _json(extras: object) -> str:
    # in ASCII, since SQLite does not take names that are no Unicode
    return json.dumps(extras, sort_keys=True, default=str)
