"""RTTM: reading and writing."""

from __future__ import annotations

import gzip
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import FormatError, RttmRecord, UsageError, WriteError, iter_rttm, read_rttm, write_rttm
from speechio.rttm_types import NEEDS_SPEAKER, NO_DURATION, SUBTYPES, WITH_ORTHOGRAPHY

if TYPE_CHECKING:
    from pathlib import Path

LINE = "SPEAKER r 1 0 1 <NA> <NA> a <NA> <NA>\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.rttm"


def test_a_record(file: Path) -> None:
    file.write_text("SPEAKER rec A 0.50 2.25 <NA> <NA> anna 0.9 1.5\n")
    (record,) = iter_rttm(file)
    assert record == RttmRecord("SPEAKER", "rec", "A", 0.5, 2.25, None, None, "anna", 0.9, 1.5)
    assert record.end == 2.75


def test_exact_times_are_decimals_and_write_back_the_same(file: Path, tmp_path: Path) -> None:
    content = "SPEAKER r 1 0.10 2.2500 <NA> <NA> a 0.90 <NA>\n"
    file.write_text(content)
    records = list(iter_rttm(file, exact=True))
    assert records[0].onset == Decimal("0.10")
    assert records[0].end == Decimal("2.3500")
    write_rttm(tmp_path / "b.rttm", records)
    assert (tmp_path / "b.rttm").read_text() == content
    scaled = next(iter_rttm(file, exact=True, sample_rate=0.5))
    assert scaled.onset == Decimal("0.2")


def test_an_end_needs_both_times() -> None:
    assert RttmRecord[float]("IP", "r", "1", 1.0, None, subtype="edit", speaker="a").end is None
    assert RttmRecord[float]("SPKR-INFO", "r", "1", None, None, subtype="child", speaker="a").end is None


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("SPEAKER,r,1,0,1,<NA>,<NA>,a,<NA>", "R001", "1 field, wanted 9 or 10: comma separated?"),
        ("SPEAKER r 1 0 1", "R001", "5 fields, wanted 9 or 10: orthography, subtype, speaker, confidence missing"),
        ("SPEAKER r 1 0 1 <NA> <NA> a b <NA> <NA>", "R001", "11 fields, wanted 9 or 10: a name with a blank (space)?"),
        ("SPEECH r 1 0 1 <NA> <NA> a <NA>", "R002", "record type SPEECH is not an RTTM type"),
        ("\u017fpeaker r 1 0 1 <NA> <NA> a <NA>", "R002", "record type \u017fpeaker is not an RTTM type"),
        ("SPKR-INFO r 1 <NA> <NA> <NA> un\u212anown a <NA>", "R007", "is not a subtype of SPKR-INFO"),
        ("SPEAKER r 1 x 1 <NA> <NA> a <NA>", "R003", "onset is 'x', not a number"),
        ("SPEAKER r 1 <NA> 1 <NA> <NA> a <NA>", "R003", "onset is missing (<NA>)"),
        ("SPEAKER r 1 nan 1 <NA> <NA> a <NA>", "R003", "onset is 'nan', not a number"),
        ("SPEAKER r 1 12:30.5 1 <NA> <NA> a <NA>", "R003", "give seconds"),
        ("SPEAKER r 1 ** 1 <NA> <NA> a <NA>", "R003", "onset is '*', not a number"),
        ("SPEAKER r 1 -1 1 <NA> <NA> a <NA>", "R004", "onset is -1; it must not be negative"),
        ("SPEAKER r 1 0 inf <NA> <NA> a <NA>", "R005", "turn duration is 'inf', not a number"),
        ("SPEAKER r 1 0 159.42(MSG) <NA> <NA> a <NA>", "R005", "turn duration is '159.42(MSG)', not a number"),
        ("SPEAKER r 1 5 -3 <NA> <NA> a <NA>", "R005", "an end time may have been written"),
        ("SU r 1 5 <NA> <NA> statement a <NA>", "R005", "duration is missing (<NA>)"),
        ("IP r 1 5 1 <NA> edit a <NA>", "R005", "a IP record has no duration; it must be <NA>, not 1"),
        ("SPEAKER r 1 0 1 <NA> laugh a <NA>", "R007", "laugh is not a subtype of SPEAKER; legal: <NA>"),
        ("LEXEME r 1 0 1 hi <NA> a <NA>", "R007", "<NA> is not a subtype of LEXEME; legal: lex fp frag"),
        ("SPEAKER r 1 0 1 <NA> <NA> a sure", "R008", "confidence is 'sure', not a number"),
        ("SPEAKER r 1 0 1 <NA> <NA> a <NA> soon", "R008", "lookahead is 'soon', not a number"),
        ("SPKR-INFO r 1 <NA> 1 <NA> child a <NA>", "R010", "a SPKR-INFO record has no duration"),
        ("SPKR-INFO r 1 <NA> <NA> <NA> child <NA> <NA>", "R010", "names no speaker"),
        ("SU r 1 0 1 <NA> statement <NA> <NA>", "R011", "a SU record needs a speaker"),
        ("SPEAKER r 1 0 1\u3000 <NA> <NA> a <NA>", "T008", "the duration has U+3000 (ideographic space)"),
        ("SPEAKER\u00a0r 1 0 1 <NA> <NA> a <NA> <NA>", "T008", "the type has U+00A0"),
    ],
)
def test_what_is_refused(file: Path, line: str, code: str, words: str) -> None:
    file.write_text(LINE + line + "\n", encoding="utf-8")
    for read in (read_rttm, lambda path: list(iter_rttm(path))):
        with pytest.raises(FormatError, match=f":2: {code} ") as caught:
            read(file)
        assert words in str(caught.value)
        assert (caught.value.path, caught.value.line, caught.value.code) == (str(file), 2, code)


def test_the_caret_is_under_the_field(file: Path) -> None:
    file.write_text("SPEAKER rec7 1 6.500 -1.500 <NA> <NA> spk_2 <NA> <NA>\n")
    with pytest.raises(FormatError, match="R005") as caught:
        read_rttm(file)
    assert str(caught.value) == (
        f"{file}:1: R005 turn duration is -1.500; it must not be negative\n"
        "  SPEAKER rec7 1 6.500 -1.500 <NA> <NA> spk_2 <NA> <NA>\n"
        "                       ^^^^^^\n"
        "  fix: an end time may have been written where the duration belongs, or two segments were merged wrongly"
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("SPEAKER choir take 1 0 1 <NA> <NA> a <NA> <NA>", "choir take"),
        ("SPEAKER r 1 0 1 <NA> <NA> anna b <NA> <NA>", "anna b"),
    ],
)
def test_the_caret_is_under_the_name_with_a_blank(file: Path, line: str, shown: str) -> None:
    file.write_text(line + "\n")
    with pytest.raises(FormatError, match="R001") as caught:
        read_rttm(file)
    assert caught.value.span is not None
    start, end = caught.value.span
    assert line[start:end] == shown


def test_a_second_info_of_one_speaker(file: Path) -> None:
    info = "SPKR-INFO r 1 <NA> <NA> <NA> child a <NA>\n"
    file.write_text(info + info.replace("r 1", "r 2") + info.replace(" a ", " b ") + info)
    with pytest.raises(
        FormatError, match=r":4: R010 a second SPKR-INFO record for speaker a of r; the first is on line 1"
    ):
        read_rttm(file)


def test_only_wanted_types_are_given_and_all_are_checked(file: Path) -> None:
    file.write_text(LINE + "NOSCORE r 1 0 1 <NA> <NA> <NA> <NA>\n")
    assert [record.type for record in iter_rttm(file, types=("NOSCORE",))] == ["NOSCORE"]
    assert len(read_rttm(file, types=("NOSCORE",))) == 1
    assert list(read_rttm(file, types={"SPEAKER"}).type) == ["SPEAKER"]
    file.write_text(LINE + "NOSCORE r 1 x 1 <NA> <NA> <NA> <NA>\n")
    with pytest.raises(FormatError, match=":2: R003"):
        read_rttm(file, types=("SPEAKER",))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"types": ("SPEECH",)}, "unknown record type 'SPEECH'"),
        ({"types": "SPEAKER"}, "give a tuple"),
        ({"sample_rate": 0}, "sample_rate is 0; it must be positive"),
        ({"sample_rate": float("nan")}, "it must be positive"),
        ({"encoding": "klingon"}, "unknown encoding"),
    ],
)
def test_arguments_that_make_no_sense(file: Path, arguments: dict[str, object], words: str) -> None:
    file.write_text(LINE)
    with pytest.raises(UsageError, match=words.replace("(", r"\(")):
        read_rttm(file, **arguments)  # type: ignore[arg-type]


def test_pad_fills_speaker_lines_only(file: Path) -> None:
    file.write_text("SPEAKER r 1 0 1 <NA> <NA> a\n")
    assert next(iter_rttm(file, pad=True)).confidence is None
    file.write_text("SU r 1 0 1 <NA> statement a\n")
    with pytest.raises(FormatError, match="R001 8 fields"):
        read_rttm(file, pad=True)
    file.write_text("SPEAKER r 1 0 1 <NA> <NA>\n")
    with pytest.raises(FormatError, match="R001 7 fields"):
        read_rttm(file, pad=True)


def test_names_stay_text(file: Path) -> None:
    file.write_text(LINE.replace(" a ", " NA ") + LINE.replace(" a ", " 007 ") + LINE.replace("r 1", "<na> <NA>"))
    assert list(read_rttm(file).speaker) == ["NA", "007", "a"]
    assert list(read_rttm(file).file) == ["r", "r", None]


def test_an_empty_file(file: Path) -> None:
    file.write_text("")
    assert len(read_rttm(file)) == 0
    assert list(iter_rttm(file)) == []


def test_gzip_and_another_encoding(file: Path) -> None:
    file.write_bytes(gzip.compress(LINE.replace(" a ", " élan ").encode("latin-1")))
    assert read_rttm(file, encoding="latin-1").speaker.values == ["élan"]


def test_the_strictest_form(file: Path) -> None:
    records = [
        RttmRecord[float]("SPEAKER", "r", "1", 3.0, 1.23456, speaker="b", confidence=1e-05),
        RttmRecord[float]("SPEAKER", "r", "1", 1e-05, 1, speaker="a"),
    ]
    write_rttm(file, records)
    assert file.read_bytes() == (
        b"SPEAKER r 1 3.000 1.235 <NA> <NA> b 0.00001 <NA>\nSPEAKER r 1 0.000 1.000 <NA> <NA> a <NA> <NA>\n"
    )
    write_rttm(file, records, digits=None, sort=True)
    assert file.read_bytes() == (
        b"SPEAKER r 1 0.00001 1 <NA> <NA> a <NA> <NA>\nSPEAKER r 1 3.0 1.23456 <NA> <NA> b 0.00001 <NA>\n"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"speaker": "a b"}, "the speaker 'a b' has a blank (space) or a line break"),
        ({"speaker": "a\nb"}, "has a blank (space) or a line break"),
        ({"speaker": ""}, "the speaker is empty"),
        ({"speaker": "<na>"}, "reads back as missing"),
        ({"speaker": "\ud800"}, "half of a surrogate pair"),
        ({"speaker": None}, "a SPEAKER record needs a speaker"),
        ({"file": "a b"}, "the file 'a b' has a blank"),
        ({"onset": -1.0}, "onset is -1.000; it must not be negative"),
        ({"onset": float("nan")}, "the time nan is not finite"),
        ({"duration": float("inf")}, "the time inf is not finite"),
        ({"onset": None}, "onset is missing"),
        ({"confidence": float("nan")}, "the number nan is not finite"),
        ({"type": "SPEECH"}, "record type SPEECH is not an RTTM type"),
        ({"subtype": "eval"}, "eval is not a subtype of SPEAKER"),
    ],
)
def test_what_the_writer_refuses(file: Path, changes: dict[str, object], words: str) -> None:
    good: dict[str, object] = {
        "type": "SPEAKER",
        "file": "r",
        "channel": "1",
        "onset": 0.0,
        "duration": 1.0,
        "speaker": "a",
    }
    file.write_text("as it was\n")
    with pytest.raises(WriteError, match="record 2: ") as caught:
        write_rttm(file, [RttmRecord(**good), RttmRecord(**{**good, **changes})])  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert file.read_text() == "as it was\n"
    assert [path.name for path in file.parent.iterdir()] == ["a.rttm"]


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6).filter(
    lambda name: name.upper() != "<NA>"
)
NUMBERS = st.decimals(0, 10**6, allow_nan=False, allow_infinity=False, places=3)


@st.composite
def records(draw: st.DrawFn) -> RttmRecord[Decimal]:
    """Any legal record."""
    kind = draw(st.sampled_from(sorted(SUBTYPES)))
    has_speaker = kind in NEEDS_SPEAKER or draw(st.booleans())
    return RttmRecord(
        kind,
        draw(NAMES),
        draw(st.sampled_from(["1", "2", "A"])),
        None if kind == "SPKR-INFO" else draw(NUMBERS),
        None if kind in NO_DURATION else draw(NUMBERS),
        draw(NAMES) if kind in WITH_ORTHOGRAPHY else None,
        draw(st.sampled_from(SUBTYPES[kind])),
        draw(NAMES) if has_speaker or kind == "SPKR-INFO" else None,
        draw(st.none() | st.decimals(0, 1, places=4)),
        draw(st.none() | NUMBERS),
    )


@settings(deadline=None)
@given(st.lists(records(), max_size=8, unique_by=lambda record: (record.file, record.channel, record.speaker)))
def test_what_is_written_reads_back(tmp_path_factory: pytest.TempPathFactory, some: list[RttmRecord[Decimal]]) -> None:
    path = tmp_path_factory.mktemp("rttm") / "a.rttm"
    write_rttm(path, some)
    assert list(iter_rttm(path, exact=True)) == some
    floats = list(iter_rttm(path))
    write_rttm(path, floats, digits=None)
    assert list(read_rttm(path)) == floats
