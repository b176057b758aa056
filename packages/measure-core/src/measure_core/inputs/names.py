"""From what a configuration says about inputs to the files of a test set."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from measure_core.contract import DATASET_PREFIX
from measure_core.errors import ConfigError, Faults, InputError

__all__ = ["bound", "located", "near", "resolve", "scp_stems", "test_dir"]

_SUFFIXES = (".scp", ".scp.gz")
_RESERVED = "utt_id"
_N_LISTED = 12


def near(word: object, known: Sequence[str]) -> str:
    """Give a hint at the name that was probably meant.

    Parameters
    ----------
    word : object
        What was written; a key of a configuration need not be text.
    known : sequence of str
        What there is.

    Returns
    -------
    str
        ``did you mean …?``, or nothing.
    """
    by_case = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(str(word).casefold(), by_case, n=2, cutoff=0.6)
    return f"did you mean {' or '.join(by_case[name] for name in found)}?" if found else ""


def bound(inputs: object, where: str) -> dict[str, str]:
    """Give the alias and name of each input.

    Parameters
    ----------
    inputs : mapping or sequence
        As the configuration has it: alias to name, or names that are their own aliases.
    where : str
        The place, for messages.

    Returns
    -------
    dict of str to str
        Alias to name of the file, without ``.scp``.

    Raises
    ------
    ConfigError
        If it is neither, or a name cannot be that of an input.
    """
    pairs: list[tuple[object, object]]
    if isinstance(inputs, Mapping):
        pairs = list(inputs.items())
    elif isinstance(inputs, Sequence) and not isinstance(inputs, str):
        pairs = [(name, name) for name in inputs]
    else:
        raise ConfigError(
            f"{where}: `inputs` is {type(inputs).__name__}; a mapping or a list is wanted",
            fixes=["write `inputs: {ref: ref, hyp: hyp0}` or `inputs: [ref, hyp]`"],
        )
    if not pairs:
        raise ConfigError(f"{where}: `inputs` is empty", fixes=["name at least one SCP file"])
    faults = Faults()
    found: dict[str, str] = {}
    for alias, name in pairs:
        fault = _fault(alias, name)
        if fault:
            faults.append(ConfigError(f"{where}: {fault[0]}", fixes=[fault[1]]))
        elif str(alias) in found:
            faults.append(ConfigError(f"{where}: the input {alias!r} is there twice", fixes=["remove one of them"]))
        else:
            found[str(alias)] = str(name)
    faults.told()
    return found


def _fault(alias: object, name: object) -> tuple[str, str] | None:
    """Find what is wrong with an input: what, and how to mend it."""
    if not isinstance(alias, str) or not isinstance(name, str) or not alias or not name:
        return (f"input {alias!r}: {name!r} is no name of a file", "write a name, in quotes if it looks like a number")
    if alias == _RESERVED:
        return (f"an input cannot be called {_RESERVED}, which is that of the IDs", "use another alias")
    bare = name.removeprefix(DATASET_PREFIX)
    for suffix in _SUFFIXES:
        if bare.endswith(suffix):
            return (f"input {alias!r}: {name} is written with its suffix", f"write it without: {bare[: -len(suffix)]}")
    path = PurePath(bare)
    if path.is_absolute() or ".." in path.parts or "\0" in bare or not path.parts:
        return (f"input {alias!r}: {name!r} leaves the directory of the test set", "name a file in or below it")
    return None


def test_dir(root: Path, test_name: str) -> Path:
    """Find the directory of a test set.

    Parameters
    ----------
    root : Path
        Root of the inference results.
    test_name : str
        Name of the test set.

    Returns
    -------
    Path
        Its directory.

    Raises
    ------
    InputError
        If there is none; says which there are, if the root is a directory.
    """
    folder = root / test_name
    if os.path.isdir(folder):
        return folder
    try:
        there = sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    except OSError as fault:
        raise InputError(f"test set {test_name}: {root} is no directory of results", path=str(root)) from fault
    hint = near(test_name, there)
    raise InputError(
        f"test set {test_name}: there is no directory {folder}",
        [f"in {root} there is: {_listed(there)}"],
        [hint] if hint else ["run the inference for it, or leave it out of dataset.test"],
        path=str(folder),
    )


def scp_stems(folder: Path) -> list[str]:
    """List the SCP files in or below a directory, without their suffix.

    Parameters
    ----------
    folder : Path
        Directory of a test set.

    Returns
    -------
    list of str
        Names as `inputs` takes them, sorted.
    """
    names = set()
    for path in folder.rglob("*.scp*"):
        relative = path.relative_to(folder).as_posix()
        for suffix in _SUFFIXES:
            if relative.endswith(suffix) and path.is_file():
                names.add(relative.removesuffix(suffix))
    return sorted(names)


def resolve(root: Path, test_name: str, inputs: Mapping[str, str], where: str) -> dict[str, Path]:
    """Find the SCP files of a test set.

    Parameters
    ----------
    root : Path
        Root of the inference results.
    test_name : str
        Name of the test set.
    inputs : mapping of str to str
        Alias to name, see `bound`.
    where : str
        What asks for them, for messages.

    Returns
    -------
    dict of str to Path
        Alias to file.

    Raises
    ------
    InputError
        If the directory or files are missing; lists all that are.
    """
    found, faults = located(root, test_name, inputs, where)
    faults.told()
    return found


def located(root: Path, test_name: str, inputs: Mapping[str, str], where: str) -> tuple[dict[str, Path], Faults]:
    """Find those of the SCP files of a test set that are there.

    Parameters
    ----------
    root, test_name, inputs, where
        As `resolve` takes them.

    Returns
    -------
    found : dict of str to Path
        Alias to file.
    faults : Faults
        What is missing.
    """
    faults = Faults()
    found: dict[str, Path] = {}
    folder = faults.tried(lambda: test_dir(root, test_name))
    if folder is None:
        return found, faults
    for alias, name in inputs.items():
        path = _file(folder, name)
        if path is None:
            faults.append(_missing(folder, name, alias, where))
        else:
            found[alias] = path
    return found, faults


def _file(folder: Path, name: str) -> Path | None:
    """Find the file of an input, compressed or not."""
    if name.startswith(DATASET_PREFIX):
        name = f"dataset/{name.removeprefix(DATASET_PREFIX)}"
    for suffix in _SUFFIXES:
        path = folder / f"{name}{suffix}"
        if os.path.isfile(path):  # unlike Path.is_file it takes names that no file can have
            return path
    return None


def _missing(folder: Path, name: str, alias: str, where: str) -> InputError:
    """Say what is missing and what is there."""
    if name.startswith(DATASET_PREFIX):
        wanted = folder / "dataset" / f"{name.removeprefix(DATASET_PREFIX)}.scp"
        return InputError(
            f"{where}: {wanted} is missing (input {alias!r}: {name})",
            ["measure-core does not build data sets, it reads the column that was written"],
            [f"write {wanted} with one line per utterance: ID, blank, value; ESPnet3's own measure stage writes it"],
            path=str(wanted),
        )
    wanted = folder / f"{name}.scp"
    if os.path.exists(wanted):
        kind = "folder" if os.path.isdir(wanted) else "pipe or a device"
        what = f"{where}: {wanted} is a {kind}, not a file (input {alias!r})"
        return InputError(what, fixes=["put a file with one line per utterance there"], path=str(wanted))
    stems = scp_stems(folder)
    hint = near(name, stems)
    return InputError(
        f"{where}: {wanted} is missing (input {alias!r})",
        [f"in {folder} there is: {_listed([f'{stem}.scp' for stem in stems])}"],
        [hint] if hint else ["name a file that is there, without .scp, or run the inference that writes it"],
        path=str(wanted),
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _N_LISTED
    return (" ".join(names[:_N_LISTED]) + (f" … ({more} more)" if more > 0 else "")) or "nothing"
