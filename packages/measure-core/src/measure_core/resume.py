"""What of the results of earlier runs still holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from measure_core.errors import MeasureError
from measure_core.records import earlier
from measure_core.results import dumped
from measure_core.rows import are_there, remove_rows, rows_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from measure_core.config.entries import Entry
    from measure_core.config.plan import Plan
    from measure_core.identity import Identities
    from measure_core.records import Known, Pair

__all__ = ["Earlier", "sort_earlier"]


@dataclass
class Earlier:
    """Results of earlier runs.

    Attributes
    ----------
    reused : dict
        Those that need not be computed again.
    others : dict
        Those that are not to be computed now, and hold all the same.
    gone : dict of str to list
        By reason, those that are not to be computed now and that a new results file will not hold.
    """

    reused: dict[Pair, Known] = field(default_factory=dict)
    others: dict[Pair, Known] = field(default_factory=dict)
    gone: dict[str, list[Pair]] = field(default_factory=dict)


def sort_earlier(plan: Plan, identities: Identities, wanted: Mapping[Pair, tuple[Entry, dict[str, Any]]]) -> Earlier:
    """Find out which earlier results hold: those that have the identity they would have now.

    Parameters
    ----------
    plan : Plan
        The run.
    identities : Identities
        Gives the identities of results that are not to be computed.
    wanted : mapping
        Metric and identity of each result of the run.

    Returns
    -------
    Earlier
        None of them holds unless the run resumes.
    """
    entries = {entry.key: entry for entry in plan.configured}
    found = Earlier()
    for pair, known in earlier(plan.results).items():
        key, test_name = pair
        if pair in wanted:
            same = _same(known, wanted[pair][1]) if plan.options.resume else None
            if same is not None and (same := _with_rows(plan, wanted[pair][0], test_name, same)) is not None:
                found.reused[pair] = same
            continue
        entry = entries.get(key) if test_name in plan.configured_sets else None
        held = _held(plan, identities, entry, test_name, known)
        if isinstance(held, str):
            found.gone.setdefault(held, []).append(pair)
        else:
            found.others[pair] = held
    return found


def _same(known: Sequence[Known], identity: dict[str, Any]) -> Known | None:
    """Give the newest result that has an identity; compared as text, in which 1, 1.0 and true differ."""
    text = dumped(identity)
    return next((one for one in known if one.record and dumped(one.record.get("identity")) == text), None)


def _held(
    plan: Plan, identities: Identities, entry: Entry | None, test_name: str, known: Sequence[Known]
) -> Known | str:
    """Give the result of a pair that is not to be computed, or the reason why there is none that holds."""
    if entry is None:
        return "the configuration does not have it"
    if all(one.record is None for one in known):
        return "there is no metadata that tells what it depends on"
    if not plan.options.resume:
        return "--resume keeps what still holds"
    try:
        same = _same(known, identities.of_other(entry, test_name))
    except MeasureError as fault:
        return fault.what
    return same or "what it depends on has changed"


def _with_rows(plan: Plan, entry: Entry, test_name: str, known: Known) -> Known | None:
    """Give a result whose rows are those on disk; None if rows are wanted that are not there."""
    path = rows_path(plan, entry.key, test_name)
    record = known.record or {}
    if are_there(plan, path, record):
        return known
    gave_none = record.get("rows_were_wanted") is True and record.get("per_utterance") is None
    if entry.per_utterance and not gave_none:
        return None
    remove_rows(path)  # they are of another result
    return known._replace(record=record | {"per_utterance": None, "rows_were_wanted": gave_none})
