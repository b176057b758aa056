"""Benchmark of pathological-speech assessment: recordings in, intelligibility scores and how they agree with raters.

Names are loaded where they are first used, so that ``import pathbench`` costs little.
"""

from __future__ import annotations

import logging
from importlib import import_module

from pathbench.__about__ import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathbench.cpp import CPPDoubleLogEvaluator, CPPEvaluator
    from pathbench.dataset import Dataset
    from pathbench.errors import (
        EvaluationError,
        InputError,
        MissingDatasetError,
        MissingDependencyError,
        PathbenchError,
        UsageError,
    )
    from pathbench.evaluator import (
        LanguageAwareSpeakerEvaluator,
        LookupEvaluator,
        ReferenceAudioEvaluator,
        ReferenceFreeEvaluator,
        ReferenceFreeSpeakerEvaluator,
        ReferenceTxtAndAudioEvaluator,
        ReferenceTxtEvaluator,
    )
    from pathbench.lookup import Spk2AgeEvaluator, Spk2ScoreEvaluator, Utt2ScoreEvaluator
    from pathbench.pitch import F0RangeEvaluator, StdPitchEvaluator
    from pathbench.praat_cpp import PraatCPPEvaluator
    from pathbench.reasons import Detail
    from pathbench.speech_rate import PraatSpeechRateEvaluator
    from pathbench.stoi import ESTOIEvaluator, PSTOIEvaluator
    from pathbench.trimmed import (
        TrimmedLanguageAwareSpeakerEvaluator,
        TrimmedReferenceFreeEvaluator,
        TrimmedReferenceFreeSpeakerEvaluator,
    )
    from pathbench.vsa import VSAEvaluator
    from pathbench.wada import WadaSnrEvaluator
    from pathbench.wpm import WpmEvaluator

__all__ = [
    "CPPDoubleLogEvaluator",
    "CPPEvaluator",
    "Dataset",
    "Detail",
    "ESTOIEvaluator",
    "EvaluationError",
    "F0RangeEvaluator",
    "InputError",
    "LanguageAwareSpeakerEvaluator",
    "LookupEvaluator",
    "MissingDatasetError",
    "MissingDependencyError",
    "PSTOIEvaluator",
    "PathbenchError",
    "PraatCPPEvaluator",
    "PraatSpeechRateEvaluator",
    "ReferenceAudioEvaluator",
    "ReferenceFreeEvaluator",
    "ReferenceFreeSpeakerEvaluator",
    "ReferenceTxtAndAudioEvaluator",
    "ReferenceTxtEvaluator",
    "Spk2AgeEvaluator",
    "Spk2ScoreEvaluator",
    "StdPitchEvaluator",
    "TrimmedLanguageAwareSpeakerEvaluator",
    "TrimmedReferenceFreeEvaluator",
    "TrimmedReferenceFreeSpeakerEvaluator",
    "UsageError",
    "Utt2ScoreEvaluator",
    "VSAEvaluator",
    "WadaSnrEvaluator",
    "WpmEvaluator",
    "__version__",
]

_MODULE_OF = {
    name: module
    for module, names in {
        "cpp": "CPPDoubleLogEvaluator CPPEvaluator",
        "dataset": "Dataset",
        "errors": "EvaluationError InputError MissingDatasetError MissingDependencyError PathbenchError UsageError",
        "evaluator": (
            "LanguageAwareSpeakerEvaluator LookupEvaluator ReferenceAudioEvaluator ReferenceFreeEvaluator "
            "ReferenceFreeSpeakerEvaluator ReferenceTxtAndAudioEvaluator ReferenceTxtEvaluator"
        ),
        "lookup": "Spk2AgeEvaluator Spk2ScoreEvaluator Utt2ScoreEvaluator",
        "pitch": "F0RangeEvaluator StdPitchEvaluator",
        "praat_cpp": "PraatCPPEvaluator",
        "reasons": "Detail",
        "speech_rate": "PraatSpeechRateEvaluator",
        "stoi": "ESTOIEvaluator PSTOIEvaluator",
        "trimmed": (
            "TrimmedLanguageAwareSpeakerEvaluator TrimmedReferenceFreeEvaluator TrimmedReferenceFreeSpeakerEvaluator"
        ),
        "vsa": "VSAEvaluator",
        "wada": "WadaSnrEvaluator",
        "wpm": "WpmEvaluator",
    }.items()
    for name in names.split()
}

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
