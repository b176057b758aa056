"""Reading submitted units: one JSON object a line, with ``file`` and ``units``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discophon.alignment import check_exists
from discophon.errors import FormatError
from discophon.sequences import UnitSequences, describe_unit_fault, starts_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    StrPath = os.PathLike[str] | str

__all__ = ["SCHEMA", "read_submission"]

SCHEMA: dict[str, type | tuple[type, ...]] = {"file": (str, int), "units": list}
"""Fields that every line must have, and their types; a whole number as a file id is its digits."""

_PLAIN = {int}


def read_submission(path: StrPath) -> UnitSequences:
    """Read submitted units into flat arrays.

    Parameters
    ----------
    path : path-like or str
        JSONL file, gzip or not; ``-`` is standard input.

    Returns
    -------
    UnitSequences
        Units of every file, in the order of the source.

    Raises
    ------
    FormatError
        If a file comes twice, a unit is no whole number, or there is nothing in the source.
    MissingFileError
        If there is no such file.
    speechio.SpeechioError
        If the file cannot be read, or a line is not a JSON object with both keys.
    """
    from speechio.errors import Report
    from speechio.jsonl import JsonlParser
    from speechio.text import display_name

    check_exists(path)
    name = display_name(path)
    parser = JsonlParser(Report(name), schema=SCHEMA)
    line_of: dict[str, int] = {}
    values: list[int] = []
    lengths = []
    for line, record in parser.rows(path):
        file, units = str(record["file"]), record["units"]
        first = line_of.setdefault(file, line)
        if first != line:
            what = f"the file {file!r} is on line {first} already"
            raise FormatError(name, line, what, "keep one line for each file")
        if not set(map(type, units)) <= _PLAIN:
            raise describe_unit_fault(name, line, units)
        values += units
        lengths.append(len(units))
    if not lengths:
        raise FormatError(name, None, "there are no units in it", "write one object a line: {'file': …, 'units': […]}")
    try:
        array = np.array(values, np.int64)
    except OverflowError:
        raise _too_large(name, line_of, lengths, values) from None
    return UnitSequences(tuple(line_of), starts_of(lengths), array)


def _too_large(name: str, line_of: Mapping[str, int], lengths: Sequence[int], values: Sequence[int]) -> FormatError:
    """Say which list has a unit that does not fit into 64 bits."""
    starts = starts_of(lengths)
    at = next(i for i, value in enumerate(values) if not -(2**63) <= value < 2**63)
    number = int(np.searchsorted(starts, at, side="right")) - 1
    line = list(line_of.values())[number]
    return describe_unit_fault(name, line, values[starts[number] : starts[number + 1]])
