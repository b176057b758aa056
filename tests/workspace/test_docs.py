"""The documents tell the truth: their commands run, and print what stands below them."""

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
THROUGH_UV = "python3 tools/uv.py run "
TESTS = f"{THROUGH_UV}pytest"
OURS = {
    "mdeval": [sys.executable, "-m", "mdeval.cli"],
    "speechio": [sys.executable, "-m", "speechio"],
    "speechmeasure": [sys.executable, "-m", "speechmeasure"],
    "measure": [sys.executable, "-m", "measure_core"],
    "discophon": [sys.executable, "-m", "discophon"],
    "pathbench": [sys.executable, "-m", "pathbench"],
}
OWN_TESTS = {ROOT / "packages" / "speechio" / "README.md"}
"""Pages whose code needs files of its own; the tests of their package make these and compare what is printed."""
PAGES = [README, *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("packages/*/README.md"))]


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, with its language."""

    page: Path
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text.splitlines()[0]}"


def blocks(page: Path) -> list[Block]:
    """Cut a page into its fenced blocks."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(page, language, text) for language, text in found]


def commands(block: Block) -> list[str]:
    """List the commands of a shell block that are ours, without what they are run through."""
    lines = block.text.replace("\\\n", " ").splitlines()
    stripped = [line.removeprefix(THROUGH_UV) for line in lines]
    return [line for line in stripped if line.partition(" ")[0] in OURS]


def run(command: str) -> subprocess.CompletedProcess[str]:
    name, *arguments = shlex.split(command, comments=True)
    return subprocess.run([*OURS[name], *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def shown() -> list[tuple[str, str]]:
    """Pair every command of a page that has its output below it with that output; those of the README first."""
    pairs = [pair for page in PAGES for pair in pairwise(blocks(page))]
    outputs = [(commands(one), two.text) for one, two in pairs if (one.language, two.language) == ("sh", "text")]
    return [(ours[0], output) for ours, output in outputs if ours]


def test_the_readme_shows_the_output_of_its_first_command() -> None:
    first, _ = shown()[0]
    assert first.startswith("measure run ")
    assert commands(blocks(README)[0]) == [first]


@pytest.mark.parametrize(("command", "output"), shown(), ids=[command for command, _ in shown()])
def test_a_command_prints_what_its_page_shows(command: str, output: str) -> None:
    done = run(command)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == output


@pytest.mark.parametrize(
    "command",
    sorted({c for page in PAGES for b in blocks(page) if b.language == "sh" for c in commands(b) if "docs/" in c}),
)
def test_a_command_of_a_page_on_the_examples_runs(command: str) -> None:
    done = run(command)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "block",
    [b for page in PAGES if page not in OWN_TESTS for b in blocks(page) if b.language == "python"],
    ids=str,
)
def test_python_of_a_page_runs(block: Block) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert missing == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    wanted = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith(TESTS)]
    assert len(set(wanted)) == 1
    assert wanted[0] in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
