"""Whether a data set can be used: its files agree, its recordings can be read and are long enough, and are the same.

What `speechio` knows of Kaldi's files is checked with its rules and codes; the codes ``PB…`` are ours.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pathbench.audiofiles import file_hash
from pathbench.errors import MissingDatasetError
from pathbench.roots import resolve
from speechio import read_scp, write_scp
from speechio.data_dir import agree, load
from speechio.errors import FormatError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pathbench.audio import StrPath
    from pathbench.roots import DataRoot
    from speechio.data_dir import LoadedTable
    from speechio.errors import Severity

__all__ = ["CODES", "HASHES", "check_dataset", "write_hashes"]

HASHES = "wav_hash.scp"
CODES = {
    "PB01": "a recording cannot be read",
    "PB02": "a segment ends after its recording",
    "PB03": "a segment names a channel",
    "PB04": "an utterance has no speaker",
    "PB05": "an utterance has no transcription",
    "PB06": "a speaker has no score",
    "PB07": "a speaker has no gender",
    "PB08": "a file is missing that results depend on",
    "PB09": "a recording is not the one that was hashed",
    "PB10": "a recording has no hash",
}
"""Each code in words."""

_UNIMPORTANT = frozenset({"S103", "K136", "K116"})  # order of lines; N/A, which PB06 tells of
_N_THREADS = 4
_MS = 0.001  # s, by which a segment may end after its recording: times are rounded


class _Checker:
    """Collect what is wrong with one data set."""

    def __init__(self, path: str, data_root: DataRoot | None) -> None:
        self.path = path
        self.data_root = data_root
        self.problems: list[Problem] = []
        self.tables: dict[str, LoadedTable] = load(path, self.problems)

    def tell(self, severity: Severity, code: str, name: str, key: str | None, what: str, fix: str = "") -> None:
        """Add a problem at the line of an ID in a file."""
        line = self.tables[name].line_of.get(key) if key is not None and name in self.tables else None
        self.problems.append(Problem(os.path.join(self.path, name), line, code, severity, what, fix))

    def values(self, name: str) -> Mapping[str, Any]:
        """Give the table of a file; empty if it is not there."""
        return self.tables[name].values if name in self.tables else {}

    def check_tables(self) -> None:
        """Compare the files with each other, and look for utterances and speakers that lack something."""
        agree(self.tables)
        self.problems[:] = [problem for problem in self.problems if problem.code not in _UNIMPORTANT]
        utterances = list(self.values("segments") or self.values("wav.scp"))
        source = "segments" if "segments" in self.tables else "wav.scp"
        needed = {
            "wav.scp": "there are no recordings",
            "utt2spk": "scores cannot be averaged by speaker",
            "spk2score": "there is nothing to correlate with",
            "text": "evaluators that need the text, and references, cannot be used",
            "language": "en is taken",
        }
        for name, without in needed.items():
            if name not in self.tables:
                severity: Severity = "error" if name == "wav.scp" else "warning"
                self.tell(severity, "PB08", name, None, f"there is no file {name}: {without}")
        for name, code, noun in (("utt2spk", "PB04", "speaker"), ("text", "PB05", "transcription")):
            if name in self.tables:
                for utt_id in utterances:
                    if utt_id not in self.tables[name].line_of:
                        self.tell("error", code, source, utt_id, f"the utterance {utt_id} has no {noun} in {name}")
        for utt_id, words in self.values("text").items():
            if not words:
                self.tell("warning", "PB05", "text", utt_id, f"the transcription of {utt_id} is empty")
        for utt_id, segment in self.values("segments").items():
            if segment.channel is not None:
                what = f"the segment {utt_id} names a channel; channels are averaged"
                self.tell("error", "PB03", "segments", utt_id, what, "remove the fifth field")
        self._check_speakers()

    def _check_speakers(self) -> None:
        speakers = dict.fromkeys(self.values("utt2spk").values())
        for name, code, noun in (("spk2score", "PB06", "score"), ("spk2gender", "PB07", "gender")):
            if name in self.tables:
                values = self.values(name)
                for speaker in speakers:
                    if values.get(speaker) is None:
                        what = f"the speaker {speaker} has no {noun}" + (" (N/A)" if speaker in values else "")
                        self.tell("warning", code, name, speaker, what)

    def recordings(self) -> dict[str, str]:
        """Give the path of each recording."""
        found = self.values("wav.scp").items()
        return {key: resolve(location.location, self.path, self.data_root) for key, location in found}

    def check_recordings(self) -> None:
        """Open every recording, and compare its duration with its segments."""
        durations: dict[str, float] = {}
        paths = self.recordings()
        with ThreadPoolExecutor(_N_THREADS) as pool:
            for key, found in zip(paths, pool.map(_duration, paths.values()), strict=True):
                if isinstance(found, str):
                    what = f"the recording {key} cannot be used: {paths[key]}: {found}"
                    self.tell("error", "PB01", "wav.scp", key, what, "correct the path, see --data-root, or the file")
                else:
                    durations[key] = found
        for utt_id, segment in self.values("segments").items():
            length = durations.get(segment.rec)
            last = segment.start if segment.end is None else segment.end
            if length is not None and (last > length + _MS or segment.start >= length):
                what = f"the segment {utt_id} ends at {last:g} s; its recording {segment.rec} has {length:g} s"
                self.tell("error", "PB02", "segments", utt_id, what, "correct the times")

    def check_hashes(self) -> None:
        """Compare the recordings with their hashes, if there are any."""
        file = os.path.join(self.path, HASHES)
        if not os.path.lexists(file):
            return
        try:
            wanted = read_scp(file)
        except FormatError as error:
            self.problems.append(
                Problem(error.path, error.line, error.code, "error", error.what, error.fix, error.source, error.span)
            )
            return
        paths = self.recordings()
        found = dict(zip(paths, _hash_all(paths.values()), strict=True))
        for key in paths:
            if key not in wanted:
                what = f"the recording {key} has no hash in {HASHES}, so it cannot be told whether it changed"
                self.tell("warning", "PB10", "wav.scp", key, what, "write the hashes anew")
        for key, value in wanted.items():
            if key not in paths:
                self.tell("error", "PB09", HASHES, None, f"{key} has a hash and is not in wav.scp")
            elif found[key] is not None and found[key] != value.lower():
                what = f"the recording of {key}, {paths[key]}, is not the one that was hashed"
                self.tell("error", "PB09", HASHES, None, what, "fetch it again, or write the hashes anew")


def check_dataset(path: StrPath, *, data_root: DataRoot | None = None) -> list[Problem]:
    """List everything in a data set that is wrong or odd.

    Parameters
    ----------
    path : path-like or str
        Folder of the data set.
    data_root : path-like, str or mapping, optional
        Where recordings are; see `pathbench.dataset.Dataset`.

    Returns
    -------
    list of Problem
        Errors and warnings: of each file by itself, of files that do not agree, of recordings that cannot be read,
        are too short for their segments, or differ from their hashes in ``wav_hash.scp``.

    Raises
    ------
    MissingDatasetError
        If the folder is not there.
    """
    checker = _Checker(_folder(path), data_root)
    checker.check_tables()
    checker.check_recordings()
    checker.check_hashes()
    return checker.problems


def write_hashes(path: StrPath, *, data_root: DataRoot | None = None) -> list[Problem]:
    """Write ``wav_hash.scp``: the SHA-256 of every recording that can be read, in the order of ``wav.scp``.

    Parameters
    ----------
    path : path-like or str
        Folder of the data set.
    data_root : path-like, str or mapping, optional
        Where recordings are; see `pathbench.dataset.Dataset`.

    Returns
    -------
    list of Problem
        What is wrong with ``wav.scp``, and the recordings that cannot be read. Where no recording is left, or
        ``wav.scp`` cannot be read to its end, nothing is written.

    Raises
    ------
    MissingDatasetError
        If the folder is not there.
    InputError
        Of `speechio`, if the file cannot be written.
    """
    checker = _Checker(_folder(path), data_root)
    listing = os.path.join(checker.path, "wav.scp")
    checker.problems[:] = [
        problem for problem in checker.problems if problem.file == listing and problem.code != "S103"
    ]
    if "wav.scp" not in checker.tables:
        checker.tell("error", "PB08", "wav.scp", None, "there is no file wav.scp: there are no recordings")
        return checker.problems
    paths = checker.recordings()
    found = dict(zip(paths, _hash_all(paths.values()), strict=True))
    for key, value in found.items():
        if value is None:
            what = f"the recording {key} cannot be hashed: {paths[key]}: {_unreadable(paths[key])}"
            checker.tell("error", "PB01", "wav.scp", key, what, "correct the path, see --data-root, or the file")
    hashes = [(key, value) for key, value in found.items() if value is not None]
    if hashes and checker.tables["wav.scp"].is_whole:
        write_scp(os.path.join(checker.path, HASHES), hashes)
    elif os.path.exists(os.path.join(checker.path, HASHES)):
        checker.tell("warning", "PB10", HASHES, None, "is left as it was, since no new hashes can take its place")
    return checker.problems


def _folder(path: StrPath) -> str:
    folder = os.fspath(path)
    if not os.path.isdir(folder):
        what = "is no folder" if os.path.exists(folder) else "there is no such folder"
        raise MissingDatasetError(f"{folder}: {what}; fix: name a folder with wav.scp")
    return folder


def _hash_all(paths: Iterable[str]) -> Iterator[str | None]:
    """Hash files, each once; None for one that cannot be read."""
    wanted = list(paths)
    distinct = list(dict.fromkeys(wanted))
    with ThreadPoolExecutor(_N_THREADS) as pool:
        found = dict(zip(distinct, pool.map(_hash, distinct), strict=True))
    return (found[path] for path in wanted)


def _hash(path: str) -> str | None:
    try:
        return file_hash(path)
    except (OSError, ValueError):
        return None


def _unreadable(path: str) -> str:
    """Say why a file could not be hashed."""
    from pathbench.audio import Recording, identify

    place = identify(path, 0.0, -1.0)
    return place.message if isinstance(place, Recording) else "cannot be read"


def _duration(path: str) -> float | str:
    """Give the duration of a recording in seconds from its header, or what is wrong with it."""
    import soundfile

    from pathbench.audio import Recording, decode_errors, identify, undecodable, wrong_rate

    place = identify(path, 0.0, -1.0)
    if isinstance(place, Recording):
        return place.message
    try:
        header = soundfile.info(path)
    except decode_errors() as error:
        return undecodable(path, error)
    if not header.frames:
        return "has no samples"
    return wrong_rate(header.samplerate) or header.frames / header.samplerate
