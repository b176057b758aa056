"""Arguments that several verbs take."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from measure_core.config.options import Options

_MOST_DIGITS = 20

__all__ = ["MISMATCH", "add_plan_arguments", "options_of", "whole_number"]

MISMATCH = "score the IDs that all have, or take as empty what the first input has and another lacks"
"""What may be done about IDs that differ, in the order of the choices after `error`."""


def whole_number(low: int, high: int = 10**9) -> Callable[[str], int]:
    """Give a parser of whole numbers within limits."""

    def parse(text: str) -> int:
        is_number = text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS
        if not is_number or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low} to {high}")
        return int(text)

    return parse


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `run` and `check` both take."""
    parser.add_argument("config", metavar="CONFIG", help="the measure.yaml")
    parser.add_argument("--test-set", action="append", default=[], metavar="NAME", help="only this test set (repeat)")
    parser.add_argument("--metric", action="append", default=[], metavar="KEY", help="only this metric (repeat)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="a.b=c",
        help="set a key of the configuration (repeat)",
    )
    parser.add_argument(
        "--on-mismatch",
        choices=["error", "intersect", "empty"],
        default="error",
        help=f"files with different IDs: refuse (default), {MISMATCH}",
    )
    parser.add_argument(
        "--allow-target",
        action="append",
        default=[],
        metavar="T",
        help="let _target_ name this, whatever it is (repeat)",
    )
    parser.add_argument("--no-espnet3-names", action="store_true", help="do not answer imports of espnet3 base classes")
    parser.add_argument("--limit", type=whole_number(1), metavar="N", help="only N utterances of each test set")


def options_of(arguments: argparse.Namespace) -> Options:
    """Make the options of a run of arguments."""
    from measure_core.config.options import Options

    names = ("per_utterance", "keep_going", "resume", "jobs", "engine", "scheduler")
    given = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    return Options(
        test_sets=arguments.test_set,
        metrics=arguments.metric,
        on_mismatch=arguments.on_mismatch,
        allow_targets=arguments.allow_target,
        espnet3_names=not arguments.no_espnet3_names,
        limit=arguments.limit,
        **given,
    )
