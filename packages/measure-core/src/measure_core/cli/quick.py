"""Word and character error rates of two SCP files, or of two texts line by line, without a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measure_core.cli.common import MISMATCH
from measure_core.cli.streams import emit, emit_json

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("ref", metavar="REF", help="reference: SCP (ID, blank, text), or text with --lines; - is stdin")
    parser.add_argument("hyp", metavar="HYP", help="hypothesis, of the same kind")
    parser.add_argument("--lines", action="store_true", help="no IDs: line by line, both files of the same length")
    parser.add_argument(
        "--normalise",
        action="append",
        default=[],
        metavar="STEP",
        help="lower, punctuation, nfkc, … applied to both sides in this order (repeat)",
    )
    parser.add_argument(
        "--on-mismatch", choices=["error", "intersect", "empty"], help=f"IDs that differ: refuse (default), {MISMATCH}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    """Score them."""
    from pathlib import Path

    from measure_core.builtin import CER, WER
    from measure_core.errors import ConfigError
    from measure_core.report.document import document_of
    from measure_core.report.tables import table

    ref, hyp = Path(arguments.ref), Path(arguments.hyp)
    if _is_one_stream(ref, hyp):
        raise ConfigError(
            f"REF ({ref}) and HYP ({hyp}) are the same stream, which can be read once", fixes=["name a file"]
        )
    if arguments.lines and arguments.on_mismatch:
        raise ConfigError("--on-mismatch is about IDs, and with --lines there are none")
    data, known = _lines(ref, hyp) if arguments.lines else _columns(ref, hyp, arguments.on_mismatch or "error")
    name = "stdin" if str(hyp) == "-" else hyp.name
    results: dict[str, dict[str, Any]] = {}
    records: dict[str, dict[str, dict[str, Any]]] = {}
    for cls in (WER, CER):
        metric = cls(normalise=arguments.normalise or None)
        result, record = _scored(metric, data, known, str(ref))
        results[metric.name], records[metric.name] = {name: result}, {name: record}
    document = document_of(results, records, "")
    if arguments.json:
        emit_json(document)
    else:
        emit(table(document))
    return 0


def _is_one_stream(ref: Path, hyp: Path) -> bool:
    """Tell whether both sides are one pipe or one standard input."""
    import os
    import stat

    statuses = []
    for path in (ref, hyp):
        try:
            statuses.append(os.fstat(0) if str(path) == "-" else os.stat(path))
        except OSError:
            return str(ref) == str(hyp) == "-"
    is_stream = str(ref) == str(hyp) == "-" or stat.S_ISFIFO(statuses[0].st_mode)
    return is_stream and os.path.samestat(*statuses)


def _scored(
    metric: Any, data: dict[str, list[str]], known: dict[str, Any], ref: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give a result and its record, and tell the warnings."""
    import logging

    from measure_core.errors import InputError, MetricError
    from measure_core.signature import run_signature

    counts = metric.count(data)
    try:
        result = metric.result(counts)
    except MetricError as fault:
        raise InputError(f"{ref}: no reference words", [fault.what], fault.fixes) from fault
    warnings = [*known["warnings"], *metric.warnings(counts, data["utt_id"])]
    for warning in warnings:
        logging.getLogger("measure_core").warning("%s: %s", metric.name, warning)
    signature = run_signature(metric, metric.name, {}, len(counts), mismatch=known["mismatch"])
    record = {"signature": signature, "utterances": len(counts), "rates": list(metric.rate_keys), "warnings": warnings}
    return result, record


def _columns(ref: Path, hyp: Path, on_mismatch: Any) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Read SCP files; what was done about IDs that differ comes with the texts."""
    from measure_core.inputs.align import align_columns
    from measure_core.inputs.columns import read_column

    columns = {"ref": read_column(ref), "hyp": read_column(hyp)}
    aligned = align_columns(columns, "REF and HYP", on_mismatch)
    n_left_out, n_filled = aligned.n_left_out, aligned.n_filled
    warnings = [f"{n_left_out} utterances are not in both files and were left out"] if n_left_out else []
    warnings += [f"{n_filled} utterances are not in {hyp} and were taken as empty"] if n_filled else []
    return aligned.lists(), {"mismatch": aligned.mismatch(on_mismatch), "warnings": warnings}


def _lines(ref: Path, hyp: Path) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Read texts line by line."""
    import speechio
    from measure_core.errors import InputError, from_speechio
    from speechio.errors import Report
    from speechio.text import display_name, read_lines

    sides = []
    for path in (ref, hyp):
        try:
            sides.append([text for _, text in read_lines(path, Report(display_name(path)))])
        except (speechio.FormatError, speechio.InputError) as fault:
            raise from_speechio(fault) from fault
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{ref} has {len(sides[0])} lines and {hyp} has {len(sides[1])}",
            fixes=["give files with one utterance per line, or SCP files with IDs"],
        )
    if not sides[0]:
        raise InputError(f"{ref}: no utterances")
    ids = [str(i) for i in range(1, len(sides[0]) + 1)]
    return {"utt_id": ids, "ref": sides[0], "hyp": sides[1]}, {"mismatch": "", "warnings": []}
