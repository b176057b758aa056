"""What an object was made with, told so that two that score differently are told differently."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pathbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["attributes", "cloudpickle", "shown", "told"]

_LONGEST = 80


def attributes(thing: object) -> dict[str, object]:
    """List the attributes of an object.

    Parameters
    ----------
    thing : object
        The object.

    Returns
    -------
    dict of str to object
        Those in slots, then those in its dictionary, in the order in which they were set.
    """
    slots = [name for cls in type(thing).__mro__ for name in _slots(cls) if hasattr(thing, name)]
    return {**{name: getattr(thing, name) for name in slots}, **getattr(thing, "__dict__", {})}


def _slots(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def told(values: Mapping[str, object], owner: str) -> dict[str, object]:
    """Tell values as JSON can hold them.

    Parameters
    ----------
    values : mapping of str to object
        Values by name: plain ones, numpy's, paths, lists and dictionaries stand for themselves; any other, or what
        is long, is told by a digest of all it holds.
    owner : str
        Whose they are, for the message.

    Returns
    -------
    dict of str to object
        The same names.

    Raises
    ------
    UsageError
        If nothing can be said of a value.

    Examples
    --------
    >>> told({"order": (1, 2), "name": "x"}, "Mine")
    {'order': {'tuple': [1, 2]}, 'name': 'x'}
    """
    found = {}
    for name, value in values.items():
        try:
            found[name] = _told(value)
        except Exception as error:  # objects of other people raise anything when they are pickled
            what = f"{owner}.{name} is a {type(value).__name__}, and nothing tells it from another one ({error})"
            fix = "keep numbers, strings or lists there, or define parameters() to say what changes the score"
            raise UsageError(f"{what}; fix: {fix}") from error
    return found


def _told(value: object) -> object:
    try:
        simple = _simple(value)
    except TypeError:
        return _digest(value)
    is_long = isinstance(simple, (list, dict)) and len(json.dumps(simple)) > _LONGEST
    return _digest(simple, type(value).__name__) if is_long else simple


def _simple(value: Any) -> Any:  # noqa: ANN401 (whatever an attribute holds)
    """Turn a value into one of JSON; what would lose something by it raises TypeError."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, list):
        return [_simple(one) for one in value]
    kind = type(value).__name__  # told with what JSON would take for something else
    if isinstance(value, os.PathLike):
        return {kind: _simple(os.fspath(value))}
    if isinstance(value, tuple):
        return {kind: [_simple(one) for one in value]}
    if isinstance(value, (set, frozenset)):  # whose order is another one in every process
        return {kind: sorted((_simple(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _simple(one) for key, one in value.items()}
    if getattr(value, "shape", None) == () and hasattr(value, "dtype"):  # a number of numpy's
        return {str(value.dtype): _simple(value.item())}
    raise TypeError(type(value).__name__)


class _Sink:
    """A file that keeps nothing but the hash of what is written to it: models are large."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def write(self, data: Any) -> int:  # noqa: ANN401 (bytes or a buffer)
        self.hash.update(data)
        return len(data)


def _digest(value: object, name: str = "") -> str:
    sink = _Sink()
    cloudpickle().Pickler(sink, protocol=pickle.DEFAULT_PROTOCOL).dump(value)
    return f"{name or type(value).__name__}#{sink.hash.hexdigest()[:16]}"


def shown(value: object) -> str:
    """Write a value into a signature.

    Parameters
    ----------
    value : object
        One of `told`.

    Returns
    -------
    str
        Two values are written alike only if they are equal.

    Examples
    --------
    >>> shown(None), shown(True), shown(60.0), shown(0.123456789), shown([1, 2])
    ('none', 'true', '60', '0.123456789', '[1,2]')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value or value != value else repr(value)
    if isinstance(value, str) and not _looks_like_another(value):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)


def _looks_like_another(text: str) -> bool:
    """Tell whether a text would be read as a value that is no text."""
    try:
        float(text)
    except ValueError:
        return text in ("none", "true", "false") or text[:1] in ("[", "{", '"')
    return True


def cloudpickle() -> Any:  # noqa: ANN401 (a module)
    """Give what pickles classes of a script too: joblib brings it along, or depends on it, by its version."""
    try:
        return import_module("cloudpickle")
    except ModuleNotFoundError:
        return import_module("joblib.externals.cloudpickle")
