"""Aligning tables by ID, so that values are paired by name and never by place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from speechio.errors import AlignmentError, UsageError
from speechio.scp import read_scp

if TYPE_CHECKING:
    from speechio.text import StrPath

__all__ = ["Aligned", "align"]

_N_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Aligned:
    """Tables with the same IDs; iterates over pairs of an ID and a dict of alias to value.

    Attributes
    ----------
    ids : tuple of str
        The IDs, sorted as the C locale sorts.
    values : dict of str to tuple
        For each alias its values, in the order of `ids`.
    """

    ids: tuple[str, ...]
    values: dict[str, tuple[Any, ...]]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for i, key in enumerate(self.ids):
            yield key, {alias: column[i] for alias, column in self.values.items()}


def align(tables: Mapping[str, StrPath | Mapping[str, Any]], *, encoding: str | None = None) -> Aligned:
    """Align tables by ID.

    Parameters
    ----------
    tables : mapping of str to path-like, str or mapping
        For each alias an SCP file, or a table that has been read.
    encoding : str, optional
        What the files are in, if not UTF-8.

    Returns
    -------
    Aligned
        The values of all tables in the order of the sorted IDs.

    Raises
    ------
    AlignmentError
        If the tables do not have the same IDs; says which table lacks which.
    FormatError
        If a file is wrong.
    InputError
        If a file cannot be opened or read.
    UsageError
        If there is no table.
    """
    if not tables:
        raise UsageError("there is no table to align")
    read = {
        alias: table if isinstance(table, Mapping) else read_scp(table, encoding=encoding)
        for alias, table in tables.items()
    }
    every = set().union(*read.values())
    missing = {alias: sorted(every - table.keys()) for alias, table in read.items()}
    missing = {alias: lacking for alias, lacking in missing.items() if lacking}
    if missing:
        lines = ["the tables do not have the same IDs"]
        for alias, lacking in missing.items():
            source = tables[alias]
            place = "" if isinstance(source, Mapping) else f" ({os.fspath(source)})"
            shown = ", ".join(lacking[:_N_SHOWN]) + (", …" if len(lacking) > _N_SHOWN else "")
            lines.append(f"  {alias}{place} has {len(read[alias])} IDs and lacks {len(lacking)}: {shown}")
        raise AlignmentError("\n".join(lines), missing)
    ids = tuple(sorted(every))
    return Aligned(ids, {alias: tuple(table[key] for key in ids) for alias, table in read.items()})
