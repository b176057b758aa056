"""Text normalisation: a list of named steps, applied to both sides in order, told in the signature.

Nothing is done unless asked. `normaliser` reads the list as a configuration gives it::

    normalise: [nfkc, lower, {punctuation: {keep: "'"}}, {remove: ["<unk>"]}]

======================  ===============================================================================
``nfc``, ``nfkc``       Unicode normal form
``lower``, ``casefold``  case
``punctuation``         drop the Unicode categories P*, but for the characters in ``keep``
``remove``              drop whole tokens
``fillers``             drop hesitations of a language, ``en``; any case
``replace``             replace whole tokens; ``file`` has lines of token, tab, replacement
``regex``               replace what matches ``pattern`` by ``by``
``whisper_basic``,      the normalisers of Whisper (extra ``whisper``)
``whisper_english``
``pkg.mod.Class``       own class: ``Class()(text)`` gives text; or ``{pkg.mod.Class: {option: value}}``
======================  ===============================================================================

Steps on whole tokens split at Unicode blanks and join with one space. Steps on characters leave blanks as they are.
"""

from __future__ import annotations

from measure_core.normalise.parse import normaliser
from measure_core.normalise.pipeline import Normaliser, Step

__all__ = ["Normaliser", "Step", "normaliser"]
