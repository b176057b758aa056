"""Syllables per second, from syllable nuclei: voiced peaks of loudness with a dip before and after.

Method: de Jong & Wempe, "Praat script to detect syllable nuclei and measure speech rate automatically", Behavior
Research Methods 41(2), 2009; written afresh from the published method. The analyses are Praat's, through parselmouth
(GPL-3.0), which the extra ``signal`` installs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.praat import call, failure, sound
from pathbench.reasons import fault, scored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import FloatArray
    from pathbench.base import Compat, Undefined
    from pathbench.reasons import Detail

    Times = NDArray[np.float64]

__all__ = ["PraatSpeechRateEvaluator", "syllable_nuclei"]

LOWEST_PITCH = 50.0  # Hz, of the intensity contour
WINDOW = 6.4 / LOWEST_PITCH  # s, the shortest sound that has a contour
BELOW_LOUDEST = 25.0  # dB
DIP = 2.0  # dB
MIN_SILENCE, MIN_SOUNDING = 0.3, 0.1  # s


def syllable_nuclei(audio: FloatArray, fs: int) -> Times:
    """Find the syllables of a recording.

    Parameters
    ----------
    audio : ndarray of float, shape (samples,)
        Mono sound, not all zeros.
    fs : int
        Its rate in Hz.

    Returns
    -------
    ndarray of float64, shape (syllables,)
        Time of each nucleus, in seconds.

    Raises
    ------
    PraatError
        If the sound is shorter than 0.128 s.
    """
    import numpy as np

    whole = sound(audio, fs)
    contour = whole.to_intensity(LOWEST_PITCH)
    loudest = call(contour, "Get quantile", 0.0, 0.0, 0.99)
    highest = call(contour, "Get maximum", 0.0, 0.0, "Parabolic")
    threshold = max(loudest - BELOW_LOUDEST, call(contour, "Get minimum", 0.0, 0.0, "Parabolic"))
    times, heights = _peaks(contour, threshold)
    if len(times) < 2:
        return np.empty(0)
    times = times[:-1][heights[:-1] - _dips(contour, times) > DIP]
    silence = loudest - highest - BELOW_LOUDEST
    return times[_sounding(contour, silence, times) & _is_voiced(whole, times)]


def _peaks(contour: Any, threshold: float) -> tuple[Times, Times]:  # noqa: ANN401
    """Find the local maxima of the contour above a threshold: their times and heights in dB."""
    import numpy as np

    curve = call(call(contour, "Down to Matrix"), "To Sound (slice)", 1)
    points = call(curve, "To PointProcess (extrema)", 1, "yes", "no", "Sinc70")
    n_points = call(points, "Get number of points")
    times = np.array([call(points, "Get time from index", i + 1) for i in range(n_points)])
    heights = np.array([call(curve, "Get value at time", 1, time, "Cubic") for time in times])
    is_high = heights > threshold
    return times[is_high], heights[is_high]


def _dips(contour: Any, times: Times) -> Times:  # noqa: ANN401
    """Give the lowest frame of the contour between each peak and the next, in dB."""
    import numpy as np

    frames = contour.xs()
    first = np.searchsorted(frames, times[:-1], side="left")
    last = np.searchsorted(frames, times[1:], side="right")
    values = contour.values[0]
    return np.array([values[i:j].min(initial=np.inf) for i, j in zip(first, last, strict=True)])


def _sounding(contour: Any, threshold: float, times: Times) -> NDArray[np.bool_]:  # noqa: ANN401
    """Tell which times lie in a stretch that is not silent."""
    import numpy as np

    grid = call(contour, "To TextGrid (silences)", threshold, MIN_SILENCE, MIN_SOUNDING, "silent", "sounding")
    n_parts = call(grid, "Get number of intervals", 1)
    ends = np.array([call(grid, "Get end time of interval", 1, i + 1) for i in range(n_parts)])
    sounding = np.array([call(grid, "Get label of interval", 1, i + 1) == "sounding" for i in range(n_parts)])
    return np.asarray(sounding[np.minimum(np.searchsorted(ends, times, side="right"), n_parts - 1)])


def _is_voiced(whole: Any, times: Times) -> NDArray[np.bool_]:  # noqa: ANN401
    """Tell which times have a pitch."""
    import numpy as np

    pitch = whole.to_pitch_ac(
        time_step=0.02,
        pitch_floor=30.0,
        max_number_of_candidates=4,
        very_accurate=False,
        silence_threshold=0.03,
        voicing_threshold=0.25,
        octave_cost=0.01,
        octave_jump_cost=0.35,
        voiced_unvoiced_cost=0.25,
        pitch_ceiling=450.0,
    )
    return np.array([not np.isnan(pitch.get_value_at_time(time)) for time in times], dtype=bool)


class PraatSpeechRateEvaluator(ReferenceFreeEvaluator):
    """Score an utterance by its syllables per second, pauses included.

    Parameters
    ----------
    undefined : {"zero", "none"}, default "zero"
        What digital silence and a recording without samples score.
    compat : {"upstream"}, optional
        Changes nothing here.

    Notes
    -----
    ``score`` analyses a file at its own rate, the benchmark at 16 kHz; counts differ by a syllable at times.
    """

    name: ClassVar[str] = "praat_speech_rate"
    rate: ClassVar[int | None] = None

    def __init__(self, undefined: Undefined = "zero", compat: Compat | None = None) -> None:
        self._choose(undefined, compat)

    def detail_empty(self, message: str) -> Detail:
        """Say what a recording without samples scores."""
        return self._failed("empty_audio", message)

    def detail_audio(self, audio: FloatArray, fs: int) -> Detail:
        """Score mono samples, with the reason if there is no score."""
        if not len(audio):
            return self.detail_empty("has no samples")
        if len(audio) < WINDOW * fs:
            return fault("too_short", f"too short: {WINDOW:g} s are needed")
        if not audio.any():
            return self._failed("silent")
        try:
            nuclei = syllable_nuclei(audio, fs)
        except failure() as error:
            return fault("analysis_failed", f"Praat: {error}")
        return scored(len(nuclei) * fs / len(audio), n_syllables=len(nuclei))
