"""``pathbench check``: whether datasets can be used, and whether their recordings are those that were hashed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathbench.__about__ import __version__
from pathbench.dataset import parse_data_root
from pathbench.integrity import check_dataset, write_hashes
from pathbench.render import document, write_text
from pathbench.repoint import find_datasets

if TYPE_CHECKING:
    import argparse

    from speechio.errors import Problem

__all__ = ["run"]


def run(given: argparse.Namespace) -> int:
    """Check datasets, or write the hashes of their recordings.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0; 1 if there is an error in any of them.
    """
    data_root = None if given.data_root is None else parse_data_root(given.data_root)
    look = write_hashes if given.write_hashes else check_dataset
    folders = find_datasets(given.datasets)
    problems = [problem for folder in folders for problem in look(folder, data_root=data_root)]
    n_errors = sum(problem.severity == "error" for problem in problems)
    if given.json:
        content = {"datasets": folders, "n_errors": n_errors, "problems": [_record(problem) for problem in problems]}
        write_text(
            "-", document(f"pathbench|v:{__version__}|check:{'write' if given.write_hashes else 'read'}", content)
        )
    else:
        counts = f"{len(folders)} datasets, {n_errors} errors, {len(problems) - n_errors} warnings"
        write_text("-", "".join(f"{problem}\n" for problem in problems) + f"{counts}\n")
    return 1 if n_errors else 0


def _record(problem: Problem) -> dict[str, object]:
    return {
        "file": problem.file,
        "line": problem.line,
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "fix": problem.fix,
    }
