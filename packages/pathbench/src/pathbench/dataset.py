"""Data sets in Kaldi's files: utterances with their recordings, transcriptions, speakers, scores and references.

References of an utterance are recordings of others who say the same: those whose cleaned transcription is equal.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Literal

from pathbench.errors import InputError, MissingDatasetError, UsageError
from pathbench.roots import DataRoot, parse_data_root, resolve
from pathbench.text import clean_text, language_code
from speechio.data_dir import DIR_FILES, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pathbench.audio import StrPath
    from pathbench.base import Place
    from speechio.data_dir import LoadedTable
    from speechio.errors import Problem

__all__ = ["REFERENCE_TYPES", "DataRoot", "Dataset", "check", "parse_data_root", "resolve"]

log = logging.getLogger(__name__)

ReferenceType = Literal["control", "all", "custom", "none"]
REFERENCE_TYPES = ("control", "all", "custom", "none")
Item = tuple[str, str, str, "list[Place] | None", float, float]

_N_SHOWN = 5


class Dataset:
    """The utterances of a data set.

    Parameters
    ----------
    path : path-like or str
        Folder with Kaldi's files: ``wav.scp``, ``segments``, ``text``, ``utt2spk``, ``spk2gender``, ``spk2score``,
        ``utt2score``, ``spk2age``, ``language``; all are optional.
    use_reference : bool, default False
        Give references with each utterance.
    reference_path : path-like or str, optional
        Data set of the control speakers; needed for the types ``control`` and ``all``.
    reference_type : {"control", "all", "custom", "none"}, default "control"
        ``control``: control speakers of the same gender. ``all``: other speakers of this data set, then the control
        speakers, of any gender. ``custom``: those of `reference_mapping`. ``none``: no references.
    reference_mapping : mapping of str to sequence of path, optional
        Paths of the references of each utterance.
    data_root : path-like, str or mapping of str to str, optional
        Folder from which relative paths in ``wav.scp`` start; or what the beginnings of paths, whole folders, are to
        be replaced by.
        Without it, a relative path starts from the current folder or, if there is no such file, from that of
        ``wav.scp``.

    Attributes
    ----------
    path : str
        The folder.
    language : str
        Code of the language, as phonemisers know it; ``en-us`` for ``en`` and where there is none, ``cmn`` for ``zh``.
    wav_scp : dict of str to str
        Path of each recording.
    segments : dict of str to (str, float, float)
        Recording, start and end in seconds of each utterance; empty if utterances are whole recordings.
    text, utt2spk, spk2gender : dict of str to str
        Tables of the data set.
    spk2score, utt2score, spk2age : dict of str to float
        Tables of the data set; NaN where the file has ``N/A``.

    Raises
    ------
    MissingDatasetError
        If the folder is not there (it is a `FileNotFoundError` too).
    InputError
        If a segment names a channel.
    FormatError
        Of `speechio`, at the first line of a file that is wrong.
    UsageError
        If a reference type lacks what it needs.
    """

    def __init__(
        self,
        path: StrPath,
        use_reference: bool = False,
        reference_path: StrPath | None = None,
        reference_type: ReferenceType = "control",
        reference_mapping: Mapping[str, Sequence[StrPath]] | None = None,
        *,
        data_root: DataRoot | None = None,
    ) -> None:
        if reference_type not in REFERENCE_TYPES:
            raise UsageError(f"reference_type is {reference_type!r}; it must be one of {', '.join(REFERENCE_TYPES)}")
        if use_reference and reference_type in ("control", "all") and reference_path is None:
            raise UsageError(f"the reference type {reference_type!r} needs a reference_path")
        if use_reference and reference_type == "custom" and reference_mapping is None:
            raise UsageError("the reference type 'custom' needs a reference_mapping")
        self.path = os.fspath(path)
        self.use_reference = use_reference
        self.reference_type = reference_type
        self.reference_mapping = reference_mapping
        self._read(data_root)
        self._by_text: dict[str, list[str]] | None = None
        self.reference: Dataset | None = None
        if use_reference and reference_path is not None and reference_type in ("control", "all"):
            self.reference = Dataset(reference_path, data_root=data_root)

    def _read(self, data_root: DataRoot | None) -> None:
        if not os.path.isdir(self.path):
            what = "is no folder" if os.path.exists(self.path) else "there is no such folder"
            raise MissingDatasetError(f"{self.path}: {what}; fix: name a folder with wav.scp")
        is_empty = not any(os.path.exists(os.path.join(self.path, name)) for name in DIR_FILES)
        tables = {} if is_empty else load(self.path, None)
        self.wav_scp = {
            key: resolve(location.location, self.path, data_root)
            for key, location in _values(tables, "wav.scp").items()
        }
        self.segments = _segments(tables)
        self.text: dict[str, str] = _values(tables, "text")
        self.utt2spk: dict[str, str] = _values(tables, "utt2spk")
        self.spk2gender: dict[str, str] = _values(tables, "spk2gender")
        self.spk2score = _numbers(self.path, tables, "spk2score")
        self.utt2score = _numbers(self.path, tables, "utt2score")
        self.spk2age = _numbers(self.path, tables, "spk2age")
        code = _values(tables, "language").get("language")
        if code is None:
            log.warning("%s: there is no file language; en is taken", self.path)
        self.language = language_code(code or "en")

    def lacking(self, name: str) -> str:
        """Say why a table has no entries.

        Parameters
        ----------
        name : str
            Name of the file.

        Returns
        -------
        str
            That there is no such file, or that it is empty.
        """
        return f"{name} is empty" if os.path.exists(os.path.join(self.path, name)) else f"there is no {name}"

    def get_utterances(self) -> list[str]:
        """List the utterances.

        Returns
        -------
        list of str
            Those of ``segments``, else of ``wav.scp``, in the order of the file.
        """
        return list(self.segments or self.wav_scp)

    def place(self, utt_id: str) -> Place | None:
        """Say where an utterance is.

        Parameters
        ----------
        utt_id : str
            The utterance.

        Returns
        -------
        (str, float, float) or None
            Path, start and end in seconds; an end of -1 is that of the recording. None without a path.
        """
        if not self.segments:
            path = self.wav_scp.get(utt_id)
            return None if path is None else (path, 0.0, -1.0)
        if utt_id not in self.segments:
            return None
        recording, start, end = self.segments[utt_id]
        path = self.wav_scp.get(recording)
        return None if path is None else (path, start, end)

    def __iter__(self) -> Iterator[Item]:
        """Give the utterances that have a path, in the order of ``segments`` or ``wav.scp``.

        Yields
        ------
        utt_id : str
            The utterance.
        audio_path : str
            Its recording.
        transcription : str
            What was to be said; empty if ``text`` lacks it.
        reference_audios : list of (path, start, end), or None
            References in their order; None if they were not asked for.
        start_time, end_time : float
            Part of the recording, in seconds; an end of -1 is that of the recording.
        """
        lacking = []
        for utt_id in self.get_utterances():
            place = self.place(utt_id)
            if place is None:
                lacking.append(utt_id)
                continue
            path, start, end = place
            references = self.references(utt_id) if self.use_reference else None
            yield utt_id, os.fspath(path), self.text.get(utt_id, ""), references, start, end
        if lacking:
            shown = ", ".join(lacking[:_N_SHOWN]) + (", …" if len(lacking) > _N_SHOWN else "")
            log.warning("%s: %d utterances have no recording in wav.scp: %s", self.path, len(lacking), shown)

    def __len__(self) -> int:
        """Give the number of utterances that have a path."""
        return sum(self.place(utt_id) is not None for utt_id in self.get_utterances())

    def references(self, utt_id: str) -> list[Place]:
        """List the references of an utterance.

        Parameters
        ----------
        utt_id : str
            The utterance.

        Returns
        -------
        list of (path, start, end)
            References in their order, by `reference_type`.
        """
        if self.reference_type == "custom":
            return [(path, 0.0, -1.0) for path in (self.reference_mapping or {}).get(utt_id, ())]
        if self.reference is None:
            return []
        key = clean_text(self.text.get(utt_id, ""))
        speaker = self.utt2spk.get(utt_id)
        if self.reference_type == "control":
            genders = self.reference.spk2gender
            gender = self.spk2gender.get(speaker or "")
            if gender is None:
                return []
            return self.reference.said(key, lambda other: genders.get(other or "") == gender)

        def is_other(other: str | None) -> bool:
            return other is None or other != speaker

        own = self.said(key, is_other, without=utt_id)
        return own + self.reference.said(key, is_other)

    def said(self, key: str, wants: Callable[[str | None], bool], without: str = "") -> list[Place]:
        """Find who says a text.

        Parameters
        ----------
        key : str
            Cleaned text.
        wants : callable
            Tells of a speaker, or of None for an utterance without one, whether it is wanted.
        without : str, default ""
            Utterance to leave out.

        Returns
        -------
        list of (path, start, end)
            The wanted utterances that have a path, in the order of ``text``.
        """
        if self._by_text is None:
            self._by_text = {}
            for utt_id, words in self.text.items():
                self._by_text.setdefault(clean_text(words), []).append(utt_id)
        found = (utt_id for utt_id in self._by_text.get(key, ()) if utt_id != without)
        places = (self.place(utt_id) for utt_id in found if wants(self.utt2spk.get(utt_id)))
        return [place for place in places if place is not None]


def _values(tables: Mapping[str, LoadedTable], name: str) -> dict[str, Any]:
    return tables[name].values if name in tables else {}


def _segments(tables: Mapping[str, LoadedTable]) -> dict[str, tuple[str, float, float]]:
    found = {}
    for utt_id, segment in _values(tables, "segments").items():
        if segment.channel is not None:
            place = f"{tables['segments'].report.path}:{tables['segments'].line_of[utt_id]}"
            raise InputError(f"{place}: {utt_id} has a channel; channels are averaged; fix: drop the fifth field")
        found[utt_id] = (segment.rec, segment.start, -1.0 if segment.end is None else segment.end)
    return found


def _numbers(path: str, tables: Mapping[str, LoadedTable], name: str) -> dict[str, float]:
    values = _values(tables, name)
    missing = [key for key, value in values.items() if value is None]
    if missing:
        shown = ", ".join(missing[:_N_SHOWN]) + (", …" if len(missing) > _N_SHOWN else "")
        log.warning("%s: %d of %d values are N/A: %s", os.path.join(path, name), len(missing), len(values), shown)
    return {key: float("nan") if value is None else value for key, value in values.items()}


def check(path: StrPath, *, data_root: DataRoot | None = None) -> list[Problem]:
    """List everything in a data set that is wrong or odd; see `pathbench.integrity.check_dataset`."""
    from pathbench.integrity import check_dataset

    return check_dataset(path, data_root=data_root)
