"""A Gabor transform with a tight window, in third-octave bands: what P-STOI and P-ESTOI look at.

The window is the canonical tight window of a periodic Hamming window of 512 samples at hop 256, in closed form.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray

__all__ = ["BANDS", "LENGTH", "band_magnitudes", "magnitudes", "tight_window"]

LENGTH = 512  # samples of the window, and channels
HOP = 256  # samples
BANDS = (4, 5, 7, 9, 11, 14, 17, 22, 27, 34, 43, 54, 68, 86, 109, 137)
"""First bins of the 15 bands at 16 kHz, and the bin after the last.

Centres are 150 * 2**(j/3) Hz; edges, a sixth of an octave to both sides, go to the nearest of the bins of 31.25 Hz.
"""


@lru_cache(maxsize=1)
def tight_window() -> NDArray[np.float64]:
    """Make the window, centred.

    Returns
    -------
    ndarray of float64, shape (512,)
        Values at the distances -256, -255, ... 255 samples from the centre.

    Notes
    -----
    With h(m) = 0.54 + 0.46 cos(2 pi m / 512): 1 / sqrt(512) at the centre, h(m) / sqrt(512 (h(m)^2 + h(256 - m)^2))
    beside it, 0 at -256.
    """
    import numpy as np

    distance = np.abs(np.arange(-HOP, HOP))

    def hamming(m: NDArray[np.int_]) -> NDArray[np.float64]:
        return np.asarray(0.54 + 0.46 * np.cos(2 * np.pi * m / LENGTH))

    h = hamming(distance)
    window = h / np.sqrt(LENGTH * (h**2 + hamming(HOP - distance) ** 2))
    window[HOP] = 1 / np.sqrt(LENGTH)
    window[0] = 0.0
    return window


def magnitudes(signal: FloatArray) -> NDArray[np.float64]:
    """Compute the magnitudes of the transform.

    Parameters
    ----------
    signal : ndarray of float, shape (samples,)
        Sound at 16 kHz; taken as periodic after zeros are added up to a multiple of 512 samples.

    Returns
    -------
    ndarray of float64, shape (frames, 257)
        Frame n is centred on sample 256 n.
    """
    import numpy as np
    import scipy.fft

    length = max(1, -(-len(signal) // LENGTH)) * LENGTH
    padded = np.zeros(length + LENGTH)
    padded[HOP : HOP + len(signal)] = signal
    padded[:HOP] = padded[length : length + HOP]
    padded[length + HOP :] = padded[HOP : 2 * HOP]
    frames = np.lib.stride_tricks.sliding_window_view(padded, LENGTH)[:length:HOP]
    return np.asarray(np.abs(scipy.fft.rfft(frames * tight_window())))


def band_magnitudes(signal: FloatArray) -> NDArray[np.float64]:
    """Compute the magnitudes in third-octave bands, without digitally silent frames.

    Parameters
    ----------
    signal : ndarray of float, shape (samples,)
        Sound at 16 kHz.

    Returns
    -------
    ndarray of float64, shape (frames, 15)
        Root of the energy in each band; frames in which any bin is exactly zero are left out.
    """
    import numpy as np

    found = magnitudes(signal)
    power = found[(found != 0).all(axis=1), BANDS[0] : BANDS[-1]] ** 2
    starts = np.array(BANDS[:-1]) - BANDS[0]
    return np.asarray(np.sqrt(np.add.reduceat(power, starts, axis=1)))
