"""Everything that is wrong with a folder of units, found in one go."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from discophon.checks import check_choice, check_whole
from discophon.errors import DiscophonError, FormatError, UsageError
from discophon.languages import Language, all_languages, get_language
from discophon.validate.layout import SPLITS, TRAIN_SPLITS, check_folder, differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from discophon.evaluate.assignment import Kind
    from discophon.sequences import PhoneSequences
    from speechio.text import StrPath

__all__ = ["Problem", "validate_submission"]

_STEP_PHONES = 10
_MOST_STEPS = 20
_N_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    file : str
        The file or the folder.
    line : int or None
        Line, counted from 1; None when there is none.
    severity : {"error", "warning"}
        An error keeps something from being scored; a warning only leaves something out.
    message : str
        What is wrong.
    fix : str
        What to do about it; may be empty.
    """

    file: str
    line: int | None
    severity: Literal["error", "warning"]
    message: str
    fix: str = ""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.severity}: {self.message}" + (f"; fix: {self.fix}" if self.fix else "")


def validate_submission(
    path_dataset: StrPath,
    path_units: StrPath,
    *,
    kind: Kind = "many-to-one",
    step_units: int = 20,
    n_units: int | None = None,
    complete: bool = False,
) -> list[Problem]:
    """List everything that is wrong with a dataset and the units predicted for it.

    Parameters
    ----------
    path_dataset : path-like or str
        The dataset.
    path_units : path-like or str
        The folder of ``units-{iso}-{split}.jsonl`` files.
    kind : {"many-to-one", "one-to-one"}, default "many-to-one"
        Which assignment the units are meant for: it says how many there may be.
    step_units : int, default 20
        Time between neighbouring units, in milliseconds; a multiple of 10.
    n_units : int, optional
        Number of units; by default 256, and one more than the phonemes of the language for ``one-to-one``.
    complete : bool, default False
        Whether every language and split must be there. Otherwise only the languages that are there must have the same
        splits; what else the benchmark has is told as a warning.

    Returns
    -------
    list of Problem
        The dataset's first, then those of each file in the order of languages, splits and lines.

    Raises
    ------
    MissingFileError
        If one of the folders does not exist.
    UsageError
        If a choice makes no sense.
    """
    from discophon.evaluate.assignment import KINDS
    from discophon.evaluate.pairing import check_steps

    check_choice("kind", kind, KINDS)
    check_steps(step_units, _STEP_PHONES)
    if n_units is not None:
        check_whole("n_units", n_units)
    dataset, units = os.fspath(path_dataset), os.fspath(path_units)
    for folder in (dataset, units):
        check_folder(folder)
    found = [Problem(item.folder, None, "error", item.what, item.fix) for item in differences(dataset)]
    files, faults = _pick_up(units)
    found += faults
    found += _absent(units, files, complete=complete)
    for (language, split), path in sorted(files.items(), key=lambda item: _rank(*item[0])):
        most = n_units or (256 if kind == "many-to-one" else language.n_phonemes + 1)
        gold = os.path.join(dataset, "alignment", f"alignment-{language.iso_639_3}-{split}.txt")
        found += _check_file(path, gold, language.n_phonemes, kind=kind, step_units=step_units, n_units=most)
    return found


def _rank(language: Language, split: str) -> tuple[int, int]:
    return all_languages().index(language), SPLITS.index(split)


def _pick_up(folder: str) -> tuple[dict[tuple[Language, str], str], list[Problem]]:
    """Sort the names in a folder of units into files to be scored and faults."""
    codes = {language.iso_639_3: language for language in all_languages()}
    files: dict[tuple[Language, str], str] = {}
    faults = []
    for name in sorted(os.listdir(folder)):
        if not name.startswith("units-"):
            continue
        path = os.path.join(folder, name)
        stem, suffix = os.path.splitext(name)
        if suffix != ".jsonl":
            what = "its name does not end in .jsonl, so it is not scored"
            faults.append(Problem(path, None, "warning", what, "name it units-{iso}-{split}.jsonl"))
            continue
        _, code, *rest = stem.split("-", 2)
        split = rest[0] if rest else ""
        if code not in codes:
            faults.append(Problem(path, None, "error", f"unknown language {code!r}", _code_hint(code)))
        if split not in (*SPLITS, *TRAIN_SPLITS):
            known = ", ".join((*SPLITS, *TRAIN_SPLITS))
            faults.append(Problem(path, None, "error", f"unknown split {split!r}", f"it is one of {known}"))
        if code in codes and split in SPLITS:
            files[codes[code], split] = path
    return files, faults


def _code_hint(code: str) -> str:
    try:
        return f"write {get_language(code).iso_639_3}, the ISO 639-3 code"
    except UsageError:
        return "it is one of " + ", ".join(language.iso_639_3 for language in all_languages())


def _absent(folder: str, files: Mapping[tuple[Language, str], str], *, complete: bool) -> Iterator[Problem]:
    """Tell which units are not there."""
    if not files:
        what = f"no units-{{iso}}-{{split}}.jsonl with the split {' or '.join(SPLITS)}"
        yield Problem(folder, None, "error", what, "name the folder that holds the units files itself")
        return
    languages = [language for language in all_languages() if any((language, split) in files for split in SPLITS)]
    splits = [split for split in SPLITS if any((language, split) in files for language in all_languages())]
    beyond = []
    for language in all_languages():
        for split in SPLITS:
            if (language, split) in files:
                continue
            name = f"units-{language.iso_639_3}-{split}.jsonl"
            if complete:
                yield Problem(os.path.join(folder, name), None, "error", "missing", "predict its units")
            elif language in languages and split in splits:
                what = f"missing, while the other split of {language.name} is there"
                yield Problem(os.path.join(folder, name), None, "error", what, "predict its units")
            else:
                beyond.append(name)
    if beyond:
        what = f"{len(beyond)} of the benchmark's units files are not there: {_some(beyond)}"
        yield Problem(folder, None, "warning", what, "the benchmark scores what is there")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _N_SHOWN
    return ", ".join(names[:_N_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _check_file(
    path: str, path_gold: str, n_phonemes: int, *, kind: Kind, step_units: int, n_units: int
) -> list[Problem]:
    import numpy as np

    import speechio.errors
    from discophon.alignment import read_alignment

    rows, found = _read_units(path)
    found += _check_values(path, rows, n_units)
    try:
        gold = read_alignment(path_gold)
    except (FormatError, speechio.errors.FormatError) as error:
        return [*found, Problem(path_gold, error.line, "error", error.what, error.fix)]
    except (DiscophonError, speechio.errors.SpeechioError) as error:
        return [*found, Problem(path_gold, None, "error", f"the alignment cannot be read: {error}")]
    n_frames = dict(zip(gold.files, np.diff(gold.starts).tolist(), strict=True))
    found += _check_ids(path, path_gold, rows, n_frames)
    n_of = {file_id: (line, len(units)) for file_id, (line, units) in rows.items() if file_id in n_frames and units}
    found += _check_lengths(path, n_of, n_frames, step_units)
    if not any(problem.severity == "error" for problem in found):
        units = {file_id: values for file_id, (_, values) in rows.items()}
        fault = _fault_of_scoring(units, gold, n_phonemes, kind=kind, step_units=step_units, n_units=n_units)
        found += [Problem(path, None, "error", f"against {path_gold}: {fault}")] if fault else []
    return sorted(found, key=lambda problem: problem.line or 0)


def _fault_of_scoring(
    units: Mapping[str, list[int]],
    gold: PhoneSequences,
    n_phonemes: int,
    *,
    kind: Kind,
    step_units: int,
    n_units: int,
) -> str:
    """Score what looks sound, and give what keeps it from having all scores; nothing if it has them."""
    from discophon.evaluate import discover_paired, pair

    try:
        paired = pair(units, gold, step_units=step_units, step_phones=_STEP_PHONES)
        result = discover_paired(
            paired, kind=kind, n_units=n_units, n_phonemes=n_phonemes, metrics=("pnmi", "f1", "r_val")
        )
        result.scores()
    except DiscophonError as error:
        return str(error)
    return ""


def _read_units(path: str) -> tuple[dict[str, tuple[int, list[Any]]], list[Problem]]:
    """Read what can be read of a units file."""
    from discophon.submission import SCHEMA
    from speechio.errors import FormatError as TextError
    from speechio.errors import InputError, Report
    from speechio.errors import Problem as Fault
    from speechio.jsonl import JsonlParser

    faults: list[Fault] = []
    parser = JsonlParser(Report(path, faults), schema=SCHEMA)
    rows: dict[str, tuple[int, list[Any]]] = {}
    found = []
    try:
        for line, record in parser.rows(path):
            file_id = str(record["file"])
            first, _ = rows.setdefault(file_id, (line, record["units"]))
            if first != line:
                what = f"the file {file_id!r} is on line {first} already"
                found.append(Problem(path, line, "error", what, "keep one line for each file"))
    except TextError as error:
        found.append(Problem(path, error.line, "error", error.what, error.fix))
    except InputError as error:
        return {}, [Problem(path, None, "error", error.what, error.fix)]
    found += [Problem(path, fault.line, fault.severity, fault.message, fault.fix) for fault in faults]
    if not rows and not found:
        found.append(Problem(path, None, "error", "the file is empty", 'write {"file": …, "units": […]}, one a line'))
    return rows, found


def _check_values(path: str, rows: Mapping[str, tuple[int, list[Any]]], n_units: int) -> Iterator[Problem]:
    """Look at the units themselves."""
    for file_id, (line, units) in rows.items():
        if not units:
            yield Problem(path, line, "error", f"{file_id}: no units", "every file needs at least one")
            continue
        if set(map(type, units)) != {int}:
            i, odd = next((i, unit) for i, unit in enumerate(units) if type(unit) is not int)
            what = f"{file_id}: unit {i} is {_shown(odd)}, not a whole number"
            yield Problem(path, line, "error", what, "units are whole numbers from 0 on")
            continue
        low, high = min(units), max(units)
        if low < 0 or high >= n_units:
            outside = low if low < 0 else high
            n_outside = sum(not 0 <= unit < n_units for unit in units)
            what = f"{file_id}: unit {outside} is outside 0 to {n_units - 1}" + (
                f", as are {n_outside - 1} more of this file" if n_outside > 1 else ""
            )
            yield Problem(path, line, "error", what, f"number the units from 0, at most {n_units} of them")


def _shown(value: object) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def _check_ids(
    path: str, path_gold: str, rows: Mapping[str, tuple[int, list[Any]]], n_frames: Mapping[str, int]
) -> Iterator[Problem]:
    """Compare the file ids of both sides."""
    missing = [file_id for file_id in n_frames if file_id not in rows]
    excess = [file_id for file_id in rows if file_id not in n_frames]
    name = os.path.basename(path_gold)
    if missing:
        what = f"no units for {len(missing)} of the {len(n_frames)} files of {name}: {_some(missing)}"
        yield Problem(path, None, "error", what, "predict units for each of them")
    if excess:
        what = f"units of {len(excess)} that {name} does not have: {_some(excess)}"
        yield Problem(path, None, "error", what, _excess_hint(excess, n_frames))


def _excess_hint(excess: Sequence[str], n_frames: Mapping[str, int]) -> str:
    stems = [os.path.splitext(os.path.basename(file_id))[0] for file_id in excess]
    if all(stem in n_frames for stem in stems):
        return f"write the id alone, without folder and suffix: {stems[0]}"
    return "leave these lines out; is this the right language and split?"


def _check_lengths(
    path: str, n_of: Mapping[str, tuple[int, int]], n_frames: Mapping[str, int], step_units: int
) -> Iterator[Problem]:
    """Tell the files whose numbers of units do not fit their phones, and the step with which they would."""
    wrong = [file_id for file_id, (_, n) in n_of.items() if not _fits(n, n_frames[file_id], step_units)]
    if not wrong:
        return
    hint = _step_hint([(n, n_frames[file_id]) for file_id, (_, n) in n_of.items()], step_units)
    for file_id in wrong:
        line, n = n_of[file_id]
        want = n_frames[file_id] * _STEP_PHONES / step_units
        what = (
            f"{file_id}: {n} units of {step_units} ms are {n * step_units} ms, the phones"
            f" {n_frames[file_id] * _STEP_PHONES} ms: {want:g} units, one more or less, are wanted"
        )
        yield Problem(path, line, "error", what, hint)


def _fits(n_units: int, n_frames: int, step_units: int) -> bool:
    ratio = step_units // _STEP_PHONES
    return abs(n_units * ratio - n_frames) <= ratio


def _step_hint(lengths: Sequence[tuple[int, int]], step_units: int) -> str:
    """Find the step with which the lengths of a whole file would fit."""
    steps = [_STEP_PHONES * k for k in range(1, _MOST_STEPS + 1)]
    n_fitting = {step: sum(_fits(n, frames, step) for n, frames in lengths) for step in steps}
    best = max(steps, key=lambda step: (n_fitting[step], -abs(step - step_units)))
    if n_fitting[best] > n_fitting.get(step_units, 0):
        which = "all files" if n_fitting[best] == len(lengths) else f"{n_fitting[best]} of {len(lengths)} files"
        return f"a step of {best} ms would fit {which}: --step-units {best}"
    return "predict a unit for every step of the whole recording"
