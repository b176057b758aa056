"""What importing the package gives, and what it does not load."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import pathbench

HEAVY = "numpy scipy parselmouth sklearn matplotlib soundfile soxr joblib torch transformers polars".split()
NAMES = """
    LookupEvaluator ReferenceFreeEvaluator ReferenceTxtEvaluator ReferenceAudioEvaluator ReferenceTxtAndAudioEvaluator
    ReferenceFreeSpeakerEvaluator LanguageAwareSpeakerEvaluator TrimmedReferenceFreeEvaluator
    TrimmedReferenceFreeSpeakerEvaluator TrimmedLanguageAwareSpeakerEvaluator Dataset Utt2ScoreEvaluator
    Spk2ScoreEvaluator Spk2AgeEvaluator CPPEvaluator CPPDoubleLogEvaluator PraatCPPEvaluator StdPitchEvaluator
    F0RangeEvaluator WadaSnrEvaluator WpmEvaluator PraatSpeechRateEvaluator VSAEvaluator PSTOIEvaluator ESTOIEvaluator
""".split()
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(pathbench.__path__, "pathbench.")
    if not found.name.endswith(".__main__")
)


@pytest.mark.parametrize("name", NAMES)
def test_names_that_scripts_use(name: str) -> None:
    assert isinstance(getattr(pathbench, name), type)
    assert name in pathbench.__all__
    assert name in dir(pathbench)


def test_every_name_is_there_and_no_other() -> None:
    assert all(getattr(pathbench, name) is not None for name in pathbench.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        pathbench.Nothing  # noqa: B018


@pytest.mark.parametrize(
    "statement",
    [
        "import pathbench",
        "import pathbench.registry, pathbench.evaluator, pathbench.dataset, pathbench.text, pathbench.audio",
        "from pathbench import *",
        "import pathbench; pathbench.CPPEvaluator(), pathbench.ESTOIEvaluator(), pathbench.VSAEvaluator()",
    ],
)
def test_importing_loads_no_numeric_library(statement: str) -> None:
    code = f"import sys; exec({statement!r}); print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
