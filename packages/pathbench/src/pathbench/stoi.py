"""P-STOI and P-ESTOI: how intelligible an utterance is, judged by others who say the same.

References are aligned with one of them and averaged to a pattern; the utterance is aligned with the pattern and
correlated with it, in short windows, band by band (P-STOI) or frame by frame over bands (P-ESTOI).

Reference: Janbakhshi, Kodrasi & Bourlard, "Pathological speech intelligibility assessment based on the short-time
objective intelligibility measure", ICASSP 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from pathbench.audio import SAMPLE_RATE, Identity, Recording, identify, read_audio
from pathbench.base import guarded, told
from pathbench.cache import BoundedCache
from pathbench.dtw import align
from pathbench.errors import UsageError
from pathbench.evaluator import ReferenceAudioEvaluator
from pathbench.gabor import band_magnitudes
from pathbench.reasons import Detail, fault, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray, StrPath
    from pathbench.base import Compat, Place, Undefined

    Matrix = NDArray[np.float64]

__all__ = [
    "ESTOIEvaluator",
    "PSTOIEvaluator",
    "band_envelopes",
    "correlate_bands",
    "correlate_frames",
    "forget",
    "matched",
    "normalize",
    "pattern",
]

Normalization = Literal["RMS", "zero_mean"]
SMOOTHING = 5  # frames of a moving average
SEGMENT = 15  # frames of a window
CLIP = 1 + 10 ** (15 / 20)  # how far the utterance may stand over the pattern
FLAT = 1e-12  # standard deviation below which nothing can correlate


class Choices(NamedTuple):
    """What a pattern depends on beside its references."""

    normalization: Normalization
    centroid: int
    include_centroid: bool
    allow_short: bool


class Envelopes(NamedTuple):
    """Band envelopes of a recording, or why there are none."""

    values: Matrix | None
    fault: Detail | None = None


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


def _bytes(matrix: Matrix | None) -> int:
    return 512 + (0 if matrix is None else matrix.nbytes)


_ENVELOPES: BoundedCache[Envelopes] = BoundedCache(1 << 27, lambda envelopes: _bytes(envelopes.values))
_PATTERNS: BoundedCache[Matrix] = BoundedCache(1 << 25, _bytes)


def _envelopes(place: Identity, choices: Choices) -> Envelopes:
    """Give the envelopes of a recording, computed once."""
    key = (place, choices.normalization, choices.allow_short)
    found = _ENVELOPES.get(key)
    if found is None:
        found = _ENVELOPES[key] = _envelopes_of(place, choices)
    return found


def _envelopes_of(place: Identity, choices: Choices) -> Envelopes:
    path, _, _, start, end = place
    recording = read_audio(path, start, end, dtype="float64")
    if recording.audio is None:
        return Envelopes(None, recording.fault)
    if not recording.audio.any():
        return Envelopes(None, fault("silent", duration=recording.duration))
    values = band_envelopes(recording.audio, choices.normalization, allow_short=choices.allow_short)
    if not len(values):
        words = f"too short: {SMOOTHING} frames of 16 ms that are not silent are needed"
        return Envelopes(None, fault("too_short", words, duration=recording.duration))
    return Envelopes(values)


def _look(place: Place, choices: Choices) -> tuple[Identity, Envelopes]:
    """Find a recording and its envelopes."""
    path, start, end = place
    found = identify(path, start, -1.0 if end < 0 else end)
    if isinstance(found, Recording):
        return ("", 0, 0, 0.0, 0.0), Envelopes(None, found.fault)
    return found, _envelopes(found, choices)


def _pattern(places: Sequence[Identity], choices: Choices) -> Matrix:
    """Give the pattern of a list of references, computed once."""
    key = (tuple(places), choices)
    found = _PATTERNS.get(key)
    if found is None:
        values = [_envelopes(place, choices).values for place in places]
        usable = [one for one in values if one is not None]
        found = _PATTERNS[key] = pattern(usable, choices.centroid, include_centroid=choices.include_centroid)
    return found


def forget() -> None:
    """Drop the envelopes and patterns that this process remembers."""
    _ENVELOPES.clear()
    _PATTERNS.clear()


class _Intelligibility(ReferenceAudioEvaluator):
    """What P-STOI and P-ESTOI share: all but the correlation."""

    def __init__(
        self,
        normalization_method: Normalization = "RMS",
        centroid_ind: int = 0,
        frame_deletion: bool = True,
        fs: int = SAMPLE_RATE,
        include_centroid: bool = False,
        undefined: Undefined = "zero",
        compat: Compat | None = None,
    ) -> None:
        if normalization_method not in ("RMS", "zero_mean"):
            raise UsageError(f"normalization_method is {normalization_method!r}; it must be 'RMS' or 'zero_mean'")
        if fs != SAMPLE_RATE:
            raise UsageError(f"fs is {fs}; the bands are defined at {SAMPLE_RATE} Hz only")
        if centroid_ind < 0:
            raise UsageError(f"centroid_ind is {centroid_ind}; references are counted from 0")
        self.normalization_method = normalization_method
        self.centroid_ind = centroid_ind
        self.frame_deletion = frame_deletion
        self.fs = fs
        self.include_centroid = include_centroid
        self._choose(undefined, compat)

    def _correlate(self, reference: Matrix, test: Matrix) -> float:
        raise NotImplementedError

    def score_detail(
        self,
        utterance_id: str,  # noqa: ARG002 (the call that all evaluators of this kind have)
        audio_path: StrPath,
        reference_audios: Sequence[Place],
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score a recording or a part of it; see `ReferenceAudioEvaluator.score_detail`."""
        test = (audio_path, start_time, end_time)
        return told(audio_path, Recording(None, 0), guarded(lambda: self._detail(test, reference_audios or ())))

    def _detail(self, test: Place, references: Sequence[Place]) -> Detail:
        choices = Choices(
            self.normalization_method, self.centroid_ind, self.include_centroid, self.compat == "upstream"
        )
        if not references:
            return fault("no_reference", "has no reference recordings")
        utterance = _look(test, choices)[1]
        if utterance.values is None:
            return self._unusable(utterance.fault)
        usable, skipped = [], []
        for reference in references:
            place, found = _look(reference, choices)
            if found.fault is None:
                usable.append(place)
            else:
                skipped.append(f"{reference[0]}: {found.fault.extras['message']}")
        extras = {"n_references": len(usable), "skipped": skipped}
        if not usable:
            return fault("no_reference", "no reference recording can be used: " + "; ".join(skipped), None, **extras)
        if self.centroid_ind >= len(usable) or (len(usable) == 1 and not self.include_centroid):
            need = max(2 - self.include_centroid, self.centroid_ind + 1)
            words = f"has {len(usable)} usable reference recordings; {need} are needed"
            return fault("few_references", "; ".join([words, *skipped]), None, **extras)
        u, v = matched(utterance.values, _pattern(usable, choices), frame_deletion=self.frame_deletion)
        return scored(self._correlate(u, v), **extras)

    def _unusable(self, why: Detail | None) -> Detail:
        """Say what an utterance scores that cannot be analysed: silence is not intelligible."""
        why = why or fault("load_error")
        return why._replace(value=self._failed("silent").value) if why.reason == "silent" else why


class PSTOIEvaluator(_Intelligibility):
    """Score an utterance by P-STOI, from -1 to 1; higher is more intelligible.

    Parameters
    ----------
    normalization_method : {"RMS", "zero_mean"}, default "RMS"
        How signals are brought to a common level, see `normalize`.
    centroid_ind : int, default 0
        Number of the reference that the others are aligned with, among those that can be used.
    frame_deletion : bool, default True
        Use no frame twice in the comparison.
    fs : int, default 16000
        Rate in Hz; the bands are defined at 16000 only.
    include_centroid : bool, default False
        Let that reference take part in the mean, so that one reference is enough. The value then is another one.
    undefined : {"zero", "none"}, default "zero"
        What digital silence scores.
    compat : {"upstream"}, optional
        Score recordings of fewer than 5 frames too, which gives 0.
    """

    name: ClassVar[str] = "p_stoi"

    def _correlate(self, reference: Matrix, test: Matrix) -> float:
        return correlate_bands(reference, test)


class ESTOIEvaluator(_Intelligibility):
    """Score an utterance by P-ESTOI, from -1 to 1; higher is more intelligible.

    Parameters
    ----------
    normalization_method : {"RMS", "zero_mean"}, default "RMS"
        How signals are brought to a common level, see `normalize`.
    centroid_ind : int, default 0
        Number of the reference that the others are aligned with, among those that can be used.
    frame_deletion : bool, default True
        Use no frame twice in the comparison.
    fs : int, default 16000
        Rate in Hz; the bands are defined at 16000 only.
    include_centroid : bool, default False
        Let that reference take part in the mean, so that one reference is enough. The value then is another one.
    undefined : {"zero", "none"}, default "zero"
        What digital silence scores.
    compat : {"upstream"}, optional
        Score recordings of fewer than 5 frames too, which gives 0.
    """

    name: ClassVar[str] = "p_estoi"

    def _correlate(self, reference: Matrix, test: Matrix) -> float:
        return correlate_frames(reference, test)
