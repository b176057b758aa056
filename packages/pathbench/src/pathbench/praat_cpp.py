"""Smoothed cepstral peak prominence (CPPS) as Praat computes it.

The analysis is Praat's, through parselmouth (GPL-3.0), which the extra ``signal`` installs. Its default fit is robust
and slow: about 19 s of computing for a second of sound.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal

from pathbench.audio import is_segment, read_audio
from pathbench.errors import UsageError
from pathbench.evaluator import ReferenceFreeEvaluator
from pathbench.praat import call, failure, sound
from pathbench.reasons import fault, scored

if TYPE_CHECKING:
    from pathbench.audio import FloatArray, Recording, StrPath
    from pathbench.base import Compat, Undefined
    from pathbench.reasons import Detail

__all__ = ["PraatCPPEvaluator"]

FITS = {"robust": "Robust slow", "least squares": "Least squares"}
MIN_SAMPLES = 400
TIME_STEP, MAX_FREQUENCY, PRE_EMPHASIS_FROM = 0.002, 8000.0, 50.0  # s, Hz, Hz
TILT = (0.001, 0.05)  # s, quefrencies that the line is fitted to
TOLERANCE = 0.05


class PraatCPPEvaluator(ReferenceFreeEvaluator):
    """Score the voice by its smoothed cepstral peak prominence in dB; higher is more periodic.

    Parameters
    ----------
    pitch_floor, pitch_ceiling : float, default 60 and 330
        Range in Hz in which the peak is looked for.
    time_averaging_window, quefrency_averaging_window : float, default 0.02 and 0.0005
        Lengths of smoothing, in seconds.
    fit : {"robust", "least squares"}, default "robust"
        How the line under the cepstrum is fitted; least squares is hundreds of times faster, and gives other values.
    native : bool, default True
        Let ``score`` take a whole file at its own rate with all its channels, as upstream does; otherwise, and for
        parts and in the benchmark, 16 kHz mono is taken. The values differ.
    undefined : {"zero", "none"}, default "zero"
        What digital silence scores.
    compat : {"upstream"}, optional
        Changes nothing here.
    """

    name: ClassVar[str] = "cpp_praat"

    def __init__(
        self,
        pitch_floor: float = 60.0,
        pitch_ceiling: float = 330.0,
        time_averaging_window: float = 0.02,
        quefrency_averaging_window: float = 0.0005,
        fit: Literal["robust", "least squares"] = "robust",
        native: bool = True,
        undefined: Undefined = "zero",
        compat: Compat | None = None,
    ) -> None:
        if fit not in FITS:
            raise UsageError(f"fit is {fit!r}; it must be one of {', '.join(FITS)}")
        self.pitch_floor = pitch_floor
        self.pitch_ceiling = pitch_ceiling
        self.time_averaging_window = time_averaging_window
        self.quefrency_averaging_window = quefrency_averaging_window
        self.fit = fit
        self.native = native
        self._choose(undefined, compat)

    def _read(self, path: StrPath, start: float, end: float) -> Recording:
        """Read what `score` looks at."""
        if not self.native or is_segment(start, end):
            return super()._read(path, start, end)
        return read_audio(path, rate=None, dtype="float64", mono=False)

    def detail_audio(self, audio: FloatArray, fs: int) -> Detail:
        """Score samples, (samples,) or (channels, samples), with the reason if there is no score."""
        n_samples = audio.shape[-1]
        if not n_samples:
            return self.detail_empty("has no samples")
        if n_samples < MIN_SAMPLES:
            return fault("too_short", f"too short: {MIN_SAMPLES} samples are needed")
        if not audio.any():
            return self._failed("silent")
        try:
            cepstrogram = call(
                sound(audio, fs), "To PowerCepstrogram", 60.0, TIME_STEP, MAX_FREQUENCY, PRE_EMPHASIS_FROM
            )
            value = call(
                cepstrogram,
                "Get CPPS",
                True,
                self.time_averaging_window,
                self.quefrency_averaging_window,
                self.pitch_floor,
                self.pitch_ceiling,
                TOLERANCE,
                "Parabolic",
                *TILT,
                "Straight",
                FITS[self.fit],
            )
        except failure() as error:
            return fault("analysis_failed", f"Praat: {error}")
        if math.isnan(value):
            return fault("analysis_failed", "Praat finds no cepstral peak")
        return scored(value)
