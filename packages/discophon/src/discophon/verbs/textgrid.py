"""``discophon textgrid UNITS PHONES --file ID -o FILE``: gold and predicted phones as two tiers, for Praat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discophon.verbs.scored import add_mapping_arguments

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    add_mapping_arguments(parser)
    parser.add_argument("--file", metavar="ID", help="file id of the utterance (the first)")


def run(arguments: argparse.Namespace) -> int:
    """Write the TextGrid.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0.
    """
    from discophon.textgrid import write_comparison
    from discophon.verbs.scored import read_and_map

    mapped = read_and_map(arguments)
    file_id = next(iter(mapped.gold)) if arguments.file is None else mapped.check_file(arguments.file)
    write_comparison(arguments.output, mapped.gold[file_id], mapped.predicted[file_id], step_units=arguments.step_units)
    return 0
