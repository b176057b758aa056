"""P-STOI and P-ESTOI: how intelligible an utterance is, judged by others who say the same.

The computing is in `pathbench.intelligibility`; here recordings are read, and what was computed of references is kept
for the next utterance that has the same.

Reference: Janbakhshi, Kodrasi & Bourlard, "Pathological speech intelligibility assessment based on the short-time
objective intelligibility measure", ICASSP 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pathbench.audio import SAMPLE_RATE, Identity, Recording, identify, read_audio
from pathbench.base import guarded, told
from pathbench.cache import BoundedCache
from pathbench.errors import UsageError
from pathbench.evaluator import ReferenceAudioEvaluator
from pathbench.intelligibility import (
    SMOOTHING,
    band_envelopes,
    correlate_bands,
    correlate_frames,
    matched,
    pattern,
)
from pathbench.reasons import Detail, fault, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pathbench.audio import StrPath
    from pathbench.base import Compat, Place, Undefined
    from pathbench.intelligibility import Normalization

    Matrix = NDArray[np.float64]

__all__ = ["ESTOIEvaluator", "PSTOIEvaluator", "forget"]


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
        How signals are brought to a common level, see `pathbench.intelligibility.normalize`.
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
        How signals are brought to a common level, see `pathbench.intelligibility.normalize`.
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
