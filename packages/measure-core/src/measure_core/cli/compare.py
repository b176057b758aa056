"""Compare two runs: which is better, and whether it is more than chance.

Both runs must have scored the same utterances against the same references with the same choices; otherwise nothing
is compared (exit status 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measure_core.cli.common import whole_number
from measure_core.cli.streams import emit, emit_json

if TYPE_CHECKING:
    import argparse

    from measure_core.comparison import Comparison

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("a", metavar="A", help="inference directory or results file")
    parser.add_argument("b", metavar="B", help="the other one")
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="KEY",
        help="only this metric: key, class or short name (repeat)",
    )
    parser.add_argument(
        "--test",
        action="append",
        choices=["bootstrap", "mapsswe", "mcnemar"],
        help="paired bootstrap (default), matched pairs as NIST sc_stats has it, or McNemar on utterances (repeat)",
    )
    parser.add_argument(
        "--by", choices=["utterance", "speaker"], help="what the bootstrap draws (what statistics.by of both runs says)"
    )
    parser.add_argument("--draws", type=whole_number(1, 10_000_000), default=10_000, metavar="N", help="(10000)")
    parser.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="of the bootstrap (0)")
    parser.add_argument("--force", action="store_true", help="compare scores whose signatures differ, and say so")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    """Compare them."""
    import logging
    from pathlib import Path

    from measure_core.comparison import compare_runs

    found, notes = compare_runs(
        Path(arguments.a),
        Path(arguments.b),
        metrics=arguments.metric,
        tests=arguments.test or ["bootstrap"],
        force=arguments.force,
        by=arguments.by,
        draws=arguments.draws,
        seed=arguments.seed,
    )
    for note in notes:
        logging.getLogger("measure_core").warning("%s", note)
    if arguments.json:
        emit_json({"schema_version": "1.0", "comparisons": [one.as_dict() for one in found], "notes": notes})
        return 0
    from measure_core.errors import printable
    from measure_core.report.tables import aligned

    header = ["metric", "test set", "rate", "A", "B", "A - B", "test", "outcome"]
    emit("\n".join(aligned([header, *map(_row, found)], right=(3, 4, 5))))
    for a, b in dict.fromkeys((one.signature, one.signature_b) for one in found):
        lines = [f"signature: {a}"] if a == b else [f"signature of A: {a}", f"signature of B: {b}"]
        emit("\n".join(map(printable, lines)))
    return 0


def _row(one: Comparison) -> list[str]:
    rates = [f"{100 * value:.2f}%" for value in (one.a, one.b, one.a - one.b)]
    from measure_core.errors import printable

    return [
        printable(one.metric),
        printable(one.test_set),
        one.rate,
        *rates,
        one.test,
        _told(one.test, one.outcome, one.p_holm),
    ]


def _told(test: str, outcome: dict[str, Any], p_holm: float | None) -> str:
    if test == "bootstrap":
        ends = outcome["interval"]
        share = f"A lower in {100 * outcome['a_lower']:.1f}% of draws, B in {100 * outcome['b_lower']:.1f}%"
        points = f"{100 * ends['low']:+.2f} to {100 * ends['high']:+.2f} points"
        return f"{100 * ends['level']:g}% interval {points}; {share}; {outcome['units']} {outcome['by']}s drawn"
    p = f"p = {outcome['p_value']:.3g} (Holm {p_holm:.3g})"
    if test == "mapsswe":
        return f"z = {outcome['z']:.3f}, {p}, {outcome['segments']} segments"
    return f"{p}, only A right {outcome['a_right']}, only B right {outcome['b_right']}"
