"""Fetch one large file over HTTP; what has come is kept, and the next try goes on from there."""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from http.client import HTTPException
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from discophon.errors import UsageError
from discophon.prepare.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.client import HTTPResponse
    from typing import IO

    Progress = Callable[[int, int], None]

__all__ = ["fetch", "make_opener", "refuse_other_schemes"]

_PIECE = 1 << 20
_OK, _PARTIAL, _TOO_MANY, _BEYOND = 200, 206, 429, 416
_FIRST_SERVER_ERROR = 500
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")

_LOG = logging.getLogger(__name__)


class _Again(Exception):  # noqa: N818 - no error to anyone outside
    """A try has ended early, and another one may do better."""


def fetch(
    url: str,
    path: str,
    *,
    size: int,
    progress: Progress | None = None,
    timeout: float = 60.0,
    tries: int = 5,
    pause: float = 1.0,
) -> None:
    """Fetch a file of known size; a part of it that is already there is not fetched again.

    Parameters
    ----------
    url : str
        Where it is, ``http`` or ``https``.
    path : str
        Where to put it.
    size : int
        Its size in bytes. What a server says about the size is not believed.
    progress : callable, optional
        Called with the bytes that are there and the bytes that there will be.
    timeout : float, default 60.0
        How long the server may say nothing, in seconds.
    tries : int, default 5
        How many tries in a row may bring nothing new.
    pause : float, default 1.0
        Pause after a failed try, in seconds; it doubles with each that brings nothing new.

    Raises
    ------
    UsageError
        If it is no ``http`` or ``https`` address.
    DownloadError
        If the server refuses, or after too many tries in vain. What has come stays.
    """
    refuse_other_schemes(url)
    have = _size_of(path)
    if have > size:
        _LOG.info("%s is larger than the archive; starting over", path)
        os.unlink(path)
        have = 0
    _refuse_full_disk(path, size - have)
    best, in_vain, whole = have, 0, 0
    while have < size:
        try:
            came = _go_on(url, path, have, size, progress, timeout)
            trouble = f"the connection ended at byte {_size_of(path)} of {size}"
        except _Again as error:
            came, trouble = 0, str(error)
        have = _size_of(path)
        if have >= size:
            break
        if came and came == whole:
            raise _other_file(url, came, size)
        whole = came
        in_vain = 0 if have > best else in_vain + 1
        best = max(have, best)
        if in_vain >= tries:
            raise DownloadError(f"{url}: {trouble}; {tries} tries in a row brought nothing new; run it again later")
        _LOG.info("%s; trying again", trouble)
        time.sleep(pause * 2 ** max(in_vain - 1, 0))


def refuse_other_schemes(url: str) -> None:
    """Refuse an address that is not one of the web.

    Parameters
    ----------
    url : str
        The address.

    Raises
    ------
    UsageError
        If it is no ``http`` or ``https`` address.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{url}: not an http or https address")


def _size_of(path: str) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def _refuse_full_disk(path: str, wanted: int) -> None:
    free = shutil.disk_usage(os.path.dirname(path) or ".").free
    if free < wanted:
        raise DownloadError(
            f"{path}: {wanted} bytes are still to be fetched, and the disk has room for {free}; make room first"
        )


def make_opener() -> OpenerDirector:
    """Make what speaks HTTP and nothing else, wherever a redirection points to.

    Returns
    -------
    urllib.request.OpenerDirector
        The opener; an answer that is no success raises `urllib.error.HTTPError`.
    """
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        HTTPRedirectHandler(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _other_file(url: str, found: int | str, size: int) -> DownloadError:
    return DownloadError(
        f"{url}: the file there has {found} bytes, not {size}: it is another one; look for its size and digest"
    )


def _go_on(url: str, path: str, have: int, size: int, progress: Progress | None, timeout: float) -> int:
    """Try once to fetch what is not there yet; give the size of a whole file that came and is too short, or 0."""
    headers = {"Accept-Encoding": "identity", "User-Agent": "discophon"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = Request(url, headers=headers)  # noqa: S310 - the scheme has been looked at
    try:
        with make_opener().open(request, timeout=timeout) as response:
            mode = _mode(response, url, have, size)
            with _opened(path, mode) as stream:
                n_bytes = _copy(response, stream, have if mode == "ab" else 0, size, progress)
            return n_bytes if mode == "wb" and response.headers.get("Content-Length") == str(n_bytes) else 0
    except DownloadError:
        raise
    except HTTPError as error:
        error.close()
        raise _refused(error, url, path, size) from error
    except (OSError, HTTPException) as error:  # no route, no answer in time, a broken connection
        reason = getattr(error, "reason", None) or error
        raise _Again(f"no answer from the server: {str(reason) or type(reason).__name__}") from error


def _opened(path: str, mode: str) -> IO[bytes]:
    try:
        return open(path, mode)
    except OSError as error:
        raise DownloadError(f"{path}: cannot be written: {error.strerror}; give a folder you may write to") from error


def _refused(error: HTTPError, url: str, path: str, size: int) -> Exception:
    """Decide what an answer that is no file means."""
    if error.code == _BEYOND:  # the part that is here is no part of what is there
        total = error.headers.get("Content-Range", "").removeprefix("bytes */")
        if total.isdecimal() and int(total) != size:
            return _other_file(url, total, size)
        os.unlink(path)
        return _Again(f"the server has no such part of the file ({error.code})")
    if error.code == _TOO_MANY or error.code >= _FIRST_SERVER_ERROR:
        return _Again(f"the server answers {error.code} {error.reason}")
    return DownloadError(
        f"{url}: the server answers {error.code} {error.reason}; check the address, or fetch the archive by hand"
    )


def _mode(response: HTTPResponse, url: str, have: int, size: int) -> str:
    """Choose between going on and starting over, by what the server sends."""
    if response.status == _OK:
        if have:
            _LOG.info("the server does not go on from byte %d; starting over", have)
        return "wb"
    found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if response.status != _PARTIAL or found is None or int(found[1]) != have:
        raise DownloadError(f"{url}: the server answers {response.status} without the part that was asked for")
    if found[3] not in ("*", str(size)):
        raise _other_file(url, found[3], size)
    return "ab"


def _copy(response: HTTPResponse, stream: IO[bytes], have: int, size: int, progress: Progress | None) -> int:
    """Write what comes, piece by piece, and no more than there should be; give how much there is then."""
    while have < size and (piece := response.read1(_PIECE)):
        if have + len(piece) > size:
            _LOG.info("the server sends more than %d bytes", size)
            piece = piece[: size - have]
        try:
            stream.write(piece)
            stream.flush()  # a full disk shows here, and a killed run keeps what had come
        except OSError as error:
            raise DownloadError(
                f"{stream.name}: cannot be written: {error.strerror}; make room, run it again"
            ) from error
        have += len(piece)
        if progress is not None:
            progress(have, size)
    return have
