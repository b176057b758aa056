"""Every warning of ours, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.audit import one_sided, self_overlaps, silent_losses, undefined
from mdeval.pool import read_side, read_uem
from mdeval.zones import seconds_outside
from mdeval_support import score_files, speaker, write

if TYPE_CHECKING:
    from pathlib import Path


def losses(folder: Path, ref: str, sys: str, uem: str = "", *, missing: str = "miss", large: bool = False) -> list[str]:
    write(folder, ref=ref, sys=sys, uem=uem)
    sides = [read_side([str(folder / name)], strict=True, large=large) for name in ("ref.rttm", "sys.rttm")]
    regions = read_uem(str(folder / "all.uem"), [], strict=True) if uem else None
    found = list(silent_losses(sides[0], sides[1], sides[0].keys_with_turns(), regions, missing))
    return [text.replace(str(folder) + "/", "") for text in found]


@pytest.fixture(params=[False, True], ids=["small", "large"])
def large(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_nothing_lost_nothing_said(tmp_path: Path, *, large: bool) -> None:
    assert losses(tmp_path, speaker(0, 9, "A"), speaker(0, 9, "x"), large=large) == []
    assert losses(tmp_path, speaker(0, 9, "A"), speaker(0, 12, "x"), "f 1 0 12\n", large=large) == []


def test_channels_that_cannot_meet(tmp_path: Path, *, large: bool) -> None:
    assert losses(tmp_path, speaker(0, 9, "A"), speaker(0, 9, "x", channel="0"), large=large) == [
        (
            "f: the reference has channel 1, the system output channel 0; nothing can match (--ignore-channels takes"
            " all channels of a file as one)"
        ),
        "only in the reference, all its speech counts as missed: f (channel 1)",
        "only in the system output, not scored: f (channel 0)",
    ]


def test_a_channel_that_one_side_lacks_while_others_match(tmp_path: Path, *, large: bool) -> None:
    ref = speaker(0, 9, "A") + speaker(0, 9, "A", channel="2")
    sys = speaker(0, 9, "x") + speaker(0, 9, "x", channel="3")
    assert losses(tmp_path, ref, sys, large=large) == [
        "only in the reference, all its speech counts as missed: f (channel 2)",
        "only in the system output, not scored: f (channel 3)",
    ]


def test_no_file_in_common(tmp_path: Path, *, large: bool) -> None:
    assert losses(tmp_path, speaker(0, 9, "A", "mic2"), speaker(0, 9, "x", "mic6"), large=large) == [
        "reference and system output have no file in common: compare the names in the two warnings below",
        "only in the reference, all its speech counts as missed: mic2 (channel 1)",
        "only in the system output, not scored: mic6 (channel 1)",
    ]


def test_recordings_left_out(tmp_path: Path) -> None:
    ref = speaker(0, 9, "A") + speaker(0, 9, "A", "g")
    assert losses(tmp_path, ref, speaker(0, 9, "x"), missing="skip") == [
        "only in the reference, left out: g (channel 1)"
    ]


def test_only_twenty_names_are_listed(tmp_path: Path) -> None:
    ref = "".join(speaker(0, 1, "A", f"f{i:02}") for i in range(25))
    [only, *_] = losses(tmp_path, ref, speaker(0, 1, "x", "f00"))
    assert only.endswith(", f19 (channel 1), f20 (channel 1) and 4 more")
    assert only.count("channel") == 20


def test_the_same_file_on_both_sides(tmp_path: Path) -> None:
    write(tmp_path, ref=speaker(0, 9, "A"))
    one = read_side([str(tmp_path / "ref.rttm")], strict=True)
    other = read_side([str(tmp_path / "." / "ref.rttm")], strict=True)
    assert list(silent_losses(one, other, one.keys_with_turns(), None, "miss")) == [
        f"reference and system output are the same file, {tmp_path}/ref.rttm: the system scores against itself"
    ]


def test_a_uem_entry_that_matches_nothing(tmp_path: Path) -> None:
    found = losses(tmp_path, speaker(0, 9, "A"), speaker(0, 9, "x"), "f 1 0 9\ng 1 0 9\n")
    assert found == ["all.uem: the entry for g, channel 1 matches no recording of the reference and is not used"]


def test_a_uem_entry_for_another_channel(tmp_path: Path) -> None:
    found = losses(tmp_path, speaker(0, 9, "A"), speaker(0, 9, "x"), "f NA 0 9\n")
    entry = "all.uem: the entry for f, channel NA matches no recording of the reference and is not used"
    assert found == [f"{entry} (f has channel 1 there)"]


def test_a_uem_entry_that_lost_its_suffix(tmp_path: Path) -> None:
    found = losses(tmp_path, speaker(0, 9, "A", "f.a"), speaker(0, 9, "x", "f.a"), "f.a 1 0 9\n")
    entry = "all.uem: the entry for f.a, channel 1 matches no recording of the reference and is not used"
    why = "UEM names lose their first suffix, so this one means f, not f.a; rename the recording without dots"
    assert found == [f"{entry} ({why})"]


def test_only_twenty_uem_entries_are_named(tmp_path: Path) -> None:
    uem = "f 1 0 9\n" + "".join(f"g{i} 1 0 9\n" for i in range(23))
    found = losses(tmp_path, speaker(0, 9, "A"), speaker(0, 9, "x"), uem)
    assert len(found) == 21
    assert found[-1] == "all.uem: 3 more entries match no recording of the reference"


def test_system_speech_outside_an_inferred_region(tmp_path: Path, *, large: bool) -> None:
    sys = speaker(0, 9, "x") + speaker(7, 3, "y") + speaker(20, 1, "y")
    outside = "4.00 s of system speech lie outside the region inferred from the reference and cost nothing"
    assert losses(tmp_path, speaker(1, 7, "A"), sys, large=large) == [
        f"f (channel 1): {outside}; a UEM (-u) would count them"
    ]


def test_only_twenty_such_recordings_are_named(tmp_path: Path, *, large: bool) -> None:
    ref = "".join(speaker(0, 1, "A", f"f{i:02}") for i in range(22))
    sys = "".join(speaker(0, 2, "x", f"f{i:02}") for i in range(22))
    found = losses(tmp_path, ref, sys, large=large)
    assert len(found) == 21
    assert found[-1] == (
        "2 more recordings have system speech outside the region inferred from the reference, 2.00 s in all"
    )


Spans = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 8)).map(lambda s: (float(s[0]), float(s[0] + s[1]))), max_size=6
)


@given(Spans, st.tuples(st.integers(0, 20), st.integers(0, 10)).map(lambda s: (float(s[0]), float(s[0] + s[1]))))
def test_time_outside_a_region_is_counted_once(spans: list[tuple[float, float]], region: tuple[float, float]) -> None:
    wanted = sum(
        any(b <= t and t + 1 <= e for b, e in spans) and not (region[0] <= t and t + 1 <= region[1]) for t in range(40)
    )
    assert seconds_outside(spans, region) == wanted


def test_who_has_what() -> None:
    ours, theirs = [("a", "1"), ("b", "1")], [("b", "1"), ("c", "1")]
    assert one_sided(ours, theirs) == ([("a", "1")], [("c", "1")])


def scored(folder: Path, ref: str, sys: str, collar: float = 0.0) -> list[str]:
    write(folder, ref=ref, sys=sys)
    scores = score_files(folder / "ref.rttm", folder / "sys.rttm", collar=collar)
    return [*self_overlaps(scores), *undefined(scores)]


def test_a_speaker_who_overlaps_themself(tmp_path: Path) -> None:
    ref = speaker(0, 9, "A") + speaker(6.5, 9, "A")
    assert scored(tmp_path, ref, speaker(0, 9, "x") + speaker(1, 2, "x")) == [
        "f (channel 1): reference speaker A overlaps themself from 6.5 s on; the time is counted once",
        "f (channel 1): system speaker x overlaps themself from 1 s on; the time is counted once",
    ]


def test_only_twenty_self_overlaps_are_named(tmp_path: Path) -> None:
    ref = "".join(speaker(i, 2, "A") for i in range(24))
    found = scored(tmp_path, ref, "")
    assert len(found) == 21
    assert found[-1] == "3 more turns overlap another one of their own speaker"


def test_recordings_without_scored_speaker_time(tmp_path: Path) -> None:
    ref = speaker(0, 0.4, "A", "g") + speaker(0, 9, "A") + speaker(0, 0.3, "A", "e")
    assert scored(tmp_path, ref, "", collar=0.25) == [
        "no speaker time is scored, so the error rate is undefined: e (channel 1), g (channel 1)"
    ]
    assert scored(tmp_path, ref, "") == []
