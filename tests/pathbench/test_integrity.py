"""What is wrong with a data set, all of it: tables, recordings, durations, hashes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pathbench import dataset as module
from pathbench.errors import MissingDatasetError
from pathbench.integrity import CODES, HASHES, check_dataset, write_hashes
from pathbench_golden import tone, write

if TYPE_CHECKING:
    from pathlib import Path

    from speechio.errors import Problem

FILES = {
    "wav.scp": "u1 {0}/a.wav\nu2 {0}/b.wav\n",
    "text": "u1 one\nu2 two\n",
    "utt2spk": "u1 s1\nu2 s2\n",
    "spk2score": "s1 1\ns2 2.5\n",
    "spk2gender": "s1 f\ns2 m\n",
    "language": "en\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a data set that is in order."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content.format(tmp_path))
    write(tmp_path / "a.wav", tone(0.5))
    write(tmp_path / "b.wav", tone(0.25))
    return tmp_path


def brief(problems: list[Problem]) -> list[tuple[str, str, int | None]]:
    return [(problem.code, problem.file.rpartition("/")[2], problem.line) for problem in problems]


def test_nothing_is_wrong(folder: Path) -> None:
    assert check_dataset(folder) == []
    assert module.check(folder) == []


@pytest.mark.parametrize(
    ("file", "content", "wanted", "words"),
    [
        ("utt2spk", "u1 s1\n", ("PB04", "wav.scp", 2), "the utterance u2 has no speaker in utt2spk"),
        ("text", "u1 one\n", ("PB05", "wav.scp", 2), "the utterance u2 has no transcription in text"),
        ("text", "u1 one\nu2\n", ("PB05", "text", 2), "the transcription of u2 is empty"),
        ("spk2score", "s1 1\n", ("PB06", "spk2score", None), "the speaker s2 has no score"),
        ("spk2score", "s1 1\ns2 N/A\n", ("PB06", "spk2score", 2), "the speaker s2 has no score (N/A)"),
        ("spk2gender", "s1 f\n", ("PB07", "spk2gender", None), "the speaker s2 has no gender"),
        ("wav.scp", "u1 {0}/a.wav\nu2 {0}/lost.wav\n", ("PB01", "wav.scp", 2), "lost.wav: no such file"),
        ("wav.scp", "u1 {0}/a.wav\nu2 {0}\n", ("PB01", "wav.scp", 2), "is a directory"),
        ("wav.scp", "u1 {0}/a.wav\nu2 cat {0}/b.wav |\n", ("PB01", "wav.scp", 2), "is a command, which is never run"),
        ("spk2score", "s1 one\ns2 2\n", ("K015", "spk2score", 1), "one"),
        ("utt2spk", "u1 s1\nu2 s2\nu2 s2\n", ("S002", "utt2spk", 3), "on line 2 already"),
    ],
)
def test_one_thing_is_wrong(
    folder: Path, file: str, content: str, wanted: tuple[str, str, int | None], words: str
) -> None:
    (folder / file).write_text(content.format(folder))
    found = check_dataset(folder)
    assert wanted in brief(found)
    message = next(problem.message for problem in found if brief([problem]) == [wanted])
    assert words in message


@pytest.mark.parametrize("file", ["wav.scp", "utt2spk", "spk2score", "text", "language"])
def test_a_file_is_missing(folder: Path, file: str) -> None:
    (folder / file).unlink()
    found = [problem for problem in check_dataset(folder) if problem.code == "PB08"]
    assert brief(found) == [("PB08", file, None)]
    assert found[0].severity == ("error" if file == "wav.scp" else "warning")


def test_recordings_that_hold_no_sound(folder: Path) -> None:
    (folder / "a.wav").write_bytes(b"")
    write(folder / "b.wav", np.empty(0))
    found = check_dataset(folder)
    assert [problem.message.rpartition("wav: ")[2] for problem in found] == ["has 0 bytes", "has no samples"]
    (folder / "a.wav").write_text("no sound at all")
    assert "cannot be decoded" in check_dataset(folder)[0].message


@pytest.mark.parametrize(
    ("segments", "is_wrong"),
    [
        ("u1 r 0 0.5\nu2 r 0.1 -1\n", False),
        ("u1 r 0 0.5005\nu2 r 0.1 0.2\n", False),  # times are rounded
        ("u1 r 0 0.51\nu2 r 0.1 0.2\n", True),
        ("u1 r 0.5 -1\nu2 r 0.1 0.2\n", True),
    ],
)
def test_segments_and_durations(folder: Path, segments: str, is_wrong: bool) -> None:
    (folder / "wav.scp").write_text(f"r {folder}/a.wav\n")
    (folder / "segments").write_text(segments)
    found = [problem for problem in check_dataset(folder) if problem.code.startswith("PB")]
    assert brief(found) == ([("PB02", "segments", 1)] if is_wrong else [])


def test_a_channel_is_wrong(folder: Path) -> None:
    (folder / "wav.scp").write_text(f"r {folder}/a.wav\n")
    (folder / "segments").write_text("u1 r 0 0.2 0\nu2 r 0.2 0.4\n")
    assert ("PB03", "segments", 1) in brief(check_dataset(folder))


def test_hashes(folder: Path) -> None:
    assert write_hashes(folder) == []
    digests = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("a.wav", "b.wav")]
    assert (folder / HASHES).read_text() == f"u1 {digests[0]}\nu2 {digests[1]}\n"
    assert check_dataset(folder) == []
    write(folder / "b.wav", tone(0.3))
    found = check_dataset(folder)
    assert brief(found) == [("PB09", HASHES, None)]
    assert "b.wav, is not the one that was hashed" in found[0].message
    assert write_hashes(folder) == []
    assert check_dataset(folder) == []


def test_hashes_of_recordings_that_cannot_be_read(folder: Path) -> None:
    (folder / "wav.scp").write_text(f"u2 {folder}/b.wav\nu1 {folder}/lost.wav\n")
    assert brief(write_hashes(folder)) == [("PB01", "wav.scp", 2)]
    assert (folder / HASHES).read_text().split()[0] == "u2"
    (folder / HASHES).write_text("u9 abc\nu1 abc\n")
    found = [problem.message for problem in check_dataset(folder) if problem.code == "PB09"]
    assert found == ["u9 has a hash and is not in wav.scp"]
    (folder / HASHES).write_text("u9 abc\nu9 abc\n")
    assert ("S002", HASHES, 2) in brief(check_dataset(folder))


@pytest.mark.parametrize(
    ("content", "wanted", "kept"),
    [
        ("u1 {0}/a.wav\nu2\n", ("S005", "wav.scp", 2), ["u1"]),
        ("u1 {0}/a.wav\nu2 {0}/b.wav\nu2 {0}/a.wav\n", ("S002", "wav.scp", 3), ["u1", "u2"]),
    ],
)
def test_writing_hashes_tells_what_is_wrong_with_the_list(
    folder: Path, content: str, wanted: tuple[str, str, int], kept: list[str]
) -> None:
    (folder / "wav.scp").write_text(content.format(folder))
    (folder / "text").write_text("u1\nu1\n")  # of no concern here
    found = write_hashes(folder)
    assert [(problem.severity, *one) for problem, one in zip(found, brief(found), strict=True)] == [("error", *wanted)]
    assert [line.split()[0] for line in (folder / HASHES).read_text().splitlines()] == kept


@pytest.mark.parametrize("content", [None, b"", b"u1 /nowhere/a.wav\n", b"\xff\xfeu\x001\x00"])
def test_hashes_are_not_replaced_by_fewer_than_can_be_made(folder: Path, content: bytes | None) -> None:
    write_hashes(folder)
    before = (folder / HASHES).read_text()
    (folder / "wav.scp").unlink()
    if content is not None:
        (folder / "wav.scp").write_bytes(content)
    assert write_hashes(folder)
    assert (folder / HASHES).read_text() == before


def test_recordings_without_a_hash_are_told(folder: Path) -> None:
    write_hashes(folder)
    first = (folder / HASHES).read_text().splitlines()[0]
    (folder / HASHES).write_text(f"{first}\n")
    found = check_dataset(folder)
    assert brief(found) == [("PB10", "wav.scp", 2)]
    assert found[0].severity == "warning"
    assert "u2 has no hash" in found[0].message


def test_a_rate_that_is_none_is_told(folder: Path) -> None:
    write(folder / "b.wav", tone(0.25), 1)
    assert brief(check_dataset(folder)) == [("PB01", "wav.scp", 2)]


def test_a_recording_named_twice_is_hashed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(path: str) -> str:
        calls.append(path)
        return "00"

    monkeypatch.setattr("pathbench.integrity.file_hash", counted)
    (folder / "wav.scp").write_text(f"u1 {folder}/a.wav\nu2 {folder}/a.wav\n")
    assert write_hashes(folder) == []
    assert calls == [f"{folder}/a.wav"]


def test_other_places(folder: Path, tmp_path: Path) -> None:
    (folder / "wav.scp").write_text("u1 /author/a.wav\nu2 /author/b.wav\n")
    assert [problem.code for problem in check_dataset(folder)] == ["PB01", "PB01"]
    assert check_dataset(folder, data_root={"/author": str(tmp_path)}) == []
    for look in (check_dataset, write_hashes):
        with pytest.raises(MissingDatasetError, match="no such folder"):
            look(folder / "lost")


def test_every_code_is_explained() -> None:
    assert list(CODES) == sorted(CODES)
    assert all(words for words in CODES.values())
