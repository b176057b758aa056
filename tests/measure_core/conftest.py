"""What the tests of measure-core share."""

from pathlib import Path

import pytest

from measure_support import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A folder for a measure stage."""
    return Stage(tmp_path)
