"""What mdeval raises.

::

    MdevalError
    ├── UsageError (also ValueError)      a wrong option or a value out of range; exit status 2
    ├── InputError (also ValueError)      a record, a region or a file that cannot be scored; exit status 2
    └── UndefinedScoreError (also ZeroDivisionError)   nothing to divide by; exit status 3

Reading strictly (the Python functions and every output but md-eval's own text) also raises
`speechio.SpeechioError` and its subclasses, unchanged: they carry file, line, cause and remedy.
"""

from __future__ import annotations

__all__ = ["InputError", "MdevalError", "UndefinedScoreError", "UsageError"]


class MdevalError(Exception):
    """Root of all errors raised by this package.

    Parameters
    ----------
    message : str
        One line for people: where, what, and what to do.
    nist : str, default ""
        What md-eval 22 prints for it, byte for byte; empty when it has no message of its own.
    """

    def __init__(self, message: str, nist: str = "") -> None:
        super().__init__(message)
        self.nist = nist


class UsageError(MdevalError, ValueError):
    """An option or an argument that cannot be used."""


class InputError(MdevalError, ValueError):
    """Input that cannot be read or scored."""


class UndefinedScoreError(MdevalError, ZeroDivisionError):
    """The denominator of a score is zero, so the score does not exist."""
