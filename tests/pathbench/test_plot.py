"""What pictures show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from pathbench.correlation import correlate
from pathbench.errors import InputError, UsageError
from pathbench.plot import check_path, heatmap, save, scatter
from pathbench.table import build_table

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


def drawn(ratings: dict[str, float], scores: dict[str, float], title: str = "") -> Any:
    return scatter(correlate("cpp", ratings, scores), ratings, scores, title)


def test_a_scatter_has_points_names_and_the_line_of_least_squares() -> None:
    ratings = {"A": 1.0, "B": 2.0, "C": 4.0, "$x$": 3.0, "D": 9.0}
    scores = {"A": 2.0, "B": 3.0, "C": 3.5, "$x$": 3.0, "E": 1.0}
    axes = drawn(ratings, scores, "set").axes[0]
    [points] = axes.collections
    assert sorted(map(tuple, points.get_offsets().tolist())) == [(1.0, 2.0), (2.0, 3.0), (3.0, 3.0), (4.0, 3.5)]
    [line] = axes.lines
    slope, offset = np.polyfit([1, 2, 3, 4], [2, 3, 3, 3.5], 1)
    assert line.get_ydata() == pytest.approx(slope * np.array([1.0, 4.0]) + offset)
    assert sorted(text.get_text() for text in axes.texts) == ["$x$", "A", "B", "C"]
    assert "PCC 0.92" in axes.get_title(loc="left")
    assert "4 speakers" in axes.get_title(loc="left")


def test_a_scatter_without_a_correlation_has_no_line() -> None:
    axes = drawn({"A": 1.0, "B": 2.0}, {"A": 1.0, "B": 1.0}).axes[0]
    assert not axes.lines
    assert "the scores are constant" in axes.get_title(loc="left")
    with pytest.raises(InputError, match="1 speakers have a rating and a score"):
        drawn({"A": 1.0}, {"A": 1.0})


def test_many_speakers_are_not_named() -> None:
    values = {f"{i:03}": float(i) for i in range(100)}
    assert not drawn(values, values).axes[0].texts


def test_a_heat_map_has_the_figures_of_the_table() -> None:
    rows = build_table({"copas/pathological/word/all": {"cpp": 0.5, "per": -0.25}, "b": {"cpp": -0.126}})
    axes = heatmap(rows, ["copas/pathological/word/all", "b"]).axes[0]
    assert [text.get_text() for text in axes.texts] == ["0.50", "-0.13", "0.18", "0.25", "", "0.25"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["COPAS Word Full", "b", "mean"]
    with pytest.raises(InputError, match="no correlations to draw"):
        heatmap([], ["a"])


def test_the_mean_is_no_dataset_of_that_name() -> None:
    rows = build_table({"mean": {"cpp": 0.5, "wpm": 0.1}, "b": {"cpp": -0.25}})
    axes = heatmap(rows, ["mean", "b"]).axes[0]
    assert [text.get_text() for text in axes.texts] == ["0.50", "-0.25", "0.12", "0.10", "", "0.10"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["./mean", "b", "mean"]


def test_pictures_have_two_kinds_of_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fix: give such a name"):
        check_path("a.pdf")
    (tmp_path / "file").write_text("")
    figure = drawn({"A": 1.0, "B": 2.0}, {"A": 1.0, "B": 2.0})
    with pytest.raises(InputError, match="cannot be made"):
        save(figure, str(tmp_path / "file" / "a" / "b.png"))
    save(figure, str(tmp_path / "new" / "b.SVG"))
    assert (tmp_path / "new" / "b.SVG").read_text().startswith("<?xml")
