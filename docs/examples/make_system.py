#!/usr/bin/env python3
"""Make a system output out of a reference, by a seeded imitation of what diarization systems get wrong.

    python docs/examples/make_system.py ami/ref.rttm --uem ami/all.uem -o ami/sys.rttm
    python docs/examples/make_system.py voxconverse/ref.rttm -o voxconverse/sys.rttm

Every recording gets: names of its own for the speakers, boundaries that are a little off, turns that are
missed, cut in two or given to the wrong speaker, one speaker whose second half gets a new name, and speech
where there is none. Only the standard library is used. The same input, options and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHORTEST = 0.05  # seconds; a turn that its moved boundaries leave shorter than this disappears
PAUSE = 0.1  # seconds of silence where a turn is cut in two


@dataclass(frozen=True, slots=True)
class Turn:
    """A speaker's turn, in seconds."""

    onset: float
    offset: float
    speaker: str


@dataclass(frozen=True, slots=True)
class Faults:
    """How often, or how far, a system goes wrong."""

    boundary: float = 0.12  # standard deviation of a boundary, seconds
    missed: float = 0.04  # share of turns
    cut: float = 0.06  # share of turns
    confused: float = 0.05  # share of turns
    invented: float = 0.03  # false alarms per turn


def read_turns(path: Path) -> dict[str, list[Turn]]:
    """Read the SPEAKER records of an RTTM file, by recording, in the order of their onsets."""
    recordings: dict[str, list[Turn]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("SPEAKER "):
            _, recording, _, onset, duration, _, _, speaker, *_ = line.split()
            turn = Turn(float(onset), float(onset) + float(duration), speaker)
            recordings.setdefault(recording, []).append(turn)
    return {name: sorted(turns, key=_by_time) for name, turns in sorted(recordings.items())}


def read_ends(path: Path) -> dict[str, float]:
    """Read where the last scored region of every recording ends."""
    ends: dict[str, float] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        recording, _, _, end = line.split()
        ends[recording] = max(float(end), ends.get(recording, 0.0))
    return ends


def imitate(reference: Sequence[Turn], end: float, faults: Faults, dice: random.Random) -> list[Turn]:
    """Make the system's turns of one recording that ends at `end` seconds."""
    speakers = sorted({turn.speaker for turn in reference})
    shuffled = dice.sample(speakers, len(speakers))
    names = {speaker: f"S{number}" for number, speaker in enumerate(shuffled, start=1)}
    broken_up = dice.choice(speakers)
    made: list[Turn] = []
    for turn in reference:
        if dice.random() < faults.missed:
            continue
        onset = turn.onset + dice.gauss(0.0, faults.boundary)
        offset = turn.offset + dice.gauss(0.0, faults.boundary)
        name = names[turn.speaker]
        if turn.speaker == broken_up and turn.onset > end / 2:
            name = f"{name}b"
        if dice.random() < faults.confused:
            name = names[dice.choice(speakers)]
        if dice.random() < faults.cut and offset - onset > 4 * PAUSE:
            middle = dice.uniform(onset + PAUSE, offset - PAUSE)
            made += [Turn(onset, middle - PAUSE / 2, name), Turn(middle + PAUSE / 2, offset, name)]
        else:
            made.append(Turn(onset, offset, name))
    for _ in range(round(faults.invented * len(reference))):
        onset = dice.uniform(0.0, end)
        made.append(Turn(onset, onset + dice.uniform(0.2, 2.0), names[dice.choice(speakers)]))
    return join(Turn(max(turn.onset, 0.0), min(turn.offset, end), turn.speaker) for turn in made)


def join(turns: Iterable[Turn]) -> list[Turn]:
    """Make one turn of those of a speaker that overlap or touch; drop what is too short."""
    joined: list[Turn] = []
    for turn in sorted(turns, key=lambda t: (t.speaker, t.onset, t.offset)):
        last = joined[-1] if joined else None
        if turn.offset - turn.onset < SHORTEST:
            continue
        if last and last.speaker == turn.speaker and turn.onset <= last.offset:
            joined[-1] = Turn(last.onset, max(last.offset, turn.offset), turn.speaker)
        else:
            joined.append(turn)
    return sorted(joined, key=_by_time)


def to_rttm(recording: str, turns: Iterable[Turn]) -> str:
    """Write the turns of a recording as RTTM lines, times in milliseconds' precision."""
    line = "SPEAKER {} 1 {:.3f} {:.3f} <NA> <NA> {} <NA> <NA>\n"
    return "".join(line.format(recording, t.onset, t.offset - t.onset, t.speaker) for t in turns)


def _by_time(turn: Turn) -> tuple[float, float, str]:
    return turn.onset, turn.offset, turn.speaker


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description="Make a seeded, faulty system output out of a reference.")
    parser.add_argument("reference", type=Path, help="RTTM file")
    parser.add_argument("--uem", type=Path, help="tells where recordings end; else 2 s after the last turn")
    parser.add_argument("--seed", type=int, default=22, help="of the random draws (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="RTTM file to write (default: standard output)")
    arguments = parser.parse_args(argv)
    ends = read_ends(arguments.uem) if arguments.uem else {}
    pieces = []
    for recording, turns in read_turns(arguments.reference).items():
        end = ends.get(recording, max(turn.offset for turn in turns) + 2.0)
        dice = random.Random(f"{arguments.seed}/{recording}")
        pieces.append(to_rttm(recording, imitate(turns, end, Faults(), dice)))
    text = "".join(pieces)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
