"""Pictures: what is drawn where, that files are whole and the same twice, and one message for what cannot be drawn."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import parse

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discophon import plot
from discophon.data import read_gold_annotations, read_submitted_units
from discophon.errors import UsageError
from discophon.evaluate import LabelledMatrix, cooccurrence_matrix, phone_assignments, phone_segmentation
from discophon.plot import _boundaries, heatmap, save, segmentation
from speechio.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

GOLDEN = Path(__file__).parent / "data" / "discovery"
UNITS = GOLDEN / "units" / "k256-20ms" / "units-swa-dev.jsonl"
PHONES = GOLDEN / "alignment" / "alignment-swa-dev.txt"
MAGIC = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}
GREEN, RED, ORANGE = "#009e73", "#d55e00", "#e69f00"


@pytest.fixture
def counts() -> LabelledMatrix:
    """Three phones and a placeholder, four units of which one does not occur."""
    values = np.array([[6, 0, 0, 2], [0, 4, 0, 1], [1, 0, 0, 1], [0, 0, 0, 0]])
    return LabelledMatrix(values, ("SIL", "ɲ", "a$b$", "<missing-3>"), (0, 1, 2, 3))


def labels(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def test_heatmap(counts: LabelledMatrix) -> None:
    drawn: list[Any] = heatmap(counts, title="a $title$").axes
    axes, margin, *_ = drawn
    assert labels(axes.yaxis) == ["SIL", "ɲ", "a$b$"]
    assert labels(axes.xaxis) == ["0", "3", "1"]
    assert axes.get_xlabel() == "units by their most probable phone (3 of 4 occur)"
    image = np.asarray(axes.images[0].get_array())
    assert image == pytest.approx(np.array([[6 / 7, 0.5, 0], [0, 0.25, 1], [1 / 7, 0.25, 0]]))
    assert image.sum(axis=0) == pytest.approx(1)
    assert [bar.get_width() for bar in margin.patches] == pytest.approx([100 * n / 15 for n in (8, 5, 2)])
    assert [line.get_xdata()[0] for line in axes.lines] == [1.5]
    assert axes.get_title(loc="left") == "a $title$"


def test_heatmap_of_many_units_names_none() -> None:
    values = np.eye(100, dtype=np.int64)
    axes = heatmap(LabelledMatrix(values, tuple(map(str, range(100))), tuple(range(100)))).axes[0]
    assert labels(axes.xaxis) == []
    assert len(axes.lines) == 99


def test_heatmap_of_nothing() -> None:
    with pytest.raises(UsageError, match="all zero"):
        heatmap(LabelledMatrix(np.zeros((2, 3), np.int64), ("a", "b"), (0, 1, 2)))


def drawn_boundaries(figure: Any) -> dict[tuple[str, float], list[float]]:
    """Give the times, in milliseconds, of boundaries by colour and height."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_hex

    found: dict[tuple[str, float], list[float]] = {}
    for axes in figure.axes:
        drawn: list[Any] = [each for each in axes.collections if isinstance(each, LineCollection)]
        for lines in drawn:
            for segment in lines.get_segments():
                key = (to_hex(lines.get_color()[0]), round(float(segment[:, 1].mean()), 6))
                found.setdefault(key, []).append(round(float(segment[0, 0]) * 1000))
    return found


def test_segmentation_on_a_small_utterance() -> None:
    gold = ["a"] * 10 + ["b"] * 10 + ["c"] * 10
    predicted = ["a", "a", "a", "a", "x", "y", "b", "b", "b", "b", "b", "b", "b", "b", "b"]
    figure = segmentation(gold, predicted, list(range(15)), title="f")
    # 80 lies in the window of 100 and finds it, 100 and 120 find it again, 200 is missed
    assert drawn_boundaries(figure) == {
        (GREEN, 2): [100],
        (GREEN, 1): [80],
        (RED, 2): [200],
        (ORANGE, 1): [100, 120],
    }
    [axes] = figure.axes
    assert labels(axes.yaxis) == ["units", "predicted", "gold"]
    assert axes.get_xlim() == pytest.approx((0, 0.3))
    assert [text.get_text() for text in axes.texts if text.get_position()[1] == 2] == ["a", "b", "c"]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["found (1)", "missed (1)", "extra (2)"]


def test_segmentation_agrees_with_the_score() -> None:
    units, gold = read_submitted_units(UNITS), read_gold_annotations(PHONES)
    counts = cooccurrence_matrix(units, gold, n_units=256, language="swa")
    predicted = phone_assignments(units, counts, kind="many-to-one")
    for file_id in gold:
        score = phone_segmentation({file_id: predicted[file_id]}, {file_id: gold[file_id]})
        figure = segmentation(gold[file_id], predicted[file_id], units[file_id])
        texts = [text.get_text() for text in figure.legends[0].get_texts()]
        assert texts == [
            f"found ({score.true_positives})",
            f"missed ({score.false_negatives})",
            f"extra ({score.false_positives})",
        ]


def test_long_utterances_take_several_lines() -> None:
    figure = segmentation(["a"] * 450, ["a"] * 225, [0] * 225)
    assert [axes.get_xlim() for axes in figure.axes] == [(0, 2), (2, 4), (4, 6)]


def test_a_part_of_an_utterance() -> None:
    figure = segmentation(["a", "b"] * 225, ["a"] * 225, [0] * 225, start=1.0, end=1.5)
    [axes] = figure.axes
    assert axes.get_xlim() == pytest.approx((1, 1.5))
    times = drawn_boundaries(figure)[RED, 2]
    assert (min(times), max(times)) == (1000, 1500)
    [legend] = figure.legends  # counts what is shown, not the 449 boundaries of the whole
    assert [text.get_text() for text in legend.get_texts()] == ["found (0)", "missed (51)", "extra (0)"]


def test_lines_show_the_runs_that_lie_in_them() -> None:
    gold = ["a"] * 150 + ["b"] * 100 + ["c"] * 150
    first, second = segmentation(gold, ["a"] * 200, [0] * 200).axes
    shown = [[text.get_text() for text in axes.texts if text.get_position()[1] == 2] for axes in (first, second)]
    assert shown == [["a", "b"], ["b", "c"]]
    [part] = segmentation(gold, ["a"] * 200, [0] * 200, start=1.55, end=2.45).axes
    assert [text.get_text() for text in part.texts if text.get_position()[1] == 2] == ["b"]


def test_boundaries_of_a_picture_are_sorted_in_one_pass() -> None:
    gold, predicted = ["a", "b"] * 50_000, ["a", "b"] * 25_000  # a pass for each boundary would take minutes
    figure = segmentation(gold, predicted, [0, 1] * 25_000, start=900.0, end=900.1)
    assert figure.legends


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=60), st.lists(st.sampled_from("abc"), min_size=1))
def test_found_and_extra_against_a_slow_twin(gold: list[str], predicted: list[str]) -> None:
    found = _boundaries(gold, predicted, step_phones=10, step_units=20, margin=20)
    wanted = [10 * i for i in range(1, len(gold)) if gold[i] != gold[i - 1]]
    left = [20 * i for i in range(1, len(predicted)) if predicted[i] != predicted[i - 1]]
    finding = []
    for k, time in enumerate(wanted):
        lower = max(0, time - 20, (wanted[k - 1] + time) // 2 + 1 if k else 0)
        upper = min(time + 20, (time + wanted[k + 1]) // 2 if k + 1 < len(wanted) else time + 20)
        finding += [made for made in left if lower <= made <= upper][:1]
    assert found["found"][1][1].tolist() == finding
    assert found["extra"][1][1].tolist() == [made for made in left if made not in finding]


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (9.0, None, r"nothing is left to show; the utterance is 0\.1 s long"),
        (1.0, 1.0, r"nothing is left to show; the utterance is 0\.1 s long"),
        (-1.0, 1.0, "^start is -1 s; it must be at least 0$"),
        (float("nan"), None, "^start is nan s; it must be at least 0$"),
        (0.0, float("nan"), "^end is nan s; it must be at least 0$"),
        (0.0, -2.0, "^end is -2 s; it must be at least 0$"),
    ],
)
def test_no_part_of_an_utterance(start: float, end: float | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        segmentation(["a"] * 10, ["a"] * 5, [0] * 5, start=start, end=end)


def test_what_cannot_be_one_picture() -> None:
    with pytest.raises(UsageError, match="do not fit into one picture"):
        segmentation(["a"] * 100_000, ["a"] * 50_000, [0] * 50_000)
    with pytest.raises(UsageError, match="2 predicted phones for 3 units"):
        segmentation(["a"] * 4, ["a"] * 2, [0] * 3)


def test_labels() -> None:
    gold = ["SIL"] * 10 + ["abcdefgh"] * 10 + ["b"] * 10
    predicted = ["SIL"] * 5 + ["<missing-7>"] * 5 + ["b"] * 5
    [axes] = segmentation(gold, predicted, [0] * 5 + [7] * 5 + [1] * 5).axes
    shown = {text.get_text() for text in axes.texts}
    assert shown == {"SIL", "abcdef", "b", "—", "0", "7", "1"}


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".PNG"])
def test_files_are_whole_and_the_same_twice(tmp_path: Path, counts: LabelledMatrix, suffix: str) -> None:
    for name in ("a", "b"):
        save(heatmap(counts, title="x"), tmp_path / f"{name}{suffix}")
    data = (tmp_path / f"a{suffix}").read_bytes()
    assert data.startswith(MAGIC[suffix.lower()])
    assert data == (tmp_path / f"b{suffix}").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_files_that_cannot_be_written(tmp_path: Path, counts: LabelledMatrix) -> None:
    figure = heatmap(counts)
    with pytest.raises(UsageError, match=r"x\.jpg: a picture is a \.png, \.svg or \.pdf file"):
        save(figure, tmp_path / "x.jpg")
    with pytest.raises(InputError, match=r"x\.png: cannot be written: No such file or directory"):
        save(figure, tmp_path / "no" / "x.png")
    (tmp_path / "dir.png").mkdir()
    with pytest.raises(InputError, match=r"dir\.png: cannot be written"):
        save(figure, tmp_path / "dir.png")
    assert [path.name for path in tmp_path.iterdir()] == ["dir.png"]


def test_letters_that_the_font_lacks_and_signs_of_formulas(tmp_path: Path) -> None:
    counts = LabelledMatrix(np.eye(3, dtype=np.int64), ("龍", "$\\frac$", "t͡ʃʰ"), (0, 1, 2))
    save(heatmap(counts, title="$\\bad{"), tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 1000
    save(segmentation(["$x^$"] * 20, ["$y_$"] * 10, [0] * 10, title="$\\bad{"), tmp_path / "y.svg")
    assert (tmp_path / "y.svg").stat().st_size > 1000


@pytest.mark.parametrize("odd", ["a\x01", "\x00", "\x1b[1m", "b\udcff", "\ufffe", "\x85", "two\nlines"])
def test_texts_that_no_picture_can_hold(tmp_path: Path, odd: str) -> None:
    counts = LabelledMatrix(np.eye(2, dtype=np.int64), (odd, "b"), (0, 1))
    figures = heatmap(counts, title=odd), segmentation([odd] * 20, [odd] * 10, [0] * 10, title=odd)
    for figure in figures:
        for suffix in MAGIC:
            save(figure, tmp_path / f"x{suffix}")
        parse((tmp_path / "x.svg").as_posix())  # as whoever opens it does


def test_without_the_library(counts: LabelledMatrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r"pictures need matplotlib; install it with: pip install matplotlib$"):
        heatmap(counts)


def test_importing_loads_no_matplotlib() -> None:
    code = "import sys, discophon.plot; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


# --- the command ---


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "discophon", "plot", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("title", [b"\xff", b"a\x01", b"\xff\x1b--"])
def test_command_with_a_title_that_is_no_text(tmp_path: Path, title: bytes) -> None:
    given = ("--language", "swa", "-o", str(tmp_path / "h.svg"), "--title", os.fsdecode(title))
    done = run("heatmap", str(UNITS), str(PHONES), *given)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    parse((tmp_path / "h.svg").as_posix())


def test_command(tmp_path: Path) -> None:
    given = (str(UNITS), str(PHONES), "--language", "swa")
    done = run("heatmap", *given, "-o", str(tmp_path / "h.svg"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "<!-- units-swa-dev -->" in (tmp_path / "h.svg").read_text()
    done = run("segmentation", *given, "--file", "swad03-8888-0003", "--end", "1", "-o", str(tmp_path / "s.svg"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert re.search(r"<!-- swad03-8888-0003 -->", (tmp_path / "s.svg").read_text())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("heatmap", "--language", "swa", "-o", "x.jpg"), "x.jpg: a picture is a"),
        (("heatmap", "--language", "swa"), "required: -o"),
        (("heatmap", "-o", "x.png"), "one of the arguments --language --n-phonemes is required"),
        (("segmentation", "--language", "swa", "-o", "x.png", "--file", "nobody"), "there is no file 'nobody'"),
        (("segmentation", "--language", "swa", "-o", "x.png", "--start", "99"), "nothing is left to show"),
        (("bars", "--language", "swa", "-o", "x.png"), "invalid choice"),
    ],
)
def test_command_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(arguments[0], str(UNITS), str(PHONES), *arguments[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_suffixes_are_those_of_the_message() -> None:
    assert set(MAGIC) == set(plot.SUFFIXES)
