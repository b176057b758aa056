"""From the scores of several systems to a table: means over languages, order, and which is best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from discophon.__about__ import __version__
from discophon.errors import UsageError
from discophon.languages import all_languages, dev_languages, test_languages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discophon.leaderboard.read import System

__all__ = ["Cell", "Column", "Leaderboard", "build"]

Split = Literal["dev", "test"]

_HIGHER_IS_BETTER = ("pnmi", "f1", "r_val")
_LOWER_IS_BETTER = ("per",)
_ABX = "_abx_"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a metric, over a group of languages or in one language.

    Attributes
    ----------
    metric : str
        Name of the metric.
    scope : str
        ``dev`` or ``test`` for the mean over the languages of that group, or the code of one language.
    languages : tuple of str
        Languages of the scope that at least one system has been scored in.
    n_all : int
        Languages of the scope, scored or not.
    """

    metric: str
    scope: str
    languages: tuple[str, ...]
    n_all: int

    @property
    def direction(self) -> int:
        """1 where more is better, -1 where less is, 0 for a metric that is not known."""
        if self.metric in _HIGHER_IS_BETTER:
            return 1
        return -1 if self.metric in _LOWER_IS_BETTER or _ABX in self.metric else 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One system in one column.

    Attributes
    ----------
    score : float or None
        Mean over the languages that the system has, a fraction; None where it has none.
    n_languages : int
        How many languages that are.
    is_best : bool
        Whether no system that has all languages of the column has a better score, and this one has all.
    """

    score: float | None
    n_languages: int
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The table.

    Attributes
    ----------
    split : {"dev", "test"}
        Split of every language that the scores are of.
    systems : tuple of System
        Rows, the best first.
    columns : tuple of Column
        Columns.
    cells : tuple of tuple of Cell
        Cells of each row.
    signatures : tuple of str
        The different signatures of the systems; more than one if they were mixed by force.
    n_unsigned : int
        Systems whose files do not say how they were scored.
    """

    split: Split
    systems: tuple[System, ...]
    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]
    signatures: tuple[str, ...]
    n_unsigned: int

    @property
    def signature(self) -> str:
        """Every choice that changes the table, in one line."""
        scored = self.signatures[0].replace("|", ",") if len(self.signatures) == 1 else "mixed"
        return (
            f"discophon|v:{__version__}|table:leaderboard|split:{self.split}|mean:languages"
            f"|scores:{scored if self.signatures else 'unknown'}|unsigned:{self.n_unsigned}"
        )


def build(
    systems: Sequence[System],
    *,
    split: Split = "test",
    metrics: Sequence[str] | None = None,
    per_language: bool = False,
    sort: str | None = None,
    force: bool = False,
) -> Leaderboard:
    """Put systems into one table.

    Parameters
    ----------
    systems : sequence of System
        What `read_systems` gave.
    split : {"dev", "test"}, default "test"
        Which split of every language.
    metrics : sequence of str, optional
        Columns in this order; by default every metric that a system has.
    per_language : bool, default False
        Whether each language has columns too.
    sort : str, optional
        Metric to sort by, over the languages of the benchmark's test group if there are any; by default the first.
    force : bool, default False
        Whether systems that were not scored alike may stand side by side.

    Returns
    -------
    Leaderboard
        The best system first; a system without the score to sort by comes last.

    Raises
    ------
    UsageError
        If systems were not scored alike, or there is nothing to show.
    """
    signatures = tuple(dict.fromkeys(system.signature for system in systems if system.signature is not None))
    if len(signatures) > 1 and not force:
        raise UsageError(_unlike(systems))
    chosen = list(metrics) if metrics is not None else _metrics_of(systems, split)
    columns = [column for column in _columns(systems, chosen, split, per_language=per_language) if column.languages]
    absent = [metric for metric in chosen if all(column.metric != metric for column in columns)]
    if absent or not columns:
        known = ", ".join(_metrics_of(systems, split)) or "none"
        what = f"no system has the {', '.join(absent)} of a {split} split" if absent else f"no scores of {split} splits"
        raise UsageError(f"{what}; there are: {known}")
    if sort is not None and sort not in chosen:
        raise UsageError(f"the table has no {sort} to sort by; it has {', '.join(chosen)}")
    cells = [[_cell(system, column, split) for column in columns] for system in systems]
    _mark_best(cells, columns)
    order = _order(cells, columns, sort or chosen[0])
    return Leaderboard(
        split=split,
        systems=tuple(systems[i] for i in order),
        columns=tuple(columns),
        cells=tuple(tuple(cells[i]) for i in order),
        signatures=signatures,
        n_unsigned=sum(system.signature is None for system in systems),
    )


def _unlike(systems: Sequence[System]) -> str:
    """Say in what the signatures of systems differ."""
    first = next(system for system in systems if system.signature is not None)
    other = next(system for system in systems if system.signature not in (None, first.signature))
    mine, theirs = ((system.signature or "").split("|") for system in (first, other))
    only = [[part for part in a if part not in b] for a, b in ((mine, theirs), (theirs, mine))]
    told = " against ".join("|".join(parts) or "nothing" for parts in only)
    return (
        f"{first.name} and {other.name} were not scored alike: {told}; score them alike, or compare them all the same"
        " with --force"
    )


def _metrics_of(systems: Iterable[System], split: Split) -> list[str]:
    """Give the metrics in the order in which files have them."""
    return list(dict.fromkeys(metric for system in systems for _, of, metric in system.scores if of == split))


def _columns(
    systems: Sequence[System], metrics: Sequence[str], split: Split, *, per_language: bool
) -> Iterable[Column]:
    groups = {
        name: [language.iso_639_3 for language in languages]
        for name, languages in (("dev", dev_languages()), ("test", test_languages()))
    }
    if per_language:
        groups |= {language.iso_639_3: [language.iso_639_3] for language in all_languages()}
    for scope, codes in groups.items():
        for metric in dict.fromkeys(metrics):
            scored = tuple(code for code in codes if any((code, split, metric) in each.scores for each in systems))
            yield Column(metric, scope, scored, len(codes))


def _cell(system: System, column: Column, split: Split) -> Cell:
    keys = [(code, split, column.metric) for code in column.languages]
    scores = [system.scores[key] for key in keys if key in system.scores]
    return Cell(sum(scores) / len(scores) if scores else None, len(scores))


def _mark_best(cells: list[list[Cell]], columns: Sequence[Column]) -> None:
    """Mark the best score of each column, among the systems that have all of its languages."""
    for j, column in enumerate(columns):
        whole = [
            cell.score
            for row in cells
            if (cell := row[j]).n_languages == len(column.languages) and cell.score is not None
        ]
        if not column.direction or not whole:
            continue
        best = max(whole) if column.direction > 0 else min(whole)
        for row in cells:
            is_best = row[j].score == best and row[j].n_languages == len(column.languages)
            row[j] = Cell(row[j].score, row[j].n_languages, is_best)


def _order(cells: Sequence[Sequence[Cell]], columns: Sequence[Column], metric: str) -> list[int]:
    """Sort rows: those with more languages first, then the better ones, else as they were given."""
    places = {column.scope: j for j, column in enumerate(columns) if column.metric == metric}
    j = places.get("test", next(iter(places.values())))
    sign = columns[j].direction or 1

    def rank(i: int) -> tuple[int, float]:
        cell = cells[i][j]
        return -cell.n_languages, 0.0 if cell.score is None else -sign * cell.score

    return sorted(range(len(cells)), key=rank)
