"""The invented benchmark of the documents: its script makes the committed files, and all of it can be scored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from discophon.benchmark import score_discovery
from discophon.validate import validate_dataset_structure

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "discophon"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("example")
    subprocess.run([sys.executable, str(EXAMPLE / "make_example.py"), str(out)], check=True)
    return out


def test_the_script_makes_the_committed_bytes(made: Path) -> None:
    for committed in EXAMPLE.glob("*/*"):
        folder = committed.parent.name
        place = made / ("dataset/alignment" if folder == "alignment" else folder) / committed.name
        assert place.read_bytes() == committed.read_bytes()
    assert len(list(EXAMPLE.glob("*/*"))) == 6


def test_it_is_a_whole_benchmark(made: Path) -> None:
    validate_dataset_structure(made / "dataset")
    many = score_discovery(made / "dataset", made / "k256", kind="many-to-one")
    pairs = score_discovery(made / "dataset", made / "inventory", kind="one-to-one")
    for scores in (many, pairs):
        assert len(scores) == 3 * 2 * 4
        assert all(0.2 < row.score < 0.9 for row in scores)
