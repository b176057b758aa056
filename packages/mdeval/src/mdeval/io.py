"""Read RTTM and UEM files into plain dictionaries, under the names that scripts know."""

from __future__ import annotations

import os

from mdeval.utils import Segment
from speechio.rttm import read_rttm
from speechio.uem import read_uem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

__all__ = ["load_rttm", "load_uem"]


def load_rttm(path: str | os.PathLike[str]) -> dict[str, dict[str, dict[str, list[dict[str, Any]]]]]:
    """Read an RTTM file.

    Parameters
    ----------
    path : path-like or str
        The file, gzip or not; ``-`` is standard input.

    Returns
    -------
    dict
        ``data[file][channel][type]`` is a list of records in the order of the file: dictionaries with ``TYPE, FILE,
        CHNL, TBEG, TDUR, TEND, SPKR, SUBT, WORD``. Times in seconds; a missing time is 0.0 and a missing text
        ``"<NA>"``, as in md-eval.

    Raises
    ------
    speechio.SpeechioError
        At the first fault of the file, or if it cannot be read.

    Examples
    --------
    >>> turns = load_rttm("docs/examples/ami/ref.rttm")["ES2004a"]["1"]["SPEAKER"]  # doctest: +SKIP
    """
    data: dict[str, dict[str, dict[str, list[dict[str, Any]]]]] = {}
    for item in read_rttm(path):
        onset, duration = item.onset or 0.0, item.duration or 0.0
        file_id, channel = item.file or "<NA>", item.channel or "<NA>"
        data.setdefault(file_id, {}).setdefault(channel, {}).setdefault(item.type, []).append(
            {
                "TYPE": item.type,
                "FILE": file_id,
                "CHNL": channel,
                "TBEG": onset,
                "TDUR": duration,
                "TEND": onset + duration,
                "SPKR": item.speaker or "<NA>",
                "SUBT": item.subtype or "<NA>",
                "WORD": item.ortho or "<NA>",
            }
        )
    return data


def load_uem(path: str | os.PathLike[str]) -> dict[str, dict[str, list[Segment]]]:
    """Read a UEM file.

    Parameters
    ----------
    path : path-like or str
        The file; ``-`` is standard input.

    Returns
    -------
    dict
        ``data[file][channel]`` is a list of `Segment`, in seconds, in the order of the file. Names as written.

    Raises
    ------
    speechio.SpeechioError
        At the first fault of the file, or if it cannot be read.
    """
    data: dict[str, dict[str, list[Segment]]] = {}
    for region in read_uem(path):
        data.setdefault(region.file, {}).setdefault(region.channel, []).append(Segment(region.start, region.end))
    return data
