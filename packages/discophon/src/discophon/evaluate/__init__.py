"""Scores of discrete units against gold phones: PNMI, phone error rate, boundary F1 and R-value.

`phoneme_discovery` gives the four numbers, `discover` also what they were computed from, and the other functions are
its steps.
"""

from __future__ import annotations

from discophon.evaluate.assignment import LabelledMatrix, cooccurrence_matrix, phone_assignments
from discophon.evaluate.discovery import discover, discover_paired, phoneme_discovery
from discophon.evaluate.pairing import Paired, pair
from discophon.evaluate.quality import pnmi, probability_phone_given_unit
from discophon.evaluate.recognition import ErrorCounts, phone_error_rate
from discophon.evaluate.result import METRICS, DiscoveryResult, Settings
from discophon.evaluate.segmentation import Segmentation, phone_segmentation

__all__ = [
    "METRICS",
    "DiscoveryResult",
    "ErrorCounts",
    "LabelledMatrix",
    "Paired",
    "Segmentation",
    "Settings",
    "cooccurrence_matrix",
    "discover",
    "discover_paired",
    "pair",
    "phone_assignments",
    "phone_error_rate",
    "phone_segmentation",
    "phoneme_discovery",
    "pnmi",
    "probability_phone_given_unit",
]
