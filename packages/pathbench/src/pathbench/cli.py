"""The command ``pathbench``: parse, run the verb, exit code.

Importing this module, ``--help`` and ``--version`` load no numeric library; each verb imports what it needs.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from pathbench.__about__ import __version__
from pathbench.errors import EvaluationError, PathbenchError, UsageError
from pathbench.options import VERBS, add_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["main"]

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class _Parser(argparse.ArgumentParser):
    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 (what argparse takes)
        if file is not sys.stdout:
            super()._print_message(message, file)
        elif message:  # argparse hides that standard output is closed or full
            from pathbench.render import write_text

            write_text("-", message)

    def error(self, message: str) -> Any:  # noqa: ANN401 (it never returns)
        raise UsageError(f"{message}; fix: see {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the name of the program; by default those of the process.

    Returns
    -------
    int
        The exit status: 0 done, 1 judged and found wanting, 2 wrong usage or input, 3 something failed while
        computing, 130 interrupted, 143 terminated.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    with _logged(arguments) as logger:
        return _guarded(arguments, logger)


class _Terminated(KeyboardInterrupt):
    """SIGTERM came: the run ends as after an interruption, and leaves no process behind."""


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM interrupt, where nobody else handles or ignores it; the second one ends this process at once."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _: object) -> NoReturn:
        signal.signal(number, signal.SIG_DFL)
        raise _Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _guarded(arguments: list[str], logger: logging.Logger) -> int:
    """Run the verb; what goes wrong becomes a message and a status."""
    try:
        with _terminable():
            return _run(arguments)
    except BrokenPipeError:  # whoever reads has seen enough
        _drop_stdout()
        return 0
    except _Terminated:
        return 143
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not _is_for_people(error):
            raise
        logger.debug("where it arose", exc_info=True)
        logger.error("%s", error)  # noqa: TRY400 (people want the message; --verbose shows the rest)
        return 3 if isinstance(error, EvaluationError) else 2


def _run(arguments: list[str]) -> int:
    parser = _parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit as done:  # --help and --version have been printed
        return int(done.code or 0)
    # one thread in linear algebra: sums then have one order, and the same input gives the same last digit anywhere
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    _let_import(getattr(given, "evaluators", None) or ())
    verb = import_module(f"pathbench.verbs.{given.verb}")
    return int(verb.run(given))


def _let_import(names: Sequence[str]) -> None:
    """Let ``module:Class`` name a module in the current folder, after all that is installed."""
    if any(":" in name for name in names) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="pathbench",
        description="Score pathological speech and correlate the scores with raters.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pathbench {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, about in VERBS.items():
        verb = verbs.add_parser(name, help=about, description=about, allow_abbrev=False)
        add_options(name, verb)
    return parser


@contextmanager
def _logged(arguments: Sequence[str]) -> Iterator[logging.Logger]:
    """Let the package's log go to standard error, as long as the command runs."""
    logger = logging.getLogger("pathbench")
    level, handler = logger.level, logging.StreamHandler()
    handler.setFormatter(_Lines())
    logger.addHandler(handler)
    given = arguments[: arguments.index("--")] if "--" in arguments else arguments
    logger.setLevel(logging.DEBUG if "--verbose" in given else logging.ERROR if "--quiet" in given else logging.INFO)
    try:
        yield logger
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class _Lines(logging.Formatter):
    """``pathbench: warning: …``; information without a level."""

    def format(self, record: logging.LogRecord) -> str:
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        text = f"pathbench: {level}{record.getMessage()}"
        if record.exc_info:
            text += f"\n{self.formatException(record.exc_info)}"
        return text.encode("utf-8", "backslashreplace").decode()


def _is_for_people(error: Exception) -> bool:
    """Tell errors of input and usage from faults of the program."""
    from speechio.errors import SpeechioError

    return isinstance(error, (PathbenchError, SpeechioError))


def _drop_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not trip over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
