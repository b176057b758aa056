"""md-eval's text; the golden runs (`test_golden`) compare the whole of it, here are its corners."""

from __future__ import annotations

import pytest

from mdeval.counts import TIME_FIELDS, Counts, RecordingScore, TypeTable
from mdeval.errors import UndefinedScoreError
from mdeval.report import block, conditions, csv_rows, map_lines, parameters, segment_lines

Overlaps = dict[tuple[str, str], float]


def score(
    file: str = "f",
    channel: str = "1",
    overlaps: Overlaps | None = None,
    mapping: dict[str, str] | None = None,
    cuts: list[tuple[float, float, list[str], list[str]]] | None = None,
    times: dict[str, float] | None = None,
) -> RecordingScore:
    counts = Counts([(times or {}).get(name, 0.0) for name in TIME_FIELDS])
    return RecordingScore(file, channel, counts, overlaps or {}, mapping or {}, TypeTable(), TypeTable(), (), cuts)


def test_values_of_the_parameter_block_are_printed_as_given() -> None:
    text = parameters(collar="0.250", time_gap="2.0", extent="3", set_names=("", "MIN", "0", "DEFAULT"))
    assert "    The no-score collar at SPEAKER boundaries is 0.250 sec\n" in text
    assert "        max gap between matching metadata events = 2.0 sec\n" in text
    assert "        max extent to match for SU's = 3 sec\n" in text
    assert "     exclusion set name:                    MIN              0    DEFAULT\n" in text
    assert "LEXEME" not in text
    assert text.startswith("\nTime-based metadata alignment\n\n")


def test_word_based_parameters() -> None:
    text = parameters(word_gap="1", by_words=True, extent="2", set_names=("DEFAULT", "NONE", "DEFAULT", "DEFAULT"))
    assert "Word-based metadata alignment, max gap between matching words = 1 sec\n" in text
    assert "    word-optimized metadata mapping\n        max gap between matching metadata events = 0.1 words\n" in text
    assert "        max extent to match for SU's = 2 words\n" in text
    assert "unannotated" not in text


OVERLAPS = {("B", "y"): 5.0, ("A", "y"): 0.5, ("A", "x"): 9.0}


def test_the_map_lists_who_meets_whom() -> None:
    assert map_lines(score(overlaps=OVERLAPS, mapping={"A": "x"})) == (
        "'A' => 'x'\n     9.00 secs matched to 'x'\n     0.50 secs matched to 'y'\n"
        "'B' => <nil>\n     5.00 secs matched to 'y'\n"
    )
    assert map_lines(score()) == ""


def test_two_per_cent_signs_become_one_where_the_perl_uses_a_name_as_a_format() -> None:
    assert map_lines(score(overlaps={("a%%b", "x%%y"): 1.0}, mapping={"a%%b": "x%%y"})) == (
        "'a%%b' => 'x%%y'\n     1.00 secs matched to 'x%y'\n"
    )


def test_the_map_as_csv() -> None:
    assert csv_rows(score(overlaps=OVERLAPS, mapping={"A": "x"})) == (
        "f,1,A,x,mapped,9.0000\nf,1,A,y,notmapped,0.5000\nf,1,B,y,notmapped,5.0000\n"
    )


def test_segments() -> None:
    cuts = [(0.0, 1.25, ["B", "A"], []), (1.25, 2.0, [], ["x", "X"])]
    assert segment_lines(score(cuts=cuts)) == (
        "beg/dur/end =   0.000/  1.250/  1.250; REF = (A, B); SYS = (); file = f; chnl = 1\n"
        "beg/dur/end =   1.250/  0.750/  2.000; REF = (); SYS = (X, x); file = f; chnl = 1\n"
    )
    assert segment_lines(score()) == ""


SCORES = [score("a", "1"), score("a", "2"), score("b", "1"), score("CALLHOME", "1")]


@pytest.mark.parametrize(
    ("by_channel", "by_file", "wanted"),
    [
        (False, False, {}),
        (True, False, {"c=1": 3, "c=2": 1}),
        (False, True, {"f=a": 2, "f=b": 1}),  # a name with ALL in it gets no block
        (True, True, {"c=1 f=a": 1, "c=1 f=b": 1, "c=2 f=a": 1}),
    ],
)
def test_conditions(wanted: dict[str, int], *, by_channel: bool, by_file: bool) -> None:
    found = conditions(SCORES, by_channel=by_channel, by_file=by_file)
    assert [(name, len(some)) for name, some in found] == list(wanted.items())


WHOLE = {
    "eval_time": 15.0, "eval_speech": 15.0, "scored_time": 15.0, "scored_speech": 15.0, "scored_speaker_time": 15.0,
    "missed_speaker_time": 0.5, "speaker_error_time": 0.5,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("eval_time", "    EVAL TIME =      0.00 secs\n"),
        ("scored_time", "  SCORED TIME =      0.00 secs (  0.0 percent of evaluated time)\n"),
        ("scored_speech", "-" * 45),
        ("scored_speaker_time", "SCORED SPEAKER TIME =      0.00 secs (  0.0 percent of scored speech)\n"),
    ],
)
def test_a_block_ends_at_the_first_percentage_that_does_not_exist(name: str, last: str) -> None:
    lines: list[str] = []
    with pytest.raises(UndefinedScoreError):
        lines.extend(line for line in block("ALL", [score(times={**WHOLE, name: 0.0})]))
    assert lines[-1].startswith(last)


def test_what_is_undefined_can_be_printed_as_na() -> None:
    text = "".join(block("f=a", [score(times={"eval_time": 2.0})], undefined="NA"))
    assert "SCORED SPEECH =      0.00 secs (   NA percent of scored time)\n" in text
    assert " OVERALL SPEAKER DIARIZATION ERROR = NA percent of scored speaker time  `(f=a)\n" in text


def test_a_cell_of_a_matrix_without_total_is_na() -> None:
    one = score(times={"eval_time": 2.0})
    one.speakers.sys["unknown"] = 1.0
    one.speakers.add_cell(TypeTable.FALSE_ALARM, "unknown", 1)
    assert "  FALSE ALARM             1 /    NA%\n" in "".join(block("f=a", [one], undefined="NA"))


def test_words_that_do_not_exist_are_a_hundred_per_cent() -> None:
    text = "".join(block("ALL", [score(times=WHOLE), score(times=WHOLE)]))
    assert " SCORED WORDS =      0         (100.0 percent of evaluated words)\n" in text
    assert " OVERALL SPEAKER DIARIZATION ERROR = 6.67 percent of scored speaker time  `(ALL)\n" in text


def test_per_cent_signs_of_a_condition() -> None:
    text = "".join(block("f=a%%b", [score(times=WHOLE)]))
    assert "*** Performance analysis for Speaker Diarization for f=a%b ***" in text
    assert "`(f=a%%b)\n" in text
