"""TextGrid files by way of praatio: reading, putting tiers in, and writing what reads back."""

from __future__ import annotations

import os
import re
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from discophon.errors import FormatError, UsageError
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SUFFIX", "load_praatio", "open_grid", "put_tier", "render_grid"]

SUFFIX = ".TextGrid"
"""How names of TextGrid files end."""

_LIKE_FORMAT = re.compile(r"item ?\[|intervals ?\[|ooTextFile short")


def load_praatio() -> Any:  # noqa: ANN401 - praatio is not typed
    """Load the library of TextGrids.

    Returns
    -------
    module
        ``praatio.textgrid``.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        from praatio import textgrid
    except ModuleNotFoundError as error:
        raise UsageError("TextGrids need praatio; install it with: pip install praatio") from error
    return textgrid


def open_grid(path: str) -> Any:  # noqa: ANN401 - praatio's Textgrid
    """Read a TextGrid.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    praatio.textgrid.Textgrid
        What is in it, empty labels included.

    Raises
    ------
    FormatError
        If it cannot be read as one.
    """
    from praatio.utilities.errors import PraatioException

    try:
        grid = load_praatio().openTextgrid(path, includeEmptyIntervals=True, reportingMode="silence")
        _unescape_points(grid, path)
    except OSError as error:
        raise FormatError(path, None, f"cannot be read: {error.strerror or error}") from error
    except UnicodeError as error:
        raise FormatError(path, None, "not UTF-8 or UTF-16 text", "save it from Praat as UTF-8") from error
    except (PraatioException, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        why = f": {said(error)}" if isinstance(error, PraatioException) else ""  # others are of its code
        what = f"not a TextGrid that can be read{why}"
        raise FormatError(path, None, what, "open it in Praat and save it as a text file") from error
    return grid


def _unescape_points(grid: Any, path: str) -> None:  # noqa: ANN401 - praatio's Textgrid
    """Write quotes in the labels of points once, which the library leaves doubled in files of the long kind."""
    module = load_praatio()
    for name, tier in zip(grid.tierNames, grid.tiers, strict=True):
        if isinstance(tier, module.PointTier) and any('""' in label for _, label in tier.entries) and _is_long(path):
            points = [module.constants.Point(time, label.replace('""', '"')) for time, label in tier.entries]
            grid.replaceTier(name, tier.new(entries=points), reportingMode="silence")


def _is_long(path: str) -> bool:
    with open(path, "rb") as stream:
        text = stream.read().replace(b"\0", b"")  # as UTF-16 has them
    return b"item [" in text and b"ooTextFile short" not in text


def put_tier(grid: Any, name: str, tier: Iterable[tuple[float, float, str]]) -> None:  # noqa: ANN401 - praatio's Textgrid
    """Add a tier, or replace the one of its name; the whole grows with it.

    Parameters
    ----------
    grid : praatio.textgrid.Textgrid
        Changed in place.
    name : str
        Name of the tier.
    tier : iterable of (float, float, str)
        Start, end (seconds) and label of its intervals, sorted, at least one.

    Raises
    ------
    UsageError
        If the name or a label cannot stand in a TextGrid.
    """
    module = load_praatio()
    _check_text("tier name", name)
    entries = list(tier)
    for _, _, text in entries:
        _check_text("label", text)
    made = module.IntervalTier(name, [module.constants.Interval(*entry) for entry in entries], 0.0, entries[-1][1])
    if name in grid.tierNames:
        grid.replaceTier(name, made, reportingMode="silence")
    else:
        grid.addTier(made, reportingMode="silence")
    for each in grid.tiers:  # Praat wants one span for all
        each.maxTimestamp = grid.maxTimestamp


def _check_text(noun: str, text: str) -> None:
    """Refuse what would not read back."""
    if text != text.strip() or any(character in text for character in "\r\n\0") or (noun == "tier name" and not text):
        raise UsageError(f"the {noun} {text!r} is empty, or has a line break or a blank at an end")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"the {noun} {text!r} is not text that UTF-8 can hold") from None


def render_grid(grid: Any, path: str) -> bytes:  # noqa: ANN401 - praatio's Textgrid
    """Give what a TextGrid that reads back as it is has in its file.

    Parameters
    ----------
    grid : praatio.textgrid.Textgrid
        What to write.
    path : str
        Where to, for the message.

    Returns
    -------
    bytes
        The text. Where a tier has no interval, there is an empty one, for Praat wants the whole span filled.

    Raises
    ------
    UsageError
        If a name or a label would not read back.
    """
    with TemporaryDirectory(prefix="discophon-") as folder:  # the library writes to names alone
        place = os.path.join(folder, f"whole{SUFFIX}")
        grid.save(
            place, format="long_textgrid", includeBlankSpaces=True, minimumIntervalLength=None, reportingMode="silence"
        )
        try:
            again = open_grid(place)
            is_same = again.tierNames == grid.tierNames and all(map(_is_same, again.tiers, grid.tiers))
        except FormatError:
            is_same = False
        if not is_same:
            raise UsageError(f"{path}: {_why_not(grid)}")
        with open(place, "rb") as stream:
            return stream.read()


def _is_same(one: Any, other: Any) -> bool:  # noqa: ANN401 - tiers of praatio
    """Compare labels; empty ones fill what is between the others."""
    labels, others = ([entry[-1] for entry in tier.entries if entry[-1]] for tier in (one, other))
    return bool(labels == others)


def _why_not(grid: Any) -> str:  # noqa: ANN401 - praatio's Textgrid
    """Name what looks like a part of the format itself."""
    texts = (*grid.tierNames, *(entry[-1] for tier in grid.tiers for entry in tier.entries))
    odd = next((text for text in texts if _LIKE_FORMAT.search(text)), None)
    named = "a name or a label" if odd is None else repr(odd)
    return f"{named} looks like a part of the format, so the TextGrid would not read back; write it otherwise"
