"""The fourteen record types of RTTM: subtypes, times, speakers.

Source: NIST's RT-04F evaluation plan, appendix A, and md-eval 22.
"""

from __future__ import annotations

__all__ = ["FIELDS", "NEEDS_SPEAKER", "NO_DURATION", "SUBTYPES", "WITH_ORTHOGRAPHY"]

FIELDS = (
    "type",
    "file",
    "channel",
    "onset",
    "duration",
    "orthography",
    "subtype",
    "speaker",
    "confidence",
    "lookahead",
)
"""Names of the ten fields of a line, in order."""

_SOME: dict[str, str] = {
    "LEXEME": "lex fp frag un-lex for-lex alpha acronym interjection propernoun other",
    "NON-LEX": "laugh breath lipsmack cough sneeze other",
    "NON-SPEECH": "noise music other",
    "FILLER": "filled_pause discourse_marker discourse_response explicit_editing_term other",
    "EDIT": "repetition restart revision simple complex other",
    "SU": "statement backchannel question incomplete unannotated discourse_response other",
    "IP": "edit filler edit&filler other",
    "CB": "coordinating clausal other",
    "SPKR-INFO": "adult_male adult_female child unknown",
}

SUBTYPES: dict[str, tuple[str | None, ...]] = {
    "SEGMENT": ("eval", None),
    "NOSCORE": (None,),
    "NO_RT_METADATA": (None,),
    "SPEAKER": (None,),
    "A/P": (None,),
    **{kind: tuple(names.split()) for kind, names in _SOME.items()},
}
"""For each type its legal subtypes; None is ``<NA>``."""

NO_DURATION = frozenset({"IP", "CB", "SPKR-INFO"})
"""Types whose duration is ``<NA>``."""

NEEDS_SPEAKER = frozenset({"SPEAKER", "LEXEME", "SU", "EDIT", "FILLER", "IP"})
"""Types that must name a speaker."""

WITH_ORTHOGRAPHY = frozenset({"LEXEME", "NON-LEX"})
"""Types that may have an orthography."""
