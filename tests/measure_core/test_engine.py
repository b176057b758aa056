"""Other processes: new ones every time, and what is said and done when one of them dies."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest

from measure_core import ConfigError, MetricError, measure
from measure_core.config.options import Options
from measure_core.runner import run
from measure_support import Stage

KILLS = """
import os
import signal
from measure_core import AbsMetrics
from measure_core.builtin import WER


class Kills(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        if test_name == "b":
            os.kill(os.getpid(), signal.SIGKILL)
        return 1


class Exits(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        if test_name == "b":
            os._exit(0)
        return 1


class DiesOnce(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        mark = output_dir / "died"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 1


class KillsCounting(WER):
    def count(self, data):
        if "c" in data["ref"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().count(data)
"""
ADDS = """
class Adds:
    def __init__(self):
        self.n = 0

    def update(self, *, ref):
        self.n += len(ref)

    def compute(self):
        return {"n": self.n}
"""
OWN = "class Own:\n    def __call__(self, data, *_):\n        return {}\n"


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b", "a b"), ("e", "e"))
    stage.pairs("b", ("c", "d"), ("f", "g"))
    return stage


@pytest.mark.parametrize(
    ("name", "engine", "place"),
    [
        ("Kills", "local", 0),
        ("Kills", "local", 2),
        ("Exits", "local", 0),
        ("KillsCounting", "local", 0),
        ("KillsCounting", "local", 2),
        ("Exits", "dask", 0),
    ],
)
def test_what_others_do_when_a_process_dies_is_done_all_the_same(
    ready: Stage, name: str, engine: Literal["local", "dask"], place: int
) -> None:
    (ready.folder / "killing.py").write_text(KILLS, encoding="utf-8")
    entries = ["{metric: wer}", "{metric: cer}", "{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}"]
    entries.insert(place, f"{{metric: {{_target_: killing.{name}}}, inputs: [ref, hyp]}}")
    config = ready.yaml(f"metrics: [{', '.join(entries)}]")
    done = run(config, options=Options(jobs=2, engine=engine, keep_going=True))
    words = str(done.error)
    assert isinstance(done.error, MetricError)
    assert f"metric killing.{name} on b: the process that computed it died" in words
    assert words.count("died") == 1
    assert "7 of 8 results were finished" in words
    scored = {(key, test_name) for key, sets in ready.results("measures.partial.json").items() for test_name in sets}
    assert len(scored) == 7
    assert (f"killing.{name}", "b") not in scored
    assert not (ready.infer / "measures.json").exists()


def test_a_process_that_dies_stops_the_run(ready: Stage) -> None:
    (ready.folder / "killing.py").write_text(KILLS, encoding="utf-8")
    own = "{metric: {_target_: killing.Kills}, inputs: [ref]}"
    done = run(ready.yaml(f"metrics: [{own}, {{metric: wer}}]"), options=Options(jobs=2))
    assert "killing.Kills on b" in str(done.error)
    assert done.results == {"killing.Kills": {"a": 1}}


def test_what_died_for_want_of_memory_is_done_alone(ready: Stage) -> None:
    (ready.folder / "killing.py").write_text(KILLS, encoding="utf-8")
    config = ready.yaml(
        "dataset: {test: [{name: a}, {name: b}]}\nmetrics: [{metric: {_target_: killing.DiesOnce}, inputs: [ref]}]"
    )
    assert measure(config, options=Options(jobs=2)) == {"killing.DiesOnce": {"a": 1, "b": 1}}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_metric_that_only_adds_up_begins_anew_on_every_test_set(ready: Stage, jobs: int) -> None:
    (ready.folder / "adding.py").write_text(ADDS, encoding="utf-8")
    config = ready.yaml("metrics: [{metric: {_target_: adding.Adds}, inputs: [ref]}]")
    ready.scp("c", "ref", "utt1 x")
    assert measure(config, options=Options(jobs=jobs)) == {"adding.Adds": {"a": {"n": 2}, "b": {"n": 2}, "c": {"n": 1}}}


def test_other_processes_start_in_the_current_folder(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name in ("one", "two"):
        folder = ready.folder / name
        folder.mkdir()
        stage = Stage(folder)
        stage.pairs("a", *((f"{name} x", "y") for _ in range(2 if name == "one" else 3)))
        stage.pairs("b", (name, "y"))
        stage.config.write_text(
            "infer_dir: infer\nmetrics: [{metric: {_target_: stage_metrics.Count}, inputs: [hyp]}]\n", encoding="utf-8"
        )
        monkeypatch.chdir(folder)
        found.append(measure("measure.yaml", options=Options(jobs=2))["stage_metrics.Count"]["a"])
    assert found == [{"n": 2}, {"n": 3}]
    assert Path.cwd() == ready.folder / "two"


def test_other_processes_have_the_code_of_now(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: {_target_: edited_metric.Own}, inputs: [hyp]}]")
    for number in (1, 2):
        (ready.folder / "edited_metric.py").write_text(OWN.format(number), encoding="utf-8")
        found = measure(config, options=Options(jobs=2))
        assert found == {"edited_metric.Own": {"a": number, "b": number}}


def test_a_dask_cluster_of_this_machine_gives_the_same(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}, {metric: {_target_: stage_metrics.Count}, inputs: [hyp]}]")
    plain = measure(config)
    with socket.socket() as usual:
        with suppress(OSError):  # as if another cluster showed its pages, or one does
            usual.bind(("", 8787))
            usual.listen()
        assert json.dumps(measure(config, options=Options(jobs=2, engine="dask"))) == json.dumps(plain)
    assert "DASK_LOGGING__DISTRIBUTED" not in os.environ


def test_a_scheduler_that_is_not_there_is_told(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]")
    with pytest.raises(ConfigError, match="scheduler"):
        measure(config, options=Options(engine="dask", scheduler="127.0.0.1:1"))


LOSES = """
import os
import signal
import time
from measure_core import AbsMetrics


class Loses(AbsMetrics):
    def __call__(self, data, test_name, output_dir):
        if test_name == "b":
            time.sleep(2)  # until the other result has been fetched
            os.kill(int(os.environ["SCHEDULER"]), signal.SIGKILL)
            time.sleep(60)
        return 1
"""


def test_a_cluster_that_is_lost_is_told_and_costs_nothing_that_is_finished(
    ready: Stage, capfd: pytest.CaptureFixture[str]
) -> None:
    (ready.folder / "losing.py").write_text(LOSES, encoding="utf-8")
    place = ready.folder / "scheduler.json"

    def start(what: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, "--scheduler-file", str(place), *options]
        with open(ready.folder / f"{what}.log", "wb") as log:
            return subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0")
    worker = start("worker", "--no-nanny", "--no-dashboard", "--nthreads", "1", SCHEDULER=str(scheduler.pid))
    try:
        deadline = time.monotonic() + 60
        while b"Registered to" not in (ready.folder / "worker.log").read_bytes() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert time.monotonic() < deadline
        address = json.loads(place.read_text(encoding="utf-8"))["address"]
        config = ready.yaml("metrics: [{metric: {_target_: losing.Loses}, inputs: [ref]}]")
        done = run(config, options=Options(engine="dask", scheduler=address))
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert isinstance(done.error, MetricError)
    assert "metric losing.Loses on b: the Dask cluster was lost" in str(done.error)
    assert done.results == {"losing.Loses": {"a": 1}}
    assert capfd.readouterr().err == ""
