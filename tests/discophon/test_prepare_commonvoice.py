"""Clips that become WAV files: rates, channels, what is left alone, what is missing, and whose part it is."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from discophon.errors import DatasetError, DiscophonError, FormatError, UsageError
from discophon.prepare import (
    MissingClipsError,
    array_part,
    missing_audio,
    needed_files,
    prepare_commonvoice_datasets,
)
from discophon.prepare.errors import AudioWriteError
from discophon.prepare.manifest import needed_samples
from discophon.prepare.sound import convert

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def tone(seconds: float, rate: int, frequency: float = 440.0) -> Any:
    return 0.5 * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)


def write_clip(path: Path, *, rate: int = 48000, seconds: float = 0.5, channels: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = tone(seconds, rate)
    soundfile.write(path, np.stack([samples] * channels, axis=1) if channels > 1 else samples, rate, format="MP3")


def write_manifest(root: Path, name: str, *file_ids: str, header: str = "fileid,num_samples") -> None:
    (root / "manifest").mkdir(parents=True, exist_ok=True)
    lines = [header, *(f"{file_id},8000" for file_id in file_ids)]
    (root / "manifest" / f"manifest-{name}.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A dataset with three Swahili clips that the manifests name, and one that they do not."""
    root = tmp_path / "data"
    write_manifest(root, "swa-dev", "b", "a")
    write_manifest(root, "swa-train-10min", "c", "a")
    write_manifest(root, "swa-test")
    write_manifest(root, "tam-dev", "z")
    for file_id in ("a", "b", "c", "other"):
        write_clip(root / "raw" / "sw" / "clips" / f"{file_id}.mp3")
    return root


def made(data: Path, code: str = "swa") -> list[str]:
    """List what is in the folder of audio, hidden files too."""
    folder = data / "audio" / code / "all"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_the_files_of_all_manifests_are_converted(data: Path) -> None:
    told: list[tuple[int, int]] = []
    prepare_commonvoice_datasets(data, "swahili", progress=lambda *figures: told.append(figures))
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert told == [(1, 3), (2, 3), (3, 3)]
    for name in made(data):
        info = soundfile.info(data / "audio" / "swa" / "all" / name)
        assert (info.samplerate, info.channels, info.format, info.subtype) == (16000, 1, "WAV", "PCM_16")


@pytest.mark.parametrize(("rate", "channels"), [(48000, 1), (44100, 1), (32000, 2), (16000, 1), (16000, 2), (8000, 1)])
def test_the_sound_is_the_same(tmp_path: Path, rate: int, channels: int) -> None:
    write_clip(tmp_path / "clip.mp3", rate=rate, seconds=1.0, channels=channels)
    decoded, _ = soundfile.read(tmp_path / "clip.mp3")
    assert convert(str(tmp_path / "clip.mp3"), str(tmp_path / "clip.wav")) == ""
    samples, found = soundfile.read(tmp_path / "clip.wav")
    assert found == 16000
    assert abs(len(samples) - len(decoded) * 16000 / rate) <= 1
    spectrum = np.abs(np.fft.rfft(samples[2000:-2000] * np.hanning(len(samples) - 4000)))
    peak = np.argmax(spectrum) * 16000 / (len(samples) - 4000)
    assert peak == pytest.approx(440, abs=2)
    assert np.abs(samples[2000:-2000]).max() == pytest.approx(np.abs(decoded[rate // 8 : -rate // 8]).max(), abs=0.01)


def test_what_is_there_is_left_alone(data: Path) -> None:
    target = data / "audio" / "swa" / "all"
    target.mkdir(parents=True)
    (target / "a.wav").write_bytes(b"mine")
    prepare_commonvoice_datasets(data, "swa")
    assert (target / "a.wav").read_bytes() == b"mine"
    before = {path: path.stat().st_mtime_ns for path in target.iterdir()}
    prepare_commonvoice_datasets(data, "swa")
    assert {path: path.stat().st_mtime_ns for path in target.iterdir()} == before


def test_processes_make_the_same_files(data: Path) -> None:
    prepare_commonvoice_datasets(data, "swa")
    one = {name: (data / "audio" / "swa" / "all" / name).read_bytes() for name in made(data)}
    for name in one:
        (data / "audio" / "swa" / "all" / name).unlink()
    prepare_commonvoice_datasets(data, "swa", jobs=2)
    assert {name: (data / "audio" / "swa" / "all" / name).read_bytes() for name in made(data)} == one


def test_missing_and_broken_clips_are_told_after_the_others_are_done(data: Path) -> None:
    clips = data / "raw" / "sw" / "clips"
    (clips / "a.mp3").unlink()
    (clips / "b.mp3").write_bytes(b"this is no sound at all")
    with pytest.raises(MissingClipsError) as caught:
        prepare_commonvoice_datasets(data, "swa")
    assert made(data) == ["c.wav"]
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, DiscophonError)
    assert (caught.value.language, caught.value.missing, list(caught.value.broken)) == ("swa", ["a"], ["b"])
    assert str(caught.value).startswith(
        "swa: 1 clips are missing: a; 1 clips are damaged: b (Format not recognised); the others"
    )
    write_clip(clips / "a.mp3")
    write_clip(clips / "b.mp3")
    prepare_commonvoice_datasets(data, "swa")
    assert made(data) == ["a.wav", "b.wav", "c.wav"]


def test_a_clip_that_is_shorter_than_the_manifest_says(data: Path) -> None:
    clip = data / "raw" / "sw" / "clips" / "b.mp3"
    clip.write_bytes(clip.read_bytes()[:2000])
    with pytest.raises(MissingClipsError, match=r"1 clips are damaged: b \(it is cut short: 0\.\d\d s of the 0\.50 s"):
        prepare_commonvoice_datasets(data, "swa")
    assert made(data) == ["a.wav", "c.wav"]


def test_a_long_list_of_missing_clips_is_cut() -> None:
    error = MissingClipsError("swa", [str(i) for i in range(12)])
    assert "12 clips are missing: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more; the others" in str(error)
    assert len(error.missing) == 12


def test_an_empty_clip(data: Path) -> None:
    soundfile.write(data / "raw" / "sw" / "clips" / "a.mp3", np.zeros(0), 48000, format="WAV")
    with pytest.raises(MissingClipsError, match=r"a \(it has no samples\)"):
        prepare_commonvoice_datasets(data, "swa")


def test_another_folder_of_clips(data: Path, tmp_path: Path) -> None:
    (data / "raw" / "sw" / "clips").rename(tmp_path / "clips")
    (data / "raw" / "sw").rmdir()
    (data / "raw").rmdir()
    prepare_commonvoice_datasets(data, "sw", clips=tmp_path / "clips")
    assert made(data) == ["a.wav", "b.wav", "c.wav"]


def test_links_are_followed(data: Path, tmp_path: Path) -> None:
    (data / "audio" / "swa" / "all").mkdir(parents=True)
    (data / "audio" / "swa" / "all" / "a.wav").symlink_to(tmp_path / "elsewhere.wav")  # of which there is none yet
    prepare_commonvoice_datasets(data, "swa")
    assert soundfile.info(tmp_path / "elsewhere.wav").samplerate == 16000


def test_nothing_unfinished_stays(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DatasetError, match=r"a\.wav: cannot be written: .*No space left"):
        prepare_commonvoice_datasets(data, "swa")
    assert made(data) == []


@pytest.mark.parametrize(
    ("language", "kind", "match"),
    [
        ("eng", UsageError, "the audio of English is not from Common Voice; that of swa, tam, .* jpn is"),
        ("klingon", UsageError, "unknown language"),
        ("tha", DatasetError, "raw/th/clips: no such folder; put the clips"),
        ("tam", DatasetError, "raw/ta/clips: no such folder"),
    ],
)
def test_refusals(data: Path, language: str, kind: type[Exception], match: str) -> None:
    with pytest.raises(kind, match=match) as caught:
        prepare_commonvoice_datasets(data, language)
    assert isinstance(caught.value, ValueError)
    assert not (data / "audio").exists()


def test_no_processes(data: Path) -> None:
    for jobs in (0, -7):
        with pytest.raises(UsageError, match=rf"jobs is {jobs}; .* or -1 for one per processor"):
            prepare_commonvoice_datasets(data, "swa", jobs=jobs)


def test_without_manifests(data: Path) -> None:
    (data / "raw" / "th" / "clips").mkdir(parents=True)
    with pytest.raises(DatasetError, match=r"manifest: no manifest-tha-\*\.csv"):
        prepare_commonvoice_datasets(data, "tha")
    with pytest.raises(DatasetError, match="manifest: cannot be looked into: No such file"):
        needed_files(data / "raw", "swa")


def test_needed_files(data: Path) -> None:
    assert needed_files(data, "swa") == ["a", "b", "c"]
    (data / "manifest" / "manifest-swa-train-1h.csv").touch()  # an empty one names nothing
    (data / "manifest" / "manifest-swa-notes.txt").write_text("d")
    assert needed_files(data, "swa") == ["a", "b", "c"]
    write_manifest(data, "swa-train-10h", 'd,"7, or so"', '"e",8', header="x,fileid,num_samples")
    write_manifest(data, "swa-train-10h", "d", "e")
    assert needed_files(data, "swa") == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("file,num_samples\na,1\n", 1, "there is no column 'fileid'"),
        ("fileid,num_samples\na,1\n../../x,1\n", 3, "'../../x' is not a plain name"),
        ("fileid,num_samples\n.x,1\n", 2, "'.x' is not a plain name"),
        ("num_samples,fileid\n1,\n", 2, "'' is not a plain name"),
        ("num_samples,fileid\n1\n", 2, "1 fields under 2 columns"),
        ("fileid,sentence\na,x\n\nb,x,y\n", 4, "3 fields under 2 columns"),
        ('fileid,sentence\na,"x\nb,y"\nc,z\n', 2, "not CSV: unexpected end of data; fix: close every quote"),
        ('fileid,sentence\na,"x" y\n', 2, "not CSV: ',' expected after '\"'"),
        ('fileid,"sentence\na,x\n', 1, "not CSV"),
        (f"fileid,sentence\na,{'x' * 131_073}\n", 2, "not CSV: field larger than field limit"),
        ("fileid,num_samples\na,1\nb,abc\n", 3, "num_samples of 'b' is 'abc', which is no number of samples"),
        ("fileid,num_samples\na,-5\n", 2, "num_samples of 'a' is '-5'"),
        ("fileid,num_samples\na,0.5\n", 2, "num_samples of 'a' is '0.5'"),
        ("fileid,num_samples\na,8e3\n", 2, "num_samples of 'a' is '8e3'"),
        (f"fileid,num_samples\na,{'9' * 5000}\n", 2, "num_samples of 'a' is '9{40}…'"),
        ("fileid,num_samples\na,nan\n", 2, "num_samples of 'a' is 'nan'"),
    ],
)
def test_wrong_manifests(data: Path, text: str, line: int, match: str) -> None:
    (data / "manifest" / "manifest-swa-dev.csv").write_text(text)
    with pytest.raises(FormatError, match=match) as caught:
        prepare_commonvoice_datasets(data, "swa")
    assert caught.value.line == line


def test_announced_samples(data: Path) -> None:
    rows = ("a,160000.0", "b,", "c, ", "d,7.", "e,8")
    write_manifest(data, "swa-dev", header="\n".join(["fileid,num_samples", *rows]))
    write_manifest(data, "swa-train-10min", header="fileid")
    assert needed_samples(data, "swa") == {"a": 160_000, "b": 0, "c": 0, "d": 7, "e": 8}


def test_missing_audio(data: Path) -> None:
    assert missing_audio(data, "swa") == ["a", "b", "c"]
    (data / "raw" / "sw" / "clips" / "b.mp3").unlink()
    with pytest.raises(MissingClipsError):
        prepare_commonvoice_datasets(data, "swa")
    assert missing_audio(data, "swa") == ["b"]
    with pytest.raises(UsageError, match="not from Common Voice"):
        missing_audio(data, "deu")


@pytest.mark.parametrize("name", ["soundfile", "soxr"])
def test_without_the_libraries(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=rf"clips need {name}; install it with: pip install {name}"):
        prepare_commonvoice_datasets(data, "swa")


# --- SLURM arrays ---


def array(job: object, count: object, first: object = 0, last: object = None) -> dict[str, str]:
    last = last if last is not None else int(str(count)) - 1
    return {
        "SLURM_NTASKS": "1",
        "SLURM_ARRAY_TASK_ID": str(job),
        "SLURM_ARRAY_TASK_COUNT": str(count),
        "SLURM_ARRAY_TASK_MIN": str(first),
        "SLURM_ARRAY_TASK_MAX": str(last),
    }


def test_worked_example_of_parts() -> None:
    parts = [array_part(10, array(k, 4)) for k in range(4)]
    assert [(part.start, part.stop) for part in parts] == [(0, 3), (3, 6), (6, 9), (9, 10)]


def test_a_last_part_may_be_empty() -> None:
    assert [len(array_part(9, array(k, 6))) for k in range(6)] == [2, 2, 2, 2, 1, 0]


@given(n=st.integers(0, 200), count=st.integers(1, 40))
def test_parts_make_the_whole(n: int, count: int) -> None:
    parts = [array_part(n, array(k, count)) for k in range(count)]
    assert [i for part in parts for i in part] == list(range(n))
    assert max(map(len, parts)) == -(-n // count)


@pytest.mark.parametrize("absent", ["SLURM_NTASKS", "SLURM_ARRAY_TASK_ID"])
def test_outside_an_array_all_is_mine(absent: str) -> None:
    environ = array(1, 4)
    del environ[absent]
    assert array_part(10, environ) == range(10)


@pytest.mark.parametrize(
    "environ",
    [array(1, 4, first=1, last=4), array(1, 4, last=4), array(4, 4), array(1, 3, last=6), array("x", 4), array(1, 0)],
)
def test_arrays_with_gaps(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        array_part(10, environ)
    assert isinstance(caught.value, ValueError)


def test_an_array_of_no_jobs() -> None:
    with pytest.raises(UsageError, match=r"^SLURM_ARRAY_TASK_COUNT is 0, and an array has at least one job; unset it"):
        array_part(10, array(0, 0, last=-1) | {"SLURM_ARRAY_TASK_MAX": "0"})


def test_an_array_without_its_count() -> None:
    environ = array(1, 4)
    del environ["SLURM_ARRAY_TASK_COUNT"]
    with pytest.raises(UsageError, match="SLURM_ARRAY_TASK_COUNT is '', not a number"):
        array_part(10, environ)


def test_a_job_converts_its_part(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in array(1, 2).items():
        monkeypatch.setenv(name, value)
    prepare_commonvoice_datasets(data, "swa")
    assert made(data) == ["c.wav"]
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    prepare_commonvoice_datasets(data, "swa")
    assert made(data) == ["a.wav", "b.wav", "c.wav"]


# --- the command ---


def run(*arguments: str, module_name: str = "discophon.prepare", key: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module_name, *arguments]
    environ = os.environ | {"MDC_API_KEY": key}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)


def test_command(data: Path) -> None:
    done = run("commonvoice", str(data), "swa", "--check-only")
    assert (done.returncode, done.stdout) == (1, "swa\ta\nswa\tb\nswa\tc\n")
    assert done.stderr == "swa: 3 audio files are missing\n"
    done = run("prepare", "commonvoice", str(data), "SW", "-j", "2", module_name="discophon")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "swa: 3 clips to convert, 0 done already\n")
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    done = run("commonvoice", str(data), "swa", "--check-only")
    assert (done.returncode, done.stdout) == (0, "")


def test_command_goes_on_with_the_next_language(data: Path) -> None:
    (data / "raw" / "sw" / "clips" / "b.mp3").unlink()
    write_clip(data / "raw" / "ta" / "clips" / "z.mp3")
    done = run("commonvoice", str(data), "swa", "tam")
    assert (done.returncode, done.stdout) == (3, "")
    assert "discophon.prepare: error: swa: 1 clips are missing: b; the others are converted" in done.stderr
    assert made(data) == ["a.wav", "c.wav"]
    assert made(data, "tam") == ["z.wav"]


def test_command_goes_on_after_languages_without_clips(data: Path) -> None:
    done = run("commonvoice", str(data), "tam", "swa", "tha")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("no such folder") == 2
    assert "error: tam: " in done.stderr
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    done = run("commonvoice", str(data), "tam", "tha")
    assert (done.returncode, done.stdout) == (2, "")
    done = run("commonvoice", str(data))
    assert (done.returncode, done.stderr.count("error: ")) == (3, 7)
    done = run("commonvoice", str(data), "tha", "tam", "--check-only")
    assert (done.returncode, done.stdout) == (3, "tam\tz\n")
    assert "tha: " in done.stderr
    done = run("commonvoice", str(data), "swa", "tam", "--check-only", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (1, "tam\tz\n", "")


def test_a_language_that_is_none_is_told_before_anything_is_done(data: Path) -> None:
    done = run("commonvoice", str(data), "swa", "eng")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not from Common Voice" in done.stderr
    assert made(data) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere: no such folder; give the folder of the dataset"),
        (("nowhere", "--check-only"), "nowhere: no such folder; give the folder of the dataset"),
        (("nowhere", "eng"), "not from Common Voice"),
        (("nowhere", "klingon"), "unknown language"),
        (("nowhere", "--clips", "x"), "--clips and --archive hold one language"),
        (("nowhere", "-j", "many"), "argument -j/--jobs: 'many' is no whole number"),
        (("nowhere", "-j", "-7"), "argument -j/--jobs: jobs is -7; it must be"),
        (("nowhere", "sw", "--check-only", "--clips", "x"), "--clips has nothing to say beside --check-only"),
        (("nowhere", "sw", "--check-only", "-j", "2"), "-j has nothing to say beside --check-only"),
        (("nowhere", "sw", "--clips", "x", "--url", "y"), "--url has nothing to say beside --clips"),
        (("nowhere", "sw", "--archive", "x", "-j", "2"), "-j has nothing to say beside --archive"),
        ((), "required: DATA"),
    ],
)
def test_command_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("commonvoice", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_options_that_say_nothing_because_of_where_the_clips_are(data: Path) -> None:
    done = run("commonvoice", str(data), "swa", "--url", "https://nowhere.invalid", key="k")
    assert (done.returncode, made(data)) == (2, [])
    assert "--url has nothing to say where DATA/raw/CODE/clips is there" in done.stderr
    done = run("commonvoice", str(data), "tam", "tha", "-j", "2", key="k")
    assert done.returncode == 2
    assert "-j has nothing to say where clips come out of a release" in done.stderr
    done = run("commonvoice", str(data), "tam", "--url", "https://nowhere.invalid")
    assert done.returncode == 2
    assert "or the key MDC_API_KEY to download one" in done.stderr
    done = run("commonvoice", str(data), "swa", "tam", "-j", "1", "--url", "http://127.0.0.1:1", key="k")
    assert (done.returncode, made(data)) == (3, ["a.wav", "b.wav", "c.wav"])  # each says something for one


FULL = """
import resource, signal, sys
from discophon import cli
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
sys.exit(cli.main(["prepare", "commonvoice", "--quiet", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_room_is_status_3_and_what_is_converted_stays(data: Path, jobs: str) -> None:
    write_clip(data / "raw" / "sw" / "clips" / "c.mp3", seconds=2)  # 64 kB
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(data), "swa", "-j", jobs], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, made(data)) == (3, ["a.wav", "b.wav"])
    assert "c.wav: cannot be written: File too large; see where it leads, and who may write there, and run it" in (
        done.stderr
    )


def test_a_full_disk_has_its_own_remedy(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(AudioWriteError, match=r"a\.wav: cannot be written: No space left on device; make room, and"):
        prepare_commonvoice_datasets(data, "swa")


KILLED = """
import sys
from discophon import cli
from discophon.prepare import commonvoice
from tasks_of_a_test import die
commonvoice._convert = die
sys.exit(cli.main(["prepare", "commonvoice", "-j", "2", "--quiet", *sys.argv[1:]]))
"""


def test_a_killed_process_is_one_message_and_status_3(data: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks_of_a_test.py").write_text(
        "import os, signal\ndef die(_): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(data), "swa"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "discophon: error: a process that computed was killed, perhaps for want of memory; use fewer processes"
        " (jobs, -j)\n"
    )
