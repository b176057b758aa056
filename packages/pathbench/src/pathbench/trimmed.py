"""Evaluators that see only the speech in a recording: it is trimmed first, as a trimmer finds it.

A trimmer is any object with ``trim(path, transcription, language, start, end)`` that gives ``(samples, rate)``, or
None where it cannot tell. A part of a recording is taken as it is, since it was cut by hand.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from pathbench.audio import Recording, is_segment, read_audio
from pathbench.base import AnyEvaluator, guarded, speaker_detail, told
from pathbench.errors import UsageError
from pathbench.evaluator import ReferenceTxtEvaluator
from pathbench.identity import attributes
from pathbench.identity import told as told_of
from pathbench.reasons import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathbench.audio import FloatArray, StrPath
    from pathbench.base import Audio, Place
    from pathbench.evaluator import (
        LanguageAwareSpeakerEvaluator,
        ReferenceFreeEvaluator,
        ReferenceFreeSpeakerEvaluator,
    )
    from pathbench.reasons import Detail

__all__ = [
    "TrimmedLanguageAwareSpeakerEvaluator",
    "TrimmedReferenceFreeEvaluator",
    "TrimmedReferenceFreeSpeakerEvaluator",
    "Trimmer",
    "trimmed",
]


log = logging.getLogger(__name__)


class Trimmer(Protocol):
    """What finds the speech in a recording."""

    def trim(
        self, path: StrPath, transcription: str, language: str, start: float = 0.0, end: float = -1.0
    ) -> tuple[FloatArray, int] | None:
        """Cut a recording at the ends of its speech.

        Parameters
        ----------
        path : path-like or str
            The recording.
        transcription : str
            What is said.
        language : str
            Its language.
        start, end : float
            The part, in seconds.

        Returns
        -------
        (ndarray, int) or None
            Mono samples and their rate in Hz; None if the speech cannot be found.
        """


def trimmed(trimmer: Trimmer, place: Place, transcription: str, language: str) -> Recording:
    """Read a recording and trim it; a part, and one that cannot be trimmed, is read as it is.

    Parameters
    ----------
    trimmer : Trimmer
        What trims.
    place : (path, start, end)
        The recording or a part of it.
    transcription : str
        What is said.
    language : str
        Its language.

    Returns
    -------
    Recording
        The samples, or why there are none.
    """
    path, start, end = place
    if not is_segment(start, end):
        try:
            found = trimmer.trim(path, transcription, language, start, end)
        except (ValueError, RuntimeError, OSError) as error:  # a trimmer that fails is one that cannot tell
            log.debug("%s: cannot be trimmed: %s", path, error, exc_info=True)
            found = None
        if found is not None and len(found[0]):
            return Recording(found[0], found[1])
    return read_audio(path, start, end)


def _parameters(inner: AnyEvaluator, trimmer: Trimmer) -> dict[str, object]:
    """Give what changes the score of a wrapper: which evaluator and which trimmer it has, and their own choices."""
    say = getattr(trimmer, "parameters", None)
    values = say() if callable(say) else attributes(trimmer)
    own = {f"trimmer.{name}": value for name, value in values.items()}
    name = inner.name or type(inner).__name__
    return {"trimmed": type(trimmer).__name__, **told_of(own, "trimmer"), "inner": name, **inner.parameters()}


class TrimmedReferenceFreeEvaluator(ReferenceTxtEvaluator):
    """Trim a recording, then score it with another evaluator.

    Parameters
    ----------
    inner : ReferenceFreeEvaluator
        What scores.
    trimmer : Trimmer
        What trims.
    """

    def __init__(self, inner: ReferenceFreeEvaluator, trimmer: Trimmer) -> None:
        self.inner = inner
        self.trimmer = trimmer
        self._choose(inner.undefined, inner.compat)

    def parameters(self) -> dict[str, object]:
        """Give every choice that changes the score; see `AnyEvaluator.parameters`."""
        return _parameters(self.inner, self.trimmer)

    def made_of(self) -> tuple[object, ...]:
        """List what has code of its own; see `AnyEvaluator.made_of`."""
        return (self, *self.inner.made_of(), self.trimmer)

    def score_detail(
        self,
        utterance_id: str,  # noqa: ARG002 (the call that all evaluators of this kind have)
        audio_path: StrPath,
        transcription: str,
        language: str,
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score a recording or a part of it; see `ReferenceTxtEvaluator.score_detail`."""
        recording = trimmed(self.trimmer, (audio_path, start_time, end_time), transcription, language)
        return told(audio_path, recording, guarded(lambda: self.inner.detail_recording(recording)))


class TrimmedSpeakerEvaluator(AnyEvaluator):
    """What the two wrappers for speakers share."""

    def __init__(self, inner: AnyEvaluator, trimmer: Trimmer) -> None:
        self.inner = inner
        self.trimmer = trimmer
        self._choose(inner.undefined, inner.compat)

    def parameters(self) -> dict[str, object]:
        """Give every choice that changes the score; see `AnyEvaluator.parameters`."""
        return _parameters(self.inner, self.trimmer)

    def made_of(self) -> tuple[object, ...]:
        """List what has code of its own; see `AnyEvaluator.made_of`."""
        return (self, *self.inner.made_of(), self.trimmer)

    def score(self, audio_files: Sequence[Place], transcriptions: Sequence[str], language: str) -> float | None:
        """Score a speaker.

        Parameters
        ----------
        audio_files : sequence of (path, start, end)
            The speaker's recordings or parts of them; those that cannot be read are left out, with a warning.
        transcriptions : sequence of str
            What is said in each.
        language : str
            The language spoken.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.

        Raises
        ------
        UsageError
            If there are not as many transcriptions as recordings.
        """
        return self.score_detail(audio_files, transcriptions, language).value

    def score_detail(self, audio_files: Sequence[Place], transcriptions: Sequence[str], language: str) -> Detail:
        """Score a speaker, with the reason if there is no score; see `score`."""
        recordings = _trim_all(self.trimmer, audio_files, transcriptions, language)
        return speaker_detail(recordings, lambda audios: self._detail_list(audios, language))

    def _detail_list(self, audios: list[Audio], language: str) -> Detail:
        raise NotImplementedError


class TrimmedReferenceFreeSpeakerEvaluator(TrimmedSpeakerEvaluator):
    """Trim all recordings of a speaker, then score them with another evaluator.

    Parameters
    ----------
    inner : ReferenceFreeSpeakerEvaluator
        What scores.
    trimmer : Trimmer
        What trims.
    """

    inner: ReferenceFreeSpeakerEvaluator

    def _detail_list(self, audios: list[Audio], language: str) -> Detail:  # noqa: ARG002
        return self.inner.detail_audio_list(audios)


class TrimmedLanguageAwareSpeakerEvaluator(TrimmedSpeakerEvaluator):
    """Trim all recordings of a speaker, then score them with another evaluator that knows the language.

    Parameters
    ----------
    inner : LanguageAwareSpeakerEvaluator
        What scores.
    trimmer : Trimmer
        What trims.
    """

    inner: LanguageAwareSpeakerEvaluator

    def _detail_list(self, audios: list[Audio], language: str) -> Detail:
        return self.inner.detail_audio_list(audios, language)


def _trim_all(
    trimmer: Trimmer, files: Sequence[Place], transcriptions: Sequence[str], language: str
) -> list[tuple[StrPath, Recording]]:
    """Trim the recordings of a speaker; warn of those that cannot be read."""
    if len(files) != len(transcriptions):
        raise UsageError(f"there are {len(files)} recordings and {len(transcriptions)} transcriptions")
    found = []
    for place, transcription in zip(files, transcriptions, strict=True):
        recording = trimmed(trimmer, place, transcription, language)
        if recording.audio is None:
            log.warning("%s", tell(str(place[0]), recording.fault))
        else:
            found.append((place[0], recording))
    return found
