"""TextGrids: what is written reads back, tiers are added, and wrong files and names are refused."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discophon.data import read_gold_annotations, read_submitted_units, read_textgrid, write_textgrids
from discophon.errors import DatasetError, FormatError, MissingFileError, UsageError
from discophon.evaluate import cooccurrence_matrix, phone_assignments
from discophon.textgrid import Interval, add_tiers, intervals, write_comparison
from speechio.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

GOLDEN = Path(__file__).parent / "data" / "discovery"
UNITS = GOLDEN / "units" / "k256-20ms" / "units-swa-dev.jsonl"
PHONES = GOLDEN / "alignment" / "alignment-swa-dev.txt"

JUNK = b'File type = "ooTextFile"\nObject class = "TextGrid"\njunk'
LABELS = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=3)


def test_runs_of_equal_tokens() -> None:
    assert intervals([5, 5, 7, 5], step_in_ms=20) == [
        Interval(0.0, 0.04, "5"),
        Interval(0.04, 0.06, "7"),
        Interval(0.06, 0.08, "5"),
    ]
    with pytest.raises(UsageError, match="a step of 0 ms"):
        intervals([1], step_in_ms=0)


@given(tokens=st.lists(st.sampled_from("abc"), max_size=300), step=st.sampled_from([10, 20, 25, 30, 1]))
def test_times_are_index_times_step(tokens: list[str], step: int) -> None:
    found = intervals(tokens, step_in_ms=step)
    assert [interval.text for interval in found] == [label for label, _ in groupby(tokens)]
    ends = [float(f"{index * step}e-3") for index in range(1, len(tokens) + 1)]  # the decimal number itself
    assert [interval.end for interval in found] == [
        end for index, end in enumerate(ends, 1) if index == len(tokens) or tokens[index] != tokens[index - 1]
    ]
    assert [interval.start for interval in found[1:]] == [interval.end for interval in found[:-1]]


def test_write_and_read(tmp_path: Path) -> None:
    write_textgrids({"u": ["a", "a", "SIL", "b"], "v": ['"q"', ""]}, tmp_path / "out", tier_name="gold", step_in_ms=10)
    table = read_textgrid(tmp_path / "out")["gold"]
    assert table.columns == ["text", "start", "end", "fileid"]
    assert table.rows() == [
        ("a", 0.0, 0.02, "u"),
        ("SIL", 0.02, 0.03, "u"),
        ("b", 0.03, 0.04, "u"),
        ('"q"', 0.0, 0.01, "v"),
        ("SIL", 0.01, 0.02, "v"),
    ]
    assert read_textgrid(tmp_path / "out" / "u.TextGrid")["gold"].rows() == table.rows()[:3]


@given(tokens=st.lists(LABELS, min_size=1, max_size=20), step=st.sampled_from([10, 20, 25]))
def test_round_trip(tokens: list[str], step: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_textgrids({"f": tokens}, folder, tier_name="tier", step_in_ms=step)
        table = read_textgrid(folder)["tier"]
    wanted = intervals(tokens, step_in_ms=step)
    assert table.select("start", "end", "text").rows() == [tuple(interval) for interval in wanted]


def test_a_tier_is_added(tmp_path: Path) -> None:
    write_textgrids({"u": "aab"}, tmp_path, tier_name="gold", step_in_ms=10)
    write_textgrids({"u": [7, 8, 8]}, tmp_path, tier_name="units", step_in_ms=20)
    tiers = read_textgrid(tmp_path)
    assert list(tiers) == ["gold", "units"]
    assert tiers["gold"].rows() == [("a", 0.0, 0.02, "u"), ("b", 0.02, 0.03, "u"), ("SIL", 0.03, 0.06, "u")]
    assert tiers["units"].rows() == [("7", 0.0, 0.02, "u"), ("8", 0.02, 0.06, "u")]
    text = (tmp_path / "u.TextGrid").read_text()
    assert text.count("xmax = 0.06 \n") == 5  # the whole, both tiers, the last interval of each


def test_a_tier_of_the_same_name_is_replaced_in_its_place(tmp_path: Path) -> None:
    write_textgrids({"u": "aab"}, tmp_path, tier_name="gold", step_in_ms=10)
    write_textgrids({"u": "x"}, tmp_path, tier_name="units", step_in_ms=10)
    write_textgrids({"u": "cc"}, tmp_path, tier_name="gold", step_in_ms=10)
    tiers = read_textgrid(tmp_path)
    assert list(tiers) == ["gold", "units"]
    assert tiers["gold"].rows() == [("c", 0.0, 0.02, "u"), ("SIL", 0.02, 0.03, "u")]


def test_tiers_that_only_some_files_have(tmp_path: Path) -> None:
    write_textgrids({"a": "x", "b": "y"}, tmp_path, tier_name="gold", step_in_ms=10)
    write_textgrids({"a": "z"}, tmp_path, tier_name="units", step_in_ms=10)
    tiers = read_textgrid(tmp_path)
    assert {name: table["fileid"].to_list() for name, table in tiers.items()} == {"gold": ["a", "b"], "units": ["a"]}


def test_the_shortest_intervals_stay(tmp_path: Path) -> None:
    brief = [Interval(0, 1, "x"), Interval(1, 1.000000001, "u"), Interval(1.000000001, 10, "y")]
    add_tiers(tmp_path, {"f": brief}, "tier")
    add_tiers(tmp_path, {"f": [Interval(0, 12, "z")]}, "other")
    found = read_textgrid(tmp_path)["tier"].rows()
    assert found == [*((text, start, end, "f") for start, end, text in brief), ("SIL", 10, 12, "f")]


POINTS = (
    'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n2\n"TextTier"\n"clicks"\n0\n1\n2\n'
    '0.5\n"click"\n0.75\n""\n"IntervalTier"\n"words"\n0\n1\n2\n0\n0.5\n""\n0.5\n1\n"end"\n'
)


def test_point_tiers_are_read_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "u.TextGrid"
    path.write_text(POINTS)
    for names in (["clicks", "words"], ["clicks", "words", "gold"]):
        tiers = read_textgrid(tmp_path)
        assert list(tiers) == names
        assert tiers["words"].rows() == [("SIL", 0.0, 0.5, "u"), ("end", 0.5, 1.0, "u")]
        assert tiers["clicks"].columns == ["text", "pos", "fileid"]  # as in release 0.2.0
        assert tiers["clicks"].rows() == [("click", 0.5, "u"), ("SIL", 0.75, "u")]
        write_textgrids({"u": "ab"}, tmp_path, tier_name="gold", step_in_ms=500)


def test_a_tier_of_two_kinds(tmp_path: Path) -> None:
    (tmp_path / "u.TextGrid").write_text(POINTS)
    write_textgrids({"v": "ab"}, tmp_path, tier_name="clicks", step_in_ms=10)
    with pytest.raises(FormatError, match=r"v\.TextGrid: the tier 'clicks' has intervals in one file and points in"):
        read_textgrid(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_quotes_in_the_labels_of_points(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "u.TextGrid"
    path.write_text(POINTS.replace('"click"', '"say ""hi"""'), encoding)
    for i in range(3):  # the first is of the short kind, what is written of the long one
        assert read_textgrid(path)["clicks"]["text"].to_list() == ['say "hi"', "SIL"]
        write_textgrids({"u": "ab"}, tmp_path, tier_name=f"gold-{i}", step_in_ms=500)


PLAIN = ["points [2]", 'x" "y', "xmax = 3", '"IntervalTier"', 'class = "TextTier"', 'text = "x"', '"', '""', "size = 0"]


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_the_format(tmp_path: Path, text: str) -> None:
    write_textgrids({"f": ["a", text, "b"]}, tmp_path, tier_name=text, step_in_ms=10)
    assert read_textgrid(tmp_path)[text]["text"].to_list() == ["a", text, "b"]


@pytest.mark.parametrize("text", ["intervals [1]:", "intervals[", "item [1]:", "item[", "ooTextFile short"])
def test_what_would_not_read_back(tmp_path: Path, text: str) -> None:
    write_textgrids({"f": "ab"}, tmp_path, tier_name="words", step_in_ms=10)
    before = (tmp_path / "f.TextGrid").read_bytes()
    for tier, tokens in ((text, ["a"]), ("gold", ["a", text, "b"])):
        with pytest.raises(UsageError, match=rf"f\.TextGrid: {re.escape(repr(text))} looks like a part of the format"):
            write_textgrids({"f": tokens}, tmp_path, tier_name=tier, step_in_ms=10)
    assert (tmp_path / "f.TextGrid").read_bytes() == before


def test_a_label_that_would_not_read_back(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"f\.TextGrid: 'intervals \[1\]:' looks like a part of the format"):
        write_comparison(tmp_path / "f.TextGrid", ["a", "intervals [1]:"], "a")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.listdir", closed)
    with pytest.raises(DatasetError, match="cannot be looked into: Permission denied; give a folder you may read"):
        read_textgrid(tmp_path)


def test_empty_sequences_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="1 files have no tokens, such as 'v'") as caught:
        write_textgrids({"u": "ab", "v": ""}, tmp_path / "out", tier_name="gold", step_in_ms=10)
    assert isinstance(caught.value, ValueError)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("file_id", "tier", "label"),
    [
        ("a/b", "gold", "x"),
        ("a\0b", "gold", "x"),
        ("..", "gold", "x"),
        ("", "gold", "x"),
        ("f", "", "x"),
        ("f", "two\nlines", "x"),
        ("f", " blank", "x"),
        ("f", "gold", "two\nlines"),
        ("f", "gold", "blank "),
        ("f", "gold", "\ud800"),
    ],
)
def test_names_that_cannot_be(tmp_path: Path, file_id: str, tier: str, label: str) -> None:
    with pytest.raises(UsageError):
        write_textgrids({file_id: [label]}, tmp_path, tier_name=tier, step_in_ms=10)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_tier(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no interval"):
        add_tiers(tmp_path, {"f": []}, "gold")


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", bytes(range(256)), b'File type = "ooTextFile"\n', b"[1, 2]", b"{}", JUNK]
)
def test_files_that_are_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "f.TextGrid"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"f\.TextGrid: not ") as caught:
        read_textgrid(path)
    assert "index out of range" not in str(caught.value)
    with pytest.raises(FormatError, match=r"f\.TextGrid: not "):
        write_textgrids({"f": "ab"}, tmp_path, tier_name="gold", step_in_ms=10)
    assert path.read_bytes() == content


def test_nowhere(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere: no such file or folder"):
        read_textgrid(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"no \.TextGrid file in this folder"):
        read_textgrid(tmp_path)


def test_folders_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DatasetError, match="the folder cannot be made"):
        write_textgrids({"f": "ab"}, tmp_path / "file", tier_name="gold", step_in_ms=10)
    with pytest.raises(InputError, match=r"f\.TextGrid: cannot be written: No such file or directory"):
        write_comparison(tmp_path / "no" / "f.TextGrid", "ab", "a")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "praatio", None)
    with pytest.raises(UsageError, match="TextGrids need praatio; install it with: pip install praatio"):
        write_textgrids({"f": "ab"}, tmp_path, tier_name="gold", step_in_ms=10)


def test_comparison(tmp_path: Path) -> None:
    write_comparison(tmp_path / "f.TextGrid", "aabb", "ab", names=("reference", "hypothesis"))
    tiers = read_textgrid(tmp_path / "f.TextGrid")
    assert tiers["reference"].rows() == tiers["hypothesis"].rows() == [("a", 0.0, 0.02, "f"), ("b", 0.02, 0.04, "f")]
    with pytest.raises(UsageError, match="both tiers"):
        write_comparison(tmp_path / "g.TextGrid", "a", "b", names=("x", "x"))
    with pytest.raises(UsageError, match="no phones"):
        write_comparison(tmp_path / "g.TextGrid", "a", "")
    assert not (tmp_path / "g.TextGrid").exists()


# --- the command ---


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "discophon", "textgrid", *arguments], capture_output=True, text=True, check=False
    )


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "out.TextGrid"
    done = run(str(UNITS), str(PHONES), "--language", "swa", "--file", "swad03-8888-0003", "-o", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    units, gold = read_submitted_units(UNITS), read_gold_annotations(PHONES)
    counts = cooccurrence_matrix(units, gold, n_units=256, language="swa")
    predicted = phone_assignments(units, counts, kind="many-to-one")["swad03-8888-0003"]
    tiers = read_textgrid(path)
    for name, sequence, step in (("gold", gold["swad03-8888-0003"], 10), ("predicted", predicted, 20)):
        rows = tiers[name].select("start", "end", "text").rows()
        spoken = [tuple(interval) for interval in intervals(sequence, step_in_ms=step)]
        assert rows == (spoken if name == "predicted" else [*spoken, (3.27, 3.28, "SIL")])  # one span for both


@given(
    spans=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.sampled_from("ab")), min_size=1),
    more=st.integers(1, 40),
)
def test_tiers_have_no_holes(spans: list[tuple[int, int, str]], more: int) -> None:
    """Praat wants the intervals of every tier to follow each other from the begin to the end of the whole."""
    tier, time = [], 0
    for pause, length, label in spans:
        tier.append(Interval((time + pause) / 100, (time + pause + length) / 100, label))
        time += pause + length
    with tempfile.TemporaryDirectory() as folder:
        add_tiers(folder, {"f": tier}, "tier")
        write_textgrids({"f": ["x"] * more}, folder, tier_name="more", step_in_ms=10)
        text = Path(folder, "f.TextGrid").read_text(encoding="utf-8")
    ends = re.findall(r"xmax = (\S+)", text)
    for part in text.split("item [")[2:]:
        found = re.findall(r"xmin = (\S+) \n *xmax = (\S+) \n *text = \"(.*)\"", part)
        assert (float(found[0][0]), found[-1][1]) == (0.0, ends[0])
        assert [begin for begin, _, _ in found[1:]] == [end for _, end, _ in found[:-1]]
        labelled = [Interval(float(begin), float(end), label) for begin, end, label in found if label]
        assert labelled == (tier if 'name = "tier"' in part else intervals(["x"] * more, step_in_ms=10))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--language", "swa", "--file", "swad03"), "there is no file 'swad03'; there are 8, such as swad"),
        (("--language", "wol", "--n-phonemes", "3"), "not allowed with argument"),
        ((), "one of the arguments --language --n-phonemes is required"),
        (("--n-phonemes", "3"), "different labels, more than 3 phonemes"),
        (("--language", "swa", "--step-units", "40"), "swad"),
        (("--language", "swa", "--kind", "one-to-one"), "not from 0 to 29"),
    ],
)
def test_command_wrong_usage(tmp_path: Path, arguments: Sequence[str], message: str) -> None:
    done = run(str(UNITS), str(PHONES), "-o", str(tmp_path / "x.TextGrid"), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_command_writes_over_no_input(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    path.write_bytes(UNITS.read_bytes())
    done = run(str(path), str(PHONES), "--language", "swa", "-o", str(path))
    assert done.returncode == 2
    assert path.read_bytes() == UNITS.read_bytes()
