"""Download the benchmark's data."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from discophon.errors import DatasetError, UsageError
from discophon.locking import one_at_a_time
from discophon.prepare.archive import PACKED, SHA256, check_digest, unpack
from discophon.prepare.fetch import fetch
from discophon.prepare.web import refuse_other_schemes

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ARCHIVE_SHA256", "ARCHIVE_SIZE", "ARCHIVE_URL", "download_benchmark"]

ARCHIVE_URL = "https://cognitive-ml.fr/downloads/phoneme-discovery/discophon_data.tar.gz"
"""Where the benchmark's data are."""

ARCHIVE_SIZE = 5_374_865_887
"""Size of the archive, in bytes."""

ARCHIVE_SHA256 = "358dbc61e9e74e9b922e2ae38ec989d3ad4e101c9fd57b60e2ea3c0332b2502c"
"""Digest of the archive."""

_FOLDER = "discophon_data"

_LOG = logging.getLogger(__name__)


def download_benchmark(
    path: os.PathLike[str] | str,
    *,
    url: str = ARCHIVE_URL,
    size: int = ARCHIVE_SIZE,
    sha256: str = ARCHIVE_SHA256,
    progress: Callable[[str, int, int], None] | None = None,
    timeout: float = 60.0,
    tries: int = 5,
    pause: float = 1.0,
) -> None:
    """Download the benchmark's data and unpack them.

    Parameters
    ----------
    path : path-like or str
        The dataset's folder; made if it is not there.
    url, size, sha256 : str, int, str
        The archive: where it is, its bytes and its digest.
    progress : callable, optional
        Called with what is done (``"download"`` or ``"check"``), the bytes done and the bytes to do.
    timeout : float, default 60.0
        How long the server may say nothing, in seconds.
    tries : int, default 5
        How many tries in a row may bring nothing new.
    pause : float, default 1.0
        Pause between tries, in seconds; it doubles with each that brings nothing new.

    Raises
    ------
    UsageError
        If the address is not ``http`` or ``https``, or the digest is none.
    DownloadError
        If the server does not give the archive. What has come stays, and the next call goes on from there.
    ArchiveError
        If it is not the archive that was announced, which is then deleted, or cannot be unpacked safely.
    DatasetError
        If the folder cannot be made or written to.

    Notes
    -----
    Of several processes that do this for one folder, one downloads and the others wait for it.
    The archive lies beside the data under a name that begins with a dot, and is deleted when they are unpacked.
    """
    folder = os.fspath(path)
    refuse_other_schemes(url)
    if not SHA256.fullmatch(sha256):
        raise UsageError(f"{sha256!r} is no SHA-256, which has 64 hexadecimal digits")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: the folder cannot be made: {error.strerror}; give another") from error
    archive = os.path.join(folder, f".{_FOLDER}.tar.gz.part")

    def told(stage: str) -> Callable[[int, int], None] | None:
        return None if progress is None else lambda done, all_: progress(stage, done, all_)

    def wait() -> None:
        _LOG.info("another process is downloading to %s; waiting for it", folder)

    with one_at_a_time(os.path.join(folder, f".{_FOLDER}.lock"), on_wait=wait) as turn:
        if turn.left == sha256.lower():
            _LOG.info("the other process has brought the data")
        else:
            fetch(
                url,
                archive,
                size=size,
                begins=PACKED,
                progress=told("download"),
                timeout=timeout,
                tries=tries,
                pause=pause,
            )
            check_digest(archive, sha256, progress=told("check"))
            _LOG.info("the archive is complete; unpacking into %s", folder)
            unpack(archive, folder, prefix=_FOLDER)
            os.unlink(archive)
        turn.note = sha256.lower()
