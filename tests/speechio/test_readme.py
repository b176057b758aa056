"""What the README says is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from speechio.cli import main

README = Path(__file__).parents[2] / "packages" / "speechio" / "README.md"
BLOCKS: list[tuple[str, str]] = re.findall(
    r"^```(\w+)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
FILES = {
    "dev.rttm": "SPEAKER rec1 1 0.5 2.25 <NA> <NA> anna <NA> <NA>\nSPEAKER rec1 1 3.0 -1.5 <NA> <NA> ben <NA> <NA>\n",
    "good.rttm": "SPEAKER rec1 1 0.5 2.25 <NA> <NA> anna <NA> <NA>\nSPEAKER rec1 1 3.0 1.5 <NA> <NA> ben 0.9 <NA>\n",
    "ref.scp": "utt1 hello there\nutt2 yes\n",
    "hyp.scp": "utt2 yes\nutt1 hello their\n",
}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


PYTHON = [(text, BLOCKS[i + 1]) for i, (kind, text) in enumerate(BLOCKS) if kind == "python"]


@pytest.mark.parametrize(("code", "output"), PYTHON)
def test_examples_in_python(code: str, output: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, str(README), "exec"), {})
    assert ("text", capsys.readouterr().out) == output


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "console"])
def test_examples_of_the_command_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert shown
    for one in shown:
        command, _, output = one.partition("\n")
        name, *arguments = shlex.split(command)
        assert name == "speechio"
        main(arguments)
        captured = capsys.readouterr()
        assert captured.out + captured.err == output
