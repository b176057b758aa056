"""What all evaluators share: choices, signature, and how a score is told from a failure."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pathbench.audio import read_audio
from pathbench.errors import MissingDependencyError, UsageError
from pathbench.identity import attributes, shown
from pathbench.identity import told as as_json
from pathbench.reasons import Detail, fault, tell
from pathbench.sources import is_ours, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pathbench.audio import FloatArray, Recording, StrPath

    Audio = tuple[FloatArray, int]
    Place = tuple[StrPath, float, float]

__all__ = ["AnyEvaluator", "Compat", "Undefined", "guarded", "plain", "read_places", "said", "speaker_detail", "told"]

log = logging.getLogger(__name__)

Undefined = Literal["zero", "none"]
Compat = Literal["upstream"]

_LONGEST = 300


def guarded(score: Callable[[], Detail]) -> Detail:
    """Run an evaluator; whatever it raises, or gives that is no detail, becomes the reason ``evaluator_error``.

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
    MissingDependencyError
        If the evaluator cannot work at all, for want of an extra.
    KeyboardInterrupt
        If the user wants to stop.
    """
    try:
        return _detail(score())
    except (KeyboardInterrupt, MissingDependencyError):
        raise
    except BaseException as error:  # evaluators of other people raise anything, even SystemExit, and the run goes on
        log.debug("an evaluator failed", exc_info=True)
        return fault("evaluator_error", said(error))


def said(error: BaseException) -> str:
    """Write an exception in one line.

    Parameters
    ----------
    error : BaseException
        The exception.

    Returns
    -------
    str
        Its class, and what it says if it can say something.

    Examples
    --------
    >>> said(ValueError("no such model"))
    'ValueError: no such model'
    """
    try:
        words = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 (what other people define may fail here too)
        words = ""
    name = type(error).__name__
    return f"{name}: {words:.{_LONGEST}}" if words else name


def _detail(given: object) -> Detail:
    """Take a detail, or a tuple like one, and nothing else."""
    if isinstance(given, tuple) and len(given) == len(Detail._fields):
        value, reason, extras = given
        if isinstance(reason, str | None) and isinstance(extras, Mapping):
            return Detail(value, reason, extras)
    raise TypeError(f"gave {type(given).__name__}, not a Detail of value, reason and extras")


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
            The attributes, in the order in which they were set, then the two choices that all evaluators have.
            Attributes that begin with ``_`` count too, but for those of the classes of this package. What is no
            plain value, nor made of such, is told by a digest of all it holds.

        Raises
        ------
        UsageError
            If an attribute holds what cannot be told from something else: a subclass says itself what matters then.
        """
        cls = type(self)
        skipped = ("undefined", "compat")
        chosen = {
            name: value
            for name, value in attributes(self).items()
            if name not in skipped and not (is_ours(cls) and name.startswith("_"))
        }
        return {**as_json(chosen, cls.__name__), "undefined": self.undefined, "compat": self.compat}

    def signature(self, metric: str = "") -> str:
        """State what a score was computed with, in one line.

        Parameters
        ----------
        metric : str, default ""
            Name of the metric, if not that of the class.

        Returns
        -------
        str
            The signature; the same for the same choices and the same code.
        """
        words = ((key, value if key == "undefined" else shown(value)) for key, value in self.parameters().items())
        chosen = "".join(f"|{key}:{word}" for key, word in words)  # `undefined` is one of two words, without quotes
        beginning, end = signed(self.made_of())
        return f"{beginning}|metric:{metric or self.name or type(self).__name__}{chosen}{end}"

    def made_of(self) -> tuple[object, ...]:
        """List what has code of its own: the evaluator, and what it wraps."""
        return (self,)

    def _has_own(self, method: str, base: type) -> bool:
        return getattr(type(self), method) is not getattr(base, method)

    def _nothing(self, *methods: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} defines none of {', '.join(methods)}")


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
