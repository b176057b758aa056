"""Standard output is for results."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import ctypes, os, sys
from pathbench.shield import results_only
sys.stdout.write("before ")
with results_only():
    print("python")
    sys.__stdout__.write("original\\n")
    os.write(1, b"descriptor\\n")
    os.system("echo child")
print("after")
"""


def test_nothing_but_results_reaches_standard_output() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True, text=True)
    assert done.stdout == "before after\n"
    assert sorted(done.stderr.split()) == ["child", "descriptor", "original", "python"]


def test_streams_that_are_closed() -> None:
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -c '{SCRIPT.replace(chr(39), chr(34))}' {closed}"],
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.stdout in ("", "before after\n")
        assert "results_only" not in done.stderr


def test_without_descriptors(capsys: object) -> None:
    from pathbench.shield import results_only

    with results_only():
        sys.stdout.write("x")
    assert capsys.readouterr().out == ""  # type: ignore[attr-defined]
