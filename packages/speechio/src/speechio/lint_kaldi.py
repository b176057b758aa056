"""Checks of Kaldi files that need something beside the file: durations, files on disk, Kaldi's own taste."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from speechio.data_dir import LoadedTable
    from speechio.errors import Report
    from speechio.segments import Segment
    from speechio.wav_scp import WavLocation

__all__ = ["look_at_dir", "look_at_location", "look_at_segment"]


_ROUNDING = 0.005
"""How much longer than its known duration a segment may be: half a usual frame shift, in seconds."""


def look_at_segment(
    report: Report, segment: Segment[Any], durations: Mapping[str, float] | None, *, kaldi: bool = False
) -> None:
    """Check a segment against the duration of its recording, or else against its own.

    Parameters
    ----------
    report : Report
        Where problems go; stands at the line.
    segment : Segment
        The segment.
    durations : mapping of str to float, optional
        Durations in seconds, by recording (``reco2dur``) or by utterance (``utt2dur``). That of the recording
        comes first; segments of which it has neither are not checked.
    kaldi : bool, default False
        Refuse a channel, as Kaldi's validator does.
    """
    if kaldi and segment.channel is not None:
        report.error("K011", "5 fields, wanted 4: Kaldi's validator takes no channel here", "make one recording each")
    if durations is None:
        return
    if segment.rec in durations:
        _look_at_recording(report, segment, durations[segment.rec])
    elif segment.utt in durations and segment.end is not None:
        length, known = segment.end - segment.start, durations[segment.utt]
        if length > known + _ROUNDING:
            what = f"the segment {segment.utt} lasts {round(length, 9)} s, longer than the utterance ({known} s)"
            report.warning("K141", what, "cut the segment, or make the durations anew: the sound may end before it")


def _look_at_recording(report: Report, segment: Segment[Any], length: float) -> None:
    if segment.start >= length:
        what = f"start {segment.start} of {segment.utt} is not before the end of the recording ({length} s)"
        report.warning("K139", what, f"look whether {segment.rec} is the right recording, and whole")
    elif segment.end is not None and segment.end > length:
        what = f"end {segment.end} of {segment.utt} is beyond the recording ({length} s)"
        report.warning("K141", what, "cut the segment; a small excess is rounding")


def look_at_location(report: Report, location: WavLocation) -> None:
    """Check that the file of a location is there.

    Parameters
    ----------
    report : Report
        Where problems go; stands at the line.
    location : WavLocation
        The location; commands, URLs and standard input are not looked at.
    """
    path = location.path
    if path is not None and "://" not in path and not os.path.exists(path):
        fix = "paths count from the working directory; were they prefixed twice?"
        report.warning("K140", f"the file of {location.id} is not there: {path}", fix)


def look_at_dir(folder: str, tables: dict[str, LoadedTable], report: Report, *, kaldi: bool) -> None:
    """Check what is odd about a directory as a whole.

    Parameters
    ----------
    folder : str
        The directory.
    tables : dict of str to LoadedTable
        Its files.
    report : Report
        Where problems of files go that are not there.
    kaldi : bool
        Want a segment of every recording, as Kaldi's validator does.
    """
    for name in ("spk2utt", "utt2spk"):
        if name not in tables:
            report.path = os.path.join(folder, name)
            report.at(None)
            report.warning("K138", f"there is no {name}", "make it, for tools that want it; speechio does without")
    spk2utt = tables.get("spk2utt")
    if spk2utt is not None and len(spk2utt.line_of) == 1:
        spk2utt.report.at(None)
        what = "spk2utt has a single line: one speaker"
        spk2utt.report.warning("K137", what, "give each utterance its own speaker if the speakers are not known")
    segments, recordings = tables.get("segments"), tables.get("wav.scp")
    if kaldi and segments is not None and recordings is not None:
        used = {segment.rec for segment in segments.values.values()}
        for key in recordings.values:
            if key not in used and key not in segments.meant:
                recordings.report.at(recordings.line_of[key])
                what = f"the recording {key} has no segment"
                recordings.report.error("K034", what, "remove it; Kaldi's validator wants a segment of every recording")
