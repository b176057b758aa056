"""Cepstral peak prominence: how far the cepstral peak of the voice stands out of the cepstrum around it.

Input is mono sound; scores are comparable at 16 kHz only. Everything is computed for blocks of frames at once.

References: Hillenbrand, Cleveland & Erickson, "Acoustic correlates of breathy vocal quality", JSHR 37, 1994;
Hillenbrand & Houde, "Acoustic correlates of breathy vocal quality: dysphonic voices and continuous speech", JSHR 39,
1996.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.reasons import fault, scored

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray
    from pathbench.base import Compat, Undefined
    from pathbench.reasons import Detail

__all__ = ["CPPDoubleLogEvaluator", "CPPEvaluator", "frame_cpp"]

EPS = 2.0**-52
PRE_EMPHASIS = 0.97
HIGHEST_F0 = 333.3  # Hz
LOWEST_F0 = 60.0  # Hz
BLOCK = 64  # frames that are transformed at once: small enough for the cache, and for memory that is used again
SILENT_FRAME = 22.20631188259938
"""Prominence in dB of a digitally silent frame in the double-log form with a line.

A cepstrum of silence is rounding noise of the transform at hand. Upstream's noise gives this value to every such
frame, and scores were published with it; a constant keeps them comparable and the same on every machine.
"""


class _Sizes(NamedTuple):
    """Lengths in samples, and the first and last quefrency index."""

    margin: int
    hop: int
    half: int
    first: int
    last: int


def _sizes(fs: int) -> _Sizes:
    margin = round(0.04 * fs)
    return _Sizes(margin, round(0.01 * fs), round(margin / 2), round(fs / HIGHEST_F0) - 1, round(fs / LOWEST_F0) - 1)


@lru_cache(maxsize=8)
def _window(fs: int) -> NDArray[np.float64]:
    import numpy as np

    length = 2 * _sizes(fs).half + 1
    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1, length + 1) / (length + 1)))


def _frames(audio: FloatArray, fs: int) -> NDArray[np.float64]:
    """Cut emphasised sound into overlapping frames, (frames, samples), without copying."""
    import numpy as np

    sizes = _sizes(fs)
    signal = audio.astype(np.float64)
    emphasised = np.empty_like(signal)
    emphasised[0] = signal[0]
    np.subtract(signal[1:], PRE_EMPHASIS * signal[:-1], out=emphasised[1:])
    first = sizes.margin - sizes.half  # 0-based start of the frame whose centre is, 1-based, margin + 1
    n_frames = (len(signal) - 2 * sizes.margin - 1) // sizes.hop + 1
    views = np.lib.stride_tricks.sliding_window_view(emphasised, 2 * sizes.half + 1)
    return views[first :: sizes.hop][: max(0, n_frames)]


def _cepstra(frames: NDArray[np.float64], fs: int, *, double_log: bool) -> Iterator[NDArray[np.float64]]:
    """Give the cepstral values between the two pitch limits, (frames, quefrencies), block by block."""
    import numpy as np
    import scipy.fft

    sizes, window = _sizes(fs), _window(fs)
    for start in range(0, len(frames), BLOCK):
        spectrum = np.abs(scipy.fft.rfft(frames[start : start + BLOCK] * window))
        cepstrum = np.abs(_even_transforms(20.0 * np.log10(spectrum + EPS))[:, sizes.first : sizes.last + 1])
        yield 20.0 * np.log10(cepstrum + EPS) if double_log else cepstrum


def _even_transforms(halves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Transform real and even sequences of odd length, given as halves (frames, half + 1); the result is real.

    Two of them are the real and the imaginary part of one complex transform. No matrix product: that of a linear
    algebra library would keep all cores spinning for a result that one core has as soon.
    """
    import numpy as np
    import scipy.fft

    n_frames, half = len(halves), halves.shape[1] - 1
    pairs = np.zeros(((n_frames + 1) // 2, 2 * half + 1), np.complex128)
    pairs.real[:, : half + 1] = halves[0::2]
    pairs.imag[: n_frames // 2, : half + 1] = halves[1::2]
    pairs[:, half + 1 :] = pairs[:, half:0:-1]
    both = scipy.fft.fft(pairs, overwrite_x=True)
    result = np.empty((n_frames, 2 * half + 1))
    result[0::2] = both.real
    result[1::2] = both.imag[: n_frames // 2]
    return result


def frame_cpp(audio: FloatArray, fs: int, *, norm: str = "line", double_log: bool = False) -> NDArray[np.float64]:
    """Compute the cepstral peak prominence of every frame.

    Parameters
    ----------
    audio : ndarray of float, shape (samples,)
        Mono sound.
    fs : int
        Its rate in Hz.
    norm : str, default "line"
        What the peak stands out of: ``line``, the least-squares line through the cepstrum of the frame; ``mean``, the
        mean of the cepstra of all frames; anything else, zero.
    double_log : bool, default False
        Take the logarithm of the cepstrum too.

    Returns
    -------
    ndarray of float64, shape (frames,)
        Prominence of each frame; empty if the sound is shorter than one frame with its margins, 80 ms.

    Notes
    -----
    Frames are 2 h + 1 samples, 641 at 16 kHz, and the transforms have that length, with no scaling.

    Examples
    --------
    >>> import numpy as np
    >>> frame_cpp(np.zeros(1280), 16000).size, frame_cpp(np.zeros(1281), 16000).size
    (0, 1)
    """
    import numpy as np

    sizes = _sizes(fs)
    if len(audio) < 2 * sizes.margin + 1:
        return np.empty(0)
    quefrency = np.arange(sizes.first, sizes.last + 1) - (sizes.first + sizes.last) / 2
    peaks: list[NDArray[np.float64]] = []
    means: list[NDArray[np.float64]] = []
    lines: list[NDArray[np.float64]] = []
    frames = _frames(audio, fs)
    for cepstrum in _cepstra(frames, fs, double_log=double_log):
        at = np.argmax(cepstrum, axis=1)
        peaks.append(np.take_along_axis(cepstrum, at[:, None], axis=1)[:, 0])
        means.append(cepstrum.mean(axis=1))
        slopes = np.einsum("fq,q->f", cepstrum, quefrency) / np.sum(quefrency**2)
        lines.append(slopes * quefrency[at])
    peak, mean = np.concatenate(peaks), np.concatenate(means)
    if norm == "line":
        prominence = peak - (mean + np.concatenate(lines))
        if double_log:
            prominence[~frames.any(axis=1)] = SILENT_FRAME
        return np.asarray(prominence)
    return np.asarray(peak - mean.mean() if norm == "mean" else peak)


class CPPEvaluator(ReferenceFreeEvaluator):
    """Score the voice by its mean cepstral peak prominence; higher is more periodic.

    Parameters
    ----------
    normOpt : str, default "line"
        What the peak stands out of, see `frame_cpp`.
    undefined : {"zero", "none"}, default "zero"
        What digital silence scores.
    compat : {"upstream"}, optional
        Give the value of the upstream project for digital silence, which is rounding noise.
    """

    name: ClassVar[str] = "cpp"
    double_log: ClassVar[bool] = False

    def __init__(self, normOpt: str = "line", undefined: Undefined = "zero", compat: Compat | None = None) -> None:  # noqa: N803
        self.normOpt = normOpt
        self._choose(undefined, compat)

    def detail_audio(self, audio: FloatArray, fs: int) -> Detail:
        """Score mono samples, with the reason if there is no score."""
        if not len(audio):
            return self.detail_empty("has no samples")
        frames: NDArray[Any] = frame_cpp(audio, fs, norm=self.normOpt, double_log=self.double_log)
        if not len(frames):
            return fault("too_short", f"too short: {2 * _sizes(fs).margin + 1} samples at {fs} Hz are needed")
        if not audio.any() and self.compat is None:
            return self._failed("silent")
        return scored(frames.mean(), n_frames=len(frames))


class CPPDoubleLogEvaluator(CPPEvaluator):
    """Score the voice by its mean cepstral peak prominence in dB; higher is more periodic.

    Parameters
    ----------
    normOpt : str, default "line"
        What the peak stands out of, see `frame_cpp`.
    undefined : {"zero", "none"}, default "zero"
        What digital silence scores.
    compat : {"upstream"}, optional
        Give the value of the upstream project for digital silence, which is rounding noise.
    """

    name: ClassVar[str] = "cpp_double_log"
    double_log: ClassVar[bool] = True
