"""Where tasks are computed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pathbench.engine import Engine, _surviving
from pathbench.errors import EvaluationError, UsageError
from pathbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

MINI = Path(__file__).parent / "data" / "minidata" / "mini" / "pathological" / "word" / "balanced"
SCRIPT = """
import sys
from distributed import LocalCluster
from pathbench.cli import main

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        sys.exit(main([*sys.argv[1:], "--engine", "dask", "--scheduler", cluster.scheduler_address]))
"""


def test_a_cluster_gives_the_same_scores(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    contents = []
    for name, command in (("there", [script]), ("here", ["-m", "pathbench"])):
        arguments = [*command, "run", MINI, "--evaluators", "cpp,f0_range", "--out", tmp_path / name, "--quiet"]
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], env=environment, capture_output=True, check=False, timeout=180
        )
        assert done.returncode == 0, done.stderr.decode()
        with Store(str(tmp_path / name / "scores.sqlite"), read_only=True) as store:
            contents.append(store.content())
    assert contents[0] == contents[1]
    assert len(contents[0]) == 20 + 6


@pytest.mark.parametrize(("jobs", "engine", "scheduler"), [(0, "local", None), (-2, "local", None), (1, "dask", None)])
def test_what_cannot_be_asked_for(jobs: int, engine: str, scheduler: str | None) -> None:
    with pytest.raises(UsageError, match="fix: "):
        Engine(jobs, engine, scheduler)  # type: ignore[arg-type]


def test_all_processors() -> None:
    assert Engine(-1).jobs >= 1
    assert Engine(1).window == 1
    assert Engine(3).window > 3
    assert Engine(1, "dask", "x:1").window > Engine(3).window


def test_what_cannot_be_sent_is_refused() -> None:
    from pathbench.evaluator import ReferenceFreeEvaluator

    class Stuck(ReferenceFreeEvaluator):
        def __reduce__(self) -> str:
            raise TypeError("no way")

    with (
        pytest.raises(UsageError, match=r"cannot be sent to another process \(no way\)"),
        Engine(2).ready({"a": Stuck()}),
    ):
        pass


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os, signal\n"
        "from pathbench.evaluator import ReferenceFreeEvaluator\n"
        "class Deadly(ReferenceFreeEvaluator):\n"
        "    def _score_audio(self, audio, fs):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    arguments = ["run", MINI, "--evaluators", "deadly:Deadly", "--out", tmp_path / "out", "-j", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "pathbench", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert done.returncode == 3
    assert "pathbench: error: a process died" in done.stderr
    assert "Traceback" not in done.stderr


LOOSE = """
import os, sys
from distributed import LocalCluster
from pathbench.cli import main

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        os.chdir(sys.argv.pop())
        sys.exit(main([*sys.argv[1:], "--engine", "dask", "--scheduler", cluster.scheduler_address]))
"""


def test_a_cluster_is_sent_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "loose.py").write_text(LOOSE, encoding="utf-8")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "helper.py").write_text("def measure(audio):\n    return float(len(audio))\n", encoding="utf-8")
    (mine / "loose_evaluator.py").write_text(
        "import helper\n"
        "from pathbench.evaluator import ReferenceFreeEvaluator\n"
        "class Mine(ReferenceFreeEvaluator):\n"
        "    def _score_audio(self, audio, fs):\n"
        "        return helper.measure(audio)\n",
        encoding="utf-8",
    )
    shutil.copy(MINI.parents[4] / "minidata" / "wav" / "P01_blue.flac", mine / "a.flac")
    for name, text in {"wav.scp": "u1 a.flac\n", "utt2spk": "u1 A\n", "spk2score": "A 1\n"}.items():
        (mine / name).write_text(text, encoding="utf-8")
    arguments = ["run", ".", "--evaluators", "loose_evaluator:Mine", "--out", tmp_path / "out", mine]
    done = subprocess.run(
        [sys.executable, str(tmp_path / "loose.py"), *map(str, arguments)],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    with Store(str(tmp_path / "out" / "scores.sqlite"), read_only=True) as store:
        [score] = store.results("mine")
    assert score.detail.reason is None, score


def test_a_cluster_that_is_lost_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os, signal, time\n"
        "from pathbench.evaluator import ReferenceFreeEvaluator\n"
        "class Deadly(ReferenceFreeEvaluator):\n"
        "    def _score_audio(self, audio, fs):\n"
        "        os.kill(int(os.environ['SCHEDULER']), signal.SIGKILL)\n"
        "        time.sleep(60)\n",
        encoding="utf-8",
    )
    place = tmp_path / "scheduler.json"

    def start(what: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, "--scheduler-file", str(place), *options]
        with open(tmp_path / f"{what}.log", "wb") as log:
            return subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0")
    # a single thread: joblib alone would compute here instead
    worker = start("worker", "--no-nanny", "--no-dashboard", "--nthreads", "1", SCHEDULER=str(scheduler.pid))
    try:
        deadline = time.monotonic() + 60
        while b"Registered to" not in (tmp_path / "worker.log").read_bytes() and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(place.read_text(encoding="utf-8"))["address"]
        options = ["--engine", "dask", "--scheduler", address, "--out", tmp_path / "out", "--quiet"]
        done = subprocess.run(
            [sys.executable, "-m", "pathbench", *map(str, ["run", MINI, "--evaluators", "deadly:Deadly", *options])],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            text=True,
            timeout=180,
        )
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert done.returncode == 3
    fix = "see why it ended, and run again; what was finished is kept"
    assert done.stderr == f"pathbench: error: the Dask cluster at {address} is lost; fix: {fix}\n"


IDLE = """
import sys
from distributed import LocalCluster
from pathbench import engine
from pathbench.cli import main

if __name__ == "__main__":
    engine._SECONDS_TO_FIND_WORKERS = 0.5
    with LocalCluster(n_workers=0, dashboard_address=":0", host="127.0.0.1", scheduler_port=0) as cluster:
        address = cluster.scheduler_address
        print(address)
        sys.exit(main([*sys.argv[1:], "--engine", "dask", "--scheduler", address]))
"""


def test_a_cluster_without_workers_is_told_in_one_line(tmp_path: Path) -> None:
    script = tmp_path / "idle.py"
    script.write_text(IDLE, encoding="utf-8")
    arguments = ["run", MINI, "--evaluators", "cpp", "--out", tmp_path / "out", "--quiet"]
    done = subprocess.run(
        [sys.executable, str(script), *map(str, arguments)],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    address = done.stdout.strip()
    assert done.returncode == 2
    fix = f"start some with `dask worker {address}`"
    assert done.stderr == f"pathbench: error: the Dask scheduler at {address} has no worker; fix: {fix}\n"


def test_what_goes_wrong_elsewhere_is_told() -> None:
    def failing(error: Exception) -> Iterator[Any]:
        yield "first"
        raise error

    for error, words in (
        (ModuleNotFoundError("No module", name="mine"), "another process has no module mine; fix: "),
        (OSError("comm closed"), "the other processes failed: OSError: comm closed; fix: "),
    ):
        with pytest.raises(EvaluationError, match=words):
            list(_surviving(lambda error=error: failing(error)))  # type: ignore[misc]
    with pytest.raises(UsageError, match="mine"):
        list(_surviving(lambda: failing(UsageError("mine"))))
