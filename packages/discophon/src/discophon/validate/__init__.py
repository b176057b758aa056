"""Whether a dataset folder is complete, and predictions are fit to be scored against it."""

from __future__ import annotations

from discophon.errors import DatasetError
from discophon.validate.layout import SPLITS, TRAIN_SPLITS, validate_dataset_structure
from discophon.validate.submission import Problem, validate_submission

__all__ = [
    "SPLITS",
    "TRAIN_SPLITS",
    "DatasetError",
    "Problem",
    "validate_dataset_structure",
    "validate_submission",
]
