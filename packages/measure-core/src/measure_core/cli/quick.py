"""Word and character error rates of two SCP files, or of two texts line by line, without a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measure_core.cli.streams import emit

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("ref", metavar="REF", help="reference: SCP (ID, blank, text), or text with --lines")
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
        "--on-mismatch", choices=["error", "intersect", "empty"], default="error", help="when the IDs differ (error)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    """Score them."""
    from pathlib import Path

    from measure_core.builtin import CER, WER
    from measure_core.report.document import document_of
    from measure_core.report.tables import table
    from measure_core.signature import run_signature

    ref, hyp = Path(arguments.ref), Path(arguments.hyp)
    data = _lines(ref, hyp) if arguments.lines else _columns(ref, hyp, arguments.on_mismatch)
    results: dict[str, dict[str, Any]] = {}
    records: dict[str, dict[str, dict[str, Any]]] = {}
    for cls in (WER, CER):
        metric = cls(normalise=arguments.normalise or None)
        counts = metric.count(data)
        results[metric.name] = {hyp.name: metric.result(counts)}
        signature = run_signature(metric, metric.name, {}, len(counts))
        warnings = metric.warnings(counts, data["utt_id"])
        of_metric = {"signature": signature, "utterances": len(counts), "rates": list(metric.rate_keys)}
        records[metric.name] = {hyp.name: of_metric | {"warnings": warnings}}
        _warn(metric.name, warnings)
    document = document_of(results, records, "")
    if arguments.json:
        import json

        emit(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))
    else:
        emit(table(document))
    return 0


def _warn(name: str, warnings: list[str]) -> None:
    import logging

    for warning in warnings:
        logging.getLogger("measure_core").warning("%s: %s", name, warning)


def _columns(ref: Path, hyp: Path, on_mismatch: Any) -> dict[str, list[str]]:
    from measure_core.inputs.align import align_columns
    from measure_core.inputs.columns import read_column

    columns = {"ref": read_column(ref), "hyp": read_column(hyp)}
    return align_columns(columns, "REF and HYP", on_mismatch).lists()


def _lines(ref: Path, hyp: Path) -> dict[str, list[str]]:
    import speechio
    from measure_core.errors import InputError, from_speechio
    from speechio.errors import Report
    from speechio.text import read_lines

    sides = []
    for path in (ref, hyp):
        try:
            sides.append([text for _, text in read_lines(path, Report(str(path)))])
        except (speechio.FormatError, speechio.InputError) as fault:
            raise from_speechio(fault) from fault
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{ref} has {len(sides[0])} lines and {hyp} has {len(sides[1])}",
            fixes=["give files with one utterance per line, or SCP files with IDs"],
        )
    if not sides[0]:
        raise InputError(f"{ref}: no utterances")
    return {"utt_id": [str(i) for i in range(1, len(sides[0]) + 1)], "ref": sides[0], "hyp": sides[1]}
