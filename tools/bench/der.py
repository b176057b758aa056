#!/usr/bin/env python3
"""Measure whole runs of diarization scorers side by side: CPU time, wall time, memory, and do they agree.

    python tools/bench/der.py --work DIR
    python tools/bench/der.py --work DIR --data DATA --runs 7 --sizes ami,day

Inputs are made by `workload.py`, or taken from the real references in DATA (`ami-test/ref.rttm`,
`ami-test/all.uem`, `voxconverse-test/ref.rttm`), with system outputs by `docs/examples/make_system.py`.
Every scorer is installed into an environment of its own below `--work`, since two of them bear the same
name; ours from the packages here, as wheels. Runs alternate (A B C, A B C, ...) so that a busy moment
hits all, after one run each that is not counted; the table has medians. CPU seconds are user and system
time of the process and its children. It prints Markdown.

Exit status: 0, or 1 if a scorer that means to give md-eval's figure gives another one than ours.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
MAKE_SYSTEM = ROOT / "docs" / "examples" / "make_system.py"
UV = [sys.executable, str(ROOT / "tools" / "uv.py")]
SAME = 0.0101  # per cent: two figures of two decimals that round differently
MIB = 1024.0  # ru_maxrss is in KiB on Linux


@dataclass(frozen=True, slots=True)
class Size:
    """An input: invented with these options of `workload.py`, or real where there is data."""

    title: str
    options: tuple[str, ...] = ()
    real: str = ""  # folder of the real references in the data folder
    only: str = ""  # the one recording to take from them


SIZES = {
    "meeting": Size("one meeting", ("--segments", "260", "--speakers", "4"), "ami-test", "ES2004a"),
    "ami": Size("AMI test set, 16 meetings", ("--files", "16", "--segments", "470", "--speakers", "4"), "ami-test"),
    "voxconverse": Size("VoxConverse test set, 232 recordings", real="voxconverse-test"),
    "corpus": Size("2,000 files of 500 turns", ("--files", "2000", "--segments", "500", "--speakers", "8")),
    "day": Size("24 hours, 30,000 turns, 60 speakers", ("--segments", "30000", "--speakers", "60", "--hours", "24")),
}


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer: what to install and how to call it; `{bin}` is its environment's folder of commands."""

    title: str
    install: tuple[str, ...]
    command: tuple[str, ...]
    figure: str  # pattern of the error rate in its output; the last match counts
    sizes: tuple[str, ...] = tuple(SIZES)
    exact: bool = True  # means to give md-eval's figure
    remark: str = ""  # stands in the table where it does not
    lives_in: str = ""  # the scorer whose environment it shares


NIST_LINE = r"OVERALL SPEAKER DIARIZATION ERROR = (\S+) percent"
SMALL = ("meeting", "ami", "voxconverse")
SCORERS = {
    "ours": Scorer(
        "mdeval (this repository)",
        (str(ROOT / "packages" / "speechio"), str(ROOT / "packages" / "mdeval")),
        ("{bin}/mdeval", "-r", "ref.rttm", "-s", "sys.rttm", "-u", "all.uem"),
        NIST_LINE,
    ),
    "spyder": Scorer(
        "spy-der 0.4.1 (C++)",
        ("spy-der==0.4.1",),
        ("{bin}/spyder", "ref.rttm", "sys.rttm", "-u", "all.uem"),
        r"Overall.* (\d+\.\d+)%",
    ),
    "port": Scorer(
        "mdeval 0.1.3 (the earlier port)",
        ("mdeval==0.1.3",),
        ("{bin}/mdeval", "-r", "ref.rttm", "-s", "sys.rttm", "-u", "all.uem"),
        NIST_LINE,
    ),
    "pyannote": Scorer(
        "pyannote.metrics 4.2.0",
        ("pyannote.metrics==4.2.0",),
        ("{bin}/python", str(HERE / "peer_pyannote.py"), "ref.rttm", "sys.rttm", "all.uem"),
        r"(\d+\.\d+)",
        SMALL,
    ),
    "simpleder": Scorer(
        "simpleder 0.0.8",
        ("simpleder==0.0.8", "numpy", "scipy"),  # it does not say that it needs these
        ("{bin}/python", str(HERE / "peer_simpleder.py"), "ref.rttm", "sys.rttm", "all.uem"),
        r"(\d+\.\d+)",
        SMALL[:2],
        exact=False,
        remark=" (own definition)",
    ),
    "floor": Scorer(
        "floor: our reader and a sort, no score",
        (),
        ("{bin}/python", str(HERE / "floor.py"), "ref.rttm", "sys.rttm"),
        r"(\d+)",
        ("corpus",),  # on the small inputs a run does not even load numpy
        exact=False,
        remark=" turns",
        lives_in="ours",
    ),
}


@dataclass(slots=True)
class Measured:
    """The runs of one scorer on one input."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    peak: list[float] = field(default_factory=list)
    figure: float = float("nan")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure diarization scorers side by side.", allow_abbrev=False)
    parser.add_argument("--work", type=Path, required=True, help="folder for inputs and environments; kept")
    parser.add_argument("--data", type=Path, help="folder with real references; without it all inputs are invented")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each scorer (%(default)s)")
    parser.add_argument("--sizes", default=",".join(SIZES), help="inputs, by comma (%(default)s)")
    everyone = ",".join(name for name in SCORERS if name != "floor")
    parser.add_argument("--scorers", default=everyone, help="scorers, by comma (%(default)s)")
    parser.add_argument("--floor", action="store_true", help="also measure reading and sorting alone")
    arguments = parser.parse_args(argv)
    arguments.sizes, arguments.scorers = arguments.sizes.split(","), arguments.scorers.split(",")
    arguments.scorers += ["floor"] if arguments.floor else []
    for given, known in ((arguments.sizes, SIZES), (arguments.scorers, SCORERS)):
        if unknown := set(given) - set(known):
            parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return arguments


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def install(name: str, work: Path) -> Path:
    """Make the environment of a scorer anew if it is ours, else once; give its folder of commands."""
    place = work / "env" / (SCORERS[name].lives_in or name)
    commands = place / "bin"
    if name == "ours" or not (place / "done").exists():
        say(f"installing {SCORERS[name].title}")
        subprocess.run([*UV, "venv", "--quiet", "--clear", "--python", sys.executable, str(place)], check=True)
        options = ["--quiet", "--compile-bytecode", "--python", str(commands / "python")]
        subprocess.run([*UV, "pip", "install", *options, *SCORERS[name].install], check=True, cwd=ROOT)
        (place / "done").touch()
    return commands


def make_input(name: str, work: Path, data: Path | None) -> Path | None:
    """Make the three files of an input once; nothing if it needs data that is not given."""
    size = SIZES[name]
    real = data is not None and bool(size.real)
    if not real and not size.options:
        return None
    place = work / "input" / (f"{name}-real" if real else name)
    if (place / "sys.rttm").exists():
        return place
    say(f"making {size.title}")
    options = list(size.options)
    with tempfile.TemporaryDirectory() as scratch:
        if data is not None and real:
            source = (data / size.real / "ref.rttm").read_text(encoding="utf-8").splitlines(keepends=True)
            chosen = Path(scratch) / "ref.rttm"
            chosen.write_text("".join(line for line in source if f" {size.only}" in line), encoding="utf-8")
            options = ["--reference", str(chosen)]
        subprocess.run([sys.executable, str(HERE / "workload.py"), str(place), *options], check=True)
    uem = place / "all.uem"
    official = data / size.real / "all.uem" if data and real else None
    if official and official.exists():
        lines = official.read_text(encoding="utf-8").splitlines(keepends=True)
        uem.write_text("".join(line for line in lines if line.startswith(size.only)), encoding="utf-8")
    files = [str(place / "ref.rttm"), "--uem", str(uem), "-o", str(place / "sys.rttm")]
    subprocess.run([sys.executable, str(MAKE_SYSTEM), *files], check=True)
    return place


def run(scorer: Scorer, commands: Path, place: Path, measured: Measured | None) -> None:
    """Run a scorer once and, if wanted, note what it took and what it found."""
    command = [part.format(bin=commands) for part in scorer.command]
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=place, stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read().decode("utf-8", "replace")
    found = re.findall(scorer.figure, said)
    if process.returncode != 0 or not found:
        msg = f"{scorer.title} has status {process.returncode} and says: {said[-300:]}"
        raise RuntimeError(msg)
    if measured is not None:
        measured.cpu.append(used.ru_utime + used.ru_stime)
        measured.wall.append(wall)
        measured.peak.append(used.ru_maxrss / MIB)
        measured.figure = float(found[-1])


def measure(name: str, scorers: dict[str, Path], place: Path, runs: int) -> dict[str, Measured]:
    """Run all scorers of an input in turns."""
    taking_part = {key: path for key, path in scorers.items() if name in SCORERS[key].sizes}
    results = {key: Measured() for key in taking_part}
    for number in range(runs + 1):
        say(f"{SIZES[name].title}: run {number} of {runs}")
        for key, commands in taking_part.items():
            run(SCORERS[key], commands, place, results[key] if number else None)
    return results


def table(title: str, results: dict[str, Measured]) -> list[str]:
    """Write the results on one input as a Markdown table."""
    base = median(results["ours"].cpu) if "ours" in results else float("nan")
    lines = [
        f"**{title}**",
        "",
        "| scorer | CPU s | ratio to ours | wall s | peak MiB | DER % |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for key, one in results.items():
        cpu = median(one.cpu)
        figure = f"{one.figure:{'.0f' if key == 'floor' else '.2f'}}{SCORERS[key].remark}"
        figures = f"{cpu:.2f} | {cpu / base:.2f} | {median(one.wall):.2f} | {median(one.peak):.0f} | {figure}"
        lines.append(f"| {SCORERS[key].title} | {figures} |")
    return [*lines, ""]


def disagreements(results: dict[str, Measured]) -> list[str]:
    """Name the scorers whose figure should be ours and is not."""
    if "ours" not in results:
        return []
    ours = results["ours"].figure
    exact = {key: one.figure for key, one in results.items() if SCORERS[key].exact}
    return [f"{SCORERS[key].title}: {found}, ours {ours}" for key, found in exact.items() if abs(found - ours) > SAME]


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    work = arguments.work.resolve()
    scorers = {name: install(name, work) for name in arguments.scorers}
    unlike = []
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, medians of {arguments.runs} runs.\n")
    for name in arguments.sizes:
        place = make_input(name, work, arguments.data)
        if place is None:
            say(f"{SIZES[name].title}: left out, it needs --data")
            continue
        results = measure(name, scorers, place, arguments.runs)
        print("\n".join(table(SIZES[name].title, results)), flush=True)
        unlike += [f"{SIZES[name].title}: {one}" for one in disagreements(results)]
    for one in unlike:
        say(f"DIFFERS: {one}")
    return 1 if unlike else 0


if __name__ == "__main__":
    sys.exit(main())
