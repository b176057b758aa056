"""Writing scores: whole files under a temporary name, or rows appended under a lock."""

from __future__ import annotations

import csv
import io
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from discophon.__about__ import SCHEMA_VERSION
from discophon.errors import UsageError
from discophon.locking import check_lock, locked
from discophon.writing import write_bytes
from speechio.errors import InputError
from speechio.write import write_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from discophon.benchmark import Score

__all__ = ["append_lines", "check_output", "prepare_output", "write_scores"]

_WHOLE = (".csv", ".parquet", ".json")


def check_output(output: str, inputs: Iterable[str]) -> None:
    """Refuse, before anything is computed, to write over what is read or where nothing can be written.

    Parameters
    ----------
    output : str
        Where to write; ``-`` is standard output.
    inputs : iterable of str
        What is read; ``-`` is standard input.

    Raises
    ------
    UsageError
        If the output is one of the inputs, whatever its name, or cannot be written.
    """
    if output == "-":
        return
    if os.path.exists(output):
        there = os.stat(output)
        if any(os.path.samestat(there, read) for read in _states(inputs)):
            raise UsageError(f"{output}: it is read, so it cannot be written to; name another file")
    target = os.path.realpath(output)
    if os.path.isdir(target):
        raise UsageError(f"{output}: it is a folder; name a file in it, such as {os.path.join(output, 'scores.jsonl')}")
    if not os.path.isdir(os.path.dirname(target)):
        raise UsageError(f"{output}: cannot be written: there is no folder {_folder(output, target)}; make it first")
    fault = _fault_of_writing(target)
    if fault:
        raise UsageError(f"{output}: cannot be written: {fault}; name a file that can be")


def _folder(output: str, target: str) -> str:
    """Name the folder of an output: as it was given, but where links lead elsewhere the one that they lead to."""
    if target == os.path.abspath(output):
        return os.path.dirname(output)
    folder = os.path.dirname(target)
    return folder if os.path.isabs(output) else os.path.relpath(folder)


def _states(paths: Iterable[str]) -> Iterator[os.stat_result]:
    """Give what the system knows of the files that are there."""
    for path in paths:
        try:
            yield os.fstat(0) if path == "-" else os.stat(path)
        except OSError:
            continue  # reading it will tell


def _fault_of_writing(target: str) -> str:
    """Say why nothing can be written to a path; nothing if it can."""
    try:
        if not os.path.exists(target) or os.path.isfile(target):  # both are made beside it, then renamed
            beside = f"{target}.{os.getpid()}.part"
            os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            os.unlink(beside)
    except OSError as error:
        return error.strerror or str(error)
    return "" if not os.path.exists(target) or os.access(target, os.W_OK) else "permission denied"


def prepare_output(output: str, dataset: str, predictions: str) -> None:
    """Refuse an output that cannot be written, or that would harm the input, before anything is computed.

    Parameters
    ----------
    output : str
        Where to write; ``-`` is standard output.
    dataset, predictions : str
        Folders that are read.

    Raises
    ------
    UsageError
        If the output is a folder, has no folder to be in or cannot be written, is a file of units or an alignment under
        whatever name, or lies in the dataset's folder.
    DatasetError
        If rows are to be appended, and the lock for that cannot be had.
    """
    if output == "-":
        return
    target = os.path.realpath(output)
    check_output(output, [*_files_in(predictions), *_files_in(os.path.join(dataset, "alignment"))])
    if target.startswith(os.path.join(os.path.realpath(dataset), "")):
        raise UsageError(f"{output}: a new file in the dataset would make it invalid; write to another folder")
    name = os.path.basename(target)
    if name.startswith("units-") and os.path.dirname(target) == os.path.realpath(predictions):
        raise UsageError(f"{output}: it has the name of predictions; name another file")
    if _is_appended(output):
        check_lock(_lock_of(output))


def _is_plain(output: str) -> bool:
    return output != "-" and (os.path.isfile(output) or not os.path.exists(output))


def _is_appended(output: str) -> bool:
    return _is_plain(output) and os.path.splitext(output)[1].lower() not in _WHOLE


def _lock_of(output: str) -> str:
    return f"{output}.lock"


def _files_in(folder: str) -> list[str]:
    """Give the paths of what a folder holds; nothing if it cannot be looked into, which is told elsewhere."""
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []


def write_scores(output: str, scores: Sequence[Score], signature: str) -> None:
    """Write the rows of a benchmark.

    Parameters
    ----------
    output : str
        File; ``.csv``, ``.parquet`` and ``.json`` are written whole, to others one JSON object a row is appended.
        ``-`` is standard output.
    scores : sequence of Score
        The rows.
    signature : str
        What they were computed with; only a ``.json`` document has a place for it.

    Raises
    ------
    speechio.InputError
        If the file cannot be written.
    """
    rows = [score._asdict() for score in scores]
    suffix = os.path.splitext(output)[1].lower()
    if suffix == ".csv":
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerows([["language", "split", "metric", "score"], *scores])
        write_lines(output, text.getvalue().splitlines())
    elif suffix == ".json":
        document = {"schema_version": SCHEMA_VERSION, "signature": signature, "scores": rows}
        write_lines(output, [json.dumps(document, indent=2, allow_nan=False)])
    elif suffix == ".parquet":
        _write_parquet(output, scores)
    else:
        append_lines(output, [json.dumps(row, allow_nan=False) for row in rows])


def _write_parquet(output: str, scores: Sequence[Score]) -> None:
    import polars as pl

    data = io.BytesIO()
    pl.DataFrame(scores, schema=["language", "split", "metric", "score"], orient="row").write_parquet(data)
    write_bytes(output, data.getbuffer())


def append_lines(output: str, lines: Sequence[str]) -> None:
    """Append lines to a file, all or none of them; several processes may do so at a time.

    Parameters
    ----------
    output : str
        File; it need not exist. ``-`` is standard output.
    lines : sequence of str
        Lines without their ends.

    Raises
    ------
    DatasetError
        If the lock cannot be had.
    speechio.InputError
        If the file cannot be written.
    """
    if not _is_plain(output):  # a pipe or a device has no end
        write_lines(output, lines)
        return
    data = "".join(f"{line}\n" for line in lines).encode()
    with locked(_lock_of(output)):
        try:
            with _undone(output):
                _append(output, data)
        except OSError as error:
            raise InputError(output, f"cannot be written: {error.strerror or error}", "", error.errno) from error


@contextmanager
def _undone(output: str) -> Iterator[None]:
    """After any end but the good one, an interruption too, let a file be as it was before, or not be there."""
    size = os.path.getsize(output) if os.path.exists(output) else None
    try:
        yield
    except BaseException:
        if size is None:
            with suppress(FileNotFoundError):
                os.unlink(os.path.realpath(output))
        elif os.path.getsize(output) > size:
            os.truncate(output, size)
        raise


def _append(output: str, data: bytes) -> None:
    """Append to a file; nothing is buffered, for that would be written when it is closed."""
    with open(output, "a+b", buffering=0) as stream:
        end = stream.seek(0, os.SEEK_END)
        if end:
            stream.seek(end - 1)
            data = (b"" if stream.read(1) == b"\n" else b"\n") + data
        left = memoryview(data)
        while left:
            left = left[stream.write(left) :]
        os.fsync(stream.fileno())  # on some disks what does not fit shows only here
