"""The manifests of the dataset: which files a language has."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from discophon.errors import DatasetError, FormatError
from discophon.languages import Language, get_language

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_root", "needed_files", "needed_samples"]

_SHOWN = 40
_WHOLE = re.compile(r"[0-9]{1,18}(\.0*)?")  # as tables write whole numbers that share a column with empty fields


def needed_files(path: os.PathLike[str] | str, language: str | Language) -> list[str]:
    """List the files that the manifests of a language name.

    Parameters
    ----------
    path : path-like or str
        The dataset.
    language : str or Language
        As `discophon.languages.get_language` takes it.

    Returns
    -------
    list of str
        File ids, sorted, each once.

    Raises
    ------
    DatasetError
        If there is no manifest of the language.
    FormatError
        If a manifest has no column ``fileid``, a file id that is no plain name, or a ``num_samples`` that is no number.
    """
    return list(needed_samples(path, language))


def needed_samples(path: os.PathLike[str] | str, language: str | Language) -> dict[str, int]:
    """List the files that the manifests of a language name, and how long each shall be.

    Parameters
    ----------
    path, language
        As `needed_files` takes them.

    Returns
    -------
    dict of str to int
        File ids, sorted, and what ``num_samples`` says, at 16 kHz; 0 where it says nothing.

    Raises
    ------
    DatasetError, FormatError
        As `needed_files` does.
    """
    code = get_language(language).iso_639_3
    root = os.fspath(path)
    check_root(root)
    folder = os.path.join(root, "manifest")
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(f"manifest-{code}-"))
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be looked into: {error.strerror}; is this the dataset?") from error
    names = [name for name in names if name.endswith(".csv")]
    if not names:
        raise DatasetError(f"{folder}: no manifest-{code}-*.csv; 'discophon prepare download' brings them")
    found: dict[str, int] = {}
    for name in names:
        for file_id, n_samples in _rows(os.path.join(folder, name)):
            found[file_id] = max(n_samples, found.get(file_id, 0))
    return dict(sorted(found.items()))


def check_root(root: str) -> None:
    """Refuse a dataset that is not there at all.

    Parameters
    ----------
    root : str
        Its folder.

    Raises
    ------
    DatasetError
        If there is no such folder.
    """
    if not os.path.isdir(root):
        why = "not a folder" if os.path.exists(root) else "no such folder"
        raise DatasetError(f"{root}: {why}; give the folder of the dataset")


def _rows(path: str) -> Iterator[tuple[str, int]]:
    """Read the columns ``fileid`` and ``num_samples`` of a manifest; an empty file names none."""
    from speechio.errors import Report
    from speechio.text import read_lines

    header: list[str] | None = None
    for number, text in read_lines(path, Report(path)):
        row = _fields(path, number, text)
        if not row:
            continue
        if header is None:
            header = row
            if "fileid" not in header:
                raise FormatError(path, number, "there is no column 'fileid'", "the first line must name the columns")
            continue
        if len(row) != len(header):
            what = f"{len(row)} fields under {len(header)} columns"
            raise FormatError(path, number, what, "put fields that have commas in them between quotes")
        file_id = row[header.index("fileid")]
        if not file_id or file_id.startswith(".") or os.path.basename(file_id) != file_id or "\0" in file_id:
            what = f"the file id {file_id!r} is not a plain name"
            raise FormatError(path, number, what, "write the name of the audio file without folder and suffix")
        told = row[header.index("num_samples")].strip() if "num_samples" in header else ""
        if told and not _WHOLE.fullmatch(told):
            shown = told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"
            what = f"num_samples of {file_id!r} is {shown!r}, which is no number of samples"
            raise FormatError(path, number, what, "write a whole number, or nothing where it is not known")
        yield file_id, int(told.partition(".")[0] or 0)


def _fields(path: str, number: int, text: str) -> list[str]:
    """Split one line, for a quote that goes on over lines would swallow them."""
    import csv

    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error as error:
        fix = "close every quote on its line, with a comma behind it, and write a quote within quotes twice"
        raise FormatError(path, number, f"not CSV: {error}", fix) from None
