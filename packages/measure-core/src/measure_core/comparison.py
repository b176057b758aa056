"""Two runs on the same utterances: which is better, and whether it is more than chance."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from measure_core.errors import CompareError, MeasureError
from measure_core.paired import TESTS, Drawing, Systems, Test, Unit, tested
from measure_core.recorded import RecordedRun, names_of, rebuilt, recorded_run
from measure_core.signature import choices_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["TESTS", "Comparison", "compare_runs"]


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
    signature, signature_b : str
        The choices of A and of B, which differ when that was forced.
    test : {"bootstrap", "mapsswe", "mcnemar"}
        Which test.
    outcome : dict
        What the test gave; of the bootstrap also ``by``, what was drawn.
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
    signature_b: str
    test: Test
    outcome: dict[str, Any]
    p_value: float | None
    p_holm: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return asdict(self)


def compare_runs(
    a: Path,
    b: Path,
    *,
    metrics: Sequence[str] = (),
    tests: Sequence[Test] = ("bootstrap",),
    force: bool = False,
    by: Unit | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> tuple[list[Comparison], list[str]]:
    """Compare two runs under every metric that counts utterances.

    Parameters
    ----------
    a, b : Path
        Results files or inference directories.
    metrics : sequence of str, optional
        Only those with these keys, names of classes or short names.
    tests : sequence of {"bootstrap", "mapsswe", "mcnemar"}, default ("bootstrap",)
        Which tests.
    force : bool, default False
        Compare scores with different signatures all the same.
    by : {"utterance", "speaker"}, optional
        What the bootstrap draws; by default what both runs say, utterances if they differ.
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
    sides = (recorded_run(a), recorded_run(b))
    notes: list[str] = []
    pairs = _pairs(sides, metrics, notes)
    _check_signatures(sides, pairs, notes, force=force)
    found: list[Comparison] = []
    for key, test_name in pairs:
        found += _compared(sides, key, test_name, tuple(dict.fromkeys(tests)), Drawing(by, draws, seed), notes)
    if not found:
        raise _nothing(sides, notes)
    return _corrected(found), list(dict.fromkeys(notes))


def _nothing(sides: tuple[RecordedRun, RecordedRun], notes: Sequence[str]) -> CompareError:
    return CompareError(
        f"{sides[0].path} and {sides[1].path} have no metric and test set in common that can be compared",
        notes,
        ["compare runs of the same measure.yaml that have a metric with counts, for instance wer"],
    )


def _pairs(sides: tuple[RecordedRun, RecordedRun], metrics: Sequence[str], notes: list[str]) -> list[tuple[str, str]]:
    """Find what both runs have scored."""
    left, right = sides
    names = {key: names_of(key, sets) for key, sets in left.records.items() if key in right.records}
    unknown = [word for word in metrics if not any(word in known for known in names.values())]
    if unknown:
        raise CompareError(f"{', '.join(unknown)} is not in both runs", [f"both have: {', '.join(names) or 'nothing'}"])
    pairs = []
    for key, sets in left.records.items():
        if metrics and not names.get(key, set()) & set(metrics):
            continue
        for test_name, record in sets.items():
            other = right.records.get(key, {}).get(test_name)
            if other is None:
                notes.append(f"{key} on {test_name} is in {left.path} only")
            elif not record.get("rates") or not other.get("rates"):
                notes.append(f"{key} on {test_name} gives no counts of utterances, so there is no test for it")
            else:
                pairs.append((key, test_name))
    for key, sets in right.records.items():
        if not metrics or names.get(key, set()) & set(metrics):
            only = [test_name for test_name in sets if test_name not in left.records.get(key, {})]
            notes += [f"{key} on {test_name} is in {right.path} only" for test_name in only]
    if not pairs:
        raise _nothing(sides, notes)
    return pairs


def _check_signatures(
    sides: tuple[RecordedRun, RecordedRun], pairs: Sequence[tuple[str, str]], notes: list[str], *, force: bool
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
    sides: tuple[RecordedRun, RecordedRun],
    key: str,
    test_name: str,
    tests: Sequence[Test],
    drawing: Drawing,
    notes: list[str],
) -> list[Comparison]:
    """Count both systems again, and test; what cannot be done with this metric is noted."""
    records = [side.records[key][test_name] for side in sides]
    where = f"{key} on {test_name}"
    try:
        built = [rebuilt(record) for record in records]
    except CompareError as fault:
        notes.append(f"{where}: left out: {fault.what}")
        return []
    if built[0].rate_keys != built[1].rate_keys:
        notes.append(f"{where}: left out: it is {built[0].rate_keys[0]} in A and {built[1].rate_keys[0]} in B")
        return []
    for side, record, metric in zip(sides, records, built, strict=True):
        side.check_choices(record, metric, where)
    data = [side.data(record, where) for side, record in zip(sides, records, strict=True)]
    _check_references(where, data, getattr(built[0], "ref_key", ""))
    found: list[Comparison] = []
    try:
        counts = [metric.count(one) for metric, one in zip(built, data, strict=True)]
        results = [metric.result(one) for metric, one in zip(built, counts, strict=True)]
    except MeasureError as fault:
        notes.append(f"{where}: left out: {fault.what}")
        return []
    for side, counted in zip(sides, results, strict=True):
        side.check_result(key, test_name, counted)
    systems = Systems(where, sides, records, built, data, counts, drawing)
    of_a, of_b = systems.rates()
    signature, signature_b = (str(record["signature"]) for record in records)
    for test in tests:
        try:
            outcome, p_value = tested(test, systems, notes)
        except MeasureError as fault:
            notes.append(f"{where}: no {test}: {fault.what}")
            continue
        rate = built[0].rate_keys[0]
        found.append(Comparison(key, test_name, rate, of_a, of_b, signature, signature_b, test, outcome, p_value))
    return found


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
