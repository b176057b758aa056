#!/usr/bin/env python3
"""Measure how long counting word and character errors takes, beside jiwer, in the same run.

    python tools/bench/wer.py
    python tools/bench/wer.py --pairs 10000 --repeats 7
    python tools/bench/wer.py --run 2      # the whole command too, with -j 1 and -j 2

Pairs of invented sentences, 12 words on average, about 9 % word errors. Ours and jiwer take turns (A B, A B, ...); the
table has the least CPU and wall time of the repeats and their ratio, ours by jiwer's. Both must give the same rate and
the same split into substitutions, deletions and insertions. It prints Markdown.

Exit status: 0, or 1 if the two disagree, or ours takes more than 1.1 times jiwer's CPU time.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import jiwer

from measure_core.builtin import CER, WER

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], object]

OUT = Path()
MOST = 1.1  # times jiwer's CPU time
Figures = tuple[float, int, int, int, int]
Row = tuple[str, float, bool]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of the best repeat."""

    cpu: float
    wall: float


def pairs(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Invent references and hypotheses."""
    rng = random.Random(seed)
    letters = "abcdefghijklmnop"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(20_000)]
    refs, hyps = [], []
    for _ in range(n):
        ref = rng.choices(words, k=rng.randint(4, 20))
        hyp: list[str] = []
        for word in ref:
            chance = rng.random()
            if chance < 0.05:
                hyp.append(rng.choice(words))
            elif chance < 0.07:
                continue
            else:
                hyp += [word, rng.choice(words)] if chance < 0.09 else [word]
        refs.append(" ".join(ref))
        hyps.append(" ".join(hyp))
    return refs, hyps


def cpu_seconds() -> float:
    """CPU time of this process and of those it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: Work) -> tuple[Times, object]:
    """Time one call."""
    cpu, wall = cpu_seconds(), time.perf_counter()
    result = work()
    return Times(cpu_seconds() - cpu, time.perf_counter() - wall), result


def least(all_times: list[Times]) -> Times:
    return Times(min(one.cpu for one in all_times), min(one.wall for one in all_times))


def of_ours(result: dict[str, object], key: str) -> Figures:
    names = (key, "hits", "substitutions", "deletions", "insertions")
    rate, *counts = (result[name] for name in names)
    return float(str(rate)), *(int(str(count)) for count in counts)  # type: ignore[return-value]


def compare(title: str, ours: Work, theirs: Work, repeats: int) -> Row:
    """Give a row of the table, the ratio of CPU times, and whether both agree."""
    times: tuple[list[Times], list[Times]] = ([], [])
    results: list[object] = [None, None]
    for _ in range(repeats):
        for k, work in enumerate((ours, theirs)):
            spent, results[k] = timed(work)
            times[k].append(spent)
    best, peer = map(least, times)
    ratio = best.cpu / peer.cpu
    row = (
        f"| {title} | {best.cpu:.2f} / {peer.cpu:.2f} | {ratio:.3f} "
        f"| {best.wall:.2f} / {peer.wall:.2f} | {best.wall / peer.wall:.3f} |"
    )
    return row, ratio, results[0] == results[1]


def words_of(refs: list[str], hyps: list[str]) -> Figures:
    said = jiwer.process_words(refs, hyps)
    return said.wer, said.hits, said.substitutions, said.deletions, said.insertions


def characters_of(refs: list[str], hyps: list[str]) -> Figures:
    said = jiwer.process_characters(refs, hyps)
    return said.cer, said.hits, said.substitutions, said.deletions, said.insertions


def run_command(refs: list[str], hyps: list[str], most_jobs: int, repeats: int) -> list[str]:
    """Time ``measure run`` on the same pairs in four test sets, with one process and with more."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in range(4):
            test = root / "infer" / f"test{part}"
            test.mkdir(parents=True)
            for name, texts in (("ref", refs), ("hyp", hyps)):
                lines = (f"u{k:07d} {text}\n" for k, text in enumerate(texts) if k % 4 == part)
                (test / f"{name}.scp").write_text("".join(lines))
        target = "{_target_: measure_core.builtin.WER}"
        (root / "measure.yaml").write_text(f"infer_dir: {root / 'infer'}\nmetrics:\n  - metric: {target}\n")
        command = [sys.executable, "-m", "measure_core", "run", str(root / "measure.yaml"), "--quiet"]
        for jobs in range(1, most_jobs + 1):
            work = partial(subprocess.run, [*command, "-j", str(jobs)], check=True, stdout=subprocess.DEVNULL)
            spent = [timed(work)[0] for _ in range(repeats)]
            best = least(spent)
            rows.append(f"| `measure run -j {jobs}`, 4 test sets | {best.cpu:.2f} | {best.wall:.2f} |")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0], allow_abbrev=False)
    parser.add_argument("--pairs", type=int, default=100_000, help="number of utterances (default: 100000)")
    parser.add_argument("--repeats", type=int, default=5, help="number of repeats (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sentences (default: 0)")
    parser.add_argument("--run", type=int, default=0, metavar="N", help="time `measure run` with 1 to N processes too")
    options = parser.parse_args()
    refs, hyps = pairs(options.pairs, options.seed)
    data = {"ref": refs, "hyp": hyps}
    n_words = sum(len(ref.split()) for ref in refs)
    print(f"{len(refs):,} pairs, {n_words:,} reference words, least of {options.repeats} repeats\n")
    print("| ours / jiwer | CPU s | ratio | wall s | ratio |\n|---|---|---|---|---|")
    is_good = True
    for title, ours, theirs in (
        ("words", lambda: of_ours(WER()(data, "bench", OUT), "wer"), lambda: words_of(refs, hyps)),
        ("characters", lambda: of_ours(CER()(data, "bench", OUT), "cer"), lambda: characters_of(refs, hyps)),
    ):
        row, ratio, agree = compare(title, ours, theirs, options.repeats)
        print(row + ("" if agree else " **they disagree**"))
        is_good &= agree and ratio <= MOST
    if options.run:
        print("\n| whole command | CPU s | wall s |\n|---|---|---|")
        print("\n".join(run_command(refs, hyps, options.run, options.repeats)))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
