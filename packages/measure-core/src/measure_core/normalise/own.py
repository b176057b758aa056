"""Steps that other packages bring: Whisper's normalisers, and classes of the user."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from measure_core.errors import ConfigError, MetricError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["OwnStep", "WhisperStep", "own_class", "whisper_version"]

_WHISPER_CLASSES = {
    "whisper_basic": ("whisper_normalizer.basic", "BasicTextNormalizer"),
    "whisper_english": ("whisper_normalizer.english", "EnglishTextNormalizer"),
}


@cache
def _whisper(name: str) -> Callable[[str], str]:
    import warnings

    module, class_name = _WHISPER_CLASSES[name]
    with warnings.catch_warnings():
        # its source has escape sequences that Python warns of when it compiles them
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        normalise: Callable[[str], str] = getattr(import_module(module), class_name)()
    return normalise


def whisper_version(where: str, name: str) -> str:
    """Give the version of the distribution that has Whisper's normalisers.

    Parameters
    ----------
    where : str
        Place in the configuration, for the message.
    name : str
        Name of the step.

    Returns
    -------
    str
        Its version.

    Raises
    ------
    ConfigError
        If it is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("whisper-normalizer")
    except PackageNotFoundError:
        what = f"{where}: step {name!r} needs the package whisper-normalizer, which is not installed"
        raise ConfigError(what, fixes=["pip install 'measure-core[whisper]'"]) from None


@dataclass(frozen=True, slots=True)
class WhisperStep:
    """One of Whisper's normalisers, loaded where it is first used.

    Parameters
    ----------
    name : str
        ``whisper_basic`` or ``whisper_english``.
    """

    name: str

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        return _whisper(self.name)(text).strip()


@dataclass(frozen=True, slots=True)
class OwnStep:
    """An object of the user.

    Parameters
    ----------
    title : str
        Path of its class.
    function : callable
        The object.
    """

    title: str
    function: Callable[[str], object]

    def __call__(self, text: str) -> str:
        """Normalise a text."""
        try:
            normalised = self.function(text)
        except Exception as error:
            raise MetricError(f"{self.title} failed on {text!r}: {type(error).__name__}: {error}") from error
        if not isinstance(normalised, str):
            raise MetricError(f"{self.title} gave {type(normalised).__name__} for {text!r}; a normaliser gives text")
        return normalised


def own_class(where: str, path: str, options: Mapping[str, Any]) -> OwnStep:
    """Build an object of a class that is named by its path.

    Parameters
    ----------
    where : str
        Place in the configuration, for messages.
    path : str
        Module and class, with dots.
    options : mapping of str to object
        Arguments of the class.

    Returns
    -------
    OwnStep
        The step.

    Raises
    ------
    ConfigError
        If there is no such class, it may not be used, or it does not take the options.
    """
    from measure_core.config.targets import barred, locate

    try:
        found = None if barred(path) else locate(path)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error.what.replace('_target_: ', '')}", error.facts, error.fixes) from error
    if found is None or (inspect.isclass(found) and barred(path, found)):
        raise ConfigError(f"{where}: {path} may not be used: its module reaches files or commands")
    if not inspect.isclass(found) or not any("__call__" in vars(parent) for parent in found.__mro__):
        what = f"{where}: {path} is not a class whose objects can be called"
        raise ConfigError(what, fixes=["write a class with __call__(self, text) that returns text"])
    try:
        built: Any = found(**options)
    except (Exception, SystemExit) as error:
        raise ConfigError(f"{where}: {path} cannot be built: {type(error).__name__}: {error}") from error
    return OwnStep(path, built)
