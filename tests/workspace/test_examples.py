"""The example recordings: the script makes the committed system outputs, and all files read cleanly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
SCRIPT = EXAMPLES / "make_system.py"
SETS = {
    "ami/sys.rttm": ["--uem", str(EXAMPLES / "ami" / "all.uem")],
    "voxconverse/sys.rttm": [],
    "voxconverse/sys_b.rttm": ["--seed", "23"],
}


def make(reference: Path, *options: str) -> bytes:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(reference), *options], capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("name", SETS)
def test_the_script_makes_the_committed_bytes(name: str, tmp_path: Path) -> None:
    committed = (EXAMPLES / name).read_bytes()
    reference = (EXAMPLES / name).parent / "ref.rttm"
    assert make(reference, *SETS[name]) == committed
    make(reference, *SETS[name], "-o", str(tmp_path / "sys.rttm"))
    assert (tmp_path / "sys.rttm").read_bytes() == committed


def test_another_seed_makes_another_system() -> None:
    reference = EXAMPLES / "ami" / "ref.rttm"
    assert make(reference, "--seed", "1") != make(reference, "--seed", "2")


FILES = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".rttm", ".uem", ".scp", ".jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_an_example_file_has_no_problem(path: Path) -> None:
    command = [sys.executable, "-m", "speechio", "check", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    problems = json.loads(done.stdout)["problems"]
    assert [one for one in problems if one["code"] != "S103"] == []  # SCP files need not be sorted, and some are not
    assert done.returncode == 0


def test_the_inference_directory_is_made_of_the_other_examples(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(EXAMPLES / "make_infer.py"), str(tmp_path)], check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == ["hyp_rttm.scp", "phones.scp", "ref_rttm.scp", "uem.scp", "units.scp", "wav.scp"]
    for name in made:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / "infer" / "dev" / name).read_bytes()
