"""What an evaluator is: seven base classes, told apart by what a score is computed from, and their calls.

A subclass gives scores through one of two methods: the plain one (``_score_audio``, ``_score_audio_list`` or
``score``), which returns a number or None, or the detailed one (``detail_audio``, ``detail_audio_list`` or
``score_detail``), which also says why there is no score. The base class makes the other out of it. The benchmark
chooses by base class only. Three wrappers that trim recordings first are in `pathbench.trimmed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pathbench.audio import SAMPLE_RATE, read_audio
from pathbench.base import AnyEvaluator, guarded, plain, read_places, speaker_detail, told
from pathbench.reasons import Detail, fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathbench.audio import FloatArray, Recording, StrPath
    from pathbench.base import Audio, Place
    from pathbench.trimmed import (
        TrimmedLanguageAwareSpeakerEvaluator,
        TrimmedReferenceFreeEvaluator,
        TrimmedReferenceFreeSpeakerEvaluator,
    )

__all__ = [
    "LanguageAwareSpeakerEvaluator",
    "LookupEvaluator",
    "ReferenceAudioEvaluator",
    "ReferenceFreeEvaluator",
    "ReferenceFreeSpeakerEvaluator",
    "ReferenceTxtAndAudioEvaluator",
    "ReferenceTxtEvaluator",
    "TrimmedLanguageAwareSpeakerEvaluator",
    "TrimmedReferenceFreeEvaluator",
    "TrimmedReferenceFreeSpeakerEvaluator",
]


class LookupEvaluator(AnyEvaluator):
    """Score an utterance by its ID alone."""

    def score(self, utterance_id: str) -> Any:  # noqa: ANN401 (tables may hold anything)
        """Give the value of an utterance.

        Parameters
        ----------
        utterance_id : str
            The utterance.

        Returns
        -------
        object
            The value; None if there is none.
        """
        if not self._has_own("score_detail", LookupEvaluator):
            raise self._nothing("score", "score_detail")
        return self.score_detail(utterance_id).value

    def score_detail(self, utterance_id: str) -> Detail:
        """Give the value that `score` gives, and why there is none."""
        if not self._has_own("score", LookupEvaluator):
            raise self._nothing("score", "score_detail")
        value = self.score(utterance_id)
        return fault("no_entry", f"{utterance_id} has no entry in the table") if value is None else plain(value)


class ReferenceFreeEvaluator(AnyEvaluator):
    """Score an utterance from its recording alone.

    Attributes
    ----------
    rate : int or None
        Rate in Hz that ``score`` reads at; None for that of the file.
    """

    rate: ClassVar[int | None] = SAMPLE_RATE

    def _score_audio(self, audio: FloatArray, fs: int) -> float | None:
        """Score mono samples at `fs` Hz; None if there is no score."""
        return self.detail_audio(audio, fs).value

    def detail_audio(self, audio: FloatArray, fs: int) -> Detail:
        """Score mono samples, with the reason if there is no score.

        Parameters
        ----------
        audio : ndarray of float, shape (samples,)
            Mono samples, not to be written to; may be empty.
        fs : int
            Their rate in Hz.

        Returns
        -------
        Detail
            Value, reason, extras.
        """
        if not self._has_own("_score_audio", ReferenceFreeEvaluator):
            raise self._nothing("_score_audio", "detail_audio")
        return plain(self._score_audio(audio, fs))

    def detail_empty(self, message: str) -> Detail:
        """Say what a recording without samples scores.

        Parameters
        ----------
        message : str
            What is wrong with it.

        Returns
        -------
        Detail
            None, with the reason ``empty_audio``.
        """
        return fault("empty_audio", message)

    def score(
        self, utterance_id: str, audio_path: StrPath, start_time: float = 0.0, end_time: float = -1.0
    ) -> float | None:
        """Score a recording or a part of it.

        Parameters
        ----------
        utterance_id : str
            The utterance.
        audio_path : path-like or str
            Its recording.
        start_time, end_time : float, default 0.0 and -1.0
            The part, in seconds; a negative end is that of the recording.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        return self.score_detail(utterance_id, audio_path, start_time, end_time).value

    def score_detail(
        self, utterance_id: str, audio_path: StrPath, start_time: float = 0.0, end_time: float = -1.0
    ) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        if self._has_own("score", ReferenceFreeEvaluator):
            return guarded(lambda: plain(self.score(utterance_id, audio_path, start_time, end_time)))
        recording = self._read(audio_path, start_time, end_time)
        return told(audio_path, recording, self.detail_recording(recording))

    def _read(self, path: StrPath, start: float, end: float) -> Recording:
        """Read what `score` looks at."""
        return read_audio(path, start, end, rate=self.rate)

    def detail_recording(self, recording: Recording) -> Detail:
        """Score a recording that was read, or could not be.

        Parameters
        ----------
        recording : Recording
            Of `pathbench.audio.read_audio`.

        Returns
        -------
        Detail
            Value, reason, extras.
        """
        audio = recording.audio
        if audio is not None:
            return guarded(lambda: self.detail_audio(audio, recording.fs))
        return self.detail_empty(recording.message) if recording.reason == "empty_audio" else recording.fault


class ReferenceTxtEvaluator(AnyEvaluator):
    """Score an utterance from its recording and what was to be said."""

    def score(
        self,
        utterance_id: str,
        audio_path: StrPath,
        transcription: str,
        language: str,
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> float | None:
        """Score a recording or a part of it.

        Parameters
        ----------
        utterance_id : str
            The utterance.
        audio_path : path-like or str
            Its recording.
        transcription : str
            What was to be said.
        language : str
            Language of the transcription.
        start_time, end_time : float, default 0.0 and -1.0
            The part, in seconds; a negative end is that of the recording.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        if not self._has_own("score_detail", ReferenceTxtEvaluator):
            raise self._nothing("score", "score_detail")
        return self.score_detail(utterance_id, audio_path, transcription, language, start_time, end_time).value

    def score_detail(
        self,
        utterance_id: str,
        audio_path: StrPath,
        transcription: str,
        language: str,
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        if not self._has_own("score", ReferenceTxtEvaluator):
            raise self._nothing("score", "score_detail")
        return guarded(
            lambda: plain(self.score(utterance_id, audio_path, transcription, language, start_time, end_time))
        )


class ReferenceAudioEvaluator(AnyEvaluator):
    """Score an utterance from its recording and recordings of others who say the same."""

    def score(
        self,
        utterance_id: str,
        audio_path: StrPath,
        reference_audios: Sequence[Place],
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> float | None:
        """Score a recording or a part of it.

        Parameters
        ----------
        utterance_id : str
            The utterance.
        audio_path : path-like or str
            Its recording.
        reference_audios : sequence of (path, start, end)
            The references, in order.
        start_time, end_time : float, default 0.0 and -1.0
            The part, in seconds; a negative end is that of the recording.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        if not self._has_own("score_detail", ReferenceAudioEvaluator):
            raise self._nothing("score", "score_detail")
        return self.score_detail(utterance_id, audio_path, reference_audios, start_time, end_time).value

    def score_detail(
        self,
        utterance_id: str,
        audio_path: StrPath,
        reference_audios: Sequence[Place],
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        if not self._has_own("score", ReferenceAudioEvaluator):
            raise self._nothing("score", "score_detail")
        return guarded(lambda: plain(self.score(utterance_id, audio_path, reference_audios, start_time, end_time)))


class ReferenceTxtAndAudioEvaluator(AnyEvaluator):
    """Score an utterance from its recording, what was to be said, and recordings of others who say the same."""

    def score(
        self,
        utterance_id: str,
        audio_path: StrPath,
        transcription: str,
        language: str,
        reference_audios: Sequence[Place],
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> float | None:
        """Score a recording or a part of it.

        Parameters
        ----------
        utterance_id : str
            The utterance.
        audio_path : path-like or str
            Its recording.
        transcription : str
            What was to be said.
        language : str
            Language of the transcription.
        reference_audios : sequence of (path, start, end)
            The references, in order.
        start_time, end_time : float, default 0.0 and -1.0
            The part, in seconds; a negative end is that of the recording.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        if not self._has_own("score_detail", ReferenceTxtAndAudioEvaluator):
            raise self._nothing("score", "score_detail")
        return self.score_detail(
            utterance_id, audio_path, transcription, language, reference_audios, start_time, end_time
        ).value

    def score_detail(
        self,
        utterance_id: str,
        audio_path: StrPath,
        transcription: str,
        language: str,
        reference_audios: Sequence[Place],
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        if not self._has_own("score", ReferenceTxtAndAudioEvaluator):
            raise self._nothing("score", "score_detail")
        return guarded(
            lambda: plain(
                self.score(utterance_id, audio_path, transcription, language, reference_audios, start_time, end_time)
            )
        )


class ReferenceFreeSpeakerEvaluator(AnyEvaluator):
    """Score a speaker from all of that speaker's recordings."""

    def _score_audio_list(self, audios: Sequence[Audio]) -> float | None:
        """Score a list of (mono samples, rate in Hz); None if there is no score."""
        return self.detail_audio_list(audios).value

    def detail_audio_list(self, audios: Sequence[Audio]) -> Detail:
        """Score the recordings of a speaker, with the reason if there is no score.

        Parameters
        ----------
        audios : sequence of (ndarray, int)
            Mono samples and rate in Hz of each recording.

        Returns
        -------
        Detail
            Value, reason, extras.
        """
        if not self._has_own("_score_audio_list", ReferenceFreeSpeakerEvaluator):
            raise self._nothing("_score_audio_list", "detail_audio_list")
        return plain(self._score_audio_list(audios))

    def score(self, audio_files: Sequence[Place]) -> float | None:
        """Score a speaker.

        Parameters
        ----------
        audio_files : sequence of (path, start, end)
            The speaker's recordings or parts of them; those that cannot be read are left out, with a warning.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        return self.score_detail(audio_files).value

    def score_detail(self, audio_files: Sequence[Place]) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        return speaker_detail(read_places(audio_files), self.detail_audio_list)


class LanguageAwareSpeakerEvaluator(AnyEvaluator):
    """Score a speaker from all of that speaker's recordings, in a known language."""

    def _score_audio_list(self, audios: Sequence[Audio], language: str) -> float | None:
        """Score a list of (mono samples, rate in Hz) in a language; None if there is no score."""
        return self.detail_audio_list(audios, language).value

    def detail_audio_list(self, audios: Sequence[Audio], language: str) -> Detail:
        """Score the recordings of a speaker, with the reason if there is no score.

        Parameters
        ----------
        audios : sequence of (ndarray, int)
            Mono samples and rate in Hz of each recording.
        language : str
            The language spoken.

        Returns
        -------
        Detail
            Value, reason, extras.
        """
        if not self._has_own("_score_audio_list", LanguageAwareSpeakerEvaluator):
            raise self._nothing("_score_audio_list", "detail_audio_list")
        return plain(self._score_audio_list(audios, language))

    def score(self, audio_files: Sequence[Place], language: str) -> float | None:
        """Score a speaker.

        Parameters
        ----------
        audio_files : sequence of (path, start, end)
            The speaker's recordings or parts of them; those that cannot be read are left out, with a warning.
        language : str
            The language spoken.

        Returns
        -------
        float or None
            The score; None if there is none, which a warning explains.
        """
        return self.score_detail(audio_files, language).value

    def score_detail(self, audio_files: Sequence[Place], language: str) -> Detail:
        """Score as `score` does, and say why there is no score; a warning tells a reason."""
        return speaker_detail(read_places(audio_files), lambda audios: self.detail_audio_list(audios, language))


def __getattr__(name: str) -> object:
    """Find the wrappers, which stand in a module of their own and are known under this one too."""
    if name.startswith("Trimmed") and name in __all__:
        from pathbench import trimmed

        return getattr(trimmed, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
