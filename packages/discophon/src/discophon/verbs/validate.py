"""``discophon validate DATASET [PREDICTIONS]``: list everything that is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from discophon.__about__ import SCHEMA_VERSION, __version__
from discophon.data import STEP_UNITS
from discophon.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from discophon.evaluate.assignment import Kind
    from discophon.validate import Problem

__all__ = ["add_arguments", "run"]

_KIND: Kind = "many-to-one"
_WANTING = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    parser.add_argument("dataset", metavar="DATASET", help="the benchmark's data")
    parser.add_argument("predictions", metavar="PREDICTIONS", nargs="?", help="folder of units-{iso}-{split}.jsonl")
    parser.add_argument("--kind", choices=("many-to-one", "one-to-one"), help="assignment (many-to-one)")
    parser.add_argument("--step-units", metavar="MS", type=int, help="time between units (20)")
    parser.add_argument("--n-units", metavar="N", type=int, help="number of units (256; phonemes + 1 for one-to-one)")
    parser.add_argument("--complete", action="store_true", help="every language and split must be there")
    parser.add_argument("--max", metavar="N", type=int, default=20, help="list N problems of a file at most (20)")
    parser.add_argument("--json", action="store_true", help="all problems, as one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """List the problems.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0 when nothing keeps the predictions from being scored, 1 otherwise.
    """
    from speechio.write import write_lines

    found = _find(arguments)
    write_lines("-", [_document(found, arguments)] if arguments.json else _text(found, arguments))
    return _WANTING if any(problem.severity == "error" for problem in found) else 0


def _find(arguments: argparse.Namespace) -> list[Problem]:
    from discophon.errors import UsageError
    from discophon.validate import Problem, validate_submission
    from discophon.validate.layout import check_folder, differences

    if arguments.max < 0:
        raise UsageError(f"--max {arguments.max}: it must be 0 or more")
    if arguments.predictions is not None:
        return validate_submission(
            arguments.dataset,
            arguments.predictions,
            kind=arguments.kind or _KIND,
            step_units=STEP_UNITS if arguments.step_units is None else arguments.step_units,
            n_units=arguments.n_units,
            complete=arguments.complete,
        )
    given = {"--kind": arguments.kind, "--step-units": arguments.step_units, "--n-units": arguments.n_units}
    idle = [name for name, value in given.items() if value is not None] + ["--complete"] * arguments.complete
    if idle:
        raise UsageError(f"{idle[0]} is about predictions, and no folder of PREDICTIONS is given; name it, or leave it")
    check_folder(arguments.dataset)
    return [Problem(item.folder, None, "error", item.what, item.fix) for item in differences(arguments.dataset)]


def _signature(arguments: argparse.Namespace) -> str:
    if arguments.predictions is None:
        return f"discophon|v:{__version__}|check:dataset"
    kind = arguments.kind or _KIND
    n_units = arguments.n_units or ("256" if kind == "many-to-one" else "phonemes+1")
    step_units = STEP_UNITS if arguments.step_units is None else arguments.step_units
    scope = "complete" if arguments.complete else "present"
    return (
        f"discophon|v:{__version__}|check:submission|kind:{kind}|n_units:{n_units}"
        f"|step_units:{step_units}|files:{scope}"
    )


def _document(found: Sequence[Problem], arguments: argparse.Namespace) -> str:
    from dataclasses import asdict

    n_errors = sum(problem.severity == "error" for problem in found)
    document = {
        "schema_version": SCHEMA_VERSION,
        "signature": _signature(arguments),
        "n_errors": n_errors,
        "n_warnings": len(found) - n_errors,
        "problems": [asdict(problem) for problem in found],
    }
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode()  # of a name that is not UTF-8: its JSON escapes


def _text(found: Sequence[Problem], arguments: argparse.Namespace) -> Iterator[str]:
    by_file: dict[str, list[Problem]] = {}
    for problem in found:
        by_file.setdefault(problem.file, []).append(problem)
    for file, problems in by_file.items():
        yield from (printable(str(problem)) for problem in problems[: arguments.max])
        if len(problems) > arguments.max:
            more = len(problems) - arguments.max
            yield printable(f"{file}: {more} more problems; --max {len(problems)} lists them")
    n_errors = sum(problem.severity == "error" for problem in found)
    n_warnings = len(found) - n_errors
    yield f"{_counted(n_errors, 'error')}, {_counted(n_warnings, 'warning')}"


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
