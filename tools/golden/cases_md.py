"""Checkers of the ``md-*`` cases: figures from ``mdeval --json``, warnings from the default run's stderr."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden.report import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from golden.report import Output

SECONDS = 0.005
PER_CENT = 0.01
OVERALL = "ALL"


@dataclass(frozen=True, slots=True)
class Scorer:
    """The command ``mdeval`` in the folder of a case."""

    command: Sequence[str]
    folder: Path

    def text(self, options: Sequence[str]) -> Output:
        """Run with md-eval's own output."""
        return execute([*self.command, *self._inputs(), *options], self.folder)

    def document(self, options: Sequence[str]) -> dict[str, Any]:
        """Run with JSON output."""
        said = execute([*self.command, *self._inputs(), *options, "--json", "--per-file"], self.folder)
        if said.status != 0:
            msg = f"mdeval --json has status {said.status}: {said.stderr.strip()[-200:]}"
            raise ValueError(msg)
        found: dict[str, Any] = json.loads(said.stdout)
        return found

    def _inputs(self) -> list[str]:
        return ["-r", "ref.rttm", "-s", "sys.rttm"]


def options_of(command: str) -> list[str]:
    """Take the options beside ``-r`` and ``-s`` out of a command in words."""
    first = command.partition(",")[0]
    return [word for pair in re.findall(r"(-u) (\S+)|(-c) (\S+)", first) for word in pair if word]


def figures(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Check every run of a case: its figures, and what its warnings must mention."""
    expected = case["expected"]
    runs = expected.get("runs", [expected | {"args": " ".join(options_of(case["command"]))}])
    for run in runs:
        arguments = run["args"] if run["args"].startswith("-") else ""
        yield from one_run(run, arguments.split(), scorer)


def one_run(run: dict[str, Any], options: list[str], scorer: Scorer) -> Iterator[str]:
    """Check one run: its figures (or any of the accepted alternatives), status and warnings."""
    document = scorer.document(options)
    alternatives = run.get("accept", [run])
    unlike = [list(compare(one["values"], document["overall"])) for one in alternatives]
    if all(unlike):
        yield f"{' '.join(options) or '(no options)'}: {' or '.join('; '.join(u) for u in unlike)}"
    said = scorer.text(options)
    if said.status != 0:
        yield f"status {said.status}, wanted 0"
    yield from mentions(run.get("stderr_must_mention", []), said.stderr)
    if "stderr_must_mention" in run and not document["warnings"]:
        yield "JSON has no warnings"


def compare(wanted: Mapping[str, float | None], got: Mapping[str, Any]) -> Iterator[str]:
    """Compare wanted figures with counts; a rate may be wanted per cent."""
    for name, value in wanted.items():
        percent = name == "der_percent"
        found: float | None = got["der" if percent else name]
        if found is not None and percent:
            found *= 100.0
        if found is None or value is None:
            alike = found is value
        else:
            alike = abs(found - value) <= (PER_CENT if percent else SECONDS)
        if not alike:
            yield f"{name} is {found}, wanted {value}"


def mentions(wanted: Sequence[str], message: str) -> Iterator[str]:
    """Look for words in a message."""
    lacking = [word for word in wanted if word not in message]
    if lacking:
        yield f"stderr lacks {lacking}: {message.strip()[:300]!r}"


def per_file(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the counts of every file."""
    return {recording["file"]: recording for recording in document["recordings"]}


def collar_is_one_sided(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Want, besides the figures, a help that says the collar is taken on each side."""
    yield from figures(case, scorer)
    if "each side" not in execute([*scorer.command, "--help"], scorer.folder).stdout.lower():
        yield "the help does not say that the collar is removed on each side"


def collar_eats_a_file(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Want an undefined rate as null and NA, and the other file and the total all the same."""
    expected = case["expected"]
    options = ["-c", "0.25"]
    document = scorer.document(options)
    yield from compare(expected["values_ALL"], document["overall"])
    for name, wanted in expected["per_file"].items():
        for fault in compare(wanted, per_file(document)[name]):
            yield f"file {name}: {fault}"
    said = scorer.text([*options, "-af"])
    if said.status != expected["exit_status"]:
        yield f"status {said.status}, wanted {expected['exit_status']}"
    yield from mentions(expected["stderr_must_mention"], said.stderr)
    for name, wanted in expected["per_file"].items():
        shown = re.search(rf"ERROR = +(\S+) .*`\(f={name.lower()}\)", said.stdout, re.IGNORECASE)
        text = "NA" if wanted.get("der", 0) is None else f"{wanted['der_percent']:.2f}"
        if not shown or shown[1] != text:
            yield f"the text shows {shown and shown[1]} for file {name}, wanted {text}"


def overall_is_time_weighted(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Want a total that is weighted by time, in one clearly named place."""
    document = scorer.document([])
    found = {name: counts["der"] for name, counts in per_file(document).items()}
    found[OVERALL] = document["overall"]["der"]
    for name, value in case["expected"]["values"].items():
        got = 100.0 * found[name.removesuffix("_der_percent")]
        if abs(got - value) > PER_CENT:
            yield f"{name} is {got}, wanted {value}"


def overlap_counted(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Want, besides the figures, text and JSON to say whether overlapped speech was scored."""
    yield from figures(case, scorer)
    for options, word in ([], "scored"), (["-1"], "excluded"):
        document = scorer.document(options)
        table = scorer.text([*options, "--table"]).stdout
        if document["overlap"] != word or f"overlap:{word}" not in document["signature"]:
            yield f"JSON says overlap {document['overlap']}, {document['signature']}"
        if "overlap" not in table or word not in table:
            yield f"the table does not say that overlap is {word}"


def purity(case: dict[str, Any], scorer: Scorer) -> Iterator[str]:
    """Want purity and coverage."""
    found = scorer.document(["--metrics", "purity_coverage"])["metrics"]["overall"]
    for name, value in case["expected"]["values"].items():
        if abs(found[name] - value) > case["expected"]["tolerance"]:
            yield f"{name} is {found[name]}, wanted {value}"


SPECIAL: dict[str, Callable[[dict[str, Any], Scorer], Iterator[str]]] = {
    "md-collar-is-one-sided": collar_is_one_sided,
    "md-collar-eats-a-whole-file": collar_eats_a_file,
    "md-overall-is-time-weighted": overall_is_time_weighted,
    "md-overlap-counted-by-default": overlap_counted,
    "md-purity-one-big-cluster": purity,
}
