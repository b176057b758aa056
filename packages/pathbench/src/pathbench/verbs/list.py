"""``pathbench list``: the evaluators, own ones and those of other distributions."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pathbench.__about__ import __version__
from pathbench.registry import DEFAULT, OWN, Entry, contested, entries
from pathbench.render import document, grid, write_text

if TYPE_CHECKING:
    import argparse

__all__ = ["LICENCES", "run"]

log = logging.getLogger(__name__)

LICENCES = {"signal": "praat-parselmouth: GPL-3.0-or-later"}
"""What an extra brings that has another kind of licence than this package (MIT)."""


def run(given: argparse.Namespace) -> int:
    """List the evaluators.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0.
    """
    found = entries()
    for message in contested(found):
        log.warning("%s", message)
    write_text(given.output, _json(found) if given.json else _text(found))
    return 0


def _is_default(entry: Entry) -> bool:
    return entry.name in DEFAULT and entry == OWN[entry.name]


def _text(found: list[Entry]) -> str:
    header = ("name", "scores", "needs", "languages", "extra", "offered by", "source")
    rows = []
    for entry in found:
        name = f"{entry.name} *" if _is_default(entry) else entry.name
        needs, languages = " ".join(entry.needs), " ".join(entry.languages) or "any"
        level = entry.level or "?"
        rows.append((name, level, needs, languages, entry.extra, entry.distribution, entry.source))
    notes = "".join(f"extra {extra}: {licence}\n" for extra, licence in LICENCES.items())
    return f"{grid(header, rows, left=len(header))}\n* run by default where installed\n{notes}"


def _json(found: list[Entry]) -> str:
    evaluators = [
        {
            "name": entry.name,
            "class": entry.target,
            "level": entry.level,
            "needs": list(entry.needs),
            "languages": list(entry.languages) or None,
            "extra": entry.extra or None,
            "licence_note": LICENCES.get(entry.extra),
            "source": entry.source or None,
            "distribution": entry.distribution,
            "default": _is_default(entry),
        }
        for entry in found
    ]
    return document(f"pathbench|v:{__version__}|list:evaluators", {"evaluators": evaluators})
