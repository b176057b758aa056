"""From a path to numbered lines of text: opening, gzip, encodings, line ends.

A file is read in blocks of whole lines (`read_blocks`), so that a format may take a normal block at once;
`block_lines` gives the lines of a block one by one, and `read_lines` those of a whole file. Lines end at LF
only (CRLF is accepted). Faults of this layer end a file: they are raised, also when it is checked.
"""

from __future__ import annotations

import os
import sys
from itertools import chain
from typing import IO, TYPE_CHECKING

from speechio.errors import FormatError, InputError, Report, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STDIN", "StrPath", "block_lines", "display_name", "read_blocks", "read_lines"]

StrPath = os.PathLike[str] | str
"""Where a file is; ``-`` is standard input or output."""

STDIN = "<stdin>"
"""Name of standard input in messages."""

_BLOCK_SIZE = 1 << 17
_HEAD_SIZE = 64
_GZIP_MAGIC = b"\x1f\x8b"
_CR = b"\r"
_UTF8_MARK = b"\xef\xbb\xbf"
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32LE"),
    (b"\x00\x00\xfe\xff", "UTF-32BE"),
    (b"\xff\xfe", "UTF-16LE"),
    (b"\xfe\xff", "UTF-16BE"),
)


def display_name(path: StrPath) -> str:
    """Give the name of a file in messages.

    Parameters
    ----------
    path : path-like or str
        Path as given.

    Returns
    -------
    str
        The path; ``<stdin>`` for ``-``.
    """
    name = os.fspath(path)
    return STDIN if name == "-" else name


def read_blocks(path: StrPath, report: Report, encoding: str | None = None) -> Iterator[tuple[int, bytes]]:
    """Read a file in blocks of whole lines, as UTF-8 bytes without a mark.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    report : Report
        Gets the warning of a byte order mark (T102).
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    number : int
        Number of the first line of the block, from 1.
    data : bytes
        Whole lines with their ends; only the last line of the file may lack its own.

    Raises
    ------
    FormatError
        T001 for bytes that are not in `encoding`, T006 for UTF-16 or UTF-32, T009 for damaged gzip.
    InputError
        If the file cannot be opened or read.
    UsageError
        If Python knows no such encoding.
    """
    name = report.path
    chunks = _uncompressed(_chunks(path, name), name)
    if encoding is not None and not _is_utf8(encoding):
        chunks = _transcoded(chunks, name, encoding)
    number = 1
    pending: list[bytes] = []
    for chunk in _with_start(chunks, report):
        cut = chunk.rfind(b"\n") + 1
        if cut:
            pending.append(chunk[:cut])
            data = b"".join(pending)
            yield number, data
            number += data.count(b"\n")
            pending.clear()
        if cut < len(chunk):
            pending.append(chunk[cut:])
    if pending:
        yield number, b"".join(pending)


def block_lines(number: int, data: bytes, report: Report) -> Iterator[tuple[int, str]]:
    """Give the lines of a block.

    Parameters
    ----------
    number : int
        Number of the first line of the block.
    data : bytes
        Block of `read_blocks`.
    report : Report
        Gets the warnings T103 and T107.

    Yields
    ------
    number : int
        Number of the line.
    text : str
        The line without its end.

    Raises
    ------
    FormatError
        T001 for bytes that are not UTF-8, T004 for a lone CR, T005 for a NUL byte.
    """
    is_whole = data.endswith(b"\n")
    if not is_whole:
        last = number + data.count(b"\n")
    elif b"\r" not in data and b"\0" not in data:
        try:
            lines = data.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            pass  # the careful way below finds the line
        else:
            lines.pop()
            yield from enumerate(lines, number)
            return
    raw_lines = data.split(b"\n")
    if is_whole:
        raw_lines.pop()
    for raw in raw_lines:
        is_ended = is_whole or number < last
        text = _line(number, raw, report, is_ended=is_ended)
        if not is_ended:
            report.at(number, text)
            report.warning("T107", "the last line does not end in a newline", "add a newline at the end of the file")
        yield number, text
        number += 1


def read_lines(path: StrPath, report: Report, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Read a file line by line and say to `report` where it stands.

    Parameters
    ----------
    path : path-like or str
        File, gzip or not; ``-`` is standard input.
    report : Report
        Gets the warnings of the text layer, and the place of every line.
    encoding : str, optional
        What the file is in, if not UTF-8.

    Yields
    ------
    number : int
        Number of the line, from 1.
    text : str
        The line without its end.

    Raises
    ------
    FormatError
        T001, T004, T005, T006 or T009.
    InputError
        If the file cannot be opened or read.
    """
    for first, data in read_blocks(path, report, encoding):
        for number, text in block_lines(first, data, report):
            report.at(number, text)
            yield number, text


def _chunks(path: StrPath, name: str) -> Iterator[bytes]:
    """Read the bytes of a file; every fault of the system becomes an `InputError`."""
    if os.fspath(path) == "-" and sys.stdin is None:
        raise InputError(name, "is closed", "name a file")
    try:
        if os.fspath(path) == "-":
            yield from _chunks_of(sys.stdin.buffer)
        else:
            with open(path, "rb") as stream:
                yield from _chunks_of(stream)
    except FileNotFoundError as error:
        raise InputError(name, "no such file", "check the path", error.errno) from None
    except IsADirectoryError as error:
        raise InputError(name, "is a directory; a file is wanted", "name a file in it", error.errno) from None
    except OSError as error:
        raise InputError(name, f"cannot be read: {error.strerror or error}", "", error.errno) from error
    except ValueError as error:  # a NUL in the path
        raise InputError(name, f"cannot be opened: {error}") from error


def _chunks_of(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(_BLOCK_SIZE):
        yield chunk


def _uncompressed(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Undo gzip, which is recognised by its first two bytes."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= len(_GZIP_MAGIC):
            break
    if not head.startswith(_GZIP_MAGIC):
        if head:
            yield head
        yield from chunks
        return
    import zlib

    member = zlib.decompressobj(wbits=31)
    data = head
    ready: list[bytes] = []  # nothing is given before a whole block is known to be sound
    try:
        while True:
            ready.append(member.decompress(data, _BLOCK_SIZE))
            if sum(map(len, ready)) >= _BLOCK_SIZE:
                yield b"".join(ready)
                ready.clear()
            data = member.unconsumed_tail
            if member.eof:
                rests = (chunk.lstrip(b"\0") for chunk in chain((member.unused_data,), chunks))  # padding may be long
                data = next((rest for rest in rests if rest), b"")
                if not data:
                    yield b"".join(ready)
                    return
                member = zlib.decompressobj(wbits=31)
            elif not data:
                data = next(chunks, b"")
                if not data:
                    break
    except zlib.error as error:
        raise _damaged(name, f"the gzip data are damaged ({error})") from None
    raise _damaged(name, "the gzip data end too early")


def _damaged(name: str, what: str) -> FormatError:
    return FormatError(name, None, "T009", what, "fetch or compress the file again; `gzip -t` tests it")


def _is_utf8(encoding: str) -> bool:
    import codecs

    try:
        b"a".decode(encoding, "ignore")  # refuses codecs that are not about text
        codecs.getincrementaldecoder(encoding)
        return codecs.lookup(encoding).name == "utf-8"
    except (LookupError, ValueError):
        raise UsageError(f"unknown encoding {encoding!r}; try utf-8, latin-1, utf-16 or cp1252") from None


def _transcoded(chunks: Iterator[bytes], name: str, encoding: str) -> Iterator[bytes]:
    """Turn bytes of another encoding into UTF-8."""
    import codecs

    decoder = codecs.getincrementaldecoder(encoding)("strict")
    line = 1
    try:
        for chunk in chunks:
            data = decoder.decode(chunk).encode("utf-8", "surrogatepass")
            line += data.count(b"\n")
            if data:
                yield data
        tail = decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        line += error.object[: error.start].decode(encoding, "ignore").count("\n")
        what = f"byte 0x{error.object[error.start]:02x} is not {encoding} ({error.reason})"
        raise FormatError(name, line, "T001", what, "name the encoding that the file is in") from None
    except UnicodeError as error:
        what = f"on this line or after it are bytes that are not {encoding} ({error})"
        raise FormatError(name, line, "T001", what, "name the encoding that the file is in") from None
    if tail:
        yield tail.encode("utf-8", "surrogatepass")


def _with_start(chunks: Iterator[bytes], report: Report) -> Iterator[bytes]:
    """Look at the first bytes of a file for a mark, whatever the size of the first chunk."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD_SIZE:
            break
    yield _without_mark(head, report)
    yield from chunks


def _without_mark(data: bytes, report: Report) -> bytes:
    """Remove a UTF-8 byte order mark; refuse UTF-16 and UTF-32."""
    if data.startswith(_UTF8_MARK):
        report.at(1)
        report.warning("T102", "the file begins with a byte order mark; it is removed", "save as UTF-8 without BOM")
        return data[len(_UTF8_MARK) :]
    wide = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _wide_without_mark(data)
    if wide is not None:
        raise FormatError(
            report.path,
            1,
            "T006",
            f"the file is {wide}; UTF-8 is wanted",
            f"convert it: iconv -f {wide} -t UTF-8 IN > OUT, or read it with encoding={wide.lower()!r}",
        )
    return data


def _wide_without_mark(data: bytes) -> str | None:
    """Recognise ASCII text in UTF-16 that has no mark: every second byte is NUL."""
    head = data[:_HEAD_SIZE]
    head = head[: len(head) // 2 * 2]
    even, odd = head[0::2], head[1::2]
    if len(head) >= 4 and not any(odd) and all(even):
        return "UTF-16LE"
    if len(head) >= 4 and not any(even) and all(odd):
        return "UTF-16BE"
    return None


def _line(number: int, raw: bytes, report: Report, *, is_ended: bool) -> str:
    """Decode one line and look at its end."""
    has_crlf = is_ended and raw.endswith(b"\r")
    if has_crlf:
        raw = raw[:-1]
    if b"\0" in raw:
        column = raw.index(b"\0") + 1
        fix = "remove it; is this a text file at all, or sound, features or an archive?"
        raise FormatError(report.path, number, "T005", f"there is a NUL byte at byte {column} of the line", fix)
    if _CR in raw:
        what = f"there is a CR without an LF at byte {raw.index(_CR) + 1} of the line; a line ends in LF or CRLF"
        raise FormatError(report.path, number, "T004", what, "convert the line ends to LF: tr '\\r' '\\n' < IN > OUT")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(report.path, number, raw, error) from None
    if has_crlf:
        report.at(number, text)
        report.warning(
            "T103",
            "the lines end in CRLF (CR LF); the CR is dropped",
            "convert the line ends: tr -d '\\r' < IN > OUT",
        )
    return text


def _not_utf8(name: str, number: int, raw: bytes, error: UnicodeDecodeError) -> FormatError:
    """Say which byte is not UTF-8 and what it may be."""
    byte = raw[error.start]
    guess = bytes([byte]).decode("cp1252", "ignore")
    meant = f", which is {guess!r} in Latin-1 or Windows-1252" if guess and guess.isprintable() else ""
    return FormatError(
        name,
        number,
        "T001",
        f"byte 0x{byte:02x} at byte {error.start + 1} of the line is not UTF-8{meant}",
        "convert it, e.g. iconv -f WINDOWS-1252 -t UTF-8 IN > OUT, or name its encoding (encoding='cp1252')",
        raw.decode("utf-8", "replace"),
    )
