"""Words per minute: how many words were to be said in the time of a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pathbench.audio import read_audio
from pathbench.base import told
from pathbench.evaluator import ReferenceTxtEvaluator
from pathbench.reasons import scored

if TYPE_CHECKING:
    from pathbench.audio import StrPath
    from pathbench.base import Compat, Undefined
    from pathbench.reasons import Detail

__all__ = ["WpmEvaluator"]


class WpmEvaluator(ReferenceTxtEvaluator):
    """Score an utterance by its words per minute, pauses included.

    Parameters
    ----------
    undefined : {"zero", "none"}, default "zero"
        What an utterance without words or without samples scores.
    compat : {"upstream"}, optional
        Changes nothing here.

    Notes
    -----
    Words are what blanks separate in the transcription as it is, so a Chinese sentence without blanks is one word.
    """

    name: ClassVar[str] = "wpm"

    def __init__(self, undefined: Undefined = "zero", compat: Compat | None = None) -> None:
        self._choose(undefined, compat)

    def score_detail(
        self,
        utterance_id: str,  # noqa: ARG002 (the call that all evaluators of this kind have)
        audio_path: StrPath,
        transcription: str,
        language: str,  # noqa: ARG002
        start_time: float = 0.0,
        end_time: float = -1.0,
    ) -> Detail:
        """Score a recording or a part of it; see `ReferenceTxtEvaluator.score_detail`."""
        recording = read_audio(audio_path, start_time, end_time)
        n_words = len(transcription.split())
        if recording.audio is None:
            empty = recording.reason == "empty_audio"
            detail = self._failed("empty_audio", recording.message) if empty else recording.fault
        elif not n_words:
            detail = self._failed("empty_reference", "the transcription has no words")
        else:
            detail = scored(60.0 * n_words / recording.duration, n_words=n_words)
        return told(audio_path, recording, detail)
