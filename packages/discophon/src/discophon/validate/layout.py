"""The names of a complete dataset folder, and how a folder differs from them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from discophon.errors import DatasetError, MissingFileError
from discophon.languages import all_languages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "SPLITS",
    "TRAIN_SPLITS",
    "Difference",
    "check_folder",
    "differences",
    "expected_folders",
    "validate_dataset_structure",
]

SPLITS = ("dev", "test")
"""The splits that are evaluated."""

TRAIN_SPLITS = ("train-10h", "train-1h", "train-10min")
"""The splits to train on; they have audio and a manifest, and nothing to be evaluated against."""

_N_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """How one folder differs from what it should hold.

    Attributes
    ----------
    folder : str
        The folder, as a path.
    missing, unexpected : tuple of str
        Names that it lacks, and names that it has and should not, sorted.
    not_folders : tuple of str
        Names that should be folders and are not, sorted.
    trouble : str
        Why the folder cannot be looked into at all; empty when it can.
    """

    folder: str
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    not_folders: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def what(self) -> str:
        """The difference in words."""
        kinds = (("missing", self.missing), ("unexpected", self.unexpected), ("not a folder", self.not_folders))
        return self.trouble or "; ".join(f"{kind}: {_listed(names)}" for kind, names in kinds if names)

    @property
    def fix(self) -> str:
        """What to do about it."""
        if self.trouble:
            return "name the folder that holds alignment, audio, item and manifest"
        remedies = []
        if self.missing or self.not_folders:
            remedies.append("'discophon prepare download' brings what is missing")
        if self.unexpected:
            remedies.append("move what is unexpected out of the folder")
        return " and ".join(remedies)

    def __str__(self) -> str:
        return f"{self.folder}: {self.what}; fix: {self.fix}"


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - _N_SHOWN
    return ", ".join(names[:_N_SHOWN]) + (f" and {more} more" if more > 0 else "")


@cache
def expected_folders() -> Mapping[str, frozenset[str]]:
    """Give the folders of a dataset and the names in each.

    Returns
    -------
    mapping of str to frozenset of str
        From the path of a folder, relative to the dataset (its own is empty), to the names in it; a folder comes
        before those inside it.

    Examples
    --------
    >>> {folder: len(names) for folder, names in expected_folders().items() if folder.count("/") == 0}
    {'': 4, 'alignment': 24, 'item': 48, 'manifest': 61, 'audio': 12}
    """
    codes = [language.iso_639_3 for language in all_languages()]
    every_split = (*SPLITS, *TRAIN_SPLITS)
    folders = {
        "": {"alignment", "item", "manifest", "audio"},
        "alignment": {f"alignment-{code}-{split}.txt" for code in codes for split in SPLITS},
        "item": {
            f"{kind}-{code}-{split}.item" for kind in ("triphone", "phoneme") for code in codes for split in SPLITS
        },
        "manifest": {f"manifest-{code}-{split}.csv" for code in codes for split in every_split} | {"speakers.jsonl"},
        "audio": set(codes),
        **{f"audio/{code}": {"all", *every_split} for code in codes},
    }
    return {folder: frozenset(names) for folder, names in folders.items()}


def check_folder(path: str) -> None:
    """Refuse a folder that is none.

    Parameters
    ----------
    path : str
        The folder.

    Raises
    ------
    MissingFileError
        If there is no such folder.
    """
    if not os.path.isdir(path):
        raise MissingFileError(
            f"{path}: {'not a folder' if os.path.exists(path) else 'no such folder'}; check the path"
        )


def differences(path: os.PathLike[str] | str) -> Iterator[Difference]:
    """Compare a dataset folder with what it should hold, by names; no file is opened.

    Parameters
    ----------
    path : path-like or str
        The dataset.

    Yields
    ------
    Difference
        For each folder that differs; a folder that is missing is told once, by the one that should hold it.
    """
    root = os.fspath(path)
    for relative, wanted in expected_folders().items():
        folder = os.path.join(root, *relative.split("/")) if relative else root
        if relative and not os.path.isdir(folder):
            continue
        holds_folders = relative == "" or relative.startswith("audio")
        try:
            found = _look(folder, wanted, holds_folders=holds_folders)
        except FileNotFoundError:
            found = Difference(folder, trouble="no such folder")
        except NotADirectoryError:
            found = Difference(folder, trouble="not a folder")
        except OSError as error:
            found = Difference(folder, trouble=f"cannot be looked into: {error.strerror}")
        except ValueError as error:
            raise DatasetError(f"{folder!r}: cannot be opened: {error}") from None
        if found.what:
            yield found


def _look(folder: str, wanted: frozenset[str], *, holds_folders: bool) -> Difference:
    with os.scandir(folder) as entries:
        present = {
            entry.name: not holds_folders or entry.is_dir() for entry in entries if not entry.name.startswith(".")
        }
    return Difference(
        folder,
        missing=tuple(sorted(wanted - present.keys())),
        unexpected=tuple(sorted(present.keys() - wanted)),
        not_folders=tuple(sorted(name for name in wanted & present.keys() if not present[name])),
    )


def validate_dataset_structure(path: os.PathLike[str] | str) -> None:
    """Compare the names in a dataset folder with those of the complete benchmark, for all twelve languages.

    Parameters
    ----------
    path : path-like or str
        The dataset.

    Raises
    ------
    DatasetError
        At the first folder that differs, or if there is no such folder. The message names the folder and lists what
        is missing, unexpected, or not a folder.

    Notes
    -----
    No file is opened. Names that begin with a dot do not count. A folder ``raw`` left over from the preparation of
    Common Voice counts as unexpected.
    """
    found = next(differences(path), None)
    if found is not None:
        raise DatasetError(str(found))
