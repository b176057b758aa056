"""The fast lane of `read_rttm`: a block of normal SPEAKER lines is taken at once, without an object per line.

Normal means: nine or ten fields, ``SPEAKER``, no orthography, subtype or look-ahead, unsigned decimals, every
line the same number of fields, no comment, blank line or unusual character. Any other block is left to the
careful parser. A test proves that both lanes agree.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from speechio.columns import NAN
from speechio.fields import BLANK, CONTROL

if TYPE_CHECKING:
    from speechio.rttm import RttmTable

__all__ = ["take_block"]

_PLAIN = bytes([9, 10, *range(0x20, 0x7F)]).translate(None, b";#")
_DIGITS = b"0123456789."
_INFINITY = float("inf")


def take_block(table: RttmTable, first: int, data: bytes, sample_rate: float | None = None) -> bool:
    """Add a block of normal lines to a table.

    Parameters
    ----------
    table : RttmTable
        Table to add to; untouched when the answer is no.
    first : int
        Number of the first line of the block.
    data : bytes
        Whole lines.
    sample_rate : float, optional
        Divide the times by this rate, in Hz.

    Returns
    -------
    bool
        False when the block is not normal, and nothing was added.
    """
    text = _plain_text(data)
    if text is None:
        return False
    n_lines = text.count("\n")
    fields = text.replace("\n", " ;\n").split()
    width, rest = divmod(len(fields), n_lines)
    if rest or width not in (10, 11) or set(fields[width - 1 :: width]) != {";"}:
        return False
    if set(fields[0::width]) != {"SPEAKER"} or set(fields[5::width]) | set(fields[6::width]) != {"<NA>"}:
        return False
    if width == 11 and set(fields[9::width]) != {"<NA>"}:
        return False
    names = [fields[i::width] for i in (1, 2, 7)]
    onset = _numbers(fields[3::width], sample_rate)
    duration = _numbers(fields[4::width], sample_rate)
    confidence = _confidences(fields[8::width])
    if onset is None or duration is None or confidence is None:
        return False
    n_missing = (width - 8) * n_lines + fields[8::width].count("<NA>")
    if text.count("<") != n_missing and _has_missing(names):
        return False
    table.line.extend(range(first, first + n_lines))
    table.type.extend_same("SPEAKER", n_lines)
    table.file.extend(names[0])
    table.channel.extend(names[1])
    table.onset.extend(onset)
    table.duration.extend(duration)
    table.ortho.extend_same(None, n_lines)
    table.subtype.extend_same(None, n_lines)
    table.speaker.extend(names[2])
    table.confidence.extend(confidence)
    table.slat.extend(array("d", [NAN]) * n_lines)
    return True


def _plain_text(data: bytes) -> str | None:
    """Give the text of a block whose lines `str.split` splits as they should be split."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    odd = data.translate(None, _PLAIN)
    if not data.endswith(b"\n"):
        data += b"\n"
    if not odd:
        return data.decode("ascii")
    if odd.isascii() or b";" in data or b"#" in data:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\r" in text or "\0" in text or BLANK.search(text) or CONTROL.search(text) else text


def _numbers(fields: list[str], sample_rate: float | None) -> array[float] | None:
    """Read unsigned decimals; None when one of the fields is anything else."""
    if "".join(fields).encode().translate(None, _DIGITS):
        return None
    try:
        values = list(map(float, fields))
    except ValueError:  # "." or "1.2.3"
        return None
    if max(values) == _INFINITY:
        return None
    return array("d", values if sample_rate is None else [value / sample_rate for value in values])


def _confidences(fields: list[str]) -> array[float] | None:
    """Read unsigned decimals and ``<NA>``; None when one of the fields is anything else."""
    distinct = set(fields)
    if distinct == {"<NA>"}:
        return array("d", [NAN]) * len(fields)
    given = sorted(distinct - {"<NA>"})
    values = _numbers(given, None)
    if values is None:
        return None
    value_of = dict(zip(given, values, strict=True))
    value_of["<NA>"] = NAN
    return array("d", map(value_of.__getitem__, fields))


def _has_missing(names: list[list[str]]) -> bool:
    """Say whether a name is ``<NA>``; the careful parser knows what that means."""
    return any(len(name) == 4 and name.upper() == "<NA>" for column in names for name in set(column))
