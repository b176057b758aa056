"""A measure stage on disk: SCP files, a configuration and metric classes, and the command that runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from measure_core import MeasureError
from measure_core.config.document import load_document
from measure_core.config.options import Options
from measure_core.config.plan import Plan, plan
from measure_core.espnet3 import import_path

if TYPE_CHECKING:
    from pathlib import Path

METRICS = '''
from measure_core import AbsMetrics


class Count(AbsMetrics):
    """Counts utterances."""

    def __init__(self, factor=1, inner=None):
        self.factor, self.inner = factor, inner

    def __call__(self, data, test_name, output_dir):
        return {"n": self.factor * len(data["utt_id"])}


class Fails(AbsMetrics):
    """Fails on the test set b."""

    def __call__(self, data, test_name, output_dir):
        if test_name == "b":
            raise RuntimeError("no such model: phones.bin")
        return {"n": len(data["utt_id"])}


class Inner:
    """Something to give to a metric."""

    def __init__(self, words=()):
        self.words = words


def factory(**options):
    return Count(**options)


make = lambda: Count()
'''


class Stage:
    """A folder with an inference directory, a configuration and a module of metrics."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.infer = folder / "infer"
        self.config = folder / "measure.yaml"
        (folder / "stage_metrics.py").write_text(METRICS, encoding="utf-8")

    def scp(self, test_name: str, name: str, *lines: str) -> Path:
        """Write an SCP file."""
        path = self.infer / test_name / f"{name}.scp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def pairs(self, test_name: str, *pairs: tuple[str, str]) -> None:
        """Write references and hypotheses."""
        for i, name in enumerate(("ref", "hyp")):
            self.scp(test_name, name, *(f"utt{k} {pair[i]}" for k, pair in enumerate(pairs, 1)))

    def yaml(self, text: str) -> Path:
        """Write the configuration; the inference directory is put before it."""
        self.config.write_text(f"infer_dir: {self.infer}\n{dedent(text)}", encoding="utf-8")
        return self.config

    def results(self, name: str = "measures.json") -> Any:
        """Read a file of results."""
        return json.loads((self.infer / name).read_text(encoding="utf-8"))

    def record(self, key: str, test_name: str) -> dict[str, Any]:
        """Read what is known about a result."""
        found: dict[str, Any] = self.results("measures.meta.json")["records"][key][test_name]
        return found

    def run(self, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run the command in the folder."""
        return subprocess.run(
            [sys.executable, "-m", "measure_core", *arguments],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )


def planned(stage: Stage, text: str, options: Options | None = None, overrides: tuple[str, ...] = ()) -> Plan:
    """Check a configuration of a stage."""
    with import_path(stage.folder):
        return plan(load_document(stage.yaml(text), overrides), options or Options())


def refused(stage: Stage, text: str, options: Options | None = None) -> str:
    """Give what is said of a configuration that is refused."""
    with pytest.raises(MeasureError) as caught:
        planned(stage, text, options)
    return str(caught.value)
