"""The command line: ``measure run | check | list | show | compare | init | quick``.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 `check` found problems,
2 wrong usage, configuration or input (nothing was computed), 3 a metric failed, 130 interrupted, 143 terminated. A
closed pipe ends silently.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from measure_core.__about__ import __version__
from measure_core.cli import check, compare, init, listing, quick, run, show
from measure_core.cli.signals import Terminated, termination_raised
from measure_core.cli.streams import drop_output, set_up

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

DONE, FOUND_WANTING, WRONG_INPUT, FAILED, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143

_VERBS = {
    "run": run,
    "check": check,
    "list": listing,
    "show": show,
    "compare": compare,
    "init": init,
    "quick": quick,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; those of the process when not given.

    Returns
    -------
    int
        Exit status.

    Raises
    ------
    SystemExit
        With status 2 for wrong usage, and with 0 after ``--help`` and ``--version``.
    """
    arguments = _parser().parse_args(argv)
    set_up(verbose=arguments.verbose, quiet=arguments.quiet)
    from measure_core.errors import MeasureError, MetricError, OutputError

    try:
        with termination_raised():
            status: int = arguments.execute(arguments)
    except MeasureError as fault:
        if arguments.verbose:
            import traceback

            traceback.print_exc()
        sys.stderr.write(f"error: {fault}\n")
        return FAILED if isinstance(fault, (MetricError, OutputError)) else WRONG_INPUT
    except BrokenPipeError:
        drop_output()
        return DONE
    except OSError as fault:
        drop_output()
        sys.stderr.write(f"error: {fault.filename or '<stdout>'}: {fault.strerror or fault}\n")
        return FAILED
    except Terminated:
        sys.stderr.write("terminated\n")
        return TERMINATED
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="measure",
        description="Score the SCP files of an inference run with the metrics of a measure.yaml.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"measure {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for name, module in _VERBS.items():
        summary, _, rest = (module.__doc__ or "").partition("\n")
        summary = summary.rstrip(".")
        verb = verbs.add_parser(
            name,
            help=summary[0].lower() + summary[1:],
            description=f"{summary}.{rest}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(verb)
        verb.add_argument("--quiet", action="store_true", help="say nothing but errors")
        verb.add_argument("--verbose", action="store_true", help="say what is done, with tracebacks")
        verb.set_defaults(execute=module.execute)
    return parser
