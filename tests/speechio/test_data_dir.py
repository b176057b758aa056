"""Data directories: whether the files agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from speechio import FormatError, InputError, Segment, check_path, read_data_dir

if TYPE_CHECKING:
    from pathlib import Path

GOOD = {
    "wav.scp": "r1 a.wav\nr2 b.wav\n",
    "segments": "s-1 r1 0 1\ns-2 r1 1 2\nt-1 r2 0 1\n",
    "text": "s-1 hello\ns-2\nt-1 yes\n",
    "utt2spk": "s-1 s\ns-2 s\nt-1 t\n",
    "spk2utt": "s s-1 s-2\nt t-1\n",
    "spk2gender": "s m\nt f\n",
    "utt2dur": "s-1 1\ns-2 1\nt-1 1\n",
    "reco2dur": "r1 2\nr2 1\n",
    "language": "en\n",
}


def make(folder: Path, **changes: str | None) -> Path:
    """Write the good directory with some files changed, or left out (None)."""
    for name, text in {**GOOD, **{name.replace("__", "."): text for name, text in changes.items()}}.items():
        if text is not None:
            (folder / name).write_text(text)
    return folder


def listed(folder: Path, *, kaldi: bool = False) -> list[tuple[str, int | None, str]]:
    return [(one.file.rpartition("/")[2], one.line, one.code) for one in check_path(folder, kaldi=kaldi)]


def test_a_good_directory(tmp_path: Path) -> None:
    data = read_data_dir(make(tmp_path))
    assert data.path == str(tmp_path)
    assert data.wav_scp is not None
    assert data.segments is not None
    assert data.segments[2] == Segment("t-1", "r2", 0.0, 1.0)
    assert list(data.segments.line) == [1, 2, 3]
    assert data.wav_scp["r1"].path == "a.wav"
    assert data.text == {"s-1": "hello", "s-2": "", "t-1": "yes"}
    assert data.spk2utt == {"s": ("s-1", "s-2"), "t": ("t-1",)}
    assert data.utterances == ("s-1", "s-2", "t-1")
    assert data.language == "en"
    assert sorted(data.tables) == ["reco2dur", "spk2gender", "utt2dur"]
    assert listed(tmp_path) == []
    assert listed(tmp_path, kaldi=True) == []


def test_utterances_without_utt2spk(tmp_path: Path) -> None:
    make(tmp_path, utt2spk=None, spk2utt=None, spk2gender=None)
    assert read_data_dir(tmp_path).utterances == ("s-1", "s-2", "t-1")
    (tmp_path / "segments").unlink()
    for name in ("text", "utt2dur"):
        (tmp_path / name).unlink()
    assert read_data_dir(tmp_path).utterances == ("r1", "r2")
    (tmp_path / "wav.scp").unlink()
    (tmp_path / "reco2dur").unlink()
    data = read_data_dir(tmp_path)
    assert (data.utterances, data.language, data.text, data.segments) == ((), "en", None, None)


def test_files_are_left_alone_that_are_not_known(tmp_path: Path) -> None:
    (make(tmp_path) / "wav.scp.bak").write_bytes(b"\xff\0")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "want", "words"),
    [
        ({"text": GOOD["text"] + "u-1 no\n"}, ("text", 4, "K031"), "the utterance u-1 is not in utt2spk"),
        ({"text": "s-1 a\n"}, ("text", None, "K031"), "text lacks 2 of 3 utterances of utt2spk: s-2, t-1"),
        ({"segments": "s-1 r1 0 1\ns-2 r1 1 2\n"}, ("segments", None, "K031"), "segments lacks 1 of 3 utterances"),
        ({"spk2utt": "s s-1\nt t-1\n"}, ("spk2utt", 1, "K032"), "the line of speaker s is not the inverse"),
        ({"spk2utt": "s s-1 s-2 x\nt t-1\n"}, ("spk2utt", 1, "K032"), "has beyond it x"),
        ({"spk2utt": "s s-1 s-2\n"}, ("spk2utt", None, "K032"), "spk2utt lacks 1 speakers of utt2spk: t"),
        ({"spk2gender": "s m\n"}, ("spk2gender", None, "K033"), "spk2gender lacks 1 of 2 speakers of utt2spk: t"),
        ({"spk2gender": "s m\nt f\nu f\n"}, ("spk2gender", 3, "K033"), "the speaker u is not in utt2spk"),
        ({"wav__scp": "r1 a.wav\n", "reco2dur": None}, ("segments", 3, "K034"), "the recording r2, which is not in"),
        ({"reco2dur": "r1 2\n"}, ("reco2dur", None, "K034"), "reco2dur lacks 1 of 2 recordings of wav.scp: r2"),
        ({"wav__scp": None, "reco2dur": None}, ("segments", None, "K035"), "there are segments but no wav.scp"),
        ({"language": "en us\n"}, ("language", None, "K019"), "2 words"),
        ({"utt2dur": "s-1 1\ns-2 x\nt-1 1\n"}, ("utt2dur", 2, "K018"), "the duration of s-2 is 'x'"),
    ],
)
def test_what_does_not_agree(
    tmp_path: Path, changes: dict[str, str | None], want: tuple[str, int | None, str], words: str
) -> None:
    make(tmp_path, **changes)
    problems = [one for one in check_path(tmp_path) if one.severity == "error"]
    assert [(one.file, one.line, one.code) for one in problems] == [(str(tmp_path / want[0]), want[1], want[2])]
    assert words in problems[0].message
    with pytest.raises(FormatError, match=want[2]) as caught:
        read_data_dir(tmp_path)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / want[0]), want[1])


def test_without_segments_recordings_are_utterances(tmp_path: Path) -> None:
    make(tmp_path, segments=None, reco2dur=None)
    assert listed(tmp_path)[0] == ("wav.scp", None, "K031")


def test_speakers_of_spk2utt_where_there_is_no_utt2spk(tmp_path: Path) -> None:
    make(tmp_path, utt2spk=None, spk2gender="s m\nt f\nu m\n")
    assert listed(tmp_path) == [("spk2gender", 3, "K033"), ("utt2spk", None, "K138")]


def test_faulty_lines_make_no_further_noise(tmp_path: Path) -> None:
    make(tmp_path, utt2spk="s-1 s\ns-2 s x\nt-1 t\n")
    assert listed(tmp_path) == [("utt2spk", 2, "K014")]
    (tmp_path / "text").write_text("s-1 hello\nt-1 yes\n")
    assert listed(tmp_path) == [("utt2spk", 2, "K014")]


@pytest.mark.parametrize(
    ("changes", "want"),
    [
        # The only line of a speaker is wrong: its words are no speakers that nobody has.
        ({"utt2spk": "s-1 s\ns-2 s\nt-1 t x\n"}, [("utt2spk", 3, "K014")]),
        ({"utt2spk": "s-1 s\ns-2 s\nt-1\n"}, [("utt2spk", 3, "K014")]),
        ({"utt2spk": "s-1 s\ns-2 s\nt-1\u00a0t\n"}, [("utt2spk", 3, "S004")]),
        ({"utt2spk": "s-1 s\ns-2 s\nt-1 t\nt-1 u\n", "spk2gender": "s m\nt f\nu f\n"}, [("utt2spk", 4, "S002")]),
        # The same the other way round, and for utterances and recordings.
        ({"spk2gender": "s m\nt\u00a0f\n"}, [("spk2gender", 2, "S004")]),
        ({"text": "s-1 hello\ns-2\nt-1\u00a0yes\n"}, [("text", 3, "S004")]),
        ({"wav__scp": "r1 a.wav\nr2\u3000b.wav\n"}, [("wav.scp", 2, "S004")]),
        ({"spk2utt": "s s-1 s-2\nt\u00a0t-1\n"}, [("spk2utt", 2, "S004")]),
        # What is wrong beside it is told all the same.
        (
            {"utt2spk": "s-1 s\ns-2 s\nt-1 t x\n", "spk2gender": "s m\nt f\nu f\n"},
            [("spk2gender", 3, "K033"), ("utt2spk", 3, "K014")],
        ),
    ],
)
def test_what_a_faulty_line_may_mean_is_not_told_again(
    tmp_path: Path, changes: dict[str, str | None], want: list[tuple[str, int, str]]
) -> None:
    make(tmp_path, **changes)
    assert [one for one in listed(tmp_path) if one[2][1] == "0"] == want


def test_a_file_that_ends_early_is_not_compared(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "utt2spk").write_bytes(b"s-1 s\ns-2 \xff\nt-1 t\n")
    assert listed(tmp_path) == [("utt2spk", 2, "T001")]


def test_missing_ids_are_summarised(tmp_path: Path) -> None:
    utterances = [f"s-{i}" for i in range(9)]
    (tmp_path / "utt2spk").write_text("".join(f"{utt} s\n" for utt in utterances))
    (tmp_path / "text").write_text("s-8 x\n")
    (problem,) = [one for one in check_path(tmp_path) if one.code == "K031"]
    assert problem.message == "text lacks 8 of 9 utterances of utt2spk: s-0, s-1, s-2, s-3, s-4, …"


def test_odd_directories(tmp_path: Path) -> None:
    make(tmp_path, utt2spk="s-1 z\ns-2 z\nt-1 a\n", spk2utt=None, spk2gender=None)
    assert listed(tmp_path) == [("spk2utt", None, "K138"), ("utt2spk", 3, "K136")]
    assert [one.severity for one in check_path(tmp_path, kaldi=True)] == ["warning", "error"]


def test_empty_files_are_told(tmp_path: Path) -> None:
    make(tmp_path, utt2spk="", spk2utt="", text="", segments="", spk2gender="", utt2dur="")
    assert {code for _, _, code in listed(tmp_path)} == {"T110"}


def test_kaldi_wants_a_segment_of_every_recording(tmp_path: Path) -> None:
    make(tmp_path, wav__scp=GOOD["wav.scp"] + "r3 c.wav\n", reco2dur=None)
    assert listed(tmp_path) == []
    assert listed(tmp_path, kaldi=True) == [("wav.scp", 3, "K034")]
    make(tmp_path, segments=GOOD["segments"].replace("t-1 r2 0", "t-1 r2 x"))
    assert listed(tmp_path, kaldi=True) == [("segments", 3, "K012")]


def test_checks_of_durations_and_files_reach_into_directories(tmp_path: Path) -> None:
    make(tmp_path)
    problems = check_path(tmp_path, durations={"r1": 1.5, "r2": 1.0}, exists=True)
    assert [(one.line, one.code) for one in problems] == [(2, "K141"), (1, "K140"), (2, "K140")]


def test_what_is_no_data_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without any file of a Kaldi data directory"):
        read_data_dir(tmp_path)
    with pytest.raises(InputError, match="is no directory that can be read"):
        read_data_dir(tmp_path / "absent")
    (tmp_path / "text").mkdir()
    with pytest.raises(InputError, match="is a directory; a file is wanted"):
        read_data_dir(tmp_path)
