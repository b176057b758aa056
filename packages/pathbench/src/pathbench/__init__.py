"""Benchmark of automatic pathological-speech assessment: recordings in, intelligibility scores and their correlation with raters out."""

from __future__ import annotations

from pathbench.__about__ import __version__

__all__ = ["__version__"]
