"""What discophon raises.

::

    DiscophonError
    ├── UsageError (also ValueError)              an argument or option that cannot be used; exit status 2
    ├── FormatError (also ValueError)             the content of a file is wrong: path, line, what, fix; exit status 2
    ├── MissingFileError (also FileNotFoundError) there is no such file or folder; exit status 2
    ├── DatasetError (also ValueError)            the folders of the benchmark are not as they must be; exit status 2
    ├── NoPredictionsError (also FileNotFoundError)   nothing to evaluate; exit status 2
    ├── MismatchError (also ValueError)           units and gold do not fit each other; exit status 2
    ├── OutOfRangeError (also IndexError)         a unit, or the number of labels, is too large; exit status 2
    ├── UndefinedScoreError (also ZeroDivisionError)  nothing to divide by, so there is no score; exit status 3
    └── WorkerError (also RuntimeError)           a process that computed was lost; exit status 3

Reading also raises `speechio.SpeechioError` and its subclasses, unchanged: damaged gzip data, bytes that are not
UTF-8, a folder in the place of a file, JSON that cannot be parsed.
"""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "DatasetError",
    "DiscophonError",
    "FormatError",
    "MismatchError",
    "MissingFileError",
    "NoPredictionsError",
    "OutOfRangeError",
    "UndefinedScoreError",
    "UsageError",
    "WorkerError",
    "said_about",
]


class DiscophonError(Exception):
    """Root of all errors raised by this package."""


class UsageError(DiscophonError, ValueError):
    """An argument or an option that cannot be used."""


class FormatError(DiscophonError, ValueError):
    """The content of a file breaks the rules of its format.

    Parameters
    ----------
    path : str
        File as given by the caller.
    line : int or None
        Line, counted from 1; None when the fault has no line.
    what : str
        What is wrong.
    fix : str, default ""
        What to do about it.
    """

    def __init__(self, path: str, line: int | None, what: str, fix: str = "") -> None:
        super().__init__(path, line, what, fix)
        self.path = path
        self.line = line
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.what}" + (f"; fix: {self.fix}" if self.fix else "")


class MissingFileError(DiscophonError, FileNotFoundError):
    """There is no such file or folder."""


class DatasetError(DiscophonError, ValueError):
    """The folders of the benchmark are not as they must be."""


class NoPredictionsError(DiscophonError, FileNotFoundError):
    """There is nothing to evaluate in a folder of predictions."""


class MismatchError(DiscophonError, ValueError):
    """Units and gold do not fit each other: other files, other lengths, other numbers of labels."""


class OutOfRangeError(DiscophonError, IndexError):
    """A unit, or the number of labels, is beyond what was announced."""


class UndefinedScoreError(DiscophonError, ZeroDivisionError):
    """The denominator of a score is zero, so the score does not exist."""


class WorkerError(DiscophonError, RuntimeError):
    """A process that computed was killed, or a worker of a cluster was lost."""


@contextmanager
def said_about(place: str) -> Iterator[None]:
    """Put the files that a fault is about in front of its message.

    Parameters
    ----------
    place : str
        Which files.

    Yields
    ------
    None
        Run what may fail inside.

    Raises
    ------
    MismatchError, OutOfRangeError, UndefinedScoreError
        The same kind of error, with the longer message.
    """
    try:
        yield
    except (MismatchError, OutOfRangeError, UndefinedScoreError) as error:
        raise type(error)(f"{place}: {error}") from error
