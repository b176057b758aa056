"""Whether results can be written where they belong, found out before anything is computed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from measure_core.errors import ConfigError, MeasureError
from measure_core.records import meta_path
from measure_core.rows import rows_path

if TYPE_CHECKING:
    from measure_core.config.plan import Plan

__all__ = ["faults_of_outputs"]


def faults_of_outputs(plan: Plan) -> list[MeasureError]:
    """Look at every place where a run writes; nothing is written.

    Parameters
    ----------
    plan : Plan
        The run.

    Returns
    -------
    list of MeasureError
        Where it could not; each place once.
    """
    wanted = {plan.results: "the results", meta_path(plan.results): "what is known about the results"}
    for test_name in plan.test_sets:
        for entry in plan.entries:
            if entry.per_utterance:
                wanted[rows_path(plan, entry.key, test_name)] = f"the rows of {entry.key} on {test_name}"
    whys: dict[str, str] = {}
    for path, what in wanted.items():
        why = _why_not(Path(os.path.realpath(path)))
        if why:
            whys.setdefault(why, f"{path}: {what} cannot be written: {why}")
    fixes = ["move what is in the way, make the directory writable, or name another `results_file`"]
    return [ConfigError(what, fixes=fixes) for what in whys.values()]


def _why_not(path: Path) -> str:
    """Say why a file could not be written; empty if it can."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        pass  # its directories are made if need be
    except (OSError, ValueError) as fault:
        return f"{path}: {getattr(fault, 'strerror', None) or fault}"
    else:
        if stat.S_ISDIR(mode):
            return f"{path} is a directory"
        if not stat.S_ISREG(mode):
            return ""  # a pipe or a device is written to as it is
    folder = next(place for place in path.parents if os.path.exists(place))
    if not os.path.isdir(folder):
        return f"{folder} is not a directory"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"the directory {folder} is not writable"
