"""Standard output and standard error of the command line: results, messages, progress."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["drop_output", "emit", "emit_json", "progress_bar", "set_up"]


def set_up(*, verbose: bool, quiet: bool) -> None:
    """Make the streams take any text, and send log messages to standard error.

    Parameters
    ----------
    verbose : bool
        Say what is done.
    quiet : bool
        Say nothing but errors.
    """
    import logging

    if sys.stderr is None:  # closed: nobody is listening
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for good)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.INFO
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter())
    ours = logging.getLogger("measure_core")
    ours.handlers[:] = [handler]
    ours.setLevel(level)
    ours.propagate = False


def _formatter() -> logging.Formatter:
    """Give what writes a message with its level where that matters."""
    import logging

    class Formatter(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            text = record.getMessage()
            return text if record.levelno in (logging.INFO, logging.DEBUG) else f"{record.levelname.lower()}: {text}"

    return Formatter()


def emit(text: str) -> None:
    """Write a result to standard output.

    Parameters
    ----------
    text : str
        Lines without the last newline.

    Raises
    ------
    OSError
        If it cannot be written, or is closed.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "is closed; send the results somewhere", "<stdout>")
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def emit_json(document: Mapping[str, Any]) -> None:
    """Write one JSON document to standard output.

    Parameters
    ----------
    document : mapping
        Plain values. Numbers that are not finite, which JSON has not, become null; a log message says so.

    Raises
    ------
    OSError
        If it cannot be written, or is closed.
    """
    import json
    import logging

    names: list[str] = []
    document = json.loads(json.dumps(document), parse_constant=names.append)
    if names:
        logging.getLogger("measure_core").warning("%d numbers are not finite; in JSON they are null", len(names))
    emit(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))


def drop_output() -> None:
    """Forget what could not be written, so that leaving the interpreter does not try again."""
    if sys.stdout is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass


def progress_bar(*, quiet: bool) -> Callable[[int, int], None] | None:
    """Give what shows progress: one line on standard error, if that is a terminal.

    Parameters
    ----------
    quiet : bool
        Whether to say nothing.

    Returns
    -------
    callable or None
        Takes how many pieces of work are done, and how many there are.
    """
    if quiet or not sys.stderr.isatty():
        return None

    def show(n_done: int, n_all: int) -> None:
        if n_done < n_all:
            sys.stderr.write(f"\rmeasuring: {n_done} of {n_all} pieces of work done")
        else:
            sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    return show
