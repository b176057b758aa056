#!/usr/bin/env python3
"""Time the scoring call alone, on turns that are in memory already, beside the C++ peer's.

    python tools/bench/inprocess.py FOLDER...      in an environment that has both mdeval and spy-der

Each folder has `ref.rttm`, `sys.rttm` and `all.uem`. Prints a Markdown row per folder: CPU seconds, least of five.
The peer's call is timed twice: as its Python function takes turns, and its C++ part alone on lists made before.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def least(call: Callable[[], object], times: int = 5) -> float:
    """Give the least CPU time of some calls, in seconds."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def peer_turns(path: Path) -> dict[str, list[tuple[str, float, float]]]:
    turns: dict[str, list[tuple[str, float, float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        _, name, _, onset, duration, _, _, speaker, *_ = line.split()
        turns.setdefault(name, []).append((speaker, float(onset), float(onset) + float(duration)))
    return turns


def peer(folder: Path) -> tuple[float, float]:
    """Time the peer's function, and its C++ part alone."""
    import spyder

    ref, system = peer_turns(folder / "ref.rttm"), peer_turns(folder / "sys.rttm")
    regions: dict[str, list[tuple[float, float]]] = {}
    for line in (folder / "all.uem").read_text(encoding="utf-8").splitlines():
        name, _, start, end = line.split()
        regions.setdefault(name, []).append((float(start), float(end)))

    def listed(rows: list[tuple[str, float, float]]) -> Any:  # noqa: ANN401 - the peer has no types
        return spyder.TurnList([spyder.Turn(*row) for row in rows])

    def made() -> list[tuple[Any, Any, Any]]:
        return [
            (listed(ref[name]), listed(system.get(name, [])), listed([("uem", *span) for span in regions[name]]))
            for name in ref
        ]

    # the call changes its lists, so each run gets new ones, made outside the clock
    core = []
    for _ in range(5):
        lists = made()
        begun = time.process_time()
        for item in lists:
            spyder.compute_der(*item, regions="all", collar=0.0)
        core.append(time.process_time() - begun)
    return least(lambda: [spyder.DER(ref[n], system.get(n, []), regions[n]) for n in ref]), min(core)


def ours(folder: Path) -> float:
    """Time our call."""
    from mdeval.pool import read_side, read_uem
    from mdeval.scoring import score_sides

    reference, system = (read_side([str(folder / name)], strict=True, large=True) for name in ("ref.rttm", "sys.rttm"))
    uem = read_uem(str(folder / "all.uem"), [], strict=True)
    keys = reference.keys_with_turns()
    return least(lambda: score_sides(keys, reference, system, uem))


def main() -> int:
    print("| input | ours | peer's function | peer's C++ part alone |")
    print("|---|--:|--:|--:|")
    for name in sys.argv[1:]:
        mine = ours(Path(name))
        function, core = peer(Path(name))
        print(f"| {Path(name).name} | {mine:.4f} | {function:.4f} | {core:.4f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
