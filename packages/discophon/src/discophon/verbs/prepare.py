"""``discophon prepare download DATA`` and ``discophon prepare commonvoice DATA [LANG ...]``."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from discophon.errors import UsageError
from discophon.verbs import add_jobs_argument

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from discophon.languages import Language

__all__ = ["add_arguments", "run"]

_FAILED = 3
_WANTING = 1
_UNUSABLE = 2
_A_DAY = 86_400  # seconds

_LOG = logging.getLogger("discophon.prepare")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the verb.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Its parser.
    """
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    about = "fetch the benchmark's data, or go on with what was interrupted, and unpack them"
    download = steps.add_parser("download", help=about, description=f"{about.capitalize()}.", allow_abbrev=False)
    download.add_argument("data", metavar="DATA", help="folder of the dataset; made if it is not there")
    download.add_argument("--url", metavar="URL", help="another place to fetch the archive from")
    download.add_argument("--size", metavar="BYTES", type=int, help="size of that archive")
    download.add_argument("--sha256", metavar="DIGEST", help="SHA-256 of that archive")
    download.add_argument("--timeout", metavar="SECONDS", type=float, default=60.0, help="patience with silence (60)")
    download.add_argument("--force", action="store_true", help="download even if all folders are complete")
    about = "convert Common Voice clips to the WAV files that the manifests name"
    more = (
        "The clips are those of DATA/raw/CODE/clips where there is such a folder, or of --clips or --archive. Otherwise"
        " the newest release is downloaded, with the key in the environment variable MDC_API_KEY."
    )
    clips = steps.add_parser(
        "commonvoice", help=about, description=f"{about[0].upper()}{about[1:]}. {more}", allow_abbrev=False
    )
    clips.add_argument("data", metavar="DATA", help="folder of the dataset")
    clips.add_argument(
        "languages",
        metavar="LANG",
        nargs="*",
        help="name or code of a language (all eight); one that fails does not stop the others",
    )
    clips.add_argument("--check-only", action="store_true", help="only tell what is missing; status 1 if anything is")
    source = clips.add_mutually_exclusive_group()
    source.add_argument("--clips", metavar="DIR", help="folder of the mp3 files (DATA/raw/CODE/clips)")
    source.add_argument("--archive", metavar="FILE", help="archive of a release, already here")
    clips.add_argument("--url", metavar="URL", help="another service to download from")
    add_jobs_argument(clips)


def run(arguments: argparse.Namespace) -> int:
    """Prepare the data.

    Parameters
    ----------
    arguments : argparse.Namespace
        What the parser gave.

    Returns
    -------
    int
        0 done, 1 if a check found audio missing, 3 if something could not be had; what was done stays.
    """
    return _download(arguments) if arguments.step == "download" else _commonvoice(arguments)


def _download(arguments: argparse.Namespace) -> int:
    from discophon.prepare.benchmark import ARCHIVE_SHA256, ARCHIVE_SIZE, ARCHIVE_URL, download_benchmark
    from discophon.prepare.errors import ArchiveError, DownloadError
    from discophon.validate.layout import differences

    if not 0 < arguments.timeout <= _A_DAY:
        raise UsageError(f"--timeout {arguments.timeout:g}: it must be a number of seconds above 0, {_A_DAY} at most")
    if arguments.size is not None and arguments.size < 1:
        raise UsageError(f"--size {arguments.size}: it must be at least 1 byte")
    if not arguments.force and next(differences(arguments.data), None) is None:
        _LOG.info("%s is complete already; --force downloads it again", arguments.data)
        return 0
    bar = _Bar(quiet=arguments.quiet)
    try:
        download_benchmark(
            arguments.data,
            url=ARCHIVE_URL if arguments.url is None else arguments.url,
            size=arguments.size or ARCHIVE_SIZE,
            sha256=ARCHIVE_SHA256 if arguments.sha256 is None else arguments.sha256,
            progress=bar.bytes,
            timeout=arguments.timeout,
        )
    except (ArchiveError, DownloadError) as error:
        bar.end()
        _LOG.error("%s", error)
        return _FAILED
    bar.end()
    return 0


def _commonvoice(arguments: argparse.Namespace) -> int:
    from discophon.languages import commonvoice_languages
    from discophon.prepare.commonvoice import check_commonvoice

    _refuse_idle(arguments)
    languages = [check_commonvoice(name) for name in arguments.languages] or commonvoice_languages()
    if (arguments.clips is not None or arguments.archive is not None) and len(languages) != 1:
        raise UsageError("--clips and --archive hold one language; name that language")
    _refuse_idle_for(arguments, languages)
    prepare = _check if arguments.check_only else _convert
    if len(languages) == 1:
        return prepare(arguments, languages[0])
    statuses = {_go_on(prepare, arguments, language) for language in languages}
    return max(statuses) if statuses <= {0, _WANTING} or statuses == {_UNUSABLE} else _FAILED


def _refuse_idle(arguments: argparse.Namespace) -> None:
    """Refuse options that would say nothing beside others."""
    given = {"--clips": arguments.clips, "--archive": arguments.archive, "--url": arguments.url, "-j": arguments.jobs}
    used = [name for name, value in given.items() if value is not None]
    idle = {"--check-only": given, "--clips": ("--url",), "--archive": ("--url", "-j")}
    for one in ["--check-only"] * arguments.check_only + used:
        for other in idle.get(one, ()):
            if other in used:
                raise UsageError(f"{other} has nothing to say beside {one}; leave one of them out")


def _refuse_idle_for(arguments: argparse.Namespace, languages: Sequence[Language]) -> None:
    """Refuse options that say nothing because of where the clips of every language come from."""
    if arguments.check_only or arguments.clips is not None or arguments.archive is not None:
        return
    if arguments.url is not None and all(_has_folder(arguments, language) for language in languages):
        raise UsageError("--url has nothing to say where DATA/raw/CODE/clips is there; leave it out, or move that away")
    if arguments.jobs is not None and all(_is_from_release(arguments, language) for language in languages):
        raise UsageError("-j has nothing to say where clips come out of a release, one by one; leave it out")


def _go_on(prepare: Callable[..., int], arguments: argparse.Namespace, language: Language) -> int:
    """Let what is wrong with the files of one language not stop the others."""
    from discophon.errors import DatasetError, FormatError
    from speechio.errors import SpeechioError

    try:
        return prepare(arguments, language)
    except (DatasetError, FormatError, SpeechioError) as error:
        _LOG.error("%s: %s", language.iso_639_3, error)
        return _UNUSABLE


def _check(arguments: argparse.Namespace, language: Language) -> int:
    from discophon.prepare.commonvoice import missing_audio
    from speechio.write import write_lines

    missing = missing_audio(arguments.data, language)
    write_lines("-", (f"{language.iso_639_3}\t{file_id}" for file_id in missing))
    _LOG.info("%s: %d audio files are missing", language.iso_639_3, len(missing))
    return _WANTING if missing else 0


def _convert(arguments: argparse.Namespace, language: Language) -> int:
    from discophon.errors import WorkerError
    from discophon.prepare.errors import ArchiveError, AudioWriteError, DownloadError, MissingClipsError

    bar = _Bar(quiet=arguments.quiet)
    try:
        if _is_from_release(arguments, language):
            _convert_release(arguments, language, bar)
        else:
            _convert_folder(arguments, language, bar)
    except (ArchiveError, AudioWriteError, DownloadError, MissingClipsError, WorkerError) as error:
        bar.end()
        _LOG.error("%s", error)
        return _FAILED
    bar.end()
    return 0


def _is_from_release(arguments: argparse.Namespace, language: Language) -> bool:
    """Tell whether clips come out of an archive: one that is given, or one to download."""
    from discophon.prepare.commonvoice import KEY_VARIABLE

    if arguments.archive is not None or arguments.clips is not None:
        return arguments.archive is not None
    return not _has_folder(arguments, language) and bool(os.environ.get(KEY_VARIABLE))


def _has_folder(arguments: argparse.Namespace, language: Language) -> bool:
    """Tell whether the clips are in the dataset."""
    from discophon.prepare.commonvoice import clips_folder

    return os.path.isdir(clips_folder(arguments.data, language))


def _convert_folder(arguments: argparse.Namespace, language: Language, bar: _Bar) -> None:
    from discophon.prepare.commonvoice import prepare_commonvoice_datasets

    jobs = 1 if arguments.jobs is None else arguments.jobs
    prepare_commonvoice_datasets(arguments.data, language, clips=arguments.clips, jobs=jobs, progress=bar.clips)


def _convert_release(arguments: argparse.Namespace, language: Language, bar: _Bar) -> None:
    from discophon.prepare.release import API_URL, prepare_commonvoice

    def tell(stage: str, done: int, all_: int) -> None:
        if stage == "convert":
            bar.clips(done, all_)
        else:
            bar.bytes(stage, done, all_)

    prepare_commonvoice(
        arguments.data,
        language,
        archive=arguments.archive,
        url=API_URL if arguments.url is None else arguments.url,
        progress=tell,
    )


class _Bar:
    """Progress on a terminal; silent elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self._is_shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._told = ""

    def bytes(self, stage: str, done: int, size: int) -> None:
        """Tell how many bytes are done."""
        self._show(f"{stage} {100 * done // max(size, 1)}% of {size / 1e9:.2f} GB")

    def clips(self, done: int, all_: int) -> None:
        """Tell how many clips are done."""
        self._show(f"clip {done} of {all_}")

    def _show(self, text: str) -> None:
        if self._is_shown and text != self._told:
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()
            self._told = text

    def end(self) -> None:
        """Leave the line."""
        if self._told:
            sys.stderr.write("\n")
            sys.stderr.flush()
