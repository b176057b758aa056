"""What goes wrong, and how it is told.

The tree of exceptions; whoever reads it knows what to catch::

    MeasureError(Exception)
    ├── ConfigError(MeasureError, ValueError)    the configuration is wrong; nothing was computed
    ├── InputError(MeasureError, ValueError)     an input file is missing or wrong; nothing was computed
    ├── MetricError(MeasureError, RuntimeError)  a metric failed, or returned something that is no result
    ├── CompareError(MeasureError, ValueError)   two runs cannot be compared
    └── OutputError(MeasureError)                results cannot be written

A message is a headline that names the place, then lines with the facts, then lines that begin with ``fix:``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from speechio import FormatError
    from speechio import InputError as UnreadableError

__all__ = [
    "CompareError",
    "ConfigError",
    "Faults",
    "InputError",
    "MeasureError",
    "MetricError",
    "OutputError",
    "combined",
    "from_speechio",
    "printable",
]

_T = TypeVar("_T")


class MeasureError(Exception):
    """Root of everything this package raises on purpose.

    Parameters
    ----------
    what : str
        The headline: where and what.
    facts : iterable of str, optional
        Lines of detail.
    fixes : iterable of str, optional
        What to do about it.
    path : str, optional
        The file at fault.
    line : int, optional
        Its line, from 1.
    """

    def __init__(
        self,
        what: str,
        facts: Iterable[str] = (),
        fixes: Iterable[str] = (),
        *,
        path: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(what, tuple(facts), tuple(fixes))
        self.what = what
        self.facts = self.args[1]
        self.fixes = self.args[2]
        self.path = path
        self.line = line
        self.parts: tuple[MeasureError, ...] = ()

    def __str__(self) -> str:
        facts = [f"  {line}" for fact in self.facts for line in fact.splitlines()]
        return "\n".join([self.what, *facts, *(f"fix: {fix}" for fix in self.fixes)])

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self.args, {"path": self.path, "line": self.line, "parts": self.parts})

    def each(self) -> tuple[MeasureError, ...]:
        """Give the faults that this one tells together, see `combined`; itself if it is one.

        Returns
        -------
        tuple of MeasureError
            In order.
        """
        return self.parts or (self,)


class ConfigError(MeasureError, ValueError):
    """The configuration is wrong: nothing was computed."""


class InputError(MeasureError, ValueError):
    """An input is missing or wrong: nothing was computed."""


class MetricError(MeasureError, RuntimeError):
    """A metric failed, or what it returned is not a result."""


class CompareError(MeasureError, ValueError):
    """Two runs cannot be compared."""


class OutputError(MeasureError):
    """Results cannot be written."""


class Faults(list[MeasureError]):
    """Faults that are told together: what does not hang on one goes on after it."""

    def tried(self, step: Callable[[], _T]) -> _T | None:
        """Do something; what is wrong is kept.

        Parameters
        ----------
        step : callable
            What to do.

        Returns
        -------
        object
            What it gives; None if something is wrong.
        """
        try:
            return step()
        except MeasureError as fault:
            self += fault.each()
            return None

    def told(self) -> None:
        """Raise what is wrong, all of it together; nothing if nothing is."""
        if self:
            raise combined(self)


def printable(text: str, width: int | None = None) -> str:
    r"""Show text of a file: no character that a terminal obeys, no end of a line, and not too much.

    Parameters
    ----------
    text : str
        Any text.
    width : int, optional
        Characters of it that are shown at most.

    Returns
    -------
    str
        The same with escapes for what cannot be printed.

    Examples
    --------
    >>> print(printable("é\x1b[1m\nx"), printable("x" * 99, 4))
    é\x1b[1m\nx xxx…
    """
    if width is not None and len(text) > width:
        text = f"{text[: width - 1]}…"
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def from_speechio(fault: FormatError | UnreadableError) -> InputError:
    """Make an `InputError` of what speechio says about a file; chain it with ``from``.

    Parameters
    ----------
    fault : speechio.FormatError or speechio.InputError
        The fault.

    Returns
    -------
    InputError
        With the same text, path and line; without the advice to name an encoding, which the command line cannot.
    """
    headline, *lines = str(fault).removesuffix(f"\n  fix: {fault.fix}").split("\n")
    facts = [line.removeprefix("  ") for line in lines]
    fix = re.sub(r", or [^,]*\bencoding=.*", "", fault.fix)
    fixes = [fix] if fix else []
    first = re.search(r"is on line (\d+) already", headline)
    if first is not None:
        facts.append(f"first at {fault.path}:{first.group(1)}")
    return InputError(headline, facts, fixes, path=fault.path, line=getattr(fault, "line", None))


def combined(faults: list[MeasureError]) -> MeasureError:
    """Make one error of several, in order.

    Parameters
    ----------
    faults : list of MeasureError
        At least one.

    Returns
    -------
    MeasureError
        The only one; else one of the kind of the first that lists them all, and each of what was combined before.
    """
    parts = tuple(part for fault in faults for part in fault.each())
    first = parts[0]
    if len(parts) == 1:
        return first
    texts = [str(part).replace("\n", "\n  ") for part in parts]
    whole = type(first)(f"{len(parts)} problems", texts, path=first.path, line=first.line)
    whole.parts = parts
    return whole
