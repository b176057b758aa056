"""Find what makes people lose numbers silently, and say so. Nothing here changes a score."""

from __future__ import annotations

import os

from mdeval.mapping import byte_order
from mdeval.nist import uem_file_id
from mdeval.zones import SPEAKER, seconds_outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mdeval.counts import RecordingScore
    from mdeval.recording import Key, Uem
    from mdeval.side import Side

__all__ = ["one_sided", "self_overlaps", "silent_losses", "undefined"]

_MOST = 20
"""How many places of one kind are named; the rest is counted."""


def name_of(key: Key) -> str:
    """Name a recording in a message."""
    return f"{key[0]} (channel {key[1]})"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST])
    return shown if len(names) <= _MOST else f"{shown} and {len(names) - _MOST} more"


def one_sided(ref_keys: Sequence[Key], sys_keys: Sequence[Key]) -> tuple[list[Key], list[Key]]:
    """List the recordings that only the reference has, and those that only the system output has.

    Parameters
    ----------
    ref_keys, sys_keys : sequence of (str, str)
        Recordings of either side, in byte order.

    Returns
    -------
    only_ref, only_sys : list of (str, str)
        In byte order.
    """
    refs, systems = set(ref_keys), set(sys_keys)
    return [k for k in ref_keys if k not in systems], [k for k in sys_keys if k not in refs]


def silent_losses(
    reference: Side,
    system: Side,
    keys: Sequence[Key],
    uem: Uem | None,
    missing: str,
) -> Iterator[str]:
    """Say where input does not meet what it was meant for.

    Parameters
    ----------
    reference, system : Side
        Either side.
    keys : sequence of (str, str)
        All recordings of the reference.
    uem : Uem or None
        Regions from the UEM file.
    missing : str
        What is done with recordings that have no system output: ``miss`` or ``skip``.

    Yields
    ------
    str
        One warning each.
    """
    for ref_path in reference.paths:
        for sys_path in system.paths:
            if ref_path != "-" and sys_path != "-" and os.path.samefile(ref_path, sys_path):
                yield f"reference and system output are the same file, {ref_path}: the system scores against itself"
    if not keys:
        yield f"{', '.join(reference.paths) or 'the reference'}: no SPEAKER record, so nothing is scored"
    if uem is not None and not uem:
        yield f"{uem.path}: no region in it, so all regions are inferred from the reference"
    only_ref, only_sys = one_sided(keys, system.keys_with_turns())
    yield from _sides(keys, only_ref, only_sys, missing)
    if uem is not None:
        yield from _unmatched(keys, uem)
    yield from _outside(reference, system, [key for key in keys if not uem or key not in uem])


def _sides(keys: Sequence[Key], only_ref: Sequence[Key], only_sys: Sequence[Key], missing: str) -> Iterator[str]:
    channels: dict[str, list[str]] = {}
    for file_id, channel in only_sys:
        channels.setdefault(file_id, []).append(channel)
    apart: dict[str, list[str]] = {}
    for file_id, channel in only_ref:
        if file_id in channels:
            apart.setdefault(file_id, []).append(channel)
    matched = {file_id for file_id, _ in set(keys) - set(only_ref)}
    for file_id, mine in apart.items():
        if file_id not in matched:
            yield (
                f"{file_id}: the reference has channel {', '.join(mine)}, the system output channel"
                f" {', '.join(channels[file_id])}; nothing can match (--ignore-channels takes all channels of a file"
                " as one)"
            )
    if only_ref and only_sys and not {f for f, _ in keys} & {f for f, _ in only_sys} and len(only_ref) == len(keys):
        yield "reference and system output have no file in common: compare the names in the two warnings below"
    if only_ref:
        fate = "left out" if missing == "skip" else "all its speech counts as missed"
        yield f"only in the reference, {fate}: {_listed([name_of(key) for key in only_ref])}"
    if only_sys:
        yield f"only in the system output, not scored: {_listed([name_of(key) for key in only_sys])}"


def _unmatched(keys: Sequence[Key], uem: Uem) -> Iterator[str]:
    known = set(keys)
    channels: dict[str, list[str]] = {}
    for file_id, channel in keys:
        channels.setdefault(file_id, []).append(channel)
    shortened = {uem_file_id(file_id): file_id for file_id in channels}
    lost = [key for key in uem if key not in known]
    for key in lost[:_MOST]:
        file_id = key[0]
        written, channel = uem.written[key]
        entry = f"{uem.path}: the entry for {written}, channel {channel}"
        text = f"{entry} matches no recording of the reference and is not used"
        if file_id in channels:
            text += f" ({file_id} has channel {', '.join(channels[file_id])} there)"
        elif file_id in shortened:
            text += (
                f" (UEM names lose their first suffix, so this one means {file_id}, not {shortened[file_id]};"
                " rename the recording without dots)"
            )
        yield text
    if len(lost) > _MOST:
        yield f"{uem.path}: {len(lost) - _MOST} more entries match no recording of the reference"


def _outside(reference: Side, system: Side, keys: Sequence[Key]) -> Iterator[str]:
    """Find system speech outside regions that were inferred from the reference."""
    lost: list[tuple[Key, float]] = []
    if reference.builder is not None and keys:
        from mdeval.large import speech_outside

        lost = speech_outside(reference, system, keys)
    else:
        from mdeval.recording import UEM_KINDS
        from mdeval.zones import uem_from

        for key in keys:
            regions = uem_from((r[1], r[2]) for r in reference.records[key] if r[3] in UEM_KINDS)
            turns = [(r[1], r[2]) for r in system.records.get(key, ()) if r[3] == SPEAKER]
            seconds = seconds_outside(turns, regions[0])
            if seconds > 0:
                lost.append((key, seconds))
    for key, seconds in lost[:_MOST]:
        yield (
            f"{name_of(key)}: {seconds:.2f} s of system speech lie outside the region inferred from the reference"
            " and cost nothing; a UEM (-u) would count them"
        )
    if len(lost) > _MOST:
        rest = sum(seconds for _, seconds in lost[_MOST:])
        yield (
            f"{len(lost) - _MOST} more recordings have system speech outside the region inferred from the reference,"
            f" {rest:.2f} s in all"
        )


def self_overlaps(scores: Iterable[RecordingScore]) -> Iterator[str]:
    """Say where a speaker talks over themself: counted once, but rarely meant."""
    n = 0
    for score in scores:
        for side, speaker, time in score.self_overlaps:
            n += 1
            if n <= _MOST:
                yield (
                    f"{name_of((score.file_id, score.channel))}: {side} speaker {speaker} overlaps themself from"
                    f" {time:g} s on; the time is counted once"
                )
    if n > _MOST:
        yield f"{n - _MOST} more turns overlap another one of their own speaker"


def undefined(scores: Iterable[RecordingScore]) -> Iterator[str]:
    """Name the recordings whose error rate does not exist."""
    names = [name_of((s.file_id, s.channel)) for s in scores if s.counts.der is None]
    if names:
        yield f"no speaker time is scored, so the error rate is undefined: {_listed(byte_order(names))}"
