"""The computing behind P-STOI and P-ESTOI: envelopes, a pattern of references, correlations with it.

References are aligned with one of them and averaged to a pattern; the utterance is aligned with the pattern and
correlated with it, in short windows, band by band (P-STOI) or frame by frame over bands (P-ESTOI).

Reference: Janbakhshi, Kodrasi & Bourlard, "Pathological speech intelligibility assessment based on the short-time
objective intelligibility measure", ICASSP 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pathbench.dtw import align
from pathbench.gabor import band_magnitudes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray

    Matrix = NDArray[np.float64]

__all__ = [
    "SMOOTHING",
    "Normalization",
    "band_envelopes",
    "correlate_bands",
    "correlate_frames",
    "matched",
    "normalize",
    "pattern",
]

Normalization = Literal["RMS", "zero_mean"]
SMOOTHING = 5  # frames of a moving average
SEGMENT = 15  # frames of a window
CLIP = 1 + 10 ** (15 / 20)  # how far the utterance may stand over the pattern
FLAT = 1e-12  # standard deviation below which nothing can correlate


def normalize(audio: FloatArray, method: Normalization) -> Matrix:
    """Bring a signal to a common level.

    Parameters
    ----------
    audio : ndarray of float, shape (samples,)
        The signal.
    method : {"RMS", "zero_mean"}
        ``RMS``, as it is called, makes the peak 0.8; ``zero_mean`` makes mean 0 and variance 1.

    Returns
    -------
    ndarray of float64
        The signal; one that is zero or constant is left as it is.
    """
    import numpy as np

    signal = np.asarray(audio, dtype=np.float64)
    if method == "RMS":
        peak = np.max(np.abs(signal))
        return signal if peak == 0 else 0.8 * signal / peak
    spread = np.std(signal)
    return signal if spread == 0 else np.asarray((signal - np.mean(signal)) / spread)


def band_envelopes(audio: FloatArray, method: Normalization = "RMS", *, allow_short: bool = False) -> Matrix:
    """Compute smoothed logarithmic band envelopes without their means.

    Parameters
    ----------
    audio : ndarray of float, shape (samples,)
        Sound at 16 kHz.
    method : {"RMS", "zero_mean"}, default "RMS"
        See `normalize`.
    allow_short : bool, default False
        Smooth fewer than 5 frames too, as a convolution does whose arguments are exchanged: into constants.

    Returns
    -------
    ndarray of float64, shape (frames, 15)
        Envelopes; empty if there are fewer than 5 frames that are not silent.
    """
    import numpy as np

    bands = band_magnitudes(normalize(audio, method))
    n_frames = len(bands)
    if n_frames >= SMOOTHING:
        smooth = np.lib.stride_tricks.sliding_window_view(bands, SMOOTHING, axis=0).sum(axis=2) / SMOOTHING
    elif allow_short and n_frames:
        smooth = np.repeat(bands.sum(axis=0, keepdims=True) / SMOOTHING, SMOOTHING + 1 - n_frames, axis=0)
    else:
        return np.empty((0, bands.shape[1]))
    logarithm = np.log10(smooth)
    return np.asarray(logarithm - logarithm.mean(axis=0))


def pattern(envelopes: Sequence[Matrix], centroid: int = 0, *, include_centroid: bool = False) -> Matrix:
    """Average references after aligning them with one of them.

    Parameters
    ----------
    envelopes : sequence of ndarray, shape (frames, 15)
        Envelopes of the references.
    centroid : int, default 0
        Number of the reference that the others are aligned with.
    include_centroid : bool, default False
        Let that reference take part in the mean.

    Returns
    -------
    ndarray of float64, shape (frames, 15)
        The pattern, as long as the centroid.
    """
    import numpy as np

    others = [one for number, one in enumerate(envelopes) if number != centroid]
    middle = envelopes[centroid]
    partners = []
    for other, path in zip(others, align(others, middle) if others else [], strict=True):
        frames, first = np.unique(path[:, 1], return_index=True)  # the first met is the latest in time
        assert len(frames) == len(middle)
        partners.append(10.0 ** other[path[first, 0]])
    if include_centroid:
        partners.append(10.0**middle)
    return np.asarray(np.log10(np.mean(partners, axis=0)))


def matched(test: Matrix, reference: Matrix, *, frame_deletion: bool = True) -> tuple[Matrix, Matrix]:
    """Bring an utterance and a pattern to the same length.

    Parameters
    ----------
    test, reference : ndarray, shape (frames, 15)
        Envelopes.
    frame_deletion : bool, default True
        Use no frame twice.

    Returns
    -------
    reference, test : ndarray of float64, shape (frames, 15)
        Magnitudes of the frames that belong together, from the end to the start.
    """
    import numpy as np

    path = align([test], reference)[0]
    if frame_deletion:
        for column in (1, 0):
            path = path[np.append(True, path[1:, column] != path[:-1, column])]
    return 10.0 ** reference[path[:, 1]], 10.0 ** test[path[:, 0]]


def _pearson(x: Matrix, y: Matrix, axis: int) -> Matrix:
    """Correlate along an axis; 0 where either side is flat."""
    import numpy as np

    x = x - x.mean(axis=axis, keepdims=True)
    y = y - y.mean(axis=axis, keepdims=True)
    n = x.shape[axis]
    xx, yy = np.sqrt((x * x).sum(axis=axis)), np.sqrt((y * y).sum(axis=axis))
    flat = (xx / np.sqrt(n) < FLAT) | (yy / np.sqrt(n) < FLAT)
    products = np.where(flat, 1.0, xx * yy)
    return np.asarray(np.where(flat, 0.0, np.clip((x * y).sum(axis=axis) / products, -1.0, 1.0)))


def _windows(values: Matrix) -> Matrix:
    """Cut (frames, bands) into all windows of 15 frames, or of all: (windows, bands, frames)."""
    import numpy as np

    return np.lib.stride_tricks.sliding_window_view(values, min(SEGMENT, len(values)), axis=0)


def correlate_bands(reference: Matrix, test: Matrix) -> float:
    """Compute P-STOI of two sequences of the same length.

    Parameters
    ----------
    reference, test : ndarray, shape (frames, 15)
        Magnitudes.

    Returns
    -------
    float
        Mean correlation over bands and windows, from -1 to 1.
    """
    import numpy as np

    u, v = _windows(reference), _windows(test)
    gain = np.sqrt((u * u).sum(axis=2, keepdims=True) / (v * v).sum(axis=2, keepdims=True))
    found = _pearson(u, np.minimum(CLIP * u, gain * v), axis=2)
    return float(found[~np.isnan(found).any(axis=1)].mean())


def correlate_frames(reference: Matrix, test: Matrix) -> float:
    """Compute P-ESTOI of two sequences of the same length.

    Parameters
    ----------
    reference, test : ndarray, shape (frames, 15)
        Magnitudes.

    Returns
    -------
    float
        Mean correlation over frames and windows, from -1 to 1.
    """
    import numpy as np

    def standard(windows: Matrix) -> Matrix:
        centred = windows - windows.mean(axis=2, keepdims=True)
        return np.asarray(centred / (np.sqrt((centred * centred).mean(axis=2, keepdims=True)) + np.finfo(float).eps))

    return float(_pearson(standard(_windows(reference)), standard(_windows(test)), axis=1).mean())
