"""Read words with times and speakers: LEXEME records of an RTTM, or SegLST, a JSON array of segments.

A SegLST segment has ``session_id``, ``speaker``, ``start_time``, ``end_time`` and ``words``; its words all get the
time at which it starts, so they stay together. The first fault ends reading, with the file, the place, what is wrong
and what to do.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mdeval.errors import InputError

if TYPE_CHECKING:
    from mdeval.metrics.words import Word

    Sessions = dict[str, list[Word]]

__all__ = ["SEGLST_KEYS", "read_rttm_words", "read_seglst", "read_words"]

SEGLST_KEYS = ("session_id", "speaker", "start_time", "end_time", "words")
"""What every SegLST segment must have; others are allowed."""


def read_words(path: str) -> Sessions:
    """Read words from a SegLST file (``.json``) or an RTTM file (any other name).

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    dict of str to list of (float, str, str)
        For each recording its words in file order: onset in seconds, speaker, word.

    Raises
    ------
    InputError, speechio.SpeechioError
        At the first fault.
    """
    return read_seglst(path) if path.lower().endswith(".json") else read_rttm_words(path)


def read_rttm_words(path: str) -> Sessions:
    """Read the LEXEME records of an RTTM file.

    Parameters
    ----------
    path : str
        The file, gzip or not; ``-`` is standard input.

    Returns
    -------
    dict of str to list of (float, str, str)
        For each file its words, those of all channels together: onset in seconds, speaker, word. A file with other
        records but no words has an empty list.

    Raises
    ------
    speechio.SpeechioError
        At the first fault of the format.
    InputError
        If a word has no onset, no text or no speaker.
    """
    from speechio.rttm import read_rttm

    table = read_rttm(path)
    sessions: Sessions = {}
    for row, kind in enumerate(table.type):
        session = sessions.setdefault(table.file[row] or "<NA>", [])
        if kind != "LEXEME":
            continue
        onset, speaker, word = table.onset[row], table.speaker[row], table.ortho[row]
        if speaker is None or word is None or onset != onset:
            missing = "speaker" if speaker is None else "orthography" if word is None else "onset"
            raise InputError(
                f"{path}:{table.line[row]}: a LEXEME without {missing}; word metrics need to know who said what, when"
            )
        session.append((onset, speaker, word))
    return sessions


def read_seglst(path: str) -> Sessions:
    """Read a SegLST file.

    Parameters
    ----------
    path : str
        The file, UTF-8.

    Returns
    -------
    dict of str to list of (float, str, str)
        For each session its words: onset of the segment in seconds, speaker, word. A session without words has an
        empty list.

    Raises
    ------
    InputError
        If the file cannot be read, is not JSON, or a segment lacks a key or has a value that makes no sense.

    Notes
    -----
    Source of the format: meeteval (segment-wise long-form speech transcription annotation). Times may be strings that
    read as numbers, as in the CHiME challenges.
    """
    segments = _parse(path)
    if not isinstance(segments, list):
        raise InputError(f"{path}: SegLST is an array of segments, not {_kind(segments)}; put the segments into [ ]")
    sessions: Sessions = {}
    for number, segment in enumerate(segments, start=1):
        where = f"{path}: segment {number}"
        if not isinstance(segment, dict):
            raise InputError(f"{where}: a segment is an object, not {_kind(segment)}")
        session_id, speaker, words = (_text(where, segment, key) for key in ("session_id", "speaker", "words"))
        start, end = (_seconds(where, segment, key) for key in ("start_time", "end_time"))
        if end < start:
            raise InputError(f"{where}: end_time {end:g} is before start_time {start:g}; are they swapped?")
        sessions.setdefault(session_id, []).extend((start, speaker, word) for word in words.split())
    return sessions


def _parse(path: str) -> object:
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}:{line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON that can be used: {error}") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _value(where: str, segment: dict[str, Any], key: str) -> object:
    if key in segment:
        return segment[key]
    from difflib import get_close_matches

    close = get_close_matches(key, segment, n=1)
    hint = f"rename {close[0]!r}" if close else f"SegLST segments have {', '.join(SEGLST_KEYS)}"
    raise InputError(f"{where}: no {key!r}; {hint}")


def _text(where: str, segment: dict[str, Any], key: str) -> str:
    value = _value(where, segment, key)
    if not isinstance(value, str):
        raise InputError(f"{where}: {key} is {_kind(value)}; write it as a string")
    if not value and key != "words":
        raise InputError(f"{where}: {key} is empty; give it a name")
    return value


def _seconds(where: str, segment: dict[str, Any], key: str) -> float:
    value = _value(where, segment, key)
    seconds = float("nan")
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):
            seconds = float(value)
    if not 0 <= seconds < float("inf"):
        raise InputError(f"{where}: {key} is {value!r}; it must be seconds, a finite number >= 0")
    return seconds


def _kind(value: object) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
