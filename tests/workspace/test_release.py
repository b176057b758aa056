"""The release check, on this repository and on a made-up one."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "release.py"


def check(*arguments: str, script: Path = SCRIPT) -> tuple[int, str]:
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one package at 1.2.3 and the script; its changelog says so too."""
    package = tmp_path / "packages" / "thing"
    (package / "src" / "thing").mkdir(parents=True)
    (package / "changelog.d").mkdir()
    (package / "pyproject.toml").write_text("")
    (package / "src" / "thing" / "__about__.py").write_text('"""Version."""\n\n__version__ = "1.2.3"\n')
    (package / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2030-01-01)\n\n## 1.2.2\n")
    (tmp_path / "tools").mkdir()
    script = tmp_path / "tools" / "release.py"
    script.write_text(SCRIPT.read_text(encoding="utf-8"))
    return tmp_path


def test_the_packages_here_agree() -> None:
    assert check() == (0, "tag, version and changelog agree\n")


def test_a_right_tag_agrees(repository: Path) -> None:
    status, text = check("thing-v1.2.3", script=repository / "tools" / "release.py")
    assert (status, text) == (0, "tag, version and changelog agree\n")


def test_a_tag_of_another_version_does_not(repository: Path) -> None:
    status, text = check("thing-v1.2.4", script=repository / "tools" / "release.py")
    assert (status, text) == (1, "thing: the tag says 1.2.4, the source 1.2.3\n")


def test_a_changelog_that_lags_does_not(repository: Path) -> None:
    (repository / "packages" / "thing" / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.2\n")
    status, text = check(script=repository / "tools" / "release.py")
    assert (status, text) == (1, "thing: the changelog begins with 1.2.2, the source says 1.2.3\n")


def test_notes_left_over_do_not(repository: Path) -> None:
    (repository / "packages" / "thing" / "changelog.d" / "new.added.md").write_text("New.")
    status, text = check("thing-v1.2.3", script=repository / "tools" / "release.py")
    assert (status, text) == (1, "thing: new.added.md is not in the changelog yet\n")


@pytest.mark.parametrize("tag", ["thing-1.2.3", "other-v1.2.3", "v1.2.3", "thing-v1.2"])
def test_a_malformed_tag_is_status_2(repository: Path, tag: str) -> None:
    status, text = check(tag, script=repository / "tools" / "release.py")
    assert status == 2
    assert "is not <package>-vX.Y.Z of thing" in text
