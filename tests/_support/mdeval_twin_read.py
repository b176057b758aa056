"""Slow twin of md-eval, part 3: RTTM, UEM and lists (sections 3, 4 and 5 of `md-eval.md`).

Bytes are kept as they are: files are decoded as Latin-1, one character per byte, so that the order of strings
is byte order. Only `mdeval_twin` turns names into real text, and only for its Python callers.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

WHITE = " \t\r\n\v\f"

SUBTYPES: dict[str, list[str]] = {
    "SEGMENT": ["eval", "<na>"],
    "NOSCORE": ["<na>"],
    "NO_RT_METADATA": ["<na>"],
    "A/P": ["<na>"],
    "SPEAKER": ["<na>"],
    "LEXEME": [
        "lex",
        "fp",
        "frag",
        "un-lex",
        "for-lex",
        "alpha",
        "acronym",
        "interjection",
        "propernoun",
        "other",
    ],
    "NON-LEX": ["laugh", "breath", "lipsmack", "cough", "sneeze", "other"],
    "NON-SPEECH": ["noise", "music", "other"],
    "FILLER": ["filled_pause", "discourse_marker", "discourse_response", "explicit_editing_term", "other"],
    "EDIT": ["repetition", "restart", "revision", "simple", "complex", "other"],
    "IP": ["edit", "filler", "edit&filler", "other"],
    "SU": ["statement", "backchannel", "question", "incomplete", "unannotated", "other"],
    "CB": ["coordinating", "clausal", "other"],
    "SPKR-INFO": ["adult_male", "adult_female", "child", "unknown"],
}
METADATA_TYPES = ["EDIT", "FILLER", "IP", "SU"]
NOT_SPLIT = ["mm-hmm", "uh-huh", "um-hmm"]
NUMBER = re.compile(r"[+-]?(?:inf(?:inity)?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)", re.IGNORECASE)

Region = tuple[float, float]
Place = tuple[str, str]  # file, channel


class TwinError(Exception):
    """A fatal error of md-eval: the text for stderr and the exit status."""

    def __init__(self, message: str, status: int, *, usage: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.usage = usage


def fatal(text: str, status: int = 255) -> TwinError:
    """Build a fatal error in md-eval's frame: two newlines before, an empty line after."""
    return TwinError(f"\n\n{text}\n\n", status)


def command_error(text: str, status: int = 255) -> TwinError:
    """Build a command line error, which is followed by the usage text."""
    return TwinError(f"\nCOMMAND LINE ERROR:  {text}\n", status, usage=True)


@dataclass
class Record:
    """One RTTM record (or one part of a split word); `begin_text` is the begin as written."""

    kind: str
    begin: float
    duration: float
    subtype: str
    word: str
    speaker: str
    begin_text: str

    @property
    def end(self) -> float:
        return self.begin + self.duration

    @property
    def mid(self) -> float:
        return self.begin + self.duration / 2


@dataclass
class Pool:
    """What one side of the comparison (reference or system) holds."""

    records: dict[Place, list[Record]] = field(default_factory=dict)
    types: dict[tuple[str, str, str], str] = field(default_factory=dict)


def lower(text: str) -> str:
    return text.encode("latin-1").lower().decode("latin-1")


def upper(text: str) -> str:
    return text.encode("latin-1").upper().decode("latin-1")


def number(text: str) -> float:
    """Return the longest leading decimal number of a text, 0 if there is none."""
    found = NUMBER.match(text.lstrip(WHITE))
    return float(found.group()) if found else 0.0


def read_lines(path: str) -> list[str]:
    """Return the lines of a file with their line ends; the path `-` is standard input."""
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        data = Path(path.encode("latin-1").decode("utf-8", "surrogateescape")).read_bytes()
    lines = data.decode("latin-1").split("\n")
    last = lines.pop()
    out = [line + "\n" for line in lines]
    if last:
        out.append(last)
    return out


def fields_of(line: str) -> list[str]:
    """Split a line at white space; a blank or comment line gives no fields."""
    fields = [part for part in re.split(f"[{WHITE}]+", line) if part]
    if fields and fields[0][0] in "#;":
        return []
    return fields


def read_list(path: str) -> list[str]:
    try:
        return read_lines(path)
    except OSError:
        raise command_error(f"unable to open file list '{path}'", 2) from None


def read_pool(paths: list[str]) -> Pool:
    """Read RTTM files into one pool and sort the records of each file and channel by their middle."""
    pool = Pool()
    for path in paths:
        read_rttm(path, pool)
        for (file, channel), records in pool.records.items():
            for record in records:
                if record.kind == "SPEAKER":
                    pool.types.setdefault((file, channel, record.speaker), "unknown")
    for records in pool.records.values():
        records.sort(key=lambda record: record.mid)
    return pool


def read_rttm(path: str, pool: Pool) -> None:
    try:
        lines = read_lines(path.strip(WHITE))
    except OSError:
        raise command_error(f"unable to open RTTM file '{path}'", 2) from None
    for line in lines:
        fields = fields_of(line)
        if not fields:
            continue
        shown = f"\n    input RTTM record is: '{line}'"
        if len(fields) < 9:
            raise fatal(f"FATAL ERROR:  insufficient number of fields in RTTM file '{path}'{shown}", 25)
        kind = upper(fields[0])
        file = fields[1]
        channel = lower(fields[2])
        begin_text = fields[3].replace("*", "", 1)
        duration_text = fields[4].replace("*", "", 1)
        duration = 0.0 if lower(duration_text) == "<na>" else number(duration_text)
        word = lower(fields[5])
        subtype = lower(fields[6])
        speaker = fields[7]
        if duration < 0:
            raise fatal(f"FATAL ERROR -- negative metadata duration in file {file},'{shown}", 25)
        if subtype not in SUBTYPES.get(kind, []):
            what = f"unknown RTTM data type/subtype ('{kind}'/'{subtype}') in file {path}"
            raise fatal(f"FATAL ERROR:  {what}{shown}", 25)
        if kind == "SPKR-INFO":
            if (file, channel, speaker) in pool.types:
                what = f"multiple SPKR-INFO records for speaker {speaker} in file {file}"
                raise fatal(f"FATAL ERROR:  {what}{shown}", 25)
            pool.types[file, channel, speaker] = subtype
            continue
        record = Record(kind, number(begin_text), duration, subtype, word, speaker, begin_text)
        pool.records.setdefault((file, channel), []).extend(split_word(record))


def split_word(record: Record) -> list[Record]:
    """Split a LEXEME at its last hyphen with a character on each side; other records stay whole."""
    if record.kind != "LEXEME" or record.word in NOT_SPLIT:
        return [record]
    at = record.word.rfind("-", 1, len(record.word) - 1)
    if at < 0:
        return [record]
    half = record.duration / 2
    return [
        replace(record, word=record.word[:at], duration=half),
        replace(record, word=record.word[at + 1 :], begin=record.begin + half, duration=half),
    ]


def read_uem(path: str, *, keep_directory: bool = False) -> dict[Place, list[Region]]:
    """Read a UEM file: the checked regions of each file and channel, sorted by their begin."""
    try:
        lines = read_lines(path)
    except OSError:
        raise command_error(f"unable to open uem file '{path}'", 2) from None
    texts: dict[Place, list[tuple[str, str]]] = {}
    for line in lines:
        fields = fields_of(line)
        if not fields:
            continue
        if len(fields) < 4:
            what = "insufficient number of fields in UEM record"
            raise fatal(f"FATAL ERROR:  {what}\n    record is: '{line}'", 25)
        file = fields[0] if keep_directory else fields[0].rsplit("/", 1)[-1]
        file = re.sub(r"\.[^.]*", "", file, count=1)
        begin = re.sub(r"[^0-9.]", "", fields[2])
        end = re.sub(r"[^0-9.]", "", fields[3])
        texts.setdefault((file, lower(fields[1])), []).append((begin, end))
    uem: dict[Place, list[Region]] = {}
    for file, channel in sorted(texts):
        pairs = texts[file, channel]
        pairs.sort(key=lambda pair: number(pair[0]))
        where = f"file {file}, channel {channel}"
        for i, (begin, end) in enumerate(pairs):
            if number(end) <= number(begin):
                raise fatal(f"FATAL ERROR:  non-positive evaluation segment length in UEM data for {where}")
            if i > 0 and number(begin) < number(pairs[i - 1][1]):
                both = f"({pairs[i - 1][0]},{pairs[i - 1][1]}), ({begin},{end})"
                what = "UEM file has overlapping evaluation segments"
                raise fatal(f"FATAL ERROR:  {what}\n    {where}:  {both}")
        uem[file, channel] = [(number(begin), number(end)) for begin, end in pairs]
    return uem
