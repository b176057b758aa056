"""What a path metric declares about its inputs and outputs, and whether it keeps to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from measure_core.errors import ConfigError, MetricError

__all__ = [
    "DATASET_PREFIX",
    "KINDS",
    "Field",
    "check_batch",
    "check_declaration",
    "check_inputs",
    "check_outputs",
    "class_path",
    "names_said",
    "said",
]

KINDS = ("text", "audio", "number", "segments")
"""What a field may hold."""

DATASET_PREFIX = "dataset:"
"""Beginning of a binding that names a column of the data set instead of an SCP file."""


@dataclass(frozen=True)
class Field:
    """One declared input or output of a metric.

    Parameters
    ----------
    name : str
        Its name: a Python identifier, since values are passed by keyword.
    kind : {"text", "audio", "number", "segments"}
        What it holds.
    label : str, optional
        Name for readers.
    optional : bool, default False
        Whether an input may be left out.
    channels : int, optional
        Number of channels of audio.
    options : mapping, optional
        Anything else about it.

    Raises
    ------
    ValueError
        If the kind is unknown or the name is no identifier.
    """

    name: str
    kind: str
    label: str = ""
    optional: bool = False
    channels: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        name: object = self.name
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"the name of a field is a Python identifier, not {self.name!r}")
        if self.kind not in KINDS:
            raise ValueError(f"field {self.name!r}: kind {self.kind!r} is none of {', '.join(KINDS)}")


def class_path(metric: object) -> str:
    """Give the class path of a metric, which is its key in the results.

    Parameters
    ----------
    metric : object or type
        A metric or its class.

    Returns
    -------
    str
        Module and name, with dots.
    """
    cls = metric if isinstance(metric, type) else type(metric)
    return f"{cls.__module__}.{cls.__name__}"


def said(metric: object, attribute: str) -> Any:
    """Read what a metric says of itself, which runs its code where that is a property.

    Parameters
    ----------
    metric : object
        The metric.
    attribute : str
        Name of the attribute.

    Returns
    -------
    object
        Its value; None if there is none.

    Raises
    ------
    ConfigError
        If it cannot be read.
    """
    try:
        return getattr(metric, attribute, None)
    except Exception as fault:
        what = f"{class_path(metric)}: its `{attribute}` cannot be read: {type(fault).__name__}: {fault}"
        raise ConfigError(what, fixes=["correct the class; --verbose shows where it happened"]) from fault


def names_said(metric: object, attribute: str) -> list[str]:
    """Read names that a metric says; a class may answer anything when it is asked for what it does not define.

    Parameters
    ----------
    metric : object
        The metric.
    attribute : str
        Name of the attribute.

    Returns
    -------
    list of str
        Empty if it is no list or tuple of text.

    Raises
    ------
    ConfigError
        If it cannot be read.
    """
    names = said(metric, attribute)
    is_right = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
    return list(names) if is_right else []


def _fields(metric: object, attribute: str) -> tuple[Any, ...] | None:
    """Give declared fields, of our class or of one that looks the same; None if nothing is declared."""
    fields = said(metric, attribute)
    if fields is None:
        return None
    looks_right = isinstance(fields, tuple) and all(hasattr(one, "name") and hasattr(one, "kind") for one in fields)
    if not looks_right:
        raise ConfigError(f"{class_path(metric)}: `{attribute}` is not a tuple of Field")
    return tuple(fields)


def check_declaration(metric: object, *, is_required: bool) -> bool:
    """Check that a metric declares its inputs and outputs as it must.

    Parameters
    ----------
    metric : object
        A path metric.
    is_required : bool
        Whether it must declare them at all.

    Returns
    -------
    bool
        Whether it declares them.

    Raises
    ------
    ConfigError
        If the declaration is missing or makes no sense.
    """
    inputs, outputs = _fields(metric, "inputs"), _fields(metric, "outputs")
    if not inputs or not outputs:
        if not is_required and not inputs and not outputs:
            return False
        missing = [name for name, given in (("inputs", inputs), ("outputs", outputs)) if not given]
        raise ConfigError(
            f"{class_path(metric)} does not declare its {' and '.join(missing)}",
            fixes=['write in the class: inputs = (Field("ref", "text"), …) and outputs = (Field("WER", "number"),)'],
        )
    for attribute, fields in (("inputs", inputs), ("outputs", outputs)):
        names = [one.name for one in fields]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ConfigError(f"{class_path(metric)}: `{attribute}` has {', '.join(twice)} twice")
    optional = [one.optional for one in inputs]
    if optional != sorted(optional):
        raise ConfigError(f"{class_path(metric)}: in `inputs` the required fields come before the optional ones")
    for one in outputs:
        if one.kind != "number" or one.optional:
            raise ConfigError(f"{class_path(metric)}: the output {one.name!r} must be a number, and not optional")
    return True


def check_inputs(metric: object, bindings: Sequence[str]) -> None:
    """Check that a configuration binds the declared inputs.

    Parameters
    ----------
    metric : object
        A metric that declares inputs.
    bindings : sequence of str
        Names that the configuration binds.

    Raises
    ------
    ConfigError
        If a required name is missing or a name is unknown.
    """
    fields = _fields(metric, "inputs") or ()
    declared = [one.name for one in fields]
    missing = [one.name for one in fields if not one.optional and one.name not in bindings]
    unknown = [name for name in bindings if name not in declared]
    if not missing and not unknown:
        return
    facts = []
    if missing:
        facts.append(f"missing: {', '.join(missing)}")
    if unknown:
        facts.append(f"unknown: {', '.join(unknown)}")
    told = ", ".join(one.name + (" (optional)" if one.optional else "") for one in fields)
    raise ConfigError(
        f"{class_path(metric)}: `inputs` does not bind what the class declares",
        [*facts, f"declared: {told}"],
        ["bind every required name, and no other"],
    )


def check_batch(metric: object, values: Mapping[str, Sequence[Any]]) -> None:
    """Check that the values of a batch have one length.

    Parameters
    ----------
    metric : object
        The metric that gets them.
    values : mapping of str to sequence
        Values by input; one that has no length, as an optional input that is None, is not looked at.

    Raises
    ------
    MetricError
        If the lengths differ.
    """
    lengths = {name: len(value) for name, value in values.items() if hasattr(value, "__len__")}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise MetricError(f"{class_path(metric)}: the inputs of a batch have different lengths: {told}")


def check_outputs(metric: object, result: object) -> None:
    """Check that a result has every declared output, each a number.

    Parameters
    ----------
    metric : object
        A metric that declares outputs.
    result : object
        What it returned.

    Raises
    ------
    MetricError
        If something declared is missing or no number.
    """
    declared = [one.name for one in _fields(metric, "outputs") or ()]
    if not isinstance(result, Mapping):
        raise MetricError(f"{class_path(metric)} returned {type(result).__name__}, not a mapping with {declared}")
    missing = [name for name in declared if name not in result]
    if missing:
        raise MetricError(
            f"{class_path(metric)}: the declared output {', '.join(missing)} is not in the result",
            [f"the result has: {', '.join(map(str, result)) or 'nothing'}"],
        )
    for name in declared:
        if not _is_number(result[name]):
            kind = type(result[name]).__name__
            raise MetricError(f"{class_path(metric)}: the output {name!r} was declared a number and is {kind}")


def _is_number(value: object) -> bool:
    from numbers import Real

    plain = value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else value
    return isinstance(plain, Real) and not isinstance(plain, bool)
