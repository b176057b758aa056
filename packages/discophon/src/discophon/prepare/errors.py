"""What preparing the data raises.

::

    DiscophonError
    ├── DownloadError (also OSError)        the server does not give the archive; what has come is kept
    ├── ArchiveError (also ValueError)      what has come is not the archive: another digest, or a damaged or unsafe one
    ├── MissingClipsError (also ValueError) some clips were not there or damaged; the others are converted
    └── DatasetError
        └── AudioWriteError                 a WAV file cannot be written; those before it are

All of them end the command with status 3: something was done, and it stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discophon.errors import DatasetError, DiscophonError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ArchiveError", "AudioWriteError", "DownloadError", "MissingClipsError"]

_N_SHOWN = 10


class AudioWriteError(DatasetError):
    """A WAV file cannot be written, or there is no room for a clip on its way; those before it are converted."""


class DownloadError(DiscophonError, OSError):
    """The server does not give the archive, or only a part of it, which is kept for the next try."""


class ArchiveError(DiscophonError, ValueError):
    """The archive is not the one that was announced, or cannot be unpacked safely."""


class MissingClipsError(DiscophonError, ValueError):
    """Some clips could not be converted; all others were.

    Parameters
    ----------
    language : str
        ISO 639-3 code.
    missing : sequence of str
        File ids without a clip.
    broken : mapping of str to str, optional
        File ids whose clip is damaged, and how.
    """

    def __init__(self, language: str, missing: Sequence[str], broken: Mapping[str, str] | None = None) -> None:
        super().__init__(language, missing, broken)
        self.language = language
        self.missing = list(missing)
        self.broken = dict(broken or {})

    def __str__(self) -> str:
        parts = []
        if self.missing:
            parts.append(f"{len(self.missing)} clips are missing: {_some(self.missing)}")
        if self.broken:
            told = [f"{file_id} ({why})" for file_id, why in self.broken.items()]
            parts.append(f"{len(self.broken)} clips are damaged: {_some(told)}")
        return f"{self.language}: {'; '.join(parts)}; the others are converted; add these and run it again"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _N_SHOWN
    return ", ".join(names[:_N_SHOWN]) + (f" and {more} more" if more > 0 else "")
