"""Everything a run reads, read and aligned before any metric is called; each file once."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from measure_core.errors import InputError, MeasureError
from measure_core.inputs.align import AlignedColumns, align_columns
from measure_core.inputs.columns import Column, read_column
from measure_core.inputs.faults import every_fault
from measure_core.inputs.names import located
from measure_core.inputs.stream import is_regular
from measure_core.work import is_counted

if TYPE_CHECKING:
    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan

__all__ = ["digest", "prepare"]


def prepare(plan: Plan, *, every: bool = False) -> tuple[dict[tuple[str, str], AlignedColumns], list[MeasureError]]:
    """Read and align the inputs of every metric and test set.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    every : bool, default False
        List every fault of a file, not the first only.

    Returns
    -------
    aligned : dict
        By key of the metric and name of the test set.
    faults : list of MeasureError
        What is wrong, also with the speakers that intervals need; each file and each pair of files once.
    """
    shelf = _Shelf(plan, every=every)
    aligned = {}
    for test_name in plan.test_sets:
        for entry in plan.entries:
            found = shelf.aligned(entry, test_name)
            if found is not None:
                aligned[entry.key, test_name] = found
                if plan.statistics.get("by") == "speaker" and is_counted(entry.metric):
                    shelf.look_for_speakers(found)
    return aligned, shelf.faults


class _Shelf:
    """Columns that have been read, and faults that have been told."""

    def __init__(self, plan: Plan, *, every: bool) -> None:
        self.plan = plan
        self.every = every
        self.columns: dict[Path, Column | None] = {}
        self.done: dict[tuple[Path, ...], AlignedColumns | None] = {}
        self.faults: list[MeasureError] = []
        self.attributed: set[int] = set()

    def aligned(self, entry: Entry, test_name: str) -> AlignedColumns | None:
        """Give the inputs of a metric on a test set; None if something is wrong with them."""
        where = f"metric {entry.key} on {test_name}"
        paths, missing = located(self.plan.root, test_name, entry.inputs, where)
        self.faults += missing
        if missing and not self.every:
            return None
        columns = {alias: self._column(path) for alias, path in paths.items()}
        if missing or any(column is None for column in columns.values()):
            return None
        files = tuple(paths.values())
        if files not in self.done:
            self.done[files] = self._joined({a: c for a, c in columns.items() if c is not None}, where)
        found = self.done[files]
        if found is None:
            return None
        renamed = dict(zip(paths, found.columns.values(), strict=True))
        return AlignedColumns(found.ids, renamed, found.n_left_out, found.n_filled)

    def _column(self, path: Path) -> Column | None:
        if path not in self.columns:
            try:
                self.columns[path] = read_column(path)
            except InputError as fault:
                self.columns[path] = None
                self.faults += (every_fault(path) if self.every else ()) or (fault,)
        return self.columns[path]

    def _joined(self, columns: dict[str, Column], where: str) -> AlignedColumns | None:
        try:
            found = align_columns(columns, where, self.plan.options.on_mismatch)
        except InputError as fault:
            self.faults.append(fault)
            return None
        limit = self.plan.options.limit
        return found if limit is None else found.first(limit)

    def look_for_speakers(self, aligned: AlignedColumns) -> None:
        """Find out now whether every utterance has its speaker, which the intervals need in the end."""
        from measure_core.statistics import speakers

        if id(aligned.ids) in self.attributed:
            return
        self.attributed.add(id(aligned.ids))
        wanted = self.plan.statistics
        table = wanted.get("utt2spk")
        try:
            if table is not None and os.path.exists(table) and not is_regular(Path(table)):
                what = f"{table} is no regular file; it is read for every metric"
                raise InputError(what, fixes=["name a file"], path=table)
            speakers(aligned.utterances(), separator=wanted.get("separator", "-"), utt2spk=table)
        except MeasureError as fault:
            named = type(fault)(f"statistics: {fault.what}", fault.facts, fault.fixes, path=fault.path, line=fault.line)
            if str(named) not in map(str, self.faults):
                self.faults.append(named)


def digest(path: Path) -> str:
    """Give the SHA-256 of a file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    str
        Hexadecimal digits.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror or fault}", path=str(path)) from fault
