"""RTTM: speaker turns as a table, and as TextGrids to look at."""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from discophon.errors import FormatError, MissingFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    import polars as pl

    from speechio.rttm_line import RttmRecord

    StrPath = os.PathLike[str] | str

__all__ = ["RTTM_COLUMNS", "read_rttm", "rttm_to_textgrids"]

_LOG = logging.getLogger(__name__)

RTTM_COLUMNS = (
    "Type",
    "File ID",
    "Channel ID",
    "Turn Onset",
    "Turn Duration",
    "Orthography Field",
    "Speaker Type",
    "Speaker Name",
    "Confidence Score",
    "Signal Lookahead Time",
)
"""Names of the ten fields."""


def read_rttm(source: StrPath) -> pl.DataFrame:
    """Read RTTM files into a table of their ten fields.

    Parameters
    ----------
    source : path-like or str
        A file, or a folder, which means every ``.rttm`` file in it and below, in the order of their paths; ``-`` is
        standard input.

    Returns
    -------
    polars.DataFrame
        The columns `RTTM_COLUMNS`, in the order of the lines: channel as an integer (text where one is not a
        number), onset and duration in seconds as floats, all others as text. ``<NA>`` is null.

    Raises
    ------
    MissingFileError
        If there is no such file, or no ``.rttm`` file in the folder.
    speechio.SpeechioError
        If a file cannot be read, or a line is not RTTM.

    Notes
    -----
    Comments, which begin with ``;`` or ``#``, are left out.
    """
    import polars as pl

    rows = [_fields(record) for path in _files(source) for _, record in _records(path)]
    schema = {name: pl.Float64 if name in ("Turn Onset", "Turn Duration") else pl.String for name in RTTM_COLUMNS}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    channels = table["Channel ID"].cast(pl.Int64, strict=False)
    return table.with_columns(channels) if channels.null_count() == table["Channel ID"].null_count() else table


def _files(source: StrPath) -> list[str]:
    path = os.fspath(source)
    if not os.path.isdir(path):
        if path != "-" and not os.path.exists(path):
            raise MissingFileError(f"{path}: no such file; check the path")
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    found = sorted(name for name in found if name.endswith(".rttm"))
    if not found:
        raise MissingFileError(f"{path}: no .rttm file in this folder; give the folder that holds them")
    return found


def _records(path: str) -> Iterator[tuple[int, RttmRecord[Decimal]]]:
    """Give the lines of a file that are no comments."""
    from speechio.errors import Report
    from speechio.rttm_line import LineParser, is_comment
    from speechio.text import display_name, read_lines

    report = Report(display_name(path))
    parser = LineParser(report, exact=True)  # confidences as they are written, and ends that are where turns begin
    for line, text in read_lines(path, report):
        record = None if is_comment(text) else parser.parse(text)
        if record is not None:
            yield line, record


def _fields(record: RttmRecord[Decimal]) -> tuple[str | float | None, ...]:
    return (
        record.type,
        record.file,
        record.channel,
        None if record.onset is None else float(record.onset),
        None if record.duration is None else float(record.duration),
        record.ortho,
        record.subtype,
        record.speaker,
        _text(record.confidence),
        _text(record.slat),
    )


def _text(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def rttm_to_textgrids(source: StrPath, outdir: StrPath, *, tier_name: str) -> None:
    """Write the speaker turns of RTTM files as one TextGrid per recording.

    Parameters
    ----------
    source : path-like or str
        A file, or a folder, as `read_rttm` takes it.
    outdir : path-like or str
        Folder for the TextGrids, ``{file id}.TextGrid``; made if it is not there.
    tier_name : str
        Tier that the turns go to, one interval each, with the speaker as text. A file that is there already keeps its
        other tiers.

    Raises
    ------
    FormatError
        If turns of one recording overlap, for a tier holds one interval at a time, or none of them lasts any time.
    UsageError
        If praatio is not installed, or a name cannot be the name of a tier or of a file.
    MissingFileError, speechio.SpeechioError
        As `read_rttm` does.

    Notes
    -----
    A turn that lasts no time is left out, with a warning. Files change as `discophon.textgrid.write_textgrids` says.
    """
    from discophon.textgrid import Interval, add_tiers

    turns: dict[str, list[_Turn]] = defaultdict(list)
    for path in _files(source):
        for line, record in _records(path):
            if record.type == "SPEAKER" and record.onset is not None and record.end is not None:
                turn = _Turn(record.onset, record.end, record.speaker or "", path, line)
                turns[record.file or ""].append(turn)
    if not turns:
        raise FormatError(os.fspath(source), None, "no SPEAKER record, so there are no turns to write")
    tiers = {file_id: sorted(_lasting(file_id, spoken)) for file_id, spoken in turns.items()}
    for file_id, spoken in tiers.items():
        _refuse_overlap(file_id, spoken)
    add_tiers(
        outdir,
        {
            file_id: [Interval(float(turn.start), float(turn.end), turn.speaker) for turn in spoken]
            for file_id, spoken in tiers.items()
        },
        tier_name,
    )


class _Turn(NamedTuple):
    """A turn of a speaker and where it is written."""

    start: Decimal
    end: Decimal
    speaker: str
    path: str
    line: int


def _lasting(file_id: str, turns: Sequence[_Turn]) -> list[_Turn]:
    """Leave out, and tell, the turns that last no time that a TextGrid can hold: there are no such intervals."""
    found = [turn for turn in turns if float(turn.end) > float(turn.start)]
    if not found:
        what = f"{file_id}: no turn lasts any time, so there is no interval to write"
        raise FormatError(turns[0].path, turns[0].line, what, "correct the durations, or leave the recording out")
    for turn in turns:
        if float(turn.end) <= float(turn.start):
            how = "no time" if turn.end <= turn.start else "too little time to be written"
            where = f"{turn.path}:{turn.line}"
            _LOG.warning("%s: %s: the turn of %s lasts %s; it is left out", where, file_id, turn.speaker, how)
    return found


def _refuse_overlap(file_id: str, turns: Sequence[_Turn]) -> None:
    for turn, following in pairwise(turns):
        if following.start < turn.end:
            here = "" if following.path == turn.path else f" of {turn.path}"
            what = (
                f"{file_id}: the turn of {turn.speaker} from {turn.start:f} s to {turn.end:f} s (line"
                f" {turn.line}{here}) and that of {following.speaker} from {following.start:f} s overlap"
            )
            fix = "one tier holds one interval at a time; write each speaker to a tier of its own"
            raise FormatError(following.path, following.line, what, fix)
