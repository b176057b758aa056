"""Golden runs of NIST's md-eval 22: the diarization blocks, byte for byte, and whether the run succeeds.

Word alignment (``-w``) moves boundaries and the metadata sections (``-e -d -D -W``) can end a run; what they
add is for later. The reasons are listed with the runs, so that nothing is left out unseen.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golden.report import Finding, Report, execute

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADING = "*** Performance analysis for Speaker Diarization for "
SECTION = "*** "
TAKING_A_VALUE = frozenset("rRsSucaAMzZyYtTlgpP")
METADATA_LETTERS = frozenset("WedD")
WHOLE = "whole text the same"
METADATA_BLOCK = "*** Performance analysis for "
OURS = METADATA_BLOCK + "Speaker Diarization"


@dataclass(frozen=True, slots=True)
class Golden:
    """One golden run."""

    folder: Path
    name: str
    files: tuple[str, ...]
    arguments: tuple[str, ...]
    stdout: str
    stderr: str
    status: int

    @property
    def group(self) -> str:
        """The folder of the case's folder."""
        return self.folder.parent.name

    @property
    def title(self) -> str:
        """Group, case and run."""
        return f"{self.group}/{self.folder.name}/{self.name}"


def load(root: Path) -> list[Golden]:
    """Read the manifest and the expected outputs."""
    cases: list[dict[str, Any]] = json.loads((root / "manifest.json").read_text(encoding="utf-8"))["cases"]
    runs = []
    for case in cases:
        folder = root / case["dir"]
        for run in case["runs"]:
            stem = folder / run["name"]
            out, err = (
                Path(f"{stem}.{stream}").read_bytes().decode("utf-8", "surrogateescape")
                for stream in ("stdout", "stderr")
            )
            arguments = tuple(run["args"].split())
            files = tuple(case["files"])
            runs.append(Golden(folder, run["name"], files, arguments, out, err, int(run["status"])))
    return runs


def letters(arguments: Sequence[str]) -> set[str]:
    """Collect the option letters of a command line, read as md-eval reads it."""
    found: set[str] = set()
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "--"):
        cluster = rest.pop(0)[1:]
        for place, letter in enumerate(cluster):
            found.add(letter)
            if letter in TAKING_A_VALUE:
                if place == len(cluster) - 1:
                    rest = rest[1:]
                break
    return found


def blocks(stdout: str) -> list[str]:
    """Cut the diarization blocks out of the text, each from its heading to the next section."""
    found: list[str] = []
    inside = False
    for line in stdout.split("\n"):
        if line.startswith(SECTION):
            inside = line.startswith(HEADING)
            if inside:
                found.append("")
        if inside:
            found[-1] += line + "\n"
    return [block.rstrip("\n") for block in found]


def without_first_line(stdout: str) -> str:
    """Drop the line with the date."""
    return stdout.partition("\n")[2]


def judge(golden: Golden, command: Sequence[str], *, whole: bool) -> Finding:
    """Run one golden run and compare."""
    used = letters(golden.arguments)
    title = golden.title
    wanted = blocks(golden.stdout)
    if "w" in used and wanted:
        return Finding(golden.group, title, later="-w aligns words, which moves the system's boundaries")
    metadata = bool(wanted) and (used & METADATA_LETTERS or METADATA_BLOCK in golden.stdout.replace(OURS, ""))
    with tempfile.TemporaryDirectory() as place:
        for name in golden.files:
            shutil.copy(golden.folder / name, place)
        got = execute([*command, *golden.arguments], Path(place))
    faults = []
    got_blocks = blocks(got.stdout)
    if got_blocks != wanted:
        faults.append(difference(wanted, got_blocks, got.stderr))
    notes: tuple[str, ...] = ()
    if metadata:
        notes = ("whole text of a run with metadata sections; its diarization blocks are compared",)
    if (got.status == 0) != (golden.status == 0):
        last = got.stderr.strip().split("\n")[-1]
        faults.append(f"status {got.status}, md-eval's is {golden.status}; stderr ends: {last[:200]}")
    if "Traceback (most recent call last)" in got.stderr:
        faults.append("a traceback was shown")
    same = without_first_line(got.stdout) == golden.stdout
    if (whole or not metadata) and not same:
        faults.append("whole text differs")
    return Finding(golden.group, title, tuple(faults), notes, remarks=frozenset({WHOLE} if same else ()))


def difference(wanted: list[str], got: list[str], stderr: str) -> str:
    """Say where two lists of blocks part."""
    if len(wanted) != len(got):
        last = stderr.strip().split("\n")[-1]
        return f"{len(got)} diarization blocks, wanted {len(wanted)}; stderr ends: {last[:200]}"
    pairs = zip("\n".join(wanted).split("\n"), "\n".join(got).split("\n"), strict=False)
    unlike = next(((w, g) for w, g in pairs if w != g), ("(longer)", "(shorter)"))
    return f"wanted {unlike[0]!r}, got {unlike[1]!r}"


def check(root: Path, command: Sequence[str], *, jobs: int, whole: bool = False) -> Report:
    """Judge every run below a folder."""
    with ThreadPoolExecutor(jobs) as pool:
        findings = pool.map(partial(judge, command=command, whole=whole), load(root))
        return Report("mdeval", list(findings))
