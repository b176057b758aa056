"""``discophon leaderboard DIR...|FILE...``: several systems in one table."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from discophon.verbs import names_in

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]

_FORMATS = ("md", "html", "csv", "json")

_LOG = logging.getLogger("discophon.leaderboard")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    parser.add_argument(
        "results",
        metavar="RESULT",
        nargs="+",
        help="file that discophon benchmark wrote (- is standard input: JSON lines), or a folder of them",
    )
    parser.add_argument("--name", metavar="NAME", action="append", default=[], help="name of a system, in their order")
    parser.add_argument("--split", choices=("dev", "test"), default="test", help="split of every language (test)")
    parser.add_argument("--metrics", metavar="NAME,...", help="columns, in this order (all that there are)")
    parser.add_argument("--per-language", action="store_true", help="columns for each language too")
    parser.add_argument("--sort", metavar="METRIC", help="sort by it (the first)")
    parser.add_argument("--force", action="store_true", help="mix systems that were not scored alike")
    parser.add_argument("--format", choices=_FORMATS, help="md unless the suffix of FILE says another")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write there (standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Write the table.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0.
    """
    from discophon.leaderboard import build, read_systems, render
    from discophon.output import check_output
    from speechio.write import write_lines

    systems = read_systems(arguments.results, names=arguments.name)
    check_output(arguments.output, [system.path for system in systems])
    table = build(
        systems,
        split=arguments.split,
        metrics=None if arguments.metrics is None else names_in(arguments.metrics),
        per_language=arguments.per_language,
        sort=arguments.sort,
        force=arguments.force,
    )
    if len(table.signatures) > 1:
        _LOG.warning("the systems were not scored alike; they stand side by side all the same, as --force asks")
    if table.n_unsigned:
        _LOG.warning(
            "%d of %d systems come without a signature, so nobody can tell whether they were scored alike; a .json"
            " output of the benchmark has one",
            table.n_unsigned,
            len(table.systems),
        )
    text = render(table, arguments.format or _format_of(arguments.output))
    write_lines(arguments.output, [text.encode("utf-8", "backslashreplace").decode()])
    return 0


def _format_of(output: str) -> str:
    suffix = os.path.splitext(output)[1].lower().lstrip(".")
    return suffix if suffix in _FORMATS else "md"
