"""What all evaluators share: choices, signature, and how a score is told from a failure."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar, Literal

from pathbench.__about__ import __version__
from pathbench.audio import read_audio
from pathbench.errors import PathbenchError, UsageError
from pathbench.reasons import Detail, fault, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pathbench.audio import FloatArray, Recording, StrPath

    Audio = tuple[FloatArray, int]
    Place = tuple[StrPath, float, float]

__all__ = ["AnyEvaluator", "Compat", "Undefined", "guarded", "plain", "read_places", "speaker_detail", "told"]

log = logging.getLogger(__name__)

Undefined = Literal["zero", "none"]
Compat = Literal["upstream"]


def guarded(score: Callable[[], Detail]) -> Detail:
    """Run an evaluator; an exception becomes the reason ``evaluator_error``.

    Parameters
    ----------
    score : callable
        Gives a detail.

    Returns
    -------
    Detail
        What it gave, or the fault.

    Raises
    ------
    PathbenchError
        If the evaluator cannot work at all, for want of an extra for example.
    """
    try:
        return score()
    except PathbenchError:
        raise
    except Exception as error:  # evaluators of other people raise anything, and the run must go on
        log.debug("an evaluator failed", exc_info=True)
        return fault("evaluator_error", f"{type(error).__name__}: {error}")


class AnyEvaluator:
    """What all evaluators share: the choices for undefined scores, and the signature."""

    name: ClassVar[str] = ""
    undefined: Undefined = "zero"
    compat: Compat | None = None

    def _choose(self, undefined: Undefined, compat: Compat | None) -> None:
        """Keep the two choices that every evaluator of this package has."""
        if undefined not in ("zero", "none"):
            raise UsageError(f"undefined is {undefined!r}; it must be 'zero' or 'none'")
        if compat not in (None, "upstream"):
            raise UsageError(f"compat is {compat!r}; it must be 'upstream' or None")
        self.undefined = undefined
        self.compat = compat

    def _failed(self, reason: str, message: str = "", **extras: object) -> Detail:
        """Make the detail of an analysis that failed: 0.0 or None, as chosen."""
        return fault(reason, message, 0.0 if self.undefined == "zero" else None, **extras)

    def parameters(self) -> dict[str, object]:
        """Give every choice that changes the score.

        Returns
        -------
        dict of str to object
            The public attributes that are plain values, in the order in which they were set, then the two choices
            that all evaluators have.
        """
        plain = (str, int, float, bool, type(None))
        chosen = {k: v for k, v in vars(self).items() if not k.startswith("_") and isinstance(v, plain)}
        for name in ("undefined", "compat"):
            chosen.pop(name, None)
        return {**chosen, "undefined": self.undefined, "compat": self.compat}

    def signature(self, metric: str = "") -> str:
        """State what a score was computed with, in one line.

        Parameters
        ----------
        metric : str, default ""
            Name of the metric, if not that of the class.

        Returns
        -------
        str
            The signature; the same for the same choices.
        """
        chosen = "".join(f"|{key}:{_shown(value)}" for key, value in self.parameters().items())
        return f"pathbench|v:{__version__}|metric:{metric or self.name or type(self).__name__}{chosen}"

    def _has_own(self, method: str, base: type) -> bool:
        return getattr(type(self), method) is not getattr(base, method)

    def _nothing(self, *methods: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} defines none of {', '.join(methods)}")


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def plain(value: float | None) -> Detail:
    """Make a detail of what a plain method gave."""
    return fault("unstated") if value is None else Detail(value, None, {})


def told(path: StrPath, recording: Recording, detail: Detail) -> Detail:
    """Add the duration, and warn if the score is not sound."""
    if recording.audio is not None:
        detail = detail._replace(extras={**detail.extras, "duration": recording.duration})
    if detail.reason is not None:
        log.warning("%s", tell(str(path), detail))
    return detail


def read_places(files: Iterable[Place]) -> list[tuple[StrPath, Recording]]:
    """Read the recordings of a speaker; warn of those that cannot be read.

    Parameters
    ----------
    files : iterable of (path, start, end)
        The recordings or parts of them.

    Returns
    -------
    list of (path, Recording)
        Those with samples.
    """
    found = []
    for path, start, end in files:
        recording = read_audio(path, start, end)
        if recording.audio is None:
            log.warning("%s", tell(str(path), recording.fault))
        else:
            found.append((path, recording))
    return found


def speaker_detail(
    recordings: Sequence[tuple[StrPath, Recording]], detail_list: Callable[[list[Audio]], Detail]
) -> Detail:
    """Score the recordings of a speaker that could be read; warn if the score is not sound."""
    audios = [(recording.audio, recording.fs) for _, recording in recordings if recording.audio is not None]
    if not audios:
        return fault("load_error", "no recording of the speaker can be read")
    detail = guarded(lambda: detail_list(audios))
    if detail.reason is not None:
        seconds = sum(recording.duration for _, recording in recordings)
        detail = detail._replace(extras={**detail.extras, "duration": seconds})
        names = ", ".join(str(path) for path, _ in recordings[:3]) + (", …" if len(recordings) > 3 else "")
        log.warning("%s", tell(names, detail))
    return detail
