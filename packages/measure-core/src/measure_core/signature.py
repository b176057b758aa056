"""Signatures: every choice that changed a number, in a fixed order, defaults included."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from measure_core.__about__ import __version__

__all__ = ["choices_of", "run_signature", "short"]

_SHORT = {
    "v": "v",
    "metric": "m",
    "norm": "n",
    "unit": "u",
    "empty": "e",
    "align": "a",
    "spaces": "s",
    "n": "#",
    "config": "c",
    "mismatch": "x",
    "limit": "l",
}
_OF_RUN = frozenset({"n", "limit"})
"""Fields that say how much was scored, not how."""


def run_signature(
    metric: object, key: str, config: Mapping[str, Any], n: int, *, mismatch: str = "", limit: int | None = None
) -> str:
    """Give the signature of a metric on a test set.

    Parameters
    ----------
    metric : object
        The metric; its own ``signature`` is the beginning, where it has one.
    key : str
        Its key in the results.
    config : mapping
        Its resolved configuration.
    n : int
        Number of utterances that were scored.
    mismatch : str, optional
        How IDs that are not in all files were treated, with their number.
    limit : int, optional
        Only so many utterances were looked at.

    Returns
    -------
    str
        ``field:value`` joined by ``|``.
    """
    own = getattr(metric, "signature", None)
    if not isinstance(own, str) or not own:
        choices = _ordered({name: value for name, value in config.items() if name != "_target_"})
        text = json.dumps(choices, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8] if choices else "none"
        own = f"measure-core|v:{__version__}|metric:{config.get('_target_', key)}|config:{digest}"
    fields = [own]
    if mismatch:
        fields.append(f"mismatch:{mismatch}")
    if limit is not None:
        fields.append(f"limit:{limit}")
    return "|".join([*fields, f"n:{n}"])


def _ordered(value: Any) -> Any:
    """Give plain values with every mapping in the order of its keys, which need not all be text."""
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value, key=lambda key: (str(key), repr(key)))}
    return [_ordered(one) for one in value] if isinstance(value, (list, tuple)) else value


def choices_of(signature: str) -> str:
    """Give the part of a signature that must be equal for two scores to be comparable.

    Parameters
    ----------
    signature : str
        A signature.

    Returns
    -------
    str
        The same without the fields that say how much was scored.
    """
    return "|".join(part for part in signature.split("|") if part.partition(":")[0] not in _OF_RUN)


def short(signature: str) -> str:
    """Give the short form of a signature.

    Parameters
    ----------
    signature : str
        A signature.

    Returns
    -------
    str
        One letter per field where it is one of ours.

    Examples
    --------
    >>> short("measure-core|v:1.0.0|metric:wer|norm:none|unit:word|n:2620")
    'measure-core|v:1.0.0|m:wer|n:none|u:word|#:2620'
    """
    parts = [part.partition(":") for part in signature.split("|")]
    return "|".join(f"{_SHORT.get(name, name)}{sign}{value}" for name, sign, value in parts)
