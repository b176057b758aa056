"""Common Voice clips to the WAV files of the benchmark (needs ``discophon[audio]``)."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from discophon.engine import check_jobs, each
from discophon.errors import DatasetError, UsageError
from discophon.languages import ISO6393_TO_CV, Language, commonvoice_languages, get_language
from discophon.prepare.errors import MissingClipsError
from discophon.prepare.manifest import check_root, needed_samples
from discophon.prepare.slurm import array_part
from discophon.prepare.sound import convert, import_audio

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "KEY_VARIABLE",
    "check_commonvoice",
    "clips_folder",
    "make_audio_folder",
    "missing_audio",
    "missing_of_part",
    "prepare_commonvoice_datasets",
    "wav_path",
]

KEY_VARIABLE = "MDC_API_KEY"
"""Environment variable with the key to download releases of Common Voice."""

_LOG = logging.getLogger(__name__)


def prepare_commonvoice_datasets(
    path: os.PathLike[str] | str,
    language: str | Language,
    *,
    clips: os.PathLike[str] | str | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Convert the clips of a language that the manifests name to WAV files of 16 kHz.

    Parameters
    ----------
    path : path-like or str
        The dataset.
    language : str or Language
        One of the eight languages whose audio comes from Common Voice.
    clips : path-like or str, optional
        Folder of ``{fileid}.mp3``; by default ``raw/{Common Voice code}/clips`` in the dataset.
    jobs : int, default 1
        Number of processes; -1 takes all processors.
    progress : callable, optional
        Called with the clips done and the clips to do.

    Raises
    ------
    UsageError
        If the language is not one of Common Voice, an audio library is not installed, or this is a job of a SLURM
        array whose numbers have gaps.
    DatasetError
        If there is no folder of clips, or no manifest, or the folder of the audio cannot be made.
    AudioWriteError
        If a WAV file cannot be written; what was converted stays.
    FormatError
        If a manifest is wrong.
    MissingClipsError
        If clips are missing, cannot be decoded, or are shorter than the manifests say; all others are converted.
    WorkerError
        If a process is killed; what was converted stays.

    Notes
    -----
    Resampled by soxr at very high quality; channels are averaged. A WAV file that is there is left alone, and one
    appears under its name only when it is complete. In a job of a SLURM array only this job's part of the sorted
    files is converted (`discophon.prepare.slurm.array_part`).
    """
    wanted = check_commonvoice(language)
    import_audio()
    check_jobs(jobs)
    root = os.fspath(path)
    code = ISO6393_TO_CV[wanted.iso_639_3]
    source = clips_folder(root, wanted) if clips is None else os.fspath(clips)
    check_root(root)
    if not os.path.isdir(source):
        what = f"{source}: no such folder; put the clips of Common Voice ({code}) there, or give another folder"
        raise DatasetError(f"{what}, an archive, or the key {KEY_VARIABLE} to download one")
    n_files, waiting = missing_of_part(root, wanted)
    target = make_audio_folder(root, wanted)
    _LOG.info("%s: %d clips to convert, %d done already", wanted.iso_639_3, len(waiting), n_files - len(waiting))
    place_of = {name: os.path.join(source, f"{name}.mp3") for name in waiting}
    missing = [name for name, place in place_of.items() if not os.path.isfile(place)]
    present = sorted(waiting.keys() - missing)
    broken: dict[str, str] = {}
    work = [(place_of[name], wav_path(target, name), waiting[name]) for name in present]
    for i, trouble in enumerate(each(_convert, work, jobs=jobs), 1):
        if trouble:
            broken[present[i - 1]] = trouble
        if progress is not None:
            progress(i, len(present))
    if missing or broken:
        raise MissingClipsError(wanted.iso_639_3, missing, broken)


def clips_folder(root: str, language: Language) -> str:
    """Give the folder of a language's clips in the dataset.

    Parameters
    ----------
    root : str
        The dataset.
    language : Language
        One of the eight languages whose audio comes from Common Voice.

    Returns
    -------
    str
        ``raw/{Common Voice code}/clips``.
    """
    return os.path.join(root, "raw", ISO6393_TO_CV[language.iso_639_3], "clips")


def check_commonvoice(language: str | Language) -> Language:
    """Refuse a language whose audio is not from Common Voice.

    Parameters
    ----------
    language : str or Language
        As `discophon.languages.get_language` takes it.

    Returns
    -------
    Language
        The language.

    Raises
    ------
    UsageError
        If it is unknown, or not from Common Voice.
    """
    found = get_language(language)
    if found.iso_639_3 not in ISO6393_TO_CV:
        codes = ", ".join(known.iso_639_3 for known in commonvoice_languages())
        raise UsageError(f"the audio of {found.name} is not from Common Voice; that of {codes} is")
    return found


def _audio_folder(root: str, language: Language) -> str:
    return os.path.join(root, "audio", language.iso_639_3, "all")


def wav_path(folder: str, file_id: str) -> str:
    """Give the path of a file's audio.

    Parameters
    ----------
    folder : str
        Folder of the language's audio.
    file_id : str
        The file.

    Returns
    -------
    str
        ``{folder}/{file_id}.wav``.
    """
    return os.path.join(folder, f"{file_id}.wav")


def make_audio_folder(root: str, language: Language) -> str:
    """Make the folder of a language's audio.

    Parameters
    ----------
    root : str
        The dataset.
    language : Language
        The language.

    Returns
    -------
    str
        The folder.

    Raises
    ------
    DatasetError
        If it cannot be made.
    """
    folder = _audio_folder(root, language)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{folder}: the folder cannot be made: {error.strerror}") from error
    return folder


def missing_audio(path: os.PathLike[str] | str, language: str | Language) -> list[str]:
    """List the files of a language whose audio is not there yet.

    Parameters
    ----------
    path : path-like or str
        The dataset.
    language : str or Language
        One of the eight languages whose audio comes from Common Voice.

    Returns
    -------
    list of str
        File ids, sorted.

    Raises
    ------
    UsageError, DatasetError, FormatError
        As `prepare_commonvoice_datasets` does.
    """
    wanted, root = check_commonvoice(language), os.fspath(path)
    folder = _audio_folder(root, wanted)
    return [file_id for file_id in needed_samples(root, wanted) if not os.path.exists(wav_path(folder, file_id))]


def missing_of_part(root: str, language: Language) -> tuple[int, dict[str, int]]:
    """Look for the audio that this process has to make: all, or its part in a job of a SLURM array.

    Parameters
    ----------
    root : str
        The dataset.
    language : Language
        The language.

    Returns
    -------
    n_files : int
        Number of files of this process.
    missing : dict of str to int
        File ids, sorted, of those without audio, and the samples that the manifests announce.

    Raises
    ------
    UsageError, DatasetError, FormatError
        As `prepare_commonvoice_datasets` does.
    """
    files = list(needed_samples(root, language).items())
    part = array_part(len(files))
    folder = _audio_folder(root, language)
    mine = files[part.start : part.stop]
    return len(part), {name: n_samples for name, n_samples in mine if not os.path.exists(wav_path(folder, name))}


def _convert(clip: tuple[str, str, int]) -> str:
    return convert(*clip)
