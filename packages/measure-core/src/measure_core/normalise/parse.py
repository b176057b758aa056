"""From a configuration to a `Normaliser`. Whatever is a sequence or a mapping will do, OmegaConf's own included."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from types import FunctionType
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from measure_core.errors import ConfigError
from measure_core.inputs.names import near
from measure_core.normalise.own import OwnStep, WhisperStep, own_class, whisper_version
from measure_core.normalise.pipeline import Normaliser, Step, escaped
from measure_core.normalise.steps import (
    FILLERS,
    DropFillers,
    DropPunctuation,
    DropTokens,
    ReplaceMatches,
    ReplaceTokens,
)
from measure_core.normalise.tables import read_token_table

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["STEP_NAMES", "normaliser"]

_MOST_IN_NAME = 80


def normaliser(config: object = None) -> Normaliser:
    """Read a list of steps.

    Parameters
    ----------
    config : sequence of str, mapping or object, or None
        Steps: a name, a mapping of one name to its options, or an object that takes and gives text.

    Returns
    -------
    Normaliser
        The steps; none for None and an empty list.

    Raises
    ------
    ConfigError
        If a step is unknown or its options are wrong; the message names it by its place.
    InputError
        If a file of a step cannot be read or is wrong.

    Examples
    --------
    >>> steps = normaliser(["lower", {"punctuation": {"keep": "'"}}])
    >>> steps("Don't stop!"), steps.signature
    ("don't stop", "lower+punct(')")
    """
    if config is None:
        return Normaliser()
    if isinstance(config, Normaliser):
        return config
    if isinstance(config, str) or not isinstance(config, Sequence):
        what = f"normalise is {type(config).__name__} {config!r}; it must be a list of steps"
        raise ConfigError(what, fixes=["write normalise: [lower, …]"])
    return Normaliser(tuple(_step(f"normalise[{place}]", entry) for place, entry in enumerate(config)))


def _step(where: str, entry: object) -> Step:
    if isinstance(entry, Mapping):
        if len(entry) != 1:
            what = f"{where} names {len(entry)} steps: {', '.join(map(str, entry))}; one is wanted"
            raise ConfigError(what, fixes=["write {step: {option: value}}; in YAML, indent the options below the step"])
        ((name, options),) = entry.items()
    elif isinstance(entry, str):
        name, options = entry, None
    elif callable(entry) and _is_of_a_class(entry):
        title = f"{type(entry).__module__}.{type(entry).__qualname__}"
        return Step(escaped(title), OwnStep(title, entry))
    else:
        raise ConfigError(f"{where} is {entry!r}; it must be the name of a step, or a name with its options")
    if isinstance(name, str) and name in _BUILDERS:
        return _BUILDERS[name](where, name, options)
    if isinstance(name, str) and "." in name:
        return _own(where, name, options)
    hint = near(str(name), STEP_NAMES) or f"the steps are {', '.join(STEP_NAMES)}"
    raise ConfigError(f"{where}: there is no step {name!r}", fixes=[hint])


def _is_of_a_class(entry: object) -> bool:
    """Tell whether it is an object whose class says in Python what a call does: no function, no class."""
    return any(isinstance(vars(parent).get("__call__"), FunctionType) for parent in type(entry).__mro__)


def _plain(where: str, name: str, options: object, apply: Callable[[str], str]) -> Step:
    _options(where, name, options, ())
    return Step(name, apply)


def _form(where: str, name: str, options: object) -> Step:
    return _plain(where, name, options, partial(normalize, "NFC" if name == "nfc" else "NFKC"))


def _lower(where: str, name: str, options: object) -> Step:
    return _plain(where, name, options, str.lower)


def _casefold(where: str, name: str, options: object) -> Step:
    return _plain(where, name, options, str.casefold)


def _punctuation(where: str, name: str, options: object) -> Step:
    keep = _text(where, f"{name}.keep", _options(where, name, options, ("keep",)).get("keep", ""))
    kept = "".join(dict.fromkeys(keep))
    return Step(f"punct({escaped(kept)})" if kept else "punct", DropPunctuation(kept))


def _remove(where: str, name: str, options: object) -> Step:
    tokens = [options] if isinstance(options, str) else options
    if not isinstance(tokens, Sequence) or not tokens:
        raise ConfigError(f"{where}: {name} is {options!r}; it must be a list of tokens")
    wanted = sorted({_text(where, name, token) for token in tokens})
    for token in wanted:
        if len(token.split()) != 1 or token != token.strip():
            what = f"{where}: {name} has {token!r}, which is not one token"
            raise ConfigError(what, fixes=["list each token by itself, or use the step regex"])
    return Step(f"remove({_listed(wanted)})", DropTokens(frozenset(wanted)))


def _fillers(where: str, name: str, options: object) -> Step:
    if not isinstance(options, str) or options not in FILLERS:
        what = f"{where}: {name} is {options!r}; it must be one of {', '.join(sorted(FILLERS))}"
        raise ConfigError(what, fixes=["list others with the step remove"])
    return Step(f"fillers({options})", DropFillers(options))


def _replace(where: str, name: str, options: object) -> Step:
    path = _text(where, f"{name}.file", _options(where, name, options, ("file",), ("file",))["file"])
    read = read_token_table(path, separator="tab")
    return Step(f"replace({read.name})", ReplaceTokens(read.table))


def _regex(where: str, name: str, options: object) -> Step:
    given = _options(where, name, options, ("pattern", "by"), ("pattern",))
    pattern = _text(where, f"{name}.pattern", given["pattern"])
    by = _text(where, f"{name}.by", given.get("by", ""))
    try:
        step = ReplaceMatches(pattern, by)
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigError(f"{where}: pattern {pattern!r} is no regular expression: {error}") from error
    try:
        # an alternative that matches nothing makes sure that the replacement is read
        re.compile(f"{pattern}\n|").sub(by, "")
    except (re.error, IndexError) as error:
        raise ConfigError(f"{where}: by {by!r} does not go with pattern {pattern!r}: {error}") from error
    return Step(f"regex({escaped(pattern)},{escaped(by)})", step)


def _whisper(where: str, name: str, options: object) -> Step:
    _options(where, name, options, ())
    return Step(f"{name}({escaped(whisper_version(where, name))})", WhisperStep(name))


def _own(where: str, name: str, options: object) -> Step:
    if options is not None and not isinstance(options, Mapping):
        raise ConfigError(f"{where}: the options of {name} are {options!r}; they must be a mapping")
    given = {str(key): value for key, value in (options or {}).items()}
    shown = ",".join(f"{escaped(key)}={escaped(repr(value))}" for key, value in sorted(given.items()))
    return Step(escaped(name) + (f"({shown})" if shown else ""), own_class(where, name, given))


_BUILDERS: dict[str, Callable[[str, str, object], Step]] = {
    "nfc": _form,
    "nfkc": _form,
    "lower": _lower,
    "casefold": _casefold,
    "punctuation": _punctuation,
    "remove": _remove,
    "fillers": _fillers,
    "replace": _replace,
    "regex": _regex,
    "whisper_basic": _whisper,
    "whisper_english": _whisper,
}

STEP_NAMES = tuple(_BUILDERS)
"""Names of the steps that come with this package."""


def _options(
    where: str, name: str, options: object, known: tuple[str, ...], needed: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """Check the options of a step."""
    if options is None:
        options = {}
    if not isinstance(options, Mapping):
        wanted = f"a mapping of {', '.join(known)}" if known else "nothing"
        raise ConfigError(f"{where}: the options of {name} are {options!r}; {wanted} is wanted")
    unknown = [str(key) for key in options if key not in known]
    if unknown:
        takes = f"it takes {', '.join(known)}" if known else "it takes none"
        raise ConfigError(f"{where}: {name} has no option {', '.join(map(repr, unknown))}; {takes}")
    lacking = [key for key in needed if key not in options]
    if lacking:
        raise ConfigError(f"{where}: {name} needs {' and '.join(lacking)}")
    return options


def _text(where: str, what: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(
            f"{where}: {what} is {value!r}, a {type(value).__name__}; it must be text",
            fixes=["put it in quotation marks"],
        )
    return value


def _listed(tokens: Sequence[str]) -> str:
    """Name a set of tokens: by themselves if they are few, else by number and digest."""
    listed = ",".join(map(escaped, tokens))
    if len(listed) <= _MOST_IN_NAME:
        return listed
    return f"{len(tokens)}#{sha256(listed.encode()).hexdigest()[:8]}"
