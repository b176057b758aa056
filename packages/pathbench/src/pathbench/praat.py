"""Praat's analyses, through parselmouth (GPL-3.0): an optional part, the extra ``signal``."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from pathbench.errors import import_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray

__all__ = ["PITCH_WINDOW", "call", "failure", "parselmouth", "sound", "voiced"]

PITCH_WINDOW = 3 / 75.0  # s: three periods of the lowest pitch looked for


def parselmouth() -> Any:  # noqa: ANN401 (the module has no types)
    """Import parselmouth.

    Returns
    -------
    module
        The module.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    return import_extra("parselmouth", "signal", "Praat analysis")


def failure() -> tuple[type[Exception], ...]:
    """Give the exceptions that Praat raises for sound that it cannot analyse.

    Returns
    -------
    tuple of type
        To be caught.
    """
    return (parselmouth().PraatError,)


def call(of: Any, command: str, *arguments: object) -> Any:  # noqa: ANN401
    """Run one of Praat's commands; what it merely warns of is left unsaid.

    Parameters
    ----------
    of : parselmouth.Data
        Object to run it on.
    command : str
        Name of the command.
    *arguments : object
        Its arguments.

    Returns
    -------
    object
        What the command gives.

    Raises
    ------
    PraatError
        If Praat refuses.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", parselmouth().PraatWarning)
        return parselmouth().praat.call(of, command, *arguments)


def sound(audio: FloatArray, fs: int) -> Any:  # noqa: ANN401
    """Make a Praat sound.

    Parameters
    ----------
    audio : ndarray of float, shape (samples,) or (channels, samples)
        Samples; not empty.
    fs : int
        Their rate in Hz.

    Returns
    -------
    parselmouth.Sound
        The sound.
    """
    import numpy as np

    return parselmouth().Sound(np.asarray(audio, dtype=np.float64), sampling_frequency=float(fs))


def voiced(of: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # noqa: ANN401
    """Find the pitch of the voiced frames: autocorrelation, 75 to 600 Hz, one frame every 10 ms.

    Parameters
    ----------
    of : parselmouth.Sound
        The sound.

    Returns
    -------
    times : ndarray of float64, shape (frames,)
        Times of the voiced frames, in seconds.
    pitch : ndarray of float64, shape (frames,)
        Their fundamental frequency in Hz.

    Raises
    ------
    PraatError
        If the sound is shorter than the window of 40 ms.
    """
    analysis = of.to_pitch()
    frequency = analysis.selected_array["frequency"]
    return analysis.xs()[frequency > 0], frequency[frequency > 0]
