"""Being terminated: what is finished is kept, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from measure_core.cli.signals import Terminated, termination_raised
from measure_support import Stage

SLEEPS = """
import os, time
from pathlib import Path
from measure_core import AbsMetrics


class Sleeps(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        time.sleep(2)  # until what came before has been fetched
        (output_dir / f"{test_name}.pid").write_text(str(os.getpid()))
        time.sleep(100)
"""


COUNTS = """
import os, time
from pathlib import Path
from measure_core.builtin import WER


class SleepsCounting(WER):
    def count(self, data):
        Path(f"{os.getpid()}.counting").touch()
        time.sleep(100)
"""


def wait_for(path: Path, process: "subprocess.Popen[str]") -> int:
    for _ in range(600):
        if path.exists() and (text := path.read_text(encoding="utf-8")):
            return int(text)
        assert process.poll() is None
        time.sleep(0.05)
    raise AssertionError(path)


@pytest.mark.parametrize(("jobs", "engine"), [("1", "local"), ("2", "local"), ("2", "dask")])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_that_is_ended_leaves_what_is_finished_and_no_process(
    ready: Stage, jobs: str, engine: str, number: signal.Signals, status: int
) -> None:
    (ready.folder / "sleeping.py").write_text(SLEEPS, encoding="utf-8")
    count = "{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}"
    ready.yaml(f"metrics: [{count}, {{metric: {{_target_: sleeping.Sleeps}}, inputs: [hyp]}}]")
    command = [sys.executable, "-m", "measure_core", "run", "measure.yaml", "-j", jobs, "--engine", engine]
    with subprocess.Popen(command, cwd=ready.folder, stdout=-1, stderr=-1, text=True) as process:
        workers = {wait_for(ready.infer / f"{name}.pid", process) for name in ("a", "b")[: int(jobs)]}
        process.send_signal(number)
        said = process.communicate(timeout=30)[1]  # a worker that lives on would keep the pipes open
    assert process.returncode == status
    assert "Traceback" not in said
    assert "distributed" not in said
    assert ready.results("measures.partial.json") == {"stage_metrics.Count": {"a": {"n": 1}, "b": {"n": 1}}}
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_processes_that_count_end_with_the_run_without_a_word(
    ready: Stage, number: signal.Signals, status: int
) -> None:
    (ready.folder / "counting.py").write_text(COUNTS, encoding="utf-8")
    ready.yaml("metrics: [{metric: {_target_: counting.SleepsCounting}}]")
    command = [sys.executable, "-m", "measure_core", "run", "measure.yaml", "-j", "2", "--quiet"]
    with subprocess.Popen(
        command, cwd=ready.folder, stdout=-1, stderr=-1, text=True, start_new_session=True
    ) as process:
        for _ in range(600):
            if len(list(ready.folder.glob("*.counting"))) == 2:
                break
            assert process.poll() is None
            time.sleep(0.05)
        if number == signal.SIGINT:  # a terminal tells all of them
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        said = process.communicate(timeout=30)[1]  # a worker that lives on would keep the pipes open
    assert (process.returncode, said) == (status, "interrupted\n" if number == signal.SIGINT else "terminated\n")


INTERRUPTS = """
import os, signal, sys
from measure_core.cli import main

os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGINT))
sys.exit(main(["run", "measure.yaml", "-j", "2", "--quiet"]))
"""


def test_a_process_that_counts_hears_no_interruption_from_its_first_moment(ready: Stage) -> None:
    ready.yaml("metrics: [{metric: wer}]")
    command = [sys.executable, "-c", INTERRUPTS]
    done = subprocess.run(command, cwd=ready.folder, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_handler_is_there_for_a_while() -> None:
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with pytest.raises(Terminated), termination_raised():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_somebody_elses_handler_stays() -> None:
    told: list[int] = []

    def theirs(number: int, frame: object) -> None:
        del frame
        told.append(number)

    signal.signal(signal.SIGTERM, theirs)
    try:
        with termination_raised():
            os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is theirs
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert told == [signal.SIGTERM]


def test_another_thread_sets_no_handler() -> None:
    found: list[object] = []

    def look() -> None:
        with termination_raised():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]
