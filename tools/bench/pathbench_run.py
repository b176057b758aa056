#!/usr/bin/env python3
"""Rate and memory of `pathbench run` over datasets of growing size.

    python tools/bench/pathbench_run.py
    python tools/bench/pathbench_run.py --sizes 1000,10000 --evaluators cpp,wada_snr,std_pitch --jobs 2

Datasets are made of seeded noise that is shaped like syllables, short files, 100 utterances a speaker. Memory is the
largest resident set of any process of the run; a second run over the same store shows what finding everything costs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import soundfile

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE = 16000
PER_SPEAKER = 100


def make_dataset(folder: Path, n: int, seconds: float) -> None:
    """Write a dataset of pathological speakers."""
    generator = np.random.default_rng(0)
    moments = np.arange(round(seconds * RATE)) / RATE
    (folder / "wav").mkdir(parents=True)
    tables: dict[str, list[str]] = {"wav.scp": [], "utt2spk": [], "text": [], "spk2score": [], "language": ["en"]}
    for i in range(n):
        utt, speaker = f"u{i:06}", f"s{i // PER_SPEAKER:04}"
        pitch = 90.0 + i // PER_SPEAKER % 120
        voice = sum(np.sin(2 * np.pi * pitch * k * moments) / k for k in range(1, 12))
        sound = voice * np.abs(np.sin(2 * np.pi * 2.5 * moments)) + 0.05 * generator.normal(size=len(moments))
        path = folder / "wav" / f"{utt}.wav"
        soundfile.write(path, 0.2 * sound, RATE, subtype="PCM_16")
        tables["wav.scp"].append(f"{utt} {path}")
        tables["utt2spk"].append(f"{utt} {speaker}")
        tables["text"].append(f"{utt} word {i % 50}")
        if i % PER_SPEAKER == 0:
            tables["spk2score"].append(f"{speaker} {generator.uniform(1, 5):.2f}")
    for name, lines in tables.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def timed(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; give its wall time in seconds, and the largest memory of its processes in MiB."""
    begun = time.perf_counter()
    process = os.spawnvp(os.P_NOWAIT, command[0], list(command))
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"pathbench_run: {' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_maxrss / 1024  # of the process and those it waited for


def main() -> int:
    parser = argparse.ArgumentParser(description="Rate and memory of pathbench run.", allow_abbrev=False)
    parser.add_argument("--sizes", default="1000,10000", help="utterances, by comma (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each file (%(default)s)")
    parser.add_argument("--evaluators", default="cpp,wada_snr,std_pitch", help="(%(default)s)")
    parser.add_argument("--jobs", default="1", help="(%(default)s)")
    given = parser.parse_args()
    print(f"{'utterances':>10} {'first run s':>12} {'per s':>8} {'MiB':>6} {'second run s':>13} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, given.sizes.split(",")):
            place = Path(folder) / str(size)
            make_dataset(place / "set", size, given.seconds)
            command = [sys.executable, "-m", "pathbench", "run", str(place / "set"), "--quiet", "--draws", "1000"]
            command += ["--evaluators", given.evaluators, "--out", str(place / "out"), "-j", given.jobs]
            sys.stdout.flush()
            with open(os.devnull, "w", encoding="utf-8") as nowhere:
                saved = os.dup(1)
                os.dup2(nowhere.fileno(), 1)
                try:
                    (first, memory), (second, again) = timed(command), timed(command)
                finally:
                    os.dup2(saved, 1)
                    os.close(saved)
            print(
                f"{size:>10} {first:>12.1f} {size / first:>8.1f} {memory:>6.0f} {second:>13.1f} {again:>6.0f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
