"""What starting costs, told by the modules that are loaded: that does not wobble."""

import re
import subprocess
import sys

import pytest

import speechmeasure

NUMERIC = {"numpy", "scipy", "pandas", "polars", "torch", "joblib", "sklearn", "parselmouth", "hydra", "omegaconf"}
COMMANDS = {
    "mdeval": "mdeval.cli",
    "speechio": "speechio",
    "discophon": "discophon",
    "pathbench": "pathbench",
    "measure": "measure_core",
    "speechmeasure": "speechmeasure",
}


def loaded(*arguments: str) -> set[str]:
    """Run an interpreter with these arguments; which top-level packages does it import?"""
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    names: list[str] = re.findall(r"^import time:[ \d|]+ \|\s+([\w.]+)$", done.stderr, re.MULTILINE)
    assert names
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("option", ["--help", "--version"])
@pytest.mark.parametrize("module", COMMANDS.values(), ids=COMMANDS)
def test_help_and_version_load_no_numeric_library(module: str, option: str) -> None:
    assert loaded("-m", module, option) & NUMERIC == set()


def test_speechio_loads_the_standard_library_only() -> None:
    brought = loaded("-c", "import speechio") - loaded("-c", "pass") - sys.stdlib_module_names
    assert {name for name in brought if not name.startswith("_")} == {"speechio"}


def test_speechio_loads_nothing_it_does_not_need_at_once() -> None:
    assert loaded("-c", "import speechio") & {"argparse", "asyncio", "multiprocessing", "unittest"} == set()


def test_mdeval_does_not_load_scipy() -> None:
    assert "scipy" not in loaded("-c", "import mdeval")


@pytest.mark.parametrize("name", speechmeasure.members())
def test_importing_a_package_is_light(name: str) -> None:
    heavy = NUMERIC if name != "mdeval" else NUMERIC - {"numpy"}
    assert loaded("-c", f"import {name}") & {*heavy, "matplotlib", "soundfile"} == set()


def test_speechmeasure_loads_no_sibling() -> None:
    assert loaded("-c", "import speechmeasure") & {*speechmeasure.members(), *NUMERIC} == set()
