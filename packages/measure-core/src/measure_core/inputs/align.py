"""Columns of the same utterances: by ID, never by place, and what to say when the IDs differ."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

import numpy as np

from measure_core.errors import InputError, printable
from measure_core.inputs.columns import texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from measure_core.inputs.columns import Column, Ids, Ints

__all__ = ["AlignedColumns", "OnMismatch", "align_columns", "explained"]

OnMismatch = Literal["error", "intersect", "empty"]
"""What happens when the files of a metric do not have the same IDs."""

_N_SHOWN = 5
_WIDEST = 80
_N_LOOKED_AT = 1000


@dataclass(frozen=True, slots=True)
class AlignedColumns:
    """Columns with the same IDs.

    Attributes
    ----------
    ids : ndarray, shape (utterances,)
        The IDs, sorted by code point.
    columns : dict of str to tuple
        For each alias its column and, where the file has other IDs as well, the rows that are used; -1 is an
        utterance it lacks.
    n_left_out : int
        How many IDs some file has and another lacks, and which are therefore not scored.
    n_filled : int
        How many values were taken as empty because their file lacks the ID.
    """

    ids: Ids
    columns: dict[str, tuple[Column, Ints | None]]
    n_left_out: int = 0
    n_filled: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    def utterances(self, rows: slice = slice(None)) -> list[str]:
        """Give the IDs of some utterances as text."""
        return texts_of(self.ids[rows])

    def lists(self, rows: slice = slice(None)) -> dict[str, list[str]]:
        """Give what a list metric takes, for some or all utterances.

        Parameters
        ----------
        rows : slice, optional
            Which utterances, in ID order; all by default.

        Returns
        -------
        dict of str to list of str
            ``utt_id`` and every alias.
        """
        data = {"utt_id": self.utterances(rows)}
        for alias, (column, used) in self.columns.items():
            data[alias] = column.take(rows) if used is None else _filled(column, used[rows])
        return data

    def mismatch(self, on_mismatch: OnMismatch) -> str:
        """Tell, for the signature, how IDs that not all files have were treated; empty if there was none."""
        if self.n_left_out:
            return f"{on_mismatch}({self.n_left_out} left out)"
        return f"{on_mismatch}({self.n_filled} empty)" if self.n_filled else ""

    def first(self, n: int) -> AlignedColumns:
        """Give the first utterances only."""
        columns: dict[str, tuple[Column, Ints | None]] = {
            alias: (column, np.arange(len(column))[:n] if used is None else used[:n])
            for alias, (column, used) in self.columns.items()
        }
        return AlignedColumns(self.ids[:n], columns, self.n_left_out, self.n_filled)


def _filled(column: Column, rows: Ints) -> list[str]:
    """Give values, empty ones where the column has none."""
    lacking = rows < 0
    if not lacking.any():
        return column.take(rows)
    texts = np.full(len(rows), "", dtype=object)
    texts[~lacking] = np.array([*column.take(rows[~lacking]), None], dtype=object)[:-1]
    found: list[str] = texts.tolist()
    return found


def align_columns(columns: Mapping[str, Column], where: str, on_mismatch: OnMismatch = "error") -> AlignedColumns:
    """Align columns by ID.

    Parameters
    ----------
    columns : mapping of str to Column
        For each alias its column; at least one.
    where : str
        What asks for them, for messages.
    on_mismatch : {"error", "intersect", "empty"}, default "error"
        What to do when the IDs differ: refuse; score those that all have; take as empty what the first has and
        another lacks (what the first lacks is refused).

    Returns
    -------
    AlignedColumns
        The same utterances of every column.

    Raises
    ------
    InputError
        If the IDs differ and `on_mismatch` does not allow it; says how many are where, and which.
    """
    first, *others = columns.values()
    if all(_same(first.ids, column.ids) for column in others):
        return AlignedColumns(first.ids, {alias: (column, None) for alias, column in columns.items()})
    tables = _alike({column.path: column.ids for column in columns.values()})
    head, *rest = tables.values()
    if on_mismatch == "empty" and not any(len(_without(ids, head)) for ids in rest):
        ids, n_left_out = first.ids, 0
    else:
        ids = _common(list(tables.values()))
        if on_mismatch != "intersect" or not len(ids):
            raise explained({path: (have, ids) for path, have in tables.items()}, where, on_mismatch)
        n_left_out = len(np.unique(np.concatenate(list(tables.values())))) - len(ids)
    rows = {path: _places(have, ids) for path, have in tables.items()}
    placed = {alias: (column, rows[column.path]) for alias, column in columns.items()}
    n_filled = sum(int((used < 0).sum()) for _, used in placed.values())
    return AlignedColumns(ids, dict(placed), n_left_out, n_filled)


def _alike(tables: Mapping[Path, Ids]) -> dict[Path, Ids]:
    """Give IDs of several files in one form: text where some are text."""
    if all(ids.dtype != object for ids in tables.values()):
        return dict(tables)
    return {path: ids if ids.dtype == object else np.array(texts_of(ids), object) for path, ids in tables.items()}


def _same(left: Ids, right: Ids) -> bool:
    """Tell whether two columns have the same IDs; text has an ID that is too long for the other form."""
    return len(left) == len(right) and left.dtype.kind == right.dtype.kind and bool(np.array_equal(left, right))


def _common(tables: Sequence[Ids]) -> Ids:
    ids = tables[0]
    for have in tables[1:]:
        ids = ids[_places(have, ids) >= 0]
    return ids


def _without(ids: Ids, known: Ids) -> Ids:
    """Give the IDs that are not among others."""
    return ids[_places(known, ids) < 0]


def _places(have: Ids, want: Ids) -> Ints:
    """Find the rows of IDs among sorted ones; -1 where there is none."""
    if not len(have):
        return np.full(len(want), -1)
    rows = np.minimum(np.searchsorted(have, want), len(have) - 1)
    return np.where(have[rows] == want, rows, -1)


def explained(tables: Mapping[Path, tuple[Ids, Ids]], where: str, on_mismatch: OnMismatch = "error") -> InputError:
    """Say which IDs of several files are not in all of them.

    Parameters
    ----------
    tables : mapping of Path to tuple of ndarray
        For each file its sorted IDs, and the IDs that all files have.
    where : str
        What asks for the files.
    on_mismatch : {"error", "intersect", "empty"}, default "error"
        What the user has allowed.

    Returns
    -------
    InputError
        Not raised yet.
    """
    facts = []
    only = {}
    words = "only there" if len(tables) == 2 else "not in all files"
    for path, (ids, common) in tables.items():
        alone = texts_of(_without(ids, common))
        only[path] = alone
        shown = " ".join(printable(key, _WIDEST) for key in alone[:_N_SHOWN]) + (" …" if len(alone) > _N_SHOWN else "")
        facts.append(f"{path} has {len(ids)} IDs, {len(alone)} of them {words}" + (f": {shown}" if alone else ""))
    n_common = len(next(iter(tables.values()))[1])
    hint = next(filter(None, (_hint(left, right) for left, right in combinations(only.values(), 2))), "")
    fixes = []
    if hint:
        fixes.append(hint)
    if not n_common:
        fixes.append("no ID is in all files: check that they belong to the same test set")
    elif on_mismatch == "empty":
        fixes.append("--on-mismatch empty fills in for IDs of the first file only; rerun inference, or use intersect")
    else:
        fixes.append(
            "rerun inference for the missing utterances, or pass --on-mismatch intersect to score the "
            f"{n_common} common ones (recorded in the report)"
        )
    return InputError(f"{where}: utterance IDs differ", facts, fixes, path=str(next(iter(tables))))


def _hint(left: Sequence[str], right: Sequence[str]) -> str:
    """Say so when most IDs of two files differ by case, by Unicode normalisation, or by the same piece at an end."""
    both = set(left) & set(right)
    left, right = ([key for key in keys if key not in both][:_N_LOOKED_AT] for keys in (left, right))
    folded = {key.casefold() for key in right}
    if _most([key.casefold() in folded for key in left]):
        return "the IDs differ in upper and lower case only: write them alike"
    composed = {normalize("NFC", key) for key in right}
    if _most([normalize("NFC", key) in composed for key in left]):
        return (
            "the IDs differ in Unicode normalisation only (é as one character, or as e and an accent): write them alike"
        )
    for longer, shorter in ((left, right), (right, left)):
        known = set(shorter)
        for key, other in product(longer[:_N_SHOWN], shorter):
            if key.startswith(other):
                piece, end, rest = key[len(other) :], "end in", str.removesuffix
            elif key.endswith(other):
                piece, end, rest = key[: -len(other)], "begin with", str.removeprefix
            else:
                continue
            if _most([rest(name, piece) in known for name in longer]):
                shown = printable(piece, _WIDEST)
                return f"the IDs of one file {end} {shown!r} and those of the other do not: write them alike"
    return ""


def _most(are_so: Sequence[bool]) -> bool:
    return 2 * sum(are_so) > len(are_so)
