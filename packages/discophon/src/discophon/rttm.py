"""RTTM: speaker turns as a table, and as TextGrids to look at."""

from __future__ import annotations

import os
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from discophon.errors import FormatError, MissingFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    import polars as pl

    from speechio.rttm_line import RttmRecord

    StrPath = os.PathLike[str] | str

__all__ = ["RTTM_COLUMNS", "read_rttm", "rttm_to_textgrids"]

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
        A file, or a folder, which means every ``.rttm`` file in it and below, in the order of their paths.

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

    rows = [_fields(record) for path in _files(source) for record in _records(path)]
    schema = {name: pl.Float64 if name in ("Turn Onset", "Turn Duration") else pl.String for name in RTTM_COLUMNS}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    channels = table["Channel ID"].cast(pl.Int64, strict=False)
    return table.with_columns(channels) if channels.null_count() == table["Channel ID"].null_count() else table


def _files(source: StrPath) -> list[str]:
    path = os.fspath(source)
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise MissingFileError(f"{path}: no such file; check the path")
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    found = sorted(name for name in found if name.endswith(".rttm"))
    if not found:
        raise MissingFileError(f"{path}: no .rttm file in this folder; give the folder that holds them")
    return found


def _records(path: str) -> Iterator[RttmRecord[Decimal]]:
    from speechio.rttm import iter_rttm

    return iter_rttm(path, exact=True)  # confidences as they are written


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
        If turns of one recording overlap, for a tier holds one interval at a time.
    UsageError
        If praatio is not installed, or a name cannot be the name of a tier or of a file.
    MissingFileError, speechio.SpeechioError
        As `read_rttm` does.
    """
    from discophon.textgrid import Interval, add_tier

    turns: dict[str, list[Interval]] = defaultdict(list)
    place = os.fspath(source)
    for path in _files(source):
        for record in _records(path):
            if record.type == "SPEAKER" and record.onset is not None and record.end is not None:
                turns[record.file or ""].append(Interval(float(record.onset), float(record.end), record.speaker or ""))
    if not turns:
        raise FormatError(place, None, "no SPEAKER record, so there are no turns to write")
    for file_id, spoken in turns.items():
        spoken.sort()
        _refuse_overlap(place, file_id, spoken)
    for file_id, spoken in turns.items():
        add_tier(outdir, file_id, tier_name, [turn for turn in spoken if turn.end > turn.start])


def _refuse_overlap(place: str, file_id: str, turns: Sequence[tuple[float, float, str]]) -> None:
    for (start, end, speaker), (next_start, _, next_speaker) in pairwise(turns):
        if next_start < end:
            what = (
                f"{file_id}: the turn of {speaker} from {start:g} s to {end:g} s and that of {next_speaker} from"
                f" {next_start:g} s overlap"
            )
            fix = "one tier holds one interval at a time; write each speaker to a tier of its own"
            raise FormatError(place, None, what, fix)
