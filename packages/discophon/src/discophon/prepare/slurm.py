"""Which part of the work is this job's, in an array of SLURM jobs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from discophon.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["array_part"]


def array_part(n: int, environ: Mapping[str, str] = os.environ) -> range:
    """Give the part of a list that falls to this job.

    Parameters
    ----------
    n : int
        Length of the list.
    environ : mapping of str to str, optional
        Environment variables; by default those of the process.

    Returns
    -------
    range
        All indices without ``SLURM_NTASKS`` or outside an array. Job k of N has k c to (k + 1) c, the end excluded
        and never beyond n, with c = ceil(n / N).

    Raises
    ------
    UsageError
        If the array does not run from 0 to the number of its jobs less one, or a variable is no number.

    Examples
    --------
    >>> array = {"SLURM_NTASKS": "1", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0"}
    >>> array |= {"SLURM_ARRAY_TASK_MAX": "3", "SLURM_ARRAY_TASK_ID": "3"}
    >>> array_part(10, array)
    range(9, 10)
    """
    if "SLURM_NTASKS" not in environ or "SLURM_ARRAY_TASK_ID" not in environ:
        return range(n)
    job, count, first, last = (_number(environ, f"SLURM_ARRAY_TASK_{name}") for name in ("ID", "COUNT", "MIN", "MAX"))
    if count < 1:
        raise UsageError("SLURM_ARRAY_TASK_COUNT is 0, and an array has at least one job; unset it to take all files")
    if first != 0 or last != count - 1 or not 0 <= job < count:
        raise UsageError(
            f"job {job} of an array of {count} from {first} to {last}: an array must run from 0 to {count - 1} without"
            f" gaps; submit it with --array=0-{count - 1}"
        )
    chunk = -(-n // count)
    return range(min(job * chunk, n), min((job + 1) * chunk, n))


def _number(environ: Mapping[str, str], name: str) -> int:
    text = environ.get(name, "")
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"{name} is {text!r}, not a number; SLURM sets it in the jobs of an array")
    return int(text)
