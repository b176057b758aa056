"""One clip to one WAV file (needs ``discophon[audio]``).

The library of sound files is given descriptors of files, not streams of Python: it reads those by calling back, where
an interruption cannot be raised, and takes what is left of a clip then for its end.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from importlib import import_module
from tempfile import TemporaryFile, gettempdir
from typing import IO, TYPE_CHECKING, Any

from discophon.errors import UsageError
from discophon.prepare.errors import AudioWriteError
from discophon.printable import said
from discophon.writing import FULL, replacing
from speechio.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SAMPLE_RATE", "convert", "import_audio"]

SAMPLE_RATE = 16_000
"""Samples per second of the benchmark's audio, in Hz."""

_TOLERANCE = SAMPLE_RATE // 10  # decoders differ in what they drop at both ends of an mp3 file


def import_audio() -> tuple[Any, Any]:
    """Load what decodes and resamples sound.

    Returns
    -------
    soundfile, soxr : module
        The libraries.

    Raises
    ------
    UsageError
        If one is not installed.
    """
    try:
        return import_module("soundfile"), import_module("soxr")
    except ModuleNotFoundError as error:
        raise UsageError(f"clips need {error.name}; install it with: pip install {error.name}") from error
    except OSError as error:  # the library of sound files itself
        raise UsageError(f"clips need libsndfile, which cannot be loaded: {said(error)}") from error


def convert(source: str | bytes, target: str, n_samples: int = 0) -> str:
    """Convert one clip.

    Parameters
    ----------
    source : str or bytes
        Sound file that libsndfile can decode, of any sample rate: its path, or what is in it.
    target : str
        WAV file to write: 16 kHz, one channel, 16 bit.
    n_samples : int, default 0
        Samples that it shall have at least, save a tenth of a second.

    Returns
    -------
    str
        What is wrong with the clip; empty when it was converted.

    Raises
    ------
    AudioWriteError
        If the WAV file cannot be written, or there is no room for what is on its way.
    """
    soundfile, soxr = import_audio()
    try:
        with _opened(source) as stream:
            samples, rate = soundfile.read(_given(stream), closefd=False)
    except soundfile.LibsndfileError as error:
        return said(error.error_string).rstrip(".")
    except OSError as error:
        return error.strerror or str(error)
    if not len(samples):
        return "it has no samples"
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    if rate != SAMPLE_RATE:
        samples = soxr.resample(samples, rate, SAMPLE_RATE, quality="VHQ")
    if len(samples) < n_samples - _TOLERANCE:
        seconds, wanted = len(samples) / SAMPLE_RATE, n_samples / SAMPLE_RATE
        return f"it is cut short: {seconds:.2f} s of the {wanted:.2f} s that the manifest announces"
    try:
        with replacing(target) as stream:
            _write(soundfile, stream, samples)
    except InputError as error:
        remedy = "make room" if error.errno in FULL else "see where it leads, and who may write there"
        raise AudioWriteError(f"{target}: {error.what}; {remedy}, and run it again; what is converted stays") from error
    return ""


def _write(soundfile: Any, stream: IO[bytes], samples: NDArray[np.float64]) -> None:  # noqa: ANN401 - not typed
    """Write a WAV file; where that fails the system says why, which the library does not."""
    try:
        soundfile.write(_given(stream), samples, SAMPLE_RATE, format="WAV", subtype="PCM_16", closefd=False)
    except soundfile.LibsndfileError as error:
        stream.write(samples.tobytes())
        stream.flush()
        raise OSError(said(error.error_string)) from error


@contextmanager
def _opened(source: str | bytes) -> Iterator[IO[bytes]]:
    """Open a file that holds a clip."""
    with ExitStack() as ends:
        if isinstance(source, str):
            stream: IO[bytes] = ends.enter_context(open(source, "rb"))
        else:
            try:
                stream = ends.enter_context(TemporaryFile())
                stream.write(source)
                stream.seek(0)
            except OSError as error:
                raise _no_room(error.strerror or error) from error
        yield stream


def _no_room(why: object) -> AudioWriteError:
    """Say what is no fault of the clip."""
    what = f"{gettempdir()}: a clip cannot be put there for a moment: {said(why)}"
    return AudioWriteError(f"{what}; make room, or name another folder in TMPDIR")


def _given(stream: IO[bytes]) -> IO[bytes] | int:
    """Give a file as the library takes it; on Windows it may know other descriptors than Python."""
    return stream if os.name == "nt" else stream.fileno()
