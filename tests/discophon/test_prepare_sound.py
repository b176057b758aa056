"""One clip: what an interruption leaves, what is cut short, and what is no fault of the clip."""

from __future__ import annotations

import signal
import tempfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from discophon.prepare.errors import AudioWriteError
from discophon.prepare.sound import SAMPLE_RATE, convert

if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

SECONDS = 60


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A minute of noise, which takes some ticks of a second to decode."""
    path = tmp_path_factory.mktemp("clips") / "clip.mp3"
    samples = np.random.default_rng(1).normal(0, 0.1, 48_000 * SECONDS)
    soundfile.write(path, samples, 48_000, format="MP3")
    return path


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # interrupted between open() and its 'with'
@pytest.mark.parametrize("is_path", [True, False])
def test_an_interruption_leaves_nothing_and_is_not_swallowed(clip: Path, tmp_path: Path, *, is_path: bool) -> None:
    fired = []

    def interrupt(*_: object) -> NoReturn:
        fired.append(True)
        raise KeyboardInterrupt

    target = tmp_path / "clip.wav"
    source = str(clip) if is_path else clip.read_bytes()
    assert convert(source, str(target)) == ""  # and everything is loaded
    whole = target.read_bytes()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for tick in range(1, 9):
            target.unlink(missing_ok=True)
            fired.clear()
            is_raised = False
            signal.setitimer(signal.ITIMER_REAL, tick / 200)
            try:
                convert(source, str(target))
                signal.setitimer(signal.ITIMER_REAL, 0)  # it was quicker
            except KeyboardInterrupt:
                is_raised = True
            assert is_raised == bool(fired)
            assert not target.exists() or target.read_bytes() == whole
            assert sorted(path.name for path in tmp_path.iterdir()) in ([], ["clip.wav"])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_is_in_a_clip_is_converted_as_the_clip(clip: Path, tmp_path: Path) -> None:
    assert convert(str(clip), str(tmp_path / "one.wav")) == convert(clip.read_bytes(), str(tmp_path / "two.wav")) == ""
    assert (tmp_path / "one.wav").read_bytes() == (tmp_path / "two.wav").read_bytes()
    assert soundfile.info(tmp_path / "one.wav").frames == SAMPLE_RATE * SECONDS


def test_a_clip_that_is_cut_short(clip: Path, tmp_path: Path) -> None:
    target = tmp_path / "clip.wav"
    data = clip.read_bytes()
    trouble = convert(data[: len(data) // 2], str(target), SAMPLE_RATE * SECONDS)
    assert trouble.startswith("it is cut short: ")
    assert trouble.endswith(" s of the 60.00 s that the manifest announces")
    assert not target.exists()
    for announced in (0, 1, SAMPLE_RATE * SECONDS, SAMPLE_RATE * SECONDS + 1000):  # decoders differ at the ends
        target.unlink(missing_ok=True)
        assert convert(data, str(target), announced) == ""
        assert target.exists()


def test_no_room_is_no_fault_of_the_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(
        AudioWriteError, match=r"nowhere: a clip cannot be put there for a moment: No such file .* TMPDIR"
    ):
        convert(b"RIFF", str(tmp_path / "clip.wav"))
