"""The logic of NIST's rttmValidator: how words, SUs, edits, fillers and interruption points fit together.

Words are LEXEME records. A word is in an object when its midpoint is; an edge cuts a word when it lies
inside it, farther than the tolerance from both ends.
"""

from __future__ import annotations

import os
import re
from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from speechio.shown import seconds
from speechio.text import STDIN

if TYPE_CHECKING:
    from speechio.errors import Report
    from speechio.rttm_line import RttmRecord

__all__ = ["NistLint"]

_TOLERANCE = 0.0009
_OBJECTS = ("SU", "EDIT", "FILLER")
_UNSPOKEN = frozenset({"SEGMENT", "NOSCORE", "NO_RT_METADATA", "SPKR-INFO", "NON-SPEECH"})
_BROADCAST_NEWS = re.compile(r"EXP-ID:.*(?<![a-z])bn(?:ews)?(?![a-z])", re.IGNORECASE)


class _Item(NamedTuple):
    """One record with times."""

    start: float
    end: float
    line: int
    subtype: str | None

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


class _Times:
    """Sorted intervals that can be asked in the logarithm of their number."""

    def __init__(self, items: list[_Item]) -> None:
        ordered = sorted(items, key=lambda item: item[:3])
        self._starts = [item.start for item in ordered]
        self._latest = list(accumulate((item.end for item in ordered), max))
        self._middles = sorted(item.middle for item in items)
        self._edges = sorted(edge for item in items for edge in item[:2])

    def cover(self, time: float) -> bool:
        """Say whether an interval holds this time."""
        n_begun = bisect_right(self._starts, time + _TOLERANCE)
        return n_begun > 0 and self._latest[n_begun - 1] >= time - _TOLERANCE

    def has_middle_in(self, start: float, end: float) -> bool:
        """Say whether the midpoint of an interval lies in this one."""
        return bisect_left(self._middles, start) < bisect_right(self._middles, end)

    def cut(self, start: float, end: float) -> bool:
        """Say whether an edge lies inside this interval."""
        return bisect_right(self._edges, start + _TOLERANCE) < bisect_left(self._edges, end - _TOLERANCE)


class NistLint:
    """Take the good lines of one RTTM file and tell how they fit together.

    Parameters
    ----------
    report : Report
        Where problems go.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        self._is_broadcast_news = False
        self._stem = os.path.basename(report.path).partition(".")[0]
        self._channels: dict[str | None, array[int]] = {}
        self._spoken: dict[tuple[str | None, str, str | None], dict[str, list[_Item]]] = {}
        self._noscore: dict[tuple[str | None, str], list[_Item]] = {}
        self._types: set[str] = set()

    def comment(self, text: str) -> None:
        """Take a comment; that of the experiment's ID may say that this is broadcast news.

        Parameters
        ----------
        text : str
            The line.
        """
        self._is_broadcast_news = self._is_broadcast_news or _BROADCAST_NEWS.search(text) is not None

    def add(self, line: int, record: RttmRecord[float]) -> None:
        """Take a good line, at which the report stands.

        Parameters
        ----------
        line : int
            Line, from 1.
        record : RttmRecord
            Its record.
        """
        if record.file != self._stem and self.report.path != STDIN:
            what = f"the file field is {record.file or '<NA>'}, the stem of the file's name is {self._stem}"
            self.report.warning("R121", what)
        lines = self._channels.get(record.channel)
        if lines is None:
            lines = self._channels[record.channel] = array("q")
        lines.append(line)
        self._types.add(record.type)
        if record.onset is None:
            return
        channel = (record.channel or "").lower()
        item = _Item(record.onset, record.end or record.onset, line, record.subtype)
        if record.type == "NOSCORE":
            self._noscore.setdefault((record.file, channel), []).append(item)
        elif record.type not in _UNSPOKEN:
            of_speaker = self._spoken.setdefault((record.file, channel, record.speaker), {})
            of_speaker.setdefault(record.type, []).append(item)

    def finish(self) -> None:
        """Tell how the lines fit together."""
        self._wrong_channels()
        for (file, channel, speaker), by_type in self._spoken.items():
            who = f"speaker {speaker} of {file}"
            for kind, items in by_type.items():
                if kind not in ("SPEAKER", "IP", "CB"):
                    self._overlap(kind, who, sorted(items, key=lambda item: item[:3]))
            if "LEXEME" in self._types:
                self._words(by_type, who)
            self._interruption_points(by_type, who)
            self._unscored(by_type, who, _Times(self._noscore.get((file, channel), [])))

    def _tell(self, line: int, code: str, what: str) -> None:
        self.report.at(line)
        self.report.warning(code, what)

    def _wrong_channels(self) -> None:
        """Look at channels; only now is it known whether this is broadcast news."""
        wanted = ("1",) if self._is_broadcast_news else ("1", "2")
        for channel, lines in self._channels.items():
            if channel not in wanted:
                for line in lines:
                    self._tell(line, "R120", f"the channel is {channel or '<NA>'}; it must be {' or '.join(wanted)}")

    def _overlap(self, kind: str, who: str, items: list[_Item]) -> None:
        latest = items[0]
        for item in items[1:]:
            if item.start < latest.end - _TOLERANCE and item.end > item.start:
                what = f"the {kind} of {who} at {seconds(item.start)} s overlaps the one on line {latest.line}"
                self._tell(item.line, "R122", what)
            latest = max(latest, item, key=lambda one: one.end)

    def _words(self, by_type: dict[str, list[_Item]], who: str) -> None:
        """Compare words with the objects of the same speaker."""
        words = by_type.get("LEXEME", [])
        word_times = _Times(words)
        for kind in _OBJECTS:
            objects = by_type.get(kind, [])
            object_times = _Times(objects)
            for item in objects:
                if not word_times.has_middle_in(item.start, item.end):
                    self._tell(item.line, "R123", f"the {kind} of {who} at {seconds(item.start)} s has no word")
            for word in words:
                if object_times.cut(word.start, word.end):
                    self._tell(
                        word.line,
                        "R124",
                        f"the word of {who} at {seconds(word.start)} s is cut by the edge of a {kind}",
                    )
        for kind in ("SU", "SPEAKER"):
            if kind in self._types:
                times = _Times(by_type.get(kind, []))
                for word in words:
                    if not times.cover(word.middle):
                        self._tell(word.line, "R126", f"the word of {who} at {seconds(word.start)} s is in no {kind}")

    def _interruption_points(self, by_type: dict[str, list[_Item]], who: str) -> None:
        """Pair interruption points with the ends of edits and the starts of fillers."""
        points = by_type.get("IP", [])
        places = {
            "edit": [item.end for item in by_type.get("EDIT", [])],
            "filler": [item.start for item in by_type.get("FILLER", [])],
        }
        for word, kind, noun in (("edit", "EDIT", "end"), ("filler", "FILLER", "start")):
            there = sorted(item.start for item in points if word in (item.subtype or "").split("&"))
            for item, place in zip(by_type.get(kind, []), places[word], strict=True):
                if not _is_near(there, place):
                    what = f"the {kind} of {who} at {seconds(item.start)} s has no IP of subtype {word} at its {noun}"
                    self._tell(item.line, "R127", what)
            wanted = sorted(places[word])
            for item in points:
                if word in (item.subtype or "").split("&") and not _is_near(wanted, item.start):
                    what = f"the IP of {who} at {seconds(item.start)} s, {item.subtype}, is at the {noun} of no {kind}"
                    self._tell(item.line, "R127", what)

    def _unscored(self, by_type: dict[str, list[_Item]], who: str, zones: _Times) -> None:
        for kind, items in by_type.items():
            for item in items:
                if zones.cut(item.start, item.end):
                    self._tell(
                        item.line, "R125", f"the {kind} of {who} at {seconds(item.start)} s is cut by a NOSCORE edge"
                    )


def _is_near(times: list[float], time: float) -> bool:
    """Say whether one of some sorted times is this one, within the tolerance."""
    place = bisect_left(times, time - _TOLERANCE)
    return place < len(times) and times[place] <= time + _TOLERANCE
