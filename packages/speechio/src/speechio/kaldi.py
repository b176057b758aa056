"""The tables of a Kaldi data directory, beside ``wav.scp`` and ``segments``.

Each has three functions: ``iter_X``, ``read_X`` and ``write_X``, those of `speechio.scp.Table`. Sorting is
that of the C locale everywhere: by bytes of UTF-8, which is the order of code points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from speechio.errors import Report, WriteError
from speechio.fields import BLANK, describe, number, number_fault, split
from speechio.scp import SCP, Table
from speechio.segments import segments_table
from speechio.text import StrPath, display_name, read_lines
from speechio.wav_scp import WAV_SCP
from speechio.write import check_id, format_number, write_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "TABLES",
    "iter_reco2dur",
    "iter_reco2file_and_channel",
    "iter_spk2age",
    "iter_spk2gender",
    "iter_spk2score",
    "iter_spk2utt",
    "iter_text",
    "iter_utt2dur",
    "iter_utt2lang",
    "iter_utt2num_frames",
    "iter_utt2score",
    "iter_utt2spk",
    "iter_utt2uniq",
    "read_language",
    "read_reco2dur",
    "read_reco2file_and_channel",
    "read_spk2age",
    "read_spk2gender",
    "read_spk2score",
    "read_spk2utt",
    "read_text",
    "read_utt2dur",
    "read_utt2lang",
    "read_utt2num_frames",
    "read_utt2score",
    "read_utt2spk",
    "read_utt2uniq",
    "write_language",
    "write_reco2dur",
    "write_reco2file_and_channel",
    "write_spk2age",
    "write_spk2gender",
    "write_spk2score",
    "write_spk2utt",
    "write_text",
    "write_utt2dur",
    "write_utt2lang",
    "write_utt2num_frames",
    "write_utt2score",
    "write_utt2spk",
    "write_utt2uniq",
]

_RESERVED_WORDS = frozenset({"<s>", "</s>", "#0"})


def _text(report: Report, key: str, rest: str) -> str:
    if "<" in rest or "#" in rest:
        found = [word for word in split(rest) if word in _RESERVED_WORDS]
        if found:
            what = f"the transcript of {key} has the word {found[0]}, which Kaldi keeps for itself"
            report.warning("K135", what, "remove it from the transcript")
    return rest


def _one_field(report: Report, key: str, rest: str, names: str) -> bool:
    n_fields = len(split(rest)) + 1
    if n_fields == 2:
        return True
    report.error("K014", f"{n_fields} field{'s' * (n_fields != 1)} at {key}, wanted 2: {names}")
    return False


def _token(report: Report, key: str, rest: str) -> str:
    _one_field(report, key, rest, "an ID and a value without blanks")
    return rest


def _token_form(value: str) -> str:
    check_id("value", value)
    return value


def _utterances(report: Report, key: str, rest: str) -> tuple[str, ...]:
    utterances = tuple(split(rest))
    if not utterances:
        report.error("K032", f"speaker {key} has no utterance", "give at least one, or remove the line")
    elif len(set(utterances)) < len(utterances):
        seen: set[str] = set()
        twice = next(utt for utt in utterances if utt in seen or seen.add(utt))  # type: ignore[func-returns-value]
        report.error("K032", f"speaker {key} has the utterance {twice} twice", "remove one of them")
    return utterances


def _utterances_form(value: Sequence[str]) -> str:
    for utt in value:
        check_id("utterance", utt)
    return " ".join(value)


def _gender(report: Report, key: str, rest: str) -> str:
    gender = rest.lower()
    if gender not in ("m", "f"):
        report.error("K017", f"the gender of {key} is {rest!r}; it must be m or f", "write m or f")
    elif gender != rest:
        report.warning("K117", f"the gender of {key} is {rest}, in upper case", f"write {gender}")
    return gender


def _score(report: Report, key: str, rest: str) -> float | None:
    if not _one_field(report, key, rest, "an ID and a number"):
        return None
    if rest == "N/A":
        report.warning("K116", f"the value of {key} is missing (N/A)")
        return None
    value = number(rest)
    if value is None:
        what, fix = number_fault(rest)
        report.error("K015", f"the value of {key} is {what}; a missing one is N/A", fix)
    return value


def _score_form(value: float | None) -> str:
    return "N/A" if value is None else format_number(value)


def _positive(report: Report, key: str, rest: str) -> float:
    if not _one_field(report, key, rest, "an ID and seconds"):
        return 0.0
    value = number(rest)
    if value is None:
        what, fix = number_fault(rest)
        report.error("K018", f"the duration of {key} is {what}", fix)
    elif value <= 0:
        report.error("K018", f"the duration of {key} is {rest}; it must be positive", "give seconds, more than 0")
    return value or 0.0


def _frames(report: Report, key: str, rest: str) -> int:
    if not _one_field(report, key, rest, "an ID and a number of frames"):
        return 0
    is_whole = rest.isascii() and rest.isdigit() and len(rest) < 19
    value = int(rest) if is_whole else 0
    if value <= 0:
        what = f"the number of frames of {key} is {rest!r}; it must be whole and positive"
        report.error("K018", what, "give a whole number, more than 0")
    return value


def _warp(report: Report, key: str, rest: str) -> float:
    value = number(rest)
    if value is None or not 0.5 < value < 1.5:
        report.error("K018", f"the warp factor of {key} is {rest!r}; it must be a number between 0.5 and 1.5")
        return 0.0
    return value


def _file_and_channel(report: Report, key: str, rest: str) -> tuple[str, str]:
    fields = split(rest)
    if len(fields) != 2:
        n_fields = len(fields) + 1
        what = f"{n_fields} field{'s' * (n_fields != 1)} at {key}, wanted 3: recording file channel"
        report.error("K020", what)
        return "", ""
    file, channel = fields
    if channel == "1":
        report.warning("K120", f"the channel of {key} is 1", "write A or B; Kaldi takes 1 for sound of one channel")
    elif channel not in ("A", "B"):
        report.error("K020", f"the channel of {key} is {channel!r}; it must be A or B", "write A or B")
    return file, channel


def _file_and_channel_form(value: tuple[str, str]) -> str:
    for part in value:
        check_id("value", part)
    return " ".join(value)


def _required(report: Report, key: str, rest: str) -> str:
    if not rest:
        report.error("S005", f"the value of {key} is empty", "give a location after the ID")
    return rest


TEXT: Table[str] = Table("text", _text, str)
UTT2SPK: Table[str] = Table("utt2spk", _token, _token_form, "id")
UTT2LANG: Table[str] = Table("utt2lang", _token, _token_form, "id")
UTT2UNIQ: Table[str] = Table("utt2uniq", _token, _token_form, "id")
SPK2UTT: Table[tuple[str, ...]] = Table("spk2utt", _utterances, _utterances_form, "id")
SPK2GENDER: Table[str] = Table("spk2gender", _gender, _token_form, "fixed")
SPK2SCORE: Table[float | None] = Table("spk2score", _score, _score_form, "fixed")
UTT2SCORE: Table[float | None] = Table("utt2score", _score, _score_form, "fixed")
SPK2AGE: Table[float | None] = Table("spk2age", _score, _score_form, "fixed")
UTT2DUR: Table[float] = Table("utt2dur", _positive, format_number, "fixed")
RECO2DUR: Table[float] = Table("reco2dur", _positive, format_number, "fixed")
UTT2NUM_FRAMES: Table[int] = Table("utt2num_frames", _frames, str, "fixed")
RECO2FILE: Table[tuple[str, str]] = Table("reco2file_and_channel", _file_and_channel, _file_and_channel_form, "id")
SPK2WARP: Table[float] = Table("spk2warp", _warp, format_number, "fixed")
LOCATIONS: Table[str] = Table("feats.scp", _required, str)

TABLES: dict[str, Table[Any]] = {
    "scp": SCP,
    "wav.scp": WAV_SCP,
    "segments": segments_table(),
    "text": TEXT,
    "utt2spk": UTT2SPK,
    "utt2lang": UTT2LANG,
    "utt2uniq": UTT2UNIQ,
    "spk2utt": SPK2UTT,
    "spk2gender": SPK2GENDER,
    "spk2score": SPK2SCORE,
    "utt2score": UTT2SCORE,
    "spk2age": SPK2AGE,
    "score": SPK2SCORE,
    "utt2dur": UTT2DUR,
    "reco2dur": RECO2DUR,
    "utt2num_frames": UTT2NUM_FRAMES,
    "reco2file_and_channel": RECO2FILE,
    "spk2warp": SPK2WARP,
    "feats.scp": LOCATIONS,
    "cmvn.scp": LOCATIONS,
    "vad.scp": LOCATIONS,
}
"""All tables of an ID and a value, under their ``--format`` names."""

iter_text, read_text, write_text = TEXT.iter, TEXT.read, TEXT.write
iter_utt2spk, read_utt2spk, write_utt2spk = UTT2SPK.iter, UTT2SPK.read, UTT2SPK.write
iter_utt2lang, read_utt2lang, write_utt2lang = UTT2LANG.iter, UTT2LANG.read, UTT2LANG.write
iter_utt2uniq, read_utt2uniq, write_utt2uniq = UTT2UNIQ.iter, UTT2UNIQ.read, UTT2UNIQ.write
iter_spk2utt, read_spk2utt, write_spk2utt = SPK2UTT.iter, SPK2UTT.read, SPK2UTT.write
iter_spk2gender, read_spk2gender, write_spk2gender = SPK2GENDER.iter, SPK2GENDER.read, SPK2GENDER.write
iter_spk2score, read_spk2score, write_spk2score = SPK2SCORE.iter, SPK2SCORE.read, SPK2SCORE.write
iter_utt2score, read_utt2score, write_utt2score = UTT2SCORE.iter, UTT2SCORE.read, UTT2SCORE.write
iter_spk2age, read_spk2age, write_spk2age = SPK2AGE.iter, SPK2AGE.read, SPK2AGE.write
iter_utt2dur, read_utt2dur, write_utt2dur = UTT2DUR.iter, UTT2DUR.read, UTT2DUR.write
iter_reco2dur, read_reco2dur, write_reco2dur = RECO2DUR.iter, RECO2DUR.read, RECO2DUR.write
iter_utt2num_frames = UTT2NUM_FRAMES.iter
read_utt2num_frames = UTT2NUM_FRAMES.read
write_utt2num_frames = UTT2NUM_FRAMES.write
iter_reco2file_and_channel = RECO2FILE.iter
read_reco2file_and_channel = RECO2FILE.read
write_reco2file_and_channel = RECO2FILE.write


def parse_language(path: StrPath, report: Report, encoding: str | None = None) -> str | None:
    """Read a ``language`` file and tell a report of its faults.

    Parameters
    ----------
    path : path-like or str
        File.
    report : Report
        Where faults go.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    str or None
        The token; None when it is wrong and the file is only checked.

    Raises
    ------
    FormatError
        When the file is wrong and is read; for faults of the text layer always.
    """
    tokens: list[str] = []
    for _, text in read_lines(path, report, encoding):
        tokens += split(text)
        found = BLANK.search(text)
        if found is not None:
            report.error("T008", f"the language has {describe(found.group())}", "remove it", found.span())
    if len(tokens) != 1:
        report.at(None)
        report.error("K019", f"the file has {len(tokens)} words, wanted 1: a language code", "write e.g. en")
        return None
    return tokens[0]


def read_language(path: StrPath, *, encoding: str | None = None) -> str:
    """Read a ``language`` file.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Returns
    -------
    str
        The one token in it, such as ``en``.

    Raises
    ------
    FormatError
        K019 if there is not exactly one token.
    InputError
        If the file cannot be opened or read.
    UsageError
        If `encoding` is unknown.
    """
    return parse_language(path, Report(display_name(path)), encoding) or ""


def write_language(path: StrPath, language: str) -> None:
    """Write a ``language`` file.

    Parameters
    ----------
    path : path-like or str
        File; ``-`` is standard output.
    language : str
        One token, such as ``en``.

    Raises
    ------
    WriteError
        If it is not one token.
    InputError
        If the file cannot be written.
    """
    try:
        check_id("language", language)
    except ValueError as error:
        raise WriteError(display_name(path), 1, str(error)) from None
    write_lines(path, [language])
