"""Golden tables of pathbench: CSV files of scores, aggregation and correlation, whole runs, the published table."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golden.report import Finding, Report, execute
from pathbench.aggregate import common_speakers, speaker_values, speakers_of
from pathbench.correlation import correlate
from pathbench.published import average, read_table
from pathbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMAND = (sys.executable, "-m", "pathbench")
EXACT = 1e-12
PCC = 1e-3
TOLERANCES: dict[str, tuple[float, float]] = {  # relative, absolute
    "cpp": (1e-6, 0.0),
    "std_pitch": (1e-4, 0.0),
    "praat_speech_rate": (1e-4, 0.0),
    "wada_snr": (0.0, 2e-3),
    "p_estoi_control": (0.0, 1e-6),
    "p_estoi_all": (0.0, 1e-6),
    "vsa": (1e-2, 0.0),
    "spk2age": (0.0, 0.0),
}
REFUSED = "a score that is not a number is refused, where upstream computes NaN"
NOT_YET = "metrics that need models are not computed"


def close(found: float | None, wanted: float | None, relative: float = 0.0, absolute: float = EXACT) -> bool:
    """Compare two values; None and NaN are equal to themselves only."""
    if found is None or wanted is None:
        return found is wanted
    if math.isnan(wanted):
        return math.isnan(found)
    return math.isclose(found, wanted, rel_tol=relative, abs_tol=absolute)


def number(stored: object) -> float | None:
    """Read a golden value: null and exceptions are None."""
    return None if stored is None or isinstance(stored, dict) else float(str(stored))


def load(path: Path) -> Any:  # noqa: ANN401 - JSON is anything
    return json.loads(path.read_text(encoding="utf-8"))


def csv_route(root: Path, command: Sequence[str]) -> Iterator[Finding]:
    """Compare the tree of upstream's own score files."""
    golden = load(root / "expected" / "csv_route.json")
    tree = root / "csv_route"
    options = ["--evaluator", golden["evaluator"], "--results-dir", str(tree / "results")]
    said = execute([*command, "evaluate", *options, "--datasets-root", str(tree / "datasets"), "--json"], root)
    if said.status != 0:
        yield Finding("csv_route", "csv_route", (said.text.strip()[-300:],))
        return
    document = json.loads(said.stdout)
    found = {one["name"]: one for one in document["datasets"]}
    for name, wanted in golden["datasets"].items():
        one = found.pop(name, None)
        faults = []
        if one is None or not close(one["pcc"], wanted["pcc"]) or one["n"] != wanted["n"]:
            faults.append(f"{one}, wanted {wanted}")
        yield Finding("csv_route", f"csv_route/{name}", tuple(faults))
    mean = document["mean_pcc"]
    faults = [f"also {sorted(found)}"] if found else []
    if not close(mean, golden["mean_pcc"]):
        faults.append(f"mean {mean}, wanted {golden['mean_pcc']}")
    yield Finding("csv_route", "csv_route/mean", tuple(faults))


def csv_case(name: str, case: dict[str, Any], ratings: str, command: Sequence[str]) -> Finding:
    """Compare one small file: its correlation, or that it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "scores.csv").write_text(case["csv"], encoding="utf-8")
        (place / "spk2score").write_text(ratings, encoding="utf-8")
        said = execute([*command, "evaluate", "scores.csv", "spk2score", "--json"], place)
    group, full = "csv_edge_cases", f"csv_edge_cases/{name}"
    if "Traceback (most recent call last)" in said.text:
        return Finding(group, full, ("shows a traceback",))
    if "exit" in case or name == "nan_value":
        notes = (REFUSED,) if name == "nan_value" else ()
        return Finding(group, full, () if said.status == 2 else (f"status {said.status}, wanted 2",), notes)
    if said.status != 0:
        return Finding(group, full, (f"status {said.status}: {said.text.strip()[-200:]}",))
    pcc = json.loads(said.stdout)["datasets"][0]["pcc"]
    wanted = number(case["pcc"])
    agrees = pcc is None if wanted is None or math.isnan(wanted) else close(pcc, wanted)
    return Finding(group, full, () if agrees else (f"{pcc}, wanted {wanted}",))


def aggregates(run: dict[str, Any], name: str) -> Iterator[Finding]:
    """Aggregate the golden scores of utterances of all metrics, models too, and correlate them."""
    scores: dict[str, list[tuple[str, float | None]]] = {}
    for table in ("utterance", "reference"):
        for utt, metrics in run[table].items():
            for metric, stored in metrics.items():
                if not metric.startswith("n_refs"):
                    scores.setdefault(metric, []).append((utt.partition("_")[0], number(stored)))
    values = {metric: speaker_values(pairs, first=metric.startswith("spk2"))[0] for metric, pairs in scores.items()}
    values = {**{metric: of for metric, of in run["speaker"].items() if metric not in values}, **values}
    for metric, wanted in run["speaker"].items():
        found = values[metric]
        agrees = found.keys() == wanted.keys() and all(close(found[key], wanted[key], EXACT) for key in wanted)
        yield Finding("aggregates", f"{name}/{metric}", () if agrees else (f"{found}, wanted {wanted}",))
    ratings = values.pop("spk2score")
    common = common_speakers(ratings, values)
    lines = []
    for metric, of in values.items():
        one = correlate(metric, ratings, speakers_of(metric, common, ratings, of), draws=0)
        lines.append(f"PCC (spk2score vs {metric}): {one.pcc:.4f}  [{one.n} speakers]")
        pcc = number(run["pcc"][f"pcc_{metric}"])
        agrees = close(one.pcc, pcc)
        yield Finding("pcc", f"{name}/{metric}", () if agrees else (f"{one.pcc}, wanted {pcc}",))
    differing = sorted({*lines} ^ {*run["correlation_lines"]})
    yield Finding("pcc", f"{name}/lines", tuple(differing))


def whole_run(root: Path, run: dict[str, Any], name: str, command: Sequence[str]) -> Iterator[Finding]:
    """Run everything that needs no model, and compare every score and correlation."""
    with tempfile.TemporaryDirectory() as out:
        options = ["--out", out, "--data-root", str(root), "--datasets-root", str(root), "--json", "--quiet"]
        said = execute([*command, "run", name, *options], root)
        if said.status != 0:
            yield Finding("run", name, (f"status {said.status}: {said.text.strip()[-300:]}",))
            return
        with Store(str(Path(out) / "scores.sqlite"), read_only=True) as store:
            scores = {(one.metric, one.unit): one.detail.value for one in store.results(name)}
    for metric, tolerance in TOLERANCES.items():
        wanted = {
            utt: number(of[metric])
            for table in ("utterance", "reference")
            for utt, of in run[table].items()
            if metric in of
        }
        if metric == "vsa":
            wanted = {speaker: number(value) for speaker, value in run["speaker"]["vsa"].items()}
        faults = [
            f"{unit}: {scores.get((metric, unit))}, wanted {value}"
            for unit, value in wanted.items()
            if not close(scores.get((metric, unit)), value, *tolerance)
        ]
        if wanted:
            yield Finding("run", f"{name}/{metric}", tuple(faults))
    [dataset] = json.loads(said.stdout)["datasets"]
    found = {one["metric"]: one["pcc"] for one in dataset["metrics"]}
    for key, stored in run["pcc"].items():
        metric = key.removeprefix("pcc_")
        if metric not in found:
            yield Finding("run", f"{name}/{key}", later=NOT_YET)
            continue
        agrees = close(found[metric], number(stored), absolute=PCC)
        yield Finding("run", f"{name}/{key}", () if agrees else (f"{found[metric]}, wanted {stored}",))


def published(root: Path) -> Iterator[Finding]:
    """Recompute the means of the published table, and compare the copy in the package with it."""
    rows = read_table(str(root / "results_table.csv"))
    yield Finding("published", "copy", () if rows == read_table() else ("the package has another table",))
    for row in rows:
        mean = average(row.cells)
        yield Finding("published", row.metric, () if mean == row.avg else (f"mean {mean}, wanted {row.avg}",))


def check(root: Path, command: Sequence[str] = COMMAND, *, jobs: int = 1) -> Report:
    """Judge everything."""
    edges = load(root / "expected" / "csv_edge_cases.json")
    ratings = "".join(f"{speaker} {score}\n" for speaker, score in edges["ground_truth"].items())
    runs = load(root / "expected" / "minidata_espeak_1.52.0.json")["datasets"]
    findings = [*published(root), *csv_route(root, command)]
    with ThreadPoolExecutor(jobs) as pool:
        names, cases = list(edges["cases"]), list(edges["cases"].values())
        findings += pool.map(partial(csv_case, ratings=ratings, command=command), names, cases)
    for name, run in runs.items():
        findings += aggregates(run, name)
        findings += whole_run(root, run, name, command)
    return Report("pathbench tables", findings)
