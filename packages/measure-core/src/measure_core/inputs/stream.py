"""Rows of several SCP files, one utterance at a time, in the order of the first file.

As long as the files agree line by line they are read side by side, and nothing is kept: memory does not grow with
their length. Where they stop agreeing they are read as columns and joined by ID; so they are from the start if one
of them is no regular file, since a pipe cannot be read again.
"""

from __future__ import annotations

import os
from itertools import islice, repeat
from operator import lt
from typing import TYPE_CHECKING

from measure_core.errors import InputError, from_speechio
from speechio import FormatError
from speechio import InputError as UnreadableError
from speechio.errors import Report
from speechio.scp import SCP, TableParser
from speechio.text import block_lines, display_name, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["is_regular", "iter_rows"]

_N_TAKEN = 10_000

Row = tuple[str, dict[str, str]]
Pairs = tuple[list[str], list[str]]
"""IDs and values of neighbouring lines."""


def is_regular(path: Path) -> bool:
    """Tell whether a path is that of a regular file, which may be read more than once.

    Parameters
    ----------
    path : Path
        Any path; ``-`` is standard input.

    Returns
    -------
    bool
        False for a pipe, a device, a directory, and for what is not there.
    """
    return str(path) != "-" and os.path.isfile(path)


def iter_rows(paths: Mapping[str, Path]) -> Iterator[Row]:
    """Give the utterances of several SCP files.

    Parameters
    ----------
    paths : mapping of str to Path
        For each alias its file.

    Yields
    ------
    utt_id : str
        ID of an utterance, in the order of the first file.
    values : dict of str to str
        Its value for each alias.

    Raises
    ------
    InputError
        If a file cannot be read, a line is wrong, an ID is there twice, or the files do not have the same IDs.
    """
    aliases = list(paths)
    files = list(paths.values())
    previous = ""
    n_rows = 0
    if not all(map(is_regular, files)):
        yield from _joined(aliases, files, 0)
        return
    try:
        for keys, columns in _side_by_side(files):
            if keys is None or not previous < keys[0] or not _increasing(keys):
                break
            previous = keys[-1]
            n_rows += len(keys)
            yield from _rows(aliases, keys, columns)
        else:
            if not n_rows:
                raise InputError(f"{files[0]}: no utterances", path=str(files[0]))
            return
    except (FormatError, UnreadableError) as fault:
        raise from_speechio(fault) from fault
    yield from _joined(aliases, files, n_rows)


def _rows(aliases: Sequence[str], keys: Sequence[str], columns: Sequence[Sequence[str]]) -> Iterator[Row]:
    """Make rows of columns; the loops run in the interpreter's own functions where there are any."""
    values = zip(*columns, strict=True)
    if len(aliases) == 2:  # as nearly always: a reference and a hypothesis
        first, second = aliases
        return zip(keys, [{first: left, second: right} for left, right in values], strict=True)
    return zip(keys, map(dict, map(zip, repeat(aliases), values)), strict=True)


def _increasing(keys: Sequence[str]) -> bool:
    """Tell whether IDs are sorted and different, which spares remembering them."""
    return all(map(lt, keys, islice(keys, 1, None)))


def _side_by_side(files: Sequence[Path]) -> Iterator[tuple[list[str] | None, list[list[str]]]]:
    """Give IDs and values of neighbouring lines while all files agree; None for the IDs where they do not."""
    readers = [_pairs(path) for path in files]
    waiting: list[Pairs] = [([], []) for _ in files]
    while True:
        for i, (keys, _) in enumerate(waiting):
            if not keys:
                waiting[i] = next(readers[i], ([], []))
        n = min(len(keys) for keys, _ in waiting)
        if not n:
            if any(keys for keys, _ in waiting):
                yield None, []
            return
        heads = [keys[:n] for keys, _ in waiting]
        if any(keys != heads[0] for keys in heads[1:]):
            yield None, []
            return
        yield heads[0], [values[:n] for _, values in waiting]
        waiting = [(keys[n:], values[n:]) for keys, values in waiting]


def _pairs(path: Path) -> Iterator[Pairs]:
    """Give the IDs and values of a file, some lines at a time; there is at least one."""
    report = Report(display_name(path))
    parser: TableParser[str] | None = None
    for number, data in read_blocks(path, report):
        plain = _plain_pairs(data) if parser is None else None
        if plain is not None:
            yield plain
            continue
        if parser is None:  # what comes before was sorted, or this is not read on
            parser = TableParser(SCP, report)
        rows = []
        for line, text in block_lines(number, data, report):
            report.at(line, text)
            row = parser.parse(text)
            if row is not None:
                rows.append(row)
        parser.line_of.clear()  # that no ID comes twice is seen by their order
        if rows:
            yield [key for key, _ in rows], [value for _, value in rows]


def _plain_pairs(data: bytes) -> Pairs | None:
    """Split a block of lines at their first blanks; None if one of them is out of the ordinary."""
    if not data.isascii() or any(mark in data for mark in (b"\r", b"\0", b"\t")):
        return None
    parts = [line.partition(" ") for line in data.decode("ascii").removesuffix("\n").split("\n")]
    keys = [key for key, _, _ in parts]
    if "" in keys:
        return None
    return keys, [value.strip(" ") for _, _, value in parts]


def _joined(aliases: Sequence[str], files: Sequence[Path], n_rows: int) -> Iterator[Row]:
    """Join the files by ID, in the order of the first, after some rows that have been given."""
    import numpy as np

    from measure_core.inputs.align import align_columns
    from measure_core.inputs.columns import read_column, texts_of

    read = {path: read_column(path) for path in dict.fromkeys(files)}
    columns = [read[path] for path in files]
    align_columns(dict(zip(aliases, columns, strict=True)), " and ".join(str(path) for path in read))
    in_file_order = np.argsort(columns[0].order)
    for start in range(n_rows, len(in_file_order), _N_TAKEN):
        rows = in_file_order[start : start + _N_TAKEN]
        keys = texts_of(columns[0].ids[rows])
        yield from _rows(aliases, keys, [column.take(rows) for column in columns])
