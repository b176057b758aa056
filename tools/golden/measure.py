"""Golden cases of measure-core: whole runs of ``measure run``, and the statistics against NIST's own figures."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golden.report import Finding, Report, execute

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from golden.report import Output

RESULTS = ("measures.json", "metrics.json")
LATER = "needs espnet, which tools/espnet.py installs into an environment of its own"
RUN = "infer_dir: {side}\nmetrics: [{{metric: {{_target_: measure_core.builtin.WER, alignment: sclite}}}}]\n"


def judge(folder: Path, command: Sequence[str], modules: Path) -> Finding:
    """Run one case in a copy of its folder."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    if case.get("requires"):
        return Finding("cases", case["id"], later=LATER)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "case"
        shutil.copytree(folder, copy)
        for path in (copy / "case.json", copy / "expected.json"):
            path.unlink(missing_ok=True)
        settings = {"PYTHONPATH": str(modules), **case.get("env", {})}
        prefix = ["env", *(f"{name}={value}" for name, value in settings.items())]
        said = execute([*prefix, *command, "run", "measure.yaml"], copy)
        faults = success(case, said, copy, folder) if case["want"]["outcome"] == "ok" else failure(case, said, copy)
        return Finding("cases", case["id"], tuple(faults))


def success(case: dict[str, Any], said: Output, copy: Path, folder: Path) -> Iterator[str]:
    """Compare the results file, its order where that matters, side files and warnings."""
    want = case["want"]
    if said.status != 0:
        yield f"status {said.status}: {said.text.strip()[-300:]}"
        return
    found = results_files(copy)
    if [path.name for path in found] != [want["file"]]:
        yield f"wrote {[str(path.relative_to(copy)) for path in found]}, wanted one {want['file']}"
        return
    pairs = list if case.get("order_matters") else dict
    got, wanted = (
        json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=pairs, parse_constant=refuse)
        for path in (found[0], folder / "expected.json")
    )
    if got != wanted:
        yield f"results {got}, wanted {wanted}"
    for name, text in case.get("also_expect", {}).items():
        if not (copy / name).is_file() or (copy / name).read_text(encoding="utf-8") != text:
            yield f"{name} is missing or different"
    yield from lacking(want.get("warning_mentions", []), said)


def failure(case: dict[str, Any], said: Output, copy: Path) -> Iterator[str]:
    """Compare how a run is refused."""
    want = case["want"]
    if said.status != want["exit_code"]:
        yield f"status {said.status}, wanted {want['exit_code']}: {said.text.strip()[-300:]}"
    if "Traceback (most recent call last)" in said.text:
        yield "a traceback is shown"
    if want.get("results_file_absent") and results_files(copy):
        yield "a results file is left behind"
    if want.get("file_absent") and any(copy.rglob(want["file_absent"])):
        yield f"{want['file_absent']} was made"
    yield from lacking(want["message_mentions"], said)


def results_files(folder: Path) -> list[Path]:
    return [path for name in RESULTS for path in sorted(folder.rglob(name))]


def lacking(words: Sequence[str], said: Output) -> Iterator[str]:
    for word in words:
        if word not in said.text:
            yield f"no mention of {word!r}: {said.text.strip()[-300:]}"


def refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def significance(folder: Path, command: Sequence[str]) -> Finding:
    """Score two systems, compare them with every test, and hold the figures against those of SCTK."""
    want = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        for side in ("a", "b"):
            test = Path(place) / side / "test"
            test.mkdir(parents=True)
            shutil.copy(folder / f"{side}.scp", test / "hyp.scp")
            shutil.copy(folder / "ref.scp", test / "ref.scp")
            (Path(place) / f"{side}.yaml").write_text(RUN.format(side=side), encoding="utf-8")
            said = execute([*command, "run", f"{side}.yaml", "--quiet"], Path(place))
            if said.status != 0:
                return Finding("significance", folder.name, (said.text.strip()[-300:],))
        results = [
            json.loads((Path(place) / side / "measures.json").read_text(encoding="utf-8")) for side in ("a", "b")
        ]
        tests = [word for test in ("bootstrap", "mapsswe", "mcnemar") for word in ("--test", test)]
        said = execute([*command, "compare", "a", "b", "--json", *tests], Path(place))
        if said.status != 0:
            return Finding("significance", folder.name, (said.text.strip()[-300:],))
    outcomes = {one["test"]: one["outcome"] for one in json.loads(said.stdout)["comparisons"]}
    scores = [next(iter(result.values()))["test"] for result in results]
    return Finding("significance", folder.name, tuple(figures(want, scores, outcomes)))


def figures(want: dict[str, Any], scores: Sequence[dict[str, Any]], outcomes: dict[str, Any]) -> Iterator[str]:
    """Compare counts exactly, and figures to half a unit of the last digit they are given with."""
    for side, score in zip(("a", "b"), scores, strict=True):
        for name in ("substitutions", "deletions", "insertions"):
            if score[name] != want["sclite"][side][name]:
                yield f"{side}: {name} {score[name]}, wanted {want['sclite'][side][name]}"
    segments, pairs, draws = want["mapsswe"], want["mcnemar_utterances"], want["bootstrap_utterances"]
    points, fraction = draws["tolerance_percent_points"], draws["tolerance_fraction"]
    of_segments, of_pairs, of_draws = (outcomes[name] for name in ("mapsswe", "mcnemar", "bootstrap"))
    compared = [
        ("segments", of_segments["segments"], segments["segments"], 0),
        ("mean difference", of_segments["mean"], segments["mean_difference"], 5e-4),
        ("deviation", of_segments["deviation"], segments["std_dev"], 5e-4),
        ("z", of_segments["z"], segments["z"], 5e-4),
        ("p of mapsswe", of_segments["p_value"], segments["p_two_sided_from_z"], 5e-4),
        ("only A right", of_pairs["a_right"], pairs["a_right_b_wrong"], 0),
        ("only B right", of_pairs["b_right"], pairs["a_wrong_b_right"], 0),
        ("p of mcnemar", of_pairs["p_value"], pairs["exact_binomial_two_sided_p"], 5e-7),
        ("low end", 100 * of_draws["interval"]["low"], draws["ci95_difference_percent"][0], points),
        ("high end", 100 * of_draws["interval"]["high"], draws["ci95_difference_percent"][1], points),
        ("A lower", of_draws["a_lower"], draws["fraction_of_resamples_where_a_is_better"], fraction),
    ]
    for name, got, wanted, tolerance in compared:
        if abs(got - wanted) > tolerance:
            yield f"{name} {got}, wanted {wanted} within {tolerance}"


def check(root: Path, command: Sequence[str], *, jobs: int = os.cpu_count() or 1) -> Report:
    """Judge every case and every data set."""
    cases = sorted(path.parent for path in root.glob("cases/*/case.json"))
    sets = sorted(path.parent for path in root.glob("significance/*/expected.json"))
    modules = (root / "python").resolve()
    with ThreadPoolExecutor(jobs) as pool:
        findings = [*pool.map(partial(judge, command=command, modules=modules), cases)]
        findings += pool.map(partial(significance, command=command), sets)
    return Report("measure", findings)
