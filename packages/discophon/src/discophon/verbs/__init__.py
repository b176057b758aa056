"""The verbs of the command ``discophon``, one module each, loaded only when its verb is used.

A module here has

``add_arguments(parser)``
    which declares the arguments of its verb on an `argparse.ArgumentParser`, and
``run(arguments) -> int``
    which does the work and gives the exit status: 0 done, 1 judged and found wanting.

Errors are raised, not printed: `discophon.cli` tells them and chooses the status. Importing a verb loads no
numeric library; `run` imports what it needs.
"""

from __future__ import annotations

import argparse

__all__ = ["add_jobs_argument", "names_in"]


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the number of processes; None where it is not given.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser of a verb.
    """
    parser.add_argument("-j", "--jobs", metavar="N", type=_jobs, help="processes; -1: one per processor (1)")


def _jobs(text: str) -> int:
    from discophon.engine import check_jobs
    from discophon.errors import UsageError

    try:
        jobs = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    try:
        check_jobs(jobs)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return jobs


def names_in(text: str) -> list[str]:
    """Take a list of names apart; blanks around commas are no part of them.

    Parameters
    ----------
    text : str
        Names, separated by commas.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> names_in("pnmi, per")
    ['pnmi', 'per']
    """
    return [name.strip() for name in text.split(",")]
