"""Checks of RTTM that look at more than one line: overlap, declared speakers, sample counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from speechio.lint_nist import NistLint
from speechio.shown import seconds

if TYPE_CHECKING:
    from speechio.errors import Report
    from speechio.rttm_line import RttmRecord

__all__ = ["RttmLint"]

OVERLAP_TOLERANCE = 0.0009
"""Overlap up to just under a millisecond is rounding, in seconds."""

_LONG_TURN = 10_000.0


class RttmLint:
    """Take the good lines of one RTTM file and tell what they are together.

    Parameters
    ----------
    report : Report
        Where problems go.
    nist : bool, default False
        Check the logic of NIST's rttmValidator too.
    """

    def __init__(self, report: Report, *, nist: bool = False) -> None:
        self.report = report
        self._nist = NistLint(report) if nist else None
        self._turns: dict[tuple[str | None, str, str | None], list[tuple[float, float, int]]] = {}
        self._declared: set[tuple[str | None, str, str | None]] = set()
        self._is_whole = True
        self._first_turn: tuple[int, str | None] | None = None
        self._long = 0.0

    def comment(self, text: str) -> None:
        """Take a comment.

        Parameters
        ----------
        text : str
            The line.
        """
        if self._nist is not None:
            self._nist.comment(text)

    def add(self, line: int, record: RttmRecord[float]) -> None:
        """Take a good line.

        Parameters
        ----------
        line : int
            Line, from 1.
        record : RttmRecord
            Its record.
        """
        if self._nist is not None:
            self._nist.add(line, record)
        key = (record.file, (record.channel or "").lower(), record.speaker)
        if record.type == "SPKR-INFO":
            self._declared.add(key)
            return
        onset, duration = record.onset or 0.0, record.duration or 0.0
        self._is_whole = self._is_whole and onset.is_integer() and duration.is_integer()
        if record.type == "SPEAKER":
            self._turns.setdefault(key, []).append((onset, onset + duration, line))
            if duration > _LONG_TURN and not self._long:
                self._long = duration
            if self._first_turn is None:
                self._first_turn = (line, self.report.source)

    def finish(self) -> None:
        """Tell what the lines are together."""
        for (file, _, speaker), turns in self._turns.items():
            self._overlap(file, speaker, sorted(turns))
        if self._declared:
            for (file, channel, speaker), turns in self._turns.items():
                if (file, channel, speaker) not in self._declared:
                    for _, _, line in turns:
                        self.report.at(line)
                        what = f"speaker {speaker} of {file} has a turn and no SPKR-INFO record; others have one"
                        self.report.warning("R114", what, "add a SPKR-INFO record")
        if self._first_turn is not None and self._is_whole and self._long:
            self.report.at(*self._first_turn)
            what = (
                "all times are whole numbers and one turn lasts "
                f"{self._long:.0f} s ({self._long / 3600:.0f} h): probably sample counts, not seconds"
            )
            self.report.warning("R115", what, "read with sample_rate=16000 (--sample-rate 16000), or what it is")
        if self._nist is not None:
            self._nist.finish()

    def _overlap(self, file: str | None, speaker: str | None, turns: list[tuple[float, float, int]]) -> None:
        """Warn of turns of one speaker that overlap."""
        latest, latest_line = float("-inf"), 0
        for onset, end, line in turns:
            if end > onset and onset < latest - OVERLAP_TOLERANCE:
                self.report.at(line)
                what = (
                    f"the turn of speaker {speaker} of {file} at {seconds(onset)} s overlaps the one "
                    f"on line {latest_line}, which ends at {seconds(round(latest, 9))} s"
                )
                self.report.warning("R109", what, "merge the turns, or mend their times")
            if end > latest:
                latest, latest_line = end, line
