"""From what is said about inputs to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omegaconf import OmegaConf

from measure_core.errors import ConfigError, InputError
from measure_core.inputs.names import bound, near, resolve, scp_stems
from measure_core.inputs.names import test_dir as directory_of

if TYPE_CHECKING:
    from pathlib import Path


def touched(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("u1 x\n")
    return root


@pytest.mark.parametrize(
    ("inputs", "want"),
    [
        ({"ref": "ref", "hyp": "hyp0"}, {"ref": "ref", "hyp": "hyp0"}),
        (["ref", "hyp"], {"ref": "ref", "hyp": "hyp"}),
        (("ref",), {"ref": "ref"}),
        ({"hyp": "1best/text"}, {"hyp": "1best/text"}),
        ({"ref": "dataset:text"}, {"ref": "dataset:text"}),
        ({"a": "x", "b": "x"}, {"a": "x", "b": "x"}),
        ({"a": "..x", "b": "y..", "c": "x.scpy"}, {"a": "..x", "b": "y..", "c": "x.scpy"}),
        (OmegaConf.create({"ref": "ref"}), {"ref": "ref"}),
        (OmegaConf.create(["ref"]), {"ref": "ref"}),
    ],
)
def test_bound(inputs: object, want: dict[str, str]) -> None:
    found = bound(inputs, "here")
    assert found == want
    assert list(found) == list(want)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ("ref", ["`inputs` is str", "a mapping or a list is wanted"]),
        (7, ["`inputs` is int"]),
        (None, ["`inputs` is NoneType"]),
        ({}, ["`inputs` is empty"]),
        ([], ["`inputs` is empty"]),
        (["ref", "ref"], ["the input 'ref' is there twice"]),
        ({"utt_id": "x"}, ["cannot be called utt_id"]),
        ({"ref": 7}, ["'ref': 7 is no name of a file", "in quotes if it looks like a number"]),
        ({"ref": None}, ["'ref': None is no name"]),
        ({"ref": ""}, ["'ref': '' is no name"]),
        ({7: "ref"}, ["input 7: 'ref' is no name"]),
        ({"ref": "ref.scp"}, ["ref.scp is written with its suffix", "write it without: ref"]),
        ({"ref": "ref.scp.gz"}, ["write it without: ref"]),
        ({"ref": "dataset:text.scp"}, ["write it without: text"]),
        ({"ref": "/etc/passwd"}, ["leaves the directory of the test set"]),
        ({"ref": "../other/ref"}, ["leaves the directory of the test set"]),
        ({"ref": "a/../../ref"}, ["leaves the directory of the test set"]),
        ({"ref": "dataset:../x"}, ["leaves the directory of the test set"]),
        ({"ref": "."}, ["leaves the directory of the test set"]),
        ({"ref": "dataset:"}, ["leaves the directory of the test set"]),
        ({"ref": "a\0b"}, ["leaves the directory of the test set"]),
    ],
)
def test_what_cannot_be_bound(inputs: object, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        bound(inputs, "metrics[0]")
    text = str(caught.value)
    assert text.startswith("metrics[0]: ")
    assert "\nfix: " in text
    assert all(word in text for word in words)


def test_all_faults_are_listed() -> None:
    with pytest.raises(ConfigError) as caught:
        bound({"ref": "ref.scp", "hyp": "../hyp", "fine": "x"}, "here")
    text = str(caught.value)
    assert text.startswith("2 problems\n")
    assert text.index("suffix") < text.index("leaves")
    assert "fine" not in text


def test_resolve(tmp_path: Path) -> None:
    touched(tmp_path, "t/ref.scp", "t/ref.scp.gz", "t/hyp.scp.gz", "t/1best/text.scp", "t/dataset/text.scp")
    inputs = {"ref": "ref", "hyp": "hyp", "best": "1best/text", "col": "dataset:text"}
    found = resolve(tmp_path, "t", inputs, "here")
    names = ["ref.scp", "hyp.scp.gz", "1best/text.scp", "dataset/text.scp"]
    assert found == dict(zip(inputs, [tmp_path / "t" / name for name in names], strict=True))
    assert list(found) == list(inputs)


def test_what_is_missing_is_told_with_what_is_there(tmp_path: Path) -> None:
    touched(tmp_path, "t/ref.scp", "t/hyp0.scp", "t/deep/er/x.scp.gz", "t/notes.txt", "t/old.scp.bak")
    (tmp_path / "t" / "folder.scp").mkdir()
    with pytest.raises(InputError) as caught:
        resolve(tmp_path, "t", {"hyp": "hyp"}, "metric m on t")
    folder = tmp_path / "t"
    assert str(caught.value) == (
        f"metric m on t: {folder}/hyp.scp is missing (input 'hyp')\n"
        f"  in {folder} there is: deep/er/x.scp hyp0.scp ref.scp\n"
        "fix: did you mean hyp0?"
    )
    assert caught.value.path == str(folder / "hyp.scp")
    assert scp_stems(folder) == ["deep/er/x", "hyp0", "ref"]
    with pytest.raises(InputError, match=r"folder\.scp is a folder, not a file \(input 'x'\)"):
        resolve(tmp_path, "t", {"x": "folder"}, "here")


def test_all_missing_files_are_listed(tmp_path: Path) -> None:
    touched(tmp_path, "t/ref.scp")
    with pytest.raises(InputError) as caught:
        resolve(tmp_path, "t", {"a": "one", "ref": "ref", "b": "two"}, "here")
    text = str(caught.value)
    assert text.startswith("2 problems\n")
    assert "one.scp is missing (input 'a')" in text
    assert "two.scp is missing (input 'b')" in text
    assert "input 'ref'" not in text


def test_many_files_are_not_all_listed(tmp_path: Path) -> None:
    touched(tmp_path, *(f"t/{k:02d}.scp" for k in range(20)))
    with pytest.raises(InputError, match=r"there is: 00\.scp .* 11\.scp … \(8 more\)"):
        resolve(tmp_path, "t", {"ref": "reference"}, "here")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there is: nothing"):
        resolve(tmp_path, "empty", {"ref": "reference"}, "here")


def test_a_column_that_was_not_written(tmp_path: Path) -> None:
    touched(tmp_path, "t/ref.scp")
    with pytest.raises(InputError) as caught:
        resolve(tmp_path, "t", {"ref": "dataset:text"}, "here")
    text = str(caught.value)
    assert f"{tmp_path}/t/dataset/text.scp is missing (input 'ref': dataset:text)" in text
    assert "measure-core does not build data sets" in text
    assert "ESPnet3's own measure stage writes it" in text


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000 + "b"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    touched(tmp_path, "t/ref.scp")
    with pytest.raises(InputError, match="is missing"):
        resolve(tmp_path, "t", {"ref": name}, "here")
    with pytest.raises(InputError, match="there is no directory"):
        resolve(tmp_path, name, {"ref": "ref"}, "here")


def test_the_directory_of_a_test_set(tmp_path: Path) -> None:
    touched(tmp_path, "test-clean/ref.scp", "test-other/ref.scp", ".hidden/x", "file")
    assert directory_of(tmp_path, "test-clean") == tmp_path / "test-clean"
    with pytest.raises(InputError) as caught:
        directory_of(tmp_path, "test-claen")
    assert str(caught.value) == (
        f"test set test-claen: there is no directory {tmp_path}/test-claen\n"
        f"  in {tmp_path} there is: test-clean test-other\n"
        "fix: did you mean test-clean or test-other?"
    )
    with pytest.raises(InputError, match=r"fix: run the inference for it, or leave it out of dataset\.test"):
        directory_of(tmp_path, "zzz")
    with pytest.raises(InputError, match="there is no directory"):
        directory_of(tmp_path, "file")


@pytest.mark.parametrize("root", ["absent", "file"])
def test_a_root_that_is_none(tmp_path: Path, root: str) -> None:
    touched(tmp_path, "file")
    with pytest.raises(InputError, match=f"test set t: .*{root} is no directory of results"):
        directory_of(tmp_path / root, "t")


def test_near() -> None:
    assert near("HYP", ["hyp", "ref"]) == "did you mean hyp?"
    assert near("inptus", ["inputs", "input"]) == "did you mean inputs or input?"
    assert near("x", ["hyp", "ref"]) == ""
    assert near("x", []) == ""
    assert (near(5, ["hyp"]), near(None, ["none"])) == ("", "did you mean none?")
