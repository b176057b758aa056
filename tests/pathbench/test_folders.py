"""Looking through a tree of folders."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from pathbench.errors import InputError
from pathbench.folders import folders_with
from pathbench.integrity import check_dataset
from pathbench.predictions import find_predictions
from pathbench.repoint import find_datasets

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Make a tree with two datasets."""
    for name in ("root/a", "root/b/c", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "wav.scp").write_text("u x.wav\n")
        (tmp_path / name / "m.csv").write_text("A,1\n")
    return tmp_path / "root"


def test_links_are_followed_and_every_folder_is_listed_once(tree: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tree / "a" / "up").symlink_to("..")
    (tree / "a" / "too").symlink_to("..")
    (tree / "0").symlink_to(tree / "b")
    (tree / "a" / "self").symlink_to("self")
    (tree / "a" / "lost").symlink_to("nowhere")
    (tree / "out").symlink_to(tree.parent / "outside")
    (tree.parent / "outside" / "back").symlink_to(tree)
    found = [os.path.relpath(folder, tree) for folder in folders_with(str(tree), "wav.scp")]
    assert found == ["a", "b/c", "out"]
    told = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert sorted(os.path.relpath(name, tree) for name in told) == ["0", "a/too", "a/up", "out/back"]


def test_a_tree_may_itself_be_a_link(tree: Path) -> None:
    (tree.parent / "link").symlink_to(tree)
    found = folders_with(str(tree.parent / "link"), "wav.scp")
    assert found == [str(tree.parent / "link" / "a"), str(tree.parent / "link" / "b" / "c")]


def test_a_folder_that_cannot_be_read_is_never_passed_over(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, closed = os.scandir, str(tree / "b")

    def scan(folder: str) -> object:
        if folder == closed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)
        return real(folder)

    monkeypatch.setattr("pathbench.folders.os.scandir", scan)
    message = f"{closed}: cannot be read: Permission denied"
    with pytest.raises(InputError, match=message):
        find_datasets([str(tree)])
    with pytest.raises(InputError, match=message):
        find_predictions(tree, "m")
    assert check_dataset(tree / "a")  # one dataset is not looked for
