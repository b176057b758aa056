"""Where results are written: looked at before anything is computed, and not read where that is no file."""

import os
import threading
from pathlib import Path

import pytest

from measure_core import ConfigError, measure
from measure_core.runner import check
from measure_support import Stage


def test_a_place_that_cannot_be_looked_at_is_a_fault_like_others(ready: Stage) -> None:
    ready.scp("a", "hyp", "other x")
    name = "x" * 300 + ".json"
    config = ready.yaml(f"metrics: [{{metric: wer}}]\nresults_file: {name}")
    differing, *unwritable = (str(fault) for fault in check(config)[1])
    assert "utterance IDs differ" in differing
    assert len(unwritable) == 2
    for said in unwritable:
        assert "File name too long" in said
        assert "fix: " in said
    done = ready.run("check", "measure.yaml")
    assert (done.returncode, done.stdout.count("error: ")) == (1, 3)
    assert ready.run("run", "measure.yaml").returncode == 2


def test_a_directory_that_may_not_be_looked_into(ready: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    config = ready.yaml("metrics: [{metric: wer}]\nresults_file: closed.json")
    stat = os.stat

    def closed(path: str | Path, **options: bool) -> os.stat_result:
        if str(path).endswith("closed.json"):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(os, "stat", closed)
    with pytest.raises(ConfigError, match=r"closed\.json: Permission denied"):
        measure(config)


def test_paths_that_no_file_can_have(ready: Stage) -> None:
    long = "x" * 300
    ready.config.write_text(f"infer_dir: {long}\nmetrics: [{{metric: wer}}]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not a directory"):
        measure(ready.config)
    with pytest.raises(ConfigError, match="there is no file"):
        measure(ready.yaml(f"metrics: [{{metric: wer}}]\ndefaults: [{long}]"))


def test_results_may_go_into_a_pipe(ready: Stage) -> None:
    pipe = ready.infer / "measures.json"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text(encoding="utf-8")), daemon=True)
    writer = threading.Thread(target=lambda: measure(ready.yaml("metrics: [{metric: wer}]")), daemon=True)
    writer.start()
    writer.join(0.5)
    reader.start()
    reader.join(60)
    assert '"wer": 0.0' in found[0]
    writer.join(60)
    assert pipe.is_fifo()
