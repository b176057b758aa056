"""Results as JSON: what a metric may return, and files that are whole or not there."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure_core.errors import InputError, MetricError, OutputError

if TYPE_CHECKING:
    from measure_core.config.options import NonFinite

__all__ = ["PER_UTTERANCE", "as_json", "dumped", "encoded", "read_json", "read_json_and_digest", "write_text"]

PER_UTTERANCE = "_per_utterance"
"""Key of a result that holds lists in the order of the utterances."""

_DEEPEST = 100
"""Lists and mappings in one another; far below where Python gives up."""

_WIDEST_INT = 14_000
"""Bits of a whole number; Python neither writes nor reads one of more than 4300 digits."""

_N_SHOWN = 60


def as_json(result: Any, nonfinite: NonFinite = "null") -> tuple[Any, list[str]]:
    """Make plain JSON values of what a metric returned.

    Parameters
    ----------
    result : object
        Mappings, lists, tuples, text, numbers, None, NumPy scalars and dataclasses, nested in any way.
    nonfinite : {"null", "error", "literal"}, default "null"
        What becomes of a number that is not finite.

    Returns
    -------
    value : object
        Dicts with text keys, lists, text, numbers, None.
    nonfinite_paths : list of str
        Where a number is not finite.

    Raises
    ------
    MetricError
        If something else is in it; names the path into the result and the type.
    """
    paths: list[str] = []
    return _plain(result, "", nonfinite, paths, ()), paths


def _plain(value: Any, path: str, nonfinite: NonFinite, paths: list[str], above: tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration's own str() gives the name of the member
    if isinstance(value, int):
        return _whole(value, path)
    if isinstance(value, float):
        return _number(float.__float__(value), path, nonfinite, paths)
    if id(value) in above:
        raise MetricError(f"the result contains itself at `{path or 'the top'}`")
    if len(above) > _DEEPEST:
        raise MetricError(f"the result is nested more than {_DEEPEST} deep: `{path[:_N_SHOWN]}…`")
    above = (*above, id(value))
    if _is_frozen(value):
        value = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return _mapping(value, path, nonfinite, paths, above)
    if isinstance(value, (list, tuple)):
        return [_plain(one, f"{path}[{i}]", nonfinite, paths, above) for i, one in enumerate(value)]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        item = value.item()
        if type(item) is not type(value):  # a NumPy scalar wider than any of Python's gives itself
            return _plain(item, path, nonfinite, paths, above)
    kind = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
    raise MetricError(
        f"the result is not JSON: `{path or 'the whole result'}` is {kind}",
        fixes=[
            "give the dataclass frozen=True, or return dataclasses.asdict(…)"
            if dataclasses.is_dataclass(value) and not isinstance(value, type)
            else "return dicts, lists, text, numbers or None; for instance sorted(…) of a set, .tolist() of an array"
        ],
    )


def _is_frozen(value: Any) -> bool:
    """Tell whether a value is a dataclass that stays as it is."""
    params = getattr(type(value), "__dataclass_params__", None)
    return params is not None and bool(params.frozen)


def _whole(value: int, path: str) -> int:
    if value.bit_length() > _WIDEST_INT:
        raise MetricError(f"the result is not JSON that can be read: `{path or 'the whole result'}` is a huge number")
    return int.__int__(value)


def _number(value: float, path: str, nonfinite: NonFinite, paths: list[str]) -> float | None:
    if math.isfinite(value):
        return value
    if nonfinite == "error":
        raise MetricError(f"the result is not finite: `{path or 'the whole result'}` is {value}")
    paths.append(path or "the whole result")
    return value if nonfinite == "literal" else None


def _mapping(
    value: Mapping[Any, Any], path: str, nonfinite: NonFinite, paths: list[str], above: tuple[int, ...]
) -> Any:
    found: dict[str, Any] = {}
    for key, one in value.items():
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            raise MetricError(f"the result is not JSON: a key of `{path or 'the whole result'}` is {key!r}, not text")
        name = str.__str__(key) if isinstance(key, str) else int.__repr__(_whole(key, path))
        if name in found:
            raise MetricError(f"the result is not JSON: two keys of `{path or 'the whole result'}` become {name!r}")
        found[name] = _plain(one, f"{path}.{name}" if path else name, nonfinite, paths, above)
    return found


def dumped(value: Any) -> str:
    """Give a value as the text of a results file.

    Parameters
    ----------
    value : object
        Plain JSON values.

    Returns
    -------
    str
        As ``json.dump(value, indent=2, ensure_ascii=False)`` writes it, so without a newline at the end.
    """
    return json.dumps(value, indent=2, ensure_ascii=False)


def encoded(text: str) -> bytes:
    """Give the bytes of a text as `write_text` writes them.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    bytes
        UTF-8; an unpaired surrogate, which UTF-8 has not, becomes the escape that JSON has for it.
    """
    return text.encode(errors="backslashreplace")


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all.

    Parameters
    ----------
    path : Path
        The file; its directory is made if need be. A pipe or a device is written to, not replaced.
    text : str
        Its content, written as UTF-8; JSON, or anything without unpaired surrogates.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    try:
        if _is_stream(path):
            path.write_bytes(encoded(text))
        else:
            _replace(Path(os.path.realpath(path)), encoded(text))  # a link stays one
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the path
        raise OutputError(f"{path}: cannot be written: {getattr(fault, 'strerror', None) or fault}") from fault


def _is_stream(path: Path) -> bool:
    """Tell whether a path is there and neither a file nor a directory: a pipe, a device."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _replace(target: Path, data: bytes) -> None:
    """Write to a temporary name beside a file, and give it its name when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".measure-", suffix=".tmp")
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_json(path: Path) -> Any:
    """Read a JSON file of ours.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    object
        Its content.

    Raises
    ------
    InputError
        If it cannot be read, is not JSON, or has a key twice.
    """
    return read_json_and_digest(path)[0]


def read_json_and_digest(path: Path) -> tuple[Any, str]:
    """Read a JSON file of ours, and tell which bytes were read.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    value : object
        Its content.
    sha256 : str
        Digest of the file as it was read.

    Raises
    ------
    InputError
        If it cannot be read, is not JSON, or has a key twice.
    """
    try:
        data = path.read_bytes()
        return json.loads(data.decode(), object_pairs_hook=_once), hashlib.sha256(data).hexdigest()
    except FileNotFoundError as fault:
        raise InputError(f"{path}: no such file", path=str(path)) from fault
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror or fault}", path=str(path)) from fault
    except _TwiceError as fault:
        raise InputError(f"{path}: {fault}", fixes=["remove one of them"], path=str(path)) from fault
    except (ValueError, RecursionError) as fault:
        line = getattr(fault, "lineno", None)
        where = f"{path}:{line}" if line else str(path)
        raise InputError(f"{where}: not JSON: {fault}", path=str(path), line=line) from fault


class _TwiceError(ValueError):
    """A key is there twice, which JSON itself does not forbid."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a mapping of which no key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(f"the key {next(key for key in found if keys.count(key) > 1)!r} is there twice")
    return found
