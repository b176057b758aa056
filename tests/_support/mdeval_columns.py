"""Turns of several recordings as the columns that the large engine of `mdeval` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mdeval.timeline import Turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Turn = tuple[float, float, str]  # begin, duration, speaker


def columns(recordings: Sequence[Sequence[Turn]], names: list[str]) -> Turns:
    rows = [(i, names.index(name), b, b + d) for i, some in enumerate(recordings) for b, d, name in some]
    recording, name, onset, offset = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Turns(
        np.array(recording, np.int64), np.array(name, np.int64), np.array(onset, float), np.array(offset, float)
    )


def zeros(recordings: Sequence[Sequence[Turn]]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    found = [(i, b) for i, some in enumerate(recordings) for b, d, _ in some if b + d <= b]
    return np.array([i for i, _ in found], np.int64), np.array([b for _, b in found], float)
