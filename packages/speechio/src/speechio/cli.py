"""The command line: ``speechio check | dump | fix | convert``.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 the check found
errors, 2 wrong usage or input, 130 interrupted. A closed pipe ends silently.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import traceback
from typing import TYPE_CHECKING

from speechio.__about__ import __version__
from speechio.errors import InputError, Problem, SpeechioError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from speechio.check import Findings

__all__ = ["main"]

_DESCRIPTION = "Check, show, mend and convert RTTM, UEM, SCP, Kaldi tables and data directories, and JSONL."
_SCHEMA_VERSION = 1


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
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if arguments.verbose:
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="%(name)s: %(message)s")
    elif not arguments.quiet:
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="speechio: warning: %(message)s")
    verb: Callable[[argparse.Namespace], int] = arguments.verb
    try:
        return verb(arguments)
    except SpeechioError as error:
        if arguments.verbose:
            traceback.print_exc()
        _say(f"speechio: {error}")
        if isinstance(error, InputError) and error.path == "<stdout>":
            _drop_output()
        return 2
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="speechio", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"speechio {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_check(verbs.add_parser("check", help="list every problem", allow_abbrev=False))
    dump = verbs.add_parser("dump", help="show the parsed records", allow_abbrev=False)
    dump.set_defaults(verb=_dump)
    _add_common(dump, "PATH")
    dump.add_argument("--json", action="store_true", help="print one JSON document")
    dump.add_argument("--pad", action="store_true", help="RTTM: fill missing last fields of SPEAKER lines")
    dump.add_argument("--sample-rate", type=float, metavar="HZ", help="RTTM: times are sample counts")
    fix = verbs.add_parser("fix", help="mend what loses nothing: mark, line ends, sorting", allow_abbrev=False)
    fix.set_defaults(verb=_fix)
    _add_common(fix, "PATH")
    fix.add_argument(
        "-o",
        dest="out",
        metavar="OUT",
        required=True,
        help="file to write, gzip if named so (.gz); - is standard output",
    )
    convert = verbs.add_parser("convert", help="segments + utt2spk to rttm, jsonl to scp and back", allow_abbrev=False)
    convert.set_defaults(verb=_convert)
    _add_common(convert, "IN")
    convert.add_argument("out", metavar="OUT", help="file to write, gzip if named so (.gz); - is standard output")
    convert.add_argument("--to", metavar="F", help="format of OUT: rttm, scp or jsonl; else from its name")
    convert.add_argument("--id-field", default="id", metavar="NAME", help="JSONL: field of the ID (id)")
    convert.add_argument("--value-field", default="value", metavar="NAME", help="JSONL: field of the value (value)")
    return parser


def _add_common(parser: argparse.ArgumentParser, metavar: str, nargs: str | None = None) -> None:
    parser.add_argument("path", metavar=metavar, nargs=nargs, help="file or data directory; - is standard input")
    parser.add_argument("--format", metavar="F", help="format; else from the name, else from the content")
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument("--verbose", action="store_true", help="say what is done, with tracebacks")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of problems")
    return int(text)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(verb=_check)
    _add_common(parser, "PATH", "+")
    parser.add_argument("--kaldi", action="store_true", help="errors for what Kaldi's validate_data_dir.sh refuses")
    parser.add_argument("--nist", action="store_true", help="errors for what NIST's rttmValidator refuses")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--select", metavar="CODES", help="list these codes only, e.g. R,K012")
    parser.add_argument("--ignore", metavar="CODES", help="do not list these codes, e.g. T103")
    parser.add_argument("--max", type=_count, metavar="N", help="list N problems at most")
    parser.add_argument("--durations", metavar="FILE", help="reco2dur or utt2dur, to compare segments with")
    parser.add_argument("--exists", action="store_true", help="look whether the files of wav.scp are there")


def _check(arguments: argparse.Namespace) -> int:
    from speechio.check import Findings, Options, lint
    from speechio.kaldi import read_reco2dur

    durations = None if arguments.durations is None else read_reco2dur(arguments.durations)
    options = Options(arguments.kaldi, arguments.nist, durations, arguments.exists)
    found = Findings()
    status = 0
    for path in arguments.path:
        try:
            one = lint(path, _format(arguments, path), options)
        except SpeechioError as error:
            _say(f"speechio: {error}")
            status = 2
            continue
        found.problems += one.problems
        found.n_files += one.n_files
        found.n_records += one.n_records
    found.problems.sort(key=lambda problem: (problem.file, problem.line or 0, problem.code))
    found.problems = _chosen(found.problems, arguments)
    if found.n_files == 0 and not arguments.json:
        return status
    if status == 0 and any(problem.severity == "error" for problem in found.problems):
        status = 1
    _emit(_as_json(found, arguments.max) if arguments.json else _as_text(found, arguments))
    return status


def _chosen(problems: list[Problem], arguments: argparse.Namespace) -> list[Problem]:
    """Keep the problems that the user wants to see."""
    from speechio.codes import CODES

    select, ignore = (
        tuple(code for code in (text or "").split(",") if code) for text in (arguments.select, arguments.ignore)
    )
    for prefix in (*select, *ignore):
        if not any(code.startswith(prefix) for code in CODES):
            raise UsageError(f"there is no code that begins with {prefix!r}")
    return [
        problem
        for problem in problems
        if (not select or problem.code.startswith(select))
        and not (ignore and problem.code.startswith(ignore))
        and (problem.severity == "error" or not arguments.quiet)
    ]


def _as_json(found: Findings, limit: int | None) -> Iterable[str]:
    """Give one JSON document in pieces, a problem each: a million of them need no memory beside the list."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    frame = {"schema_version": _SCHEMA_VERSION, "problems": [], "summary": _counts(found)}
    head, tail = json.dumps(frame, ensure_ascii=False, indent=1).split("[]")
    listed = found.problems[:limit]
    if not listed:
        yield f"{head}[]{tail}"
        return
    yield f"{head}["
    for i, problem in enumerate(listed, 1):
        fields = {
            "file": problem.file,
            "line": problem.line,
            "code": problem.code,
            "severity": problem.severity,
            "message": problem.message + (f" (fix: {problem.fix})" if problem.fix else ""),
        }
        lines = ",\n".join(f'   "{name}": {encode(value)}' for name, value in fields.items())
        yield f"  {{\n{lines}\n  }}{',' * (i < len(listed))}"
    yield f" ]{tail}"


def _as_text(found: Findings, arguments: argparse.Namespace) -> Iterable[str]:
    yield from map(str, found.problems[: arguments.max])
    if not arguments.quiet:
        counts = _counts(found)
        parts = [f"{n} {noun if n != 1 else noun[:-1]}" for noun, n in counts.items()]
        hidden = len(found.problems) - len(found.problems[: arguments.max])
        yield ", ".join(parts) + (f" ({hidden} not listed)" if hidden else "")


def _counts(found: Findings) -> dict[str, int]:
    n_errors = sum(problem.severity == "error" for problem in found.problems)
    n_warnings = len(found.problems) - n_errors
    return {"files": found.n_files, "records": found.n_records, "errors": n_errors, "warnings": n_warnings}


def _dump(arguments: argparse.Namespace) -> int:
    from speechio.dump import dump_json, dump_lines

    name = _format(arguments, arguments.path)
    options = {"pad": arguments.pad, "sample_rate": arguments.sample_rate}
    if arguments.json:
        document = dump_json(arguments.path, name, **options)
        _emit([json.dumps(document, ensure_ascii=False, allow_nan=False)])
    else:
        _emit(list(dump_lines(arguments.path, name, **options)))
    return 0


def _fix(arguments: argparse.Namespace) -> int:
    from speechio.convert import fix_file

    fix_file(arguments.path, arguments.out, _format(arguments, arguments.path, may_guess=False))
    return 0


def _convert(arguments: argparse.Namespace) -> int:
    from speechio.convert import jsonl_to_scp, scp_to_jsonl, segments_to_rttm

    given = _format(arguments, arguments.path)
    plain = arguments.out[:-3] if arguments.out.lower().endswith(".gz") else arguments.out
    wanted = arguments.to or os.path.splitext(plain)[1].lstrip(".")
    if given in ("kaldi-dir", "segments") and wanted == "rttm":
        from speechio.rttm import write_rttm

        write_rttm(arguments.out, segments_to_rttm(arguments.path))
    elif given == "jsonl" and wanted == "scp":
        from speechio.scp import write_scp

        write_scp(arguments.out, jsonl_to_scp(arguments.path, arguments.id_field, arguments.value_field))
    elif given in ("scp", "text") and wanted == "jsonl":
        from speechio.jsonl import write_jsonl

        write_jsonl(arguments.out, scp_to_jsonl(arguments.path, arguments.id_field, arguments.value_field))
    else:
        known = "segments or a data directory to rttm, jsonl to scp, scp to jsonl"
        raise UsageError(f"no conversion from {given} to {wanted or 'an unknown format'}; there are: {known}")
    return 0


def _format(arguments: argparse.Namespace, path: str, *, may_guess: bool = True) -> str:
    """Give the format of a file; a guess from its content is stated, or refused where it could do harm."""
    from speechio.guess import FORMATS, guess_format

    if arguments.format is not None:
        if arguments.format not in FORMATS:
            raise UsageError(f"unknown format {arguments.format!r}; formats: {' '.join(FORMATS)}")
        return str(arguments.format)
    name, source = guess_format(path)
    if source == "content" and not may_guess:
        what = f"the name of {path} does not tell its format, and a file is not changed upon a guess"
        raise UsageError(f"{what}; give --format (its content looks like {name})")
    if source == "content" and not arguments.quiet:
        _say(f"note: {path} is read as {name}, guessed from its content; --format says otherwise")
    return name


def _emit(lines: Iterable[str]) -> None:
    """Print results; a reader that has gone away changes nothing about the status."""
    if sys.stdout is None:
        raise InputError("<stdout>", "is closed", "send the results somewhere")
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise InputError("<stdout>", f"cannot be written: {error.strerror or error}", "", error.errno) from error


def _drop_output() -> None:
    """Let the interpreter's last flush go nowhere."""
    if sys.stdout is None:
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)
