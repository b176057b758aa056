"""Prepare the benchmark's data: the archive, and the audio that may not be handed on with it.

Names are loaded where they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discophon.prepare.benchmark import ARCHIVE_SHA256, ARCHIVE_SIZE, ARCHIVE_URL, download_benchmark
    from discophon.prepare.commonvoice import missing_audio, prepare_commonvoice_datasets
    from discophon.prepare.errors import ArchiveError, DownloadError, MissingClipsError
    from discophon.prepare.manifest import needed_files
    from discophon.prepare.release import API_URL, newest_release, prepare_commonvoice
    from discophon.prepare.slurm import array_part

__all__ = [
    "API_URL",
    "ARCHIVE_SHA256",
    "ARCHIVE_SIZE",
    "ARCHIVE_URL",
    "ArchiveError",
    "DownloadError",
    "MissingClipsError",
    "array_part",
    "download_benchmark",
    "missing_audio",
    "needed_files",
    "newest_release",
    "prepare_commonvoice",
    "prepare_commonvoice_datasets",
]

_MODULES = {
    "benchmark": ("ARCHIVE_SHA256", "ARCHIVE_SIZE", "ARCHIVE_URL", "download_benchmark"),
    "commonvoice": ("missing_audio", "prepare_commonvoice_datasets"),
    "errors": ("ArchiveError", "DownloadError", "MissingClipsError"),
    "manifest": ("needed_files",),
    "release": ("API_URL", "newest_release", "prepare_commonvoice"),
    "slurm": ("array_part",),
}


def __getattr__(name: str) -> object:
    """Load a public name where it is first used."""
    for module, names in _MODULES.items():
        if name in names:
            value: object = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
