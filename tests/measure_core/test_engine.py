"""Other processes: new ones every time, and what is said when one of them is killed."""

import json
import socket
from contextlib import suppress
from pathlib import Path

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


class KillsCounting(WER):
    def count(self, data):
        if "c" in data["ref"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().count(data)
"""
OWN = "class Own:\n    def __call__(self, data, *_):\n        return {}\n"


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.pairs("a", ("a b", "a b"), ("e", "e"))
    stage.pairs("b", ("c", "d"), ("f", "g"))
    return stage


@pytest.mark.parametrize("name", ["Kills", "KillsCounting"])
def test_a_process_that_is_killed_is_told(ready: Stage, name: str) -> None:
    (ready.folder / "killing.py").write_text(KILLS, encoding="utf-8")
    config = ready.yaml(f"metrics: [{{metric: wer}}, {{metric: {{_target_: killing.{name}}}, inputs: [ref, hyp]}}]")
    done = run(config, options=Options(jobs=2))
    assert isinstance(done.error, MetricError)
    assert "was killed" in str(done.error)
    assert not (ready.infer / "measures.json").exists()


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


def test_a_scheduler_that_is_not_there_is_told(ready: Stage) -> None:
    config = ready.yaml("metrics: [{metric: wer}]")
    with pytest.raises(ConfigError, match="scheduler"):
        measure(config, options=Options(engine="dask", scheduler="127.0.0.1:1"))
