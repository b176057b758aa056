"""The examples in docstrings give what they show."""

import doctest
import importlib
import pkgutil

import pytest

import speechmeasure


def modules() -> list[str]:
    """List every module of every package, but the ones that run a command when imported."""
    names = ["speechmeasure", *speechmeasure.members()]
    for name in list(names):
        package = importlib.import_module(name)
        names += [found.name for found in pkgutil.walk_packages(package.__path__, f"{name}.")]
    return sorted(name for name in names if not name.endswith(".__main__"))


@pytest.mark.parametrize("name", modules())
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, raise_on_error=False)
    assert failed == 0
