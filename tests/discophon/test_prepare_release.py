"""Clips out of the archive of a release: one that is here, and one that a service on this machine offers."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile

from discophon.errors import MissingFileError, UsageError
from discophon.prepare import (
    ArchiveError,
    DownloadError,
    MissingClipsError,
    newest_release,
    prepare_commonvoice,
    prepare_commonvoice_datasets,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from urllib.parse import ParseResult

from urllib.parse import parse_qs, urlparse

KEY = "a-secret"


def clip(frequency: float) -> bytes:
    data = io.BytesIO()
    soundfile.write(data, 0.5 * np.sin(2 * np.pi * frequency * np.arange(24000) / 48000), 48000, format="MP3")
    return data.getvalue()


CLIPS = {"a": clip(200), "b": clip(300), "c": clip(400), "other": clip(500)}


def pack(clips: dict[str, bytes], folder: str = "cv-corpus-25.0/sw/clips") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for name, content in {f"{folder}/{file_id}.mp3": sound for file_id, sound in clips.items()}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return data.getvalue()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A dataset whose manifests name three Swahili clips."""
    root = tmp_path / "data"
    (root / "manifest").mkdir(parents=True)
    (root / "manifest" / "manifest-swa-dev.csv").write_text("fileid,num_samples\nb,8000\na,8000\nc,8000\n")
    return root


def made(data: Path) -> list[str]:
    return sorted(path.name for path in (data / "audio" / "swa" / "all").iterdir())


def hidden(data: Path) -> list[str]:
    return sorted(path.name for path in data.iterdir() if path.name.startswith("."))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with all clips."""
    path = tmp_path / "cv.tar.gz"
    path.write_bytes(pack(CLIPS))
    return path


# --- an archive that is here ---


def test_both_routes_make_the_same_files(data: Path, archive: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    prepare_commonvoice(data, "swa", archive=archive, progress=lambda *figures: told.append(figures))
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert told == [("convert", i, 3) for i in (1, 2, 3)]
    assert archive.exists()
    first = {name: (data / "audio" / "swa" / "all" / name).read_bytes() for name in made(data)}
    for name in first:
        (data / "audio" / "swa" / "all" / name).unlink()
    (tmp_path / "clips").mkdir()
    for file_id, content in CLIPS.items():
        (tmp_path / "clips" / f"{file_id}.mp3").write_bytes(content)
    prepare_commonvoice_datasets(data, "swa", clips=tmp_path / "clips")
    assert {name: (data / "audio" / "swa" / "all" / name).read_bytes() for name in made(data)} == first


def test_what_is_there_is_left_alone(data: Path, archive: Path) -> None:
    (data / "audio" / "swa" / "all").mkdir(parents=True)
    (data / "audio" / "swa" / "all" / "a.wav").write_bytes(b"mine")
    prepare_commonvoice(data, "swa", archive=archive)
    assert (data / "audio" / "swa" / "all" / "a.wav").read_bytes() == b"mine"
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    archive.unlink()
    prepare_commonvoice(data, "swa", archive=archive)  # nothing is missing, so nothing is read


def test_missing_and_broken_clips(data: Path, archive: Path) -> None:
    archive.write_bytes(pack({"a": CLIPS["a"], "c": b"no sound"}))
    with pytest.raises(MissingClipsError) as caught:
        prepare_commonvoice(data, "swa", archive=archive)
    assert (caught.value.missing, list(caught.value.broken)) == (["b"], ["c"])
    assert made(data) == ["a.wav"]


@pytest.mark.parametrize("folder", ["sw/clip", "clips/more", "clips.mp3"])
def test_only_clips_are_looked_at(data: Path, archive: Path, folder: str) -> None:
    archive.write_bytes(pack(CLIPS, folder))
    with pytest.raises(MissingClipsError, match="3 clips are missing: a, b, c"):
        prepare_commonvoice(data, "swa", archive=archive)


def test_names_in_an_archive_do_no_harm(data: Path, archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(pack({**CLIPS, "../../../../evil": b"x"}, "/../../clips"))
    prepare_commonvoice(data, "swa", archive=archive)
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert not list(tmp_path.parent.rglob("evil*"))


@pytest.mark.parametrize("content", [b"", b"no archive", pack({"z": os.urandom(50_000)})[:40_000]])
def test_damaged_archives(data: Path, archive: Path, content: bytes) -> None:
    archive.write_bytes(content)
    with pytest.raises(ArchiveError, match="cannot be read as an archive") as caught:
        prepare_commonvoice(data, "swa", archive=archive)
    assert isinstance(caught.value, ValueError)
    assert archive.exists()


def test_no_archive(data: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"nowhere\.tar: no such file"):
        prepare_commonvoice(data, "swa", archive=tmp_path / "nowhere.tar")
    with pytest.raises(UsageError, match="the audio of Wolof is not from Common Voice"):
        prepare_commonvoice(data, "wol", archive=tmp_path / "nowhere.tar")


# --- a service ---


class Service:
    """Lists releases, opens downloads and sends the archive; `answers` replaces what it says."""

    def __init__(self) -> None:
        self.content = pack(CLIPS)
        self.names = ["Common Voice Scripted Speech 9.0 - Swahili", "Common Voice Scripted Speech 25.0 - Swahili"]
        self.names += ["Common Voice Scripted Speech 24.5 - Swahili", "Common Voice Spontaneous Speech 30.0 - Swahili"]
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.session: dict[str, Any] = {}
        self.requests: list[tuple[str, str, str | None]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.answer(self)

            def do_POST(self) -> None:
                service.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.http.server_port}"
        self.url = f"{self.base}/api"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlparse(request.path)
        self.requests.append((request.command, parts.path, request.headers.get("Authorization")))
        status, body = self.answers.get(parts.path) or self.normal(request, parts)
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def normal(self, request: BaseHTTPRequestHandler, parts: ParseResult) -> tuple[int, bytes]:
        if parts.path == "/api/datasets" and request.command == "GET":
            query = parse_qs(parts.query)
            assert query == {"q": ["Common Voice Scripted Speech"], "limit": ["50"], "locale": ["sw"]}
            items = [{"id": f"id{i}", "name": name, "locale": "sw"} for i, name in enumerate(self.names)]
            return 200, json.dumps({"items": items, "total": len(items)}).encode()
        if parts.path == "/api/datasets/id1/download" and request.command == "POST":
            session = {
                "downloadUrl": f"{self.base}/file",
                "filename": "cv.tar.gz",
                "sizeBytes": str(len(self.content)),
                "checksum": hashlib.sha256(self.content).hexdigest(),
            }
            return 200, json.dumps({**session, **self.session}).encode()
        return (200, self.content) if parts.path == "/file" else (404, b"")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service that is stopped at the end."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "MDC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    started = Service()
    yield started
    started.http.shutdown()
    started.http.server_close()


def prepare(data: Path, service: Service, **options: Any) -> None:
    prepare_commonvoice(data, "swa", **{"url": service.url, "key": KEY, "timeout": 5.0, "pause": 0.0, **options})


def test_the_newest_release_is_downloaded_and_deleted(data: Path, service: Service) -> None:
    told: list[str] = []
    prepare(data, service, progress=lambda stage, *_: told.append(stage))
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert hidden(data) == []
    assert list(dict.fromkeys(told)) == ["download", "check", "convert"]
    assert service.requests == [
        ("GET", "/api/datasets", None),
        ("POST", "/api/datasets/id1/download", f"Bearer {KEY}"),
        ("GET", "/file", None),
    ]
    prepare(data, service)  # all is there, so nothing is asked
    assert len(service.requests) == 3


def test_the_newest_is_the_one_with_the_highest_number(service: Service) -> None:
    assert newest_release("swahili", url=service.url) == ("Common Voice Scripted Speech 25.0 - Swahili", "id1")


def test_the_archive_is_kept_while_clips_are_missing(data: Path, service: Service) -> None:
    service.content = pack({"a": CLIPS["a"]})
    with pytest.raises(MissingClipsError, match="2 clips are missing: b, c"):
        prepare(data, service)
    assert made(data) == ["a.wav"]
    assert hidden(data) == [".commonvoice-swa-id1.tar.gz.part"]
    with pytest.raises(MissingClipsError):
        prepare(data, service)
    assert [path for _, path, _ in service.requests].count("/file") == 1


def test_a_wrong_digest(data: Path, service: Service) -> None:
    service.session = {"checksum": "0" * 64}
    with pytest.raises(ArchiveError, match="its SHA-256 is"):
        prepare(data, service)
    assert hidden(data) == []


def test_a_damaged_archive_without_a_digest_is_deleted(data: Path, service: Service) -> None:
    service.content, service.session = b"\x1f\x8bnothing", {"checksum": None}
    with pytest.raises(ArchiveError, match="cannot be read as an archive"):
        prepare(data, service)
    assert hidden(data) == []


@pytest.mark.parametrize("key", ["", "two\nlines", "clé"])
def test_keys_that_are_none(data: Path, service: Service, key: str) -> None:
    with pytest.raises(UsageError, match="MDC_API_KEY holds no key; get one from http://127"):
        prepare(data, service, key=key)
    assert service.requests == []


def test_the_key_comes_from_the_environment(data: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MDC_API_KEY", "from-there")
    prepare(data, service, key=None)
    assert service.requests[1][2] == "Bearer from-there"


def answer_with_size(size: str) -> bytes:
    return f'{{"downloadUrl": "http://127.0.0.1:9/x", "sizeBytes": {size}}}'.encode()


def listed(number: str) -> bytes:
    name = f"Common Voice Scripted Speech {number}.0 - Swahili"
    return json.dumps({"items": [{"id": "x", "name": name, "locale": "sw"}]}).encode()


@pytest.mark.parametrize(
    ("path", "answer", "match"),
    [
        ("/api/datasets", (200, b"hello"), "the answer is not JSON"),
        ("/api/datasets", (200, b"\xff"), "the answer is not JSON"),
        ("/api/datasets", (200, b"[]"), "the answer is not an object"),
        ("/api/datasets", (200, b"{}"), "lists no release of Common Voice Scripted Speech in sw; give an archive"),
        ("/api/datasets", (200, b'{"items": 3}'), "lists no release"),
        ("/api/datasets", (200, b'{"items": [{"name": "Common Voice"}, 3]}'), "lists no release"),
        ("/api/datasets", (500, b""), "the service answers 500 Internal Server Error$"),
        ("/api/datasets/id1/download", (401, b""), "answers 401 Unauthorized; is the key right"),
        ("/api/datasets/id1/download", (403, b""), "answers 403 Forbidden; is the key right"),
        ("/api/datasets/id1/download", (200, b"{}"), "gives no address and size for Common Voice Scripted Speech 25.0"),
        ("/api/datasets/id1/download", (200, b'{"downloadUrl": 3, "sizeBytes": 9}'), "gives no address and size"),
        *(
            ("/api/datasets/id1/download", (200, answer_with_size(size)), "gives no address and size")
            for size in ("Infinity", "NaN", "0", "-5", '"0"', '"-5"', '"x"', "null", "true", "1.5", "1e30")
        ),
        ("/api/datasets/id1/download", (200, answer_with_size('"' + "9" * 5000 + '"')), "gives no address and size"),
        ("/api/datasets", (200, listed("9" * 5000)), "lists no release"),
        ("/file", (404, b""), "the server answers 404"),
        ("/file", (200, b"<html>Log in!</html>"), "is no archive, it begins with b'<html>Log in!</html>'"),
    ],
)
def test_services_that_fail(data: Path, service: Service, path: str, answer: tuple[int, bytes], match: str) -> None:
    service.answers[path] = answer
    with pytest.raises(DownloadError, match=match) as caught:
        prepare(data, service)
    assert KEY not in str(caught.value)
    assert hidden(data) == []


def test_addresses_that_are_none(data: Path, service: Service) -> None:
    with pytest.raises(UsageError, match="not an http or https address"):
        prepare(data, service, url="file:///etc")
    service.session = {"downloadUrl": "file:///etc/hostname"}
    with pytest.raises(UsageError, match="file:///etc/hostname: not an http or https address"):
        prepare(data, service)
    for url in ("http://[x", "http:///x", "http://h:port/", "http://ö/"):
        service.session = {"downloadUrl": url}
        with pytest.raises(UsageError, match="address"):
            prepare(data, service)
    assert hidden(data) == []


# --- several processes ---


ARRAY = {"SLURM_NTASKS": "1", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2"}


@pytest.mark.parametrize("is_array", [True, False])
def test_one_of_several_processes_downloads(data: Path, service: Service, *, is_array: bool) -> None:
    command = [sys.executable, "-m", "discophon.prepare", "commonvoice", str(data), "swa", "--url", service.url]
    jobs = []
    for i in range(3):
        environ = {**os.environ, "MDC_API_KEY": KEY, **(ARRAY | {"SLURM_ARRAY_TASK_ID": str(i)} if is_array else {})}
        jobs.append(subprocess.Popen(command, env=environ, stderr=subprocess.PIPE))
    said = [job.communicate()[1].decode() for job in jobs]
    assert ([job.returncode for job in jobs], "Traceback" in "".join(said)) == ([0, 0, 0], False)
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert hidden(data) == []


def test_a_job_of_an_array_converts_its_part(
    data: Path, service: Service, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ARRAY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "1")
    prepare(data, service)
    assert made(data) == ["b.wav"]
    assert hidden(data) == [".commonvoice-swa-id1.tar.gz.part"]  # for the others
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    prepare_commonvoice(data, "swa", archive=archive)
    assert made(data) == ["a.wav", "b.wav"]
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "2")
    prepare(data, service)
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    assert hidden(data) == []
    assert [path for _, path, _ in service.requests].count("/file") == 1


def test_nobody_there(data: Path, service: Service) -> None:
    with pytest.raises(DownloadError, match=r"no answer: .*refused"):
        prepare(data, service, url="http://127.0.0.1:9/api")


# --- the command ---


def run(data: Path, *arguments: str, key: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discophon.prepare", "commonvoice", str(data), "swa", *arguments]
    environ = {**os.environ, "MDC_API_KEY": key}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)


def test_command_with_an_archive(data: Path, archive: Path) -> None:
    done = run(data, "--archive", str(archive))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert made(data) == ["a.wav", "b.wav", "c.wav"]
    archive.write_bytes(b"none")
    (data / "audio" / "swa" / "all" / "a.wav").unlink()
    done = run(data, "--archive", str(archive))
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot be read as an archive" in done.stderr


def test_command_with_a_key(data: Path, service: Service) -> None:
    done = run(data, "--url", service.url, key=KEY)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "swa: the newest release is Common Voice Scripted Speech 25.0 - Swahili\n"
    assert made(data) == ["a.wav", "b.wav", "c.wav"]


def test_command_without_anything(data: Path) -> None:
    done = run(data)
    assert (done.returncode, done.stdout) == (2, "")
    assert "raw/sw/clips: no such folder; put the clips of Common Voice (sw) there" in done.stderr
    assert "the key MDC_API_KEY to download one" in done.stderr
