"""The command ``speechmeasure`` as a shell sees it: status, stdout and stderr."""

import json
import subprocess
import sys

import pytest

import speechmeasure
from speechmeasure import cli, family


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "speechmeasure", *arguments], capture_output=True, text=True, check=False
    )


def test_versions_are_printed_one_a_line() -> None:
    done = run("versions")
    assert (done.returncode, done.stderr) == (0, "")
    assert dict(line.split() for line in done.stdout.splitlines()) == speechmeasure.versions()


def test_json_equals_the_function() -> None:
    done = run("versions", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"schema_version": "1.0", "versions": speechmeasure.versions()}


def test_version_of_the_command_itself() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"speechmeasure {speechmeasure.__version__}\n")


def test_help_names_the_verb_and_the_other_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("versions", "mdeval", "speechio"))


@pytest.mark.parametrize("arguments", [(), ("--verso",), ("nothing",), ("versions", "--js")])
def test_wrong_usage_is_status_2_and_one_message(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "speechmeasure" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_member_is_status_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(family, "_MEMBERS", ("a_package_nobody_has",))
    assert cli.main(["versions"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("speechmeasure: error: a_package_nobody_has is not installed")
