"""Checkers of the ``me-*`` cases: results files of ``measure run``, and what its messages must mention.

The configurations of these cases leave the class open; `TARGETS` fills it in.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden.report import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from golden.report import Output

ODD = "import numpy as np\nfrom measure_core import AbsMetrics\n\n\nclass Odd(AbsMetrics):\n"
TARGETS = {"me-cer-counts-blanks": "cer", "me-nan-and-numpy-in-results": "{_target_: my_metric.Odd}"}


@dataclass(frozen=True, slots=True)
class Stage:
    """The command ``measure`` in the folder of a case."""

    command: Sequence[str]
    folder: Path

    def run(self, config: str = "measure.yaml", *options: str) -> Output:
        """Run a configuration."""
        return execute([*self.command, "run", config, *options], self.folder)

    def name_target(self, target: str) -> None:
        """Write the metric into the configuration."""
        path = self.folder / "measure.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"metric: .*", f"metric: {target}", text), encoding="utf-8")

    def result(self) -> dict[str, Any]:
        """Give the only result."""
        results: dict[str, Any] = json.loads(self.text())
        (sets,) = results.values()
        (result,) = sets.values()
        return dict(result)

    def text(self) -> str:
        """Give the results file."""
        return (self.folder / "infer" / "measures.json").read_text(encoding="utf-8")

    @property
    def has_results(self) -> bool:
        """Whether there is a results file."""
        return any(self.folder.rglob("measures.json"))


def values(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Compare the values of a built-in metric, and what standard error must mention."""
    expected = case["expected"]
    stage.name_target(TARGETS.get(case["id"], "wer"))
    said = stage.run()
    if said.status != 0:
        yield f"status {said.status}: {said.text.strip()[-300:]}"
        return
    got = stage.result()
    tolerance = expected.get("tolerance", 1e-12)
    for name, wanted in expected["values"].items():
        if abs(got[name] - wanted) > tolerance:
            yield f"{name} is {got[name]}, wanted {wanted}"
    yield from lacking(expected.get("stderr_must_mention", []), said.stderr)


def order(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Also compare the order of the IDs, with the rows of the utterances."""
    yield from values(case, stage)
    stage.run("measure.yaml", "--per-utterance")
    (rows,) = (stage.folder / "infer" / "test" / "measure").glob("*.jsonl")
    ids = [json.loads(line)["id"] for line in rows.read_text(encoding="utf-8").splitlines()]
    if ids != case["expected"]["utt_id_order"]:
        yield f"order {ids}, wanted {case['expected']['utt_id_order']}"


def blanks(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Compare the error rate of characters with and without blanks; the signatures must say which is which."""
    wanted = case["expected"]["values"]
    signatures = []
    for name, option in (("cer_default", "keep"), ("cer_blanks_ignored", "drop")):
        stage.name_target(f"{{_target_: measure_core.builtin.CER, spaces: {option}}}")
        said = stage.run("measure.yaml", "--json")
        if said.status != 0:
            yield f"status {said.status}: {said.text.strip()[-300:]}"
            return
        got = stage.result()["cer"]
        if abs(got - wanted[name]) > case["expected"]["tolerance"]:
            yield f"{name} is {got}, wanted {wanted[name]}"
        signatures.append(json.loads(said.stdout)["scores"][0]["signature"])
    if signatures[0] == signatures[1]:
        yield f"the signatures do not say which blanks were counted: {signatures[0]}"


def refused(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Compare how each configuration is refused."""
    for run in case["expected"]["runs"]:
        said = stage.run(run["config"])
        if said.status != 2 or "Traceback (most recent call last)" in said.text or stage.has_results:
            yield f"{run['config']}: status {said.status}, or a traceback, or a results file"
        yield from lacking(run["message_must_mention"], said.text)


def missing(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Compare how a missing hypothesis is refused, and its score once it is allowed."""
    expected = case["expected"]
    stage.name_target("wer")
    said = stage.run()
    if said.status != 2 or stage.has_results:
        yield f"status {said.status}, or a results file"
    yield from lacking(expected["message_must_mention"], said.text)
    said = stage.run("measure.yaml", "--on-mismatch", "empty")
    if said.status != 0 or stage.result()["wer"] != expected["values_with_option"]["wer"]:
        yield f"--on-mismatch empty: {said.text.strip()[-300:]}"


def odd_values(case: dict[str, Any], stage: Stage) -> Iterator[str]:
    """Compare a results file with numpy values and one that is not a number; it must be strict JSON."""
    expected = case["expected"]
    path = stage.folder / "my_metric.py"
    body = re.findall(r"^# (    .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    path.write_text(ODD + "\n".join(body) + "\n", encoding="utf-8")
    stage.name_target(TARGETS[case["id"]])
    said = stage.run()
    if said.status != 0:
        yield f"status {said.status}: {said.text.strip()[-300:]}"
        return
    if any(word in stage.text() for word in ("NaN", "Infinity")) or stage.result() != expected["measures_json"]:
        yield f"wrote {stage.text()}, wanted {expected['measures_json']}"
    yield from lacking(expected["stderr_must_mention"], said.stderr)


def lacking(words: Sequence[str], text: str) -> Iterator[str]:
    for word in words:
        if word not in text:
            yield f"no mention of {word!r}: {text.strip()[-300:]}"


SPECIAL: dict[str, Callable[[dict[str, Any], Stage], Iterator[str]]] = {
    "me-bad-metric-target": refused,
    "me-cer-counts-blanks": blanks,
    "me-hypothesis-missing-for-some-ids": missing,
    "me-nan-and-numpy-in-results": odd_values,
    "me-order-of-scp-lines-is-irrelevant": order,
}
