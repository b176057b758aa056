"""Pictures of a run's results: what they show is what the run found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pathbench.benchmark import Choices
from pathbench.cli import main
from pathbench.runner import run_benchmark

if TYPE_CHECKING:
    from pathbench.correlation import Complete

MINI = Path(__file__).parent / "data" / "minidata" / "mini" / "pathological" / "word" / "balanced"


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """Make a dataset whose utterances are rated."""
    folder = tmp_path / "rated"
    shutil.copytree(MINI, folder)
    recordings = (MINI / "wav.scp").read_text(encoding="utf-8").replace("../../../..", str(MINI.parents[3]))
    (folder / "wav.scp").write_text(recordings, encoding="utf-8")
    utts = [line.split()[0] for line in recordings.splitlines()]
    ratings = "".join(f"{utt} {i * i % 11}\n" for i, utt in enumerate(utts))
    (folder / "utt2score").write_text(ratings, encoding="utf-8")
    return folder


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Catch the figures instead of the files."""
    caught: list[Any] = []
    monkeypatch.setattr("pathbench.verbs.plot.save", lambda figure, _: caught.append(figure))
    return caught


@pytest.mark.parametrize("complete", ["all", "per-metric"])
@pytest.mark.parametrize("metric", ["cpp", "wada_snr", "wpm"])
def test_a_scatter_shows_the_figures_of_the_run(
    metric: str, complete: Complete, rated: Path, tmp_path: Path, figures: list[Any]
) -> None:
    # without any text for these two, the utterances of wpm are others than those of cpp
    lines = (rated / "text").read_text(encoding="utf-8").splitlines()
    (rated / "text").write_text("\n".join([lines[0].split()[0], lines[1].split()[0], *lines[2:]]), encoding="utf-8")
    out = tmp_path / "out"
    choices = Choices(["cpp", "wada_snr", "wpm"], undefined="none")
    report = run_benchmark([str(rated)], choices, out=str(out), level="utterance", complete=complete, seed=3)
    [found] = [one for one in report.outcomes[0].metrics if one.name == metric]
    assert main(["plot", "scatter", str(out), "--metric", metric, "-o", str(tmp_path / "x.png")]) == 0
    axes = figures[0].axes[0]
    points = axes.collections[0].get_offsets()
    one = found.correlation
    assert len(points) == one.n
    if not one.reason:
        assert np.corrcoef(points.T)[0, 1] == pytest.approx(one.pcc, abs=1e-12)
    words = one.reason or f"PCC {one.pcc:.2f} (95 %: {one.low:.2f} to {one.high:.2f})"
    assert axes.get_title(loc="left").splitlines()[1] == f"{words}, {one.n} utterances"
    assert axes.get_xlabel() == "rating of the utterance"


def results() -> dict[str, Any]:
    """Make what is read of a run's results."""
    figures = {"pcc": 0.5, "spearman": 0.5, "low": None, "high": None, "reason": None}
    metric = {"metric": "cpp", "ids": ["A", "B", "C"], "values": {"A": 1.0, "B": 3, "C": 2.0, "D": None}, **figures}
    dataset = {"name": "d", "ratings": {"A": 1.0, "B": 2.0, "C": 3.0}, "metrics": [metric]}
    return {"choices": {"level": "speaker"}, "datasets": [dataset]}


WRONG: list[tuple[tuple[str | int, ...], Any]] = [
    (("choices", "level"), "word"),
    (("datasets",), {"name": "d"}),
    (("datasets", 0, "name"), 1),
    (("datasets", 0, "ratings"), ["A", "B", "C"]),
    (("datasets", 0, "ratings", "B"), None),
    (("datasets", 0, "ratings", "B"), "2"),
    (("datasets", 0, "metrics", 0, "metric"), ["cpp"]),
    (("datasets", 0, "metrics", 0, "values", "A"), None),
    (("datasets", 0, "metrics", 0, "values", "A"), "x"),
    (("datasets", 0, "metrics", 0, "values", "A"), float("nan")),
    (("datasets", 0, "metrics", 0, "ids"), ["A", "E"]),
    (("datasets", 0, "metrics", 0, "ids"), [1, 2]),
    (("datasets", 0, "metrics", 0, "reason"), 1),
    (("datasets", 0, "metrics", 0, "pcc"), None),
    *((("datasets", 0, "metrics", 0, key), "abc") for key in ("pcc", "spearman", "low", "high")),
    (("datasets", 0, "metrics", 0, "low"), 10**400),
    (("datasets", 0, "metrics", 0, "low"), True),
]
LACKING: list[tuple[str | int, ...]] = [("choices",), ("datasets", 0, "ratings")]
LACKING += [("datasets", 0, "metrics", 0, key) for key in results()["datasets"][0]["metrics"][0]]


@pytest.mark.parametrize("picture", ["scatter", "heatmap"])
@pytest.mark.parametrize(("path", "value"), [*WRONG, *((path, ...) for path in LACKING)])
def test_results_without_what_is_drawn_are_refused(
    path: tuple[str | int, ...], value: Any, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = results()
    place: Any = given
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    (tmp_path / "results.json").write_text(json.dumps(given), encoding="utf-8")
    assert main(["plot", picture, str(tmp_path), "-o", str(tmp_path / "x.png")]) == 2
    assert "results.json: no results of a run; fix: " in capsys.readouterr().err


@pytest.mark.parametrize("picture", ["scatter", "heatmap"])
def test_results_of_nothing_are_no_picture(
    picture: str, tmp_path: Path, figures: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    given = results()
    arguments = ["plot", picture, str(tmp_path / "results.json"), "-o", str(tmp_path / "x.png")]
    (tmp_path / "results.json").write_text(json.dumps(given), encoding="utf-8")
    assert main(arguments) == 0
    assert len(figures) == 1
    for datasets in ([], [{**given["datasets"][0], "metrics": []}]):
        given["datasets"] = datasets
        (tmp_path / "results.json").write_text(json.dumps(given), encoding="utf-8")
        assert main(arguments) == 2
        assert "there are no correlations to draw; fix: " in capsys.readouterr().err
