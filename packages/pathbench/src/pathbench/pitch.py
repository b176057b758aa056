"""Pitch of voiced speech as Praat finds it: how much it varies, and how far it reaches.

The analysis is Praat's, through parselmouth (GPL-3.0), which the extra ``signal`` installs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pathbench.evaluator import ReferenceFreeEvaluator, ReferenceFreeSpeakerEvaluator
from pathbench.praat import PITCH_WINDOW, failure, sound, voiced
from pathbench.reasons import fault, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathbench.audio import FloatArray
    from pathbench.base import Audio, Compat, Undefined
    from pathbench.reasons import Detail

__all__ = ["F0RangeEvaluator", "StdPitchEvaluator"]

SEMITONES = 39.86
"""Semitones in a factor of ten. Exact is 12 / log10(2) = 39.8631…; published scores were made with this."""

TOO_SHORT = f"too short: pitch needs {PITCH_WINDOW:g} s"


class StdPitchEvaluator(ReferenceFreeEvaluator):
    """Score the melody by the standard deviation of pitch, in semitones.

    Parameters
    ----------
    undefined : {"zero", "none"}, default "zero"
        What a recording with fewer than two voiced frames scores.
    compat : {"upstream"}, optional
        Changes nothing here.
    """

    name: ClassVar[str] = "std_pitch"

    def __init__(self, undefined: Undefined = "zero", compat: Compat | None = None) -> None:
        self._choose(undefined, compat)

    def detail_empty(self, message: str) -> Detail:
        """Say what a recording without samples scores."""
        return self._failed("empty_audio", message)

    def detail_audio(self, audio: FloatArray, fs: int) -> Detail:
        """Score mono samples, with the reason if there is no score."""
        import numpy as np

        if not len(audio):
            return self.detail_empty("has no samples")
        try:
            _, pitch = voiced(sound(audio, fs))
        except failure():
            return fault("too_short", TOO_SHORT)
        if len(pitch) < 2:
            return self._failed("no_voiced_frames", "fewer than two voiced frames")
        return scored(float(np.std(SEMITONES * np.log10(pitch))), n_voiced=len(pitch))


class F0RangeEvaluator(ReferenceFreeSpeakerEvaluator):
    """Score a speaker by the range of the fundamental frequency over all recordings, in Hz.

    Parameters
    ----------
    undefined : {"zero", "none"}, default "zero"
        What a speaker without voiced frames scores.
    compat : {"upstream"}, optional
        Changes nothing here.
    """

    name: ClassVar[str] = "f0_range"

    def __init__(self, undefined: Undefined = "zero", compat: Compat | None = None) -> None:
        self._choose(undefined, compat)

    def detail_audio_list(self, audios: Sequence[Audio]) -> Detail:
        """Score the recordings of a speaker, with the reason if there is no score."""
        lowest, highest, n_voiced, n_short = float("inf"), 0.0, 0, 0
        for audio, fs in audios:
            try:
                _, pitch = voiced(sound(audio, fs))
            except failure():
                n_short += 1
                continue
            if len(pitch):
                lowest, highest = min(lowest, pitch.min()), max(highest, pitch.max())
                n_voiced += len(pitch)
        if not n_voiced:
            return self._failed("too_short", TOO_SHORT) if n_short else self._failed("no_voiced_frames")
        return scored(highest - lowest, n_voiced=n_voiced, n_too_short=n_short)
