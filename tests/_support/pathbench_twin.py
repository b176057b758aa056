"""Slow twins of the scores of `pathbench`: plain loops, written from the formulas, sharing nothing with the package."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import pearsonr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def cpp(x: NDArray[Any], fs: int, *, norm: str = "line", double_log: bool = False) -> list[float]:
    """Cepstral peak prominence of every frame, one frame at a time."""
    eps = np.finfo(float).eps
    size, hop = round(0.04 * fs), round(0.01 * fs)
    half = round(size / 2)
    length = 2 * half + 1
    y = np.array([x[n] - (0.97 * x[n - 1] if n else 0.0) for n in range(len(x))], dtype=float)
    window = np.array([0.5 - 0.5 * math.cos(2 * math.pi * i / (length + 1)) for i in range(1, length + 1)])
    q = np.arange(round(fs / 333.3) - 1, round(fs / 60))
    kept = []
    for centre in range(size + 1, len(x) - size + 1, hop):
        spectrum = 20 * np.log10(np.abs(np.fft.fft(y[centre - half - 1 : centre + half] * window)) + eps)
        cepstrum = np.abs(np.fft.fft(spectrum))
        kept.append((20 * np.log10(cepstrum + eps) if double_log else cepstrum)[q])
    overall = float(np.mean(kept)) if kept else 0.0
    found = []
    for cepstrum in kept:
        at = int(np.argmax(cepstrum))
        base = overall if norm == "mean" else 0.0
        if norm == "line":
            slope, offset = np.polyfit(q, cepstrum, 1)
            base = slope * q[at] + offset
        found.append(float(cepstrum[at] - base))
    return found


def wada(x: NDArray[Any], table: Sequence[float]) -> float:
    """Signal-to-noise ratio, one sample at a time."""
    loudest = max(abs(float(v)) for v in x)
    z = [max(abs(float(v)) / loudest, 1e-10) for v in x]
    statistic = math.log(max(1e-10, math.fsum(z) / len(z))) - math.fsum(math.log(v) for v in z) / len(z)
    k = max((i for i, g in enumerate(table) if g < statistic), default=-1)
    if k < 0:
        return -20.0
    if k == len(table) - 1:
        return 100.0
    return -20.0 + k + (statistic - table[k]) / (table[k + 1] - table[k])


def gabor(x: NDArray[Any]) -> Array:
    """Magnitudes of the Gabor transform, one bin at a time."""

    def h(m: float) -> float:
        return 0.54 + 0.46 * math.cos(2 * math.pi * m / 512)

    window = {m: h(m) / math.sqrt(512 * (h(m) ** 2 + h(256 - abs(m)) ** 2)) for m in range(-255, 256)}
    window[0] = 1 / math.sqrt(512)
    length = max(1, math.ceil(len(x) / 512)) * 512
    padded = np.append(np.asarray(x, dtype=float), np.zeros(length - len(x)))
    found = np.empty((length // 256, 257))
    for n in range(length // 256):
        values = np.array([padded[(256 * n + m) % length] * window[m] for m in range(-255, 256)])
        for k in range(257):
            phase = np.exp(-2j * np.pi * k * np.arange(-255, 256) / 512)
            found[n, k] = abs(np.sum(values * phase))
    return found


def warp(x: Array, y: Array) -> list[tuple[int, int]]:
    """Cheapest path from the end to the start, cell by cell; of equal steps the first of (1,1), (0,1), (1,0)."""
    n, m = len(x), len(y)
    total = np.full((n, m), np.inf)
    step: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(n):
        for j in range(m):
            cost = math.sqrt(float(np.sum((x[i] - y[j]) ** 2)))
            if i == j == 0:
                total[i, j] = cost
            for di, dj in ((1, 1), (0, 1), (1, 0)):
                if i >= di and j >= dj and total[i - di, j - dj] + cost < total[i, j]:
                    total[i, j] = total[i - di, j - dj] + cost
                    step[i, j] = (di, dj)
    path = [(n - 1, m - 1)]
    while path[-1] != (0, 0):
        (i, j), (di, dj) = path[-1], step[path[-1]]
        path.append((i - di, j - dj))
    return path


def pattern(envelopes: Sequence[Array], centroid: int) -> Array:
    """Average of the references after aligning them, frame by frame."""
    rows: list[list[Array]] = [[] for _ in envelopes[centroid]]
    for number, other in enumerate(envelopes):
        if number == centroid:
            continue
        partner: dict[int, int] = {}
        for i, j in warp(other, envelopes[centroid]):
            partner.setdefault(j, i)
        for j, i in partner.items():
            rows[j].append(10 ** other[i])
    return np.array([np.log10(np.mean(row, axis=0)) for row in rows])


def matched(test: Array, reference: Array, *, deletion: bool) -> tuple[Array, Array]:
    """Frames that belong together, from the end to the start."""
    path = warp(test, reference)
    if deletion:
        once = [p for k, p in enumerate(path) if k == 0 or p[1] != path[k - 1][1]]
        path = [p for k, p in enumerate(once) if k == 0 or p[0] != once[k - 1][0]]
    return np.array([10 ** reference[j] for _, j in path]), np.array([10 ** test[i] for i, _ in path])


def _r(x: Array, y: Array) -> float:
    return 0.0 if x.std() < 1e-12 or y.std() < 1e-12 else float(pearsonr(x, y)[0])


def p_stoi(reference: Array, test: Array) -> float:
    """P-STOI of frames that belong together, window by window and band by band."""
    n = min(15, len(reference))
    found = []
    for start in range(len(reference) - n + 1):
        for band in range(reference.shape[1]):
            u, v = reference[start : start + n, band], test[start : start + n, band]
            alpha = math.sqrt(np.sum(u**2) / np.sum(v**2))
            found.append(_r(u, np.minimum((1 + 10 ** (15 / 20)) * u, alpha * v)))
    return float(np.mean(found))


def p_estoi(reference: Array, test: Array) -> float:
    """P-ESTOI of frames that belong together, window by window and frame by frame."""
    n = min(15, len(reference))
    eps = np.finfo(float).eps
    found = []
    for start in range(len(reference) - n + 1):
        sides = []
        for values in (reference, test):
            part = values[start : start + n]
            sides.append((part - part.mean(axis=0)) / (part.std(axis=0) + eps))
        found += [_r(sides[0][frame], sides[1][frame]) for frame in range(n)]
    return float(np.mean(found))


def references(
    utt: str, kind: str, own: Mapping[str, Mapping[str, str]], other: Mapping[str, Mapping[str, str]], key: Any
) -> list[str]:
    """References of an utterance, by looking at every utterance of both sets for it."""
    speaker = own["utt2spk"].get(utt)
    found = []
    for tables in (own, other) if kind == "all" else (other,):
        for candidate in tables["text"]:
            if key(tables["text"][candidate]) != key(own["text"].get(utt, "")) or candidate not in tables["wav.scp"]:
                continue
            theirs = tables["utt2spk"].get(candidate)
            if kind == "all":
                is_wanted = (tables is other or candidate != utt) and (theirs is None or theirs != speaker)
            else:
                gender = own["spk2gender"].get(speaker or "")
                is_wanted = gender is not None and tables["spk2gender"].get(theirs or "") == gender
            if is_wanted:
                found.append(tables["wav.scp"][candidate])
    return found
