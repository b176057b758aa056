"""Kaldi data directories: the tables of one corpus part, and whether they agree.

Known files are read; others are left alone. `read_data_dir` stops at the first fault, `load` tells a list of
problems of all, and both use the same rules.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from speechio.errors import FormatError, InputError, Problem, Report
from speechio.kaldi import TABLES, parse_language
from speechio.scp import TableParser
from speechio.segments import SegmentTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from speechio.text import StrPath
    from speechio.wav_scp import WavLocation

__all__ = ["DIR_FILES", "DataDir", "LoadedTable", "agree", "load", "read_data_dir"]

PER_UTTERANCE = ("text", "segments", "utt2lang", "utt2uniq", "utt2dur", "utt2num_frames", "utt2score")
PER_UTTERANCE_SCP = ("feats.scp", "vad.scp")
PER_SPEAKER = ("spk2gender", "spk2score", "spk2age", "spk2warp", "cmvn.scp")
PER_RECORDING = ("reco2dur", "reco2file_and_channel")

DIR_FILES = (
    "wav.scp",
    "utt2spk",
    "spk2utt",
    *PER_UTTERANCE,
    *PER_UTTERANCE_SCP,
    *PER_SPEAKER,
    *PER_RECORDING,
    "language",
)
"""Files that are looked for in a data directory."""

_N_SHOWN = 5


@dataclass(frozen=True, slots=True)
class DataDir:
    """A data directory whose files agree; a file that is not there is None.

    Attributes
    ----------
    path : str
        The directory.
    wav_scp : dict of str to WavLocation, or None
        Recordings.
    segments : SegmentTable or None
        Utterances as parts of recordings.
    text, utt2spk : dict of str to str, or None
        Transcript and speaker of each utterance.
    spk2utt : dict of str to tuple of str, or None
        Utterances of each speaker.
    language : str or None
        The language; the caller decides what holds without one.
    tables : dict of str to dict
        The other files, under their names.
    """

    path: str
    wav_scp: dict[str, WavLocation] | None
    segments: SegmentTable | None
    text: dict[str, str] | None
    utt2spk: dict[str, str] | None
    spk2utt: dict[str, tuple[str, ...]] | None
    language: str | None
    tables: dict[str, dict[str, Any]]

    @property
    def utterances(self) -> tuple[str, ...]:
        """IDs of all utterances: of ``utt2spk``, else of ``segments``, else of ``wav.scp``."""
        if self.utt2spk is not None:
            return tuple(self.utt2spk)
        if self.segments is not None:
            return tuple(segment.utt for segment in self.segments)
        return tuple(self.wav_scp or ())


@dataclass(slots=True)
class LoadedTable:
    """One file of a directory: what it holds and where.

    Attributes
    ----------
    name : str
        Name in the directory.
    report : Report
        Where its faults go.
    values : dict
        Value of each ID whose line has no error.
    line_of : dict of str to int
        Line of each ID, wrong lines too.
    meant : set of str
        Words of the wrong lines: IDs and values that they may mean.
    has_bare : bool
        Whether one of the wrong lines is a single word, so that nobody knows what value it means.
    is_whole : bool
        False when a fault of the text layer ended the file.
    """

    name: str
    report: Report
    values: dict[str, Any] = field(default_factory=dict)
    line_of: dict[str, int] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    has_bare: bool = False
    is_whole: bool = True


def read_data_dir(path: StrPath, *, encoding: str | None = None) -> DataDir:
    """Read a Kaldi data directory; nothing in it is run.

    Parameters
    ----------
    path : path-like or str
        Directory.
    encoding : str, optional
        What the files are in, if not UTF-8.

    Returns
    -------
    DataDir
        Its tables.

    Raises
    ------
    FormatError
        At the first line that is wrong, or file that does not agree with another.
    InputError
        If it is not a directory, has none of the files, or one of them cannot be read.
    UsageError
        If `encoding` is unknown.
    """
    tables = load(path, None, encoding)
    agree(tables)
    values = {name: table.values for name, table in tables.items()}
    segments = None
    if "segments" in tables:
        segments = SegmentTable()
        for utt, segment in values.pop("segments").items():
            segments.append(segment, tables["segments"].line_of[utt])
    language = values.pop("language", {}).get("language")
    first = {name: values.pop(name, None) for name in ("wav.scp", "text", "utt2spk", "spk2utt")}
    return DataDir(
        os.fspath(path),
        first["wav.scp"],
        segments,
        first["text"],
        first["utt2spk"],
        first["spk2utt"],
        language,
        values,
    )


def load(path: StrPath, problems: list[Problem] | None, encoding: str | None = None) -> dict[str, LoadedTable]:
    """Read the known files of a directory, each for itself.

    Parameters
    ----------
    path : path-like or str
        Directory.
    problems : list of Problem, optional
        Where a check collects; without it the first fault is raised.
    encoding : str, optional
        What the files are in, if not UTF-8.

    Returns
    -------
    dict of str to LoadedTable
        The files that are there.

    Raises
    ------
    FormatError
        At the first fault, unless problems are collected.
    InputError
        If it is not a directory, has none of the files, or one of them cannot be read.
    """
    folder = os.fspath(path)
    try:
        present = set(os.listdir(folder))
    except (OSError, ValueError) as error:
        raise InputError(folder, f"is no directory that can be read: {error}") from None
    names = [name for name in DIR_FILES if name in present]
    if not names:
        raise InputError(folder, "is a directory without any file of a Kaldi data directory", "name a file in it")
    tables = {}
    for name in names:
        file = os.path.join(folder, name)
        tables[name] = table = LoadedTable(name, Report(file, problems))
        try:
            _load(table, file, encoding)
        except FormatError as error:
            if problems is None:
                raise
            table.report.keep(error)
            table.is_whole = False
    return tables


def _load(table: LoadedTable, file: str, encoding: str | None) -> None:
    if table.name == "language":
        language = parse_language(file, table.report, encoding)
        table.values = {} if language is None else {"language": language}
        return
    parser = TableParser(TABLES[table.name], table.report)
    table.line_of = parser.line_of
    table.meant = parser.meant
    for _, key, value in parser.rows(file, encoding):
        table.values[key] = value
    table.has_bare = parser.has_bare
    if not parser.line_of:
        table.report.at(None)
        table.report.warning("T110", "the file is empty: it has no records")


def agree(tables: dict[str, LoadedTable]) -> None:
    """Compare the files of a directory and tell their reports where they do not agree.

    Parameters
    ----------
    tables : dict of str to LoadedTable
        What `load` gave.

    Raises
    ------
    FormatError
        At the first fault, unless problems are collected.
    """
    whole = {name: table for name, table in tables.items() if table.is_whole}
    if "segments" in tables and "wav.scp" not in tables:
        report = tables["segments"].report
        report.at(None)
        report.error("K035", "there are segments but no wav.scp for their recordings", "add wav.scp")
    _utterances_agree(whole, has_segments="segments" in tables)
    _recordings_agree(whole)
    _speakers_agree(whole)
    if "spk2utt" in whole and "utt2spk" in whole:
        _inverse(whole["spk2utt"], whole["utt2spk"])
    if "utt2spk" in whole:
        _sorted_by_speaker(whole["utt2spk"])


def _same_ids(table: LoadedTable, known: LoadedTable, wanted: Iterable[str], code: str, noun: str) -> None:
    """Compare the IDs of a file with those it should have; surplus ones have a line, missing ones none.

    What a wrong line may mean is neither: that line has been told itself.
    """
    wanted = set(wanted)
    for key in table.values:
        if key not in wanted and key not in known.meant:
            table.report.at(table.line_of[key])
            fix = f"remove the line, or add the {noun} to {known.name}"
            table.report.error(code, f"the {noun} {key} is not in {known.name}", fix)
    faulty = set(known.line_of) - set(known.values)
    missing = sorted(wanted - set(table.line_of) - faulty - table.meant)
    if missing:
        shown = ", ".join(missing[:_N_SHOWN]) + (", …" if len(missing) > _N_SHOWN else "")
        table.report.at(None)
        what = f"{table.name} lacks {len(missing)} of {len(wanted)} {noun}s of {known.name}: {shown}"
        table.report.error(code, what, "add them, or remove them from the other files")


def _utterances_agree(tables: dict[str, LoadedTable], *, has_segments: bool) -> None:
    known = next((tables[name] for name in ("utt2spk", "segments", "wav.scp") if name in tables), None)
    if known is None or (known.name == "wav.scp" and has_segments):
        return
    names = [*PER_UTTERANCE, *PER_UTTERANCE_SCP, *([] if has_segments else ["wav.scp"])]
    for name in names:
        if name in tables and tables[name] is not known:
            _same_ids(tables[name], known, known.line_of, "K031", "utterance")


def _recordings_agree(tables: dict[str, LoadedTable]) -> None:
    if "wav.scp" not in tables:
        return
    known = tables["wav.scp"]
    if "segments" in tables:
        segments = tables["segments"]
        for utt, segment in segments.values.items():
            if segment.rec not in known.line_of and segment.rec not in known.meant:
                segments.report.at(segments.line_of[utt])
                what = f"the segment {utt} is of the recording {segment.rec}, which is not in wav.scp"
                segments.report.error("K034", what, "add the recording to wav.scp, or remove the segment")
    for name in PER_RECORDING:
        if name in tables:
            _same_ids(tables[name], known, known.line_of, "K034", "recording")


def _speakers_agree(tables: dict[str, LoadedTable]) -> None:
    if "utt2spk" in tables:
        utt2spk = tables["utt2spk"]
        speakers = dict.fromkeys(utt2spk.values.values(), 0)
        meant = utt2spk.meant
        if utt2spk.has_bare:  # an utterance whose speaker is not there: that of any surplus line
            meant = meant.union(*(tables[name].values for name in PER_SPEAKER if name in tables))
        known = LoadedTable("utt2spk", utt2spk.report, dict(speakers), speakers, meant)
    elif "spk2utt" in tables:
        known = tables["spk2utt"]
    else:
        return
    for name in PER_SPEAKER:
        if name in tables:
            _same_ids(tables[name], known, known.line_of, "K033", "speaker")


def _inverse(spk2utt: LoadedTable, utt2spk: LoadedTable) -> None:
    """Compare the two speaker maps."""
    of_speaker: dict[str, set[str]] = {}
    for utt, speaker in utt2spk.values.items():
        of_speaker.setdefault(speaker, set()).add(utt)
    for speaker, utterances in spk2utt.values.items():
        wanted = of_speaker.pop(speaker, set())
        lacking = sorted(wanted - set(utterances) - utt2spk.meant)
        surplus = sorted(utt for utt in utterances if utt not in wanted and utt not in utt2spk.meant)
        words = [
            f"{verb} {', '.join(found[:_N_SHOWN])}"
            for verb, found in (("lacks", lacking), ("has beyond it", surplus))
            if found
        ]
        if words:
            spk2utt.report.at(spk2utt.line_of[speaker])
            what = f"the line of speaker {speaker} is not the inverse of utt2spk: {'; '.join(words)}"
            spk2utt.report.error("K032", what, "make it anew from utt2spk")
    missing = sorted(set(of_speaker) - set(spk2utt.line_of) - spk2utt.meant)
    if missing:
        spk2utt.report.at(None)
        shown = ", ".join(missing[:_N_SHOWN])
        what = f"spk2utt lacks {len(missing)} speakers of utt2spk: {shown}"
        spk2utt.report.error("K032", what, "make it anew from utt2spk")


def _sorted_by_speaker(utt2spk: LoadedTable) -> None:
    """Warn where utt2spk, sorted by ID, is not sorted by speaker: Kaldi's scripts want both at once."""
    previous = ("", "")
    for utt in sorted(utt2spk.values):
        pair = (utt2spk.values[utt], utt)
        if pair < previous:
            utt2spk.report.at(utt2spk.line_of[utt])
            what = (
                "utt2spk is not in order when sorted by speaker first: sorted by utterance, "
                f"{previous[1]!r} of speaker {previous[0]!r} stands before {utt!r} of speaker {pair[0]!r}"
            )
            fix = (
                "make the speaker a prefix of the utterance, zero-pad numbers in IDs, and separate the two "
                "by '-', which sorts before digits and letters ('_' sorts after digits)"
            )
            utt2spk.report.warning("K136", what, fix)
            return
        previous = pair
