"""Whole runs: what they refuse, and which files they leave."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pathbench.benchmark import Choices
from pathbench.errors import InputError, UsageError
from pathbench.runner import run_benchmark
from speechio import SpeechioError

if TYPE_CHECKING:
    from pathbench.report import Report

MINI = Path(__file__).parent / "data" / "minidata" / "mini" / "pathological" / "word" / "balanced"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Copy a dataset to where no control set is."""
    folder = tmp_path / "youtube"
    shutil.copytree(MINI, folder)
    lines = [line.split()[0] for line in (folder / "wav.scp").read_text(encoding="utf-8").splitlines()]
    ratings = "".join(f"{utt} {i}\n" for i, utt in enumerate(lines))
    (folder / "utt2score").write_text(ratings, encoding="utf-8")
    return folder


def run(dataset: Path, out: Path, *names: str, **options: Any) -> Report:
    choices = Choices(list(names))
    return run_benchmark([str(dataset)], choices, out=str(out), datasets_root=str(dataset.parent), draws=0, **options)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.csv"))


def test_score_files_are_those_of_the_run(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(dataset, out, "wpm", "cpp")
    assert files(out / "scores") == ["youtube/cpp.csv", "youtube/wpm.csv"]
    (out / "scores" / "youtube" / "mine.csv").write_text("A,1\n", encoding="utf-8")
    speakers = (out / "scores" / "youtube" / "wpm.csv").read_bytes()
    run(dataset, out, "wpm")
    assert files(out / "scores") == ["youtube/mine.csv", "youtube/wpm.csv"]  # what is somebody else's stays
    assert (out / "scores" / "youtube" / "wpm.csv").read_bytes() == speakers
    run(dataset, out, "wpm", level="utterance")
    assert files(out / "scores") == ["youtube/mine.csv", "youtube/wpm.utterances.csv"]
    elsewhere = tmp_path / "elsewhere"
    run(dataset, out, "wpm", results_dir=str(elsewhere))
    run(dataset, out, "cpp", results_dir=str(elsewhere))
    assert files(elsewhere) == ["youtube/cpp.csv", "youtube/wpm.csv"]  # such a folder may collect
    assert files(out / "scores") == ["youtube/mine.csv"]  # none of these was made by the last run
    run(dataset, out, "wpm", results_dir=str(out / "x" / ".." / "scores"))
    run(dataset, out, "cpp", results_dir=str(out / "scores"))
    assert files(out / "scores") == ["youtube/cpp.csv", "youtube/mine.csv"]


def test_a_run_that_fails_while_it_writes_leaves_no_stale_scores(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(dataset, out, "wpm", "cpp")
    (out / "table.csv").unlink()
    (out / "table.csv").mkdir()
    with pytest.raises(SpeechioError, match=r"table\.csv: cannot be written"):
        run(dataset, out, "wpm")
    assert files(out / "scores") == ["youtube/wpm.csv"]
    (out / "table.csv").rmdir()
    run(dataset, out, "wpm", "cpp_double_log")
    (out / "scores" / "youtube" / "cpp.csv").mkdir()
    with pytest.raises(SpeechioError, match=r"cpp\.csv: cannot be written"):
        run(dataset, out, "cpp", "wpm")
    (out / "scores" / "youtube" / "cpp.csv").rmdir()
    run(dataset, out, "cpp")
    assert files(out / "scores") == ["youtube/cpp.csv"]


def test_a_stale_file_that_cannot_be_removed_is_told(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run(dataset, out, "wpm", "cpp")
    before = (out / "results.json").read_bytes()

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("os.remove", refuse)
    with pytest.raises(InputError, match=r"cpp\.csv: is of the run before and cannot be removed: Permission denied"):
        run(dataset, out, "wpm")
    assert (out / "results.json").read_bytes() == before


def test_a_choice_among_utterances_says_nothing_about_speakers(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give --level utterance too"):
        run(dataset, tmp_path / "out", "wpm", complete="per-metric")
    run(dataset, tmp_path / "out", "wpm", complete="per-metric", level="utterance")


@pytest.mark.parametrize(
    "broken", ["", "{}", '{"choices": {"level": "speaker"}, "datasets": [{"name": "../.."}]}', "[]"]
)
def test_results_that_cannot_be_read_are_written_over(broken: str, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "results.json").write_text(broken, encoding="utf-8")
    run(dataset, out, "wpm")
    assert json.loads((out / "results.json").read_text(encoding="utf-8"))["schema_version"] == "1.0"


@pytest.mark.parametrize("names", [("p_estoi",), ("spk2age",), ("spk2score",)])
def test_an_empty_table_is_refused(names: tuple[str, ...], dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none of the evaluators can be computed"):
        run(dataset, tmp_path / "out", *names)
    assert not (tmp_path / "out").exists()


def test_speakers_have_no_place_among_utterances(
    dataset: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(UsageError, match="none of the evaluators can be computed"):
        run(dataset, tmp_path / "out", "f0_range", level="utterance")
    caplog.clear()
    with caplog.at_level(logging.WARNING, "pathbench"):
        run(dataset, tmp_path / "out", "f0_range", "wpm", level="utterance")
    assert "f0_range: no scores of utterances" in caplog.text
