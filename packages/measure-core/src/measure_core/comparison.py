"""Two runs on the same utterances: which is better, and whether it is more than chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from measure_core.config.build import build
from measure_core.contract import class_path
from measure_core.errors import CompareError, MeasureError
from measure_core.inputs.align import align_columns
from measure_core.inputs.columns import read_column
from measure_core.inputs.prepared import digest
from measure_core.records import meta_path
from measure_core.report.document import find_results
from measure_core.results import read_json
from measure_core.signature import choices_of
from measure_core.work import is_counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["TESTS", "Comparison", "compare_runs"]

Test = Literal["bootstrap", "mapsswe", "mcnemar"]
TESTS: tuple[Test, ...] = ("bootstrap", "mapsswe", "mcnemar")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems under one metric on one test set.

    Attributes
    ----------
    metric, test_set : str
        What was compared.
    rate : str
        Name of the rate.
    a, b : float
        It of both systems, a fraction.
    signature : str
        The choices of both.
    test : {"bootstrap", "mapsswe", "mcnemar"}
        Which test.
    outcome : dict
        What the test gave.
    p_value : float or None
        Two-sided; None for an interval only.
    p_holm : float or None
        The same, corrected for the number of comparisons made at once.
    """

    metric: str
    test_set: str
    rate: str
    a: float
    b: float
    signature: str
    test: Test
    outcome: dict[str, Any]
    p_value: float | None
    p_holm: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Side:
    """One run: its results file and records."""

    path: Path
    records: Mapping[str, Mapping[str, Mapping[str, Any]]]


def compare_runs(
    a: Path,
    b: Path,
    *,
    metrics: Sequence[str] = (),
    tests: Sequence[Test] = ("bootstrap",),
    force: bool = False,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[list[Comparison], list[str]]:
    """Compare two runs under every metric that counts utterances.

    Parameters
    ----------
    a, b : Path
        Results files or inference directories.
    metrics : sequence of str, optional
        Only these keys.
    tests : sequence of {"bootstrap", "mapsswe", "mcnemar"}, default ("bootstrap",)
        Which tests.
    force : bool, default False
        Compare scores with different signatures all the same.
    draws, seed : int
        Of the bootstrap.

    Returns
    -------
    comparisons : list of Comparison
        Per metric, test set and test.
    notes : list of str
        What was left out or forced.

    Raises
    ------
    CompareError
        If there is nothing to compare, signatures differ, or the runs are not about the same references.
    InputError
        If a file is missing or has changed since it was scored.
    """
    sides = (_side(a), _side(b))
    notes: list[str] = []
    pairs = _pairs(sides, metrics, notes)
    _check_signatures(sides, pairs, notes, force=force)
    found = []
    for key, test_name in pairs:
        found += _compared(sides, key, test_name, tests, draws, seed)
    return _corrected(found), notes


def _side(place: Path) -> _Side:
    path = find_results(place)
    meta = read_json(meta_path(path)) if meta_path(path).exists() else None
    records = meta.get("records") if isinstance(meta, Mapping) else None
    if not isinstance(records, Mapping):
        raise CompareError(f"{path}: there is no {meta_path(path).name} beside it", fixes=["run `measure run` again"])
    return _Side(path, records)


def _pairs(sides: tuple[_Side, _Side], metrics: Sequence[str], notes: list[str]) -> list[tuple[str, str]]:
    """Find what both runs have scored."""
    left, right = sides
    unknown = [key for key in metrics if key not in left.records or key not in right.records]
    if unknown:
        both = [key for key in left.records if key in right.records]
        raise CompareError(f"{', '.join(unknown)} is not in both runs", [f"both have: {', '.join(both) or 'nothing'}"])
    pairs = []
    for key, sets in left.records.items():
        if metrics and key not in metrics:
            continue
        for test_name, record in sets.items():
            other = right.records.get(key, {}).get(test_name)
            if other is None:
                notes.append(f"{key} on {test_name} is in {left.path} only")
            elif not record.get("rates"):
                notes.append(f"{key} on {test_name} gives no counts of utterances, so there is no test for it")
            else:
                pairs.append((key, test_name))
    if not pairs:
        raise CompareError(
            f"{left.path} and {right.path} have no metric and test set in common that can be compared",
            notes,
            ["compare runs of the same measure.yaml that have a metric with counts, for instance wer"],
        )
    return pairs


def _check_signatures(
    sides: tuple[_Side, _Side], pairs: Sequence[tuple[str, str]], notes: list[str], *, force: bool
) -> None:
    facts = []
    for key, test_name in pairs:
        signatures = [str(side.records[key][test_name].get("signature")) for side in sides]
        if choices_of(signatures[0]) != choices_of(signatures[1]):
            facts += [f"{key} on {test_name}:", *(f"  {signature}" for signature in signatures)]
    if facts and not force:
        what = "the signatures differ: these scores do not mean the same"
        raise CompareError(what, facts, ["score both runs with the same choices, or pass --force"])
    if facts:
        notes += ["signatures differ, compared all the same (--force):", *facts]


def _compared(
    sides: tuple[_Side, _Side], key: str, test_name: str, tests: Sequence[Test], draws: int, seed: int
) -> list[Comparison]:
    """Count both systems again, and test."""
    records = [side.records[key][test_name] for side in sides]
    where = f"{key} on {test_name}"
    try:
        built = [build(record["identity"]["config"], "lists", ())[0] for record in records]
    except MeasureError as fault:
        raise CompareError(f"{where}: the metric cannot be built: {fault.what}", fault.facts, fault.fixes) from fault
    if not all(is_counted(metric) for metric in built):
        raise CompareError(
            f"{where}: {class_path(built[0])} does not count utterances", fixes=["choose others by --metric"]
        )
    data = [_data(side, record, where) for side, record in zip(sides, records, strict=True)]
    counts = [metric.count(one) for metric, one in zip(built, data, strict=True)]
    _check_references(where, data, getattr(built[0], "ref_key", ""))
    systems = _Systems(where, built, data, counts, draws, seed)
    of_a, of_b = systems.rates()
    signature = str(records[0].get("signature"))
    found = []
    for test in tests:
        outcome, p_value = _TESTS[test](systems)
        found.append(Comparison(key, test_name, built[0].rate_keys[0], of_a, of_b, signature, test, outcome, p_value))
    return found


def _data(side: _Side, record: Mapping[str, Any], where: str) -> dict[str, list[str]]:
    """Load the inputs of a result, which must not have changed."""
    root = side.path.parent
    columns = {}
    for alias, one in record["identity"]["inputs"].items():
        path = root / one["path"]
        if digest(path) != one["sha256"]:
            what = f"{where}: {path} has changed since {side.path.name} was written"
            raise CompareError(what, fixes=["run `measure run` again"])
        columns[alias] = read_column(path)
    aligned = align_columns(columns, where, record["identity"].get("on_mismatch", "error"))
    limit = record["identity"].get("limit")
    return (aligned if limit is None else aligned.first(limit)).lists()


def _check_references(where: str, data: Sequence[Mapping[str, Any]], key: str) -> None:
    ids = [one["utt_id"] for one in data]
    if ids[0] != ids[1]:
        only = [sorted(set(ids[i]) - set(ids[1 - i])) for i in range(2)]
        facts = [f"{len(keys)} only in {name}: {' '.join(keys[:5])}" for name, keys in zip("AB", only, strict=True)]
        raise CompareError(f"{where}: the runs do not have the same utterances", facts, ["score the same test set"])
    if key in data[0] and key in data[1] and data[0][key] != data[1][key]:
        changed = [utt for utt, r, s in zip(ids[0], data[0][key], data[1][key], strict=True) if r != s]
        facts = [f"{len(changed)} utterances, the first: {' '.join(changed[:5])}"]
        raise CompareError(f"{where}: the references of the runs differ", facts, ["score both against one reference"])


@dataclass(frozen=True, slots=True)
class _Systems:
    """Two systems: their metrics, texts and counts."""

    where: str
    metrics: Sequence[Any]
    data: Sequence[Mapping[str, Any]]
    counts: Sequence[Any]
    draws: int
    seed: int

    def rates(self) -> list[float]:
        """Give the main rate of both."""
        key = self.metrics[0].rate_keys[0]
        pairs = zip(self.metrics, self.counts, strict=True)
        return [float(metric.rates(metric.sums(counts).totals())[key].item()) for metric, counts in pairs]


def _bootstrap(systems: _Systems) -> tuple[dict[str, Any], float | None]:
    from measure_core.statistics import paired_bootstrap

    metric = systems.metrics[0]
    a, b = (one.sums(counts).columns for one, counts in zip(systems.metrics, systems.counts, strict=True))
    found = paired_bootstrap(a, b, metric.rates, metric.rate_keys[0], draws=systems.draws, seed=systems.seed)
    return asdict(found), None


def _mapsswe(systems: _Systems) -> tuple[dict[str, Any], float | None]:
    from measure_core.statistics import mapsswe

    if not all(hasattr(metric, "tokenise") for metric in systems.metrics):
        fixes = ["use --test bootstrap, or --metric of a word error rate"]
        raise CompareError(f"{systems.where}: MAPSSWE is about aligned tokens", fixes=fixes)
    metric = systems.metrics[0]
    refs = metric.tokenise(systems.data[0][metric.ref_key])
    a, b = (one.tokenise(data[one.hyp_key]) for one, data in zip(systems.metrics, systems.data, strict=True))
    found = mapsswe(refs, a, b, alignment=metric.alignment)
    return asdict(found), found.p_value


def _mcnemar(systems: _Systems) -> tuple[dict[str, Any], float | None]:
    from measure_core.statistics import mcnemar

    if not all(hasattr(metric, "errors") for metric in systems.metrics):
        fixes = ["use --test bootstrap"]
        raise CompareError(f"{systems.where}: McNemar is about utterances without an error", fixes=fixes)
    a, b = (metric.errors(counts) for metric, counts in zip(systems.metrics, systems.counts, strict=True))
    found = mcnemar(a, b)
    return asdict(found), found.p_value


_Run = Callable[[_Systems], tuple[dict[str, Any], float | None]]
_TESTS: dict[Test, _Run] = {
    "bootstrap": _bootstrap,
    "mapsswe": _mapsswe,
    "mcnemar": _mcnemar,
}


def _corrected(found: list[Comparison]) -> list[Comparison]:
    """Add Holm's correction over all p-values of one test."""
    from dataclasses import replace

    from measure_core.statistics import holm

    corrected = list(found)
    for test in TESTS:
        places = [i for i, one in enumerate(found) if one.test == test and one.p_value is not None]
        for i, p in zip(places, holm([found[i].p_value or 0.0 for i in places]), strict=True):
            corrected[i] = replace(found[i], p_holm=float(p))
    return corrected
