"""The files of the benchmark: their names, gold alignments and submitted units.

Helpers for TextGrid and RTTM files are here too; they load what they need when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from discophon.languages import get_language

if TYPE_CHECKING:
    import os

    from discophon.languages import Language
    from discophon.rttm import read_rttm, rttm_to_textgrids
    from discophon.sequences import UnitSequences
    from discophon.textgrid import read_textgrid, write_textgrids

    StrPath = os.PathLike[str] | str

__all__ = [
    "DEFAULT_N_UNITS",
    "STEP_PHONES",
    "STEP_UNITS",
    "alignment_filename",
    "item_filename",
    "manifest_filename",
    "read_gold_annotations",
    "read_rttm",
    "read_submitted_units",
    "read_textgrid",
    "read_units",
    "rttm_to_textgrids",
    "units_filename",
    "write_textgrids",
]

DEFAULT_N_UNITS = 256
"""Number of different units of a many-to-one system."""

STEP_PHONES = 10
"""Time per phone of the gold annotations, in milliseconds."""

STEP_UNITS = 20
"""Time per unit unless said otherwise, in milliseconds."""

_HELPERS = {
    "read_rttm": "rttm",
    "read_textgrid": "textgrid",
    "rttm_to_textgrids": "rttm",
    "write_textgrids": "textgrid",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions of several signatures
    """Load a helper where it is first used."""
    if name not in _HELPERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"discophon.{_HELPERS[name]}"), name)


def _code(language: str | Language) -> str:
    return get_language(language).iso_639_3


def units_filename(language: str | Language, split: str) -> str:
    """Give the name of a file of units.

    Parameters
    ----------
    language : str or Language
        As `discophon.languages.get_language` takes it.
    split : str
        ``dev`` or ``test``.

    Returns
    -------
    str
        ``units-{iso}-{split}.jsonl``.

    Examples
    --------
    >>> units_filename("swahili", "dev")
    'units-swa-dev.jsonl'
    """
    return f"units-{_code(language)}-{split}.jsonl"


def alignment_filename(language: str | Language, split: str) -> str:
    """Give the name of a gold alignment.

    Parameters
    ----------
    language : str or Language
        As `discophon.languages.get_language` takes it.
    split : str
        ``dev`` or ``test``.

    Returns
    -------
    str
        ``alignment-{iso}-{split}.txt``.
    """
    return f"alignment-{_code(language)}-{split}.txt"


def item_filename(language: str | Language, split: str, *, kind: str) -> str:
    """Give the name of an item file.

    Parameters
    ----------
    language : str or Language
        As `discophon.languages.get_language` takes it.
    split : str
        ``dev`` or ``test``.
    kind : str
        ``triphone`` or ``phoneme``.

    Returns
    -------
    str
        ``{kind}-{iso}-{split}.item``.
    """
    return f"{kind}-{_code(language)}-{split}.item"


def manifest_filename(language: str | Language, split: str) -> str:
    """Give the name of a manifest.

    Parameters
    ----------
    language : str or Language
        As `discophon.languages.get_language` takes it.
    split : str
        ``dev``, ``test``, ``train-10h``, ``train-1h`` or ``train-10min``.

    Returns
    -------
    str
        ``manifest-{iso}-{split}.csv``.
    """
    return f"manifest-{_code(language)}-{split}.csv"


def read_gold_annotations(source: StrPath, *, step_in_ms: int = STEP_PHONES) -> dict[str, list[str]]:
    """Read a gold alignment.

    Parameters
    ----------
    source : path-like or str
        Text with the header ``#file onset offset #phone``, one phone a line, times in seconds; columns are found by
        name. Gzip or not; ``-`` is standard input.
    step_in_ms : int, default 10
        Time per phone in the result, in milliseconds; a divisor of 1000.

    Returns
    -------
    dict of str to list of str
        For every file, in sorted order, one phone per step.

    Raises
    ------
    FormatError
        If the header or a row breaks the format, or the entries of a file do not follow each other from 0 in whole
        steps, each at least one step long. The message has the line.
    MissingFileError
        If there is no such file.
    UsageError
        If `step_in_ms` does not divide 1000.
    speechio.SpeechioError
        If the file cannot be read as UTF-8 text.
    """
    from discophon.alignment import read_alignment

    return read_alignment(source, step_in_ms=step_in_ms).to_dict()


def read_submitted_units(source: StrPath) -> dict[str, list[int]]:
    """Read the units of one language and split.

    Parameters
    ----------
    source : path-like or str
        JSONL file, gzip or not, whose objects have ``file`` (a string) and ``units`` (a list of integers); other keys
        are ignored. ``-`` is standard input.

    Returns
    -------
    dict of str to list of int
        Units of every file, in the order of the source. A list may be empty.

    Raises
    ------
    FormatError
        If a file comes twice, if units are missing or one of them is no whole number, or if there is nothing.
    MissingFileError
        If there is no such file.
    speechio.SpeechioError
        If the file cannot be read, or a line is not a JSON object with both keys.
    """
    return read_units(source).to_dict()


def read_units(source: StrPath) -> UnitSequences:
    """Read the units of one language and split into flat arrays.

    Parameters
    ----------
    source : path-like or str
        As `read_submitted_units` takes it.

    Returns
    -------
    UnitSequences
        Units of every file, in the order of the source.

    Raises
    ------
    FormatError, MissingFileError, speechio.SpeechioError
        As `read_submitted_units` does.
    """
    from discophon.submission import read_submission

    return read_submission(source)
