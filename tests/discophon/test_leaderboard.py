"""Several systems in one table: reading every format, means, order, what is best, and what may not be mixed."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import speechio
from discophon.benchmark import signature_of
from discophon.errors import FormatError, MissingFileError, UsageError
from discophon.leaderboard import FORMATS, Leaderboard, System, build, read_systems, render

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DEV = "deu swa tam tha tur ukr".split()
TEST = "cmn eng eus fra jpn wol".split()
SIGNATURE = signature_of("many-to-one")
ROWS = [
    ("swa", "dev", "pnmi", 0.5),
    ("swa", "test", "pnmi", 0.25),
    ("wol", "test", "pnmi", 0.75),
    ("wol", "test", "per", 1.25),
]


def system(name: str, *rows: tuple[str, str, str, float], signature: str | None = SIGNATURE) -> System:
    return System(name, f"{name}.json", signature, {row[:3]: row[3] for row in rows})


def write(path: Path, rows: Sequence[tuple[str, str, str, float]] = ROWS, signature: str = SIGNATURE) -> Path:
    records = [dict(zip(("language", "split", "metric", "score"), row, strict=True)) for row in rows]
    if path.suffix == ".parquet":
        pl.DataFrame(records).write_parquet(path)
    elif path.suffix == ".csv":
        pl.DataFrame(records).write_csv(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps({"schema_version": "1.0", "signature": signature, "scores": records}))
    else:
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


# --- reading ---


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json", "a.parquet", "a.txt", "a"])
def test_every_format_gives_the_same(tmp_path: Path, name: str) -> None:
    [found] = read_systems([write(tmp_path / name)])
    assert found.name == "a"
    assert found.scores == {row[:3]: row[3] for row in ROWS}
    assert found.signature == (SIGNATURE if name == "a.json" else None)


def test_folders_and_names(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.csv", "notes.txt", ".hidden.csv"):
        write(tmp_path / name)
    (tmp_path / "more").mkdir()
    write(tmp_path / "more" / "a.json")
    found = read_systems([tmp_path, tmp_path / "more" / "a.json"])
    assert [each.name for each in found] == [f"{tmp_path.name}/a", f"{tmp_path.name}/b", "more/a"]
    assert [each.name for each in read_systems([tmp_path], names=["x", "y"])] == ["x", "y"]
    with pytest.raises(UsageError, match="1 names for 2 systems"):
        read_systems([tmp_path], names=["x"])
    with pytest.raises(UsageError, match=r"standard input \(-\) is named twice, and can be read once; name files"):
        read_systems(["-", "-"])
    with pytest.raises(UsageError, match="two systems are named 'x'"):
        read_systems([tmp_path], names=["x", "x"])


def test_files_that_differ_by_their_suffix_alone(tmp_path: Path) -> None:
    paths = [write(tmp_path / name) for name in ("a.csv", "a.json")]
    assert [each.name for each in read_systems(paths)] == [str(path) for path in paths]


def test_nowhere(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere: no such file"):
        read_systems([tmp_path / "nowhere"])
    with pytest.raises(MissingFileError, match="no result file"):
        read_systems([tmp_path])


def test_the_same_score_twice_may_be_of_two_ways_to_score(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [*ROWS, ROWS[0]])
    with pytest.raises(FormatError, match=r"a\.jsonl:5: the pnmi of swa dev is there twice: 0\.5 and 0\.5; fix: keep"):
        read_systems([tmp_path / "a.jsonl"])
    write(tmp_path / "a.jsonl", [*ROWS, ("swa", "dev", "pnmi", 0.6)])
    with pytest.raises(FormatError, match=r"a\.jsonl:5: the pnmi of swa dev is there twice: 0\.5 and 0\.6; fix: keep"):
        read_systems([tmp_path / "a.jsonl"])


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("a.jsonl", b"", "there are no scores in it"),
        ("a.csv", b"", "there is no column language"),
        ("a.csv", b"language,split,metric,score\n", "there are no scores in it"),
        ("a.csv", b"language,split,score\nswa,dev,1\n", r"a\.csv:1: there is no column metric"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi\n", r"a\.csv:2: 3 fields where the header has 4"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,\n", r"a\.csv:2: a row has no score"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,1,2\n", r"a\.csv:2: 5 fields where the header has 4"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,1_0\n", r"a\.csv:2: the score '1_0' is not a number"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi," + b"1" * 200_000, r"a\.csv:2: not CSV: field larger"),
        (
            "a.csv",
            b'language,split,metric,score\n"swa,dev,pnmi,0.5\ntha,dev,pnmi,0.5\nwol,dev,pnmi,0.5"\n',
            r"a\.csv:2: not CSV: unexpected end",
        ),
        (
            "a.jsonl",
            b'{"language": "swa", "split": "dev", "metric": "pnmi", "score": ' + b"1" * 400 + b"}\n",
            r"a\.jsonl:1: the score of 400 digits is too large",
        ),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,1e308\n", r"a\.csv:2: the score 1e\+308 is too large"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,high\n", r"a\.csv:2: the score 'high' is not a number"),
        ("a.csv", b"language,split,metric,score\nswa,dev,pnmi,nan\n", r"a\.csv:2: the score nan is not a number"),
        ("a.csv", b"language,split,metric,score\nsw,dev,pnmi,1\n", "unknown language 'sw'"),
        ("a.csv", b"language,split,metric,score\nswa,valid,pnmi,1\n", "unknown split 'valid'"),
        ("a.json", b"", "not JSON"),
        ("a.json", b"[1, 2]", "not a document with a list of scores"),
        ("a.json", b'{"scores": 3}', "not a document with a list of scores"),
        ("a.json", b'{"scores": []}', "there are no scores in it"),
        ("a.json", b'{"scores": [{"language": "swa", "split": "dev", "metric": "pnmi", "score": null}]}', "no score"),
        ("a.json", b'{"scores": [{"language": "swa", "split": "dev", "metric": "pnmi", "score": true}]}', "True"),
        ("a.json", b'{"scores": [{"language": "swa", "split": "dev", "metric": "pnmi", "score": Infinity}]}', "inf"),
        ("a.json", b"[" * 100_000, "not JSON"),
        ("a.jsonl", b'{"language": "swa", "split": "dev", "metric": "pnmi"}\n', "a row has no score"),
        ("a.parquet", b"PAR1 or not", "not a parquet file"),
    ],
)
def test_files_without_results(tmp_path: Path, name: str, content: bytes, match: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=match):
        read_systems([tmp_path / name])


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", b"hello\n"), ("a.json", b"\xff\xfe{"), ("a.csv", b"\xff")])
def test_files_that_are_no_text(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(speechio.FormatError):
        read_systems([tmp_path / name])


def test_damaged_parquet_is_told_even_where_its_reader_panics(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.parquet")
    data = path.read_bytes()
    footer = int.from_bytes(data[-8:-4], "little")
    told = 0
    for place in range(len(data) - 8 - footer, len(data) - 8):
        path.write_bytes(data[:place] + b"\x7f" + data[place + 1 :])
        try:
            read_systems([path])
        except FormatError:
            told += 1
    assert told > 20
    capfd.readouterr()  # what the reader itself says of its panics


# --- the table ---


def cells(table: Leaderboard) -> dict[tuple[str, str, str], tuple[float | None, int, bool]]:
    return {
        (each.name, column.metric, column.scope): (cell.score, cell.n_languages, cell.is_best)
        for each, row in zip(table.systems, table.cells, strict=True)
        for column, cell in zip(table.columns, row, strict=True)
    }


def test_means_over_languages() -> None:
    one = system("one", *((code, "test", "pnmi", i / 8) for i, code in enumerate(DEV + TEST)))
    two = system("two", ("swa", "test", "pnmi", 0.5), ("swa", "dev", "pnmi", 1.0))
    table = build([two, one])
    assert [(column.metric, column.scope, len(column.languages)) for column in table.columns] == [
        ("pnmi", "dev", 6),
        ("pnmi", "test", 6),
    ]
    assert [each.name for each in table.systems] == ["one", "two"]
    assert cells(table) == {
        ("one", "pnmi", "dev"): (15 / 48, 6, True),
        ("one", "pnmi", "test"): (51 / 48, 6, True),
        ("two", "pnmi", "dev"): (0.5, 1, False),  # a mean over fewer languages is never best
        ("two", "pnmi", "test"): (None, 0, False),
    }


def test_one_split_at_a_time() -> None:
    one = system("one", *ROWS)
    assert cells(build([one])) == {
        ("one", "pnmi", "dev"): (0.25, 1, True),
        ("one", "pnmi", "test"): (0.75, 1, True),
        ("one", "per", "test"): (1.25, 1, True),
    }
    assert cells(build([one], split="dev")) == {("one", "pnmi", "dev"): (0.5, 1, True)}


@pytest.mark.parametrize(
    ("metric", "best"),
    [
        ("pnmi", ["b"]),
        ("f1", ["b"]),
        ("r_val", ["b"]),
        ("per", ["a", "c"]),
        ("triphone_abx_discrete_within_speaker", ["a", "c"]),
        ("other", []),
    ],
)
def test_best_by_the_direction_of_the_metric(metric: str, best: list[str]) -> None:
    table = build(
        [system(name, ("wol", "test", metric, score)) for name, score in zip("abc", (0.1, 0.2, 0.1), strict=True)]
    )
    assert sorted(name for (name, _, _), (_, _, is_best) in cells(table).items() if is_best) == best
    if best:
        assert table.systems[0].name == best[0]


def test_columns_of_languages_and_metrics() -> None:
    table = build([system("one", *ROWS)], metrics=["per", "pnmi"], per_language=True)
    assert [(column.scope, column.metric) for column in table.columns] == [
        ("dev", "pnmi"),
        ("test", "per"),
        ("test", "pnmi"),
        ("swa", "pnmi"),
        ("wol", "per"),
        ("wol", "pnmi"),
    ]


def test_order() -> None:
    systems = [
        system("x", ("wol", "test", "pnmi", 0.1), ("wol", "test", "per", 0.1)),
        system("y", ("wol", "test", "pnmi", 0.3), ("wol", "test", "per", 0.3)),
        system("z", ("swa", "test", "pnmi", 0.9)),
    ]
    assert [each.name for each in build(systems).systems] == ["y", "x", "z"]
    assert [each.name for each in build(systems, sort="per").systems] == ["x", "y", "z"]
    with pytest.raises(UsageError, match="the table has no f1 to sort by; it has pnmi, per"):
        build(systems, sort="f1")


def test_nothing_to_show() -> None:
    with pytest.raises(UsageError, match="no scores of dev splits; there are: none"):
        build([system("one", *ROWS[1:])], split="dev")
    with pytest.raises(UsageError, match="no system has the f1 of a test split; there are: pnmi, per"):
        build([system("one", *ROWS)], metrics=["pnmi", "f1"])


def test_systems_that_were_not_scored_alike() -> None:
    other = signature_of("many-to-one", step_units=40)
    systems = [system("a", *ROWS), system("c", *ROWS, signature=None), system("b", *ROWS, signature=other)]
    with pytest.raises(
        UsageError, match=r"a and b were not scored alike: step_units:20 against step_units:40; .*--force"
    ):
        build(systems)
    table = build(systems, force=True)
    assert table.signatures == (SIGNATURE, other)
    assert table.signature.endswith("|scores:mixed|unsigned:1")
    assert build(systems[:2]).signature.endswith("windows:disjoint|unsigned:1")
    assert build(systems[1:2]).signature.endswith("|scores:unknown|unsigned:1")


@given(
    scores=st.lists(
        st.dictionaries(st.sampled_from(DEV + TEST), st.floats(0, 1, width=16), min_size=1), min_size=1, max_size=5
    )
)
def test_table_against_a_slow_twin(scores: list[dict[str, float]]) -> None:
    systems = [
        system(str(i), *((code, "test", "per", value) for code, value in each.items())) for i, each in enumerate(scores)
    ]
    found = cells(build(systems))
    for group, codes in (("dev", DEV), ("test", TEST)):
        there = {code for each in scores for code in each if code in codes}
        if not there:
            assert not any(key[2] == group for key in found)
            continue
        means = []
        for each in scores:
            values = [each[code] for code in codes if code in each]
            means.append(sum(values) / len(values) if values else None)
        whole = [mean for each, mean in zip(scores, means, strict=True) if there <= set(each) and mean is not None]
        for i, (each, mean) in enumerate(zip(scores, means, strict=True)):
            score, n, is_best = found[str(i), "per", group]
            assert score == mean
            assert n == len(set(each) & there)
            assert is_best == (there <= set(each) and mean == min(whole))


# --- rendering ---

ODD = 'a|b <script>alert("x")</script> *c* [d](e) `f` & $g$\n=1+1'


class Texts(HTMLParser):
    """Collect the cells of a table, the tags that were seen, and the best cells."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.best: list[str] = []
        self.is_inside = False

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = self.is_inside and tag not in ("td", "th")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self.is_inside = True
            if ("class", "best") in attrs:
                self.best.append(f"{len(self.rows) - 1},{len(self.rows[-1]) - 1}")

    def handle_data(self, data: str) -> None:
        if self.is_inside:
            self.rows[-1][-1] += data


@pytest.fixture
def table() -> Leaderboard:
    """Two systems; the name of the better one is full of signs."""
    return build(
        [
            system("plain", *ROWS[:2]),
            system(ODD, *((a, b, c, d / 2 if c == "per" else d + 0.01) for a, b, c, d in ROWS)),
        ]
    )


def test_markdown(table: Leaderboard) -> None:
    head, rule, *rows = render(table, "md").split("\n\n")[0].splitlines()
    one_of_six = ("PNMI ↑ (dev languages, 1 of 6)", "PNMI ↑ (test languages, 1 of 6)", "PER ↓ (test languages, 1 of 6)")
    assert head == f"| system | {' | '.join(one_of_six)} |"
    assert rule == "|:--|--:|--:|--:|"
    odd = r'a\|b \<script\>alert("x")\</script\> \*c\* \[d\](e) \`f\` \& \$g\$ =1+1'
    assert rows == [f"| {odd} | **26.00** | **76.00** | **62.50** |", "| plain | 25.00 | — | — |"]


def test_markdown_says_how_many_languages() -> None:
    systems = [
        system("a", *((code, "test", "per", 0.5) for code in TEST)),
        system("b", *((code, "test", "per", 0.25) for code in TEST[:4])),
    ]
    text = render(build(systems), "md")
    assert "| a | **50.00** |\n| b | 25.00 (4/6) |" in text
    assert "A fraction says how many of the languages a system has" in text


def test_html(table: Leaderboard) -> None:
    parser = Texts()
    text = render(table, "html")
    parser.feed(text)
    assert parser.rows[0] == ["", "dev languages, 1 of 6", "test languages, 1 of 6"]
    assert parser.rows[1] == ["system", "PNMI ↑", "PNMI ↑", "PER ↓"]
    assert parser.rows[2] == [ODD, "26.00", "76.00", "62.50"]
    assert parser.rows[3] == ["plain", "25.00", "—", "—"]
    assert parser.best == ["2,1", "2,2", "2,3"]
    assert "script" not in parser.tags
    assert "<script>" not in text


def test_csv(table: Leaderboard) -> None:
    rows = list(csv.DictReader(io.StringIO(render(table, "csv"))))
    assert rows[0] == {
        "system": ODD,
        "metric": "pnmi",
        "scope": "dev",
        "split": "test",
        "score": "0.26",
        "n_languages": "1",
        "is_best": "true",
        "signature": SIGNATURE,
    }
    assert [row["score"] for row in rows[3:]] == ["0.25", "", ""]


def test_json(table: Leaderboard) -> None:
    document = json.loads(render(table, "json"))
    assert list(document) == ["schema_version", "signature", "split", "columns", "systems"]
    assert document["signature"] == table.signature
    assert [each["name"] for each in document["systems"]] == [ODD, "plain"]
    assert document["systems"][1]["cells"][1] == {
        "metric": "pnmi",
        "scope": "test",
        "score": None,
        "n_languages": 0,
        "is_best": False,
    }


def test_unknown_format(table: Leaderboard) -> None:
    with pytest.raises(UsageError, match="unknown format 'tex'; there are md, html, csv, json"):
        render(table, "tex")


def test_notes() -> None:
    other = signature_of("one-to-one")
    table = build(
        [system("a", *ROWS), system("b", *ROWS, signature=other), system("c", *ROWS, signature=None)], force=True
    )
    text = render(table, "html")
    assert "Not scored alike: " in text
    assert "1 of 3 systems come without a signature." in text


# --- the command ---


def run(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discophon", "leaderboard", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_command(tmp_path: Path) -> None:
    write(tmp_path / "a.json")
    write(tmp_path / "b.json", [(*row[:3], row[3] / 2) for row in ROWS])
    done = run(tmp_path, "a.json", "b.json")
    assert (done.returncode, done.stderr) == (0, "")
    table = build(read_systems([tmp_path / "a.json", tmp_path / "b.json"]))
    assert done.stdout == render(table, "md") + "\n"
    for form in FORMATS:
        assert run(tmp_path, ".", "--format", form).stdout == render(table, form) + "\n"
    assert run(tmp_path, ".", "--json").stdout == render(table, "json") + "\n"
    assert run(tmp_path, ".", "-o", "table.html").stdout == ""
    assert (tmp_path / "table.html").read_text() == render(table, "html") + "\n"


def test_command_reads_standard_input(tmp_path: Path) -> None:
    text = write(tmp_path / "a.jsonl").read_text()
    command = [sys.executable, "-m", "discophon", "leaderboard", "-", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert (
        done.stdout
        == render(build([System("stdin", "-", None, read_systems([tmp_path / "a.jsonl"])[0].scores)]), "json") + "\n"
    )
    done = subprocess.run(command, input=text * 2, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("discophon: error: <stdin>:5: the pnmi of swa dev is there twice")


def test_command_on_what_cannot_be_compared(tmp_path: Path) -> None:
    write(tmp_path / "a.json")
    write(tmp_path / "b.json", signature=signature_of("one-to-one"))
    done = run(tmp_path, "a.json", "b.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "a and b were not scored alike: kind:many-to-one|units:256 against kind:one-to-one|units:phonemes+1"
        in done.stderr
    )
    done = run(tmp_path, "a.json", "b.json", "--force")
    assert done.returncode == 0
    assert done.stderr.startswith("discophon: warning: the systems were not scored alike")
    write(tmp_path / "c.csv")
    done = run(tmp_path, "a.json", "c.csv")
    assert done.returncode == 0
    assert done.stderr.startswith("discophon: warning: 1 of 2 systems come without a signature")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "required: RESULT"),
        (("nowhere",), "nowhere: no such file"),
        (("a.json", "-o", "a.json"), "a.json"),
        (("a.json", "-o", "no/table.md"), "cannot be written"),
        (("a.json", "--name", "x", "--name", "y"), "2 names for 1 systems"),
        (("a.json", "--metrics", "bleu"), "no system has the bleu"),
        (("a.json", "--format", "tex"), "invalid choice"),
        (("a.json", "--split", "train"), "invalid choice"),
    ],
)
def test_command_wrong_usage(tmp_path: Path, arguments: Sequence[str], message: str) -> None:
    write(tmp_path / "a.json")
    before = (tmp_path / "a.json").read_bytes()
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "a.json").read_bytes() == before


def test_results_of_the_benchmark_itself(tmp_path: Path) -> None:
    from discophon.benchmark import Score
    from discophon.output import write_scores

    scores = [Score(*row) for row in ROWS]
    wanted: Any = {row[:3]: row[3] for row in ROWS}
    for suffix in ("json", "jsonl", "csv", "parquet"):
        write_scores(str(tmp_path / f"a.{suffix}"), scores, SIGNATURE)
        [found] = read_systems([tmp_path / f"a.{suffix}"])
        assert found.scores == wanted
