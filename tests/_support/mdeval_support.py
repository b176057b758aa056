"""What the tests of `mdeval` share: the command as a process, both engines, golden runs, comparisons."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from mdeval.counts import TIME_FIELDS, WORD_FIELDS, RecordingScore, TypeTable
from mdeval.pool import read_side, read_uem
from mdeval.scoring import score_sides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdeval.counts import Counts
    from mdeval_strategies import Item, Recording
    from mdeval_twin import RecordingDict
    from mdeval_twin_score import Matrix

DATA = Path(__file__).resolve().parents[1] / "mdeval" / "data"
METADATA_LETTERS = frozenset("wWedDg")
VALUED_LETTERS = frozenset("rRsSucaAMzZyYtTlgpP")


# The command


@dataclass(frozen=True)
class Done:
    """How a process ended."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "surrogateescape")

    @property
    def after_first_line(self) -> bytes:
        return self.stdout.partition(b"\n")[2]


def run_mdeval(
    *arguments: str | Path, cwd: Path, stdin: bytes = b"", module: str = "mdeval.cli", limit: float = 60.0
) -> Done:
    """Run the command in a folder; no run of it may ever show a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=limit,
    )
    stderr = done.stderr.decode("utf-8", "surrogateescape")
    assert "Traceback" not in stderr, stderr
    return Done(done.returncode, done.stdout, stderr)


def write(folder: Path, **files: str | bytes) -> None:
    """Write files: `ref` is `ref.rttm`, `sys` is `sys.rttm`, `uem` is `all.uem`; others keep their name."""
    names = {"ref": "ref.rttm", "sys": "sys.rttm", "uem": "all.uem"}
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        (folder / names.get(name, name)).write_bytes(data)


def speaker(onset: float | str, duration: float | str, name: str, file: str = "f", channel: str = "1") -> str:
    """Write one SPEAKER line."""
    return f"SPEAKER {file} {channel} {onset} {duration} <NA> <NA> {name} <NA> <NA>\n"


# Golden runs


@dataclass(frozen=True)
class GoldenRun:
    """One run of md-eval 22 whose output is stored."""

    folder: Path
    name: str
    arguments: tuple[str, ...]
    status: int
    files: tuple[str, ...]
    stderr_kind: str

    @property
    def title(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}/{self.name}"

    @property
    def letters(self) -> dict[str, str]:
        """Options as md-eval reads them."""
        found: dict[str, str] = {}
        rest = list(self.arguments)
        while rest and rest[0].startswith("-") and rest[0] not in ("-", "--"):
            cluster = rest.pop(0)[1:]
            while cluster:
                letter, cluster = cluster[0], cluster[1:]
                if letter not in VALUED_LETTERS:
                    found[letter] = "1"
                    continue
                if cluster or rest:
                    found[letter] = cluster or rest.pop(0)
                break
        return found

    def expected(self, stream: str) -> bytes:
        return (self.folder / f"{self.name}.{stream}").read_bytes()


def golden_runs() -> list[GoldenRun]:
    """List all golden runs of the manifest."""
    manifest: dict[str, Any] = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
    return [
        GoldenRun(
            DATA / case["dir"],
            run["name"],
            tuple(run["args"].split()),
            int(run["status"]),
            tuple(case["files"]),
            run["stderr"],
        )
        for case in manifest["cases"]
        for run in case["runs"]
    ]


# Scoring files with one engine or the other


def score_files(
    ref: Path | Sequence[Path],
    sys_: Path | Sequence[Path],
    uem: Path | None = None,
    *,
    large: bool = False,
    strict: bool = False,
    collar: float = 0.0,
    one: bool = False,
    keep_directory: bool = False,
) -> list[RecordingScore]:
    """Score files with the small engine, or with the large one."""
    sides = []
    for paths in (ref, sys_):
        some = [paths] if isinstance(paths, Path) else list(paths)
        sides.append(read_side([str(path) for path in some], strict=strict, large=large))
    regions = None if uem is None else read_uem(str(uem), [], strict=strict, keep_directory=keep_directory)
    keys = sides[0].keys_with_turns()
    return score_sides(keys, sides[0], sides[1], regions, collar=collar, ignore_overlap=one)


def facts(score: RecordingScore) -> dict[str, object]:
    """Give everything that two engines must agree on, to be compared with ``==``."""
    return {
        "key": (score.file_id, score.channel),
        "counts": score.counts,
        "mapping": score.mapping,
        "overlaps": score.overlaps,
        "speakers": (score.speakers.ref, score.speakers.sys, score.speakers.joint),
        "seconds": tuple(dict(part) for part in tidy(score.seconds)),
        "self_overlaps": sorted(score.self_overlaps),
    }


def tidy(table: TypeTable) -> tuple[dict[str, float], dict[str, float], dict[tuple[str, str], float]]:
    """Give a type table without cells that are zero; a printed table cannot tell them from absent ones."""
    return dict(table.ref), dict(table.sys), {cell: value for cell, value in table.joint.items() if value}


# Comparison with the slow twin

OF_THE_MAP = frozenset({"speaker_error_time", "speaker_error_words"})


def lasting(recording: Recording) -> Recording:
    """Make durations 0 that are lost when they are added to their onset; nobody writes 1 s + 1e-197 s."""

    def kept(item: Item) -> Item:
        if item.begin is None or item.duration is None or item.begin + item.duration > item.begin:
            return item
        return replace(item, duration=0.0)

    ref, sys_ = (tuple(kept(item) for item in side) for side in (recording.ref, recording.sys))
    return replace(recording, ref=ref, sys=sys_)


def within_epsilon(recording: Recording, collar: float) -> bool:
    """Tell whether boundaries lie about md-eval's epsilon (1e-8 s) apart.

    md-eval's order of such boundaries depends on its sort; the package takes ends before begins. It moves sums by
    1e-8 s and no printed figure (md-eval.md section 9 and appendix A). NOSCORE zones reach 1e-8 s beyond their record.
    """
    if any(item.kind == "NOSCORE" for item in recording.ref):
        return True
    times = [t for region in recording.uem for t in region]
    for item in (*recording.ref, *recording.sys):
        if item.begin is not None and item.duration is not None:
            times += [item.begin, item.begin + item.duration]
            if 0 < item.duration < 1e-7:
                return True
    times += [t + off for t in times for off in (-collar, collar)]
    return any(1e-12 < b - a < 1e-7 for a, b in pairwise(sorted(times)))


def differences(score: RecordingScore, twin: RecordingDict, *, loose: bool = False) -> list[str]:
    """List where the score of a recording and the twin's differ by more than 1e-9.

    With `loose` the order of boundaries about 1e-8 s apart may differ: sums by up to 1e-7, the map where two are
    equally good, and whether a speaker is heard at all.
    """
    tolerance = 1e-7 if loose else 1e-9
    found = counts_differences(score.counts, twin["stats"], tolerance)
    found += _differing("overlaps", score.overlaps, twin["overlaps"], tolerance)
    found += table_differences("seconds", score.seconds, twin["seconds"], tolerance)
    if score.mapping != twin["mapping"]:
        totals = [sum(score.overlaps.get(p, 0.0) for p in m.items()) for m in (score.mapping, twin["mapping"])]
        if loose and abs(totals[0] - totals[1]) <= 1e-6:
            return [text for text in found if text.partition(":")[0] not in OF_THE_MAP]
        found.append(f"mapping: {score.mapping} != {twin['mapping']}")
    return found if loose else found + table_differences("speakers", score.speakers, twin["counts"])


def counts_differences(counts: Counts, stats: Mapping[str, float], tolerance: float = 1e-9) -> list[str]:
    """List the statistics that differ; the twin's word counters start at 1e-8."""
    found = [
        f"{name}: {getattr(counts, name)!r} != {stats[name]!r}"
        for name in TIME_FIELDS
        if abs(getattr(counts, name) - stats[name]) > tolerance
    ]
    return found + [
        f"{name}: {getattr(counts, name)!r} != {int(stats[name])!r}"
        for name in WORD_FIELDS
        if getattr(counts, name) != int(stats[name])
    ]


def table_differences(what: str, table: TypeTable, matrix: Matrix, tolerance: float = 1e-9) -> list[str]:
    """List where a type table differs from the twin's."""
    joint = {(row.strip(), column.strip()): value for (row, column), value in table.joint.items()}
    return (
        _differing(f"{what} ref", table.ref, matrix.ref, tolerance)
        + _differing(f"{what} sys", table.sys, matrix.sys, tolerance)
        + _differing(f"{what} joint", joint, matrix.joint, tolerance)
    )


def _differing(what: str, mine: Mapping[Any, float], twins: Mapping[Any, float], tolerance: float) -> list[str]:
    return [
        f"{what} {key}: {mine.get(key)!r} != {twins.get(key)!r}"
        for key in sorted({*mine, *twins}, key=str)
        if abs(mine.get(key, 0.0) - twins.get(key, 0.0)) > tolerance
    ]


# Ordinary RTTM bytes, and damage to them

NAMES = st.one_of(
    st.sampled_from(["A", "B", "spk-1", "f", "aCALL", "~x", ";x", "a;b", "abcdefgh", "abcdefghi", "a" * 32]),
    st.text("abXYZ019_.-%/;#", min_size=1, max_size=40),
).filter(lambda name: not name.startswith("<") and name != ";")
DECIMALS = st.one_of(
    st.integers(0, 10**9).map(str),
    st.builds("{}.{:02d}".format, st.integers(0, 5000), st.integers(0, 99)),
    st.builds("{}.{:03d}".format, st.integers(0, 99_999_999), st.integers(0, 999)),
    st.builds("{}.{}".format, st.integers(0, 10**10), st.text("0123456789", max_size=12)),
    st.text("0123456789", min_size=1, max_size=18).map(".{}".format),
    st.text("0123456789", min_size=1, max_size=20),
    st.sampled_from(["0", "0.0", ".5", "5.", "00.10", "123456.789", "99999999.9999999", "0.1", "2.675"]),
)
"""Plain decimals: no sign, no exponent, at least one digit."""


@st.composite
def ordinary_rttm(draw: st.DrawFn, *, max_lines: int = 12) -> bytes:
    """Draw RTTM bytes that every reader takes: SPEAKER lines of nine or ten fields, all alike."""
    width = draw(st.sampled_from([9, 10]))
    files = draw(st.lists(NAMES.filter(lambda n: not n.startswith((";", "#"))), min_size=1, max_size=3))
    names = draw(st.lists(NAMES, min_size=1, max_size=4))
    lines = []
    for _ in range(draw(st.integers(1, max_lines))):
        confidence = [draw(st.sampled_from(["<NA>", "<NA>", "0.9", "1"])) for _ in range(width - 8)]
        fields = [
            "SPEAKER",
            draw(st.sampled_from(files)),
            draw(st.sampled_from(["1", "2", "A", "a"])),
            draw(DECIMALS),
            draw(DECIMALS),
            "<NA>",
            "<NA>",
            draw(st.sampled_from(names)),
            *confidence,
        ]
        lines.append(draw(st.sampled_from([" ", " ", "\t"])).join(fields))
    return ("\n".join(lines) + draw(st.sampled_from(["\n", "\n", ""]))).encode()


_SNIPPETS = [
    b" ", b"  ", b"\t", b"\r", b"\r\n", b"\n", b"\n\n", b"\0", b"\xa0", b"\xc2\xa0", b"\xe9", "é".encode(), b"\xff",
    b"\x1c", b"\x0b", b"\x0c", b"\x85", b"\x7f", b"\xef\xbb\xbf", b";", b"#", b"; x\n", b"# c\n", b"<", b"<NA>",
    b"<na>", b"-", b"-1", b"+", b"*", b"e5", b"1e5", b"inf", b"nan", b"NaN", b"1_0", b"0x10", b".", b"..", b",", b"1,5",
    b"9" * 25, b"9" * 400, b"SPEAKER", b"speaker", b"LEXEME", b"SPKR-INFO", b"NOSCORE", b"adult_male", b"SU",
    b"SPEAKER f 1 0 1 <NA> <NA> A <NA>\n", b"SPKR-INFO f 1 <NA> <NA> <NA> child A <NA> <NA>\n",
    b"LEXEME f 1 1 1 a-b lex A <NA> <NA>\n", b"NON-LEX f 1 1 1 <NA> laugh A <NA> <NA>\n",
    b"NOSCORE f 1 1 1 <NA> <NA> <NA> <NA> <NA>\n", b"\x1f\x8b", b"a" * 41,
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, data: bytes, *, max_changes: int = 3) -> bytes:
    """Insert, delete or replace bytes here and there."""
    for _ in range(draw(st.integers(1, max_changes))):
        at = draw(st.integers(0, len(data)))
        stop = min(len(data), at + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        new = draw(st.one_of(st.sampled_from(_SNIPPETS), st.just(b""), st.binary(max_size=3)))
        data = data[:at] + new + data[stop:]
    return data
