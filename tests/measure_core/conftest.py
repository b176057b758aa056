"""What the tests of measure-core share."""

from pathlib import Path

import pytest

from measure_support import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A folder for a measure stage."""
    return Stage(tmp_path)


@pytest.fixture
def ready(stage: Stage) -> Stage:
    """A stage with two test sets of one utterance; modules that need others have one of their own."""
    stage.pairs("a", ("x", "x"))
    stage.pairs("b", ("x", "x"))
    return stage
