"""Pictures: what is drawn where, that files are whole and the same twice, and one message for what cannot be drawn."""

from __future__ import annotations

import re
import sys
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import mdeval
from mdeval import plot
from mdeval.errors import InputError, UndefinedScoreError, UsageError
from mdeval.plot import bars, timeline
from mdeval.recording import Recording, record
from mdeval.statistics import bootstrap
from mdeval_metrics import EXAMPLE_REF, EXAMPLE_SYS, EXAMPLE_UEM, Turns
from mdeval_support import Done, run_mdeval, speaker, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAPPING = {"A": "x", "B": "y", "C": "z"}
PNG = b"\x89PNG\r\n\x1a\n"
BOTH = ("plot", "-r", "ref.rttm", "-s", "sys.rttm")
TWO = speaker(0, 10, "anna") + speaker(8, 12, "bert") + speaker(0, 5, "carl", "g")
TWO_SYS = speaker(0, 9, "one") + speaker(9, 12, "two") + speaker(1, 5, "one", "g")
ONE = ("--recording", "f")


def recording(ref: Turns, system: Turns, uem: Sequence[tuple[float, float]] | None = None) -> Recording:
    sides = [[record(on, off - on, "SPEAKER", name) for on, off, name in turns] for turns in (ref, system)]
    return Recording(("f", "1"), sides[0], sides[1], uem)


def worked() -> Recording:
    return recording(EXAMPLE_REF, EXAMPLE_SYS, EXAMPLE_UEM)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two recordings."""
    write(tmp_path, ref=TWO, sys=TWO_SYS)
    return tmp_path


@pytest.fixture
def axes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The axes of the pictures that would have been written."""
    drawn: list[Any] = []
    monkeypatch.setattr(plot, "_save", lambda figure, _: drawn.append(figure.axes[0]))
    return drawn


def ok(folder: Path, *arguments: str) -> Done:
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == 0, done.stderr
    assert done.stdout == b""
    return done


def fails(folder: Path, *arguments: str, status: int = 2) -> str:
    before = sorted(folder.iterdir())
    done = run_mdeval(*arguments, cwd=folder)
    assert done.status == status
    assert done.stdout == b""
    assert sorted(folder.iterdir()) == before
    assert sum(line.startswith("mdeval: ") for line in done.stderr.splitlines()) == 1
    return done.stderr


def texts(svg: bytes) -> list[str]:
    """List the texts of a picture; matplotlib draws them as outlines, and writes them into comments."""
    return [unescape(text) for text in re.findall(r"<!-- (.*?) -->", svg.decode())]


def numbers(svg: bytes) -> set[float]:
    """List the numbers at the axes of a picture."""
    return {float(text) for text in texts(svg) if re.fullmatch(r"[0-9.]+", text)}


def boxes(axes: Any, row: float, height: float) -> list[tuple[float, float, tuple[float, ...]]]:
    """List left, right and colour of the boxes of a row, given where it begins and its height."""
    found = []
    for collection in axes.collections:
        colour = tuple(round(float(value), 4) for value in collection.get_facecolor()[0])
        for path in collection.get_paths():
            (left, bottom), (right, top) = path.get_extents().get_points().tolist()
            if abs(bottom - row) < 1e-9 and abs(top - bottom - height) < 1e-9:
                found.append((left, right, colour))
    return sorted(found)


def spans(axes: Any, row: float, height: float) -> list[tuple[float, float]]:
    return [(left, right) for left, right, _ in boxes(axes, row, height)]


# A timeline, as it is drawn


def test_every_speaker_has_a_row(axes: list[Any]) -> None:
    timeline(worked(), MAPPING, "a.png")
    [ax] = axes
    labels = [label.get_text() for label in ax.get_yticklabels()]
    wanted = ["errors", "system z", "system y", "system x", "reference C", "reference B", "reference A"]
    assert labels == wanted
    turns = [EXAMPLE_SYS, EXAMPLE_REF]
    for row, label in enumerate(wanted[1:], start=1):
        side, name = label.split()
        of_side = turns[side == "reference"]
        assert spans(ax, row - 0.4, 0.8) == [(on, off) for on, off, who in of_side if who == name]
    assert ax.get_title(loc="left") == "f, channel 1"
    assert ax.get_xlim() == (0, 32)


def test_system_speakers_have_the_colour_of_their_partner(axes: list[Any]) -> None:
    timeline(recording(EXAMPLE_REF, [*EXAMPLE_SYS, (5, 6, "w")], EXAMPLE_UEM), MAPPING, "a.png")
    [ax] = axes
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels[1] == "system w"  # those without a partner come last, from the top

    def colour(label: str) -> tuple[float, ...]:
        [found] = {box[2] for box in boxes(ax, labels.index(label) - 0.4, 0.8)}
        return found

    for ref, sys_ in MAPPING.items():
        assert colour(f"system {sys_}") == colour(f"reference {ref}")
    assert len({colour(f"reference {name}") for name in "ABC"} | {colour("system w")}) == 4


def test_errors_have_a_lane_for_each_kind(axes: list[Any]) -> None:
    timeline(worked(), MAPPING, "a.png")
    [ax] = axes
    missed, false_alarm, confusion = (boxes(ax, -0.4 + 0.27 * i, 0.26) for i in range(3))
    assert [box[:2] for box in missed] == [(8, 9), (9, 10), (22, 23)]
    assert [box[:2] for box in false_alarm] == [(20, 21)]
    assert [box[:2] for box in confusion] == [(27, 30)]
    assert len({box[2] for box in (*missed, *false_alarm, *confusion)}) == 3


def legend(axes: Any) -> list[str]:
    [found] = axes.figure.legends
    return [text.get_text() for text in found.get_texts()]


def test_what_is_not_scored_is_hatched(axes: list[Any]) -> None:
    timeline(recording([(1, 5, "A")], [(0, 6, "x")], [(0, 2), (3, 5)]), {"A": "x"}, "a.png", collar=0.25)
    [ax] = axes
    [zones] = [collection for collection in ax.collections if collection.get_hatch()]
    found = [path.get_extents().get_points()[:, 0].tolist() for path in zones.get_paths()]
    assert found == [pytest.approx(zone) for zone in ([0.75, 1.25], [2, 3], [4.75, 6])]
    assert legend(ax) == ["missed", "false alarm", "confusion", "not scored"]


def test_nothing_is_hatched_where_all_is_scored(axes: list[Any]) -> None:
    timeline(worked(), MAPPING, "a.png")
    assert legend(axes[0]) == ["missed", "false alarm", "confusion"]


def test_overlap_that_is_left_out_is_hatched(axes: list[Any]) -> None:
    timeline(worked(), MAPPING, "a.png", ignore_overlap=True)
    [zones] = [collection for collection in axes[0].collections if collection.get_hatch()]
    assert [path.get_extents().get_points()[:, 0].tolist() for path in zones.get_paths()] == [[8, 10]]


def test_a_part_may_be_shown(axes: list[Any]) -> None:
    timeline(worked(), MAPPING, "a.png", start=5, end=12.5)
    timeline(worked(), MAPPING, "a.png", start=5)
    timeline(worked(), MAPPING, "a.png", end=12.5)
    assert [ax.get_xlim() for ax in axes] == [(5, 12.5), (5, 32), (0, 12.5)]


def test_many_speakers_share_colours(axes: list[Any]) -> None:
    turns = [(i, i + 1, f"s{i:02}") for i in range(20)]
    timeline(recording(turns, turns), {name: name for _, _, name in turns}, "a.png")
    assert len(axes[0].get_yticklabels()) == 41


def test_a_recording_without_system_turns_can_be_drawn(axes: list[Any]) -> None:
    timeline(recording([(0, 4, "A")], []), {}, "a.png")
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["errors", "reference A"]


# Bars, as they are drawn


def test_bars_are_the_parts_of_the_error_rates(axes: list[Any]) -> None:
    result = mdeval.score(
        {"file": list("fgh"), "onset": [0, 0, 0], "duration": [10, 8, 5], "speaker": list("AAA")},
        {"file": list("fgh"), "onset": [0, 0, 0], "duration": [8, 8, 5], "speaker": list("xxx")},
    )
    bars(result, "a.png")
    [ax] = axes
    # sorted by error rate; equal ones stay in order of name
    assert [label.get_text() for label in ax.get_yticklabels()] == ["g", "h", "f"]
    widths = [[bar.get_width() for bar in container] for container in ax.containers]
    assert widths == [[0, 0, pytest.approx(20)], [0, 0, 0], [0, 0, 0]]
    interval = bootstrap([2, 0, 0], [10, 8, 5])
    assert sorted(legend(ax)) == sorted(["missed", "false alarm", "confusion", "all: 8.70%", "95% interval"])
    [shade] = [patch for patch in ax.patches if patch.get_height() == 1]
    edges = shade.get_x(), shade.get_x() + shade.get_width()
    assert edges == pytest.approx((100 * interval.low, 100 * interval.high))


def test_parts_of_a_bar_follow_one_another(axes: list[Any]) -> None:
    result = mdeval.score([(0, 10, "A"), (10, 20, "B")], [(2, 8, "x"), (11, 13, "x"), (13, 20, "y")], [(0, 20)])
    bars(result, "a.png")
    [ax] = axes
    parts = [(container[0].get_x(), container[0].get_width()) for container in ax.containers]
    assert sum(width for _, width in parts) == pytest.approx(100 * result.der)
    for (left, width), (after, _) in pairwise(parts):
        assert after == pytest.approx(left + width)
    # no interval from one recording
    assert sorted(legend(ax)) == sorted(["missed", "false alarm", "confusion", f"all: {100 * result.der:.2f}%"])


def test_channels_are_named_where_they_are_not_the_first(axes: list[Any]) -> None:
    turns = {"onset": [0, 0], "duration": [4, 4], "speaker": ["A", "A"], "channel": ["1", "b"]}
    bars(mdeval.score(turns, turns), "a.png")
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["recording", "recording b"]


def test_recordings_without_scored_time_have_no_bar(axes: list[Any]) -> None:
    turns = {"file": ["f", "g", "h"], "onset": [0, 0, 0], "duration": [9, 0.25, 9], "speaker": ["A", "A", "A"]}
    bars(mdeval.score(turns, turns, collar=0.25), "a.png")
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["f", "h"]


def test_an_undefined_rate_has_no_bars() -> None:
    with pytest.raises(UndefinedScoreError, match="no speaker time is scored"):
        bars(mdeval.score([(0, 1, "A")], [(0, 1, "x")], collar=2.0), "a.png")


# Files


def test_png_and_svg_are_written(tmp_path: Path) -> None:
    for suffix in (".png", ".PNG", ".svg", ".Svg"):
        path = tmp_path / f"picture{suffix}"
        timeline(worked(), MAPPING, str(path))
        start = path.read_bytes()[:8]
        assert start == PNG if suffix.lower() == ".png" else start.startswith(b"<?xml")
    assert len(list(tmp_path.iterdir())) == 4  # and nothing else


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_command_writes_a_picture(folder: Path, suffix: str) -> None:
    ok(folder, *BOTH, *ONE, "-o", f"a.{suffix}")
    data = (folder / f"a.{suffix}").read_bytes()
    assert data.startswith(PNG if suffix == "png" else b'<?xml version="1.0"')
    assert data.rstrip().endswith(b"IEND\xaeB`\x82" if suffix == "png" else b"</svg>")
    assert sorted(path.name for path in folder.iterdir()) == [f"a.{suffix}", "ref.rttm", "sys.rttm"]


def test_the_picture_names_what_it_shows(folder: Path) -> None:
    ok(folder, *BOTH, *ONE, "-o", "a.svg", "-c", "0.25")
    found = texts((folder / "a.svg").read_bytes())
    speakers = {"reference anna", "reference bert", "system one", "system two"}
    assert speakers | {"errors", "time (s)", "f, channel 1"} <= set(found)
    assert {"missed", "false alarm", "confusion", "not scored"} <= set(found)
    assert "reference carl" not in found


def test_the_bars_name_what_they_show(folder: Path) -> None:
    ok(folder, *BOTH, "--bars", "-o", "a.svg")
    found = set(texts((folder / "a.svg").read_bytes()))
    der = mdeval.score(folder / "ref.rttm", folder / "sys.rttm").der
    assert {"f", "g", "missed", "false alarm", "confusion", f"all: {100 * der:.2f}%", "95% interval"} <= found
    assert "diarization error rate (% of scored speaker time)" in found


@pytest.mark.parametrize(("options", "suffix"), [(ONE, "svg"), (ONE, "png"), (("--bars",), "svg")])
def test_twice_the_same_bytes(folder: Path, options: tuple[str, ...], suffix: str) -> None:
    for name in ("a", "b"):
        ok(folder, *BOTH, *options, "-o", f"{name}.{suffix}")
    assert (folder / f"a.{suffix}").read_bytes() == (folder / f"b.{suffix}").read_bytes()


def test_a_picture_takes_the_place_of_another(folder: Path) -> None:
    (folder / "a.png").write_bytes(b"old")
    ok(folder, *BOTH, *ONE, "-o", "a.png")
    assert (folder / "a.png").read_bytes().startswith(PNG)


def test_part_of_a_recording_is_another_picture(folder: Path) -> None:
    ok(folder, *BOTH, *ONE, "-o", "whole.svg")
    ok(folder, *BOTH, *ONE, "-o", "part.svg", "--start", "5", "--end", "12.5")
    whole, part = (numbers((folder / f"{name}.svg").read_bytes()) for name in ("whole", "part"))
    assert (min(whole), max(whole)) == (0, 20)
    assert 5 <= min(part) < max(part) <= 12.5


def test_the_only_recording_need_not_be_chosen(folder: Path) -> None:
    write(folder, ref=speaker(0, 9, "A"))
    ok(folder, *BOTH, "-o", "a.png")


def test_several_recordings_are_refused_with_their_names(folder: Path) -> None:
    message = fails(folder, *BOTH, "-o", "a.png")
    assert "choose one recording with --recording, or --bars for all; there are f, g\n" in message
    assert "the reference has no recording x; it has f, g\n" in fails(folder, *BOTH, "-o", "a.png", "--recording", "x")


def test_a_recording_that_its_collar_eats_is_told(folder: Path) -> None:
    done = ok(folder, *BOTH, "--recording", "g", "-c", "5", "-o", "a.svg")
    assert done.stderr == "warning: no speaker time is scored in some recording, so its error rate is undefined\n"
    assert ok(folder, *BOTH, "--recording", "g", "-c", "5", "-o", "a.svg", "--quiet").stderr == ""


def test_no_bars_without_an_error_rate(folder: Path) -> None:
    assert "no speaker time is scored" in fails(folder, *BOTH, "--bars", "-c", "30", "-o", "a.png", status=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plot",), "give the picture to write with -o FILE.png or -o FILE.svg"),
        ((*BOTH, *ONE), "give the picture to write with -o FILE.png or -o FILE.svg"),
        ((*BOTH, *ONE, "-o", "a.pdf"), "a.pdf: a picture is a .png or a .svg file"),
        ((*BOTH, *ONE, "-o", "a"), "a: a picture is a .png or a .svg file"),
        ((*BOTH, *ONE, "-o", "-"), "-: a picture is a .png or a .svg file"),
        ((*BOTH, "--bars", "-o", "a.jpg"), "a.jpg: a picture is a .png or a .svg file"),
        ((*BOTH, *ONE, "-o", "nowhere/a.png"), "nowhere/a.png: cannot be written: No such file or directory"),
        ((*BOTH, "--bars", "-o", "nowhere/a.svg"), "nowhere/a.svg: cannot be written: No such file or directory"),
        ((*BOTH, *ONE, "-o", "a.png", "--start", "x"), "'x' is not a number"),
        ((*BOTH, *ONE, "-o", "a.png", "--start", "nan"), "--start: 'nan' is not a number"),
        ((*BOTH, *ONE, "-o", "a.png", "--end", "inf"), "--end: 'inf' is not a number"),
        ((*BOTH, *ONE, "-o", "a.png", "--start", "5", "--end", "5"), "--end"),
        ((*BOTH, *ONE, "-o", "a.png", "--start", "7", "--end", "5"), "--end"),
        ((*BOTH, *ONE, "-o", "a.png", "--start", "30"), "--start 30"),  # the recording ends at 21
        ((*BOTH, *ONE, "-o", "a.png", "--start", "21"), "--start 21"),
        ((*BOTH, *ONE, "-o", "a.png", "--end", "0"), "--end 0"),
        ((*BOTH, *ONE, "-o", "a.png", "--end=-3"), "--end -3"),
        ((*BOTH, *ONE, "-o", "a.png", "-c", "nan"), "'nan' is not a number"),
        ((*BOTH, *ONE, "-o", "a.png", "--json"), "unrecognized arguments: --json"),
        ((*BOTH, "-s", "sys.rttm", "-o", "a.png"), "give one reference with -r and one system output with -s"),
        ((*BOTH[:3], "-o", "a.png"), "give one reference with -r and one system output with -s"),
        (("plot", "-r", "nowhere.rttm", "-s", "sys.rttm", "-o", "a.png"), "nowhere.rttm"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in fails(folder, *arguments)


def test_a_folder_is_no_place_for_a_picture(folder: Path) -> None:
    (folder / "a.png").mkdir()
    assert "a.png: cannot be written" in fails(folder, *BOTH, *ONE, "-o", "a.png")


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(InputError, match=r"a\.svg: cannot be written: Is a directory; give another path"):
        timeline(worked(), MAPPING, str(tmp_path / "a.svg"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def as_shown(label: Any) -> str:
    """Give what matplotlib draws for a text; a text with two dollars is a formula to it unless told otherwise."""
    text, is_formula = label._preprocess_math(label.get_text())
    return "a formula" if is_formula else str(text)


@pytest.mark.parametrize("name", [r"$\bad$", "$x$", "a$b", "_x", "a_b^c", "<A&B>", "%s", "{}", r"\n"])
def test_names_are_shown_as_they_are(axes: list[Any], name: str) -> None:
    turns = [(0.0, 9.0, name)]
    item = recording(turns, turns)
    item.key = (name, "1")
    timeline(item, {name: name}, "a.svg")
    rows = [as_shown(label) for label in axes[0].get_yticklabels()]
    assert rows == ["errors", f"system {name}", f"reference {name}"]
    assert as_shown(axes[0]._left_title) == f"{name}, channel 1"
    table = {"file": [name], "onset": [0], "duration": [9], "speaker": ["A"]}
    bars(mdeval.score(table, table), "a.svg")
    assert [as_shown(label) for label in axes[1].get_yticklabels()] == [name]


def test_names_that_look_like_formulas_can_be_drawn(folder: Path) -> None:
    write(folder, ref=speaker(0, 9, r"$\bad$", r"$\bad$"), sys=speaker(0, 8, r"<$\bad$>", r"$\bad$"))
    for options in ((), ("--bars",)):
        assert ok(folder, *BOTH, *options, "-o", "a.svg").stderr == ""


def test_names_that_the_font_lacks_are_no_python_warning(folder: Path) -> None:
    write(folder, ref=speaker(0, 9, "李"), sys=speaker(0, 9, "x"))
    done = ok(folder, *BOTH, "-o", "a.png")
    assert "UserWarning" not in done.stderr
    assert ".py" not in done.stderr


def test_pictures_need_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r"pictures need matplotlib; install it with: pip install 'mdeval\[plot\]'"):
        timeline(worked(), MAPPING, str(tmp_path / "a.png"))
    assert list(tmp_path.iterdir()) == []
