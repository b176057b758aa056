#!/usr/bin/env python3
"""Invent seeded references for benchmarks, in the size one asks for: `OUT/ref.rttm` and `OUT/all.uem`.

    python tools/bench/workload.py OUT --files 2000 --segments 500 --speakers 8
    python tools/bench/workload.py OUT --files 1 --segments 30000 --speakers 60 --hours 24
    python tools/bench/workload.py OUT --reference voxconverse/ref.rttm

Turns follow each other with pauses, some begin before the last one is over, and speakers talk unequally
much. Every recording gets a region in the UEM. A reference that is there already is taken as it is; it
gets the UEM only. The same options and seed give the same bytes. `docs/examples/make_system.py` makes a
system output of the reference. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OVERLAPPING = 0.12  # share of turns that begin before the last one is over
SHORTEST, LONGEST = 0.2, 40.0  # seconds
TAIL = 2.0  # seconds between the last turn and the end of the recording


@dataclass(frozen=True, slots=True)
class Size:
    """How much to invent."""

    segments: int
    speakers: int
    seconds: float


def conversation(size: Size, dice: random.Random) -> Iterator[tuple[float, float, str]]:
    """Invent the turns of one recording as onset, duration and speaker; no speaker overlaps with themself."""
    step = size.seconds / size.segments
    names = [f"spk{number:03d}" for number in range(size.speakers)]
    talkative = list(accumulate(1.0 / (rank + 1) for rank in range(size.speakers)))
    silent_from = dict.fromkeys(names, 0.0)
    now = 0.0
    for _ in range(size.segments):
        speaker = dice.choices(names, cum_weights=talkative)[0]
        duration = min(max(dice.expovariate(1.0 / (0.85 * step)), SHORTEST), LONGEST)
        pause = dice.uniform(0.0, 0.3 * step)
        onset = now - dice.uniform(0.0, duration) if dice.random() < OVERLAPPING else now + pause
        onset = round(max(onset, silent_from[speaker] + 0.01, 0.0), 2)
        duration = round(duration, 2)
        yield onset, duration, speaker
        silent_from[speaker] = onset + duration
        now = max(now, onset + duration)


def invent(recording: str, size: Size, dice: random.Random) -> tuple[str, str]:
    """Invent a recording: its RTTM lines and its UEM line."""
    turns = sorted(conversation(size, dice))
    end = max(size.seconds, max(onset + duration for onset, duration, _ in turns) + TAIL)
    line = "SPEAKER {} 1 {:.2f} {:.2f} <NA> <NA> {} <NA> <NA>\n"
    rttm = "".join(line.format(recording, *turn) for turn in turns)
    return rttm, region(recording, end)


def region(recording: str, end: float) -> str:
    """Write the UEM line of a whole recording."""
    return f"{recording} 1 0.000 {end:.3f}\n"


def regions(reference: str) -> str:
    """Write a UEM for a reference: every recording to a little after its last turn."""
    ends: dict[str, float] = {}
    for line in reference.splitlines():
        _, recording, _, onset, duration, *_ = line.split()
        ends[recording] = max(ends.get(recording, 0.0), float(onset) + float(duration) + TAIL)
    return "".join(region(recording, end) for recording, end in sorted(ends.items()))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Invent seeded references for benchmarks.", allow_abbrev=False)
    parser.add_argument("out", type=Path, help="folder to write ref.rttm and all.uem into")
    parser.add_argument("--reference", type=Path, help="take this reference instead of inventing one")
    parser.add_argument("--files", type=int, default=1, help="recordings (%(default)s)")
    parser.add_argument("--segments", type=int, default=500, help="turns in each (%(default)s)")
    parser.add_argument("--speakers", type=int, default=4, help="speakers in each (%(default)s)")
    parser.add_argument("--hours", type=float, help="length of each; by default 3 s for a turn")
    parser.add_argument("--seed", type=int, default=22, help="of the random draws (%(default)s)")
    arguments = parser.parse_args(argv)
    seconds = 3600.0 * arguments.hours if arguments.hours else 3.0 * arguments.segments
    size = Size(arguments.segments, arguments.speakers, seconds)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.reference:
        text = arguments.reference.read_text(encoding="utf-8")
        (arguments.out / "ref.rttm").write_text(text, encoding="utf-8", newline="\n")
        (arguments.out / "all.uem").write_text(regions(text), encoding="utf-8", newline="\n")
        return 0
    with (
        (arguments.out / "ref.rttm").open("w", encoding="utf-8", newline="\n") as rttm,
        (arguments.out / "all.uem").open("w", encoding="utf-8", newline="\n") as uem,
    ):
        for number in range(arguments.files):
            recording = f"rec{number:05d}"
            turns, whole = invent(recording, size, random.Random(f"{arguments.seed}/{recording}"))
            rttm.write(turns)
            uem.write(whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
