"""Checkers of the ``di-*`` cases: scores that ``discophon evaluate`` gives, or what its message says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden.report import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from golden.report import Output

REFUSED = 2
UNDEFINED = 3
N_PHONEMES = ("--n-phonemes", "2")
Expected = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Evaluator:
    """The command ``discophon`` in the folder of a case."""

    command: Sequence[str]
    folder: Path

    def run(self, units: str, *options: str) -> Output:
        """Score a file of units."""
        words = ["evaluate", units, "gold.txt", *N_PHONEMES, "--n-units", "4", *options]
        return execute([*self.command, *words], self.folder)

    def scores(self, units: str, *options: str, status: int = 0) -> dict[str, float | None]:
        """Give the scores of a file of units."""
        said = self.run(units, *options)
        if said.status != status:
            raise ValueError(f"status {said.status}, wanted {status}: {said.stderr.strip()[-200:]}")
        found: dict[str, float | None] = json.loads(said.stdout)
        return found


def unlike(wanted: Mapping[str, float | None], got: Mapping[str, float | None], tolerance: float) -> Iterator[str]:
    """Compare scores; None is undefined."""
    for name, value in wanted.items():
        found = got.get(name)
        alike = found is value if found is None or value is None else abs(found - value) <= tolerance
        if not alike:
            yield f"{name} is {found}, wanted {value}"


def refused(said: Output, words: Sequence[str]) -> Iterator[str]:
    """Want a refusal whose message has some words."""
    if said.status != REFUSED:
        yield f"status {said.status}, wanted {REFUSED}"
    lacking = [word for word in words if word not in said.stderr]
    if lacking:
        yield f"stderr lacks {lacking}: {said.stderr.strip()[:300]!r}"


def last_frame_missing(expected: Expected, evaluator: Evaluator) -> Iterator[str]:
    """Want one unit less to be cut away, two less to be an error."""
    for run in expected["runs"]:
        if "values" in run:
            yield from unlike(run["values"], evaluator.scores(run["units"]), expected["tolerance"])
        else:
            yield from refused(evaluator.run(run["units"]), run["message_must_mention"])


def no_boundary(expected: Expected, evaluator: Evaluator) -> Iterator[str]:
    """Want the scores that are defined, null and a reason for the others, and a way to get the former alone."""
    yield from unlike(expected["values"], evaluator.scores("units.jsonl", status=UNDEFINED), 0.0)
    for name in ("f1", "r_val"):
        if f"{name} is undefined" not in evaluator.run("units.jsonl").stderr:
            yield f"stderr does not say that {name} is undefined"
    defined = {name: value for name, value in expected["values"].items() if value is not None}
    yield from unlike(defined, evaluator.scores("units.jsonl", "--metrics", ",".join(defined)), 0.0)


def one_boundary(expected: Expected, evaluator: Evaluator) -> Iterator[str]:
    """Want one prediction between two gold boundaries to count once."""
    from discophon.data import read_gold_annotations
    from discophon.evaluate import phone_segmentation

    predicted = json.loads((evaluator.folder / "pred.json").read_text(encoding="utf-8"))
    found = phone_segmentation(predicted, read_gold_annotations(evaluator.folder / "gold.txt"))
    yield from unlike(
        expected["values"], {name: getattr(found, name) for name in expected["values"]}, expected["tolerance"]
    )


def wrong_frame_rate(expected: Expected, evaluator: Evaluator) -> Iterator[str]:
    """Want a refusal that says which step would fit, and that step to work."""
    words = [*expected["message_must_mention"], "step of 10 ms would fit"]
    yield from refused(evaluator.run("units.jsonl"), words)
    if set(evaluator.scores("units.jsonl", "--step-units", "10")) != {"pnmi", "per", "f1", "r_val"}:
        yield "a step of 10 ms does not work"


CHECKERS: dict[str, Callable[[Expected, Evaluator], Iterator[str]]] = {
    "di-last-frame-missing": last_frame_missing,
    "di-no-boundary-at-all": no_boundary,
    "di-one-boundary-hits-one-window": one_boundary,
    "di-wrong-frame-rate": wrong_frame_rate,
}
