"""Whatever the bytes, reading gives a result or a SpeechioError, and checking gives problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speechio import SpeechioError, check_path
from speechio.dump import dump_json, dump_lines
from speechio.guess import FORMATS, guess_format

FILES = [
    path.read_bytes()
    for path in sorted((Path(__file__).parent / "data" / "formats").rglob("*"))
    if path.is_file() and path.suffix != ".json"
]
FILE_FORMATS = sorted(set(FORMATS) - {"kaldi-dir"})
BITS = st.sampled_from(
    [
        b"",
        b" ",
        b"\t",
        b"\n",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xc2\xa0",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
        b"-1",
        b"nan",
        b"9" * 330,
        b"<NA>",
        b"{",
        b'"',
        b"[",
        b"}",
        b"1e5",
        b",",
        b":",
        b"|",
        b"~",
        b";",
        b"\xe2\x80\xa8",
        b"\\ud800",
        b"\xff\xfe",
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A golden file with some bytes replaced, or any bytes at all."""
    data = draw(st.sampled_from(FILES) | st.binary(max_size=40))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        data = data[:start] + draw(BITS) + data[start + draw(st.integers(0, 9)) :]
    return data


@settings(deadline=None, max_examples=300)
@given(mutated(), st.sampled_from(FILE_FORMATS), st.booleans())
def test_no_other_exception(tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str, strict: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz"
    path.write_bytes(data)
    problems = check_path(path, name, kaldi=strict, nist=strict, durations={"r1": 1.0}, exists=strict)
    assert all(str(one) for one in problems)
    has_errors = any(one.severity == "error" and one.code[1] == "0" for one in check_path(path, name))
    if has_errors:
        with pytest.raises(SpeechioError):
            dump_json(path, name)
    else:
        assert dump_json(path, name) is not None
    assert guess_format(path)[0] in FORMATS


@settings(deadline=None, max_examples=150)
@given(mutated(), st.sampled_from(FILE_FORMATS))
def test_what_is_dumped_reads_back(tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz"
    path.write_bytes(data)
    try:
        records = dump_json(path, name)
        lines = list(dump_lines(path, name))
    except SpeechioError:
        assert any(one.severity == "error" for one in check_path(path, name)) or name == "uem"
        return
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    assert dump_json(path, name) == records
