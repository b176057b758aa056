"""ESPnet3's module paths, and imports from the folder of a configuration."""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import measure_core
from measure_core.espnet3 import espnet3_names, import_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ABS = "espnet3.components.metrics.abs_metric"
BASE = "espnet3.components.metrics.base_metric"


def loaded() -> set[str]:
    return {name for name in sys.modules if name.partition(".")[0] == "espnet3"}


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """No ESPnet3 before and after, whatever a test leaves behind."""
    before = list(sys.meta_path), list(sys.path), set(sys.modules)
    assert not loaded()
    yield
    sys.meta_path[:], sys.path[:] = before[0], before[1]
    for name in set(sys.modules) - before[2]:
        del sys.modules[name]
    importlib.invalidate_caches()


def test_the_names_give_our_classes() -> None:
    with espnet3_names():
        assert importlib.import_module(ABS).AbsMetrics is measure_core.AbsMetrics
        assert importlib.import_module(ABS).AbsMetric is measure_core.AbsMetrics
        assert importlib.import_module(BASE).BaseMetric is measure_core.BaseMetric
        assert importlib.import_module("espnet3.contract").Field is measure_core.Field
        namespace: dict[str, object] = {}
        exec(f"from {ABS} import AbsMetrics; import {BASE} as base", namespace)
        assert namespace["AbsMetrics"] is measure_core.AbsMetrics


@pytest.mark.parametrize("name", ["espnet3.other", "espnet3.components.other", "espnet3x", "espnet", f"{ABS}.deeper"])
def test_no_other_name_is_answered(name: str) -> None:
    with espnet3_names(), pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)


def test_they_are_answered_inside_only_and_last() -> None:
    before = list(sys.meta_path)
    for _ in range(2):
        with espnet3_names():
            assert sys.meta_path[:-1] == before
            importlib.import_module(ABS)
            importlib.import_module(BASE)
        assert sys.meta_path == before
        assert not loaded()
        for name in (ABS, BASE, "espnet3", "espnet3.contract"):
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)


def test_they_go_after_a_fault_too() -> None:
    before = list(sys.meta_path)
    with suppress(ZeroDivisionError), espnet3_names():
        importlib.import_module(ABS)
        _ = 1 / 0
    assert sys.meta_path == before
    assert not loaded()


def test_they_may_be_unwanted() -> None:
    before = list(sys.meta_path)
    with espnet3_names(are_wanted=False):
        assert sys.meta_path == before
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(ABS)


def test_one_inside_another() -> None:
    with espnet3_names():
        with espnet3_names():
            importlib.import_module(ABS)
        assert importlib.import_module(ABS).AbsMetrics is measure_core.AbsMetrics
    assert not loaded()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ESPnet3 that has `base_metric` and has dropped `abs_metric`."""
    root = tmp_path / "site"
    folder = root / "espnet3" / "components" / "metrics"
    folder.mkdir(parents=True)
    for place in (folder, folder.parent, folder.parent.parent):
        (place / "__init__.py").write_text("MARK = 'installed'\n")
    (folder / "base_metric.py").write_text("class BaseMetric:\n    MARK = 'installed'\n")
    monkeypatch.syspath_prepend(str(root))
    return root


@pytest.mark.usefixtures("installed")
def test_what_is_installed_wins() -> None:
    with espnet3_names():
        assert importlib.import_module(BASE).BaseMetric.MARK == "installed"
        assert importlib.import_module("espnet3").MARK == "installed"
        assert importlib.import_module("espnet3.components.metrics").MARK == "installed"
        assert importlib.import_module(ABS).AbsMetrics is measure_core.AbsMetrics  # dropped, hence ours
        assert importlib.import_module("espnet3.contract").Field is measure_core.Field
    assert loaded() == {"espnet3", "espnet3.components", "espnet3.components.metrics", BASE}
    metrics = sys.modules["espnet3.components.metrics"]
    assert metrics.base_metric is sys.modules[BASE]
    assert not hasattr(metrics, "abs_metric")
    assert not hasattr(sys.modules["espnet3"], "contract")
    with pytest.raises(ImportError):
        exec("from espnet3.components.metrics import abs_metric", {})


@pytest.mark.usefixtures("installed")
def test_what_was_imported_before_stays() -> None:
    before = importlib.import_module(BASE)
    with espnet3_names():
        assert importlib.import_module(BASE) is before
    assert sys.modules[BASE] is before


def test_a_fault_of_what_is_installed_is_not_hidden(installed: Path) -> None:
    (installed / "espnet3" / "components" / "metrics" / "base_metric.py").write_text("import no_such_thing\n")
    with espnet3_names(), pytest.raises(ModuleNotFoundError, match="no_such_thing"):
        importlib.import_module(BASE)


def test_a_folder_is_on_the_path_inside_only(tmp_path: Path) -> None:
    (tmp_path / "my_metric.py").write_text("X = 1\n")
    before = list(sys.path)
    with import_path(tmp_path):
        assert sys.path == [*before, str(tmp_path.resolve())]
        assert importlib.import_module("my_metric").X == 1
    assert sys.path == before
    assert "my_metric" not in sys.modules
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("my_metric")


@pytest.mark.parametrize("second_has_init", [True, False])
@pytest.mark.parametrize("first_has_init", [True, False])
def test_two_folders_with_the_same_names(tmp_path: Path, first_has_init: bool, second_has_init: bool) -> None:
    for name, has_init in (("one", first_has_init), ("two", second_has_init)):
        folder = tmp_path / name / "my_metrics"
        folder.mkdir(parents=True)
        (folder / "wer.py").write_text(f"X = {name!r}\n")
        if has_init:
            (folder / "__init__.py").write_text(f"X = {name!r}\n")
    for name, has_init in (("one", first_has_init), ("two", second_has_init)):
        with import_path(tmp_path / name):
            assert vars(importlib.import_module("my_metrics.wer"))["X"] == name
            assert getattr(importlib.import_module("my_metrics"), "X", None) == (name if has_init else None)
        assert not {"my_metrics", "my_metrics.wer"} & set(sys.modules)


def test_other_modules_stay(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "elsewhere.py").write_text("X = 1\n")
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf-2").mkdir()
    (tmp_path / "conf-2" / "near.py").write_text("X = 1\n")
    (tmp_path / "conf" / "mine.py").write_text("import elsewhere, near\n")
    sys.path += [str(tmp_path / "lib"), str(tmp_path / "conf-2")]
    importlib.invalidate_caches()
    with import_path(tmp_path / "conf"):
        importlib.import_module("mine")
    assert "mine" not in sys.modules
    assert {"elsewhere", "near"} <= set(sys.modules)


def test_a_folder_that_is_on_the_path_already_stays(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text("X = 1\n")
    sys.path.append(str(tmp_path.resolve()))
    importlib.invalidate_caches()
    before = list(sys.path)
    with import_path(tmp_path):
        module = importlib.import_module("kept")
    assert sys.path == before
    assert sys.modules["kept"] is module


def test_the_path_goes_after_a_fault_too(tmp_path: Path) -> None:
    before = list(sys.path)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with suppress(ZeroDivisionError), import_path(tmp_path):
        importlib.import_module("broken")
    assert sys.path == before


def test_installed_modules_are_not_shadowed(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("raise RuntimeError\n")
    sys.modules.pop("colorsys", None)
    with import_path(tmp_path):
        assert hasattr(importlib.import_module("colorsys"), "rgb_to_hsv")
