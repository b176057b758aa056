"""The command ``discophon``: find the verb, run it, tell what went wrong, give the exit status.

Importing this module loads next to nothing, and a run loads only the module of its verb.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from discophon.__about__ import __version__
from discophon.errors import DiscophonError, UndefinedScoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

__all__ = ["VERBS", "main"]

VERBS = {
    "evaluate": "score the units of one language and split against its gold phones",
    "benchmark": "score all units of a folder against the benchmark's data",
    "prepare": "download the benchmark, or convert Common Voice clips for it",
    "validate": "list everything that is wrong with a dataset folder or with predictions",
    "leaderboard": "compare several systems in one table",
    "plot": "draw what units stand for, or one utterance",
    "textgrid": "write gold and predicted phones of one utterance for Praat",
}
"""Verbs and what they do; ``discophon.verbs.VERB`` is the module of each."""

DONE, USAGE, FAILED, INTERRUPTED = 0, 2, 3, 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise UsageError(f"{message}; {self.prog} --help explains the options")


def main(argv: Sequence[str] | None = None, *, verb: str | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the name of the program; by default those of the process.
    verb : str, optional
        The verb, where the program is one of its own: ``python -m discophon.VERB``.

    Returns
    -------
    int
        The exit status: 0 done, 1 judged and found wanting, 2 wrong usage or input, 3 an undefined score or a failure
        while computing, 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    prog = "discophon" if verb is None else f"python -m discophon.{verb}"
    is_verbose = "--verbose" in arguments
    try:
        status = _run(arguments, prog, verb)
        _flush()
    except BrokenPipeError:  # whoever reads has seen enough
        _drop_stdout()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:  # --help and --version have been printed
        return end.code if isinstance(end.code, int) else DONE
    except MemoryError:
        _say(f"{prog}: error: there is not enough memory for this input")
        return FAILED
    except Exception as error:
        if not _is_for_people(error):
            raise
        if is_verbose:
            import traceback

            traceback.print_exception(error)
        _say(f"{prog}: error: {error}")
        return FAILED if isinstance(error, UndefinedScoreError) else USAGE
    return status


def _run(arguments: list[str], prog: str, verb: str | None) -> int:
    if verb is None:
        top = _top_parser(prog)
        given = top.parse_args(arguments[:1])
        verb, arguments, prog = given.verb, arguments[1:], f"{prog} {given.verb}"
    module = import_module(f"discophon.verbs.{verb}")
    parser = _Parser(prog=prog, description=_sentence(VERBS[verb]), allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"discophon {__version__}")
    parser.add_argument("--quiet", action="store_true", help="only errors on standard error")
    parser.add_argument("--verbose", action="store_true", help="tell what is done, and where an error arose")
    module.add_arguments(parser)
    given = parser.parse_args(arguments)
    _set_up_logging(quiet=given.quiet, verbose=given.verbose)
    status: int = module.run(given)
    return status


def _top_parser(prog: str) -> argparse.ArgumentParser:
    listed = "\n".join(f"  {name:<12} {about}" for name, about in VERBS.items())
    parser = _Parser(
        prog=prog,
        usage=f"{prog} [--help] [--version] VERB ...",
        description="The phoneme discovery benchmark: discrete units and gold phones in, scores out.",
        epilog=f"verbs:\n{listed}\n\n'{prog} VERB --help' explains a verb.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"discophon {__version__}")
    parser.add_argument("verb", metavar="VERB", choices=list(VERBS), help=argparse.SUPPRESS)
    return parser


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


class _ToStderr(logging.Handler):
    """Write records as lines of the command; warnings say that they are."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        mark = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        _say(f"{mark}{record.getMessage()}")


def _set_up_logging(*, quiet: bool, verbose: bool) -> None:
    logger = logging.getLogger("discophon")
    logger.handlers = [_ToStderr()]
    logger.propagate = False
    logger.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.INFO)


def _is_for_people(error: Exception) -> bool:
    """Tell errors of input and usage, and of the system, from faults of the program."""
    errors = sys.modules.get("speechio.errors")
    known = (DiscophonError, OSError, *((errors.SpeechioError,) if errors is not None else ()))
    return isinstance(error, known)


def _say(text: str) -> None:
    """Write a line to standard error; names that are not UTF-8 come out as they went in."""
    stream: TextIO | None = sys.stderr
    if stream is None:
        return
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")
    stream.buffer.flush()


def _flush() -> None:
    """Find out now whether standard output could be written."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_stdout()
        raise UsageError(f"standard output cannot be written: {error.strerror}") from error


def _drop_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not trip over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
