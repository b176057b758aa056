"""Score with pyannote.metrics as a command, for the benchmark: ``python peer_pyannote.py REF SYS UEM``.

Prints the diarization error rate in per cent, collar 0, overlap scored. It reads the files itself, which
costs less than the peer's own readers would.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any


def read_turns(path: str) -> dict[str, Any]:
    """Read an RTTM file; overlapping turns of one speaker become one."""
    core = import_module("pyannote.core")
    recordings: dict[str, Any] = defaultdict(core.Annotation)
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
        _, recording, _, onset, duration, _, _, speaker, *_ = line.split()
        recordings[recording][core.Segment(float(onset), float(onset) + float(duration)), number] = speaker
    return {recording: turns.support() for recording, turns in recordings.items()}


def read_regions(path: str) -> dict[str, Any]:
    """Read a UEM file."""
    core = import_module("pyannote.core")
    recordings: dict[str, Any] = defaultdict(core.Timeline)
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        recording, _, start, end = line.split()
        recordings[recording].add(core.Segment(float(start), float(end)))
    return recordings


def main() -> int:
    reference, system, uem = read_turns(sys.argv[1]), read_turns(sys.argv[2]), read_regions(sys.argv[3])
    metric = import_module("pyannote.metrics.diarization").DiarizationErrorRate(collar=0.0, skip_overlap=False)
    for recording, turns in reference.items():
        metric(turns, system[recording], uem=uem[recording])
    print(f"{100.0 * abs(metric):.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
