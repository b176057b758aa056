"""One SCP file as a column: its IDs in sorted order, and where each value lies in the text.

A file is read once, in blocks, with array operations; what is kept is a fixed-width array of the IDs and the
two ends of each value. The values stay in the file until somebody asks for them, in runs. A file with anything
out of the ordinary (compressed, with a byte order mark, CRLF line ends, IDs beyond ASCII, a fault) is read line by
line by `speechio`, which knows the rules and the words for every fault, and its values are kept as text.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from measure_core.errors import InputError, from_speechio
from speechio import FormatError, read_scp
from speechio import InputError as UnreadableError
from speechio.errors import Report
from speechio.text import read_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Bytes = NDArray[np.uint8]
    Ids = NDArray[np.bytes_] | NDArray[np.object_]
    Ints = NDArray[np.int64]

__all__ = ["Column", "Ids", "Ints", "as_ids", "read_column", "texts_of"]

_WIDEST_ID = 96
"""IDs up to this many bytes are kept in a fixed-width array; longer ones one by one."""

_BLANKS = (32, 9)
_NEWLINE = 10
_ASCII_END = 128


class Values(Protocol):
    """The values of a file, by their place in it."""

    def take(self, rows: Ints) -> list[str]:
        """Give the values at these places."""


@dataclass(frozen=True, slots=True)
class Column:
    """One SCP file.

    Attributes
    ----------
    path : Path
        The file.
    ids : ndarray of bytes or object, shape (utterances,)
        The IDs, sorted by code point: UTF-8 bytes of fixed width, or text where an ID is very long.
    order : ndarray of int64, shape (utterances,)
        For each of the sorted IDs its place in the file, blank lines not counted.
    values : Values
        The values, by their place in the file.
    """

    path: Path
    ids: Ids
    order: Ints
    values: Values

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def is_plain(self) -> bool:
        """Whether nothing in the file is out of the ordinary, so that any reader takes it."""
        return isinstance(self.values, _FileValues)

    def take(self, rows: Ints | slice) -> list[str]:
        """Give values in the order of the sorted IDs.

        Parameters
        ----------
        rows : ndarray of int64 or slice
            Places among the sorted IDs.

        Returns
        -------
        list of str
            Their values.
        """
        return self.values.take(self.order[rows])


@dataclass(slots=True)
class _TextValues:
    """Values that are held as text."""

    texts: list[str]

    def take(self, rows: Ints) -> list[str]:
        texts = self.texts
        return [texts[row] for row in rows.tolist()]


@dataclass(slots=True)
class _FileValues:
    """Values that stay in their file: a run of neighbours is read at once, anything else from the whole text."""

    path: Path
    starts: Ints
    ends: Ints
    stamp: tuple[int, int]
    _text: bytes | None = field(default=None, repr=False)

    def take(self, rows: Ints) -> list[str]:
        if len(rows) > 1 and bool(np.any(np.diff(rows) < 0)):
            places = np.argsort(rows)
            texts = np.empty(len(rows), dtype=object)
            texts[places] = self._in_file_order(rows[places])
            return texts.tolist()
        return self._in_file_order(rows)

    def _in_file_order(self, rows: Ints) -> list[str]:
        """Give values by ascending place: neighbours are read together, scattered ones out of the whole text."""
        if not len(rows):
            return []
        starts, ends = self.starts[rows], self.ends[rows]
        span = int(ends[-1] - starts[0])
        if self._text is None and span > _SPARSE * int((ends - starts).sum() + len(rows)) and span > _RUN:
            self._text = self._read(0, self.stamp[0])
        texts: list[str] = []
        n_runs = span // _RUN + 1
        cuts = np.searchsorted(starts, starts[0] + np.arange(1, n_runs) * _RUN)
        for run_starts, run_ends in zip(np.split(starts, cuts), np.split(ends, cuts), strict=True):
            if len(run_starts):
                texts += self._cut(run_starts, run_ends)
        return texts

    def _cut(self, starts: Ints, ends: Ints) -> list[str]:
        """Give the values of one run of the file."""
        first, last = int(starts[0]), int(ends[-1])
        text = self._read(first, last) if self._text is None else self._text[first:last]
        pairs = zip((starts - first).tolist(), (ends - first).tolist(), strict=True)
        if text.isascii():
            whole = text.decode("ascii")
            return [whole[start:end] for start, end in pairs]
        return [text[start:end].decode() for start, end in pairs]

    def _read(self, start: int, end: int) -> bytes:
        try:
            with open(self.path, "rb") as stream:
                status = os.fstat(stream.fileno())
                stream.seek(start)
                text = stream.read(end - start)
        except OSError as fault:
            raise InputError(f"{self.path}: cannot be read: {fault.strerror}", path=str(self.path)) from fault
        if (status.st_size, status.st_mtime_ns) != self.stamp or len(text) != end - start:
            raise InputError(
                f"{self.path}: the file was changed while it was being scored",
                fixes=["run again when nothing writes it any more"],
                path=str(self.path),
            )
        return text

    def __getstate__(self) -> tuple[object, ...]:
        return (self.path, self.starts, self.ends, self.stamp)

    def __setstate__(self, state: tuple[Path, Ints, Ints, tuple[int, int]]) -> None:
        self.path, self.starts, self.ends, self.stamp = state
        self._text = None


_RUN = 1 << 20
"""Values are read from their file in runs of this many bytes."""

_SPARSE = 8
"""Values that fill less of their stretch of the file than one part in this many are cut from the whole text."""


def read_column(path: Path) -> Column:
    """Read an SCP file with every check.

    Parameters
    ----------
    path : Path
        The file; gzip or not.

    Returns
    -------
    Column
        Its IDs and where its values are.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is wrong; says where, and what to do.
    """
    try:
        column = _read_plain(path)
        if column is None:
            column = _read_carefully(path)
    except (FormatError, UnreadableError) as fault:
        raise from_speechio(fault) from fault
    if not len(column):
        raise InputError(
            f"{path}: no utterances",
            fixes=["the file is empty: run the inference again, or leave it out"],
            path=str(path),
        )
    return column


def texts_of(ids: Ids) -> list[str]:
    """Give IDs as text.

    Parameters
    ----------
    ids : ndarray of bytes or object
        IDs of a column.

    Returns
    -------
    list of str
        The same as text.
    """
    found = ids.tolist()
    return found if ids.dtype == object else [key.decode() for key in found]


def as_ids(texts: Sequence[str]) -> Ids:
    """Make an array of IDs of text; it compares and sorts by code point.

    Parameters
    ----------
    texts : sequence of str
        IDs.

    Returns
    -------
    ndarray of bytes or object
        Fixed-width UTF-8 where no ID is very long.
    """
    raw = [text.encode() for text in texts]
    if max(map(len, raw), default=0) > _WIDEST_ID:
        return np.array([*texts, None], dtype=object)[:-1]
    return np.array(raw, dtype=np.bytes_) if raw else np.empty(0, dtype="S1")


def _read_carefully(path: Path) -> Column:
    """Read line by line; also what finds the words for a fault."""
    table = read_scp(path)
    ids = as_ids(list(table))
    order = np.argsort(ids, kind="stable")
    return Column(path, ids[order], order, _TextValues(list(table.values())))


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of a block: a fixed-width array of their IDs, and where their values lie in the block."""

    ids: Bytes
    starts: Ints
    ends: Ints


def _read_plain(path: Path) -> Column | None:
    """Read a file without anything out of the ordinary; None for any other."""
    blocks: list[_Block] = []
    n_bytes = 0
    for _, data in read_blocks(path, Report(str(path))):
        block = _block(data, n_bytes)
        if block is None:
            return None
        blocks.append(block)
        n_bytes += len(data)
    status = path.stat()
    if not blocks or status.st_size != n_bytes:  # compressed, or with a byte order mark
        return None
    ids = _joined([block.ids for block in blocks])
    is_sorted = bool(np.all(ids[:-1] < ids[1:]))
    order = np.arange(len(ids)) if is_sorted else np.argsort(ids)
    if not is_sorted:
        ids = ids[order]
        if bool(np.any(ids[:-1] == ids[1:])):
            return None
    values = _FileValues(
        path,
        np.concatenate([block.starts for block in blocks]),
        np.concatenate([block.ends for block in blocks]),
        (status.st_size, status.st_mtime_ns),
    )
    return Column(path, ids, order, values)


def _block(data: bytes, offset: int) -> _Block | None:
    """Find the IDs and values of whole lines; None if a line is out of the ordinary."""
    if b"\r" in data or b"\0" in data:
        return None
    codes = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(codes == _NEWLINE)
    if not len(ends) or ends[-1] != len(codes) - 1:
        ends = np.append(ends, len(codes))
    starts = np.concatenate([ends[:1] * 0, ends[:-1] + 1])
    has_text = starts < ends
    starts, ends = starts[has_text], ends[has_text]
    is_blank = (codes == _BLANKS[0]) | (codes == _BLANKS[1])
    if bool(np.any(is_blank[starts])):
        return None
    blanks = np.append(np.flatnonzero(is_blank), len(codes))
    id_ends = np.minimum(blanks[np.searchsorted(blanks, starts)], ends)
    if not data.isascii() and not _is_sound(data, codes, starts, id_ends):
        return None
    width = int((id_ends - starts).max(initial=0))
    if width > _WIDEST_ID:
        return None
    value_starts, value_ends = _trimmed(is_blank, id_ends, ends)
    return _Block(_fixed_width(codes, starts, id_ends - starts, width), value_starts + offset, value_ends + offset)


def _is_sound(data: bytes, codes: Bytes, starts: Ints, id_ends: Ints) -> bool:
    """Tell whether text beyond ASCII is UTF-8 and stands in values only."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    before = np.concatenate([[0], np.cumsum(codes >= _ASCII_END)])
    return not bool(np.any(before[id_ends] > before[starts]))


def _trimmed(is_blank: Bools, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Move both ends of the values inwards, past blanks."""
    is_blank = np.append(is_blank, False)
    starts, ends = starts.copy(), ends.copy()
    while bool(np.any(moves := (starts < ends) & is_blank[starts])):
        starts += moves
    while bool(np.any(moves := (starts < ends) & is_blank[ends - 1])):
        ends -= moves
    return starts, ends


def _fixed_width(codes: Bytes, starts: Ints, lengths: Ints, width: int) -> Bytes:
    """Gather the IDs into rows padded with zeros."""
    padded = np.concatenate([codes, np.zeros(width, dtype=np.uint8)])
    rows = np.lib.stride_tricks.sliding_window_view(padded, max(width, 1))[starts]
    rows[np.arange(max(width, 1)) >= lengths[:, None]] = 0
    return rows


def _joined(blocks: list[Bytes]) -> NDArray[np.bytes_]:
    """Make one array of fixed-width IDs of the rows of all blocks."""
    width = max(rows.shape[1] for rows in blocks)
    whole = np.zeros((sum(map(len, blocks)), width), dtype=np.uint8)
    at = 0
    for rows in blocks:
        whole[at : at + len(rows), : rows.shape[1]] = rows
        at += len(rows)
    return whole.view(f"S{width}").ravel()
