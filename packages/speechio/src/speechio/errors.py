"""What goes wrong, and how it is told.

The tree of exceptions; whoever reads it knows what to catch::

    SpeechioError(Exception)
    ├── FormatError(SpeechioError, ValueError)     the content of a file is wrong: path, line, code, what, fix
    ├── InputError(SpeechioError, OSError)         a file cannot be read or written: absent, a directory, …
    ├── WriteError(SpeechioError, ValueError)      a writer refuses a record that would not read back
    ├── AlignmentError(SpeechioError, ValueError)  two tables do not have the same IDs
    └── UsageError(SpeechioError, ValueError)      an argument makes no sense: unknown format or encoding

A damaged gzip file, bytes that are not UTF-8 and nesting without end are faults of the content, hence a
`FormatError`, never `EOFError`, `zlib.error`, `UnicodeDecodeError` or `RecursionError`.

Parsers do not raise by themselves: they tell a `Report`, which raises when a file is read and collects when
it is checked. Whatever is told goes through `speechio.shown.shorten`, so that a message may quote any field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from speechio.shown import Span, render, shorten

__all__ = [
    "AlignmentError",
    "FormatError",
    "InputError",
    "Problem",
    "Report",
    "Severity",
    "Span",
    "SpeechioError",
    "UsageError",
    "WriteError",
    "render",
]

Severity = Literal["error", "warning"]
"""How bad a problem is: an error stops a reader, a warning does not."""

_ONCE_PER_FILE = frozenset({"T102", "T103", "T107", "T110", "S103"})


class SpeechioError(Exception):
    """Root of everything this package raises on purpose."""


class FormatError(SpeechioError, ValueError):
    """The content of a file breaks the rules of its format.

    Parameters
    ----------
    path : str
        File as given by the caller; ``<stdin>`` for standard input.
    line : int or None
        Line, counted from 1; None when the fault has no line.
    code : str
        Stable code, see `speechio.codes.CODES`.
    what : str
        What is wrong.
    fix : str, default ""
        What to do about it.
    source : str, optional
        The line itself.
    span : tuple of int, optional
        Columns of the fault in `source`, from 0, end excluded.
    """

    def __init__(
        self,
        path: str,
        line: int | None,
        code: str,
        what: str,
        fix: str = "",
        source: str | None = None,
        span: Span | None = None,
    ) -> None:
        what, fix = shorten(what), shorten(fix)
        super().__init__(path, line, code, what, fix, source, span)
        self.path = path
        self.line = line
        self.code = code
        self.what = what
        self.fix = fix
        self.source = source
        self.span = span

    def __str__(self) -> str:
        return render(self.path, self.line, self.code, self.what, self.fix, self.source, self.span)


class InputError(SpeechioError, OSError):
    """A file cannot be opened or read.

    Parameters
    ----------
    path : str
        File as given by the caller.
    what : str
        What is wrong with it.
    fix : str, default ""
        What to do about it.
    errno : int, optional
        Number of the system's error, where there was one.
    """

    def __init__(self, path: str, what: str, fix: str = "", errno: int | None = None) -> None:
        what, fix = shorten(what), shorten(fix)
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what
        self.fix = fix
        self.errno = errno
        self.filename = path

    def __str__(self) -> str:
        return f"{self.path}: {self.what}" + (f"\n  fix: {self.fix}" if self.fix else "")

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, str, int | None]]:
        return (InputError, (self.path, self.what, self.fix, self.errno))


class WriteError(SpeechioError, ValueError):
    """A writer refuses a record because it would not read back as it is.

    Parameters
    ----------
    path : str
        File that was to be written; it is left as it was.
    record : int
        Which record, counted from 1.
    what : str
        What is wrong with it.
    fix : str, default ""
        What to do about it.
    """

    def __init__(self, path: str, record: int, what: str, fix: str = "") -> None:
        what, fix = shorten(what), shorten(fix)
        super().__init__(path, record, what, fix)
        self.path = path
        self.record = record
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.path}: record {self.record}: {self.what}" + (f"\n  fix: {self.fix}" if self.fix else "")


class AlignmentError(SpeechioError, ValueError):
    """Tables that should have the same IDs do not.

    Parameters
    ----------
    message : str
        Which table lacks which IDs of which other.
    missing : dict of str to list of str
        For each alias, the sorted IDs that it lacks and another has.
    """

    def __init__(self, message: str, missing: dict[str, list[str]]) -> None:
        message = "\n".join(map(shorten, message.split("\n")))
        super().__init__(message, missing)
        self.message = message
        self.missing = missing

    def __str__(self) -> str:
        return self.message


class UsageError(SpeechioError, ValueError):
    """An argument makes no sense: an unknown format, encoding or field.

    Parameters
    ----------
    message : str
        What is wrong with it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message))


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a check.

    Attributes
    ----------
    file : str
        File as given; for a directory joined with the file in it.
    line : int or None
        Line, counted from 1; None when there is none.
    code : str
        Stable code, see `speechio.codes.CODES`.
    severity : {"error", "warning"}
        How bad it is.
    message : str
        What is wrong.
    fix : str
        What to do about it; may be empty.
    source : str or None
        The line itself.
    span : tuple of int or None
        Columns of the fault in `source`, from 0, end excluded.
    """

    file: str
    line: int | None
    code: str
    severity: Severity
    message: str
    fix: str = ""
    source: str | None = None
    span: Span | None = None

    def __post_init__(self) -> None:
        for name in ("message", "fix"):
            text = getattr(self, name)
            if (short := shorten(text)) is not text:
                object.__setattr__(self, name, short)

    def __str__(self) -> str:
        word = "" if self.severity == "error" else "warning: "
        return render(self.file, self.line, self.code, word + self.message, self.fix, self.source, self.span)


class Report:
    """Take what a parser finds: raise when reading, collect when checking.

    Parameters
    ----------
    path : str
        Name of the file in messages.
    problems : list of Problem, optional
        Where a check collects. Without it, an error raises `FormatError` and warnings are dropped.

    Attributes
    ----------
    line : int or None
        The line at which the parser stands.
    source : str or None
        Its text.
    span : tuple of int or None
        Columns for faults that name none.
    n_errors : int
        Number of errors so far.
    """

    __slots__ = ("_told", "line", "n_errors", "path", "problems", "source", "span")

    def __init__(self, path: str, problems: list[Problem] | None = None) -> None:
        self.path = path
        self.problems = problems
        self.line: int | None = None
        self.source: str | None = None
        self.span: Span | None = None
        self.n_errors = 0
        self._told: set[str] = set()

    def at(self, line: int | None, source: str | None = None) -> None:
        """Say where the parser stands.

        Parameters
        ----------
        line : int or None
            Line, counted from 1.
        source : str, optional
            Its text.
        """
        self.line = line
        self.source = source
        self.span = None

    def error(self, code: str, what: str, fix: str = "", span: Span | None = None) -> None:
        """Tell an error.

        Parameters
        ----------
        code : str
            Stable code.
        what : str
            What is wrong.
        fix : str, default ""
            What to do about it.
        span : tuple of int, optional
            Columns of the fault.

        Raises
        ------
        FormatError
            When a file is read, not checked.
        """
        self.n_errors += 1
        span = span or self.span
        if self.problems is None:
            raise FormatError(self.path, self.line, code, what, fix, self.source, span)
        self.problems.append(Problem(self.path, self.line, code, "error", what, fix, self.source, span))

    def warning(self, code: str, what: str, fix: str = "", span: Span | None = None) -> None:
        """Tell a warning; only a check keeps it.

        Parameters
        ----------
        code : str
            Stable code; some codes are kept once per file.
        what : str
            What is odd.
        fix : str, default ""
            What to do about it.
        span : tuple of int, optional
            Columns of the oddity.
        """
        if self.problems is None or code in self._told:
            return
        if code in _ONCE_PER_FILE:
            self._told.add(code)
        span = span or self.span
        self.problems.append(Problem(self.path, self.line, code, "warning", what, fix, self.source, span))

    def keep(self, error: FormatError) -> None:
        """Keep an error that was raised because the file cannot be read on.

        Parameters
        ----------
        error : FormatError
            The error; raised again when a file is read, not checked.

        Raises
        ------
        FormatError
            When a file is read, not checked.
        """
        self.at(error.line, error.source)
        self.error(error.code, error.what, error.fix, error.span)
