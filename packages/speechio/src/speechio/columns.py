"""Tables in columns: numbers in `array.array`, text as codes into a list of distinct values.

numpy takes an array over without a copy: ``numpy.asarray(table.onset)``,
``numpy.asarray(table.speaker.codes)``.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NAN", "ColumnTable", "Record", "TextColumn", "or_nan", "or_none"]

NAN = float("nan")

Record = TypeVar("Record")


class TextColumn(Sequence["str | None"]):
    """Text field of a table: a code for every row, and the distinct values in order of their first row.

    Attributes
    ----------
    codes : array of int32
        For each row the place of its value in `values`.
    values : list of str or None
        The distinct values; None is a missing one.

    Examples
    --------
    >>> column = TextColumn()
    >>> column.extend(["a", "b", "a"])
    >>> list(column.codes), column.values, column[2]
    ([0, 1, 0], ['a', 'b'], 'a')
    """

    __slots__ = ("_code_of", "codes", "values")

    def __init__(self) -> None:
        self.codes: array[int] = array("i")
        self.values: list[str | None] = []
        self._code_of: dict[str | None, int] = {}

    def code(self, value: str | None) -> int:
        """Give the code of a value, a new one where it is new.

        Parameters
        ----------
        value : str or None
            Value of a row.

        Returns
        -------
        int
            Its place in `values`.
        """
        code = self._code_of.get(value)
        if code is None:
            code = self._code_of[value] = len(self.values)
            self.values.append(value)
        return code

    def append(self, value: str | None) -> None:
        """Add a row.

        Parameters
        ----------
        value : str or None
            Value of the row.
        """
        self.codes.append(self.code(value))

    def extend(self, values: Iterable[str]) -> None:
        """Add rows.

        Parameters
        ----------
        values : list of str
            Values of the rows.
        """
        rows = list(values)
        try:
            codes = array("i", map(self._code_of.__getitem__, rows))
        except KeyError:  # some are new
            for value in dict.fromkeys(rows):
                self.code(value)
            codes = array("i", map(self._code_of.__getitem__, rows))
        self.codes.extend(codes)

    def extend_same(self, value: str | None, n_rows: int) -> None:
        """Add rows that have all the same value.

        Parameters
        ----------
        value : str or None
            Value of the rows.
        n_rows : int
            Number of rows, >= 0.
        """
        if n_rows:
            self.codes.extend(array("i", [self.code(value)]) * n_rows)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> str | None: ...
    @overload
    def __getitem__(self, row: slice) -> list[str | None]: ...
    def __getitem__(self, row: int | slice) -> str | list[str | None] | None:
        if isinstance(row, slice):
            return [self.values[code] for code in self.codes[row]]
        return self.values[self.codes[row]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return self.values == other.values and self.codes == other.codes

    __hash__ = None  # type: ignore[assignment]  # a column can change

    def __repr__(self) -> str:
        return f"<TextColumn of {len(self)} rows, {len(self.values)} values>"


class ColumnTable(Sequence[Record], Generic[Record]):
    """Table in columns whose rows are records; a subclass says how to make one."""

    __slots__ = ("line",)

    def __init__(self) -> None:
        self.line: array[int] = array("q")

    @abstractmethod
    def record(self, row: int) -> Record:
        """Make the record of a row.

        Parameters
        ----------
        row : int
            Row, from 0.

        Returns
        -------
        record
            The same as the iterator of the format gives for this line.
        """

    def __len__(self) -> int:
        return len(self.line)

    @overload
    def __getitem__(self, row: int) -> Record: ...
    @overload
    def __getitem__(self, row: slice) -> list[Record]: ...
    def __getitem__(self, row: int | slice) -> Record | list[Record]:
        if isinstance(row, slice):
            return [self.record(i) for i in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of a table of {len(self)} rows")
        return self.record(row % len(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"


def or_nan(value: float | None) -> float:
    """Give NaN for a missing number.

    Parameters
    ----------
    value : float or None
        The number.

    Returns
    -------
    float
        The number or NaN.
    """
    return NAN if value is None else value


def or_none(value: float) -> float | None:
    """Give None for NaN.

    Parameters
    ----------
    value : float
        The number.

    Returns
    -------
    float or None
        The number or None.
    """
    return None if value != value else value
