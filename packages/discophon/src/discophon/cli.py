"""The command ``discophon``: find the verb, run it, tell what went wrong, give the exit status.

Importing this module loads next to nothing, and a run loads only the module of its verb.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from discophon.__about__ import __version__
from discophon.ending import Ended, endable
from discophon.errors import DiscophonError, UndefinedScoreError, UsageError, WorkerError
from discophon.printable import harmless

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
    """Tell wrong usage as any other error."""

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - what argparse takes
        if file is None:
            raise _unwritable("it is closed")
        if file is not sys.stdout:
            super()._print_message(message, file)
        else:
            try:
                file.write(message)
            except BrokenPipeError:
                raise
            except OSError as error:  # argparse would hide it
                raise _unwritable(error.strerror) from error

    def error(self, message: str) -> NoReturn:
        if sys.stderr is not None:
            self.print_usage(sys.stderr)
        raise UsageError(f"{message}; {self.prog} --help explains the options")


class _VerbParser(_Parser):
    """The parser of a verb and those of its steps: all of them know the options of every verb."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - what argparse takes
        super().__init__(*arguments, **{"allow_abbrev": False} | options)
        absent: Any = argparse.SUPPRESS  # so that a step does not take back what stands before it
        self.add_argument("--version", action="version", version=f"discophon {__version__}")
        self.add_argument("--quiet", action="store_true", default=absent, help="only errors on standard error")
        self.add_argument(
            "--verbose", action="store_true", default=absent, help="tell what is done, and where an error arose"
        )


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
        while computing, 130 interrupted, 143 terminated.
    """
    _occupy()
    arguments = list(sys.argv[1:] if argv is None else argv)
    prog = "discophon" if verb is None else f"python -m discophon.{verb}"
    is_verbose = "--verbose" in arguments
    try:
        try:
            with endable():
                status = _run(arguments, prog, verb)
        except SystemExit as end:  # --help and --version have been printed
            status = end.code if isinstance(end.code, int) else DONE
        _flush()
    except BrokenPipeError:  # whoever reads has seen enough
        _drop(sys.stdout)
        return DONE
    except Ended as end:
        return end.status
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        _say(f"{prog}: error: there is not enough memory for this input")
        return FAILED
    except Exception as error:
        if not _is_for_people(error):
            raise
        if is_verbose:
            import traceback

            _say("".join(traceback.format_exception(error)).rstrip())
        _say(f"{prog}: error: {_message(error)}")
        return FAILED if isinstance(error, UndefinedScoreError | WorkerError) else USAGE
    return status


def _occupy() -> None:
    """Let no file that is opened take the number of a standard stream that is closed."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)


def _run(arguments: list[str], program: str, verb: str | None) -> int:
    prog = program
    if verb is None:
        top = _top_parser(prog)
        given = top.parse_args(arguments[:1])
        verb, arguments, prog = given.verb, arguments[1:], f"{prog} {given.verb}"
    module = import_module(f"discophon.verbs.{verb}")
    parser = _VerbParser(prog=prog, description=_sentence(VERBS[verb]))
    module.add_arguments(parser)
    given = parser.parse_args(arguments, argparse.Namespace(quiet=False, verbose=False))
    _set_up_logging(program, quiet=given.quiet, verbose=given.verbose)
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
    """Write records as lines of the command; warnings and errors say which, and whose they are."""

    def __init__(self, prog: str) -> None:
        super().__init__()
        self._prog = prog

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        mark = f"{self._prog}: {record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        _say(f"{mark}{record.getMessage()}")


def _set_up_logging(prog: str, *, quiet: bool, verbose: bool) -> None:
    logger = logging.getLogger("discophon")
    logger.handlers = [_ToStderr(prog)]
    logger.propagate = False
    logger.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.INFO)


def _is_for_people(error: Exception) -> bool:
    """Tell errors of input and usage, and of the system, from faults of the program."""
    errors = sys.modules.get("speechio.errors")
    known = (DiscophonError, OSError, *((errors.SpeechioError,) if errors is not None else ()))
    return isinstance(error, known)


def _message(error: Exception) -> str:
    """Give the message of an error; those of the system lack a remedy."""
    if isinstance(error, DiscophonError) or not isinstance(error, OSError) or not error.strerror:
        return str(error)
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    return f"{where}{error.strerror[:1].lower()}{error.strerror[1:]}; check the path, and who may use it"


def _say(text: str) -> None:
    """Write to standard error; names that are not UTF-8 come out as they went in, and no terminal obeys them."""
    stream: TextIO | None = sys.stderr
    if stream is None:
        return
    try:
        stream.flush()
        stream.buffer.write(harmless(text).encode("utf-8", "surrogateescape") + b"\n")
        stream.buffer.flush()
    except OSError:  # nobody can be told; the status still says it
        _drop(stream)


def _flush() -> None:
    """Find out now whether standard output could be written."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(error.strerror) from error


def _unwritable(why: str | None) -> UsageError:
    if sys.stdout is not None:
        _drop(sys.stdout)
    return UsageError(f"standard output cannot be written: {why}")


def _drop(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not trip over it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
