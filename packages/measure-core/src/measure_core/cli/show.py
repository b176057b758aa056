"""Show the results of a run as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure_core.cli.streams import emit, emit_json

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("place", metavar="DIR|FILE", help="inference directory, or a results file")
    parser.add_argument("--format", choices=["text", "md", "csv", "latex", "json"], default="text", help="(text)")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")


def execute(arguments: argparse.Namespace) -> int:
    """Show them."""
    from pathlib import Path

    from measure_core.report.document import read_document
    from measure_core.report.tables import formatted

    document = read_document(Path(arguments.place))
    if arguments.format == "json":
        emit_json(document)
    else:
        emit(formatted(document, arguments.format))
    return 0
