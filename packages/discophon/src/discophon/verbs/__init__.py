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

__all__ = ["names_in"]


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
