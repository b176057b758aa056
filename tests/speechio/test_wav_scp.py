"""wav.scp: kinds of locations, and opening them."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from speechio import (
    FormatError,
    InputError,
    UsageError,
    WavLocation,
    WriteError,
    check_path,
    iter_wav_scp,
    open_wav,
    read_wav_scp,
    write_wav_scp,
)

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    "wav/a.wav": WavLocation("r", "path", "wav/a.wav"),
    "with blank/a.wav": WavLocation("r", "path", "with blank/a.wav"),
    "C:\\sound\\a.wav": WavLocation("r", "path", "C:\\sound\\a.wav"),
    "https://host:8080": WavLocation("r", "path", "https://host:8080"),
    "sox a.wav -t wav - |": WavLocation("r", "pipe", command="sox a.wav -t wav -"),
    "a.wav |": WavLocation("r", "pipe", command="a.wav"),
    "a.ark:12": WavLocation("r", "ark", "a.ark", offset=12),
    "a.ark:0[0:9]": WavLocation("r", "ark", "a.ark", offset=0, range="[0:9]"),
    "b c.ark:7[0:9,2:3]": WavLocation("r", "ark", "b c.ark", offset=7, range="[0:9,2:3]"),
    "a.ark:x": WavLocation("r", "path", "a.ark:x"),
    "-": WavLocation("r", "stdin"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "wav.scp"


@pytest.mark.parametrize("text", sorted(KINDS))
def test_kinds_are_told_apart_and_written_back(file: Path, text: str) -> None:
    file.write_text(f"r {text}\n")
    assert read_wav_scp(file) == {"r": KINDS[text]}
    assert list(iter_wav_scp(file)) == [KINDS[text]]
    assert KINDS[text].location == text
    write_wav_scp(file, read_wav_scp(file))
    assert file.read_text() == f"r {text}\n"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "S005", "the location of r is empty"),
        ("|", "K022", "pipe to write to"),
        ("| gzip -c > a", "K022", "pipe to write to"),
        ("~/a.wav", "K021", "begins with ~"),
        ("~/bin/x a |", "K021", "begins with ~"),
    ],
)
def test_what_is_refused(file: Path, text: str, code: str, words: str) -> None:
    file.write_text(f"r {text}\n")
    with pytest.raises(FormatError, match=f":1: {code} ") as caught:
        read_wav_scp(file)
    assert words in str(caught.value)


def test_reading_runs_nothing(file: Path, tmp_path: Path) -> None:
    file.write_text(f"r touch {tmp_path}/ran |\n")
    read_wav_scp(file)
    check_path(file, exists=True)
    assert not (tmp_path / "ran").exists()


def test_writing_sorted_and_refusing(file: Path) -> None:
    write_wav_scp(file, [WavLocation("b", "stdin"), WavLocation("a", "path", "x.wav")], sort=True)
    assert file.read_text() == "a x.wav\nb -\n"
    with pytest.raises(WriteError, match="record 1: the location of a is empty"):
        write_wav_scp(file, [WavLocation("a", "path", "")])


@pytest.mark.parametrize(
    ("location", "words"),
    [
        (WavLocation("r", "path", "sox a.wav |"), "of kind path and would read back as pipe; remove the |"),
        (WavLocation("r", "path", "a.wav|"), "would read back as pipe"),
        (WavLocation("r", "path", "a.ark:123"), "would read back as ark; rename the file"),
        (WavLocation("r", "path", "a.ark:5[0:9]"), "would read back as ark"),
        (WavLocation("r", "path", "-"), "would read back as stdin; write ./- for a file of that name"),
        (WavLocation("r", "path", "a.wav "), "has the path 'a.wav ', which would read back as 'a.wav'"),
        (WavLocation("r", "path", " a.wav"), "has the path ' a.wav', which would read back as 'a.wav'"),
        (WavLocation("r", "path", "a.wav", offset=7), "has the offset 7, which would read back as None"),
        (WavLocation("r", "pipe", command="cat x "), "has the command 'cat x ', which would read back as 'cat x'"),
        (WavLocation("r", "pipe"), "has the command None, which would read back as 'None'"),
        (WavLocation("r", "ark", "a.ark"), "of kind ark and would read back as path"),
        (WavLocation("r", "ark", "a.ark", offset=-1), "of kind ark and would read back as path"),
        (WavLocation("r", "ark", "a.ark", offset=1, range="[x]"), "of kind ark and would read back as path"),
        (WavLocation("r", "path", "~/a.wav"), "begins with ~"),
        (WavLocation("r", "path", "| x"), "a pipe to write to"),
        (WavLocation("r", "path", "a\nb"), "line break"),
    ],
)
def test_a_location_that_would_read_back_as_another_is_not_written(
    file: Path, location: WavLocation, words: str
) -> None:
    with pytest.raises(WriteError, match="record 2: ") as caught:
        write_wav_scp(file, [WavLocation("q", "stdin"), location])
    assert words in str(caught.value)
    assert not file.exists()


def test_opening_paths_and_archives(tmp_path: Path) -> None:
    (tmp_path / "a.ark").write_bytes(b"0123456789")
    path = str(tmp_path / "a.ark")
    with open_wav(WavLocation("r", "path", path)) as stream:
        assert stream.read() == b"0123456789"
    with open_wav(WavLocation("r", "ark", path, offset=4)) as stream:
        assert stream.read() == b"456789"
    with pytest.raises(InputError, match="cannot be opened"):
        open_wav(WavLocation("r", "path", str(tmp_path / "absent")))


def test_opening_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"RIFF")))
    assert open_wav(WavLocation("r", "stdin")).read() == b"RIFF"


def test_a_pipe_runs_only_when_allowed(tmp_path: Path) -> None:
    location = WavLocation("r", "pipe", command=f"echo ran | tee {tmp_path}/ran")
    with pytest.raises(UsageError, match="r is a command"):
        open_wav(location)
    assert not (tmp_path / "ran").exists()
    assert open_wav(location, allow_pipes=True).read() == b"ran\n"
    assert (tmp_path / "ran").exists()
    with pytest.raises(InputError, match="failed with status 3: oh"):
        open_wav(WavLocation("r", "pipe", command="echo oh >&2; exit 3"), allow_pipes=True)
