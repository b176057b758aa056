"""The same results wherever the work is done."""

from __future__ import annotations

import subprocess
import sys
from operator import neg

import pytest

from discophon.engine import each
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
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
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
    with pytest.raises(UsageError, match=r"install discophon\[dask\]"):
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
