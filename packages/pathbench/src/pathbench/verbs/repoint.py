"""``pathbench repoint``: change the beginning of the paths in ``wav.scp``."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from pathbench.__about__ import __version__
from pathbench.errors import InputError
from pathbench.render import document, grid, write_text
from pathbench.repoint import find_datasets, repoint

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]


def run(given: argparse.Namespace) -> int:
    """Repoint datasets.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0.
    """
    files = [os.path.join(folder, "wav.scp") for folder in find_datasets(given.datasets)]
    # first all are read, so that a fault in the last file leaves the first as it was
    planned = [repoint(path, given.old, given.new, dry_run=True) for path in files]
    if not any(one.n_changed or one.n_already for one in planned):
        what = f"no path begins with {given.old}"
        raise InputError(f"{files[0]}: {what}; fix: give whole folders, as they stand in the file")
    if not given.dry_run:
        for one in planned:
            if one.n_changed:
                repoint(one.path, given.old, given.new, backup=not given.no_backup)
    if given.json:
        signature = f"pathbench|v:{__version__}|repoint:{'planned' if given.dry_run else 'done'}"
        write_text("-", document(signature, {"dry_run": given.dry_run, "files": [asdict(one) for one in planned]}))
        return 0
    rows = [(one.path, str(one.n_changed), str(one.n_already), str(one.n_other)) for one in planned]
    text = grid(("file", "would change" if given.dry_run else "changed", "already so", "others"), rows)
    example = next((one.example for one in planned if one.example), None)
    if example is not None:
        text += f"\n{example[0]}\n-> {example[1]}\n"
    write_text("-", text)
    return 0
