"""Metrics by short name."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from measure_core.errors import ConfigError
from measure_core.registry import GROUP, Registered, find_metric, registered

if TYPE_CHECKING:
    from pathlib import Path


def install(root: Path, dist: str, points: dict[str, str]) -> None:
    """Install a distribution that has nothing but entry points."""
    folder = root / f"{dist.replace('-', '_')}-2.5.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 2.5\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (folder / "entry_points.txt").write_text(f"[console_scripts]\nwer = no:main\n\n[{GROUP}]\n{lines}")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_our_own_come_first() -> None:
    every = registered()
    ours = [one for one in every if one.distribution == "measure-core"]
    assert every[: len(ours)] == ours
    assert {"wer", "cer", "rtf"} <= {one.name for one in ours}
    names = [one.name for one in ours]
    assert names == sorted(names)
    wer = next(one for one in ours if one.name == "wer")
    assert wer == Registered(
        "wer", "measure_core.builtin.WER", "measure-core", importlib.metadata.version("measure-core")
    )
    assert find_metric("wer") == "measure_core.builtin.WER"


def test_every_own_name_can_be_imported() -> None:
    for one in registered():
        if one.distribution == "measure-core":
            module, _, name = one.target.rpartition(".")
            cls = getattr(importlib.import_module(module), name)
            assert f"{cls.__module__}.{cls.__name__}" == one.target


def test_those_of_other_distributions(site: Path) -> None:
    install(site, "toolkit-x", {"toolkit.b": "toolkit_x.measure:B", "toolkit.a": "toolkit_x.measure:A"})
    install(site, "another", {"another.c": "another.sub.measure : C [extra]", "another.d": "another:Outer.Inner"})
    found = [one for one in registered() if one.distribution in ("toolkit-x", "another")]
    assert found == [
        Registered("another.c", "another.sub.measure.C", "another", "2.5"),
        Registered("another.d", "another.Outer.Inner", "another", "2.5"),
        Registered("toolkit.a", "toolkit_x.measure.A", "toolkit-x", "2.5"),
        Registered("toolkit.b", "toolkit_x.measure.B", "toolkit-x", "2.5"),
    ]
    assert find_metric("toolkit.b") == "toolkit_x.measure.B"
    assert not {"toolkit_x", "another"} & set(sys.modules)


def test_a_name_with_two_owners(site: Path) -> None:
    install(site, "first-owner", {"shared": "first_owner:M"})
    install(site, "second-owner", {"shared": "second_owner:M", "wer": "second_owner:WER"})
    with pytest.raises(ConfigError) as caught:
        find_metric("shared")
    assert str(caught.value) == (
        "the metric name 'shared' is claimed by first-owner and second-owner\nfix: name the class: `_target_: …`"
    )
    with pytest.raises(ConfigError, match="'wer' is claimed by measure-core and second-owner"):
        find_metric("wer")
    assert find_metric("cer") == "measure_core.builtin.CER"
    assert [one.distribution for one in registered() if one.name == "shared"] == ["first-owner", "second-owner"]


def test_a_distribution_that_is_seen_twice_is_one_owner(site: Path) -> None:
    install(site / "one", "twice", {"twice.m": "twice:M"})
    install(site / "two", "twice", {"twice.m": "twice:M"})
    sys.path += [str(site / "one"), str(site / "two")]  # put back with what the fixture put before
    assert find_metric("twice.m") == "twice.M"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("WER", "did you mean wer"),
        ("werr", "did you mean wer"),
        ("nothing-like-it", "`measure list` shows what there is; your own class is `{_target_: pkg.Class}`"),
        ("", "`measure list` shows what there is"),
    ],
)
def test_an_unknown_name(name: str, fix: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_metric(name)
    assert caught.value.what == f"there is no metric called {name!r}"
    assert caught.value.fixes[0].startswith(fix)


def test_listing_imports_no_metric_and_no_numpy(tmp_path: Path) -> None:
    install(tmp_path, "broken", {"broken.m": "no_such_module:M"})
    program = (
        "import sys; from measure_core.registry import registered, find_metric; names = [o.name for o in registered()];"
        "assert 'broken.m' in names and find_metric('broken.m') == 'no_such_module.M';"
        "assert not {'numpy', 'rapidfuzz', 'measure_core.builtin'} & set(sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=env)
