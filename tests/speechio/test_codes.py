"""Every code is documented, has an example that a check lists, and stops a reader when it is an error."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

import speechio
from speechio.check import Options, lint
from speechio.codes import CODES
from speechio.dump import dump_json

GOOD = "SPEAKER r 1 0 1 <NA> <NA> a <NA> <NA>\n"
WORD = "LEXEME r 1 0 1 hi lex a <NA>\n"

# code -> (format, content: text, bytes or a directory of files, line, options)
EXAMPLES: dict[str, tuple[str, str | bytes | dict[str, str], int | None, dict[str, Any]]] = {
    "T001": ("scp", b"a 1\nb caf\xe9\n", 2, {}),
    "T004": ("scp", b"a 1\rb 2\n", 1, {}),
    "T005": ("scp", b"a 1\nb \0\n", 2, {}),
    "T006": ("scp", "a 1\n".encode("utf-16"), 1, {}),
    "T008": ("rttm", GOOD + "SPEAKER r 1 0\u00a0 1 <NA> <NA> a <NA> <NA>\n", 2, {}),
    "T009": ("scp", gzip.compress(b"a 1\n" * 99, mtime=0)[:-9], None, {}),
    "T102": ("scp", b"\xef\xbb\xbfa 1\n", 1, {}),
    "T103": ("scp", b"a 1\nb 2\r\n", 2, {}),
    "T107": ("scp", b"a 1\nb 2", 2, {}),
    "T108": ("scp", "a 1\nb x\u3000y\n", 2, {}),
    "T110": ("rttm", b"", None, {}),
    "T111": ("scp", "a 1\nb x\x07\n", 2, {}),
    "R001": ("rttm", GOOD + "SPEAKER r 1 0 1 <NA> <NA>\n", 2, {}),
    "R002": ("rttm", GOOD + GOOD.replace("SPEAKER", "SPEAKR"), 2, {}),
    "R003": ("rttm", GOOD + GOOD.replace(" 0 1 ", " [1] 1 "), 2, {}),
    "R004": ("rttm", GOOD + GOOD.replace(" 0 1 ", " -0.5 1 "), 2, {}),
    "R005": ("rttm", GOOD + GOOD.replace(" 0 1 ", " 0 -1 "), 2, {}),
    "R007": ("rttm", GOOD + WORD.replace(" lex ", " laugh "), 2, {}),
    "R008": ("rttm", GOOD + GOOD.replace("a <NA>", "a high"), 2, {}),
    "R010": ("rttm", GOOD + "SPKR-INFO r 1 0 <NA> <NA> unknown a <NA>\n", 2, {}),
    "R011": ("rttm", GOOD + GOOD.replace(" a ", " <NA> "), 2, {}),
    "R106": ("rttm", GOOD + GOOD.replace(" 0 1 ", " 5 0.0 "), 2, {}),
    "R108": ("rttm", GOOD + GOOD.replace(" 0 1 ", " 5 1 ").replace("a <NA>", "a 1.5"), 2, {}),
    "R109": ("rttm", GOOD + GOOD.replace(" 0 1 ", " 0.5 1 "), 2, {}),
    "R110": ("rttm", GOOD + GOOD.replace(" 0 1 ", " 5 1 ").replace("SPEAKER", "Speaker"), 2, {}),
    "R112": ("rttm", GOOD + "SPEAKER r 1 5 1 hi <NA> a <NA> <NA>\n", 2, {}),
    "R114": ("rttm", "SPKR-INFO r 1 <NA> <NA> <NA> unknown b <NA>\n" + GOOD, 2, {}),
    "R115": ("rttm", ";;\n" + GOOD + GOOD.replace(" 0 1 ", " 5 16000 "), 2, {}),
    "R120": ("rttm", GOOD + GOOD.replace(" 1 0 ", " 3 0 "), 2, {"nist": True}),
    "R121": ("rttm", GOOD, 1, {"nist": True}),
    "R122": ("rttm", WORD + WORD.replace(" 0 1 ", " 0.5 1 "), 2, {"nist": True}),
    "R123": ("rttm", WORD + "SU r 1 2 3 <NA> statement a <NA>\n", 2, {"nist": True}),
    "R124": ("rttm", "SU r 1 0 0.5 <NA> statement a <NA>\n" + WORD, 2, {"nist": True}),
    "R125": ("rttm", "NOSCORE r 1 0.5 9 <NA> <NA> <NA> <NA>\n" + WORD, 2, {"nist": True}),
    "R126": ("rttm", WORD + GOOD.replace(" 0 1 ", " 2 1 "), 1, {"nist": True}),
    "R127": ("rttm", "IP r 1 7 <NA> <NA> edit a <NA>\n", 1, {"nist": True}),
    "U001": ("uem", "r 1 0 9\nq 1 0\n", 2, {}),
    "U003": ("uem", "r 1 0 9\nq 1 0 1,234.5\n", 2, {}),
    "U004": ("uem", "r 1 0 9\nq 1 5 3\n", 2, {}),
    "U005": ("uem", "r 1 0 9\nr 1 8 12\n", 2, {}),
    "U006": ("uem", "r 1 0 9\nq 1 -5 3\n", 2, {}),
    "U107": ("uem", "r 1 0 9\na/q.wav 1 0 3\n", 2, {}),
    "S002": ("scp", "a 1\na 2\n", 2, {}),
    "S004": ("scp", "a 1\nb\u200b 2\n", 2, {}),
    "S005": ("feats.scp", "a x\nb\n", 2, {}),
    "S103": ("scp", "b 1\na 2\n", 2, {}),
    "S106": ("scp", "a 1\n b 2\n", 2, {}),
    "K011": ("segments", "a r 0 1\nb r 0\n", 2, {}),
    "K012": ("segments", "a r 0 1\nb r 2 1\n", 2, {}),
    "K014": ("utt2spk", "a s\nb s t\n", 2, {}),
    "K015": ("score", "a 1\nb NA\n", 2, {}),
    "K017": ("spk2gender", "a m\nb x\n", 2, {}),
    "K018": ("utt2dur", "a 1\nb 0\n", 2, {}),
    "K019": ("language", "en us\n", None, {}),
    "K020": ("reco2file_and_channel", "a f A\nb f C\n", 2, {}),
    "K021": ("wav.scp", "a x.wav\nb ~/x.wav\n", 2, {}),
    "K022": ("wav.scp", "a x.wav\nb | gzip > x\n", 2, {}),
    "K031": ("kaldi-dir", {"utt2spk": "a s\nb s\n", "text": "a x\n"}, None, {}),
    "K032": ("kaldi-dir", {"utt2spk": "a s\nb t\n", "spk2utt": "s a\nt b c\n"}, 2, {}),
    "K033": ("kaldi-dir", {"utt2spk": "a s\nb t\n", "spk2gender": "s m\nt f\nu f\n"}, 3, {}),
    "K034": ("kaldi-dir", {"wav.scp": "r x.wav\n", "segments": "a r 0 1\nb q 0 1\n"}, 2, {}),
    "K035": ("kaldi-dir", {"segments": "a r 0 1\n"}, None, {}),
    "K113": ("segments", "a r 0 1\nb r 2 -1\n", 2, {}),
    "K116": ("score", "a 1\nb N/A\n", 2, {}),
    "K117": ("spk2gender", "a m\nb F\n", 2, {}),
    "K120": ("reco2file_and_channel", "a f A\nb f 1\n", 2, {}),
    "K135": ("text", "a x\nb <s> y\n", 2, {}),
    "K136": ("kaldi-dir", {"utt2spk": "a t\nb s\n"}, 2, {}),
    "K137": ("kaldi-dir", {"utt2spk": "a s\n", "spk2utt": "s a\n"}, None, {}),
    "K138": ("kaldi-dir", {"utt2spk": "a s\n"}, None, {}),
    "K139": ("segments", "a r 0 1\nb r 9 10\n", 2, {"durations": {"r": 5.0}}),
    "K140": ("wav.scp", "a -\nb not/there.wav\n", 2, {"exists": True}),
    "K141": ("segments", "a r 0 1\nb r 4 5.5\n", 2, {"durations": {"r": 5.0}}),
    "K142": ("wav.scp", "a x.wav\nb y.wav |\n", 2, {}),
    "J001": ("jsonl", '{"a": 1}\n{"b": 2,}\n', 2, {}),
    "J002": ("jsonl", '{"a": 1}\n{"b": 2} {"c": 3}\n', 2, {}),
    "J003": ("jsonl", '{"a": 1}\n"b"\n', 2, {}),
    "J004": ("jsonl", '{"a": 1}\n{"b": -Infinity}\n', 2, {}),
    "J005": ("jsonl", '{"a": 1}\n{"b": [{"c": 1, "c": 2}]}\n', 2, {}),
    "J006": ("jsonl", '\n{\n "a": 1\n}\n', 2, {}),
}

# Codes that only the caller's own arguments bring about; their tests are in the module named.
ELSEWHERE = {"S008": "test_scp.py", "J007": "test_jsonl.py", "J008": "test_jsonl.py"}


def put(folder: Path, content: str | bytes | dict[str, str]) -> Path:
    """Write an example to disk."""
    path = folder / "example"
    if isinstance(content, dict):
        path.mkdir()
        for name, text in content.items():
            (path / name).write_text(text, encoding="utf-8", newline="\n")
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_examples_cover_all_codes() -> None:
    assert EXAMPLES.keys() | ELSEWHERE.keys() == CODES.keys()
    assert not EXAMPLES.keys() & ELSEWHERE.keys()


@pytest.mark.parametrize(("code", "module"), sorted(ELSEWHERE.items()))
def test_codes_of_arguments_are_tested(code: str, module: str) -> None:
    assert f'"{code}"' in (Path(__file__).parent / module).read_text(encoding="utf-8")


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_check_lists_the_code(code: str, tmp_path: Path) -> None:
    name, content, line, options = EXAMPLES[code]
    found = lint(put(tmp_path, content), name, Options(**options)).problems
    mine = [problem for problem in found if problem.code == code]
    assert [problem.line for problem in mine] == [line]
    is_raised = options.get("nist") and code != "R121"
    assert mine[0].severity == ("error" if code[1] == "0" or is_raised else "warning")
    assert mine[0].message
    assert str(mine[0]).startswith(mine[0].file + ("" if line is None else f":{line}") + f": {code} ")


@pytest.mark.parametrize("code", sorted(code for code in EXAMPLES if code[1] == "0"))
def test_an_error_stops_the_reader(code: str, tmp_path: Path) -> None:
    name, content, line, _ = EXAMPLES[code]
    path = put(tmp_path, content)
    with pytest.raises(speechio.FormatError, match=code) as caught:
        dump_json(path, name)
    assert (caught.value.code, caught.value.line) == (code, line)
    assert caught.value.path.startswith(str(path))


@pytest.mark.parametrize("code", sorted(code for code in EXAMPLES if code[1] == "1"))
def test_a_warning_does_not_stop_the_reader(code: str, tmp_path: Path) -> None:
    name, content, _, _ = EXAMPLES[code]
    assert dump_json(put(tmp_path, content), name) is not None


def test_the_readme_has_the_table_of_codes() -> None:
    readme = Path(__file__).parents[2] / "packages" / "speechio" / "README.md"
    rows = dict(re.findall(r"^\| `([A-Z]\d{3})` \| (.+?) \|$", readme.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == CODES


def test_codes_are_named_as_the_text_says() -> None:
    assert all(re.fullmatch(r"[TRUSKJ][01]\d\d", code) for code in CODES)
    assert list(CODES) == sorted(CODES, key=lambda code: ("TRUSKJ".index(code[0]), code))
