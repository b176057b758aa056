"""Signals end a run silently, wherever they come."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from discophon import cli
from discophon.ending import Ended, endable
from discophon_support import DATA

if TYPE_CHECKING:
    from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM)
GIVEN = [str(DATA / "units" / "k256-20ms" / "units-swa-dev.jsonl"), str(DATA / "alignment" / "alignment-swa-dev.txt")]

IMPORTED_BY_C = """
import os, sys
from discophon import cli

class Finder:
    def find_spec(name, path=None, target=None):
        if name == "datetime" and "numpy" in sys.modules:  # numpy's compiled part asks for it
            os.kill(os.getpid(), int(sys.argv[1]))

sys.meta_path.insert(0, Finder)
sys.exit(cli.main(["evaluate", *sys.argv[2:], "--language", "swahili"]))
"""

IMPORTED_BY_CPLUSPLUS = """
import os, sys
from discophon import cli, verbs
from discophon.verbs import validate

def called(frame, event, _):
    if event == "call" and frame.f_code.co_filename == "<internal>":  # within the compiled part of soxr
        sys.setprofile(None)
        os.kill(os.getpid(), int(sys.argv[1]))

def run(_):
    sys.setprofile(called)
    import soxr
    print("goes on")

validate.run = run
sys.exit(cli.main(["validate", *sys.argv[2:]]))
"""

MADE_INTO_ANOTHER_ERROR = """
import os, sys
from discophon import cli
from discophon.verbs import validate

def run(_):
    try:
        os.kill(os.getpid(), int(sys.argv[1]))
        sys.stdin.read()
    except KeyboardInterrupt:
        raise ImportError("PyCapsule_Import could not import")

validate.run = run
sys.exit(cli.main(["validate", *sys.argv[2:]]))
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("code", [IMPORTED_BY_C, IMPORTED_BY_CPLUSPLUS, MADE_INTO_ANOTHER_ERROR])
def test_a_signal_is_the_end_whatever_is_made_of_it(tmp_path: Path, code: str, number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code, str(int(number)), *GIVEN],
        cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


@pytest.mark.parametrize("number", SIGNALS)
def test_handlers_and_tracers_are_as_before(number: int) -> None:
    before, tracer = [signal.getsignal(each) for each in SIGNALS], sys.gettrace()
    with pytest.raises(Ended) as caught, endable():
        os.kill(os.getpid(), number)
    assert caught.value.status == 128 + number
    assert ([signal.getsignal(each) for each in SIGNALS], sys.gettrace()) == (before, tracer)


def test_whoever_has_decided_otherwise_keeps_that(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []

    def run(*_: object) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        monkeypatch.setattr(cli, "_run", run)
        assert cli.main([]) == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]
