"""A second, slow discovery: plain loops over frames and tables, written from the definitions, for random inputs."""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations
from math import log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Units = dict[str, list[int]]
Phones = dict[str, list[str]]


def frames_of(entries: Sequence[tuple[str, str, str]], step: int) -> list[str]:
    """Expand (onset, offset, phone) entries of one file, times as text, to one phone per step."""
    out = []
    now = Decimal(0)
    for onset, offset, phone in entries:
        assert Decimal(onset) == now
        while now < Decimal(offset):
            out.append(phone)
            now += Decimal(step) / 1000
        assert now == Decimal(offset)
    return out


def rows(units: Units, phones: Phones, n_units: int, n_phonemes: int, repeats: int) -> list[tuple[str, list[int]]]:
    """Count frame by frame; rows by decreasing total, among equals the later label first."""
    pairs = [
        (phone, unit)
        for file, sequence in phones.items()
        for phone, unit in zip(sequence, (unit for unit in units[file] for _ in range(repeats)), strict=False)
    ]
    labels = list(dict.fromkeys(phone for phone, _ in pairs))  # not those that are only in what was cut
    labels += [f"<missing-{k}>" for k in range(len(labels), n_phonemes + 1)]
    counts = {label: [0] * n_units for label in labels}
    for phone, unit in pairs:
        counts[phone][unit] += 1
    ranked = sorted(enumerate(labels), key=lambda item: (-sum(counts[item[1]]), -item[0]))
    return [(label, counts[label]) for _, label in ranked]


def pnmi(table: Sequence[tuple[str, list[int]]]) -> float:
    counts = [row for _, row in table]
    total = sum(map(sum, counts))
    of_phone = [sum(row) / total for row in counts]
    of_unit = [sum(column) / total for column in zip(*counts, strict=True)]
    entropy = -sum(p * log(p) for p in of_phone if p)
    information = 0.0
    for p, row in zip(of_phone, counts, strict=True):
        for u, count in zip(of_unit, row, strict=True):
            if count:
                information += count / total * log(count / total / (p * u))
    return min(1.0, max(0.0, information / entropy)) if entropy else 0.0


def many_to_one(table: Sequence[tuple[str, list[int]]]) -> list[str]:
    n_units = len(table[0][1])
    mapped = []
    for unit in range(n_units):
        best = max(range(len(table)), key=lambda row: (table[row][1][unit], -row))
        mapped.append(table[best][0])
    return mapped


def best_sum(weights: Sequence[Sequence[int]]) -> int:
    """Try all assignments."""
    n = len(weights)
    return max(sum(weights[i][p[i]] for i in range(n)) for p in permutations(range(n)))


def without_repeats(sequence: Sequence[str]) -> list[str]:
    return [label for i, label in enumerate(sequence) if i == 0 or label != sequence[i - 1]]


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
        before = row
    return before[-1]


def error_rate(predicted: Mapping[str, Sequence[str]], gold: Mapping[str, Sequence[str]]) -> float:
    pairs = [(without_repeats(predicted[file]), without_repeats(gold[file])) for file in gold]
    return sum(edit_distance(p, g) for p, g in pairs) / sum(len(g) for _, g in pairs)


def boundaries(sequence: Sequence[str], step: int) -> list[int]:
    return [i * step for i in range(1, len(sequence)) if sequence[i] != sequence[i - 1]]


def windows(times: Sequence[int], margin: int, *, shared: bool) -> list[tuple[int, int]]:
    out = [[max(0, t - margin), t + margin] for t in times]
    for k in range(len(times) - 1):
        if shared:
            if out[k][1] > out[k + 1][0]:
                out[k][1] = out[k + 1][0] = (out[k][1] + out[k + 1][0]) // 2
        else:
            middle = (times[k] + times[k + 1]) // 2
            out[k][1] = min(out[k][1], middle)
            out[k + 1][0] = max(out[k + 1][0], middle + 1)
    return [(a, b) for a, b in out]


def boundary_counts(
    predicted: Mapping[str, Sequence[str]],
    gold: Mapping[str, Sequence[str]],
    steps: tuple[int, int],
    *,
    margin: int = 20,
    shared: bool = False,
) -> tuple[int, int, int]:
    hits = misses = extra = 0
    for file in gold:
        found = boundaries(predicted[file], steps[0])
        spans = windows(boundaries(gold[file], steps[1]), margin, shared=shared)
        hit = sum(any(a <= t <= b for t in found) for a, b in spans)
        hits, misses, extra = hits + hit, misses + len(spans) - hit, extra + len(found) - hit
    return hits, extra, misses


def f1_and_r(hits: int, extra: int, misses: int) -> tuple[float, float]:
    recall = hits / (hits + misses)
    over = (hits + extra) / (hits + misses) - 1
    r1 = sqrt((1 - recall) ** 2 + over**2)
    r2 = abs(recall - 1 - over) / sqrt(2)
    return 2 * hits / (2 * hits + extra + misses), 1 - (r1 + r2) / 2
