"""The manifests of the dataset: which files a language has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from discophon.errors import DatasetError, FormatError
from discophon.languages import Language, get_language

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["needed_files"]


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
        If a manifest has no column ``fileid``, or a file id that is no plain name.
    """
    code = get_language(language).iso_639_3
    folder = os.path.join(os.fspath(path), "manifest")
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(f"manifest-{code}-"))
    except OSError as error:
        raise DatasetError(f"{folder}: cannot be looked into: {error.strerror}; is this the dataset?") from error
    names = [name for name in names if name.endswith(".csv")]
    if not names:
        raise DatasetError(f"{folder}: no manifest-{code}-*.csv; 'discophon prepare download' brings them")
    return sorted({file_id for name in names for file_id in _file_ids(os.path.join(folder, name))})


def _file_ids(path: str) -> Iterator[str]:
    """Read the column ``fileid`` of a manifest; an empty file names none."""
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
        yield file_id


def _fields(path: str, number: int, text: str) -> list[str]:
    """Split one line, for a quote that goes on over lines would swallow them."""
    import csv

    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error as error:
        fix = "close every quote on its line, with a comma behind it, and write a quote within quotes twice"
        raise FormatError(path, number, f"not CSV: {error}", fix) from None
