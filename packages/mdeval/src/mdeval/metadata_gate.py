"""What the metadata part of md-eval (words, SU, EDIT, FILLER, IP) does to a diarization run.

That part is not built yet. Here a run that asks for it dies where md-eval dies for want of words, and is refused
where scoring would need it.
"""

from __future__ import annotations

from mdeval.errors import InputError, UsageError
from mdeval.zones import SPEAKER, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mdeval.options import Options
    from mdeval.recording import Key
    from mdeval.side import Side
    from mdeval.zones import Region

__all__ = ["check_metadata"]

_EVENTS = frozenset({"SU", "EDIT", "FILLER", "IP"})
_REFUSED = {
    "w": "word alignment",
    "W": "word-based mapping of metadata",
    "g": "a word map (glm)",
}
_DISPLAYS = "edDxo"


def check_metadata(
    options: Options,
    reference: Side,
    keys: Sequence[Key],
    uem: Mapping[Key, Sequence[Region]],
    warn: Callable[[str], None],
) -> None:
    """Refuse what needs the metadata part, and say what is left out without it.

    Parameters
    ----------
    options : Options
        The command line.
    reference : Side
        The reference.
    keys : sequence of (str, str)
        The recordings to score.
    uem : mapping of (str, str) to sequence of (float, float)
        Regions from the UEM file.
    warn : callable
        Called with each warning.

    Raises
    ------
    InputError
        If a recording lacks the words that an option or its own records need.
    UsageError
        If an option would change the figures.
    """
    word_options = [letter for letter in "wW" if letter in options]
    n_events = 0
    for key in dict.fromkeys([*keys, *reference.records]):
        records = reference.records.get(key, ())
        kinds = {item[3] for item in records} or {SPEAKER}
        has_events = not kinds.isdisjoint(_EVENTS)
        n_events += has_events
        if (has_events or (word_options and SPEAKER in kinds)) and WORD not in kinds:
            why = f"-{word_options[0]} needs" if word_options else "SU, EDIT, FILLER and IP records need"
            raise _no_words(key, why, f"no reference words for file '{key[0]}' and channel '{key[1]}'")
        regions = uem.get(key)
        middles = [item[0] for item in records if item[3] == WORD]
        if "e" in options and not any(not regions or any(b <= t <= e for b, e in regions) for t in middles):
            where = f"no reference words in UEM portion of file '{key[0]}' and channel '{key[1]}'"
            raise _no_words(key, "-e needs", where)
    for letter, what in _REFUSED.items():
        if letter in options:
            raise UsageError(f"-{letter}: {what} is not built yet; only speaker diarization is scored")
    displays = [f"-{letter}" for letter in _DISPLAYS if letter in options]
    if displays:
        warn(f"{' '.join(displays)}: what they add about metadata is not built yet and left out")
    if n_events:
        warn(f"SU, EDIT, FILLER and IP records are not scored yet ({n_events} recordings have some)")


def _no_words(key: Key, why: str, nist: str) -> InputError:
    return InputError(
        f"{key[0]}, channel {key[1]}: the reference has no words (LEXEME records) where {why} them; add them, or leave"
        " out what needs them",
        f"\n\nFATAL ERROR:  {nist}\n\n",
    )
