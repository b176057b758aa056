"""List the metrics that have a short name, with package, inputs and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from measure_core.cli.shielded import results_only
from measure_core.cli.streams import emit

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "execute"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--long", action="store_true", help="import every class: inputs, options and what it does")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def execute(arguments: argparse.Namespace) -> int:
    """List them."""
    from measure_core.registry import registered

    with results_only():
        rows = [
            {"name": one.name, "class": one.target, "package": one.distribution, "version": one.version}
            | (_details(one.target) if arguments.long or arguments.json else {})
            for one in registered()
        ]
    if arguments.json:
        import json

        emit(json.dumps({"schema_version": "1.0", "metrics": rows}, ensure_ascii=False, indent=2))
        return 0
    from measure_core.report.tables import aligned

    columns = ["name", "class", "package", "version"]
    emit("\n".join(aligned([columns, *([row[column] for column in columns] for row in rows)])))
    if arguments.long:
        for row in rows:
            emit(f"\n{row['name']}: {row['summary']}")
            emit(f"  inputs:  {', '.join(row['inputs']) or '(say them in the entry)'}")
            emit(f"  options: {row['options'] or '(none)'}")
    return 0


def _details(target: str) -> dict[str, Any]:
    """Look at a class; one that fails to import is told as that."""
    import inspect

    from measure_core.config.targets import locate
    from measure_core.errors import ConfigError

    try:
        cls = locate(target)
    except ConfigError as fault:
        return {"summary": f"cannot be imported: {fault.what}", "inputs": [], "options": ""}
    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    options = ", ".join(
        str(one).removeprefix("*")
        for name, one in inspect.signature(cls).parameters.items()
        if name not in ("ref_key", "hyp_key")
    )
    return {"summary": summary, "inputs": _inputs(cls), "options": options.replace("'", "")}


def _inputs(cls: Any) -> list[str]:
    """Give the inputs a class asks for when it is built without arguments."""
    try:
        metric = cls()
    except Exception:  # noqa: BLE001  (a class that needs arguments does not name its inputs by itself)
        return []
    named = getattr(metric, "input_keys", None) or [getattr(metric, key, None) for key in ("ref_key", "hyp_key")]
    return [key for key in named if isinstance(key, str)]
