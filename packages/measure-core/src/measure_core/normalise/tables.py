"""Files of two columns, for replacing tokens and for mapping phones; faults are told with file and line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from measure_core.errors import InputError, from_speechio

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TokenTable", "read_token_table"]

_DIGEST_LENGTH = 8


@dataclass(frozen=True, slots=True)
class TokenTable:
    """What a file of two columns says.

    Parameters
    ----------
    path : str
        The file.
    table : mapping of str to str
        First to second column.
    """

    path: str
    table: Mapping[str, str]

    @property
    def name(self) -> str:
        """Name for a signature: the file's name and a digest of what it says, not of how it is laid out.

        Returns
        -------
        str
            For instance ``phones.map#1a2b3c4d``.
        """
        from measure_core.normalise.pipeline import escaped

        text = "".join(f"{key}\t{value}\n" for key, value in sorted(self.table.items()))
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
        return f"{escaped(os.path.basename(self.path))}#{digest}"


def read_token_table(path: str, *, separator: Literal["tab", "blanks"]) -> TokenTable:
    """Read a file of two columns.

    Parameters
    ----------
    path : str
        The file, gzip or not.
    separator : {"tab", "blanks"}
        ``tab``: one token, a tab, and what stands for it, which may be empty or several tokens. ``blanks``: two
        words. Blank lines are skipped.

    Returns
    -------
    TokenTable
        First to second column.

    Raises
    ------
    InputError
        If the file cannot be read, or a line has other columns or contradicts an earlier one.
    """
    import speechio
    from speechio.errors import Report
    from speechio.text import read_lines

    table: dict[str, str] = {}
    seen: dict[str, int] = {}
    try:
        for number, line in read_lines(path, Report(path)):
            if not line.strip():
                continue
            token, value = _columns(path, number, line, separator)
            if table.setdefault(token, value) != value:
                what = f"{path}:{number}: {token!r} becomes {value!r}, but line {seen[token]} says {table[token]!r}"
                raise InputError(what, fixes=["keep one of the lines"], path=path, line=number)
            seen.setdefault(token, number)
    except (speechio.FormatError, speechio.InputError) as fault:
        raise from_speechio(fault) from fault
    if not table:
        raise InputError(f"{path}: there is nothing in it", fixes=["write one pair a line"], path=path)
    return TokenTable(path, table)


def _columns(path: str, number: int, line: str, separator: Literal["tab", "blanks"]) -> tuple[str, str]:
    """Take a line apart."""
    if separator == "blanks":
        fields = line.split()
        if len(fields) == 2:
            return fields[0], fields[1]
        what = f"{path}:{number}: {len(fields)} word{'s' * (len(fields) != 1)}, wanted two"
        raise InputError(
            what, [line.strip()], ["write a phone and its class, with a blank between"], path=path, line=number
        )
    fields = line.split("\t")
    if len(fields) == 2 and len(fields[0].split()) == 1:
        return fields[0].strip(), " ".join(fields[1].split())
    fault = f"{len(fields) - 1} tabs, wanted one" if len(fields) != 2 else f"{fields[0]!r} is not one token"
    fix = "write a token, a tab, and what stands for it; nothing after the tab drops the token"
    raise InputError(f"{path}:{number}: {fault}", [line.strip()], [fix], path=path, line=number)
