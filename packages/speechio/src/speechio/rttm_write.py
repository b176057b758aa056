"""Lines of RTTM as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from speechio.errors import FormatError, Report, WriteError
from speechio.rttm_line import LineParser, RttmRecord
from speechio.write import format_number, format_time, write_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["RttmWriter"]


class RttmWriter:
    """Turn records into lines that read back as the same records.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    digits : int or None
        Decimals of the times; None for the shortest exact form.
    """

    def __init__(self, name: str, digits: int | None) -> None:
        self.name = name
        self.digits = digits
        self._parser = LineParser(Report(name))

    def lines(self, records: Iterable[RttmRecord[Any]]) -> Iterator[str]:
        """Give the lines of records.

        Parameters
        ----------
        records : iterable of RttmRecord
            What to write.

        Yields
        ------
        str
            Line without its end.

        Raises
        ------
        WriteError
            If a record would not read back.
        """
        for i, record in enumerate(records, 1):
            try:
                text = self._line(record)
                self._parser.report.at(i)
                self._parser.parse(text)
            except FormatError as error:
                raise WriteError(self.name, i, error.what, error.fix) from None
            except ValueError as error:
                raise WriteError(self.name, i, str(error)) from None
            yield text

    def _line(self, record: RttmRecord[Any]) -> str:
        return " ".join(
            (
                record.type,
                write_token("file", record.file),
                write_token("channel", record.channel),
                "<NA>" if record.onset is None else format_time(record.onset, self.digits),
                "<NA>" if record.duration is None else format_time(record.duration, self.digits),
                write_token("orthography", record.ortho),
                write_token("subtype", record.subtype),
                write_token("speaker", record.speaker),
                "<NA>" if record.confidence is None else format_number(record.confidence),
                "<NA>" if record.slat is None else format_number(record.slat),
            )
        )
