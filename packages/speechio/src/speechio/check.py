"""The lint: list every problem of a file or a data directory at once, warnings too.

Reading stops at the first error; a check reads on. Only a fault of the text layer (encoding, line ends, gzip)
ends the check of a file, and checks of order, overlap and sets use only lines that have no error themselves.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from speechio.data_dir import agree, load
from speechio.errors import FormatError, InputError, Problem, Report, UsageError
from speechio.guess import FORMATS, guess_format
from speechio.jsonl import JsonlParser
from speechio.kaldi import TABLES, parse_language
from speechio.lint_kaldi import look_at_dir, look_at_location, look_at_segment
from speechio.lint_rttm import RttmLint
from speechio.rttm_line import LineParser, is_comment
from speechio.scp import TableParser
from speechio.text import StrPath, display_name, read_lines
from speechio.uem import UemParser

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Findings", "Options", "check_path", "lint"]

_log = logging.getLogger(__name__)

_KALDI_ERRORS = frozenset({"S103", "T103", "T107", "T108", "K113", "K135", "K136"})
_NIST_ERRORS = frozenset({"R109", "R112", "R114", "R120", "R122", "R123", "R124", "R125", "R126", "R127"})


@dataclass(frozen=True, slots=True)
class Options:
    """How strict a check is, and what it may look at.

    Attributes
    ----------
    kaldi : bool
        Take for errors what Kaldi's ``validate_data_dir.sh`` refuses.
    nist : bool
        Take for errors what NIST's rttmValidator refuses, and check its logic of words and metadata.
    durations : mapping of str to float, optional
        Durations in seconds, by recording or by utterance, to compare segments with.
    exists : bool
        Look whether the files of ``wav.scp`` are there.
    encoding : str, optional
        What the files are in, if not UTF-8.
    """

    kaldi: bool = False
    nist: bool = False
    durations: Mapping[str, float] | None = None
    exists: bool = False
    encoding: str | None = None


@dataclass(slots=True)
class Findings:
    """What a check found.

    Attributes
    ----------
    problems : list of Problem
        Sorted by file, line and code.
    n_files : int
        Number of files read.
    n_records : int
        Number of lines with a record that has no error.
    """

    problems: list[Problem] = field(default_factory=list)
    n_files: int = 0
    n_records: int = 0


def check_path(
    path: StrPath,
    format: str | None = None,  # noqa: A002 (the name that the command line has)
    *,
    kaldi: bool = False,
    nist: bool = False,
    durations: Mapping[str, float] | None = None,
    exists: bool = False,
    encoding: str | None = None,
) -> list[Problem]:
    """List every problem of a file or a data directory.

    Parameters
    ----------
    path : path-like or str
        File or directory; ``-`` is standard input.
    format : str, optional
        One of `speechio.guess.FORMATS`; guessed from the name, else from the content.
    kaldi : bool, default False
        Take for errors what Kaldi's ``validate_data_dir.sh`` refuses.
    nist : bool, default False
        Take for errors what NIST's rttmValidator refuses, and check its logic of words and metadata (R12x).
    durations : mapping of str to float, optional
        Durations in seconds, by recording or by utterance, to compare segments with.
    exists : bool, default False
        Look whether the files of ``wav.scp`` are there.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    list of Problem
        Sorted by file, line and code.

    Raises
    ------
    InputError
        If the file cannot be opened or read.
    UsageError
        If the format or encoding is unknown, or standard input has no format given.
    """
    if format is None:
        format = guess_format(path)[0]  # noqa: A001
    return lint(path, format, Options(kaldi, nist, durations, exists, encoding)).problems


def lint(path: StrPath, format: str, options: Options) -> Findings:  # noqa: A002
    """Check a file or a data directory.

    Parameters
    ----------
    path : path-like or str
        File or directory; ``-`` is standard input.
    format : str
        One of `speechio.guess.FORMATS`.
    options : Options
        How to check.

    Returns
    -------
    Findings
        Problems and counts.

    Raises
    ------
    InputError
        If the file cannot be opened or read.
    UsageError
        If the format or encoding is unknown.
    """
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}; formats: {' '.join(FORMATS)}")
    _log.debug("checking %s as %s", path, format)
    findings = Findings()
    if format == "kaldi-dir":
        _check_dir(path, options, findings)
    else:
        _check_file(path, format, options, findings)
    raised = (_KALDI_ERRORS if options.kaldi else frozenset()) | (_NIST_ERRORS if options.nist else frozenset())
    problems = [
        replace(problem, severity="error") if problem.code in raised else problem for problem in findings.problems
    ]
    findings.problems = sorted(problems, key=lambda problem: (problem.file, problem.line or 0, problem.code))
    return findings


def _check_file(path: StrPath, format: str, options: Options, findings: Findings) -> None:  # noqa: A002
    if os.fspath(path) != "-" and os.path.isdir(path):
        raise InputError(os.fspath(path), f"is a directory; a file is wanted for the format {format}")
    report = Report(display_name(path), findings.problems)
    findings.n_files += 1
    try:
        if format == "rttm":
            _check_rttm(path, report, options, findings)
        elif format == "uem":
            _check_uem(path, report, options, findings)
        elif format == "jsonl":
            for _ in JsonlParser(report).rows(path, options.encoding):
                findings.n_records += 1
        elif format == "language":
            findings.n_records += parse_language(path, report, options.encoding) is not None
        else:
            _check_table(path, format, report, options, findings)
    except FormatError as error:
        report.keep(error)
    if findings.n_records == 0 and report.n_errors == 0:
        report.at(None)
        report.warning("T110", "the file is empty: it has no records")


def _check_rttm(path: StrPath, report: Report, options: Options, findings: Findings) -> None:
    parser = LineParser(report)
    together = RttmLint(report, nist=options.nist)
    for line, text in read_lines(path, report, options.encoding):
        if is_comment(text):
            together.comment(text)
            continue
        record = parser.parse(text)
        if record is not None:
            findings.n_records += 1
            together.add(line, record)
    together.finish()


def _check_uem(path: StrPath, report: Report, options: Options, findings: Findings) -> None:
    parser = UemParser(report)
    for _, text in read_lines(path, report, options.encoding):
        if not is_comment(text):
            findings.n_records += parser.parse(text) is not None


def _check_table(path: StrPath, format: str, report: Report, options: Options, findings: Findings) -> None:  # noqa: A002
    parser = TableParser(TABLES[format], report)
    for _, _, value in parser.rows(path, options.encoding):
        findings.n_records += 1
        if format == "segments":
            look_at_segment(report, value, options.durations, kaldi=options.kaldi)
        elif format == "wav.scp" and options.exists:
            look_at_location(report, value)


def _check_dir(path: StrPath, options: Options, findings: Findings) -> None:
    tables = load(path, findings.problems, options.encoding)
    agree(tables)
    look_at_dir(os.fspath(path), tables, Report("", findings.problems), kaldi=options.kaldi)
    if "segments" in tables:
        table = tables["segments"]
        for utt, segment in table.values.items():
            table.report.at(table.line_of[utt])
            look_at_segment(table.report, segment, options.durations, kaldi=options.kaldi)
    if "wav.scp" in tables and options.exists:
        table = tables["wav.scp"]
        for key, location in table.values.items():
            table.report.at(table.line_of[key])
            look_at_location(table.report, location)
    findings.n_files += len(tables)
    findings.n_records += sum(len(table.values) for table in tables.values())
