"""Dataset folders that are complete or not, and folders of units in which everything that can be wrong is."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discophon.errors import DiscophonError, MismatchError, MissingFileError, UsageError
from discophon.evaluate import pair
from discophon.validate import DatasetError, Problem, validate_dataset_structure, validate_submission
from discophon.validate.layout import expected_folders
from discophon.validate.submission import _check_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CODES = "deu swa tam tha tur ukr cmn eng eus fra jpn wol".split()
GOLDEN = Path(__file__).parent / "data" / "discovery"
HEADER = "#file onset offset #phone\n"
GOLD = HEADER + "f 0 0.04 a\nf 0.04 0.12 b\ng 0 0.2 a\n"
"""Twelve frames of f and twenty of g: six and ten units of 20 ms."""

F, G = [0, 0, 1, 1, 1, 1], [2] * 10


def make_tree(root: Path) -> Path:
    """Write a complete dataset, all of its files empty, without asking the package for the names."""
    for code in CODES:
        for split in ("dev", "test"):
            touch(root / "alignment" / f"alignment-{code}-{split}.txt")
            touch(root / "item" / f"triphone-{code}-{split}.item")
            touch(root / "item" / f"phoneme-{code}-{split}.item")
        for split in ("dev", "test", "train-10h", "train-1h", "train-10min"):
            touch(root / "manifest" / f"manifest-{code}-{split}.csv")
            (root / "audio" / code / split).mkdir(parents=True)
        (root / "audio" / code / "all").mkdir()
    touch(root / "manifest" / "speakers.jsonl")
    return root


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A complete dataset with a gold alignment for Swahili."""
    root = make_tree(tmp_path / "data")
    for split in ("dev", "test"):
        (root / "alignment" / f"alignment-swa-{split}.txt").write_text(GOLD, encoding="utf-8")
    return root


# --- the dataset ---


def test_number_of_names() -> None:
    folders = expected_folders()
    assert {name: len(folders[name]) for name in ("", "alignment", "item", "manifest", "audio")} == {
        "": 4,
        "alignment": 24,
        "item": 48,
        "manifest": 61,
        "audio": 12,
    }
    assert sum(len(names) for name, names in folders.items() if name.startswith("audio/")) == 72
    assert len(folders) == 17


def test_complete_dataset(tree: Path) -> None:
    validate_dataset_structure(tree)
    validate_dataset_structure(str(tree))


def harmless_hidden(root: Path) -> None:
    touch(root / ".DS_Store")
    touch(root / "item" / ".cache")
    (root / "audio" / "eng" / ".tmp").mkdir()


def harmless_link(root: Path) -> None:
    shutil.rmtree(root / "audio" / "eng" / "dev")
    (root / "audio" / "eng" / "dev").symlink_to(root / "audio" / "eng" / "all")


@pytest.mark.parametrize("change", [harmless_hidden, harmless_link])
def test_harmless_changes(tree: Path, change: Callable[[Path], None]) -> None:
    change(tree)
    validate_dataset_structure(tree)


def raw(root: Path) -> None:
    (root / "raw").mkdir()


def no_item(root: Path) -> None:
    (root / "item" / "phoneme-tha-dev.item").unlink()


def notes(root: Path) -> None:
    touch(root / "manifest" / "notes.csv")


def no_split(root: Path) -> None:
    (root / "audio" / "jpn" / "train-1h").rmdir()


def no_language(root: Path) -> None:
    shutil.rmtree(root / "audio" / "jpn")


def no_speakers(root: Path) -> None:
    (root / "manifest" / "speakers.jsonl").unlink()


def file_for_folder(root: Path) -> None:
    (root / "audio" / "jpn" / "dev").rmdir()
    touch(root / "audio" / "jpn" / "dev")


def file_for_language(root: Path) -> None:
    shutil.rmtree(root / "audio" / "wol")
    touch(root / "audio" / "wol")


def file_for_items(root: Path) -> None:
    shutil.rmtree(root / "item")
    touch(root / "item")


def dangling_link(root: Path) -> None:
    (root / "audio" / "jpn" / "dev").rmdir()
    (root / "audio" / "jpn" / "dev").symlink_to("nowhere")


def no_root(root: Path) -> None:
    shutil.rmtree(root)


def file_for_root(root: Path) -> None:
    shutil.rmtree(root)
    touch(root)


def no_alignments(root: Path) -> None:
    shutil.rmtree(root / "alignment")
    (root / "alignment").mkdir()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (raw, "data: unexpected: raw; fix: move what is unexpected out of the folder"),
        (no_item, "data/item: missing: phoneme-tha-dev.item; fix: 'discophon prepare download' brings"),
        (notes, "data/manifest: unexpected: notes.csv; fix:"),
        (no_split, "data/audio/jpn: missing: train-1h; fix:"),
        (no_language, "data/audio: missing: jpn; fix:"),
        (no_speakers, "data/manifest: missing: speakers.jsonl; fix:"),
        (file_for_folder, "data/audio/jpn: not a folder: dev; fix:"),
        (file_for_language, "data/audio: not a folder: wol; fix:"),
        (file_for_items, "data: not a folder: item; fix:"),
        (dangling_link, "data/audio/jpn: not a folder: dev; fix:"),
        (no_root, "data: no such folder; fix: name the folder that holds alignment"),
        (file_for_root, "data: not a folder; fix:"),
        (no_alignments, "data/alignment: missing: alignment-cmn-dev.txt, alignment-cmn-test.txt, "),
    ],
)
def test_changes_that_count(tree: Path, change: Callable[[Path], None], message: str) -> None:
    change(tree)
    with pytest.raises(DatasetError) as caught:
        validate_dataset_structure(tree)
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, DiscophonError)


def test_long_lists_are_cut(tree: Path) -> None:
    no_alignments(tree)
    with pytest.raises(DatasetError, match=r"alignment-jpn-test\.txt and 12 more; fix"):
        validate_dataset_structure(tree)


def test_the_first_folder_is_told_and_the_list_has_all(tree: Path) -> None:
    no_item(tree)
    notes(tree)
    raw(tree)
    with pytest.raises(DatasetError) as caught:
        validate_dataset_structure(tree)
    assert "raw" in str(caught.value)
    assert "notes" not in str(caught.value)
    units = tree.parent / "units"
    write(units, "swa-dev", {"f": F, "g": G})
    found = [problem for problem in validate_submission(tree, units) if problem.severity == "error"]
    assert [problem.message for problem in found] == [
        "unexpected: raw",
        "missing: phoneme-tha-dev.item",
        "unexpected: notes.csv",
    ]


# --- the submission ---


def write(folder: Path, name: str, units: dict[str, Any] | str | bytes) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"units-{name}.jsonl"
    if isinstance(units, dict):
        units = "".join(json.dumps({"file": file, "units": values}) + "\n" for file, values in units.items())
    path.write_bytes(units if isinstance(units, bytes) else units.encode())
    return path


def errors(tree: Path, **options: Any) -> list[Problem]:
    return [item for item in validate_submission(tree, tree.parent / "units", **options) if item.severity == "error"]


def only(tree: Path, units: dict[str, Any] | str | bytes, **options: Any) -> Problem:
    """Give the one thing that is wrong with the units of Swahili dev."""
    path = write(tree.parent / "units", "swa-dev", units)
    [problem] = errors(tree, **options)
    assert problem.file == str(path)
    return problem


def test_nothing_wrong(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": F, "g": G})
    assert errors(tree) == []


def test_golden_submissions_are_sound(tmp_path: Path) -> None:
    root = make_tree(tmp_path / "data")
    for path in (GOLDEN / "alignment").iterdir():
        shutil.copyfile(path, root / "alignment" / path.name)
    for system, options in (
        ("k256-20ms", {}),
        ("one-20ms", {"kind": "one-to-one"}),
        ("one-40ms", {"kind": "one-to-one", "step_units": 40}),
    ):
        found = validate_submission(root, GOLDEN / "units" / system, **options)
        assert [problem.severity for problem in found] == ["warning"]
        assert "20 of the benchmark's units files are not there" in found[0].message


def test_golden_submission_with_another_step(tmp_path: Path) -> None:
    root = make_tree(tmp_path / "data")
    for path in (GOLDEN / "alignment").iterdir():
        shutil.copyfile(path, root / "alignment" / path.name)
    found = validate_submission(root, GOLDEN / "units" / "one-40ms")
    wrong = [problem for problem in found if problem.severity == "error"]
    assert len(wrong) == 52
    assert {problem.fix for problem in wrong} == {"a step of 40 ms would fit all files: --step-units 40"}


def test_missing_and_excess_ids(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": F, "h": G, "i": G})
    missing, excess = errors(tree)
    assert missing.message == "no units for 1 of the 2 files of alignment-swa-dev.txt: g"
    assert excess.message == "units of 2 that alignment-swa-dev.txt does not have: h, i"
    assert excess.fix == "leave these lines out; is this the right language and split?"


def test_ids_with_folder_and_suffix(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"audio/f.wav": F, "audio/g.wav": G})
    _, excess = errors(tree)
    assert excess.fix == "write the id alone, without folder and suffix: f"


@pytest.mark.parametrize(("n", "is_right"), [(4, False), (5, True), (6, True), (7, True), (8, False), (1, False)])
def test_one_unit_more_or_less(tree: Path, n: int, *, is_right: bool) -> None:
    write(tree.parent / "units", "swa-dev", {"f": [0] * n, "g": G})
    assert (errors(tree) == []) == is_right


def test_wrong_length(tree: Path) -> None:
    problem = only(tree, {"f": [0] * 3, "g": G})
    assert problem.line == 1
    assert problem.message == "f: 3 units of 20 ms are 60 ms, the phones 120 ms: 6 units, one more or less, are wanted"
    assert problem.fix == "predict a unit for every step of the whole recording"


@pytest.mark.parametrize("step", [10, 20, 30, 40, 50])
def test_the_step_that_fits_is_named(tree: Path, step: int) -> None:
    (tree / "alignment" / "alignment-swa-dev.txt").write_text(HEADER + "f 0 6 a\nf 6 12 b\ng 0 6 b\n")
    write(tree.parent / "units", "swa-dev", {"f": [0] * (12000 // step), "g": [0] * (6000 // step)})
    assert errors(tree, step_units=step) == []
    for other in {10, 20, 30, 40, 50} - {step}:
        assert [problem.fix for problem in errors(tree, step_units=other)] == [
            f"a step of {step} ms would fit all files: --step-units {step}"
        ] * 2


@given(
    lengths=st.lists(st.tuples(st.integers(1, 60), st.integers(1, 120)), min_size=1, max_size=5),
    ratio=st.integers(1, 4),
)
def test_lengths_are_judged_as_when_scoring(lengths: list[tuple[int, int]], ratio: int) -> None:
    n_of = {str(i): (i, n) for i, (n, _) in enumerate(lengths)}
    n_frames = {str(i): n for i, (_, n) in enumerate(lengths)}
    found = list(_check_lengths("path", n_of, n_frames, 10 * ratio))
    wrong = []
    for name, (n, frames) in zip(n_frames, lengths, strict=True):
        try:
            pair({name: [0] * n}, {name: ["a"] * frames}, step_units=10 * ratio, step_phones=10)
        except MismatchError:
            wrong.append(name)
    assert [problem.message.split(":")[0] for problem in found] == wrong


@pytest.mark.parametrize(
    ("units", "message", "line"),
    [
        ({"f": [0, 0, 256, 1, 1, 1], "g": G}, "f: unit 256 is outside 0 to 255", 1),
        ({"f": F, "g": [0] * 8 + [-1, -2]}, "g: unit -2 is outside 0 to 255, as are 1 more of this file", 2),
        ({"f": [0, 0, 10**30, 1, 1, 1], "g": G}, f"f: unit {10**30} is outside 0 to 255", 1),
        ({"f": [0, 0, 1.5, 1, 1, 1], "g": G}, "f: unit 2 is 1.5, not a whole number", 1),
        ({"f": [True] * 6, "g": G}, "f: unit 0 is true, not a whole number", 1),
        ({"f": [0, None, 1, 1, 1, 1], "g": G}, "f: unit 1 is null, not a whole number", 1),
        ({"f": [0, "x" * 99, 1, 1, 1, 1], "g": G}, f'f: unit 1 is "{"x" * 38}…, not a whole number', 1),
        ({"f": F, "g": []}, "g: no units", 2),
    ],
)
def test_units_themselves(tree: Path, units: dict[str, Any], message: str, line: int) -> None:
    problem = only(tree, units)
    assert (problem.message, problem.line) == (message, line)
    assert problem.fix


def test_range_of_units_depends_on_the_assignment(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": [29] * 6, "g": [30] * 10})
    assert errors(tree) == []
    assert [problem.message for problem in errors(tree, kind="one-to-one")] == [
        "g: unit 30 is outside 0 to 29, as are 9 more of this file"
    ]
    assert len(errors(tree, n_units=29)) == 2


LINES = '{"file": "f", "units": [0, 0, 0, 0, 0, 0]}\n{"file": "g", "units": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}\n'


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (LINES + LINES[: LINES.index("\n")], "the file 'f' is on line 1 already", 3),
        (LINES + "hello\n", "not JSON at column 1: expecting value", 3),
        (LINES + '{"file": "h"}\n', "the field 'units' is missing; it must be an array", 3),
        (LINES + '{"units": [1]}\n', "the field 'file' is missing", 3),
        (LINES + '{"file": 1.5, "units": [1]}\n', "the field 'file' is a number; it must be a string", 3),
        (LINES + '{"file": "h", "units": null}\n', "the field 'units' is null; it must be an array", 3),
        (LINES + '{"file": "h", "units": [NaN]}\n', "NaN is not JSON", 3),
        (LINES.encode() + b'{"file": "\xff", "units": [1]}\n', "byte 0xff at byte 11 of the line is not UTF-8", 3),
    ],
)
def test_lines(tree: Path, text: str | bytes, message: str, line: int) -> None:
    write(tree.parent / "units", "swa-dev", text)
    found = errors(tree)
    assert [problem.line for problem in found if message in problem.message] == [line]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (bytes(range(256)), "NUL byte"),
        (LINES.encode("utf-16"), "the file is UTF-16LE"),
        (gzip.compress(LINES.encode())[:-9], "the gzip data end too early"),
        (("[" + LINES.strip().replace("\n", ",") + "]").encode(), "the file is one JSON array"),
    ],
)
def test_files_that_cannot_be_read(tree: Path, content: bytes, message: str) -> None:
    write(tree.parent / "units", "swa-dev", content)
    found = errors(tree)
    assert sum(message in problem.message for problem in found) == 1


def test_gzip_is_read(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", gzip.compress(LINES.encode()))
    assert errors(tree) == []


def test_a_folder_in_the_place_of_a_file(tree: Path) -> None:
    (tree.parent / "units" / "units-swa-dev.jsonl").mkdir(parents=True)
    first, *_ = errors(tree)
    assert first.message == "is a directory; a file is wanted"


def test_broken_alignment(tree: Path) -> None:
    gold = tree / "alignment" / "alignment-swa-dev.txt"
    gold.write_text(HEADER + "f 0 0.04 a\nf 0.05 0.12 b\n")
    write(tree.parent / "units", "swa-dev", {"f": F, "g": G})
    [problem] = errors(tree)
    assert (problem.file, problem.line) == (str(gold), 3)
    gold.write_bytes(b"\xff\xfe")
    [problem] = errors(tree)
    assert (problem.file, problem.line) == (str(gold), 1)
    gold.unlink()
    assert [problem.file for problem in errors(tree)] == [str(gold.parent), str(gold)]


def test_names_of_files(tree: Path) -> None:
    units = tree.parent / "units"
    for name in ("sw-dev", "xyz-test", "swa-valid", "swa", "swa-train-10h", "Swa-dev"):
        write(units, name, LINES)
    write(units, "swa-dev", LINES)
    (units / "units-swa-test.json").touch()
    (units / "notes.txt").touch()
    found = {Path(problem.file).name: problem for problem in validate_submission(tree, units)}
    assert found["units-sw-dev.jsonl"].fix == "write swa, the ISO 639-3 code"
    assert found["units-Swa-dev.jsonl"].fix == "write swa, the ISO 639-3 code"
    assert found["units-xyz-test.jsonl"].message == "unknown language 'xyz'"
    assert found["units-swa-valid.jsonl"].message == "unknown split 'valid'"
    assert found["units-swa.jsonl"].message == "unknown split ''"
    assert found["units-swa-test.json"].severity == "warning"
    assert not {"units-swa-train-10h.jsonl", "units-swa-dev.jsonl", "notes.txt"} & found.keys()


def test_units_that_are_not_there(tree: Path) -> None:
    units = tree.parent / "units"
    for name in ("swa-dev", "swa-test", "wol-dev"):
        write(units, name, LINES)
    (tree / "alignment" / "alignment-wol-dev.txt").write_text(GOLD)
    [problem] = errors(tree)
    assert problem.file == str(units / "units-wol-test.jsonl")
    assert problem.message == "missing, while the other split of Wolof is there"
    assert len(errors(tree, complete=True)) == 21
    (units / "units-swa-test.jsonl").unlink()
    assert errors(tree) == []  # one split of everything is a choice


def test_no_units_at_all(tree: Path) -> None:
    (tree.parent / "units").mkdir()
    [problem] = errors(tree)
    assert problem.message == "no units-{iso}-{split}.jsonl with the split dev or test"


def test_folders_that_are_not_there(tree: Path) -> None:
    for dataset, units in (
        (tree, tree / "nowhere"),
        (tree / "nowhere", tree),
        (tree, tree / "manifest/speakers.jsonl"),
    ):
        why = "not a folder" if units.is_file() else "no such folder"
        with pytest.raises(MissingFileError, match=why):
            validate_submission(dataset, units)


def test_what_the_benchmark_refuses_is_an_error_here(tree: Path) -> None:
    gold = tree / "alignment" / "alignment-swa-dev.txt"
    rows = [f"g {i / 100} {(i + 1) / 100} l{i}\n" for i in range(32)]  # 31 are the phonemes of Swahili and silence
    gold.write_text(HEADER + "".join(rows))
    problem = only(tree, {"g": list(range(16))})
    assert problem.message.startswith(f"against {gold}: the gold has 32 different labels, more than 29 phonemes")
    gold.write_text(HEADER + "g 0 0.2 a\n")
    problem = only(tree, {"g": [0] * 10})
    assert "f1 is undefined: there is no boundary on either side" in problem.message
    assert "r_val is undefined: there is no gold boundary" in only(tree, {"g": [0, 1] * 5}, kind="one-to-one").message
    gold.write_text(HEADER + "g 0 0.1 a\ng 0.1 0.2 <missing-2>\n")
    assert "the label '<missing-2>'" in only(tree, {"g": [0] * 5 + [1] * 5}).message
    gold.write_text(GOLD)
    problem = only(tree, {"f": F, "g": G}, kind="one-to-one", n_units=20)
    assert "30 units for 29 phonemes, not 20" in problem.message


def test_ids_that_are_whole_numbers(tree: Path) -> None:
    (tree / "alignment" / "alignment-swa-dev.txt").write_text(HEADER + "7 0 0.04 a\n7 0.04 0.12 b\n")
    write(tree.parent / "units", "swa-dev", '{"file": 7, "units": [0, 0, 1, 1, 1, 1]}\n')
    assert errors(tree) == []


@pytest.mark.parametrize(
    "options", [{"kind": "many"}, {"step_units": 25}, {"step_units": 0}, {"step_units": -20}, {"n_units": 0}]
)
def test_choices_that_make_no_sense(tree: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        validate_submission(tree, tree, **options)


# --- the command ---


def run(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discophon", "validate", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_command_on_a_dataset(tree: Path) -> None:
    done = run(tree.parent, "data")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 errors, 0 warnings\n", "")
    raw(tree)
    no_split(tree)
    done = run(tree.parent, "data")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "data: error: unexpected: raw; fix: move what is unexpected out of the folder\n"
        "data/audio/jpn: error: missing: train-1h; fix: 'discophon prepare download' brings what is missing\n"
        "2 errors, 0 warnings\n"
    )


def test_command_as_json(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": F, "g": [300] * 10})
    done = run(tree.parent, "data", "units", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert list(document) == ["schema_version", "signature", "n_errors", "n_warnings", "problems"]
    assert (document["n_errors"], document["n_warnings"]) == (1, 1)
    assert document["signature"].endswith("|kind:many-to-one|n_units:256|step_units:20|files:present")
    found = validate_submission(tree, tree.parent / "units")
    assert [row["message"] for row in document["problems"]] == [problem.message for problem in found]


def test_command_cuts_long_lists(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": [0], "g": [0]})
    done = run(tree.parent, "data", "units", "--max", "1")
    lines = done.stdout.splitlines()
    assert lines[-1] == "2 errors, 1 warning"
    assert "units/units-swa-dev.jsonl: 1 more problems; --max 2 lists them" in lines


def test_command_on_a_full_disk(tree: Path) -> None:
    command = [sys.executable, "-m", "discophon", "validate", str(tree)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "discophon: error: <stdout>: cannot be written: No space left on device\n"


def test_warnings_alone_are_no_reason_to_fail(tree: Path) -> None:
    write(tree.parent / "units", "swa-dev", {"f": F, "g": G})
    done = run(tree.parent, "data", "units")
    assert done.returncode == 0
    assert done.stdout.endswith("0 errors, 1 warning\n")
    assert run(tree.parent, "data", "units", "--complete").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: DATASET"),
        (("nowhere",), "nowhere: no such folder"),
        (("data", "nowhere"), "nowhere: no such folder"),
        (("data", "data", "--step-units", "15"), "step_units is 15 ms, no whole multiple"),
        (("data", "data", "--step-units", "x"), "invalid int value"),
        (("data", "data", "--step-units", "1" + 20 * "0"), "step_units is 100000000000000000000; it must be"),
        (("data/manifest/speakers.jsonl",), "speakers.jsonl: not a folder"),
        (("data", "--max", "-1"), "--max -1"),
        (("data", "--frobnicate"), "unrecognized arguments"),
        (("data", "--step-units", "7"), "--step-units is about predictions"),
        (("data", "--kind", "one-to-one"), "--kind is about predictions"),
        (("data", "--n-units", "5"), "--n-units is about predictions"),
        (("data", "--complete"), "--complete is about predictions"),
    ],
)
def test_command_wrong_usage(tree: Path, arguments: Sequence[str], message: str) -> None:
    done = run(tree.parent, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_command_with_names_that_are_not_text(tree: Path) -> None:
    units = tree.parent / "units"
    write(units, "swa-dev", {"f\n\x1b[31m": F, "g": G})
    with open(os.fsencode(units) + b"/units-\xff-dev.jsonl", "wb"):
        pass
    done = run(tree.parent, "data", "units")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    assert json.loads(run(tree.parent, "data", "units", "--json").stdout)["n_errors"] == 3


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_paths_that_cannot_be(path: str) -> None:
    with pytest.raises(DatasetError, match="cannot be"):
        validate_dataset_structure(path)


@pytest.mark.parametrize(
    "verb",
    [
        "validate",
        "prepare",
        "prepare download",
        "prepare commonvoice",
        "plot",
        "plot heatmap",
        "plot segmentation",
        "textgrid",
        "leaderboard",
    ],
)
def test_help_loads_no_numeric_library(verb: str) -> None:
    code = "import sys, discophon.cli as c; c.main([*sys.argv[1:], '--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *verb.split()], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"usage: discophon {verb}")
    assert not {"numpy", "scipy", "polars", "joblib", "matplotlib", "soundfile", "praatio"} & set(done.stderr.split())
