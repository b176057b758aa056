"""Golden data of discophon: what the published package gives, case by case.

The folder brings its own cases (``run_cases.py``) and its own comparison (``check.py``). The cases are run in a
process of their own, this module as a script, where names that the package does not have yet are stand-ins; the cases
of ABX need them, and are for later.
"""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import MagicMock

if TYPE_CHECKING:
    from types import ModuleType

    from golden.report import Report

GROUPS = ("read", "discovery", "benchmark", "cli", "edge")
LATER = "discophon has no ABX yet"
TIME_LIMIT = 600.0  # seconds for all cases


def check(root: Path, python: str = sys.executable) -> Report:
    """Run all cases with the package of an interpreter, and compare."""
    from golden.report import Finding, Report

    comparison = _module(root / "check.py")
    book = json.loads((root / "expected.json").read_text(encoding="utf-8"))["cases"]
    got = run(root, python)
    report = Report("discophon")
    for name, entry in sorted(book.items()):
        group = "/".join(name.split("/")[: 2 if name.startswith("edge/") else 1])
        if "abx" in name or "benchmark-features" in name:
            report.findings.append(Finding("abx", name, later=LATER))
            continue
        want = entry["release"]
        if "recommended" in want:  # where the published package fails for a reason of its own
            want = {"value": want["recommended"]}
        agrees, why = comparison.agrees(name, got.get(name), want)
        report.findings.append(Finding(group, name, () if agrees else (why,)))
    return report


def run(root: Path, python: str) -> dict[str, Any]:
    """Run the cases and give what each gave: a value, or the classes of the exception."""
    command = [python, str(Path(__file__).resolve()), str(root)]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT, env=environment)
    for line in done.stdout.splitlines():
        if line.startswith("CASES "):
            found: dict[str, Any] = json.loads(line.removeprefix("CASES "))
            return found
    raise ValueError(f"the cases did not run: {done.stderr[-1000:]}")


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"golden_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drive(root: Path) -> None:
    """Run the folder's cases in this process, with stand-ins for what ABX needs."""
    sys.path.remove(str(Path(__file__).resolve().parent))  # this file must not be taken for the package
    import discophon.benchmark

    for name in ("benchmark_abx_continuous", "benchmark_abx_discrete"):
        if not hasattr(discophon.benchmark, name):
            setattr(discophon.benchmark, name, MagicMock())
    for name in ("discophon.abx", "torch"):
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = MagicMock()
    sys.argv = ["run_cases.py", str(root / "data"), "--only", ",".join(GROUPS)]
    runpy.run_path(str(root / "run_cases.py"), run_name="__main__")


if __name__ == "__main__":
    drive(Path(sys.argv[1]).resolve())
