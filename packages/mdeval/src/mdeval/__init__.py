"""NIST md-eval 22 in Python: diarization error rates that can be trusted, fast, with errors explained.

Names are loaded where they are first used, so that ``import mdeval`` costs little.
"""

from __future__ import annotations

from importlib import import_module

from mdeval.__about__ import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mdeval.counts import Counts, RecordingScore
    from mdeval.errors import InputError, MdevalError, UndefinedScoreError, UsageError
    from mdeval.io import load_rttm, load_uem
    from mdeval.result import DiarizationResult, score
    from mdeval.scoring import score_speaker_diarization
    from mdeval.utils import Segment

__all__ = [
    "Counts",
    "DiarizationResult",
    "InputError",
    "MdevalError",
    "RecordingScore",
    "Segment",
    "UndefinedScoreError",
    "UsageError",
    "__version__",
    "load_rttm",
    "load_uem",
    "score",
    "score_speaker_diarization",
]

_MODULES = {
    "counts": ("Counts", "RecordingScore"),
    "errors": ("InputError", "MdevalError", "UndefinedScoreError", "UsageError"),
    "io": ("load_rttm", "load_uem"),
    "result": ("DiarizationResult", "score"),
    "scoring": ("score_speaker_diarization",),
    "utils": ("Segment",),
}


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    for module, names in _MODULES.items():
        if name in names:
            value: object = getattr(import_module(f"mdeval.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'mdeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
