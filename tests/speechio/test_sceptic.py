"""What a sceptical reader found: data must not get lost, and streams may be full or closed."""

from __future__ import annotations

import gzip
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import speechio
from speechio.errors import FormatError, SpeechioError
from speechio.write import format_number

if TYPE_CHECKING:
    from pathlib import Path

LINE = "SPEAKER rec1 1 0.5 2 <NA> <NA> anna <NA> <NA>\n"


def test_long_padding_between_gzip_members_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"a x\n") + b"\0" * 300_000 + gzip.compress(b"b y\n"))
    assert speechio.read_scp(path) == {"a": "x", "b": "y"}
    path.write_bytes(gzip.compress(b"a x\n") + b"\0" * 300_000 + b"junk")
    with pytest.raises(FormatError, match="T009"):
        speechio.read_scp(path)


def test_a_file_that_is_written_anew_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "table.scp"
    path.write_text("a x\n")
    path.chmod(0o600)
    speechio.write_scp(path, {"b": "y"})
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == "b y\n"


class Scalar:
    """A number as array libraries have them: its repr is no number."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"array.float64({self.value})"


class Whole(Scalar):
    """The same for whole numbers."""

    def __index__(self) -> int:
        return int(self.value)

    __int__ = __index__


@pytest.mark.parametrize(
    ("value", "text"),
    [(Scalar(0.5), "0.5"), (Whole(5.0), "5"), (Decimal("1e-3"), "0.001"), (7, "7"), (Fraction(1, 4), "0.25")],
)
def test_numbers_of_other_libraries_are_numbers(value: Any, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize("value", ["0.5", True, None, float("nan"), float("inf")])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"is no number|is not finite"):
        format_number(value)


@pytest.mark.parametrize("time", ["1e-99999999999999999999", "0e-999999999", "1e1000"])
def test_an_exponent_beyond_all_times_is_no_number(time: str, tmp_path: Path) -> None:
    path = tmp_path / "a.rttm"
    path.write_text(LINE.replace("0.5", time))
    with pytest.raises(FormatError, match="R003"):
        list(speechio.iter_rttm(path, exact=True))


def test_a_repeated_utterance_is_found_quickly_and_named(tmp_path: Path) -> None:
    path = tmp_path / "spk2utt"
    path.write_text("s " + " ".join(f"u{i}" for i in range(50_000)) + " u5\n")
    with pytest.raises(SpeechioError, match="speaker s has the utterance u5 twice"):
        speechio.read_spk2utt(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("dump a.rttm > /dev/full", "<stdout>: cannot be written: No space left on device"),
        ("fix a.rttm -o - > /dev/full", "<stdout>: cannot be written: No space left on device"),
        ("check a.rttm >&-", "<stdout>: is closed"),
        ("check --format rttm - <&-", "<stdin>: is closed"),
        ("check --max -1 a.rttm", "'-1' is no number of problems"),
    ],
)
def test_a_stream_that_is_full_or_closed_is_told_in_one_message(arguments: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_text(LINE)
    command = f"{sys.executable} -m speechio {arguments}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
