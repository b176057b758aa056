"""Data sets: tables, iteration, references in their order, paths, and what is wrong with files."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathbench_twin as twin
from pathbench import Dataset, InputError, UsageError
from pathbench.dataset import parse_data_root, resolve
from pathbench.text import clean_text
from pathbench_golden import DATA
from speechio import FormatError

if TYPE_CHECKING:
    from pathlib import Path

MINI = DATA / "minidata" / "mini" / "pathological" / "word" / "balanced"


def make(folder: Path, **files: str) -> Path:
    """Write a data set; ``wav_scp`` stands for ``wav.scp``, and ``/`` for the end of a line."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        lines = "".join(f"{line.strip()}\n" for line in content.split(" / "))
        (folder / name.replace("_scp", ".scp")).write_text(lines, encoding="utf-8")
    return folder


def control(folder: Path) -> Path:
    return make(
        folder,
        wav_scp="k1-b k1b.wav / k2-b k2b.wav / k3-b k3b.wav / k1-s k1s.wav / k4-b k4b.wav",
        text="k3-b Blue / k1-b blue! / k2-b BLUE / k4-b blue / k1-s seven / k9-b blue",
        utt2spk="k1-b k1 / k1-s k1 / k2-b k2 / k3-b k3 / k9-b k1",
        spk2gender="k1 f / k2 m / k3 f",
    )


def patients(folder: Path) -> Path:
    return make(
        folder,
        wav_scp="p1-b p1b.wav / p2-b p2b.wav / p1-c p1c.wav / p3-b p3b.wav / p0-b p0b.wav",
        text="p1-b blue / p2-b Blue. / p1-c blue / p3-b blue / p0-b blue",
        utt2spk="p1-b p1 / p1-c p1 / p2-b p2 / p3-b p3",
        spk2gender="p1 f / p2 m",
        language="en",
    )


def names(references: list[Any] | None) -> list[str]:
    return [os.path.basename(place[0])[:-4] for place in references or []]


@pytest.mark.parametrize("kind", ["control", "all"])
@pytest.mark.parametrize("key", ["minidata/datasets/mini/pathological/word/balanced"])
def test_golden_numbers_of_references(kind: Any, key: str) -> None:
    expected = json.loads((DATA / "minidata.json").read_text(encoding="utf-8"))[key]
    reference = str(MINI).replace("pathological", "control")
    found = {item[0]: len(item[3] or []) for item in Dataset(MINI, True, reference, kind)}
    assert set(expected["reference"]) <= set(found)
    for utt_id, n_references in found.items():
        assert n_references == expected["reference"].get(utt_id, {}).get(f"n_refs_{kind}", 0)
    assert sum(found.values()) > 30


def test_golden_tables() -> None:
    found = Dataset(MINI)
    assert found.language == "en-us"
    assert len(found) == len(list(found)) == len(found.get_utterances()) == 20
    assert found.utt2score["P01_blue"] == 5.0
    assert found.spk2score["P01"] == 4.5
    assert math.isnan(found.spk2score["P06"])
    assert all(item[3] is None and item[4:] == (0.0, -1.0) for item in found)


def test_iteration_without_segments(tmp_path: Path) -> None:
    found = list(Dataset(make(tmp_path, wav_scp="b x y.wav / a /z/a.wav", text="a one two", language="nl")))
    lost = str(tmp_path / "x y.wav")
    assert found == [("b", lost, "", None, 0.0, -1.0), ("a", "/z/a.wav", "one two", None, 0.0, -1.0)]


def test_iteration_with_segments(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = make(
        tmp_path, wav_scp="r1 /z/r1.wav / r2 /z/r2.wav", segments="u2 r2 0.5 1.25 / u1 r1 0 -1 / u3 r9 0 1",
        text="u1 one", language="zh",
    )  # fmt: skip
    dataset = Dataset(folder)
    assert dataset.language == "cmn"
    assert dataset.get_utterances() == ["u2", "u1", "u3"]
    found = list(dataset)
    assert found == [("u2", "/z/r2.wav", "", None, 0.5, 1.25), ("u1", "/z/r1.wav", "one", None, 0.0, -1.0)]
    assert len(dataset) == 2
    assert "1 utterances have no recording in wav.scp: u3" in caplog.text
    assert dataset.place("u9") is None


def test_control_references_have_the_same_gender_and_the_order_of_text(tmp_path: Path) -> None:
    dataset = Dataset(patients(tmp_path / "p"), True, control(tmp_path / "k"), "control")
    found = {item[0]: names(item[3]) for item in dataset}
    assert found == {"p1-b": ["k3b", "k1b"], "p2-b": ["k2b"], "p1-c": ["k3b", "k1b"], "p3-b": [], "p0-b": []}


def test_all_references_begin_with_the_data_set_itself(tmp_path: Path) -> None:
    dataset = Dataset(patients(tmp_path / "p"), True, control(tmp_path / "k"), "all")
    found = {item[0]: names(item[3]) for item in dataset}
    others = ["k3b", "k1b", "k2b", "k4b"]
    assert found["p1-b"] == ["p2b", "p3b", "p0b", *others]
    assert found["p2-b"] == ["p1b", "p1c", "p3b", "p0b", *others]
    assert found["p0-b"] == ["p1b", "p2b", "p1c", "p3b", *others]  # without a speaker: all but itself


def test_references_of_segments_carry_their_times(tmp_path: Path) -> None:
    reference = make(
        tmp_path / "k", wav_scp="r /z/r.wav", segments="k1 r 1 2 / k2 r 2.5 -1", text="k1 a / k2 a / k3 a",
        utt2spk="k1 k / k2 k", spk2gender="k f",
    )  # fmt: skip
    test = make(tmp_path / "p", wav_scp="u /z/u.wav", text="u A!", utt2spk="u s", spk2gender="s f", language="en")
    assert Dataset(test, True, reference).references("u") == [("/z/r.wav", 1.0, 2.0), ("/z/r.wav", 2.5, -1.0)]


def test_custom_references(tmp_path: Path) -> None:
    dataset = Dataset(patients(tmp_path), True, reference_type="custom", reference_mapping={"p1-b": ["x.wav", "y.wav"]})
    found = {item[0]: item[3] for item in dataset}
    assert found["p1-b"] == [("x.wav", 0.0, -1.0), ("y.wav", 0.0, -1.0)]
    assert found["p2-b"] == []


def test_no_references(tmp_path: Path) -> None:
    assert [item[3] for item in Dataset(patients(tmp_path), True, reference_type="none")] == [[]] * 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"reference_type": "control"}, "needs a reference_path"),
        ({"reference_type": "all"}, "needs a reference_path"),
        ({"reference_type": "custom"}, "needs a reference_mapping"),
        ({"reference_type": "some"}, "must be one of control, all, custom, none"),
    ],
)
def test_reference_types_want_what_they_need(tmp_path: Path, options: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Dataset(patients(tmp_path), True, **options)
    with pytest.raises(ValueError, match=words):
        Dataset(tmp_path, True, **options)


tables = st.fixed_dictionaries(
    {
        "text": st.dictionaries(st.sampled_from([f"u{n}" for n in range(8)]), st.sampled_from(["a", "A!", "b", ""])),
        "utt2spk": st.dictionaries(st.sampled_from([f"u{n}" for n in range(8)]), st.sampled_from("xyz")),
        "spk2gender": st.dictionaries(st.sampled_from("xyz"), st.sampled_from("fm")),
    }
)


@given(own=tables, other=tables, kind=st.sampled_from(["control", "all"]))
def test_slow_twin_of_references(
    tmp_path_factory: pytest.TempPathFactory, own: dict[str, Any], other: dict[str, Any], kind: Any
) -> None:
    folders = []
    for name, content in (("own", own), ("other", other)):
        content["wav.scp"] = {utt: f"/{name}/{utt}.wav" for utt in ("u0", "u1", "u2", "u3", "u4", "u5")}
        folders.append(tmp_path_factory.mktemp(name))
        for file, table in content.items():
            (folders[-1] / file).write_text("".join(f"{key} {value}\n" for key, value in table.items()))
    dataset = Dataset(folders[0], True, folders[1], kind)
    for utt in own["wav.scp"]:
        want = twin.references(utt, kind, own, other, clean_text)
        assert [place[0] for place in dataset.references(utt)] == want


def test_all_files_are_optional(tmp_path: Path) -> None:
    dataset = Dataset(tmp_path)
    assert list(dataset) == []
    assert dataset.language == "en-us"
    assert dataset.lacking("text") == "there is no text"
    (tmp_path / "text").write_text("", encoding="utf-8")
    assert Dataset(tmp_path).lacking("text") == "text is empty"


def test_a_missing_folder_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        Dataset(tmp_path / "lost")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is no folder"):
        Dataset(tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        Dataset(patients(tmp_path / "p"), True, tmp_path / "lost")


@pytest.mark.parametrize(
    ("file", "content", "where"),
    [
        ("segments", "u r 0", "segments:1"),
        ("segments", "u r 2 1", "segments:1"),
        ("utt2spk", "u s / v", "utt2spk:2"),
        ("spk2score", "s 1 2", "spk2score:1"),
        ("spk2score", "s n/a", "spk2score:1"),
        ("spk2age", "s 1 / t nan", "spk2age:2"),
        ("text", "u one / u two", "text:2"),
        ("wav_scp", "u", "wav.scp:1"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, file: str, content: str, where: str) -> None:
    with pytest.raises(FormatError, match=where):
        Dataset(make(tmp_path, **{file: content}))


def test_a_channel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"segments:2: u2 has a channel"):
        Dataset(make(tmp_path, wav_scp="r r.wav", segments="u1 r 0 1 / u2 r 1 2 0"))


def test_blank_lines_and_missing_values(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "spk2score").write_text("a 1\n\n  \nb N/A\nc -2.5\n\n")
    found = Dataset(tmp_path).spk2score
    assert list(found) == ["a", "b", "c"]
    assert math.isnan(found["b"])
    assert found["c"] == -2.5
    assert "spk2score: 1 of 3 values are N/A: b" in caplog.text
    assert "there is no file language; en is taken" in caplog.text


@pytest.mark.parametrize(("code", "want"), [("en", "en-us"), ("nl", "nl"), ("zh", "cmn"), ("EN", "en-us"), ("q", "q")])
def test_language(tmp_path: Path, code: str, want: str) -> None:
    assert Dataset(make(tmp_path, language=code)).language == want


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "beside.wav").touch()
    (tmp_path / "here.wav").touch()
    monkeypatch.chdir(tmp_path)
    folder = str(tmp_path / "set")
    assert resolve("here.wav", folder) == "here.wav"
    assert resolve("beside.wav", folder) == os.path.join(folder, "beside.wav")
    assert resolve("lost.wav", folder) == os.path.join(folder, "lost.wav")  # a message tells whose it is
    assert resolve("/abs/a.wav", folder) == "/abs/a.wav"
    assert resolve("sox here.wav - |", folder, "/data") == "sox here.wav - |"


def test_where_the_data_are() -> None:
    assert resolve("a/b.wav", "set", "/data") == "/data/a/b.wav"
    assert resolve("/abs/b.wav", "set", "/data") == "/abs/b.wav"
    mapping = {"/home/x": "/data", "/home/x/old": "/new"}
    assert resolve("/home/x/b.wav", "set", mapping) == "/data/b.wav"
    assert resolve("/home/x/old/b.wav", "set", mapping) == "/new/b.wav"  # the longest beginning counts
    assert resolve("/else/b.wav", "set", mapping) == "/else/b.wav"
    assert resolve("/home/xy/b.wav", "set", mapping) == "/home/xy/b.wav"  # whole folders only
    assert resolve("/home/x/older/b.wav", "set", mapping) == "/data/older/b.wav"
    assert resolve("/home/x/b.wav", "set", {"/home/x/": "/data/"}) == "/data/b.wav"
    assert resolve("/home/x/b.wav", "set", {"/": "/data"}) == "/data/home/x/b.wav"
    with pytest.raises(UsageError, match="empty beginning"):
        resolve("/home/x/b.wav", "set", {"": "/data"})
    assert parse_data_root("/home/x=/data") == {"/home/x": "/data"}
    assert parse_data_root("/data") == "/data"


def test_the_data_root_reaches_the_references(tmp_path: Path) -> None:
    dataset = Dataset(patients(tmp_path / "p"), True, control(tmp_path / "k"), "all", data_root="/d")
    assert {os.path.dirname(place[0]) for place in dataset.references("p1-b")} == {"/d"}


def test_cleaning_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(text: str) -> str:
        calls.append(text)
        return clean_text(text)

    monkeypatch.setattr("pathbench.dataset.clean_text", counted)
    dataset = Dataset(patients(tmp_path / "p"), True, control(tmp_path / "k"), "all")
    for _ in range(3):
        list(dataset)
    assert len(calls) == 5 + 6 + 3 * 5  # every text of both sets once, and each utterance looked up
