"""Score with simpleder as a command, for the benchmark: ``python peer_simpleder.py REF SYS UEM``.

Prints the error rate in per cent, recordings weighted by their reference speech. simpleder knows no UEM (the
third argument is not read) and defines the parts of the error its own way, so its figure is not md-eval's.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

Turns = list[tuple[str, float, float]]


def turns_of(path: str) -> dict[str, Turns]:
    """Read an RTTM file."""
    recordings: dict[str, Turns] = defaultdict(list)
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        _, recording, _, onset, duration, _, _, speaker, *_ = line.split()
        recordings[recording].append((speaker, float(onset), float(onset) + float(duration)))
    return recordings


def main() -> int:
    simpleder = import_module("simpleder")
    reference, system = turns_of(sys.argv[1]), turns_of(sys.argv[2])
    errors = speech = 0.0
    for recording, turns in reference.items():
        seconds = sum(offset - onset for _, onset, offset in turns)
        errors += seconds * simpleder.DER(turns, system[recording])
        speech += seconds
    print(f"{100.0 * errors / speech:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
