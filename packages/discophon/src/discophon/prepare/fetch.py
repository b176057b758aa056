"""Fetch one large file over HTTP; what has come is kept, and the next try goes on from there."""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request

from discophon.errors import UsageError
from discophon.prepare.errors import DownloadError
from discophon.prepare.web import make_opener, refuse_other_schemes
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.client import HTTPResponse
    from typing import IO

    Progress = Callable[[int, int], None]

__all__ = ["fetch"]

_PIECE = 1 << 20
_OK, _PARTIAL, _TOO_MANY, _BEYOND = 200, 206, 429, 416
_FIRST_SERVER_ERROR = 500
_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)")
_TOTAL = re.compile(r"bytes \*/([0-9]{1,18})")
_SHOWN = 40

_LOG = logging.getLogger(__name__)


class _Again(Exception):  # noqa: N818 - no error to anyone outside
    """A try has ended early, and another one may do better."""


class _NoPart(_Again):
    """The server does not send the part that it is asked for, so the next try asks for all."""


class _OtherFileError(DownloadError):
    """The server has another file than the one that is wanted."""


def fetch(
    url: str,
    path: str,
    *,
    size: int,
    begins: tuple[bytes, ...] = (),
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
    begins : tuple of bytes, optional
        How such a file may begin. What begins otherwise, such as a page of a login, is not kept.
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
        If it is no ``http`` or ``https`` address, or the size is not at least 1.
    DownloadError
        If the server refuses, or has another file, or after too many tries in vain. What has come stays.
    """
    refuse_other_schemes(url)
    if size < 1:
        raise UsageError(f"{url}: a size of {size} bytes: it must be at least 1")
    have = _kept(path, size, begins)
    _refuse_full_disk(path, size - have)
    is_new, takes_parts = not have, True
    best, in_vain, whole = have, 0, 0
    wanted = _Wanted(url, path, size, begins, progress, timeout)
    while have < size:
        try:
            came = _go_on(wanted, have if takes_parts else 0)
            trouble = f"the connection ended at byte {_size_of(path)} of {size}"
        except _Again as error:
            came, trouble = 0, str(error)
            takes_parts = takes_parts and not isinstance(error, _NoPart)
        except _OtherFileError as error:
            if is_new:  # what has come is of that other file
                _drop(path)
                raise
            raise DownloadError(f"{error}; {path} is kept from before, delete it if it is of that file") from error
        have = _size_of(path)
        if have >= size:
            break
        if came and came == whole:
            _drop(path)
            raise _other_file(wanted, came)
        whole = came
        in_vain = 0 if have > best else in_vain + 1
        best = max(have, best)
        if in_vain >= tries:
            raise DownloadError(f"{url}: {trouble}; {tries} tries in a row brought nothing new; run it again later")
        _LOG.info("%s; trying again", trouble)
        time.sleep(pause * 2 ** max(in_vain - 1, 0))


class _Wanted(NamedTuple):
    """What is to be fetched, and how."""

    url: str
    path: str
    size: int
    begins: tuple[bytes, ...]
    progress: Progress | None
    timeout: float


def _kept(path: str, size: int, begins: tuple[bytes, ...]) -> int:
    """Give how much is there already; what can be no part of the file is dropped."""
    have = _size_of(path)
    if not have:
        return 0
    try:
        with open(path, "rb") as stream:
            begin = stream.read(_SHOWN)
    except OSError as error:
        raise _cannot_write(path, error) from error
    if have > size or not _may_begin(begin, begins):
        _LOG.info("%s is no part of the archive; starting over", path)
        _drop(path)
        return 0
    return have


def _may_begin(begin: bytes, begins: tuple[bytes, ...]) -> bool:
    return not begins or any(begin[: len(known)] == known[: len(begin)] for known in begins)


def _drop(path: str) -> None:
    if os.path.isfile(path):  # and no device
        try:
            os.unlink(path)
        except OSError as error:
            raise _cannot_write(path, error) from error


def _size_of(path: str) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise _cannot_write(path, error) from error


def _refuse_full_disk(path: str, wanted: int) -> None:
    free = shutil.disk_usage(os.path.dirname(path) or ".").free
    if free < wanted:
        raise DownloadError(
            f"{path}: {wanted} bytes are still to be fetched, and the disk has room for {free}; make room first"
        )


def _other_file(wanted: _Wanted, found: int | str) -> _OtherFileError:
    what = f"the file there has {found} bytes, not {wanted.size}: it is another one; look for its size and digest"
    return _OtherFileError(f"{wanted.url}: {what}")


def _go_on(wanted: _Wanted, have: int) -> int:
    """Try once to fetch what is not there yet; give the size of a whole file that came and is too short, or 0."""
    headers = {"Accept-Encoding": "identity", "User-Agent": "discophon"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = Request(wanted.url, headers=headers)  # noqa: S310 - the scheme has been looked at
    try:
        with make_opener().open(request, timeout=wanted.timeout) as response:
            mode = _mode(response, wanted, have)
            first = response.read1(_PIECE)
            if mode == "wb":
                _refuse_page(first, wanted)
            with _opened(wanted.path, mode) as stream:
                n_bytes = _copy(response, first, stream, have if mode == "ab" else 0, wanted)
            return n_bytes if mode == "wb" and response.headers.get("Content-Length") == str(n_bytes) else 0
    except DownloadError:
        raise
    except HTTPError as error:
        error.close()
        raise _refused(error, wanted) from error
    except (OSError, HTTPException) as error:  # no route, no answer in time, a broken connection
        reason = getattr(error, "reason", None) or error
        raise _Again(f"no answer from the server: {said(reason)}") from error
    except (ValueError, OverflowError) as error:  # where the server points to, or a proxy
        raise DownloadError(f"{wanted.url}: leads to an address that cannot be used: {said(error)}") from error


def _refuse_page(first: bytes, wanted: _Wanted) -> None:
    if not _may_begin(first, wanted.begins):
        raise DownloadError(
            f"{wanted.url}: what comes is no archive, it begins with {first[:_SHOWN]!r}; is it a page for people, or"
            " of a login? check the address and the way out of your network"
        )


def _opened(path: str, mode: str) -> IO[bytes]:
    try:
        return open(path, mode)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: str, error: OSError) -> DownloadError:
    return DownloadError(f"{path}: cannot be written: {error.strerror}; give a folder you may write to")


def _refused(error: HTTPError, wanted: _Wanted) -> Exception:
    """Decide what an answer that is no file means."""
    if error.code == _BEYOND:  # the part that is here is no part of what is there
        found = _TOTAL.fullmatch(error.headers.get("Content-Range", ""))
        if found is not None and int(found[1]) != wanted.size:
            return _other_file(wanted, found[1])
        _drop(wanted.path)
        return _Again(f"the server has no such part of the file ({error.code})")
    if error.code == _TOO_MANY or error.code >= _FIRST_SERVER_ERROR:
        return _Again(f"the server answers {error.code} {said(error.reason)}")
    what = f"{wanted.url}: the server answers {error.code} {said(error.reason)}"
    return DownloadError(f"{what}; check the address, or fetch the archive by hand")


def _mode(response: HTTPResponse, wanted: _Wanted, have: int) -> str:
    """Choose between going on and starting over, by what the server sends."""
    if response.status == _OK:
        if have:
            _LOG.info("the server does not go on from byte %d; starting over", have)
        return "wb"
    found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if response.status == _PARTIAL and found is not None and found[3] not in ("*", str(wanted.size)):
        raise _other_file(wanted, found[3])
    if response.status == _PARTIAL and found is not None and int(found[1]) in (0, have):
        return "ab" if have and int(found[1]) == have else "wb"
    trouble = f"the server answers {response.status} without the part that was asked for"
    if have:
        raise _NoPart(trouble)
    raise DownloadError(f"{wanted.url}: {trouble}; it is no server of files, look for another address")


def _copy(response: HTTPResponse, first: bytes, stream: IO[bytes], have: int, wanted: _Wanted) -> int:
    """Write what comes, piece by piece, and no more than there should be; give how much there is then."""
    piece = first
    while piece and have < wanted.size:
        if have + len(piece) > wanted.size:
            _LOG.info("the server sends more than %d bytes", wanted.size)
            piece = piece[: wanted.size - have]
        try:
            stream.write(piece)
            stream.flush()  # a full disk shows here, and a killed run keeps what had come
        except OSError as error:
            raise DownloadError(
                f"{stream.name}: cannot be written: {error.strerror}; make room, run it again"
            ) from error
        have += len(piece)
        if wanted.progress is not None:
            wanted.progress(have, wanted.size)
        piece = response.read1(_PIECE) if have < wanted.size else b""
    return have
