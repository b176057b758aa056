"""Reading sound: parts, channels, rates, formats, failures, and the cache."""

from __future__ import annotations

import errno
import os
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile
import soxr  # type: ignore[import-untyped]

from pathbench import CPPEvaluator, ESTOIEvaluator
from pathbench.audio import (
    AudioCache,
    Recording,
    identify,
    is_segment,
    load_audio,
    load_audios,
    read_audio,
)
from pathbench.integrity import check_dataset
from pathbench_golden import RATE, recording, tone, write

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path


def twin(path: str, start: float, end: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Decode everything, then cut, average and resample."""
    whole, rate = soundfile.read(path, dtype="float32", always_2d=True)
    first = int(start * rate)
    last = len(whole) if end < 0 else first + int((end - start) * rate)
    mono = np.mean(whole[first:last].T, axis=0)
    if rate == RATE:
        return mono  # type: ignore[no-any-return]
    found = soxr.resample(mono, rate, RATE, "soxr_hq")
    length = int(np.ceil(len(mono) * (RATE / rate)))
    return np.pad(found, (0, max(0, length - len(found))))[:length]


@pytest.mark.parametrize("name", ["en_8k", "en_44k1", "es_stereo", "BLUE_english32"])
@pytest.mark.parametrize("part", [(0.0, -1.0), (0.05, 0.1234), (0.1, -1.0), (0.0, 0.15), (0.1, 99.0), (0.1, -7.0)])
def test_samples_are_those_of_the_slow_way(name: str, part: tuple[float, float]) -> None:
    audio, fs = load_audio(recording(name), *part)
    assert fs == RATE
    assert audio is not None
    assert audio.dtype == np.float32
    np.testing.assert_array_equal(audio, twin(recording(name), *part))


@pytest.mark.parametrize("suffix", ["wav", "flac", "ogg", "mp3", "aiff"])
@pytest.mark.parametrize("rate", [11025, 22050, 48000])
def test_any_format_and_rate(tmp_path: Path, suffix: str, rate: int) -> None:
    path = write(tmp_path / f"buzz.{suffix}", tone(0.4, rate=rate), rate)
    audio, fs = load_audio(path)
    assert audio is not None
    assert fs == RATE
    n_decoded = soundfile.info(path).frames
    assert len(audio) == int(np.ceil(n_decoded * (RATE / rate)))
    spectrum = np.abs(np.fft.rfft(audio[1000:5000]))
    assert abs(np.argmax(spectrum) * RATE / 4000 - 150.0) <= 4.0


def test_own_rate_and_all_channels() -> None:
    found = read_audio(recording("es_stereo"), rate=None, dtype="float64", mono=False)
    whole, rate = soundfile.read(recording("es_stereo"))
    assert found.audio is not None
    assert found.fs == rate
    assert found.audio.dtype == np.float64
    np.testing.assert_array_equal(found.audio, whole.T)
    assert found.duration == len(whole) / rate


def test_channels_are_resampled_each(tmp_path: Path) -> None:
    left, right = tone(0.3, 150, 8000), tone(0.3, 220, 8000)
    path = write(tmp_path / "two.wav", np.stack([left, right], axis=1), 8000)
    both, mixed = read_audio(path, mono=False).audio, read_audio(path).audio
    assert both is not None
    assert mixed is not None
    assert both.shape == (2, 4800)
    np.testing.assert_allclose(both.mean(axis=0), mixed, atol=1e-6)


def test_samples_cannot_be_written_to() -> None:
    audio, _ = load_audio(recording("en_8k"))
    assert audio is not None
    with pytest.raises(ValueError, match="read-only"):
        audio[0] = 1.0


@pytest.mark.parametrize(
    ("make", "reason", "words"),
    [
        (lambda _: None, "load_error", "no such file"),
        (lambda p: p.mkdir(), "load_error", "is a directory; a file is wanted"),
        (lambda p: p.write_bytes(b""), "load_error", "has 0 bytes"),
        (lambda p: p.write_bytes(b"RIFF" + bytes(100)), "load_error", "cannot be decoded"),
        (lambda p: p.write_text("no sound"), "load_error", "cannot be decoded"),
        (lambda p: os.mkfifo(p), "load_error", "is not a regular file"),
        (lambda p: soundfile.write(p, np.empty(0), RATE), "empty_audio", "has no samples"),
        (lambda p: soundfile.write(p, np.full(9, np.nan), RATE, subtype="FLOAT"), "load_error", "not finite"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_has_a_reason(tmp_path: Path, make: object, reason: str, words: str) -> None:
    path = tmp_path / "x.wav"
    make(path)  # type: ignore[operator]
    found = read_audio(path)
    assert (found.audio, found.fs, found.reason) == (None, 0, reason)
    assert words in found.message
    assert str(path) not in found.message  # whoever tells of it names the file
    assert found.duration == 0.0
    assert load_audio(path) == (None, None)


def test_bytes_that_are_no_mp3_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    path.write_bytes(np.random.default_rng(0).bytes(5000))
    assert read_audio(path).fault[1:] == ("load_error", {"message": "cannot be decoded as MP3"})


def test_a_fault_of_ours_is_no_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    soundfile.write(tmp_path / "a.wav", np.full(8000, 0.1), 8000)
    monkeypatch.setattr("pathbench.audio._resample", lambda: None)
    with pytest.raises(TypeError):
        read_audio(tmp_path / "a.wav")


@pytest.mark.parametrize("name", ["a.raw", "b.RAW"])
def test_a_name_for_raw_samples_is_no_recording(name: str, tmp_path: Path) -> None:
    good = tmp_path / "a.wav"
    soundfile.write(good, np.full(RATE, 0.1), RATE)
    path = tmp_path / name
    path.write_bytes(good.read_bytes())
    found = read_audio(path)
    assert found.reason == "load_error"
    assert found.message.startswith("cannot be decoded: the name ends in .raw")
    assert load_audio(path) == (None, None)
    assert CPPEvaluator().score_detail("u", path).reason == "load_error"
    references = [(str(path), 0.0, -1.0), (str(good), 0.0, -1.0)]
    detail = ESTOIEvaluator().score_detail("u", recording("en_8k"), references)
    assert detail.reason == "few_references"  # the other one is left out, with a note
    (tmp_path / "wav.scp").write_text(f"r {path}\n", encoding="utf-8")
    [problem] = [one for one in check_dataset(tmp_path) if one.code == "PB01"]
    assert "cannot be decoded" in problem.message


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        (9.0, -1.0, "empty_audio"),
        (9.0, 10.0, "empty_audio"),
        (0.1, 0.1, "empty_audio"),
        (0.2, 0.1, "empty_audio"),
        (0.1, 0.10001, "empty_audio"),
        (-0.5, 0.1, "load_error"),
        (float("nan"), -1.0, "load_error"),
        (0.1, float("nan"), "load_error"),
        (float("inf"), -1.0, "load_error"),
    ],
)
def test_parts_without_samples(start: float, end: float, reason: str) -> None:
    assert read_audio(recording("BLUE_english32"), start, end).reason == reason


@pytest.mark.parametrize(("rate", "is_read"), [(1, False), (999, False), (1000, True), (192_000, True)])
def test_rates_that_are_none_are_refused(tmp_path: Path, rate: int, is_read: bool) -> None:
    path = write(tmp_path / "x.wav", np.zeros(2000), rate)
    for wanted in (RATE, None):
        found = read_audio(path, rate=wanted)
        assert (found.reason is None) is is_read
        assert is_read or found.message == f"has {rate} samples per second, which is no rate of sound (1000 to 1000000)"


def test_too_little_memory_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("std::bad_alloc")

    path = write(tmp_path / "x.wav", tone(0.1), 8000)
    monkeypatch.setattr("soxr.resample", fail)
    found = read_audio(path, cache=None)
    assert (found.reason, found.message) == ("load_error", "does not fit into memory")


def test_what_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    path = tmp_path / "x.wav"
    path.write_text("no sound")
    monkeypatch.setattr("builtins.open", refuse)
    found = read_audio(path, cache=None)
    monkeypatch.undo()
    assert found.message == "cannot be read: Permission denied"
    path.rename(tmp_path / "a: b.wav")
    assert read_audio(tmp_path / "a: b.wav").message == "cannot be decoded: Format not recognised."


def test_commands_are_never_run(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    found = read_audio(f"touch {witness} |")
    assert found.reason == "load_error"
    assert "command" in found.message
    assert not witness.exists()


def test_a_name_with_a_nul_is_no_file() -> None:
    assert read_audio("a\0b.wav").reason == "load_error"


def test_failures_are_dropped_from_lists() -> None:
    places = [(recording("en_8k"), 0.0, 0.5), ("lost.wav", 0.0, -1.0), (recording("empty"), 0.0, -1.0)]
    assert [(len(audio), fs) for audio, fs in load_audios(places)] == [(8000, RATE)]


@pytest.mark.parametrize(
    ("start", "end", "answer"), [(0.0, -1.0, False), (0.0, -3.0, False), (0.0, 1.0, True), (0.5, -1.0, True)]
)
def test_what_is_a_segment(start: float, end: float, answer: bool) -> None:
    assert is_segment(start, end) is answer


def test_a_recording_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.wav", tone(0.1))
    cache: dict[Hashable, Recording] = {}
    first, _ = load_audio(path, cache=cache)
    again, _ = load_audio(path, 0.0, -5.0, cache=cache)
    assert again is first
    assert load_audio(path, 0.01, -1.0, cache=cache)[0] is not first
    assert len(cache) == 2
    assert load_audio(path)[0] is not first


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "a.wav", tone(0.1))
    before = read_audio(path)
    write(tmp_path / "a.wav", tone(0.2))
    os.utime(path, ns=(1, 1))
    after = read_audio(path)
    assert (before.duration, after.duration) == (0.1, 0.2)
    assert identify(path, 0.0, -1.0) == (path, 1, os.path.getsize(path), 0.0, -1.0)


def test_the_cache_goes_by_bytes_of_samples() -> None:
    cache = AudioCache(max_bytes=8000)
    for name in "abc":
        cache[name] = Recording(np.zeros(500, np.float32), RATE)
    cache["d"] = Recording(None, 0, "load_error")
    assert list(cache) == ["b", "c", "d"]
    assert pickle.loads(pickle.dumps(cache)).max_bytes == 8000


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"\xff.wav")
    with open(path, "wb") as stream:
        soundfile.write(stream, np.full(800, 0.25), 16000, format="WAV", subtype="FLOAT")
    recording = read_audio(os.fsdecode(path))
    assert (recording.reason, len(recording.audio if recording.audio is not None else [])) == (None, 800)
