"""The quick way through an ordinary RTTM file.

Nearly every RTTM in use holds nothing but SPEAKER records of nine or ten fields with plain decimal times. For such
bytes the strict reader (`speechio`) and md-eval's forgiving one mean the same, so they can be taken apart with a few
calls on the whole text. Whatever is out of the ordinary is left to the careful readers: this module never guesses
and never complains, it only says "not plain".
"""

from __future__ import annotations

from mdeval.zones import SPEAKER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mdeval.recording import Key, Record

__all__ = ["PLAIN_BYTES", "plain_records"]

PLAIN_BYTES = bytes(range(0x21, 0x7F)) + b" \t\n"
_END = b";"  # no field of a plain file is a lone semicolon
_NUMBER_BYTES = b"0123456789."
_TOO_LARGE = 1e300
"""Seconds; beyond this a sum might be infinite."""


def plain_records(data: bytes) -> dict[Key, list[Record]] | None:
    """Take an ordinary RTTM file apart.

    Parameters
    ----------
    data : bytes
        The whole file.

    Returns
    -------
    dict of (str, str) to list of Record, or None
        The records of each file and (lower-cased) channel, in input order; None if anything is out of the ordinary.
    """
    columns = _columns(data)
    if columns is None:
        return None
    files, channels, onsets, durations, speakers = columns
    names = {name: name.decode("ascii") for name in {*files, *speakers}}
    lowered = {name: name.decode("ascii").lower() for name in set(channels)}
    records: dict[Key, list[Record]] = {}
    last: tuple[bytes, bytes] | None = None
    for file_id, channel, onset, duration, speaker in zip(files, channels, onsets, durations, speakers, strict=True):
        if (file_id, channel) != last:
            last = file_id, channel
            add = records.setdefault((names[file_id], lowered[channel]), []).append
        # `recording.record`, written out: a call per line would double the time
        add((onset + duration / 2, onset, onset + duration, SPEAKER, names[speaker]))
    return records


def _columns(data: bytes) -> tuple[list[bytes], list[bytes], list[float], list[float], list[bytes]] | None:
    """Give file, channel, onset, duration and speaker of every line, or None."""
    if data.translate(None, PLAIN_BYTES):
        return None
    if not data.endswith(b"\n"):
        data += b"\n"
    n_lines = data.count(b"\n")
    fields = data.replace(b"\n", b" ;\n").split()
    width = len(fields) // n_lines
    if width not in (10, 11) or len(fields) != width * n_lines:
        return None
    if fields.count(_END) != n_lines or fields[width - 1 :: width].count(_END) != n_lines:
        return None
    if set(fields[0::width]) != {b"SPEAKER"} or {*fields[5::width], *fields[6::width]} != {b"<NA>"}:
        return None
    extras = {field for i in range(8, width - 1) for field in set(fields[i::width])} - {b"<NA>"}
    if any(_number(field) is None for field in extras):
        return None
    names = (fields[1::width], fields[2::width], fields[7::width])
    if any(name.startswith(b"<") for column in names for name in set(column)):
        return None
    onsets, durations = _numbers(fields[3::width]), _numbers(fields[4::width])
    if onsets is None or durations is None:
        return None
    return names[0], names[1], onsets, durations, names[2]


def _numbers(texts: list[bytes]) -> list[float] | None:
    if b"".join(texts).translate(None, _NUMBER_BYTES):
        return None
    try:
        numbers = list(map(float, texts))
    except ValueError:
        return None
    return numbers if max(numbers, default=0.0) < _TOO_LARGE else None


def _number(text: bytes) -> float | None:
    numbers = _numbers([text])
    return numbers[0] if numbers else None
