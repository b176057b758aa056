"""Names of files and constants."""

from __future__ import annotations

import pytest

import discophon.data as data
from discophon.errors import UsageError
from discophon.languages import get_language


def test_names() -> None:
    swahili = get_language("swa")
    assert data.units_filename(swahili, "dev") == "units-swa-dev.jsonl"
    assert data.alignment_filename("sw", "test") == "alignment-swa-test.txt"
    assert data.item_filename("Swahili", "dev", kind="phoneme") == "phoneme-swa-dev.item"
    assert data.manifest_filename(swahili, "train-10h") == "manifest-swa-train-10h.csv"
    with pytest.raises(UsageError, match="unknown language 'xyz'"):
        data.units_filename("xyz", "dev")


def test_constants() -> None:
    assert (data.DEFAULT_N_UNITS, data.STEP_PHONES, data.STEP_UNITS) == (256, 10, 20)


def test_every_public_name_is_there() -> None:
    assert all(callable(getattr(data, name)) for name in data.__all__ if name.islower())
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = data.nothing
