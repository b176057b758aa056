"""Readers, writers and a lint for the file formats of speech research.

Names are loaded where they are first used, so that ``import speechio`` costs little.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from speechio.__about__ import __version__

if TYPE_CHECKING:
    from speechio.columns import ColumnTable, TextColumn
    from speechio.errors import (
        AlignmentError,
        FormatError,
        InputError,
        Problem,
        SpeechioError,
        UsageError,
        WriteError,
    )
    from speechio.rttm import RttmRecord, RttmTable, iter_rttm, read_rttm, write_rttm
    from speechio.uem import UemRecord, UemTable, iter_uem, read_uem, write_uem

__all__ = [
    "AlignmentError",
    "ColumnTable",
    "FormatError",
    "InputError",
    "Problem",
    "RttmRecord",
    "RttmTable",
    "SpeechioError",
    "TextColumn",
    "UemRecord",
    "UemTable",
    "UsageError",
    "WriteError",
    "__version__",
    "iter_rttm",
    "iter_uem",
    "read_rttm",
    "read_uem",
    "write_rttm",
    "write_uem",
]

_MODULE_OF = {
    name: module
    for module, names in {
        "columns": "ColumnTable TextColumn",
        "errors": ("AlignmentError FormatError InputError Problem SpeechioError UsageError WriteError"),
        "rttm": "RttmRecord RttmTable iter_rttm read_rttm write_rttm",
        "uem": "UemRecord UemTable iter_uem read_uem write_uem",
    }.items()
    for name in names.split()
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
