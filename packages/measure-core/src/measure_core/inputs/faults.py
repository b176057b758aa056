"""Every fault of an SCP file; reading stops at the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure_core.errors import InputError, from_speechio
from measure_core.inputs.stream import is_regular
from speechio import FormatError, check_path
from speechio import InputError as UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["every_fault"]

_MOST_FAULTS = 100
"""Faults of one file that are listed."""


def every_fault(path: Path) -> list[InputError]:
    """List what is wrong with an SCP file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    list of InputError
        In the order of the lines; of very many faults the first. None if the file cannot be read, or not again.
    """
    if not is_regular(path):
        return []
    try:
        problems = [one for one in check_path(path, "scp") if one.severity == "error"]
    except UnreadableError:
        return []
    found = [
        from_speechio(FormatError(one.file, one.line, one.code, one.message, one.fix, one.source, one.span))
        for one in problems[:_MOST_FAULTS]
    ]
    if len(problems) > _MOST_FAULTS:
        n_more = len(problems) - _MOST_FAULTS
        what = f"{path}: {n_more} more faults"
        found.append(InputError(what, fixes=[f"`speechio check --format scp {path}` lists them"], path=str(path)))
    return found
