"""From a file to mono samples: libsndfile decodes, the mean over channels is taken, soxr resamples.

Only the wanted part of a file is decoded. The values are those of librosa 0.11's ``load``: the part is cut at the
file's own rate (whole samples, rounded down), then averaged, then resampled with soxr's high quality.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pathbench.cache import BoundedCache
from pathbench.reasons import Detail, fault

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, MutableMapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.floating[Any]]

__all__ = [
    "SAMPLE_RATE",
    "SHARED",
    "AudioCache",
    "Identity",
    "Recording",
    "StrPath",
    "decode_errors",
    "identify",
    "is_segment",
    "load_audio",
    "load_audios",
    "read_audio",
    "undecodable",
    "wrong_rate",
]

StrPath = os.PathLike[str] | str
Dtype = Literal["float32", "float64"]
Identity = tuple[str, int, int, float, float]

SAMPLE_RATE = 16000
"""Rate in Hz that scores are computed at."""

_NO_FILE = 7  # of libsndfile, which says so of an MP3 file too that holds something else

LOWEST_RATE, HIGHEST_RATE = 1000, 1_000_000
"""Rates in Hz that a recording may have."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Samples of a recording or of a part of it, or why there are none.

    Attributes
    ----------
    audio : ndarray of float, shape (samples,) or (channels, samples), or None
        Samples, mono unless all channels were asked for, not to be written to; None if they cannot be had. Never empty.
    fs : int
        Their rate in Hz; 0 if there are none.
    reason : str or None
        ``load_error`` or ``empty_audio`` if there are none.
    message : str
        What is wrong, in words.
    """

    audio: FloatArray | None
    fs: int
    reason: str | None = None
    message: str = ""

    @property
    def duration(self) -> float:
        """Duration in seconds."""
        return 0.0 if self.audio is None else self.audio.shape[-1] / self.fs

    @property
    def fault(self) -> Detail:
        """Why there is no score without samples."""
        return fault(self.reason or "load_error", self.message)


class AudioCache(BoundedCache[Recording]):
    """Keep the recordings used last, up to a number of bytes.

    Parameters
    ----------
    max_bytes : int, default 256 MiB
        Bytes of samples to keep.
    """

    def __init__(self, max_bytes: int = 1 << 28) -> None:
        super().__init__(max_bytes, _size)

    def __reduce__(self) -> tuple[type[AudioCache], tuple[int]]:
        return (AudioCache, (self.max_bytes,))  # another process starts with an empty one


def _size(recording: Recording) -> int:
    return 1024 + (0 if recording.audio is None else recording.audio.nbytes)


SHARED = AudioCache()
"""The cache of this process, used by all evaluators: an utterance is read once."""


def is_segment(start: float, end: float) -> bool:
    """Tell whether two times name a part of a recording.

    Parameters
    ----------
    start, end : float
        Seconds; a negative end is that of the recording.

    Returns
    -------
    bool
        False for the whole recording.
    """
    return start != 0.0 or end >= 0.0


def read_audio(
    path: StrPath,
    start: float = 0.0,
    end: float = -1.0,
    *,
    rate: int | None = SAMPLE_RATE,
    dtype: Dtype = "float32",
    mono: bool = True,
    cache: MutableMapping[Hashable, Recording] | None = SHARED,
) -> Recording:
    """Read a recording or a part of it as mono samples.

    Parameters
    ----------
    path : path-like or str
        A file of any format that libsndfile reads.
    start, end : float, default 0.0 and -1.0
        The part, in seconds; a negative `end` is that of the recording.
    rate : int or None, default 16000
        Rate in Hz to resample to; None keeps that of the file.
    dtype : {"float32", "float64"}, default "float32"
        Kind of the samples.
    mono : bool, default True
        Average the channels.
    cache : mapping or None, optional
        Where recordings are kept; that of the process by default, None for nowhere. A file that has changed is
        read anew.

    Returns
    -------
    Recording
        The samples, or why there are none.
    """
    end = -1.0 if end < 0 else end
    place = identify(path, start, end)
    if isinstance(place, Recording):
        return place
    key = (*place, rate, dtype, mono)
    if cache is None:
        return _read(place[0], start, end, rate, dtype, mono=mono)
    try:
        return cache[key]
    except KeyError:
        recording = cache[key] = _read(place[0], start, end, rate, dtype, mono=mono)
        return recording


def identify(path: StrPath, start: float, end: float) -> Identity | Recording:
    """Tell a part of a recording from all others, and from itself after the file has changed.

    Parameters
    ----------
    path : path-like or str
        The file.
    start, end : float
        The part, in seconds.

    Returns
    -------
    tuple or Recording
        Path, time of change, size, start and end; or why there is no such file.
    """
    name = os.fspath(path)
    try:
        status = os.stat(name)
    except (OSError, ValueError) as error:
        is_pipe = name.endswith("|")
        what = "is a command, which is never run; write its output to a file" if is_pipe else _strerror(error)
        return Recording(None, 0, "load_error", what)
    wrong = _not_a_recording(name, status)
    return Recording(None, 0, "load_error", wrong) if wrong else (name, status.st_mtime_ns, status.st_size, start, end)


def load_audio(
    path: StrPath,
    start: float = 0.0,
    end: float = -1.0,
    cache: MutableMapping[Hashable, Recording] | None = None,
) -> tuple[FloatArray, int] | tuple[None, None]:
    """Load a recording or a part of it as mono float32 samples at 16 kHz.

    Parameters
    ----------
    path : path-like or str
        The file.
    start, end : float, default 0.0 and -1.0
        The part, in seconds; a negative `end` is that of the recording.
    cache : mapping, optional
        Where recordings are kept, such as an `AudioCache` or a dict; nowhere by default.

    Returns
    -------
    audio : ndarray of float32, shape (samples,), or None
        The samples; None if the file cannot be read or has none there.
    fs : int or None
        16000, or None.
    """
    recording = read_audio(path, start, end, cache=cache)
    return (None, None) if recording.audio is None else (recording.audio, recording.fs)


def load_audios(
    files: Iterable[tuple[StrPath, float, float]], cache: MutableMapping[Hashable, Recording] | None = None
) -> Sequence[tuple[FloatArray, int]]:
    """Load several recordings, leaving out those that cannot be read.

    Parameters
    ----------
    files : iterable of (path, start, end)
        The recordings or their parts.
    cache : mapping, optional
        Where recordings are kept.

    Returns
    -------
    list of (ndarray, int)
        Samples and rate of each that could be read.
    """
    recordings = [read_audio(path, start, end, cache=cache) for path, start, end in files]
    return [(found.audio, found.fs) for found in recordings if found.audio is not None]


def _strerror(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"


def _not_a_recording(name: str, status: os.stat_result) -> str:
    """Say why a file of this name and status holds no sound; nothing if it may."""
    if stat.S_ISDIR(status.st_mode):
        return "is a directory; a file is wanted"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    if status.st_size == 0:
        return "has 0 bytes"
    if name.lower().endswith(".raw"):  # so soundfile takes it, whatever the file holds
        what = "the name ends in .raw, so it is taken for samples of unknown rate"
        return f"cannot be decoded: {what}; fix: give a WAV or FLAC file, named so"
    return ""


def _read(name: str, start: float, end: float, rate: int | None, dtype: Dtype, *, mono: bool) -> Recording:
    """Decode, average and resample; `end` is -1 or a time."""
    import numpy as np
    import soundfile

    try:
        with soundfile.SoundFile(os.fsencode(name) if os.name == "posix" else name) as file:
            native = int(file.samplerate)
            wrong = wrong_rate(native)
            if wrong:
                return Recording(None, 0, "load_error", wrong)
            first = int(start * native)
            n_frames = -1 if end < 0 else max(0, int((end - start) * native))
            if first < 0:
                return Recording(None, 0, "load_error", f"the start, {start} s, is negative")
            if first >= file.frames > 0 or n_frames == 0:
                return Recording(None, 0, "empty_audio", f"has no samples between {start} s and {_end(end)}")
            if first:  # some decoders start anew when told to seek to where they are
                file.seek(first)
            samples = file.read(n_frames, dtype=dtype, always_2d=True)
        if samples.size == 0:
            return Recording(None, 0, "empty_audio", "has no samples")
        audio = _mixed(samples) if mono or samples.shape[1] == 1 else samples.T.copy()
        if not (np.isfinite(audio.min()) and np.isfinite(audio.max())):
            return Recording(None, 0, "load_error", "has samples that are not finite numbers")
        if rate is not None and rate != native:
            audio = _resample(audio, native, rate)
            native = rate
    except decode_errors() as error:
        return Recording(None, 0, "load_error", undecodable(name, error))
    audio.flags.writeable = False
    return Recording(audio, native)


def wrong_rate(rate: int) -> str:
    """Say what is wrong with the rate that a file claims: nobody records sound so, and resampling it takes all memory.

    Parameters
    ----------
    rate : int
        Rate in Hz.

    Returns
    -------
    str
        What is wrong; empty if nothing is.
    """
    if LOWEST_RATE <= rate <= HIGHEST_RATE:
        return ""
    return f"has {rate} samples per second, which is no rate of sound ({LOWEST_RATE} to {HIGHEST_RATE})"


def decode_errors() -> tuple[type[Exception], ...]:
    """List what is raised over a file that cannot be decoded, or whose samples cannot be had.

    Returns
    -------
    tuple of type
        What `except` takes.
    """
    import soundfile

    return (soundfile.SoundFileError, OSError, ValueError, OverflowError, MemoryError)


def undecodable(name: str, error: Exception) -> str:
    """Say why a file that is there could not be decoded.

    Parameters
    ----------
    name : str
        The file.
    error : Exception
        What was raised.

    Returns
    -------
    str
        The cause: that of the system if the file cannot even be opened, which the decoder calls a system error.
    """
    if isinstance(error, MemoryError):
        return "does not fit into memory"
    try:
        with open(name, "rb"):
            pass
    except OSError as cause:
        return _strerror(cause)
    if getattr(error, "code", None) == _NO_FILE:  # it was opened just now
        return f"cannot be decoded as {os.path.splitext(name)[1].lstrip('.').upper() or 'sound'}"
    return f"cannot be decoded: {getattr(error, 'error_string', None) or error}"


def _mixed(samples: FloatArray) -> FloatArray:
    """Average channels, (samples, channels)."""
    return samples[:, 0] if samples.shape[1] == 1 else samples.T.mean(axis=0)


def _end(end: float) -> str:
    return "its end" if end < 0 else f"{end} s"


def _resample(audio: FloatArray, native: int, rate: int) -> FloatArray:
    """Resample; the length is that of the signal times the ratio, rounded up."""
    import numpy as np
    import soxr  # type: ignore[import-untyped]

    wanted = int(np.ceil(audio.shape[-1] * (rate / native)))
    found = soxr.resample(audio.T, native, rate, quality="soxr_hq")[:wanted].T
    short = [(0, 0)] * (audio.ndim - 1) + [(0, wanted - found.shape[-1])]
    return np.ascontiguousarray(np.pad(found, short))
