"""What a score was computed with, in one line, in the spirit of SacreBLEU's signature."""

from __future__ import annotations

from mdeval.__about__ import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from mdeval.counts import RecordingScore
    from mdeval.recording import Key

__all__ = ["signature", "uem_source"]


def signature(
    metric: str,
    *,
    collar: float,
    ignore_overlap: bool,
    uem: str,
    missing: str = "miss",
    channels: str = "matched",
) -> str:
    """State every choice that changes the number, defaults included, in a fixed order.

    Parameters
    ----------
    metric : str
        Name of the metric.
    collar : float
        Half-width of the collar, in seconds.
    ignore_overlap : bool
        Whether overlapped reference speech was left out.
    uem : str
        Where the evaluated regions came from: ``file``, ``inferred``, or ``file+inferred`` when some recordings had
        no entry.
    missing : str, default "miss"
        What became of recordings without system output.
    channels : str, default "matched"
        ``matched``, or ``ignored`` when all channels of a file were taken as one.

    Returns
    -------
    str
        The signature.

    Examples
    --------
    >>> signature("der", collar=0.25, ignore_overlap=False, uem="file").partition("|metric:")[2]
    'der|collar:0.25|overlap:scored|uem:file|zones:DEFAULT|missing:miss|channels:matched'
    """
    overlap = "excluded" if ignore_overlap else "scored"
    return (
        f"mdeval|v:{__version__}|metric:{metric}|collar:{collar:g}|overlap:{overlap}|uem:{uem}|zones:DEFAULT"
        f"|missing:{missing}|channels:{channels}"
    )


def uem_source(scores: Sequence[RecordingScore], uem: Container[Key] | None) -> str:
    """Tell where the evaluated regions came from.

    Parameters
    ----------
    scores : sequence of RecordingScore
        The recordings scored.
    uem : container of (str, str), or None
        The recordings that a UEM has entries for.

    Returns
    -------
    str
        ``file``, ``inferred``, or ``file+inferred`` when some recordings had no entry.
    """
    found = 0 if uem is None else sum((score.file_id, score.channel) in uem for score in scores)
    if found == 0:
        return "inferred"
    return "file" if found == len(scores) else "file+inferred"
