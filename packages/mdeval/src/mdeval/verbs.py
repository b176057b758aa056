"""The verbs of the command: ``mdeval compare``, ``mdeval explain``, ``mdeval plot``."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mdeval.errors import InputError, UsageError
from mdeval.settings import VERBS
from mdeval.sources import refuse_overwriting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mdeval.recording import Recording
    from mdeval.result import DiarizationResult

__all__ = ["run_verb"]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:  # noqa: ANN401 - it never returns
        raise UsageError(f"{self.prog}: {message}; {self.prog} --help explains the options")


def run_verb(arguments: Sequence[str], write: Callable[[str], None], warn: Callable[[str], None]) -> str:
    """Run a verb.

    Parameters
    ----------
    arguments : sequence of str
        The verb and what follows it.
    write : callable
        Takes what goes to standard output, or to the file that is returned.
    warn : callable
        Takes warnings.

    Returns
    -------
    str
        Path to write the output to; empty for standard output.

    Raises
    ------
    MdevalError, speechio.SpeechioError
        If the arguments or the input cannot be used.
    """
    parser = _parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit:  # --help has been printed
        sys.stdout.flush()
        return ""
    jobs: dict[str, Callable[[argparse.Namespace, Callable[[str], None], Callable[[str], None]], str]] = {
        "compare": _compare,
        "explain": _explain,
        "plot": _plot,
    }
    refuse_overwriting(
        given.output, [*filter(None, (given.ref, given.uem)), *given.sys, *getattr(given, "results", ())]
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        output = jobs[given.verb](given, write, warn)
    for message in dict.fromkeys(str(item.message) for item in caught if item.category is UserWarning):
        warn(message)
    return output


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mdeval", allow_abbrev=False)
    verbs = parser.add_subparsers(dest="verb", required=True)
    about = {
        "compare": "Say which of several systems is better on what, and whether it is more than chance.",
        "explain": "Show the errors that cost most, the times of every speaker, and who was taken for whom.",
        "plot": "Draw one recording's timeline, or the error rates of all recordings.",
    }
    made = {}
    for name in VERBS:
        verb = made[name] = verbs.add_parser(name, help=about[name], description=about[name], allow_abbrev=False)
        verb.add_argument("-r", "--ref", metavar="REF", help="reference RTTM, or a directory of them")
        several = name == "compare"
        verb.add_argument(
            "-s",
            "--sys",
            metavar="SYS",
            action="append",
            default=[],
            help="system RTTM, or a directory of them" + ("; give it once per system" if several else ""),
        )
        verb.add_argument("-u", "--uem", metavar="UEM", help="regions to evaluate")
        verb.add_argument(
            "-c",
            "--collar",
            metavar="SECONDS",
            type=_number,
            default=0.0,
            help="taken out on EACH side of every reference boundary (default 0)",
        )
        verb.add_argument("-1", "--single-speaker", action="store_true", help="leave overlapped speech out")
        verb.add_argument("-o", "--output", metavar="FILE", default="", help="write there")
        verb.add_argument("--quiet", action="store_true", help="no warnings")
        verb.add_argument("--verbose", action="store_true", help="show where an error arose")
    _add_own(made)
    return parser


def _add_own(verbs: Mapping[str, argparse.ArgumentParser]) -> None:
    compare, explain, plot = (verbs[name] for name in VERBS)
    compare.add_argument("results", nargs="*", metavar="RESULT", help="results of mdeval --json, in place of -r and -s")
    compare.add_argument("--name", metavar="NAME", action="append", default=[], help="name of a system, in their order")
    compare.add_argument("--per-file", action="store_true", help="a row for every recording too")
    compare.add_argument("--samples", type=int, default=1000, help="resamples of the bootstrap (default 1000)")
    compare.add_argument("--seed", type=int, default=0, help="seed of the draws (default 0)")
    compare.add_argument("--level", type=_number, default=0.95, help="coverage of the intervals (default 0.95)")
    compare.add_argument("--force", action="store_true", help="compare even what was not scored alike")
    explain.add_argument("--longest", metavar="N", type=int, default=10, help="how many errors to list (default 10)")
    for verb in (compare, explain):
        verb.add_argument("--json", action="store_true", help="one JSON document")
    for verb in (explain, plot):
        verb.add_argument("--recording", metavar="FILE", help="this recording only")
    plot.add_argument("--start", metavar="SECONDS", type=_number, help="begin the timeline here")
    plot.add_argument("--end", metavar="SECONDS", type=_number, help="end it here")
    plot.add_argument("--bars", action="store_true", help="the error rates of all recordings, with their interval")


def _number(text: str) -> float:
    try:
        if text.isascii() and "_" not in text and abs(float(text)) < float("inf"):
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number; write for example 0.25")


def _results(given: argparse.Namespace) -> list[DiarizationResult]:
    """Score every system."""
    from mdeval.result import score

    if not given.ref or not given.sys:
        raise UsageError("give the reference with -r and the system output with -s")
    return [score(given.ref, path, given.uem, given.collar, given.single_speaker) for path in given.sys]


def _compare(given: argparse.Namespace, write: Callable[[str], None], warn: Callable[[str], None]) -> str:
    from mdeval.compare import compare, run_from_document
    from mdeval.verbs_text import comparison_text

    if given.results and (given.ref or given.sys):
        raise UsageError("give either results of mdeval --json, or -r and -s")
    documents = [_load(path) for path in given.results] or [result.to_dict() for result in _results(given)]
    names = given.name or _short_names(given.results or given.sys)
    if len(names) != len(documents):
        raise UsageError(f"{len(names)} names for {len(documents)} systems; give --name once per system")
    runs = [run_from_document(document, name) for document, name in zip(documents, names, strict=True)]
    if given.force and len({run.signature for run in runs}) > 1:
        warn("the systems were not scored alike; compared all the same, as --force asks")
    found = compare(runs, force=given.force, level=given.level, samples=given.samples, seed=given.seed)
    if given.json:
        write(_json({"comparisons": [_comparison_document(comparison) for comparison in found]}))
    else:
        write("\n".join(comparison_text(comparison, per_recording=given.per_file) for comparison in found))
    return str(given.output)


def _comparison_document(comparison: Any) -> dict[str, Any]:  # noqa: ANN401 - a Comparison, imported where needed
    document = asdict(comparison)
    for row in document["rows"]:
        interval = row["test"]["interval"]
        for end in ("low", "high"):
            interval[end] = None if interval[end] != interval[end] else interval[end]
    document["per_recording"] = [
        {"file": file_id, "channel": channel, "first": first, "other": other}
        for (file_id, channel), (first, other) in comparison.per_recording.items()
    ]
    return document


def _short_names(paths: Sequence[str]) -> list[str]:
    """Name systems after their files, with as much of the path as tells them apart."""
    parts = [os.path.splitext(os.path.normpath(path))[0].split(os.sep) for path in paths]
    for depth in range(1, max(map(len, parts), default=1) + 1):
        names = ["/".join(p[-depth:]) for p in parts]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({i})" for i, path in enumerate(paths, start=1)]


def _load(path: str) -> dict[str, Any]:
    import json

    from mdeval.sources import read_bytes

    try:
        document = json.loads(read_bytes(path, "result file"))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON ({error}); give a file written by mdeval --json") from error
    if not isinstance(document, dict):
        raise InputError(f"{path}: not a result of mdeval --json; give a file that it wrote")
    return document


def _json(document: dict[str, Any]) -> str:
    import json

    from mdeval.tables import SCHEMA_VERSION

    full = {"schema_version": SCHEMA_VERSION, **document}
    return json.dumps(full, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _recordings(given: argparse.Namespace) -> tuple[DiarizationResult, list[Recording]]:
    """Score the one system, and give the recordings asked for."""
    from mdeval.inputs import sides_from, uem_from_any
    from mdeval.pool import pair
    from mdeval.result import score_sides_as_result

    if not given.ref or len(given.sys) != 1:
        raise UsageError("give one reference with -r and one system output with -s")
    reference, system = sides_from(given.ref, given.sys[0])
    uem = uem_from_any(given.uem)
    result = score_sides_as_result(reference, system, uem, given.collar, ignore_overlap=given.single_speaker)
    keys = [(s.file_id, s.channel) for s in result.recordings]
    if given.recording is not None:
        keys = [key for key in keys if key[0] == given.recording]
        if not keys:
            known = ", ".join(sorted({s.file_id for s in result.recordings})[:10])
            raise UsageError(f"the reference has no recording {given.recording}; it has {known}")
    if not keys:
        raise InputError(f"{given.ref}: no SPEAKER record, so there is nothing to show")
    return result, list(pair(keys, reference, system, uem or {}))


def _explain(given: argparse.Namespace, write: Callable[[str], None], warn: Callable[[str], None]) -> str:
    from mdeval.explain import explain, longest
    from mdeval.verbs_text import explanation_text

    del warn
    if given.longest < 0:
        raise UsageError(f"--longest {given.longest}: it must be 0 or more")
    result, recordings = _recordings(given)
    mapping = result.mapping
    found = [
        explain(item, mapping[item.key], collar=given.collar, ignore_overlap=given.single_speaker)
        for item in recordings
    ]
    worst = longest(found, given.longest)
    if given.json:
        documents = []
        for explanation in found:
            document = asdict(explanation)
            document["overlaps"] = [
                {"reference": ref, "system": sys_, "seconds": seconds}
                for (ref, sys_), seconds in explanation.overlaps.items()
            ]
            documents.append(document)
        write(_json({"signature": result.signature, "longest": [asdict(e) for e in worst], "recordings": documents}))
    else:
        write(explanation_text(found, worst, result.signature))
    return str(given.output)


def _plot(given: argparse.Namespace, write: Callable[[str], None], warn: Callable[[str], None]) -> str:
    del write
    from mdeval.plot import bars, timeline

    if given.start is not None and given.end is not None and given.start >= given.end:
        raise UsageError(f"--start {given.start:g} and --end {given.end:g}: the end must come after the start")
    if not given.output:
        raise UsageError("mdeval plot: give the picture to write with -o FILE.png or -o FILE.svg")
    result, recordings = _recordings(given)
    if given.bars:
        bars(result, given.output)
        return ""
    if len(recordings) > 1:
        names = ", ".join(item.key[0] for item in recordings[:10])
        raise UsageError(f"choose one recording with --recording, or --bars for all; there are {names}")
    if any(s.counts.der is None for s in result.recordings):
        warn("no speaker time is scored in some recording, so its error rate is undefined")
    [recording] = recordings
    timeline(
        recording,
        result.mapping[recording.key],
        given.output,
        collar=given.collar,
        ignore_overlap=given.single_speaker,
        start=given.start,
        end=given.end,
    )
    return ""
