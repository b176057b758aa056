#!/usr/bin/env python3
"""CPU seconds per recording of every evaluator of pathbench, beside the published figures of the upstream project.

    python tools/bench/evaluators.py
    python tools/bench/evaluators.py --seconds 5,50 --repeat 5 --json

The recording is made by rule (seeded): voiced and unvoiced stretches with pauses, at 16 kHz. Published figures are CPU
seconds on a recording of 5.00 s, on an AMD EPYC with 2 cores; they are comparable in size, not in digits. One call
warms up, then the least of the repeats counts; a target is missed if it is missed by more than a tenth. BLAS has one
thread, as in the processes of ``pathbench run -j N``.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import soundfile
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pathbench import (
    CPPDoubleLogEvaluator,
    CPPEvaluator,
    ESTOIEvaluator,
    F0RangeEvaluator,
    PraatCPPEvaluator,
    PraatSpeechRateEvaluator,
    PSTOIEvaluator,
    StdPitchEvaluator,
    VSAEvaluator,
    WadaSnrEvaluator,
    WpmEvaluator,
)
from pathbench.audio import SHARED
from pathbench.stoi import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

RATE = 16000
PUBLISHED = {
    "cpp": 0.03188, "cpp_double_log": 0.03281, "std_pitch": 0.01243, "f0_range": 0.01232, "wada_snr": 0.007096,
    "wpm": 0.0001599, "praat_speech_rate": 0.02942, "vsa": 0.1415, "p_stoi": 1.676, "p_estoi": 1.682,
    "cpp_praat": 94.82,
}  # fmt: skip
WANTED = {"p_estoi": 15.0, "cpp": 3.0, "wada_snr": 5.0}  # how many times less than published; others: 1
SLACK = 0.9  # times wobble
N_REFERENCES = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """What one evaluator costs."""

    name: str
    seconds: float  # of the recording
    cpu: float
    wall: float

    @property
    def factor(self) -> float | None:
        """How many times less than the published figure, which is for 5 s."""
        return PUBLISHED[self.name] / self.cpu if self.seconds == 5.0 and self.cpu > 0 else None

    @property
    def is_good(self) -> bool:
        """Whether the target is met; true where there is none."""
        return self.factor is None or self.factor >= SLACK * WANTED.get(self.name, 1.0)


def speech(seconds: float, seed: int) -> NDArray[np.float32]:
    """Make something with the ups and downs of speech: four syllables a second, gliding pitch, noise between."""
    rng = np.random.default_rng(seed)
    time_axis = np.arange(round(seconds * RATE)) / RATE
    pitch = 130 + 25 * np.sin(2 * np.pi * 0.4 * time_axis + seed)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    voice = sum(np.sin(k * phase) / k for k in range(1, 25))
    loudness = np.clip(np.sin(2 * np.pi * 2 * time_axis + 0.3 * seed), 0.02, 1) ** 2
    return np.asarray(0.2 * voice * loudness + 0.003 * rng.normal(size=len(time_axis)), dtype=np.float32)


def measure(call: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Time a call: least CPU and wall seconds."""
    call()  # loads the libraries whose threads are limited
    time.sleep(0.3)  # threads that a linear algebra library has just made wait busily for a while
    found = []
    with threadpool_limits(1):
        for _ in range(repeat):
            cpu, wall = time.process_time(), time.perf_counter()
            call()
            found.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in found), min(wall for _, wall in found)


def figures(seconds: float, repeat: int, *, slow: bool) -> list[Figure]:
    """Measure every evaluator on a recording: file in, score out, nothing cached."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{number}.wav") for number in range(N_REFERENCES + 1)]
        for number, path in enumerate(paths):
            soundfile.write(path, speech(seconds, number), RATE)
        whole = (paths[0], 0.0, -1.0)
        references = [(path, 0.0, -1.0) for path in paths[1:]]
        calls: dict[str, Callable[[], object]] = {
            "cpp": lambda: CPPEvaluator().score("u", paths[0]),
            "cpp_double_log": lambda: CPPDoubleLogEvaluator().score("u", paths[0]),
            "std_pitch": lambda: StdPitchEvaluator().score("u", paths[0]),
            "f0_range": lambda: F0RangeEvaluator().score([whole]),
            "wada_snr": lambda: WadaSnrEvaluator().score("u", paths[0]),
            "wpm": lambda: WpmEvaluator().score("u", paths[0], "one two three", "en-us"),
            "praat_speech_rate": lambda: PraatSpeechRateEvaluator().score("u", paths[0]),
            "vsa": lambda: VSAEvaluator().score([whole], "en-us"),
            "p_stoi": lambda: PSTOIEvaluator().score("u", paths[0], references),
            "p_estoi": lambda: ESTOIEvaluator().score("u", paths[0], references),
        }
        if slow:
            calls["cpp_praat"] = lambda: PraatCPPEvaluator().score("u", paths[0])

        def cold(call: Callable[[], object]) -> object:
            SHARED.clear()
            forget()
            return call()

        found = []
        for name, call in calls.items():
            cpu, wall = measure(lambda call=call: cold(call), 1 if name == "cpp_praat" else repeat)  # type: ignore[misc]
            found.append(Figure(name, seconds, cpu, wall))
        return found


def lines(found: Sequence[Figure]) -> list[str]:
    """Write a table."""
    text = [f"{'evaluator':18} {'s':>5} {'CPU ms':>9} {'wall ms':>9} {'published':>10} {'less':>7}"]
    for figure in found:
        published = f"{PUBLISHED[figure.name] * 1e3:10.3f}" if figure.factor else " " * 10
        factor = f"{figure.factor:6.1f}x" if figure.factor else " " * 7
        mark = "" if figure.is_good else f"  wanted {WANTED.get(figure.name, 1.0):g}x"
        text.append(
            f"{figure.name:18} {figure.seconds:5g} {figure.cpu * 1e3:9.3f} {figure.wall * 1e3:9.3f} {published} "
            f"{factor}{mark}"
        )
    return text


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time the evaluators of pathbench.", allow_abbrev=False)
    parser.add_argument("--seconds", default="5", help="durations of the recording, by comma (%(default)s)")
    parser.add_argument("--repeat", type=int, default=7, help="calls of which the least counts (%(default)s)")
    parser.add_argument("--slow", action="store_true", help="Praat's CPPS too: minutes")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_args(argv)
    logging.getLogger("pathbench").setLevel(logging.ERROR)
    found = [
        figure
        for seconds in map(float, given.seconds.split(","))
        for figure in figures(seconds, given.repeat, slow=given.slow)
    ]
    if given.json:
        records = [
            {"evaluator": f.name, "seconds": f.seconds, "cpu_s": f.cpu, "wall_s": f.wall, "times_less": f.factor}
            for f in found
        ]
        print(json.dumps({"schema_version": 1, "figures": records}, indent=2, allow_nan=False))
    else:
        print("\n".join(lines(found)))
    return 0 if all(figure.is_good for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main())
