"""The fast lane and the careful lane of read_rttm give the same, or the same error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from speechio import FormatError, RttmTable, read_rttm, rttm_block
from speechio.rttm_block import take_block

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NORMAL = "".join(f"SPEAKER rec{i // 9} 1 {i}.25 0.5 <NA> <NA> spk{i % 4} <NA> <NA>\n" for i in range(40))
NINE = NORMAL.replace(" <NA> <NA>\n", " 0.5\n")


def content(table: RttmTable) -> str:
    """Give everything in a table as text, NaN included."""
    names = (
        "line",
        "type",
        "file",
        "channel",
        "onset",
        "duration",
        "ortho",
        "subtype",
        "speaker",
        "confidence",
        "slat",
    )
    columns = [getattr(table, name) for name in names]
    return repr([(list(getattr(one, "codes", one)), getattr(one, "values", None)) for one in columns])


def outcome(read: Callable[[], RttmTable]) -> str:
    try:
        return content(read())
    except FormatError as error:
        return str(error)


def both(path: Path, data: bytes, sample_rate: float | None = None) -> tuple[str, str]:
    """Read with and without the fast lane."""
    path.write_bytes(data)
    fast = outcome(lambda: read_rttm(path, sample_rate=sample_rate))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rttm_block, "take_block", lambda *_: False)
        careful = outcome(lambda: read_rttm(path, sample_rate=sample_rate))
    return fast, careful


@pytest.mark.parametrize(
    "data",
    [
        NORMAL.encode(),
        NINE.encode(),
        NORMAL.replace("\n", "\r\n").encode(),
        NORMAL.replace(" ", "\t ").encode(),
        NORMAL.replace("spk1", "café").encode(),
        NORMAL.replace("0.5", ".5").replace(".25", ".").encode(),
        NORMAL.rstrip("\n").encode(),
        b"\xef\xbb\xbf" + NORMAL.encode(),
    ],
)
def test_normal_blocks_take_the_fast_lane(tmp_path: Path, data: bytes) -> None:
    table = RttmTable()
    assert take_block(table, 1, data.removeprefix(b"\xef\xbb\xbf"))
    assert len(table) == 40
    fast, careful = both(tmp_path / "a", data)
    assert fast == careful


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" 7.25 ", " -7.25 "),
        (" 7.25 ", " 7.25* "),
        (" 7.25 ", " 1e1 "),
        (" 7.25 ", " nan "),
        (" 7.25 ", " 1_0 "),
        (" 7.25 ", " ٣ "),
        (" 7.25 ", " . "),
        (" 7.25 ", " 1.2.3 "),
        (" 7.25 ", " " + "9" * 400 + " "),
        ("spk3", "<na>"),
        ("spk3", "<NA>"),
        ("spk3", "a;"),
        ("spk3", ";"),
        ("spk3", "#"),
        ("spk3", "a\u00a0"),
        ("spk3", "a\u2028b"),
        ("spk3", "a\x0bb"),
        ("spk3", "a\x1cb"),
        ("spk3", "a b"),
        ("spk3", "a\0"),
        ("spk3", "a\rb"),
        ("SPEAKER rec1 ", "speaker rec1 "),
        ("SPEAKER rec1 ", ";; rec1 "),
        ("SPEAKER rec1 ", "\nSPEAKER rec1 "),
        ("SPEAKER rec1 ", "NOSCORE rec1 "),
        ("<NA> <NA> spk3", "hi <NA> spk3"),
        ("<NA> <NA> spk3", "<NA> eval spk3"),
        ("spk3 <NA> <NA>", "spk3 0.5 <NA>"),
        ("spk3 <NA> <NA>", "spk3 -0.5 <NA>"),
        ("spk3 <NA> <NA>", "spk3 x <NA>"),
        ("spk3 <NA> <NA>", "spk3 <na> <NA>"),
        ("spk3 <NA> <NA>", "spk3 <NA> 0.1"),
        ("spk3 <NA> <NA>", "spk3 <NA>"),
        ("spk3 <NA> <NA>\nSPEAKER", "spk3 <NA> <NA> SPEAKER"),
    ],
)
def test_unusual_blocks_agree(tmp_path: Path, old: str, new: str) -> None:
    for text in (NORMAL, NORMAL.replace(old, new, 1)):
        fast, careful = both(tmp_path / "a", text.replace(old, new).encode())
        assert fast == careful


def test_a_refused_block_leaves_the_table_alone() -> None:
    table = RttmTable()
    assert not take_block(table, 1, NORMAL.encode() + b"SPEAKER r 1 x 1 <NA> <NA> a <NA> <NA>\n")
    assert content(table) == content(RttmTable())
    assert not take_block(table, 1, "SPEAKER \u00e9".encode("latin-1") + b"\n")


def test_sample_rate_is_applied_in_both_lanes(tmp_path: Path) -> None:
    fast, careful = both(tmp_path / "a", NORMAL.encode() + b";\n" + NORMAL.encode(), 16000)
    assert fast == careful
    assert "1.5625e-05" in fast


PIECES = st.sampled_from(
    [
        b" ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        b";",
        b"#",
        b"<NA>",
        b"<na>",
        b"SPEAKER",
        b"-1",
        b"0.5",
        b"1e3",
        b".",
        b"nan",
        b"\x00",
        b"\xc2\xa0",
        b"\xff",
        "é".encode(),
        b"\x0b",
        b"\x1c",
        b"*",
        b"_",
        b"LEXEME",
        b"lex",
        b"x",
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A small file with a few bytes replaced, removed or put in."""
    data = draw(st.sampled_from([NORMAL.encode()[:200], NINE.encode()[:200], NORMAL[:48].encode() * 3]))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        data = data[:start] + draw(PIECES) + data[start + draw(st.integers(0, 6)) :]
    return data


@settings(deadline=None, max_examples=400)
@given(mutated())
@example(b"SPEAKER r 1 0 1 <NA> <NA> a <NA> SPEAKER\n r 1 0 1 <NA> <NA> a <NA> <NA>\n")
@example(b"SPEAKER r 1 0 1 <NA> <NA> a <NA> <NA> ; SPEAKER\n1 0 1 <NA> <NA> a <NA> <NA>\n")
@example(b"SPEAKER\xef\xbb\xbf")
def test_mutated_blocks_agree(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    fast, careful = both(tmp_path_factory.getbasetemp() / "mutated.rttm", data)
    assert fast == careful
