#!/usr/bin/env python3
"""Measure how long reading SCP files with every check takes, beside the plainest loops that check nothing.

    python tools/bench/scp.py
    python tools/bench/scp.py --lines 100000 --repeats 5 --folder /tmp/scp     # the files are kept there
    python tools/bench/scp.py --peer /tmp/peers/bin/python                     # of an environment that has espnet

Two files of invented sentences, sorted and shuffled, about 90 MB each at the default million lines. Each piece of
work is a fresh process, imports included; they take turns (A B, A B, ...) and the table has the least CPU time, wall
time and peak memory of the repeats, with the CPU time by that of the loop it is compared with. It prints Markdown.

Exit status: 0, or 1 if two that do the same work disagree, or a limit is passed: columns 0.75 times the loop's CPU
time and 320 MiB, rows in step 1.5 times the loop's CPU time and 36 MiB (judged from 100 000 lines on); or rows in step
take more CPU time than the peer's.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEAD = """
import sys
from pathlib import Path
paths = {"ref": Path(sys.argv[1]), "hyp": Path(sys.argv[2])}
"""
_TAIL = """
with open("/proc/self/status") as stream:
    print(n, next(line.split()[1] for line in stream if line.startswith("VmHWM:")))
"""
COLUMNS = """
from measure_core.inputs.align import align_columns
from measure_core.inputs.columns import read_column
n = len(align_columns({alias: read_column(path) for alias, path in paths.items()}, "bench"))
"""
LISTS = f"""{COLUMNS.replace("n = len(", "data = (").rstrip()}.lists()
n = sum(map(str.__eq__, data["ref"], data["hyp"]))
"""
LOOP = """
tables = []
for path in paths.values():
    with open(path, encoding="utf-8") as stream:
        tables.append({key: value for key, value in (line.strip().split(maxsplit=1) for line in stream)})
ids = sorted(tables[0])
assert ids == sorted(tables[1])
ref, hyp = ([table[key] for key in ids] for table in tables)
n = sum(map(str.__eq__, ref, hyp))
"""
ROWS = """
from measure_core.inputs.stream import iter_rows
n = 0
for _, row in iter_rows(paths):
    n += row["ref"] == row["hyp"]
"""
STEPS = """
n = 0
with open(paths["ref"], encoding="utf-8") as ref, open(paths["hyp"], encoding="utf-8") as hyp:
    for left, right in zip(ref, hyp):
        left_id, left_value = left.strip().split(maxsplit=1)
        right_id, right_value = right.strip().split(maxsplit=1)
        assert left_id == right_id
        row = {"ref": left_value, "hyp": right_value}
        n += row["ref"] == row["hyp"]
"""
PEER = """
from espnet3.components.metrics.base_metric import BaseMetric
from espnet3.contract import Field
class Metric(BaseMetric):
    inputs = (Field("ref", "text"), Field("hyp", "text"))
    outputs = (Field("n", "number"),)
    def update(self, **values): ...
    def compute(self): ...
n = 0
for _, row in Metric().iter_inputs(paths, "ref", "hyp"):
    n += row["ref"] == row["hyp"]
"""
_PEER = "`iter_inputs` of espnet"


@dataclass(frozen=True, slots=True)
class Work:
    """A program, what it reads, what it is compared with, and its limits."""

    title: str
    program: str
    is_sorted: bool
    beside: str = ""
    most_cpu: float = float("inf")
    most_memory: float = float("inf")
    python: str = sys.executable


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process took: seconds and MiB; and what it counted."""

    cpu: float
    wall: float
    memory: float
    n: int


def write_files(folder: Path, n_lines: int, seed: int) -> None:
    """Invent two files, sorted and shuffled, unless they are there."""
    if (folder / "hyp-shuffled.scp").exists():
        return
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(5000)]
    ids = [f"{1000 + k // 30_000}-134686-{k:07d}" for k in range(n_lines)]
    ref = [" ".join(rng.choices(words, k=rng.randint(6, 16))) for _ in ids]
    hyp = [text if rng.random() < 0.5 else text.replace("a", "b") for text in ref]
    for name, values in (("ref", ref), ("hyp", hyp)):
        lines = [f"{key} {value}\n" for key, value in zip(ids, values, strict=True)]
        (folder / f"{name}-sorted.scp").write_text("".join(lines))
        rng.shuffle(lines)
        (folder / f"{name}-shuffled.scp").write_text("".join(lines))


def run(work: Work, folder: Path) -> Spent:
    """Do a piece of work in a fresh process."""
    order = "sorted" if work.is_sorted else "shuffled"
    files = [str(folder / f"{name}-{order}.scp") for name in ("ref", "hyp")]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [work.python, "-c", f"{_HEAD}{work.program}{_TAIL}", *files], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{work.title}: exit status {process.returncode}")
    n, peak = map(int, said.split()[-2:])
    return Spent(usage.ru_utime + usage.ru_stime, time.perf_counter() - begun, peak / 1024, n)


def least(all_spent: Sequence[Spent]) -> Spent:
    return Spent(
        min(one.cpu for one in all_spent),
        min(one.wall for one in all_spent),
        min(one.memory for one in all_spent),
        all_spent[0].n,
    )


def works(peer: str | None) -> list[Work]:
    """List what is measured, each after what it is compared with."""
    found = [
        Work("loop over two dicts, no check", LOOP, is_sorted=False),
        Work("`read_column` and alignment", COLUMNS, False, "loop over two dicts, no check", 0.75, 320),
        Work("the same, then lists of text", LISTS, False, "loop over two dicts, no check"),
        Work("loop over two files in step, no check", STEPS, is_sorted=True),
        Work("`iter_rows`, sorted files", ROWS, True, "loop over two files in step, no check", 1.5, 36),
        Work("`iter_rows`, shuffled files", ROWS, False, "loop over two dicts, no check"),
    ]
    if peer is not None:
        found.append(Work(_PEER, PEER, True, "loop over two files in step, no check", python=peer))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0], allow_abbrev=False)
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of each file (default: 1000000)")
    parser.add_argument("--repeats", type=int, default=3, help="number of repeats (default: 3)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sentences (default: 0)")
    parser.add_argument("--folder", type=Path, help="where the files are, or are made; temporary by default")
    parser.add_argument("--peer", metavar="PYTHON", help="interpreter of an environment that has espnet >= 202611")
    options = parser.parse_args()
    all_works = works(options.peer)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        write_files(folder, options.lines, options.seed)
        spent: dict[str, list[Spent]] = {work.title: [] for work in all_works}
        for _ in range(options.repeats):
            for work in all_works:
                spent[work.title].append(run(work, folder))
        size = (folder / "ref-sorted.scp").stat().st_size / 1e6
    print(f"two files of {options.lines:,} lines and {size:.0f} MB, least of {options.repeats} repeats\n")
    print("| work | CPU s | by the loop | wall s | peak MiB |\n|---|--:|--:|--:|--:|")
    is_good, is_large = True, options.lines >= 100_000
    best = {title: least(times) for title, times in spent.items()}
    for work in all_works:
        mine, beside = best[work.title], best.get(work.beside, best[work.title])
        ratio = mine.cpu / beside.cpu
        passed = []
        if work.program != COLUMNS and mine.n != beside.n:
            passed.append("**they disagree**")
        if ratio > work.most_cpu and is_large:
            passed.append(f"**more than {work.most_cpu} times**")
        if mine.memory > work.most_memory and is_large:
            passed.append(f"**more than {work.most_memory} MiB**")
        if work.program == ROWS and work.is_sorted and is_large and mine.cpu > best.get(_PEER, mine).cpu:
            passed.append("**more than the peer**")
        is_good &= not passed
        note = "".join(f" {one}" for one in passed)
        print(f"| {work.title} | {mine.cpu:.2f} | {ratio:.2f} | {mine.wall:.2f} | {mine.memory:.0f} |{note}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
