"""The command ``speechmeasure``: which packages of the family are installed, in which versions."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from speechmeasure.__about__ import __version__
from speechmeasure.family import versions

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA_VERSION = "1.0"
DONE, USAGE = 0, 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="speechmeasure",
        description="What is installed of the speechmeasure packages.",
        epilog="Scoring has commands of its own: measure (metrics over SCP files), mdeval (diarization), "
        "discophon (phoneme discovery), pathbench (pathological speech), speechio (checking files).",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"speechmeasure {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    listing = verbs.add_parser(
        "versions",
        help="list every package with its version",
        description="List every package of the family with its version.",
        allow_abbrev=False,
    )
    listing.add_argument("--json", action="store_true", help="print one JSON document instead of text")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; by default those of the process.

    Returns
    -------
    int
        Exit status: 0 when done, 2 when a package is missing. Wrong usage leaves through `SystemExit` with 2.
    """
    arguments = _parser().parse_args(argv)
    try:
        found = versions()
    except ModuleNotFoundError as fault:
        print(f"speechmeasure: error: {fault}", file=sys.stderr)
        return USAGE
    if arguments.json:
        print(json.dumps({"schema_version": SCHEMA_VERSION, "versions": found}, indent=2))
    else:
        width = max(map(len, found))
        for name, version in found.items():
            print(f"{name:<{width}}  {version}")
    return DONE
