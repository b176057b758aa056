"""CSV files of scores, against the results of the upstream code (origin in data/README.md)."""

from __future__ import annotations

import codecs
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pathbench.correlation import correlate
from pathbench.errors import InputError
from pathbench.predictions import find_predictions, matched, read_predictions, read_ratings
from speechio import SpeechioError

DATA = Path(__file__).parent / "data"
ROUTE: dict[str, Any] = json.loads((DATA / "csv_route.json").read_text(encoding="utf-8"))
EDGES: dict[str, Any] = json.loads((DATA / "csv_edge_cases.json").read_text(encoding="utf-8"))
RATINGS: dict[str, float] = EDGES["ground_truth"]
OURS = {"nan_value": "the score of B is nan"}
"""Cases that upstream computes and we refuse."""


@pytest.mark.parametrize("folder", ROUTE["datasets"])
def test_the_tree_gives_the_published_values(folder: str) -> None:
    predictions = read_predictions(DATA / "csv_route" / "results" / folder / "dummy_scores.csv")
    ratings_path = DATA / "csv_route" / "datasets" / folder / "spk2score"
    ratings = read_ratings(ratings_path)
    scores, message = matched("p", predictions.scores, ratings_path, ratings)
    found = correlate("m", ratings, scores, draws=0)
    assert message == ""
    assert found.pcc == pytest.approx(ROUTE["datasets"][folder]["pcc"], abs=1e-12)
    assert found.n == ROUTE["datasets"][folder]["n"]


def test_the_tree_is_walked_in_order() -> None:
    found = find_predictions(DATA / "csv_route" / "results", "dummy_scores")
    assert [folder for folder, _ in found] == list(ROUTE["datasets"])
    assert find_predictions(DATA / "csv_route" / "results", "other") == []
    with pytest.raises(InputError, match="is not a folder"):
        find_predictions(DATA / "csv_route.json", "x")


def test_circles_of_links_end_and_a_folder_counts_once(tmp_path: Path) -> None:
    folder = tmp_path / "root" / "b" / "set"
    folder.mkdir(parents=True)
    (folder / "m.csv").write_text("A,1\n")
    (folder / "up").symlink_to(tmp_path / "root")
    (folder / "again").symlink_to("..")
    (tmp_path / "root" / "a").symlink_to(folder)
    found = find_predictions(tmp_path / "root", "m")
    assert found == [("b/set", str(folder / "m.csv"))]


@pytest.mark.parametrize("name", EDGES["cases"])
def test_edge_cases(name: str, tmp_path: Path) -> None:
    case = EDGES["cases"][name]
    path = tmp_path / "scores.csv"
    path.write_text(case["csv"], encoding="utf-8")
    if "exit" in case or name in OURS:
        with pytest.raises(InputError, match=OURS.get(name, "fix: ")):
            matched(path, read_predictions(path).scores, "spk2score", RATINGS)
        return
    scores, _ = matched(path, read_predictions(path).scores, "spk2score", RATINGS, "intersect")
    assert correlate("m", RATINGS, scores, draws=0).pcc == pytest.approx(float(case["pcc"]), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; fix: write a line speaker_id,score and scores"),
        ("\n\n  \n", "the file is empty"),
        ("speaker_id\nA\n", r":1: 1 column where two are wanted"),
        ("speaker_id,score\n", "there is no score in it"),
        ("speaker_id,score,score\nA,1,2\n", r":1: there are several columns score; fix: "),
        ("speaker_id,score, speaker_id\nA,1,B\n", r":1: there are several columns speaker_id; fix: "),
        (
            "spk,val\nA,x\n",
            "there is no score in it: there is no column speaker_id and no score; the columns are spk, val, and the",
        ),
        ("A,1\n,5\nB,2\n", ":2: the speaker is empty"),
        (",1\nB,2\n", ":1: the speaker is empty"),
        ("speaker_id,score\nA,1\nB,x\n", r":3: the score of B is 'x', which is no number"),
        ("speaker_id,score\nA,1\nB\n", r":3: 1 fields where the header has 2"),
        ("speaker_id,score\nA,1\n,2\n", r":3: the speaker is empty"),
        ("speaker_id,score\nA,1\nB,2\nA,1\n", r":4: A is here and at line 2"),
        ("A,1\nB,inf\n", r":2: the score of B is inf"),
        ("A,-Infinity\n", r":1: the score of A is -inf"),
        ('speaker_id,score\n"A,1\n', r":2: no CSV \(unexpected end of data\)"),
        ("speaker_id,score\nA,1_0\n", r":2: the score of A is '1_0'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_predictions(path)


def test_lines_without_a_number_are_left_out_by_position_only(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("spk,val\nA,1\nB\nC,n/a\nD,2,x\n", encoding="utf-8")
    found = read_predictions(path)
    assert found.scores == {"A": 1.0, "D": 2.0}
    assert found.skipped == (3, 4)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"score_column": "scores"}, ":1: there is no column scores; the columns are speaker_id, age, score; fix: "),
        ({"id_column": "who", "score_column": "score"}, ":1: there is no column who; the columns are"),
        ({"id_column": "who", "score_column": "x"}, ":1: there is no column who and no x; the columns are"),
    ],
)
def test_a_column_that_is_asked_for_must_be_there(asked: dict[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("speaker_id,age,score\nA,61,1\nB,70,2\n", encoding="utf-8")
    assert read_predictions(path).scores == {"A": 1.0, "B": 2.0}
    assert read_predictions(path, score_column="age").scores == {"A": 61.0, "B": 70.0}
    with pytest.raises(InputError, match=message):
        read_predictions(path, **asked)


def test_columns_by_name_quotes_and_compression(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(b'who,x,"it, is"\r\n"A, B",0,1.5\r\n'))
    assert read_predictions(path, id_column="who", score_column="it, is").scores == {"A, B": 1.5}


@pytest.mark.parametrize("data", [codecs.BOM_UTF16_LE + "A,1\n".encode("utf-16-le"), b"A,\xff\n", b"A,1\0\n"])
def test_what_is_no_text_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(data)
    with pytest.raises(SpeechioError):
        read_predictions(path)


def test_different_speakers() -> None:
    scores = {"A": 1.0, "X": 2.0, "W": 1.0}
    with pytest.raises(InputError, match="2 only in the predictions: W, X; 2 only in the ratings: B, C"):
        matched("p.csv", scores, "spk2score", RATINGS)
    kept, message = matched("p.csv", scores, "spk2score", RATINGS, "intersect")
    assert kept == {"A": 1.0}
    assert message.endswith("left out are 2 only in the predictions: W, X; 2 only in the ratings: B, C")
    with pytest.raises(InputError, match="none is common"):
        matched("p.csv", {"X": 1.0}, "spk2score", RATINGS, "intersect")
    many = {f"{i:03}": 1.0 for i in range(30)}
    with pytest.raises(InputError, match="009 and 20 more"):
        matched("p.csv", many, "spk2score", RATINGS)


def test_ratings_without_a_number_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "spk2score"
    path.write_text("A 1\nB N/A\n", encoding="utf-8")
    assert read_ratings(path) == {"A": 1.0}
    for text, message in (("", "there is no rating in it; fix: "), ("A N/A\nB N/A\n", "every rating is N/A; fix: ")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_ratings(path)
