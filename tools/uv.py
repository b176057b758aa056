#!/usr/bin/env python3
"""Run uv, with which this workspace is installed; fetch it first where it is missing.

    python3 tools/uv.py run mdeval --help
    python3 tools/uv.py run pytest

A uv on the PATH is used if it is new enough. Otherwise pip puts one into the folder `.uv` of the checkout.
Nothing outside the checkout is changed, so this works too where the system's Python refuses to take packages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OWN = Path(__file__).resolve().parent.parent / ".uv"
OLDEST_PYTHON = (3, 11)
OLDEST = (0, 8)
WANTED = "uv>=0.8,<1"


def version(command: str) -> tuple[int, ...]:
    """Give the version of a uv, or nothing if it does not run."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"uv (\d+)\.(\d+)", done.stdout)
    return tuple(map(int, found.groups())) if found and done.returncode == 0 else ()


def find() -> str | None:
    """Look for a uv that is new enough: the one that runs this, one on the PATH, the one fetched earlier."""
    places = (None, str(OWN / "bin"), str(OWN / "Scripts"))
    for command in (os.environ.get("UV"), *(shutil.which("uv", path=place) for place in places)):
        if command and version(command) >= OLDEST:
            return command
    return None


def fetch() -> str | None:
    """Let pip put a uv into the checkout; with a target folder pip does so even for a managed Python."""
    print(f"uv is not here yet: fetching it into {OWN}", file=sys.stderr)
    OWN.mkdir(exist_ok=True)
    (OWN / ".gitignore").write_text("*\n", encoding="utf-8")  # so that git and the linters pass it over
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore"]
    done = subprocess.run([*pip, "--upgrade", "--target", str(OWN), WANTED], check=False)
    return find() if done.returncode == 0 else None


def main(arguments: list[str]) -> int:
    """Run uv with these arguments, in place of this process where the system can do that."""
    if sys.version_info < OLDEST_PYTHON:
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    uv = find() or fetch()
    if uv is None:
        print("uv could not be fetched (pip's message is above); install uv by other means", file=sys.stderr)
        return 2
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(uv, [uv, *arguments])
    return subprocess.run([uv, *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
