#!/usr/bin/env python3
"""Compare the packages with a folder of golden data: print `N of M` per folder and group.

    python tools/conformance.py CONFORMANCE_DIR
    python tools/conformance.py CONFORMANCE_DIR --only mdeval --whole

The folder has sub-folders `mdeval` (runs of NIST's md-eval 22), `formats` (files good and bad), `measure` (runs of the
measure stage, statistics of SCTK), `discophon` and `pathbench` (runs of the published benchmarks) and `cases` (inputs
people trip over), which say in manifests what is wanted. Exit status: 0 all agree, 1 something differs, 2 nothing to
compare.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from golden import cases, discophon, formats, mdeval, measure, pathbench_scores, pathbench_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from golden.report import Report

FOLDERS = ("mdeval", "formats", "measure", "discophon", "pathbench", "cases")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compare the packages with a folder of golden data.", allow_abbrev=False
    )
    parser.add_argument("folder", type=Path, help="the folder of golden data")
    parser.add_argument("--only", default=",".join(FOLDERS), help="sub-folders, by comma (%(default)s)")
    parser.add_argument(
        "--whole",
        action="store_true",
        help="mdeval: the whole text; pathbench: slow scores too",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time (%(default)s)")
    python = shlex.quote(sys.executable)
    parser.add_argument("--mdeval", default=f"{python} -m mdeval.cli", help="the command (%(default)s)")
    parser.add_argument("--speechio", default=f"{python} -m speechio", help="the command (%(default)s)")
    parser.add_argument("--measure", default=f"{python} -m measure_core", help="the command (%(default)s)")
    parser.add_argument("--discophon", default=f"{python} -m discophon", help="the command (%(default)s)")
    parser.add_argument("--pathbench", default=f"{python} -m pathbench", help="the command (%(default)s)")
    arguments = parser.parse_args(argv)
    arguments.folder = arguments.folder.resolve()  # the commands run in folders of their own
    arguments.only = arguments.only.split(",")
    unknown = set(arguments.only) - set(FOLDERS)
    if unknown:
        parser.error(f"--only knows {', '.join(FOLDERS)}, not {', '.join(sorted(unknown))}")
    return arguments


def reports(arguments: argparse.Namespace) -> list[Report]:
    names = ("speechio", "mdeval", "measure", "discophon", "pathbench")
    commands = cases.Commands(*(shlex.split(getattr(arguments, name)) for name in names))
    judges = {
        "mdeval": lambda root: [mdeval.check(root, commands.mdeval, jobs=arguments.jobs, whole=arguments.whole)],
        "formats": lambda root: [formats.check(root, commands.speechio, jobs=arguments.jobs)],
        "measure": lambda root: [measure.check(root, commands.measure, jobs=arguments.jobs)],
        "discophon": lambda root: [discophon.check(root, commands.discophon[0])],
        "pathbench": lambda root: [
            pathbench_scores.check(root, whole=arguments.whole),
            pathbench_tables.check(root, commands.pathbench, jobs=arguments.jobs),
        ],
        "cases": lambda root: [cases.check(root, commands, jobs=arguments.jobs)],
    }
    found = []
    for name in arguments.only:
        for report in judges[name](arguments.folder / name):
            print("\n".join(report.lines()), flush=True)
            found.append(report)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse(argv)
    missing = [name for name in arguments.only if not (arguments.folder / name).is_dir()]
    if missing:
        print(f"conformance: {arguments.folder} has no folder {', '.join(missing)}", file=sys.stderr)
        return 2
    return 0 if all(report.agrees for report in reports(arguments)) else 1


if __name__ == "__main__":
    sys.exit(main())
