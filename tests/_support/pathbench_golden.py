"""Golden recordings and scores of `pathbench`, and small sounds made by rule."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import soundfile

from pathbench.audio import read_audio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

DATA = Path(__file__).resolve().parents[1] / "pathbench" / "data"
RATE = 16000


@cache
def golden(name: str) -> dict[str, Any]:
    """Read a file of expected scores; NaN stands as ``"NaN"`` in it."""
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def recording(name: str) -> str:
    """Find a recording; its path may name none."""
    found = DATA / "audio" / f"{name}.wav"
    return str(found if found.exists() else found.with_suffix(".flac"))


def samples(name: str, start: float = 0.0, end: float = -1.0) -> Samples:
    """Read a recording at 16 kHz; none for one without samples."""
    audio = read_audio(recording(name), start, end).audio
    return np.empty(0, np.float32) if audio is None else audio.astype(np.float32)


def close(got: float | None, want: object, *, rel: float = 0.0, tol: float = 0.0) -> bool:
    """Compare a score with a golden one."""
    if got is None or want is None:
        return got is want
    if want == "NaN":
        return math.isnan(got)
    assert isinstance(want, (int, float))
    return math.isclose(got, want, rel_tol=rel, abs_tol=tol)


def tone(seconds: float = 0.5, pitch: float = 150.0, rate: int = RATE) -> Samples:
    """Make a buzz with twelve harmonics: voiced, as far as Praat can tell."""
    time = np.arange(round(seconds * rate)) / rate
    wave = sum(np.sin(2 * np.pi * pitch * k * time) / k for k in range(1, 13))
    return np.asarray(0.2 * wave, dtype=np.float32)


def write(path: Path, audio: NDArray[Any], rate: int = RATE) -> str:
    """Write 16-bit sound; the format goes by the suffix."""
    soundfile.write(path, audio, rate, subtype=None if path.suffix in (".ogg", ".mp3") else "PCM_16")
    return str(path)
