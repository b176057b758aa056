"""One line of RTTM: the record, the careful parser, and the line that is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from speechio.fields import (
    BLANK,
    Number,
    describe,
    hidden,
    is_missing,
    number,
    number_fault,
    span_of,
    split,
    warn_hidden,
)
from speechio.rttm_types import FIELDS, NEEDS_SPEAKER, NO_DURATION, SUBTYPES, WITH_ORTHOGRAPHY

if TYPE_CHECKING:
    from decimal import Decimal

    from speechio.errors import Report

__all__ = ["LineParser", "RttmRecord", "Time", "is_comment"]

Time = TypeVar("Time", float, "Decimal")
"""Type of the times: `float`, or `decimal.Decimal` where the caller asked for exact ones."""

_FIXED = (0, 3, 4, 6, 8, 9)
_NAMES = (1, 2, 5, 7)


@dataclass(frozen=True, slots=True)
class RttmRecord(Generic[Time]):
    """One record of RTTM.

    Attributes
    ----------
    type : str
        One of the fourteen types, in upper case.
    file, channel : str or None
        Recording and channel; always text.
    onset, duration : float or Decimal or None
        Seconds, >= 0; None where the type has none.
    ortho : str or None
        The word, for LEXEME and NON-LEX.
    subtype : str or None
        Subtype, in lower case.
    speaker : str or None
        Speaker; always text, ``NA`` and ``007`` too.
    confidence : float or Decimal or None
        Confidence, by rights in 0–1.
    slat : float or Decimal or None
        Signal look-ahead time, in seconds.
    """

    type: str
    file: str | None
    channel: str | None
    onset: Time | None
    duration: Time | None
    ortho: str | None = None
    subtype: str | None = None
    speaker: str | None = None
    confidence: Time | None = None
    slat: Time | None = None

    def __class_getitem__(cls, _: object) -> object:
        return cls  # an alias would set an attribute on its instances, which frozen slots of 3.11 cannot take

    @property
    def end(self) -> Time | None:
        """Onset plus duration, in seconds; None where one of them is missing."""
        if self.onset is None or self.duration is None:
            return None
        return self.onset + self.duration


def is_comment(text: str) -> bool:
    """Say whether a line of RTTM or UEM has no record: it is blank, or begins with ``;`` or ``#``.

    Parameters
    ----------
    text : str
        A line without its end.

    Returns
    -------
    bool
        True for a comment or a blank line.
    """
    return text.lstrip(" \t")[:1] in ("", ";", "#")


class LineParser:
    """Parse lines of one file with care; tell a `Report` of everything that is wrong with them.

    Parameters
    ----------
    report : Report
        Where faults go; must stand at the line.
    pad : bool, default False
        Fill missing trailing fields of a SPEAKER line that has at least eight.
    sample_rate : float, optional
        Times are sample counts; divide them by this rate, in Hz.
    exact : bool, default False
        Give numbers as `decimal.Decimal`.
    """

    def __init__(
        self, report: Report, *, pad: bool = False, sample_rate: float | None = None, exact: bool = False
    ) -> None:
        self.report = report
        self.pad = pad
        self._declared: dict[tuple[str | None, str, str], int] = {}
        self._scale: Any = sample_rate
        self._decimal: Any = None
        if exact:
            from decimal import Decimal

            self._decimal = Decimal
            self._scale = None if sample_rate is None else Decimal(str(sample_rate))

    def parse(self, text: str) -> RttmRecord[Any] | None:
        """Parse a line that has a record.

        Parameters
        ----------
        text : str
            The line, neither blank nor a comment.

        Returns
        -------
        RttmRecord or None
            The record; None when the line is wrong and the file is only checked.

        Raises
        ------
        FormatError
            When the line is wrong and the file is read.
        """
        report = self.report
        n_errors = report.n_errors
        fields = split(text)
        if self.pad and len(fields) == 8 and fields[0].upper() == "SPEAKER":
            fields += ["<NA>", "<NA>"]
        if not 9 <= len(fields) <= 10:
            self._wrong_count(text, fields)
            return None
        if hidden(text):
            self._hidden(text, fields)
        kind = self._type(text, fields[0])
        if kind is None:
            return None
        onset = self._onset(text, kind, fields[3])
        duration = self._duration(text, kind, fields[4])
        ortho = self._ortho(text, kind, fields[5])
        subtype = self._subtype(text, kind, fields[6])
        confidence = self._confidence(text, fields[8])
        slat = self._number(text, 9, fields[9], "R008", "lookahead") if len(fields) == 10 else None
        names = [None if is_missing(name) else name for name in (fields[1], fields[2], fields[7])]
        speaker = names[2]
        if speaker is None and kind in NEEDS_SPEAKER:
            report.error(
                "R011",
                f"a {kind} record needs a speaker; field 8 is <NA>",
                "name the speaker",
                span_of(text, 7),
            )
        if report.n_errors == n_errors and kind == "SPKR-INFO":
            self._declare(text, names[0], names[1], speaker)
        if report.n_errors != n_errors:
            return None
        return RttmRecord(kind, names[0], names[1], onset, duration, ortho, subtype, speaker, confidence, slat)

    def _wrong_count(self, text: str, fields: list[str]) -> None:
        n_fields = len(fields)
        if n_fields == 1 and "," in fields[0]:
            what, fix, span = (
                "1 field, wanted 9 or 10: comma separated?",
                "separate the fields by blanks",
                None,
            )
        elif n_fields > 10:
            what, fix = (
                f"{n_fields} fields, wanted 9 or 10: a name with a blank (space)?",
                "replace the blank in the name, e.g. by '_'",
            )
            extra = n_fields - 10
            span = span_of(text, 7, 7 + extra) if is_missing(fields[5]) else span_of(text, 1, 1 + extra)
        else:
            lacking = ", ".join(FIELDS[n_fields:9])
            what = f"{n_fields} field{'s' * (n_fields != 1)}, wanted 9 or 10: {lacking} missing"
            fix, span = "write <NA> for what is not known", None
            if n_fields == 8:
                fix += "; pad=True (--pad) fills the last fields of SPEAKER lines"
        self.report.error("R001", what, fix, span)

    def _hidden(self, text: str, fields: list[str]) -> None:
        """Refuse a Unicode blank in a fixed field, warn of one in a name."""
        for i in _FIXED:
            found = BLANK.search(fields[i]) if i < len(fields) else None
            if found is not None:
                what = f"the {FIELDS[i]} has {describe(found.group())}, which separates nothing"
                self.report.error("T008", what, "replace it by a plain space, or remove it", span_of(text, i))
        for i in _NAMES:
            span = span_of(text, i)
            warn_hidden(self.report, fields[i], span[0] if span else 0, f"the {FIELDS[i]} {fields[i]!r}")

    def _type(self, text: str, field: str) -> str | None:
        kind = field.upper() if field.isascii() else field
        if kind not in SUBTYPES:
            from difflib import get_close_matches

            near = get_close_matches(kind, SUBTYPES, 1)
            fix = f"did you mean {near[0]}?" if near else "types: " + " ".join(SUBTYPES)
            self.report.error("R002", f"record type {field} is not an RTTM type", fix, span_of(text, 0))
            return None
        if kind != field:
            self.report.warning(
                "R110", f"record type {field} is not written in upper case", f"write {kind}", span_of(text, 0)
            )
        return kind

    def _onset(self, text: str, kind: str, field: str) -> Number:
        if kind == "SPKR-INFO":
            self._no_time(text, kind, 3, field)
            return None
        return self._time(text, 3, field, ("R003", "R004"), "onset")

    def _duration(self, text: str, kind: str, field: str) -> Number:
        if kind in NO_DURATION:
            self._no_time(text, kind, 4, field)
            return None
        noun = "turn duration" if kind == "SPEAKER" else "duration"
        value = self._time(text, 4, field, ("R005", "R005"), noun)
        if value == 0:
            fix = "remove the record, or mend its times; it is kept and counts for nothing"
            self.report.warning("R106", f"the {noun} is {field}, zero", fix, span_of(text, 4))
        return value

    def _no_time(self, text: str, kind: str, i: int, field: str) -> None:
        if not is_missing(field):
            code = "R010" if kind == "SPKR-INFO" else "R005"
            what = f"a {kind} record has no {FIELDS[i]}; it must be <NA>, not {field}"
            self.report.error(code, what, "write <NA>", span_of(text, i))

    def _time(self, text: str, i: int, field: str, codes: tuple[str, str], noun: str) -> Number:
        """Read a time; a star at its end marks an estimate and is dropped."""
        value = self._number(text, i, field, codes[0], noun, is_time=True)
        if value is not None and value < 0:
            fix = (
                "an end time may have been written where the duration belongs, or two segments were merged wrongly"
                if i == 4
                else "times count from the start of the recording"
            )
            self.report.error(codes[1], f"{noun} is {field}; it must not be negative", fix, span_of(text, i))
            return None
        if value is not None and self._scale is not None:
            value = value / self._scale
        return value

    def _number(self, text: str, i: int, field: str, code: str, noun: str, *, is_time: bool = False) -> Number:
        """Read a number; ``<NA>`` is None, and an error for a time."""
        if not is_time and is_missing(field):
            return None
        digits = field[:-1] if is_time and field.endswith("*") else field
        value = number(digits)
        if value is None:
            if not BLANK.search(field):  # said already
                what, fix = number_fault(digits)
                self.report.error(code, f"{noun} is {what}", fix, span_of(text, i))
            return None
        return value if self._decimal is None else self._decimal(digits)

    def _ortho(self, text: str, kind: str, field: str) -> str | None:
        if is_missing(field):
            return None
        if kind not in WITH_ORTHOGRAPHY:
            what = f"a {kind} record has the orthography {field!r}; only LEXEME and NON-LEX have one"
            self.report.warning("R112", what, "write <NA>", span_of(text, 5))
        return field

    def _subtype(self, text: str, kind: str, field: str) -> str | None:
        subtype = None if is_missing(field) else field.lower() if field.isascii() else field
        legal = SUBTYPES[kind]
        if subtype not in legal and not BLANK.search(field):
            names = " ".join(name or "<NA>" for name in legal)
            self.report.error("R007", f"{field} is not a subtype of {kind}; legal: {names}", "", span_of(text, 6))
        return subtype

    def _confidence(self, text: str, field: str) -> Number:
        value = self._number(text, 8, field, "R008", "confidence")
        if value is not None and not 0 <= value <= 1:
            self.report.warning("R108", f"confidence is {field}, outside 0 to 1", "", span_of(text, 8))
        return value

    def _declare(self, text: str, file: str | None, channel: str | None, speaker: str | None) -> None:
        """Keep a SPKR-INFO record; there is one per file, channel and speaker."""
        if speaker is None:
            self.report.error("R010", "a SPKR-INFO record names no speaker", "name the speaker", span_of(text, 7))
            return
        key = (file, (channel or "").lower(), speaker)
        first = self._declared.setdefault(key, self.report.line or 0)
        if first != self.report.line:
            what = f"a second SPKR-INFO record for speaker {speaker} of {file}; the first is on line {first}"
            self.report.error("R010", what, "keep one of them", span_of(text, 7))
