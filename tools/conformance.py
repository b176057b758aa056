#!/usr/bin/env python3
"""Compare the packages with a folder of golden data: print `N of M` per folder and group.

    python tools/conformance.py CONFORMANCE_DIR
    python tools/conformance.py CONFORMANCE_DIR --only mdeval --whole

The folder has sub-folders `mdeval` (runs of NIST's md-eval 22), `formats` (files good and bad), `measure` (runs of
the measure stage and statistics of SCTK), `discophon` (runs of the published benchmark) and `cases`
(inputs people trip over), which say in manifests what is wanted. Exit status: 0 all agree, 1 something
differs, 2 nothing to compare.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from golden import cases, discophon, formats, mdeval, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from golden.report import Report

FOLDERS = ("mdeval", "formats", "measure", "discophon", "cases")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compare the packages with a folder of golden data.", allow_abbrev=False
    )
    parser.add_argument("folder", type=Path, help="the folder of golden data")
    parser.add_argument("--only", default=",".join(FOLDERS), help="sub-folders, by comma (%(default)s)")
    parser.add_argument("--whole", action="store_true", help="mdeval: want the whole text, not only the figures")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time (%(default)s)")
    python = shlex.quote(sys.executable)
    parser.add_argument("--mdeval", default=f"{python} -m mdeval.cli", help="the command (%(default)s)")
    parser.add_argument("--speechio", default=f"{python} -m speechio", help="the command (%(default)s)")
    parser.add_argument("--measure", default=f"{python} -m measure_core", help="the command (%(default)s)")
    parser.add_argument("--discophon", default=f"{python} -m discophon", help="the command (%(default)s)")
    arguments = parser.parse_args(argv)
    arguments.only = arguments.only.split(",")
    unknown = set(arguments.only) - set(FOLDERS)
    if unknown:
        parser.error(f"--only knows {', '.join(FOLDERS)}, not {', '.join(sorted(unknown))}")
    return arguments


def reports(arguments: argparse.Namespace) -> list[Report]:
    names = ("speechio", "mdeval", "measure", "discophon")
    commands = cases.Commands(*(shlex.split(getattr(arguments, name)) for name in names))
    found = []
    for name in arguments.only:
        root = arguments.folder / name
        if name == "mdeval":
            found.append(mdeval.check(root, commands.mdeval, jobs=arguments.jobs, whole=arguments.whole))
        elif name == "formats":
            found.append(formats.check(root, commands.speechio, jobs=arguments.jobs))
        elif name == "measure":
            found.append(measure.check(root, commands.measure, jobs=arguments.jobs))
        elif name == "discophon":
            found.append(discophon.check(root, shlex.split(arguments.discophon)[0]))
        else:
            found.append(cases.check(root, commands, jobs=arguments.jobs))
        print("\n".join(found[-1].lines()), flush=True)
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
