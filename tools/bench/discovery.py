#!/usr/bin/env python3
"""Measure phoneme discovery: ours beside the published package, in one process and as whole commands.

    python tools/bench/discovery.py --work DIR --peer PYTHON
    python tools/bench/discovery.py --work DIR --peer PYTHON --hours 2 --growth 1,6,24

PYTHON is an interpreter (3.12 or newer) with discophon 0.2.0 installed; without it only ours is measured. Input is
invented, seeded: files of about ten seconds with gold phones every 10 ms and units of two systems every 20 ms. Runs
alternate, after one of each that is not counted; the tables have medians. CPU seconds are user and system time of the
process and its children, memory is the most that was resident. It prints Markdown.

Exit status: 0, or 1 if the scores of the two differ by more than 1e-9.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
CODES = "deu swa tam tha tur ukr cmn eng eus fra jpn wol".split()
SPLITS = ("dev", "test", "train-10h", "train-1h", "train-10min")
TASKS = [f"{code}-{split}" for code in CODES for split in SPLITS[:2]]
FRAMES = 514  # of 10 ms in a file: 700 files are two hours
SAME = 1e-9
MIB = 1024.0  # ru_maxrss is in KiB on Linux


@dataclass(slots=True)
class Measured:
    """The runs of one command."""

    cpu: list[float] = field(default_factory=list)
    peak: list[float] = field(default_factory=list)
    said: str = ""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure phoneme discovery.", allow_abbrev=False)
    parser.add_argument("--work", type=Path, required=True, help="folder for the inputs; kept")
    parser.add_argument("--peer", help="interpreter with the published package")
    parser.add_argument("--ours", default=sys.executable, help="interpreter with ours (%(default)s)")
    parser.add_argument("--hours", type=float, default=2.0, help="speech of each language and split (%(default)s)")
    parser.add_argument("--growth", default="1,6,24", help="files of units in the benchmark (%(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="counted runs (%(default)s)")
    arguments = parser.parse_args(argv)
    arguments.growth = [int(number) for number in arguments.growth.split(",") if number]
    return arguments


def invent(place: Path, task: str, hours: float) -> None:
    """Write the gold of one language and split, and the units of two systems, unless they are there."""
    gold = place / "data" / "alignment" / f"alignment-{task}.txt"
    if gold.exists() and gold.stat().st_size:
        return
    dice = random.Random(f"{task}/{hours}")
    phones = ["SIL", *(f"p{number}" for number in range(25))]
    rows = ["#file onset offset #phone"]
    units: dict[str, list[str]] = {"many": [], "one": []}
    for number in range(round(hours * 360_000 / FRAMES)):
        name = f"{task}-{number:05d}"
        frames: list[int] = []
        while len(frames) < FRAMES:
            phone, start = dice.randrange(len(phones)), len(frames)
            frames += [phone] * min(dice.randint(3, 14), FRAMES - start)
            rows.append(f"{name} {start / 100} {len(frames) / 100} {phones[phone]}")
        many = [8 * p + dice.randrange(8) if dice.random() > 0.2 else dice.randrange(256) for p in frames[::2]]
        one = [p if dice.random() > 0.2 else dice.randrange(28) for p in frames[::2]]
        for system, values in (("many", many), ("one", one)):
            units[system].append(json.dumps({"file": name, "units": values}))
    for system, lines in units.items():
        path = place / system / f"units-{task}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    gold.write_text("\n".join(rows) + "\n", encoding="utf-8")


def dataset(place: Path) -> None:
    """Make the benchmark's folders, with empty files where nothing is needed."""
    root = place / "data"
    names = [f"alignment/alignment-{task}.txt" for task in TASKS] + ["manifest/speakers.jsonl"]
    names += [f"item/{kind}-{task}.item" for kind in ("triphone", "phoneme") for task in TASKS]
    names += [f"manifest/manifest-{code}-{split}.csv" for code in CODES for split in SPLITS]
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    for code in CODES:
        for split in ("all", *SPLITS):
            (root / "audio" / code / split).mkdir(parents=True, exist_ok=True)


def run(command: Sequence[str], measured: Measured | None) -> str:
    """Run a command once and, if wanted, note what it took."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read().decode()
        if process.returncode != 0:
            err.seek(0)
            raise RuntimeError(f"{' '.join(command)} has status {process.returncode}: {err.read().decode()[-500:]}")
    if measured is not None:
        measured.cpu.append(used.ru_utime + used.ru_stime)
        measured.peak.append(used.ru_maxrss / MIB)
        measured.said = said
    return said


def alternate(commands: dict[str, list[str]], runs: int) -> dict[str, Measured]:
    """Run every command several times in turn, after one run each that is not counted."""
    found = {name: Measured() for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            run(command, found[name] if number else None)
    return found


def ratio(values: dict[str, float], digits: int) -> str:
    """Write the values of all packages as cells, and how often ours fits into the peer's."""
    cells = [f"{value:.{digits}f}" for value in values.values()]
    return " | ".join([*cells, *([f"{values['peer'] / values['ours']:.1f}x"] if "peer" in values else [])])


def in_process(pythons: dict[str, str], place: Path, runs: int) -> Iterator[str]:
    """Measure calls within one process, for both kinds."""
    script = str(HERE / "peer_discophon.py")
    for system, kind, n_units in (("many", "many-to-one", "256"), ("one", "one-to-one", "28")):
        options = [str(place / system / "units-tur-dev.jsonl"), str(place / "data/alignment/alignment-tur-dev.txt")]
        commands = {name: [python, script, *options, kind, n_units, "tur"] for name, python in pythons.items()}
        taken: dict[str, dict[str, list[float]]] = {name: {} for name in commands}
        scores: dict[str, dict[str, float]] = {}
        for _ in range(runs):
            for name, command in commands.items():
                document = json.loads(run(command, None))
                scores[name] = document["scores"]
                for part, seconds in document["taken"].items():
                    taken[name].setdefault(part, []).append(seconds)
        compare(scores)
        for part in ("import", "read", "first", "later"):
            yield f"| {kind}, {part} | {ratio({name: median(taken[name][part]) for name in taken}, 3)} |"


def compare(scores: dict[str, dict[str, float]]) -> None:
    """Stop if the scores of the packages differ."""
    first, *others = scores.values()
    for other in others:
        if first.keys() != other.keys() or any(abs(first[key] - other[key]) > SAME for key in first):
            raise SystemExit(f"the scores differ: {scores}")


def commands_of(pythons: dict[str, str], *arguments: Any) -> dict[str, list[str]]:  # noqa: ANN401
    return {name: [python, "-m", *map(str, arguments)] for name, python in pythons.items()}


def whole_process(pythons: dict[str, str], place: Path, runs: int) -> Iterator[str]:
    """Measure the command that scores one language and split."""
    files = (place / "many" / "units-tur-dev.jsonl", place / "data" / "alignment" / "alignment-tur-dev.txt")
    found = alternate(commands_of(pythons, "discophon.evaluate", *files, "--language", "tur", "--n-units", 256), runs)
    compare({name: json.loads(measured.said) for name, measured in found.items()})
    yield f"| evaluate, CPU s | {ratio({name: median(m.cpu) for name, m in found.items()}, 2)} |"
    yield f"| evaluate, MiB | {ratio({name: median(m.peak) for name, m in found.items()}, 0)} |"


def growth(pythons: dict[str, str], place: Path, runs: int, sizes: Sequence[int]) -> Iterator[str]:
    """Measure the command that scores the whole benchmark, for several numbers of files of units."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "units"
            folder.mkdir()
            for task in TASKS[:size]:
                (folder / f"units-{task}.jsonl").symlink_to(place / "many" / f"units-{task}.jsonl")
            commands = {
                name: [*command, str(Path(scratch) / f"{name}.jsonl")]
                for name, command in commands_of(pythons, "discophon.benchmark", place / "data", folder).items()
            }
            commands = {name: [*command, "--kind", "many-to-one"] for name, command in commands.items()}
            found = alternate(commands, runs)
            lines = {name: (Path(scratch) / f"{name}.jsonl").read_text().splitlines() for name in commands}
        rows = {name: [json.loads(line) for line in text[: 4 * size]] for name, text in lines.items()}
        compare({n: {f"{r['language']} {r['split']} {r['metric']}": r["score"] for r in rs} for n, rs in rows.items()})
        yield f"| benchmark, {size} files, CPU s | {ratio({name: median(m.cpu) for name, m in found.items()}, 2)} |"
        yield f"| benchmark, {size} files, MiB | {ratio({name: median(m.peak) for name, m in found.items()}, 0)} |"


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    pythons = {"ours": arguments.ours} | ({"peer": arguments.peer} if arguments.peer else {})
    place = arguments.work.resolve() / f"{arguments.hours:g}h"
    dataset(place)
    for task in {"tur-dev", *TASKS[: max(arguments.growth, default=0)]}:
        invent(place, task, arguments.hours)
    print(f"\n| {arguments.hours:g} hours of speech | {' | '.join(pythons)} | {'ratio |' if arguments.peer else ''}")
    print("|---" * (1 + len(pythons) + bool(arguments.peer)) + "|")
    for part in (
        in_process(pythons, place, arguments.runs),
        whole_process(pythons, place, arguments.runs),
        growth(pythons, place, arguments.runs, arguments.growth),
    ):
        for row in part:
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
