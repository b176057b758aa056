"""The measure stage of a speech toolkit as a library: SCP files aligned by ID and a measure.yaml in, measures.json with intervals and signatures out."""

from __future__ import annotations

from measure_core.__about__ import __version__

__all__ = ["__version__"]
