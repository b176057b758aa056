"""One SCP file as a column: its IDs in sorted order, and where each value lies in the text.

A file is read once, in blocks, with array operations; what is kept is a fixed-width array of the IDs and the
two ends of each value. The values stay in the file until somebody asks for them, in runs. A file with anything
out of the ordinary (compressed, with a byte order mark, CRLF line ends, IDs beyond ASCII, a fault) is read line by
line by `speechio`, which knows the rules and the words for every fault, and its values are kept as text. So is
what is no regular file (a pipe, standard input): it can be read once only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Protocol

import numpy as np

from measure_core.errors import InputError, from_speechio
from measure_core.inputs.stream import is_regular
from speechio import FormatError, read_scp
from speechio import InputError as UnreadableError
from speechio.errors import Report
from speechio.text import display_name, read_blocks

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
_GZIP_MAGIC = b"\x1f\x8b"

_MOST_BLANKS = 64
"""A value with more blanks than this at one of its ends is out of the ordinary."""


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


@dataclass(frozen=True, slots=True)
class _FileValues:
    """Values that stay in their file: neighbours are read together, scattered ones one by one."""

    path: Path
    starts: Ints
    ends: Ints
    stamp: tuple[int, int]

    def take(self, rows: Ints) -> list[str]:
        if len(rows) > 1 and bool(np.any(np.diff(rows) < 0)):
            places = np.argsort(rows)
            texts = np.empty(len(rows), dtype=object)
            texts[places] = self._in_file_order(rows[places])
            return texts.tolist()
        return self._in_file_order(rows)

    def _in_file_order(self, rows: Ints) -> list[str]:
        """Give values by ascending place."""
        if not len(rows):
            return []
        starts, ends = self.starts[rows], self.ends[rows]
        n_runs = int(ends[-1] - starts[0]) // _RUN + 1
        cuts = np.searchsorted(starts, starts[0] + np.arange(1, n_runs) * _RUN)
        texts: list[str] = []
        try:
            with open(self.path, "rb", buffering=0) as stream:
                for run_starts, run_ends in zip(np.split(starts, cuts), np.split(ends, cuts), strict=True):
                    if len(run_starts):
                        texts += self._cut(stream.fileno(), run_starts, run_ends)
        except OSError as fault:
            raise InputError(f"{self.path}: cannot be read: {fault.strerror}", path=str(self.path)) from fault
        return texts

    def _cut(self, handle: int, starts: Ints, ends: Ints) -> list[str]:
        """Give the values of one run of the file."""
        first, last = int(starts[0]), int(ends[-1])
        lengths = ends - starts
        if last - first > _SPARSE * (int(lengths.sum()) + len(lengths)):
            pieces = list(map(os.pread, repeat(handle), lengths.tolist(), starts.tolist()))
            self._check(handle)
            return [piece.decode() for piece in pieces]
        text = os.pread(handle, last - first, first)
        self._check(handle)
        pairs = zip((starts - first).tolist(), (ends - first).tolist(), strict=True)
        if text.isascii():
            whole = text.decode("ascii")
            return [whole[start:end] for start, end in pairs]
        return [text[start:end].decode() for start, end in pairs]

    def _check(self, handle: int) -> None:
        """Refuse what was read if the file is no longer the one whose lines were looked up."""
        if _stamp(os.fstat(handle)) != self.stamp:
            raise InputError(
                f"{self.path}: the file was changed while it was being scored",
                fixes=["run again when nothing writes it any more"],
                path=str(self.path),
            )


_RUN = 1 << 20
"""Values are read from their file in runs of this many bytes."""

_SPARSE = 8
"""Values that fill less of a run than one part in this many are read one by one."""


def read_column(path: Path) -> Column:
    """Read an SCP file with every check.

    Parameters
    ----------
    path : Path
        The file, gzip or not; ``-`` is standard input. A pipe is read once.

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
        column = _read_plain(path) if is_regular(path) else None
        if column is None:
            column = _read_carefully(path)
    except (FormatError, UnreadableError) as fault:
        raise from_speechio(fault) from fault
    if not len(column):
        raise InputError(
            f"{display_name(path)}: no utterances",
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
    before = _plain_stamp(path)
    for _, data in read_blocks(path, Report(str(path))):
        block = _block(data, n_bytes)
        if block is None:
            return None
        blocks.append(block)
        n_bytes += len(data)
    stamp = _plain_stamp(path)
    if not blocks or stamp is None or stamp != before or stamp[0] != n_bytes:  # or with a byte order mark
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
        stamp,
    )
    return Column(path, ids, order, values)


def _stamp(status: os.stat_result) -> tuple[int, int]:
    """Give size and time of a file: what tells that it was changed."""
    return status.st_size, status.st_mtime_ns


def _plain_stamp(path: Path) -> tuple[int, int] | None:
    """Give the stamp of a file whose bytes are its text; None if it is compressed, or cannot be opened."""
    try:
        with open(path, "rb", buffering=0) as stream:
            return _stamp(os.fstat(stream.fileno())) if stream.read(2) != _GZIP_MAGIC else None
    except OSError:
        return None


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
    trimmed = _trimmed(is_blank, id_ends, ends)
    if trimmed is None:
        return None
    value_starts, value_ends = trimmed
    return _Block(_fixed_width(codes, starts, id_ends - starts, width), value_starts + offset, value_ends + offset)


def _is_sound(data: bytes, codes: Bytes, starts: Ints, id_ends: Ints) -> bool:
    """Tell whether text beyond ASCII is UTF-8 and stands in values only."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    before = np.concatenate([[0], np.cumsum(codes >= _ASCII_END)])
    return not bool(np.any(before[id_ends] > before[starts]))


def _trimmed(is_blank: Bools, starts: Ints, ends: Ints) -> tuple[Ints, Ints] | None:
    """Move both ends of the values inwards, past blanks; None if that would take long."""
    is_blank = np.append(is_blank, False)
    starts, ends = starts.copy(), ends.copy()
    for _ in range(_MOST_BLANKS):
        first = (starts < ends) & is_blank[starts]
        last = (starts < ends - first) & is_blank[ends - 1]
        if not bool(np.any(first | last)):
            return starts, ends
        starts += first
        ends -= last
    return None


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
