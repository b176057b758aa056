#!/usr/bin/env python3
"""Show how the cost of a whole run grows with the input, up to ten million reference turns.

    python tools/bench/growth.py --work DIR [--most 10000000]

The corpus of `der.py` (2,000 recordings of 500 turns) is cut, or repeated under other names, to the sizes asked for.
Prints Markdown: CPU seconds, microseconds per turn of either side, memory. The floor is our reader and a sort alone.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from der import SCORERS, Measured, install, make_input, run, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TURNS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PER_RECORDING = 500
RECORDINGS = 2_000


def scaled(source: Path, n_recordings: int) -> Iterator[str]:
    """Give the lines of a file for so many recordings, repeating them under other names where there are too few."""
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    for first in range(0, n_recordings, RECORDINGS):
        wanted = min(RECORDINGS, n_recordings - first)
        for line in lines:
            number = int(line[line.index("rec") + 3 :].split(" ", 1)[0])
            if number < wanted:
                yield line.replace(f"rec{number:05d}", f"rec{first + number:06d}", 1)


def make_apart(work: Path, n_turns: int) -> Path:
    """Make the input of a size in another process: what this one holds would count as memory of its children."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(make, (work, n_turns))


def make(work: Path, n_turns: int) -> Path:
    """Make the input of a size once."""
    corpus = make_input("corpus", work, None)
    assert corpus is not None
    place = work / "input" / f"growth-{n_turns}"
    if not (place / "done").exists():
        say(f"making {n_turns:,} turns")
        place.mkdir(parents=True, exist_ok=True)
        for name in ("ref.rttm", "sys.rttm", "all.uem"):
            with (place / name).open("w", encoding="utf-8", newline="\n") as out:
                out.writelines(scaled(corpus / name, n_turns // PER_RECORDING))
        (place / "done").touch()
    return place


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for environments and inputs")
    parser.add_argument("--most", type=int, default=TURNS[-1], help="largest number of reference turns")
    parser.add_argument("--runs", type=int, default=3, help="runs of each size, after one that is not counted")
    arguments = parser.parse_args(argv)
    work = arguments.work.resolve()
    commands = install("ours", work)
    print("| reference turns | CPU s | µs per turn | wall s | peak MiB | floor CPU s |")
    print("|--:|--:|--:|--:|--:|--:|")
    for n_turns in (n for n in TURNS if n <= arguments.most):
        place = make_apart(work, n_turns)
        with (place / "sys.rttm").open("rb") as stream:
            total = n_turns + sum(1 for _ in stream)
        ours, floor = Measured(), Measured()
        for number in range(arguments.runs + 1):
            say(f"{n_turns:,} turns: run {number} of {arguments.runs}")
            run(SCORERS["ours"], commands, place, ours if number else None)
            run(SCORERS["floor"], commands, place, floor if number else None)
        cpu = sorted(ours.cpu)[len(ours.cpu) // 2]
        figures = f"{cpu:.2f} | {1e6 * cpu / total:.2f} | {min(ours.wall):.2f} | {max(ours.peak):.0f}"
        print(f"| {n_turns:,} | {figures} | {sorted(floor.cpu)[len(floor.cpu) // 2]:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
