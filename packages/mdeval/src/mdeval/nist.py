"""Read RTTM and UEM as md-eval 22 does: forgiving where it forgives, fatal where it dies.

It takes more than the formats allow (eleven fields, ``1,5``, text where a number should be). Every such reading is
noted, so that the command can name it; what is fatal raises an `InputError` that holds md-eval's own message too.
"""

from __future__ import annotations

from mdeval.errors import InputError
from mdeval.recording import Uem, record
from mdeval.sources import read_bytes
from mdeval.zones import SPEAKER, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mdeval.recording import Key
    from mdeval.side import Side

__all__ = ["MOST_SECONDS", "ascii_lower", "leading_number", "onset_texts", "read_rttm", "read_uem", "uem_file_id"]

MOST_SECONDS = 1e300
"""Beyond this the sum of two times might be infinite."""

_NA = frozenset({"<na>"})
_SUBTYPES = {
    "SEGMENT": frozenset({"eval", "<na>"}),
    "NOSCORE": _NA,
    "NO_RT_METADATA": _NA,
    "A/P": _NA,
    "SPEAKER": _NA,
    "LEXEME": frozenset(
        "lex fp frag un-lex for-lex alpha acronym interjection propernoun other".split(),
    ),
    "NON-LEX": frozenset("laugh breath lipsmack cough sneeze other".split()),
    "NON-SPEECH": frozenset("noise music other".split()),
    "FILLER": frozenset(
        "filled_pause discourse_marker discourse_response explicit_editing_term other".split(),
    ),
    "EDIT": frozenset("repetition restart revision simple complex other".split()),
    "IP": frozenset("edit filler edit&filler other".split()),
    "SU": frozenset("statement backchannel question incomplete unannotated other".split()),
    "CB": frozenset("coordinating clausal other".split()),
    "SPKR-INFO": frozenset("adult_male adult_female child unknown".split()),
}
_LEADING_NUMBER = r"(?ai)[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?"
_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = {value: key for key, value in _UPPER.items()}
_DECIMAL = frozenset("0123456789.")


def ascii_lower(text: str) -> str:
    """Lower-case the ASCII letters only, as Perl does to bytes."""
    return text.translate(_LOWER)


def uem_file_id(name: str, *, keep_directory: bool = False) -> str:
    """Give the file that a UEM name means: without its directory, and without its first suffix.

    Parameters
    ----------
    name : str
        As written in the UEM.
    keep_directory : bool, default False
        Keep the directory part.

    Returns
    -------
    str
        The name that must equal the file field of the RTTM. ``a.b.c`` means ``a.c``.
    """
    if not keep_directory:
        name = name.rpartition("/")[2]
    stem, dot, suffixes = name.partition(".")
    _, more, rest = suffixes.partition(".")
    return stem + more + rest if dot else name


def _lines(data: bytes) -> Iterator[tuple[int, str, list[str]]]:
    """Give number, text (with its line end) and fields of every line that is neither blank nor a comment."""
    for number, raw in enumerate(data.split(b"\n"), start=1):
        fields = raw.split()
        if fields and not fields[0].startswith((b"#", b";")):
            text = raw.decode("utf-8", "surrogateescape")
            yield number, text + "\n", [f.decode("utf-8", "surrogateescape") for f in fields]


def leading_number(text: str) -> float:
    """Give the longest number the text begins with, or 0."""
    return _read_number(text)[0]


def _read_number(text: str) -> tuple[float, bool]:
    """Give the longest number the text begins with, or 0; and whether it is the whole text and finite."""
    if _DECIMAL.issuperset(text) and text.count(".") < 2 and len(text) > text.count("."):
        value = float(text)
        return value, value < float("inf")
    import re  # only for what is no plain decimal: it takes longer to load than a small input to score

    found = re.match(_LEADING_NUMBER, text)
    value = float(found[0]) if found else 0.0
    return value, found is not None and found[0] == text and abs(value) < float("inf")


class _Times:
    """Onset and duration of one line, and what had to be forgiven to get them."""

    def __init__(self, where: str, notes: list[str]) -> None:
        self.where = where
        self.notes = notes

    def number(self, text: str, what: str) -> float:
        """Read one time."""
        text = text.replace("*", "", 1)
        value, is_whole = _read_number(text)
        if abs(value) > MOST_SECONDS:
            raise InputError(
                f"{self.where}: {what} {text} is no time in a recording; write seconds as a decimal number"
            )
        if not is_whole:
            self.note(f"{what} '{text}' is read as {value:g}")
        return value

    def note(self, text: str) -> None:
        """Note a reading that the format does not allow."""
        self.notes.append(f"{self.where}: {text}")


def read_rttm(data: bytes, path: str, side: Side) -> None:
    """Add the records of one RTTM file to a side.

    Parameters
    ----------
    data : bytes
        The file.
    path : str
        Its name, for messages.
    side : Side
        Where the records go; forgiven readings are added to its notes.

    Raises
    ------
    InputError
        Fewer than nine fields, a negative duration, an unknown type or subtype, a second SPKR-INFO.
    """
    for number, line, fields in _lines(data):
        where = f"{path}:{number}"
        times = _Times(where, side.notes)
        if len(fields) < 9:
            raise InputError(
                f"{where}: {len(fields)} fields, wanted 9 or 10; add the missing ones as <NA>",
                f"\n\nFATAL ERROR:  insufficient number of fields in RTTM file '{path}'\n"
                f"    input RTTM record is: '{line}'\n\n",
            )
        if not line.isascii() and any("\udc80" <= c <= "\udcff" for c in line):
            times.note("bytes that are not UTF-8 are kept as they are")
        if "\0" in line:
            times.note("a NUL byte is kept in a name")
        if len(fields) > 10:
            times.note(f"{len(fields)} fields, wanted 9 or 10 (a name with a blank?); the rest is ignored")
        kind, file_id, channel, name = (
            fields[0].translate(_UPPER),
            fields[1],
            ascii_lower(fields[2]),
            fields[7],
        )
        subtype = ascii_lower(fields[6])
        missing = ascii_lower(fields[4].replace("*", "", 1)) == "<na>"
        duration = 0.0 if missing else times.number(fields[4], "duration")
        if duration < 0:
            raise InputError(
                f"{where}: duration is {fields[4]}; it must not be negative (an end time in its place?)",
                f"\n\nFATAL ERROR -- negative metadata duration in file {file_id},'\n"
                f"    input RTTM record is: '{line}'\n\n",
            )
        if subtype not in _SUBTYPES.get(kind, ()):
            raise InputError(
                f"{where}: {_wrong_type(kind, subtype)}",
                f"\n\nFATAL ERROR:  unknown RTTM data type/subtype ('{kind}'/'{subtype}') in file {path}\n"
                f"    input RTTM record is: '{line}'\n\n",
            )
        key = (file_id, channel)
        if kind == "SPKR-INFO":
            if not side.add_type(key, name, subtype):
                raise InputError(
                    f"{where}: a second SPKR-INFO for speaker {name} of file {file_id}; keep one, and put it into"
                    " the same file as the speaker's turns or an earlier one",
                    f"\n\nFATAL ERROR:  multiple SPKR-INFO records for speaker {name} in file {file_id}\n"
                    f"    input RTTM record is: '{line}'\n\n",
                )
            continue
        if missing and kind not in ("IP", "CB"):
            times.note(f"duration '{fields[4]}' is read as 0")
        onset = times.number(fields[3], "onset")
        if onset < 0:
            times.note(f"onset {fields[3]} is negative")
        side.add(key, record(onset, duration, kind, ascii_lower(fields[5]) if kind == WORD else name))
    side.end_of_file()


def _wrong_type(kind: str, subtype: str) -> str:
    if kind not in _SUBTYPES:
        return f"{kind} is not an RTTM type; the types are {', '.join(sorted(_SUBTYPES))}"
    return f"{subtype} is not a subtype of {kind}; those are {', '.join(sorted(_SUBTYPES[kind]))}"


def onset_texts(paths: Iterable[str]) -> dict[tuple[Key, str, float], str]:
    """Give the onsets of SPEAKER records as they are written.

    Parameters
    ----------
    paths : iterable of str
        RTTM files that have been read without fault.

    Returns
    -------
    dict of ((str, str), str, float) to str
        By recording, speaker and onset in seconds.
    """
    texts = {}
    for path in paths:
        for _, _, fields in _lines(read_bytes(path, "RTTM file")):
            if fields[0].translate(_UPPER) == SPEAKER:
                text = fields[3].replace("*", "", 1)
                texts[(fields[1], ascii_lower(fields[2])), fields[7], leading_number(text)] = text
    return texts


def read_uem(data: bytes, path: str, notes: list[str], *, keep_directory: bool = False) -> Uem:
    """Read a UEM file.

    Parameters
    ----------
    data : bytes
        The file.
    path : str
        Its name, for messages.
    notes : list of str
        Forgiven readings are added here.
    keep_directory : bool, default False
        Keep the directory part of file names (md-eval's ``-n``).

    Returns
    -------
    Uem
        Regions of each file and channel.

    Raises
    ------
    InputError
        Fewer than four fields, a region that ends before it begins, regions that overlap.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise InputError(f"{path}:1: a byte order mark, which md-eval takes for a part of the file name; remove it")
    uem = Uem(path)
    texts: dict[Key, list[tuple[float, float, str, str, str]]] = {}
    for number, line, fields in _lines(data):
        where = f"{path}:{number}"
        if len(fields) < 4:
            raise InputError(
                f"{where}: {len(fields)} fields, wanted 4: file channel start end",
                f"\n\nFATAL ERROR:  insufficient number of fields in UEM record\n    record is: '{line}'\n\n",
            )
        if len(fields) > 4:
            notes.append(f"{where}: {len(fields)} fields, wanted 4; the rest is ignored")
        begin, end = ("".join(c for c in text if c in _DECIMAL) for text in fields[2:4])
        notes.extend(
            f"{where}: time '{given}' is read as {cleaned or 0}"
            for given, cleaned in zip(fields[2:4], (begin, end), strict=True)
            if given != cleaned
        )
        key = (uem_file_id(fields[0], keep_directory=keep_directory), ascii_lower(fields[1]))
        uem.written.setdefault(key, (fields[0], fields[1]))
        texts.setdefault(key, []).append((leading_number(begin), leading_number(end), begin, end, where))
    for (file_id, channel), entries in texts.items():
        entries.sort(key=lambda entry: entry[0])
        _check_regions(file_id, channel, entries)
        uem[file_id, channel] = [(entry[0], entry[1]) for entry in entries]
    return uem


def _check_regions(file_id: str, channel: str, entries: list[tuple[float, float, str, str, str]]) -> None:
    previous = None
    for entry in entries:
        begin, end, begin_text, end_text, where = entry
        if end <= begin:
            raise InputError(
                f"{where}: the region of {file_id}, channel {channel} ends at {end_text} but begins at {begin_text};"
                " the end must come after the begin",
                "\n\nFATAL ERROR:  non-positive evaluation segment length in UEM data for file "
                f"{file_id}, channel {channel}\n\n",
            )
        if previous is not None and begin < previous[1]:
            raise InputError(
                f"{where}: regions of {file_id}, channel {channel} overlap: {previous[2]} to {previous[3]} and"
                f" {begin_text} to {end_text}; make them one or separate them",
                "\n\nFATAL ERROR:  UEM file has overlapping evaluation segments\n    file "
                f"{file_id}, channel {channel}:  ({previous[2]},{previous[3]}), ({begin_text},{end_text})\n\n",
            )
        previous = entry
