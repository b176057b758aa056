"""The script that finds uv: which one it takes, and what it says when there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "uv.py"


class Checkout:
    """A checkout with only the script in it, and a folder on the PATH."""

    def __init__(self, root: Path) -> None:
        self.script = root / "tools" / "uv.py"
        self.script.parent.mkdir()
        self.script.write_text(SCRIPT.read_text(encoding="utf-8"))
        self.path = root / "path"
        self.path.mkdir()
        self.own = root / ".uv" / "bin"

    def put(self, folder: Path, version: str, name: str) -> Path:
        """Put a uv into a folder that tells its name and its arguments."""
        folder.mkdir(parents=True, exist_ok=True)
        uv = folder / "uv"
        uv.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "uv {version}" || echo {name} "$@"\n')
        uv.chmod(0o755)
        return uv

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script; pip finds nothing, because it may not look anywhere."""
        nowhere = {"PATH": str(self.path), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
        command = [sys.executable, str(self.script), *arguments]
        return subprocess.run(command, env=nowhere | environment, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_one_on_the_path_is_taken(checkout: Checkout) -> None:
    checkout.put(checkout.path, "0.9.1", "theirs")
    checkout.put(checkout.own, "0.9.1", "fetched")
    assert checkout.run("run", "a b").stdout == "theirs run a b\n"


def test_the_one_that_runs_this_is_taken_first(checkout: Checkout, tmp_path: Path) -> None:
    checkout.put(checkout.path, "0.9.1", "theirs")
    running = checkout.put(tmp_path / "running", "0.10.0", "running")
    assert checkout.run("sync", UV=str(running)).stdout == "running sync\n"


@pytest.mark.parametrize("version", ["0.4.30", "unknown"])
def test_one_that_is_too_old_is_passed_over(checkout: Checkout, version: str) -> None:
    checkout.put(checkout.path, version, "theirs")
    checkout.put(checkout.own, "0.9.1", "fetched")
    assert checkout.run("run").stdout == "fetched run\n"


def test_without_any_and_without_a_network_it_says_what_to_do(checkout: Checkout) -> None:
    done = checkout.run("run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "install uv by other means" in done.stderr
    assert "Traceback" not in done.stderr
