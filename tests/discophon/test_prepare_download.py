"""Fetching over HTTP from servers that behave and servers that do not; checking and unpacking what came."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import sys
import tarfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from discophon.errors import DatasetError, DiscophonError, UsageError
from discophon.prepare import ArchiveError, DownloadError, download_benchmark
from discophon.prepare.fetch import fetch
from discophon.validate.layout import expected_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DATA = bytes(range(256)) * 40
REDIRECTIONS = ("/elsewhere", "ftp://127.0.0.1/x", "/data.tar.gz", "http://[bad", f"http://{'a' * 70}.x/")
QUICK: dict[str, Any] = {"timeout": 5.0, "pause": 0.0}
ARCHIVE = ".discophon_data.tar.gz.part"


class Server:
    """A server of one file on this machine; `plan` says how it answers each request, the last for all others."""

    def __init__(self, content: bytes = DATA, plan: tuple[str, ...] = ("ok",)) -> None:
        self.content = content
        self.plan = list(plan)
        self.ranges: list[str | None] = []
        self.paths: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/data.tar.gz"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.ranges.append(wanted)
        self.paths.append(request.path)
        step = self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]
        kind, _, number = step.partition(":")
        n = int(number or 0)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        try:
            if kind == "status":
                request.send_error(n)
            elif kind == "redirect":
                request.send_response(302)
                request.send_header("Location", REDIRECTIONS[n])
                request.end_headers()
            elif kind == "noise":
                request.wfile.write(b"HTTP/1.1 \x1b[2Jno\x9b\x07 number\r\n\r\n")
            elif kind == "drop":
                request.close_connection = True
            elif kind == "silent":
                time.sleep(n)
            else:
                self.send(request, kind, n, start, is_part=wanted is not None)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def send(self, request: BaseHTTPRequestHandler, kind: str, n: int, start: int, *, is_part: bool) -> None:
        ranged = (is_part and kind != "norange" and kind != "norange-cut") or kind == "always-wrong"
        if ranged and start >= len(self.content):
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(self.content)}")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        body = self.content[start:] if ranged else self.content
        request.send_response(206 if ranged else 200)
        if ranged:
            first = {"wrong-part": start + 1, "always-wrong": start + 1, "part-0": 0}.get(kind, start)
            body = self.content if kind == "part-0" else body
            request.send_header("Content-Range", f"bytes {first}-{len(self.content) - 1}/{len(self.content)}")
        length = {"short-length": n, "long-length": len(body) + n}.get(kind, len(body))
        if kind != "no-length":
            request.send_header("Content-Length", str(length))
        request.end_headers()
        if kind in ("cut", "norange-cut"):
            body = body[:n]
        if kind == "slow":
            time.sleep(1.0)
        if kind == "pause":
            request.wfile.write(body[:n])
            request.wfile.flush()
            time.sleep(1.0)
            body = b""
        request.wfile.write(body)
        request.close_connection = True


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    """Start servers, and stop them at the end."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    servers: list[Server] = []

    def start(content: bytes = DATA, plan: tuple[str, ...] = ("ok",)) -> Server:
        servers.append(Server(content, plan))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def part(tmp_path: Path) -> Path:
    """Where the file goes."""
    return tmp_path / "part"


def get(server: Server, part: Path, **options: Any) -> bytes:
    fetch(server.url, str(part), size=len(DATA), **{**QUICK, **options})
    return part.read_bytes()


def test_whole_file_with_progress(serve: Callable[..., Server], part: Path) -> None:
    server = serve()
    told: list[tuple[int, int]] = []
    assert get(server, part, progress=lambda *figures: told.append(figures)) == DATA
    assert server.ranges == [None]
    assert told[-1] == (len(DATA), len(DATA))
    assert told == sorted(told)


def test_goes_on_from_what_is_there(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:1000])
    server = serve()
    assert get(server, part) == DATA
    assert server.ranges == ["bytes=1000-"]


def test_asks_nothing_when_all_is_there(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA)
    server = serve()
    assert get(server, part) == DATA
    assert server.ranges == []


@pytest.mark.parametrize(
    ("plan", "ranges"),
    [
        (("cut:700", "ok"), [None, "bytes=700-"]),
        (("cut:700", "cut:300", "cut:1", "ok"), [None, "bytes=700-", "bytes=1000-", "bytes=1001-"]),
        (("cut:700", "norange"), [None, "bytes=700-"]),
        (("norange-cut:700", "norange-cut:500", "norange"), [None, "bytes=700-", "bytes=500-"]),
        (("status:503", "status:429", "ok"), [None, None, None]),
        (("drop", "ok"), [None, None]),
        (("no-length",), [None]),
        (("short-length:100", "ok"), [None, "bytes=100-"]),
        (("long-length:100",), [None]),
        (("redirect:0", "ok"), [None, None]),
        (("cut:700", "redirect:0", "ok"), [None, "bytes=700-", "bytes=700-"]),
    ],
    ids=str,
)
def test_bad_servers(serve: Callable[..., Server], part: Path, plan: tuple[str, ...], ranges: list[str | None]) -> None:
    server = serve(plan=plan)
    assert get(server, part) == DATA
    assert server.ranges == ranges


def test_a_part_longer_than_the_file_is_dropped(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(b"x" * (len(DATA) + 1))
    server = serve()
    assert get(server, part) == DATA
    assert server.ranges == [None]


def test_a_part_that_the_server_does_not_have_is_dropped(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:1000])
    server = serve(plan=("status:416", "ok"))
    assert get(server, part) == DATA
    assert server.ranges == ["bytes=1000-", None]


def test_no_more_is_written_than_there_should_be(serve: Callable[..., Server], part: Path) -> None:
    assert get(serve(DATA + b"more"), part) == DATA


def test_silence_is_not_waited_for(serve: Callable[..., Server], part: Path) -> None:
    server = serve(plan=("silent:2", "pause:500", "ok"))
    start = time.monotonic()
    assert get(server, part, timeout=0.3) == DATA
    assert time.monotonic() - start < 2
    assert server.ranges == [None, None, "bytes=500-"]


@pytest.mark.parametrize(
    ("plan", "match"),
    [
        (("status:404",), "the server answers 404 Not Found; check the address"),
        (("status:403",), "the server answers 403"),
        (("status:500",), "the server answers 500 .*; 3 tries in a row brought nothing new"),
        (("drop",), "no answer from the server.*3 tries"),
        (("redirect:1",), "the server answers 302"),
        (("redirect:2",), "the server answers 302 .* infinite loop. The last 30x error message was: Found; check"),
        (("noise",), r"no answer from the server: HTTP/1.1 ·\[2Jno·· number; 3 tries"),
        (("norange-cut:700",), "the connection ended at byte 700 of 10240; 3 tries"),
    ],
    ids=str,
)
def test_gives_up(serve: Callable[..., Server], part: Path, plan: tuple[str, ...], match: str) -> None:
    server = serve(plan=plan)
    with pytest.raises(DownloadError, match=match) as caught:
        get(server, part, tries=3)
    assert isinstance(caught.value, OSError)
    assert server.url in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_wrong_length_is_mended_by_asking_for_the_rest(serve: Callable[..., Server], part: Path) -> None:
    server = serve(plan=("short-length:700",))
    assert get(server, part, tries=1) == DATA
    assert server.ranges == [None, *(f"bytes={700 * i}-" for i in range(1, 15))]


def test_what_came_is_kept_for_the_next_time(serve: Callable[..., Server], part: Path) -> None:
    with pytest.raises(DownloadError, match="404"):
        get(serve(plan=("cut:700", "status:404")), part)
    assert part.read_bytes() == DATA[:700]


@pytest.mark.parametrize("is_ranged", [True, False])
def test_another_file_is_recognised_by_its_size(serve: Callable[..., Server], part: Path, *, is_ranged: bool) -> None:
    server = serve(DATA[:5000], plan=("ok" if is_ranged else "norange",))
    with pytest.raises(DownloadError, match=r"has 5000 bytes, not 10240: it is another one"):
        get(server, part)
    assert len(server.ranges) == 2


def test_another_part_than_asked_for(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:1000])
    server = serve(plan=("wrong-part",))
    assert get(server, part) == DATA
    assert server.ranges == ["bytes=1000-", None]  # then all of it


def test_a_part_from_the_begin_is_taken_for_the_whole(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(b"x" * 1000)
    server = serve(plan=("part-0",))
    assert get(server, part) == DATA
    assert server.ranges == ["bytes=1000-"]


def test_parts_that_were_not_asked_for(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:1000])
    with pytest.raises(DownloadError, match="answers 206 without the part that was asked for; it is no server of"):
        get(serve(plan=("always-wrong",)), part)
    assert part.read_bytes() == DATA[:1000]


@pytest.mark.parametrize("length", [12, 1000])
def test_a_page_is_not_kept(serve: Callable[..., Server], part: Path, length: int) -> None:
    page = b"<html></html> and more"[:12].ljust(length)
    for plan in (("ok",), ("norange",), ("no-length",)):
        with pytest.raises(DownloadError, match="what comes is no archive, it begins with b'<html></html"):
            get(serve(page, plan), part, begins=(b"\x1f\x8b",))
        assert not part.exists()
    part.write_bytes(page)  # kept by an earlier version
    server = serve(b"\x1f\x8b" + DATA[2:])
    assert get(server, part, begins=(b"\x1f\x8b",)).endswith(DATA[2:])
    assert server.ranges == [None]


def test_a_page_leaves_the_part_that_is_there(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:100])
    with pytest.raises(DownloadError, match="what comes is no archive"):
        get(serve(b"<html></html>", ("norange",)), part, begins=(DATA[:2],))
    assert part.read_bytes() == DATA[:100]


def test_another_file_is_not_kept(serve: Callable[..., Server], part: Path) -> None:
    for plan in (("ok",), ("norange",), ("cut:50", "ok")):
        with pytest.raises(DownloadError, match=r"it is another one; look for its size and digest$"):
            get(serve(DATA[:5000], plan), part)
        assert not part.exists()
    part.write_bytes(DATA[:1000])
    with pytest.raises(DownloadError, match=f"{part} is kept from before, delete it if"):
        get(serve(DATA[:5000]), part)
    assert part.read_bytes() == DATA[:1000]


def test_a_total_that_differs_is_told_before_anything_is_written(serve: Callable[..., Server], part: Path) -> None:
    part.write_bytes(DATA[:1000])
    with pytest.raises(DownloadError, match="has 10244 bytes"):
        get(serve(DATA + b"more"), part)
    assert part.read_bytes() == DATA[:1000]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "ftp://127.0.0.1/x",
        "data.tar.gz",
        "",
        "http://[bad/",
        "http:///x",
        "http://h:x/",
        "http:x",
    ],
)
def test_only_http(part: Path, url: str) -> None:
    with pytest.raises(UsageError, match="not an http or https address"):
        fetch(url, str(part), size=10)
    assert not part.exists()


@pytest.mark.parametrize("url", ["http://127.0.0.1/ü", "http://ü/", "http://127.0.0.1/a b", "http://127.0.0.1/a\nb"])
def test_letters_that_no_address_has(part: Path, url: str) -> None:
    with pytest.raises(UsageError, match="an address has no blanks and only ASCII letters"):
        fetch(url, str(part), size=10)


@pytest.mark.parametrize("size", [0, -5])
def test_sizes_that_are_none(part: Path, size: int) -> None:
    with pytest.raises(UsageError, match=f"a size of {size} bytes"):
        fetch("http://127.0.0.1:9/x", str(part), size=size)


@pytest.mark.parametrize("target", [3, 4])
def test_redirections_to_nowhere(serve: Callable[..., Server], part: Path, target: int) -> None:
    with pytest.raises(DownloadError, match="leads to an address that cannot be used"):
        get(serve(plan=(f"redirect:{target}",)), part)


def test_nobody_there(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(DownloadError, match=r"no answer from the server: .*refused.*2 tries"):
        fetch("http://127.0.0.1:9/x", str(part), size=10, tries=2, **QUICK)


def test_no_room(serve: Callable[..., Server], part: Path) -> None:
    server = serve()
    with pytest.raises(DownloadError, match="the disk has room for"):
        fetch(server.url, str(part), size=1 << 60, **QUICK)
    assert server.ranges == []


def test_full_disk(serve: Callable[..., Server]) -> None:
    with pytest.raises(DownloadError, match="/dev/full: cannot be written: No space left on device"):
        fetch(serve().url, "/dev/full", size=len(DATA), **QUICK)


def test_pauses_grow_only_while_nothing_comes(
    serve: Callable[..., Server], part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("discophon.prepare.fetch.time.sleep", slept.append)
    server = serve(plan=("cut:10", "drop", "drop", "drop", "cut:10", "ok"))
    fetch(server.url, str(part), size=len(DATA), timeout=5, pause=2.0)
    assert part.read_bytes() == DATA
    assert slept == [2.0, 2.0, 4.0, 8.0, 2.0]


# --- the archive ---


def archive(*members: tarfile.TarInfo | tuple[str, bytes]) -> bytes:
    """Pack members; a pair is a file."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                tar.addfile(info, io.BytesIO(member[1]))
    return data.getvalue()


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def folder(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.mode = tarfile.DIRTYPE, 0o755
    return info


def download(server: Server, path: Path, content: bytes, **options: Any) -> None:
    sha256 = hashlib.sha256(content).hexdigest()
    download_benchmark(path, **{"url": server.url, "size": len(content), "sha256": sha256, **QUICK, **options})


GOOD = archive(
    folder("discophon_data"),
    folder("discophon_data/audio"),
    ("discophon_data/audio/all/a.wav", b"sound"),
    link("discophon_data/audio/dev/a.wav", "../all/a.wav"),
    link("discophon_data/audio/test/a.wav", "discophon_data/audio/all/a.wav", tarfile.LNKTYPE),
    ("./discophon_data/manifest/m.csv", b"fileid\n"),
)


def test_the_prefix_is_removed_and_the_archive_deleted(serve: Callable[..., Server], tmp_path: Path) -> None:
    told = []
    data = tmp_path / "new" / "data"
    download(serve(GOOD, ("cut:50", "ok")), data, GOOD, progress=lambda *figures: told.append(figures))
    assert sorted(path.name for path in data.iterdir()) == ["audio", "manifest"]
    assert (data / "audio/dev/a.wav").is_symlink()
    assert {(data / f"audio/{split}/a.wav").read_bytes() for split in ("all", "dev", "test")} == {b"sound"}
    assert {stage for stage, _, _ in told} == {"download", "check"}
    assert told[-1] == ("check", len(GOOD), len(GOOD))


def test_what_is_there_stays(serve: Callable[..., Server], tmp_path: Path) -> None:
    (tmp_path / "audio" / "all").mkdir(parents=True)
    (tmp_path / "audio" / "all" / "mine.wav").write_bytes(b"mine")
    (tmp_path / "audio" / "all" / "a.wav").write_bytes(b"old")
    download(serve(GOOD), tmp_path, GOOD)
    download(serve(GOOD), tmp_path, GOOD)
    assert (tmp_path / "audio" / "all" / "mine.wav").read_bytes() == b"mine"
    assert (tmp_path / "audio" / "all" / "a.wav").read_bytes() == b"sound"
    assert (tmp_path / "audio" / "dev" / "a.wav").read_bytes() == b"sound"


def test_wrong_digest(serve: Callable[..., Server], tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"its SHA-256 is [0-9a-f]{64}, not 0{64}: .* it is deleted") as caught:
        download(serve(GOOD), tmp_path, GOOD, sha256="0" * 64)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, DiscophonError)
    assert list(tmp_path.iterdir()) == []


def test_digest_in_capitals(serve: Callable[..., Server], tmp_path: Path) -> None:
    download(serve(GOOD), tmp_path, GOOD, sha256=hashlib.sha256(GOOD).hexdigest().upper())
    assert (tmp_path / "manifest").is_dir()


def test_an_interrupted_download_goes_on(serve: Callable[..., Server], tmp_path: Path) -> None:
    with pytest.raises(DownloadError):
        download(serve(GOOD, ("cut:60", "status:404")), tmp_path, GOOD)
    assert [path.name for path in tmp_path.iterdir()] == [ARCHIVE]
    server = serve(GOOD)
    download(server, tmp_path, GOOD)
    assert server.ranges == ["bytes=60-"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audio", "manifest"]


UNPACKED = gzip.decompress(archive(("discophon_data/a", os.urandom(90_000)), ("discophon_data/b", b"")))
BAD_SUM = gzip.compress(UNPACKED[:60_000])[:-8] + b"12345678" + gzip.compress(UNPACKED[60_000:])


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (archive(("discophon_data/a", b""), ("other/b", b"")), "member 'other/b' is not under discophon_data/"),
        (archive(("discophon_data", b"a file"), ("discophon_database/b", b"")), "'discophon_database/b' is not under"),
        (archive(("discophon_data/../b", b"")), r"'discophon_data/\.\./b' is not under"),
        (archive(("/discophon_data/b", b"")), "is not under"),
        (archive(link("discophon_data/l", "/etc/passwd")), "cannot be unpacked: 'l' is a link to an absolute path"),
        (archive(link("discophon_data/l", "../../x")), "cannot be unpacked: 'l' would link to"),
        (archive(link("discophon_data/l", "other/x", tarfile.LNKTYPE)), "'other/x' is not under"),
        (archive(link("discophon_data/l", "", tarfile.CHRTYPE)), "cannot be unpacked: 'l' is a special file"),
        (
            archive(link("discophon_data/l", "discophon_data/no", tarfile.LNKTYPE)),
            "cannot be unpacked: a link in it leads to a file that it lacks",
        ),
        (GOOD[:-40], "cannot be unpacked"),
        (BAD_SUM, "cannot be unpacked: CRC check failed"),
        (b"BZh91AYnothing", "cannot be unpacked"),
        (lzma.compress(os.urandom(50_000))[:30_000], "cannot be unpacked"),
        (b"\x1f\x8bno archive at all", "cannot be unpacked"),
    ],
)
def test_bad_archives(serve: Callable[..., Server], tmp_path: Path, content: bytes, match: str) -> None:
    data = tmp_path / "data"
    with pytest.raises(ArchiveError, match=match) as caught:
        download(serve(content), data, content)
    assert str(caught.value).isprintable()  # one line, whatever the library says
    assert [path.name for path in data.iterdir()] == [ARCHIVE]
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_one_of_several_processes_downloads(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(GOOD, ("slow:50", "ok"))
    code = (
        "import sys\nfrom discophon.prepare import download_benchmark as d\n"
        "d('data', url=sys.argv[1], size=int(sys.argv[2]), sha256=sys.argv[3])"
    )
    command = [sys.executable, "-c", code, server.url, str(len(GOOD)), hashlib.sha256(GOOD).hexdigest()]
    jobs = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(job.communicate()[1], job.returncode) for job in jobs] == [(b"", 0)] * 3
    assert len(server.ranges) == 1
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["audio", "manifest"]


@pytest.mark.parametrize("sha256", ["xyz", "", "0" * 63, "0" * 65, "g" * 64])
def test_digests_that_are_none(serve: Callable[..., Server], tmp_path: Path, sha256: str) -> None:
    server = serve(GOOD)
    with pytest.raises(UsageError, match="is no SHA-256, which has 64 hexadecimal digits"):
        download(server, tmp_path / "data", GOOD, sha256=sha256)
    assert server.ranges == []
    assert not (tmp_path / "data").exists()


def test_what_a_killed_run_has_left_is_removed(serve: Callable[..., Server], tmp_path: Path) -> None:
    (tmp_path / ".unpacking-12345" / "audio").mkdir(parents=True)
    download(serve(GOOD), tmp_path, GOOD)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audio", "manifest"]


@pytest.mark.parametrize("is_other_disk", [True, False])
def test_a_folder_that_is_a_link_is_filled(
    serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_other_disk: bool
) -> None:
    data, disk = tmp_path / "data", tmp_path / "disk"
    data.mkdir()
    (disk / "all").mkdir(parents=True)
    (disk / "all" / "a.wav").write_bytes(b"old")
    (disk / "all" / "mine.wav").write_bytes(b"mine")
    (data / "audio").symlink_to(disk)
    replace = os.replace

    def to_other_disk(source: str, target: str) -> None:
        if (".unpacking-" in str(source)) and os.path.realpath(os.path.dirname(target)).startswith(str(disk)):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), source, None, target)
        replace(source, target)

    if is_other_disk:
        monkeypatch.setattr(os, "replace", to_other_disk)
    download(serve(GOOD), data, GOOD)
    assert (data / "audio").is_symlink()
    assert {(disk / split / "a.wav").read_bytes() for split in ("all", "dev", "test")} == {b"sound"}
    assert (disk / "dev" / "a.wav").is_symlink()
    assert (disk / "all" / "mine.wav").read_bytes() == b"mine"
    assert sorted(path.name for path in disk.rglob("*")) == sorted(["all", "dev", "test", "mine.wav"] + ["a.wav"] * 3)
    assert sorted(path.name for path in data.iterdir()) == ["audio", "manifest"]


def test_nothing_is_moved_where_not_all_can_be(serve: Callable[..., Server], tmp_path: Path) -> None:
    (tmp_path / "manifest").write_bytes(b"a file")
    with pytest.raises(DatasetError, match=f"{tmp_path}/manifest: cannot be written: Not a directory; the archive is"):
        download(serve(GOOD), tmp_path, GOOD)
    assert sorted(path.name for path in tmp_path.iterdir()) == [ARCHIVE, "manifest"]


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    with pytest.raises(DatasetError, match="data: the folder cannot be made"):
        download_benchmark(tmp_path / "data", url="http://127.0.0.1:9/")


# --- the command ---


def run(*arguments: str, module: str = "discophon.prepare") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)


def test_command(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(GOOD)
    sha256 = hashlib.sha256(GOOD).hexdigest()
    given = ("--url", server.url, "--size", str(len(GOOD)), "--sha256", sha256)
    done = run("download", str(tmp_path / "a"), *given)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"the archive is complete; unpacking into {tmp_path / 'a'}\n"
    assert (tmp_path / "a" / "manifest" / "m.csv").read_bytes() == b"fileid\n"
    for words in (("download", "--quiet"), ("--quiet", "download")):
        done = run("prepare", *words, str(tmp_path / "b"), *given, module="discophon")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bar_is_drawn_on_a_terminal_alone(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(GOOD)
    command = [sys.executable, "-m", "discophon.prepare", "download", str(tmp_path), "--url", server.url]
    command += ["--size", str(len(GOOD)), "--sha256", hashlib.sha256(GOOD).hexdigest()]
    ours, theirs = os.openpty()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert (done.returncode, done.stdout) == (0, b"")
    assert "\rdownload 100% of 0.00 GB" in shown
    assert "\rcheck 100% of 0.00 GB" in shown


def test_a_complete_dataset_is_not_fetched_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    for folder, names in expected_folders().items():
        (tmp_path / folder).mkdir(exist_ok=True)
        for name in names:
            if folder.startswith("audio/"):
                (tmp_path / folder / name).mkdir()
            elif "." in name:
                (tmp_path / folder / name).touch()
    server = serve(GOOD)
    given = ("--url", server.url, "--size", str(len(GOOD)), "--sha256", hashlib.sha256(GOOD).hexdigest())
    done = run("download", str(tmp_path), *given)
    assert (done.returncode, done.stderr) == (0, f"{tmp_path} is complete already; --force downloads it again\n")
    assert server.ranges == []
    assert run("download", str(tmp_path), *given, "--force").returncode == 0
    assert server.ranges == [None]


def test_a_folder_in_the_place_of_a_file(serve: Callable[..., Server], tmp_path: Path) -> None:
    (tmp_path / "manifest" / "m.csv").mkdir(parents=True)
    with pytest.raises(DatasetError, match=r"m\.csv: cannot be written: .*; the archive is kept"):
        download(serve(GOOD), tmp_path, GOOD)
    assert (tmp_path / ARCHIVE).exists()
    (tmp_path / "manifest" / "m.csv").rmdir()
    server = serve(GOOD)
    download(server, tmp_path, GOOD)
    assert server.ranges == []
    assert (tmp_path / "manifest" / "m.csv").is_file()


def test_command_says_what_failed(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(GOOD, ("status:404",))
    done = run("download", str(tmp_path), "--url", server.url, "--size", "100", "--sha256", "0" * 64)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"python -m discophon.prepare: error: {server.url}: the server answers 404 Not Found;"
        " check the address, or fetch the archive by hand\n"
    )
    server = serve(GOOD)
    done = run("download", str(tmp_path), "--url", server.url, "--size", str(len(GOOD)), "--sha256", "0" * 64)
    assert done.returncode == 3
    assert "its SHA-256 is" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("download",), "the following arguments are required: DATA"),
        (("download", "data", "--timeout", "0"), "--timeout 0: it must be"),
        (("download", "data", "--timeout", "nan"), "--timeout nan: it must be"),
        (("download", "data", "--timeout", "1e300"), "--timeout 1e+300: it must be"),
        (("download", "data", "--sha256", "xyz"), "'xyz' is no SHA-256, which has 64 hexadecimal digits"),
        (("download", "data", "--url", "http://[bad/"), "not an http or https address"),
        (("download", "data", "--url", "http://h/ü"), "only ASCII letters"),
        (("download", "data", "--size", "-1"), "--size -1: it must be"),
        (("download", "data", "--url", "file:///etc/passwd"), "not an http or https address"),
        (("fetch", "data"), "invalid choice"),
    ],
)
def test_command_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
