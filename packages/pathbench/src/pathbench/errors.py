"""What pathbench raises.

::

    PathbenchError
    ├── UsageError (also ValueError)            a wrong option or argument; exit status 2
    ├── InputError (also ValueError)            data that cannot be used: files that do not agree, …; exit status 2
    │   └── MissingDatasetError (also FileNotFoundError)   there is no such data set
    ├── MissingDependencyError (also ImportError)   an optional part is not installed; exit status 2
    └── EvaluationError (also RuntimeError)     something failed while computing; exit status 3

Bad *audio* raises nothing: a score that cannot be had is None with a reason code (`pathbench.reasons`). Reading
tables also raises `speechio.SpeechioError` and its subclasses, unchanged: they carry file, line, cause and remedy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "EvaluationError",
    "InputError",
    "MissingDatasetError",
    "MissingDependencyError",
    "PathbenchError",
    "UsageError",
    "import_extra",
    "install",
]

_EXTRAS = {
    "signal": ("praat-parselmouth", "scikit-learn"),
    "plot": ("matplotlib",),
    "dask": ("distributed",),
}


class PathbenchError(Exception):
    """Root of all errors raised by this package."""


class UsageError(PathbenchError, ValueError):
    """An option or an argument that cannot be used."""


class InputError(PathbenchError, ValueError):
    """Data that cannot be read or used."""


class MissingDatasetError(FileNotFoundError, InputError):
    """There is no folder of that name."""


class MissingDependencyError(PathbenchError, ImportError):
    """An optional part of the package is asked for and not installed."""


class EvaluationError(PathbenchError, RuntimeError):
    """Something failed while scores were computed."""


def install(extra: str) -> str:
    """Say how to install what an extra of this distribution brings, whatever the distribution was installed from.

    Parameters
    ----------
    extra : str
        The extra.

    Returns
    -------
    str
        A command.

    Examples
    --------
    >>> install("plot")
    'pip install matplotlib'
    """
    return f"pip install {' '.join(_EXTRAS[extra])}"


def import_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a module that comes with an extra of this distribution.

    Parameters
    ----------
    module : str
        Module to import.
    extra : str
        Extra that brings it.
    purpose : str
        What needs it, for the message.

    Returns
    -------
    module
        The module.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise  # the module is there and lacks something itself
        raise MissingDependencyError(
            f"{purpose} needs {module}, which is not installed; fix: {install(extra)}"
        ) from None
