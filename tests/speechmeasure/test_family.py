"""Versions of the family, read without importing it."""

import importlib.metadata
import sys
from pathlib import Path

import pytest

from speechmeasure import family


@pytest.mark.parametrize("name", ["speechmeasure", *family.members()])
def test_a_version_is_the_one_of_the_installed_distribution(name: str) -> None:
    assert family.versions()[name] == importlib.metadata.version(name)


def test_order_is_this_package_then_the_members() -> None:
    assert list(family.versions()) == ["speechmeasure", *family.members()]


def test_a_missing_member_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "_MEMBERS", ("a_package_nobody_has",))
    with pytest.raises(ModuleNotFoundError, match="a_package_nobody_has is not installed") as caught:
        family.versions()
    assert caught.value.name == "a_package_nobody_has"


def test_a_package_of_another_project_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strangers_package").mkdir()
    (tmp_path / "strangers_package" / "__init__.py").write_text("raise SystemExit('this must not run')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(family, "_MEMBERS", ("strangers_package",))
    with pytest.raises(ModuleNotFoundError, match="another project's package of the same name"):
        family.versions()
    assert "strangers_package" not in sys.modules
