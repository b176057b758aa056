"""Why a score does not exist: the reason codes, and a score together with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["REASONS", "Detail", "fault", "scored", "tell"]

REASONS: dict[str, str] = {
    "load_error": "cannot be read",
    "empty_audio": "has no samples",
    "too_short": "too short",
    "silent": "digital silence",
    "no_voiced_frames": "no voiced frames",
    "empty_reference": "empty reference text",
    "no_reference": "no reference recording that can be used",
    "few_references": "too few reference recordings",
    "no_phones": "no phones to align",
    "align_failed": "alignment failed",
    "no_lm": "no language model",
    "unsupported_language": "unsupported language",
    "no_entry": "no entry in the table",
    "analysis_failed": "analysis failed",
    "unstated": "the evaluator gave no score and no reason",
    "reference_skipped": "some reference recordings cannot be used",
    "not_a_number": "the score is not a number (NaN)",
    "evaluator_error": "the evaluator failed",
}
"""Each code in words. ``evaluator_error`` stands for an exception, the others for data that cannot be scored."""


class Detail(NamedTuple):
    """A score with what is to be known about it.

    Attributes
    ----------
    value : float or None
        The score; None if there is none.
    reason : str or None
        A code of `REASONS`; None for a sound score. A value of 0.0 may have one: see `undefined`.
    extras : mapping of str to object
        ``message`` says more than the code, ``duration`` is that of the recording in seconds; others by evaluator.
    """

    value: float | None
    reason: str | None
    extras: Mapping[str, object]


def scored(value: float, **extras: object) -> Detail:
    """Make the detail of a sound score.

    Parameters
    ----------
    value : float
        The score.
    **extras : object
        What else is to be known.

    Returns
    -------
    Detail
        Without a reason.
    """
    return Detail(float(value), None, extras)


def fault(reason: str, message: str = "", value: float | None = None, **extras: object) -> Detail:
    """Make the detail of a score that does not exist.

    Parameters
    ----------
    reason : str
        A code of `REASONS`.
    message : str, default ""
        Words that say more than those of the code.
    value : float, optional
        What stands for the score all the same.
    **extras : object
        What else is to be known.

    Returns
    -------
    Detail
        With the reason, and ``extras["message"]``.
    """
    return Detail(value, reason, {"message": message or REASONS[reason], **extras})


def tell(name: str, detail: Detail) -> str:
    """Say in one line what is wrong with the score of a recording.

    Parameters
    ----------
    name : str
        The recording.
    detail : Detail
        The score, with a reason.

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> tell("tiny.wav", fault("too_short", duration=0.02))
    'tiny.wav: 0.02 s, too short'
    """
    duration = detail.extras.get("duration")
    words = str(detail.extras.get("message") or REASONS.get(detail.reason or "", ""))
    return f"{name}: {duration:.2f} s, {words}" if isinstance(duration, float) else f"{name}: {words}"
