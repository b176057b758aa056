"""Common Voice clips out of the archive of a release, downloaded or already here (needs ``discophon[audio]``)."""

from __future__ import annotations

import json
import logging
import os
import re
import tarfile
from contextlib import suppress
from http.client import HTTPException
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request

from discophon.errors import MissingFileError, UsageError
from discophon.languages import ISO6393_TO_CV, Language
from discophon.locking import one_at_a_time
from discophon.prepare.archive import DAMAGES, PACKED, SHA256, check_digest
from discophon.prepare.commonvoice import (
    KEY_VARIABLE,
    check_commonvoice,
    make_audio_folder,
    missing_audio,
    missing_of_part,
    wav_path,
)
from discophon.prepare.errors import ArchiveError, DownloadError, MissingClipsError
from discophon.prepare.fetch import fetch
from discophon.prepare.sound import convert, import_audio
from discophon.prepare.web import make_opener, refuse_other_schemes
from discophon.printable import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    Progress = Callable[[str, int, int], None]

__all__ = ["API_URL", "Release", "newest_release", "prepare_commonvoice"]

API_URL = "https://mozilladatacollective.com/api"
"""Where releases of Common Voice are listed and downloaded."""

_SERIES = "Common Voice Scripted Speech"
_RELEASE = re.compile(rf"{_SERIES} ([0-9]{{1,9}})\.([0-9]{{1,9}}) - ")
_SIZE = re.compile("[1-9][0-9]{0,17}")
_CLIPS, _SUFFIX = "clips", ".mp3"
_LARGEST_ANSWER = 1 << 24
_TOO_LARGE = 1 << 62  # bytes

_LOG = logging.getLogger(__name__)


class Release(NamedTuple):
    """A release of Common Voice in one language.

    Attributes
    ----------
    name : str
        Its title.
    id : str
        What the service calls it.
    """

    name: str
    id: str


def prepare_commonvoice(
    path: os.PathLike[str] | str,
    language: str | Language,
    *,
    archive: os.PathLike[str] | str | None = None,
    url: str = API_URL,
    key: str | None = None,
    progress: Progress | None = None,
    timeout: float = 60.0,
    pause: float = 1.0,
) -> None:
    """Convert the clips that the manifests of a language name, straight out of the archive of a release.

    Parameters
    ----------
    path : path-like or str
        The dataset.
    language : str or Language
        One of the eight languages whose audio comes from Common Voice.
    archive : path-like or str, optional
        Archive of a release, which stays; by default the newest release is downloaded.
    url : str, optional
        The service that lists releases.
    key : str, optional
        Key to download with; by default what the environment variable ``MDC_API_KEY`` holds.
    progress : callable, optional
        Called with what is done (``"download"``, ``"check"`` or ``"convert"``), how much is done, and of how much.
    timeout : float, default 60.0
        How long the server may say nothing, in seconds.
    pause : float, default 1.0
        Pause between tries, in seconds; it doubles with each that brings nothing new.

    Raises
    ------
    UsageError
        If the language is not one of Common Voice, there is no key, an audio library is not installed, or this is a job
        of a SLURM array whose numbers have gaps.
    DatasetError, FormatError
        If there is no manifest, a manifest is wrong, or the folder of the audio cannot be made.
    AudioWriteError
        If a WAV file cannot be written; what was converted stays.
    MissingFileError
        If there is no such archive.
    DownloadError
        If the service or the archive cannot be had. What has come stays, and the next call goes on from there.
    ArchiveError
        If the archive is damaged, or not the one that was announced.
    MissingClipsError
        If clips are not in the release, cannot be decoded, or are shorter than the manifests say; all others are
        converted.

    Notes
    -----
    WAV files that are there are left alone, and when all are, nothing is downloaded. A downloaded archive is deleted
    when all clips are converted, and else kept for the next call. Of several processes one downloads and the others
    wait for it; in a job of a SLURM array only this job's part of the sorted files is converted
    (`discophon.prepare.slurm.array_part`).
    """
    wanted, root = check_commonvoice(language), os.fspath(path)
    import_audio()
    _, missing = missing_of_part(root, wanted)
    if not missing:
        _LOG.info("%s: all audio is there already", wanted.iso_639_3)
        return
    if archive is not None:
        place = os.fspath(archive)
        if not os.path.isfile(place):
            raise MissingFileError(f"{place}: no such file; give the archive of a release of Common Voice")
        with _opened(place) as stream:
            _convert_clips(stream, place, make_audio_folder(root, wanted), wanted, missing, progress)
        return

    def take_turn() -> AbstractContextManager[object]:
        return one_at_a_time(os.path.join(root, f".commonvoice-{wanted.iso_639_3}.lock"), on_wait=tell_wait)

    def tell_wait() -> None:
        _LOG.info("%s: another process is downloading; waiting for it", wanted.iso_639_3)

    with take_turn():
        _, missing = missing_of_part(root, wanted)  # another process may have made it
        if not missing:
            return
        place = _download(root, wanted, url, key, progress, timeout, pause)
        stream = _opened(place)  # in this turn, for others may delete the archive when they are done
    with stream:
        try:
            _convert_clips(stream, place, make_audio_folder(root, wanted), wanted, missing, progress)
        except ArchiveError:  # the next call shall fetch another
            _drop(place)
            raise
    with take_turn():
        if not missing_audio(root, wanted):  # nobody needs it any more
            _drop(place)


def _opened(place: str) -> IO[bytes]:
    try:
        return open(place, "rb")
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be read: {error.strerror}; give an archive that you may read") from error


def _drop(place: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(place)


def _download(
    root: str, language: Language, url: str, key: str | None, progress: Progress | None, timeout: float, pause: float
) -> str:
    """Fetch the newest release; give the path of its archive."""
    secret = key if key is not None else os.environ.get(KEY_VARIABLE, "")
    if not secret or not secret.isascii() or not secret.isprintable():
        raise UsageError(f"{KEY_VARIABLE} holds no key; get one from {url.removesuffix('/api')}, or give an archive")
    release = newest_release(language, url=url, timeout=timeout)
    _LOG.info("%s: the newest release is %s", language.iso_639_3, said(release.name))
    session = _call(f"{url}/datasets/{quote(release.id, safe='')}/download", timeout, key=secret)
    place, size = session.get("downloadUrl"), _size(session.get("sizeBytes"))
    if not isinstance(place, str) or not size:
        raise DownloadError(
            f"{url}: the service gives no address and size for {said(release.name)}; give an archive instead"
        )
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", release.id)
    path = os.path.join(root, f".commonvoice-{language.iso_639_3}-{name}.tar.gz.part")

    def told(stage: str) -> Callable[[int, int], None] | None:
        return None if progress is None else lambda done, all_: progress(stage, done, all_)

    fetch(place, path, size=size, begins=PACKED, progress=told("download"), timeout=timeout, pause=pause)
    digest = str(session.get("checksum") or "").removeprefix("sha256:")
    if SHA256.fullmatch(digest):
        check_digest(path, digest, progress=told("check"))
    else:
        _LOG.warning("%s: the service gives no SHA-256, so the archive is not checked", said(release.name))
    return path


def _size(given: object) -> int:
    """Read a number of bytes, which services write as a number or as text; 0 is none."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return given if 0 < given < _TOO_LARGE else 0
    return int(given) if isinstance(given, str) and _SIZE.fullmatch(given) else 0


def newest_release(language: str | Language, *, url: str = API_URL, timeout: float = 60.0) -> Release:
    """Find the newest release of Common Voice in a language.

    Parameters
    ----------
    language : str or Language
        One of the eight languages whose audio comes from Common Voice.
    url : str, optional
        The service that lists releases.
    timeout : float, default 60.0
        How long the server may say nothing, in seconds.

    Returns
    -------
    Release
        The one with the highest number.

    Raises
    ------
    UsageError
        If the language is not one of Common Voice.
    DownloadError
        If the service cannot be had, or lists no release.
    """
    code = ISO6393_TO_CV[check_commonvoice(language).iso_639_3]
    query = urlencode({"q": _SERIES, "limit": 50, "locale": code})
    listed = _call(f"{url}/datasets?{query}", timeout).get("items")
    found = []
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, dict) or not item.get("id") or item.get("locale") not in (code, None):
            continue
        match = _RELEASE.match(str(item.get("name")))
        if match:
            found.append(((int(match[1]), int(match[2])), Release(str(item["name"]), str(item["id"]))))
    if not found:
        raise DownloadError(f"{url}: the service lists no release of {_SERIES} in {code}; give an archive instead")
    return max(found)[1]


def _call(url: str, timeout: float, *, key: str | None = None) -> dict[str, Any]:
    """Ask the service; with a key it is a request to download."""
    refuse_other_schemes(url)
    headers = {"Accept": "application/json", "User-Agent": "discophon"}
    request = Request(url, headers=headers, method="GET" if key is None else "POST")  # noqa: S310 - looked at above
    if key is not None:
        request.data = b""
        request.add_unredirected_header("Authorization", f"Bearer {key}")  # for this service and no other
    try:
        with make_opener().open(request, timeout=timeout) as response:
            text = response.read(_LARGEST_ANSWER)
    except HTTPError as error:
        error.close()
        hint = (
            "; is the key right, and have you agreed to the terms of the release?" if error.code in (401, 403) else ""
        )
        raise DownloadError(f"{url}: the service answers {error.code} {said(error.reason)}{hint}") from error
    except (OSError, HTTPException) as error:
        reason = said(getattr(error, "reason", None) or error)
        raise DownloadError(f"{url}: no answer: {reason}; try again later") from error
    except (ValueError, OverflowError) as error:  # where the service points to, or a proxy
        raise DownloadError(f"{url}: leads to an address that cannot be used: {said(error)}") from error
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DownloadError(f"{url}: the answer is not JSON: {said(error)}") from error
    if not isinstance(answer, dict):
        raise DownloadError(f"{url}: the answer is not an object")
    return answer


def _convert_clips(
    stream: IO[bytes],
    archive: str,
    folder: str,
    language: Language,
    missing: Mapping[str, int],
    progress: Progress | None,
) -> None:
    """Convert the clips that are wanted as they come by; stop when none is left to find."""
    waiting, broken = set(missing), {}
    for file_id, data in _clips(stream, archive, waiting):
        waiting.remove(file_id)
        target = wav_path(folder, file_id)
        is_there = os.path.exists(target)  # another process may have made it
        trouble = "" if is_there else convert(data, target, missing[file_id])
        if trouble:
            broken[file_id] = trouble
        if progress is not None:
            progress("convert", len(missing) - len(waiting), len(missing))
        if not waiting:
            break
    if waiting or broken:
        raise MissingClipsError(language.iso_639_3, sorted(waiting), dict(sorted(broken.items())))


def _clips(stream: IO[bytes], archive: str, wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    """Give the clips of an archive that are wanted; nothing is unpacked, so no name in it can do harm."""
    try:
        with tarfile.open(fileobj=stream, mode="r|*") as tar:
            for member in tar:
                *folders, name = member.name.split("/")
                file_id = name.removesuffix(_SUFFIX)
                if member.isfile() and folders[-1:] == [_CLIPS] and name.endswith(_SUFFIX) and file_id in wanted:
                    content = tar.extractfile(member)
                    assert content is not None
                    yield file_id, content.read()
    except DAMAGES as error:
        raise ArchiveError(f"{archive}: cannot be read as an archive: {said(error)}; download it again") from error
