"""What ``pathbench evaluate`` makes of the names it is given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pathbench.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a dataset of the published table, with the scores of a predictor in it."""
    made = tmp_path / "copas" / "pathological" / "word" / "balanced"
    made.mkdir(parents=True)
    (made / "spk2score").write_text("A 1\nB 2\nC 4\n", encoding="utf-8")
    (made / "P.csv").write_text("speaker_id,score\nA,1\nB,3\nC,4\n", encoding="utf-8")
    return made


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert main(["evaluate", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("where", "ratings", "name"),
    [
        (".", "spk2score", "balanced"),
        (".", ".", "balanced"),
        (".", "./spk2score", "balanced"),
        ("..", "balanced", "balanced"),
        ("../../..", "pathological/word/balanced", "pathological/word/balanced"),
    ],
)
def test_the_ranking_is_the_same_from_anywhere(
    where: str,
    ratings: str,
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wanted = evaluated(capsys, folder / "P.csv", folder / "spk2score")
    assert wanted["datasets"][0]["column"] == "COPAS Word MC"
    assert len(wanted["ranking"]) == 13
    monkeypatch.chdir(folder / where)
    found = evaluated(capsys, folder / "P.csv", ratings)
    assert found["ranking"] == wanted["ranking"]
    assert found["datasets"] == [{**wanted["datasets"][0], "name": name}]


def test_the_mean_is_no_dataset_of_that_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("mean", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.csv").write_text("A,1\nB,2\nC,3\n", encoding="utf-8")
        (tmp_path / name / "spk2score").write_text("A 1\nB 2\nC 4\n", encoding="utf-8")
    options = ["--evaluator", "m", "--results-dir", str(tmp_path), "--datasets-root", str(tmp_path)]
    assert main(["evaluate", *options]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:5]]
    assert names == ["b", "./mean", "mean"]
