"""The same results wherever the work is done."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from operator import neg

import pytest

from discophon.engine import check_jobs, each
from discophon.errors import UsageError
from discophon_support import DATA, make_dataset, run_discophon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

ON_DASK = """
import json, sys
from distributed import LocalCluster
from discophon.benchmark import score_discovery

if __name__ == "__main__":
    dataset, units = sys.argv[1:]
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster:
        found = score_discovery(dataset, units, kind="many-to-one", scheduler=cluster.scheduler_address)
    assert found == score_discovery(dataset, units, kind="many-to-one")
    print(len(found))
"""


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_results_come_in_order(jobs: int) -> None:
    assert list(each(neg, range(20), jobs=jobs)) == [-number for number in range(20)]
    assert list(each(neg, [], jobs=jobs)) == []


def test_the_workers_of_a_scheduler_give_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ON_DASK, str(make_dataset(tmp_path / "data")), str(DATA / "units" / "k256-20ms")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "16\n"), done.stderr


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discophon.engine._PATIENCE", "100ms")
    with pytest.raises(UsageError, match=r"the scheduler '127\.0\.0\.1:1' does not answer"):
        list(each(neg, [1], scheduler="127.0.0.1:1"))


def test_dask_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install distributed"):
        list(each(neg, [1], scheduler="127.0.0.1:1"))


def test_errors_of_processes_are_told_as_any_other(tmp_path: Path) -> None:
    dataset, units = make_dataset(tmp_path / "data"), tmp_path / "units"
    units.mkdir()
    for name in ("swa-dev", "swa-test"):
        (units / f"units-{name}.jsonl").write_text('{"file": "f", "units": [1, null]}\n')
    done = run_discophon("benchmark", "--quiet", "-j", 2, dataset, units, "s.jsonl", cwd=tmp_path)
    assert done.status == 2
    expected = "units-swa-dev.jsonl:1: units must be whole numbers; number 2 is None; fix: write one integer per step\n"
    assert done.stderr == f"discophon: error: {units}/{expected}"
    done = run_discophon("benchmark", dataset, units, "s.jsonl", "--engine", "dask", cwd=tmp_path)
    assert "--engine dask and --scheduler HOST:PORT go together" in done.stderr


KILLED = """
import sys
from discophon import benchmark, cli, engine
from test_engine_tasks import die
benchmark._score = die
sys.exit(cli.main(["benchmark", "--quiet", "-j", "2", *sys.argv[1:]]))
"""


def test_a_killed_process_is_one_message_and_status_3(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "data")
    (tmp_path / "test_engine_tasks.py").write_text(
        "import os, signal\ndef die(task, **options): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    command = [sys.executable, "-c", KILLED, str(dataset), str(DATA / "units" / "k256-20ms"), "s.jsonl"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "discophon: error: a process that computed was killed, perhaps for want of memory; use fewer processes"
        " (jobs, -j)\n"
    )
    assert not (tmp_path / "s.jsonl").exists()


def test_of_several_errors_the_first_is_told() -> None:
    def fail_late_first(number: int) -> int:  # in here it travels by value: other processes cannot import this module
        time.sleep(0.2 * (3 - number))
        raise ValueError(number)

    with pytest.raises(ValueError, match=r"^0$"):
        list(each(fail_late_first, range(3), jobs=3))


INTERRUPTED = """
import os, signal, sys, time
from functools import partial
from discophon.engine import each

def work(number):
    time.sleep(300)

if __name__ == "__main__":
    signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(0, signal.SIGINT))  # as a terminal does: to all of them
    try:
        list(each(work, range(4), jobs=2))
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_an_interruption_ends_all_processes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, "program.py", "3"],
        cwd=tmp_path, capture_output=True, text=True, check=False, start_new_session=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == (
        "interrupted\n",
        0,
    )  # and the work of the processes takes longer than 60 s


def test_no_process_is_left_when_the_work_is_done() -> None:
    """What is left would be ended when the interpreter ends, where an interruption is a traceback and status 0."""
    from joblib.externals.loky import reusable_executor

    assert list(each(neg, range(4), jobs=2)) == [0, -1, -2, -3]
    assert reusable_executor._executor._flags.shutdown


STARTING = """
import os, signal, threading
from operator import neg
from joblib.externals.loky.backend import fork_exec as starting
from discophon.engine import each

start = starting.fork_exec
timers = []

def start_and_interrupt(*arguments, **options):
    if not timers:  # as a terminal does, while the first process loads what it needs
        timers.append(threading.Timer(0.05, os.killpg, (0, signal.SIGINT)))
        timers[0].start()
    return start(*arguments, **options)

if __name__ == "__main__":
    starting.fork_exec = start_and_interrupt
    try:
        print(list(each(neg, range(4), jobs=2)))
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_an_interruption_while_processes_start_is_silent(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(STARTING)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False, start_new_session=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\n", "", 0)


TERMINATED = """
import os, signal, sys
from discophon import benchmark, cli
from tasks_of_a_test import wait
benchmark._score = wait
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
sys.exit(cli.main(["benchmark", "--quiet", *sys.argv[2:]]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_end_of_the_program_is_that_of_its_processes(tmp_path: Path, jobs: int) -> None:
    """They would hold standard output and error, which are read here to their ends."""
    dataset = make_dataset(tmp_path / "data")
    (tmp_path / "tasks_of_a_test.py").write_text("import time\ndef wait(*_, **__): time.sleep(300)\n")
    units = str(DATA / "units" / "k256-20ms")
    done = subprocess.run(
        [sys.executable, "-c", TERMINATED, "3", str(dataset), units, "s.jsonl", "-j", str(jobs)],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")
    assert not list(tmp_path.glob("s.jsonl*"))


LOST = """
import logging
from distributed import LocalCluster
from distributed.client import FutureCancelledError
from discophon.engine import _workers
from discophon.errors import WorkerError

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        log = logging.getLogger("distributed.client")
        level = log.level
        try:
            with _workers(cluster.scheduler_address):
                log.error("a page of what went on inside")
                raise FutureCancelledError("key", "scheduler-connection-lost", "Client lost\\nit.")
        except WorkerError as error:
            print(error)
        assert log.level == level
"""


def test_a_lost_scheduler_is_told_by_us_alone(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LOST)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "inside" not in done.stderr
    assert done.stdout.startswith("the workers of 'inproc://")
    assert done.stdout.endswith(
        "lost: key cancelled for reason: scheduler-connection-lost. Client lost it; look at their logs\n"
    )


IDLE = """
from operator import neg
from distributed import LocalCluster
from discophon import engine
from discophon.errors import UsageError

if __name__ == "__main__":
    engine._PATIENCE = "3s"
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:
        try:
            print(list(engine.each(neg, range(4), scheduler=cluster.scheduler_address)))
        except UsageError as error:
            print(str(error).replace(cluster.scheduler_address, "HERE"))
"""


def test_a_scheduler_without_workers_is_told_by_us_alone(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(IDLE)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "there is no worker at 'HERE'; start one: dask worker HERE\n"


@pytest.mark.parametrize("jobs", [0, -2, True, 1.0])
def test_numbers_of_processes_that_cannot_be(jobs: int) -> None:
    with pytest.raises(UsageError, match=r"^jobs is .*; it must be a whole number from 1 to .*, or -1 for one per"):
        check_jobs(jobs)
