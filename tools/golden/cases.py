"""Small inputs people trip over. Each case has a checker, driven by the fields of its ``case.json``.

A checker yields what is wrong. Fields with free wording (``rule``, ``warning``) are for readers; what of them
can be checked stands in the checker. `DEVIATIONS` lists cases known to differ, with the reason.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golden import cases_di, cases_io, cases_md, cases_me, cases_pa
from golden.report import Finding, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LATER = {
    "io-textgrid-": "speechio has no TextGrid yet",
}
PACKAGES = ("speechio", "mdeval", "measure-core", "discophon", "pathbench")
DEVIATIONS: dict[str, str] = {}  # case id: what differs and why


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands under test."""

    speechio: Sequence[str]
    mdeval: Sequence[str]
    measure: Sequence[str]
    discophon: Sequence[str]
    pathbench: Sequence[str]


def checker(case: dict[str, Any], commands: Commands) -> Callable[[Path], Iterator[str]] | None:
    """Find the checker of a case; nothing if it has none."""
    if case["package"] == "mdeval":
        special = cases_md.SPECIAL.get(case["id"], cases_md.figures)
        return lambda folder: special(case, cases_md.Scorer(commands.mdeval, folder))
    if case["package"] == "measure-core":
        of_stage = cases_me.SPECIAL.get(case["id"], cases_me.values)
        return lambda folder: of_stage(case, cases_me.Stage(commands.measure, folder))
    if case["id"] in cases_pa.CHECKERS:
        of_bench = cases_pa.CHECKERS[case["id"]]
        return lambda folder: of_bench(case["expected"], cases_pa.Bench(commands.pathbench, folder))
    if case["id"] in cases_di.CHECKERS:
        of_units = cases_di.CHECKERS[case["id"]]
        return lambda folder: of_units(case["expected"], cases_di.Evaluator(commands.discophon, folder))
    if case["id"] in cases_io.CHECKERS:
        check_one = cases_io.CHECKERS[case["id"]]
        return lambda folder: check_one(case["expected"], cases_io.Files(commands.speechio, folder))
    return None


def judge(folder: Path, commands: Commands) -> Finding | None:
    """Judge one case in a copy of its folder; nothing for a case of another package."""
    case: dict[str, Any] = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    name = case["id"]
    if case["package"] not in PACKAGES:
        return None
    for start, reason in LATER.items():
        if name.startswith(start):
            return Finding(case["package"], name, later=reason)
    if name in DEVIATIONS:
        return Finding(case["package"], name, later=f"deviates: {DEVIATIONS[name]}")
    check_one = checker(case, commands)
    if check_one is None:
        return Finding(case["package"], name, ("no checker is written for this case",))
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / name
        shutil.copytree(folder, copy)
        try:
            faults = tuple(check_one(copy))
        except (LookupError, TypeError, ValueError) as fault:  # the output has another shape
            faults = (f"output cannot be judged: {type(fault).__name__}: {fault}",)
    return Finding(case["package"], name, faults)


def check(root: Path, commands: Commands, *, jobs: int) -> Report:
    """Judge every case of the packages that are here."""
    folders = sorted(path.parent for path in root.glob("*/case.json"))
    with ThreadPoolExecutor(jobs) as pool:
        findings = pool.map(lambda folder: judge(folder, commands), folders)
        return Report("cases", [finding for finding in findings if finding])
