"""Reading as md-eval reads: what it forgives is noted, what it refuses is refused with its own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.errors import InputError
from mdeval.nist import ascii_lower, leading_number, read_rttm, read_uem, uem_file_id
from mdeval.side import Side
from mdeval_twin_read import lower, number

OVERLAPPING = "\n\nFATAL ERROR:  UEM file has overlapping evaluation segments\n"
UNKNOWN = (
    "\n\nFATAL ERROR:  unknown RTTM data type/subtype ('{}'/'{}') in file a.rttm\n    input RTTM record is: 'L'\n\n"
)
LINE = "SPEAKER f 1 1.5 2 <NA> <NA> A <NA> <NA>\n"


def read(text: str | bytes) -> Side:
    side = Side()
    read_rttm(text if isinstance(text, bytes) else text.encode(), "a.rttm", side)
    return side


def one(line: str) -> tuple[float, float, str, str, list[str]]:
    """Give onset, offset, kind, name and notes of one record."""
    side = read(line)
    [[record]] = side.records.values()
    return (*record[1:], side.notes)


def fault(line: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read(line)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("+2", 2.0), ("-2", -2.0), ("1e1", 10.0), ("1e", 1.0), ("1,000.5", 1.0),
        ("0x10", 0.0), ("<NA>", 0.0), ("", 0.0), (".", 0.0), ("e5", 0.0), ("inf", float("inf")),
        ("-Infinity", -float("inf")),
        ("1.2.3", 1.2), ("1.5sec", 1.5), ("٣", 0.0),
    ],
)  # fmt: skip
def test_the_leading_number_counts(text: str, value: float) -> None:
    assert leading_number(text) == value


@given(st.text("0123456789.eE+-infIxy ,*", max_size=10))
def test_numbers_are_those_of_the_twin(text: str) -> None:
    assert leading_number(text.strip()) == number(text.strip())


@given(st.text(max_size=8))
def test_only_ascii_is_lower_cased(text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass").decode("latin-1")
    assert ascii_lower(text).encode("utf-8", "surrogatepass").decode("latin-1") == lower(raw)


@pytest.mark.parametrize(
    ("name", "meant", "meant_with_directory"),
    [
        ("a", "a", "a"), ("a.sph", "a", "a"), ("a.b.c", "a.c", "a.c"), ("g.tar.gz", "g.gz", "g.gz"),
        ("d/f.sph", "f", "d/f"), ("d.x/f", "f", "d"), (".hidden", "", ""),
    ],
)  # fmt: skip
def test_uem_names_lose_directory_and_first_suffix(name: str, meant: str, meant_with_directory: str) -> None:
    assert uem_file_id(name) == meant
    assert uem_file_id(name, keep_directory=True) == meant_with_directory


def test_an_ordinary_line_needs_no_note() -> None:
    assert one(LINE) == (1.5, 3.5, "SPEAKER", "A", [])


@pytest.mark.parametrize(
    ("old", "new", "wanted", "note"),
    [
        ("1.5", "<NA>", (0.0, 2.0), "a.rttm:1: onset '<NA>' is read as 0"),
        ("1.5", "1,5", (1.0, 3.0), "a.rttm:1: onset '1,5' is read as 1"),
        ("1.5", "-1.5", (-1.5, 0.5), "a.rttm:1: onset -1.5 is negative"),
        (" 2 ", " <na> ", (1.5, 1.5), "a.rttm:1: duration '<na>' is read as 0"),
        (" 2 ", " *<NA> ", (1.5, 1.5), "a.rttm:1: duration '*<NA>' is read as 0"),
        (" 2 ", " 2s ", (1.5, 3.5), "a.rttm:1: duration '2s' is read as 2"),
        (" A <NA>", " A B <NA>", (1.5, 3.5), "a.rttm:1: 11 fields, wanted 9 or 10 (a name with a blank?); the rest is"),
    ],
)
def test_what_md_eval_forgives_is_noted(old: str, new: str, wanted: tuple[float, float], note: str) -> None:
    onset, offset, _, _, notes = one(LINE.replace(old, new))
    assert (onset, offset) == wanted
    assert len(notes) == 1
    assert notes[0].startswith(note)


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e400", "9" * 400])
def test_an_endless_time_is_refused(text: str) -> None:
    message = f"^a.rttm:1: onset {text} is no time in a recording; write seconds as a decimal number$"
    with pytest.raises(InputError, match=message):
        one(LINE.replace("1.5", text))


def test_a_star_before_a_time_is_dropped() -> None:
    assert one(LINE.replace("1.5", "*1.5").replace(" 2 ", " *2 "))[:2] == (1.5, 3.5)


def test_types_subtypes_channels_and_words_are_of_either_case() -> None:
    side = read("lexeme F A 1 1 YES Lex Anna <NA>\nspkr-info F a <NA> <NA> <NA> CHILD Anna <NA>\n")
    assert side.records == {("F", "a"): [(1.5, 1.0, 2.0, "LEXEME", "yes")]}
    assert side.types == {("F", "a"): {"Anna": "child"}}


def test_comments_blank_lines_and_carriage_returns_do_not_count() -> None:
    text = f"; a\n# b\n\n  \t\n{LINE.rstrip()}\r\n  {LINE}"
    assert [r[4] for r in read(text).records["f", "1"]] == ["A", "A"]


def test_only_six_bytes_are_white_space() -> None:
    side = read(b"SPEAKER f 1 0 1 <NA> <NA> A\xc2\xa0B\xff\x1c <NA>\n")
    [name] = {r[4] for r in side.records["f", "1"]}
    assert name.encode("utf-8", "surrogateescape") == b"A\xc2\xa0B\xff\x1c"


@pytest.mark.parametrize(
    ("line", "message", "nist"),
    [
        (
            "SPEAKER f 1 0 1 <NA> <NA> A\n",
            "a.rttm:1: 8 fields, wanted 9 or 10; add the missing ones as <NA>",
            "\n\nFATAL ERROR:  insufficient number of fields in RTTM file 'a.rttm'\n    input RTTM record is: 'L'\n\n",
        ),
        (
            LINE.replace(" 2 ", " -2 "),
            "a.rttm:1: duration is -2; it must not be negative (an end time in its place?)",
            "\n\nFATAL ERROR -- negative metadata duration in file f,'\n    input RTTM record is: 'L'\n\n",
        ),
        (
            LINE.replace("SPEAKER", "Turn"),
            "a.rttm:1: TURN is not an RTTM type; the types are A/P, CB, EDIT, FILLER, IP, LEXEME",
            UNKNOWN.format("TURN", "<na>"),
        ),
        (
            LINE.replace("<NA> A", "Loud A"),
            "a.rttm:1: loud is not a subtype of SPEAKER; those are <na>",
            UNKNOWN.format("SPEAKER", "loud"),
        ),
    ],
)
def test_what_md_eval_refuses(line: str, message: str, nist: str) -> None:
    error = fault(line)
    assert str(error).startswith(message)
    assert error.nist == nist.replace("'L'", f"'{line}'")


def test_the_order_of_the_checks() -> None:
    assert "fields" in str(fault("TURN f 1 0 -1\n"))
    assert "duration" in str(fault("TURN f 1 0 -1 <NA> <NA> A <NA>\n"))
    assert "type" in str(fault("TURN f 1 0 1 <NA> child A <NA>\n"))


def test_a_second_spkr_info_is_refused() -> None:
    info = "SPKR-INFO f 1 <NA> <NA> <NA> child A <NA>\n"
    error = fault(info + info.replace("child", "unknown"))
    assert str(error).startswith("a.rttm:2: a second SPKR-INFO for speaker A of file f; keep one")
    assert "multiple SPKR-INFO records for speaker A in file f\n    input RTTM record is: 'SPKR-INFO f 1" in error.nist


def test_a_byte_order_mark_makes_the_type_unknown() -> None:
    assert "is not an RTTM type" in str(fault("\ufeff" + LINE))


# UEM


def uem(
    text: str, *, keep_directory: bool = False
) -> tuple[dict[tuple[str, str], list[tuple[float, float]]], list[str]]:
    notes: list[str] = []
    regions = read_uem(text.encode(), "a.uem", notes, keep_directory=keep_directory)
    return {key: list(some) for key, some in regions.items()}, notes


def test_regions_are_sorted_by_their_begin() -> None:
    assert uem(";; x\nd/f.sph A 5 9\n\nf a 0 5\ng 1 0 1\n") == (
        {("f", "a"): [(0.0, 5.0), (5.0, 9.0)], ("g", "1"): [(0.0, 1.0)]},
        [],
    )


@pytest.mark.parametrize(
    ("text", "value", "note"),
    [
        ("1,000", 1000.0, "'1,000' is read as 1000"),
        ("-4", 4.0, "'-4' is read as 4"),
        ("1e3", 13.0, "'1e3' is read as 13"),
    ],
)
def test_only_digits_and_points_of_a_time_count(text: str, value: float, note: str) -> None:
    regions, notes = uem(f"f 1 0 {text}\n")
    assert regions == {("f", "1"): [(0.0, value)]}
    assert notes == [f"a.uem:1: time {note}"]


def test_a_time_without_digits_is_zero() -> None:
    assert uem("f 1 start 5\n") == ({("f", "1"): [(0.0, 5.0)]}, ["a.uem:1: time 'start' is read as 0"])


def test_more_fields_are_ignored() -> None:
    assert uem("f 1 0 5 x\n")[1] == ["a.uem:1: 5 fields, wanted 4; the rest is ignored"]


def test_the_directory_can_be_kept() -> None:
    assert list(uem("d/f.sph 1 0 5\n", keep_directory=True)[0]) == [("d/f", "1")]


@pytest.mark.parametrize(
    ("text", "message", "nist"),
    [
        (
            "f 1 0\n",
            "a.uem:1: 3 fields, wanted 4: file channel start end",
            "\n\nFATAL ERROR:  insufficient number of fields in UEM record\n    record is: 'f 1 0\n'\n\n",
        ),
        (
            "f 1 5 5\n",
            "a.uem:1: the region of f, channel 1 ends at 5 but begins at 5; the end must come after the begin",
            "\n\nFATAL ERROR:  non-positive evaluation segment length in UEM data for file f, channel 1\n\n",
        ),
        (
            "f 1 3 8\nf 1 0 5.0\n",
            "a.uem:1: regions of f, channel 1 overlap: 0 to 5.0 and 3 to 8; make them one or separate them",
            OVERLAPPING + "    file f, channel 1:  (0,5.0), (3,8)\n\n",
        ),
    ],
)
def test_what_md_eval_refuses_in_a_uem(text: str, message: str, nist: str) -> None:
    with pytest.raises(InputError) as caught:
        uem(text)
    assert str(caught.value) == message
    assert caught.value.nist == nist
